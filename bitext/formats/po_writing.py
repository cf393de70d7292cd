"""Bitexts as PO files: the header, the entries, their escapes and contexts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.inline import PART, known_texts, sides
from bitext.formats.languages import refuse_others
from bitext.formats.registry import WriteOptions
from bitext.formats.states import told_draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import IO

    from numpy.typing import NDArray

    from bitext.model import Bitext

__all__ = ["grouped", "spell_plural", "write"]

_DEFAULT = WriteOptions()

_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), 127)} | {
    ord(character): f"\\{letter}"
    for letter, character in zip('abfnrtv\\"', '\a\b\f\n\r\t\v\\"', strict=True)
}
_SPECIAL = re.compile('[\0-\x1f\x7f\\\\"]')
_SIGNS = {"tgt.note": "#", "src.note": "#.", "references": "#:", "flags": "#,", "previous": "#|"}
_PLURAL = re.compile(r"(\d{1,3})/(\d{1,3})", re.ASCII)
_NOTE = re.compile(r"(?:tgt\.)?note(?:#\d+)?")
_BREAK = re.compile(r"\r\n|[\n\r]")
_FIELD = re.compile(r"([^:\n]+):[ \t]*(.*)")
_CHARSET = re.compile(r"(charset=)[^\s;]*", re.IGNORECASE)


def write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,
) -> None:
    """Write bitexts as one PO file."""
    contexts = _Contexts()
    held: list[_Unit] = []  # the plural forms so far of an entry
    number, begun = 0, False
    langs = ("", "")
    for bitext in bitexts:
        if not begun:
            langs = _languages(bitext, options)
            out.write(_header(bitext, langs))
            begun = True
        elif not bitext.continues:
            refuse_others(bitext, _languages(bitext, options), langs, "po ... entries")
        columns = bitext.alignment.attributes
        for k, (src, tgt) in enumerate(sides(bitext, "po")):
            number += 1
            values = {
                name: value
                for name, column in columns.items()
                if (value := column[k]) or (value == "" and (name in _SIGNS or name == "msgctxt"))
            }
            unit = _Unit(" ".join(src), " ".join(tgt), values, number)
            if held and not unit.follows(held):
                out.writelines(_apart(held, contexts))
                held = []
            if not (held or unit.begins):
                out.writelines(_entry([unit], contexts))
                continue
            held.append(unit)
            if len(held) == unit.size:
                out.writelines(_entry(held, contexts))
                held = []
    out.writelines(_apart(held, contexts))
    if not begun:
        out.write(_spelled_header({}))


class _Unit(NamedTuple):
    """A bisegment to write."""

    message: str
    translation: str
    values: Mapping[str, str]
    number: int

    @property
    def place(self) -> tuple[int, int]:
        """Which of how many plural forms it is; (0, 0) for one that is none."""
        return _place(self.values.get("plural", ""))

    @property
    def size(self) -> int:
        """The number of bisegments that its entry is."""
        return max(self.place[1], 2)

    @property
    def begins(self) -> bool:
        return self.place[0] == 0 < self.place[1]

    def follows(self, held: Sequence[_Unit]) -> bool:
        """Tell whether it is the next plural form of the entry that others begin."""
        first, last = held[0], held[-1]
        return (
            self.place == (len(held), first.place[1])
            and (len(held) == 1 or self.message == last.message)
            and (first.place[1] > 1 or self.translation == first.translation)
            and self.values.get("msgctxt") == first.values.get("msgctxt")
        )


def spell_plural(k: int, forms: int) -> str:
    """Return the value of the column `plural` of the `k`-th bisegment of an entry."""
    return f"{k}/{forms}"


def _place(told: str) -> tuple[int, int]:
    found = _PLURAL.fullmatch(told)
    k, forms = (int(found[1]), int(found[2])) if found else (0, 0)
    return (k, forms) if k < max(forms, 2) and forms else (0, 0)


def grouped(bitext: Bitext) -> NDArray[np.bool_]:
    """Tell which bisegments are written as the plural forms of one entry.

    Of a part of a document pair, the first ones may belong to the part before, and the last ones of
    a full part to the next.
    """
    a = bitext.alignment
    found = np.zeros(len(a), dtype=np.bool_)
    plural = a.attributes.get("plural")
    if plural is None or any(
        text is None or not text.has_text for text in (bitext.src, bitext.tgt)
    ):
        return found
    contexts = a.attributes.get("msgctxt", [None] * len(a))
    held: list[_Unit] = []
    begun = not bitext.continues
    for k, (src, tgt) in enumerate(sides(bitext, "po")):
        told = {"plural": plural[k], "msgctxt": contexts[k]}
        values = {name: value for name, value in told.items() if value is not None}
        unit = _Unit(" ".join(src), " ".join(tgt), values, k)
        held = [*held, unit] if held and unit.follows(held) else [unit] * unit.begins
        if held and len(held) == unit.size:
            found[[each.number for each in held]] = True
            held = []
        begun |= unit.place[0] == 0
        found[k] |= not begun
    if len(a) >= PART:
        found[[each.number for each in held]] = True
    return found


def _languages(bitext: Bitext, options: WriteOptions) -> tuple[str, str]:
    src, tgt = known_texts(bitext, "po")
    return options.src_lang or src.lang, options.tgt_lang or tgt.lang


def _header(bitext: Bitext, langs: tuple[str, str]) -> str:
    """Return the header: that which was read, with the charset and the languages of this file."""
    fields = dict(_FIELD.findall(bitext.meta.get("po_header", "")))
    for name, code in {"Language": langs[1], "X-Source-Language": langs[0]}.items():
        if code:
            fields[name] = code
        elif fields.get(name):
            del fields[name]  # of a header that was read for the other side
    return _spelled_header(fields)


def _spelled_header(fields: dict[str, str]) -> str:
    fields.setdefault("MIME-Version", "1.0")
    kind = fields.setdefault("Content-Type", "text/plain; charset=UTF-8")
    fields["Content-Type"] = _CHARSET.sub(r"\1UTF-8", kind)
    fields.setdefault("Content-Transfer-Encoding", "8bit")
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f'msgid ""\n{_string("msgstr", text)}'


class _Contexts:
    """Gives messages that stood before in their context another one."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def of(self, context: str | None, message: str, number: int) -> str | None:
        """Return the context for a message: the one it has, if it is the first in it."""
        # Two messages of one hash only cost the second a context that it would not need.
        own = context
        while (not message and not own) or hash((own, message)) in self._seen:
            own = f"{own} bitext {number}" if own else f"bitext {number}"
        self._seen.add(hash((own, message)))
        return own


def _apart(units: Sequence[_Unit], contexts: _Contexts) -> Iterator[str]:
    """Yield plural forms that are no whole entry, each as an entry of its own."""
    for unit in units:
        yield from _entry([unit], contexts)


def _entry(units: Sequence[_Unit], contexts: _Contexts) -> Iterator[str]:
    """Yield an entry in pieces: of one bisegment, or of those of its plural forms."""
    first, plural = units[0], len(units) > 1
    forms = units[: first.place[1]] if plural else units
    translated = any(unit.translation for unit in units)
    texts = [unit.translation if translated else unit.values.get("draft", "") for unit in forms]
    if not (any(unit.message for unit in units) or any(texts)):
        return
    yield "\n"
    fuzzy = any(told_draft(unit.values.get("state", "")) for unit in units)
    proposed = any(texts) and (fuzzy if translated else True)
    yield from _comments(first.values, translated=translated and not fuzzy, proposed=proposed)
    context = contexts.of(first.values.get("msgctxt"), first.message, first.number)
    if context is not None:
        yield _string("msgctxt", context)
    yield _string("msgid", first.message)
    if plural:
        yield _string("msgid_plural", units[1].message)
        for k, form in enumerate(texts):
            yield _string(f"msgstr[{k}]", form)
    else:
        yield _string("msgstr", texts[0])


def _comments(values: Mapping[str, str], *, translated: bool, proposed: bool) -> Iterator[str]:
    """Yield the comments of an entry; none with a translation is fuzzy, each with a proposal is."""
    for name, value in values.items():
        if _NOTE.fullmatch(name) and name != "tgt.note":
            yield from _lines("#", value)
    for name, sign in _SIGNS.items():
        told = values.get(name)
        if name == "flags" and (told or proposed):
            flags = [flag for flag in (told or "").split(", ") if flag]
            if translated:
                flags = [flag for flag in flags if flag != "fuzzy"]
            elif proposed and "fuzzy" not in flags:
                flags.insert(0, "fuzzy")
            told = ", ".join(flags) or None
        if told is not None:
            yield from _lines(sign, told)


def _lines(sign: str, value: str) -> Iterator[str]:
    for line in _BREAK.split(value):
        yield f"{sign} {line}\n" if line else f"{sign}\n"


def _string(keyword: str, text: str) -> str:
    """Spell a string: with line ends in it, one line each."""
    if not _SPECIAL.search(text):
        return f'{keyword} "{text}"\n'
    lines = text.split("\n")
    if len(lines) == 1 or (len(lines) == 2 and not lines[1]):
        return f'{keyword} "{text.translate(_ESCAPES)}"\n'
    pieces = [f"{line}\n" for line in lines[:-1]] + [lines[-1]] * bool(lines[-1])
    spelled = "".join(f'"{piece.translate(_ESCAPES)}"\n' for piece in pieces)
    return f'{keyword} ""\n{spelled}'
