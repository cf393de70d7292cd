r"""Gettext PO: messages and their translations, one entry for each bisegment.

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
Consecutive bisegments with these forms are written as one entry. An empty `msgstr` is an empty
side. The target of a fuzzy entry is an empty side, too, and its text a draft (see `states`). An
empty `msgid` with a context is an empty source side.

The entry without `msgid` and context is the header. It has the charset of the file (which a byte
order mark and --encoding override), the language of the target (`Language`) and of the source
(`X-Source-Language`, where there is one), and becomes `Bitext.meta["po_header"]`; the comment above
it is a note of the header, as in TMX. Obsolete entries (`#~`) are left out and noted. Many files
have identifiers as `msgid`, and the texts of the source in another file: this is noted where all
messages look like identifiers.

| column | in the file |
| --- | --- |
| `msgctxt`, `references`, `flags`, `previous` | `msgctxt`, `#:`, `#,`, `#\|` |
| `src.note`, `tgt.note` | comments of programmers (`#.`) and of translators (`#`) |
| `plural` | `0/3`, `1/3`, `2/3`: the index and number of plural forms of the entry |
| `draft`, and `state` (`needs-review-translation`) | the `msgstr` of a fuzzy entry |

| kept | lost |
| --- | --- |
| text with tabs, line ends and control characters; empty sides | segments without characters |
| languages, the columns above, notes | scores, ids, other columns, borders between documents |
| plural forms | borders between segments (joined by a blank), other states |
| one pair of languages; further ones are refused | names of documents |

A file must not have one message twice in one context. On writing, a repeated message gets a context
of its own (`bitext 17`, with the number of its bisegment from 1), which is no column when it is
read, and so does a message without source; this takes a hash of each message in memory, some 100
bytes for each entry.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, NamedTuple

import numpy as np

from bitext.errors import OptionError, remedy
from bitext.formats.beads import Beads, sides
from bitext.formats.io.encodings import check_encoding, mark_of
from bitext.formats.io.source import Source
from bitext.formats.languages import finds, languages_of, refuse_others
from bitext.formats.line_files import head_lines
from bitext.formats.registry import PART, Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.states import FUZZY, as_drafts, is_draft, note_draft
from bitext.kernels.arrays import Bools, sums
from bitext.model import Bitext

# The grammar of PO: entries with their lines, one after another.
#
# Memory is that of one entry. A syntax error is refused with its line, and the entry left out.

# A keyword, optionally with the number of a plural form, or a string with escapes.
_TOKEN = re.compile(
    r"[ \t]*(?:(msgctxt|msgid_plural|msgid|msgstr|domain)(?:[ \t]*\[[ \t]*(\d{1,3})[ \t]*\])?"
    r"(?=[ \t\"]|$)"
    r"|\"([^\"\\]*(?:\\.[^\"\\]*)*)\")[ \t]*",
    re.ASCII,
)
_ESCAPE = re.compile(
    r"((?:\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}))+)|\\([abfnrtv\\\"'?])|\\(.)", re.ASCII
)
_BYTE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3}))")
_MEANT = dict(zip("abfnrtv\\\"'?", "\a\b\f\n\r\t\v\\\"'?", strict=True))
_QUOTED = re.compile(rb"^[ \t]*(?:msg(?:id|str)[ \t]*)?\"(.*)\"[ \t]*\r?$")
_EMPTY = re.compile(rb"msgid[ \t]*(?:\"\")?[ \t]*\r?")
_HEADER_CHARSET = re.compile(
    rb"(?:^|\\n)content-type:.*?charset=[ \t]*([^\\;\s\"]+)", re.IGNORECASE
)
_TEMPLATES = {"charset", "encoding"}  # placeholders in a header that nobody has filled in

_COMMENT_KINDS = {"#.": "extracted", "#:": "references", "#|": "previous"}
_COMMENT_KINDS |= dict.fromkeys(("#,", "#="), "flags")

_LOST = "lost header"


class Entry:
    """An unparsed entry: strings by keyword, still escaped, and comments by kind.

    `line` is the line of its first keyword. The kinds of `comments` are `comment`, `extracted`,
    `references`, `flags` and `previous`. An entry with a refused part is `bad`, and left out.
    """

    __slots__ = ("_open", "_source", "_strings", "bad", "comments", "line")

    def __init__(self, source: Source) -> None:
        self._source = source
        self._strings: dict[str, list[str]] = {}
        self._open: list[str] | None = None
        self.comments: dict[str, list[str]] = {}
        self.line = 0
        self.bad = False

    @property
    def ended(self) -> bool:
        """Whether it has a translation, so that only strings may follow in the same entry."""
        return "msgstr" in self._strings or "msgstr[0]" in self._strings

    @property
    def begun(self) -> bool:
        """Whether it has any keyword."""
        return bool(self._strings)

    @property
    def whole(self) -> bool:
        """Whether it has all that its kind of entry needs."""
        return self.ended or _LOST in self or "domain" in self

    def __contains__(self, keyword: str) -> bool:
        return keyword in self._strings

    def keywords(self) -> list[str]:
        """Return its keywords, as `msgstr[0]`, in order."""
        return list(self._strings)

    def comment(self, line: str) -> None:
        """Add a line of a comment."""
        kind = _COMMENT_KINDS.get(line[:2], "comment")
        text = line[1:] if kind == "comment" else line[2:]
        self.comments.setdefault(kind, []).append(text.removeprefix(" "))

    def keyword(self, word: str, line: int) -> str:
        """Add a keyword; return its error in this position, or an empty string."""
        self.line = self.line or line
        known = self._strings
        wrong = ""
        if word in known:
            wrong = f"has a second {word} in one entry"
        elif word == "msgctxt" and known:
            wrong = "has msgctxt behind msgid"
        elif word.startswith("msgstr") and "msgid" not in known:
            wrong = f"has {word} without a msgid before it"
        elif word == "msgid_plural" and ("msgid" not in known or self.ended):
            wrong = "has msgid_plural, but not behind msgid"
        elif word.startswith("msgstr") and (word == "msgstr") == ("msgid_plural" in known):
            plural = "msgid_plural" in known
            wrong = f"has {word} with{'' if plural else 'out'} a msgid_plural"
        elif word.startswith("msgstr["):
            count = sum(other.startswith("msgstr[") for other in known)
            if word != f"msgstr[{count}]":
                wrong = f"has {word} where msgstr[{count}] comes next"
        self._open = known.setdefault(word, [])
        return wrong

    def string(self, text: str) -> bool:
        """Add a string to the last keyword; return whether there is one."""
        if self._open is None:
            return False
        self._open.append(text)
        return True

    def text(self, keyword: str) -> str:
        """Return the unescaped string of a keyword."""
        return self.plain("".join(self._strings[keyword]))

    def plain(self, text: str) -> str:
        """Unescape a string; escaped bytes are in the encoding of the file."""
        if "\\" not in text:
            return text
        # The usual escapes by plain replacement, with NUL for an escaped backslash.
        quick = "\0".join(map(_usual, text.split(r"\\")))
        if "\\" in quick or "\0" in text:
            return _ESCAPE.sub(self._unescape, text)
        return quick.replace("\0", "\\")

    def _unescape(self, match: re.Match[str]) -> str:
        if match[2]:
            return _MEANT[match[2]]
        if match[3]:
            kind = "escapes that C does not have, kept as they are"
            self._source.note(kind, match[0], line=self.line)
            return match[0]
        numbers = (int(h, 16) if h else int(o, 8) for h, o in _BYTE.findall(match[1]))
        raw = bytes(number & 0xFF for number in numbers)
        try:
            return raw.decode(self._source.encoding)
        except UnicodeDecodeError:
            if not self.bad:
                self.bad = True
                self._source.refuse(
                    f"has the bytes {match[1][:40]}, which are not {self._source.encoding}; "
                    f"write the characters themselves",
                    self.line,
                )
            return ""


def _usual(text: str) -> str:
    return text.replace(r"\n", "\n").replace(r"\"", '"').replace(r"\t", "\t")


def entries(source: Source) -> Iterator[Entry]:
    """Yield the entries; note obsolete ones (`#~`) and leave them out, refuse bad ones.

    Strings before the first keyword, as of a header that lost its first lines, are yielded as an
    entry with the keyword `lost header`.
    """
    parser = _Parser(source)
    for number, line in source.stream_lines():
        stripped = line.strip(" \t")
        if stripped.startswith("#"):
            parser.comment(stripped, number)
        elif stripped:
            parser.tokens(stripped, number)
        if parser.done:
            yield from parser.done
            parser.done.clear()
    parser.end()
    yield from parser.done


class _Parser:
    """Parses the lines of a file; appends each complete entry to `done`."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._entry = Entry(source)
        self._first = True  # no keyword yet
        self.done: list[Entry] = []

    def comment(self, line: str, number: int) -> None:
        if self._entry.ended or self._entry.bad or _LOST in self._entry:
            self._close()
        if not line.startswith("#~"):
            self._entry.comment(line)
            return
        rest = line[2:].lstrip()
        if rest.startswith("msgid") and not rest.startswith("msgid_plural"):
            kind = "obsolete entries (#~), left out"
            self._source.note(kind, line=number)
        if not self._entry.begun:
            self._entry = Entry(self._source)  # earlier comments belong to the obsolete entry

    def tokens(self, line: str, number: int) -> None:
        at = 0
        while at < len(line):
            match = _TOKEN.match(line, at)
            if not match:
                self._refuse(f"is {line[at : at + 40]!r}", number)
                return
            at = match.end()
            if match[1] is not None:
                word = match[1] if match[2] is None else f"{match[1]}[{int(match[2])}]"
                self._keyword(word, number)
                continue
            if self._first and not self._entry.begun:
                self._entry.keyword(_LOST, number)
            if not self._entry.string(match[3]):
                self._refuse(f"has the string {match[0][:40]} alone", number)

    def _keyword(self, word: str, number: int) -> None:
        entry = self._entry
        begins = word in {"msgctxt", "msgid", "domain"} and entry.begun
        if begins and (entry.whole or word != "msgid" or "msgid" in entry):
            self._close()
        self._first = False
        wrong = self._entry.keyword(word, number)
        if wrong:
            self._refuse(wrong, number)

    def end(self) -> None:
        if self._entry.begun:
            self._close()

    def _close(self) -> None:
        if not self._entry.whole:
            self._refuse("has no msgstr", self._entry.line)
        entry, self._entry = self._entry, Entry(self._source)
        if "domain" in entry:
            self._source.note("names of domains, left out", line=entry.line)
        elif not entry.bad:
            self.done.append(entry)

    def _refuse(self, wrong: str, line: int) -> None:
        """Refuse the entry for its first fault."""
        if not self._entry.bad:
            self._entry.bad = True
            self._source.refuse(
                f'{wrong}; want entries of msgid "..." and msgstr "...", the strings in quotes',
                line,
            )


def tell_encoding(source: Source) -> None:
    """Set the encoding of a file to the charset in its header.

    A byte order mark, and an encoding set by the user, win over the charset, which is noted.

    Raises `FormatError` when the charset is unknown.
    """
    head = source.head()
    name = _declared(head)
    if not name or name.lower() in _TEMPLATES:
        return
    try:
        declared = check_encoding(name)
    except OptionError:
        raise source.error(
            f"declares the charset {name[:40]!r}, which is not known; correct it in the header, or "
            f"convert the file to UTF-8"
        ) from None
    marked = mark_of(head, "")[1]
    wins = marked or (source.encoding if check_encoding(source.encoding) != "utf-8" else "")
    if wins and check_encoding(wins) != declared:
        kind = "charsets of the header that are not the encoding of the file"
        source.note(kind, f"{name}, but read as {wins}")
    source.encoding, source.declares_encoding = wins or declared, not wins


def _declared(head: bytes) -> str:
    """Return the charset in the first entry, if that is a header; else an empty string."""
    strings, begun = [], False
    for line in head.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        if line.startswith(b"msgid"):
            if begun or not _EMPTY.fullmatch(line):
                break
            begun = True
        match = _QUOTED.match(line)
        if match:
            strings.append(match[1])
        elif strings and line.startswith((b"#", b"msgctxt")):
            break
    match = _HEADER_CHARSET.search(b"".join(strings))
    return match[1].decode("ascii", "replace") if match else ""


# Writing: the header, the entries, their escapes and contexts.


_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), 127)} | {
    ord(character): f"\\{letter}"
    for letter, character in zip('abfnrtv\\"', '\a\b\f\n\r\t\v\\"', strict=True)
}
_SPECIAL = re.compile('[\0-\x1f\x7f\\\\"]')
_COMMENT_PREFIXES = {"tgt.note": "#", "src.note": "#.", "references": "#:"}
_COMMENT_PREFIXES |= {"flags": "#,", "previous": "#|"}
_PLURAL = re.compile(r"(\d{1,3})/(\d{1,3})", re.ASCII)
_NOTE = re.compile(r"(?:tgt\.)?note(?:#\d+)?")
_BREAK = re.compile(r"\r\n|[\n\r]")
_HEADER_FIELD = re.compile(r"([^:\n]+):[ \t]*(.*)")
_CHARSET_FIELD = re.compile(r"(charset=)[^\s;]*", re.IGNORECASE)


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write bitexts as one PO file."""
    seen: set[int] = set()  # hashes of messages with their contexts
    held: list[_Unit] = []  # plural forms of an entry that is not complete yet
    number, langs = 0, None
    for bitext in bitexts:
        own = languages_of(bitext, options.languages)
        if langs is None:
            langs = own
            out.write(_header(bitext, langs))
        elif not bitext.continues:
            refuse_others(bitext, own, langs, "po ... entries")
        columns = bitext.alignment.attributes
        for k, (src, tgt) in enumerate(sides(bitext, "po")):
            number += 1
            values = {
                name: value
                for name, column in columns.items()
                if (value := column[k])
                or (value == "" and (name in _COMMENT_PREFIXES or name == "msgctxt"))
            }
            unit = _Unit(" ".join(src), " ".join(tgt), values, number)
            if held and not unit.follows(held):
                out.writelines(_apart(held, seen))
                held = []
            if not (held or unit.begins):
                out.writelines(_entry([unit], seen))
                continue
            held.append(unit)
            if len(held) == unit.size:
                out.writelines(_entry(held, seen))
                held = []
    out.writelines(_apart(held, seen))
    if langs is None:
        out.write(_spelled_header({}))


class _Unit(NamedTuple):
    """A bisegment to write."""

    message: str
    translation: str
    values: Mapping[str, str]
    number: int

    @property
    def place(self) -> tuple[int, int]:
        """The index and the number of plural forms; (0, 0) without plural."""
        return _place(self.values.get("plural", ""))

    @property
    def size(self) -> int:
        """The number of bisegments of its entry."""
        return max(self.place[1], 2)

    @property
    def begins(self) -> bool:
        return self.place[0] == 0 < self.place[1]

    def follows(self, held: Sequence[_Unit]) -> bool:
        """Check whether the bisegment is the next plural form of an incomplete entry."""
        first, last = held[0], held[-1]
        return (
            self.place == (len(held), first.place[1])
            and (len(held) == 1 or self.message == last.message)
            and (first.place[1] > 1 or self.translation == first.translation)
            and self.values.get("msgctxt") == first.values.get("msgctxt")
        )


def spell_plural(k: int, forms: int) -> str:
    """Format the value of the column `plural` of bisegment `k` of an entry."""
    return f"{k}/{forms}"


def _place(plural: str) -> tuple[int, int]:
    match = _PLURAL.fullmatch(plural)
    k, forms = (int(match[1]), int(match[2])) if match else (0, 0)
    return (k, forms) if k < max(forms, 2) and forms else (0, 0)


def grouped(bitext: Bitext) -> Bools:
    """Return a mask of the bisegments that are written as plural forms of one entry.

    In a part of a document pair, the first bisegments may belong to the part before, and the last
    ones of a full part to the next.
    """
    a = bitext.alignment
    mask = np.zeros(len(a), dtype=np.bool_)
    plural = a.attributes.get("plural")
    texts = (bitext.src, bitext.tgt)
    if plural is None or any(text is None or not text.has_text for text in texts):
        return mask
    contexts = a.attributes.get("msgctxt", [None] * len(a))
    held: list[_Unit] = []
    begun = not bitext.continues
    for k, (src, tgt) in enumerate(sides(bitext, "po")):
        cells = {"plural": plural[k], "msgctxt": contexts[k]}
        values = {name: value for name, value in cells.items() if value is not None}
        unit = _Unit(" ".join(src), " ".join(tgt), values, k)
        held = [*held, unit] if held and unit.follows(held) else [unit] * unit.begins
        if held and len(held) == unit.size:
            mask[[each.number for each in held]] = True
            held = []
        begun |= unit.place[0] == 0
        mask[k] |= not begun
    if len(a) >= PART:
        mask[[each.number for each in held]] = True
    return mask


def _header(bitext: Bitext, langs: tuple[str, str]) -> str:
    """Return the header as read, with the charset and the languages of this file."""
    fields = dict(_HEADER_FIELD.findall(bitext.meta.get("po_header", "")))
    for name, code in {"Language": langs[1], "X-Source-Language": langs[0]}.items():
        if code:
            fields[name] = code
        elif fields.get(name):
            del fields[name]  # which belonged to the other side
    notes = (value for name, value in bitext.meta.items() if _NOTE.fullmatch(name))
    return "".join(line for note in notes for line in _lines("#", note)) + _spelled_header(fields)


def _spelled_header(fields: dict[str, str]) -> str:
    fields.setdefault("MIME-Version", "1.0")
    kind = fields.setdefault("Content-Type", "text/plain; charset=UTF-8")
    fields["Content-Type"] = _CHARSET_FIELD.sub(r"\1UTF-8", kind)
    fields.setdefault("Content-Transfer-Encoding", "8bit")
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f'msgid ""\n{_string("msgstr", text)}'


_OUR_CONTEXT = re.compile(r"(?:(?:\A| )bitext \d{1,9})+\Z", re.ASCII)


def _context_of(unit: _Unit, seen: set[int]) -> str | None:
    """Return the context for a message: its own, if the message is the first in it.

    `seen` are the hashes of messages with their contexts, to which that of the message is added.
    """
    # A collision of hashes only gives the second message an unnecessary context.
    own, message = unit.values.get("msgctxt"), unit.message
    while (not message and not own) or hash((own, message)) in seen:
        own = f"{own} bitext {unit.number}" if own else f"bitext {unit.number}"
    seen.add(hash((own, message)))
    return own


def _apart(units: Sequence[_Unit], seen: set[int]) -> Iterator[str]:
    """Yield the plural forms of an incomplete entry, each as an entry of its own."""
    for unit in units:
        yield from _entry([unit], seen)


def _entry(units: Sequence[_Unit], seen: set[int]) -> Iterator[str]:
    """Yield an entry in pieces: one bisegment, or all of its plural forms."""
    first, plural = units[0], len(units) > 1
    forms = units[: first.place[1]] if plural else units
    translated = any(unit.translation for unit in units)
    texts = [unit.translation if translated else unit.values.get("draft", "") for unit in forms]
    if not (any(unit.message for unit in units) or any(texts)):
        return
    yield "\n"
    fuzzy = any(is_draft(unit.values.get("state", "")) for unit in units)
    proposed = any(texts) and (fuzzy if translated else True)
    yield from _comments(first.values, translated=translated and not fuzzy, proposed=proposed)
    if (context := _context_of(first, seen)) is not None:
        yield _string("msgctxt", context)
    yield _string("msgid", first.message)
    if plural:
        yield _string("msgid_plural", units[1].message)
        for k, form in enumerate(texts):
            yield _string(f"msgstr[{k}]", form)
    else:
        yield _string("msgstr", texts[0])


def _comments(values: Mapping[str, str], *, translated: bool, proposed: bool) -> Iterator[str]:
    """Yield the comments of an entry, with the flag fuzzy only where there is a proposal."""
    for name, value in values.items():
        if _NOTE.fullmatch(name) and name != "tgt.note":
            yield from _lines("#", value)
    for name, prefix in _COMMENT_PREFIXES.items():
        comment = values.get(name)
        if name == "flags" and (comment or proposed):
            flags = [flag for flag in (comment or "").split(", ") if flag]
            if translated:
                flags = [flag for flag in flags if flag != "fuzzy"]
            elif proposed and "fuzzy" not in flags:
                flags.insert(0, "fuzzy")
            comment = ", ".join(flags) or None
        if comment is not None:
            yield from _lines(prefix, comment)


def _lines(prefix: str, value: str) -> Iterator[str]:
    for line in _BREAK.split(value):
        # gettext joins the next line to one that ends with a backslash, also in comments.
        end = " \n" if line.endswith("\\") else "\n"
        yield f"{prefix} {line}{end}" if line else f"{prefix}\n"


def _string(keyword: str, text: str) -> str:
    """Spell a string; one with line ends has one line for each."""
    if not _SPECIAL.search(text):
        return f'{keyword} "{text}"\n'
    lines = text.split("\n")
    if len(lines) == 1 or (len(lines) == 2 and not lines[1]):
        return f'{keyword} "{text.translate(_ESCAPES)}"\n'
    pieces = [f"{line}\n" for line in lines[:-1]] + [lines[-1]] * bool(lines[-1])
    spelled = "".join(f'"{piece.translate(_ESCAPES)}"\n' for piece in pieces)
    return f'{keyword} ""\n{spelled}'


_MESSAGE = re.compile(r"(?m)^[ \t]*(?:#~[ \t]*)?msgid(?:[ \t]*\"|[ \t]*\r?$)")
_FIELD = re.compile(r"(?mi)^(Language|X-Source-Language):[ \t]*(\S*)")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._:/-][A-Za-z0-9]+)+", re.ASCII)
_MOST_KNOWN = 100_000  # messages of which repetitions are noted; set by hand: memory stays flat
_MIN_IDENTIFIERS = 3  # least number of identifiers that is no coincidence; set by hand
_STARTS = ("#", '"', "msg", "domain")
# Columns that are preserved.
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
    beads = Beads(source, options, langs=options.languages)
    begun = False
    texts = identifiers = 0  # messages of each kind
    known: set[int] = set()  # hashes of messages with their contexts
    for entry in entries(source):
        beads.line = entry.line
        message = entry.text("msgid") if "msgid" in entry else ""
        if "msgid" not in entry or not ("msgctxt" in entry or message):
            if begun:
                kind = "entries without a message (a second header?), left out"
                source.note(kind, line=entry.line)
            else:
                _take_header(source, options, beads, entry)
        else:
            is_identifier = _IDENTIFIER.fullmatch(message) is not None
            identifiers += is_identifier
            texts += not is_identifier
            key = hash((entry.text("msgctxt") if "msgctxt" in entry else None, message))
            if message and key in known:
                kind = "messages that come again in the same context, which gettext refuses"
                source.note(kind, message[:40], line=entry.line)
            elif len(known) < _MOST_KNOWN:
                known.add(key)
            _add(source, beads, entry, drafts=options.drafts)
            yield from beads.parts()
        begun = True
    if identifiers >= _MIN_IDENTIFIERS and not texts:
        kind = "files whose messages all look like identifiers, taken as the source texts"
        source.note(kind, "the texts of the source are in another file")
    yield from beads.rest()


def _take_header(source: Source, options: ReadOptions, beads: Beads, entry: Entry) -> None:
    if "msgid" not in entry:
        source.note("headers without msgid and msgstr", line=entry.line)
    header = entry.text(entry.keywords()[-1])
    beads.meta["po_header"] = header
    if comment := "\n".join(entry.comments.get("comment", ())).strip("\n"):
        beads.meta["note"] = comment
    fields = {name.lower(): code for name, code in _FIELD.findall(header)}
    langs = []
    for name, side, wanted in (
        ("x-source-language", "src", options.src_lang),
        ("language", "tgt", options.tgt_lang),
    ):
        code = fields.get(name, "")
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
    columns = _columns_of(entry)
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
    # A language with one form for all numbers translates singular and plural alike.
    for k, message in enumerate(src):
        form = forms[min(k, len(forms) - 1)]
        own = {"plural": spell_plural(k, len(forms))} if plural else {}
        if fuzzy and form:
            own["state"] = FUZZY
        if fuzzy and not drafts:
            own |= as_drafts([(form, None)])
            form = ""
        if message or form or own:
            # A draft alone has a source without characters.
            shown = [message] if message or not form else []
            beads.add(shown, [form] * bool(form), attributes=columns | own)


def _columns_of(entry: Entry) -> dict[str, str]:
    """Return the fields of an entry beside its texts, as columns."""
    columns = {
        name: "\n".join(entry.comments[kind])
        for kind, name in _COMMENTS.items()
        if kind in entry.comments
    }
    if "msgctxt" in entry:
        context = entry.text("msgctxt")
        own = _OUR_CONTEXT.sub("", context)
        if own or not context:
            columns["msgctxt"] = own
    if "references" in entry.comments:
        columns["references"] = " ".join(entry.comments["references"])
    flags = [flag.strip() for line in entry.comments.get("flags", ()) for flag in line.split(",")]
    if flags:
        columns["flags"] = ", ".join(filter(None, flags))
    return columns


def _unwritten(bitext: Bitext, name: str) -> Bools:
    """Return a mask of the values of a column that an entry cannot represent.

    An entry has no draft beside a translation, fuzzy is the only state, and plural forms make one
    entry only where they are complete and consecutive.
    """
    a = bitext.alignment
    given = np.array([value is not None for value in a.attributes[name]], dtype=np.bool_)
    if name == "plural":
        return given & ~grouped(bitext)
    filled = np.zeros(len(a), dtype=np.bool_)
    if bitext.tgt is not None:
        nonempty = bitext.tgt.lengths() > 0 if bitext.tgt.has_text else np.ones(len(bitext.tgt))
        filled = sums(a.tgt, nonempty.astype(np.int64)) > 0
    drafts = np.array([bool(value) for value in a.attributes.get("draft", [None] * len(a))], bool)
    if name == "draft":
        return drafts & filled
    if name != "state":
        return np.zeros(len(a), dtype=np.bool_)
    fuzzy = np.array([value == FUZZY for value in a.attributes[name]], dtype=np.bool_)
    lost: Bools = (given & ~fuzzy) | (fuzzy & ~filled & ~drafts)
    return lost


FORMAT = Format(
    name="po",
    title="messages and translations (gettext PO)",
    suffixes=(".po", ".pot"),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=write,
    keeps=Capabilities.of(
        "texts empty_sides languages breaks controls",
        columns=_COLUMNS,
        unwritten=_unwritten,
        header=("note", "po_header"),
    ),
    streams=True,
)
