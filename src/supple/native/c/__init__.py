"""The same programs as C: for computers that have a C compiler and nothing else."""
