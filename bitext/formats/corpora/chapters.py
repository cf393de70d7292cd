"""Chapters: files of two languages paired by their names or numbers, and the order of chapters.

A name is read as words and numbers. Numbers may be digits of any script (`07`), Roman numerals
(`Chapter IX`), Chinese numerals (`第十二章`), or words beside a word for chapter (`Chapitre deux`).
Three steps pair names, each those that the steps before left over: equal names; names that are
equal except for the language, words that all files of a side have, and spellings of numbers;
numbers. A name or a number that occurs twice on one side pairs nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain, compress, islice, pairwise
from operator import and_, attrgetter
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.corpora import Corpus, Entry, are_shifted_by_one
from bitext.model.languages import is_language, language_of, main_language
from bitext.model.numerals import HAN, ROMAN, han_value, roman_value

if TYPE_CHECKING:
    _Key = tuple[str | int, ...]

_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*")
_ROMAN = re.compile(ROMAN, re.IGNORECASE)
_HAN = re.compile(f"第([{HAN}]+)[章回卷部节節話话集課课]?")

# Words beside numbers, which are translated with the names: chapter, part, section, lesson ...
_CHAPTER_WORDS_LIST = """
chapter ch chap chapt part pt section sec sect book bk episode ep lesson unit volume vol no nr
number scene act canto psalm letter page chapitre partie livre épisode leçon tome numéro acte
scène chant lettre kapitel kap teil buch abschnitt folge lektion band nummer akt szene gesang
brief capítulo capitulo cap parte libro lección leccion tomo sección capitolo lezione sezione
livro lição hoofdstuk deel boek les kapittel del bok bog rozdział rozdzial część księga kapitola
část kniha fejezet rész könyv глава часть книга розділ частина κεφάλαιο κεφ μέρος bölüm luku osa
capitol partea poglavlje poglavje dio فصل الفصل פרק bab chương capítol kapitulua 章 回 第 제 장
"""
_CHAPTER_WORDS = frozenset(_CHAPTER_WORDS_LIST.split())

# Cardinal and ordinal numbers from 1, by language; the same word never has two values.
_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty;
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth;
un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
dix-huit dix-neuf vingt;
premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième;
première seconde;
eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
sechzehn siebzehn achtzehn neunzehn zwanzig;
erstes zweites drittes viertes fünftes sechstes siebtes achtes neuntes zehntes elftes;
erster zweiter dritter vierter fünfter sechster siebter achter neunter zehnter elfter;
uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
diecisiete dieciocho diecinueve veinte;
primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo;
uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
sedici diciassette diciotto diciannove venti;
primo secondo terzo quarto quinto sesto settimo ottavo nono decimo;
um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis;
primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo;
een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien;
eerste tweede derde vierde vijfde zesde zevende achtste negende tiende
"""
_NUMBER_WORDS: dict[str, int] = {}
for _row in _NUMBERS.split(";"):
    for _value, _word in enumerate(_row.split(), start=1):
        _NUMBER_WORDS.setdefault(_word, _value)

# Parts of a book that stand before its first chapter.
_FRONT_LIST = """
cover title dedication preface foreword prologue introduction intro titel titelei widmung vorwort
prolog einleitung einführung couverture titre dédicace préface préambule avant-propos portada
título dedicatoria prefacio prólogo introducción copertina titolo dedica prefazione prologo
introduzione capa dedicatória introdução voorwoord inleiding proloog förord innledning предисловие
введение пролог wstęp przedmowa úvod předmluva előszó πρόλογος önsöz
"""
_FRONT = frozenset(_FRONT_LIST.split())
# States of a file that names tell, and that translations need not share.
_NOISE_LIST = """
final draft copy rev revised edited clean source target original orig translation translated trans
text version
"""
_NOISE = frozenset(_NOISE_LIST.split())
_OWN_NAMES = {
    "deutsch": "de", "français": "fr", "francais": "fr", "español": "es", "espanol": "es",
    "castellano": "es", "italiano": "it", "português": "pt", "portugues": "pt",
    "nederlands": "nl", "svenska": "sv", "dansk": "da", "norsk": "no", "suomi": "fi",
    "polski": "pl", "čeština": "cs", "cesky": "cs", "česky": "cs", "magyar": "hu",
    "română": "ro", "romana": "ro", "русский": "ru", "українська": "uk", "ελληνικά": "el",
    "türkçe": "tr", "turkce": "tr", "íslenska": "is", "català": "ca", "中文": "zh", "汉语": "zh",
    "日本語": "ja", "한국어": "ko", "العربية": "ar", "עברית": "he", "हिन्दी": "hi",
}  # fmt: skip


# Files of a side whose names are read as words and numbers where equal names pair some: memory,
# about a kilobyte for each.
_MOST_READ = 50_000


class _Token(NamedTuple):
    """A word or a number of a name."""

    text: str  # the word in small letters; the digits of a number without zeros in front
    number: int | None
    # `start`, `end`: its place in the name.
    start: int
    end: int
    part: int  # the number of the folder, or of the name of the file, which has it

    @property
    def key(self) -> str | int:
        """The number, or the word."""
        return self.text if self.number is None else self.number


class NamePair(NamedTuple):
    """A source and a target file, by their indices."""

    src: int
    tgt: int
    # What the files have in common: `name`, `name but for the language`, `words of the name` or
    # `number 7`.
    by: str
    number: tuple[int, ...] = ()  # the numbers of a pair by numbers


class NamePairing(NamedTuple):
    """The pairs of files that their names tell."""

    pairs: list[NamePair]  # in the order of the source files
    # A pair by another reading of the numbers, which contradicts one of `pairs`; with `by` as
    # `number 7, the first of the name`.
    other: NamePair | None
    from_0: int | None = None  # the side whose files count from 0, where the other counts from 1


def pair_names(
    src: Sequence[str],
    tgt: Sequence[str],
    *,
    langs: tuple[str, str] = ("", ""),
    steps: Iterable[str] = ("name", "number"),
) -> NamePairing:
    """Pair files by their names.

    `src` and `tgt` are paths in their folders, without endings. The codes and names of `langs`, the
    languages of both sides (empty: unknown), are not part of a name. Of more than 50,000 files a
    side the first of `steps`, equal names, is the only one if it pairs any.

    Examples
    --------
    >>> names = ["Chapter 1", "Chapter 2", "Chapter 10"], ["Chapitre 02", "Chapitre 01", "Fin"]
    >>> [(pair.src, pair.tgt, pair.by) for pair in pair_names(*names).pairs]
    [(0, 1, 'number 1'), (1, 0, 'number 2')]

    """
    pairs: dict[int, NamePair] = {}
    taken: set[int] = set()

    def add(matches: Iterable[NamePair]) -> None:
        for pair in matches:
            if pair.src not in pairs and pair.tgt not in taken:
                pairs[pair.src] = pair
                taken.add(pair.tgt)

    other, from_0 = None, None
    if "name" in steps:
        add(_matches([(name,) for name in src], [(name,) for name in tgt], "name"))
    # Names are read more closely only if equal names leave files over.
    if len(pairs) in {len(src), len(tgt)} or (pairs and max(len(src), len(tgt)) > _MOST_READ):
        return NamePairing([pairs[k] for k in sorted(pairs)], None)
    sides = (_Names(src, langs[0]), _Names(tgt, langs[1]))
    if "name" in steps:
        for by, keys in (
            ("name but for the language", _Names.without_marks),
            ("words of the name", _Names.without_constants),
        ):
            add(_matches(keys(sides[0]), keys(sides[1]), by))
    if "number" in steps:
        ours, theirs = (side.numbers() for side in sides)
        from_0 = _side_from_0((ours[""], theirs[""]))
        readings = [(shown, _matches(ours[shown], theirs[shown], "")) for shown in ours]
        best = max(readings, key=lambda each: _new(each[1], pairs, taken))
        before = {*pairs}
        add(best[1])
        by_number = {k: pair for k, pair in pairs.items() if k not in before}
        for shown, matches in readings:
            for pair in matches:
                mine = by_number.get(pair.src)
                if other is None and mine is not None and pair.tgt != mine.tgt:
                    other = pair._replace(by=f"{pair.by}{shown}")
    return NamePairing([pairs[k] for k in sorted(pairs)], other, from_0)


def _side_from_0(sides: Sequence[Sequence[_Key]]) -> int | None:
    """Return the side whose files count from 0, where all of the other count from 1; or `None`."""
    numbers = [[str(key[0]) for key in keys if len(key) == 1] for keys in sides]
    turned = (k for k in (0, 1) if are_shifted_by_one(numbers[1 - k], numbers[k]))
    return next(turned, None)


def _new(matches: Sequence[NamePair], pairs: dict[int, NamePair], taken: set[int]) -> int:
    """Count the pairs of files that have no partner yet."""
    return sum(pair.src not in pairs and pair.tgt not in taken for pair in matches)


def _matches(src: Sequence[_Key], tgt: Sequence[_Key], by: str) -> list[NamePair]:
    """Pair equal keys that occur once on each side; empty keys pair nothing."""
    counts = Counter(src), Counter(tgt)
    place = {key: k for k, key in enumerate(tgt) if counts[1][key] == 1}
    pairs = []
    for k, key in enumerate(src):
        if key and counts[0][key] == 1 and key in place:
            number = tuple(word for word in key if isinstance(word, int))
            is_number = len(number) == len(key)
            shown = f"number {'.'.join(map(str, number))}" if is_number else by
            pairs.append(NamePair(k, place[key], shown, number if is_number else ()))
    return pairs


class _Names:
    """The names of the files of a side, as words and numbers.

    `lang` is the language of the side; empty: a language that each name has as a word.
    """

    def __init__(self, names: Sequence[str], lang: str) -> None:
        tokens = [_tokens(name) for name in names]
        if lang:
            self._tokens = [_without_marks(each, lang) for each in tokens]
        else:
            everywhere = _in_all([[token.text for token in each] for each in tokens])
            codes = {word for word in everywhere if is_language(word) or word in _OWN_NAMES}
            self._tokens = [[t for t in each if t.text not in codes] for each in tokens]
        self._varying = _varying_numbers(self._tokens)

    def without_marks(self) -> list[_Key]:
        """Return the words and numbers of each name without the language."""
        return _keys(self._tokens)

    def without_constants(self) -> list[_Key]:
        """Return the words and numbers of each name except for those that all names have."""
        words = [[token for token in each if token.number is None] for each in self._tokens]
        shared = _in_all([[token.text for token in each] for each in words])
        constant = shared if len(words) > 1 else Counter[str]()
        rest = (
            [token for token in _without(each, constant) if token.text not in _NOISE]
            for each in words
        )
        both = map(chain, rest, self._varying)
        return _keys(sorted(each, key=attrgetter("start")) for each in both)

    def numbers(self) -> dict[str, list[_Key]]:
        """Return the ways to number the names, by words for a note; empty for the first.

        Numbers that all names have count only beside a word for chapter.
        """
        of_chapters = (
            [
                token
                for k, token in enumerate(each)
                if token.number is not None
                and any(near.text in _CHAPTER_WORDS for near in each[max(0, k - 1) : k + 2])
            ]
            for each in self._tokens
        )
        return {
            "": _keys(self._varying),
            ", that of the chapter": _keys(each[:1] for each in of_chapters),
            ", the first of the name": _keys(each[:1] for each in self._varying),
            ", the last of the name": _keys(each[-1:] for each in self._varying),
        }


def _keys(names: Iterable[Sequence[_Token]]) -> list[_Key]:
    return [tuple(token.key for token in each) for each in names]


def _varying_numbers(names: Sequence[Sequence[_Token]]) -> list[list[_Token]]:
    """Return the numbers of each name except for those that all names have.

    If all names have as many numbers, these are compared by their places.
    """
    numbers = [[token for token in each if token.number is not None] for each in names]
    if len(numbers) < 2:
        return numbers
    if len({len(each) for each in numbers}) == 1:
        varying = [
            len({token.number for token in column}) > 1 for column in zip(*numbers, strict=True)
        ]
        return [list(compress(each, varying)) for each in numbers]
    constant = _in_all([[token.text for token in each] for each in numbers])
    return [_without(each, constant) for each in numbers]


def _in_all(names: Sequence[Sequence[str]]) -> Counter[str]:
    """Return the words that all names have, with the least count of each."""
    return reduce(and_, map(Counter, names)) if names else Counter()


def _without(tokens: Sequence[_Token], constant: Counter[str]) -> list[_Token]:
    """Drop the given number of occurrences of each word, the last ones first."""
    dropped, rest = Counter(constant), []
    for token in reversed(tokens):
        if dropped[token.text]:
            dropped[token.text] -= 1
        else:
            rest.append(token)
    return rest[::-1]


def names_language(name: str, lang: str) -> bool:
    """Check for the code or the name of a language among the words of a name.

    Examples
    --------
    >>> [names_language(name, "fr") for name in ("ch01_fr", "Chapter 1 (French)", "fresco")]
    [True, True, False]

    """
    return any(_is_mark(token.text, lang) for token in _tokens(name))


def without_language(name: str, lang: str) -> str:
    """Return a name without the word that names its language.

    Examples
    --------
    >>> [without_language(name, "en") for name in ("ch01_en", "en - The Mill", "Mill (English)")]
    ['ch01', 'The Mill', 'Mill']

    """
    tokens = _tokens(name)
    kept = {token.start for token in _without_marks(tokens, lang)}
    for token in reversed(tokens):
        if token.start not in kept:
            before = name[: token.start].rstrip(" -_.([{")
            after = name[token.end :].lstrip(")]}" if before else " -_.)]}")
            name = f"{before}{after}"
    return name


def _is_mark(word: str, lang: str) -> bool:
    code = language_of(word) or _OWN_NAMES.get(word, "")
    return bool(code) and main_language(code) == main_language(lang)


def _without_marks(tokens: list[_Token], lang: str) -> list[_Token]:
    """Drop the words that name a language, with the region or script after a code."""
    subtags = [part.lower() for part in re.split("[-_]", lang)[1:]]
    rest: list[_Token] = []
    after_mark = False
    for token in tokens:
        is_mark = _is_mark(token.text, lang)
        if not (is_mark or (after_mark and token.text in subtags)):
            rest.append(token)
        after_mark = is_mark
    return rest


def natural_key(name: str) -> tuple[tuple[tuple[tuple[int, int, str], ...], ...], str]:
    """Return the key by which chapters are sorted: 2 before 10, a preface before both.

    A word that is the whole name is not a number: `one`, `three`, `two`.

    Examples
    --------
    >>> sorted(["Chapter 10", "Chapter II", "Epilogue", "Chapter 1", "Preface"], key=natural_key)
    ['Preface', 'Chapter 1', 'Chapter II', 'Chapter 10', 'Epilogue']

    """
    parts: list[list[tuple[int, int, str]]] = [[] for _ in range(name.count("/") + 1)]
    for token in _tokens(name, words_alone=False):
        is_number = token.number is not None
        parts[token.part].append((0, token.number or 0, "") if is_number else (1, 0, token.text))
    own = parts[-1]
    if own and all(kind for kind, *_ in own) and any(word in _FRONT for *_, word in own):
        own.insert(0, (-1, 0, ""))
    return tuple(map(tuple, parts)), name


def in_chapter_order(corpus: Corpus) -> list[Entry]:
    """Return the files of a corpus, those of a folder in the order of their numbers.

    A key takes some 70 microseconds, less than a tenth of the time to read a file.
    """
    entries = [*corpus.entries.values()]
    if corpus.kind != "folder":
        return entries
    return sorted(entries, key=lambda entry: natural_key(entry.name))


def shell_order_notes(names: Sequence[str]) -> list[str]:
    """Return a list of one note on files in the order of a shell, 10 before 2, or of none.

    Examples
    --------
    >>> print(*shell_order_notes(["ch1.tmx", "ch10.tmx", "ch2.tmx"]))
    ch10.tmx comes before ch2.tmx, as a shell sorts names: name files in order, or their folder
    >>> shell_order_notes(["ch2.tmx", "ch10.tmx"]), shell_order_notes(["ch3.tmx", "ch2.tmx"])
    ([], [])

    """
    if [*names] != sorted(names):
        return []
    keys = ((name, [*chain.from_iterable(natural_key(name)[0])]) for name in names)
    for (one, key), (other, next_key) in pairwise(keys):
        pairs = zip(key, next_key, strict=False)
        differing = (pair for pair in pairs if pair[0] != pair[1])
        # Numbers are compared with numbers alone: `mill` may come before or after `mill2`.
        if any(
            first > second and (second[0] < 0 or first[0] == second[0] == 0)
            for first, second in islice(differing, 1)
        ):
            way = "as a shell sorts names: name files in order, or their folder"
            return [f"{one} comes before {other}, {way}"]
    return []


def _tokens(name: str, *, words_alone: bool = True) -> list[_Token]:
    """Divide a path into words and numbers; by default a number word may be a whole name."""
    raw: list[_Token] = []
    for part, (start, end) in enumerate(_parts(name)):
        raw += [
            _Token(unicodedata.normalize("NFKC", match[0]), None, *match.span(), part)
            for match in _TOKEN.finditer(name, start, end)
        ]
    sizes = Counter(token.part for token in raw)
    return [
        _numbered(raw, k, alone=words_alone and sizes[token.part] == 1)
        for k, token in enumerate(raw)
    ]


def _parts(name: str) -> list[tuple[int, int]]:
    """Return the start and the end of each folder and of the name of the file in a path."""
    ends = [match.start() for match in re.finditer("/", name)]
    return list(zip([0, *(end + 1 for end in ends)], [*ends, len(name)], strict=True))


def _numbered(tokens: list[_Token], k: int, *, alone: bool) -> _Token:
    """Return a token with its number, if it is one, and in small letters.

    Words and letters are numbers beside a word for chapter, or where they are the whole name. In
    capitals, Roman numerals of two letters or more are numbers also at the begin of a name.
    """
    token = tokens[k]
    word = token.text.casefold()
    around = [tokens[j].text.casefold() for j in (k - 1, k + 1) if 0 <= j < len(tokens)]
    beside = alone or any(near in _CHAPTER_WORDS for near in around)
    first = k == 0 or tokens[k - 1].part != token.part
    number = None
    if word.isdecimal():
        number = int(word)
    elif match := _HAN.match(word):
        number = han_value(match[1])
    elif beside and word in _NUMBER_WORDS:
        number = _NUMBER_WORDS[word]
    elif _ROMAN.fullmatch(token.text) and (
        beside or (token.text.isupper() and first and (len(word) > 1 or word in "ivx"))
    ):
        number = roman_value(word)
    return token._replace(text=word if number is None else str(number), number=number)
