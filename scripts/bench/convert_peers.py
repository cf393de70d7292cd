"""The tools that are compared: where they come from, and how each is called.

Peers are in an environment of their own (`environments.py`). Each is called in the fastest way
that its documentation tells, with documents as plain or packed files where it takes both:

| tool | call | why |
| --- | --- | --- |
| mtdata | `python -m mtdata.tmx -l eng-fra` | its reader of TMX, to tab-separated lines |
| tmxutil | `tmxutil -q -o tab --output-columns en.text fr.text` | both sides in one run |
| tmx-to-text | `tmx-to-text convert` | two files |
| tmxt | `tmxt.py --codelist=en,fr` | tab-separated lines |
| Translate Toolkit | `tmxfile.parsefile`, `unit.source`, `unit.target` | it has no such command |
| OpusTools | `opus_read -dl FOLDER -w A B` | from files in a folder: less CPU than from `.zip` (a \
quarter more), and than printing |

`tmx2dataframe` is left out: it stops at the first unit with inline codes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from convert_answers import quoted, tabbed, tmx_units, two_files
from convert_made import parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from convert_made import Made

__all__ = ["Tool", "floors", "link_tools", "ours", "tmx_tools"]

_CALLS = Path(__file__).with_name("convert_calls.py")


class Tool(NamedTuple):
    """A tool, or a floor: its command, and how to read what it wrote, if anything."""

    name: str
    command: Sequence[str | Path]
    units: Callable[[], Iterator[tuple[str, str]]] | None = None
    output: Path | None = None


def ours(made: Made, out: Path, *, kind: str) -> Tool:
    """Return the conversion by this project to `moses` or `tmx`."""
    bitext: list[str | Path] = [sys.executable, "-m", "bitext", "convert", "--quiet", made.path]
    languages = ["--src-lang", "en", "--tgt-lang", "fr"]
    if kind == "tmx":
        file = out / "ours.tmx"
        return Tool("bitext", [*bitext, file, *languages], lambda: tmx_units(file), file)
    en, fr = out / "ours.en", out / "ours.fr"
    return Tool("bitext", [*bitext, f"{en},{fr}", *languages], lambda: two_files(en, fr))


def tmx_tools(made: Made, out: Path, programs: Path) -> list[Tool]:
    """Return ours and all that make text of a TMX."""
    python = programs / "python"
    names = [out / name for name in ("mtdata.tsv", "tmxutil.tsv", "tmxt.tsv")]
    pairs = [(out / f"{k}.en-fr.en", out / f"{k}.en-fr.fr") for k in ("t2t", "translate")]
    columns = ["--output-columns", "en.text", "fr.text"]
    return [
        ours(made, out, kind="moses"),
        Tool(
            "mtdata",
            [python, "-m", "mtdata.tmx", "-i", made.path, "-o", names[0], "-l", "eng-fra"],
            lambda: tabbed(names[0]),
        ),
        Tool(
            "tmxutil",
            [programs / "tmxutil", "-q", "-o", "tab", *columns, "--output", names[1], made.path],
            lambda: quoted(names[1]),
        ),
        Tool(
            "tmx-to-text",
            [programs / "tmx-to-text", *f"convert -s en -t fr -p {out}/t2t -f".split(), made.path],
            lambda: two_files(*pairs[0]),
        ),
        Tool(
            "tmxt",
            [programs / "tmxt.py", "--codelist=en,fr", made.path, names[2]],
            lambda: tabbed(names[2]),
        ),
        Tool(
            "Translate Toolkit",
            [python, _CALLS, "translate", made.path, *pairs[1]],
            lambda: two_files(*pairs[1]),
        ),
    ]


def link_tools(made: Made, out: Path, programs: Path, layout: str, *, kind: str) -> list[Tool]:
    """Return ours and OpusTools, from links with documents to `moses` or `tmx`."""
    en, fr, tmx = out / "opus.en", out / "opus.fr", out / "opus.tmx"
    opus: list[str | Path] = [programs / "opus_read", "-d", "made", "-s", "en", "-t", "fr"]
    opus += [
        "-p",
        "xml" if layout == "tokenised" else "raw",
        "-af",
        made.path,
        "-dl",
        made.path.parent,
        "-wm",
        kind,
        "-w",
    ]
    if kind == "tmx":
        peer = Tool("opus_read", [*opus, tmx], lambda: tmx_units(tmx), tmx)
    else:
        peer = Tool("opus_read", [*opus, en, fr], lambda: two_files(en, fr))
    return [ours(made, out, kind=kind), peer]


def floors(made: Made, tags: str) -> list[Tool]:
    """Return what no reader of XML can be below: the bytes, and bare parses of the same files."""
    calls: dict[str, list[str | Path]] = {
        "bare parse, lxml.iterparse": ["lxml", tags],
        "bare parse, expat": ["expat"],
        "reading alone": ["read"],
    }
    files = list(parts_of(made))
    return [Tool(name, [sys.executable, _CALLS, *call, *files]) for name, call in calls.items()]
