"""Files of alignments combined, composed and compared, text by text, here or by jobs.

`bitext.jobs.operands` pairs the files and reads them side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import itemgetter
from typing import Any, NamedTuple, Protocol
from unicodedata import normalize

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.io.output import refuse_clashes
from bitext.formats.io.source import Notes, pooled
from bitext.formats.registry import WriteOptions, by_name
from bitext.formats.writing import deliver
from bitext.jobs.operands import (
    Group,
    Missing,
    better_scores,
    costs_left_out,
    may_be_costs,
    refuse_other_bases,
)
from bitext.jobs.task import CommandTask, Result, notes_of
from bitext.metrics.common_ground import common_ground, common_pivot, same_segments
from bitext.model import Alignment, Bitext, Note, Text, changes, combine, compose

CHANGES = ("moved", "split", "merged", "changed", "added", "missing", "text")
"""The kinds of changes: those of `bitext.model.Change`, and two that `Difference` adds."""

_SIDES = ("src", "source"), ("tgt", "target")


# Joining: several alignments become one.


@dataclass(slots=True)
class Joined:
    """The result of joining files into one."""

    output: str  # the file that was written
    texts: int = 0  # the number of written document pairs
    bisegments: int = 0  # the number of written bisegments
    sizes: list[int] = field(default_factory=list)  # the bisegments of each operand
    common: int | None = None  # the bisegments that all operands have, of a combination
    # How the path of a combination was found, with the number of texts.
    ways: dict[str, int] = field(default_factory=dict)
    # The number of texts whose pivot is cut in different ways, the least share of characters that
    # match, and the number of pieces; empty without any.
    cut: list[Any] = field(default_factory=list)
    # Bisegments that were lost or joined, by kind.
    counts: dict[str, int] = field(default_factory=dict)
    # What was left out, with the number of texts.
    remarks: dict[str, int] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # texts without a counterpart, left out
    losses: tuple[Note, ...] = ()  # losses of the format
    notes: tuple[Note, ...] = ()  # irregularities of the inputs
    failed: str = ""  # the error for which nothing was written

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Joined:
        """Return the result that JSON values describe."""
        notes = {name: notes_of(state[name]) for name in ("losses", "notes")}
        return cls(**{**state, **notes})

    def include(self, other: Joined) -> None:
        """Add the counts of other texts."""
        self.texts += other.texts
        self.bisegments += other.bisegments
        pairs = zip(self.sizes or [0] * len(other.sizes), other.sizes or self.sizes, strict=True)
        self.sizes = [a + b for a, b in pairs] if other.sizes else self.sizes
        if other.common is not None:
            self.common = (self.common or 0) + other.common
        for own_counts, other_counts in (
            (self.ways, other.ways),
            (self.counts, other.counts),
            (self.remarks, other.remarks),
        ):
            for key, count in other_counts.items():
                own_counts[key] = own_counts.get(key, 0) + count
        if other.cut:
            texts, matched, pieces = self.cut or [0, 1.0, 0]
            number, share, other_pieces = other.cut
            self.cut = [texts + number, min(matched, share), pieces + other_pieces]
        self.missing += other.missing
        self.losses = pooled(self.losses, other.losses)
        self.notes = pooled(self.notes, other.notes)


class Operation(Protocol):
    """A way of joining alignments."""

    def __call__(
        self, group: Sequence[Bitext], paths: Sequence[str]
    ) -> tuple[Bitext, Joined]:  # pragma: no cover - a protocol
        """Join the bitexts; return the result, and its counts except for those of the output."""
        ...


@dataclass(frozen=True, slots=True)
class Combining:
    """The combination of alignments of the same texts."""

    by: str  # as in `bitext.model.combine`
    least: int | None = None  # likewise

    def __call__(self, group: Sequence[Bitext], paths: Sequence[str]) -> tuple[Bitext, Joined]:
        """Combine the alignments."""
        refuse_other_bases(group, paths)
        joinable = _over_same_segments(group, paths)
        joined = Joined("", sizes=[len(bitext.alignment) for bitext in group])
        parts = [bitext.alignment for bitext in group]
        if self.by == "path":
            parts = _without_costs(group, joined, f"{remedy('by vote')} uses none")
        combined = combine(parts, by=self.by, least=self.least)
        for k in _cut_short(parts):
            joined.remarks[f"{_SHORT}: file {k + 1} of {len(parts)}"] = 1
        if combined.scores is not None:
            joined.common = int((combined.scores == 1).sum())
        if self.by == "path":
            ways = "probabilities (the scores)" if all(map(_is_probable, parts)) else "votes"
            joined.ways[ways] = 1
        columns = sorted({name for part in parts for name in part.attributes})
        if columns:
            joined.remarks[f"columns left out: {', '.join(columns)}"] = 1
        return replace(joinable, alignment=combined, notes=(), lines=None), joined


_SHORT = "ends before the middle of the others, and may be cut short"


def _cut_short(parts: Sequence[Alignment]) -> list[int]:
    """Return the numbers of the alignments that end before the middle of another on both sides."""
    ends = np.array(
        [[rows.idx.max() + 1 if rows.idx.size else 0 for rows in (a.src, a.tgt)] for a in parts]
    )
    short = (ends > 0).all(axis=1) & (2 * ends < ends.max(axis=0)).all(axis=1)
    return np.flatnonzero(short).tolist()


def _is_probable(part: Alignment) -> bool:
    return part.scores is not None and bool(((part.scores >= 0) & (part.scores <= 1)).all())


def _without_costs(group: Sequence[Bitext], joined: Joined, advice: str) -> list[Alignment]:
    """Return the alignments without scores that are costs; remark on those that may be."""
    parts: list[Alignment] = []
    doubtful: set[str] = set()
    for bitext in group:
        a, name = bitext.alignment, bitext.meta.get("format", "")
        better = better_scores(bitext)
        if better == "lower":
            joined.remarks[costs_left_out(name)] = 1
            a = Alignment.from_arrays(a.src, a.tgt, attributes=a.attributes)
        elif not better:
            doubtful.add(name)
        parts.append(a)
    if doubtful and all(map(_is_probable, parts)):
        joined.remarks[may_be_costs(sorted(doubtful), advice)] = 1
    return parts


def _over_same_segments(group: Sequence[Bitext], paths: Sequence[str]) -> Bitext:
    """Return the first bitext with the texts that any has; refuse different segments."""
    merged = group[0]
    for side, called in _SIDES:
        texts: list[tuple[str, Text]] = [
            (path, text)
            for path, bitext in zip(paths, group, strict=True)
            if (text := getattr(bitext, side)) is not None
        ]
        if not texts:
            continue
        # A text with characters says more than one known by identifiers.
        path, model = next((each for each in texts if each[1].has_text), texts[0])
        for other, text in texts:
            if not _is_same_text(model, text):
                from_texts = all(bitext.meta.get("holds") == "text" for bitext in group)
                advice = "" if from_texts else f" ({remedy(side)} names them)"
                raise InputError(
                    f"{path} and {other}: the {called} segments differ, so a bisegment of one is "
                    f"none of the other; combine alignments of the same sentences{advice}"
                )
        size = max(getattr(bitext.alignment, f"{side}_size") for bitext in group)
        cut = not model.has_text or merged.meta.get("holds", "") == "text"
        if size > len(model) or (len(texts) < len(group) and cut):
            raise InputError(
                f"{path}: {len(model)} {called} segments, which other files name by other "
                f"positions: give the text that all were made over ({remedy(side)})"
            )
        merged = replace(merged, src=model) if side == "src" else replace(merged, tgt=model)
    return merged


def _is_same_text(a: Text, b: Text) -> bool:
    if a.has_text and b.has_text:
        return same_segments(a, b)
    return len(a) == len(b) and list(a.ids) == list(b.ids)


@dataclass(frozen=True, slots=True)
class Composing:
    """The composition of two alignments through a pivot text."""

    min_matched: float = 0.9  # the least common share of two versions of the pivot text

    def __call__(self, group: Sequence[Bitext], paths: Sequence[str]) -> tuple[Bitext, Joined]:
        """Compose the alignments."""
        del paths  # messages name the bitexts
        first, second = group
        joined = Joined("", sizes=[len(bitext.alignment) for bitext in group])
        a, b = _without_costs(group, joined, "they are multiplied")
        to_pivot, from_pivot, side = common_pivot(first, second, min_matched=self.min_matched)
        composed = compose(
            Alignment.from_arrays(a.src, to_pivot, scores=a.scores),
            Alignment.from_arrays(from_pivot, b.tgt, scores=b.scores),
        )
        if side.atoms:
            joined.cut = [1, side.matched, side.size]
        for count, outcome in (
            (composed.merged, "that join several bisegments of a file"),
            (
                composed.uncovered_first,
                "of the first file left out: the second lacks their pivot segments",
            ),
            (
                composed.uncovered_second,
                "of the second file left out: the first lacks their pivot segments",
            ),
            (composed.dropped, "of the pivot alone left out: nothing corresponds to them"),
        ):
            if count:
                joined.counts[f"bisegments {outcome}"] = count
        if composed.alignment.scores is None and (a.scores is not None or b.scores is not None):
            joined.remarks["scores left out: not all are from 0 to 1"] = 1
        columns = sorted({*a.attributes, *b.attributes})
        if columns:
            joined.remarks[f"columns left out: {', '.join(columns)}"] = 1
        meta = {key: value for key, value in first.meta.items() if not key.startswith("tgt")}
        meta |= {key: value for key, value in second.meta.items() if key.startswith("tgt")}
        if "text" in (first.meta.get("holds"), second.meta.get("holds")):
            meta["holds"] = "text"
        name = first.name if first.name == second.name else ""
        return Bitext(first.src, second.tgt, composed.alignment, name=name, meta=meta), joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """The work of joining files into one."""

    groups: tuple[Group, ...]  # the files to join, text by text
    output: str  # the file to write
    to: str  # its format
    operation: Operation  # how to join
    langs: tuple[str, str] = ("", "")  # the languages to write, where the user names them
    # Whether a document pair without a counterpart is left out; otherwise it is an error.
    leave_missing: bool = False

    def files(self) -> Iterator[str]:
        """Yield the names of the files to read."""
        for group in self.groups:
            yield from group.files()

    def outputs(self) -> list[str]:
        """Return the file to write."""
        return [self.output]

    def write(self, *, on_text: Callable[[int], None] | None = None) -> Joined:
        """Join the files into one, which appears when it is complete.

        Raises `BitextError` when a file cannot be read, a text has no counterpart, or the output
        cannot be written.
        """
        refuse_clashes(self.files(), [self.output])
        joined, losses, notes = Joined(self.output), Notes(), Notes()
        deliver(
            self._texts(joined, notes, on_text),
            self.output,
            by_name(self.to),
            options=WriteOptions(src_lang=self.langs[0], tgt_lang=self.langs[1]),
            losses=losses,
            notes=notes,
            infers_languages=True,
        )
        joined.losses, joined.notes = losses.all(), notes.all()
        return joined

    def _texts(
        self, joined: Joined, notes: Notes, on_text: Callable[[int], None] | None
    ) -> Iterator[Bitext]:
        """Yield the joined document pairs; add their counts to `joined`."""

        def on_missing(missing: Missing) -> None:
            if not self.leave_missing:
                raise InputError(
                    f"{missing}: give files of the same document pairs, or leave it out "
                    f"({remedy('missing leave')})"
                )
            joined.missing.append(str(missing))

        for group in self.groups:
            for bitexts in group.texts(notes, on_missing):
                bitext, counts = self.operation(bitexts, group.paths)
                counts.texts, counts.bisegments = 1, len(bitext.alignment)
                joined.include(counts)
                yield bitext
                if on_text is not None:
                    on_text(1)
        if joined.missing and not joined.texts:
            raise InputError(f"{self.output}: not written, as no text has a counterpart")


# Comparing: the bisegments that only one of two files has.


class Difference(NamedTuple):
    """A bisegment that only one file has."""

    file: str  # `-` for the first file, `+` for the second
    text: str  # the name of the document pair
    # The number of the bisegment in its document pair, from 0; `None` for a whole text that the
    # other file lacks.
    bead: int | None
    type: str  # the bead type
    # `src`, `tgt`: the identifiers of the segments, else their positions, separated by blanks.
    src: str
    tgt: str
    source: str  # the source characters; empty when unknown
    target: str  # the target characters; likewise
    # The kind of `bitext.model.Change`; `changed` where texts are compared, and bisegments of both
    # files have a side in common; `text` for a whole text.
    change: str
    number: int  # the number of the change in its document pair, from 0


@dataclass(slots=True)
class Compared:
    """The differences of two files."""

    texts: int = 0  # the number of document pairs that both have
    common: int = 0  # the number of bisegments that both have
    rows: list[Difference] = field(default_factory=list)
    changes: dict[str, int] = field(default_factory=dict)  # the number of changes by kind
    files: list[str] = field(default_factory=list)  # the names of the groups that differ
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Compared:
        """Return the differences that JSON values describe."""
        rows = [Difference(*row) for row in state["rows"]]
        return cls(**{**state, "rows": rows, "notes": notes_of(state["notes"])})

    def include(self, other: Compared) -> None:
        """Add the differences of other files."""
        self.texts += other.texts
        self.common += other.common
        self.rows += other.rows
        self.files += other.files
        for kind, count in other.changes.items():
            self.changes[kind] = self.changes.get(kind, 0) + count
        self.notes = pooled(self.notes, other.notes)

    def add_missing(self, missing: Missing) -> None:
        """Add a text that one file lacks."""
        sign = "+" if missing.place == 0 else "-"
        self.rows.append(Difference(sign, missing.name, None, "", "", "", "", "", "text", 0))
        self.changes["text"] = self.changes.get("text", 0) + 1


def compare_group(
    group: Group,
    *,
    by: str | None = None,
    on_text: Callable[[Bitext, Bitext, bool], None] | None = None,
) -> Compared:
    """Compare the two files of a group, `by` their `segments`, or their characters (`text`).

    Default: the characters where two files hold the texts of bisegments alone, unless their
    segments are the same; else the segments. `on_text` is called with the bitexts of each document
    pair that differs, and whether they are compared by their texts; then a segment is a side of a
    bisegment.

    Raises `BitextError` when a file cannot be read, or the two have no common ground.
    """
    compared, notes = Compared(), Notes()
    for first, second in group.texts(notes, compared.add_missing):
        refuse_other_bases((first, second), group.paths)
        pair = _comparable(first, second, by)
        number = len(compared.rows)
        _add_differences(compared, (first, second), pair)
        compared.texts += 1
        if on_text is not None and len(compared.rows) > number:
            on_text(*pair.bitexts, pair.by_text)
    compared.notes = notes.all()
    if compared.rows:
        compared.files.append(group.name)
    return compared


class _Pair(NamedTuple):
    """Two alignments over the same segments."""

    alignments: tuple[Alignment, Alignment]  # over common pieces of the segments
    bitexts: tuple[Bitext, Bitext]  # for pages, which find common pieces themselves
    by_text: bool  # whether each bisegment stands for its characters


def _comparable(first: Bitext, second: Bitext, by: str | None) -> _Pair:
    pair = first, second
    if by is None:
        texts = all(each.meta.get("holds") == "text" for each in pair)
        by = "text" if texts and not _have_same_segments(first, second) else "segments"
    if by == "text":
        both = by_texts(first, second)
        return _Pair((both[0].alignment, both[1].alignment), both, by_text=True)
    _refuse_positions_over_memories(pair)
    ground = common_ground(*pair)
    one, other = (
        Alignment.from_arrays(beads.src, beads.tgt) for beads in (ground.gold, ground.hyp)
    )
    return _Pair((one, other), pair, by_text=False)


def _have_same_segments(first: Bitext, second: Bitext) -> bool:
    return all(
        a is not None and b is not None and a.has_text and b.has_text and same_segments(a, b)
        for a, b in ((first.src, second.src), (first.tgt, second.tgt))
    )


def _refuse_positions_over_memories(pair: tuple[Bitext, Bitext]) -> None:
    for memory, other in (pair, pair[::-1]):
        for side, side_name in _SIDES:
            if getattr(other, side) is None and memory.meta.get("holds") == "text":
                raise InputError(
                    f"{other.meta.get('path')} names {side_name} segments by position, and "
                    f"{memory.meta.get('path')} holds a text that may be cut in another way: give "
                    f"the {side_name} text ({remedy(side)})"
                )


def by_texts(first: Bitext, second: Bitext) -> tuple[Bitext, Bitext]:
    """Return both bitexts with a segment for each different side of a bisegment.

    White space and normal forms are no differences. A side that only the second has comes after
    the one before it in the second.

    Examples
    --------
    >>> both = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> a = Bitext(Text(["Yes.", "No."]), Text(["Oui.", "Non."]), both)
    >>> one, other = by_texts(a, Bitext(Text(["Yes. ", "No."]), Text(["Oui.", "Pas."]), both))
    >>> list(one.tgt.segments()), list(other.alignment)[1]
    (['Oui.', 'Pas.', 'Non.'], Bisegment(src=(1,), tgt=(1,)))

    """
    pairs = [
        [(_plain(source), _plain(target)) for source, target in bitext.pairs()]
        for bitext in (first, second)
    ]
    places = [
        _places([each[side] for each in pairs[0]], [each[side] for each in pairs[1]])
        for side in (0, 1)
    ]
    src, tgt = (Text(list(place)) for place in places)
    over_texts = []
    for bitext, sides in zip((first, second), pairs, strict=True):
        beads = [
            ((places[0][one],) if one else (), (places[1][other],) if other else ())
            for one, other in sides
        ]
        alignment = Alignment(beads, scores=bitext.alignment.scores)
        over_texts.append(
            replace(bitext, src=src, tgt=tgt, alignment=alignment, notes=(), lines=None)
        )
    return over_texts[0], over_texts[1]


def _plain(segments: Iterable[str]) -> str:
    text = " ".join(" ".join(segments).split())
    return text if text.isascii() else normalize("NFC", text)


def _places(first: Sequence[str], second: Sequence[str]) -> dict[str, int]:
    """Number the different strings of both, those of the second alone after their neighbours."""
    keys: dict[str, tuple[int, int]] = {}
    for text in first:
        if text:
            keys.setdefault(text, (len(keys), 0))
    last = -1
    for k, text in enumerate(second, start=1):
        if text:
            last = keys.setdefault(text, (last, k))[0]
    return {text: k for k, text in enumerate(sorted(keys, key=keys.__getitem__))}


def _add_differences(comparison: Compared, files: tuple[Bitext, Bitext], pair: _Pair) -> None:
    """Add the bisegments that one bitext alone has, in order, and the number of common ones."""
    rows: list[tuple[tuple[int, int, int], Difference]] = []
    differences = changes(*pair.alignments)
    comparison.common += len(files[0].alignment) - sum(len(change.first) for change in differences)
    if not differences:
        return
    starts = [_starts(bitext) for bitext in files]
    for number, change in enumerate(differences):
        kind = "changed" if pair.by_text and change.first and change.second else change.kind
        comparison.changes[kind] = comparison.changes.get(kind, 0) + 1
        for file, beads in enumerate((change.first, change.second)):
            rows += [
                ((starts[file][k], file, k), _difference(files[file], k, "-+"[file], kind, number))
                for k in beads
            ]
    comparison.rows += [row for _, row in sorted(rows, key=itemgetter(0))]


def _starts(bitext: Bitext) -> list[int]:
    """Return the first source segment of each bisegment; without one, of the last one before."""
    src = bitext.alignment.src
    nonempty = src.lengths > 0
    # The place of the last bisegment with a source side, for each bisegment; -1 before the first.
    last = np.maximum.accumulate(np.where(nonempty, np.arange(len(nonempty)), -1))
    first = np.append(src.idx, 0)[src.ptr[:-1]]
    starts: list[int] = np.where(last < 0, 0, first[last]).tolist()
    return starts


def _difference(bitext: Bitext, k: int, file: str, change: str, number: int) -> Difference:
    bead = bitext.alignment[k]
    sides = []
    for text, members in ((bitext.src, bead.src), (bitext.tgt, bead.tgt)):
        segments = None if text is None else [text[m] for m in members]
        sides.append(
            (
                " ".join(map(str, members) if segments is None else (s.id for s in segments)),
                " ".join(s.text or "" for s in segments or ()),
            )
        )
    (src, source), (tgt, target) = sides
    return Difference(file, bitext.name, k, bead.type, src, tgt, source, target, change, number)


@dataclass(kw_only=True)
class DiffTask(CommandTask):
    """Compare two files."""

    by: str | None = None  # as in `compare_group`
    missing: list[Missing] = field(default_factory=list)  # the texts that one corpus lacks
    corpus_notes: list[str] = field(default_factory=list)  # notes on the corpora

    def work(self, item: Group) -> Any:
        """Compare two files; return the differences."""
        return asdict(compare_group(item, by=self.by))

    def whole(self) -> Any:
        """Return the texts that one corpus lacks, and the notes on the corpora."""
        return {"missing": self.missing, "notes": self.corpus_notes}

    def assemble(self, results: Iterable[Result]) -> Compared:
        """Return the differences of all files."""
        compared = Compared()
        for result in results:
            if not result.failed:
                compared.include(Compared.from_state(result.value))
        return compared
