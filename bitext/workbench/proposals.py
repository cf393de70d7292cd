"""Realignment: beads that nobody has confirmed are proposed anew, between those that are confirmed.

The aligner works in a process of its own, which is killed to cancel it. Each stretch of beads
between two confirmed ones is a text pair, and so are the sentences around them: lengths, bead types
and words are learned from all of them. The result is a change like another: it replaces those
stretches that are still as they were when the work began.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import BitextError, InputError
from bitext.jobs.task import BEGUN, DONE, FAILED, read_frame, write_frame
from bitext.workbench.changes import SIDES, Bead, ChangeRefused, Splice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitext.workbench.project import Entry, Project

__all__ = ["Realignment", "Stretch", "main", "realign", "splices_for", "stretches_between"]

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from bitext.workbench.proposals import main; main()"
)
_AROUND = 2_000  # beads before and behind the stretches that are learned from: bounds time
_TRIES = 5  # to enter the result between two changes of a person

# Of a stretch: the indices of the sentences of each bead, and its probability.
TextPair = tuple[Sequence[str], Sequence[str]]
Proposal = list[tuple[list[int], list[int], float]]


class Stretch(NamedTuple):
    """Beads in a row that are to be proposed anew.

    Attributes
    ----------
    beads : tuple of Bead
    source, target : list of str
        The ids of their sentences, in the order of the texts, without those of confirmed beads.

    """

    beads: tuple[Bead, ...]
    source: list[str]
    target: list[str]


def stretches_between(
    lists: Mapping[str, Sequence[Any]], first: str | None = None, last: str | None = None
) -> list[Stretch]:
    """Return the stretches of unconfirmed beads from one bead to another, both included.

    Parameters
    ----------
    lists : mapping of str to sequence
        The rows of an alignment.
    first, last : str, optional
        Ids of beads. Default: the first and the last of all.

    Raises
    ------
    InputError
        When there is no bead of an id, or `last` stands before `first`.

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
    taken: list[set[str]] = [set(), set()]
    for bead in beads:
        if bead.state == "confirmed":
            for held, side in zip(taken, SIDES, strict=True):
                held.update(getattr(bead, side))
    found, run = [], []
    for k in range(begin, end + 1):
        if k < end and beads[k].state != "confirmed":
            run.append(beads[k])
            continue
        if run:
            sides = []
            for held, side, place in zip(taken, SIDES, places, strict=True):
                own = {each for bead in run for each in getattr(bead, side)} - held
                held |= own  # a sentence of two stretches belongs to the first
                sides.append(sorted(own, key=place.__getitem__))
            if any(sides):
                found.append(Stretch(tuple(run), *sides))
        run = []
    return found


def realign(
    pairs: Sequence[TextPair],
    around: TextPair = ((), ()),
    languages: tuple[str, str] = ("", ""),
    *,
    progress: Callable[[int, int], object] | None = None,
) -> list[Proposal]:
    """Align pairs of texts, and learn from the text around them, too.

    Parameters
    ----------
    pairs : sequence of (sequence of str, sequence of str)
        The sentences of the two sides of each stretch.
    around : (sequence of str, sequence of str)
        Other sentences of the two texts.
    languages : pair of str
    progress : callable, optional
        Called with what is done, and what there is to do.

    Returns
    -------
    list of list of (list of int, list of int, float)
        For each pair its beads, with their probabilities.

    Notes
    -----
    The text around is learned from as running text. A lexicon that is learned first from confirmed
    beads, and a text pair for each of these, gave a lower F of the second half of a text whose
    first half was confirmed (mean of four sets of gold standards).

    """
    from bitext.align.sentences import align_corpus
    from bitext.model import Text

    both = [k for k, pair in enumerate(pairs) if all(map(any, pair))]
    found: list[Proposal] = [_alone(pair) for pair in pairs]
    if not both:
        return found
    corpus = [pairs[k] for k in both]
    if all(map(any, around)):
        corpus.append(around)
    texts = [
        tuple(Text(list(own), lang=lang) for own, lang in zip(pair, languages, strict=True))
        for pair in corpus
    ]
    aligned = align_corpus([(src, tgt) for src, tgt in texts], progress=progress)
    for k, alignment in zip(both, aligned, strict=False):  # without that of the text around
        scores = alignment.scores
        probabilities = [0.0] * len(alignment) if scores is None else scores.tolist()
        found[k] = [
            (list(bead.src), list(bead.tgt), min(1.0, max(0.0, float(each))))
            for bead, each in zip(alignment, probabilities, strict=True)
        ]
    return found


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
    """Return the splices that put proposals in the place of stretches that are as they were.

    Beads with the same sentences stay, with another probability; comments and bookmarks of others
    go to the bead that has their first sentence.

    Parameters
    ----------
    lists : mapping of str to sequence
        The rows of the alignment, as they are now.
    stretches : sequence of Stretch
    proposals : sequence of list
        As `realign` returns them.
    prefix : str
        The beginning of the ids of new beads.

    """
    beads = list(lists["beads"])
    known = {name: {row.id for row in rows} for name, rows in lists.items()}
    splices: list[Splice] = []
    number = 0
    for stretch, proposal in zip(stretches, proposals, strict=True):
        at = next((k for k, bead in enumerate(beads) if bead.id == stretch.beads[0].id), len(beads))
        end = at + len(stretch.beads)
        if tuple(beads[at:end]) != stretch.beads:
            continue
        if not (set(stretch.source) <= known["source"] and set(stretch.target) <= known["target"]):
            continue
        old = {(bead.source, bead.target): bead for bead in stretch.beads}
        new = []
        for src, tgt, probability in proposal:
            sides = tuple(stretch.source[k] for k in src), tuple(stretch.target[k] for k in tgt)
            same = old.pop(sides, None)
            number += 1
            made = Bead(f"{prefix}.{number}", *sides) if same is None else same
            new.append(made._replace(probability=probability))
        _keep_remarks(old.values(), new)
        if tuple(new) != stretch.beads:
            splices.append(Splice("beads", at, stretch.beads, tuple(new)))
            beads[at:end] = new
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


class Realignment:
    """A realignment in the background.

    Parameters
    ----------
    project : Project
    number : int
        The alignment.
    first, last : str or None
        The beads from and to which it is realigned, both included.
    annotator, holder : str
        Who asks for it, and the holder of the lock.
    tell : callable
        Called with `done`, `total`, the state (`running`, `done`, `cancelled`, `failed`) and an
        error or an empty string, whenever one of them changes; from a thread.

    """

    def __init__(
        self,
        project: Project,
        number: int,
        first: str | None,
        last: str | None,
        *,
        annotator: str,
        holder: str | None,
        tell: Callable[[int, int, str, str], object],
    ) -> None:
        self._project, self._number = project, number
        self._annotator, self._holder = annotator, holder
        self._tell = tell
        self._cancelled = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self.entry: Entry | None = None
        info, lists = project.rows(number)
        self._stretches = stretches_between(lists, first, last)
        self._request = self._asked(lists, info.source, info.target)
        self._thread = threading.Thread(target=self._run, daemon=True, name="realignment")

    def _asked(self, lists: Mapping[str, Sequence[Any]], *texts: int) -> tuple[Any, ...]:
        """Return the arguments of `realign`."""
        content = [{row.id: row.text for row in lists[side]} for side in SIDES]
        pairs = [
            ([content[0][each] for each in one.source], [content[1][each] for each in one.target])
            for one in self._stretches
        ]
        languages = tuple(self._project.text_of(text)[1] for text in texts)
        return pairs, self._around(lists), languages

    def _around(self, lists: Mapping[str, Sequence[Any]]) -> TextPair:
        """Return the sentences of the beads around the stretches."""
        ours = {bead.id for one in self._stretches for bead in one.beads}
        beads = lists["beads"]
        at = [k for k, bead in enumerate(beads) if bead.id in ours] or [0]
        near = beads[max(0, at[0] - _AROUND) : at[-1] + _AROUND]
        sides = []
        for side, place in zip(SIDES, (0, 1), strict=True):
            taken = {each for one in self._stretches for each in one[1 + place]}
            held = {one for bead in near if bead.id not in ours for one in getattr(bead, side)}
            wanted = held - taken
            sides.append([row.text for row in lists[side] if row.id in wanted])
        return sides[0], sides[1]

    def start(self) -> None:
        """Begin the work."""
        self._thread.start()

    def cancel(self) -> None:
        """End the work at once; nothing is changed."""
        self._cancelled.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; return whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        state, error = "done", ""
        try:
            self._tell(0, 1, "running", "")
            proposals = self._answer() if self._stretches else []
            self._enter(proposals)
        except _Cancelled:
            state = "cancelled"
        except (BitextError, OSError) as failure:
            state, error = "failed", str(failure)
        except Exception:
            self._tell(0, 1, "failed", "a bug of bitext: its traceback is in the terminal")
            raise
        self._tell(1, 1, state, error)

    def _answer(self) -> list[Proposal]:
        with self._lock:
            if self._cancelled.is_set():
                raise _Cancelled
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
                [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        with self._process as process:
            try:
                if process.stdin is None or process.stdout is None:
                    raise InputError("the aligner has no pipes")
                write_frame(process.stdin, self._request)
                kind, value = read_frame(process.stdout)
                while kind == BEGUN:
                    done, total = value
                    self._tell(done, total, "running", "")
                    kind, value = read_frame(process.stdout)
            except (EOFError, OSError):
                if self._cancelled.is_set():
                    raise _Cancelled from None
                raise InputError("the aligner ended without a result: is there memory?") from None
            finally:
                process.kill()
        if kind == FAILED:
            raise InputError(str(value))
        return list(value)

    def _enter(self, proposals: list[Proposal]) -> None:
        for last in range(_TRIES - 1, -1, -1):
            if self._cancelled.is_set():
                raise _Cancelled
            info, lists = self._project.rows(self._number)
            splices = splices_for(lists, self._stretches, proposals, f"r{info.version + 1}")
            if not splices:
                return
            try:
                self.entry = self._project.change(
                    self._number,
                    splices,
                    name="realign",
                    version=info.version,
                    annotator=self._annotator,
                    holder=self._holder,
                )
            except ChangeRefused:
                if not last:
                    raise
            else:
                return


class _Cancelled(Exception):  # noqa: N818 - an event
    """The work was cancelled."""


def main() -> None:
    """Answer one request on standard input; end when the parent process does."""
    import os

    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    request = read_frame(calls)
    threading.Thread(target=_end_with, args=(calls,), daemon=True).start()
    try:
        found = realign(
            *request, progress=lambda done, total: write_frame(answers, (BEGUN, (done, total)))
        )
    except BitextError as error:
        write_frame(answers, (FAILED, str(error)))
    else:
        write_frame(answers, (DONE, found))


def _end_with(calls: Any) -> None:
    """End this process when the other end of a pipe is closed."""
    import os

    calls.read(1)
    os._exit(1)
