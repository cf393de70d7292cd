"""The document pairs of one document joined to rows of all languages.

Versions of a text that are cut in different ways, or lack sentences, are laid over each other; or
whole sides are matched by their texts.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import joined_rows
from bitext.formats.xml.inline_codes import joined
from bitext.formats.xml.syntax import escape
from bitext.kernels.rows import Rows, prefix, sums, take
from bitext.metrics.common_ground import same_segments, version_links
from bitext.model import Alignment, Bitext, Text
from bitext.model.multitext import Join, Link, MultiLink, Multitext
from bitext.model.multitext import join as join_rows
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Notes

__all__ = ["DocumentRows", "join_documents"]


class DocumentRows(NamedTuple):
    """The texts of a document pair, or of a document in more languages, and their rows.

    Attributes
    ----------
    path : str
        The file, for messages.
    langs : list of str
        The languages of the texts, as they are in the output.
    texts : list of Text
    rows : tuple of Rows
        For each text, the segments that belong to each row.
    scores : array of float64 or None
        The score of each row.

    """

    path: str
    langs: list[str]
    texts: list[Text]
    rows: tuple[Rows, ...]
    scores: NDArray[np.float64] | None


class _Version(NamedTuple):
    """A text, with its language and a file that has it."""

    lang: str
    text: Text
    path: str


def join_documents(
    group: Sequence[DocumentRows],
    codes: Sequence[str],
    name: str,
    notes: Notes,
    *,
    by: str = "segments",
    min_matched: float = 0.9,
) -> tuple[Join, Multitext]:
    """Join document pairs that belong together.

    Parameters
    ----------
    group : sequence of DocumentRows
    codes : sequence of str
        The languages of the result, in order.
    name : str
        The name of the document.
    notes : Notes
        Takes the counts of what was matched or left out.
    by : {"segments", "text"}
        What joins bisegments: the same segments, or equal texts of whole sides.
    min_matched : float
        The least share of characters that two versions of a text have in common.

    Raises
    ------
    InputError
        When versions of a text differ too much.

    """
    versions: list[Link] = []
    if by == "text":
        texts, links = _links_of_texts(group, notes)
    else:
        texts, links, versions = _links_of_segments(group, min_matched, notes)
    made = join_rows(links, len(texts), versions=versions)
    if by == "text":
        made = _unambiguous(made, texts, notes)
    return made, _multitext(made, texts, codes, name)


def _links_of_segments(
    group: Sequence[DocumentRows], min_matched: float, notes: Notes
) -> tuple[list[_Version], list[MultiLink], list[Link]]:
    """Return the versions of all texts, the rows of all files, and the links between versions."""
    texts: list[_Version] = []
    links: list[MultiLink] = []
    for each in group:
        ends = []
        for lang, text in zip(each.langs, each.texts, strict=True):
            number = next(
                (
                    k
                    for k, known in enumerate(texts)
                    if known.lang == lang and same_segments(known.text, text)
                ),
                len(texts),
            )
            if number == len(texts):
                texts.append(_Version(lang, text, each.path))
            ends.append(number)
        links.append(MultiLink(tuple(ends), each.rows, each.scores))
    versions: list[Link] = []
    none = Alignment([])
    for (a, one), (b, other) in combinations(enumerate(texts), 2):
        if one.lang == other.lang:
            bitexts = (
                Bitext(one.text, one.text, none, meta={"path": one.path}),
                Bitext(other.text, other.text, none, meta={"path": other.path}),
            )
            try:
                link, share = version_links(*bitexts, min_matched=min_matched)
            except InputError as error:
                raise InputError(
                    f"{one.lang}: {error}; or join where sides have equal texts "
                    f"({remedy('by text')})"
                ) from None
            versions.append(Link(a, b, link))
            notes.add(
                "versions of a text that differ, laid over each other",
                f"{one.lang} of {one.path} and {other.path}, {share:.1%} of the characters match",
            )
    return texts, links, versions


def _multitext(
    made: Join, texts: Sequence[_Version], languages: Sequence[str], name: str
) -> Multitext:
    """Return the rows with one text a language, made of its versions."""
    count = len(made.rows[0].ptr) - 1
    whole, rows = [], []
    for lang in languages:
        those = [k for k, each in enumerate(texts) if each.lang == lang]
        if not those:
            whole.append(Text([], lang=lang))
            rows.append(Rows(np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int64)))
        elif len(those) == 1:
            whole.append(texts[those[0]].text.in_language(lang))
            rows.append(made.rows[those[0]])
        else:
            text, own = _of_versions([(texts[k].text, made.rows[k]) for k in those], lang)
            whole.append(text)
            rows.append(own)
    return Multitext(tuple(whole), tuple(rows), made.scores, name)


def _of_versions(versions: Sequence[tuple[Text, Rows]], lang: str) -> tuple[Text, Rows]:
    """Return the text of each row in the version that has most of its characters, in row order."""

    def length(segment: str) -> int:
        return len("".join(normalize("NFC", segment).split()))

    lengths_of = [np.array([*map(length, text.segments())], np.int64) for text, _ in versions]
    sizes = np.stack([sums(rows, own) for own, (_, rows) in zip(lengths_of, versions, strict=True)])
    best = sizes.argmax(axis=0).tolist()
    segments: list[str] = []
    marked: list[str | None] = []
    lengths = np.zeros(len(best), dtype=np.int64)
    held = [(list(text.segments()), text.marked, rows) for text, rows in versions]
    for k, version in enumerate(best):
        own, codes, rows = held[version]
        members = rows.row(k).tolist()
        lengths[k] = len(members)
        segments += [own[m] for m in members]
        marked += [None if codes is None else codes[m] for m in members]
    every = Rows(prefix(lengths), np.arange(len(segments)))
    return Text(segments, lang=lang, marked=marked), every


# By equal texts.


def _links_of_texts(
    group: Sequence[DocumentRows], notes: Notes
) -> tuple[list[_Version], list[MultiLink]]:
    """Return a text a language whose segments are whole sides, and the rows over these.

    Equal sides in a language of several files are the same segment, white space and canonical
    equivalence apart; those in a language of one file only beside the same other side.
    """
    often = Counter(lang for each in group for lang in each.langs)
    order = list(often)
    cells: dict[str, list[str]] = {lang: [] for lang in order}
    marks: dict[str, list[str | None]] = {lang: [] for lang in order}
    known: dict[str, dict[tuple[int, str], int]] = {lang: {} for lang in order}
    links: list[MultiLink] = []
    for each in group:
        size = len(each.rows[0].ptr) - 1
        numbers = np.full((size, len(each.langs)), -1, dtype=np.int64)
        beside = np.full(size, -1, dtype=np.int64)
        # A side in a language of this file alone is the same only beside the same other side.
        for k in sorted(range(len(each.langs)), key=lambda k: often[each.langs[k]] < 2):
            lang, alone = each.langs[k], often[each.langs[k]] < 2
            own = _numbered(
                each.texts[k],
                each.rows[k],
                (cells[lang], marks[lang], known[lang]),
                beside.tolist() if alone else [0] * size,
            )
            numbers[:, k] = own
            if not alone:
                beside = np.where(beside < 0, numbers[:, k], beside)
        _, first = np.unique(numbers, axis=0, return_index=True)
        first.sort()
        if first.size < size:
            notes.add("repeated bisegments, taken once", each.path, size - first.size)
        rows = [
            Rows(prefix((column >= 0).astype(np.int64)), column[column >= 0])
            for column in numbers[first].T
        ]
        ends = tuple(order.index(lang) for lang in each.langs)
        scores = None if each.scores is None else each.scores[first]
        links.append(MultiLink(ends, tuple(rows), scores))
    texts = [
        _Version(lang, Text(cells[lang], lang=lang, marked=marks[lang]), group[0].path)
        for lang in order
    ]
    return texts, links


def _numbered(
    text: Text,
    rows: Rows,
    into: tuple[list[str], list[str | None], dict[tuple[int, str], int]],
    beside: Sequence[int],
) -> list[int]:
    """Return the number of the side of each bisegment, -1 for an empty one; add new sides.

    Sides are equal where their texts are, and the numbers that are `beside` them.
    """
    cells, marks, known = into
    numbers = []
    for k, cell in enumerate(joined_rows(text, rows, " ", breaks=True)):
        members = rows.row(k).tolist()
        if not members:
            numbers.append(-1)
            continue
        key = beside[k], normalize("NFC", " ".join(cell.split()))
        number = known.get(key, -1)
        if number < 0:
            number = known[key] = len(cells)
            cells.append(cell)
            codes = [None if text.marked is None else text.marked[m] for m in members]
            parts = (
                [
                    escape(text[m].text or "") if each is None else each
                    for m, each in zip(members, codes, strict=True)
                ]
                if any(codes)
                else []
            )
            marks.append(joined(parts) if parts else None)
        numbers.append(number)
    return numbers


def _unambiguous(made: Join, texts: Sequence[_Version], notes: Notes) -> Join:
    """Leave out rows with several texts in a language; count them."""
    several = np.stack([rows.lengths > 1 for rows in made.rows])
    bad = several.any(axis=0)
    if bad.any():
        k = int(bad.argmax())
        shared = [t for t in range(len(texts)) if made.rows[t].row(k).size]
        best = min(shared, key=lambda t: made.rows[t].row(k).size)
        first = str(texts[best].text[int(made.rows[best].row(k)[0])].text)[:40]
        notes.add("rows with several texts in a language, left out", repr(first), int(bad.sum()))
    which = np.flatnonzero(~bad)
    rows = tuple(take(each, which) for each in made.rows)
    scores = None if made.scores is None else made.scores[which]
    return made._replace(rows=rows, scores=scores, merged=0)
