"""`bitext stats`: sizes, lengths, languages, scores and duplicates of files of alignments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    READING,
    Parser,
    add_groups,
    add_output,
    check_page,
    check_where,
    deliver,
    print_notes,
    protected_outputs,
    reading_of,
    refuse_folder,
    refuse_inputs,
    style_of,
)
from bitext.cli.console import Progress
from bitext.cli.request import ReadingRequest, request_of
from bitext.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.convert.statistics import Description
    from bitext.formats.io.source import Notes

__all__ = ["run"]

_EPILOG = """\
Words are what blanks separate; lengths are of sentences, aligned or not. A length ratio is that of
a bisegment, target characters by source characters. A duplicate repeats an earlier bisegment
character by character: both sides, or one alone. Quantiles of ratios and scores are exact to
0.05 %.

examples:
  bitext stats memory.tmx
  bitext stats corpus/ --html corpus.html
  bitext stats corpus.tsv --json | jq .total.bisegments

memory: 16 bytes a bisegment and 100 a type, beside what reading takes
"""


class StatsRequest(ReadingRequest):
    """The request of `bitext stats`; the fields are its options."""

    files: tuple[str, ...]
    base: int | None = None
    total: bool = False

    def resolve(self) -> str:
        """Check options, paths and clashes before any work; return the style of the table."""
        style = style_of(self)
        check_where(self)
        check_page(self, printed=self.json or self.format is not None)
        refuse_folder(self.html)
        refuse_inputs(self.files, self, beside=[self.src, self.tgt])
        return style


def run(arguments: Sequence[str]) -> int:
    """Describe files; return the exit status."""
    from bitext.formats.io.source import Notes

    request = request_of(StatsRequest, _parser(), arguments)
    style = request.resolve()
    notes = Notes()
    with protected_outputs(request):
        document = _document(request, notes)
    print_notes(map(str, notes.all()), request)
    if request.html is not None:
        from bitext.formats.io.output import write_whole
        from bitext.reports.corpus_statistics import statistics_page

        with write_whole(request.html) as out:
            out.write(statistics_page(document, title=f"Statistics of {request.files[0]}"))
        if request.html == request.output == "-":
            return 0
    if style == "json":
        deliver(json.dumps(document, ensure_ascii=False) + "\n", request)
        return 0
    from bitext.reports.corpus_statistics import statistics_table

    table = statistics_table(document, exact=style == "tsv")
    deliver(table.render(style), request)
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="bitext stats",
        description="Describe files of alignments: sizes, lengths, languages, scores, duplicates.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or a manifest")
    add_groups(
        parser,
        {
            "reading": READING,
            "describing": [
                ("--total", {"action": "store_true"}, "all files together, not each of them too"),
                ("--html", {"metavar": "FILE"}, "write a page with histograms, too"),
            ],
        },
    )
    add_output(parser)
    return parser


def _document(request: StatsRequest, notes: Notes) -> dict[str, Any]:
    """Return the statistics of each file and of all."""
    from bitext.formats.convert.statistics import Description, describe
    from bitext.formats.corpora import open_corpus
    from bitext.formats.registry import by_name

    known = by_name(request.known) if request.known else None
    langs = request.src_lang, request.tgt_lang
    for path in sorted({path for path in request.files if request.files.count(path) > 1}):
        notes.add("files that are given more than once, counted each time", path)
    corpora = [open_corpus(path, known=known, langs=langs) for path in request.files]
    print_notes((note for corpus in corpora for note in corpus.notes()), request)
    total, files = Description(), []
    progress = Progress("bisegments", quiet=request.quiet)
    try:
        for corpus in corpora:
            for entry in corpus.entries.values():
                description: Description = describe(
                    entry.path,
                    reading=reading_of(entry, request, request.base),
                    notes=notes,
                    on_part=progress.add,
                )
                if not request.total:
                    # The summary alone stays: vocabularies of many files would fill the memory.
                    files.append(description.summary())
                total.include(description)
    except FormatError:
        progress.end()
        raise
    progress.end()
    number = sum(len(corpus.entries) for corpus in corpora)
    total.name = files[0]["name"] if len(files) == 1 else f"all {number:,} files"
    return {"schema": "bitext.stats/1", "files": files, "total": total.summary()}
