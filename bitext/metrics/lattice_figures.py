"""The figures of a lattice: how large it is, how much it joins, what its paths are worth."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Literal, NamedTuple

import bitext
from bitext.metrics.edgain import EdGain, edgain
from bitext.metrics.novelty import path_novelty, trigram_novelty
from bitext.metrics.repetition_ratio import RepetitionRatio, repetition_ratio
from bitext.metrics.word_links import word_links
from bitext.model import Counts, Ratio
from bitext.model.lattice import want_lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from bitext.model import Lattice

__all__ = ["Figure", "Figures", "compression", "lattice_figures", "over_clusters"]


class Figure(NamedTuple):
    """One figure of a lattice.

    Attributes
    ----------
    name : str
        Its name.
    value : int or float
        A count, as large as it is, or a share or a mean; `nan` where it is undefined.
    better : {"higher", "lower", ""}
        Which way it points; neither for what only tells of size.
    exact : bool
        Whether it was counted; if not, it was estimated from paths that were drawn.
    average : {"", "sum", "micro", "macro"}
        How it was had of several clusters.

    """

    name: str
    value: float
    better: Literal["higher", "lower", ""] = ""
    exact: bool = True
    average: Literal["", "sum", "micro", "macro"] = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What there is to say of a lattice in numbers.

    Attributes
    ----------
    sentences, words : int
        Of the cluster.
    nodes, arcs : int
        Of the lattice; nodes without start and accept, so a node holds words.
    paths : int
        From start to accept, exactly.
    compression : Ratio
        As of `compression`.
    path_novelty, trigram_novelty : Ratio
        As of the functions of these names.
    repetition : RepetitionRatio
        As of `repetition_ratio`.
    edgain : EdGain or None
        As of `edgain`; `None` where no lattices of the others were given.
    links : Counts or None
        The words aligned, held against another alignment (`word_links`), where there is one.
    signature : str
        Every choice that changes a figure, and the version.

    """

    sentences: int
    words: int
    nodes: int
    arcs: int
    paths: int
    compression: Ratio
    path_novelty: Ratio
    trigram_novelty: Ratio
    repetition: RepetitionRatio
    edgain: EdGain | None
    links: Counts | None
    signature: str

    def all(self) -> list[Figure]:
        """Return every figure by its name, in the order of reading."""
        found = [
            Figure("sentences", self.sentences),
            Figure("words", self.words),
            Figure("nodes", self.nodes),
            Figure("arcs", self.arcs),
            Figure("paths", self.paths),
            Figure("compression", self.compression.value, "higher"),
            Figure("path-novelty", self.path_novelty.value),
            Figure("trigram-novelty", self.trigram_novelty.value),
            Figure("repetition-ratio", self.repetition.value, "lower", exact=self.repetition.exact),
        ]
        if self.edgain is not None:
            found += [
                Figure("edgain", self.edgain.value, "higher"),
                Figure("edgain-per-word", self.edgain.per_word.value, "higher"),
                Figure("edits-saved", self.edgain.saved.value, "higher"),
            ]
        if self.links is not None:
            found += [
                Figure("link-precision", self.links.precision, "higher"),
                Figure("link-recall", self.links.recall, "higher"),
                Figure("link-f1", self.links.f1, "higher"),
            ]
        return found


def compression(lattice: Lattice) -> Ratio:
    """Share of the words that need no node of their own: 1 - nodes / words.

    0 when no words are aligned, and nearer to 1 the more words stand at one node; never 1. Start
    and accept are not counted. 1 less this is the number of states a word.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Rome".split())])
    >>> compression(Lattice(c, [[1, 2, 3], [4, 2, 3]]))
    Ratio(2, 6)

    """
    words = lattice.cluster.words
    return Ratio(words - (len(lattice) - 2), words)


def lattice_figures(
    lattice: Lattice,
    *,
    held_out: Iterable[Lattice] | None = None,
    gold: Lattice | None = None,
    leave_out: Collection[str] = (),
    steps: int = 300_000,
    draws: int = 10_000,
    seed: int = 1,
) -> Figures:
    """Every figure of a lattice.

    Parameters
    ----------
    lattice : Lattice
        What is to be judged.
    held_out : iterable of Lattice, optional
        For `edgain`: of each sentence the lattice of the others, made as this one was.
    gold : Lattice, optional
        For the words aligned (`word_links`): an alignment of the same sentences.
    leave_out, steps, draws, seed
        As of `repetition_ratio`.

    Returns
    -------
    Figures

    Raises
    ------
    InputError
        When it is no `Lattice`, and as `edgain` and `word_links` do.
    OptionError
        As `repetition_ratio` does.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Milan".split())])
    >>> found = lattice_figures(Lattice(c, [[1, 2, 3], [4, 2, 5]]))
    >>> [(figure.name, round(figure.value, 4)) for figure in found.all()][3:6]
    [('arcs', 8), ('paths', 4), ('compression', 0.1667)]
    >>> found.signature.split("|")[:2]
    ['lattice', 'repetition:exact']

    """
    want_lattice(lattice)
    repeated = repetition_ratio(lattice, leave_out=leave_out, steps=steps, draws=draws, seed=seed)
    novel = path_novelty(lattice)
    return Figures(
        sentences=len(lattice.cluster),
        words=lattice.cluster.words,
        nodes=len(lattice) - 2,
        arcs=len(lattice.arcs.tail),
        paths=int(novel.denominator),
        compression=compression(lattice),
        path_novelty=novel,
        trigram_novelty=trigram_novelty(lattice),
        repetition=repeated,
        edgain=None if held_out is None else edgain(lattice.cluster, held_out),
        links=None if gold is None else word_links(gold, lattice),
        signature=_signature(repeated, len(frozenset(leave_out)), seed),
    )


def _signature(repeated: RepetitionRatio, left_out: int, seed: int) -> str:
    parts = ["lattice"]
    parts.append(
        "repetition:exact" if repeated.exact else f"repetition:{repeated.drawn}-paths|seed:{seed}"
    )
    if left_out:
        parts.append(f"left-out:{left_out}-words")
    return "|".join([*parts, f"bitext:{bitext.__version__}"])


def over_clusters(figures: Sequence[Figures]) -> list[Figure]:
    """Return the figures of several lattices as one.

    Sizes and paths are sums. Compression, edgain and the words aligned are pooled (`micro`). The
    shares of paths are means over clusters (`macro`): pooled, the cluster with the most paths would
    be all that counts. Clusters where a share is undefined are left out of its mean. What not all
    of the lattices have (edgain, words aligned) is left out.

    Parameters
    ----------
    figures : sequence of Figures
        One a cluster, one or more.

    """
    rows = [one.all() for one in figures]
    shared = set.intersection(*({figure.name for figure in row} for row in rows))
    table = [[figure for figure in row if figure.name in shared] for row in rows]
    out = []
    for column in zip(*table, strict=True):
        figure = column[0]
        pool = _POOLED.get(figure.name)
        if pool is not None:
            out.append(figure._replace(value=pool(figures), average="micro"))
        elif figure.name in _SIZES:
            out.append(figure._replace(value=sum(one.value for one in column), average="sum"))
        else:
            known = [one.value for one in column if not isnan(one.value)]
            out.append(
                figure._replace(
                    value=sum(known) / len(known) if known else nan,
                    exact=all(one.exact for one in column),
                    average="macro",
                )
            )
    return out


_SIZES = {"sentences", "words", "nodes", "arcs", "paths"}


def _gain(figures: Sequence[Figures]) -> EdGain:
    return sum((one.edgain for one in figures if one.edgain is not None), EdGain((), (), ()))


def _links(figures: Sequence[Figures]) -> Counts:
    return sum((one.links for one in figures if one.links is not None), Counts(0, 0, 0))


_POOLED: dict[str, Callable[[Sequence[Figures]], float]] = {
    "compression": lambda figures: sum((one.compression for one in figures), Ratio(0, 0)).value,
    "edgain": lambda figures: _gain(figures).value,
    "edgain-per-word": lambda figures: _gain(figures).per_word.value,
    "edits-saved": lambda figures: _gain(figures).saved.value,
    "link-precision": lambda figures: _links(figures).precision,
    "link-recall": lambda figures: _links(figures).recall,
    "link-f1": lambda figures: _links(figures).f1,
}
