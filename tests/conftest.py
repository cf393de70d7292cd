"""Makes the slow versions under `reference` importable; examples may take their time."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
settings.register_profile("bitext", deadline=None)
settings.load_profile("bitext")
