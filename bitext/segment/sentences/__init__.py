"""Languages of the sentence splitter: codes, detection, and tables of abbreviations.

The script decides the language of a text, except in Latin and Cyrillic script, where words decide:
each language has a table of words that open sentences (below), mostly articles,
pronouns and conjunctions. These are a fifth to nearly a half of the words of a text in the
language, and rarely a tenth of the words of a text in another language.

Each language has tables of abbreviations and of words that open sentences, of five kinds:

- `never`: abbreviations that end no sentence, as they need a next word: titles, `z. B.`, `ul.`
- `numbers`: abbreviations that end no sentence before a number: `Nr. 7`, `cap. III`, `3 jan. 1990`
- `may`: abbreviations that end a sentence before an opener: `Acme Inc. She`, not `Acme Inc. London`
- `ends`: abbreviations that end a sentence before a capital letter: `etc.`, `usw.`
- `openers`: words that often begin sentences, and hardly ever names

Words are in lower case, without their last full stop and without blanks: `z.b` is also `z. B.`. The
mark `_` is a blank after a previous word that is needed: `и_др`. Kinds are tried in the order
`ends`, `may`, `never`, `numbers`, and the first one that applies to a word decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import name as character_name

import numpy as np

from bitext.errors import MissingExtraError, OptionError
from bitext.kernels.arrays import Ints, Rows, prefix, take
from bitext.model.languages import (
    LANGUAGES_OF_SCRIPTS,
    identified_language,
    is_language,
    main_language,
    scripts_of,
)

if TYPE_CHECKING:
    Spans = list[tuple[int, int]]


# Code of a language -> its Punkt model.
MODELS = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "ml": "malayalam",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}
# Languages whose stops only mark ends of sentences.
SCRIPTS = ("ja", "yue", "zh")
# Languages in Arabic script -> letters that Arabic and the languages below lack, of which texts
# have some, and others that are counted with them, but stand in some Arabic texts, too
_LETTERS_BESIDE_ARABIC = {
    "": ("ەۆێڕڵڪٻڏڻڀٿٽ۾", ""),  # Kurdish, Uyghur and Sindhi: no code
    "ur": ("ٹڈڑںے", ""),
    "ps": ("ټډړښځڅ", ""),
    "fa": ("پچژگ", "یک"),
}
# Limits of the detection, all set by hand. Lengths bound the time for long texts.
_MOST_CHARACTERS = 40_000  # characters examined, from the beginning of a text
_MOST_LETTERS = 2000  # letters examined for the script
_FEWEST_LETTERS = 20  # letters, fewer of which decide no script
# What is no letter; what is neither ASCII nor a common letter; of ASCII, letters alone
_NO_LETTER, _NO_COMMON_LETTER = re.compile(r"[\W\d_]"), re.compile(r"[^\x00-\x7fß-öø-ÿ]")
_BLANKS = bytes(
    c if c > 0x7F or chr(c).isalpha() or c == ord("\n") else ord(" ") for c in range(256)
)
# Letters that are not Latin are among these; general punctuation is not
_BESIDE_LATIN = re.compile(r"[^\x00-©«-´¶-¹»-\u024f\u2000-\u206f]")
_FEWEST_WORDS = 20  # words, fewer of which decide no language
_LEAST_SHARE = 0.12  # least share of openers, above that in texts of other languages (see above)
_LEAST_RATIO = 1.3  # least ratio to the share of the declared language, or of English
# Openers of a sentence that show its language: least number, and ratio to those of any other one
_FEWEST_OPENERS, _LEAST_LEAD = 2, 1.5
_MOST_SHARED = 0.2  # share of the openers of two languages, above which these are near each other
_MOST_OF_SENTENCE = 300  # characters of a sentence that are examined
_MOST_SENTENCES = 2000  # sentences that are compared with a named language
# Of a text of so many sentences every seventh is compared first: in time with no verse.
_MANY, _EVERY = 100, 7
_LEAST_KANA_SHARE = 0.1  # least share of kana in the letters of a Japanese text
_LEAST_LETTER_SHARE = 0.02  # least share of the letters of a language in Arabic script
_LEAST_OWN_SHARE = 0.002  # of those that Arabic lacks; a law in Persian has 0.008
# Languages that do not mark ends of sentences, or mark other places in the same way.
_WITHOUT_SENTENCE_ENDS = ("bo", "dz", "lo", "th")


def marks_ends(code: str) -> bool:
    """Return True if texts of a language mark the ends of their sentences.

    Examples
    --------
    >>> marks_ends("en"), marks_ends("th-TH")
    (True, False)

    """
    return main_language(code) not in _WITHOUT_SENTENCE_ENDS


def known_language(code: str) -> str:
    """Normalise the code of a language with marked sentence ends: `en` for `en-GB` and `eng`.

    Raises `OptionError` when `code` is not a language, or a language that does not mark the ends of
    sentences.
    """
    name = main_language(code)
    if not marks_ends(name):
        raise OptionError(
            f"sentences of language {code!r} cannot be split: its script does not mark where they "
            f"end; want text with one sentence a line"
        )
    if not is_language(name):
        raise OptionError(
            f"sentences of language {code!r} cannot be split: want a code of ISO 639-1, as de, hu "
            f"or zh, or text with one sentence a line"
        )
    return name


def language_of_text(text: str, *, named: str = "") -> str:
    """Detect the language of a text from its script and words, if not the declared language.

    The result is empty for a text in the declared language, and where script and words do not
    decide.

    The first 40,000 characters are examined. A language other than `named`, the declared one, is
    returned only for a text that is clearly in another language.

    Examples
    --------
    >>> language_of_text("Er ging in das Haus und sie sah ihn nicht. " * 3)
    'de'
    >>> language_of_text("猫がそこに座ったのだった。" * 10), language_of_text("Ferry Tessel")
    ('ja', '')

    """
    text = text[:_MOST_CHARACTERS]
    own, script = main_language(named), _script(text)
    if script not in {"Latin", "Cyrillic"}:
        scripts = scripts_of(own)
        elsewhere = not own or (scripts and script not in scripts)
        return _usual_language(script, text) if elsewhere else ""
    (total,), (openers,) = _openers_of_lines(text.replace("\n", " "))
    if total < _FEWEST_WORDS or (own and own not in tables_by_code()):
        return ""
    shares = dict(zip(_numbered_openers().codes, (openers / total).tolist(), strict=True))
    best = max(shares, key=shares.__getitem__)
    if shares[best] < _LEAST_SHARE or own in best.split():
        return ""
    other = shares[tables_by_code()[own or "en"]]
    return best.split()[0] if best == "en" or shares[best] > _LEAST_RATIO * other else ""


class _Openers(NamedTuple):
    """The words that begin sentences, in UTF-8 and numbered from 1, with their languages."""

    numbers: dict[bytes, int]
    codes: list[str]  # the languages, as in `tables_by_code`
    languages: Rows  # of each number the places of its languages among `codes`; 0 has none


@cache
def _numbered_openers() -> _Openers:
    codes = [*dict.fromkeys(tables_by_code().values())]
    languages: dict[str, list[int]] = {}
    for k, each in enumerate(codes):
        for word in abbreviations(each.split()[0]).openers:
            languages.setdefault(word, []).append(k)
    sizes = np.array([0, *map(len, languages.values())])
    members = np.fromiter(chain.from_iterable(languages.values()), np.int64, int(sizes.sum()))
    numbers = {word.encode(): k for k, word in enumerate(languages, 1)}
    return _Openers(numbers, codes, Rows(prefix(sizes), members))


def _openers_of_lines(text: str) -> tuple[Ints, Ints]:
    """Count the words of each line, and those that begin sentences in each language."""
    numbers, codes, languages = _numbered_openers()
    lines = [line.split() for line in _words_alone(text).split(b"\n")]
    sizes = np.fromiter(map(len, lines), np.int64, len(lines))
    looked_up = map(numbers.get, chain.from_iterable(lines), repeat(0))
    number = np.fromiter(looked_up, np.int64, int(sizes.sum()))
    known = np.flatnonzero(number)
    found = take(languages, number[known])
    line = np.repeat(np.repeat(np.arange(len(lines)), sizes)[known], found.lengths)
    size, width = len(lines) * len(codes), len(codes)
    return sizes, np.bincount(line * width + found.idx, minlength=size).reshape(-1, width)


def _words_alone(text: str) -> bytes:
    """Return a text in lower case, in UTF-8, with a blank for all but letters and line ends.

    A table of bytes takes a third of the time of a search for words.
    """
    text = text.lower()
    for other in _NO_LETTER.findall("".join(set(_NO_COMMON_LETTER.findall(text)))):
        text = text.replace(other, " ")
    return text.encode().translate(_BLANKS)


def language_of_words(sentences: Sequence[str]) -> str:
    """Identify the language of a text, by py3langid if it is installed, else by this module.

    The result is empty for a text that is too short or in several languages, and for a language
    without a code of ISO 639-1.

    Examples
    --------
    >>> language_of_words(["Er ging in das Haus und sie sah ihn nicht."] * 3)
    'de'

    """
    try:
        code = identified_language(sentences)
    except MissingExtraError:
        return language_of_text("\n".join(_beginning(sentences)))
    return code if is_language(code) else ""


def _beginning(sentences: Iterable[str]) -> list[str]:
    """Return the first sentences, as far as their characters are examined."""
    beginning, size = [], 0
    for sentence in sentences:
        beginning.append(sentence)
        size += len(sentence)
        if size > _MOST_CHARACTERS:
            break
    return beginning


def other_language(sentences: Sequence[str], named: str) -> str:
    """Return the language of a text that is clearly not in the named one; empty otherwise.

    The words have to contradict the name by `language_of_text`, which needs no extra, and so do
    those of py3langid, if it is installed.
    """
    beginning = _beginning(islice(sentences, _MOST_SENTENCES))
    own = main_language(named)
    tables = tables_by_code()
    # Most texts are in the named language, which some of their sentences show in less time.
    if len(beginning) >= _MANY and own in tables:
        few = language_of_text("\n".join(beginning[::_EVERY]))
        if tables.get(few) == tables[own]:
            return ""
    guess = language_of_text("\n".join(beginning), named=named)
    code = language_of_words(sentences) if guess else ""
    is_same_list = any({code, own} <= {*codes.split()} for codes in tables.values())
    return "" if code == own or is_same_list else code


def languages_of_sentences(sentences: Iterable[str]) -> Counter[str]:
    """Count sentences by their language, as far as their own script and words show it.

    Examples
    --------
    >>> both = ["And he saw that it was the sea.", "Er ging in das Haus und sie sah ihn.", "Ferry."]
    >>> sorted(languages_of_sentences(both).items())
    [('de', 1), ('en', 1)]

    """
    examined = list(sentences)
    joined = "\n".join([each[:_MOST_OF_SENTENCE].replace("\n", " ") for each in examined])
    hits = _openers_of_lines(joined)[1]
    best = hits.argmax(axis=1)
    next_most, most = np.sort(hits, axis=1)[:, -2:].T
    is_clear = most >= np.maximum(_FEWEST_OPENERS, _LEAST_LEAD * next_most)
    names = ["", *(codes.split()[0] for codes in _numbered_openers().codes)]
    langs = [names[k] for k in np.where(is_clear, best + 1, 0).tolist()]
    if _BESIDE_LATIN.search("".join(examined)) is not None:  # rare, and slow
        for k, sentence in enumerate(examined):
            if (script := _script(sentence)) not in {"", "Latin", "Cyrillic"}:
                langs[k] = _usual_language(script, sentence)
    counts = Counter(langs)
    del counts[""]
    return counts


def _usual_language(script: str, text: str) -> str:
    """Return the usual language of a script, in Arabic script by the letters of the text."""
    if script == "Arabic":
        sample = text[:_MOST_LETTERS]
        for code, (own, shared) in _LETTERS_BESIDE_ARABIC.items():
            number_own = sum(map(sample.count, own))
            number = number_own + sum(map(sample.count, shared))
            is_own = number_own and number_own >= _LEAST_OWN_SHARE * len(sample)
            if is_own and number >= _LEAST_LETTER_SHARE * len(sample):
                return code
    return LANGUAGES_OF_SCRIPTS.get(script, "").partition(" ")[0]


@cache
def are_near(lang: str, other: str) -> bool:
    """Check for languages with so much in common that short sentences do not differ.

    These have many words in common, or are in Arabic script, of whose letters a sentence may lack
    those of its language.

    Examples
    --------
    >>> are_near("bg", "ru"), are_near("en", "de"), are_near("fa", "ar")
    (True, False, True)

    """
    if {lang, other} <= {"ar", *_LETTERS_BESIDE_ARABIC} - {""}:
        return True
    one, two = (abbreviations(code).openers for code in (lang, other))
    return len(one & two) > _MOST_SHARED * min(len(one), len(two))


def _script(text: str) -> str:
    """Return the most frequent script, as in the table; empty if there are few letters."""
    letters = filter(str.isalpha, text)
    # Most texts: the names of letters take ten times as long.
    if _BESIDE_LATIN.search(text) is None:
        return "Latin" if any(islice(letters, _FEWEST_LETTERS - 1, None)) else ""
    scripts = Counter[str]()
    for letter, number in Counter(islice(letters, _MOST_LETTERS)).items():
        scripts[character_name(letter, "").partition(" ")[0]] += number
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana > _LEAST_KANA_SHARE * scripts.total():
        return "Japanese"
    if scripts.total() < _FEWEST_LETTERS:
        return ""
    name = max(scripts, key=scripts.__getitem__)
    return {"CJK": "Han", "CANADIAN": "Canadian_Aboriginal"}.get(name, name.capitalize())


# Tables of abbreviations and of words that open sentences, by language, of five kinds.


# Titles in all languages of a script, for the kind `never`.
TITLES = """
dr prof mr mrs ms mme mlle drs ths mgr ing inž inz
др проф акад инж див պրոֆ დრ პროფ
डॉ डा प्रो श्री ड ডা ড ডঃ মো డా ಡಾ ഡോ ਡਾ ડૉ ડા د م أ ا
"""
# Words for the kind `never` in languages without a list of their own; lists of others have them.
_WITHOUT_LIST = "st sr jr vs dk nr г р с ст ул вул"
# Words of the kinds `numbers` and `ends` in all languages.
_NUMBERS = """
nr nos fig figs tab vol vols art cap kap pp p ca tel str ref par
jan feb apr jun jul aug sep sept okt oct nov dec
"""
_ENDS = "etc"


@cache
def _tables() -> dict[str, list[str]]:
    """Return the lines of each table of `abbreviations.txt`, by the codes in its heading."""
    tables: dict[str, list[str]] = {}
    text = Path(__file__).with_name("abbreviations.txt").read_text(encoding="utf-8")
    for line in filter(None, text.split("\n")):
        if line.startswith("["):
            tables[line.strip("[]")] = rows = []
        elif not line.startswith("#"):
            rows.append(line)
    return tables


@cache
def tables_by_code() -> dict[str, str]:
    """Return for the code of each language the codes of all languages that share its table."""
    return {code: codes for codes in _tables() for code in codes.split()}


class Abbreviations(NamedTuple):
    """The words of a language of each kind (see the head of the module)."""

    never: frozenset[str]
    numbers: frozenset[str]
    may: frozenset[str]
    ends: frozenset[str]
    openers: frozenset[str]


@cache
def abbreviations(lang: str, *, listed: bool = True) -> Abbreviations:
    """Return the words of a language of each kind, with the words of all languages.

    `lang` is a code, such as `de`. A language without a table has only the words of all languages.
    `listed` is whether another list of abbreviations is used for the language; if not, common
    abbreviations of other languages are added.
    """
    kinds: dict[str, set[str]] = {kind: set() for kind in Abbreviations._fields}
    kinds["never"].update(TITLES.split())
    if not listed:
        kinds["never"].update(_WITHOUT_LIST.split())
    kinds["numbers"].update(_NUMBERS.split())
    kinds["ends"].update(_ENDS.split())
    for line in _tables().get(tables_by_code().get(lang, ""), []):
        kind, *words = line.split()
        kinds[kind].update(word.lower() for word in words)
    return Abbreviations(**{kind: frozenset(words) for kind, words in kinds.items()})
