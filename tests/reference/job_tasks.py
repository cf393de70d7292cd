"""Tasks for the tests of `bitext.jobs`: they sleep, fail, kill their worker, or take memory."""

from __future__ import annotations

import os
import pickle
import signal
import time
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, MissingExtraError, remedy
from bitext.jobs import Document, Processes, Result, Task

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence


@dataclass
class Tries(Task):
    """Does what an item says: a number is squared, words are orders.

    With a `gate`, a file, a number waits until that has more bytes.
    """

    pause: float = 0.0
    output: str = ""
    gate: str = ""

    def describe(self) -> dict[str, Any]:
        return {"task": "tries"}

    def outputs(self) -> list[str]:
        return [self.output] if self.output else []

    def work(self, item: Any) -> Any:
        time.sleep(self.pause)
        if isinstance(item, int):
            while self.gate and Path(self.gate).stat().st_size <= item:
                time.sleep(0.001)
            return {"square": item * item, "sign": "é\u2028\udc80"}
        order, _, rest = item.partition(" ")
        return getattr(self, f"_{order}")(rest)

    def _fail(self, rest: str) -> Any:
        raise InputError(f"{rest}: is no good; give another")

    def _remedy(self, rest: str) -> Any:
        raise InputError(remedy(rest))

    def _bug(self, rest: str) -> Any:
        return {}[rest]

    def _die(self, rest: str) -> Any:
        os.kill(os.getpid(), signal.SIGKILL if not rest else int(rest))

    def _die_once(self, rest: str) -> Any:
        if not Path(rest).exists():
            Path(rest).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "lived"

    def _sleep(self, rest: str) -> Any:
        time.sleep(float(rest))
        return "slept"

    def _mark(self, rest: str) -> Any:
        """Leave a trace, and sleep."""
        Path(f"{rest}{os.getpid()}").touch()
        time.sleep(300)

    def _linger(self, rest: str) -> Any:
        """Sleep, and leave a trace."""
        time.sleep(300)
        Path(rest).touch()

    def _spin(self, rest: str) -> Any:
        return len(str(7 ** int(rest)))  # compiled code, which signals wait for

    def _take(self, rest: str) -> Any:
        return len(bytearray(int(rest) << 20))

    def _count(self, rest: str) -> Any:
        """Leave a trace of each time that it was done."""
        with Path(rest).open("a", encoding="utf-8") as file:
            file.write("x")
        return "counted"

    def _read(self, rest: str) -> Any:
        from bitext.formats.io.source import open_source  # workers that read nothing start sooner

        with open_source(rest) as source:
            return source.text()

    def _look(self, rest: str) -> Any:
        """Read what may be read."""
        try:
            return self._read(rest)
        except InputError:
            return "nothing"

    def _print(self, rest: str) -> Any:
        print(rest, flush=True)  # noqa: T201 - which must not be taken for an answer
        return rest

    def assemble(self, results: Iterable[Result]) -> Any:
        if not self.output:
            return [result.value for result in results if not result.failed]
        from bitext.formats.io.output import write_whole

        with write_whole(self.output) as out:
            for result in results:
                out.write(f"{result.name} {result.value!a} {result.failed}\n")
        return None


@dataclass
class InStep(Tries):
    """Documents in lockstep: each wants an answer two times, the orders of `Tries` in between.

    "answer X" does the order X while all are answered.
    """

    is_in_step = True

    def work(self, item: Any) -> Any:
        if isinstance(item, str) and item.startswith("answer "):
            item = item.removeprefix("answer ")
        return super().work(item)

    def work_in_steps(self, item: Any) -> Generator[Any, Any, Any]:
        given = yield item
        if given != [item, True]:
            raise InputError(f"{item}: got {given}, which is of another")
        value = None if str(item).startswith("answer ") else self.work(item)
        last = yield item
        return last[1] and value

    def answers(self, requests: Mapping[int, Any]) -> Mapping[int, Any]:
        for item in requests.values():
            if str(item).startswith("answer "):
                self.work(item)
        return {k: [item, True] for k, item in requests.items()}


@dataclass
class Lacks(Tries):
    """Lacks a package, as it finds when it is prepared; that error cannot be pickled."""

    def prepare(self) -> None:
        raise MissingExtraError("what it does", extra="more")


@dataclass
class Seven(Tries):
    """Stops after seven results."""

    def assemble(self, results: Iterable[Result]) -> Any:
        found = [next(iter(results)).value for _ in range(7)]
        raise InputError(f"enough after {len(found)}")


class Here(Executor):
    """Works at once, in this process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class AtHand(Processes):
    """Processes that are none: they work at once, in this one, with what goes through a pipe."""

    def start(self, count: int, modules: Sequence[str]) -> None:
        del count, modules

    def submit_batch(self, fn: Any, /, *args: Any) -> Future[Any]:
        return Here().submit(_as_sent, fn, *args)


def _as_sent(fn: Any, *args: Any) -> Any:
    packed, items, *others = args
    return pickle.loads(pickle.dumps(fn(packed, pickle.loads(pickle.dumps(items)), *others)))


def documents(items: Iterable[Any]) -> Iterator[Document]:
    """Number items."""
    for k, item in enumerate(items):
        yield Document(k, f"d{k}", item)
