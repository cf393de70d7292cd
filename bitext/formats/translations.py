"""Rows with texts in any number of languages, as data sets of Hugging Face have them.

`{"language": ["de", "en", "fr", "fr"], "translation": ["die Katze", "the cat", "le chat", "la
chatte"]}` is their `TranslationVariableLanguages`. Several texts in a language pair off, in order,
with the texts in the other language; the shorter side repeats its last text, as in TMX. Texts in
further languages are by their codes, the second one `fr#2`. A list of objects, as `[{"language":
"en", "text": "the cat"}]`, is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.formats.languages import finds, normal, two_languages, wrong_languages

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bitext.formats.io.source import Source

__all__ = ["VariableLanguages", "is_variable", "names_of_pairs"]


_CODE_KEYS = ("language", "lang", "locale")
_TEXT_KEYS = ("text", "translation", "value")


def is_variable(value: object) -> bool:
    """Return whether a value has languages and texts in lists.

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
    """Return the key of the language and that of the text; `None` where keys have other names."""
    code = next((key for key in _CODE_KEYS if key in keys), "")
    text = next((key for key in _TEXT_KEYS if key in keys), "")
    return (code, text) if code and text and len(keys) == 2 else None


def _lists_of(value: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return the languages and the texts of a value that `is_variable`."""
    if isinstance(value, dict):
        return value["language"], value["translation"]
    names = [names_of_pairs(each.keys()) or ("", "") for each in value]
    pairs = [*zip(value, names, strict=True)]
    return [each[code] for each, (code, _) in pairs], [each[text] for each, (_, text) in pairs]


class VariableLanguages:
    """Makes rows in two languages, and further ones, of rows in any.

    Parameters
    ----------
    source : Source
        The file.
    asked : pair of str
        The languages of the user. Where one is missing, the first row settles both.
    noun : str
        The word for a row in notes.

    """

    def __init__(self, source: Source, asked: tuple[str, str], noun: str) -> None:
        self._source, self._asked, self._noun = source, asked, noun
        named = all(asked) and normal(asked[0]) != normal(asked[1])
        self._langs = asked if named else None
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
        if self._langs is None and not texts:
            return [{}]
        if self._langs is None:
            self._langs = two_languages(list(texts), self._asked)
            if self._langs is None:
                raise self._source.error(wrong_languages(list(texts), self._asked), number)
        own = [self._code(texts, lang) for lang in self._langs]
        if not any(self._asked) and not texts.keys() <= {*own}:
            self._source.refuse(wrong_languages(list(texts), self._asked), number)
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

        Raises
        ------
        FormatError
            When a language that was asked for is in no row.

        """
        if self._seen and any(self._asked) and not all(self._met):
            raise self._source.error(wrong_languages(list(self._seen), self._asked))
