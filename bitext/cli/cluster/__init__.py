"""`bitext cluster`: comparable sentences, aligned to a word lattice."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.cluster.request import (
    DRAWN,
    ClusterPlan,
    ClusterRequest,
    align,
    distinct_names,
    make_parser,
    names_of,
    note_lines,
    parse,
    parser,
    read_clusters,
    script_notes,
)
from bitext.cli.common import json_line, make_folder, write_file
from bitext.cli.console import Progress
from bitext.cli.job_options import refuse_all_failed
from bitext.cli.option_tables import whole_number
from bitext.cli.request import request_of
from bitext.errors import InputError, OptionError, few, many
from bitext.paths import files_in, is_file, is_folder

if TYPE_CHECKING:
    from bitext.align.words.event_clusters import ArticleEvent
    from bitext.align.words.options import WordOptions
    from bitext.jobs import Outcome
    from bitext.metrics.lattice_metrics import Figures
    from bitext.model import Cluster, Lattice

_INDEX = "index"  # name of the page in a folder that lists the others
_COUNTS = 8  # sizes of events in a note, at most; set by hand
_PARAPHRASES = 20  # on the page of a lattice, at most; set by hand
_LONGEST = 80  # characters of the name of a file; set by hand, below the 255 bytes of file systems


def run(arguments: Sequence[str]) -> int:
    """Align clusters as the arguments ask; return the exit status."""
    request = request_of(ClusterRequest, parser(), arguments)
    with request.protected_outputs():
        return cluster(request)


def cluster(request: ClusterRequest) -> int:
    """Align clusters here or by jobs, or merge shards; return the exit status."""
    plan = request.resolve()
    places = [(request.output, plan.kind)] if plan.kind is not None else []
    places += [(request.html, "html")] if request.html else []
    earlier = [(place, kind, _earlier_files(place, kind, request)) for place, kind in places]
    clusters: list[Cluster] = []
    notes: list[str] = []
    titles: dict[str, str] = {}
    if request.parts is None and request.by:
        clusters, titles, notes = _clusters_of_articles(request, plan.options)
    elif request.parts is None:
        clusters, notes = read_clusters(request, plan.options)
    if request.explain:
        request.print_notes(notes)
        plan.printed.deliver(_explain(clusters, request.explain, request, plan.options))
        return 0
    if request.report:
        text = _report(clusters, request, plan)
        request.print_notes(notes)
        plan.printed.deliver(text)
        return 0
    status = 0
    if plan.by_jobs:
        outcome = _align_by_jobs(clusters, request, plan)
        if request.shard is not None:
            return request.finish_shard(outcome)
        lattices, status = outcome.output, request.print_failures(outcome.failures)
        refuse_all_failed(outcome.failures, len(lattices))
    else:
        clusters = parse(clusters, request, plan.options, needed=plan.needs_syntax)
        progress = Progress("aligning", len(clusters), quiet=request.quiet)
        with closing(progress.over(clusters)) as items:
            lattices = [align(each, request, plan.options) for each in items]
    request.print_notes(notes)
    names = names_of([lattice.cluster for lattice in lattices])
    events = [titles.get(name, "") for name in names]
    _write(lattices, names, places, request, plan, events)
    request.print_notes(_left_files(earlier, names))
    if plan.kind is None and (request.html != "-" or request.output != "-"):
        plan.printed.deliver(_shown(lattices, plan, request))
    return status


def _clusters_of_articles(
    request: ClusterRequest, options: WordOptions
) -> tuple[list[Cluster], dict[str, str], list[str]]:
    """Find clusters among the sentences of articles; return them, their events, and notes.

    Events are by the name of the cluster; there are none if all clusters are of one event.
    """
    from bitext.align.words.event_clusters import (
        EVENT_THRESHOLD,
        article_events,
        documents_of,
        event_clusters,
    )
    from bitext.formats.clusters import read_articles
    from bitext.formats.io.source import Notes

    by = request.by or "term"
    if request.trees is not None:
        raise OptionError("--trees names the trees of one cluster: leave it or --by out")
    if request.keep_aux:
        raise OptionError(
            "--keep-aux is for trees, which articles do not have: leave it or --by out"
        )
    notes = Notes()
    articles = read_articles(
        request.files, encoding=request.encoding, main_text=request.main_text, notes=notes
    )
    limits = {
        "min_size": request.min_size,
        "max_size": request.max_size,
        "min_documents": request.min_documents,
        "threshold": request.threshold,
        "most": request.most,
    }
    # Options that are not given keep the defaults of `event_clusters`.
    given: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
    documents = documents_of(articles)
    events: list[ArticleEvent] = []
    if by != "overlap":
        given["events"] = events = article_events(
            [sentences for _, sentences in documents],
            events=request.events,
            threshold=request.event_threshold or EVENT_THRESHOLD,
        )
    found = event_clusters(documents, by=by, **given)
    clusters = [one.cluster for one in found]
    if not clusters:
        less = ": lower --threshold" if by == "overlap" else ": lower --event-threshold"
        of_articles = f"{len(articles)} article{'s' if len(articles) > 1 else ''}"
        raise InputError(
            f"no sentences of {of_articles} go together{less}; want several on one event"
        )
    titles = {one.name: one.event.title for one in found if one.event and len(events) > 1}
    lines = [
        *note_lines(notes),
        *_event_notes(events, request),
        *script_notes(clusters, request.parser, options),
    ]
    return clusters, titles, lines


def _event_notes(events: Sequence[ArticleEvent], request: ClusterRequest) -> list[str]:
    """Return a note on the events; none if all articles are of one and clusters are by term."""
    if not events or (request.by == "term" and len(events) == 1):
        return []
    sizes = [len(event.documents) for event in events]
    event_sizes = [size for size in sizes if size > 1]
    articles, on, single_count = sum(sizes), sum(event_sizes), sizes.count(1)
    counts = few([*map(str, event_sizes)], _COUNTS)
    note = f"{many(articles, 'article')}"
    if event_sizes:
        note += f": {on:,} on {many(len(event_sizes), 'event')} ({counts})"
        note += f", {single_count:,} alone" * (single_count > 0)
    else:
        note += " on no common event"
    remedy = "" if request.events else "; --events N sets the number of events"
    return [f"{note}{remedy}"]


def _align_by_jobs(clusters: list[Cluster], request: ClusterRequest, plan: ClusterPlan) -> Outcome:
    """Align clusters by jobs, or merge the results of shards."""
    from bitext.jobs.task import numbered
    from bitext.jobs.tasks import ClusterTask

    run, shown = request.split_options("cluster")
    parses = request.parser != "none" and (plan.needs_syntax or request.parser is not None)
    if not parses:  # refuses sentences without syntax where it is needed
        clusters = parse(clusters, request, plan.options, needed=plan.needs_syntax)
    run["parses"] = parses
    task = ClusterTask(
        preset=plan.options,
        joining=request.joining(),
        parser=partial(make_parser, request) if parses else None,
        run=run,
        presentation=shown,
    )
    files = [path for path in (*request.files, request.trees) if path and path != "-"]
    sources = files if not request.by and len(files) == len(clusters) == 1 else []
    named = zip(names_of(clusters), clusters, strict=True)
    documents = numbered((name, cluster, sources) for name, cluster in named)
    return request.run_or_merge(documents, task, what="clusters")


def _shown(lattices: Sequence[Lattice], plan: ClusterPlan, request: ClusterRequest) -> str:
    """Return JSON, the alignment table of one cluster, or a list of several."""
    has_several, style = len(lattices) > 1 or bool(request.by), plan.style
    if style == "json":
        return _document(lattices, plan, has_several=has_several, minimal=request.minimise)

    from bitext.reports.lattice.page import alignment_blocks, alignment_table, cluster_table

    if has_several:
        names = names_of([lattice.cluster for lattice in lattices])
        return cluster_table(names, lattices).render(style)
    if style == "table":
        return alignment_blocks(lattices[0], shutil.get_terminal_size().columns)
    if style == "tsv":
        from bitext.formats.lattices import text_of

        return "".join(text_of(lattices[0], "tsv"))
    return alignment_table(lattices[0]).render(style)


# Files of lattices: all are written, or none.


def _document(
    lattices: Sequence[Lattice], plan: ClusterPlan, *, has_several: bool, minimal: bool
) -> str:
    """Return one JSON document of a lattice, or of several."""
    if minimal:
        from bitext.align.words.automaton import minimise
        from bitext.formats.lattices import automaton_text

        if has_several:
            raise OptionError(
                "--minimise --json is for one cluster: name a folder (-o FOLDER/), without --json"
            )
        return "".join(automaton_text(minimise(lattices[0]), "json"))
    from bitext.formats.clusters.objects import CLUSTERS_SCHEMA
    from bitext.formats.lattices.reading import json_of, object_of

    if not has_several:
        return "".join(json_of(lattices[0], signature=plan.signature))
    document = {
        "schema": CLUSTERS_SCHEMA,
        "signature": plan.signature,
        "clusters": [object_of(lattice) for lattice in lattices],
    }
    return json_line(document)


def _write(
    lattices: Sequence[Lattice],
    names: Sequence[str],
    places: Sequence[tuple[str, str]],
    request: ClusterRequest,
    plan: ClusterPlan,
    events: Sequence[str],
) -> None:
    """Write lattices to each place in its kind: one to a file, several into a folder.

    A folder of pages has an index. With --json several lattices are one document. All texts are
    made before the first file is written, so that an error leaves no files behind.
    """
    texts: list[tuple[str, str]] = []
    folders = {place for place, _ in places if request.names_folder(place)}
    for place, kind in places:
        if len(lattices) == 1 and place not in folders:
            texts.append((place, _text(lattices[0], kind, request, plan)))
            continue
        if request.json and kind == "json" and place not in folders:
            document = _document(lattices, plan, has_several=True, minimal=request.minimise)
            texts.append((place, document))
            continue
        if place == "-":
            page = kind == "html" and request.html == "-"
            raise InputError(
                f"{len(lattices)} clusters do not fit one {kind} on standard output: name a folder "
                f"({'--html FOLDER/)' if page else '-o FOLDER/), or give --json'}"
            )
        if place not in folders:
            raise InputError(
                f"{place}: {many(len(lattices), 'cluster')} do not fit one file; name a folder, as "
                f"{Path(place).with_suffix('')}/{', or give --json' * (kind == 'json')}"
            )
        files = [f"{name}{_ending(kind)}" for name in _file_names(names)]
        texts += [
            (f"{place.rstrip('/')}/{file}", _text(lattice, kind, request, plan, in_folder=True))
            for file, lattice in zip(files, lattices, strict=True)
        ]
        if kind == "html":
            from bitext.reports.lattice.page import index_page

            texts.append(
                (f"{place.rstrip('/')}/{_INDEX}.html", index_page(names, files, lattices, events))
            )
    for place in folders:
        make_folder(place)
    for path, text in texts:
        write_file(path, text)


def _pages_in(place: str, request: ClusterRequest) -> list[str]:
    """Return the pages that the index in a folder links; refuse the index of somebody else."""
    from bitext.formats.io.remote import local_path
    from bitext.reports.lattice.page import INDEX_TITLE

    folder = local_path(place)
    if folder is None or not request.names_folder(place) or not is_file(folder / f"{_INDEX}.html"):
        return []
    text = (folder / f"{_INDEX}.html").read_text(encoding="utf-8", errors="replace")
    if f"<title>{INDEX_TITLE}</title>" not in text:
        raise InputError(
            f"{folder / _INDEX}.html: is no index of lattices, and would be replaced; name another "
            f"folder"
        )
    return re.findall(r'<a href="([^"/]+\.html)">', text)


def _earlier_files(place: str, kind: str, request: ClusterRequest) -> list[str]:
    """Return the pages or the lattices in JSON that are in the folder of an output."""
    from bitext.formats.io.remote import local_path
    from bitext.formats.lattices.reading import SCHEMA

    if kind == "html":
        return _pages_in(place, request)
    folder = local_path(place)
    if kind != "json" or folder is None or not request.names_folder(place):
        return []
    files = []
    for path in filter(is_file, folder.glob("*.json")):
        with path.open("rb") as file:
            if file.read(len(SCHEMA) + 20).startswith(f'{{"schema": "{SCHEMA}"'.encode()):
                files.append(path.name)
    return files


def _left_files(earlier: Sequence[tuple[str, str, list[str]]], names: Sequence[str]) -> list[str]:
    """Return a note on each folder with pages or lattices that this run has not written."""
    notes = []
    for place, kind, files in earlier:
        left = sorted({*files} - {f"{name}{_ending(kind)}" for name in _file_names(names)})
        if left:
            what = "pages" if kind == "html" else "lattices"
            beside = "the index" if kind == "html" else "these"
            left_files = f"{what} of an earlier run are left, beside {beside}"
            notes.append(f"{place}: {left_files}: {few(left, _COUNTS)}")
    return notes


def _ending(kind: str) -> str:
    from bitext.formats.lattices import KINDS

    if kind in DRAWN:
        return f".{kind}"
    return ".tei.xml" if kind == "tei" else KINDS[kind].suffixes[0]


def _file_names(names: Sequence[str]) -> list[str]:
    """Return distinct names in characters that are safe in the name of a file."""
    safe = ("".join(c if c.isalnum() or c in "-_." else "-" for c in name) for name in names)
    short = (name.strip(".-")[:_LONGEST].casefold() or "cluster" for name in safe)
    return distinct_names(short, reserved=_INDEX)


def _text(
    lattice: Lattice,
    kind: str,
    request: ClusterRequest,
    plan: ClusterPlan,
    *,
    in_folder: bool = False,
) -> str:
    if request.minimise and kind in {"json", "dot"}:
        from bitext.align.words.automaton import minimise
        from bitext.formats.lattices import automaton_text

        return "".join(automaton_text(minimise(lattice), kind))
    if kind in DRAWN:
        return _drawing(lattice, kind, request, in_folder=in_folder)
    if kind == "json":
        return _document([lattice], plan, has_several=False, minimal=False)
    from bitext.formats.lattices import text_of

    return "".join(text_of(lattice, kind))


def _drawing(lattice: Lattice, kind: str, request: ClusterRequest, *, in_folder: bool) -> str:
    """Draw a lattice as SVG, or as a page with paraphrases and figures."""
    if kind == "svg":
        from bitext.reports.lattice.drawing import draw

        return draw(lattice)
    from bitext.align import paraphrases
    from bitext.metrics import lattice_figures
    from bitext.reports.lattice.page import page

    drawn = paraphrases(lattice, n=_PARAPHRASES, seed=request.seed)
    figures = [(one.name, one.value) for one in lattice_figures(lattice, seed=request.seed).all()]
    index = f"{_INDEX}.html" if in_folder else ""
    return page(lattice, paraphrases=drawn.items, figures=figures, index=index)


# Explanations of two words (--explain).


def _explain(
    clusters: Sequence[Cluster], words: Sequence[str], request: ClusterRequest, options: WordOptions
) -> str:
    """Explain why two words match or do not, and whether they are one node of the lattice."""
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
    (cluster,) = parse([clusters[0]], request, options, needed=options.syntax)
    first, second = cluster[a], cluster[b]
    text = f"{explain(first, second, i, j, preset=options)}\n"
    if len(cluster) > 2:
        nodes = _nodes(cluster, (a, i), (b, j), options, request.joining())
        text = text.rstrip("\n") + ", the two sentences by themselves\n"
        text += f"  in the lattice: {nodes}\n"
    heads = (
        f"{side}: {printable(name)}: {printable(' '.join(sentence.forms))}\n"
        for side, name, sentence in (("first", names[a], first), ("second", names[b], second))
    )
    return f"{''.join(heads)}{text}"


def _nodes(
    cluster: Cluster,
    one: tuple[int, int],
    other: tuple[int, int],
    options: WordOptions,
    joining: dict[str, Any],
) -> str:
    """Explain whether two words are one node, by the sentences through which theirs join.

    A sentence is aligned with the one through which it joins; two others may match word by word,
    and share no node.
    """
    from bitext.align.words.progressive import align_cluster, joins_of_cluster
    from bitext.reports.table import printable

    lattice = align_cluster(cluster, preset=options, **joining)
    nodes = [lattice.path(sentence)[word + 1] for sentence, word in (one, other)]
    if nodes[0] == nodes[1]:
        return "one node"
    joins = dict(joins_of_cluster(cluster, preset=options, **joining))
    names = [printable(name) for name in cluster.names]
    reasons = []
    for sentence, word in (one, other):
        through = joins[sentence]
        if through is None:
            reasons.append(f"{names[sentence]} is the first to join")
            continue
        partner = _partner(lattice, (sentence, word), through)
        with_what = "no word" if partner is None else f"word {partner + 1}"
        reasons.append(
            f"{names[sentence]} joins through {names[through]}, where its word {word + 1} is "
            f"aligned with {with_what}"
        )
    return f"two nodes: sentence {', and sentence '.join(reasons)}"


def _partner(lattice: Lattice, place: tuple[int, int], through: int) -> int | None:
    """Return the word of sentence `through` that a word is aligned with, if any."""
    for pair in lattice.pairs:
        if place in pair:
            sentence, word = pair[1 - pair.index(place)]
            if sentence == through:
                return word
    return None


def _place(text: str, cluster: Cluster) -> tuple[int, int]:
    """Return the indices of sentence and word of `S:W`: by number from 1, or by id and by form."""
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
        places = [k for k, form in enumerate(forms) if normal(form) == normal(word)]
        if len(places) > 1:
            numbers = ", ".join(str(k + 1) for k in places)
            raise OptionError(
                f"--explain {text!r}: sentence {name} has it as words {numbers}; give one"
            )
        if places:
            return s, places[0]
    if 1 <= (number := whole_number(word) or 0) <= len(forms):
        return s, number - 1
    raise OptionError(
        f"--explain {text!r:.60}: no word {word!r:.40} in sentence {name}: {' '.join(forms):.60}"
    )


# The report (--report): the five presets side by side.


def _report(clusters: Sequence[Cluster], request: ClusterRequest, plan: ClusterPlan) -> str:
    """Align the clusters by every preset; return the figures of their lattices."""
    from bitext.metrics.edgain import distances_to_inputs
    from bitext.reports.lattice.page import caption, flat_table, score_table, to_json

    golds = _golds(clusters, request)
    bare = any(not sentence.analysed for cluster in clusters for sentence in cluster)
    syntax = (request.parser or "english") if bare else "given"
    clusters = parse(list(clusters), request, plan.options)
    presets = _presets(clusters, plan.options)
    nearest = [distances_to_inputs(cluster) for cluster in clusters]
    work = [(name, k) for name in presets for k in range(len(clusters))]
    scores: dict[str, list[Figures]] = {name: [] for name in presets}
    progress = Progress("aligning", len(work), quiet=request.quiet)
    with closing(progress.over(work)) as items:
        for name, k in items:
            figures = _figures(clusters[k], presets[name], golds[k], nearest[k], syntax, request)
            scores[name].append(figures)
    names, style = names_of(clusters), plan.style
    if style == "json":
        return json_line(to_json(scores, names))
    if style == "tsv":
        return flat_table(scores, names).render(style)
    table = score_table(scores, names, texts=request.per_cluster).render(style)
    return f"{caption(scores, names)}\n{table}" if style == "table" else table


def _presets(clusters: Sequence[Cluster], options: WordOptions) -> dict[str, WordOptions]:
    """Return the presets with the other options; without syntax those that need none."""
    from bitext.align.words.options import PRESETS

    analysed = all(sentence.analysed for cluster in clusters for sentence in cluster)
    return {
        name: replace(options, syntax=preset.syntax, leave_out=preset.leave_out)
        for name, preset in PRESETS.items()
        if analysed or not preset.syntax
    }


def _figures(
    cluster: Cluster,
    preset: WordOptions,
    gold: Lattice | None,
    nearest: Sequence[int],
    syntax: str,
    request: ClusterRequest,
) -> Figures:
    """Return the figures of a cluster by a preset; their signature has all that changes them."""
    from bitext.align.words.progressive import lattice_and_held_out
    from bitext.metrics import lattice_figures

    lattice, others = lattice_and_held_out(cluster, preset=preset, **request.joining())
    figures = lattice_figures(
        lattice,
        held_out=others if len(cluster) > 1 else None,
        nearest=nearest,
        gold=gold,
        seed=request.seed,
    )
    signature = f"{request.signature_of(preset)}|parser:{syntax}|{figures.signature}"
    return replace(figures, signature=signature)


def _golds(clusters: Sequence[Cluster], request: ClusterRequest) -> list[Lattice | None]:
    """Return the gold lattice of each cluster: by its name, or in order if names do not match."""
    if request.gold is None:
        return [None] * len(clusters)
    lattices = _read_golds(request.gold)
    if len(lattices) != len(clusters):
        raise InputError(
            f"{request.gold}: holds {len(lattices)} lattices for {len(clusters)} clusters; want "
            f"one for each: a file, a document of several, or a folder"
        )
    names = names_of(clusters)
    by_name = {gold.cluster.id: gold for gold in lattices}
    golds = [by_name[name] for name in names] if by_name.keys() == set(names) else lattices
    for name, cluster, gold in zip(names, clusters, golds, strict=True):
        _check_gold(gold, cluster, f"{request.gold}: the lattice of {name}")
    return list(golds)


def _read_golds(place: str) -> list[Lattice]:
    from bitext.formats.clusters import read_comparable
    from bitext.model import Lattice

    paths = [place]
    if place != "-" and is_folder(place):
        paths = [str(path) for path in files_in(place) if ".json" in path.name]
    lattices = []
    for path in paths:
        for one in read_comparable(path, kind="json"):
            if not isinstance(one, Lattice):
                raise InputError(
                    f"{path}: holds no lattice; want what 'bitext cluster FILE -o NAME.json' writes"
                )
            lattices.append(one)
    return lattices


def _check_gold(gold: Lattice, cluster: Cluster, label: str) -> None:
    ours = [sentence.forms for sentence in cluster]
    gold_forms = [sentence.forms for sentence in gold.cluster]
    if len(ours) != len(gold_forms):
        raise InputError(
            f"{label} has {many(len(gold_forms), 'sentence')}, the cluster {len(ours)}; "
            f"want a lattice of the same sentences"
        )
    k = next((k for k in range(len(ours)) if ours[k] != gold_forms[k]), None)
    if k is not None:
        raise InputError(
            f"{label}: sentence {k + 1} is {' '.join(gold_forms[k])!r:.50}, in the cluster "
            f"{' '.join(ours[k])!r:.50}; want a lattice of the same sentences"
        )
