"""Columns of tables, by their names in headers and by their cells.

Headers name sides, languages, scores, identifiers and states of translation. Cells are numbers,
identifiers, keys, categories or texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bitext.errors import remedy
from bitext.formats.io.source import Source
from bitext.formats.languages import NO_CODES, code_in
from bitext.formats.scores import MISSING, score_of
from bitext.lazy import late_pattern
from bitext.model.languages import language_of, main_language

SRC_NAMES = {"src", "source", "text1", "src_text", "source_text", "sentence1", "source_sentence"}
TGT_NAMES = {"tgt", "trg", "target", "text2", "tgt_text", "trg_text", "target_text", "sentence2"}
TGT_NAMES |= {"target_sentence"}
LONGEST_NAME = 40  # characters of a name in a header; set by hand: longer cells are sentences
BEGINNING = 5  # rows of a table of which one may be its header; set by hand
_LONGEST_NUMBER = 3  # digits beside the code of a language, as in `es-419` and `en_2`
_OWN = late_pattern(r"(src|tgt)(?::(\S+))?", re.IGNORECASE)  # in tables that bitext wrote
_CAPITAL = late_pattern(r"(?<=[a-z])(?=[A-Z])")
_WORD = late_pattern(r"[^\W_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Beside English, those of languages in which programs for translators have menus.
_SRC_WORDS = _words(
    "src source original input quelle quelltext ausgangstext origen fuente origem départ originale "
    "sorgente partenza bron brontekst źródło źródłowy oryginał zdroj исходный исходник оригинал "
    "источник källa källtext kilde kildetekst lähde lähdeteksti kaynak forrás forrásszöveg sursă "
    "izvor джерело оригінал изходен πηγή sumber المصدر מקור 原文 源文 原語 原语 원문 sursa "
    "origine zdrojový gốc nguồn"
)
_TGT_WORDS = _words(
    "tgt trg target translation translated translations ziel zieltext übersetzung übersetzungen "
    "cible traduction traduit arrivée traducción traducido destino traduzione tradotto tradução "
    "traduzido arrivo destinazione doel doeltekst vertaling tłumaczenie docelowy překlad перевод "
    "целевой måltext måltekst översättning oversættelse oversettelse käännös kohde kohdeteksti "
    "hedef çeviri fordítás célszöveg țintă traducere prijevod prevod переклад превод μετάφραση "
    "terjemahan الترجمة תרגום 译语 译文 譯文 訳文 翻译 翻譯 번역 번역문 ținta đích dịch"
)
_RIVALS = _words("mt ref reference hyp hypothesis pe post edit postedit output prediction")
_FILLERS = _words(
    "text texts txt segment segments seg sentence sentences string strings str phrase content "
    "machine human term terms value texte texto testo tekst satz begriff wort texty текст frase "
    "termino termine kalimat metin metni cümle câu bản κείμενο"
)
_PARTICLES = _words("de da di do del du of the la l d")  # of names such as `Texto de origem`
_ID_WORDS = _words("id ids uuid guid key")
_STATE_WORDS = _words("state status fuzzy")
_SCORE_WORDS = _words(
    "score similarity match probability prob confidence quality bicleaner laser labse margin "
    "cosine comet bleu chrf"
)
_OTHER_WORDS = _words(
    "lang language languages locale url uri link doc document file filename path name title "
    "length len count words chars characters number no nr num index idx line row comment comments "
    "note notes context domain type kind category tag tags author user date time created "
    "modified updated license licence label distance year rank version code codes definition "
    "description instruction cluster topic"
)
_LANGUAGE_WORDS = _words(
    "lang language languages locale sprache langue idioma lingua taal code ausgangssprache "
    "quellsprache zielsprache"
)
# Two texts by number or letter, as `sentence_a sentence_b`; both must be there.
_NUMBERED = late_pattern(r"(?:text|sent|sentence|string|seg|segment|lang|language|l)[ _-]?([12ab])")
# Words for the two sides that are names of columns by others alone, so both must be there.
_TOGETHER = (("st", "tt"), ("sources", "targets"), ("inputs", "targets"), ("msgid", "msgstr"))
_SIDES = {"src": "src", "source": "src", "tgt": "tgt", "trg": "tgt", "target": "tgt"}
HARDLY_LANGUAGES = frozenset(("id", "no", "nr"))
# Scripts and regions as names of languages have them: `Chinese Simplified`, `English (UK)`.
_REGION_NAMES = """
Hans:simplified Hant:traditional Latn:latin Cyrl:cyrillic
AE:uae AR:argentina,argentinien AT:austria,österreich,austrian,autriche AU:australia,australian
BE:belgium,belgian,belgien,belgique BR:brazil,brazilian,brasil,brasilien CA:canada,canadian,kanada
CH:switzerland,swiss,schweiz,suisse CL:chile CN:china,prc CO:colombia CZ:czechia,czech_republic
DE:germany,deutschland DK:denmark EG:egypt ES:spain,españa,spanien FI:finland FR:france,frankreich
GB:uk,united_kingdom,british,great_britain,großbritannien,vereinigtes_königreich GR:greece
HK:hong_kong HU:hungary IE:ireland,irland IL:israel IN:india,indien IT:italy,italia,italien JP:japan
KR:korea,south_korea MX:mexico,mexican,méxico,mexiko NL:netherlands,niederlande NO:norway
NZ:new_zealand PL:poland PT:portugal,european RO:romania RU:russia SA:saudi_arabia SE:sweden
SG:singapore TR:turkey TW:taiwan UA:ukraine US:usa,united_states,american,vereinigte_staaten
ZA:south_africa 419:latin_america,latin_american
"""
_REGIONS = {
    name.replace("_", " "): code
    for code, _, names in (each.partition(":") for each in _REGION_NAMES.split())
    for name in names.split(",")
}


class Head(NamedTuple):
    """The meaning of a name in a header."""

    # `src`, `tgt`, `score`, `id`, `state`, `other`, `text` (a filler only), or empty.
    role: str = ""
    # Of a side: 0 if the name is that of a table of bitext, 1 a usual name, 2 other words, 3 a
    # name that is one side only beside the other one (`mt`, `text`).
    rank: int = 0
    lang: str = ""  # the language, by its code


def head_of(name: str) -> Head:
    """Return the meaning of a name in a header.

    Examples
    --------
    >>> [head_of(name).role for name in ("Source Text", "Target (de)", "Match %", "Segment ID")]
    ['src', 'tgt', 'score', 'id']
    >>> head_of("text_en").lang, head_of("Deutsch").lang, head_of("Source language").role
    ('en', 'de', 'other')

    """
    # JSON lines have the same names in each object.
    return (_head_of if len(name) <= LONGEST_NAME else _head_of.__wrapped__)(name)


@lru_cache(maxsize=1 << 10)
def _head_of(name: str) -> Head:
    lowered = name.strip().lower()
    own = _OWN.fullmatch(name.strip())
    if own:
        return Head(own[1].lower(), 0, own[2] or "")
    if lowered in SRC_NAMES or lowered in TGT_NAMES:
        return Head("src" if lowered in SRC_NAMES else "tgt", 1)
    # `en_text` is no English in a script `Text`.
    if (lang := language_of(name.strip())) and not _FILLERS & {*_name_words(name)[1:]}:
        return Head("", 0, lang)
    words = _words_of(name)
    known = set(map(str.lower, words))
    if not words:
        return Head()
    for role, those in (("id", _ID_WORDS), ("state", _STATE_WORDS), ("score", _SCORE_WORDS)):
        if known & those:
            return Head(role)
    if known & (_OTHER_WORDS | _LANGUAGE_WORDS):
        return Head("other")
    sides = [those for those in (_SRC_WORDS, _TGT_WORDS, _RIVALS) if known & those]
    words = _without_particles(words)
    left = [word for word in words if word.lower() not in _FILLERS.union(*sides)]
    lang = _language_in(left)
    if len(sides) > 1 or (left and not lang):
        return Head()
    if not sides:
        if lang:
            return Head("", 0, lang)
        return Head("text", 3) if not any(map(str.isdigit, left)) else Head()
    return Head("src" if sides == [_SRC_WORDS] else "tgt", 3 if sides == [_RIVALS] else 2, lang)


def heads_of(names: Sequence[str]) -> list[Head]:
    """Return the meanings of the names in a header; beside a source or `ref`, `mt` is no Maltese.

    Two texts by number (`text_a text_b`), `ST TT`, and names that differ only in the word for
    their side (`src_raw tgt_raw`) are a source and a target together only.
    """
    heads = list(map(head_of, names))
    lowered = [name.strip().lower() for name in names]
    for k, name in enumerate(lowered):  # `src:pos` beside `src`, as in UTX, is no other source
        side, colon, _ = name.partition(":")
        if colon and side in lowered and heads[k].role == side:
            heads[k] = Head("other")
    first_ones = [name for name in lowered if _NUMBERED.fullmatch(name) and name[-1] in "1a"]
    pairs = [(name, name[:-1] + {"1": "2", "a": "b"}[name[-1]]) for name in first_ones]
    for pair in (*pairs, *_TOGETHER):
        if lowered.count(pair[0]) == lowered.count(pair[1]) == 1:
            for name, role in zip(pair, ("src", "tgt"), strict=True):
                k = lowered.index(name)
                heads[k] = heads[k] if heads[k].role in {"src", "tgt"} else Head(role, 2)
    if any(head.role == "src" or (head.role == "tgt" and head.rank == 3) for head in heads):
        machine = [name.strip().lower() == "mt" for name in names]
        heads = [Head("tgt", 3) if one else head for one, head in zip(machine, heads, strict=True)]
    if not any(head.lang or head.role in {"src", "tgt"} for head in heads):
        for k, lang in _by_stems(names).items():
            heads[k] = Head("", 0, lang)
        for k, head in texts_by_sides(names).items():
            heads[k] = heads[k] if heads[k].role else head
    sides = [head for head in heads if head.role in {"src", "tgt", "text"}]
    if len({head.role for head in sides}) == 1 and len({head.lang for head in sides} - {""}) > 1:
        # `translation.en translation.de`
        heads = [Head("", 0, head.lang) if head in sides else head for head in heads]
    return heads


def texts_by_sides(names: Sequence[str]) -> dict[int, Head]:
    """Return the columns whose names differ only in the word for their side.

    Examples
    --------
    >>> [*texts_by_sides(["id", "src_raw", "tgt_raw", "src_lang", "source_len"])]
    [1, 2]

    """
    stems: dict[tuple[str, ...], dict[str, int]] = {}
    for k, name in enumerate(names):
        words = [] if any(map(str.isdigit, name)) else _name_words(name)
        sides = [_SIDES[word] for word in words if word in _SIDES]
        if len(sides) == 1 < len(words):
            stem = tuple("" if word in _SIDES else word for word in words)
            stems.setdefault(stem, {}).setdefault(sides[0], k)
    return {
        k: Head(side, 2)
        for both in stems.values()
        if len(both) == 2
        for side, k in sorted(both.items())
    }


def _by_stems(names: Sequence[str]) -> dict[int, str]:
    """Return the languages of names that differ only in them, as `title_en` and `title_de` do.

    Examples
    --------
    >>> _by_stems(["sku", "name[en-US]", "name[de]", "German note"]), _by_stems(["en la", "de la"])
    ({1: 'en-US', 2: 'de'}, {})

    """
    stems: dict[tuple[str, ...], dict[int, str]] = {}
    for k, name in enumerate(names):
        words = _words_of(name)
        for many in (2, 1) if words else ():
            for named, stem in ((words[-many:], words[:-many]), (words[:many], words[many:])):
                # A code in small letters between blanks may be a word, as `en` is in Spanish.
                plain = {word for word in named if word.islower() and len(word) < 4}
                lang = "" if plain & {*name.split()} or not stem else _language_in(named)
                if lang:
                    key = tuple(map(str.lower, stem))
                    stems.setdefault(key, {}).setdefault(k, lang)
    shared = [langs for langs in stems.values() if len(set(langs.values())) > 1]
    return {k: lang for langs in shared for k, lang in langs.items()}


def _words_of(name: str) -> list[str]:
    """Return the words of a name; none of a longer string, which names nothing."""
    return _WORD.findall(_CAPITAL.sub(" ", name)) if len(name) <= LONGEST_NAME else []


def _name_words(name: str) -> list[str]:
    return [word.lower() for word in _words_of(name)]


def _without_particles(words: list[str]) -> list[str]:
    """Return the words of a name without particles before a word for a side: `texto de origem`."""
    ours = _SRC_WORDS | _TGT_WORDS | _FILLERS
    return [
        word
        for k, word in enumerate(words)
        if not (
            0 < k < len(words) - 1
            and word.lower() in _PARTICLES
            and ours.issuperset((words[k - 1].lower(), words[k + 1].lower()))
        )
    ]


def _language_in(words: Sequence[str]) -> str:
    """Return the language that words name together: `en US`, `eng Latn`, `English UK`."""
    if not words:
        return ""
    if code := language_of("-".join(words)):
        return code
    base, *more = words
    if any(word.isdecimal() and len(word) > _LONGEST_NUMBER for word in more):
        return ""  # an identifier, as `de-000000012`
    if base.lower() in _REGIONS and language_of(more[-1] if more else ""):
        base, more = more[-1], [base, *more[:-1]]  # `Brazilian Portuguese`
    lang = language_of(base)
    if not lang or not more:
        return lang
    code = language_of("-".join(more))  # `German (de-AT)`
    if code and main_language(code) == main_language(lang):
        return code
    if region := _REGIONS.get(" ".join(more).lower(), ""):
        return f"{lang}-{region}"
    if len(more) > 1:
        return ""
    region = more[0].upper() if len(more[0]) == 2 and more[0].isalpha() else ""
    return f"{lang}-{region}" if region else lang


def names_texts(cells: Sequence[str]) -> bool:
    """Recognise an unmistakable header: a row that names two sides or two languages.

    Examples
    --------
    >>> names_texts(["", "EN", "DE"]), names_texts(["English", "Englisch"])
    (True, False)

    """
    filled = [cell for cell in cells if cell.strip()]
    if any(len(cell) > LONGEST_NAME for cell in filled):
        return False
    heads = heads_of(filled)
    sides = {head.role for head in heads if head.role in {"src", "tgt"} and head.rank < 3}
    langs = [head.lang for head in heads if head.lang]
    return len(sides) == 2 or len({language_of(each) or each for each in langs}) > 1


def may_name_languages(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Check whether a first row may name a rare language beside a known one.

    Examples
    --------
    >>> may_name_languages(["Kreol", "English"], [["Mo kontan.", "I am happy."]])
    True
    >>> may_name_languages(["Kreol", "English"], [["Anglais", "English"]])
    False
    >>> may_name_languages(["English", ""], [])
    False
    >>> may_name_languages(["mfe", "eng"], []), may_name_languages(["no", "nein"], [])
    (True, False)
    >>> may_name_languages(["sun", "sol"], [["moon", "luna"], ["star", "estrella"]])
    False

    """
    known = [k for k, cell in enumerate(first) if language_of(cell.strip())]
    rest = [cell.strip() for k, cell in enumerate(first) if k not in known]
    if not len(known) == len(rest) == 1 or any(
        language_of(row[known[0]].strip()) for row in others
    ):
        return False
    name = first[known[0]].strip()
    if language_of(name) != name:
        return len(words := rest[0].split()) in {1, 2} and words[0].istitle()
    # Codes of two letters are words, too, and in lists of words those of three (`sun`).
    words = [cell for row in others for cell in row if cell.islower() and " " not in cell.strip()]
    are_words = 2 * len(words) > sum(map(len, others))
    return len(name) > 2 and bool(_CODE_OR_SCRIPT.fullmatch(rest[0])) and not are_words


_FIELD = late_pattern(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*")  # a name as programs have it


def may_be_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Check whether two cells that are read as texts may be names of columns.

    They are languages, or words in small letters above sentences with capitals.

    Examples
    --------
    >>> may_be_header(["word", "meaning"], [["It rained.", "Es regnete."], ["He came.", "Er kam."]])
    True
    >>> may_be_header(["Preface", "Vorwort"], [["It rained.", "Es regnete."]] * 2)
    False

    """
    if may_name_languages(first, others):
        return True
    cells = [cell.strip() for row in others for cell in row]
    return (
        len(others) > 1
        and all(_FIELD.fullmatch(cell.strip()) for cell in first)
        and 2 * sum(" " in cell for cell in cells) > len(cells)
        and any(cell != cell.lower() for cell in cells)
        and not any(map(_FIELD.fullmatch, cells))
    )


def width_of_texts(tables: Iterable[Sequence[Sequence[str]]]) -> int:
    """Return the number of columns of the tables of a document that hold its texts; 0 without any.

    It is that of most rows, or that below a header of two texts or languages, if as many
    characters stand there: a table about the file often comes first.

    Examples
    --------
    >>> about = [["Source:", "en"], ["Target:", "de"], ["File:", "a.docx"]]
    >>> width_of_texts([about, [["ID", "English", "German"], ["1", "It rained.", "Es regnete."]]])
    3

    """
    rows: Counter[int] = Counter()
    characters: Counter[int] = Counter()
    headed = set()
    for table in tables:
        for k, row in enumerate(table):
            rows[len(row)] += 1
            characters[len(row)] += sum(map(len, row))
            if k < min(BEGINNING, len(table) - 1) and names_texts(row):
                headed.add(len(row))
    most = max(rows, key=lambda width: (rows[width], width), default=0)
    best = max(headed, key=characters.__getitem__, default=most)
    return best if characters[best] >= characters[most] else most


def names_languages_below(first: list[str], second: list[str]) -> bool:
    """Recognise a row that adds languages to the two sides named in the header above it."""
    heads = heads_of(first)
    sides = {head.role: k for k, head in enumerate(heads) if head.role in {"src", "tgt"}}
    ranks = [head.rank for head in heads if head.role in {"src", "tgt"}]
    if len(ranks) != 2 or len(sides) != 2 or 0 in ranks or len(second) != len(first):
        return False
    langs = {head_of(second[k]).lang for k in sides.values()}
    return "" not in langs and len(set(map(language_of, langs))) == 2


def goes_on_below(first: list[str], second: list[str]) -> bool:
    """Recognise a second header row that repeats its names below the merged cells of two sides."""
    heads = heads_of(first)
    sides = [k for k, head in enumerate(heads) if head.role in {"src", "tgt"}]
    if len(sides) != 2 or len(second) != len(first) or not all(second):
        return False
    width = sides[1] - sides[0]
    groups = [row[k : k + width] for row in (first, second) for k in sides]
    merged = width > 1 and not any([*groups[0][1:], *groups[1][1:]])
    return merged and len(groups[3]) == width and groups[2] == groups[3] and len({*groups[2]}) > 1


def without_comment(first: list[str]) -> list[str]:
    """Return a first row without the `#` before a header.

    Examples
    --------
    >>> without_comment(["#src", "tgt"]), without_comment(["#1 rule", "Regel 1"])
    (['src', 'tgt'], ['#1 rule', 'Regel 1'])

    """
    bare = [first[0].lstrip("#").strip(), *first[1:]]
    return bare if first[0].startswith("#") and names_texts(bare) else first


def texts_by_language(names: Sequence[str]) -> dict[int, Head]:
    """Return the columns named `Source language` and `Target language`, as if they had the texts.

    Examples
    --------
    >>> texts_by_language(["Nr.", "Source language (English)", "Target language"])[1]
    Head(role='src', rank=2, lang='en')

    """
    columns = [k for k in language_columns(names) if k is not None]
    if len(columns) < 2:
        return {}
    heads = {}
    for k, role in zip(columns, ("src", "tgt"), strict=True):
        words = [word for word in _WORD.findall(names[k]) if word.lower() not in _LANGUAGE_WORDS]
        heads[k] = Head(role, 2, head_of(" ".join(words)).lang if words else "")
    return heads


def language_columns(names: Sequence[str]) -> tuple[int | None, int | None]:
    """Return the columns with the language of each row's source and target, from 0.

    Examples
    --------
    >>> language_columns(["source", "target", "Source language", "tgt_lang"])
    (2, 3)

    """
    words = [frozenset(_name_words(name)) for name in names]
    columns = []
    for side in (_SRC_WORDS | {"ausgangssprache", "quellsprache"}, _TGT_WORDS | {"zielsprache"}):
        those = [k for k, name in enumerate(words) if name & side and name & _LANGUAGE_WORDS]
        columns.append(those[0] if len(those) == 1 else None)
    return columns[0], columns[1]


_SHARE = 0.5  # least share of addresses among the cells of a column of addresses; set by hand
URL = late_pattern(r"(?:https?|ftp)://\S+")
# Numbers, and other strings of digits: dates, times, shares.
NUMBER = late_pattern(
    r"[-+]?\.?\d[\d.,:/%-]*(?:[eE][-+]?\d+)?(?: ?%)?|"
    r"\d[\d./-]{5,9}[T ]\d?\d:\d\d[\d:.]*(?: ?(?:Z|UTC|[-+]\d\d:?\d\d))?",
    re.ASCII,
)
_LINKS = late_pattern(r"\d{1,9}[-p?]\d{1,9}(?: +\d{1,9}[-p?]\d{1,9})*", re.ASCII)  # of Pharaoh
# Keys of strings, names of files, numbers of segments and verses: `menu.open`, `s12`, `GEN 1:3`.
_KEY = late_pattern(
    r"[A-Za-z]\w*(?:[._:/#-]\w+)+|[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*|[A-Za-z]{1,6}\d+|"
    r"[\[(#]\w{1,12}[\])]?|(?:[1-3] ?)?[A-Za-z]{2,12}\.? \d+[:.,]\d+",
    re.ASCII,
)
# Keys that are hardly words: `menu.open`, `app_title`; not `H2O`, `well-known`.
_STRING_KEY = late_pattern(r"[A-Za-z]\w*(?:[.:/]\w[\w-]*)+|[a-z]+(?:_[a-z0-9]+)+", re.ASCII)
_DOTTED = late_pattern(r"\w[\w-]*(?:\.\w[\w-]*)+", re.ASCII)  # names of hosts and files
_IDENTIFIER = late_pattern(  # of sentences and verses: `de-000000012`, `s12`, `GEN 1:3`
    r"[A-Za-z]+[-_.:]?(?:[A-Za-z]{0,3}[-_.:]?\d+)+|(?:[1-3] ?)?[A-Z]\w{1,2} \d+:\d+", re.ASCII
)
_CODE = late_pattern(r"[a-z]{3}")  # of a language, by ISO 639-3
_CODE_OR_SCRIPT = late_pattern(r"[a-z]{3}(?:_[A-Z][a-z]{3})?")
_REPEATED = 5  # rows for each value, at least, of a column of categories; set by hand
DECIMAL = late_pattern(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?", re.ASCII)
# Identifiers of segments.
_NAME = late_pattern(r"(?=[^\d]*\d)[\w.:#/@-]{1,100}", re.ASCII)
_BETWEEN = late_pattern(r"\s*[,;+]\s*|\s+")
_BRACKETS = frozenset(["[]", "()", "{}"])  # around a list, a tuple or a set
_EMPTY = frozenset(["", "-", "null", "nan", "none", "omitted", "set()"])
# A whole number, as data frames with missing values have it.
_WHOLE = late_pattern(r"(?<![\w.:#/@-])(\d+)\.0(?![\w.:#/@-])", re.ASCII)
_DIGITS = late_pattern(r"\d+", re.ASCII)
_RANGE = late_pattern(r"(.*[^\W\d_].*\d)-+(.*[^\W\d_].*\d)", re.ASCII)
_ID_WORD = late_pattern(r"[A-Za-z]+(?:0|[1-9]\d*)", re.ASCII)
_OF_IDS = late_pattern(r"(?i)(?:\b|_)ids?\b")  # in the header of a column
ALIKE = 2
"""Identifiers, at least, for each way in which letters stand around digits; set by hand."""


def kind_of(cells: Sequence[str]) -> str:
    """Classify a column: `numbers`, `addresses`, `languages`, `word links`, `texts`, `nothing`."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return "nothing"
    filled = [cell for cell in filled if cell not in MISSING] or filled
    if all(NUMBER.fullmatch(cell) or score_of(cell) is not None for cell in filled) and any(
        NUMBER.fullmatch(cell) for cell in filled
    ):
        return "numbers"
    if sum(bool(URL.fullmatch(cell)) for cell in filled) >= _SHARE * len(filled):
        return "addresses"
    if all(map(_LINKS.fullmatch, filled)) and any(" " in cell for cell in filled):
        return "word links"
    if len(filled) > 1 and len(values := set(filled)) < len(filled):
        values -= NO_CODES
        known = sum(bool(language_of(value)) and not _is_pair(value) for value in values)
        # Lists of sentences have rare languages, too, with codes of three letters.
        if known and (
            known == len(values) or (2 * known > len(values) and all(map(_CODE.fullmatch, values)))
        ):
            return "languages"
    return "texts"


def _is_pair(value: str) -> bool:
    """Recognise two languages, as `en-de`, which is no code of one; `pt-br` is."""
    source, _, target = value.partition("-")
    both = value.islower() and bool(language_of(source)) and bool(language_of(target))
    return both and not code_in(value)


def have_languages(cells: Sequence[str], *, header: bool, other: bool) -> bool:
    """Recognise a column with the language of each row.

    Codes need not recur below a name such as `lang`, be it an `other` column of the header or the
    first cell of a table that seems to have none.
    """
    if not header and len(cells) > 1:
        if kind_of(cells[1:]) == "languages":
            return True
        other = head_of(cells[0].strip()).role == "other"
    filled = {cell.strip() for cell in (cells if header else cells[1:])} - {"", *NO_CODES}
    return other and bool(filled) and all(map(language_of, filled))


def may_be_scores(cells: Sequence[str]) -> bool:
    """Check whether a column may hold scores, some or all of them missing."""
    kind = kind_of(cells)
    return kind == "nothing" or (
        kind == "numbers" and any(score_of(cell) is not None for cell in cells if cell.strip())
    )


def are_keys(cells: Sequence[str]) -> bool:
    """Recognise a column of keys of strings, file names or verse numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    pattern = _KEY if len(set(filled)) == len(filled) else _DOTTED  # names of hosts may recur
    return len(filled) > 1 and all(map(pattern.fullmatch, filled))


def are_numbered_names(cells: Sequence[str]) -> bool:
    """Recognise a column of identifiers that contain a number, as `de-000012`."""
    return _are_distinct(cells, _IDENTIFIER)


def are_string_keys(cells: Sequence[str]) -> bool:
    """Recognise a column of the keys of a program's strings."""
    return _are_distinct(cells, _STRING_KEY)


def _are_distinct(cells: Sequence[str], pattern: re.Pattern[str]) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    return len(set(filled)) == len(filled) > 1 and all(map(pattern.fullmatch, filled))


def are_categories(cells: Sequence[str]) -> bool:
    """Recognise a column of categories: single words that recur, such as `train`."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    values = set(filled)
    few = len(values) == 1 < len(filled) or 0 < len(values) * _REPEATED <= len(filled)
    return few and not any(" " in value for value in values)


def names_in(cell: str) -> list[str]:
    """Return the identifiers of a cell, which may be a list of Python; none of an empty side.

    Examples
    --------
    >>> names_in("s1 s2"), names_in("[3, 4]"), names_in("['a1']"), names_in("[]")
    (['s1', 's2'], ['3', '4'], ['a1'], [])
    >>> names_in("3.0"), names_in("{3, 4}"), names_in("nan"), names_in("s1.0")
    (['3'], ['3', '4'], [], ['s1.0'])

    """
    cell = cell.strip()
    if ".0" in cell:
        cell = _WHOLE.sub(r"\1", cell)
    if cell[:1] + cell[-1:] in _BRACKETS:
        cell = cell[1:-1].replace("'", "").replace('"', "").strip(", ")
    return [] if cell.lower() in _EMPTY else _BETWEEN.split(cell)


def is_identifier(name: str) -> bool:
    """Recognise a possible identifier: a whole number, or letters and digits."""
    if name.isascii() and name.isdecimal():
        return True
    if not _NAME.fullmatch(name) or not any(map(str.isalpha, name)):
        return False
    both = _RANGE.fullmatch(name)
    return both is None or _DIGITS.sub("#", both[1]) != _DIGITS.sub("#", both[2])


def may_be_words(cells: Sequence[str], head: str = "") -> bool:
    """Check whether the identifiers of a column may be words as well: letters before a number.

    `head` is the header of the column: below `src_id` they are identifiers.

    Examples
    --------
    >>> may_be_words(["s1", "s2"]), may_be_words(["s1.1", "s1.2"]), may_be_words(["s01", "s02"])
    (True, False, False)
    >>> may_be_words(["s1", "s2"], "Source ID")
    False

    """
    names = (name for cell in cells for name in names_in(cell))
    return not _OF_IDS.search(head) and all(map(_ID_WORD.fullmatch, names))


def _go_up(names: Sequence[str]) -> bool:
    """Test identifiers for one shape and ascending numbers."""
    if len(names) < 2:
        return True
    numbers = [list(map(int, _DIGITS.findall(name))) for name in names]
    alike = len({_DIGITS.sub("#", name) for name in names}) == 1
    return alike and all(a < b for a, b in pairwise(numbers))


def are_identifiers(cells: Sequence[str]) -> bool:
    """Recognise a column of numbers or identifiers, most of them of one shape.

    Those of a cell go up, as segments of a bisegment do, and most stand in one cell only. Words
    with digits (`w7 w3`), as of codes or made texts, do neither.

    Examples
    --------
    >>> are_identifiers(["s1 s2", "s3", ""]), are_identifiers(["3,4", "5"])
    (True, True)
    >>> are_identifiers(["A4", "B2B", "H2O"]), are_identifiers(["0-0", "1-1"])
    (False, False)
    >>> are_identifiers(["w7 w3 w4", "w3"]), are_identifiers(["word1 a1", "word2 a2"])
    (False, False)

    """
    lists = [names_in(cell) for cell in cells]
    names = {name for each in lists for name in each}
    if len(names) < ALIKE or not all(map(is_identifier, names)):
        return False
    if ALIKE * len(names) < sum(map(len, lists)) or not all(map(_go_up, lists)):
        return False
    return ALIKE * len({_DIGITS.sub("#", name) for name in names}) <= len(names)


def refuse_identifiers(source: Source, sides: Mapping[int, tuple[Sequence[str], str]]) -> None:
    """Refuse a table with identifiers for texts; note texts that may be identifiers.

    `sides` maps the number of the column of each side, from 0, to its cells, and its header or an
    empty string.
    """
    columns = [cells for cells, _ in sides.values()]
    # Numbers beside names are rather texts with their numbers.
    numbers = {all(cell.strip().isdecimal() for cell in cells) for cells in columns}
    if len(numbers) > 1 or not all(map(are_identifiers, columns)):
        return
    shown = " and ".join(repr(cells[0].strip()[:40]) for cells in columns)
    pairs = remedy("from id-pairs", python="format='id-pairs'")
    if all(may_be_words(cells, head) for cells, head in sides.values()):
        kind = f"texts that may be identifiers ({pairs}: as such, in two columns of TSV)"
        source.note(kind, shown)
        return
    src, tgt = sides
    texts = remedy(f"columns src={src + 1},tgt={tgt + 1}")
    raise source.error(
        f"has identifiers or positions where its texts should be, as {shown}: give them as "
        f"TSV or CSV ({pairs}), or, if they are texts, name them ({texts})"
    )


_TOKEN = late_pattern(
    r"\d+(?:[-.]\d+)?\t\S[^\t]*\t[^\t]*\t\S+\t\S*\t[^\t]*\t(?:\d+|_)(?:\t[^\t]*){3}"
)


_CONCORDANCE = {"left", "kwic", "right"}  # columns of Sketch Engine


def refuse_tables_of_words(source: Source, rows: Sequence[Sequence[str]]) -> None:
    """Refuse the tokens of CoNLL-U, whose word and lemma are no pair of texts, and concordances.

    `rows` are the first rows of a table. In each of tokens, the first of ten columns is the number
    of the token in its sentence, and the seventh that of its head, or `_`. A concordance may begin
    after facts about its corpus.
    """
    if (
        rows
        and rows[0][0] in {"1", "1-2", "1-3"}
        and all(map(_TOKEN.fullmatch, map("\t".join, rows)))
    ):
        raise source.error(
            f"has tokens with their columns (CoNLL-U), and no pairs of texts: give sentences, "
            f"compare its segmentation by 'bitext compare', or name two columns "
            f"({remedy('columns src=2,tgt=3')})"
        )
    names = ({cell.strip(" _0123456789").lower() for cell in row} for row in rows[: 2 * BEGINNING])
    if any(map(_CONCORDANCE.issubset, names)):
        raise source.error(
            f"is a concordance, with each sentence in three columns (Left, KWIC, Right): join "
            f"them, or name the columns of texts ({remedy('columns src=1,tgt=2')})"
        )
