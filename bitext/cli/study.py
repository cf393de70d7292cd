"""`bitext study`: the errors of metrics over all references, and the figures of the paper on A."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bitext.cli.common import (
    FIGURES,
    LOOK,
    Parser,
    add_output,
    is_result_file,
    json_line,
    make_folder,
    refuse_file_name,
    refuse_folder,
    write_file,
)
from bitext.cli.console import Progress
from bitext.cli.option_tables import add_groups, add_options, option_of, options_of
from bitext.cli.request import OutputRequest, request_of
from bitext.errors import InputError, MissingExtraError, OptionError
from bitext.paths import is_folder, is_there

if TYPE_CHECKING:
    from bitext.metrics.study import Batch, By, Finding, Row, StudiedMetric

_SCHEMA = "bitext.study/1"
_METRICS = ("window-diff", "boundary-similarity", "alignment-similarity")
_COLUMNS = ("metric", "error", "n", "references", "erring", "share", "reference", "h1", "h2")
_FIGURES_SCHEMA = "bitext.study-figures/1"
_SIMILARITIES = ("alignment-similarity", "boundary-similarity", "1-window-diff")
_MOST = 20  # units in the paper's figures
_LETTERS = {"units": "n", "segments": "m"}
_FEWEST = {"units": 5, "segments": 3}  # units that the paper's figures begin with

_EPILOG = """\
Every reference of n units with 2 to n - 1 segments is compared with hypotheses that move one of
its boundaries. A metric errs on a reference when it scores two of them equally: h1, which shifts a
boundary softly (both segments keep a Jaccard index above 1/2), and h2, which
  cross           moves a boundary as far, over exactly one neighbour
  vanishing       shifts the same boundary farther
  constant-cost   shifts a boundary as far, and hard (both Jaccard indices fall below 1/2)

These are the errors of the authors' program, which printed the totals of the paper. Its section 5
defines two of them otherwise: a hard shift by one unit, which is impossible, and vanishing as a
soft shift by x against one by x + 1.

With -o FOLDER the study can be stopped at any time; the same command continues it. The
folder gets journal.jsonl, errors.csv, errors.json, and a figure an error type, as SVG and PNG.

'bitext study figures' computes the similarities of figures 10, 11, 12 and 16 of the paper, and
compares them with the printed ones. With -o FOLDER it draws them, too.

examples:
  bitext study figures
  bitext study errors --to-n 12
  bitext study errors -o study -j 4
  bitext study errors --to-n 12 -o shares.tex
  bitext study errors --to-n 12 -o shares.pdf
  bitext study errors --to-n 14 --html study.html
  bitext study errors --by segments --to-n 14
  bitext study errors --metric 'window-diff(k=3)' --metric pk --from-n 5 --to-n 15
"""


class StudyRequest(OutputRequest):
    """The request of `bitext study`; the fields are its options."""

    draws: ClassVar[bool] = True
    what: str = "errors"
    metric: tuple[str, ...] | None = None
    measure: str = ""
    by: By = "units"
    from_n: int | None = None
    to_n: int = _MOST
    jobs: int = 1
    folder: str | None = None

    def placed(self) -> Self:
        """Return the request with -o as the output, if it names the file of a table or a figure."""
        if not self.folder or is_folder(self.folder) or self.folder.endswith("/"):
            return self
        if not is_result_file(self.folder):
            return self
        return self.replaced(output=self.folder, folder=None)

    @property
    def fewest(self) -> int:
        """The smallest number of units."""
        return _FEWEST[self.by] if self.from_n is None else self.from_n

    def resolve(self) -> str:
        """Check options and paths before any work; return the style of the output."""
        style = self.style()
        if self.what == "figures":
            self._check_figures(style)
        self.refuse_below(jobs=1)
        self.check_page(one_file=True)
        refuse_folder(self.output, option="-o")
        if self.folder and style in FIGURES:  # only by the ending of -o
            raise OptionError(f"-o {self.folder}: is a folder; name a file for one figure")
        if self.folder:
            refuse_file_name(self.folder)
        return style

    def _check_figures(self, style: str) -> None:
        """Refuse the options of `study errors`."""
        self.refuse(
            "--metric --measure --by --from-n --to-n --jobs --digits",
            "OPTION is of study errors: leave it out",
        )
        if style in FIGURES:
            raise OptionError(
                f"-o {self.output}: the figures are several; name a folder (-o figures/)"
            )


_OUTPUT = options_of("""
    -o --output FOLDER|FILE (folder)
        FOLDER: write tables and figures there, and a journal to continue the study from; FILE: one
        table (.json, .tsv, .csv, .md, .tex) or figure (.svg, .pdf, .png)
    --html FILE  also write a page: the figures, all shares, examples; - is standard output
""")


def _parser() -> Parser:
    parser = Parser(
        prog="bitext study",
        description="Count the references on which metrics score unequal hypotheses equally, or "
        "compute the figures of the paper on A.",
        epilog=_EPILOG,
        conflict_handler="resolve",
    )
    parser.add_argument(
        "what",
        metavar="errors|figures",
        choices=("errors", "figures"),
        help="the error study, or figures 10, 11, 12 and 16 of the paper on A",
    )
    studying = [
        option_of(
            "-m --metric METRIC",
            f"a metric of segmentations, as 'pk' or 'window-diff(k=5)'; repeats, or with commas "
            f"(default: {', '.join(_METRICS)}). The study sets k to max(1, round(n / 2m)), padded "
            f"windows and transpositions by one unit, unless they are given",
            action="append",
        ),
        *options_of("""
            --measure NAME  for metrics with several figures: f1 (default), precision or recall
            --by {units,segments}
                a row for each number of units, n (default), or of segments, m, of all references
            --from-n N:whole  the fewest units (5; by segments 3)
            --to-n N:whole
                the most units (20); each unit more takes twice the time, 24 is the most
            -j --jobs N:whole  processes (1)
        """),
    ]
    add_groups(parser, {"study": studying, "showing": LOOK})
    add_output(parser, figures=True)
    add_options(parser, _OUTPUT)
    parser.set_defaults(output="-")
    return parser


def run(arguments: Sequence[str]) -> int:
    """Study the errors of metrics, or compute the figures of the paper; return the exit status."""
    request = request_of(StudyRequest, _parser(), arguments).placed()
    style = request.resolve()
    if request.no_intervals:
        request.print_notes(["--no-intervals: no effect, as a study has no intervals"])
    if request.what == "figures":
        return _figures(request, style)
    from bitext.metrics.registry import parse_metrics
    from bitext.metrics.study import StudiedMetric, batches_of, rows_of

    batches = batches_of(request.fewest, request.to_n)
    # Parsed one by one, as a metric given with its default padded=False differs from one without:
    # the default of the study is True.
    named = [metric for item in request.metric or _METRICS for metric in parse_metrics([item])]
    if request.measure and not any(each.metric.measures for each in named):
        raise OptionError(f"--measure {request.measure}: no metric here has several; leave it out")
    metrics = [
        StudiedMetric(each, request.measure if each.metric.measures else "") for each in named
    ]
    for number, metric in enumerate(metrics):
        if any(metric.signature == other.signature for other in metrics[:number]):
            raise OptionError(f"metric {metric.label!r} is asked for twice: want each once")
        metric.check(request.fewest)
    folder = _folder(request.folder)
    rows = rows_of(metrics, _findings(batches, metrics, folder, request), request.by)
    document = _document(rows, metrics, request)
    if folder is not None:
        request.print_notes(_write(rows, document, folder))
    if request.html:
        from bitext.reports.study import study_page

        write_file(request.html, study_page(rows, signature=_signature(metrics, request)))
        if request.html == "-":
            return 0
    if style in FIGURES:
        from bitext.reports.plots import plot_study, write_plot

        write_plot(plot_study(rows), request.output, style)
    elif style == "json":
        request.deliver(document)
    else:
        request.deliver(_table(rows, style, request))
    return 0


def _figures(request: StudyRequest, style: str) -> int:
    """Compute the figures of the paper, and draw them; return the exit status."""
    from bitext import __version__
    from bitext.formats.io.output import write_whole
    from bitext.metrics.study.runs import ERRATA, PUBLISHED
    from bitext.reports.study import published_page, published_svg, published_table

    signature = (
        "study:figures|alignment-similarity|boundary-similarity|max_transposition:1|window-diff|k:2|"
        f"padded:no|bitext {__version__}"
    )
    document = _figures_document(signature)
    folder = _folder(request.folder)
    if folder is not None:
        rows = published_table("tsv")
        with write_whole(folder / "figures.csv") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerows([rows.head, *rows.rows])
        write_file(folder / "figures.json", document)
        for pair in PUBLISHED:
            write_file(folder / f"figure-{pair.figure}{pair.letter}.svg", published_svg(pair))
    if request.html:
        write_file(request.html, published_page(signature))
        if request.html == "-":
            return 0
    request.print_notes(ERRATA)
    request.deliver(document if style == "json" else published_table(style).render(style))
    return 0


def _figures_document(signature: str) -> str:
    from bitext.metrics.study.runs import ERRATA, PUBLISHED, similarities

    rows: list[dict[str, Any]] = []
    for pair in PUBLISHED:
        similarity = similarities(pair.reference, pair.hypothesis)
        rows.append(
            {
                "figure": pair.figure,
                "pair": pair.letter,
                "reference": pair.reference,
                "hypothesis": pair.hypothesis,
                **{
                    name: float(value)
                    for name, value in zip(_SIMILARITIES, similarity, strict=True)
                },
                "exact": {
                    n: str(value) for n, value in zip(_SIMILARITIES, similarity, strict=True)
                },
                "printed": dict(
                    zip(_SIMILARITIES, map(str, (pair.a, pair.b, pair.wd)), strict=True)
                ),
                "equal": pair.agrees(similarity),
            }
        )
    document = {"schema": _FIGURES_SCHEMA, "signature": signature, "errata": ERRATA, "rows": rows}
    return json_line(document, allow_nan=False)


def _folder(given: str | None) -> Path | None:
    if given is None:
        return None
    if not given.strip():
        raise InputError("-o names no folder; name one, or leave -o out")
    if given == "-":
        raise InputError("-o -: a study writes several files; name a folder, or leave -o out")
    folder = Path(given)
    if is_there(folder) and not is_folder(folder):
        raise InputError(f"{given}: is a file where a folder is wanted; name a folder")
    make_folder(given)
    return folder


def _findings(
    batches: Sequence[Batch],
    metrics: Sequence[StudiedMetric],
    folder: Path | None,
    request: StudyRequest,
) -> dict[Batch, list[list[Finding]]]:
    """Return the findings by batch: those in the journal, and new ones of all other batches."""
    from bitext import __version__
    from bitext.metrics.study.runs import Journal, run_batches

    findings: dict[Batch, list[list[Finding]]] = {}
    with ExitStack() as stack:
        journal = None
        if folder is not None:
            path = folder / "journal.jsonl"
            journal = stack.enter_context(Journal(path, metrics, version=__version__))
            findings = {batch: journal.found[batch] for batch in batches if batch in journal.found}
        left = [batch for batch in batches if batch not in findings]
        total = sum(batch.last - batch.first for batch in left)
        progress = Progress("references", total, quiet=request.quiet)
        work = stack.enter_context(closing(run_batches(left, metrics, jobs=request.jobs)))
        watched = progress.over(work, size=lambda done: done[0].last - done[0].first)
        for batch, of_batch in stack.enter_context(closing(watched)):
            findings[batch] = of_batch
            if journal is not None:
                journal.add(batch, of_batch)
    return findings


def _write(rows: Sequence[Row], document: str, folder: Path) -> list[str]:
    """Write the files of a study; return a note if figures are left out."""
    from bitext.reports.study import suffix_of, write_figures

    by = suffix_of(rows)
    write_file(folder / f"errors{by}.csv", _csv(rows))
    write_file(folder / f"errors{by}.json", document)
    try:
        write_figures(rows, folder)
    except MissingExtraError as error:
        return [f"the PNG figures were left out: {error}"]
    return []


def _columns(rows: Sequence[Row]) -> list[str]:
    return [_LETTERS[rows[0].by] if name == "n" else name for name in _COLUMNS]


def _cells(row: Row) -> list[str]:
    example = [",".join(map(str, masses)) for masses in row.example or ([], [], [])]
    return [row.metric.label, row.error, str(row.n), str(row.references), str(row.erring), *example]


def _table(rows: Sequence[Row], style: str, request: StudyRequest) -> str:
    from bitext.reports.study import shares_table
    from bitext.reports.table import Table, beside, number

    if style == "latex":
        metrics = {row.metric.label: row.metric for row in rows}
        head = beside(f"signature: {_signature([*metrics.values()], request)}\n", style)
        return f"{head}\n{shares_table(rows, request.look).render(style)}"
    table = Table(_columns(rows), right={2, 3, 4, 5}, quiet={0, 1})
    in_csv = request.writes_csv()
    for row in rows:
        cells = _cells(row)
        share = repr(row.share) if in_csv else number(row.share, request.look.digits)
        table.rows.append([*cells[:5], share, *(cell or "-" for cell in cells[5:])])
    return table.render(style)


def _csv(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_columns(rows))
    for row in rows:
        cells = _cells(row)
        writer.writerow([*cells[:5], repr(row.share), *cells[5:]])
    return out.getvalue()


def _study_parts(request: StudyRequest) -> list[str]:
    """Return the parts of a signature that are common to all metrics of the study."""
    from bitext import __version__

    by = ["by:segments"] if request.by == "segments" else []
    return ["study:errors", f"n:{request.fewest}-{request.to_n}", *by, f"bitext {__version__}"]


def _signature(metrics: Sequence[StudiedMetric], request: StudyRequest) -> str:
    parts = _study_parts(request)
    return "|".join([*parts[:-1], *(metric.signature for metric in metrics), parts[-1]])


def _document(rows: Sequence[Row], metrics: Sequence[StudiedMetric], request: StudyRequest) -> str:
    from bitext.metrics.study import DEFINITIONS

    signatures = {metric.label: metric.signature for metric in metrics}
    parts = _study_parts(request)
    listed: list[dict[str, Any]] = [
        {
            "metric": row.metric.label,
            "error": row.error,
            _LETTERS[row.by]: row.n,
            "references": row.references,
            "erring": row.erring,
            "share": row.share,
            "example": row.example._asdict() if row.example else None,
            "signature": "|".join([signatures[row.metric.label], *parts]),
        }
        for row in rows
    ]
    document = {
        "schema": _SCHEMA,
        "signature": _signature(metrics, request),
        "definitions": DEFINITIONS,
        "metrics": [
            {
                "metric": metric.label,
                "signature": metric.signature,
                "better": metric.named.metric.better,
                "source": metric.named.metric.source,
            }
            for metric in metrics
        ],
        "rows": listed,
    }
    return json_line(document, allow_nan=False)
