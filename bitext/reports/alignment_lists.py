"""The bisegments of an alignment as lists of a page: what stands there without a script."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from bitext.reports.alignment_data import KINDS, harmless, kind_name, sign_of
from bitext.reports.pages import held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.kernels.rows import Rows
    from bitext.reports.alignment_data import Overlaid, System
    from bitext.reports.alignment_ground import Shown

__all__ = ["MOST", "bead_list", "difference_list"]

MOST = 500  # rows of a list
_SEGMENTS = 6  # of a side
_SIGNS = 300  # characters of a side
_NAME = 40


def difference_list(found: Overlaid) -> Iterator[str]:
    """Yield the first 500 differences, shared out among the hypotheses."""
    hyps = found.systems[1:]
    all_of_them = [found.differences(hyp) for hyp in range(1, len(found.systems))]
    total = sum(map(len, all_of_them))
    share = MOST // max(sum(map(bool, all_of_them)), 1)
    for number, (system, differences) in enumerate(zip(hyps, all_of_them, strict=True), start=1):
        if len(hyps) > 1:
            yield f'<h3 data-of="{number}">{held(system.name, 60)}</h3>'
        if not differences:
            yield f'<p class="quiet" data-of="{number}">No bisegment differs.</p>'
            continue
        if total > MOST and len(differences) > share:
            yield (
                f'<p class="quiet" data-of="{number}">The first {share} of '
                f"{len(differences):,} differences.</p>"
            )
        yield (
            f'<ol class="beads" data-of="{number}" '
            f'aria-label="Differences of {escape(harmless(system.name, 60))}">'
        )
        for item in islice(differences, share if total > MOST else None):
            mine = found.systems[item.system]
            name = kind_name(item.kind, gold=not item.system)
            sign = sign_of(item.kind, gold=not item.system)
            yield (
                f'<li data-bead="{item.system} {item.bead}"><span class="what">'
                f'<span class="{KINDS[item.kind]}"><span aria-hidden="true">{sign}</span> '
                f"{name}</span> {mine.types[item.bead]}</span>"
                f"{_sides(found, mine, item.bead)}</li>"
            )
        yield "</ol>"


def bead_list(found: Overlaid) -> Iterator[str]:
    """Yield the first 500 bisegments of the gold standard, or of the only alignment."""
    gold = found.systems[0]
    if not len(gold):
        yield f'<p class="quiet">{held(gold.name, 60)} has no bisegment.</p>'
        return
    if len(gold) > MOST:
        yield f'<p class="quiet">The first {MOST} of {len(gold):,} bisegments.</p>'
    yield '<ol class="beads" aria-label="Bisegments">'
    order = found.order(0).argsort(kind="stable")
    for k in order[:MOST].tolist():
        yield (
            f'<li data-bead="0 {k}"><span class="what">{gold.types[k]}</span>'
            f"{_sides(found, gold, k)}</li>"
        )
    yield "</ol>"


def _sides(found: Overlaid, system: System, k: int) -> str:
    return _side(found.src, system.src, k) + _side(found.tgt, system.tgt, k)


def _side(side: Shown, rows: Rows, k: int) -> str:
    members = rows.row(k).tolist()
    if not members:
        return '<span class="side quiet">nothing</span>'
    # Pieces of one segment have one name.
    ids = list(dict.fromkeys(side.ids[m] for m in members))
    told = " ".join(harmless(name, _NAME) for name in ids[:_SEGMENTS])
    if len(ids) > _SEGMENTS:
        told += f" ... {len(ids) - _SEGMENTS:,} more"
    text = ""
    if side.texts is not None:
        joined = " ".join(side.texts[m][: _SIGNS + 1] for m in members[:_SEGMENTS])
        text = held(joined, _SIGNS)
    return f'<span class="side"><span class="ids">{held(told)}</span> {text}</span>'
