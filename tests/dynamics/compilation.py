"""How tests compile: quickly, since most of their time goes there."""

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
