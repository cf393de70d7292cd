"""The frame of all pages: one self-contained file, in which no text can run or change anything.

Style and script are in the page, and its Content-Security-Policy lets nothing else run. Texts are
escaped and isolated. Sizes are in `page.css`, colours and the themes in `tokens.css`, which books
share.

A folder of pages has an index, and a page for each text, linked by relative names. The folder is
written beside its place and renamed when it is complete, so that its name always has the old report
or the new one. An older report is replaced; a folder with anything else is refused.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path, PurePath
from typing import NamedTuple, Self
from urllib.parse import quote

from bitext.errors import InputError, OptionError, remedy
from bitext.formats.books import asset as book_asset
from bitext.formats.books.html import content_policy
from bitext.formats.io.compression import unpacked
from bitext.paths import aside_in, home_hint, is_file, is_folder, is_there, path_name
from bitext.reports.lettering import visible
from bitext.reports.table import FigureCell, Table, number

MARK = 'data-report="bitext"'  # marks the index of a report
CHOSEN = '<span class="chosen-sample" aria-hidden="true"></span>'  # a sample, for keys

# Endings of figures, tables and documents, which a page is not
_OTHER_ENDINGS = frozenset(
    (".pdf", ".svg", ".png", ".json", ".tsv", ".csv", ".md", ".tex", ".docx")
)
_MAX_TEXT = 1_000  # characters of a text in a list
_HARMLESS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


class Section(NamedTuple):
    """A part of a page."""

    anchor: str  # its id; letters and hyphens
    heading: str
    content: Iterable[str]  # HTML


def page(
    title: str,
    summary: str,
    sections: Sequence[Section],
    *,
    style: str = "",
    script: str = "",
    data: object = None,
) -> str:
    r"""Return a page as HTML: the same for the same input.

    `title` is any text, `summary` is HTML of the line under it. `style` follows the common one, and
    `script` is the only one that may run; its `data` are JSON in the element `#data`.

    Examples
    --------
    >>> html = page("a <b>", "two words", [Section("all", "All", ["<p>x</p>"])], data={"a": "<"})
    >>> "a &lt;b&gt;" in html, '{"a":"\\u003c"}' in html
    (True, True)

    """
    look = book_asset("tokens.css") + asset("page.css") + style
    name = visible(title[:_MAX_TEXT])
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        content_policy(look, script),
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<link rel="icon" href="data:,">',
        f"<title>{escape(name)}</title>",
        f"<style>{look}</style></head>",
        '<body class="page">',
        f"<header><h1><bdi>{escape(name)}</bdi></h1>",
        f'<p class="quiet">{summary}</p>',
        '<nav aria-label="Parts of this page">',
        *(f'<a href="#{anchor}-head">{heading}</a>' for anchor, heading, _ in sections),
        "</nav></header>",
        "<main>",
    ]
    for anchor, heading, content in sections:
        parts.append(f'<section id="{anchor}" aria-labelledby="{anchor}-head">')
        parts.append(f'<h2 id="{anchor}-head">{heading}</h2>')
        parts += content
        parts.append("</section>")
    parts.append('</main><div class="said" role="status" aria-live="polite"></div>')
    if data is not None:
        json_text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        held_data = json_text.translate(_HARMLESS)
        parts.append(f'<script type="application/json" id="data">{held_data}</script>')
    parts.append(f"<script>{script}</script></body></html>" if script else "</body></html>")
    return "\n".join(parts) + "\n"


def asset(name: str) -> str:
    """Read a style sheet or script by its path in this folder, as `alignment/alignment.css`."""
    return files("bitext.reports").joinpath(name).read_text(encoding="utf-8")


def isolated(text: str, longest: int = _MAX_TEXT) -> str:
    """Return a text as harmless HTML, isolated from the text around it.

    Examples
    --------
    >>> isolated("<b>")
    '<bdi>&lt;b&gt;</bdi>'

    """
    excerpt = visible(text[:longest]) + ("…" if len(text) > longest else "")
    return f"<bdi>{escape(excerpt)}</bdi>"


def way_up(index: str) -> str:
    """Return a link to the page of all texts; empty without such a page."""
    return f' <a href="{escape(index)}">All texts</a>' if index else ""


def chosen_key(meaning: str) -> str:
    """Return the item of a key that explains the yellow ground of chosen parts."""
    return f"<li>{CHOSEN}<span><b>{meaning}</b></span></li>"


def sheet(label: str, rows: Iterable[str], *, kind: str = "") -> Iterator[str]:
    """Yield the HTML of a table in a named frame that scrolls if the table is too wide.

    `label` is the name of the frame, as text; `rows` are HTML. `kind` has the classes of the table:
    `two` keeps the first two columns in sight, not only the first.
    """
    yield f'<div class="sheet" tabindex="0" role="region" aria-label="{escape(label)}">'
    yield f'<table class="{kind}">' if kind else "<table>"
    yield f'<caption class="said">{escape(label)}</caption>'
    yield from rows
    yield "</table></div>"


def quiet_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield each line as a quiet paragraph below a table."""
    for line in lines:
        yield f'<p class="quiet signature">{isolated(line)}</p>'


def made_section(caption: str, notes: Iterable[str], mark: str = MARK) -> Section:
    """Return the section on how figures were made: the lines of their caption, and notes."""
    items = (f"<li>{isolated(line)}</li>" for line in (*caption.splitlines(), *notes))
    begin = f'<ul class="made" {mark}>' if mark else '<ul class="made">'
    return Section("made", "How this was measured", [begin, *items, "</ul>"])


def table_sheet(
    table: Table,
    label: str,
    *,
    longest: int = _MAX_TEXT,
    links: Sequence[str] = (),
    kind: str = "plain",
) -> Iterator[str]:
    """Yield the HTML of a table in a frame that scrolls and has the name `label`.

    Figures stand to the right, the best ones in bold; cells have up to `longest` characters. The
    first cell of each row leads to the address in `links`, unless that is empty. `kind` are the
    classes of the HTML table.
    """
    yield from sheet(label, _table_rows(table, longest, links), kind=kind)


def pairs_section(table: Table | None) -> list[Section]:
    """Return the section of the differences of all pairs of systems; none without a test."""
    if table is None or not table.rows:
        return []
    note = (
        '<p class="quiet">System less the one it is held against. *&nbsp;p&nbsp;&lt;&nbsp;0.05, '
        "**&nbsp;p&nbsp;&lt;&nbsp;0.01: a difference that chance does not explain.</p>"
    )
    rows = table_sheet(table, "Differences of pairs", kind="plain two")
    return [Section("pairs", "All pairs of systems", [note, *rows])]


def _table_rows(table: Table, longest: int, links: Sequence[str]) -> Iterator[str]:
    right = table.right | {
        k for row in table.rows for k, cell in enumerate(row) if isinstance(cell, FigureCell)
    }
    numeric = [' class="n"' if k in right else "" for k in range(len(table.head))]
    yield "<thead><tr>"
    for name, side in zip(table.head, numeric, strict=True):
        yield f'<th scope="col"{side}>{isolated(name, longest)}</th>'
    yield "</tr></thead><tbody>"
    before = ""
    for place, row in enumerate(table.rows):
        new = table.grouped and place > 0 and row[0] != before
        before = row[0]
        yield '<tr class="new">' if new else "<tr>"
        first = isolated(row[0], longest)
        if links and links[place]:
            first = f'<a href="{escape(links[place])}">{first}</a>'
        yield f'<th scope="row">{first}</th>'
        for cell, side in zip(row[1:], numeric[1:], strict=True):
            yield f"<td{side}>{_cell(cell, longest)}</td>"
        yield "</tr>"
    yield "</tbody>"


def _cell(cell: str, longest: int) -> str:
    if not isinstance(cell, FigureCell):
        return isolated(cell, longest)
    value = f"<b>{escape(cell.value)}</b>" if cell.best else escape(cell.value)
    mark = f"<sup>{cell.mark}</sup>" if cell.mark else ""
    interval = f" <small>{escape(cell.interval)}</small>" if cell.interval else ""
    return f"{value}{mark}{interval}"


def buttons(actions: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the HTML of buttons, each of an action of the script, its text and its title."""
    for action, text, title in actions:
        yield (
            f'<button type="button" data-do="{action}" aria-label="{title}" title="{title}">'
            f"{text}</button>"
        )


def figures(rows: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yield the HTML of a table of names and values; floats have four decimals."""
    yield '<table class="figures"><tbody>'
    for name, value in rows:
        value_text = number(value) if isinstance(value, float) else str(value)
        yield f'<tr><th scope="row">{isolated(name)}</th><td>{isolated(value_text)}</td></tr>'
    yield "</tbody></table>"


INDEX = "../index.html"  # its address from the page of a text

_INDEX, _TEXTS = "index.html", "texts"
_LONGEST = 80  # characters of a file name without its ending
# Names that Windows reserves for devices.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{k}" for d in ("com", "lpt") for k in range(1, 10))}


def file_stem(name: str) -> str:
    """Return a file name of letters, digits and `._-` that every file system accepts.

    Letters lose their accents; other characters become `_`.

    Examples
    --------
    >>> file_stem("Le Cœur/1"), file_stem("../.."), file_stem("été 2"), file_stem("Aux")
    ('Le_C_ur_1', 'text', 'ete_2', '_Aux')

    """
    ascii_name = "".join(
        c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)
    )
    stem = re.sub(r"[^A-Za-z0-9.-]+", "_", ascii_name)[:_LONGEST].strip("._-") or "text"
    return f"_{stem}" if stem.split(".")[0].lower() in _RESERVED else stem


def names_folder(place: str) -> bool:
    """Check whether pages go to a folder, existing or new."""
    return place.endswith("/") or (place != "-" and "://" not in place and is_folder(place))


def page_place(path: object) -> str:
    """Return the file or the folder of pages as a string.

    Raises `InputError` when it is no path, `OptionError` when a file has the ending of another
    kind.
    """
    place = path_name(path)
    if not names_folder(place):
        refuse_other_ending(place)
    return place


def refuse_other_ending(name: str) -> None:
    """Refuse a page with the ending of a figure, a table or a document.

    Raises `OptionError` with the ending that pages have.
    """
    ending = PurePath(unpacked(name.partition("?")[0])).suffix.lower()
    if ending in _OTHER_ENDINGS:
        raise OptionError(
            f"{remedy(f'html {name}', python=f'save_html({name!r})')}: has the ending {ending}, "
            f"and is written as HTML: want a name that ends with .html"
        )


class Folder:
    """A report folder in the making, as a context: it appears when all is written, with its index.

    Raises `InputError` when the place cannot be written to, or has other contents than a report.
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self._place = place
        self._taken: set[str] = set()

    def __enter__(self) -> Self:
        self._target = check_folder(self._place)
        self._aside = aside_in(self._target.parent)
        try:
            (self._aside / _TEXTS).mkdir(parents=True)
        except OSError as error:
            shutil.rmtree(self._aside, ignore_errors=True)
            raise _refused(self._place, error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                _publish(self._aside, self._target)
        except OSError as error:
            raise _refused(self._place, error) from None
        finally:
            shutil.rmtree(self._aside, ignore_errors=True)

    def add(self, name: str, html: str) -> str:
        """Write the page of a text; return its address from the index.

        Names that become equal, ignoring case, are numbered.
        """
        stem, number = file_stem(name), 1
        file = f"{stem}.html"
        while file.lower() in self._taken:
            number += 1
            file = f"{stem}-{number}.html"
        self._taken.add(file.lower())
        self._write(f"{_TEXTS}/{file}", html)
        return f"{_TEXTS}/{quote(file)}"

    def finish(self, html: str) -> None:
        """Write the index, whose HTML must have `MARK`."""
        self._write(_INDEX, html)

    def _write(self, name: str, html: str) -> None:
        try:
            (self._aside / name).write_text(html, encoding="utf-8", newline="\n")
        except OSError as error:
            raise _refused(self._place, error) from None


def check_folder(place: str | os.PathLike[str]) -> Path:
    """Check the place of a report and return it; also for checks before long work.

    Raises `InputError` when the place is a link, a file, the current folder, or has anything but a
    report.
    """
    target = Path(os.path.abspath(place))  # noqa: PTH100 - a link stays a link
    try:
        if target.is_symlink():
            raise InputError(f"{place}: is a link, and links are not replaced; name a folder")
        if Path.cwd().is_relative_to(target):
            raise InputError(f"{place}: is the folder you are in; name one of its own")
        if not is_there(target):
            if hint := home_hint(os.fspath(place)):
                raise InputError(f"{place}: cannot be made{hint}")
            return target
        if not is_folder(target):
            raise InputError(f"{place}: is a file; name a folder, or delete it")
        if not _is_report(target):
            raise InputError(
                f"{place}: holds what is no report of ours, and would be replaced; name another "
                f"folder"
            )
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _refused(place, error) from None
    return target


def _is_report(folder: Path) -> bool:
    """Check whether a folder is empty, or holds a report and nothing else."""
    names = {path.name for path in folder.iterdir()}
    if not names:
        return True
    texts = folder / _TEXTS
    if names != {_INDEX, _TEXTS} or not is_folder(texts) or texts.is_symlink():
        return False
    if any(path.suffix != ".html" or not is_file(path) for path in texts.iterdir()):
        return False
    return MARK in (folder / _INDEX).read_text(encoding="utf-8", errors="replace")


def _publish(staged: Path, target: Path) -> None:
    if not is_there(target):
        staged.rename(target)
        return
    old = staged.with_suffix(".old")
    target.rename(old)
    try:
        staged.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _refused(place: str | os.PathLike[str], error: OSError | ValueError) -> InputError:
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{place}: cannot be written: {reason}; name another folder")
