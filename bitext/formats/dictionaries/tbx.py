"""TBX: term bases, one bisegment per concept; read, and written from pairs of terms.

Read are TBX 2 (`martif`, `termEntry`, `langSet`, `tig` or `ntig`; TBX-Basic and others) and TBX 3
(ISO 30042:2019: `tbx`, `conceptEntry`, `langSec`, `termSec`), with data categories as attributes
(DCA: `<termNote type="partOfSpeech">`) or as elements (DCT: `<min:partOfSpeech>`).

Terms
    A concept is a bisegment of two terms: on each side the first that is preferred by its status
    (`administrativeStatus`, `normativeAuthorization`), else the first that is not deprecated or
    superseded, else the first. The other terms of a side are the attributes `src.synonym`,
    `src.synonym#2` and so on, those in further languages `lang:fr` and `lang:fr#2`. A concept with
    a term in one of the two languages has an empty side.
Data categories
    Those of the concept are attributes by their names (`subjectField`, `definition`), those of the
    language and of the chosen term `src.partOfSpeech`, `tgt.definition`. Histories, references and
    the categories of other terms are left out, and noted.
Languages
    Of a file with more than two, the user names two. If both are named, concepts are read one by
    one; else all are collected first.

`tbx_lines` writes pairs of terms with notes as TBX-Basic 3 (DCA), for `bitext link --save-terms`;
alignments are not written.

As a dictionary a concept is every pair of a source term and a target term, except for deprecated
ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Any

from bitext.errors import InputError
from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.languages import finds, normal, two_languages, wrong_languages
from bitext.formats.registry import LANGUAGE, Format, ReadOptions
from bitext.formats.xml import escape, escape_value, has_forbidden, has_root
from bitext.formats.xml.safe import iterate, line_of, local_name
from bitext.model import Bitext

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_LANGUAGES = frozenset({"langSet", "langSec"})
_TERMS = frozenset({"tig", "ntig", "termSec"})
_GROUPS = frozenset({"descripGrp", "termGrp", "adminGrp", "termNoteGrp"})
_LEFT_OUT = frozenset(
    {"transac", "transacGrp", "transacNote", "date", "ref", "xref", "refObjectList", "termComp"}
    | {"termCompList", "termCompGrp", "termCompSec", "crossReference", "externalCrossReference"}
)
_STATUS = frozenset({"administrativeStatus", "normativeAuthorization"})
_BAD = ("deprecated", "superseded", "obsolete", "forbidden", "notrecommended")


@dataclass(slots=True)
class _Term:
    """A term with its data categories, by name."""

    text: str
    categories: list[tuple[str, str]]
    rank: int  # 0 for a preferred term, 2 for a deprecated one, else 1


@dataclass(slots=True)
class _Concept:
    """An entry of a term base: its line, its categories, and per language categories and terms."""

    line: int
    categories: list[tuple[str, str]] = field(default_factory=list)
    own: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    terms: dict[str, list[_Term]] = field(default_factory=dict)


def is_tbx(head: bytes) -> bool:
    """Recognise a term base by its first bytes."""
    return has_root(head, "martif") or has_root(head, "tbx")


# Concepts.


class _Concepts:
    """The concepts of a file in order.

    `working` is the working language of the file, empty if it names none; `seen` are the languages
    of the concepts so far, by their first spellings.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.working = ""
        self.seen: dict[str, None] = {}

    def __iter__(self) -> Iterator[_Concept]:
        begun = False
        roots, entries = ("martif", "tbx"), ("termEntry", "conceptEntry")
        for event, element in iterate(self._source, start=roots, end=entries):
            if event == "start":
                begun, self.working = True, element.get(_LANG, "")
            else:
                yield self._concept(element)
        if not begun:
            raise self._source.error("has no element martif or tbx: is it a term base (TBX)?")

    def _concept(self, element: Any) -> _Concept:
        concept = _Concept(line_of(element) or 0)
        if given := element.get("id", ""):
            concept.categories.append(("id", given))
        for child in _elements(element):
            if local_name(child) not in _LANGUAGES:
                concept.categories += self._categories(child)
                continue
            lang = child.get(_LANG) or child.get("lang", "")
            if not lang:
                self._source.refuse("has terms without a language (xml:lang)", line_of(child))
                continue
            own = concept.own.setdefault(lang, [])
            terms = concept.terms.setdefault(lang, [])
            for part in _elements(child):
                if local_name(part) in _TERMS:
                    terms += self._terms(part)
                else:
                    own += self._categories(part)
            if terms:
                self.seen.setdefault(lang)
            else:
                del concept.own[lang], concept.terms[lang]
        return concept

    def _terms(self, section: Any) -> Iterator[_Term]:
        """Yield the term of a section, with the categories around it."""
        text, categories = "", list[tuple[str, str]]()
        for part in _unfolded(section):
            if local_name(part) == "term" and not text:
                text = _text(part)
            else:
                categories += self._categories(part)
        if not text:
            self._source.note("terms without characters, left out", line=line_of(section))
            return
        status = [value.lower() for name, value in categories if name in _STATUS]
        bad = any(value.startswith(_BAD) for value in status)
        preferred = any(value.startswith("preferred") for value in status)
        yield _Term(text, categories, 2 if bad else 1 - preferred)

    def _categories(self, element: Any) -> Iterator[tuple[str, str]]:
        """Yield the data categories of an element, by `type` (DCA) or by its name (DCT)."""
        name = local_name(element)
        if name in _GROUPS:
            for child in _elements(element):
                yield from self._categories(child)
        elif name in _LEFT_OUT:
            kind = "histories and references of terms, left out"
            self._source.note(kind, name, line=line_of(element))
        elif value := _text(element):
            yield element.get("type", "") or name, value


def _elements(element: Any) -> Iterator[Any]:
    return (child for child in element if isinstance(child.tag, str))


def _unfolded(section: Any) -> Iterator[Any]:
    """Yield the elements of a section of a term, those of groups (`termGrp`) in their place."""
    for child in _elements(section):
        if local_name(child) == "termGrp":
            yield from _elements(child)
        else:
            yield child


def _text(element: Any) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


# Languages.


def _chosen(
    source: Source, concepts: _Concepts, requested: tuple[str, str]
) -> tuple[Iterator[_Concept], tuple[str, str]]:
    """Return the concepts and the two languages: those asked for, or the only two of the file.

    Raises `FormatError` when the file has more than two languages, and not both are asked for.
    """
    if all(requested) and normal(requested[0]) != normal(requested[1]):
        return iter(concepts), requested
    collected = list(concepts)
    if not collected:
        return iter(()), requested
    names = sorted(concepts.seen, key=lambda lang: not finds(concepts.working or lang, lang))
    langs = two_languages(names, requested)
    if langs is None:
        raise source.error(wrong_languages(names, requested))
    return iter(collected), langs


def _spelled(source: Source, concept: _Concept, wanted: str) -> str:
    """Return the language of a concept that is the wanted one, or the first that refines it."""
    exact = next((lang for lang in concept.terms if normal(lang) == normal(wanted)), "")
    if exact:
        return exact
    refined = [lang for lang in concept.terms if finds(wanted, lang)]
    if len(refined) > 1:
        kind = "concepts with several variants of a language, the first one taken"
        source.note(kind, f"{refined[0]}, not {refined[1]}", line=concept.line)
    return refined[0] if refined else ""


def _in_two_languages(
    source: Source, requested: tuple[str, str]
) -> tuple[tuple[str, str], Iterator[tuple[_Concept, list[str]]]]:
    """Return the two languages, and the concepts, each with its own spellings of the languages.

    Raises `FormatError` at the end, when a language is in no concept.
    """
    concepts = _Concepts(source)
    every, langs = _chosen(source, concepts, requested)

    def spelled() -> Iterator[tuple[_Concept, list[str]]]:
        met = [False, False]
        for concept in every:
            own = [_spelled(source, concept, lang) if lang else "" for lang in langs]
            met = [known or bool(lang) for known, lang in zip(met, own, strict=True)]
            yield concept, own
        if concepts.seen and not all(met):
            raise source.error(wrong_languages(list(concepts.seen), langs))

    return langs, spelled()


# Bisegments.


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    langs, concepts = _in_two_languages(source, options.languages)
    beads = Beads(source, options, langs=langs)
    for concept, own in concepts:
        if not any(own):
            kind = "concepts without a term in the two languages, left out"
            source.note(kind, line=concept.line)
            continue
        if not all(own):
            kind = "concepts with terms in one of the two languages only"
            source.note(kind, line=concept.line)
        attributes, sides = _columns(concept), list[list[str]]()
        for side, lang in zip(("src", "tgt"), own, strict=True):
            terms = sorted(concept.terms.get(lang, []), key=attrgetter("rank"))
            sides.append([term.text for term in terms[:1]])
            if not terms:
                continue
            # The first term by rank is the text, the others are its synonyms.
            first, others = terms[0], terms[1:]
            if others:
                kind = "concepts with several terms in a language, the others as synonyms"
                source.note(kind, f"{first.text[:40]!r}", line=concept.line)
            given = [("synonym", term.text) for term in others]
            for name, value in chain(given, concept.own[lang], first.categories):
                _put(attributes, f"{side}.{name}", value)
            if left := sum(len(term.categories) for term in others):
                source.note("data categories of synonyms, left out", line=concept.line, count=left)
        for lang in concept.terms.keys() - set(own):
            for term in sorted(concept.terms[lang], key=attrgetter("rank")):
                _put(attributes, f"{LANGUAGE}{lang}", term.text)
        beads.line = concept.line
        beads.add(sides[0], sides[1], attributes=attributes)
        yield from beads.parts()
    yield from beads.rest()


def _columns(concept: _Concept) -> dict[str, str]:
    columns: dict[str, str] = {}
    for name, value in concept.categories:
        _put(columns, name, value)
    return columns


def _put(columns: dict[str, str], name: str, value: str) -> None:
    """Add a value under its name, or a numbered one (`note#2`) where there is one."""
    key, count = name, 1
    while key in columns:
        count += 1
        key = f"{name}#{count}"
    columns[key] = value


# Pairs of terms, for dictionaries.


def read_term_pairs(source: Source, requested: tuple[str, str]) -> Iterator[tuple[str, str, float]]:
    """Yield source term, target term and 1 for each pair of terms of a concept.

    Raises `FormatError` when the languages are not those of the file, or it is malformed.

    `requested` are the two languages; empty for the only two of the file.
    """
    _, concepts = _in_two_languages(source, requested)
    for concept, own in concepts:
        sides = [concept.terms.get(lang, []) for lang in own]
        usable = [[term.text for term in side if term.rank < 2] for side in sides]
        left = sum(map(len, sides)) - sum(map(len, usable))
        if left:
            source.note("deprecated terms of a term base, skipped", line=concept.line, count=left)
        if not all(usable):
            source.note("concepts without terms in both languages, skipped", line=concept.line)
        yield from ((src, tgt, 1.0) for src in usable[0] for tgt in usable[1])


def tbx_lines(
    terms: Iterable[tuple[str, str, str]], langs: tuple[str, str], title: str
) -> Iterator[str]:
    """Yield the lines of a term base in TBX-Basic 3 (ISO 30042:2019, DCA), a concept a pair.

    Raises `InputError` when a term has a character that XML forbids.

    Each of `terms` is a source term, a target term, and a note. `langs` are the languages, as in
    `xml:lang`; `title` says for the header what the term base is.

    Examples
    --------
    >>> for line in list(tbx_lines([("sea bird", "oiseau de mer", "count 2")], ("en", "fr"), "x")):
    ...     print(line)
    <?xml version="1.0" encoding="UTF-8"?>
    <tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">
    <tbxHeader><fileDesc><sourceDesc><p>x</p></sourceDesc></fileDesc></tbxHeader>
    <text><body>
    <conceptEntry id="c1"><note>count 2</note>
    <langSec xml:lang="en"><termSec><term>sea bird</term></termSec></langSec>
    <langSec xml:lang="fr"><termSec><term>oiseau de mer</term></termSec></langSec>
    </conceptEntry>
    </body></text>
    </tbx>

    """
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<tbx type="TBX-Basic" style="dca" xml:lang="{escape_value(langs[0])}" '
        f'xmlns="urn:iso:std:iso:30042:ed-2">'
    )
    yield (
        f"<tbxHeader><fileDesc><sourceDesc><p>{escape(title)}</p></sourceDesc></fileDesc>"
        f"</tbxHeader>"
    )
    yield "<text><body>"
    for number, (src, tgt, note) in enumerate(terms, 1):
        for term in (src, tgt):
            if has_forbidden(term):
                raise InputError(
                    f"the term {term!r:.60} has a character that XML forbids: write terms as TSV"
                )
        yield f'<conceptEntry id="c{number}"><note>{escape(note)}</note>'
        for lang, term in zip(langs, (src, tgt), strict=True):
            section = f"<termSec><term>{escape(term)}</term></termSec>"
            yield f'<langSec xml:lang="{escape_value(lang)}">{section}</langSec>'
        yield "</conceptEntry>"
    yield "</body></text>"
    yield "</tbx>"


FORMAT = Format(
    name="tbx",
    title="term bases (TBX 2 and 3, TBX-Basic; read)",
    suffixes=(".tbx",),
    sniff=lambda head: 95 if is_tbx(head) else 0,
    read=_read,
    units=("termEntry", "conceptEntry"),
    holders=("martif", "tbx", "text", "body"),
)
