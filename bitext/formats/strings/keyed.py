"""Strings of programs by keys, one language a file: JSON, YAML and Java properties; read.

| format | files | plural forms | languages from |
| --- | --- | --- | --- |
| `json-strings` | `en.json`, `de.json`; `.arb` (Flutter) | `one`, `other` | names, `@@locale` |
| `yaml-strings` | `en.yml`, `de.yml` (Rails, Symfony) | the same | names, or the only key: `de:` |
| `properties` | `messages.properties`, `messages_de.properties` | none | names |

Strings of both files are paired by their keys, as in `bitext.formats.strings.pairs`. The keys of
nested objects are joined by points (`menu.open`), the items of an array are `days[0]`. Messages of
ICU, placeholders and markup are kept as they are written.

Plural forms are members or endings of keys: `boats: {one: ..., other: ...}`, `boats_one` and
`boats_other`. They are recognised if one of the two files has several forms of a name, including
`other`. `null` and an empty string are no translation; numbers and truth values are left out, and
noted.

JSON
    In `messages.json` of browser extensions a string is `{"message": ..., "description": ...}`, and
    in ARB `@key` describes `key`; descriptions are the attribute `note`. So are those of FormatJS
    (`defaultMessage`), of structured JSON of Transifex (`string`), Lokalise and Lingui
    (`translation`), and of other files of messages (Docusaurus) that have the same descriptions in
    both languages, which is noted. Angular has its strings in `translations`, beside `locale`.
    `$schema` is no string.
YAML
    Read event by event by PyYAML (extra `yaml`), and never constructed: no tag makes an object, and
    aliases are followed up to a limit. Plain `yes`, `no`, `on` and `off` are texts. Symbols of Ruby
    (`:day`) are not texts. Line ends at the end of a block (`|`) are left out.
Properties
    `java.util.Properties`: escapes, lines that go on after a backslash, comments (the attribute
    `note`). Files are UTF-8, as of Java 9, or in the encoding that the user names (ISO-8859-1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

from bitext.errors import import_extra
from bitext.formats.io.compression import unpacked
from bitext.formats.io.remote import called
from bitext.formats.io.source import Source
from bitext.formats.languages import code_in, differing_folders, last_code
from bitext.formats.line_files import parsed, unfit
from bitext.formats.registry import ReadOptions
from bitext.formats.strings.pairs import (
    FILE_A_LANGUAGE,
    TWICE,
    Entries,
    Entry,
    escaped,
    paired_bitexts,
    second_file,
    sound_text,
)
from bitext.model import Bitext

_NO_STRINGS = "values that are no strings, left out"


# The languages of two files, by their names.


def _pure(path: str) -> PurePath:
    return PurePath(unpacked(called(path)).replace("\\", "/"))


def _languages_of_names(src: str, tgt: str) -> tuple[str, str]:
    """Return the languages in the names of two files or of their folders; empty if unknown.

    Examples
    --------
    >>> _languages_of_names("i18n/en.json", "i18n/pt_BR.json")
    ('en', 'pt-BR')
    >>> _languages_of_names("m.properties", "m_de.properties")
    ('', 'de')
    >>> _languages_of_names("locales/en/common.json", "locales/de-AT/common.json")
    ('en', 'de-AT')

    """
    paths = [_pure(path) for path in (src, tgt)]
    (before_one, one), (before_other, other) = (last_code(path.stem) for path in paths)
    # The default of a bundle has no language: `messages` beside `messages_de`.
    if other and before_other.rstrip("._-") == paths[0].stem:
        return "", other
    if one and before_one.rstrip("._-") == paths[1].stem:
        return one, ""
    if one and other and one != other:
        return one, other
    one, other = map(code_in, differing_folders(*paths))
    return (one, other) if one != other else ("", "")


# Trees of keys and values.


class _Pairs(NamedTuple):
    """A mapping, with the line of each key, from 1; 0 if lines are not known."""

    pairs: list[tuple[str, Any, int]]


class _NoText(NamedTuple):
    """A value that is not a string: a number, a truth value, a symbol."""

    spelled: str


_UNFOLDED = 1_000_000  # characters that aliases may unfold to in any file; set by hand
_UNFOLDED_TIMES = 10  # the same for each character of a larger file; set by hand


def _flattened(source: Source, tree: _Pairs, size: int) -> Iterator[tuple[str, str, int]]:
    """Yield the name, the text and the line of each string, in order; iterative.

    Raises `FormatError` when aliases make more text than any file of its size needs.

    Values of the tree are strings, `None`, `_NoText`, lists and mappings; `size` is the number of
    characters of the file.
    """
    budget = _UNFOLDED + _UNFOLDED_TIMES * size
    waiting: list[tuple[str, Any, int]] = [("", tree, 0)]
    while waiting:
        name, value, line = waiting.pop()
        budget -= 1 + len(name)
        if isinstance(value, _Pairs):
            joint = f"{name}." if name else ""
            waiting += [(joint + key, each, at) for key, each, at in reversed(value.pairs)]
        elif isinstance(value, list):
            waiting += [(f"{name}[{k}]", value[k], line) for k in range(len(value) - 1, -1, -1)]
        elif isinstance(value, _NoText):
            case = f"{name[:40]!r} ({value.spelled[:20]})"
            source.note(_NO_STRINGS, case, line=line or None)
        else:
            text = value or ""
            budget -= len(text)
            yield name, text, line
        if budget < 0 or len(waiting) > _UNFOLDED + size:
            raise source.error(
                "has values that unfold to much more text than the file has: is it a file of "
                "strings? write aliases out"
            )


def _unrooted(source: Source, second: Source, trees: list[_Pairs]) -> list[str]:
    """Replace each tree by that below a root that is a language; return the languages.

    A root (`de:`) is the only key of a file. It is a language where the name of the file says so,
    or where the other file has another root that is one.
    """
    paths = (source.path, second.path)
    langs = list(_languages_of_names(*paths))
    roots = []
    for tree in trees:
        lone = len(tree.pairs) == 1 and isinstance(tree.pairs[0][1], _Pairs)
        roots.append(code_in(tree.pairs[0][0]) if lone else "")
    differ = all(roots) and roots[0] != roots[1]
    for k, root in enumerate(roots):
        own = last_code(_pure(paths[k]).stem)[1]
        if root and (differ or root in {own, langs[k]}):
            trees[k], langs[k] = trees[k].pairs[0][1], root
    return langs


# Plural forms.

_FORM = re.compile(r"(.+)([._])(zero|one|two|few|many|other)", re.DOTALL)
Named = dict[str, tuple[str, str, int]]  # name: text, note and line


def _plurals(files: Iterable[Named]) -> set[tuple[str, str]]:
    """Return the names that have plural forms, each with its separator."""
    plurals: set[tuple[str, str]] = set()
    for names in files:
        forms: dict[tuple[str, str], set[str]] = {}
        for name in names:
            if match := _FORM.fullmatch(name):
                forms.setdefault((match[1], match[2]), set()).add(match[3])
        plurals |= {base for base, those in forms.items() if len(those) > 1 and "other" in those}
    return plurals


def _entries(source: Source, names: Named, plurals: set[tuple[str, str]], lang: str) -> Entries:
    def made() -> Iterator[Entry]:
        for name, (text, note, line) in names.items():
            match = _FORM.fullmatch(name)
            key = ("", name, "")
            if match and (match[1], match[2]) in plurals:
                key = ("", match[1], match[3])
            yield Entry(key, text, note, line or None)

    return Entries.of(source, made(), lang)


def _named(source: Source, strings: Iterable[tuple[str, str, str, int]]) -> Named:
    """Collect strings by their names; refuse characters that are none, note repeated names."""
    names: Named = {}
    for name, text, note, line in strings:
        flaw = unfit(name) or unfit(text.replace("\x0c", " "))
        if flaw:
            source.refuse(f"its string {name[:40]!a} has {flaw}", line or None)
            continue
        if name in names:
            source.note(TWICE, f"{name[:40]!r}", line=line or None)
        names[name] = (text, note, line)
    if not names:
        raise source.error("has no string by a key; want one language a file, as {key: text}")
    return names


def _read_trees(
    source: Source,
    options: ReadOptions,
    *,
    name: str,
    tree_of: Callable[[Source], tuple[_Pairs, int]],
) -> Iterator[Bitext]:
    """Yield the bitext of two files, each with a tree of strings and a number of characters."""
    second = second_file(source, options, name)
    (one, size), (other, other_size) = tree_of(source), tree_of(second)
    trees, sizes = [one, other], [size, other_size]
    langs = _unrooted(source, second, trees)
    files = []
    members = [_text_member(tree) for tree in trees]
    described = set(members) == {"message"} and _share_descriptions(*trees)
    more = members[0] == members[1] and _differ_beside(members[0], *trees)
    if described:
        kind = "descriptions that are the same in both files, read as notes of their messages"
        source.note(kind, "a message with its 'description'")
    for k, each in enumerate((source, second)):
        member, named = members[k], _pure(each.path).name.lower() == "messages.json"
        # Compiled strings may stand beside those with `defaultMessage`.
        alike = not more if members[0] == members[1] else member == "defaultMessage"
        if member and (named or described or (alike and member != "message")):
            strings = _messages(trees[k], member)
            if any("context" in _members(value) for _, value, _ in trees[k].pairs):
                each.note("contexts of strings, left out")
        else:
            trees[k], lang, notes = _without_descriptions(each, trees[k])
            langs[k] = lang or langs[k]
            flat = _flattened(each, trees[k], sizes[k])
            strings = ((name, text, notes.get(name, ""), line) for name, text, line in flat)
        files.append(_named(each, strings))
    plurals = _plurals(files)
    src, tgt = (
        _entries(each, names, plurals, lang)
        for each, names, lang in zip((source, second), files, langs, strict=True)
    )
    yield from paired_bitexts(source, second, options, src, tgt)


# JSON.


# Members beside that with the text of a string: of browser extensions and Docusaurus, FormatJS,
# structured JSON of Transifex, and that of Lokalise and Lingui.
_OBJECTS = {
    "message": {"description", "placeholders"},
    "defaultMessage": {"description", "end", "file", "id", "start"},
    "string": {"character_limit", "context", "developer_comment"},
    "translation": {
        *("comments", "context", "description", "extractedComments", "limit", "message", "notes"),
        *("obsolete", "origin", "placeholders"),
    },
}
_DESCRIPTIONS = ("description", "developer_comment", "notes")


def _text_member(tree: _Pairs) -> str:
    """Return the member with the text, if all strings are objects of one kind; empty if not."""
    objects = [_members(value) for _, value, _ in tree.pairs]
    for name, others in _OBJECTS.items():
        if objects and all(
            isinstance(each.get(name), str) and each.keys() <= others | {name} for each in objects
        ):
            return name
    return ""


def _members(value: Any) -> dict[str, Any]:
    return {key: each for key, each, _ in value.pairs} if isinstance(value, _Pairs) else {}


def _messages(tree: _Pairs, member: str) -> Iterator[tuple[str, str, str, int]]:
    for name, value, line in tree.pairs:
        members = _members(value)
        notes = [members[key] for key in _DESCRIPTIONS if isinstance(members.get(key), str)]
        yield name, members[member], notes[0] if notes else "", line


def _share_descriptions(one: _Pairs, other: _Pairs) -> bool:
    """Check whether the messages of two files differ, but none of their descriptions.

    Descriptions in two languages are strings themselves.
    """
    known = {name: (text, note) for name, text, note, _ in _messages(other, "message")}
    pairs = [
        (text, note, *known[name])
        for name, text, note, _ in _messages(one, "message")
        if name in known
    ]
    notes = [(note, described) for _, note, _, described in pairs if note and described]
    differ = any(text != translated for text, _, translated, _ in pairs)
    return differ and bool(notes) and all(note == described for note, described in notes)


def _differ_beside(member: str, one: _Pairs, other: _Pairs) -> bool:
    """Check whether strings of two files differ in a text beside `member`: a string itself."""
    known = {name: _members(value) for name, value, _ in other.pairs}
    return any(
        key != member and isinstance(text, str) and known.get(name, {}).get(key, text) != text
        for name, value, _ in one.pairs
        for key, text in _members(value).items()
    )


def _without_descriptions(source: Source, tree: _Pairs) -> tuple[_Pairs, str, dict[str, str]]:
    """Return the strings of a file, and the language and the descriptions that it has apart.

    Those of ARB are `@@locale` and `@key`; Angular has `locale` beside `translations`.
    """
    members = _members(tree)
    locale, strings = members.get("locale"), members.get("translations")
    if len(members) == 2 and isinstance(locale, str) and isinstance(strings, _Pairs):
        return strings, code_in(locale), {}
    if "$schema" in members:
        source.note(_NO_STRINGS, "'$schema'")
        tree = _Pairs([each for each in tree.pairs if each[0] != "$schema"])
    locale = members.get("@@locale")
    if locale is None and not unpacked(source.path).lower().endswith(".arb"):
        return tree, "", {}
    notes = {}
    for key, value, _ in tree.pairs:
        if key.startswith("@") and isinstance(value, _Pairs):
            given = _members(value).get("description")
            notes[key[1:]] = given if isinstance(given, str) else ""
    rest = [each for each in tree.pairs if not each[0].startswith("@")]
    lang = code_in(locale) if isinstance(locale, str) else ""
    return _Pairs(rest), lang, notes


def _json_tree(source: Source) -> tuple[_Pairs, int]:
    text = source.text()
    try:
        value = parsed(text, source.error)
    except json.JSONDecodeError as error:
        raise source.error(f"is not JSON: {error.msg}", error.lineno) from None
    if not isinstance(value, dict):
        raise source.error(
            "is no object of strings by keys: want one language a file, as "
            '{"key": "text"}; a file with both languages is named alone'
        )
    return _of_json(value), len(text)


def _of_json(value: dict[str, Any]) -> _Pairs:
    """Return parsed JSON as a tree; as deep as the parser lets it be, hence iterative."""
    top = _Pairs([])
    # Collections that are not filled yet, each with its value.
    waiting: list[tuple[Any, Any]] = [(value, top)]
    while waiting:
        given, made = waiting.pop()
        items = given.items() if isinstance(given, dict) else enumerate(given)
        for key, each in items:
            node: Any = each
            if isinstance(each, dict | list):
                node = _Pairs([]) if isinstance(each, dict) else []
                waiting.append((each, node))
            elif each is not None and not isinstance(each, str):
                node = _NoText(json.dumps(each))
            if isinstance(made, _Pairs):
                made.pairs.append((str(key), node, 0))
            else:
                made.append(node)
    return top


# YAML.

_NULL = {"", "~", "null", "Null", "NULL"}
_NO_TEXT = re.compile(
    r"[Tt]rue|TRUE|[Ff]alse|FALSE|[-+]?(?:\.\d[\d_]*|\d[\d_,]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?|"
    r"0x[0-9a-fA-F]+|0o?[0-7]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|:[A-Za-z_]\w*[?!]?",
    re.ASCII,
)
_DEEPEST = 200  # collections within each other; set by hand: the parser is quadratic in them
_COLLECTION_TAGS = {None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_TEXT_TAGS = {None, "!", "tag:yaml.org,2002:str"}


def _scalar(event: Any) -> str | _NoText | None:
    """Return the text of a scalar, `None` for null, or another value that is not a text."""
    value: str = event.value
    if event.tag not in _TEXT_TAGS:
        return None if event.tag == "tag:yaml.org,2002:null" else _NoText(f"{event.tag} {value}")
    if not event.style and event.tag is None:  # plain: None, or empty in the parser in C
        if value in _NULL:
            return None
        return _NoText(value) if _NO_TEXT.fullmatch(value) else value
    return value.rstrip("\n") if event.style in {"|", ">"} else value


def _yaml_tree(source: Source) -> tuple[_Pairs, int]:
    """Return the mapping of a file.

    Raises `FormatError` when the file is not YAML, or has no mapping of keys or more than one
    document.
    """
    yaml = import_extra("yaml", what="reading strings in YAML", extra="yaml")
    text = source.text().removeprefix("\ufeff")
    if flaw := unfit(text):
        bad = next(k for k, each in enumerate(text.split("\n"), start=1) if unfit(each))
        raise source.error(f"has {flaw}", bad)
    tree = _YamlTree(source)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            tree.take(yaml, event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = " ".join(str(getattr(error, "problem", None) or error).split())[:120]
        line = None if mark is None else mark.line + 1
        raise source.error(f"is not YAML: {reason}", line) from None
    if not isinstance(tree.top, _Pairs):
        raise source.error("has no mapping of keys to texts; want one language a file")
    return tree.top, len(text)


class _YamlTree:
    """Builds a tree of the events of a parser, without recursion.

    `top` is the value of the document.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._anchors: dict[str, Any] = {}
        # Collections, each with its waiting key and the mappings that it merges.
        self._open: list[tuple[Any, list[Any], list[tuple[Any, int]]]] = []
        self._documents = 0
        self._merged = 0
        self.top: Any = None

    def take(self, yaml: Any, event: Any) -> None:
        """Take the next event."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._source.error("has a second document; want one a file", line)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise self._source.error(f"has the alias {event.anchor!r}, but no anchor", line)
            value = self._anchors[event.anchor]
            if any(value is each for each, *_ in self._open):
                raise self._source.error(f"has the alias {event.anchor!r} within itself", line)
            self._put(value, line, plain=False)
        elif isinstance(event, yaml.ScalarEvent):
            is_key = self._open and isinstance(self._open[-1][0], _Pairs) and not self._open[-1][1]
            value = event.value if is_key else _scalar(event)
            self._anchor(event, value)
            self._put(value, line, plain=not event.style)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(self._open) == _DEEPEST:
                raise self._source.error(f"is nested deeper than {_DEEPEST} levels", line)
            value = _Pairs([]) if isinstance(event, yaml.MappingStartEvent) else []
            is_object = event.tag not in _COLLECTION_TAGS
            put = _NoText(event.tag) if is_object else value
            self._anchor(event, put)
            self._put(put, line, plain=False)
            self._open.append((value, [], []))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            holder, _, merged = self._open.pop()
            if merged:
                self._merge(holder, merged)

    def _anchor(self, event: Any, value: Any) -> None:
        if event.anchor:
            self._anchors[event.anchor] = value

    def _put(self, value: Any, line: int, *, plain: bool) -> None:
        """Put a value where it belongs: the document, a sequence, or a mapping, as key or value."""
        if not self._open:
            self.top = value
            return
        holder, waiting, merged = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif not waiting:
            if not isinstance(value, str):
                raise self._source.error("has a key that is no text; want one text a key", line)
            waiting[:] = [value, line, plain]
        else:
            key, at, plain_key = waiting
            waiting.clear()
            if key == "<<" and plain_key:
                merged.append((value, at))  # a list is not complete yet
            else:
                holder.pairs.append((key, value, at))

    def _merge(self, holder: _Pairs, merged: list[tuple[Any, int]]) -> None:
        """Add the members of merged mappings that a mapping lacks."""
        names = {key for key, _, _ in holder.pairs}
        for value, line in merged:
            for each in value if isinstance(value, list) else [value]:
                if not isinstance(each, _Pairs):
                    raise self._source.error("merges (<<) what is no mapping", line)
                self._merged += len(each.pairs)
                if self._merged > _UNFOLDED:
                    raise self._source.error("merges (<<) mappings beyond all limits", line)
                for key, part, _ in each.pairs:
                    if key not in names:
                        names.add(key)
                        holder.pairs.append((key, part, line))


# Java properties.

_BLANK = " \t\x0c"
_KEY = re.compile(r"((?:[^\\=: \t\x0c]|\\.)*)[ \t\x0c]*[=:]?[ \t\x0c]*", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "f": "\x0c"}


def _logical_lines(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yield the lines with a key, each with its number and the comment above it."""
    lines = enumerate(re.split(r"\r\n|\r|\n", source.text().removeprefix("\ufeff")), start=1)
    comment: list[str] = []
    for number, line in lines:
        line = line.lstrip(_BLANK)
        if not line:
            comment = []
            continue
        if line[0] in "#!":
            comment.append(line.lstrip("#!").strip())
            continue
        parts = [line]
        while (len(parts[-1]) - len(parts[-1].rstrip("\\"))) % 2:
            _, more = next(lines, (0, ""))
            parts[-1] = parts[-1][:-1]
            parts.append(more.lstrip(_BLANK))
        yield number, "".join(parts), " ".join(filter(None, comment))
        comment = []


def _properties(source: Source) -> Iterator[tuple[str, str, str, int]]:
    for number, line, comment in _logical_lines(source):
        bad = next((each for each in _ESCAPE.finditer(line) if each[1] == "u"), None)
        if bad:
            shown = line[bad.start() : bad.start() + 6]
            source.refuse(f"has the escape {shown!r}; want \\u and four digits", number)
            continue
        match = _KEY.match(line)
        end = match.end() if match else 0
        key = _unescaped(match[1]) if match else ""
        yield key, _unescaped(line[end:]), comment, number


def _unescaped(text: str) -> str:
    r"""Resolve the escapes of properties.

    Examples
    --------
    >>> _unescaped("caf\\u00e9 \\= \\:\\q")
    'café = :q'

    """
    if "\\" not in text:
        return text
    return sound_text(_ESCAPE.sub(partial(escaped, signs=_ESCAPED), text))


def _read_properties(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    second = second_file(source, options, "properties")
    langs = _languages_of_names(source.path, second.path)
    one, other = (
        _entries(each, _named(each, _properties(each)), set(), lang)
        for each, lang in zip((source, second), langs, strict=True)
    )
    yield from paired_bitexts(source, second, options, one, other)


JSON_STRINGS = FILE_A_LANGUAGE(
    name="json-strings",
    title="strings by keys in JSON, a file a language (read)",
    read=partial(_read_trees, name="json-strings", tree_of=_json_tree),
)
YAML_STRINGS = FILE_A_LANGUAGE(
    name="yaml-strings",
    title="strings by keys in YAML, a file a language (read)",
    read=partial(_read_trees, name="yaml-strings", tree_of=_yaml_tree),
    extra="yaml",
)
PROPERTIES = FILE_A_LANGUAGE(
    name="properties",
    title="strings in Java properties, a file a language (read)",
    read=_read_properties,
)
