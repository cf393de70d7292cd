"""What is run over a corpus: documents, the task for each of them, and what came of it."""

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
]


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a corpus.

    Attributes
    ----------
    number : int
        Its place in the corpus, from 0.
    name : str
        What it is called in messages.
    item : object
        What the task works on; it travels to another process, so it is small: names of files.
    files : tuple of str
        What is read for it: if one of these changes, a result in a journal is worth nothing.

    """

    number: int
    name: str
    item: Any
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a document: a value, or the reason why there is none.

    Attributes
    ----------
    number, name
        As of `Document`.
    value : object
        What the task gave: numbers, strings, lists, dictionaries, as JSON has them.
    failed : str
        Why there is no value; empty where there is one.

    """

    number: int
    name: str
    value: Any = None
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A document without a result, and why."""

    number: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may take.

    Attributes
    ----------
    seconds : float or None
        Of time; `None`: any.
    megabytes : int or None
        Of memory, beside what a worker holds before its first document; `None`: any.

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
    """The documents whose number leaves a remainder: every machine takes some of the corpus.

    Attributes
    ----------
    index, count : int
        The shard, from 1, of so many.

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
    """What a run came to.

    Attributes
    ----------
    output : object
        What the task made of the results.
    done, kept : int
        How many documents were done now, and how many were found done in the journal.
    failures : list of Failure
        The documents without a result.
    notes : list of str
        What was odd in the journal.

    """

    output: Any = None
    done: int = 0
    kept: int = 0
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Task(ABC):
    """What is done with each document, and what is made of the results.

    A task travels to other processes: it is an object of a class at the top of a module, and its
    attributes can be pickled.
    """

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return all that the results depend on, beside the files of documents, as for JSON.

        A journal is of the run that says the same.
        """

    def shown(self) -> dict[str, Any]:
        """Return what the output depends on, but no result, as for JSON: for `bitext merge`."""
        return {}

    def outputs(self) -> Sequence[str]:
        """Return the files that the run is to write: a document that is read of one ends it."""
        return ()

    def prepare(self) -> None:  # noqa: B027 - most tasks need none
        """Make a worker ready, once: load models, open what is shared by documents."""

    @abstractmethod
    def work(self, item: Any) -> Any:
        """Do one document; return what JSON can hold. An error is the document's failure."""

    def stands(self, item: Any, value: Any) -> bool:
        """Tell whether a result in a journal still holds, as when files were written, too."""
        del item, value
        return True

    def whole(self) -> Any:
        """Return what is known of the corpus when all is done, as for JSON: for `bitext merge`."""
        return None

    def assemble(self, results: Iterable[Result]) -> Any:
        """Make the output of the results, in the order of the documents, those that failed too.

        They come while the work goes on. The default is a list of the values.
        """
        return [result.value for result in results if not result.failed]


@dataclass(kw_only=True)
class CommandTask(Task):
    """The task of a command line.

    Attributes
    ----------
    run, presentation : dict
        What the results depend on, and what only the output does.

    """

    run: dict[str, Any] = field(default_factory=dict)
    presentation: dict[str, Any] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Return the command."""
        return self.run

    def shown(self) -> dict[str, Any]:
        """Return how results are shown."""
        return self.presentation

    def outputs(self) -> Sequence[str]:
        """Return where results are shown."""
        places = (self.presentation.get(name) for name in ("output", "html", "store"))
        return [place for place in places if place and place != "-"]
