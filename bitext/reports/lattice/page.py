"""A lattice as a page, with drawing, sentences, paraphrases and figures; its tables for a terminal.

The page is one self-contained file: style and script are in it, and its Content-Security-Policy
lets nothing else run. Without JavaScript it is a static page with the same content. With it, the
drawing zooms and moves, sentences can be switched off and on, and the path of a sentence or a
paraphrase is highlighted when pointed at, focused, or pressed.

All texts are escaped and isolated (`bitext.reports.lettering.visible`), so that none can run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import isnan, log10
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bitext.errors import InputError, many
from bitext.formats.lattices import columns
from bitext.metrics.lattice_metrics import Figure, Figures, over_clusters
from bitext.model import Lattice
from bitext.reports import pages
from bitext.reports.lattice.drawing import LANES, draw, name_of, palette, style, tier_of
from bitext.reports.lettering import cut, padded, visible
from bitext.reports.pages import Section, isolated
from bitext.reports.pages import figures as figures_table
from bitext.reports.table import Table, flat_cell, number, printable, width

if TYPE_CHECKING:
    from bitext.align.words.paraphrases import Paraphrase

# Lattices for a terminal: the alignment table, cut to its width, and lists of clusters.

_CUT = 24  # the most characters of a word that are shown


def alignment_table(lattice: Lattice) -> Table:
    """Return the alignment table: one row per sentence, words of one node below each other."""
    table = Table(["sentence", *(str(k) for k in range(1, columns(lattice).width + 1))])
    table.rows = [[name, *cells] for name, cells in _rows(lattice)]
    return table


def alignment_blocks(lattice: Lattice, line: int) -> str:
    """Return the alignment table in blocks that fit a line of so many columns.

    Sentences that have no word in a block are left out of it. A word that is aligned with one of
    another sentence has a star; words that merely stand in one column are not aligned.
    """
    rows = [(printable(name), cells) for name, cells in _rows(lattice, short=True)]
    name_width = max(width(name) for name, _ in rows) + 2
    widths = [max(width(cells[k]) for _, cells in rows) for k in range(len(rows[0][1]))]
    blocks = []
    for first, last in _blocks(widths, max(line - name_width, 2 * _CUT + 1)):
        nonempty = ((name, cells[first:last]) for name, cells in rows if any(cells[first:last]))
        lines = [
            f"{padded(name, name_width)}"
            + " ".join(
                padded(cell, size) for cell, size in zip(cells, widths[first:last], strict=True)
            )
            for name, cells in nonempty
        ]
        blocks.append("\n".join(text.rstrip() for text in lines) + "\n")
    return "\n".join([*blocks, "* aligned with the same word of another sentence\n"])


def cluster_table(names: Iterable[str], lattices: Iterable[Lattice]) -> Table:
    """Return a list of clusters with their sizes."""
    table = Table(
        ["cluster", "sentences", "sources", "words", "nodes", "arcs", "first sentence"],
        right={1, 2, 3, 4, 5},
    )
    for name, lattice in zip(names, lattices, strict=True):
        cluster = lattice.cluster
        sources = {s.source for s in cluster if s.source is not None}
        first = cluster[0].text
        table.rows.append(
            [
                name,
                str(len(cluster)),
                str(len(sources)) if sources else "-",
                str(cluster.words),
                str(len(lattice) - 2),
                str(len(lattice.arcs.tail)),
                first if len(first) <= 60 else first[:59] + "…",
            ]
        )
    return table


def _rows(lattice: Lattice, *, short: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each sentence and its cells, empty if it has no word.

    Short cells are for a terminal: long words are cut, and aligned words are marked.
    """
    places, size = columns(lattice)
    names = lattice.cluster.names
    for s, (name, sentence, taken) in enumerate(zip(names, lattice.cluster, places, strict=True)):
        nodes = lattice.paths.row(s).tolist()
        cells = [""] * size
        for column, form, node in zip(taken, sentence.forms, nodes, strict=True):
            cells[column] = _short(form, len(lattice.members(node)) > 1) if short else form
        yield name, cells


def _short(form: str, shared: bool) -> str:
    cell = printable(form)
    cell = cell if len(cell) <= _CUT else cell[: _CUT - 1] + "…"
    return f"{cell}*" if shared else cell


def _blocks(widths: Sequence[int], line: int) -> Iterator[tuple[int, int]]:
    """Yield first and last + 1 of runs of columns that fit a line, a blank between."""
    first, taken = 0, 0
    for column, size in enumerate(widths):
        if taken and taken + 1 + size > line:
            yield first, column
            first, taken = column, 0
        taken += size + (1 if taken else 0)
    yield first, len(widths)


# The figures of lattices as tables, with systems side by side, and as JSON.

SCHEMA = "bitext.lattices/1"
INDEX_TITLE = "Word lattices"

_ARROWS = {"higher": " ↑", "lower": " ↓", "": ""}
_SPELT_OUT = 10**9  # from here on a count is written with a power of ten
_EXACT = 2**53  # from here on JSON readers may round


def caption(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> str:
    """Return the caption of the table: clusters, averages, estimates, signatures."""
    _check(scores, clusters)
    count = len(clusters)
    lines = [many(count, "cluster")]
    if count > 1:
        lines[0] += (
            "; sizes and paths are sums; compression, edgain and links are pooled; shares of paths "
            "are means over clusters"
        )
    path_counts = sorted(
        {one.repetition.drawn for row in scores.values() for one in row if one.repetition.drawn}
    )
    if path_counts:
        numbers = " or ".join(f"{paths:,}" for paths in path_counts)
        lines.append(f"~ an estimate from {numbers} paths drawn at random")
    signatures_of_system = {
        name: dict.fromkeys(one.signature for one in row) for name, row in scores.items()
    }
    shared = len({tuple(signatures) for signatures in signatures_of_system.values()}) == 1
    for name, signatures in list(signatures_of_system.items())[: 1 if shared else None]:
        whose = "" if shared else f" of {name}"
        lines += [f"signature{whose}: {signature}" for signature in signatures]
    return "\n".join(lines) + "\n"


def score_table(
    scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str], *, texts: bool = False
) -> Table:
    """Return the table for readers: one figure per row, one system per column.

    A system (a preset, say) has figures of each of the named clusters. With `texts`, each cluster
    has its own rows above those over all clusters.
    """
    _check(scores, clusters)
    with_clusters = texts and len(clusters) > 1
    table = Table(
        ["figure", *(["cluster"] if with_clusters else []), *scores],
        quiet={0} if with_clusters else set(),
    )
    table.right = set(range(2 if with_clusters else 1, len(table.head)))
    cells_of_row: dict[tuple[str, str], dict[str, str]] = {}
    better: dict[str, str] = {}
    for system, cluster, figure, _ in _figures(scores, clusters):
        if cluster is None or with_clusters:
            place = "(all)" if cluster is None else cluster
            cells_of_row.setdefault((figure.name, place), {})[system] = _cell(figure)
            better[figure.name] = _ARROWS[figure.better]
    for name, arrow in better.items():
        for (figure_name, place), cells in cells_of_row.items():
            if figure_name == name:
                labels = [place] if with_clusters else []
                row = [cells.get(system, "-") for system in scores]
                table.rows.append([name + arrow, *labels, *row])
    return table


def flat_table(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> Table:
    """Return the table for programs: one value per row, with all digits, `-` where undefined."""
    table = Table(
        ["system", "cluster", "average", "figure", "better", "value", "exact", "error", "signature"]
    )
    for row in to_json(scores, clusters)["rows"]:
        value = row["value"]
        if value is None and row["log10"] is not None:
            value_text = f"1e{row['log10']!r}"
        else:
            value_text = "-" if value is None else repr(value)
        table.rows.append(
            [
                *(row["system"], row["cluster"] or "-", row["average"] or "-", row["figure"]),
                *(row["better"] or "-", value_text, "yes" if row["exact"] else "no"),
                *(flat_cell(row["error"]), row["signature"] or "-"),
            ]
        )
    return table


def to_json(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> dict[str, Any]:
    """Return all figures as members of JSON: a row for each system, cluster and figure.

    Undefined figures are `None`. `cluster` is `None` for figures over all clusters. Counts from
    2 ** 53 on are rounded; a count beyond the range of floats is `None`, with its logarithm in
    `log10`.
    """
    _check(scores, clusters)
    return {
        "schema": SCHEMA,
        "rows": [
            {
                "system": system,
                "cluster": cluster,
                "average": figure.average or None,
                "figure": figure.name,
                "better": figure.better or None,
                **value_record(figure),
                "exact": figure.exact,
                "error": of.repetition.error if of is not None and not figure.exact else None,
                "signature": None if of is None else of.signature,
            }
            for system, cluster, figure, of in _figures(scores, clusters)
        ],
    }


def _check(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> None:
    if not scores or not clusters:
        raise InputError("no figures of lattices: want one system and one cluster or more")
    for system, row in scores.items():
        if len(row) != len(clusters):
            raise InputError(
                f"{system} has figures of {len(row)} clusters, and {len(clusters)} are named: want "
                f"figures of each cluster"
            )


def _figures(
    scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]
) -> Iterator[tuple[str, str | None, Figure, Figures | None]]:
    """Yield system, cluster, figure and where it is from: each cluster, then all of them."""
    for system, row in scores.items():
        for cluster, one in zip(clusters, row, strict=True):
            yield from ((system, cluster, figure, one) for figure in one.all())
        whole = row[0] if len(row) == 1 else None
        for figure in over_clusters(row):
            yield system, None, figure, whole


def _cell(figure: Figure) -> str:
    if isinstance(figure.value, int):
        return count_text(figure.value)
    return ("" if figure.exact else "~") + number(figure.value)


def count_text(value: int) -> str:
    """Write a count; a large one with three digits and a power of ten."""
    if value < _SPELT_OUT:
        return f"{value:,}"
    power = int(log10(value))
    power += (value >= 10 ** (power + 1)) - (value < 10**power)
    lead = value // 10 ** (power - 2)
    return f"{lead // 100}.{lead % 100:02d}e+{power}"


def value_record(figure: Figure) -> dict[str, float | None]:
    """Return the value, and the logarithm of a count that is too large for exact digits."""
    value = figure.value
    if not isinstance(value, int) or value < _EXACT:
        return {"value": None if isnan(value) else value, "log10": None}
    try:
        rounded: float | None = float(value)
    except OverflowError:
        rounded = None
    return {"value": rounded, "log10": log10(value)}


_CELLS = 40_000  # a larger table is left out
_CELL = 16.0  # a word is cut in the table, in font sizes


def page(
    lattice: Lattice,
    *,
    paraphrases: Iterable[Paraphrase] = (),
    figures: Iterable[tuple[str, object]] | None = None,
    title: str | None = None,
    index: str = "",
) -> str:
    """Return the page of a lattice as HTML, the same for the same input.

    `paraphrases` are those of `bitext.align.words.paraphrases`, in the order in which they are
    listed; `figures` are rows of a table, with four decimals of floats. `title` is by default after
    the cluster; `index` is the address of the index of this page.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> cluster = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "<b>"])])
    >>> html = page(Lattice(cluster, [[1, 2], [3, 4]]))
    >>> html.count("<h2"), "<b>" in html, "http:" in html.replace("http://www.w3.org/2000/svg", "")
    (3, False, False)

    """
    of = f" of {lattice.cluster.id}" if lattice.cluster.id else ""
    listed = list(paraphrases)
    rows = list(figures or ())
    sections = [
        *([Section("figures", "Figures", figures_table(rows))] if rows else []),
        Section("drawing", "Drawing", _drawing(lattice)),
        Section("sentences", "Sentences", _sentences(lattice)),
        *([Section("paraphrases", "Paraphrases", _paraphrases(lattice, listed))] if listed else []),
        Section("table", "Alignment table", _table(lattice)),
    ]
    return pages.page(
        title or f"Word lattice{of}",
        _summary(lattice) + pages.way_up(index),
        sections,
        style=style() + pages.asset("lattice/lattice.css"),
        script=pages.asset("lattice/lattice.js"),
    )


def index_page(
    names: Sequence[str],
    links: Sequence[str],
    lattices: Sequence[Lattice],
    events: Sequence[str] = (),
) -> str:
    """Return the page that lists the pages of several lattices, with their sizes, as HTML.

    `names` are the names of the clusters, `links` the addresses of their pages, relative to this
    one, and `events` the event of each, shown unless all are empty.
    """
    table = cluster_table(names, lattices)
    shares = []
    for row, lattice in zip(table.rows, lattices, strict=True):
        words = lattice.cluster.words
        shares.append(1 - (len(lattice) - 2) / words if words else 0.0)
        row.insert(1, number(shares[-1]))
    table.head.insert(1, "compression")
    table.right = {*range(1, len(table.head) - 1)}
    if any(events):
        table.head.insert(1, "event")
        table.right = {*range(2, len(table.head) - 1)}
        for row, event in zip(table.rows, events, strict=True):
            row.insert(1, event)
    order = sorted(range(len(shares)), key=lambda k: shares[k])
    table.rows = [table.rows[k] for k in order]
    sentences = sum(len(lattice.cluster) for lattice in lattices)
    addresses = [quote(links[k]) for k in order]
    note = (
        '<p class="quiet">The clusters with the least compression, the share of words that '
        "sentences have in common, first.</p>"
    )
    listing = [note, *pages.table_sheet(table, "Table of clusters", links=addresses)]
    return pages.page(
        INDEX_TITLE,
        f"{many(len(lattices), 'cluster')} of {many(sentences, 'sentence')}.",
        [Section("clusters", "Clusters", listing)],
        style=style() + pages.asset("lattice/lattice.css"),
    )


def _summary(lattice: Lattice) -> str:
    cluster = lattice.cluster
    return (
        f"{many(len(cluster), 'sentence')} of {cluster.words:,} words in all, on "
        f"{many(len(lattice) - 2, 'node')} with {len(lattice.arcs.tail):,} arcs."
    )


def _drawing(lattice: Lattice) -> Iterator[str]:
    yield (
        '<p class="quiet">From left to right: each sentence is a path. Words in a frame stand in '
        "several sentences, bold ones in at least half of them. "
    )
    if len(lattice.cluster) <= LANES:
        yield "Each sentence has a line of its own.</p>"
    else:
        yield "The broader a line, the more sentences take it.</p>"
    yield (
        f'<p class="quiet tools">{pages.CHOSEN} chosen by a press: a sentence, its words, and its '
        "row of the table</p>"
    )
    yield '<div class="tools" role="group" aria-label="Size of the drawing">'
    yield from pages.buttons(
        (
            ("zoom-out", "−", "Smaller"),
            ("zoom-in", "+", "Larger"),
            ("zoom-one", "100%", "100%, the natural size"),
            ("zoom-fit", "Fit", "Fit into the width"),
        )
    )
    yield (
        '<span class="quiet">Drag to move, Ctrl and wheel to zoom; in the drawing: keys + − 0 f '
        "and arrows.</span></div>"
    )
    yield '<div class="view" tabindex="0" role="region" aria-label="Drawing of the lattice">'
    yield draw(lattice, standalone=False).rstrip()
    yield "</div>"


def _swatch(kind: int) -> str:
    if not kind:
        return ""
    return (
        '<svg class="lattice" width="28" height="8" aria-hidden="true">'
        f'<path class="lane c{kind}" d="M0 4H28"/></svg>'
    )


def _sentences(lattice: Lattice) -> Iterator[str]:
    cluster, kinds = lattice.cluster, palette(lattice)
    yield (
        '<div class="tools"><button type="button" data-do="all">Show all</button>'
        '<button type="button" data-do="none">Show none</button>'
        '<span class="quiet">Point at a sentence to see its path; press it to keep that.</span>'
        "</div>"
    )
    by_source: dict[str, list[int]] = {}
    for index, sentence in enumerate(cluster):
        if sentence.source is not None:
            by_source.setdefault(sentence.source, []).append(index)
    if 1 < len(by_source) < len(cluster):
        yield '<h3 class="quiet">Sources</h3><ul class="rows several" aria-label="Sources">'
        for source, members in by_source.items():
            swatch = _swatch(kinds[members[0]])
            yield (
                '<li><label><input type="checkbox" checked '
                f'data-switch="{" ".join(map(str, members))}">{swatch}'
                f'<span class="name">{isolated(source)}</span></label>'
                f'<span class="from">{len(members)} sentence{"s" * (len(members) != 1)}</span></li>'
            )
        yield '</ul><h3 class="quiet">Single sentences</h3>'
    yield '<ol class="rows" aria-label="Sentences">'
    for index, sentence in enumerate(cluster):
        name = isolated(name_of(lattice, index))
        source = f'<span class="from">{isolated(sentence.source)}</span>' if sentence.source else ""
        yield (
            f'<li data-sentence="{index}"><label><input type="checkbox" checked '
            f'data-switch="{index}">{_swatch(kinds[index])}<span class="name">{name}</span>'
            f'</label><span class="text"><button type="button" aria-pressed="false">'
            f"{isolated(sentence.text)}</button></span>{source}</li>"
        )
    yield "</ol>"


def _paraphrases(lattice: Lattice, paraphrases: list[Paraphrase]) -> Iterator[str]:
    size = len(paraphrases)
    yield (
        f'<p class="quiet">{size} new sentence{"s" * (size != 1)}. Under each '
        "stand the runs of words that it is made of, and the sentences that have them.</p>"
    )
    yield '<ol class="rows" aria-label="Paraphrases">'
    for paraphrase in paraphrases:
        inner_nodes = [n for n in paraphrase.nodes if n not in {lattice.start, lattice.accept}]
        words = [lattice.form(node) for node in inner_nodes]
        path = " ".join(map(str, (lattice.start, *inner_nodes, lattice.accept)))
        yield (
            f'<li data-nodes="{path}"><span class="text"><button type="button" '
            f'aria-pressed="false">{isolated(paraphrase.text)}</button></span><span class="spans">'
        )
        for first, last, sentences in paraphrase.spans:
            names = ", ".join(isolated(name_of(lattice, s)) for s in sentences)
            yield f"<span><b>{isolated(' '.join(words[first:last]))}</b> {names}</span>"
        yield "</span></li>"
    yield "</ol>"


def _table(lattice: Lattice) -> Iterator[str]:
    places, width = columns(lattice)
    total = len(lattice.cluster)
    if total * width > _CELLS:
        yield (
            f'<p class="quiet">The table has {total:,} rows of {width:,} columns, too many for a '
            "page: write it as TSV.</p>"
        )
        return
    yield (
        '<p class="quiet">Words on a tinted ground are aligned with the same word of others. The '
        "head says how many sentences have a word in each column.</p>"
    )
    yield from pages.sheet("Words in columns", _word_rows(lattice, places, width))


def _word_rows(lattice: Lattice, places: Sequence[Sequence[int]], width: int) -> Iterator[str]:
    total = len(lattice.cluster)
    used = [0] * width
    for row in places:
        for column in row:
            used[column] += 1
    yield '<thead><tr><th scope="col">Sentence</th>'
    yield "".join(f'<th scope="col">{count}</th>' for count in used)
    yield "</tr></thead><tbody>"
    tiers = [tier_of(len(lattice.members(node)), total) for node in range(len(lattice))]
    for index, row in enumerate(places):
        cells = ["<td></td>"] * width
        nodes = lattice.path(index)[1:-1]
        for column, node, token in zip(row, nodes, lattice.cluster[index], strict=True):
            form = escape(cut(visible(token.form), _CELL))
            cells[column] = f'<td class="t{tiers[node]}"><bdi>{form}</bdi></td>'
        name = isolated(name_of(lattice, index))
        yield f'<tr data-sentence="{index}"><th scope="row">{name}</th>'
        yield "".join(cells) + "</tr>"
    yield "</tbody>"
