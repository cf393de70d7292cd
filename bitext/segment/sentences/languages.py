"""The languages of the sentence splitter, by their codes, and the detection of a text's language.

The script gives the language of a text without a code, except in Latin and Cyrillic script. There
its words do: each language has a table of words that open sentences (`abbreviations.py`), mostly
articles, pronouns and conjunctions. They are a fifth to nearly a half of the words of a text in
that language, and rarely a tenth of a text in another.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import name as character_name

from bitext.errors import OptionError
from bitext.model.languages import is_language, two_letters
from bitext.segment.sentences.abbreviations import TABLES_OF, abbreviations

# Full stops after abbreviations, numbers and initials: small tables decide which end a sentence.
#
# Punkt decides by the statistics of newspapers. These rules overrule it where the word before the
# stop is in a table (`abbreviations.py`), or is a number or an initial:
#
# - An ordinal does not end a sentence: a Roman number after a lower-case word (`unter II.
#   Rákóczi`), or a figure after an article (`a 33. Magyar Filmszemle`), in languages that write
#   ordinals so.
# - A number may have symbols, brackets and letters before it: `No. #5`, `ca. US$300`, `Fig. (3)`,
#   `Fig. A3`.
# - A unit after a figure, a figure, and a single capital after a lower-case word end a sentence if
#   the next word is one that opens sentences: `8481 m. Der`, `here am I. And`. The capital also
#   does so before the number of a list: `in annex V. 4. As`.

if TYPE_CHECKING:
    Spans = list[tuple[int, int]]

__all__ = ["LANGUAGES_OF_SCRIPTS", "MODELS", "SCRIPTS", "known_language", "language_of_text"]


# code: the model of Punkt
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
# Languages whose stops end a sentence and nothing else.
SCRIPTS = ("ja", "yue", "zh")
# The scripts of languages, as Unicode names their characters.
LANGUAGES_OF_SCRIPTS = {
    "LATIN": "af ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv ms mt nb nl nn no pl "
    "pt ro sk sl sq sv sw tl tr vi",
    "CYRILLIC": "be bg mk ru uk",
    "ARABIC": "ar fa ps ur",
    "KANA": "ja",
    "CJK": "zh yue ja",
    "DEVANAGARI": "hi mr ne",
    "HEBREW": "he yi",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "ETHIOPIC": "am",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "HANGUL": "ko",
    "KHMER": "km",
    "LAO": "lo",
    "MYANMAR": "my",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
_CHARACTERS_LOOKED_AT = 40_000  # characters of a text that are looked at
_LETTERS = 2000  # letters that tell the script
_FEWEST_LETTERS = 20
_WORDS = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS = 20  # words that tell a language
_LEAST_SHARE = 0.12  # the share of its words that a text in a language has at least
_LEAST_RATIO = 1.3  # and so many times that of the language named, or of English
_SOME_KANA = 0.1  # of the letters of Japanese
# Languages that do not mark where a sentence ends, or mark other places in the same way.
_WITHOUT_SENTENCE_ENDS = ("bo", "dz", "lo", "th")


def known_language(code: str) -> str:
    """Return the code of a language that text can be split in: `en` for `en-GB` and `eng`.

    Raises
    ------
    OptionError
        When it is the code of no language, or of one that does not mark where sentences end.

    """
    name = re.split(r"[-_]", code.strip().lower())[0]
    name = two_letters(name)
    if name in _WITHOUT_SENTENCE_ENDS:
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
    """Return the language of a text by its script and its words; empty where they do not tell it.

    Parameters
    ----------
    text : str
        Its first 40,000 characters are looked at.
    named : str
        The code of the language that it is said to be in: another is returned only where the text
        is clearly in that one.

    Examples
    --------
    >>> language_of_text("Er ging in das Haus und sie sah ihn nicht. " * 3)
    'de'
    >>> language_of_text("猫がそこに座ったのだった。" * 10), language_of_text("Ferry Tessel")
    ('ja', '')

    """
    text = text[:_CHARACTERS_LOOKED_AT]
    own = re.split(r"[-_]", named.strip().lower())[0]
    own = two_letters(own)
    script = _script(text)
    if script not in {"LATIN", "CYRILLIC"}:
        codes = LANGUAGES_OF_SCRIPTS.get(script, "").split()
        elsewhere = not own or any(own in row.split() for row in LANGUAGES_OF_SCRIPTS.values())
        return codes[0] if codes and elsewhere and own not in codes else ""
    words = Counter(_WORDS.findall(text.lower()))
    if words.total() < _FEWEST_WORDS or (own and own not in TABLES_OF):
        return ""
    shares = {
        codes: sum(words[word] for word in abbreviations(codes.split()[0]).openers) / words.total()
        for codes in dict.fromkeys(TABLES_OF.values())
    }
    best = max(shares, key=shares.__getitem__)
    if shares[best] < _LEAST_SHARE or own in best.split():
        return ""
    other = shares[TABLES_OF[own or "en"]]
    return best.split()[0] if best == "en" or shares[best] > _LEAST_RATIO * other else ""


def _script(text: str) -> str:
    """Return the script of most letters, as Unicode names it; empty where there are few letters."""
    letters = islice((sign for sign in text if sign.isalpha()), _LETTERS)
    scripts = Counter(character_name(letter, "").partition(" ")[0] for letter in letters)
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana > _SOME_KANA * scripts.total():
        return "KANA"
    return max(scripts, key=scripts.__getitem__) if scripts.total() >= _FEWEST_LETTERS else ""
