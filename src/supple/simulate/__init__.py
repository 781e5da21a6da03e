"""Integrators, the simulator, rollouts."""
