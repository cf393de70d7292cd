"""Makes the modules of the benchmarks importable."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "scripts" / "bench"))
