"""The same work over many texts, in one process or in several that share what is there already.

Processes are forked: what they work on, the texts and all that was learned of them, is theirs
without being sent, and only results are. Where the system cannot fork there is one process. Results
come in order, so it makes no difference to them how many processes there are.

Each process has a pipe of its own, which ends with it. In one that others write to as well, as that
of `concurrent.futures.ProcessPoolExecutor`, the reader waits for ever for the rest of a result
whose process was killed. They end with the one that began them, whatever ended it.
"""

from __future__ import annotations

import errno
import os
import pickle
import signal
import threading
import time
import warnings
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from bitext.cli.signals import held_back
from bitext.errors import BitextError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from multiprocessing.sharedctypes import Synchronized

    T = TypeVar("T")

__all__ = ["forked"]

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
