"""`bitext agreement`: how far the annotators of a project agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from bitext.cli.common import Parser, add_output
from bitext.cli.request import OutputRequest, request_of
from bitext.errors import FormatError, InputError, OptionError, many

_FILES = (
    "files of segmentations: 'bitext compare A B --agreement'; of alignments: 'bitext score A B'"
)
_EPILOG = """\
F of two annotators is that of 'bitext score', at its four granularities; it is the same whichever
of them is the gold standard. alpha is Krippendorff's alpha of all annotators of a document, over
the beads of each sentence, corrected for the agreement of bead types by chance; 1 is perfect, 0 is
chance. Only confirmed beads count, in sentences that all compared annotators have decided.

For word links: F of sure links and of all links, and AER with either annotator as the gold
standard, in beads with the same sentences, whose word links both have confirmed.

For segmentations: B, S, A and F of boundaries of two annotators over the units that both have
confirmed; Krippendorff's alpha and Fleiss' kappa over the places between units, for boundaries of
all types, and of each.

Files of segmentations by several annotators: bitext compare A B --agreement.

examples:
  bitext agreement de-fr.bitext
  bitext agreement de-fr.bitext --json | jq .alpha
"""


class AgreementRequest(OutputRequest):
    """The request of `bitext agreement`; the fields are its options."""

    project: tuple[str, ...]


def run(arguments: Sequence[str]) -> int:
    """Print the agreement of annotators; return the exit status."""
    request = request_of(AgreementRequest, _parser(), arguments)
    if len(request.project) > 1:
        raise OptionError(f"there are several files; want one project of bitext edit; {_FILES}")
    (place,) = request.project
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    style = request.style()
    request.refuse_inputs([place])
    from bitext.workbench.agreement import agreement
    from bitext.workbench.project import Project

    try:
        with Project(place) as project:
            document = agreement(project)
    except FormatError as error:
        raise FormatError(f"{error.message}; {_FILES}", path=error.path) from error
    if not (document["rows"] or document["words"] or document["segmentations"]["pairs"]):
        raise InputError(
            f"{place}: no two annotators have confirmed beads, word links or segments of "
            f"one document: {_who(document)}"
        )
    request.print_notes(_notes(document))
    if style == "json":
        request.deliver_json(document, allow_nan=False)
    else:
        request.deliver(_table(document, exact=style == "tsv").render(style))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="bitext agreement",
        description="Compare the alignments of several annotators of a project of bitext edit.",
        epilog=_EPILOG,
    )
    parser.add_argument("project", metavar="PROJECT.bitext", nargs="+", help="one project")
    add_output(parser)
    return parser


def _who(document: dict[str, Any]) -> str:
    confirmed: Counter[str] = Counter()
    for each in (*document["progress"], *document["segmentations"]["progress"]):
        confirmed[each["annotator"]] += each["confirmed"]
    counts = ", ".join(f"{name} {count:,}" for name, count in sorted(confirmed.items()))
    return f"confirmed: {counts}" if counts else "it has no annotators"


def _notes(document: dict[str, Any]) -> list[str]:
    notes = []
    listed = [("bead", each) for each in document["progress"]]
    listed += [("segment", each) for each in document["segmentations"]["progress"]]
    for row, each in listed:
        part = f"{each['document']}, {each['annotator']}: {each['confirmed']:,} of "
        part += f"{many(each[f'{row}s'], row)} confirmed, {each['doubtful']:,} doubtful"
        if each.get("linked"):
            part += f", word links of {many(each['linked'], 'bead')} confirmed"
        if each.get("decided"):
            part += f", {many(each['decided'], 'place')} decided in other segments"
        if each[f"seconds_per_{row}"] is not None:
            part += f"; {each[f'seconds_per_{row}']:.1f} s a confirmed {row}"
        notes.append(part)
    return notes


def _table(document: dict[str, Any], *, exact: bool) -> Any:
    """Return the figures as a table, a row for each measure of a pair."""
    from bitext.reports.table import Table, number

    def figure(value: float | None) -> str:
        if value is None:
            return "-"
        return repr(value) if exact else number(value)

    segmented = document["segmentations"]
    counted = ["sentences"] * bool(document["rows"]) + ["beads"] * bool(document["words"])
    counted += ["units"] * bool(segmented["pairs"])
    head = ["document", "annotators", "measure", "value", " or ".join(counted), "share"]
    table = Table(head, right={3, 4, 5}, quiet={0, 1})
    names = list(dict.fromkeys(each["document"] for each in document["rows"]))
    for name in names:
        shown = "all" if name is None else name
        for row in document["rows"]:
            if row["document"] == name:
                pair = ", ".join(row["annotators"])
                counts = [str(row["sentences"]), figure(row["share"])]
                cells = [shown, pair, f"F {row['granularity']}", figure(row["f1"]), *counts]
                table.rows.append(cells)
        for each in document["alpha"]:
            if each["document"] == name:
                annotators = ", ".join(each["annotators"])
                table.rows.append([shown, annotators, "alpha", figure(each["alpha"]), "-", "-"])
    table.rows += _of_words(document["words"], figure)
    table.rows += _of_segmentations(segmented, figure)
    return table


def _of_words(words: list[dict[str, Any]], figure: Callable[[Any], str]) -> list[list[str]]:
    """Return the rows of the table for word links."""
    rows = []
    for row in words:
        shown = "all" if row["document"] is None else row["document"]
        annotators = ", ".join(row["annotators"])
        measures = [("F sure word links", row["f1_sure"]), ("F word links", row["f1"])]
        for gold, value in zip(row["annotators"], row["aer"], strict=True):
            measures.append((f"AER, gold {gold}", value))
        rows += [
            [shown, annotators, name, figure(value), str(row["beads"]), "-"]
            for name, value in measures
        ]
    return rows


def _of_segmentations(segmented: dict[str, Any], figure: Callable[[Any], str]) -> list[list[str]]:
    """Return the rows of the table for segmentations."""
    rows = []
    for name in dict.fromkeys(each["document"] for each in segmented["pairs"]):
        shown = "all" if name is None else name
        for row in segmented["pairs"]:
            if row["document"] == name:
                annotators = ", ".join(row["annotators"])
                counts = [str(row["units"]), figure(row["share"])]
                rows.append([shown, annotators, row["metric"], figure(row["value"]), *counts])
        for row in segmented["coefficients"]:
            if row["document"] == name:
                annotators = ", ".join(row["annotators"])
                measure = row["coefficient"] + ("" if row["type"] is None else f", {row['type']}")
                rows.append([shown, annotators, measure, figure(row["value"]), "-", "-"])
    return rows
