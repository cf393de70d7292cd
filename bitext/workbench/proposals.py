"""Realignment: unconfirmed beads are proposed again, between the confirmed ones.

The aligner works in a process of its own, which is killed to cancel it. It searches one path
through the stretches of beads and the sentences around them. This path goes through all confirmed
beads, from which lengths, bead types and words are learned, too. A stretch whose links cross those
of other beads is on no such path: it is a separate text pair, and so are the sentences around it.
The result is an ordinary change: it replaces the stretches that have not changed since the work
began.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import BitextError, InputError
from bitext.jobs.task import Processes, WorkerLost
from bitext.kernels.arrays import Singles
from bitext.model import Text
from bitext.workbench.changes import SIDES, Bead, ChangeRefused, Splice
from bitext.workbench.words import WordLink, keep_words, words

if TYPE_CHECKING:
    from bitext.align.sentences.hard_boundaries import HardBoundaries
    from bitext.kernels.bead_path import Band
    from bitext.workbench.project import Project
    from bitext.workbench.schema import Entry

# Beads before and after the stretches that are learned from: bounds time. In a text of 5,000
# sentences 21 beads take 1.4 CPU seconds with 1,000, and 2.9 with 2,000 and the same F; with 500,
# F is .015 lower (mean of twelve stretches of the Bible in English and Chinese).
_AROUND_BEADS = 1_000
_REWARD = 30.0  # natural logarithm: score of a confirmed bead, above that of its parts
_MAX_TRIES = 5  # to enter the result between two changes of a person

# Of a stretch: the indices of the sentences of each bead, and its probability.
TextPair = tuple[Sequence[str], Sequence[str]]
Proposal = list[tuple[list[int], list[int], float]]
# A part of both texts: its first source and target sentence, and those after its last.
Box = tuple[int, int, int, int]


class Course(NamedTuple):
    """Texts through which one path is searched."""

    source: list[str]  # the source sentences
    target: list[str]  # the target sentences
    confirmed: list[Box]  # the parts that are confirmed beads
    # The parts in which beads are proposed; None for a stretch whose links cross others.
    stretches: list[Box | None]


class Stretch(NamedTuple):
    """Beads in a row that are to be proposed again."""

    beads: tuple[Bead, ...]
    # `source`, `target`: the ids of their sentences, in the order of the texts, without those of
    # confirmed beads.
    source: list[str]
    target: list[str]


def stretches_between(
    lists: Mapping[str, Sequence[Any]], first: str | None = None, last: str | None = None
) -> list[Stretch]:
    """Return the stretches of unconfirmed beads from one bead to another, both included.

    `lists` are the rows of an alignment; `first` and `last` are ids of beads, by default the first
    and the last of all. Raises `InputError` when there is no bead of an id, or `last` stands before
    `first`.
    """
    beads: Sequence[Bead] = lists["beads"]
    index = {bead.id: k for k, bead in enumerate(beads)}
    for each in (first, last):
        if each is not None and each not in index:
            raise InputError(f"there is no bead {each!r:.60}")
    begin = 0 if first is None else index[first]
    end = len(beads) if last is None else index[last] + 1
    if begin >= end and beads:
        raise InputError(f"bead {last!r:.60} stands before bead {first!r:.60}")
    places = [{row.id: k for k, row in enumerate(lists[side])} for side in SIDES]
    sentences_of_stretches: list[set[str]] = [set(), set()]
    for bead in beads:
        if bead.state == "confirmed":
            for sentences_taken, side in zip(sentences_of_stretches, SIDES, strict=True):
                sentences_taken.update(getattr(bead, side))
    stretches, run = [], []
    for k in range(begin, end + 1):
        if k < end and beads[k].state != "confirmed":
            run.append(beads[k])
            continue
        if run:
            sides = []
            for sentences_taken, side, place in zip(
                sentences_of_stretches, SIDES, places, strict=True
            ):
                members = {each for bead in run for each in getattr(bead, side)} - sentences_taken
                sentences_taken |= members  # a sentence of two stretches belongs to the first
                sides.append(sorted(members, key=place.__getitem__))
            if any(sides):
                stretches.append(Stretch(tuple(run), *sides))
        run = []
    return stretches


def course_of(
    lists: Mapping[str, Sequence[Any]], stretches: Sequence[Stretch], around: int = _AROUND_BEADS
) -> Course | None:
    """Return the texts through which one path is searched, and the confirmed beads on it.

    `lists` are the rows of an alignment, and `stretches` are as `stretches_between` returns them.
    At least `around` beads before and after the stretches belong to the course. Return `None` if no
    stretch has all its sentences between those of the beads before and after, or a sentence has no
    text.
    """
    beads: Sequence[Bead] = [bead for bead in lists["beads"] if bead.source or bead.target]
    index = {bead.id: k for k, bead in enumerate(beads)}
    borders = _borders(lists, beads)
    runs = []
    for stretch in stretches:
        bead_indices = [index[bead.id] for bead in stretch.beads if bead.id in index]
        runs.append((bead_indices[0], bead_indices[-1] + 1))
    if all(borders[start] is None or borders[stop] is None for start, stop in runs):
        return None
    # The course begins and ends where no bead crosses its border.
    first, last = max(0, runs[0][0] - around), min(len(beads), runs[-1][1] + around)
    while borders[first] is None:
        first -= 1
    while borders[last] is None:
        last += 1
    begin, end = borders[first] or (0, 0), borders[last] or (0, 0)

    # Boxes count from the first sentences of the course.
    def box(one: int, other: int) -> Box | None:
        first_border, last_border = borders[one], borders[other]
        if first_border is None or last_border is None:
            return None
        offsets = [
            place - start
            for place, start in zip((*first_border, *last_border), (*begin, *begin), strict=True)
        ]
        return offsets[0], offsets[1], offsets[2], offsets[3]

    confirmed = [box(k, k + 1) for k in range(first, last) if beads[k].state == "confirmed"]
    texts = [[row.text for row in lists[side][begin[n] : end[n]]] for n, side in enumerate(SIDES)]
    if not all(text.strip() for sentences in texts for text in sentences):
        return None
    return Course(
        texts[0],
        texts[1],
        [each for each in confirmed if each is not None],
        [box(*run) for run in runs],
    )


def _borders(
    lists: Mapping[str, Sequence[Any]], beads: Sequence[Bead]
) -> list[tuple[int, int] | None]:
    """Count the sentences before each bead and before the end; None if links cross.

    No sentence of a bead before such a border comes after a sentence of one after it.
    """
    sides = []
    for side in SIDES:
        places = {row.id: k for k, row in enumerate(lists[side])}
        places_of_beads = [[places[each] for each in getattr(bead, side)] for bead in beads]
        firsts, lasts = [0], [len(places)]
        for bead_places in places_of_beads:
            firsts.append(max(firsts[-1], max(bead_places, default=-1) + 1))
        for bead_places in reversed(places_of_beads):
            lasts.append(min(lasts[-1], min(bead_places, default=len(places))))
        lasts.reverse()
        sides.append(
            [one if one <= other else None for one, other in zip(firsts, lasts, strict=True)]
        )
    return [
        None if one is None or other is None else (one, other)
        for one, other in zip(*sides, strict=True)
    ]


def realign(
    pairs: Sequence[TextPair],
    around: TextPair = ((), ()),
    languages: tuple[str, str] = ("", ""),
    course: Course | None = None,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> list[Proposal]:
    """Align pairs of texts, and learn from the text around them, too.

    A pair has the sentences of the two sides of a stretch; `around` has other sentences of the two
    texts. `course` is of the same texts with the confirmed beads; stretches that are none of its
    parts are text pairs. `progress` is called with the work done, and the work there is.

    Returns for each pair its beads, with their probabilities.

    Notes
    -----
    F of the beads that are not confirmed, in twelve texts of five gold standards, with one path
    through all confirmed beads: .931 where the first half is confirmed, .927 where each second run
    of ten beads is, .931 where each tenth bead is (scripts/bench/workbench_realign.py). Text pairs
    of their own give .924, .925 and .928, and the proposals before any confirmation have .915,
    .917 and .928. A lexicon that is learned first from confirmed beads, and a text pair for
    each of these, gave less than text pairs.

    """
    if course is not None and (along := _along(course, languages, progress)) is not None:
        rest = [k for k, box in enumerate(course.stretches) if box is None]
        for k, proposal in zip(
            rest, realign([pairs[k] for k in rest], around, languages), strict=True
        ):
            along[k] = proposal
        return along
    from bitext.align.sentences import align_corpus

    nonempty = [k for k, pair in enumerate(pairs) if all(map(any, pair))]
    proposals: list[Proposal] = [_alone(pair) for pair in pairs]
    if not nonempty:
        return proposals
    corpus = [pairs[k] for k in nonempty]
    if all(map(any, around)):
        corpus.append(around)
    texts = [
        tuple(
            Text(list(sentences), lang=lang)
            for sentences, lang in zip(pair, languages, strict=True)
        )
        for pair in corpus
    ]
    aligned = align_corpus([(src, tgt) for src, tgt in texts], progress=progress)
    for k, alignment in zip(nonempty, aligned, strict=False):  # without that of the text around
        scores = alignment.scores
        probabilities = [0.0] * len(alignment) if scores is None else scores.tolist()
        proposals[k] = [
            (list(bead.src), list(bead.tgt), min(1.0, max(0.0, float(each))))
            for bead, each in zip(alignment, probabilities, strict=True)
        ]
    return proposals


class _ConfirmedBeads:
    """Evidence of confirmed beads: no bead crosses their borders, and they are not divided."""

    def __init__(
        self, beads: Sequence[tuple[int, int]], course: Course, boundaries: HardBoundaries
    ) -> None:
        self.beads, self._boundaries = list(beads), boundaries
        self._ends: dict[int, list[tuple[int, int]]] = {}
        kinds = {bead: number for number, bead in enumerate(self.beads)}
        for row, column, end, last in course.confirmed:
            kind = kinds.get((end - row, last - column))
            if kind is not None:
                self._ends.setdefault(end, []).append((kind, last))

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of some rows of a band."""
        shape = len(self.beads), last - first, band.width
        out = self._boundaries.block(self.beads, first, last, band)
        out = np.array(np.broadcast_to(out, shape), dtype=np.float32)
        for row in range(first, last):
            for kind, column in self._ends.get(row, ()):
                column_in_band = column - int(band.lo[row])
                if 0 <= column_in_band < band.width:
                    out[kind, row - first, column_in_band] += _REWARD
        return out


def _along(
    course: Course, languages: tuple[str, str], progress: Callable[[int, int], object] | None
) -> list[Proposal] | None:
    """Search one path; None if it does not go through all borders."""
    from bitext.align.sentences import aligner_of, alignment_of
    from bitext.align.sentences.hard_boundaries import HardBoundaries
    from bitext.align.sentences.options import choose_options

    src, tgt = (
        Text(sentences, lang=lang) for sentences, lang in zip(course[:2], languages, strict=True)
    )
    borders = {(0, 0), (len(src), len(tgt))}
    parts = {k: box for k, box in enumerate(course.stretches) if box is not None}
    for row, column, end, last in (*course.confirmed, *parts.values()):
        borders |= {(row, column), (end, last)}
    rows, columns = np.array(sorted(borders)).T
    options = choose_options(None, {}).for_texts([(src, tgt)])
    evidence = [_ConfirmedBeads(options.kinds, course, HardBoundaries(rows, columns))]
    aligner = aligner_of([(src, tgt)], options=options, more=lambda _: evidence)
    aligner.run(progress=progress)
    (path,) = aligner.paths
    # A corridor that was chosen before the borders were known may pass them by.
    if not borders <= {(0, 0), *zip(path.row.tolist(), path.column.tolist(), strict=True)}:
        return None
    proposals: list[Proposal] = [[] for _ in course.stretches]
    alignment = alignment_of(aligner, 0)
    scores = np.ones(len(alignment)) if alignment.scores is None else alignment.scores
    beads = list(zip(alignment, scores.tolist(), path.row, path.column, strict=True))
    path_index = 0
    order = sorted(parts, key=parts.__getitem__)
    for number in order:
        row, column, end, last = parts[number]
        while (int(beads[path_index][2]), int(beads[path_index][3])) <= (row, column):
            path_index += 1
        while (
            path_index < len(beads) and beads[path_index][2] <= end and beads[path_index][3] <= last
        ):
            bead, score, *_ = beads[path_index]
            sides = [k - row for k in bead.src], [k - column for k in bead.tgt]
            proposals[number].append((*sides, min(1.0, max(0.0, float(score)))))
            path_index += 1
    return proposals


def _alone(pair: TextPair) -> Proposal:
    """Return a bead for each sentence."""
    source: Proposal = [([k], [], 1.0) for k in range(len(pair[0]))]
    return source + [([], [k], 1.0) for k in range(len(pair[1]))]


def splices_for(
    lists: Mapping[str, Sequence[Any]],
    stretches: Sequence[Stretch],
    proposals: Sequence[Proposal],
    prefix: str,
) -> list[Splice]:
    """Return the splices that replace unchanged stretches by proposals.

    Beads with the same sentences stay, with another probability; comments and bookmarks of others
    go to the bead that has their first sentence. `lists` are the rows of the alignment, as they are
    now; `proposals` are as `realign` returns them. The ids of new beads begin with `prefix`.
    """
    beads = list(lists["beads"])
    ids_of_list = {name: {row.id for row in rows} for name, rows in lists.items()}
    splices: list[Splice] = []
    number = 0
    for stretch, proposal in zip(stretches, proposals, strict=True):
        start = next(
            (k for k, bead in enumerate(beads) if bead.id == stretch.beads[0].id), len(beads)
        )
        end = start + len(stretch.beads)
        # What others changed in the meantime is left as they have it.
        if tuple(beads[start:end]) != stretch.beads:
            continue
        if not (
            set(stretch.source) <= ids_of_list["source"]
            and set(stretch.target) <= ids_of_list["target"]
        ):
            continue
        old = {(bead.source, bead.target): bead for bead in stretch.beads}
        new = []
        for src, tgt, probability in proposal:
            sides = tuple(stretch.source[k] for k in src), tuple(stretch.target[k] for k in tgt)
            old_bead = old.pop(sides, None)
            number += 1
            bead_kept = Bead(f"{prefix}.{number}", *sides) if old_bead is None else old_bead
            new.append(bead_kept._replace(probability=probability))
        _keep_remarks(old.values(), new)
        new = keep_words(stretch.beads, new)
        if tuple(new) != stretch.beads:
            splices.append(Splice("beads", start, stretch.beads, tuple(new)))
            beads[start:end] = new
    return splices


def _keep_remarks(old: Any, new: list[Bead]) -> None:
    """Move comments and bookmarks of beads that go to the beads that have their sentences."""
    for bead in old:
        if not (bead.comment or bead.bookmark):
            continue
        for k, each in enumerate(new):
            if set(bead.source) & set(each.source) or set(bead.target) & set(each.target):
                comment = "\n".join(filter(None, (each.comment, bead.comment)))
                new[k] = each._replace(comment=comment, bookmark=each.bookmark or bead.bookmark)
                break


# The work in a process of its own


class Work:
    """Background work of an aligner, whose result is a change of an alignment.

    A subclass gives the request to the aligner, and turns the answer into splices. `request` is a
    function of a module, and its arguments; it is called with `progress`, too; `None`: there is
    nothing to do. `annotator` asks for it, and `holder` has the lock of the alignment `number`.

    `tell` is called with `done`, `total`, the state (`running`, `done`, `cancelled`, `failed`) and
    an error or an empty string, whenever one of them changes; from a thread.
    """

    name = ""  # of the change, in the journal

    def __init__(
        self,
        project: Project,
        number: int,
        request: tuple[Callable[..., list[Any]], tuple[Any, ...]] | None,
        *,
        annotator: str,
        holder: str | None,
        tell: Callable[[int, int, str, str], object],
    ) -> None:
        self._project, self._number = project, number
        self._annotator, self._holder = annotator, holder
        self._tell = tell
        self._cancelled = threading.Event()
        self._process: Processes | None = None
        self._lock = threading.Lock()
        self.entry: Entry | None = None
        self.request = request
        self._thread = threading.Thread(target=self._run, daemon=True, name=self.name)

    def splices(
        self, lists: Mapping[str, Sequence[Any]], answer: list[Any], version: int
    ) -> list[Splice]:
        """Return the splices of the answer in the current rows of an alignment, at a version."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin the work."""
        self._thread.start()

    def cancel(self) -> None:
        """End the work at once; nothing is changed."""
        self._cancelled.set()
        with self._lock:
            if self._process is not None:
                self._process.kill(at_once=True)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; return whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        state, error = "done", ""
        try:
            self._tell(0, 1, "running", "")
            self._enter([] if self.request is None else self._answer(*self.request))
        except _Cancelled:
            state = "cancelled"
        except (BitextError, OSError) as failure:
            state, error = "failed", str(failure)
        except Exception:
            self._tell(0, 1, "failed", "a bug of bitext: its traceback is in the terminal")
            raise
        self._tell(1, 1, state, error)

    def _answer(self, function: Callable[..., list[Any]], arguments: tuple[Any, ...]) -> list[Any]:
        def on_begun(progress: tuple[int, int]) -> None:
            self._tell(*progress, "running", "")

        with self._lock:
            if self._cancelled.is_set():
                raise _Cancelled
            self._process = Processes(1)
            answer = self._process.submit_batch(_call, function, arguments, on_begun=on_begun)
        try:
            return list(answer.result())
        except (WorkerLost, CancelledError):
            if self._cancelled.is_set():
                raise _Cancelled from None
            raise InputError("the aligner ended without a result: is there memory?") from None
        finally:
            self._process.kill(at_once=True)

    def _enter(self, answer: list[Any]) -> None:
        for last in range(_MAX_TRIES - 1, -1, -1):
            if self._cancelled.is_set():
                raise _Cancelled
            info, lists = self._project.rows(self._number)
            splices = self.splices(lists, answer, info.version)
            if not splices:
                return
            try:
                self.entry = self._project.change(
                    self._number,
                    splices,
                    name=self.name,
                    version=info.version,
                    annotator=self._annotator,
                    holder=self._holder,
                )
            except ChangeRefused:
                if not last:
                    raise
            else:
                return


class Realignment(Work):
    """A realignment in the background, from the bead `first` to `last`, both included.

    Other options are those of `Work`.
    """

    name = "realign"

    def __init__(
        self, project: Project, number: int, first: str | None, last: str | None, **options: Any
    ) -> None:
        info, lists = project.rows(number)
        self._stretches = stretches_between(lists, first, last)
        languages = tuple(project.text_of(text)[1] for text in (info.source, info.target))
        request = None
        if self._stretches:
            corridor = course_of(lists, self._stretches)
            request = realign, (self._pairs(lists), self._around(lists), languages, corridor)
        super().__init__(project, number, request, **options)

    def splices(
        self, lists: Mapping[str, Sequence[Any]], answer: list[Any], version: int
    ) -> list[Splice]:
        """Return the splices that put proposals in the place of the stretches."""
        return splices_for(lists, self._stretches, answer, f"r{version + 1}")

    def _pairs(self, lists: Mapping[str, Sequence[Any]]) -> list[TextPair]:
        content = [{row.id: row.text for row in lists[side]} for side in SIDES]
        return [
            ([content[0][each] for each in one.source], [content[1][each] for each in one.target])
            for one in self._stretches
        ]

    def _around(self, lists: Mapping[str, Sequence[Any]]) -> TextPair:
        """Return the sentences of the beads around the stretches."""
        stretch_bead_ids = {bead.id for one in self._stretches for bead in one.beads}
        beads = lists["beads"]
        indices = [k for k, bead in enumerate(beads) if bead.id in stretch_bead_ids] or [0]
        near_beads = beads[max(0, indices[0] - _AROUND_BEADS) : indices[-1] + _AROUND_BEADS]
        sides = []
        for side, place in zip(SIDES, (0, 1), strict=True):
            stretch_sentences = {each for one in self._stretches for each in one[1 + place]}
            near_sentences = {
                one
                for bead in near_beads
                if bead.id not in stretch_bead_ids
                for one in getattr(bead, side)
            }
            around_sentences = near_sentences - stretch_sentences
            sides.append([row.text for row in lists[side] if row.id in around_sentences])
        return sides[0], sides[1]


class _Cancelled(Exception):  # noqa: N818 - an event
    """The work was cancelled."""


def _call(
    function: Callable[..., Any], arguments: tuple[Any, ...], *, began: Callable[[Any], object]
) -> Any:
    """Call a function in a worker, and report its progress as the beginning of work."""
    return function(*arguments, progress=lambda done, total: began((done, total)))


# Proposals of word links: those of `bitext link`, learned over all beads of a document.
#
# The work is done like a realignment: in a process of its own, which is killed to cancel it, with a
# change as its end. Links that somebody has made or confirmed stay, and no other is proposed of
# their words; so do beads whose word links are confirmed, and those that were edited meanwhile.


# Of the words of a bead: source word, target word, and the score of their link.
LinkProposal = list[tuple[int, int, float]]
_DIGITS = 4  # of a score that is kept


def link(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    *,
    progress: Callable[[int, int], object] | None = None,
) -> list[LinkProposal]:
    """Link the words of beads, and learn from all of them.

    `source` and `target` are the words of both sides of each bead. `progress` is called with the
    work done, and the work there is. Return the links of each bead, with their scores.
    """
    from bitext.align.links import link_words

    if progress is not None:
        progress(0, 1)
    if not source:
        return []
    proposals = []
    for pair in link_words(source, target):
        scores = [1.0] * len(pair.src) if pair.confidences is None else pair.confidences.tolist()
        places = zip(pair.src.tolist(), pair.tgt.tolist(), scores, strict=True)
        proposals.append([(i, j, round(score, _DIGITS)) for i, j, score in places])
    return proposals


class _Side(NamedTuple):
    """The words of a side of a bead: the sentence and the index of each, and its characters."""

    places: list[tuple[str, int]]
    words: list[str]


def _side(rows: Mapping[str, str], members: Sequence[str], cut: str) -> _Side:
    words_of_sentence = [(each, words(rows[each], cut)) for each in members]
    places = [
        (each, k) for each, sentence_words in words_of_sentence for k in range(len(sentence_words))
    ]
    return _Side(
        places, [word for _, sentence_words in words_of_sentence for word in sentence_words]
    )


class WordLinking(Work):
    """Word links that are proposed in the background; options of `Work`."""

    name = "propose word links"

    def __init__(self, project: Project, number: int, **options: Any) -> None:
        info, lists = project.rows(number)
        cuts = [project.cut_of(text) for text in (info.source, info.target)]
        rows = [{row.id: row.text for row in lists[side]} for side in SIDES]
        self._beads: list[Bead] = [bead for bead in lists["beads"] if bead.source and bead.target]
        self._texts = rows
        sides = [
            [_side(texts, getattr(bead, name), cut) for bead in self._beads]
            for texts, name, cut in zip(rows, SIDES, cuts, strict=True)
        ]
        self._places = [[each.places for each in bead_sides] for bead_sides in sides]
        side_words = tuple([each.words for each in bead_sides] for bead_sides in sides)
        super().__init__(project, number, (link, side_words) if self._beads else None, **options)

    def splices(
        self, lists: Mapping[str, Sequence[Any]], answer: list[Any], version: int
    ) -> list[Splice]:
        """Return the splices that put proposals into beads that are as they were."""
        del version
        index = {bead.id: k for k, bead in enumerate(lists["beads"])}
        now = [{row.id: row.text for row in lists[side]} for side in SIDES]
        changed: list[tuple[int, Bead, Bead]] = []
        for k, (bead, proposal) in enumerate(zip(self._beads, answer, strict=False)):
            bead_index = index.get(bead.id)
            if (
                bead.linked
                or bead_index is None
                or lists["beads"][bead_index] != bead
                or _is_begun(bead)
            ):
                continue
            if any(
                texts.get(each) != old_texts[each]
                for texts, old_texts, side in zip(now, self._texts, SIDES, strict=True)
                for each in getattr(bead, side)
            ):
                continue
            sources, targets = self._places[0][k], self._places[1][k]
            links = _proposed(bead, [(sources[i], targets[j], s) for i, j, s in proposal])
            if links != bead.words:
                changed.append((bead_index, bead, bead._replace(words=links)))
        return _splices(changed)


def _is_begun(bead: Bead) -> bool:
    """Check whether a person is choosing among the annotators' links in a bead.

    Undecided pairs of words are proposed links without a confidence, which links of the aligner
    always have. Only they show that others have been decided against.
    """
    return any(link[4] == "proposed" and link[5] is None for link in bead.words)


def _splices(changed: list[tuple[int, Bead, Bead]]) -> list[Splice]:
    """Return the splices of beads that change: one for beads that stand in a row."""
    changed.sort(key=lambda each: each[0])
    splices = []
    begin = 0
    for k in range(1, len(changed) + 1):
        if k == len(changed) or changed[k][0] != changed[k - 1][0] + 1:
            run = changed[begin:k]
            old, new = tuple(each[1] for each in run), tuple(each[2] for each in run)
            splices.append(Splice("beads", run[0][0], old, new))
            begin = k
    return splices


def _proposed(bead: Bead, proposal: Sequence[Any]) -> tuple[WordLink, ...]:
    """Return the links of a bead with those of a proposal in the place of those before."""
    decided_links = [each for each in bead.words if each[4] != "proposed"]
    decided_words = [{each[:2] for each in decided_links}, {each[2:4] for each in decided_links}]
    new: list[WordLink] = [
        (*source, *target, "proposed", score)
        for source, target, score in proposal
        if source not in decided_words[0] and target not in decided_words[1]
    ]
    order = [{each: k for k, each in enumerate(getattr(bead, side))} for side in SIDES]
    return tuple(
        sorted([*decided_links, *new], key=lambda e: (order[0][e[0]], e[1], order[1][e[2]], e[3]))
    )
