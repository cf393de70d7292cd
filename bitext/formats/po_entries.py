"""The entries of a PO file, one after another, with their lines: the grammar, apart from its sense.

Memory is that of one entry. What is no PO is refused with its line, and the entry left out.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from bitext.errors import OptionError
from bitext.formats.encodings import check_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source

__all__ = ["Entry", "entries", "tell_encoding"]

# A keyword, perhaps with the number of a plural form, or a string with escapes in it.
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
_CHARSET = re.compile(rb"(?:^|\\n)content-type:.*?charset=[ \t]*([^\\;\s\"]+)", re.IGNORECASE)
_TEMPLATES = {"charset", "encoding"}  # what stands in a header that nobody has filled in
_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

_SIGNS = {"#.": "extracted", "#:": "references", "#,": "flags", "#=": "flags", "#|": "previous"}

_LOST = "lost header"


class Entry:
    """An entry as it is written: strings by keyword, still escaped, and comments by kind.

    Attributes
    ----------
    line : int
        Where its first keyword stands.
    comments : dict of str to list of str
        Lines of comments: `comment`, `extracted`, `references`, `flags`, `previous`.
    bad : bool
        Whether something in it was refused, so that it is left out.

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
        """Whether it has a translation, so that whatever is no string begins the next."""
        return "msgstr" in self._strings or "msgstr[0]" in self._strings

    @property
    def begun(self) -> bool:
        """Whether there is more of it than comments."""
        return bool(self._strings)

    def __contains__(self, keyword: str) -> bool:
        return keyword in self._strings

    def keywords(self) -> list[str]:
        """Return its keywords, as `msgstr[0]`, in order."""
        return list(self._strings)

    def comment(self, line: str) -> None:
        """Take a line of a comment."""
        kind = _SIGNS.get(line[:2], "comment")
        text = line[1:] if kind == "comment" else line[2:]
        self.comments.setdefault(kind, []).append(text.removeprefix(" "))

    def keyword(self, word: str, line: int) -> str:
        """Take a keyword, and return what is wrong about it here, if anything."""
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
        """Take a string, and tell whether there is a keyword that it belongs to."""
        if self._open is None:
            return False
        self._open.append(text)
        return True

    def text(self, keyword: str) -> str:
        """Return the string of a keyword without its escapes."""
        return self.plain("".join(self._strings[keyword]))

    def plain(self, text: str) -> str:
        """Return a text without its escapes; bytes in them are in the encoding of the file."""
        if "\\" not in text:
            return text
        quick = "\0".join(map(_usual, text.split(r"\\")))
        if "\\" in quick or "\0" in text:
            return _ESCAPE.sub(self._meant, text)
        return quick.replace("\0", "\\")

    def _meant(self, found: re.Match[str]) -> str:
        if found[2]:
            return _MEANT[found[2]]
        place = f"{self._source.path} line {self.line}"
        if found[3]:
            kind = "escapes that C does not have, kept as they are"
            self._source.notes.add(kind, f"{place}: {found[0]}")
            return found[0]
        numbers = (int(h, 16) if h else int(o, 8) for h, o in _BYTE.findall(found[1]))
        raw = bytes(number & 0xFF for number in numbers)
        try:
            return raw.decode(self._source.encoding)
        except UnicodeDecodeError:
            if not self.bad:
                self.bad = True
                self._source.refuse(
                    f"has the bytes {found[1][:40]}, which are not {self._source.encoding}; "
                    f"write the characters themselves",
                    self.line,
                )
            return ""


def _usual(text: str) -> str:
    return text.replace(r"\n", "\n").replace(r"\"", '"').replace(r"\t", "\t")


def entries(source: Source) -> Iterator[Entry]:
    """Yield the entries; those that are obsolete (`#~`) are left out and noted, bad ones refused.

    Strings before all keywords, as of a header that lost its first lines, come as an entry
    with the keyword `lost header`.
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
    """Takes the lines of a file, and puts entries into `done` as they end."""

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
            self._source.notes.add(kind, f"{self._source.path} line {number}")
        if not self._entry.begun:
            self._entry = Entry(self._source)  # the comments before it were its own

    def tokens(self, line: str, number: int) -> None:
        at = 0
        while at < len(line):
            found = _TOKEN.match(line, at)
            if not found:
                self._refuse(f"is {line[at : at + 40]!r}", number)
                return
            at = found.end()
            if found[1] is not None:
                word = found[1] if found[2] is None else f"{found[1]}[{int(found[2])}]"
                self._keyword(word, number)
                continue
            if self._first and not self._entry.begun:
                self._entry.keyword(_LOST, number)
            if not self._entry.string(found[3]):
                self._refuse(f"has the string {found[0][:40]} alone", number)

    def _keyword(self, word: str, number: int) -> None:
        entry = self._entry
        if word in {"msgctxt", "msgid", "domain"} and entry.begun:
            whole = entry.ended or _LOST in entry or "domain" in entry
            if not whole and (word != "msgid" or "msgid" in entry):
                self._refuse("has no msgstr", entry.line)
                whole = True
            if whole:
                self._close()
        self._first = False
        wrong = self._entry.keyword(word, number)
        if wrong:
            self._refuse(wrong, number)

    def end(self) -> None:
        if self._entry.begun:
            if not (self._entry.ended or _LOST in self._entry or "domain" in self._entry):
                self._refuse("has no msgstr", self._entry.line)
            self._close()

    def _close(self) -> None:
        entry, self._entry = self._entry, Entry(self._source)
        if "domain" in entry:
            place = f"{self._source.path} line {entry.line}"
            self._source.notes.add("names of domains, left out", place)
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
    """Set the encoding of a file to the charset that its header tells.

    A byte order mark and an encoding that the user gave win over it, which is noted.

    Raises
    ------
    FormatError
        When the charset is none that is known.

    """
    head = source.head()
    name = _declared(head)
    if not name or name.lower() in _TEMPLATES:
        return
    try:
        declared = check_encoding(name)
    except OptionError:
        raise source.error(
            f"tells the charset {name[:40]!r}, which is not known; correct it in the header, or "
            f"convert the file to UTF-8"
        ) from None
    marked = next((encoding for bom, encoding in _BOMS.items() if head.startswith(bom)), "")
    wins = marked or (source.encoding if check_encoding(source.encoding) != "utf-8" else "")
    if wins and check_encoding(wins) != declared:
        kind = "charsets of the header that are not the encoding of the file"
        source.notes.add(kind, f"{source.path}: {name}, but read as {wins}")
    source.encoding, source.declares_encoding = wins or declared, not wins


def _declared(head: bytes) -> str:
    """Return the charset that the first entry tells, if that is a header."""
    strings, begun = [], False
    for line in head.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        if line.startswith(b"msgid"):
            if begun or not _EMPTY.fullmatch(line):
                break
            begun = True
        found = _QUOTED.match(line)
        if found:
            strings.append(found[1])
        elif strings and line.startswith((b"#", b"msgctxt")):
            break
    found = _CHARSET.search(b"".join(strings))
    return found[1].decode("ascii", "replace") if found else ""
