"""Excerpts of bitexts: a part with its surroundings, and places where two alignments differ.

A part of a bitext is some bisegments that follow one another, with the segments around them.

The page of the differences of two alignments has the stretches that differ, with context. It is
drawn as that of `bitext.reports.alignment.page`, with other names for the kinds: an alignment is as
good as the other. Stretches of bisegments that both have are left out except for their ends, and a
row stands for each; so does one for the beginning of each of several texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from bitext.errors import OptionError, many
from bitext.formats.beads import ChunkPosition, ChunkPositions
from bitext.kernels.arrays import Rows, concatenate, prefix
from bitext.kernels.overlap import Beads
from bitext.metrics.arcade import Comparison
from bitext.metrics.common_ground import pack_positions
from bitext.metrics.evaluation import Place
from bitext.model import Alignment, Bitext, Text, changes
from bitext.model.word_links import COLUMN, NULLS
from bitext.reports import pages
from bitext.reports.alignment import Overlaid, Shown, System, levels, overlaid, to_data
from bitext.reports.alignment.page import BENCH, SCRIPTS, difference_list, hatchings, signs_key
from bitext.reports.lettering import clipped, padded
from bitext.reports.pages import Section, isolated
from bitext.reports.table import Table, printable

_LINK_COLUMNS = (COLUMN, NULLS)


def excerpt(bitext: Bitext, first: int, last: int) -> Bitext:
    """Return the bisegments `first` to `last`, inclusive, over their part of the texts.

    Segments have their identifiers, or without any their index in the whole text. Columns other
    than those of word links are dropped. A `last` beyond the end means the end.

    Raises `OptionError` when there is no bisegment `first`, or `last` comes before it.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> whole = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), ())])
    >>> part = excerpt(Bitext(Text(["a", "b", "c"]), Text(["A", "B"]), whole), 1, 2)
    >>> list(part.src.segments()), list(part.src.ids), list(part.alignment)
    (['b', 'c'], ['1', '2'], [Bisegment(src=(0,), tgt=(0,)), Bisegment(src=(1,), tgt=())])

    """
    size = len(bitext.alignment)
    _check(first, last, size)
    part = bitext.alignment.between(first, min(last + 1, size))
    (src, src_rows), (tgt, tgt_rows) = (
        _cut(text, rows) for text, rows in ((bitext.src, part.src), (bitext.tgt, part.tgt))
    )
    attributes = {name: column for name, column in part.attributes.items() if name in _LINK_COLUMNS}
    alignment = Alignment.from_arrays(src_rows, tgt_rows, scores=part.scores, attributes=attributes)
    return replace(bitext, src=src, tgt=tgt, alignment=alignment, lines=None)


def _check(first: int, last: int, size: int) -> None:
    if not 0 <= first < size:
        expected = f"want one from 0 to {size - 1}" if size else "the alignment is empty"
        raise OptionError(f"there is no bisegment {first}: {expected}")
    if last < first:
        raise OptionError(f"bisegments {first} to {last}: want the first, then the last")


class Excerpting:
    """An excerpt of a document pair that is read in parts; only parts of the excerpt are stored.

    `first` and `last` are as in `excerpt`, counted over all parts.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> one = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> parts = [Bitext(Text(["a", "b"]), Text(["A", "B"]), one, continues=more)
    ...          for more in (False, True, True)]
    >>> excerpting = Excerpting(3, 4)
    >>> for part in parts:
    ...     excerpting.take(part)
    >>> result = excerpting.excerpt()
    >>> list(result.src.segments()), list(result.src.ids)
    (['b', 'a'], ['3', '4'])

    """

    def __init__(self, first: int, last: int) -> None:
        self._first, self._last, self._size = first, last, 0
        self._places = ChunkPositions()
        self._held: list[tuple[Bitext, ChunkPosition]] = []

    def take(self, part: Bitext) -> None:
        """Add the next part; the first part begins the document pair."""
        place = self._places.of(part)
        self._size = place.beads + len(part.alignment)
        if place.beads <= self._last and self._first < self._size:
            self._held.append((part, place))

    def excerpt(self) -> Bitext:
        """Return the bisegments of the excerpt, as `excerpt` does.

        Raises `OptionError` as `excerpt` does.
        """
        _check(self._first, self._last, self._size)
        before = self._held[0][1].beads
        return excerpt(_joined(self._held), self._first - before, self._last - before)


def _joined(chunks: Sequence[tuple[Bitext, ChunkPosition]]) -> Bitext:
    """Join consecutive parts to one bitext; all its segments have identifiers.

    Without texts, as for word links, each bisegment has its own segments.
    """
    parts = [part for part, _ in chunks]
    (src, src_rows), (tgt, tgt_rows) = (_joined_side(chunks, side) for side in ("src", "tgt"))
    scores = None
    if any(part.alignment.scores is not None for part in parts):
        scores = np.concatenate([
            np.full(len(part.alignment), np.nan)
            if part.alignment.scores is None
            else part.alignment.scores
            for part in parts
        ])  # fmt: skip
    columns = {
        name: [
            value
            for part in parts
            for value in part.alignment.attributes.get(name) or [None] * len(part.alignment)
        ]
        for name in _LINK_COLUMNS
        if any(name in part.alignment.attributes for part in parts)
    }
    alignment = Alignment.from_arrays(src_rows, tgt_rows, scores=scores, attributes=columns)
    return replace(parts[0], src=src, tgt=tgt, alignment=alignment, lines=None)


def _joined_side(
    chunks: Sequence[tuple[Bitext, ChunkPosition]], side: str
) -> tuple[Text | None, Rows]:
    """Join one side of parts to one text, if any, and its rows."""
    rows = [getattr(part.alignment, side) for part, _ in chunks]
    held: list[Text | None] = [getattr(part, side) for part, _ in chunks]
    before = [
        place.beads if text is None else getattr(place, side)
        for text, (_, place) in zip(held, chunks, strict=True)
    ]
    texts = [text for text in held if text is not None]
    if len(texts) < len(held):
        return None, concatenate(rows, before)
    numbers = [
        [str(first + k) for k in range(len(text))]
        for text, first in zip(texts, before, strict=True)
    ]
    ids = [
        list(text.ids) if text.has_ids else own_numbers
        for text, own_numbers in zip(texts, numbers, strict=True)
    ]
    if len(set(chain(*ids))) < sum(map(len, ids)):  # those of one part, or numbers, in another
        ids = numbers
    offsets = np.cumsum([0, *map(len, texts[:-1])]).tolist()
    name, lang = texts[0].name, texts[0].lang
    if not all(text.has_text for text in texts):
        return Text.of_ids(chain(*ids), name=name, lang=lang), concatenate(rows, offsets)
    segments = chain.from_iterable(text.segments() for text in texts)
    return Text(segments, ids=chain(*ids), name=name, lang=lang), concatenate(rows, offsets)


def _cut(text: Text | None, rows: Rows) -> tuple[Text, Rows]:
    """Return the segments from the first to the last used one, and the rows over them."""
    begin = int(rows.idx.min()) if rows.idx.size else 0
    end = int(rows.idx.max()) + 1 if rows.idx.size else 0
    shifted = Rows(rows.ptr, rows.idx - begin)
    if text is None:
        (packed_rows,), used = pack_positions([shifted])
        numbers = range(end - begin) if used is None else used.tolist()
        return Text.of_ids([str(begin + k) for k in numbers]), packed_rows
    ids = list(text.ids[begin:end]) if text.has_ids else [str(k) for k in range(begin, end)]
    if not text.has_text:
        return Text.of_ids(ids, name=text.name, lang=text.lang), shifted
    return Text(list(text.segments())[begin:end], ids=ids, name=text.name, lang=text.lang), shifted


# Places where gold standard and hypothesis differ, side by side with the text.


_MOST_BEADS = 12  # bisegments of a place
_MOST_SEGMENTS = 6  # segments of a side


@dataclass(frozen=True, slots=True)
class BeadView:
    """A bisegment for display: identifiers and characters of its first segments."""

    src: tuple[str, ...]
    tgt: tuple[str, ...]
    src_text: tuple[str, ...]
    tgt_text: tuple[str, ...]
    more: tuple[int, int]  # the numbers of segments that are left out of each side

    @property
    def title(self) -> str:
        """Its identifiers, as `3 4 : 5`."""
        sides = []
        for names, more in zip((self.src, self.tgt), self.more, strict=True):
            sides.append(" ".join(names) + (f" ... {more:,} more" if more else "") or "nothing")
        return " : ".join(sides)


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place for display."""

    system: str
    text: str
    weight: int
    unit: str
    gold: tuple[BeadView, ...]
    hyp: tuple[BeadView, ...]
    more: tuple[int, int]  # the numbers of bisegments that are left out of `gold` and `hyp`

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document, without `more` where nothing is left out."""

        def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            return {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in pairs
                if name != "more" or any(value)
            }

        return asdict(self, dict_factory=members)


def restored(held: dict[str, Any]) -> PlaceView:
    """Return a place from its `dataclasses.asdict`, which may have been JSON."""
    families = [
        tuple(
            BeadView(**{name: tuple(value) for name, value in bead.items()})
            for bead in held[family]
        )
        for family in ("gold", "hyp")
    ]
    sides = {"gold": families[0], "hyp": families[1], "more": tuple(held["more"])}
    return PlaceView(**{**held, **sides})


def view(comparison: Comparison, place: Place, *, system: str, text: str) -> PlaceView:
    """Return a place with the segments of its bisegments; very large places are truncated."""
    ground = comparison.ground
    unit = "character pairs" if ground.src.texts and ground.tgt.texts else "sentence pairs"
    families = [
        tuple(_bead(comparison, beads, k) for k in chosen[:_MOST_BEADS])
        for beads, chosen in ((ground.gold, place.gold), (ground.hyp, place.hyp))
    ]
    more = tuple(max(len(chosen) - _MOST_BEADS, 0) for chosen in (place.gold, place.hyp))
    return PlaceView(system, text, place.weight, unit, families[0], families[1], (more[0], more[1]))


def _bead(comparison: Comparison, beads: Beads, k: int) -> BeadView:
    ground = comparison.ground
    names, texts, omitted = [], [], []
    for side, rows in ((ground.src, beads.src), (ground.tgt, beads.tgt)):
        members = rows.row(k).tolist()
        shown_members = members[:_MOST_SEGMENTS]
        # Atoms of one segment have one name.
        names.append(tuple(dict.fromkeys(side.label(m) for m in shown_members)))
        texts.append(tuple(side.segment(m) for m in shown_members))
        omitted.append(len(members) - len(shown_members))
    return BeadView(names[0], names[1], texts[0], texts[1], (omitted[0], omitted[1]))


def render(place: PlaceView, *, number: int, columns: int) -> str:
    """Return a place as text: gold bisegments on the left, proposed ones on the right."""
    half = max((columns - 3) // 2, 20)
    left, right = (
        _lines(beads, more, half)
        for beads, more in ((place.gold, place.more[0]), (place.hyp, place.more[1]))
    )
    size = max(len(left), len(right))
    left += [""] * (size - len(left))
    right += [""] * (size - len(right))
    head = f"{number}. {place.system}, {place.text}: {many(place.weight, place.unit[:-1])} wrong"
    title = padded("gold", half) + " │ proposed"
    rows = [f"{padded(a, half)} │ {b}".rstrip() for a, b in zip(left, right, strict=True)]
    return "\n".join([printable(head), title, *rows]) + "\n"


def _lines(beads: tuple[BeadView, ...], omitted: int, columns: int) -> list[str]:
    lines: list[str] = []
    for bead in beads:
        lines.append(clipped(printable(f"[{bead.title}]"), columns))
        for mark, texts in (("<", bead.src_text), (">", bead.tgt_text)):
            lines += [clipped(f"  {mark} {printable(text)}", columns) for text in texts if text]
    if omitted:
        lines.append(f"... and {omitted:,} more")
    return lines or ["(nothing)"]


_CONTEXT = 2  # common bisegments before and after a difference
_MAX_SHOWN = 4_000  # differing bisegments on a page: some megabytes; set by hand
_WORDS = {
    "a": "in both",
    "P": "first, in part",
    "p": "second, in part",
    "m": "first alone",
    "w": "second alone",
}
_KEY = (
    ("a", "both files have it"),
    ("P", "only the first file has it; the second has a pair of its sentences"),
    ("p", "only the second file has it; the first has a pair of its sentences"),
    ("m", "only the first file has it, and no pair of its sentences is in the second"),
    ("w", "only the second file has it, and no pair of its sentences is in the first"),
)
_MEANINGS = {
    "moved": "as many bisegments in both files, with other boundaries",
    "split": "more bisegments in the second file",
    "merged": "fewer bisegments in the second file",
    "changed": "bisegments with a side in common",
    "added": "bisegments of the second file with sentences that the first leaves out",
    "missing": "bisegments of the first file with sentences that the second leaves out",
    "text": "texts that one file lacks",
}


@dataclass(slots=True)
class _Side:
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    has_texts: bool = False
    pieces: bool = False

    def add_gap(self, what: str) -> int:
        """Add a row for an omission, worded in `what`; return its index."""
        self.gaps.append(len(self.ids))
        self.ids.append("⋯")
        self.texts.append(what)
        return self.gaps[-1]

    def shown(self, name: str) -> Shown:
        """Return the rows; without texts, gaps are described in place of a name."""
        if self.has_texts:
            return Shown(self.ids, self.texts, name, self.pieces)
        gaps = set(self.gaps)
        ids = [self.texts[k] if k in gaps else each for k, each in enumerate(self.ids)]
        return Shown(ids, None, name, self.pieces)


@dataclass(slots=True)
class _Beads:
    src: list[list[int]] = field(default_factory=list)
    tgt: list[list[int]] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)  # change, text

    def system(self, name: str) -> System:
        """Return the bisegments as those of a system."""
        scores = np.array(self.scores, dtype=float)
        finite_scores = scores if np.isfinite(scores).any() else None
        return System(name, _rows(self.src), _rows(self.tgt), tuple(self.types), finite_scores)


def _rows(members: Sequence[Sequence[int]]) -> Rows:
    lengths = np.array([len(each) for each in members], dtype=np.int64)
    flat = [member for each in members for member in each]
    return Rows(prefix(lengths), np.array(flat, dtype=np.int64))


class DifferencePage:
    """A page in the making, to which texts are added one by one.

    `first` and `second` are the names of the two files, which differ. `most` is the number of
    differing bisegments that are shown, with those between them.
    """

    def __init__(self, first: str, second: str, *, most: int = _MAX_SHOWN) -> None:
        self._names, self._most = (first, second), most
        self._sides = _Side(), _Side()
        self._beads = _Beads(), _Beads()
        self._levels: list[tuple[int, int]] = []
        self._texts: list[str] = []
        self._shown = self._left = 0  # differing bisegments

    def add(self, first: Bitext, second: Bitext, by_text: bool = False) -> None:
        """Add the differences of a text.

        `first` and `second` are over the same texts, which they may segment differently. With
        `by_text` bisegments are compared by their characters, so that segments have no names.
        """
        comparison = overlaid(first, {self._names[1]: second}, gold_name=self._names[0])
        alignments = [Alignment.from_arrays(each.src, each.tgt) for each in comparison.systems]
        labels: list[dict[int, str]] = [{}, {}]
        for change in changes(*alignments):
            kind = "changed" if by_text and change.first and change.second else change.kind
            for kind_of_bead, changed in zip(labels, (change.first, change.second), strict=True):
                kind_of_bead.update(dict.fromkeys(changed, kind))
        (letters,) = comparison.kinds
        # Bisegments in the order of the text; those of both files are taken from the first.
        sequence = sorted(
            (position, number, k)
            for number, places in enumerate((comparison.order(0), comparison.order(1)))
            for k, position in enumerate(places.tolist())
            if not number or letters[1][k] != "a"
        )
        beads: list[tuple[int, int]] = [(number, k) for _, number, k in sequence]
        differing = [n for n, (system, k) in enumerate(beads) if letters[system][k] != "a"]
        stretches = _stretches(differing[: max(self._most - self._shown, 0)], len(beads))
        if not stretches:
            self._left += len(differing)
            return
        self._texts.append(first.name)
        if first.name:
            self._gap(f"{first.name}: {many(len(differing), 'bisegment')} of one file alone")
        end = 0
        for begin, until in [*stretches, (len(beads), len(beads))]:
            if begin > end:
                alone = sum(letters[system][k] != "a" for system, k in beads[end:begin])
                self._left += alone
                more = f", and {alone:,} of one file alone" if alone else ""
                self._gap(f"{many(begin - end - alone, 'bisegment')} of both files{more}")
            self._add(comparison, beads[begin:until], letters, labels, by_text=by_text)
            end = until

    def _gap(self, what: str) -> None:
        src, tgt = (side.add_gap(what) for side in self._sides)
        self._levels.append((src, tgt))

    def _add(
        self,
        comparison: Overlaid,
        beads: Sequence[tuple[int, int]],
        letters: tuple[str, str],
        labels: Sequence[Mapping[int, str]],
        *,
        by_text: bool,
    ) -> None:
        """Add a stretch of bisegments with their segments."""
        place_of_segment: list[dict[int, int]] = []
        for number, (side, shown) in enumerate(
            zip(self._sides, (comparison.src, comparison.tgt), strict=True)
        ):
            rows = [(s.src, s.tgt)[number] for s in comparison.systems]
            used = sorted({m for system, k in beads for m in rows[system].row(k).tolist()})
            place_of_segment.append({m: len(side.ids) + n for n, m in enumerate(used)})
            side.ids += ["" if by_text else shown.ids[m] for m in used]
            side.texts += ["" if shown.texts is None else shown.texts[m] for m in used]
            side.has_texts |= shown.texts is not None
            side.pieces |= shown.pieces
        begin = len(self._beads[0].src)
        for system, k in beads:
            page_beads, system_rows = self._beads[system], comparison.systems[system]
            score = system_rows.score(k)
            page_beads.src.append([place_of_segment[0][m] for m in system_rows.src.row(k).tolist()])
            page_beads.tgt.append([place_of_segment[1][m] for m in system_rows.tgt.row(k).tolist()])
            page_beads.types.append(system_rows.types[k])
            page_beads.scores.append(np.nan if score is None else score)
            page_beads.letters.append(letters[system][k])
            self._shown += letters[system][k] != "a"
            page_beads.labels.append((labels[system].get(k, ""), self._texts[-1]))
        firsts = self._beads[0]
        self._levels += levels(_rows(firsts.src[begin:]), _rows(firsts.tgt[begin:]))

    def html(self, counts: Mapping[str, int], common: int) -> str:
        """Return the page.

        `counts` are the numbers of changes by kind; `common` is the number of bisegments that both
        files have.
        """
        comparison = self._comparison()
        first, second = (isolated(name, 60) for name in self._names)
        total = sum(counts.values())
        summary = (
            f"{first} and {second}: {many(common, 'bisegment')} in both, {many(total, 'change')}."
        )
        sections = [Section("changes", "Changes", _changes(counts))]
        if len(comparison.systems[0]) or len(comparison.systems[1]):
            sections += [
                Section("alignment", "Both alignments", self._drawing()),
                Section("differences", "Differences", difference_list(comparison)),
            ]
        return pages.page(
            f"Differences of {self._names[0]} and {self._names[1]}",
            summary,
            sections,
            style=pages.asset("alignment/alignment.css"),
            script="\n".join(map(pages.asset, SCRIPTS)) if len(sections) > 1 else "",
            data=to_data(comparison),
        )

    def _comparison(self) -> Overlaid:
        src, tgt = (side.shown("") for side in self._sides)
        systems = tuple(
            beads.system(name) for beads, name in zip(self._beads, self._names, strict=True)
        )
        labels = {
            (system, k): f"{change} ({text})" if text and len(self._texts) > 1 else change
            for system, beads in enumerate(self._beads)
            for k, (change, text) in enumerate(beads.labels)
            if change
        }
        kinds = tuple("".join(beads.letters) for beads in self._beads)
        gaps = tuple(tuple(side.gaps) for side in self._sides)
        return Overlaid(
            src,
            tgt,
            systems,
            ((kinds[0], kinds[1]),),
            self._levels,
            words=_WORDS,
            gaps=(gaps[0], gaps[1]),
            labels=labels,
        )

    def _drawing(self) -> Iterator[str]:
        yield hatchings()
        yield from signs_key((letter, _WORDS[letter], meaning) for letter, meaning in _KEY)
        if self._left:
            yield (
                f'<p class="quiet">{self._left:,} more bisegments differ than the '
                f"{self._shown:,} that are shown; the table of the command has all.</p>"
            )
        yield BENCH


def _changes(counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        yield '<p class="quiet">There is no difference.</p>'
        return
    table = Table(["change", "number", "meaning"], right={1})
    for kind, meaning in _MEANINGS.items():
        if kind in counts:
            table.rows.append([kind, f"{counts[kind]:,}", meaning])
    yield from pages.table_sheet(table, "Changes by kind")


def _stretches(differing: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Return the stretches around the differences as half-open ranges, in order.

    Examples
    --------
    >>> _stretches([3, 10, 12], 40)
    [(1, 6), (8, 15)]

    """
    stretches: list[tuple[int, int]] = []
    for place in differing:
        begin, end = max(place - _CONTEXT, 0), min(place + _CONTEXT + 1, size)
        if stretches and begin <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], end
        else:
            stretches.append((begin, end))
    return stretches
