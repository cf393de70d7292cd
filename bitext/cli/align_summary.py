"""What is told of a corpus that was aligned by jobs: none of its texts is held for it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from bitext.cli.align_found import Totals
from bitext.cli.common import deliver, tell
from bitext.cli.job_options import collect, nothing_done, tell_failures
from bitext.errors import InputError
from bitext.paths import temporary_room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from bitext.jobs import Failure, Result

__all__ = ["Summary", "merge_summaries"]

_HELD = 1 << 20  # characters of a document that are held in memory


class Summary:
    """Adds up what each text came to.

    Parameters
    ----------
    options : Namespace
    begun : float
        When the work was begun, of the monotonic clock.

    Attributes
    ----------
    method : str
        Its name.
    told : list of str
        What the user has to know beside.

    """

    def __init__(self, options: argparse.Namespace, begun: float) -> None:
        from bitext.formats.opening import Notes

        vectors = options.vectors or options.encoder
        self.method = options.method or ("embedding" if vectors else "lexical")
        self.told: list[str] = []
        self._options, self._begun = options, begun
        self._merged = getattr(options, "parts", None) is not None
        self._totals, self._notes, self._losses = Totals(), Notes(), Notes()
        self._rows = tempfile.SpooledTemporaryFile(_HELD, "w+", encoding="utf-8")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()

    def gather(self, results: Iterable[Result]) -> None:
        """Take the results, in the order of the texts."""
        for k, result in enumerate(results):
            row = {"text": result.name, "failed": result.failed}
            if not result.failed:
                row = self._taken(result.name, result.value)
            if self._options.json or self._merged:
                with temporary_room():
                    self._rows.write((", " if k else "") + json.dumps(row, ensure_ascii=False))

    def _taken(self, name: str, held: dict[str, Any]) -> dict[str, Any]:
        """Count what a text came to; return what is told of it."""
        self._totals.add(held)
        for notes, found in ((self._losses, held["losses"]), (self._notes, held["notes"])):
            for kind, first, count in found:
                notes.add(kind, first, count)
        return {
            "text": name,
            "src": held["names"][0],
            "tgt": held["names"][1],
            "sentences": held["sentences"],
            "beads": held["beads"],
            "output": held["output"],
            "notes": [first for _, first, _ in held["notes"]],
        }

    def finish(self, failures: list[Failure]) -> int:
        """Tell what was done; return the exit status."""
        options = self._options
        if failures and not self._totals.texts:
            raise nothing_done(failures)
        status = tell_failures(failures, options)
        notes = [] if not self._totals.left else [
            f"left out: beads less probable than {options.min_score:g}: {self._totals.left:,}"
        ]  # fmt: skip
        notes += [f"lost: {note}" for note in self._losses.all()]
        notes += map(str, self._notes.all())
        done = self._totals.told(0.0 if self._merged else time.monotonic() - self._begun)
        tell([done, *self.told, *notes], options, most=9)
        if options.json or self._merged:
            place = options.output if self._merged else "-"
            if place == "-" and sys.stdout is None:
                raise InputError("standard output is closed: open it, or name a file")
            deliver(self._document(notes), argparse.Namespace(output=place))
        return status

    def _document(self, notes: list[str]) -> Iterator[str]:
        """Yield the parts of the document of --json."""
        head = json.dumps({"schema": "bitext.align/1", "method": self.method})
        yield f'{head[:-1]}, "texts": ['
        with temporary_room():
            self._rows.seek(0)
        while block := self._rows.read(_HELD):
            yield block
        yield f'], "notes": {json.dumps(notes, ensure_ascii=False)}}}\n'


def merge_summaries(options: argparse.Namespace) -> int:
    """Tell what shards did; return the exit status."""
    failures: list[Failure] = []
    with Summary(options, 0.0) as summary:
        summary.gather(collect(options.parts.results(), failures))
        return summary.finish(failures)
