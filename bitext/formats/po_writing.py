"""Bitexts as PO files: the header, the entries, their escapes and contexts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.inline import known_texts, sides
from bitext.formats.languages import refuse_others
from bitext.formats.registry import WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import IO

    from bitext.model import Bitext

__all__ = ["has_plural", "write"]

_DEFAULT = WriteOptions()

_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), 127)} | {
    ord(character): f"\\{letter}"
    for letter, character in zip('abfnrtv\\"', '\a\b\f\n\r\t\v\\"', strict=True)
}
_SPECIAL = re.compile('[\0-\x1f\x7f\\\\"]')
_SIGNS = {"tgt.note": "#", "src.note": "#.", "references": "#:", "flags": "#,", "previous": "#|"}
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
            out.write("".join(_entry(src, tgt, values, number, contexts)))
    if not begun:
        out.write(_spelled_header({}))


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


def _entry(
    src: Sequence[str],
    tgt: Sequence[str],
    values: Mapping[str, str],
    number: int,
    contexts: _Contexts,
) -> Iterator[str]:
    """Yield an entry in pieces."""
    forms = _forms(values.get("plural", ""))
    plural = forms if has_plural(src, tgt, values.get("plural", "")) else 0
    proposed = [] if any(tgt) else [values.get(f"fuzzy#{k + 1}" if k else "fuzzy", "")
                                    for k in range(plural or 1)]  # fmt: skip
    message = src[0] if plural else " ".join(src)
    translations = list(tgt) if plural and tgt else [" ".join(tgt)]
    if any(proposed):
        translations = proposed
    elif plural and not tgt:
        translations = [""] * plural
    if not (message or any(translations) or (plural and src[1])):
        return
    yield "\n"
    yield from _comments(values, translated=any(tgt), proposed=any(proposed))
    context = contexts.of(values.get("msgctxt"), message, number)
    if context is not None:
        yield _string("msgctxt", context)
    yield _string("msgid", message)
    if plural:
        yield _string("msgid_plural", src[1])
        for k, form in enumerate(translations):
            yield _string(f"msgstr[{k}]", form)
    else:
        yield _string("msgstr", translations[0])


def has_plural(src: Sequence[str], tgt: Sequence[str], told: str) -> bool:
    """Tell whether a bisegment is written with plural forms, of which it is said to have `told`."""
    forms = _forms(told)
    return bool(forms) and len(src) == 2 and len(tgt) in {0, forms}


def _forms(told: str) -> int:
    """Return the number of plural forms that are told; 0 for none."""
    return int(told) if re.fullmatch("[1-9][0-9]{0,2}", told) else 0


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
