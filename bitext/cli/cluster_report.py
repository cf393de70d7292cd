"""The report of `bitext cluster`: the five presets side by side, on the clusters given."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.cli.comparable import analysed, chosen, joining, names_of
from bitext.cli.progress import Progress
from bitext.errors import InputError
from bitext.paths import files_in, is_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.align.words.word_options import WordOptions
    from bitext.metrics.lattice_figures import Figures
    from bitext.model import Cluster, Lattice

__all__ = ["report"]


def report(clusters: Sequence[Cluster], style: str, options: argparse.Namespace) -> str:
    """Align the clusters by every preset, and return the figures of their lattices."""
    from bitext.reports.lattice_scores import caption, flat_table, score_table, to_json

    golds = _golds(clusters, options)
    bare = any(not sentence.analysed for cluster in clusters for sentence in cluster)
    syntax = (options.parser or "english") if bare else "given"
    clusters = analysed(list(clusters), options)
    presets = _presets(clusters, options)
    work = [(name, k) for name in presets for k in range(len(clusters))]
    scores: dict[str, list[Figures]] = {name: [] for name in presets}
    progress = Progress("aligning", len(work), quiet=options.quiet)
    with closing(progress.over(work)) as items:
        for name, k in items:
            scores[name].append(_figures(clusters[k], presets[name], golds[k], syntax, options))
    names = names_of(clusters)
    if style == "json":
        return json.dumps(to_json(scores, names), ensure_ascii=False) + "\n"
    if style == "tsv":
        return flat_table(scores, names).render(style)
    table = score_table(scores, names, texts=options.per_cluster).render(style)
    return f"{caption(scores, names)}\n{table}" if style == "table" else table


def _presets(clusters: Sequence[Cluster], options: argparse.Namespace) -> dict[str, WordOptions]:
    """Return the five presets with the other options given; those by words where syntax lacks."""
    from bitext.align.words.word_options import PRESETS

    asked = chosen(options)
    analysed = all(sentence.analysed for cluster in clusters for sentence in cluster)
    return {
        name: replace(
            preset,
            forms=asked.forms,
            borders=asked.borders,
            figure4=asked.figure4,
            stop_words=asked.stop_words,
        )
        for name, preset in PRESETS.items()
        if analysed or not preset.syntax
    }


def _figures(
    cluster: Cluster,
    preset: WordOptions,
    gold: Lattice | None,
    syntax: str,
    options: argparse.Namespace,
) -> Figures:
    """Return the figures of a cluster by a preset; their signature tells all that changes them."""
    from bitext.align import align_cluster, leave_one_out
    from bitext.metrics import lattice_figures

    how = joining(options)
    lattice = align_cluster(cluster, preset=preset, **how)
    others = leave_one_out(cluster, preset=preset, **how) if len(cluster) > 1 else None
    found = lattice_figures(lattice, held_out=others, gold=gold, seed=options.seed)
    made = f"order:{how['order']}|normalised:{'yes' if how['normalise'] else 'no'}"
    signature = f"{preset.signature}|{made}|parser:{syntax}|{found.signature}"
    return replace(found, signature=signature)


def _golds(clusters: Sequence[Cluster], options: argparse.Namespace) -> list[Lattice | None]:
    """Return the gold lattice of each cluster: by name, or in order where names do not tell."""
    if options.gold is None:
        return [None] * len(clusters)
    found = _read_golds(options.gold)
    if len(found) != len(clusters):
        raise InputError(
            f"{options.gold}: holds {len(found)} lattices for {len(clusters)} clusters; want one "
            f"for each: a file, a document of several, or a folder"
        )
    names = names_of(clusters)
    by_name = {gold.cluster.id: gold for gold in found}
    golds = [by_name[name] for name in names] if by_name.keys() == set(names) else found
    for name, cluster, gold in zip(names, clusters, golds, strict=True):
        _check_gold(gold, cluster, f"{options.gold}: the lattice of {name}")
    return list(golds)


def _read_golds(place: str) -> list[Lattice]:
    from bitext.formats.clusters import read_comparable
    from bitext.model import Lattice

    paths = [place]
    if place != "-" and is_folder(place):
        paths = [str(path) for path in files_in(place) if ".json" in path.name]
    found = []
    for path in paths:
        for one in read_comparable(path, kind="json"):
            if not isinstance(one, Lattice):
                raise InputError(
                    f"{path}: holds no lattice; want what 'bitext cluster FILE -o NAME.json' writes"
                )
            found.append(one)
    return found


def _check_gold(gold: Lattice, cluster: Cluster, where: str) -> None:
    """Refuse a lattice of other sentences."""
    ours = [sentence.forms for sentence in cluster]
    theirs = [sentence.forms for sentence in gold.cluster]
    if len(ours) != len(theirs):
        raise InputError(
            f"{where} has {len(theirs)} sentences, the cluster {len(ours)}; "
            f"want a lattice of the same sentences"
        )
    k = next((k for k in range(len(ours)) if ours[k] != theirs[k]), None)
    if k is not None:
        raise InputError(
            f"{where}: sentence {k + 1} is {' '.join(theirs[k])!r:.50}, in the cluster "
            f"{' '.join(ours[k])!r:.50}; want a lattice of the same sentences"
        )
