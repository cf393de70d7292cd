"""README and guides show what commands print; the links of all pages lead somewhere."""

from __future__ import annotations

import doctest
import io
import json
import os
import pkgutil
import re
import shlex
import subprocess
import sys
import types
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryFile

import pytest

import bitext
from bitext.cli.main import main
from bitext.errors import FormatError
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.metrics import all_metrics

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
LINKED = PAGES | {
    name: (ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "CHANGELOG.md")
}
FENCED = re.compile(r"^```.*?^```[^\n]*$", flags=re.MULTILINE | re.DOTALL)


def sessions():
    """Yield the console blocks: their commands with the output shown under each.

    The first of them is run in a process of its own, as by a shell.
    """
    run = in_its_own_process
    for name, page in PAGES.items():
        for block in re.findall(r"^```console\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL):
            parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
            # A command ends with its first line without a backslash; LaTeX below may have some.
            ends = [re.match(r"(?:.*\\\n)*.*\n", part) for part in parts]
            steps = [
                (end[0].replace("\\\n", " ").strip(), part[end.end() :])
                for end, part in zip(ends, parts, strict=True)
            ]
            yield pytest.param(steps, run, id=f"{name}: {steps[0][0][:60]}")
            run = in_this_process


def in_its_own_process(words):
    done = subprocess.run(
        [sys.executable, "-m", "bitext", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def in_this_process(words):
    # Both streams end up in one file, in the order in which they are flushed.
    with TemporaryFile() as file:
        outputs = (os.dup(file.fileno()) for _ in range(2))
        with (
            os.fdopen(next(outputs), "w", encoding="utf-8") as out,
            os.fdopen(next(outputs), "w", encoding="utf-8", buffering=1) as err,
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            main(words)
        file.seek(0)
        return file.read().decode()


@pytest.mark.parametrize(("steps", "run"), list(sessions()))
def test_a_page_shows_what_its_commands_print(steps, run, tmp_path, monkeypatch):
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")  # a place where files may be written
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for command, shown in steps:
        program, *words = shlex.split(command)
        assert program == "bitext", "the pages run bitext and nothing else"
        # On a busy machine a command takes so long that it says for how long it has run.
        lines = [re.sub(r"( in|;) \d+ s$", "", line.rstrip()) for line in run(words).splitlines()]
        assert "\n".join(lines).rstrip() == shown.rstrip(), command


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if ">>> " in page])
def test_a_page_shows_python_that_runs(name, monkeypatch):
    found = doctest.DocTestParser().get_doctest(PAGES[name], {}, name, name, 0)
    assert found.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    monkeypatch.chdir(ROOT)
    assert runner.run(found).failed == 0


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_pages_of_python_show_python(name):
    assert "```python\n>>> import bitext\n" in PAGES[name]


READINGS = [
    line for line in PAGES["docs/readings.md"].splitlines() if re.match(r"\| (?!input|---)", line)
]


@pytest.mark.parametrize("row", READINGS)
def test_every_file_that_can_be_read_in_two_ways_has_a_test(row):
    named = re.search(r"<!-- test: ([^ :]+)(?:::(\w+))? -->", row)
    assert named, "the row names its test in a comment"
    tests = (ROOT / "tests" / named[1]).read_text(encoding="utf-8")
    assert re.search(rf"^def {named[2] or 'test_'}", tests, flags=re.MULTILINE)


def test_the_guide_of_word_links_shows_figures_of_their_json(monkeypatch):
    monkeypatch.chdir(ROOT)
    texts = ["fixtures/links/gold.en", "fixtures/links/gold.fr"]
    document = json.loads(in_this_process(["link", *texts, "--json", "--quiet"]))
    block = PAGES["docs/linking.md"].split("\n## JSON\n")[1].split("```")[1]
    assert f'"totals": {json.dumps(document["totals"])}' in block
    assert f'"texts": {json.dumps(document["texts"])}' in block
    assert json.dumps(document["rows"][0]["links"][0]) in block


def test_the_guide_of_word_links_shows_lines_of_lexicons_and_phrase_tables(tmp_path):
    texts = [f"{ROOT}/fixtures/orchard/orchard.{lang}" for lang in ("en", "fr")]
    files = {"LEXICON": tmp_path / "lexicon.tsv", "PHRASES": tmp_path / "phrases.txt"}
    options = ["--save-lexicon", files["LEXICON"], "--save-phrases", files["PHRASES"]]
    in_this_process(["link", *texts, "--cut", "-o", f"{tmp_path}/a.tsv", *map(str, options)])
    for name, file in files.items():
        shown = PAGES["docs/linking.md"].split(f"<!-- {name} -->\n```text\n")[1].split("```")[0]
        assert set(shown.splitlines()) <= set(file.read_text(encoding="utf-8").splitlines())


def test_every_metric_stands_in_a_table():
    cells = "".join(
        line for line in PAGES["docs/metrics.md"].splitlines() if line.startswith("| `")
    )
    missing = [name for name in all_metrics() if f"`{name}`" not in cells]
    # Alignments have tables of measures, not of metrics.
    assert missing == ["arcade", "bisegment-similarity"]


def test_the_tables_of_formats_are_those_of_the_registry():
    command = [sys.executable, ROOT / "scripts" / "make_tables.py", "--check"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.returncode) == ("up to date\n", 0)
    assert PAGES["docs/formats.md"].count("<!-- bitext formats") == 2


@pytest.mark.parametrize("name", LINKED)
def test_every_link_and_picture_leads_to_what_is_there(name):
    faults = [fault for target in links(LINKED[name]) if (fault := broken(name, target))]
    assert faults == []


def test_links_are_found_and_followed():
    page = '![a](x.png) [b](y.md#c "t") `[d](code)`\n```\n[e](fenced)\n```\n[f]: z.md\n[g](<h i>)'
    assert links(page) == ["x.png", "y.md#c", "h i", "z.md"]
    assert broken("docs/index.md", "gone.md") == "gone.md: no such file"
    assert broken("docs/index.md", "../../outside.md") == "../../outside.md: outside the repository"
    assert broken("docs/index.md", "speed.md#gone") == "speed.md#gone: no such heading"
    assert broken("docs/index.md", "#guides") == broken("docs/index.md", "pictures/study.png") == ""
    assert broken("docs/index.md", "https://example.org/") == ""
    page = "# A `b` and *c*, 1-2!\n## Twice\n## Twice\n```\n# no heading\n```\n## [d_e](f)\n"
    assert headings(page) == {"a-b-and-c-1-2", "twice", "twice-1", "d_e"}


MODULES = dict(
    re.findall(
        r"`bitext/([\w/]+)\.py`[^\n]*:\n\n```python\n(.*?)^```",
        LINKED["CONTRIBUTING.md"],
        flags=re.MULTILINE | re.DOTALL,
    )
)


def made(name, monkeypatch):
    """Return the module that CONTRIBUTING has as an example, imported from its text."""
    module = types.ModuleType(f"bitext.{name.replace('/', '.')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(MODULES[name], name, "exec"), vars(module))
    return module


def test_the_format_that_contributing_shows_is_one(monkeypatch):
    shown = made("formats/arrows", monkeypatch).FORMAT
    text = "the harbour => le port\n => seul\nalone => \n"
    assert shown.sniff(text.encode()) == 70
    source = Source("a.arrows", io.BytesIO(text.encode()))
    (found,) = shown.read(source, ReadOptions())
    assert [*found.alignment] == [((0,), (0,)), ((), (1,)), ((1,), ())]
    out = io.StringIO()
    shown.write([found], out)
    assert out.getvalue() == text
    with pytest.raises(FormatError, match=r"a\.arrows line 2: want => once"):
        [*shown.read(Source("a.arrows", io.BytesIO(b"a => b\nc\n")), ReadOptions())]


def test_the_metric_that_contributing_shows_is_one(monkeypatch):
    module = made("metrics/segmentation/boundary_jaccard", monkeypatch)
    doc, names = module.boundary_jaccard.__doc__, dict(vars(module))
    run = doctest.DocTestRunner()
    run.run(doctest.DocTestParser().get_doctest(doc, names, "shown", None, None))
    assert run.summarize(verbose=False) == (0, 2)


def test_every_guide_stands_in_the_index_and_in_the_readme():
    guides = {
        name.removeprefix("docs/") for name in PAGES if name not in ("README.md", "docs/index.md")
    }
    assert guides <= set(links(PAGES["docs/index.md"]))
    assert {f"docs/{guide}" for guide in guides} <= set(links(PAGES["README.md"]))


def test_the_reference_opens_with_what_is_in_it():
    rooms = [f"bitext.{room.name}" for room in pkgutil.iter_modules(bitext.__path__)]
    missing = [room for room in rooms if f"`{room}`" not in bitext.__doc__]
    assert missing == ["bitext.__main__"]


def links(page):
    """Return where the links and pictures of a page lead, those in code left out."""
    text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", page))
    inline = re.findall(r"\]\(\s*(?:<([^>\n]*)>|([^\s)]+))(?:\s+\"[^\"]*\")?\s*\)", text)
    named = re.findall(r"^ {0,3}\[[^\]]+\]:\s*(\S+)", text, flags=re.MULTILINE)
    return [first or second for first, second in inline] + named


def broken(name, target):
    """Return what is wrong with a link on a page; nothing for what is elsewhere on the web."""
    if re.match(r"[a-z]+:", target):
        return ""
    path, _, anchor = target.partition("#")
    found = (ROOT / name).parent.joinpath(path).resolve() if path else ROOT / name
    if not found.is_relative_to(ROOT):
        return f"{target}: outside the repository"
    if not found.exists():
        return f"{target}: no such file"
    if anchor and anchor not in headings(found.read_text(encoding="utf-8")):
        return f"{target}: no such heading"
    return ""


def headings(page):
    """Return the anchors of the headings of a page, as GitHub makes them."""
    found = set()
    for title in re.findall(r"^#{1,6} +(.*?)(?: +#+)? *$", FENCED.sub("", page), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        times = sum(bool(re.fullmatch(re.escape(anchor) + r"(-\d+)?", one)) for one in found)
        found.add(f"{anchor}-{times}" if times else anchor)
    return found
