"""The rules of the house that a program can check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bitext

ROOT = Path(__file__).resolve().parents[1]


def test_imports_point_one_way():
    script = ROOT / "scripts" / "check_layers.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("kernels/bad.py", "from bitext.model import Text"),
        ("metrics/bad.py", "from bitext.formats import read"),
        ("formats/bad.py", "import lxml.etree"),
        ("align/words/bad.py", "from bitext.align.sentences.lexicon import Lexicon"),
        ("align/sentences/bad.py", "from bitext.align.words import align_words"),
        ("metrics/bad.py", "from bitext import formats"),
        ("metrics/bad.py", "from bitext import Text"),
        ("align/words/bad.py", "from bitext.align import sentences"),
        ("model/bad.py", "from .text import Text"),
        ("cli/bad.py", "from . import score"),
        ("cli/bad.py", "import numpy as np"),
        ("cli/bad.py", "from bitext.metrics import arcade, wisebe"),
        ("cli/bad.py", "import bitext.formats.tmx"),
        ("errors.py", "import numpy"),
        ("__init__.py", "from bitext.model import Text"),
        ("segment/bad.py", "from unheard_of.inside import anything"),
        ("formats/bad.py", "try:\n        import zstandard\n    except ImportError: pass"),
    ],
)
def test_an_import_that_points_the_other_way_is_found(module, line, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import check_layers

    path = tmp_path / "bitext" / module
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    monkeypatch.setattr(check_layers, "ROOT", tmp_path / "bitext")
    assert len(list(check_layers.faults(path))) == 1
    path.write_text(f"def late():\n    {line}\n", encoding="utf-8")
    lazy = module.startswith(("formats", "cli"))
    assert len(list(check_layers.faults(path))) == (0 if lazy else 1)


def test_every_public_name_can_be_had():
    for name in bitext.__all__:
        assert getattr(bitext, name).__name__ == name
    assert set(bitext.__all__) <= set(dir(bitext))
    with pytest.raises(AttributeError, match="has no attribute 'Bitxt'"):
        _ = bitext.Bitxt


def test_types_ship():
    assert (Path(bitext.__file__).parent / "py.typed").exists()
