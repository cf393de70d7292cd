"""The figures of the error study as files: SVG, and PNG where matplotlib is installed.

The SVG is our own (`bitext.reports.study_svg`): it is the same everywhere, and has both themes.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from bitext.errors import MissingExtraError
from bitext.formats.writing import write_whole
from bitext.reports import study_svg
from bitext.reports.study_svg import TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from bitext.metrics.error_study import Row

__all__ = ["draw", "write_figures"]

# Metrics are told apart by mark, dashes and width, so that lines which cover each other show too,
# and colour is never needed. The colours are those of Okabe and Ito, for all kinds of sight.
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)))
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def draw(rows: Sequence[Row], error: str) -> Figure:
    """Draw with matplotlib the share of references that each metric errs on, by n.

    Raises
    ------
    MissingExtraError
        Without matplotlib.

    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator, PercentFormatter
    except ImportError:
        raise MissingExtraError("drawing figures", extra="figures") from None

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    metrics = list(dict.fromkeys(row.metric.label for row in rows))
    for number, label in enumerate(metrics):
        mine = sorted((r.n, r.share) for r in rows if r.metric.label == label and r.error == error)
        # Lines and marks get smaller: what is drawn upon others leaves a rim of them.
        last = len(metrics) - 1
        rim = min(last, 4) * (last - number) / max(last, 1)
        axes.plot(
            [n for n, _ in mine],
            [share for _, share in mine],
            label=label,
            color=_COLOURS[number % len(_COLOURS)],
            linestyle=_DASHES[number % len(_DASHES)],
            linewidth=1.4 + 0.9 * rim,
            marker=_MARKS[number % len(_MARKS)],
            markersize=5 + 1.6 * rim,
            markerfacecolor="white",
            markeredgewidth=1.4,
            clip_on=False,  # marks at 0 are whole
            zorder=3,
        )
    axes.set_title(TITLES[error])
    axes.set_xlabel("units of the reference, n")
    axes.set_ylabel("references that the metric errs on")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=None))
    axes.set_ylim(bottom=0, auto=True)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if len(metrics) > 5:
        figure.legend(frameon=False, handlelength=4, loc="outside lower center", ncols=2)
        figure.set_figheight(4.0 + 0.12 * len(metrics))
    else:
        axes.legend(frameon=False, handlelength=4)
    return figure


def write_figures(rows: Sequence[Row], folder: Path) -> None:
    """Write a figure an error type, as SVG and as PNG; the same rows give the same bytes.

    Raises
    ------
    MissingExtraError
        Without matplotlib, when the SVG is written.

    """
    errors = list(dict.fromkeys(row.error for row in rows))
    for error in errors:
        with write_whole(folder / f"{error}.svg") as out:
            out.write(study_svg.draw(rows, error))
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtraError("drawing PNG figures", extra="figures") from None

    # Whatever the user's own settings are.
    with mpl.rc_context():
        mpl.rcdefaults()
        for error in errors:
            pixels = io.BytesIO()
            draw(rows, error).savefig(pixels, format="png", dpi=150)
            with write_whole(folder / f"{error}.png", binary=True) as out:
                out.write(pixels.getvalue())
