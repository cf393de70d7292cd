"""Names in the headers of tables: sides, languages, scores, identifiers, states of translation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bitext.model.languages import language_of, two_letters

if TYPE_CHECKING:
    from collections.abc import Sequence

SRC_NAMES = {"src", "source", "text1", "src_text", "source_text", "sentence1", "source_sentence"}
TGT_NAMES = {"tgt", "trg", "target", "text2", "tgt_text", "trg_text", "target_text", "sentence2"}
TGT_NAMES |= {"target_sentence"}
LONGEST_NAME = 40  # characters of a name in a header; set by hand: longer cells are sentences
_LONGEST_NUMBER = 3  # digits beside the code of a language, as in `es-419` and `en_2`
_OWN = re.compile(r"(src|tgt)(?::(\S+))?", re.IGNORECASE)  # in tables that bitext wrote
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Czech, Dutch, French, German, Italian, Japanese, Polish, Portuguese, Russian, Spanish and Chinese
# beside English.
_SRC_WORDS = _words(
    "src source original input quelle quelltext ausgangstext origen fuente origem départ originale "
    "sorgente partenza bron brontekst źródło źródłowy oryginał zdroj исходный исходник оригинал "
    "источник 原文 源文 原語 원문"
)
_TGT_WORDS = _words(
    "tgt trg target translation translated translations ziel zieltext übersetzung übersetzungen "
    "cible traduction arrivée traducción destino traduzione tradução arrivo destinazione doel "
    "doeltekst vertaling tłumaczenie docelowy překlad перевод целевой 译文 譯文 訳文 翻译 翻譯 번역"
)
_RIVALS = _words("mt ref reference hyp hypothesis pe post edit postedit output prediction")
_FILLERS = _words(
    "text texts txt segment segments seg sentence sentences string strings str phrase content "
    "machine human term terms value texte texto testo tekst satz begriff wort texty текст frase "
    "termino termine"
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
_NUMBERED = re.compile(r"(?:text|sent|sentence|string|seg|segment|lang|language|l)[ _-]?([12ab])")
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
    lowered = name.strip().lower()
    own = _OWN.fullmatch(name.strip())
    if own:
        return Head(own[1].lower(), 0, own[2] or "")
    if lowered in SRC_NAMES or lowered in TGT_NAMES:
        return Head("src" if lowered in SRC_NAMES else "tgt", 1)
    # `en_text` is no English in a script `Text`.
    if (lang := language_of(name.strip())) and not _FILLERS & {*_name_words(name)[1:]}:
        return Head("", 0, lang)
    words = _WORD.findall(_CAPITAL.sub(" ", name))
    known = set(_name_words(name))
    if not words or len(name) > LONGEST_NAME:
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

    Two texts by number (`text_a text_b`), and `ST TT`, are a source and a target together only.
    """
    heads = list(map(head_of, names))
    lowered = [name.strip().lower() for name in names]
    for k, name in enumerate(lowered):  # `src:pos` beside `src`, as in UTX, is no other source
        side, colon, _ = name.partition(":")
        if colon and side in lowered and heads[k].role == side:
            heads[k] = Head("other")
    first_ones = [name for name in lowered if _NUMBERED.fullmatch(name) and name[-1] in "1a"]
    pairs = [(name, name[:-1] + {"1": "2", "a": "b"}[name[-1]]) for name in first_ones]
    pairs.append(("st", "tt"))
    for pair in pairs:
        if lowered.count(pair[0]) == lowered.count(pair[1]) == 1:
            for name, role in zip(pair, ("src", "tgt"), strict=True):
                k = lowered.index(name)
                heads[k] = heads[k] if heads[k].role in {"src", "tgt"} else Head(role, 2)
    if any(head.role == "src" or (head.role == "tgt" and head.rank == 3) for head in heads):
        machine = [name.strip().lower() == "mt" for name in names]
        heads = [Head("tgt", 3) if one else head for one, head in zip(machine, heads, strict=True)]
    return heads


def _name_words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_CAPITAL.sub(" ", name))]


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
    if code and two_letters(code.lower().partition("-")[0]) == two_letters(lang.lower()):
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
    for side in (
        _SRC_WORDS | {"ausgangssprache", "quellsprache"},
        _TGT_WORDS | {"zielsprache"},
    ):
        those = [k for k, name in enumerate(words) if name & side and name & _LANGUAGE_WORDS]
        columns.append(those[0] if len(those) == 1 else None)
    return columns[0], columns[1]
