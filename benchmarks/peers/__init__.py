"""The engines that are measured, one per file: each says in `TASKS` what it computes of a case, and how."""
