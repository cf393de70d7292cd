r"""Gettext PO: messages and their translations, one entry a bisegment.

    #. how many files
    #: src/files.c:12
    #, c-format
    msgctxt "menu"
    msgid "%d file"
    msgid_plural "%d files"
    msgstr[0] "%d tiedosto"
    msgstr[1] "%d tiedostoa"

The source is `msgid`, the target `msgstr`, with the escapes of C. An entry with a plural is one
bisegment 2-n: both messages, and all forms of the translation. An empty `msgstr` is an empty side.
So is the target of a fuzzy entry, for what stands there is no translation but a proposal; it is
kept in a column, and noted. An empty `msgid` with a context is an empty source side.

The entry without `msgid` and context is the header. It tells the charset, which is minded (but a
byte order mark and --encoding win), the language of the target (`Language`) and of the source
(`X-Source-Language`, where there is one), and stands in `Bitext.meta["po_header"]`. Obsolete
entries (`#~`) are left out and noted. Many files have identifiers as `msgid`: nothing tells that.

| column | in the file |
| --- | --- |
| `msgctxt`, `references`, `flags`, `previous` | `msgctxt`, `#:`, `#,`, `#\|` |
| `src.note`, `tgt.note` | comments of programmers (`#.`) and of translators (`#`) |
| `plural` | the number of plural forms, of an entry that has them |
| `fuzzy`, `fuzzy#2`, ... | the proposals of a fuzzy entry |

| kept | lost |
| --- | --- |
| text with tabs, line ends and control characters; empty sides | segments without characters |
| languages, the columns above, notes | scores, ids, other columns, borders between documents |
| borders between plural forms | other borders between segments (joined with a blank) |
| one pair of languages; another one is refused | names of documents |

A file may not have one message twice in one context. On writing, a message that stood before in
its context gets one of its own (`bitext 17`, by the number of its bisegment from 1), and so does
one without source; for this a hash of each message is held, some 100 bytes an entry.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.inline import Beads
from bitext.formats.languages import finds
from bitext.formats.lines import head_lines
from bitext.formats.losses import Keeps
from bitext.formats.po_entries import entries, tell_encoding
from bitext.formats.po_writing import has_plural, write
from bitext.formats.registry import Format, ReadOptions
from bitext.kernels.rows import sums
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.formats.po_entries import Entry
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_MESSAGE = re.compile(r"(?m)^[ \t]*(?:#~[ \t]*)?msgid(?:[ \t]*\"|[ \t]*\r?$)")
_FIELD = re.compile(r"(?mi)^(Language|X-Source-Language):[ \t]*(\S*)")
_STARTS = ("#", '"', "msg", "domain")
# Columns that come back; of proposals those of as many plural forms as languages have, and more.
_COLUMNS = frozenset(
    {"msgctxt", "references", "flags", "previous", "plural", "src.note", "tgt.note", "fuzzy"}
) | {f"fuzzy#{k}" for k in range(2, 11)}
_COMMENTS = {"extracted": "src.note", "comment": "tgt.note", "previous": "previous"}


def _sniff(head: bytes) -> int:
    lines = [line.lstrip() for line in head_lines(head)]
    if not all(line.startswith(_STARTS) for line in lines if line):
        return 0
    return 92 if _MESSAGE.search("\n".join(head_lines(head, most=1 << 16))) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    tell_encoding(source)
    beads = Beads(source, options, langs=(options.src_lang, options.tgt_lang))
    begun = False
    for entry in entries(source):
        beads.line = entry.line
        if "msgid" not in entry or not ("msgctxt" in entry or entry.text("msgid")):
            if begun:
                kind = "entries without a message (a second header?), left out"
                source.notes.add(kind, f"{source.path} line {entry.line}")
            else:
                _take_header(source, options, beads, entry)
        else:
            _add(source, beads, entry)
            yield from beads.parts()
        begun = True
    yield from beads.rest()


def _take_header(source: Source, options: ReadOptions, beads: Beads, entry: Entry) -> None:
    """Take what the header tells: it stands in front of all other entries."""
    if "msgid" not in entry:
        kind = "headers without msgid and msgstr"
        source.notes.add(kind, f"{source.path} line {entry.line}")
    header = entry.text(entry.keywords()[-1])
    beads.meta["po_header"] = header
    told = {name.lower(): code for name, code in _FIELD.findall(header)}
    langs = []
    for name, side, wanted in (
        ("x-source-language", "src", options.src_lang),
        ("language", "tgt", options.tgt_lang),
    ):
        code = told.get(name, "")
        if code and wanted and not finds(wanted, code):
            raise source.error(
                f"has the language {code!r}, and {wanted!r} is asked for; give the file of that "
                f"language, or leave the option out ({remedy(f'{side}-lang')})",
                entry.line,
            )
        langs.append(code or wanted)
    beads.langs = (langs[0], langs[1])


def _add(source: Source, beads: Beads, entry: Entry) -> None:
    """Add the bisegment of an entry."""
    plural = "msgid_plural" in entry
    forms = [word for word in entry.keywords() if word.startswith("msgstr")]
    src = [entry.text(word) for word in (("msgid", "msgid_plural") if plural else ("msgid",))]
    tgt = [entry.text(word) for word in forms]
    columns = {
        name: "\n".join(entry.comments[kind])
        for kind, name in _COMMENTS.items()
        if kind in entry.comments
    }
    if "msgctxt" in entry:
        columns["msgctxt"] = entry.text("msgctxt")
    if "references" in entry.comments:
        columns["references"] = " ".join(entry.comments["references"])
    flags = [flag.strip() for line in entry.comments.get("flags", ()) for flag in line.split(",")]
    if flags:
        columns["flags"] = ", ".join(filter(None, flags))
    if plural:
        columns["plural"] = str(len(forms))
    if entry.bad:
        return
    place = f"{source.path} line {entry.line}"
    if "fuzzy" in flags and any(tgt):
        source.notes.add("fuzzy entries, taken as not translated", place)
        columns.update((f"fuzzy#{k}" if k > 1 else "fuzzy", form) for k, form in enumerate(tgt, 1))
        tgt = []
    if not all(tgt):
        if any(tgt):
            source.notes.add("entries with plural forms of which some are empty", place)
        else:
            tgt = []
    src = src if any(src) else []
    if src or tgt:
        beads.add(src, tgt, attributes=columns)
    else:
        source.notes.add("entries without message and translation, left out", place)


def _plural(bitext: Bitext) -> NDArray[np.bool_]:
    """Tell which bisegments are entries with plural forms, of which each is written by itself."""
    a = bitext.alignment
    found = np.zeros(len(a), dtype=np.bool_)
    sides = [text for text in (bitext.src, bitext.tgt) if text is not None and text.has_text]
    texts = [list(text.segments()) for text in sides]
    for k, told in enumerate(a.attributes.get("plural", ())):
        if told is not None and len(texts) == len(a[k][:2]):
            src, tgt = (
                [segments[member] for member in members]
                for segments, members in zip(texts, a[k][:2], strict=True)
            )
            found[k] = has_plural(src, tgt, told) and any(src) and (any(tgt) or not tgt)
    return found


def _unwritten(bitext: Bitext, name: str) -> NDArray[np.bool_]:
    """Tell which values of a column are proposals beside a translation, as in a swapped entry."""
    a = bitext.alignment
    found = np.zeros(len(a), dtype=np.bool_)
    if name.partition("#")[0] == "fuzzy" and bitext.tgt is not None:
        proposed = np.array([bool(value) for value in a.attributes[name]], dtype=np.bool_)
        filled = bitext.tgt.lengths() > 0 if bitext.tgt.has_text else np.ones(len(bitext.tgt))
        found = proposed & (sums(a.tgt, filled.astype(np.int64)) > 0)
    return found


FORMAT = Format(
    name="po",
    title="messages and translations (gettext PO)",
    holds="text",
    suffixes=(".po", ".pot"),
    sniff=_sniff,
    read=_read,
    write=write,
    keeps=Keeps(
        texts=True,
        empty_sides=True,
        languages=True,
        breaks=True,
        controls=True,
        columns=_COLUMNS,
        whole=_plural,
        unwritten=_unwritten,
    ),
    streams=True,
)
