"""Files with one language each, whose strings correspond by their names; read.

| format | files | plural forms | languages from |
| --- | --- | --- | --- |
| `android` | `values/strings.xml`, `values-de/strings.xml` | `plurals` | `values-de` |
| `resx` | `Strings.resx`, `Strings.de.resx` (.NET) | none | `.de.resx` |
| `apple` | `en.lproj/Localizable.strings`, `.stringsdict` | of `.stringsdict` | `en.lproj` |
| `wmt-sgm` | `src.en.sgm`, `ref.de.sgm`: segments of documents | none | `srclang`, `trglang` |

A string of both files is a bisegment, in the order of the source; one of the source only has an
empty target, those of the target only follow at the end. Names are the attribute `id`, comments the
attribute `note`. A plural form of the target that the source lacks (`few`) is paired with `other`.
Strings of Android may also be `<item type="string" name="...">`. The format of a string with plural
forms (`.stringsdict`) is a string of its own, if it has text beside a variable.

Left out, and noted: strings that are not to be translated, values that are no strings (RESX), all
references of a test set but the first. Inline elements are taken as their text, and noted. Both
files are held in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

from bitext.errors import InputError
from bitext.formats.beads import Beads
from bitext.formats.io.compression import unpacked
from bitext.formats.io.encodings import as_utf_8
from bitext.formats.io.remote import called
from bitext.formats.io.source import Source
from bitext.formats.languages import agreed_language
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.xml import has_root
from bitext.formats.xml.safe import iterate, line_of, local_name, text_of, whole_tree
from bitext.model import Bitext
from bitext.model.languages import language_of

TWICE = "strings of one name, the last one taken"


@dataclass(frozen=True, slots=True)
class Entry:
    """A string of a file."""

    # Its document (of test sets), its name, and its plural form, or empty strings.
    key: tuple[str, str, str]
    text: str
    note: str = ""
    line: int | None = None


@dataclass(slots=True)
class Entries:
    """The strings of a file in their order."""

    lang: str  # the language that the file names; empty if it names none
    entries: dict[tuple[str, str, str], Entry]  # the strings by their keys

    @classmethod
    def of(cls, source: Source, entries: Iterable[Entry], lang: str = "") -> Entries:
        """Collect the strings of a file; note repeated names, of which the last one counts."""
        known: dict[tuple[str, str, str], Entry] = {}
        for entry in entries:
            if entry.key in known:
                source.note(TWICE, f"{entry.key[1][:40]!r}", line=entry.line)
            known[entry.key] = entry
        return cls(lang, known)


# What a file holds by the end of its name. `.xml` is that of Android, and of many others.
_KINDS = {
    ".json": "JSON",
    ".arb": "JSON",
    ".yml": "YAML",
    ".yaml": "YAML",
    ".properties": "Java properties",
    ".xml": "XML",
    ".resx": "RESX",
    ".strings": "strings of Apple",
    ".stringsdict": "strings of Apple",
}


def _kind(source: Source) -> str | None:
    name = unpacked(called(source.path)).lower()
    return _KINDS.get(PurePath(name.replace("\\", "/")).suffix)


# A format whose files have a language each: two files, which are recognised by other features.
FILE_A_LANGUAGE = partial(Format, holds="text", suffixes=(), two_files=True)


def second_file(source: Source, options: ReadOptions, name: str) -> Source:
    """Return the file of the target.

    Raises `InputError` when only one file was named, and `FormatError` when the endings of both
    names are those of two formats. JSON is YAML, too.
    """
    second = options.second
    if second is None:
        raise InputError(
            f"{source.path}: {name} has one language a file; name both, as source,target"
        )
    one, other = _kind(source), _kind(second)
    both_yaml = name == "yaml-strings" and {one, other} == {"YAML", "JSON"}
    if one and other and one != other and not both_yaml:
        raise second.error(
            f"is {other} by its name, and {source.path} is {one}: give two files of one format, "
            f"as one program writes them"
        )
    return second


def paired_bitexts(
    source: Source, second: Source, options: ReadOptions, one_file: Entries, other_file: Entries
) -> Iterator[Bitext]:
    """Yield the bitext of two files, or its parts; of test sets one for each document."""
    source.notes.extend(second.notes.drain())
    src, tgt = one_file.entries, other_file.entries
    langs = (
        agreed_language(source, options.src_lang, one_file.lang),
        agreed_language(second, options.tgt_lang, other_file.lang),
    )
    if src and tgt and not {key[:2] for key in src} & {key[:2] for key in tgt}:
        first = [next(iter(each))[1][:40] for each in (src, tgt)]
        raise source.error(
            f"has no string by a name of {second.path}: it begins with {first[0]!r}, the other "
            f"with {first[1]!r}; give two files of one program"
        )
    names = (source.path, second.path)
    beads = Beads(source, options, langs=langs, names=names)
    document: str | None = None
    for entry, other in _paired(source, src, tgt):
        one = entry or other
        if one is None:
            continue
        if document is not None and one.key[0] != document:
            yield from beads.rest()
            beads = Beads(source, options, langs=langs, names=names)
        if document != one.key[0]:
            document = one.key[0]
            beads.name = document or options.name
        src_side, tgt_side = (
            [each.text] if each is not None and each.text else [] for each in (entry, other)
        )
        if not (src_side or tgt_side):
            source.note("strings without text on either side, left out", f"{one.key[1][:40]!r}")
            continue
        given = other if other is not None and other.key[2] else one
        values = {"id": one.key[1], "plural": given.key[2], "note": one.note}
        beads.line = one.line or 0
        beads.add(src_side, tgt_side, attributes={k: v for k, v in values.items() if v})
        yield from beads.parts()
    yield from beads.rest()


def _paired(
    source: Source, src: dict[tuple[str, str, str], Entry], tgt: dict[tuple[str, str, str], Entry]
) -> Iterator[tuple[Entry | None, Entry | None]]:
    """Yield the strings of both sides, by their keys; plural forms of the target after `other`."""
    further: dict[tuple[str, str], list[Entry]] = {}  # plural forms that the source lacks
    for key, entry in tgt.items():
        if key[2] and key not in src and (*key[:2], "other") in src:
            further.setdefault(key[:2], []).append(entry)
    forms = {key[:2] for key in tgt if key[2]}
    missing = 0
    for key, entry in src.items():
        if key[2] and key not in tgt and key[:2] in forms:
            # The target language has fewer forms, as `other` only.
            instead = tgt.get((*key[:2], "other"))
            missing += instead is None
            if instead is not None:
                kind = "plural forms that the target lacks, paired with its form 'other'"
                source.note(kind, f"{key[1][:40]!r}")
            yield entry, instead
        else:
            missing += key not in tgt
            yield entry, tgt.get(key)
        if key[2] == "other":
            for more in further.get(key[:2], ()):
                yield entry, more
    if further:
        first = next(iter(further))
        kind = "plural forms that the source lacks, paired with its form 'other'"
        source.note(kind, f"{first[1][:40]!r}", count=sum(map(len, further.values())))
    if missing:
        kind = "strings that the target file lacks"
        key = next(key for key in src if key not in tgt)
        source.note(kind, f"{key[1][:40]!r}", count=missing)
    used = {entry.key for those in further.values() for entry in those}
    rest = [entry for key, entry in tgt.items() if key not in src and key not in used]
    if rest:
        kind = "strings that the source file lacks"
        source.note(kind, f"{rest[0].key[1][:40]!r}", count=len(rest))
    for entry in rest:
        yield None, entry


# Android.

_WHITE = " \t\n\r\v\f"  # white space that is collapsed: a no-break space stays
_ESCAPE = re.compile(rf"\\(u[0-9A-Fa-f]{{4}}|.)|\"|[{_WHITE}]+", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r"}
# The folder of a language, with a region or as BCP 47 has it, and further qualifiers (`night`)
_VALUES = re.compile(
    r"(?:.*[/\\])?values-(?:mcc\d+-)?(?:mnc\d+-)?(?:b\+([\w+]+)|([a-z]{2,3})(?:-r([A-Z]{2}|\d{3}))?)"
    r"(?:-[\w-]+)?[/\\][^/\\]*",
    re.ASCII,
)


def _sniff_android(head: bytes) -> int:
    named = b"<string" in head or b"<plurals" in head
    return 90 if named and has_root(head, "resources") else 0


def _android(source: Source) -> Entries:
    match = _VALUES.fullmatch(source.path)
    lang = "-".join(filter(None, match.groups())).replace("+", "-") if match else ""
    return Entries.of(source, _android_strings(source), lang)


def _android_strings(source: Source) -> Iterator[Entry]:
    ends = ("string", "plurals", "string-array", "item")
    items: list[tuple[str, str, int | None]] = []  # of the current element: form, text, line
    for _, element in iterate(source, end=ends):
        name, line = element.get("name", ""), line_of(element)
        own, parent = local_name(element), element.getparent()
        if own == "item" and parent is not None and local_name(parent) in ends:
            if parent.get("translatable") != "false":
                items.append((element.get("quantity", ""), _android_text(source, element), line))
            continue
        if own == "item" and element.get("type") != "string":
            continue  # a colour, or an item of an array of other values
        if element.get("translatable") == "false":
            kind = "strings that are not to be translated, left out"
            source.note(kind, f"{name[:40]!r}", line=line)
            continue
        if own in {"string", "item"}:
            yield Entry(("", name, ""), _android_text(source, element), line=line)
            continue
        for k, (form, text, item_line) in enumerate(items):
            key = ("", name if form else f"{name}[{k}]", form)
            yield Entry(key, text, line=item_line)
        items.clear()


def _android_text(source: Source, element: Any) -> str:
    """Return the text of a string: quotes and escapes resolved, other white space collapsed."""
    return _unescaped(_plain_text(source, element))


def _plain_text(source: Source, element: Any) -> str:
    if next(element.iterchildren("{*}*"), None) is not None:
        source.note("strings with inline elements, taken as their text", line=line_of(element))
    return text_of(element)


def _unescaped(text: str) -> str:
    r"""Resolve the escapes of Android.

    Examples
    --------
    >>> _unescaped("It\\'s \n  here, \"a  b\"\\u0021")
    "It's here, a  b!"

    """
    text = text.strip(_WHITE)
    out: list[str] = []
    quoted, at = False, 0
    for match in _ESCAPE.finditer(text):
        out.append(text[at : match.start()])
        at = match.end()
        if match[1]:
            out.append(escaped(match))
        elif match[0] == '"':
            quoted = not quoted
        else:
            out.append(match[0] if quoted else " ")
    out.append(text[at:])
    return sound_text("".join(out))


_SURROGATES = re.compile("[\ud800-\udfff]+")


def escaped(match: re.Match[str], signs: Mapping[str, str] = _SIGNS) -> str:
    """Return the character of an escape: four digits after `u`, or a sign, by default itself."""
    escape = match[1]
    return chr(int(escape[1:], 16)) if len(escape) == 5 else signs.get(escape, escape)


def sound_text(text: str) -> str:
    """Join the halves of surrogate pairs; U+FFFD stands for a half alone."""
    return _SURROGATES.sub(
        lambda match: match[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"),
        text,
    )


# RESX.

_RESX_NAME = re.compile(r".*\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.resx", re.IGNORECASE)


_RESX_STRING = re.compile(r"System\.String(?:,|$)")  # with its assembly, or without


def _sniff_resx(head: bytes) -> int:
    resources = b"resheader" in head or b"<data" in head or b"resmimetype" in head
    return 90 if resources and has_root(head, "root") else 0


def _resx(source: Source) -> Entries:
    match = _RESX_NAME.fullmatch(source.path)
    return Entries.of(source, _resx_strings(source), match[1] if match else "")


def _resx_strings(source: Source) -> Iterator[Entry]:
    for _, element in iterate(source, end=("data",)):
        if local_name(element) != "data":
            continue
        name, line = element.get("name", ""), line_of(element)
        kind = element.get("type") or "System.String"
        if not _RESX_STRING.match(kind) or element.get("mimetype") or name.startswith(">>"):
            source.note("values that are no strings, left out", f"{name[:40]!r}", line=line)
            continue
        parts = {local_name(child): child for child in element.iterchildren("{*}*")}
        value, comment = parts.get("value"), parts.get("comment")
        text = "" if value is None else _plain_text(source, value)
        note = "" if comment is None else " ".join(_plain_text(source, comment).split())
        yield Entry(("", name, ""), text, note, line)


# Apple: .strings, a text, and .stringsdict, a property list in XML.

_LPROJ = re.compile(r".*?(?:^|[/\\])([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\.lproj[/\\].*")
_STRING = r'"((?:[^"\\]|\\.)*)"'
_TOKEN = re.compile(
    rf"\s+|/\*(.*?)\*/|//[^\n]*|(?:{_STRING}|([\w.-]+))\s*=\s*{_STRING}\s*;", re.DOTALL
)
_APPLE_ESCAPE = re.compile(r"\\(U[0-9A-Fa-f]{4}|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_PLIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE plist|<plist)")
_PLIST_STRING = re.compile(
    rb"<dict>\s*+(?:<!--.{0,4000}?-->\s*+|)*+<key>[^<]*+</key>\s*+<string", re.DOTALL
)
_LOOKS = re.compile(
    rb'(?:\s|/\*.{0,4000}?\*/|//[^\n]*\n|)*+"(?:[^"\\]|\\.){0,2000}"\s*=\s*"', re.DOTALL
)
_FORM = "NSStringFormatSpecTypeKey", "NSStringFormatValueTypeKey"
_VARIABLE = re.compile(r"%(?:\d+\$)?#@[^@]*@")


def _sniff_apple(head: bytes) -> int:
    head = as_utf_8(head)
    if _PLIST.match(head):
        return 80 if b"NSStringLocalizedFormatKey" in head or _PLIST_STRING.search(head) else 0
    return 70 if _LOOKS.match(head.removeprefix(b"\xef\xbb\xbf")) else 0


def _apple(source: Source) -> Entries:
    match = _LPROJ.fullmatch(source.path)
    lang = "" if match is None or match[1] == "Base" else match[1].replace("_", "-")
    head = as_utf_8(source.head(), source.encoding)
    if head.startswith(b"bplist"):
        raise source.error("is a binary property list: convert it (plutil -convert xml1)")
    read = _plist_strings if _PLIST.match(head) else _text_strings
    return Entries.of(source, read(source), lang)


def _text_strings(source: Source) -> Iterator[Entry]:
    text = source.text()
    at, line, note = 0, 1, ""
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            shown = text[at : at + 40].split("\n")[0]
            source.refuse(f'has {shown!r}; want "name" = "text";', line)
            # A comment that is not closed goes on to the end.
            is_line = not text.startswith("/*", at)
            at = (is_line and text.find("\n", at) + 1) or len(text)
            line += 1
            continue
        comment, quoted, bare, value = match.groups()
        if value is not None:
            name = _apple_text(quoted) if quoted is not None else bare
            yield Entry(("", name, ""), _apple_text(value), note, line)
            note = ""
        elif comment is not None:
            note = " ".join(comment.split())
        line += text.count("\n", at, match.end())
        at = match.end()


def _apple_text(spelled: str) -> str:
    return sound_text(_APPLE_ESCAPE.sub(escaped, spelled))


def _plist_strings(source: Source) -> Iterator[Entry]:
    root = whole_tree(source)
    top = next(root.iterchildren("{*}*"), None)
    for name, value, line in _members(top):
        if local_name(value) == "string":
            yield Entry(("", name, ""), value.text or "", line=line)
            continue
        for variable, forms, at in _members(value):
            if local_name(forms) != "dict":
                spelled = forms.text or ""
                beside = _VARIABLE.sub("", spelled)  # empty in most formats
                if variable == "NSStringLocalizedFormatKey" and any(map(str.isalpha, beside)):
                    yield Entry(("", name, ""), spelled, line=at)
                continue
            for form, text, at in _members(forms):
                if form not in _FORM and local_name(text) == "string":
                    key = ("", f"{name}.{variable}", form)
                    yield Entry(key, text.text or "", line=at)


def _members(element: Any) -> Iterator[tuple[str, Any, int | None]]:
    """Yield the keys and values of a `dict` of a property list."""
    key = None
    for child in () if element is None else element.iterchildren("{*}*"):
        if local_name(child) == "key":
            key = child.text or ""
        elif key is not None:
            yield key, child, line_of(child)
            key = None


# Test sets of WMT, NIST and IWSLT in SGML or XML.

_SGM = re.compile(  # `mteval` is around the sets of NIST and IWSLT
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<mteval\b[^>]*>\s*)?"
    rb"<(srcset|refset|tstset)\b",
    re.IGNORECASE,
)
_SGM_TOKEN = re.compile(
    r"<(srcset|refset|tstset|doc)\b([^>]*)>"
    r"|<seg\b([^>]*)>([^<]*(?:<(?!/?seg\b)[^<]*)*)</seg\s*>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _sgm(source: Source) -> Entries:
    text = source.text()
    lang, document, system = "", "", ""
    systems: dict[str, str] = {}  # the first of each document
    others: dict[str, str] = {}
    entries: list[Entry] = []
    line, at = 1, 0
    for match in _SGM_TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if match[1]:
            given = _attributes(match[2])
            key = "srclang" if match[1].lower() == "srcset" else "trglang"
            lang = lang or given.get(key, "")
            if match[1].lower() == "doc":
                document, system = given.get("docid", ""), given.get("sysid", "")
                if systems.setdefault(document, system) != system:
                    others.setdefault(system, systems[document])
            continue
        if system != systems.get(document, ""):
            continue
        name = _attributes(match[3]).get("id", "")
        content = " ".join(_ENTITY.sub(_entity, match[4]).split())
        entries.append(Entry((document, name, ""), content, line=line))
    for other, taken in others.items():
        kind = "references of a test set beside the first, left out"
        source.note(kind, f"{taken[:40]!r} taken, not {other[:40]!r}")
    if not entries:
        raise source.error("has no segment <seg>: is it a test set?")
    return Entries.of(source, entries, language_of(lang))


def _attributes(text: str) -> dict[str, str]:
    return {m[1].lower(): m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(text)}


def _entity(match: re.Match[str]) -> str:
    if match[1]:
        return _ENTITIES[match[1]]
    point = int(match[2]) if match[2] else int(match[3], 16)
    valid = point < 0x110000 and not 0xD800 <= point < 0xE000
    return chr(point) if valid else "\ufffd"


def _read(
    source: Source, options: ReadOptions, *, name: str, parse: Callable[[Source], Entries]
) -> Iterator[Bitext]:
    second = second_file(source, options, name)
    yield from paired_bitexts(source, second, options, parse(source), parse(second))


ANDROID = FILE_A_LANGUAGE(
    name="android",
    title="strings of Android, a file a language (read)",
    sniff=_sniff_android,
    read=partial(_read, name="android", parse=_android),
    units=("string", "plurals", "string-array"),
    holders=("resources",),
)
RESX = FILE_A_LANGUAGE(
    name="resx",
    title="strings of .NET, a file a language (RESX, read)",
    sniff=_sniff_resx,
    read=partial(_read, name="resx", parse=_resx),
    units=("data",),
    holders=("root",),
)
APPLE = FILE_A_LANGUAGE(
    name="apple",
    title="strings of Apple, a file a language (.strings, .stringsdict; read)",
    sniff=_sniff_apple,
    read=partial(_read, name="apple", parse=_apple),
)
WMT_SGM = FILE_A_LANGUAGE(
    name="wmt-sgm",
    title="test sets of WMT, source and reference (SGML, read)",
    sniff=lambda head: 95 if _SGM.match(head.removeprefix(b"\xef\xbb\xbf")) else 0,
    read=partial(_read, name="wmt-sgm", parse=_sgm),
)
