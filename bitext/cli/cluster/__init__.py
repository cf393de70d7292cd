"""`bitext cluster`: comparable sentences, aligned to a word lattice."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bitext.cli.cluster.inputs import (
    aligned,
    analysed,
    check_stdin,
    chosen,
    joining,
    names_of,
    of_articles,
    parser_of,
    read_clusters,
)
from bitext.cli.cluster.options import check, parser
from bitext.cli.cluster.outputs import check_place, document, kind_asked, write
from bitext.cli.cluster.request import ClusterRequest
from bitext.cli.common import deliver, protected_outputs, style_of, tell, whole_number
from bitext.cli.console import Progress
from bitext.cli.job_options import (
    add_jobs,
    collect,
    jobs_asked,
    nothing_done,
    refuse_streams,
    refuse_unwritten,
    run_jobs,
    shard_done,
    split,
    tell_failures,
)
from bitext.cli.request import request_of
from bitext.errors import InputError, OptionError
from bitext.paths import files_in, is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.words.options import WordOptions
    from bitext.jobs import Outcome
    from bitext.metrics.lattice_metrics import Figures
    from bitext.model import Cluster, Lattice

__all__ = ["cluster", "report", "run"]


# The report of `bitext cluster`: the five presets side by side, on the clusters given.


def report(clusters: Sequence[Cluster], style: str, request: ClusterRequest) -> str:
    """Align the clusters by every preset, and return the figures of their lattices."""
    from bitext.reports.lattice.page import caption, flat_table, score_table, to_json

    golds = _golds(clusters, request)
    bare = any(not sentence.analysed for cluster in clusters for sentence in cluster)
    syntax = (request.parser or "english") if bare else "given"
    clusters = analysed(list(clusters), request)
    presets = _presets(clusters, request)
    work = [(name, k) for name in presets for k in range(len(clusters))]
    scores: dict[str, list[Figures]] = {name: [] for name in presets}
    progress = Progress("aligning", len(work), quiet=request.quiet)
    with closing(progress.over(work)) as items:
        for name, k in items:
            scores[name].append(_figures(clusters[k], presets[name], golds[k], syntax, request))
    names = names_of(clusters)
    if style == "json":
        return json.dumps(to_json(scores, names), ensure_ascii=False) + "\n"
    if style == "tsv":
        return flat_table(scores, names).render(style)
    table = score_table(scores, names, texts=request.per_cluster).render(style)
    return f"{caption(scores, names)}\n{table}" if style == "table" else table


def _presets(clusters: Sequence[Cluster], request: ClusterRequest) -> dict[str, WordOptions]:
    """Return the five presets with the other options given; those by words where syntax lacks."""
    from bitext.align.words.options import PRESETS

    asked = chosen(request)
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
    request: ClusterRequest,
) -> Figures:
    """Return the figures of a cluster by a preset; their signature tells all that changes them."""
    from bitext.align import align_cluster, leave_one_out
    from bitext.metrics import lattice_figures

    how = joining(request)
    lattice = align_cluster(cluster, preset=preset, **how)
    others = leave_one_out(cluster, preset=preset, **how) if len(cluster) > 1 else None
    found = lattice_figures(lattice, held_out=others, gold=gold, seed=request.seed)
    made = f"order:{how['order']}|normalised:{'yes' if how['normalise'] else 'no'}"
    signature = f"{preset.signature}|{made}|parser:{syntax}|{found.signature}"
    return replace(found, signature=signature)


def _golds(clusters: Sequence[Cluster], request: ClusterRequest) -> list[Lattice | None]:
    """Return the gold lattice of each cluster: by name, or in order where names do not tell."""
    if request.gold is None:
        return [None] * len(clusters)
    found = _read_golds(request.gold)
    if len(found) != len(clusters):
        raise InputError(
            f"{request.gold}: holds {len(found)} lattices for {len(clusters)} clusters; want one "
            f"for each: a file, a document of several, or a folder"
        )
    names = names_of(clusters)
    by_name = {gold.cluster.id: gold for gold in found}
    golds = [by_name[name] for name in names] if by_name.keys() == set(names) else found
    for name, cluster, gold in zip(names, clusters, golds, strict=True):
        _check_gold(gold, cluster, f"{request.gold}: the lattice of {name}")
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


_WITH_SYNTAX = {"json", "graphml", "html"}  # kinds of files that hold it


def run(arguments: Sequence[str]) -> int:
    """Align clusters."""
    request = request_of(ClusterRequest, add_jobs(parser()), arguments)
    with protected_outputs(request):
        return cluster(request)


def cluster(request: ClusterRequest) -> int:
    """Align clusters as the options ask, here or by jobs; or put together what shards did."""
    by_jobs = jobs_asked(request)
    if by_jobs and (request.explain or request.report):
        raise OptionError("--explain and --report are not done by jobs: leave --jobs and such out")
    refuse_unwritten(request)
    run, presentation = split("cluster", request)
    target = request.output
    for place in (target, *([request.html] if request.html is not None else [])):
        check_place(place)
    kind = kind_asked(request)
    check(request, kind)
    check_stdin([*request.files, request.trees, request.gold])
    refuse_streams([*request.files, request.trees], request, read_here=True)
    # A lattice is no table.
    printed = replace(request, output="-" if kind is not None else target)
    style = style_of(printed)
    by_words = not chosen(request).syntax
    gather = of_articles if request.by else read_clusters
    merged = request.parts is not None
    clusters, notes = ([], []) if merged else gather(request.files, request)
    if request.explain:
        tell(notes, request)
        deliver(_explained(clusters, request.explain, request), printed)
        return 0
    if request.report:
        text = report(clusters, style, request)
        tell(notes, request)
        deliver(text, printed)
        return 0
    held = {kind, "json" if request.json else None, "html" if request.html else None}
    wanted = not by_words or bool(held & _WITH_SYNTAX)
    status = 0
    if by_jobs:
        done = _by_jobs(clusters, wanted, request, run, presentation)
        if request.shard is not None:
            return shard_done(done, request)
        lattices, status = done.output, tell_failures(done.failures, request)
        if not lattices:
            raise nothing_done(done.failures)
    else:
        clusters = analysed(clusters, request, wanted=wanted)
        progress = Progress("aligning", len(clusters), quiet=request.quiet)
        with closing(progress.over(clusters)) as items:
            lattices = [aligned(each, request) for each in items]
    tell(notes, request)
    places = [(target, kind)] if kind is not None else []
    places += [(request.html, "html")] if request.html else []
    write(lattices, names_of([lattice.cluster for lattice in lattices]), places, request)
    if kind is None and (request.html != "-" or target != "-"):
        deliver(_shown(lattices, style, request), printed)
    return status


def _by_jobs(
    clusters: list[Cluster],
    wanted: bool,
    request: ClusterRequest,
    run: dict[str, Any],
    presentation: dict[str, Any],
) -> Outcome:
    """Align clusters by jobs, or take what shards did."""
    from functools import partial

    from bitext.jobs import Outcome
    from bitext.jobs.tasks import ClusterTask, cluster_documents

    parses = request.parser != "none" and (wanted or request.parser is not None)
    if not parses:
        clusters = analysed(clusters, request, wanted=wanted)  # which refuses what lacks it
    run["parses"] = parses
    task = ClusterTask(
        preset=chosen(request),
        joining=joining(request),
        parser=partial(parser_of, request) if parses else None,
        run=run,
        presentation=presentation,
    )
    parts = request.parts
    if parts is not None:
        outcome = Outcome()
        outcome.output = task.assemble(collect(parts.results(), outcome.failures))
        return outcome
    files = [path for path in (*request.files, request.trees) if path not in {None, "-"}]
    several = files if not request.by and len(files) == len(clusters) == 1 else []
    documents = cluster_documents(clusters, names_of(clusters), several)
    return run_jobs(documents, task, request, what="clusters")


def _shown(lattices: Sequence[Lattice], style: str, request: ClusterRequest) -> str:
    """Return what is printed: JSON, the alignment table of one cluster, or a list of several."""
    several = len(lattices) > 1 or bool(request.by)
    if style == "json":
        return document(lattices, several=several, minimal=request.minimise)

    from bitext.reports.lattice.tables import alignment_blocks, alignment_table, cluster_table

    if several:
        names = names_of([lattice.cluster for lattice in lattices])
        return cluster_table(names, lattices).render(style)
    if style == "table":
        return alignment_blocks(lattices[0], shutil.get_terminal_size().columns)
    if style == "tsv":
        from bitext.formats.lattices import text_of

        return "".join(text_of(lattices[0], "tsv"))
    return alignment_table(lattices[0]).render(style)


def _explained(clusters: Sequence[Cluster], words: Sequence[str], request: ClusterRequest) -> str:
    """Return why two words match or do not, and whether they are one node of the lattice."""
    if len(clusters) > 1:
        raise OptionError(f"--explain is for one cluster: {len(clusters)} are given")
    from bitext.align.words.explanation import explain
    from bitext.reports.table import printable

    (a, i), (b, j) = (_place(text, clusters[0]) for text in words)
    if a == b:
        raise OptionError(f"--explain: both words are of sentence {a + 1}; name two sentences")
    if a > b:  # the earlier sentence comes first, as in the lattice
        (a, i), (b, j) = (b, j), (a, i)
    names = clusters[0].names
    wanted = chosen(request)
    (cluster,) = analysed([clusters[0]], request, wanted=wanted.syntax)
    first, second = cluster[a], cluster[b]
    told = f"{explain(first, second, i, j, preset=wanted)}\n"
    if len(cluster) > 2:
        told = told.rstrip("\n") + ", the two sentences by themselves\n"
        told += f"  in the lattice: {_nodes(cluster, (a, i), (b, j), request)}\n"
    heads = (
        f"{side}: {printable(name)}: {printable(' '.join(sentence.forms))}\n"
        for side, name, sentence in (("first", names[a], first), ("second", names[b], second))
    )
    return f"{''.join(heads)}{told}"


def _nodes(
    cluster: Cluster, one: tuple[int, int], other: tuple[int, int], request: ClusterRequest
) -> str:
    """Return whether two words are one node of the lattice, else what their sentences join through.

    Only a sentence and the one that it joins through are aligned as a pair: two others may match
    word by word, and share no node.
    """
    from bitext.align.words.progressive import align_cluster, joins_of_cluster
    from bitext.reports.table import printable

    wanted, order = chosen(request), request.order or "cluster"
    lattice = align_cluster(cluster, preset=wanted, order=order, normalise=request.normalise)
    nodes = [lattice.path(sentence)[word + 1] for sentence, word in (one, other)]
    if nodes[0] == nodes[1]:
        return "one node"
    joins = dict(joins_of_cluster(cluster, preset=wanted, order=order, normalise=request.normalise))
    names = [printable(name) for name in cluster.names]
    told = []
    for sentence, word in (one, other):
        through = joins[sentence]
        if through is None:
            told.append(f"{names[sentence]} is the first to join")
            continue
        partner = _partner(lattice, (sentence, word), through)
        with_what = "no word" if partner is None else f"word {partner + 1}"
        told.append(
            f"{names[sentence]} joins through {names[through]}, where its word {word + 1} is "
            f"aligned with {with_what}"
        )
    return f"two nodes: sentence {', and sentence '.join(told)}"


def _partner(lattice: Lattice, place: tuple[int, int], through: int) -> int | None:
    """Return the word of another sentence that a word is aligned with, if any."""
    for pair in lattice.pairs:
        if place in pair:
            sentence, word = pair[1 - pair.index(place)]
            if sentence == through:
                return word
    return None


def _place(text: str, cluster: Cluster) -> tuple[int, int]:
    """Return sentence and word of `SENTENCE:WORD`; both by number from 1, or the id or the form."""
    name, colon, word = text.rpartition(":")
    if word == "" and name.endswith(":"):  # the word is a colon
        name, word = name[:-1], ":"
    if not colon or not name or not word:
        raise OptionError(f"--explain {text!r}: want SENTENCE:WORD, as 1:4 or 1:Milan")
    names = cluster.names
    if name in names:
        s = names.index(name)
    elif 1 <= (number := whole_number(name) or 0) <= len(cluster):
        s = number - 1
    else:
        raise OptionError(
            f"--explain {text!r:.60}: no sentence {name!r:.40} of 1 to {len(cluster)}"
        )
    forms = cluster[s].forms
    for normal in (str, str.casefold):
        found = [k for k, form in enumerate(forms) if normal(form) == normal(word)]
        if len(found) > 1:
            numbers = ", ".join(str(k + 1) for k in found)
            raise OptionError(
                f"--explain {text!r}: sentence {name} has it as words {numbers}; give one"
            )
        if found:
            return s, found[0]
    if 1 <= (number := whole_number(word) or 0) <= len(forms):
        return s, number - 1
    raise OptionError(
        f"--explain {text!r:.60}: no word {word!r:.40} in sentence {name}: {' '.join(forms):.60}"
    )
