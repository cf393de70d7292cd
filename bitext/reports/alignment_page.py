"""Alignments as a page: two texts in columns, and ribbons between them.

Gold standard and hypothesis are laid over each other, and each bisegment has the colour, the shape
and the sign of its kind (`bitext.reports.alignment_data` defines them):

    ● agreed         filled
    ○ missed         dashed, empty
    ✕ wrong          hatched
    ◐ partly right   cross-hatched
    ◑ partly found   of the gold standard: dotted, empty

Without JavaScript, and on paper, the page lists the differences and the bisegments. With it the
texts stand side by side; only what is in view is drawn, so long texts stay smooth.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bitext.reports import pages
from bitext.reports.alignment_data import KINDS, overlaid, sign_of, to_data
from bitext.reports.alignment_lists import bead_list, difference_list
from bitext.reports.pages import Section, held, way_up
from bitext.reports.pages import figures as figures_table
from bitext.reports.table import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bitext.model import Alignment, Bitext
    from bitext.reports.alignment_data import Overlaid
    from bitext.reports.alignment_ground import Shown

__all__ = ["SCRIPTS", "alignment_page"]

SCRIPTS = ("alignment_beads.js", "alignment_layout.js", "alignment_drawing.js", "alignment.js")

_KEY = (
    ("a", "agreed", "both have it"),
    ("p", "partly right", "only the hypothesis has it; it shares a pair of sentences with gold"),
    ("P", "partly found", "only gold has it; it shares a pair of sentences with the hypothesis"),
    ("m", "missed", "only gold has it, and no pair of it is proposed"),
    ("w", "wrong", "only the hypothesis has it, and no pair of it is right"),
)


def alignment_page(
    bitext: Bitext,
    *,
    hypotheses: Mapping[str, Alignment | Bitext] | None = None,
    title: str | None = None,
    gold_name: str = "gold",
    figures: Iterable[tuple[str, object]] = (),
    index: str = "",
    sections: Iterable[Section] = (),
    style: str = "",
    script: str = "",
    min_matched: float = 0.9,
) -> str:
    """Return the page of a bitext, with any number of hypotheses laid over its alignment.

    Parameters
    ----------
    bitext : Bitext
        The texts, and the gold standard, or the only alignment. Without characters the
        identifiers are shown, or the positions.
    hypotheses : mapping of str to Alignment or Bitext, optional
        By name, in the order of choice. A bitext may cut the same texts into other segments: then
        the pieces that all make are shown.
    title : str, optional
        The heading; by default after the bitext.
    gold_name : str
        What the alignment of the bitext is called where something is held against it.
    figures : iterable of (name, value), optional
        Rows of a table of figures, as scores. Floats are written with four decimals.
    index : str, optional
        Where a page of all texts is, relative to this one: it is linked to.
    sections : iterable of Section
        Further parts of the page, with the `style` and the `script` that they need.
    style, script : str
    min_matched : float
        The least share of characters that texts cut differently have in common.

    Returns
    -------
    str
        HTML, the same for the same input.

    Raises
    ------
    InputError
        When a hypothesis has no common ground with the gold standard.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> gold = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> bitext = Bitext(Text(["Rain.", "<i>"]), Text(["Pluie.", "b"]), gold)
    >>> html = alignment_page(bitext, hypotheses={"ours": Alignment([((0,), (0,))])})
    >>> "○" in html, "&lt;i&gt;" in html, "<i>" in html
    (True, True, False)

    """
    found = overlaid(
        bitext,
        hypotheses,
        gold_name=gold_name if hypotheses else "alignment",
        min_matched=min_matched,
    )
    of = f" of {bitext.name}" if bitext.name else ""
    rows = list(figures)
    compared = bool(found.kinds)
    parts = [
        Section("alignment", "Alignment", _alignment(found)),
        *([Section("differences", "Differences", difference_list(found))] if compared else []),
        Section("beads", "Bisegments", bead_list(found)),
        *([Section("figures", "Figures", figures_table(rows))] if rows else []),
        *sections,
    ]
    return pages.page(
        title or f"Alignment{of}",
        _summary(found) + way_up(index),
        parts,
        style=pages.asset("alignment.css") + style,
        script="\n".join([*map(pages.asset, SCRIPTS), *([script] if script else [])]),
        data=to_data(found),
    )


def _summary(found: Overlaid) -> str:
    gold = found.systems[0]
    names = [held(side.name, 60) if side.name else "" for side in (found.src, found.tgt)]
    sides = " and ".join(
        f"{_counted(side, role)}{f' ({name})' if name else ''}"
        for side, role, name in zip(
            (found.src, found.tgt), ("source", "target"), names, strict=True
        )
    )
    line = f"{sides}; {many(len(gold), 'bisegment')}"
    if not found.kinds:
        return f"{line}."
    own = ", ".join(f"{held(system.name, 60)}" for system in found.systems[1:])
    return f"{line} in {held(gold.name, 60)}, held against {own}."


def _counted(side: Shown, role: str) -> str:
    if side.pieces:
        return f"{many(side.size, 'piece')} of {role} sentences"
    return many(side.size, f"{role} sentence")


def _alignment(found: Overlaid) -> Iterator[str]:
    compared = bool(found.kinds)
    yield _patterns()
    if compared:
        yield from _counts(found)
        yield '<ul class="key" aria-label="What the signs mean">'
        for letter, name, meaning in _KEY:
            yield (
                f"<li>{swatch(letter)}<span><b>{name}</b> "
                f'<span class="meaning">{meaning}</span></span></li>'
            )
        yield "</ul>"
    yield (
        '<div class="tools" id="controls" role="group" aria-label="What is shown"></div>'
        '<div class="bench" id="bench"></div>'
        "<noscript><p>The texts side by side need JavaScript; without it the lists below hold "
        "what there is.</p></noscript>"
    )


def _counts(found: Overlaid) -> Iterator[str]:
    """Yield the table of how many bisegments of each kind each hypothesis has."""
    heads = ("agreed", "partly right", "wrong", "partly found", "missed")
    signs = [
        sign_of(k, gold=g) for k, g in zip("apwpm", (False, False, False, True, True), strict=True)
    ]
    classes = ("agreed", "partly", "wrong", "partly", "missed")
    yield ('<div class="sheet" tabindex="0" role="region" aria-label="Counts of each hypothesis">')
    yield '<table class="counts"><thead><tr><th scope="col">hypothesis</th>'
    for name, sign, kind in zip(heads, signs, classes, strict=True):
        yield f'<th scope="col"><span class="{kind}" aria-hidden="true">{sign}</span> {name}</th>'
    yield "</tr></thead><tbody>"
    for number, system in enumerate(found.systems[1:], start=1):
        yield f'<tr><th scope="row">{held(system.name, 60)}</th>'
        yield "".join(f"<td>{count:,}</td>" for count in found.counts(number).values())
        yield "</tr>"
    yield "</tbody></table></div>"


def swatch(letter: str) -> str:
    """Return the ribbon and the sign of a kind, small; `P` is what gold has of `p`."""
    kind = KINDS[letter.lower()]
    gold = letter in "Pm"
    of = "gold" if gold else "own"
    sign = escape(sign_of(letter.lower(), gold=gold))
    return (
        '<svg class="swatch" width="44" height="16" aria-hidden="true">'
        f'<path class="ribbon {kind} {of}" d="M1 2H43V14H1Z"/></svg>'
        f'<span class="sign {kind}" aria-hidden="true">{sign}</span>'
    )


def _patterns() -> str:
    """Return the hatchings that ribbons are filled with."""
    return (
        '<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>'
        '<pattern id="hatch-wrong" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="wrong" d="M0 0V6"/></pattern>'
        '<pattern id="hatch-partly" width="7" height="7" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="partly" d="M0 0V7M0 0H7"/></pattern>'
        "</defs></svg>"
    )
