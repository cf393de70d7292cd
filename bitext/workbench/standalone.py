"""The editor as one self-contained page for one document, which needs no server and no network.

The page holds the alignment, and all that edits it. It keeps each change in the database of the
browser at once, and saves itself, with all changes, as a file. The modules are put together in one
script, here and for the server's page, so that there is one editor and no build step. Texts are
data in the page, never markup, and its Content-Security-Policy lets nothing run but its own script.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError, remedy
from bitext.formats.books import asset as book_asset
from bitext.formats.books.html import content_policy
from bitext.paths import replace_file
from bitext.reports.lettering import visible
from bitext.reports.pages import asset as report_asset

if TYPE_CHECKING:
    from pathlib import Path

_MODULES = (
    "changes.js",
    "coders.js",
    "comparison.js",
    "deciding.js",
    "documents.js",
    "editing.js",
    "editor.js",
    "elements.js",
    "linker.js",
    "list.js",
    "main.js",
    "operations.js",
    "panels.js",
    "search.js",
    "segmenter.js",
    "segments.js",
    "stores.js",
    "texts.js",
    "wordcomparison.js",
    "words.js",
)
_STYLES = ("tokens.css", "page.css", "editor.css", "segments.css", "words.css")
ASSETS = (*_MODULES, *_STYLES, "index.html", "workbench.css", "workbench.js")
"""The names of all parts of the page. The server's page asks for the last three alone."""

_NO_SCRIPT = (
    "<noscript><main><h1>Workbench</h1><p>The workbench needs JavaScript.</p></main></noscript>"
)
_TITLE_LENGTH = 1_000  # characters of a title
_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "\./([a-z]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\w+))", re.MULTILINE)
# Characters that could end the element of the data, or steer the page: the data have their escapes.
_HARMFUL = re.compile(
    "[<>&\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_STATE = re.compile(r'<script type="application/json" id="state">(.*?)</script>', re.DOTALL)
_JOURNAL = '<script type="application/json" id="journal">'
_NO_CHANGE = '{"done":[],"undone":[]}'

_PAGE_PARTS = (
    {"alignment", "source", "target", "beads"},
    {"alignment", "source", "segments", "types"},
)


def asset(name: str) -> str:
    """Read a part of the page: a script, a style sheet or the frame of the server's page.

    `workbench.js` is all scripts in one, `workbench.css` all style sheets: a browser loads them in
    two requests instead of 25. Raises `KeyError` for a name that is not among `ASSETS`.
    """
    if name not in ASSETS:
        raise KeyError(name)
    if name == "workbench.js":
        return bundle()
    if name == "workbench.css":
        return "".join(asset(each) for each in _STYLES)
    if name == "tokens.css":
        return book_asset(name)
    if name == "page.css":
        return report_asset(name)
    return files("bitext.workbench").joinpath("page", name).read_text(encoding="utf-8")


def write_page(state: Mapping[str, Any], path: str | Path) -> None:
    """Write one self-contained page that edits an alignment; the file appears when it is complete.

    `state` is the alignment as JSON: `alignment`, `source`, `target` and `beads`, as the server of
    the workbench answers with it. Raises `InputError` when the place cannot be written to.
    """
    html = page_html(state)
    with replace_file(path) as out:
        out.write(html.encode())


def page_html(state: Mapping[str, Any]) -> str:
    """Return the page that edits an alignment, the same for the same state.

    `state` is as in `write_page`.
    """
    style, script = asset("workbench.css"), asset("workbench.js")
    name = visible(str(state["alignment"].get("name") or "Alignment")[:_TITLE_LENGTH])
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            content_policy(style, script),
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            f"<title>{escape(name)}</title>",
            f"<style>{style}</style></head>",
            '<body class="page workbench">',
            _NO_SCRIPT,
            f'<script type="application/json" id="state">{_data(state)}</script>',
            f"{_JOURNAL}{_NO_CHANGE}</script>",
            f'<script type="module" id="program">{script}</script></body></html>',
            "",
        ]
    )


def read_page(path: str | Path) -> dict[str, Any]:
    """Read the alignment of a page that was written here, and perhaps saved by a browser since.

    Its form is that of the `state` of `write_page`; its rows are not checked. Raises `FormatError`
    when the file is no such page.
    """
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as it is named
            match = _STATE.search(file.read())
        state = json.loads(match[1]) if match else None
    except ValueError:  # of the encoding, or the JSON
        state = None
    if not isinstance(state, dict) or not any(keys <= state.keys() for keys in _PAGE_PARTS):
        option = remedy("page", command="edit")
        raise FormatError(f"holds no alignment: want a page written by {option}", path=str(path))
    return state


def has_changes(path: str | Path) -> bool:
    """Check whether a file is a page in which a browser has saved changes."""
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as it is named
            _, is_page, journal = file.read().partition(_JOURNAL)
    except (OSError, ValueError):  # no file, or none of UTF-8
        return False
    return bool(is_page) and not journal.startswith(_NO_CHANGE)


def _data(value: object) -> str:
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _HARMFUL.sub(_escaped, content)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1] if match[0] > "\x7f" else f"\\u{ord(match[0]):04x}"


@cache
def bundle(module: str = "main") -> str:
    """Return a module of the page, with all that it imports, as one script.

    A module is named without its ending. Each has a scope of its own, and is the object `_name` in
    the script. Imports stand at the beginning of a line, of names or of a whole module as `* as
    name`; exports before a declaration.
    """
    parts: list[str] = []
    bundled: set[str] = set()

    def add(name: str) -> None:
        if name in bundled:
            return
        bundled.add(name)
        code = asset(f"{name}.js")
        for _, imported in _IMPORT.findall(code):
            add(imported)
        exports = ", ".join(_EXPORT.findall(code))
        code = _EXPORT.sub("", _IMPORT.sub(_bound_import, code))
        parts.append(f"const _{name} = (() => {{\n{code}return {{ {exports} }};\n}})();\n")

    add(module)
    return "".join(parts)


def _bound_import(match: re.Match[str]) -> str:
    names = match[1].removeprefix("* as ")
    return f"const {names} = _{match[2]};"
