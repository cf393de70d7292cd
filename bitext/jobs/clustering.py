"""Aligning clusters by jobs: a cluster goes out, its lattice comes back, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.jobs.task import CommandTask, Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.align.words.word_options import WordOptions
    from bitext.jobs.task import Result
    from bitext.model import Cluster, Lattice
    from bitext.syntax.parsers import Parser

__all__ = ["ClusterTask", "cluster_documents"]


def cluster_documents(
    clusters: Sequence[Cluster], names: Sequence[str], files: Sequence[str] = ()
) -> Iterator[Document]:
    """Yield a document for each cluster; any of the files may have been read for it."""
    pairs = zip(names, clusters, strict=True)
    for number, (name, cluster) in enumerate(pairs):
        yield Document(number, name, cluster, tuple(files))


@dataclass(kw_only=True)
class ClusterTask(CommandTask):
    """Aligns clusters.

    Attributes
    ----------
    preset : WordOptions
        How words are aligned.
    joining : dict
        How sentences join: `order`, `normalise`.
    parser : callable or None
        Makes what gives syntax to sentences that have none; `None`: nothing does.
    run, presentation : dict
        As of `CommandTask`.

    """

    preset: WordOptions
    joining: dict[str, Any]
    parser: Callable[[], Parser | None] | None = None
    _made: Parser | None = None

    def prepare(self) -> None:
        """Load the parser."""
        if self.parser is not None:
            self._made = self.parser()

    def work(self, item: Cluster) -> Any:
        """Align a cluster."""
        from bitext.align import align_cluster
        from bitext.formats.lattice_json import object_of
        from bitext.syntax.analysis import analyse

        if self._made is not None and not all(sentence.analysed for sentence in item):
            item = analyse(item, self._made)
        return object_of(align_cluster(item, preset=self.preset, **self.joining))

    def assemble(self, results: Iterable[Result]) -> list[Lattice]:
        """Return the lattices; where one failed there is none."""
        from bitext.formats.lattice_reading import lattice_of

        return [
            lattice_of(result.value, path=result.name) for result in results if not result.failed
        ]
