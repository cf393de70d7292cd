"""Changes of an alignment or a segmentation, their checks and inverses, without files.

An alignment in the workbench is three lists of rows: the sentences of the source, those of the
target, and the beads. A `Splice` replaces some rows of one list by others; a change is a sequence
of splices, applied one after another. The inverse of a splice exchanges the rows that it removes
and inserts, so undo and redo need no other code, and all changes (by a person, the aligner, an
import) are made of splices.

Invariants, before and after every change:

- ids of sentences are unique in their text, ids of beads in their alignment;
- every sentence is in a bead, and every sentence of a bead exists; the sentences of a side of a
  bead stand in the order of the text, each once;
- the word links of a bead are between words that its sentences have, each once (`words.py`);
- a bead without any sentence is `proposed`: somebody has inserted it, to fill it;
- the first sentence of a text begins a paragraph;
- sentences keep their characters when they are split, joined or cut elsewhere, except for white
space;
  a correction keeps their ids.

A segmentation is two lists: the units of a text, which are not edited, and the segments. The first
segment begins with the text; each other one with a boundary, which has one type or more; they stand
in the order of the text. Places that are decided one by one are in the segment that says so.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise, zip_longest
from typing import Any, NamedTuple

from bitext.errors import InputError
from bitext.workbench.words import KINDS, WORDS, WordLink, keep_words, moved, words

SIDES = ("source", "target")
LISTS = (*SIDES, "beads")
SEGMENTED = ("source", "segments")
STATES = ("proposed", "confirmed", "doubtful")

# Limits of one row and one change, so that one request cannot fill the disk; set by hand.
_ID_LENGTH = 200  # characters
_TEXT_LENGTH = 1_000_000  # characters of a sentence or a comment
_MAX_MEMBERS = 100_000  # sentences of a side of a bead
_MAX_TYPES = 20  # types of a boundary
_TYPE_LENGTH = 100  # characters of a type


class ChangeRefused(InputError):  # noqa: N818 - the change is at fault, not the program
    """A change that does not fit the state, or would break an invariant of alignments."""


class Sentence(NamedTuple):
    """A sentence of a text."""

    id: str
    text: str
    paragraph: bool = False  # whether it begins a paragraph


class Bead(NamedTuple):
    """A bead of an alignment."""

    id: str
    source: tuple[str, ...]  # the ids of its source sentences, in the order of the text
    target: tuple[str, ...]  # the ids of its target sentences, likewise
    state: str = "proposed"  # one of "proposed", "confirmed", "doubtful"
    probability: float | None = None  # the posterior of the aligner, 0 to 1
    comment: str = ""
    bookmark: bool = False
    words: tuple[WordLink, ...] = ()  # its word links (`words.WordLink`)
    linked: bool = False  # whether somebody has confirmed its word links


class Segment(NamedTuple):
    """A segment of a text, and the boundary that it begins with."""

    id: str
    start: str  # the id of its first unit; it ends where the next segment begins
    # The types of the boundary; none for the first segment, which begins with the text.
    types: tuple[str, ...]
    # Of the boundary, and of there being no other up to the next segment. One of "proposed",
    # "confirmed", "doubtful".
    state: str = "proposed"
    comment: str = ""
    bookmark: bool = False
    # Units before which it is decided whether there is a boundary, though the segment is not
    # confirmed: its first one, whose boundary stays, and others, before which there is none.
    decided: tuple[str, ...] = ()


Row = Sentence | Bead | Segment


class Splice(NamedTuple):
    """Rows of a list that are replaced by others."""

    list: str  # one of "source", "target", "beads", "segments"
    at: int  # the index of the first row to remove, or before which rows are inserted
    remove: tuple[Row, ...]
    insert: tuple[Row, ...]
    # The id of the row before `at`, by which the place is found again when rows before it were
    # changed since; `None` at the beginning of the list.
    after: str | None = None


def inverse(splices: Sequence[Splice]) -> list[Splice]:
    """Return the splices that take back others that were applied one after another.

    Examples
    --------
    >>> old, new = Sentence("s1", "Yse."), Sentence("s1", "Yes.")
    >>> inverse([Splice("source", 0, (old,), (new,))])[0].insert[0].text
    'Yse.'

    """
    return [
        splice._replace(remove=splice.insert, insert=splice.remove) for splice in reversed(splices)
    ]


# Rows and splices as JSON


def splices_of(given: object) -> list[Splice]:
    """Return splices from the JSON of a request or a journal, each value checked.

    Raises `InputError`, which names the splice and its valid form.
    """
    if not isinstance(given, list):
        raise InputError("splices: want a list of splices")
    return [_splice(each, k) for k, each in enumerate(given)]


def rows_of(given: object, name: str) -> list[Any]:
    """Return the rows of a list from JSON, each value checked.

    Raises `InputError`, which names the list and the valid form of a row.
    """
    if not isinstance(given, list):
        raise InputError(f"{name}: want a list of rows")
    kind = name if name in _ROWS else "source"
    return [_row(each, kind, name) for each in given]


def splices_to_json(splices: Iterable[Splice]) -> list[dict[str, Any]]:
    """Return splices as JSON."""
    return [
        {
            "list": splice.list,
            "at": splice.at,
            "remove": [row._asdict() for row in splice.remove],
            "insert": [row._asdict() for row in splice.insert],
            "after": splice.after,
        }
        for splice in splices
    ]


def _splice(value: object, k: int) -> Splice:
    place = f"splice {k}"
    if not isinstance(value, dict) or not {"list", "at", "remove", "insert"} <= value.keys():
        raise InputError(f"{place}: want an object with list, at, remove and insert")
    if not isinstance(value["list"], str) or value["list"] not in _ROWS:
        raise InputError(f"{place}: list is {value['list']!r:.40}: want one of {tuple(_ROWS)}")
    at = value["at"]
    if type(at) is not int or at < 0:
        raise InputError(f"{place}: at is {at!r:.40}: want an index from 0")
    rows = []
    for key in ("remove", "insert"):
        if not isinstance(value[key], list):
            raise InputError(f"{place}: {key} is not a list of rows")
        rows.append(tuple(_row(each, value["list"], f"{place}, {key}") for each in value[key]))
    after = value.get("after")
    if after is not None:
        _string(after, "after", place, longest=_ID_LENGTH)
    return Splice(value["list"], at, rows[0], rows[1], after)


def _row(value: object, name: str, place: str) -> Row:
    """Return a row of the list `name`, each of its fields checked."""
    kind, checks, later = _ROWS[name]
    if later and isinstance(value, dict):
        value = later | value
    if not isinstance(value, dict) or value.keys() != checks.keys():
        raise InputError(f"{place}: want rows with exactly {', '.join(kind._fields)}")
    row: Row = kind(**{key: check(value[key], key, place) for key, check in checks.items()})
    return row


# Checks of a field: of its value, with its name and the place of the row for messages.


def _string(value: object, key: str, place: str, *, longest: int, shortest: int = 0) -> str:
    if not isinstance(value, str) or not shortest <= len(value) <= longest:
        raise InputError(f"{place}: {key} is no string of {shortest} to {longest:,} characters")
    if not value.isascii() and any("\ud800" <= each <= "\udfff" for each in value):
        raise InputError(f"{place}: {key} has half of a surrogate pair: want whole characters")
    return value


_id = partial(_string, longest=_ID_LENGTH, shortest=1)
_text = partial(_string, longest=_TEXT_LENGTH)


def _truth(value: object, key: str, place: str) -> bool:
    if type(value) is not bool:
        raise InputError(f"{place}: {key} is {value!r:.40}: want true or false")
    return value


def _state(value: object, key: str, place: str) -> object:
    if value not in STATES:
        raise InputError(f"{place}: {key} is {value!r:.40}: want one of {STATES}")
    return value


def _probability(value: object, key: str, place: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or type(value) is bool or not 0 <= value <= 1:
        raise InputError(f"{place}: {key} is {value!r:.40}: want 0 to 1, or null")
    return float(value)


def _ids(value: object, key: str, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_MEMBERS:
        raise InputError(f"{place}: {key} is not a list of {_MAX_MEMBERS:,} ids at most")
    return tuple(_id(each, key, place) for each in value)


def _links(value: object, key: str, place: str) -> tuple[WordLink, ...]:
    if not isinstance(value, list) or len(value) > _MAX_MEMBERS:
        raise InputError(f"{place}: {key} is not a list of {_MAX_MEMBERS:,} links at most")
    fault = f"{place}: {key}"
    links: list[WordLink] = []
    for link in value:
        if not isinstance(link, list) or len(link) != 6:
            raise InputError(
                f"{fault}: want [source id, index, target id, index, kind, confidence]"
            )
        for k in (0, 2):
            _id(link[k], key, place)
            if type(link[k + 1]) is not int or link[k + 1] < 0:
                raise InputError(f"{fault}: {link[k + 1]!r:.40}: want an index from 0")
        if link[4] not in KINDS:
            raise InputError(f"{fault}: kind is {link[4]!r:.40}: want one of {KINDS}")
        confidence = link[5]
        if confidence is not None:
            if type(confidence) not in {int, float} or not math.isfinite(confidence):
                raise InputError(
                    f"{fault}: confidence is {confidence!r:.40}: want a number, or null"
                )
            confidence = float(confidence)
        links.append((*link[:5], confidence))
    return tuple(links)


def _types(value: object, key: str, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_TYPES:
        raise InputError(f"{place}: {key} is no list of {_MAX_TYPES} names at most")
    for each in value:
        _string(each, key, place, longest=_TYPE_LENGTH, shortest=1)
        if not each.isprintable() or each != each.strip():
            raise InputError(f"{place}: the type {each!r:.40} is no name of printable characters")
    if len(set(value)) < len(value):
        raise InputError(f"{place}: {key} has a name twice")
    return tuple(value)


_Checks = dict[str, Callable[[object, str, str], Any]]
_SENTENCE: _Checks = {"id": _id, "text": _text, "paragraph": _truth}
_BEAD: _Checks = {
    "id": _id,
    "source": _ids,
    "target": _ids,
    "state": _state,
    "probability": _probability,
    "comment": _text,
    "bookmark": _truth,
    "linked": _truth,
    "words": _links,
}
_SEGMENT: _Checks = {
    "id": _id,
    "start": _id,
    "types": _types,
    "state": _state,
    "comment": _text,
    "bookmark": _truth,
    "decided": _ids,
}
# The class of the rows of each list, the checks of their fields in order, and the values of fields
# that rows of older files lack.
_ROWS: dict[str, tuple[type[Any], _Checks, dict[str, Any]]] = {
    "source": (Sentence, _SENTENCE, {}),
    "target": (Sentence, _SENTENCE, {}),
    "beads": (Bead, _BEAD, {"words": [], "linked": False}),
    "segments": (Segment, _SEGMENT, {"decided": []}),
}


# The state


class RowList:
    """Rows in order (sentences, beads or segments), with the index of each id."""

    __slots__ = ("_index", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: list[Any] = list(rows)
        self._index: dict[str, int] | None = None

    @property
    def index(self) -> Mapping[str, int]:
        """The index of each id, computed when rows have moved."""
        if self._index is None:
            self._index = {row.id: k for k, row in enumerate(self.rows)}
        return self._index

    def replace(self, at: int, remove: Sequence[Row], insert: Sequence[Row]) -> None:
        """Replace the rows `remove`, which stand at `at`, by others."""
        self.rows[at : at + len(remove)] = insert
        if self._index is None:
            return
        if len(remove) == len(insert):
            for row in remove:
                del self._index[row.id]
            self._index.update((row.id, at + k) for k, row in enumerate(insert))
        else:
            self._index = None

    def check_ids(self, name: str) -> None:
        """Refuse an id that stands for two rows.

        Raises `ChangeRefused` naming it, and the list.
        """
        if len(self.index) != len(self.rows):
            counts = Counter(row.id for row in self.rows)
            repeated_id = next(each for each, count in counts.items() if count > 1)
            raise ChangeRefused(f"{name}: the id {repeated_id!r:.60} stands for two rows")

    def __len__(self) -> int:
        return len(self.rows)


class Lists:
    """Lists of rows that splices change; a subclass checks their invariants."""

    lists: dict[str, RowList]

    def apply(self, splices: Sequence[Splice], *, check: bool = True) -> list[Splice]:
        """Apply splices one after another; return them with their places.

        Without `check`, the caller has to check the invariants.

        Raises `ChangeRefused` when a row to remove is not at the place of the splice, or the result
        breaks an invariant of alignments; the state then does not change.
        """
        return self._run(splices, self._apply, check=check)

    def revert(self, splices: Sequence[Splice], *, check: bool = True) -> list[Splice]:
        """Apply splices wherever their rows are now, as `apply` does.

        Raises `ChangeRefused` when a row has been changed since; the state is then as it was
        before.
        """
        return self._run(splices, lambda splice: self._apply(self._located(splice)), check=check)

    def _run(
        self, splices: Sequence[Splice], step: Callable[[Splice], Splice], *, check: bool
    ) -> list[Splice]:
        applied: list[Splice] = []
        try:
            for splice in splices:
                applied.append(step(splice))  # noqa: PERF401 - what was applied is taken back
            if check:
                self.check(applied)
        except ChangeRefused:
            for splice in inverse(applied):
                self._put(splice)
            raise
        return applied

    def _check_text(self, splice: Splice) -> None:
        """Refuse a splice of sentences that is not allowed."""
        raise NotImplementedError

    def _located(self, splice: Splice) -> Splice:
        """Return a splice with its place now, found by the ids of its rows."""
        index = self.lists[splice.list].index
        if splice.remove:
            start = index.get(splice.remove[0].id)
        else:
            previous = -1 if splice.after is None else index.get(splice.after)
            start = None if previous is None else previous + 1
        if start is None:
            raise ChangeRefused(f"{_named(splice)}: changed since")
        return splice._replace(at=start)

    def _apply(self, splice: Splice) -> Splice:
        if splice.list not in self.lists:
            raise ChangeRefused(f"there is no list {splice.list!r} here")
        rows, start = self.lists[splice.list], splice.at
        end = start + len(splice.remove)
        if end > len(rows) or tuple(rows.rows[start:end]) != splice.remove:
            raise ChangeRefused(f"{_named(splice)}: the rows to remove are not at {start}")
        new = [row.id for row in splice.insert]
        if len(set(new)) < len(new):
            raise ChangeRefused(f"{_named(splice)}: two rows with one id")
        gone = {row.id for row in splice.remove}
        present_id = next((each for each in new if each not in gone and each in rows.index), None)
        if present_id is not None:
            raise ChangeRefused(f"{_named(splice)}: there is a row {present_id!r:.60} already")
        if splice.list in SIDES:
            self._check_text(splice)
        complete = splice._replace(after=rows.rows[start - 1].id if start else None)
        self._put(complete)
        return complete

    def _put(self, splice: Splice) -> None:
        self.lists[splice.list].replace(splice.at, splice.remove, splice.insert)

    def check(self, splices: Iterable[Splice]) -> None:
        """Check the rows that applied splices have touched.

        Raises `ChangeRefused` naming the row that is wrong.
        """
        raise NotImplementedError


class State(Lists):
    """An alignment in the workbench: two texts and the beads between them.

    `source` and `target` are the sentences; alignments of one text share its list. `cuts` are the
    ways in which the two texts are cut into words, by the names of `words.CUTS`. Raises
    `ChangeRefused` when the rows break an invariant of alignments.
    """

    def __init__(
        self,
        source: RowList,
        target: RowList,
        beads: RowList,
        cuts: tuple[str, str] = (WORDS, WORDS),
    ) -> None:
        self.lists = {"source": source, "target": target, "beads": beads}
        self.cuts = dict(zip(SIDES, cuts, strict=True))
        # How many beads a sentence is in.
        self.uses: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
        for bead in beads.rows:
            self._count(bead, 1)
        for name in LISTS:
            self.lists[name].check_ids(name)
        touched = {side: set(self.lists[side].index) | set(self.uses[side]) for side in SIDES}
        self._check(touched, set(beads.index))

    def _check_text(self, splice: Splice) -> None:
        _check_text(splice)

    def _put(self, splice: Splice) -> None:
        super()._put(splice)
        for side, old, new in _changed_sides(splice):
            use_counts = self.uses[side]
            for sentence in old:
                use_counts[sentence] -= 1
            for sentence in new:
                use_counts[sentence] += 1

    def _count(self, bead: Any, step: int) -> None:
        for side in SIDES:
            use_counts = self.uses[side]
            for sentence in getattr(bead, side):
                use_counts[sentence] += step

    def check(self, splices: Iterable[Splice]) -> None:
        """Check the rows that applied splices have touched.

        Raises `ChangeRefused` naming the row that is wrong.
        """
        sentences: dict[str, set[str]] = {side: set() for side in SIDES}
        beads: set[str] = set()
        for splice in splices:
            if splice.list == "beads":
                beads.update(row.id for row in splice.insert)
                for side, old, new in _changed_sides(splice):
                    sentences[side].update(old, new)
            else:
                sentences[splice.list].update(row.id for row in (*splice.remove, *splice.insert))
        self._check(sentences, beads)

    def _check(self, sentences: Mapping[str, set[str]], beads: set[str]) -> None:
        for side in SIDES:
            rows, use_counts = self.lists[side], self.uses[side]
            for each in sorted(sentences[side]):
                if each in rows.index and use_counts[each] < 1:
                    raise ChangeRefused(f"{side} sentence {each!r:.60} would be in no bead")
                if each not in rows.index and use_counts[each] > 0:
                    raise ChangeRefused(
                        f"a bead names the {side} sentence {each!r:.60}: no such id"
                    )
            if rows.rows and not rows.rows[0].paragraph:
                raise ChangeRefused(f"the first {side} sentence would begin no paragraph")
        beads_list = self.lists["beads"]
        for each in sorted(beads & beads_list.index.keys()):
            self._check_bead(beads_list.rows[beads_list.index[each]])
        if not any(sentences.values()):
            return
        for bead in beads_list.rows:
            if not bead.words or bead.id in beads:
                continue
            if any(not sentences[side].isdisjoint(getattr(bead, side)) for side in SIDES):
                self._check_words(bead)

    def _check_words(self, bead: Bead) -> None:
        """Refuse word links of words that are not there, or two of the same words."""
        if len({link[:4] for link in bead.words}) < len(bead.words):
            raise ChangeRefused(f"bead {bead.id!r:.60}: two word links of the same words")
        sides = [link[:2] for link in bead.words], [link[2:4] for link in bead.words]
        for side, places in zip(SIDES, sides, strict=True):
            last: dict[str, int] = {}
            for name, k in places:
                last[name] = max(k, last.get(name, 0))
            index, members = self.lists[side].index, getattr(bead, side)
            for each, last_index in last.items():
                if each not in members:
                    raise ChangeRefused(
                        f"bead {bead.id!r:.60}: a word link names the {side} sentence "
                        f"{each!r:.60}, which is not in it"
                    )
                row = self.lists[side].rows[index[each]]
                if last_index >= len(words(row.text, self.cuts[side])):
                    raise ChangeRefused(
                        f"bead {bead.id!r:.60}: a word link names word {last_index} of the {side} "
                        f"sentence {each!r:.60}, which has fewer"
                    )

    def _check_bead(self, bead: Bead) -> None:
        if bead.state not in STATES:  # as another program may have left it
            raise ChangeRefused(f"bead {bead.id!r:.60}: its state is {bead.state!r:.40}")
        for side in SIDES:
            index = self.lists[side].index
            places = [index[each] for each in getattr(bead, side)]
            if any(a >= b for a, b in pairwise(places)):
                raise ChangeRefused(
                    f"bead {bead.id!r:.60}: its {side} sentences are not in the order of the text, "
                    f"each once"
                )
        if not (bead.source or bead.target) and bead.state != "proposed":
            raise ChangeRefused(f"bead {bead.id!r:.60} is empty and {bead.state}: want 'proposed'")
        if bead.words:
            self._check_words(bead)


class Segments(Lists):
    """A segmentation at work: the units of a text, and the segments.

    Raises `ChangeRefused` when the rows break an invariant of segmentations.
    """

    def __init__(self, source: RowList, segments: RowList) -> None:
        self.lists = {"source": source, "segments": segments}
        for name in SEGMENTED:
            self.lists[name].check_ids(name)
        self._check(range(len(segments)))

    def _check_text(self, splice: Splice) -> None:
        raise ChangeRefused(f"{_named(splice)}: the units of a segmentation are not edited")

    def check(self, splices: Iterable[Splice]) -> None:
        """Check the rows that applied splices have touched.

        Raises `ChangeRefused` naming the segment that is wrong.
        """
        index = self.lists["segments"].index
        new = {row.id for splice in splices for row in splice.insert}
        self._check({0, *(index[each] for each in new if each in index)})

    def _check(self, places: Iterable[int]) -> None:
        units, rows = self.lists["source"].index, self.lists["segments"].rows
        if not rows:
            raise ChangeRefused("the text would have no segment")
        touched = sorted(places)
        for row in (rows[k] for k in touched):
            if row.start not in units:
                raise ChangeRefused(
                    f"segment {row.id!r:.60} names the unit {row.start!r:.60}: no such id"
                )
        for k in touched:
            row = rows[k]
            if row.state not in STATES:
                raise ChangeRefused(f"segment {row.id!r:.60}: its state is {row.state!r:.40}")
            if k == 0 and (units[row.start] or row.types):
                raise ChangeRefused("the first segment begins with the text, without a type")
            if k and not row.types:
                raise ChangeRefused(f"the boundary of segment {row.id!r:.60} would have no type")
            neighbours = [units[each.start] for each in rows[max(k - 1, 0) : k + 2]]
            if any(a >= b for a, b in pairwise(neighbours)):
                raise ChangeRefused(
                    f"segment {row.id!r:.60}: two boundaries at one place, or out of order"
                )
        for k in sorted({max(0, k_near) for place in touched for k_near in (place - 1, place)}):
            self._check_decided(k)

    def _check_decided(self, k: int) -> None:
        """Refuse places that are decided, and are not in the segment, each once."""
        units, rows = self.lists["source"].index, self.lists["segments"].rows
        decided = rows[k].decided
        if not decided:
            return
        end = units[rows[k + 1].start] if k + 1 < len(rows) else len(units)
        places = [units.get(each, -1) for each in decided]
        if any(a >= b for a, b in pairwise([max(units[rows[k].start], 1) - 1, *places, end])):
            raise ChangeRefused(
                f"segment {rows[k].id!r:.60}: the places that are decided are not in it, in the "
                f"order of the text, each once"
            )


def _changed_sides(splice: Splice) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield the sides by which beads differ from those in their place: the old and the new ids.

    A shift of one side replaces all beads, and leaves the other side as it is.
    """
    if splice.list != "beads":
        return
    for old, new in zip_longest(splice.remove, splice.insert):
        for side in SIDES:
            old_ids: tuple[str, ...] = getattr(old, side, ())
            new_ids: tuple[str, ...] = getattr(new, side, ())
            if old_ids != new_ids:
                yield side, old_ids, new_ids


def _named(splice: Splice) -> str:
    rows = splice.remove or splice.insert
    return f"{splice.list} {rows[0].id!r:.60}" if rows else splice.list


def _check_text(splice: Splice) -> None:
    """Refuse a splice of sentences that loses characters, or exchanges sentences."""
    if not splice.remove or not splice.insert:
        raise ChangeRefused(f"{_named(splice)}: sentences are replaced, not removed or added")
    old, new = ([row.id for row in rows] for rows in (splice.remove, splice.insert))
    if old == new:
        return
    old_text, new_text = (
        "".join("".join(row.text.split()) for row in rows)  # type: ignore[union-attr]
        for rows in (splice.remove, splice.insert)
    )
    if old_text != new_text:
        raise ChangeRefused(
            f"{_named(splice)}: the characters change, and the ids too: correct a sentence under "
            f"its id, or split and join sentences as they are"
        )
    stay = set(old) & set(new)
    if [each for each in old if each in stay] != [each for each in new if each in stay]:
        raise ChangeRefused(f"{_named(splice)}: sentences change their order")


# Changes of a text in the other alignments that share it


def carried(splices: Iterable[Splice], side: str, state: State) -> list[Splice]:
    """Return the splices of beads by which an alignment follows changes of a shared text.

    A bead keeps the sentences whose ids stay, and gets the new sentences with characters of its old
    ones. Beads that would overlap after a join of sentences become one, which is `proposed`. Word
    links follow their words.

    The `splices` are already applied to the text, which is the `side` of the alignment; the beads
    of `state` are as they were before. The list of a splice is not examined.
    """
    rows = state.lists["beads"].rows
    splices = list(splices)
    removed = {row.id for splice in splices for row in splice.remove}
    members = ((k, getattr(bead, side)) for k, bead in enumerate(rows))
    # The beads with removed sentences; each group has its sentences, and the beads that become one.
    groups = {
        k: (set(rows_of_beads), [k])
        for k, rows_of_beads in members
        if not removed.isdisjoint(rows_of_beads)
    }
    for splice in splices:
        successors = _successors(splice)
        if any(new != {old} for old, new in successors.items()):
            _hand_over(groups, successors)
    moves = {side: moved((each._replace(list=side) for each in splices), side, state.cuts[side])}
    replacements: list[tuple[int, tuple[Row, ...]]] = []
    for sentences, beads in groups.values():
        rows_of_beads = [rows[k] for k in beads]
        is_same = len(beads) == 1 and sentences == set(getattr(rows_of_beads[0], side))
        if is_same and (
            not rows_of_beads[0].words
            or keep_words(rows_of_beads, rows_of_beads, moves) == rows_of_beads
        ):
            continue
        (new,) = keep_words(rows_of_beads, [_joined(rows_of_beads, side, sentences, state)], moves)
        # The new bead takes the place of the first one; the others of the group are removed.
        replacements += [
            (k, (new,) if k == beads[0] and (new.source or new.target) else ()) for k in beads
        ]
    # From the last to the first, so that the places of the others stay as they are.
    return [
        Splice("beads", k, (rows[k],), insert, rows[k - 1].id if k else None)
        for k, insert in sorted(replacements, reverse=True, key=lambda each: each[0])
    ]


def _hand_over(
    groups: dict[int, tuple[set[str], list[int]]], successors: dict[str, set[str]]
) -> None:
    """Exchange sentences for their heirs; join the groups of beads that then share a sentence."""
    counts = Counter(new for each in successors.values() for new in each)
    shared = {new for new, count in counts.items() if count > 1}
    owner: dict[str, int] = {}  # the group of a sentence that is made of several
    for k in [k for k, (members, _) in groups.items() if not members.isdisjoint(successors)]:
        members, beads = groups.pop(k)
        new_members = members - successors.keys()
        new_members |= {new for old in members & successors.keys() for new in successors[old]}
        for other in sorted({owner[each] for each in new_members & shared if each in owner}):
            other_members, other_beads = groups.pop(other)
            new_members, beads = new_members | other_members, sorted(beads + other_beads)
        groups[beads[0]] = new_members, beads
        owner.update(dict.fromkeys(new_members & shared, beads[0]))


def _joined(beads: Sequence[Bead], side: str, members: set[str], state: State) -> Bead:
    """Return beads as one with these sentences on a side."""
    sides = []
    for each in SIDES:
        sentences = (
            members if each == side else {one for bead in beads for one in getattr(bead, each)}
        )
        index = state.lists[each].index  # without those of the other side that are still to follow
        sides.append(tuple(sorted(sentences, key=lambda one, index=index: index.get(one, -1))))
    source, target = sides
    if len(beads) == 1:
        first_bead = beads[0]
        return (
            first_bead._replace(source=source)
            if side == "source"
            else first_bead._replace(target=target)
        )
    comments = "\n".join(bead.comment for bead in beads if bead.comment)
    is_bookmarked = any(bead.bookmark for bead in beads)
    return Bead(beads[0].id, source, target, comment=comments, bookmark=is_bookmarked)


def _successors(splice: Splice) -> dict[str, set[str]]:
    """Return for each sentence that a splice removes the sentences that take its place."""
    old, new = splice.remove, splice.insert
    stay = {row.id for row in old} & {row.id for row in new}
    successors = {row.id: {row.id} & stay for row in old}
    if len(stay) == len(old) == len(new):
        return successors
    ends, begin = _ends(old), 0
    for row, end in zip(new, _ends(new), strict=True):
        first = bisect_right(ends, begin)
        last = max(first, bisect_left(ends, end)) + 1
        # An empty sentence at the end belongs to the last one.
        for source in old[first:last] or old[-1:]:
            if row.id not in stay or source.id not in stay:
                successors[source.id].add(row.id)
        begin = end
    return successors


def _ends(rows: Iterable[Row]) -> list[int]:
    """Return the end of each sentence on the line of all, white space left out."""
    sizes = (len("".join(row.text.split())) for row in rows)  # type: ignore[union-attr]
    return list(accumulate(sizes))
