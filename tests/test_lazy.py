"""Public names that are imported when they are first asked for."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PACKAGES = ("bitext", "bitext.align", "bitext.formats", "bitext.segment")
ROOMS = {
    *("align", "errors", "formats", "jobs", "metrics"),
    *("model", "reports", "scoring", "segment", "syntax"),
}
FORMER = [
    ("bitext.align", "sentences.aligner", "BeadExplanation"),
    ("bitext.align", "words.event_clusters", "EventCluster documents_of"),
    ("bitext.align", "words.explanation", "WordMatch"),
    ("bitext.align", "words.paraphrases", "Paraphrase Paraphrases"),
    ("bitext.metrics", "agreement", "AgreementCorrelation observed_agreement"),
    ("bitext.metrics", "arcade", "ArcadeScores"),
    ("bitext.metrics", "bisegment_similarity", "bisegment_edges"),
    ("bitext.metrics", "coder_counts", "Agreement"),
    ("bitext.metrics", "edgain", "EdGain"),
    ("bitext.metrics", "lattice_metrics", "Figures RepetitionRatio"),
    ("bitext.metrics", "segmentation.boundary_similarity", "ConfusionMatrix"),
    (
        "bitext.metrics",
        "segmentation.boundary_edits",
        "Addition BoundaryEdits Match Substitution Transposition",
    ),
    ("bitext.metrics", "segmentation.segment_alignment", "SegmentAlignment"),
    ("bitext.metrics", "segmentation.references", "WisebeScore"),
    ("bitext.metrics", "significance", "Interval"),
]


@pytest.mark.parametrize("package", PACKAGES)
def test_all_public_names_are_there_and_are_listed(package):
    module = importlib.import_module(package)
    for name in module.__all__:
        found = getattr(module, name)
        home = getattr(found, "__module__", None)  # of a constant there is none
        assert home is None or getattr(importlib.import_module(home), name) is found
        assert importlib.util.find_spec(f"{package}.{name}") is None  # it would stand for it
    assert {*module.__all__, "__doc__"} <= {*dir(module)}
    assert not {"TYPE_CHECKING", "imported_late"} & {*dir(module)}


def test_the_rooms_are_listed_and_found_without_an_import_of_their_own():
    code = (
        "import bitext\n"
        "print(bitext.metrics.pk.__name__, bitext.align.symmetrise.__name__)\n"
        "print(sorted(name for name in dir(bitext) if name[0] != '_' and name.islower()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found, listed = done.stdout.splitlines()
    assert found == "pk symmetrise"
    verbs = {name for name in importlib.import_module("bitext").__all__ if name.islower()}
    assert set(ast.literal_eval(listed)) == ROOMS | verbs


@pytest.mark.parametrize(("package", "home", "names"), FORMER)
def test_names_of_the_release_before_are_found_with_a_warning_and_not_listed(package, home, names):
    module, home = importlib.import_module(package), f"{package}.{home}"
    for name in names.split():
        with pytest.warns(DeprecationWarning, match=f"^{package}.{name} is {home}.{name};"):
            found = getattr(module, name)
        assert found is getattr(importlib.import_module(home), name)
        assert name not in {*module.__all__, *dir(module)}


@pytest.mark.parametrize("package", ["bitext", "bitext.align", "bitext.metrics", "bitext.segment"])
def test_what_is_listed_is_public(package):
    module = importlib.import_module(package)
    listed = {name for name in dir(module) if name[0] != "_"}
    assert listed == {*module.__all__, *(ROOMS if package == "bitext" else ())}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_there_is_an_error_as_in_any_module(package):
    with pytest.raises(AttributeError, match=f"^module '{package}' has no attribute 'algin'$"):
        importlib.import_module(package).algin  # noqa: B018 - it is to fail
    with pytest.raises(ImportError, match="cannot import name 'algin'"):
        exec(f"from {package} import algin")


def test_a_name_that_is_not_there_is_an_error_to_type_checkers():
    """That they are errors is what `mypy` finds: it refuses to ignore what is none."""
    page = (Path(__file__).parent / "reference" / "mistyped.py").read_text(encoding="utf-8")
    for package in PACKAGES:
        assert f" {package}.algin,  # type: ignore[attr-defined]\n" in page
    settings = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    assert settings["tool"]["mypy"]["strict"] is True  # unused ignores are errors
    assert "tests/reference/mistyped.py" in settings["tool"]["mypy"]["files"]


@pytest.mark.parametrize(
    ("used", "others"),
    [
        ("from bitext.align import align_sentences", "bitext.align.words"),
        ("from bitext.align import align_cluster", "bitext.align.sentences"),
        ("from bitext.segment import SentenceSplitter", "bitext.segment.training"),
        ("import bitext.align, bitext.jobs, bitext.segment; dir(bitext.align)", "numpy"),
    ],
)
def test_what_is_not_asked_for_is_not_imported(used, others):
    code = f"{used}\nimport sys\nprint([m for m in sys.modules if m.startswith({others!r})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_names_are_asked_for_once():
    code = (
        "import bitext.align, sys\n"
        "first = bitext.align.PRESETS\n"
        "del sys.modules['bitext.align.words.options']\n"
        "print('PRESETS' in vars(bitext.align), bitext.align.PRESETS is first)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"
