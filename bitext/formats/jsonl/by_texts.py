"""JSON lines by texts or by languages, and rows in any number of languages.

Such rows are those of data sets of Hugging Face (`TranslationVariableLanguages`):
`{"language": ["de", "en", "fr", "fr"], "translation": ["die Katze", "the cat", "le chat", "la
chatte"]}`. Several texts in a language pair off, in order,
with the texts in the other language; the shorter side repeats its last text, as in TMX. Texts in
further languages are by their codes, the second one `fr#2`. A list of objects, as `[{"language":
"en", "text": "the cat"}]`, is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, compress, repeat
from math import nan
from operator import itemgetter
from typing import Any, cast

from bitext.formats.beads import AttributeColumns, Beads
from bitext.formats.columns import SAMPLE
from bitext.formats.header_names import head_of, language_columns, names_texts
from bitext.formats.io.source import Source
from bitext.formats.languages import (
    NO_CODES,
    RowLanguages,
    finds,
    normal,
    two_languages,
    wrong_languages,
)
from bitext.formats.line_files import grouped, no_segment
from bitext.formats.registry import LANGUAGE, ReadOptions
from bitext.formats.scores import score_of
from bitext.lazy import late_pattern
from bitext.model import Bitext
from bitext.model.languages import language_of
from bitext.model.word_links import COLUMN

_CODE_KEYS = ("language", "lang", "locale")
_TEXT_KEYS = ("text", "translation", "value")


def is_variable(value: object) -> bool:
    """Recognise a value with its languages and texts in lists.

    Examples
    --------
    >>> is_variable({"language": ["en"], "translation": ["a"]}), is_variable({"en": "a"})
    (True, False)
    >>> is_variable([{"lang": "en", "text": "a"}]), is_variable(["a"])
    (True, False)

    """
    if isinstance(value, list):
        return bool(value) and all(
            isinstance(each, dict) and names_of_pairs(each.keys()) for each in value
        )
    return (
        isinstance(value, dict)
        and value.keys() == {"language", "translation"}
        and all(isinstance(each, list) for each in value.values())
    )


def names_of_pairs(keys: Collection[str]) -> tuple[str, str] | None:
    """Return the key of the language and that of the text; `None` if keys have other names."""
    code = next((key for key in _CODE_KEYS if key in keys), "")
    text = next((key for key in _TEXT_KEYS if key in keys), "")
    return (code, text) if code and text and len(keys) == 2 else None


# Objects of other shapes, made objects with one value a key.

_ANSWERS = ("annotations", "completions")  # of tasks of Label Studio, now and in its first versions


def flat_object(source: Source, number: int, item: dict[str, Any]) -> dict[str, Any] | None:
    """Return an object with texts within objects as one with a text a key; others as they are.

    Two sides may be objects with a text and its language: `{"source": {"lang": "en", "text": "a"},
    "target": ...}`. A task of Label Studio has its texts in `data`, and its answers in annotations.
    `None` for a task that no annotator has answered, and that has no two texts of its own.
    """
    if isinstance(item.get("data"), dict) and any(
        isinstance(item.get(key), list) for key in _ANSWERS
    ):
        return _answered_task(source, number, item)
    if not is_of_sides(item):
        return item
    sides = {
        key: role
        for key, value in item.items()
        if isinstance(value, dict) and (role := head_of(key).role) in {"src", "tgt"}
    }
    flat = {key: value for key, value in item.items() if key not in sides}
    for key, role in sides.items():
        code, text = names_of_pairs(item[key].keys()) or ("", "text")
        flat |= {role: item[key].get(text), f"{role}_lang": item[key].get(code)}
    return {key: value for key, value in flat.items() if value is not None or key in {"src", "tgt"}}


def is_of_sides(item: dict[str, Any]) -> bool:
    """Recognise two sides that are objects, each with a text and at most its language.

    Examples
    --------
    >>> is_of_sides({"source": {"lang": "en", "text": "a"}, "target": {"lang": "de", "text": "b"}})
    True
    >>> is_of_sides({"source": {"0": "a"}, "target": {"0": "b"}})
    False

    """
    sides = [(head_of(key).role, value) for key, value in item.items() if isinstance(value, dict)]
    return sorted(role for role, _ in sides if role in {"src", "tgt"}) == ["src", "tgt"] and all(
        names_of_pairs(value.keys()) or value.keys() == {"text"}
        for role, value in sides
        if role in {"src", "tgt"}
    )


def _answered_task(source: Source, number: int, item: dict[str, Any]) -> dict[str, Any] | None:
    """Return the texts of a task of Label Studio, and the answers of its first annotator."""
    given = next(item[key] for key in _ANSWERS if isinstance(item.get(key), list))
    answers = [
        each["result"]
        for each in given
        if isinstance(each, dict)
        and not each.get("was_cancelled")
        and isinstance(each.get("result"), list)
    ]
    if len(answers) > 1:
        kind = "tasks of Label Studio with several annotations, the first of which is read"
        source.note(kind, len(answers), line=number)
    flat = {"id": item["id"]} if "id" in item and "id" not in item["data"] else {}
    flat |= item["data"]
    if not answers and not names_texts([key for key in flat if isinstance(flat[key], str)]):
        source.note("tasks of Label Studio without an annotation, left out", line=number)
        return None
    for result in answers[0] if answers else ():
        value = result.get("value") if isinstance(result, dict) else None
        values = [] if not isinstance(value, dict) or "start" in value else [*value.values()]
        if len(values) != 1:
            source.note("annotations of spans, left out", line=number)
            continue
        several = values[0] if isinstance(values[0], list) else [values[0]]
        name = str(result.get("from_name", "answer"))
        for k, each in enumerate(several, start=1):
            key = f"{name}#{k}" if k > 1 else name
            flat[f"{key}_" if key in item["data"] else key] = each
    return flat


def keys_of_texts(item: dict[str, Any]) -> list[str]:
    """Return the keys of an object that may name its texts: those of strings, or lists of them.

    Examples
    --------
    >>> keys_of_texts({"id": 7, "text": "a", "label": ["b"], "spans": [[0, 1]]})
    ['text', 'label']

    """
    return [
        key
        for key, value in item.items()
        if isinstance(value, str)
        or (isinstance(value, list) and value and all(isinstance(each, str) for each in value))
    ]


def _lists_of(value: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return the languages and the texts of a value that `is_variable`."""
    if isinstance(value, dict):
        return value["language"], value["translation"]
    names = [names_of_pairs(each.keys()) or ("", "") for each in value]
    pairs = [*zip(value, names, strict=True)]
    return [each[code] for each, (code, _) in pairs], [each[text] for each, (_, text) in pairs]


class VariableLanguages:
    """Makes rows in two languages, and further ones, of rows in any languages.

    `requested` are the languages of the user: if one is missing, the first row settles both. `noun`
    is the word for a row in notes.
    """

    def __init__(self, source: Source, requested: tuple[str, str], noun: str) -> None:
        self._source, self._requested, self._noun = source, requested, noun
        named = all(requested) and normal(requested[0]) != normal(requested[1])
        self._langs = requested if named else None
        self._seen: dict[str, None] = {}
        self._met = [False, False]

    @property
    def langs(self) -> tuple[str, str]:
        """The two languages; empty before the first row."""
        return self._langs or ("", "")

    def rows(self, number: int, value: Any) -> list[dict[str, str]]:
        """Return the rows that a row makes, each with its texts by language; refuse a bad row.

        The texts in the two languages are under `langs`, however the row spells these.
        """
        texts = self._texts(number, value)
        if texts is None:
            return []
        if self._langs is None:
            if not texts:
                return [{}]
            self._langs = two_languages(list(texts), self._requested)
            if self._langs is None:
                raise self._source.error(wrong_languages(list(texts), self._requested), number)
        own = [self._code(texts, lang) for lang in self._langs]
        if not any(self._requested) and not texts.keys() <= {*own}:
            self._source.refuse(wrong_languages(list(texts), self._requested), number)
            return []
        self._met = [met or bool(code) for met, code in zip(self._met, own, strict=True)]
        sides = [texts.get(code, []) for code in own]
        count = max(map(len, sides))
        if count > 1:
            kind = f"{self._noun}s with several texts in a language, paired off in order"
            place = f"{self._source.path} {self._noun} {number}"
            self._source.notes.add(kind, f"{place}: {len(sides[0])} and {len(sides[1])}")
        further = {
            f"{code}#{k}" if k > 1 else code: text
            for code, those in texts.items()
            if code not in own
            for k, text in enumerate(those, start=1)
        }
        made = []
        for k in range(max(count, 1)):
            pair = zip(self._langs, sides, strict=True)
            row = {lang: side[min(k, len(side) - 1)] for lang, side in pair if side}
            made.append(row | further)
        return made

    def _code(self, texts: dict[str, list[str]], wanted: str) -> str:
        """Return the code in a row that is the wanted one, or the first that refines it."""
        if wanted in texts:
            return wanted
        return next((code for code in texts if finds(wanted, code)), "")

    def _texts(self, number: int, value: Any) -> dict[str, list[str]] | None:
        """Return the texts of a row by their languages; refuse a bad row."""
        empty = not value or (isinstance(value, dict) and not any(value.values()))
        valid = empty or is_variable(value)
        codes, given = _lists_of(value) if valid and not empty else ((), ())
        flaw = ""
        if not valid:
            flaw = f"has {value!r:.40} as its translations; want lists of languages and of texts"
        elif len(codes) != len(given):
            flaw = f"has {len(codes)} languages and {len(given)} texts; want as many"
        elif not all(isinstance(code, str) and code for code in codes):
            flaw = f"has the languages {codes!r:.60}; want codes"
        elif not all(isinstance(text, str | None) for text in given):
            flaw = f"has the texts {given!r:.60}; want texts"
        if flaw:
            self._source.refuse(flaw, number)
            return None
        texts: dict[str, list[str]] = {}
        for code, text in zip(codes, given, strict=True):
            if text:
                texts.setdefault(code, []).append(text)
        self._seen.update(dict.fromkeys(texts))
        return texts

    def check(self) -> None:
        """Check after the last row that there were texts in both languages.

        Raises `FormatError` when a requested language is in no row.
        """
        if self._seen and any(self._requested) and not all(self._met):
            raise self._source.error(wrong_languages(list(self._seen), self._requested))


# Reading JSON lines by texts or by languages; scores and attributes of objects of any form.


Line = tuple[int, dict[str, Any]]

_KEYS = frozenset({"src", "tgt", "score", "translation"})


def read_texts(source: Source, options: ReadOptions, lines: Iterator[Line]) -> Iterator[Bitext]:
    """Yield the bitext of objects by texts or by languages, or its parts."""
    beads = Beads(source, options)
    texts: _Texts | None = None
    for group in grouped(lines, options):
        if texts is None and group:
            texts = _Texts(source, options, group)
            beads.langs = texts.langs
        if texts is not None:
            texts.add(beads, group)
            beads.langs = texts.langs
            yield from beads.parts()
    if texts is not None:
        texts.check()
    yield from beads.rest()


class _Texts:
    """Adds objects by texts or by languages, in groups, to a collector of bisegments.

    `langs` are the languages of the two texts, where the objects have them. `variable` takes
    objects in any number of languages each, and makes objects in two languages of them.
    """

    def __init__(self, source: Source, options: ReadOptions, lines: Sequence[Line]) -> None:
        first = lines[0]
        self._source = source
        self._requested = options.requested
        self._every = options.every_language
        self._lined = options.lines
        self._by_languages = "translation" in first[1] and "src" not in first[1]
        self.variable: VariableLanguages | None = None
        if self._by_languages and is_variable(first[1]["translation"]):
            self.variable = VariableLanguages(source, self._requested, "line")
        self._keys = self._languages(first) if self._by_languages else ("src", "tgt")
        wanted = ("", "") if self._every else options.languages
        self._row_langs = RowLanguages(source, "line", wanted)
        self._lang_keys: list[str | None] = []  # the keys with the languages of each object
        sample = [item for _, item in lines[: min(SAMPLE, options.part_size)]]
        self.langs = self._keys if self._by_languages else self._named_languages(sample)
        self._nulls = False
        # the first line with an empty string as an empty side, and the number of such lines
        self._bare: list[int] = []

    def _languages(self, first: Line) -> tuple[str, str]:
        if self.variable is not None:
            return self.variable.langs
        names = list(first[1]["translation"])
        langs = two_languages(names, self._requested)
        if langs is None:
            raise self._source.error(wrong_languages(names, self._requested), first[0])
        return langs

    def _named_languages(self, items: list[dict[str, Any]]) -> tuple[str, str]:
        """Return the languages of the first object, as keys like `src_lang` name them.

        The first objects may lack one, or have a code of no language.
        """
        names = [*dict.fromkeys(key for item in items for key in item)]
        langs = []
        for side, k in enumerate(language_columns(names)):
            key = None if k is None else names[k]
            values = (item.get(key) for item in items) if key is not None else ()
            codes = [v if isinstance(v, str) and v not in NO_CODES else "" for v in values]
            self._lang_keys.append(key if language_of(next(filter(None, codes), "")) else None)
            lang = language_of(codes[0]) if codes else ""
            langs.append(lang if self._row_langs.is_wanted(side, lang) else "")
        return langs[0], langs[1]

    def check(self) -> None:
        """Check after the last object that some were in the requested languages."""
        if self.variable is not None:
            self.variable.check()
        self._row_langs.check()

    def add(self, beads: Beads, lines: list[Line]) -> None:
        """Add the objects as bisegments, except those without text on either side."""
        if self.variable is not None:
            lines = [
                (number, item | {"translation": texts})
                for number, item in lines
                for texts in self.variable.rows(number, item["translation"])
            ]
            self._keys = self.langs = self.variable.langs
        elif self._by_languages:
            lines = [line for line in lines if self._is_translation(line)]
        if any(self._lang_keys) and lines:
            codes = [[item.get(key) for _, item in lines] for key in self._lang_keys if key]
            chosen = self._row_langs.select(self._lang_keys, [n for n, _ in lines], codes)
            lines = lines if chosen is None else list(compress(lines, chosen))
        rows = [item["translation"] if self._by_languages else item for _, item in lines]
        sides: list[list[Any]] = [[row.get(key) for row in rows] for key in self._keys]
        further: list[bool] = []
        if not all(map(all, sides)):
            further = self._has_further(rows)
            taken = self._taken(lines, sides[0], sides[1], further)
            lines = list(compress(lines, taken))
            further = list(compress(further, taken))
            sides = [list(compress(side, taken)) for side in sides]
        if lines:
            # In files with null for no text, an empty text is a segment.
            there = [[bool(x) or (x is not None and self._nulls) for x in side] for side in sides]
            for k, alone in enumerate(further):
                if alone and not (there[0][k] or there[1][k]):
                    there[0][k], sides[0][k] = True, ""
            block = Block.of_lines(lines)
            columns = block.attributes(self._source, _KEYS)
            beads.extend(
                list(compress(sides[0], there[0])),
                list(compress(sides[1], there[1])),
                sizes=(there[0], there[1]),
                scores=block.scores(),
                attributes=columns | self._others(lines),
                lines=block.numbers if self._lined else None,
            )

    def _is_translation(self, line: Line) -> bool:
        number, item = line
        sides: dict[str, object] = item["translation"]
        wrong = next((lang for lang in sides if not isinstance(sides[lang], str | None)), None)
        if not any(self._requested) and sides.keys() != set(self._keys):
            self._source.refuse(wrong_languages(list(sides), self._requested), number)
            return False
        if wrong is not None:
            self._source.refuse(f"has {sides[wrong]!r:.40} as its {wrong!r}; want a text", number)
        return wrong is None

    def _has_further(self, rows: list[dict[str, Any]]) -> list[bool]:
        """Return for each object whether it has a text in a further language that is read."""
        if not (self._every and self._by_languages):
            return [False] * len(rows)
        return [any(text for key, text in row.items() if key not in self._keys) for row in rows]

    def _taken(
        self, lines: list[Line], src: list[str | None], tgt: list[str | None], further: list[bool]
    ) -> list[bool]:
        """Return for each object whether it is a bisegment, where some have an empty side."""
        if not self._nulls and (None in src or None in tgt):
            self._nulls = True
            if self._bare:
                kind = "empty strings before the first null, taken as empty sides"
                self._source.note(kind, line=self._bare[0], count=self._bare[1])
        taken = []
        for (number, _), also, *pair in zip(lines, further, src, tgt, strict=True):
            if also and not any(pair):
                taken.append(True)
                continue
            full = [side is not None if self._nulls else bool(side) for side in pair]
            if "" in pair and self._nulls:
                kind = "empty strings beside null, taken as segments without characters"
                self._source.note(kind, line=number)
            elif "" in pair:
                self._bare = [self._bare[0], self._bare[1] + 1] if self._bare else [number, 1]
            if not any(full):
                no_segment(self._source, number)
            taken.append(any(full))
        return taken

    def _others(self, lines: list[Line]) -> dict[str, list[str | None]]:
        """Return the texts in further languages, as columns."""
        if not self._by_languages or not any(self._requested):
            return {}
        rows = [item["translation"] for _, item in lines]
        names = dict.fromkeys(chain.from_iterable(rows))
        return {
            f"{LANGUAGE}{name}": [row.get(name) for row in rows]
            for name in names
            if name not in self._keys
        }


def object_score(item: dict[str, Any]) -> float | None:
    """Return the score of an object, `nan` without one; `None` for an invalid value."""
    value = item.get("score")
    if value is None or isinstance(value, float):
        return nan if value is None else value
    return score_of(value if isinstance(value, str) else json.dumps(value))


class Block:
    """Some objects, with their lines and the columns of their values.

    `numbers` are the lines of the objects, and `keys` their keys, in order of first occurrence.
    """

    __slots__ = ("_columns", "keys", "numbers", "objects")

    def __init__(self, numbers: Sequence[int], objects: list[dict[str, Any]]) -> None:
        self.numbers, self.objects = numbers, objects
        self._columns: dict[str, list[Any]] = {}
        keys = tuple(objects[0]) if objects else ()
        # Most objects have the same keys: then all values are taken at once.
        if len(keys) > 1 and sum(map(len, objects)) == len(keys) * len(objects):
            try:
                columns = zip(*map(itemgetter(*keys), objects), strict=True)
                self._columns = dict(zip(keys, map(list, columns), strict=True))
            except KeyError:
                keys = ()
        self.keys: dict[str, None] = dict.fromkeys(self._columns) or dict.fromkeys(
            chain.from_iterable(dict.fromkeys(map(tuple, objects)))
        )

    def __len__(self) -> int:
        return len(self.objects)

    @classmethod
    def of_lines(cls, lines: Sequence[Line]) -> Block:
        """Return the block of objects with their lines."""
        return cls([number for number, _ in lines], [item for _, item in lines])

    def lines(self) -> Iterator[Line]:
        """Yield each object with its line."""
        return zip(self.numbers, self.objects, strict=True)

    def values(self, key: str) -> list[Any]:
        """Return the values of a key, `None` if an object lacks it."""
        if key not in self.keys:
            return [None] * len(self)
        if (column := self._columns.get(key)) is None:
            column = self._columns[key] = list(map(dict.get, self.objects, repeat(key)))
        return column

    def scores(self) -> list[float]:
        """Return the scores of the objects, which are valid, `nan` if there is none."""
        if "score" not in self.keys:
            return [nan] * len(self)
        values = self.values("score")
        if set(map(type, values)) != {float}:
            values = [*map(object_score, self.objects)]
        return cast("list[float]", values)

    def attributes(self, source: Source, ours: frozenset[str]) -> dict[str, list[str | None]]:
        """Return the values of the keys outside of `ours`, as columns over the objects."""
        columns: dict[str, list[str | None]] = {}
        if self.objects:
            given, line = sum(map(len, self.objects)), self.numbers[0]
            AttributeColumns(source).refuse_sparse(len(self.keys), len(self), given, line)
        left: list[tuple[int, str]] = []  # line and key of the values that no column can hold
        for key in self.keys:
            if key in ours:
                continue
            values = self.values(key)
            kinds = set(map(type, values))
            if not kinds <= {str, type(None)}:
                values = list(map(_joined_links, values)) if key == COLUMN else values
                several = map(_is_several, values)
                left += [(number, key) for number in compress(self.numbers, several)]
                values = [None if _is_several(value) else _spell(value) for value in values]
                kinds = set(map(type, values))
            if kinds != {type(None)}:
                columns[key] = values
        if left:
            kind = "values of further keys that are lists or objects, left out"
            number, key = min(left, key=itemgetter(0))
            source.note(kind, f"{key[:40]!r}", line=number, count=len(left))
        return columns


_LINK = late_pattern(r"\d{1,9}[-p?]\d{1,9}", re.ASCII)


def _joined_links(value: Any) -> Any:
    """Return a list of word links, `[[0, 0], [1, 2]]` or `["0-0", "1-2"]`, as one string."""
    if not isinstance(value, list):
        return value
    links = [
        f"{each[0]}-{each[1]}"
        if isinstance(each, list) and list(map(type, each)) == [int, int]
        else each
        for each in value
    ]
    spelled = all(isinstance(each, str) and _LINK.fullmatch(each) for each in links)
    return " ".join(links) if spelled else value


def _is_several(value: object) -> bool:
    return isinstance(value, list | dict)


def _spell(value: object) -> str | None:
    return value if isinstance(value, str | None) else json.dumps(value)
