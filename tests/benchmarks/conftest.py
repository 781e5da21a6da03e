"""The scripts of benchmarks/ import one another by name, as they do when they are run."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
