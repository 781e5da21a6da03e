"""Rotations, poses and inertias: the only home of conventions.

Spatial vectors are angular first. Quaternions are (w, x, y, z). `R_a_b` maps coordinates in frame
b to coordinates in frame a. A symmetric 3×3 matrix is stored as (xx, xy, xz, yy, yz, zz).
"""
