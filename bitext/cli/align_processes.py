"""The same work over many texts, in one process or in several that share what is there already.

Processes are forked: what they work on, the texts and all that was learned of them, is theirs
without being sent, and only results are. Where the system cannot fork there is one process. Results
come in order, so it makes no difference to them how many processes there are.
"""

from __future__ import annotations

import signal
import warnings
from collections import deque
from typing import TYPE_CHECKING, TypeVar

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    T = TypeVar("T")

__all__ = ["forked"]

_work: list[Callable[[int], object]] = []  # what forked processes do: put here before they are


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
        when a process is killed.

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


def _in_processes(work: Callable[[int], T], todo: list[int], jobs: int) -> Iterator[T]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    _work.append(work)
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("fork"), initializer=_begin)
    try:
        with warnings.catch_warnings():
            # The threads that there are belong to numpy, which knows of forks.
            warnings.simplefilter("ignore", DeprecationWarning)
            futures = deque(pool.submit(_one, number) for number in todo)
        while futures:
            yield futures.popleft().result()  # type: ignore[misc]
    except BrokenProcessPool:
        raise InputError(
            "a process was killed, maybe for want of memory: try with fewer --jobs"
        ) from None
    except BaseException:  # interrupted, or nobody wants the rest: nobody waits for it either
        for process in list(pool._processes.values()):  # noqa: SLF001 - 3.14 has a method for it
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        _work.pop()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the one that began it


def _one(k: int) -> object:
    return _work[-1](k)
