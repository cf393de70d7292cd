"""The work of `bitext align`: all texts aligned together, with what is known beside them."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import threading
import time
import warnings
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from bitext.cli.align.resources import read_dictionaries, read_lexicon, sentence_vectors
from bitext.cli.console import Progress, held_back
from bitext.errors import BitextError, InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from multiprocessing.sharedctypes import Synchronized

    from bitext.align.sentences.aligner import SentenceAligner
    from bitext.cli.align.texts import TextPair
    from bitext.formats.io.source import Notes
    from bitext.model import Alignment, Bitext

    T = TypeVar("T")

__all__ = ["Kept", "Totals", "Work", "forked", "selected"]


# What came of alignments: which beads are kept, and how many there are of which kind.

_DIGITS = 4  # of a probability
_SHOWN = 6  # kinds of beads


class Kept(NamedTuple):
    """What is kept of the alignment of a text.

    Attributes
    ----------
    bitext : Bitext
        With the beads that are probable enough.
    numbers : list of int
        Which of all beads they are, counted from 1.
    left : int
        How many of all beads are none of them.
    empty : int
        How many are of empty sentences that were set aside.

    """

    bitext: Bitext
    numbers: list[int]
    left: int
    empty: int

    def counts(self) -> dict[str, Any]:
        """Return what `Totals` takes of it, as for JSON."""
        scores = self.bitext.alignment.scores
        return {
            "beads": self.bitext.alignment.bead_types(),
            "sure": 0.0 if scores is None else float(scores.sum()) - self.empty,
            "left": self.left,
            "empty": self.empty,
        }


def selected(pair: TextPair, found: Alignment, options: argparse.Namespace) -> Kept:
    """Return the bitext of an alignment of its texts without beads that are not probable enough."""
    import numpy as np

    from bitext.model import Alignment

    found, aligned = pair.placed(found)
    wanted = np.ones(len(found), dtype=bool)
    if options.min_score is not None and found.scores is not None:
        wanted = found.scores >= options.min_score
    kept = found if wanted.all() else found.select(wanted)
    if kept.scores is not None:  # digits that tell nothing are not written
        kept = Alignment.from_arrays(kept.src, kept.tgt, scores=np.round(kept.scores, _DIGITS))
    numbers = (np.flatnonzero(wanted) + 1).tolist()
    empty = int((wanted & ~aligned).sum())
    return Kept(pair.bitext(kept), numbers, len(found) - len(kept), empty)


@dataclass(slots=True)
class Totals:
    """How many beads of how many texts there are.

    Attributes
    ----------
    texts : int
    kinds : dict of str to int
        Beads by their kind.
    sure : float
        The sum of the probabilities of those that were aligned.
    left : int
        Beads that were left out.
    empty : int
        Beads of empty sentences, which are there for the sake of completeness.

    """

    texts: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    sure: float = 0.0
    left: int = 0
    empty: int = 0

    def add(self, counts: Mapping[str, Any]) -> None:
        """Take the counts of a text, as `Kept.counts` returns them."""
        self.texts += 1
        self.sure += counts["sure"]
        self.left += counts["left"]
        self.empty += counts["empty"]
        for kind, count in counts["beads"].items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count

    def told(self, seconds: float) -> str:
        """Return them in a line."""
        kinds, beads = self.kinds, sum(self.kinds.values())
        texts = "1 text" if self.texts == 1 else f"{self.texts:,} texts"
        if not beads:
            return f"no bead in {texts}"
        most = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
        shown = ", ".join(f"{kind}: {kinds[kind]:,}" for kind in most[:_SHOWN])
        more = ", ..." if len(most) > _SHOWN else ""
        took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
        found = "1 bead" if beads == 1 else f"{beads:,} beads"
        judged = beads - self.empty
        sure = f"; mean probability {self.sure / judged:.3f}" if judged else ""
        return f"{found} of {texts} ({shown}{more}){sure}{took}"


# The same work over many texts, in one process or in several that share what is there already.
#
# Processes are forked: what they work on, the texts and all that was learned of them, is theirs
# without being sent, and only results are. Where the system cannot fork there is one process.
# Results come in order, so it makes no difference to them how many processes there are.
#
# Each process has a pipe of its own, which ends with it. In one that others write to as well, as
# that of `concurrent.futures.ProcessPoolExecutor`, the reader waits for ever for the rest of a
# result whose process was killed. They end with the one that began them, whatever ended it.


_LOOK = 0.25  # seconds between two looks for the one that began a process
_NOWHERE = -1


def forked(jobs: int) -> Callable[[Callable[[int], T], Iterable[int]], Iterator[T]]:
    """Return what does work for each of some numbers, as `map` does, in so many processes.

    Parameters
    ----------
    jobs : int
        How many processes, 1 for this one.

    Returns
    -------
    callable
        Called with the work and the numbers; begins the work in the order of the numbers, and
        yields the results in it: with the longest first, no process is left with one at the end
        while the others have nothing to do. It raises what the work raises, and an `InputError`
        when a process is killed, or the system lets none begin.

    Examples
    --------
    >>> list(forked(2)(lambda k: k * k, range(3)))
    [0, 1, 4]

    """

    def each(work: Callable[[int], T], numbers: Iterable[int]) -> Iterator[T]:
        todo = list(numbers)
        if min(jobs, len(todo)) < 2 or not _can_fork():
            return map(work, todo)
        return _in_processes(work, todo, min(jobs, len(todo)))

    return each


def _can_fork() -> bool:
    from multiprocessing import get_all_start_methods

    return "fork" in get_all_start_methods()


class _Answer(NamedTuple):
    """What came of the work on the number at a place; an error at no place is of a process."""

    place: int
    value: object = None
    error: Exception | None = None


def _in_processes(work: Callable[[int], T], todo: Sequence[int], jobs: int) -> Iterator[T]:
    crew = _Crew()
    try:
        try:
            crew.begin(work, todo, jobs)
        except (OSError, ImportError) as error:  # no semaphores, which lie in /dev/shm, or no forks
            if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
                raise
            why = (isinstance(error, OSError) and error.strerror) or error
            raise InputError(
                f"several processes cannot be begun here ({why}): one works without, -j 1"
            ) from None
        found: dict[int, _Answer] = {}
        for place in range(len(todo)):
            while place not in found:
                answer = crew.answers.get()  # which a signal may interrupt
                if answer.place == _NOWHERE and answer.error is not None:
                    raise answer.error
                found[answer.place] = answer
            answer = found.pop(place)
            if answer.error is not None:
                raise answer.error
            yield cast("T", answer.value)
    finally:  # also where nobody wants the rest: nobody waits for it either
        crew.end()


class _Crew:
    """Processes that work, and a thread for each that takes its answers."""

    def __init__(self) -> None:
        self.answers: SimpleQueue[_Answer] = SimpleQueue()
        self._processes: list[ForkProcess] = []
        self._pipes: list[Connection] = []
        self._threads: list[threading.Thread] = []

    def begin(self, work: Callable[[int], object], todo: Sequence[int], jobs: int) -> None:
        """Fork."""
        from multiprocessing import get_context

        context = get_context("fork")
        with held_back(), warnings.catch_warnings():
            # The threads that there are belong to numpy, which knows of forks.
            warnings.simplefilter("ignore", DeprecationWarning)
            taken = context.Value("q", 0)
            for _ in range(jobs):
                ours, theirs = context.Pipe(duplex=False)
                self._pipes.append(ours)
                given = (work, todo, taken, theirs, [*self._pipes], os.getpid())
                process = context.Process(target=_serve, args=given, daemon=True)
                process.start()
                self._processes.append(process)
                theirs.close()
            for pipe in self._pipes:
                thread = threading.Thread(target=self._listen, args=(pipe,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _listen(self, pipe: Connection) -> None:
        try:
            while data := pipe.recv_bytes():
                self.answers.put(_Answer(*pickle.loads(data)))  # noqa: S301 - what we have forked
        except (EOFError, OSError):
            error: Exception = InputError(
                "a process was killed, maybe for want of memory: try with fewer --jobs"
            )
        except Exception as found:  # noqa: BLE001 - it is for the one who waits
            error = found
        else:
            return
        self.answers.put(_Answer(_NOWHERE, error=error))

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        with held_back():
            for process in self._processes:
                process.kill()
            for process in self._processes:
                process.join()
            for thread in self._threads:
                thread.join()
            for pipe in self._pipes:
                pipe.close()


def _serve(
    work: Callable[[int], object],
    todo: Sequence[int],
    taken: Synchronized[int],
    answers: Connection,
    others: Sequence[Connection],
    parent: int,
) -> None:
    """Do, in a process of its own, one piece of work after another that no other has taken."""
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(number, signal.SIG_IGN)  # they are for the one that began it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for pipe in others:
        pipe.close()
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    try:
        while True:
            with taken.get_lock():
                place = taken.value
                taken.value += 1
            if place >= len(todo):
                break
            answers.send_bytes(_answer(work, place, todo[place]))
        answers.send_bytes(b"")
    except ConnectionError:  # nobody is there any more
        os._exit(1)


def _answer(work: Callable[[int], object], place: int, number: int) -> bytes:
    """Return what came of a piece of work, pickled."""
    try:
        return pickle.dumps((place, work(number)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - it travels to the one who asked
        if not isinstance(error, BitextError):
            from traceback import format_exc

            error.add_note(format_exc())
        try:
            data = pickle.dumps((place, None, error))
            pickle.loads(data)  # noqa: S301 - our own
        except Exception:  # noqa: BLE001 - not every error can travel
            known = InputError if isinstance(error, BitextError) else RuntimeError
            data = pickle.dumps((place, None, known(str(error) or type(error).__name__)))
        return data


def _watch(parent: int) -> None:
    """End this process with the one that began it."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


class Work:
    """Texts to be aligned, and how.

    Parameters
    ----------
    options : Namespace
    pairs : list of TextPair
    notes : Notes
        Takes what is odd in the files that are read beside.
    told : list of str
        Takes what the user has to know.

    Attributes
    ----------
    method : str
        Its name.

    """

    def __init__(
        self,
        options: argparse.Namespace,
        pairs: list[TextPair],
        notes: Notes,
        told: list[str],
    ) -> None:
        from bitext.align.sentences.options import SentenceOptions, named

        vectors = options.vectors or options.encoder
        self.method = options.method or ("embedding" if vectors else "lexical")
        named(self.method)  # raises, with the nearest name there is
        self._options, self._pairs = options, pairs
        settings = SentenceOptions(beads=options.beads)
        settings = settings.for_texts((pair.src, pair.tgt) for pair in pairs)
        self._given: dict[str, Any] = {"method": self.method, "options": settings}
        lexicon = read_lexicon(options, pairs, told)
        if lexicon is not None:
            self._given["lexicon"] = lexicon
        self._given["dictionary"] = read_dictionaries(options, pairs, notes, told)
        found = self._vectors = sentence_vectors(options, pairs)
        if found is not None:
            from bitext.align.sentences.evidence.vectors import CorpusVectors

            self._given["more"] = CorpusVectors(settings.kinds, found)
        self._aligner: SentenceAligner | None = None

    def aligner(self) -> SentenceAligner:
        """Return what has aligned the texts; the work is done when it is first asked for."""
        if self._aligner is not None:
            return self._aligner
        from bitext.align.sentences import aligner_of

        each = forked(self._options.jobs)
        texts = [(pair.src, pair.tgt) for pair in self._pairs]
        sizes = sorted((len(pair.src) for pair in self._pairs), reverse=True)
        rounds = self._given["options"].rounds
        total = rounds * sum(sizes)
        progress = Progress("sentences, over all rounds", total, quiet=self._options.quiet)

        def further(done: int, texts: int) -> None:
            # Texts whose paths do not settle are aligned in more rounds than were asked for.
            total = texts // len(sizes) * sum(sizes)
            progress.add(sizes[(done - 1) % len(sizes)], total=total)

        with progress.beating():
            made = aligner_of(texts, **self._given, each=each)
            made.run(progress=further, each=each)
        self._aligner = made
        return made

    def align(self) -> list[Alignment]:
        """Return the alignment of each pair of texts."""
        from bitext.align.sentences import alignment_of

        aligner = self.aligner()
        return [alignment_of(aligner, k) for k in range(len(self._pairs))]

    def oddities(self, alignments: Sequence[Alignment]) -> list[list[str]]:
        """Return what the user should look at in each text, a line each."""
        from bitext.cli.align.warnings import oddities

        misplaced = self.aligner().misplaced

        vectors = self._vectors

        def of(k: int) -> list[str]:
            found = oddities(
                self._pairs[k],
                alignments[k],
                self._options,
                misplaced=misplaced[k],
                vectors=None if vectors is None else vectors[k],
            )
            return [line for _, line in found]

        order = sorted(range(len(self._pairs)), key=lambda k: -len(self._pairs[k].src))
        told = dict(zip(order, forked(self._options.jobs)(of, order), strict=True))
        return [told[k] for k in range(len(self._pairs))]

    def save_lexicon(self) -> None:
        """Write what was learned of words, where that is wanted; whole or not at all."""
        if not self._options.save_lexicon:
            return
        from bitext.align.sentences import learned_lexicon
        from bitext.formats.io.output import write_whole

        lexicon = learned_lexicon(self.aligner())
        with write_whole(self._options.save_lexicon) as out:
            out.writelines(f"{line}\n" for line in lexicon.lines())
