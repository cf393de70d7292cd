"""A made corpus of texts, a gold standard and a system, for the benchmarks of jobs.

Some hundred texts are written; they stand for all documents in turn, so that a corpus has as many
as are asked for and next to nothing on the disk. This is a module of its own because workers have
to be able to import the task.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.formats.corpora.pairing import Pairing
from bitext.jobs import Document, Result
from bitext.metrics.evaluation import Options
from bitext.scoring.by_jobs import ScoreTask, score_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["CountTask", "hold", "loop", "made_pairing", "many", "pairing_of", "texts_of"]

_held: dict[str, Any] = {}
_KINDS = ((1, 1), (1, 1), (1, 1), (1, 2), (2, 1))


class CountTask(ScoreTask):
    """Scores texts, and keeps nothing: what is left is the work and the layer."""

    def assemble(self, results: Iterable[Result]) -> Any:
        """Count."""
        return sum(not result.failed for result in results)

    def whole(self) -> Any:
        """Nothing."""
        return None


def made_pairing(folder: Path, *, texts: int, segments: int, words: bool = True) -> Pairing:
    """Write texts, a gold standard and a system.

    Parameters
    ----------
    folder : Path
        It is made.
    texts : int
        How many.
    segments : int
        Of each side of each, 20 words long.
    words : bool
        Whether the texts are given, too: without them only positions are scored.

    """
    chance = random.Random(1)  # noqa: S311 - made data
    vocabulary = [f"word{k}" for k in range(2000)]
    for name in ("gold", "hyp", "src", "tgt"):
        (folder / name).mkdir(parents=True)
    for k in range(texts):
        for side in ("src", "tgt"):
            lines = (" ".join(chance.choices(vocabulary, k=20)) + "\n" for _ in range(segments))
            (folder / side / f"t{k}.txt").write_text("".join(lines), encoding="utf-8")
        for name in ("gold", "hyp"):
            (folder / name / f"t{k}.txt").write_text(_ladder(chance, segments), encoding="utf-8")
    return pairing_of(folder, words=words)


def pairing_of(folder: Path, *, words: bool = True) -> Pairing:
    """Return the pairing of a corpus that was written."""
    return Pairing(
        gold=str(folder / "gold"),
        systems={"hyp": str(folder / "hyp")},
        src=str(folder / "src" / "{name}.txt") if words else None,
        tgt=str(folder / "tgt" / "{name}.txt") if words else None,
        gold_format="vecalign",
        hyp_format="vecalign",
    )


def _ladder(chance: random.Random, segments: int) -> str:
    """Draw an alignment of so many segments a side."""
    i = j = 0
    lines = []
    while i < segments or j < segments:
        a, b = chance.choice(_KINDS)
        a, b = min(a, segments - i), min(b, segments - j)
        lines.append(f"{list(range(i, i + a))}:{list(range(j, j + b))}\n")
        i, j = i + a, j + b
    return "".join(lines)


def hold(folder: str, texts: int) -> int:
    """Hold a corpus that was written, so many times over, for `loop`: in a process of its own."""
    pairing = pairing_of(Path(folder))
    _held["task"] = CountTask(pairing=pairing, options=Options())
    _held["documents"] = list(many(texts_of(pairing), texts))
    return loop(10)


def loop(texts: int | None = None) -> int:
    """Do the work of what is held in a plain loop; return how many documents that were."""
    task: CountTask = _held["task"]
    some = _held["documents"][:texts]
    found: int = task.assemble(Result(d.number, d.name, task.work(d.item)) for d in some)
    return found


def texts_of(pairing: Pairing) -> list[Document]:
    """Return the documents that there are."""
    return list(score_documents(pairing))


def many(made: list[Document], count: int) -> Iterator[Document]:
    """Yield the documents again and again, until there are so many."""
    for number in range(count):
        one = made[number % len(made)]
        yield Document(number, f"d{number}", one.item, one.files)
