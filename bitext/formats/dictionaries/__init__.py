"""Bilingual dictionaries: pairs of terms, in nine kinds of files.

| kind | a line, or an entry | detected by |
| --- | --- | --- |
| `hunalign` | `target term @ source term` | the name `.dic`, or ` @ ` in the first line |
| `tsv` | `source term`, a tab, `target term` (a tab, a weight) | a tab in the first line |
| `moses` | `source target p` (`lex.e2f`), `target source p` (`lex.f2e`) | two words and a number |
| `words` | `source target`, as in MUSE | two words in the first line |
| `freedict` | TEI: `entry` with `form/orth` and `cit type="trans"/quote`, or `tr` | markup |
| `apertium` | a bilingual dictionary of Apertium: `e` with `p/l`, `p/r` | `.dix`, `<dictionary>` |
| `dictd` | the text of a headword: its translations after the first line | `.index`, `.dict(.dz)` |
| `tbx` | the terms of a concept (`dictionaries.tbx`) | `.tbx`, or `martif` and `tbx` |
| `table` | a row of a table (`.csv`, `.xlsx` and others), a unit of a memory (`.tmx`) | the name |

The kind is detected from the name, else from the first line that is not empty. Empty lines are
ignored, and so are comments: lines that begin with `#` and are no pair. Any other line of another
kind is an error with its number. A weight is a probability.

Terms in lines with a separator, and in tables, may have remarks in brackets, which are left out
(`Hund {m}`, `[tech.] Welle`), several terms may be divided by semicolons, and references of HTML
(`&amp;`) are their characters; a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import compress, pairwise
from math import isfinite
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from bitext.errors import FormatError, OptionError, did_you_mean, many, remedy
from bitext.formats.dictionaries.tbx import is_tbx, read_term_pairs
from bitext.formats.io.compression import unpacked
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.registry import by_suffix
from bitext.formats.xml import has_root
from bitext.formats.xml.safe import iterate, line_of, local_name
from bitext.model import Note
from bitext.paths import may_be_there

if TYPE_CHECKING:
    import os

    from lxml.etree import _Element as Element


# Dictionaries with entries by headword: TEI of freedict, and the two files of dictd.
#
# In TEI an `entry` has its headwords as `form/orth`, and translations as `cit type="trans"/quote`
# (or `type="translation"`), or as `tr` in older files. A `cit type="example"` is not a translation.
#
# For dictd, a line of the `.index` has a headword, and the offset and the size of its text in the
# `.dict` (which may be compressed, as `.dict.dz`), both in base 64. The first line of a text has
# the headword again, with pronunciation and grammar. The lines below are translations, separated by
# commas and semicolons; where some are numbered, only these, since the others are definitions.
# Idioms with their translation in the next line (after a dash), text in brackets, quoted examples,
# and lines with a name and a colon (`Synonyms:`) are left out. This is the layout of freedict.

_DIGITS = dict(zip(f"{ascii_uppercase}{ascii_lowercase}{digits}+/", range(64), strict=True))
_HEADERS = ("00-database", "00database")
_TRANSLATION = {"trans", "translation"}
_PACKED = ("", ".dz", ".gz")
_NUMBERING = re.compile(r"^\s*(?:\d+|[a-z])[.)]\s+")
_NEXT = re.compile(r"\s\d+\.\s*$")  # the number of the next line
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}|/[^/]*/")
_NAMED = re.compile(r"^\s*[^\W\d_][\w ]{1,20}:")
_PARTS = re.compile(r"[;,]")
_NAMELESS = "lines of the index without a headword, skipped"
_BARE = "entries without a translation, skipped"


def read_freedict(source: Source) -> Iterator[tuple[str, str, float]]:
    """Yield headword, translation and 1 for each translation of each entry.

    Raises `FormatError` when the file is not well-formed, an entry has no headword, or there is no
    entry; with the line.
    """
    has_entries = False
    for _, entry in iterate(source, end=("entry",)):
        has_entries = True
        line = line_of(entry)
        named = (each for each in _inside(entry, {"orth"}) if not _citations(each, entry))
        heads = [head for head in map(_text, named) if head]
        if not heads:
            raise source.error("has an entry without a headword (form/orth); give it one", line)
        translations = [
            _text(each)
            for each in _inside(entry, {"quote", "tr"})
            if local_name(each) == "tr" or _is_translation(each, entry)
        ]
        if not any(translations):
            source.note(_BARE, f"{heads[0]:.40}", line=line)
        yield from ((head, term, 1.0) for head in heads for term in translations if term)
    if not has_entries:
        raise source.error("holds no entry of a dictionary; give the TEI file of freedict")


def read_apertium(source: Source) -> Iterator[tuple[str, str, float]]:
    """Yield both sides and 1 for each entry (`e`) of a bilingual dictionary of Apertium.

    Entries that are equal on both sides (`i`), and those of paradigms without words, have no pair.
    """
    for _, entry in iterate(source, end=("e",)):
        sides = []
        for side in _inside(entry, {"l", "r"}):
            for blank in _inside(side, {"b"}):
                blank.tail = f" {blank.tail or ''}"
            sides.append(_text(side))
        if len(sides) == 2 and all(sides):
            yield sides[0], sides[1], 1.0


def _inside(entry: Element, names: set[str]) -> Iterator[Element]:
    return (each for each in entry.iter("*") if local_name(each) in names)


def _citations(each: Element, entry: Element) -> list[str]:
    """Return the types of the citations around an element in its entry, from the inside out."""
    types = []
    above = each.getparent()
    while above is not None and above is not entry:
        if local_name(above) == "cit":
            types.append(above.get("type") or "")
        above = above.getparent()
    return types


def _is_translation(each: Element, entry: Element) -> bool:
    types = _citations(each, entry)
    return bool(types) and set(types) <= _TRANSLATION


def _text(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def read_dictd(source: Source) -> Iterator[tuple[str, str, float]]:
    """Yield headword, translation and 1 for each translation of each headword.

    `source` is the `.index` or the `.dict`; the other file is opened in the same folder.

    Raises `FormatError` when a line of the index is malformed or points beyond the texts, or a text
    is not UTF-8, and `InputError` when the other file is missing.
    """
    stem = re.sub(r"(?:\.index|\.dict(?:\.[dg]z)?)$", "", source.path, flags=re.IGNORECASE)
    if source.path.lower().endswith(".index"):
        with open_source(_beside(stem)) as other:
            yield from _of_index(source, other.stream.read(), other.path)
    else:
        data = source.stream.read()
        with open_source(f"{stem}.index") as index:
            yield from _of_index(index, data, source.path)
            source.notes.extend(index.notes)


def _beside(stem: str) -> str:
    names = [f"{stem}.dict{packing}" for packing in _PACKED]
    return next((name for name in names if may_be_there(name)), names[1])


def _of_index(index: Source, data: bytes, path: str) -> Iterator[tuple[str, str, float]]:
    for number, line in index.stream_lines():
        if not line.strip():
            continue
        parts = line.split("\t")
        numbers = [_decoded(part) for part in parts[1:3]]
        if len(parts) < 3 or None in numbers:
            raise index.error(
                f"is {line!r:.60}; want a headword and two numbers in base 64, with tabs between",
                number,
            )
        begin, size = (value or 0 for value in numbers)
        if begin + size > len(data):  # the two files belong to different dictionaries
            raise index.error(
                f"names bytes {begin} to {begin + size} of {path}, which has {len(data)}; give "
                f"the two files of one dictionary",
                number,
            )
        head = " ".join(parts[0].split())
        if head.startswith(_HEADERS):
            continue
        if not head:
            index.note(_NAMELESS, line=number)
            continue
        try:
            text = data[begin : begin + size].decode("utf-8")
        except UnicodeDecodeError:
            raise FormatError(
                f"the text of {head!r:.40} (bytes {begin} to {begin + size}) is not UTF-8; convert "
                f"it, or give another dictionary",
                path=path,
            ) from None
        terms = list(_terms(text))
        if not terms:
            index.note(_BARE, f"{head:.40}", line=number)
        yield from ((head, term, 1.0) for term in terms)


def _decoded(spelled: str) -> int | None:
    """Decode a number in base 64; `None` for an invalid one, or one beyond any file."""
    value = 0
    for digit in spelled.strip():
        if digit not in _DIGITS:
            return None
        value = value * 64 + _DIGITS[digit]
    return value if 0 < len(spelled.strip()) <= 10 else None


def _terms(text: str) -> Iterator[str]:
    """Yield the translations in the text of a headword."""
    lines = [line.strip() for line in text.split("\n")[1:]]
    numbered = any(map(_NUMBERING.match, lines))
    for line, after in pairwise([*lines, ""]):
        # Lines between numbered ones are definitions; an idiom precedes a line with a dash.
        if (numbered and not _NUMBERING.match(line)) or after.startswith("- "):
            continue
        inner = _NEXT.sub("", _NUMBERING.sub("", line)).strip()
        if inner.startswith(('"', "“", "- ")) or _NAMED.match(inner):
            continue
        for part in _PARTS.split(_ASIDE.sub(" ", inner)):
            term = " ".join(part.split())
            if any(map(str.isalnum, term)):
                yield term


# Dictionaries with a pair of terms a line: of hunalign, Moses and MUSE, and tab-separated.
#
# hunalign has the target first, and ` @ ` between. The lexical tables of Moses have two words and
# the probability of the first given the second: a source word and a target word in `lex.e2f`, a
# target word and a source word in `lex.f2e`, where f is the source. `NULL` stands for no word:
# lines with it are ignored.

_NULL = "NULL"
_WANTED = {
    "hunalign": "'target term @ source term'",
    "tsv": "a source term, a tab and a target term",
    "moses": "two words and a probability, with blanks between",
    "words": "two words with a blank between",
}
_COLUMNS = {"moses": (3, 5), "words": (2, 2)}  # 5: Moses may write counts too


def read_pairs(source: Source, kind: str) -> Iterator[tuple[str, str, float]]:
    """Yield source term, target term and weight of each line.

    Raises `FormatError` at a line that is not of the kind, with its number.
    """
    target_first = kind == "hunalign" or ".f2e" in Path(source.path.lower()).name
    for number, line in source.stream_lines():
        line = line.removeprefix("\ufeff") if number == 1 else line
        if not line.strip() or _is_remark(line, kind):
            continue
        if kind == "hunalign":
            parts = [_tidy(part) for part in line.split(" @ ")]
            pair = (parts[0], parts[1], 1.0) if len(parts) == 2 else None
        elif kind == "tsv":
            pair = _of_tsv(source, line, number)
        else:
            pair = _of_words(line, kind)
        if pair is None or not (pair[0] and pair[1]):
            hint = _for_lexicon() if kind == "tsv" and pair is not None else ""
            raise source.error(f"is {line!r:.60}; want {_WANTED[kind]}{hint}", number)
        first, second, weight = pair
        if not (isfinite(weight) and weight >= 0):
            raise source.error(f"has the weight {weight}; want a number, 0 or more", number)
        if kind != "moses" or _NULL not in {first, second}:
            yield (second, first, weight) if target_first else (first, second, weight)


def _is_remark(line: str, kind: str) -> bool:
    """Distinguish a comment (True) from a pair whose first term begins with `#`."""
    separator = {"hunalign": " @ ", "tsv": "\t"}.get(kind)
    return line.startswith("#") and (separator is None or separator not in line)


def _for_lexicon() -> str:
    """Word the hint that lines may be those of a learned lexicon."""
    writer = remedy("save-lexicon", python="Lexicon.save")
    return f" (what {writer} wrote is for {remedy('lexicon', python='Lexicon.load')})"


def _of_tsv(source: Source, line: str, number: int) -> tuple[str, str, float] | None:
    parts = line.split("\t")
    if len(parts) < 2:
        return None
    numbers = [_number(part) for part in parts[2:]]
    weight = numbers[0] if numbers else None
    # `bitext link` writes p(t|s), p(s|t) and a count.
    of_link = len(numbers) == 3 and None not in numbers
    if not of_link and any(map(str.strip, parts[2 if weight is None else 3 :])):
        source.note("further columns of a dictionary, skipped", line=number)
    return _tidy(parts[0]), _tidy(parts[1]), 1.0 if weight is None else weight


def _of_words(line: str, kind: str) -> tuple[str, str, float] | None:
    # A word may contain a no-break space: only blanks and tabs separate columns.
    parts = line.replace("\t", " ").strip(" ").split(" ")
    if len(parts) not in _COLUMNS[kind]:
        return None
    weight = _number(parts[2]) if kind == "moses" else 1.0
    return None if weight is None else (parts[0], parts[1], weight)


_MARKED = re.compile(r"[(\[<{;]")
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[\da-fA-F]{1,6}|[A-Za-z]{2,8});", re.ASCII)  # of HTML
_MOST_SYNONYMS = 20  # terms of a cell; with more it is one term; set by hand
_PLAIN_TERMS = "terms with remarks in brackets, or several with semicolons, read as plain terms"


def _plain_terms(
    rows: Iterable[tuple[str, str, float]], path: str, notes: Notes
) -> Iterator[tuple[str, str, float]]:
    """Yield each pair of a term of the source and a term of the target, without their remarks."""
    for src, tgt, weight in rows:
        firsts, seconds = _synonyms(src), _synonyms(tgt)
        if [src] != firsts or [tgt] != seconds:
            notes.add(_PLAIN_TERMS, f"{path}: {src:.40}")
        yield from ((first, second, weight) for first in firsts for second in seconds)


def _synonyms(cell: str) -> list[str]:
    """Divide a cell into terms without remarks; a cell of remarks alone is a term.

    Examples
    --------
    >>> _synonyms("Auto {n}; Wagen {m} [ugs.]"), _synonyms("(to) go"), _synonyms("(c)")
    (['Auto', 'Wagen'], ['go'], ['(c)'])
    >>> _synonyms("Tom &amp; Jerry")
    ['Tom & Jerry']

    """
    if not _MARKED.search(cell):
        return [cell]
    plain = _REFERENCE.sub(lambda match: unescape(match[0]), cell)
    terms = [_tidy(term) for term in _REMARK.sub(" ", plain).split(";")]
    terms = [term for term in terms if any(map(str.isalnum, term))]
    return terms if 0 < len(terms) <= _MOST_SYNONYMS else [cell]


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _tidy(term: str) -> str:
    return " ".join(term.split())


KINDS = ("hunalign", "tsv", "moses", "words", "freedict", "apertium", "dictd", "tbx", "table")

_BY_SUFFIX = {
    ".dic": "hunalign",
    ".tsv": "tsv",
    **dict.fromkeys((".e2f", ".f2e"), "moses"),
    ".tei": "freedict",
    ".dix": "apertium",
    **dict.fromkeys((".index", ".dict", ".dz"), "dictd"),
    ".tbx": "tbx",
}
# Formats of alignments whose bisegments may be pairs of terms.
_TABLES = {"csv", "xlsx", "xls", "ods", "parquet", "arrow", "jsonl", "tmx"}


def _pairs_of_table(
    path: str, encoding: str, langs: tuple[str, str], notes: Notes
) -> Iterator[tuple[str, str, float]]:
    """Yield the texts of each bisegment of a table or a memory, with the weight 1."""
    from bitext.formats import read_all

    src, tgt = langs
    for pairs in read_all(path, encoding=encoding, src_lang=src, tgt_lang=tgt, parts=True):
        for note in pairs.notes:
            # Whether the first row is a header matters little: it makes a pair of terms or none.
            if "header" not in note.kind:
                notes.add(note.kind, note.first, note.count)
        for k, (first, second) in enumerate(pairs.pairs(), start=1):
            term, other = _tidy(" ".join(first)), _tidy(" ".join(second))
            if term and other:
                yield term, other, 1.0
            else:
                notes.add(_BARE, f"{path}: bisegment {k}, {term or other:.40}")


def _named_format(path: str) -> str:
    """Return the name of the format of alignments whose ending a name has; empty for others."""
    known = by_suffix(path)
    return "" if known is None else known.name


_READERS = {"dictd": read_dictd, "freedict": read_freedict, "apertium": read_apertium}


def _casefolded(term: str) -> list[str]:
    return term.casefold().split()


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Pairs of a source term and a target term, in the order of their file.

    Examples
    --------
    >>> terms = Dictionary(("Hund", "das Haus"), ("chien", "la maison"))
    >>> list(terms.occurring({"hund", "haus", "das"}, {"chien"})), list(terms.swapped())[0]
    ([('Hund', 'chien', 1.0)], ('chien', 'Hund', 1.0))

    """

    # `src`, `tgt`: the two terms of each pair: words, or several words with blanks between.
    src: tuple[str, ...]
    tgt: tuple[str, ...]
    weights: tuple[float, ...] = ()  # the probability of each pair; 1 if the file has none
    path: str = ""  # the file
    kind: str = ""  # one of `KINDS`
    notes: tuple[Note, ...] = ()  # irregularities of the file

    def __post_init__(self) -> None:
        if not self.weights:
            object.__setattr__(self, "weights", (1.0,) * len(self.src))

    def swapped(self) -> Dictionary:
        """Return the same dictionary from the target language to the source language."""
        return replace(self, src=self.tgt, tgt=self.src)

    def occurring(
        self,
        src: Collection[str],
        tgt: Collection[str],
        *,
        words: Callable[[str], Iterable[str]] = _casefolded,
        letters: int = 0,
    ) -> Dictionary:
        """Return the pairs whose terms can occur in two texts, each with all of its words.

        Parameters
        ----------
        src, tgt : collection of str
            The words of each text, preferably a set.
        words : callable
            Splits a term into words as the texts were split. Default: at blanks, casefolded.
        letters : int
            The length of a common prefix that counts as an occurrence, as of inflected forms. 0 for
            whole words only.

        """
        src_occur = _occur(self.src, src, words, letters)
        tgt_occur = _occur(self.tgt, tgt, words, letters)
        mask = [one and other for one, other in zip(src_occur, tgt_occur, strict=True)]
        src_terms, tgt_terms = tuple(compress(self.src, mask)), tuple(compress(self.tgt, mask))
        weights = tuple(compress(self.weights, mask))
        return replace(self, src=src_terms, tgt=tgt_terms, weights=weights)

    def __len__(self) -> int:
        return len(self.src)

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        return zip(self.src, self.tgt, self.weights, strict=True)

    def __repr__(self) -> str:
        return f"<Dictionary {self.path!r}: {many(len(self), 'pair')}>"


def _occur(
    terms: Iterable[str], text: Collection[str], words: Callable[[str], Iterable[str]], letters: int
) -> Iterator[bool]:
    """Yield for each term whether a text has all its words, or words with the same prefixes."""
    prefixes = {word[:letters] for word in text if len(word) >= letters} if letters else set()
    for term in terms:
        yield all(
            word in text or (len(word) >= letters and word[:letters] in prefixes)
            for word in words(term)
        )


def read_dictionary(
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    encoding: str = "utf-8",
    langs: tuple[str, str] = ("", ""),
) -> Dictionary:
    """Read a dictionary.

    Parameters
    ----------
    path : str or path
        The file; `-` is standard input; compressed files are unpacked. Either of the two files of
        `dictd`; the other has to be in the same folder.
    kind : str, optional
        One of `KINDS`. Default: detected from the name, else from the contents.
    encoding : str
        The encoding of a file that does not declare one.
    langs : pair of str
        The two languages of a term base or a table, by which columns are chosen.

    Raises
    ------
    FormatError
        When a line or an entry is not of the kind, with its line; when there is no pair.
    InputError
        When the file cannot be opened.
    OptionError
        When the kind is not known.

    """
    if kind is not None and kind not in KINDS:
        hint = did_you_mean(kind, KINDS)
        raise OptionError(f"kind of dictionary {kind!r}: {hint}want one of {', '.join(KINDS)}")
    if kind == "table" or (kind is None and _named_format(str(path)) in _TABLES):
        notes = Notes()
        rows = list(_pairs_of_table(str(path), encoding, langs, notes))
        return _of_rows(rows, str(path), "table", notes)
    with open_source(path, encoding=encoding) as source:
        known = kind or _kind(source)
        if known == "tbx":
            pairs = read_term_pairs(source, langs)
        elif read := _READERS.get(known):
            pairs = read(source)
        else:
            pairs = read_pairs(source, known)
        return _of_rows(list(pairs), source.path, known, source.notes)


def _of_rows(
    rows: Sequence[tuple[str, str, float]], path: str, kind: str, notes: Notes
) -> Dictionary:
    # The units of a memory may be sentences.
    if kind in {"hunalign", "tsv", "table"} and _named_format(path) != "tmx":
        rows = list(_plain_terms(rows, path, notes))
    if not rows:
        raise FormatError(
            f"holds no pair of terms as {'a table' if kind == 'table' else kind} has them; give "
            f"another dictionary",
            path=path,
        )
    src, tgt, weights = zip(*rows, strict=True)
    return Dictionary(src, tgt, weights, path, kind, notes.all())


def _kind(source: Source) -> str:
    """Detect the kind from the name, else from the first line."""
    name = source.path.lower()
    kind = _BY_SUFFIX.get(Path(name).suffix) or _BY_SUFFIX.get(Path(unpacked(name)).suffix)
    if kind:
        return kind
    head = source.head().decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (line for line in head.split("\n") if line.strip() and not line.startswith("#"))
    line = next(lines, "").rstrip("\r")
    if line.lstrip().startswith("<"):
        if has_root(source.head(), "dictionary"):
            return "apertium"
        return "tbx" if is_tbx(source.head()) else "freedict"
    if "\t" in line:
        return "tsv"
    if " @ " in line:
        return "hunalign"
    words = len(line.split())
    if words in {2, 3}:
        return "words" if words == 2 else "moses"
    if not line:
        raise source.error("is empty; give a dictionary")
    raise source.error(
        f"is no dictionary that bitext recognises: it begins with {line[:40]!r}; want "
        f"'target @ source' (.dic), source and target with a tab between (.tsv), Moses lex, "
        f"freedict TEI, Apertium, TBX, dictd, or a table as .csv, .xlsx or .tmx"
    )
