"""Word links as a page: the words of two sentences in columns, and lines between them.

The links of a gold standard and of systems are laid over each other, and each has the colour, the
line and the symbol of its kind (`bitext.reports.links` defines them):

    ● agreed    a full line
    ◆ allowed   a full, thin line: only possible in the gold standard
    ○ missed    dashed
    ✕ wrong     full, with a cross
    ◌ open      dotted: only possible, and not made

Without JavaScript, and on paper, the page lists the differences. With it, the page draws one
sentence pair at a time; pairs can be chosen by their differences and words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import isnan, nan
from typing import Literal, NamedTuple

from bitext.errors import many
from bitext.model import Bitext, Text
from bitext.model.word_links import COLUMN, NULL, NULLS, Link, parse, parse_nulls
from bitext.reports import pages
from bitext.reports.lettering import LEAST_WIDTH, padded, painted, shortened
from bitext.reports.links import KINDS, LinkData, PagePair, PairLink, figures_of, kind_of
from bitext.reports.pages import MARK, Section, isolated, way_up
from bitext.reports.table import Table, number
from bitext.reports.table import width as columns_of

# Word links on a terminal: pair by pair, a row for each source word.
#
#     bisegment 2: 5 and 4 words, 3 sure links ■ and 3 possible ones □
#      0 She  │ ·■·· │ ■ 1 lui
#      1 did  │ □··· │ □ 0 Peu
#      2 not  │ □··· │ □ 0 Peu
#      3 mind │ □·■· │ □ 0 Peu  ■ 2 importait
#      4 .    │ ···■ │ ■ 3 .
#
# In the middle is the matrix of the links, if it fits, with a column for each target word. To the
# right are the target words of the row; target words without a link have their own line.

SURE, POSSIBLE, NONE = "■", "□", "·"

_WORD = 24  # columns of a word at most; two words and their rules fit into a narrow terminal
_BETWEEN = 24
_MATRIX_SPACE = 38  # columns left by a matrix for rules and an item to its right
_RTL = {"R", "AL", "AN"}


def link_lines(
    bitext: Bitext, *, first: int = 0, width: int = 100, colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a bitext with word links, with an empty line between bisegments.

    The bitext has a column `words`; without texts, positions stand for words. Bisegments are
    numbered from `first`; `width` is in columns, at least 40. Sure and possible links have their
    own symbols, with and without colour. Control characters are made visible; words written from
    right to left are isolated from their neighbours; wide characters take two columns.

    Raises `InputError` when a value is not a list of links.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> links = Alignment([((0,), (0,))], attributes={"words": ["0-1 1-0p 1-2"]})
    >>> bitext = Bitext(Text(["Rain fell"]), Text(["Il plut hier"]), links)
    >>> for line in link_lines(bitext, width=60):
    ...     print(line)
    bisegment 0: 2 and 3 words, 2 sure links ■ and 1 possible □
    0 Rain │ ·■· │ ■ 1 plut
    1 fell │ □·■ │ □ 0 Il  ■ 2 hier

    """
    width = max(width, LEAST_WIDTH)
    values = bitext.alignment.attributes.get(COLUMN) or [None] * len(bitext.alignment)
    nulls = bitext.alignment.attributes.get(NULLS) or [None] * len(values)
    sides = bitext.words()
    for k, value in enumerate(values):
        if k:
            yield ""
        src, tgt = (None if side is None else side[k] for side in sides)
        names = _names(bitext, k, first + k)
        if value is None:
            yield shortened(f"bisegment {first + k}{names}: no word links", width)
            for mark, words in (("<", src), (">", tgt)):
                if words:
                    yield f"{mark} {shortened(' '.join(words), width - 2)}"
            continue
        pair = _Pair(sorted(parse(value)), src, tgt)
        head = f"bisegment {first + k}{names}: {pair.sizes()}{pair.counts()}"
        yield painted(shortened(head, width), "quiet", colour=colour)
        yield from pair.lines(width, colour=colour)
        if nulls[k]:
            yield from pair.no_word(parse_nulls(nulls[k] or ""), width)


def _names(bitext: Bitext, k: int, number: int) -> str:
    """Return the identifiers of a bisegment in brackets, unless they equal its number."""
    bead = bitext.alignment[k]

    def ids_of(text: Text | None, members: Sequence[int]) -> str:
        known = text.ids if text is not None and text.has_ids else None
        return " ".join(known[m] if known is not None else str(m) for m in members) or "-"

    if not any(text is not None and text.has_ids for text in (bitext.src, bitext.tgt)):
        return ""
    identifiers = f"{ids_of(bitext.src, bead.src)} : {ids_of(bitext.tgt, bead.tgt)}"
    return "" if identifiers == f"{number} : {number}" else f" ({shortened(identifiers, 40)})"


class _Pair(NamedTuple):
    """The links of a bisegment, ascending, with the words of its sides if known."""

    links: list[Link]
    src: list[str] | None
    tgt: list[str] | None

    def size(self, side: Literal["src", "tgt"]) -> int:
        """Return the number of words, or of positions up to the last linked one."""
        words = self.src if side == "src" else self.tgt
        positions = (link.src if side == "src" else link.tgt for link in self.links)
        return max(1 + max(positions, default=-1), len(words or ()))

    def sizes(self) -> str:
        lengths = [None if words is None else len(words) for words in (self.src, self.tgt)]
        if lengths == [None, None]:
            return ""
        src, tgt = ("?" if size is None else f"{size:,}" for size in lengths)
        return f"{src} and {tgt} words, "

    def counts(self) -> str:
        possible = sum(link.possible for link in self.links)
        sure_count = len(self.links) - possible
        if not possible:
            return f"{many(sure_count, 'link')}{f' {SURE}' if sure_count else ''}"
        return f"{many(sure_count, 'sure link')} {SURE} and {possible:,} possible {POSSIBLE}"

    def lines(self, width: int, *, colour: bool) -> Iterator[str]:
        rows: dict[int, list[Link]] = {}
        for link in self.links:
            rows.setdefault(link.src, []).append(link)
        # Positions may be beyond the words.
        word_numbers = sorted({*range(len(self.src or ())), *rows})
        word_width = min(_WORD, (width - _BETWEEN) // 2)
        digits = len(str(self.size("src") - 1))
        labels = [_label(k, self.src, word_width, digits) for k in word_numbers]
        label_width = max(map(columns_of, labels), default=0)
        matrix = self.size("tgt")
        if matrix > width - label_width - _MATRIX_SPACE:
            matrix = 0
        list_width = width - label_width - (matrix + 6 if matrix else 3)
        for k, label in zip(word_numbers, labels, strict=True):
            row_links = rows.get(k, [])
            items = [self._item(link, word_width) for link in row_links]
            start = f"{padded(label, label_width)} │ "
            if matrix:
                start += f"{self._cells(row_links, matrix, colour=colour)} │ "
            blank = f"{' ' * label_width} │ " + (f"{' ' * matrix} │ " if matrix else "")
            for index, line in enumerate(_filled(items, list_width)):
                yield f"{blank if index else start}{line}".rstrip()
        yield from self._lone(width, word_width)

    def _cells(self, links: list[Link], size: int, *, colour: bool) -> str:
        cells = [NONE] * size
        for link in links:
            symbol = POSSIBLE if link.possible else SURE
            cells[link.tgt] = painted(
                symbol, "partly" if link.possible else "agreed", colour=colour
            )
        return "".join(cells)

    def _item(self, link: Link, word_width: int) -> str:
        symbol = POSSIBLE if link.possible else SURE
        confidence = "" if link.confidence is None else f" ({link.confidence:.4g})"
        return f"{symbol} {_label(link.tgt, self.tgt, word_width)}{confidence}"

    def no_word(self, links: list[Link], width: int) -> Iterator[str]:
        """Yield the lines of the words of either side with a link to no word."""
        room = min(_WORD, (width - _BETWEEN) // 2)
        for start, words, positions in (
            ("source, to no word: ", self.src, [link.src for link in links]),
            ("target, to no word: ", self.tgt, [link.tgt for link in links]),
        ):
            symbols = [POSSIBLE if link.possible else SURE for link in links]
            items = [
                f"{symbol} {_label(at, words, room)}"
                for symbol, at in zip(symbols, positions, strict=True)
                if at != NULL
            ]
            for index, line in enumerate(_filled(items, width - len(start)) if items else ()):
                yield f"{' ' * len(start) if index else start}{line}"

    def _lone(self, width: int, word_width: int) -> Iterator[str]:
        """Yield the lines of the target words without a link."""
        linked = {link.tgt for link in self.links}
        unlinked = [k for k in range(len(self.tgt or ())) if k not in linked]
        if unlinked:
            start = "no link: "
            items = [_label(k, self.tgt, word_width) for k in unlinked]
            for index, line in enumerate(_filled(items, width - len(start))):
                yield f"{' ' * len(start) if index else start}{line}"


def _label(k: int, words: list[str] | None, word_width: int, digits: int = 0) -> str:
    """Return a position, with its word if known, in at most `word_width` columns."""
    if words is None or k >= len(words):
        return f"{k:>{digits}}"
    word = shortened(words[k], word_width)
    if any(unicodedata.bidirectional(character) in _RTL for character in word):
        word = f"\u2068{word}\u2069"
    return f"{k:>{digits}} {word}"


def _filled(items: list[str], room: int) -> Iterator[str]:
    """Yield lines of items, as many side by side as fit; one empty line without items."""
    line = ""
    for item in items:
        if line and columns_of(line) + 2 + columns_of(item) > room:
            yield line
            line = item
        else:
            line = f"{line}  {item}" if line else item
    yield line


_SYMBOLS = {"a": "●", "l": "◆", "m": "○", "o": "◌", "w": "✕"}
_KEY = (
    ("a", "agreed", "sure in gold, and made"),
    ("l", "allowed", "only possible in gold, and made"),
    ("m", "missed", "sure in gold, and not made"),
    ("w", "wrong", "made, and not in gold"),
    ("o", "open", "only possible in gold, and not made: no fault"),
)
_ALONE = (("a", "sure", "a sure link"), ("o", "possible", "a link that is only possible"))
_PROBABILITY = "the mean probability of the best link of each word, 0 for a word without a link"
_LISTED = 100  # sentence pairs of the list
_LINKS = 40  # links of a pair in it
_SYSTEMS = 12  # systems of a pair in it
_NAME = 60  # characters of a name or a cell
_ENTRIES = 500  # pairs of words of the lexicon
_NAMES = ("part", "system", "text")  # columns of words, not of figures


def page_of(
    data: LinkData,
    *,
    title: str = "",
    alpha: float = 0.5,
    notes: Iterable[str] = (),
    scores: tuple[str, Table] | None = None,
    pairs: Table | None = None,
    texts: tuple[Table, Sequence[str]] | None = None,
    lexicon: Table | None = None,
    index: str = "",
    zero_division: float = nan,
) -> str:
    """Return the page of word links, with any number of systems laid over the gold standard.

    Of more than 1,000 sentence pairs, the page has those with the most differences, and says so;
    figures are over all pairs.

    `alpha` is the weight of precision in F, and `zero_division` the value of 0/0 in figures of all
    pairs, where no `scores`, a table with its caption, are given. `pairs` has the differences of
    all pairs of systems, `lexicon` the linked words. Where this page is the index of a folder,
    `texts` has the figures of each text, and the addresses of their pages; `index` is the address
    of the index of this page. `notes` stand at the end.

    Examples
    --------
    >>> from bitext import WordLinks
    >>> data, words = LinkData(["ours"]), ([["<i>", "b"]], [["c", "d"]])
    >>> data.add(WordLinks.parse(["0-0 1p1"]), [WordLinks.parse(["0-0 1-0"])], words)
    >>> html = page_of(data)
    >>> "✕" in html, "&lt;i&gt;" in html, "<i>" in html
    (True, True, False)

    """
    compared, note_lines = bool(data.systems), list(notes)
    shown = data.pairs()
    parts = [
        *(
            [Section("figures", "Figures", _figures(data, alpha, scores, zero_division))]
            if compared
            else []
        ),
        *pages.pairs_section(pairs),
        *([Section("texts", "Texts", _texts(*texts))] if texts else []),
        Section("links", "Word links", _bench(data, compared=compared)),
        Section("list", "Differences" if compared else "Sentence pairs", _listed(data, shown)),
        *([Section("lexicon", "Lexicon", _lexicon(lexicon))] if lexicon else []),
        *([Section("notes", "Notes", _paragraphs(note_lines))] if note_lines else []),
    ]
    return pages.page(
        title or "Word links",
        _summary(data, len(shown)) + way_up(index),
        parts,
        style=pages.asset("links/links.css"),
        script=pages.asset("page.js") + pages.asset("links/links.js"),
        data=data.to_json(alpha=alpha),
    )


def _summary(data: LinkData, shown_count: int) -> str:
    size = many(data.size, "sentence pair")
    if not data.systems:
        criterion = "least probable" if data.scored else "first"
        note = "" if shown_count == data.size else f" The {criterion} {shown_count:,} are shown."
        return f"{size}.{note}"
    names = ", ".join(isolated(name, _NAME) for name in data.systems)
    note = "" if shown_count == data.size else (
        f" The page holds the {shown_count:,} with most differences; figures are of all."
    )  # fmt: skip
    return f"{size}, {data.differing:,} of them with differences; gold against {names}.{note}"


def _bench(data: LinkData, *, compared: bool) -> Iterator[str]:
    yield '<ul class="key" aria-label="What the lines mean">'
    for letter, name, meaning in _KEY if compared else _alone(data):
        shown = meaning if compared or data.scored else ""
        yield (
            f"<li>{_swatch(letter, named=compared)}<span><b>{name}</b> "
            f'<span class="meaning">{shown}</span></span></li>'
        )
    yield f"{pages.chosen_key('words of the chosen link')}</ul>"
    if data.scored:
        yield f'<p class="quiet">The figure of a sentence pair is {_PROBABILITY}.</p>'
    yield (
        '<div class="tools" id="controls" role="group" aria-label="What is shown"></div>'
        '<div class="linkbench" id="bench"></div>'
        "<noscript><p>The drawing needs JavaScript; without it the list below holds what there "
        "is.</p></noscript>"
    )
    if not data.size:
        yield '<p class="quiet">There is no sentence pair.</p>'


def _alone(data: LinkData) -> Iterator[tuple[str, str, str]]:
    """Yield the kinds of links alone that the page has, with their names."""
    has_possible = any(link.gold == 1 for pair in data.pairs() for link in pair.links)
    if not data.scored:
        yield from _ALONE
        return
    yield (
        "a",
        "sure" if has_possible else "link",
        "the bolder the line, the more probable the link",
    )
    if has_possible:
        yield from _ALONE[1:]


def _lexicon(table: Table) -> Iterator[str]:
    omitted = len(table.rows) - _ENTRIES
    shown_table = Table(table.head, right=table.right, rows=table.rows[:_ENTRIES])
    about = (
        "Linked words, in lower case, the most frequent first; shares are of the links of a word."
    )
    more = f" The first {_ENTRIES:,} of {len(table.rows):,}." if omitted > 0 else ""
    yield f'<p class="quiet">{about}{more}</p>'
    yield from pages.table_sheet(shown_table, "Table of linked words", longest=_NAME)


def _swatch(letter: str, *, named: bool) -> str:
    """Return the line of a kind as HTML, with its symbol beside it."""
    kind = KINDS[letter]
    sign = (
        f'<span class="sign {kind}" aria-hidden="true">{_SYMBOLS[letter]}</span>' if named else ""
    )
    return (
        '<svg class="swatch" width="44" height="16" aria-hidden="true">'
        f'<path class="link {kind}" d="M2 8H42"/></svg>{sign}'
    )


def _figures(
    data: LinkData, alpha: float, scores: tuple[str, Table] | None, zero_division: float
) -> Iterator[str]:
    """Yield the table of figures and counts over all sentence pairs."""
    table = Table(["system", "links", "right", "wrong", "missed"])
    if scores is None:
        name = "F1" if alpha == 0.5 else f"F({alpha:g})"
        table.head[1:1] = ["precision", "recall", name, "AER"]
    for system, counts in zip(data.systems, data.counts, strict=True):
        values = [
            number(zero_division if isnan(value) else value)
            for value in figures_of(counts, alpha=alpha)
        ]
        corpus_figures = (
            counts.proposed,
            counts.hits,
            counts.proposed - counts.hits,
            counts.expected - counts.found,
        )
        numbers = [f"{count:,.0f}" for count in corpus_figures]
        table.rows.append([system, *(values if scores is None else []), *numbers])
    if scores is not None:
        yield from _sheet(scores[1], "Scores of each system")
        yield from _paragraphs(scores[0].splitlines())
    yield from _sheet(table, "Figures of each system")


def _sheet(table: Table, label: str) -> Iterator[str]:
    """Yield a table that scrolls if too wide, with all but names at the right."""
    table.right |= {k for k, head in enumerate(table.head) if head not in _NAMES}
    kind = "plain two" if table.head[1] == "system" else "plain"
    yield from pages.table_sheet(table, label, longest=_NAME, kind=kind)


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    return (f'<p class="quiet">{isolated(line)}</p>' for line in lines)


def _texts(table: Table, addresses: Sequence[str]) -> Iterator[str]:
    """Yield the table of the texts with links to their pages; it marks the index of a folder."""
    yield f'<p class="quiet" {MARK}>The text with the highest error rate of a system first.</p>'
    yield from pages.table_sheet(table, "Table of texts", longest=_NAME, links=addresses)


def _listed(data: LinkData, pairs: list[PagePair]) -> Iterator[str]:
    """Yield the first hundred sentence pairs with their differences."""
    compared = bool(data.systems)
    listed = [pair for pair in pairs if not compared or _differs(pair)]
    if not listed:
        yield f'<p class="quiet">{"No link differs." if compared else "Nothing."}</p>'
        return
    if compared:
        listed.sort(key=lambda pair: -_faults(pair))
        yield '<p class="quiet">Sentence pairs with the most wrong and missed links first.</p>'
    elif data.scored:
        listed.sort(key=lambda pair: 2 if isnan(pair.probability) else pair.probability)
        yield '<p class="quiet">The least probable sentence pairs first.</p>'
    if len(listed) > _LISTED:
        yield f'<p class="quiet">The first {_LISTED} of {len(listed):,} sentence pairs.</p>'
    yield '<ol class="pairs-list">'
    for pair in listed[:_LISTED]:
        probability = "" if isnan(pair.probability) else f" {number(pair.probability, 2)}"
        yield f"<li><b>{_name(pair, several=data.several)}</b>{probability}"
        for words in (pair.src, pair.tgt):
            if words is not None:
                yield f"<p>{isolated(' '.join(words))}</p>"
        if compared:
            yield from _differences(pair, data.systems)
        else:
            links = [(link, "a" if link.gold > 1 else "o") for link in pair.links]
            scores = [values[0] for values in pair.chances]
            yield f"<p>{_spelled(pair, links, alone=True, scores=scores)}</p>"
        yield "</li>"
    yield "</ol>"


def _faults(pair: PagePair) -> float:
    return sum(c.proposed - c.hits + c.expected - c.found for c in pair.counts)


def _differs(pair: PagePair) -> bool:
    return any(c.hits < c.proposed or c.found < c.expected for c in pair.counts)


def _differences(pair: PagePair, systems: Sequence[str]) -> Iterator[str]:
    """Yield the missed and wrong links of a pair, for the first dozen systems that differ."""
    differing = 0
    for system, (name, counts) in enumerate(zip(systems, pair.counts, strict=True)):
        if counts.hits == counts.proposed and counts.found == counts.expected:
            continue
        differing += 1
        if differing <= _SYSTEMS:
            kinds = ((link, kind_of(link, system)) for link in pair.links)
            links = [(link, kind) for link, kind in kinds if kind in ("m", "w")]
            named = f"{isolated(name, _NAME)}: " if len(systems) > 1 else ""
            yield f"<p>{named}{_spelled(pair, links)}</p>"
    if differing > _SYSTEMS:
        yield f'<p class="quiet">And in {many(differing - _SYSTEMS, "further system")}.</p>'


def _name(pair: PagePair, *, several: bool) -> str:
    text = f", {isolated(pair.text, _NAME)}" if several else ""
    return f"Pair {pair.number:,}{text}"


def _spelled(
    pair: PagePair,
    links: list[tuple[PairLink, str]],
    *,
    alone: bool = False,
    scores: Sequence[float] = (),
) -> str:
    """Format links as HTML: symbol, kind, words and probability of each."""
    names = {letter: name for letter, name, _ in _ALONE} if alone else dict(KINDS)
    if scores:
        names["a"] = ""
    score_texts = [f" {number(score, 2)}" for score in scores] or [""] * len(links)
    items = [
        f'<span class="{KINDS[kind]}"><span aria-hidden="true">{"" if alone else _SYMBOLS[kind]}'
        f"</span> {names[kind]}</span> {_word(link.src, pair.src)} – {_word(link.tgt, pair.tgt)}"
        f"{score}"
        for (link, kind), score in zip(links[:_LINKS], score_texts[:_LINKS], strict=True)
    ]
    omitted = [f"and {len(links) - _LINKS:,} more"] if len(links) > _LINKS else []
    return "; ".join(items + omitted)


def _word(position: int, words: tuple[str, ...] | None) -> str:
    if position < 0:
        return "(none)"
    if words is None or position >= len(words):
        return escape(str(position))
    return f"{position} {isolated(words[position], _NAME)}"
