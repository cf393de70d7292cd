"""Languages: their codes (ISO 639), their names, and identification in text.

Identification is that of py3langid (the extra `languages`), a naive Bayes classifier over 140
languages, with a rule for texts that are too short or in several languages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, islice
from typing import Any, NamedTuple

from bitext.errors import check_type, import_extra, nearest

# ISO 639 codes of two letters, with those of three letters
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
# Codes of three letters alone: members of macrolanguages, and others that corpora have.
_KNOWN = {*_BY_LONGER.values(), *["arb", "ber", "ckb", "cmn", "kab", "nds", "pes", "yue", "zsm"]}
WITHDRAWN = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}
"""Codes that ISO 639 withdrew, as Java and old memories have them, and those that replaced them."""
_SCRIPT_CODES = """
arab armn beng cyrl deva ethi geor grek gujr guru hang hans hant hebr jpan khmr knda kore laoo latn
mlym mong mtei mymr olck orya sinh taml telu tfng thaa thai tibt
"""
SCRIPTS = frozenset(_SCRIPT_CODES.split())
"""Scripts that codes of languages have in small letters, too: `zh-hans`."""
_NAMES = """
Afrikaans:af Albanian:sq Amharic:am Arabic:ar Armenian:hy Assamese:as Azerbaijani:az Basque:eu
Belarusian:be Bengali:bn Bosnian:bs Breton:br Bulgarian:bg Burmese:my Cantonese:yue Catalan:ca
Chinese:zh Croatian:hr Czech:cs Danish:da Dutch:nl English:en Esperanto:eo Estonian:et Faroese:fo
Farsi:fa Finnish:fi Flemish:nl French:fr Galician:gl Georgian:ka German:de Greek:el Gujarati:gu
Hausa:ha Hebrew:he Hindi:hi Hungarian:hu Icelandic:is Igbo:ig Indonesian:id Irish:ga Italian:it
Japanese:ja Javanese:jv Kannada:kn Kazakh:kk Khmer:km Korean:ko Kurdish:ku Kyrgyz:ky Lao:lo Latin:la
Latvian:lv Lithuanian:lt Luxembourgish:lb Macedonian:mk Malagasy:mg Malay:ms Malayalam:ml Maltese:mt
Mandarin:zh Maori:mi Marathi:mr Mongolian:mn Nepali:ne Norwegian:no Occitan:oc Odia:or Pashto:ps
Persian:fa Polish:pl Portuguese:pt Punjabi:pa Romanian:ro Romansh:rm Russian:ru Sanskrit:sa
Serbian:sr Sinhala:si Sinhalese:si Slovak:sk Slovene:sl Slovenian:sl Somali:so Spanish:es Swahili:sw
Swedish:sv Tagalog:tl Tajik:tg Tamil:ta Tatar:tt Telugu:te Thai:th Tibetan:bo Turkish:tr Turkmen:tk
Ukrainian:uk Urdu:ur Uyghur:ug Uzbek:uz Vietnamese:vi Welsh:cy Xhosa:xh Yiddish:yi Yoruba:yo Zulu:zu
"""
# Names in the language itself, and in other languages, as in the headers of tables.
_OTHER_NAMES = """
ar:العربية,Arabisch,arabe,árabe bg:български,Bulgarisch,bulgare,búlgaro bn:বাংলা ca:català,Katalanisch
cs:čeština,Tschechisch,tchèque,checo cy:Cymraeg da:dansk,Dänisch,danois,danés
de:Deutsch,allemand,alemán el:Ελληνικά,Griechisch,grec,griego en:Englisch,anglais,inglés
es:español,castellano,Spanisch,espagnol et:eesti,Estnisch,estonien,estonio eu:euskara,Baskisch
fa:فارسی,Persisch fi:suomi,Finnisch,finnois,finés fr:français,Französisch,francés ga:Gaeilge,Irisch
gl:galego he:עברית,Hebräisch,hébreu,hebreo hi:हिन्दी hr:hrvatski,Kroatisch,croate,croata
hu:magyar,Ungarisch,hongrois,húngaro is:íslenska,Isländisch it:italiano,Italienisch,italien
ja:日本語,Japanisch,japonais,japonés ko:한국어,Koreanisch,coréen,coreano lt:lietuvių,Litauisch
lv:latviešu,Lettisch mt:Malti nl:Nederlands,Niederländisch,néerlandais,neerlandés
no:norsk,Norwegisch,norvégien,noruego pl:polski,Polnisch,polonais,polaco
pt:português,Portugiesisch,portugais,portugués ro:română,Rumänisch,roumain,rumano
ru:русский,Russisch,russe,ruso sk:slovenčina,Slowakisch sl:slovenščina,Slowenisch sr:српски,srpski
sv:svenska,Schwedisch,suédois,sueco ta:தமிழ் th:ไทย tr:Türkçe,Türkisch,turc,turco
uk:українська,Ukrainisch,ukrainien ur:اردو zh:中文,简体中文,Chinesisch,chinois,chino
ar:arabo,арабский,阿拉伯语,アラビア語
de:tedesco,alemão,niemiecki,Duits,немецкий,德文,德语,德語,ドイツ語
en:inglese,inglês,angielski,Engels,английский,英文,英语,英語,영어 es:spagnolo,espanhol,hiszpański
en:engelska,engelsk,englanti,angličtina,angol,İngilizce,ingilizce,Αγγλικά,engleză,engleski,anglès
en:англійська,английски,anglų,angļu,inglise,angleščina,الإنجليزية,אנגלית,अंग्रेज़ी,inggris
de:tyska,tysk,saksa,němčina,német,Almanca,Γερμανικά,germană,njemački,німецька,немски,الألمانية,獨語,독일어
es:Spaans,испанский,西班牙文,西班牙语,スペイン語
fr:francese,francês,francuski,французский,法文,法语 fr:法語,フランス語
it:włoski,Italiaans,итальянский,意大利语,イタリア語 ja:giapponese,japonês,японский,日文
ja:日语,日語 ko:韩文,韩语,韓文,韓国語,корейский nl:olandese,holandês,голландский
pl:polacco,polonês pl:польский pt:portoghese,португальский,葡萄牙语
ru:russo,rosyjski,俄文,俄语,俄語,ロシア語 tr:турецкий uk:украинский
zh:cinese,chinês,chiński,китайский,汉语,漢語,繁體中文,繁体中文,中国語,중국어
"""
_BY_NAME = {name.lower(): code for name, _, code in (one.partition(":") for one in _NAMES.split())}
_NAME_OF = {code: name.title() for name, code in reversed(_BY_NAME.items())} | {"fa": "Persian"}
# Languages that are written from right to left, unless their code names another script, and scripts
# in which any language is.
_RIGHT_TO_LEFT = """
ar arc azb ckb dv fa he iw ks lrc mzn nqo pnb ps sd syr ug ur yi
"""
_RIGHT_TO_LEFT_SCRIPTS = "adlm arab aran hebr mand nkoo rohg samr syrc thaa"
_BY_NAME |= {
    name.lower(): code
    for code, _, names in (one.partition(":") for one in _OTHER_NAMES.split())
    for name in names.split(",")
}
# A code, with an optional script and region: zh-Hant-TW, en_US.
_CODE = re.compile(
    r"([a-z]{2,3}|[A-Z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?"
)


def is_language(code: str) -> bool:
    """Recognise the code of a language, in lower case, without script or region."""
    return code in _KNOWN or code in _BY_LONGER


def two_letters(code: str) -> str:
    """Return the two-letter code of a three-letter one; any other string as it is."""
    return _BY_LONGER.get(code, code)


def main_language(code: str) -> str:
    """Return a code without its script and region, by two letters where there are such.

    Examples
    --------
    >>> [main_language(code) for code in ("pt_BR", "RUS-Cyrl", "iw", "")]
    ['pt', 'ru', 'he', '']

    """
    check_type("the language", code, str, "a code, as en")
    main = re.split("[-_]", code.strip().lower(), maxsplit=1)[0]
    return WITHDRAWN.get(main, two_letters(main))


def language_of(name: str) -> str:
    """Return the code of a language by its code or its name; empty for other strings.

    Names are those in English, in the language itself, and some in other languages.

    A code may have a script and a region, and is returned as it is. A string with a capital letter
    before a small one is not a code: `No` is a word. So is `sent` in `en_sent`.

    Examples
    --------
    >>> [language_of(name) for name in ("en", "pt_BR", "DEU", "German", "Deutsch", "No")]
    ['en', 'pt_BR', 'DEU', 'de', 'de', '']
    >>> language_of("ace_Latn"), language_of("ace_Text"), language_of("en_sent")
    ('ace_Latn', '', '')

    """
    code = _CODE.fullmatch(name)
    if code:
        script = code[2] or ""
        is_known = script.lower() in SCRIPTS
        if is_language(code[1].lower()) and (is_known or not script or script.istitle()):
            return name
        if is_known and len(code[1]) == 3 and name.endswith(script):  # as FLORES and NLLB have it
            return name
    return _BY_NAME.get(name.lower(), "")


def language_name(code: str) -> str:
    """Return the English name of a language by its code; empty if none is known.

    Examples
    --------
    >>> language_name("pt-BR"), language_name("deu"), language_name("tlh")
    ('Portuguese', 'German', '')

    """
    return _NAME_OF.get(main_language(code), "")


def nearest_language(name: str) -> str:
    """Return the code of the language whose name is most similar to an unknown one, or nothing.

    Examples
    --------
    >>> nearest_language("Germn"), nearest_language("français"), nearest_language("x")
    ('de', 'fr', '')

    """
    match = nearest(name.lower(), _BY_NAME, cutoff=0.75)
    return _BY_NAME[match] if match else ""


def is_right_to_left(code: str) -> bool:
    """Check whether the script of a language, by its code, runs from right to left.

    Examples
    --------
    >>> [is_right_to_left(code) for code in ("ar", "he-IL", "heb", "ks-Deva", "az-Arab", "en")]
    [True, True, True, False, True, False]

    """
    language, *subtags = code.lower().replace("_", "-").split("-")
    script = next((each for each in subtags if len(each) == 4 and each.isalpha()), "")
    if script:
        return script in _RIGHT_TO_LEFT_SCRIPTS.split()
    return two_letters(language) in _RIGHT_TO_LEFT.split()


# All other languages are taken as Latin. The usual language of a script is its first one.
LANGUAGES_OF_SCRIPTS = {
    "Latin": "sr sh bs uz az kk tt tk crh ku ug ha ms sa pi ber kab cr iu oj",
    "Cyrillic": "ru uk be bg mk sr sh bs uz az kk ky mn tg tt tk crh ab av ba ce cu cv kv os ug",
    "Greek": "el",
    "Arabic": "ar arb fa pes ur ps ug ckb sd az kk ky ku pa ks ha ms",
    "Hebrew": "he yi",
    "Armenian": "hy",
    "Georgian": "ka",
    "Devanagari": "hi mr ne sa pi sd ks",
    "Bengali": "bn as",
    "Gujarati": "gu",
    "Gurmukhi": "pa",
    "Oriya": "or",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Sinhala": "si pi",
    "Thai": "th pi",
    "Lao": "lo",
    "Myanmar": "my pi",
    "Khmer": "km pi",
    "Tibetan": "bo dz",
    "Thaana": "dv",
    "Ethiopic": "am ti",
    "Hangul": "ko",
    "Han": "zh cmn yue ja",
    "Japanese": "ja",
    "Mongolian": "mn",
    "Tifinagh": "ber kab",
    "Yi": "ii",
    "Canadian_Aboriginal": "cr iu oj",
}
"""Scripts by their names in Unicode, and the languages that are written in them."""
# Beginnings of the names of the letters of a script, where these are not that of the script.
_NAMES_OF_LETTERS = {
    "Han": ("CJK",),
    "Japanese": ("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA"),
    "Canadian_Aboriginal": ("CANADIAN",),
}


def scripts_of(lang: str) -> tuple[str, ...]:
    """Return the scripts that a language is written in; empty for an unknown language.

    Examples
    --------
    >>> [scripts_of(lang) for lang in ("ru", "rus", "en-GB", "sr", "sr-Latn", "und", "")]
    [('Cyrillic',), ('Cyrillic',), ('Latin',), ('Latin', 'Cyrillic'), (), (), ()]

    """
    main = main_language(language_of(lang) or lang)
    if not is_language(main) or any(len(one) == 4 for one in re.split("[-_]", lang)[1:]):
        return ()
    names = (name for name, codes in LANGUAGES_OF_SCRIPTS.items() if main in codes.split())
    return tuple(names) or ("Latin",)


def names_of_letters(lang: str) -> tuple[str, ...]:
    """Return the beginnings of the Unicode names of the letters that a language is written in.

    Examples
    --------
    >>> names_of_letters("sr"), names_of_letters("ja"), names_of_letters("zxx")
    (('LATIN', 'CYRILLIC'), ('CJK', 'HIRAGANA', 'KATAKANA', 'HALFWIDTH KATAKANA'), ())

    """
    return tuple(
        name
        for script in scripts_of(lang)
        for name in _NAMES_OF_LETTERS.get(script, (script.upper(),))
    )


class RankedLanguage(NamedTuple):
    """A language and its probability for a text."""

    code: str
    probability: float


# Set by hand; of samples of 20 to 20,000 characters none is identified wrongly
# (scripts/bench/languages.py).
_MIN_PROBABILITY = 0.9
_MIN_LETTERS = 30  # least letters of a text for which a language is identified
# Kana, Han, Hangul; compiled on first use, as that takes 2 ms.
_DENSE = r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_DENSE_LETTERS = 3  # letters of an alphabet that such a character stands for
_SAMPLES = 8  # windows of a text
_SAMPLE = 500  # characters of a window
_PIECE = 120  # characters of a part of a window
_AGREEING = 0.75  # least share of the parts in the language of the text
_LETTER = re.compile(r"[^\W\d_]")
# Tags, addresses, and white space
_NO_WORDS = re.compile(r"<[^<>]*>|(?<!\w)\w+://\S+|(?<!\S)[^\s@]+@\S+|\s+")


@cache
def _identifier() -> Any:
    """Load the classifier (0.5 s of CPU)."""
    langid = import_extra(
        "py3langid.langid", what="the identification of languages", extra="languages"
    )
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


def most_probable_language(text: str) -> RankedLanguage:
    """Return the most probable language of a text, however short the text is.

    Raises `MissingExtraError` when the extra `languages` is not installed.

    Examples
    --------
    >>> ranked = most_probable_language("Jöklar landsins eru hluti af hinni kraftmiklu náttúru.")
    >>> ranked.code, ranked.probability > 0.9
    ('is', True)

    """
    code, probability = _identifier().classify(_NO_WORDS.sub(" ", text).strip())
    return RankedLanguage(code, probability)


def identified_language(sentences: Sequence[str]) -> str:
    """Identify the language of a text; empty for a text that is too short or mixed.

    At most 8 windows of 500 characters are examined, at equal distances. The language of all of
    them together needs a probability of 0.9, and three quarters of their parts have to agree.
    `sentences` may be lines or paragraphs as well.

    Raises `MissingExtraError` when the extra `languages` is not installed.

    Examples
    --------
    >>> german = "Der Wirt ging in das Haus, und sie war nicht da. Dann wurde es im Dorf still."
    >>> french = "Il est entré dans la maison, et elle ne vit pas ce que je vis. Puis il est parti."
    >>> identified_language([german]), identified_language([german, french] * 9)
    ('de', '')
    >>> identified_language(["Tessel Ferry 12 14 18"])
    ''

    """
    windows = _windows(sentences)
    text = " ".join(windows)
    letter_count = len(_LETTER.findall(text)) + (_DENSE_LETTERS - 1) * len(re.findall(_DENSE, text))
    if letter_count < _MIN_LETTERS:
        return ""
    code, probability = most_probable_language(text)
    if probability < _MIN_PROBABILITY or code == "zxx":  # no linguistic content
        return ""
    pieces = [
        most_probable_language(window[begin : begin + _PIECE])
        for window in windows
        for begin in range(0, max(1, len(window) - _PIECE + 1), _PIECE)
    ]
    votes = [piece.code for piece in pieces if piece.probability >= _MIN_PROBABILITY]
    return code if votes.count(code) >= _AGREEING * len(votes) else ""


def _windows(sentences: Sequence[str]) -> list[str]:
    """Return windows of a text at equal distances; a short text is one window."""
    total = sum(map(len, sentences))
    if total <= _SAMPLES * _SAMPLE:
        return [_NO_WORDS.sub(" ", " ".join(sentences)).strip()]
    starts = [(total - _SAMPLE) * k // (_SAMPLES - 1) for k in range(_SAMPLES)]
    ends = list(accumulate(map(len, sentences)))
    windows = []
    for start in starts:
        index = bisect_right(ends, start)
        begin, window = start - ends[index] + len(sentences[index]), ""
        while len(window) < _SAMPLE and index < len(sentences):
            window += f" {sentences[index][begin : begin + _SAMPLE]}"
            begin, index = 0, index + 1
        windows.append(_NO_WORDS.sub(" ", window).strip())
    return windows


# Letters of scripts that write no blanks between words: Thai, Lao, Burmese, Khmer, Kana and Han.
_UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
_SAMPLED = 200  # segments that show whether a text has blanks between words; set by hand
_LONG_WORD = 5.0  # mean letters of a run without blanks, beyond which it is not a word


def lacks_blanks(segments: Iterable[str]) -> bool:
    """Recognise a text in a script without blanks between words, which was not split into words.

    Examples
    --------
    >>> chinese, split = ["磨坊停了整整一年。"], ["磨坊 停 了 整整 一 年 。"]
    >>> lacks_blanks(chinese), lacks_blanks(split), lacks_blanks(["The mill stood still."])
    (True, False, False)

    """
    sample = " ".join(islice(segments, _SAMPLED))
    letters = sum(map(str.isalpha, sample))
    dense = len(re.findall(_UNSPACED, sample)) if not sample.isascii() else 0
    return 2 * dense > letters > _LONG_WORD * len(sample.split())
