"""Makes the helpers beside the tests of this folder importable, and the robots that tests of the dynamics share."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "dynamics")]
