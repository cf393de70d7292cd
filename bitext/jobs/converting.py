"""Converting a corpus by jobs: outputs are written where the work is, what they came to travels."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from bitext.formats.conversion import Bad, Outcome, convert, files_read
from bitext.formats.conversion import Task as Conversion
from bitext.formats.delivery import sizes_of
from bitext.jobs.task import CommandTask, Document
from bitext.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.jobs.task import Result

__all__ = ["ConvertTask", "conversion_documents"]

_NOTES = ("losses", "dropped", "changed", "notes")


def conversion_documents(tasks: Iterable[Conversion]) -> Iterator[Document]:
    """Yield a document for each file to write; it has the name of that file."""
    for number, task in enumerate(tasks):
        files = (name for name in files_read(task) if name != "-")
        yield Document(number, task.output, task, tuple(files))


@dataclass(kw_only=True)
class ConvertTask(CommandTask):
    """Converts files.

    Attributes
    ----------
    to : str
        The format of the outputs.
    watch : callable
        Is called whenever there is one more outcome; it raises an error to stop.
    roots : list of str
        The folders that the outputs have to be read with.
    run, presentation : dict
        As of `CommandTask`.

    """

    to: str
    watch: Callable[[], None]
    roots: list[str] = field(default_factory=list)

    def __getstate__(self) -> dict[str, Any]:
        """Leave at home what only the one who asked can call."""
        return {**self.__dict__, "watch": None}

    def outputs(self) -> Sequence[str]:
        """Return the report; of its own output each conversion sees to it itself."""
        report = self.run.get("options", {}).get("report")
        return [report] if report else []

    def work(self, item: Conversion) -> Any:
        """Convert into one output."""
        return {"outcome": asdict(convert(item)), "sizes": sizes_of(item.output)}

    def stands(self, item: Conversion, value: Any) -> bool:
        """Tell whether the output is still there."""
        return isinstance(value, dict) and value.get("sizes") == sizes_of(item.output)

    def whole(self) -> Any:
        """Return the folders that the outputs have to be read with."""
        return {"roots": self.roots}

    def assemble(self, results: Iterable[Result]) -> list[Outcome]:
        """Return the outcomes, of what failed, too."""
        found: list[Outcome] = []
        for result in results:
            if result.failed:
                # What a worker tells of time and memory names no file.
                told = result.failed if ": " in result.failed else f"{result.name}: {result.failed}"
                found.append(Outcome(result.name, self.to, failed=told))
            else:
                found.append(_outcome(result.value["outcome"]))
            self.watch()
        return found


def _outcome(held: dict[str, Any]) -> Outcome:
    """Return an outcome of what JSON held of it."""
    notes = {name: tuple(Note(**note) for note in held[name]) for name in _NOTES}
    return Outcome(**{**held, **notes, "bad": [Bad(**bad) for bad in held["bad"]]})
