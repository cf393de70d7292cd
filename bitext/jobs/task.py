"""Documents, tasks over them, and their results and outcomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bitext.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "WHOLE",
    "CommandTask",
    "Document",
    "Failure",
    "Limits",
    "Outcome",
    "Result",
    "Shard",
    "Task",
    "with_name",
]


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a corpus.

    Attributes
    ----------
    number : int
        The position in the corpus, from 0.
    name : str
        The name in messages.
    item : object
        The input of the task. It is pickled for another process, so it should be small, as names
        of files are.
    files : tuple of str
        The files that the task reads; a change of one makes a result in a journal invalid.

    """

    number: int
    name: str
    item: Any
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a document: a value, or the reason of its failure.

    Attributes
    ----------
    number, name
        As of `Document`.
    value : object
        The value that the task returned, of types that JSON has.
    failed : str
        The reason of the failure; empty if there is a value.

    """

    number: int
    name: str
    value: Any = None
    failed: str = ""


def with_name(result: Result) -> str:
    """Return the reason of a failure with its file; those of limits and processes name none."""
    return result.failed if ": " in result.failed else f"{result.name}: {result.failed}"


@dataclass(frozen=True, slots=True)
class Failure:
    """A document without a result, and the reason."""

    number: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of time and memory for one document.

    Attributes
    ----------
    seconds : float or None
        `None`: no limit of time.
    megabytes : int or None
        Memory in addition to that of a worker before its first document; `None`: no limit.

    """

    seconds: float | None = None
    megabytes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < 1e8:
            raise OptionError(f"the time limit is {self.seconds}: want seconds, above 0")
        if self.megabytes is not None and self.megabytes < 1:
            raise OptionError(f"the memory limit is {self.megabytes}: want megabytes, at least 1")

    def __bool__(self) -> bool:
        return self.seconds is not None or self.megabytes is not None


@dataclass(frozen=True, slots=True)
class Shard:
    """The documents `k` with `k % count == index - 1`: the part of the corpus for one machine.

    Attributes
    ----------
    index, count : int
        The number of the shard, from 1, and the number of all shards.

    Examples
    --------
    >>> [number for number in range(10) if number in Shard(2, 4)]
    [1, 5, 9]

    """

    index: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise OptionError(f"the shard is {self}: want I/N, as 1/8 to 8/8")

    def __contains__(self, number: int) -> bool:
        return number % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE = Shard()  # all documents


@dataclass(slots=True)
class Outcome:
    """The outcome of a run.

    Attributes
    ----------
    output : object
        The return value of `Task.assemble`.
    done, kept : int
        The numbers of documents done now, and of those taken from the journal.
    failures : list of Failure
        The documents without a result.
    notes : list of str
        Notes on the journal, as on damaged lines.

    """

    output: Any = None
    done: int = 0
    kept: int = 0
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Task(ABC):
    """The work on each document of a corpus, and the output from all results.

    A task is pickled for other processes: its class stands at the top level of a module, and its
    attributes can be pickled.
    """

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return everything that results depend on except the files of documents, as JSON values.

        A run goes on from a journal only if both descriptions are equal.
        """

    def shown(self) -> dict[str, Any]:
        """Return the options of the output alone, as JSON values, for `bitext merge`."""
        return {}

    def outputs(self) -> Sequence[str]:
        """Return the files that the run will write; a document that reads one ends the run."""
        return ()

    def prepare(self) -> None:  # noqa: B027 - most tasks need none
        """Prepare a worker once: load models, open files that all documents need."""

    @abstractmethod
    def work(self, item: Any) -> Any:
        """Process one document; return a JSON value. An error is a failure of the document."""

    def stands(self, item: Any, value: Any) -> bool:
        """Return whether a result in a journal is valid, as its output may have changed since."""
        del item, value
        return True

    def whole(self) -> Any:
        """Return facts about the whole corpus, as a JSON value, for `bitext merge`."""
        return None

    def assemble(self, results: Iterable[Result]) -> Any:
        """Return the output from all results, failures included, in the order of the documents.

        The iterable yields results while the work goes on. The default is a list of the values.
        """
        return [result.value for result in results if not result.failed]


@dataclass(kw_only=True)
class CommandTask(Task):
    """A task of a command.

    Attributes
    ----------
    run, presentation : dict
        The options that results depend on, with the command, and those of the output alone.

    """

    run: dict[str, Any] = field(default_factory=dict)
    presentation: dict[str, Any] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Return the command with its options."""
        return self.run

    def shown(self) -> dict[str, Any]:
        """Return the options of the output."""
        return self.presentation

    def outputs(self) -> Sequence[str]:
        """Return the files of the output."""
        places = (self.presentation.get(name) for name in ("output", "html", "store"))
        return [place for place in places if place and place != "-"]
