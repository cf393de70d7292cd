"""Files that are each written from several others, one after another or by jobs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from bitext.errors import BitextError
from bitext.formats.writing import sizes_of
from bitext.jobs.task import CommandTask, Document, with_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from dataclasses import Field

    from bitext.jobs.task import Result

__all__ = ["OutputTask", "OutputWork", "WrittenFile", "output_documents", "write_all"]


class WrittenFile(Protocol):
    """The result of writing a file, a dataclass whose fields are JSON values and notes.

    Attributes
    ----------
    output : str
        The file.
    failed : str
        The error for which nothing was written.

    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    output: str
    failed: str

    def __init__(self, output: str, *, failed: str = "") -> None: ...

    @classmethod
    def from_state(cls, state: Mapping[str, Any], /) -> Self:
        """Return the result that JSON values describe."""


Written = TypeVar("Written", bound=WrittenFile)
Written_co = TypeVar("Written_co", bound=WrittenFile, covariant=True)


class OutputWork(Protocol[Written_co]):
    """The work of writing one file."""

    @property
    def output(self) -> str:
        """The file to write."""

    def files(self) -> Iterable[str]:
        """Return the names of the files to read."""

    def write(self, *, on_text: Callable[[int], None] | None = None) -> Written_co:
        """Write the file, which appears when it is complete; raise a `BitextError` otherwise."""


def write_all(works: Iterable[OutputWork[Written]], outcome: type[Written]) -> Iterator[Written]:
    """Write one file after another; yield the error of a failed one as its result."""
    for work in works:
        try:
            yield work.write()
        except BitextError as error:
            yield outcome(work.output, failed=str(error))


def output_documents(works: Iterable[OutputWork[Any]]) -> Iterator[Document]:
    """Yield a document for each file to write, with the name of that file."""
    for number, work in enumerate(works):
        yield Document(number, work.output, work, tuple(work.files()))


@dataclass(kw_only=True)
class OutputTask(CommandTask, Generic[Written]):
    """Write files: a worker writes one, and returns its counts and notes.

    Attributes
    ----------
    outcome : type
        The class of results.
    corpus_notes : list of str
        Notes on the corpora, as on texts without a counterpart.
    run, presentation : dict
        As of `CommandTask`.

    """

    outcome: type[Written]
    corpus_notes: list[str] = field(default_factory=list)

    def outputs(self) -> list[str]:
        """Return nothing: each item protects its inputs from its own output."""
        return []

    def work(self, item: OutputWork[Written]) -> Any:
        """Write a file; return its result, and its sizes."""
        return {"outcome": asdict(item.write()), "sizes": sizes_of(item.output)}

    def stands(self, item: OutputWork[Written], value: Any) -> bool:
        """Return whether the file still has its size."""
        return isinstance(value, dict) and value.get("sizes") == sizes_of(item.output)

    def whole(self) -> Any:
        """Return the notes on the corpora."""
        return {"notes": self.corpus_notes}

    def assemble(self, results: Iterable[Result]) -> list[Written]:
        """Return the results for all files, failures included."""
        return [
            self.outcome(result.name, failed=with_name(result))
            if result.failed
            else self.outcome.from_state(result.value["outcome"])
            for result in results
        ]
