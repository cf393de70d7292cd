"""The languages that running text can be split into sentences in, by their codes.

The language of a text without a code is told by its script, and in Latin and Cyrillic script by its
words: each language has a table of words that its sentences begin with (`abbreviations.py`), which
are articles, pronouns and conjunctions. They are a fifth to nearly a half of the words of a text in
that language, and rarely a tenth of one in another.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from unicodedata import name as character_name

from bitext.errors import OptionError
from bitext.segment.abbreviations import TABLES_OF, abbreviations

__all__ = [
    "LANGUAGES_OF_SCRIPTS",
    "MODELS",
    "SCRIPTS",
    "is_language",
    "known_language",
    "language_of_text",
]

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
_LOOKED_AT = 40_000  # characters of a text that are looked at
_LETTERS = 2000  # letters that tell the script
_FEWEST_LETTERS = 20
_WORDS = re.compile(r"[^\W\d_]+")
_FEWEST = 20  # words that tell a language
_LEAST = 0.12  # the share of its words that a text in a language has at least
_APART = 1.3  # and so many times that of the language named, or of English
_SOME_KANA = 0.1  # of the letters of Japanese
# Languages that do not mark where a sentence ends, or mark other places in the same way.
_WITHOUT = ("bo", "dz", "lo", "th")

# ISO 639: of two letters, and of three
_CODES = """
aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel
bg:bul bi:bis bm:bam bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu
cv:chv cy:cym da:dan de:deu dv:div dz:dzo ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas
ff:ful fi:fin fj:fij fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb
hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido
is:isl it:ita iu:iku ja:jpn jv:jav ka:kat kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor
kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub
lv:lav mg:mlg mh:mah mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde
ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan
pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus rw:kin sa:san sc:srd sd:snd se:sme
sg:sag sh:hbs si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot su:sun sv:swe
sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi
ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha
zh:zho zu:zul
sq:alb hy:arm eu:baq my:bur zh:chi cs:cze nl:dut fr:fre ka:geo de:ger el:gre is:ice mk:mac mi:mao
ms:may fa:per ro:rum sk:slo bo:tib cy:wel
"""
_BY_LONGER = {longer: short for short, _, longer in (one.partition(":") for one in _CODES.split())}
_KNOWN = {*_BY_LONGER.values(), *SCRIPTS}


def is_language(code: str) -> bool:
    """Return whether it is the code of a language, in small letters and without more."""
    return code in _KNOWN or code in _BY_LONGER


def known_language(code: str) -> str:
    """Return the code of a language that text can be split in: `en` for `en-GB` and `eng`.

    Raises
    ------
    OptionError
        When it is the code of no language, or of one that does not mark where sentences end.

    """
    name = re.split(r"[-_]", code.strip().lower())[0]
    name = _BY_LONGER.get(name, name)
    if name in _WITHOUT:
        raise OptionError(
            f"sentences of language {code!r} cannot be split: its script does not mark where they "
            f"end; want text with one sentence a line"
        )
    if name not in _KNOWN:
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
    text = text[:_LOOKED_AT]
    own = re.split(r"[-_]", named.strip().lower())[0]
    own = _BY_LONGER.get(own, own)
    script = _script(text)
    if script not in {"LATIN", "CYRILLIC"}:
        codes = LANGUAGES_OF_SCRIPTS.get(script, "").split()
        elsewhere = not own or any(own in row.split() for row in LANGUAGES_OF_SCRIPTS.values())
        return codes[0] if codes and elsewhere and own not in codes else ""
    words = Counter(_WORDS.findall(text.lower()))
    if words.total() < _FEWEST or (own and own not in TABLES_OF):
        return ""
    shares = {
        codes: sum(words[word] for word in abbreviations(codes.split()[0]).openers) / words.total()
        for codes in dict.fromkeys(TABLES_OF.values())
    }
    best = max(shares, key=shares.__getitem__)
    if shares[best] < _LEAST or own in best.split():
        return ""
    other = shares[TABLES_OF[own or "en"]]
    return best.split()[0] if best == "en" or shares[best] > _APART * other else ""


def _script(text: str) -> str:
    """Return the script of most letters, as Unicode names it; empty where there are few letters."""
    letters = islice((sign for sign in text if sign.isalpha()), _LETTERS)
    scripts = Counter(character_name(letter, "").partition(" ")[0] for letter in letters)
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana > _SOME_KANA * scripts.total():
        return "KANA"
    return max(scripts, key=scripts.__getitem__) if scripts.total() >= _FEWEST_LETTERS else ""
