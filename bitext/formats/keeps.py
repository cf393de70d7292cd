"""What of a bitext a file of a format holds: what each format declares, and the losses by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bitext.model import Bitext

__all__ = [
    "EMPTY",
    "LANGUAGE",
    "LOSSES",
    "MERGED",
    "WORDS",
    "Keeps",
    "further_languages",
    "kind_of_column",
    "language_column",
]

LANGUAGE = "lang:"  # columns of texts in further languages: "lang:de"
WORDS = "words"  # the column of word links, as Pharaoh writes them

EMPTY = "document pairs without bisegments, left out"
MERGED = "document pairs with the document names of earlier ones, read as one with these"

LOSSES = {
    "texts": "segments whose text is not written",
    "borders": "n-m bisegments, the segments of a side joined",
    "empty_sides": "0-1 and 1-0 bisegments, left out",
    "empty_segments": "segments without characters, made empty sides",
    "crossings": "bisegments out of the order of the texts (crossing), that order lost",
    "gaps": "discontinuous bisegments, their gaps lost",
    "overlaps": "segments in more than one bisegment, written once for each",
    "uncovered": "segments in no bisegment, left out",
    "ids": "identifiers of segments",
    "scores": "scores",
    "attributes": "values of other attributes",
    "documents": "document pairs after the first, the borders between them lost",
    "document_names": "document pairs whose names, or those of their documents, are not told",
    "languages": "texts whose language is not told",
    "other_languages": "texts in further languages",
    "markup": "segments with inline marks, written without them",
    "words": "bisegments with word links, written without them",
    "breaks": "segments or values with tabs or line ends, made blanks",
    "controls": "segments with characters that XML forbids",
    "paragraphs": "paragraphs",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeps:
    """What of a bitext a file of a format holds; each field is a row of the table of losses.

    Attributes
    ----------
    texts : bool
        The characters of segments.
    borders : bool
        Where one segment of a side ends and the next begins.
    empty_sides : bool
        Bisegments with segments on one side only.
    empty_segments : bool
        Segments without characters, told from no segment.
    crossings : bool
        The order of segments in their texts where bisegments come in another.
    gaps : bool
        That segments of one bisegment are not neighbours.
    overlaps : bool
        That two bisegments share a segment.
    uncovered : bool
        Segments in no bisegment.
    ids : bool
        Identifiers of segments.
    scores, attributes : bool
        The columns of the alignment.
    columns : frozenset of str
        The names of those other columns that are kept where `attributes` is false.
    empty_values : bool
        Values without characters in columns that are kept, told from no value.
    documents : bool
        Which bisegments are of one document pair.
    empty_documents : bool
        Document pairs without bisegments, where others are kept apart. One that is alone in its
        file, and has no name of its own, is kept by that there is nothing in the file.
    document_names : bool
        The names of the two documents, and that of the pair where it has one of its own.
    names : frozenset of str
        Which of them (`src_doc`, `tgt_doc`, `name`) are kept where `document_names` is false.
    whole : callable or None
        Tells which bisegments keep all their segments where `borders` or `empty_segments` is false.
    unwritten : callable or None
        Tells which values of a column that is kept, by its name, are not written all the same.
    named : callable or None
        Gives what tells document pairs apart where a file has them by the names of their documents;
        pairs for which it is the same are read as one. Nothing, or an empty value, tells them.
    languages, other_languages : bool
        The languages of the two texts, and texts in further ones.
    markup : bool
        Inline marks.
    words : bool
        Word links.
    breaks : bool
        Tabs and line ends within segments, and within values of columns that are kept.
    controls : bool
        Characters that XML forbids.
    paragraphs : bool
        The paragraphs of the two texts.

    """

    texts: bool = False
    borders: bool = False
    empty_sides: bool = False
    empty_segments: bool = False
    crossings: bool = False
    gaps: bool = False
    overlaps: bool = False
    uncovered: bool = False
    ids: bool = False
    scores: bool = False
    attributes: bool = False
    documents: bool = False
    document_names: bool = False
    languages: bool = False
    other_languages: bool = False
    markup: bool = False
    words: bool = False
    breaks: bool = False
    controls: bool = False
    paragraphs: bool = False
    columns: frozenset[str] = frozenset()
    empty_documents: bool = True
    empty_values: bool = True
    names: frozenset[str] = frozenset()
    whole: Callable[[Bitext], NDArray[np.bool_]] | None = None
    unwritten: Callable[[Bitext, str], NDArray[np.bool_]] | None = None
    named: Callable[[Bitext], str] | None = None

    def lost(self) -> list[str]:
        """Return the names of what is not kept."""
        return [name for name in LOSSES if not getattr(self, name)]

    def keeps_column(self, name: str) -> bool:
        """Tell whether a column of the alignment is kept."""
        return bool(getattr(self, kind_of_column(name))) or name in self.columns


def language_column(name: str) -> str:
    """Return the code of the language that a column of an alignment is in; empty for another."""
    return name.removeprefix(LANGUAGE) if name.startswith(LANGUAGE) else ""


def further_languages(columns: Mapping[str, Sequence[str | None]]) -> list[str]:
    """Return the languages of which columns of an alignment hold texts, each once.

    Examples
    --------
    >>> further_languages({"lang:de": ["a"], "note": ["b"], "lang:it": [None], "lang:de#2": ["c"]})
    ['de']

    """
    found = (
        code.partition("#")[0]
        for name, column in columns.items()
        if (code := language_column(name)) and any(value is not None for value in column)
    )
    return list(dict.fromkeys(found))


def kind_of_column(name: str) -> str:
    """Return the kind of loss that a column of an alignment is when it is not kept."""
    if name == WORDS:
        return "words"
    return "other_languages" if language_column(name) else "attributes"
