"""Makes scripts, and the modules of the benchmarks, importable."""

import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path += [str(SCRIPTS), str(SCRIPTS / "bench")]
