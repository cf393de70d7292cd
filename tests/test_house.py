"""The rules of the house that a program can check."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from textwrap import indent

import pytest

import bitext

ROOT = Path(__file__).resolve().parents[1]


def test_imports_point_one_way(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import check_layers

    assert (check_layers.main(), capsys.readouterr().out) == (0, "")


@pytest.fixture
def faults(tmp_path, monkeypatch):
    """Return a function that tells the faults of a module, and of it within a function."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import check_layers

    def told(module, code):
        path = tmp_path / "bitext" / module
        path.parent.mkdir(parents=True)
        found = []
        for lines in (code, "def late():\n" + indent(code, "    ")):
            path.write_text(lines + "\n", encoding="utf-8")
            found.append(
                [
                    fault.split(": ", 1)[1]
                    for fault in check_layers.faults(path, tmp_path / "bitext")
                ]
            )
        return found

    return told


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("kernels/bad.py", "from bitext.model import Text"),
        ("metrics/bad.py", "from bitext.formats import read, write"),
        ("metrics/bad.py", "from bitext import formats"),
        ("metrics/bad.py", "import bitext.formats.tmx"),
        ("metrics/bad.py", "from bitext import Text"),
        ("errors.py", "from bitext.model import Text"),
        ("align/words/bad.py", "from bitext.align.sentences.lexical.lexicon import Lexicon"),
        ("align/words/bad.py", "from bitext.align import sentences"),
        ("align/sentences/bad.py", "from bitext.align.words import align_words"),
        ("model/bad.py", "from .text import Text"),
        ("cli/bad.py", "from . import score"),
        ("new/bad.py", "import bitext.errors"),
    ],
)
def test_an_import_that_points_the_other_way_is_found(module, line, faults):
    at_once, late = faults(module, line)
    assert len(at_once) == 1
    assert late == at_once


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("formats/bad.py", "import lxml.etree"),
        ("align/bad.py", "from anyascii import anyascii"),
        ("segment/bad.py", "from unheard_of.inside import anything"),
        ("formats/bad.py", "try:\n    import zstandard\nexcept ImportError: pass"),
        ("metrics/bad.py", "class Held:\n    import regex"),
        ("model/bad.py", "if TYPE_CHECKING:\n    import lxml\nelse:\n    import nltk"),
        ("errors.py", "import numpy"),
        ("new/bad.py", "import numpy"),
        ("cli/bad.py", "import numpy as np"),
        ("cli/bad.py", "from bitext.metrics import arcade, wisebe"),
        ("cli/bad.py", "from bitext import formats"),
        ("cli/bad.py", "import bitext.align.words"),
        ("__init__.py", "from bitext.model import Text"),
    ],
)
def test_an_import_that_can_wait_is_found(module, code, faults):
    at_once, late = faults(module, code)
    assert len(at_once) == 1
    assert "at once; import it inside the function" in at_once[0]
    assert late == []


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("metrics/good.py", "from __future__ import annotations\nimport re, numpy.random"),
        ("reports/good.py", "from bitext.metrics import arcade\nimport bitext"),
        ("align/words/good.py", "from bitext.align.words.event_clusters import names"),
        ("model/good.py", "if TYPE_CHECKING:\n    from lxml.etree import _Element"),
        ("cli/good.py", "from bitext import __version__\nfrom bitext.cli import common"),
    ],
)
def test_other_imports_are_in_order(module, code, faults):
    assert faults(module, code) == [[], []]


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Return a function that makes a package of the modules given, and checks its layout."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import check_layers

    root = tmp_path / "bitext"

    def checked(**modules):
        for name, code in modules.items():
            path = tmp_path / "bitext" / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code + "\n", encoding="utf-8")
        imported = check_layers.graph(root)
        return (
            [*check_layers.circles(imported)],
            [*check_layers.crowded(root)],
            [*check_layers.lonely(imported, root, {"bitext.cli.": "commands"})],
        )

    return checked


@pytest.mark.parametrize(
    "code",
    [
        "from bitext.model.one import x",
        "def late():\n    from bitext.model import one",
        "if TYPE_CHECKING:\n    from bitext.model.one import X",
    ],
)
def test_circles_are_found_also_late_and_for_types(house, code):
    found, _, _ = house(
        model__one="from bitext.model import two",
        model__two=code,
        cli__a="from bitext.model import one, two",
        kernels__below="",
    )
    assert found == ["circle: bitext.model.one, bitext.model.two"]


def test_modules_of_one_importer_and_full_folders_are_found(house):
    many = {f"kernels__k{k}": "" for k in range(26)}
    both = "from bitext.kernels import " + ", ".join(f"k{k}" for k in range(1, 26))
    circles, crowded, lonely = house(
        **many, cli__a=both + "\nfrom bitext.kernels.k0 import x", cli__b=both
    )
    assert circles == []
    assert [fault.partition(": ")[2] for fault in crowded] == [
        "26 modules; 25 at most, so it wants rooms"
    ]
    assert lonely == ["bitext.kernels.k0: only bitext.cli.a imports it; fold it in"]


def test_modules_that_a_registry_names_are_none_of_one_importer(house):
    _, _, lonely = house(formats__registry='INDEX = {"a": "tmx:A"}', formats__tmx="", cli__a="")
    assert lonely == ["bitext.formats.registry: only a name imports it; fold it in"]


def test_exceptions_that_are_none_are_found(house):
    _, _, lonely = house(model__one="", cli="from bitext.model import one")
    assert lonely == [
        "bitext.cli: only a name imports it; fold it in",
        "bitext.model.one: only bitext.cli imports it; fold it in",
        "LONELY: no module bitext.cli. has one importer",
    ]


def test_every_public_name_can_be_had():
    for name in bitext.__all__:
        assert getattr(bitext, name).__name__ == name
    assert set(bitext.__all__) <= set(dir(bitext))
    with pytest.raises(AttributeError, match="has no attribute 'Bitxt'"):
        _ = bitext.Bitxt


@pytest.mark.parametrize("package", ["align", "metrics", "segment", "jobs", "formats"])
def test_every_public_name_of_a_package_can_be_had(package):
    module = importlib.import_module(f"bitext.{package}")
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Bitxt'"):
        _ = module.Bitxt


_SAVING = {"write_text", "write_bytes", "save", "savez", "savez_compressed", "tofile"}
_MODES = re.compile(r"[wax][bt+]*|r[bt]?\+")
_SAVES = re.compile(rf"\b(?:{'|'.join(_SAVING)})\(")
_OPENS = re.compile(rf"\b(?:open|fdopen)\((?s:.*)[\"'](?:{_MODES.pattern})[\"']")


def _writes(path):
    """Yield the names of the calls of a module that write to a file which they name themselves."""
    code = path.read_text(encoding="utf-8")
    if not _SAVES.search(code) and not _OPENS.search(code):  # to parse all of them takes seconds
        return
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        last = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
        values = [*node.args, *(each.value for each in node.keywords if each.arg == "mode")]
        modes = [str(v.value) for v in values if isinstance(v, ast.Constant)]
        opens = last in {"open", "fdopen"} and any(map(_MODES.fullmatch, modes))
        if last in _SAVING or opens:
            yield ast.unparse(node.func)


def test_files_are_written_in_one_way():
    """Whole or not there, and never through a link: see `bitext.paths.AtomicFile`."""
    ours = {
        "paths.py": {"os.fdopen"},  # the way itself
        "kernels/object_code.py": {"own.write_bytes"},  # of a cache, renamed when whole
        "reports/pages.py": {"(self._aside / name).write_text"},  # renamed when whole
        "metrics/study/runs.py": {"os.fdopen"},  # of `open_to_append`
        "jobs/task.py": {"os.fdopen"},  # of a pipe
        "cli/edit/__init__.py": {"page.write_text"},  # in a temporary folder, for a browser
        "workbench/exchange.py": {"path.write_bytes"},  # in a temporary folder, to be read
        "workbench/proposals.py": {"os.fdopen"},  # of a pipe
        "cli/scorers.py": {"file.write_bytes"},  # in a temporary folder, for jobs
        "formats/io/source.py": {"copy.open"},  # in a temporary folder, of standard input
        "formats/books/docx_writing.py": {"archive.open"},  # a member of the archive that it writes
        "formats/tables/ods.py": {"archive.open"},  # likewise
        "jobs/command_aligner.py": {  # in a temporary folder, for a program
            *("(folder / name).open", "(folder / 'dictionary').open"),
            *("printed.open", "(folder / 'errors').open"),
        },
    }
    # Ours, which do, and that of the database of a project.
    methods = {"lexicon.save", "segmenter.save", "self._shelves.save"}
    for path in sorted((ROOT / "bitext").rglob("*.py")):
        name = path.relative_to(ROOT / "bitext").as_posix()
        found = {*_writes(path)} - methods - ours.get(name, set())
        assert not found, f"{name}: writes a file in a way of its own: {found}"


# A group, unlike a character or a class, repeated possessively without an empty alternative; in a
# pattern with `%` or `format`, braces may be doubled.
_POSSESSIVE = re.compile(r"(?<!\\)(?:\\\\)*(?<!\|)\)(?:[*+?]|\{{1,2}[\d,]+\}{1,2})\+")


@pytest.mark.parametrize(
    "pattern", [r"(?:ab)*+", r"(a|b)++", r"(?:\\)?+", r"(?:a){2,}+", r"(?:a){{2}}+"]
)
def test_a_possessive_group_is_found(pattern):
    assert _POSSESSIVE.search(pattern)


@pytest.mark.parametrize("pattern", [r"(?:ab|)*+", r"[^()]*+", r"a\)++", r"(?>(?:ab)*)", r"(a)+"])
def test_other_repetitions_are_not_taken_for_a_possessive_group(pattern):
    assert not _POSSESSIVE.search(pattern)


def test_possessive_groups_match_alike_in_every_python():
    """See `bitext.lazy.late_pattern`: Python before 3.11.5 matches too much."""
    for path in sorted((ROOT / "bitext").rglob("*.py")):
        found = _POSSESSIVE.findall(path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(ROOT)}: no empty alternative before {found}"


def test_an_empty_alternative_ends_a_possessive_group():
    assert re.match(r"(?:ab?c|)*+", "aca")[0] == "ac"
    assert re.match(r"(?:ab?c|){1,2}+", "acacaca")[0] == "acac"
    assert re.match(r"(?:<!(?:[^!]++|!(?!>)|)*+!>|)*+<", "<!a!b!><!!><a")[0] == "<!a!b!><!!><"


def test_modules_have_no_lists_of_public_names():
    """In a module the underscore alone says what is private; packages list what they re-export."""
    listed = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "bitext").rglob("*.py"))
        if path.name != "__init__.py" and "\n__all__" in path.read_text(encoding="utf-8")
    ]
    assert listed == []


def test_arrays_have_one_set_of_type_names():
    own = re.compile(r"NDArray\[np\.(?:int64|float64|float32|bool_)\]")
    written = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "bitext").rglob("*.py"))
        if own.search(path.read_text(encoding="utf-8"))
    ]
    assert written == ["bitext/kernels/arrays.py"]


_EXAMPLES = {
    "arrows.py",
    "boundary_jaccard.py",
    "bitext_mill.py",
}  # CONTRIBUTING.md writes them out


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs"])
def test_modules_that_guides_name_are_there(page):
    named = re.compile(r"(?<![\w/.-])((?:\w+/)*\w+\.py)\b")
    there = [
        f"/{path.relative_to(ROOT)}"
        for folder in ("bitext", "scripts", "tests")
        for path in (ROOT / folder).rglob("*.py")
    ]
    place = ROOT / page
    missing = [
        f"{guide.name}: {name}"
        for guide in (sorted(place.glob("*.md")) if place.is_dir() else [place])
        for name in named.findall(guide.read_text(encoding="utf-8"))
        if name.rpartition("/")[2] not in _EXAMPLES
        and not any(path.endswith(f"/{name}") for path in there)
    ]
    assert missing == []


def test_types_ship():
    assert (Path(bitext.__file__).parent / "py.typed").exists()


# Names that begin with `_` and are documented for everyone.
_OPEN = {"_asdict", "_exit", "_fields", "_make", "_replace", "_repr_html_"}


def _is_private(name):
    return name.startswith("_") and not name.startswith("__") and name not in _OPEN


def _looks_inside(tree):
    """Yield private names of other modules that a test uses, and constants that it patches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bitext"):
            yield from (each.name for each in node.names if _is_private(each.name))
        elif isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
            is_set = isinstance(node.ctx, ast.Store) and node.attr.isupper()
            if not is_own and (is_set or _is_private(node.attr)):
                yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "setattr":
            named = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
            # A name that is not written out may be any.
            name = str(named[0]).rpartition(".")[2] if named else "setattr"
            if not named or _is_private(name) or name.strip("_").isupper():
                yield name


# Without any of these there is nothing to find: to parse all tests takes seconds.
_MAY_LOOK_INSIDE = re.compile(
    r"(?<!\bself)(?<!\bcls)\._[A-Za-z\d]"
    r"|\bfrom bitext[\w.]* import (?:\([^)]*|[^(\n]*)\b_[A-Za-z\d]"
    r"|\bsetattr\b|\.[A-Z\d_]+(?:,.*)? = "
)


def test_tests_use_public_names_and_patch_no_constants():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT / "tests").as_posix()
        code = path.read_text(encoding="utf-8")
        found = [*_looks_inside(ast.parse(code))] if _MAY_LOOK_INSIDE.search(code) else []
        assert not found, f"{name}: looks inside: {found}"


@pytest.mark.parametrize(
    "code",
    [
        "from bitext.model import _hidden",
        "from bitext.model import (\n    Text,\n    _hidden,\n)",
        "kernel._hidden(1)",
        "monkeypatch.setattr(kernel, '_hidden', None)",
        "monkeypatch.setattr(kernel, 'LIMIT', 3)",
        "monkeypatch.setattr(kernel, name, 3)",
        "patch.setattr('bitext.kernels.arrays._LIMIT', 3)",
        "kernel.LIMIT = 3",
    ],
)
def test_a_test_that_looks_inside_is_found(code):
    assert _MAY_LOOK_INSIDE.search(code)
    assert len([*_looks_inside(ast.parse(code))]) == 1


@pytest.mark.parametrize(
    "code",
    [
        "bead._replace(src=3)",
        "self._hidden = 1",
        "found = kernel.LIMIT",
        "from helpers import _hidden",
        "monkeypatch.setattr(kernel, 'shown', None)",
        "monkeypatch.setattr('bitext.jobs.running.Processes', AtHand)",
    ],
)
def test_what_everyone_may_use_is_not_inside(code):
    assert [*_looks_inside(ast.parse(code))] == []
