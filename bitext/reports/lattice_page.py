"""A lattice as a page: the drawing, its sentences, paraphrases, alignment table and figures.

The page is one file that asks nothing of a network: style and script stand in it, and its
Content-Security-Policy lets nothing else run. Without JavaScript it is a static page with the
same content. With it the drawing zooms and moves, sentences are switched off and on, and the path
of a sentence or a paraphrase stands out when it is pointed at, focused, or pressed.

All texts are escaped and isolated (`bitext.reports.lettering.visible`), so none can act in it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from bitext.formats.lattice_table import columns
from bitext.reports import pages
from bitext.reports.lattice_shapes import LANES, tier_of
from bitext.reports.lattice_svg import draw, name_of, palette, style
from bitext.reports.lattice_tables import cluster_table
from bitext.reports.lettering import cut, visible
from bitext.reports.pages import Section, held
from bitext.reports.pages import figures as figures_table
from bitext.reports.table import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.model.lattice import Lattice
    from bitext.reports.table import Table

__all__ = ["ShownParaphrase", "index_page", "page"]

_CELLS = 40_000  # a larger table is left out
_CELL = 16.0  # a word is cut in the table, in font sizes


class ShownParaphrase(Protocol):
    """What the page needs of a paraphrase."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def nodes(self) -> Sequence[int]:
        """Its path, from start to accept."""

    @property
    def spans(self) -> Sequence[tuple[int, int, Sequence[int]]]:
        """First word, last word + 1, and the sentences that the run stands in."""


def page(
    lattice: Lattice,
    *,
    paraphrases: Iterable[ShownParaphrase] = (),
    figures: Iterable[tuple[str, object]] | None = None,
    title: str | None = None,
) -> str:
    """Return the page of a lattice as HTML.

    Parameters
    ----------
    lattice : Lattice
    paraphrases : iterable, optional
        Those of `bitext.align.words.paraphrases`, in the order in which they are listed.
    figures : iterable of (name, value), optional
        Rows of a table of figures. Floats are written with four decimals.
    title : str, optional
        The heading; by default after the cluster.

    Returns
    -------
    str
        The same for the same input.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> cluster = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "<b>"])])
    >>> html = page(Lattice(cluster, [[1, 2], [3, 4]]))
    >>> html.count("<h2"), "<b>" in html, "http:" in html.replace("http://www.w3.org/2000/svg", "")
    (3, False, False)

    """
    of = f" of {lattice.cluster.id}" if lattice.cluster.id else ""
    told = list(paraphrases)
    rows = list(figures or ())
    sections = [
        Section("drawing", "Drawing", _drawing(lattice)),
        Section("sentences", "Sentences", _sentences(lattice)),
        *([Section("paraphrases", "Paraphrases", _paraphrases(lattice, told))] if told else []),
        Section("table", "Alignment table", _table(lattice)),
        *([Section("figures", "Figures", figures_table(rows))] if rows else []),
    ]
    return pages.page(
        title or f"Word lattice{of}",
        _summary(lattice),
        sections,
        style=style() + pages.asset("lattice.css"),
        script=pages.asset("lattice.js"),
    )


def index_page(names: Sequence[str], links: Sequence[str], lattices: Sequence[Lattice]) -> str:
    """Return the page that lists the pages of several lattices, with their sizes, as HTML.

    Parameters
    ----------
    names : sequence of str
        What the clusters are called.
    links : sequence of str
        Where the page of each is, relative to this one.
    lattices : sequence of Lattice

    """
    table = cluster_table(names, lattices)
    sentences = sum(len(lattice.cluster) for lattice in lattices)
    return pages.page(
        "Word lattices",
        f"{many(len(lattices), 'cluster')} of {many(sentences, 'sentence')}.",
        [Section("clusters", "Clusters", _index(table, links))],
        style=style() + pages.asset("lattice.css"),
    )


def _index(table: Table, links: Sequence[str]) -> Iterator[str]:
    yield '<div class="sheet" tabindex="0" role="region" aria-label="Clusters"><table><thead><tr>'
    yield "".join(f'<th scope="col">{escape(name)}</th>' for name in table.head)
    yield "</tr></thead><tbody>"
    for (name, *cells), link in zip(table.rows, links, strict=True):
        yield f'<tr><th scope="row"><a href="{escape(quote(link))}">{held(name)}</a></th>'
        yield "".join(f"<td>{held(cell)}</td>" for cell in cells)
        yield "</tr>"
    yield "</tbody></table></div>"


def _summary(lattice: Lattice) -> str:
    cluster = lattice.cluster
    return (
        f"{len(cluster)} sentence{'s' * (len(cluster) != 1)} of {cluster.words:,} words in all, on "
        f"{len(lattice) - 2:,} nodes with {len(lattice.arcs.tail):,} arcs."
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
    yield '<div class="tools" role="group" aria-label="Size of the drawing">'
    for deed, sign, label in (
        ("zoom-out", "−", "Smaller"),
        ("zoom-in", "+", "Larger"),
        ("zoom-one", "100%", "100%, the natural size"),
        ("zoom-fit", "Fit", "Fit into the width"),
    ):
        yield (
            f'<button type="button" data-do="{deed}" aria-label="{label}" title="{label}">'
            f"{sign}</button>"
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
    for number, sentence in enumerate(cluster):
        if sentence.source is not None:
            by_source.setdefault(sentence.source, []).append(number)
    if 1 < len(by_source) < len(cluster):
        yield '<h3 class="quiet">Sources</h3><ul class="rows several" aria-label="Sources">'
        for source, mine in by_source.items():
            swatch = _swatch(kinds[mine[0]])
            yield (
                '<li><label><input type="checkbox" checked '
                f'data-switch="{" ".join(map(str, mine))}">{swatch}'
                f'<span class="name">{held(source)}</span></label>'
                f'<span class="from">{len(mine)} sentence{"s" * (len(mine) != 1)}</span></li>'
            )
        yield '</ul><h3 class="quiet">Single sentences</h3>'
    yield '<ol class="rows" aria-label="Sentences">'
    for number, sentence in enumerate(cluster):
        name = held(name_of(lattice, number))
        source = f'<span class="from">{held(sentence.source)}</span>' if sentence.source else ""
        yield (
            f'<li data-sentence="{number}"><label><input type="checkbox" checked '
            f'data-switch="{number}">{_swatch(kinds[number])}<span class="name">{name}</span>'
            f'</label><span class="text"><button type="button" aria-pressed="false">'
            f"{held(sentence.text)}</button></span>{source}</li>"
        )
    yield "</ol>"


def _paraphrases(lattice: Lattice, told: list[ShownParaphrase]) -> Iterator[str]:
    yield (
        f'<p class="quiet">{len(told)} new sentence{"s" * (len(told) != 1)}. Under each stand the '
        "runs of words that it is made of, and the sentences that have them.</p>"
    )
    yield '<ol class="rows" aria-label="Paraphrases">'
    for paraphrase in told:
        inner = [n for n in paraphrase.nodes if n not in {lattice.start, lattice.accept}]
        words = [lattice.form(node) for node in inner]
        path = " ".join(map(str, (lattice.start, *inner, lattice.accept)))
        yield (
            f'<li data-nodes="{path}"><span class="text"><button type="button" '
            f'aria-pressed="false">{held(paraphrase.text)}</button></span><span class="spans">'
        )
        for first, last, sentences in paraphrase.spans:
            names = ", ".join(held(name_of(lattice, s)) for s in sentences)
            yield f"<span><b>{held(' '.join(words[first:last]))}</b> {names}</span>"
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
    yield '<div class="sheet" tabindex="0" role="region" aria-label="Words in columns">'
    used = [0] * width
    for row in places:
        for column in row:
            used[column] += 1
    yield '<table><thead><tr><th scope="col">Sentence</th>'
    yield "".join(f'<th scope="col">{count}</th>' for count in used)
    yield "</tr></thead><tbody>"
    tiers = [tier_of(len(lattice.members(node)), total) for node in range(len(lattice))]
    for number, row in enumerate(places):
        cells = ["<td></td>"] * width
        nodes = lattice.path(number)[1:-1]
        for column, node, token in zip(row, nodes, lattice.cluster[number], strict=True):
            form = escape(cut(visible(token.form), _CELL))
            cells[column] = f'<td class="t{tiers[node]}"><bdi>{form}</bdi></td>'
        yield f'<tr data-sentence="{number}"><th scope="row">{held(name_of(lattice, number))}</th>'
        yield "".join(cells) + "</tr>"
    yield "</tbody></table></div>"
