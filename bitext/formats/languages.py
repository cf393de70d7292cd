"""Language codes: comparing them, choosing two, and inferring them from the names of files.

Codes are compared without case, `_` as `-`. A requested code matches itself and any code that
refines it: `en` matches `en-GB`, `en-GB` does not match `en`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from operator import contains, itemgetter
from pathlib import Path, PurePath
from typing import Any

from bitext.errors import InputError, check_type, nearest, remedy
from bitext.formats.io.compression import unpacked
from bitext.formats.io.remote import called
from bitext.formats.io.source import Notes, Source
from bitext.formats.scores import MISSING
from bitext.lazy import late_pattern
from bitext.model import Bitext, Text
from bitext.model.languages import (
    SCRIPTS,
    is_language,
    language_of,
    main_language,
    nearest_language,
)

# Codes of an undetermined language, by its side (BCP 47), for formats that require a code.
UNKNOWN = ("und-x-src", "und-x-tgt")

# The request for the first two of any number of languages (`ReadOptions.every_language`).
EVERY = ("*", "*")

# A code with scripts and regions, as parts of names may have it; `code_in` judges it.
_LOCALE = late_pattern(r"([A-Za-z]{2,3})((?:[-_](?:[A-Za-z]{2}|[A-Za-z]{4}|[0-9]{3})){0,2})")
_WORD = late_pattern(r"[^\W\d_]+")
_TEXTS = (
    ".txt", ".text", ".xml", ".jsonl", ".json", ".srt", ".vtt",
    ".html", ".htm", ".xhtml", ".docx", ".docm", ".odt", ".epub", ".md", ".markdown", ".rtf",
    ".pdf", ".usfm", ".sfm", ".ass", ".ssa",
)  # fmt: skip


def normal(code: str) -> str:
    """Normalize a code for comparison.

    Examples
    --------
    >>> normal("FR_fr")
    'fr-fr'

    """
    check_type("the language", code, str, "a code, as en")
    return code.strip().replace("_", "-").lower()


# Languages that count as the wider one, by the codes that corpora have for its standard.
_MEMBERS = {"nb": "no", "nn": "no", "cmn": "zh", "arb": "ar", "pes": "fa", "zsm": "ms", "fil": "tl"}
_MEMBERS |= {"lvs": "lv", "ekk": "et", "swh": "sw", "npi": "ne", "ory": "or", "uzn": "uz"}
_MEMBERS |= {"als": "sq", "khk": "mn", "azj": "az", "kmr": "ku", "plt": "mg", "gaz": "om"}
_MEMBERS |= {"pbt": "ps", "ydd": "yi"}
# Regions of Chinese that imply a script.
_CHINESE = {f"zh-{region}": f"zh-hans-{region}" for region in ("cn", "sg")}
_CHINESE |= {f"zh-{region}": f"zh-hant-{region}" for region in ("hk", "mo", "tw")}
# Codes of ISO 639 for several languages or none, and words that files have in place of codes, as
# programs that identify languages do (`un` of CLD2).
_NO_LANGUAGE = frozenset(("und", "mul", "mis", "zxx", "xx", "un", "unk", "src", "tgt"))
NO_CODES = MISSING | {"un", "und", "unk", "xx"}
"""Values of a column of languages where none is known."""
_LONGEST_CODE = 3  # letters of the code of a language; longer strings may be a name


def finds(wanted: str, code: str) -> bool:
    """Match a code against the wanted code or a refinement of it; three-letter codes count alike.

    Files may have the name of a language where its code should be: it counts as the code.

    Examples
    --------
    >>> finds("en", "English"), finds("de", "German (Austria)"), finds("English", "en")
    (True, True, True)
    >>> finds("en", "EN-us"), finds("en", "eng-Latn"), finds("en-GB", "en"), finds("en", "enm")
    (True, True, False, False)
    >>> finds("he", "iw-IL"), finds("no", "nb"), finds("nb", "no"), finds("zh-Hans", "zh-CN")
    (True, True, False, True)
    >>> finds("zh", "cmn_Hans"), finds("ar", "arb"), finds("cmn", "zh"), finds("zh", "yue")
    (True, True, False, False)

    """
    wanted, code = _by_shortest_code(wanted), _by_shortest_code(code)
    wider = _MEMBERS.get(code.partition("-")[0])
    return wanted in {code, wider} or code.startswith(f"{wanted}-")


def _by_shortest_code(code: str) -> str:
    """Normalize a code for comparison, its language by two letters where there are such."""
    if len(code) > _LONGEST_CODE and (named := language_of(code.partition("(")[0].strip())):
        code = named
    code = normal(code)
    shortest = "".join([main_language(code), *code.partition("-")[1:]])
    return _CHINESE.get(shortest, shortest)


def agreed_language(source: Source, requested: str, own: str) -> str:
    """Return the language of a text, by the user and by its file; either may be empty.

    Raises `FormatError` when the two contradict each other.
    """
    if requested and own and not (finds(requested, own) or finds(own, requested)):
        raise source.error(
            f"has a text in {own[:40]!r}, and asked for is {requested!r}: exchange the two "
            f"languages, or leave them out ({remedy('src-lang', 'tgt-lang')})"
        )
    return own if requested and own and finds(requested, own) else requested or own


def known(code: str) -> str:
    """Return a code unchanged; empty for the codes of an undetermined language."""
    return "" if normal(code) in UNKNOWN else code


def unusual_code(code: str) -> str:
    """Word the note on a string that was given for the code of a language; empty for a code.

    Examples
    --------
    >>> unusual_code("germn"), unusual_code("de-AT")
    ("is not the code of a language (did you mean 'de'?); it is written as it is", '')

    """
    if len(normal(code).partition("-")[0]) <= _LONGEST_CODE:
        return ""
    near = language_of(code.strip()) or nearest_language(code.strip())
    hint = f"did you mean {near!r}?" if near else "want one as 'de'"
    return f"is not the code of a language ({hint}); it is written as it is"


def languages_of(bitext: Bitext, requested: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """Return the requested languages, and those of the texts where none is requested."""
    own = (text.lang if text is not None else "" for text in (bitext.src, bitext.tgt))
    src, tgt = (given or lang for given, lang in zip(requested, own, strict=True))
    return src, tgt


def refuse_others(
    bitext: Bitext, langs: tuple[str, str], wanted: tuple[str, str], format_and_units: str
) -> None:
    """Refuse a document pair in other languages than the file that it is to be written to.

    `langs` are the languages of the document pair, `wanted` those of the first one. A text without
    any segment may be of any language. `format_and_units` is the format and its name for
    bisegments: `tmx ... units`.

    Raises `InputError` when the languages differ.
    """
    texts = (bitext.src, bitext.tgt)
    if all(
        normal(one) == normal(other) or (text is not None and not len(text))
        for one, other, text in zip(langs, wanted, texts, strict=True)
    ):
        return
    name, _, units = format_and_units.partition(" ... ")
    shown = [" and ".join(map(repr, each)) for each in (langs, wanted)]
    raise InputError(
        f"{name} has the same two languages in all {units}, but {bitext.name or 'a later text'} "
        f"has {shown[0]} where the first has {shown[1]}; write each pair of languages to a file "
        f"of its own, or name two for all ({remedy('src-lang', 'tgt-lang')})"
    )


def in_one_pair(
    bitexts: Iterable[Bitext],
    requested: tuple[str, str],
    format_name: str,
    files: tuple[str, str] | None,
    notes: Notes,
) -> Iterator[Bitext]:
    """Yield bitexts for a format without languages; refuse to mix languages in its files.

    Regions and scripts are ignored: `en-GB` and `en-US` may stand in one file. `requested` are the
    languages that the user set for all bitexts; empty for the languages of the texts. `files` are
    the names of two files, one a side. `notes` takes files whose names contradict the languages of
    their texts.

    Raises `InputError` when two document pairs have different languages, or the two file names have
    the languages of the two sides exchanged.
    """
    named = ("", "") if files is None else main_codes(named_languages(*files))
    first = ("", "")
    for bitext in bitexts:
        if not bitext.continues:
            langs = _codes_of(bitext, requested)
            if files is not None and any(named):
                _check_names(files, named, langs, notes)
            # A side whose language is unknown, here or before, contradicts nothing.
            langs = langs[0] or first[0], langs[1] or first[1]
            first = first[0] or langs[0], first[1] or langs[1]
            refuse_others(bitext, langs, first, f"{format_name} ... lines")
        yield bitext


def _codes_of(bitext: Bitext, requested: tuple[str, str]) -> tuple[str, str]:
    """Return the main codes of both sides, without region and script.

    If neither text has a language, the codes come from the names of the texts.
    """
    texts = (bitext.src, bitext.tgt)
    codes = [
        code or ("" if text is None or not len(text) else known(text.lang))
        for code, text in zip(requested, texts, strict=True)
    ]
    if not any(codes):
        names = ["" if text is None else text.name for text in texts]
        codes = [*named_languages(names[0], names[1])]
    return main_codes((codes[0], codes[1]))


def main_codes(codes: tuple[str, str]) -> tuple[str, str]:
    """Return two codes without region and script."""
    src, tgt = (normal(code).partition("-")[0] for code in codes)
    return src, tgt


def _check_names(
    files: tuple[str, str], named: tuple[str, str], langs: tuple[str, str], notes: Notes
) -> None:
    """Refuse two files whose names have the languages exchanged; note other contradictions."""
    both = f"{files[0]} and {files[1]}"
    shown = f"{langs[0] or 'unknown'} and {langs[1] or 'unknown'}"
    pairs = zip(langs, named, strict=True)
    if not any(code and len(code) == len(name) and code != name for code, name in pairs):
        return
    if all(code in {"", name} for code, name in zip(langs, named[::-1], strict=True)):
        raise InputError(
            f"{both}: their names say {named[0]} and {named[1]}, and the texts that would be "
            f"written there are {shown}: exchange the two names"
        )
    kind = "files whose names say other languages than their texts have"
    notes.add(kind, f"{both}: texts in {shown}")


def two_languages(names: list[str], requested: tuple[str, str]) -> tuple[str, str] | None:
    """Choose the source and the target language; `None` if the choice is unclear.

    `names` are the languages of the file. `requested` is empty for a side without request; without
    any request there must be exactly two languages.

    Examples
    --------
    >>> two_languages(["en", "fr"], ("", "")), two_languages(["de", "en-GB", "fr"], ("fr", "en"))
    (('en', 'fr'), ('fr', 'en-GB'))

    """
    if not any(requested):
        return (names[0], names[1]) if len(names) == 2 else None
    if requested == EVERY:
        return (names[0], names[1]) if len(names) > 1 else None
    src, tgt = (_chosen(each, names) for each in requested)
    if not (src and tgt):
        others = [name for name in names if name not in {src, tgt}]
        only = others[0] if len(others) == 1 else ""
        src, tgt = (src if requested[0] else only), (tgt if requested[1] else only)
    return (src, tgt) if src and tgt and src != tgt else None


def _chosen(requested: str, names: list[str]) -> str:
    """Return the requested language, else the first that refines it, else an empty string."""
    if requested in names or not requested:
        return requested
    return next((name for name in names if finds(requested, name)), "")


def wrong_languages(names: list[str], requested: tuple[str, str]) -> str:
    """Word the error of a file in which `two_languages` could not choose."""
    shown = ", ".join(map(repr, names))[:80] or "none"
    options = remedy("src-lang", "tgt-lang")
    if requested == EVERY:
        return f"has the languages {shown}; want two or more, all different"
    if not any(requested):
        return (
            f"has the languages {shown}; want two, the same on all lines: keep two languages, or "
            f"ask for two ({options})"
        )
    codes = [language_of(name) or name for name in names]
    lacking = next((each for each in requested if each and not _chosen(each, codes)), "")
    code = language_of(normal(lacking).partition("-")[0]) or nearest_language(lacking)
    near = code if code and _chosen(code, codes) else nearest(lacking, codes)
    hint = f"did you mean {near!r}? " if near and near not in requested else ""
    return (
        f"has the languages {shown}, and asked for are {requested[0] or 'any'!r} and "
        f"{requested[1] or 'any'!r}; {hint}ask for two of those ({options})"
    )


class _Choice:
    """The choice of documents or rows by the two requested languages, each empty for any."""

    def __init__(self, source: Source, noun: str, requested: tuple[str, str]) -> None:
        self._source, self._noun, self._requested = source, noun, requested
        self._left: dict[str, None] = {}  # the languages of those that were left out
        self._taken = False

    def check(self) -> None:
        """Check at the end that some documents or rows were in the requested languages.

        Raises `FormatError` with the languages that were left out.
        """
        if self._left and not self._taken:
            chosen = "-".join(code or "?" for code in self._requested)
            raise self._source.error(
                f"has no {self._noun} in {chosen}, but in {', '.join([*self._left][:10])}; ask for "
                f"one of these ({remedy('src-lang', 'tgt-lang')})"
            )


class Wanted(_Choice):
    """The choice of document pairs by the two requested languages, each empty for any.

    The languages of texts that the user has `given` do not matter.
    """

    def __init__(
        self, source: Source, requested: tuple[str, str], given: Sequence[Text | None] = ()
    ) -> None:
        super().__init__(source, "document", requested)
        self._given = given

    def chosen(self, bitexts: Iterable[Bitext]) -> Iterator[Bitext]:
        """Yield the bitexts of a file that are not clearly in other languages than requested.

        A text in a wider language than requested is taken, as `de` for `de-AT`.

        Raises `FormatError` as `check` does.
        """
        is_taken = True
        for bitext in bitexts:
            if any(self._requested) and not bitext.continues:
                langs = []
                for text, requested in zip((bitext.src, bitext.tgt), self._requested, strict=True):
                    own = "" if text is None or not len(text) else text.lang
                    is_given = any(text is each for each in self._given)
                    is_wider = finds(own, requested) and not finds(requested, own)
                    langs.append("" if is_given or is_wider else own)
                is_taken = self.takes((langs[0], langs[1]), None)
            if is_taken:
                yield bitext
        self.check()

    def takes(self, langs: tuple[str, str], line: int | None) -> bool:
        """Check whether a document pair in two languages is wanted; note an unwanted one."""
        if all(
            not wanted or _names_none(code) or finds(wanted, code)
            for wanted, code in zip(self._requested, langs, strict=True)
        ):
            self._taken = True
            return True
        pair = "-".join(code or "?" for code in langs)
        self._left[pair] = None
        kind = "documents in other languages than those asked for, left out"
        self._source.note(kind, pair, line=line)
        return False


def _names_none(code: str) -> bool:
    """Check whether a string names no language: empty, `und`, or no code, as 1033 and x-default."""
    if code in {"NA", "NaN"}:  # of R and pandas; `na` is Nauruan, `nan` Min Nan
        return True
    main = normal(code).partition("-")[0]
    if len(main) > _LONGEST_CODE:
        return not language_of(code.partition("(")[0].strip())
    return len(main) < 2 or not main.isalpha() or main in _NO_LANGUAGE


class RowLanguages(_Choice):
    """Selects rows by the columns with their languages, and notes rows in other ones.

    Where the user names languages (`requested`, each empty for any), rows in others are left out;
    else rows in other languages than the first one are noted. `noun` is the word for a row in
    notes.
    """

    def __init__(self, source: Source, noun: str, requested: tuple[str, str] = ("", "")) -> None:
        super().__init__(source, noun, requested)
        self._first: dict[str, str] = {}

    def select(
        self, names: Sequence[str | None], numbers: Sequence[int], columns: Sequence[Sequence[Any]]
    ) -> list[bool] | None:
        """Return for each row whether to take it; `None` if all are taken.

        `names` are those of the columns with the languages of the source and the target, `None`
        where there is none, `columns` the values of the named ones, and `numbers` the numbers of
        the rows.
        """
        named = [side for side, name in enumerate(names) if name]
        # In JSON a missing code may be NaN.
        codes = [[v.strip() if isinstance(v, str) else "" for v in column] for column in columns]
        refused = [
            {code for code in {*column} if not self.is_wanted(side, code)}
            for side, column in zip(named, codes, strict=True)
        ]
        taken = None
        if any(refused):
            rows = list(zip(*codes, strict=True))
            taken = [not any(map(contains, refused, row)) for row in rows]
            left = [k for k, is_taken in enumerate(taken) if not is_taken]
            self._left.update(dict.fromkeys("-".join(rows[k]) for k in left))
            kind = f"{self._noun}s in other languages than those asked for, left out"
            place = f"{self._source.path} {self._noun} {numbers[left[0]]}"
            self._source.notes.add(kind, f"{place}: {'-'.join(rows[left[0]])[:40]!r}", len(left))
            numbers = list(compress(numbers, taken))
            codes = [list(compress(column, taken)) for column in codes]
        self._taken |= len(numbers) > 0
        for side, column in zip(named, codes, strict=True):
            self._note_others(str(names[side]), numbers, column)
        return taken

    def is_wanted(self, side: int, code: str) -> bool:
        """Check whether a code is the requested one of a side, finer, wider, or none at all."""
        wanted = self._requested[side]
        return not wanted or _names_none(code) or finds(wanted, code) or finds(code, wanted)

    def _note_others(self, name: str, numbers: Sequence[int], codes: list[str]) -> None:
        """Note the rows of a column in other languages than the first row."""
        distinct = dict.fromkeys(codes)
        named = (code for code in distinct if not _names_none(code))
        first = self._first.get(name) or next(named, "")
        if not first:
            return
        self._first[name] = first
        # Rows without a code, or with another spelling of the first one, are in no other language.
        code_of_first = _by_shortest_code(first)
        same = {c for c in distinct if _names_none(c) or _by_shortest_code(c) == code_of_first}
        others = sum(code not in same for code in codes) if len(same) < len(distinct) else 0
        if others:
            at = next(k for k, each in enumerate(codes) if each not in same)
            way = remedy(f"where {name}={first}")
            kind = f"{self._noun}s in other languages than the first, read with it ({way} selects)"
            place = f"{self._source.path} {self._noun} {numbers[at]}"
            shown = f"{codes[at][:20]!r} beside {first[:20]!r}"
            self._source.notes.add(kind, f"{place}: {shown}", others)


def bare_name(path: str) -> str:
    """Return a path without the suffixes of compression and of the kind of text."""
    name = unpacked(called(path))
    for ending in _TEXTS:
        if name.lower().endswith(ending) and len(Path(name).name) > len(ending):
            return name[: -len(ending)]
    return name


# Names of files that describe a corpus.
ABOUT = late_pattern(
    r"(?i)(?:.*/)?(?:readme|licen[cs]e|copying|info|about|changelog|citation|__macosx|\.ds_store)"
    r"(?:[._/-].*)?"
)


def code_in(part: str) -> str:
    """Return the code of a language that a part of a name is, as BCP 47 writes it; or empty.

    Letters of one case may be two languages as well as a language and a region (`en-de`, and
    `DE-EN`): they are a code where an operating system has such a locale (`pt_br`).

    Examples
    --------
    >>> [code_in(part) for part in ("DE", "pt_BR", "pt-br", "zh-hant-tw", "eng_Latn")]
    ['de', 'pt-BR', 'pt-BR', 'zh-Hant-TW', 'eng-Latn']
    >>> [code_in(part) for part in ("en-de", "DE-EN", "en-test", "xx")]
    ['', '', '', '']

    """
    match = _LOCALE.fullmatch(part)
    if match is None or not is_language(match[1].lower()):
        return ""
    code = match[1].lower()
    for subtag in re.split("[-_]", match[2])[1:]:
        if len(subtag) == 4:
            if not subtag.istitle() and subtag.lower() not in SCRIPTS:
                return ""
            code += f"-{subtag.title()}"
            continue
        mixed = match[1].islower() and subtag.isupper()
        if subtag.isalpha() and not mixed and not _is_locale(match[1], subtag):
            return ""
        code += f"-{subtag.upper()}"
    return code


def _is_locale(language: str, region: str) -> bool:
    from locale import locale_alias

    return f"{language}_{region}".lower() in locale_alias


# The number of a volume at the end of the name of a file; `vi` is Vietnamese.
VOLUME = late_pattern(r"\.(?!vi$)[ivx]+")


def named_code(path: str) -> str:
    """Return the code in the name of a file, as `pt-BR` in `a.pt-BR` and `a.pt_br.txt`; or empty.

    The code is the last suffix, or if this is not a language, the suffix before it. Roman numbers
    but `vi` are those of volumes.

    Examples
    --------
    >>> named_code("a.de.ii.txt"), named_code("a.iii"), named_code("a.vi")
    ('de', '', 'vi')

    """
    for part in reversed(Path(bare_name(path)).suffixes[-2:]):
        if not VOLUME.fullmatch(part) and (code := code_in(part[1:])):
            return code
    return ""


def named_language(path: str) -> str:
    """Return the language in the name of a file, without region and script: `de` in `a.de-AT`."""
    return named_code(path).partition("-")[0]


def named_languages(src: str, tgt: str) -> tuple[str, str]:
    """Return the two different codes in the names of two texts, or two empty strings.

    The codes are suffixes (`a.de`, `a.fr.txt`), else the only difference between the two names
    (`a_de.txt`, `de.txt`, `Book (German).txt`), else the folders (`de/a.txt`, `pt-BR/a.txt`).

    Examples
    --------
    >>> named_languages("a.de", "b.fr.txt"), named_languages("x/a_de", "x/a_fr")
    (('de', 'fr'), ('de', 'fr'))
    >>> named_languages("de/a.txt", "fr/a.txt"), named_languages("a.txt", "fr/a.txt")
    (('de', 'fr'), ('', ''))
    >>> named_languages("pt_BR/a.txt", "en-us/a.txt"), named_languages("a.zh-TW", "a.zh-CN")
    (('pt-BR', 'en-US'), ('zh-TW', 'zh-CN'))
    >>> named_languages("Book (English).txt", "Book (Deutsch).txt")
    ('en', 'de')

    """
    if src == tgt:  # mostly two texts without names
        return "", ""
    names = [Path(bare_name(path)).name for path in (src, tgt)]
    lasts = (filter(itemgetter(1), map(last_code, (name, Path(name).stem))) for name in names)
    ends = [next(those, ("", "")) for those in lasts]
    folders = differing_folders(Path(src), Path(tgt))
    candidates = [
        (named_code(src), named_code(tgt)),
        (ends[0][1], ends[1][1]) if ends[0][0] == ends[1][0] else ("", ""),
        _differing_names(*names),
        (code_in(folders[0]), code_in(folders[1])),
        _differing_names(*folders),
    ]
    for one, other in candidates:
        if one and other and one != other:
            return one, other
    return "", ""


def last_code(stem: str) -> tuple[str, str]:
    """Split a name before the code at its end; either part may be empty.

    Examples
    --------
    >>> last_code("app_pt-BR"), last_code("zh-TW"), last_code("messages")
    (('app_', 'pt-BR'), ('', 'zh-TW'), ('messages', ''))

    """
    for begin in (0, *(cut.end() for cut in re.finditer("[._-]", stem))):
        if code := code_in(stem[begin:]):
            return stem[:begin], code
    return stem, ""


def two_codes(path: str) -> tuple[str, str]:
    """Return the two codes at the end of the name of an alignment; empty for another name.

    Examples
    --------
    >>> two_codes("gold/a.en-fr.align"), two_codes("en_de.tsv"), two_codes("a.pt-br.align")
    (('en', 'fr'), ('en', 'de'), ('', ''))

    """
    last = Path(bare_name(path)).with_suffix("").name.rpartition(".")[2]
    codes = re.split("[-_]", last)
    if len(codes) == 2 and all(map(is_language, codes)) and not code_in(last):
        return codes[0], codes[1]
    return "", ""


def differing_folders(src: PurePath, tgt: PurePath) -> tuple[str, str]:
    """Return the only folder that differs, as in `de/LC_MESSAGES`; else the last ones.

    Examples
    --------
    >>> differing_folders(PurePath("i18n/de/js/a.json"), PurePath("i18n/fr/js/a.json"))
    ('de', 'fr')

    """
    parts = src.parent.parts, tgt.parent.parts
    if len(parts[0]) == len(parts[1]):
        differing = [pair for pair in zip(*parts, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1:
            return differing[0]
    return src.parent.name, tgt.parent.name


def _differing_names(one: str, other: str) -> tuple[str, str]:
    """Return the languages of the only two words that differ, if they are names of languages."""
    words = [_WORD.findall(name) for name in (one, other)]
    if len(words[0]) != len(words[1]):
        return "", ""
    differing = [pair for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1 or min(map(len, differing[0])) <= _LONGEST_CODE:
        return "", ""
    src, tgt = map(language_of, differing[0])
    return src, tgt


def unknown_languages() -> str:
    """Word the note on unknown languages, with the options that name them."""
    way = remedy("src-lang", "tgt-lang")
    return f"languages that are not known, and are written so: name them ({way})"


def _names_and_languages(bitext: Bitext) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the names of both texts, and the codes in their names or those of their documents."""
    src, tgt = bitext.src, bitext.tgt
    texts = ("" if src is None else src.name, "" if tgt is None else tgt.name)
    documents = bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", "")
    candidates = (named_languages(*names) for names in (documents, texts))
    return texts, next(filter(any, candidates), ("", ""))


def note_exchanged(
    bitexts: Iterable[Bitext], requested: tuple[str, str], notes: Notes
) -> Iterator[Bitext]:
    """Yield bitexts; note texts whose names have the requested languages exchanged."""
    exchanged = main_codes(requested)[::-1]
    for bitext in bitexts:
        if not bitext.continues:
            texts, langs = _names_and_languages(bitext)
            if all(langs) and main_codes(langs) == exchanged:
                kind = "texts whose names say the two languages the other way round"
                case = f"{' and '.join(filter(None, texts))}: {' and '.join(langs)}"
                notes.add(f"{kind}: exchange two of them", case)
        yield bitext


def with_languages(bitext: Bitext, requested: tuple[str, str], notes: Notes) -> Bitext:
    """Return a bitext with missing languages inferred from the names of its texts.

    The bitext is to be written in a format that names languages. `requested` are the languages that
    the user set for writing; empty for the languages of the texts. `notes` takes languages that
    were inferred, and languages that stay unknown.
    """
    sides = (bitext.src, bitext.tgt)
    lacking = [
        not (code or text is None or text.lang or not len(text))
        for code, text in zip(requested, sides, strict=True)
    ]
    texts, langs = _names_and_languages(bitext)
    if not any(lacking):
        return bitext
    if not any(langs):
        if not bitext.continues:
            notes.add(unknown_languages(), texts[0] or bitext.name)
        return bitext
    if not bitext.continues:
        way = remedy("src-lang", "tgt-lang")
        kind = f"languages taken from the names of the texts (name others with {way})"
        notes.add(kind, f"{' and '.join(filter(None, texts))}: {' and '.join(langs)}")
    src, tgt = (
        text.in_language(code) if lacks and text is not None else text
        for lacks, code, text in zip(lacking, langs, sides, strict=True)
    )
    return replace(bitext, src=src, tgt=tgt)


# The languages of texts by their words, which a function of another room identifies.

_SAMPLE = 2000  # segments of a text whose words identify its language; set by hand

# Returns the language of sentences that are clearly not in the named one; else an empty string.
OtherLanguage = Callable[[Sequence[str], str], str]


class LanguageSamples:
    """The first segments of texts by side and language, to compare with their words.

    `compare` identifies languages; `None`: nothing is compared.
    """

    def __init__(self, compare: OtherLanguage | None) -> None:
        self._compare = compare
        self._samples: dict[tuple[str, str], list[str]] = {}

    def add(self, bitext: Bitext, langs: tuple[str, str]) -> None:
        """Take the segments of both texts, in languages of their own or in those named."""
        texts = (bitext.src, bitext.tgt)
        for side, text, code in zip(("source", "target"), texts, langs, strict=True):
            if text is not None and text.has_text and (lang := code or text.lang):
                sample = self._samples.setdefault((side, lang), [])
                if self._compare is not None and (lacking := _SAMPLE - len(sample)) > 0:
                    sample += text.segments(0, lacking)

    def others(self) -> Iterator[tuple[str, str, str]]:
        """Yield the side, the language and that of the words, where the words contradict."""
        for (side, lang), sample in self._samples.items():
            if self._compare is not None and (found := self._compare(sample, lang)):
                yield side, lang, found
