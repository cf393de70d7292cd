"""`bitext agreement`: how far the annotators of a project agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
    for row, measure, value, *counts in (
        *_of_beads(document["rows"], document["alpha"]),
        *_of_words(document["words"]),
        *_of_segmentations(segmented["pairs"], segmented["coefficients"]),
    ):
        shown = "all" if row["document"] is None else row["document"]
        count, share = (str(counts[0]), figure(counts[1])) if counts else ("-", "-")
        annotators = ", ".join(row["annotators"])
        table.rows.append([shown, annotators, measure, figure(value), count, share])
    return table


# Measures: the row of the document that has one, its name, its value, and, where it has them, the
# number of what it is of, and the share of these.

_Measures = Iterator[tuple[Any, ...]]


def _by_document(first: list[Any], second: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield the rows of each document that the first ones name."""
    for name in dict.fromkeys(row["document"] for row in first):
        yield (
            [row for row in first if row["document"] == name],
            [row for row in second if row["document"] == name],
        )


def _of_beads(rows: list[Any], alphas: list[Any]) -> _Measures:
    for of_pairs, of_all in _by_document(rows, alphas):
        for row in of_pairs:
            yield row, f"F {row['granularity']}", row["f1"], row["sentences"], row["share"]
        for row in of_all:
            yield row, "alpha", row["alpha"]


def _of_words(words: list[Any]) -> _Measures:
    for row in words:
        yield row, "F sure word links", row["f1_sure"], row["beads"], None
        yield row, "F word links", row["f1"], row["beads"], None
        for gold, value in zip(row["annotators"], row["aer"], strict=True):
            yield row, f"AER, gold {gold}", value, row["beads"], None


def _of_segmentations(pairs: list[Any], coefficients: list[Any]) -> _Measures:
    for of_pairs, of_all in _by_document(pairs, coefficients):
        for row in of_pairs:
            yield row, row["metric"], row["value"], row["units"], row["share"]
        for row in of_all:
            kind = "" if row["type"] is None else f", {row['type']}"
            yield row, f"{row['coefficient']}{kind}", row["value"]
