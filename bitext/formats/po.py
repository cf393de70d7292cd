r"""Gettext PO: messages and their translations, one entry a bisegment.

    #. how many files
    #: src/files.c:12
    #, c-format
    msgctxt "menu"
    msgid "%d file"
    msgid_plural "%d files"
    msgstr[0] "%d tiedosto"
    msgstr[1] "%d tiedostoa"

The source is `msgid`, the target `msgstr`, with the escapes of C. An entry with a plural is a
bisegment for each form of the translation: `msgid` and `msgstr[0]`, then `msgid_plural` and each of
`msgstr[1]`, `msgstr[2]`, ... (and `msgstr[0]` again where a language has one form for all numbers).
They are an entry again when they are written one after another. An empty `msgstr` is an empty side.
So is the target of a fuzzy entry, whose text is a draft (`states` says what that is). An empty
`msgid` with a context is an empty source side.

The entry without `msgid` and context is the header. It tells the charset, which is minded (but a
byte order mark and --encoding win), the language of the target (`Language`) and of the source
(`X-Source-Language`, where there is one), and stands in `Bitext.meta["po_header"]`. Obsolete
entries (`#~`) are left out and noted. Many files have identifiers as `msgid`, and the texts of the
source in another file: a note says so where all messages look like such.

| column | in the file |
| --- | --- |
| `msgctxt`, `references`, `flags`, `previous` | `msgctxt`, `#:`, `#,`, `#\|` |
| `src.note`, `tgt.note` | comments of programmers (`#.`) and of translators (`#`) |
| `plural` | `0/3`, `1/3`, `2/3`: which of how many plural forms it is, of an entry that has them |
| `draft`, and `state` (`needs-review-translation`) | the `msgstr` of a fuzzy entry |

| kept | lost |
| --- | --- |
| text with tabs, line ends and control characters; empty sides | segments without characters |
| languages, the columns above, notes | scores, ids, other columns, borders between documents |
| plural forms | borders between segments (joined with a blank), other states |
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
from bitext.formats.po_writing import grouped, spell_plural, write
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.states import FUZZY, as_drafts, note_draft
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
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._:/-][A-Za-z0-9]+)+", re.ASCII)
_FEW = 3  # identifiers; of fewer it may be chance
_STARTS = ("#", '"', "msg", "domain")
# Columns that come back.
_COLUMNS = frozenset(
    ("msgctxt", "references", "flags", "previous", "plural", "src.note", "tgt.note", "draft",
     "state")
)  # fmt: skip
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
    texts = identifiers = 0  # messages of each kind
    for entry in entries(source):
        beads.line = entry.line
        if "msgid" not in entry or not ("msgctxt" in entry or entry.text("msgid")):
            if begun:
                kind = "entries without a message (a second header?), left out"
                source.notes.add(kind, f"{source.path} line {entry.line}")
            else:
                _take_header(source, options, beads, entry)
        else:
            if _IDENTIFIER.fullmatch(entry.text("msgid")):
                identifiers += 1
            else:
                texts += 1
            _add(source, beads, entry, drafts=options.drafts)
            yield from beads.parts()
        begun = True
    if identifiers >= _FEW and not texts:
        kind = "files whose messages all look like identifiers, taken as the source texts"
        source.notes.add(kind, f"{source.path}: the texts of the source are in another file")
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


def _add(source: Source, beads: Beads, entry: Entry, *, drafts: bool) -> None:
    """Add the bisegments of an entry: one, or one for each plural form."""
    plural = "msgid_plural" in entry
    forms = [entry.text(word) for word in entry.keywords() if word.startswith("msgstr")]
    src = [entry.text("msgid")]
    if plural:
        src += [entry.text("msgid_plural")] * max(1, len(forms) - 1)
    columns = _told(entry)
    if entry.bad:
        return
    place = f"{source.path} line {entry.line}"
    if not any(src) and not any(forms):
        source.notes.add("entries without message and translation, left out", place)
        return
    fuzzy = "fuzzy" in columns.get("flags", "").split(", ") and any(forms)
    if fuzzy:
        note_draft(source.notes, "fuzzy", place, taken=drafts)
    if plural:
        source.notes.add("entries with plural forms, a bisegment for each form", place)
        if any(forms) and not all(forms):
            source.notes.add("entries with plural forms of which some are empty", place)
    for k, message in enumerate(src):
        form = forms[min(k, len(forms) - 1)]
        told = {"plural": spell_plural(k, len(forms))} if plural else {}
        if fuzzy and form:
            told["state"] = FUZZY
        if fuzzy and not drafts:
            told |= as_drafts([(form, None)])
            form = ""
        if message or form or told:
            beads.add([message] * bool(message), [form] * bool(form), attributes=columns | told)


def _told(entry: Entry) -> dict[str, str]:
    """Return the fields of an entry beside its texts, as columns."""
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
    return columns


def _unwritten(bitext: Bitext, name: str) -> NDArray[np.bool_]:
    """Tell which values of a column are lost, as the entry says something else.

    A draft cannot stand beside a translation, `fuzzy` is the only state, and plural forms
    are those of one entry only where all of them follow each other.
    """
    a = bitext.alignment
    column = a.attributes[name]
    found = np.zeros(len(a), dtype=np.bool_)
    if name not in {"draft", "state", "plural"}:
        return found
    if name == "plural":
        found[:] = [value is not None for value in column]
        found &= ~grouped(bitext)
        return found
    filled = np.zeros(len(a), dtype=np.bool_)
    if bitext.tgt is not None:
        there = bitext.tgt.lengths() > 0 if bitext.tgt.has_text else np.ones(len(bitext.tgt))
        filled = sums(a.tgt, there.astype(np.int64)) > 0
    if name == "draft":
        found[:] = [bool(value) for value in column]
        return found & filled
    drafts = np.array([bool(value) for value in a.attributes.get("draft", [None] * len(a))])
    other = np.array([value is not None and value != FUZZY for value in column], dtype=np.bool_)
    fuzzy = np.array([value == FUZZY for value in column], dtype=np.bool_)
    lost: NDArray[np.bool_] = other | (fuzzy & ~filled & ~drafts)
    return lost


FORMAT = Format(
    name="po",
    title="messages and translations (gettext PO)",
    holds="text",
    suffixes=(".po", ".pot"),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=write,
    keeps=Keeps(
        texts=True,
        empty_sides=True,
        languages=True,
        breaks=True,
        controls=True,
        columns=_COLUMNS,
        unwritten=_unwritten,
    ),
    streams=True,
)
