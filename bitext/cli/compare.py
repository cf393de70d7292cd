"""`bitext compare`: metrics of segmentations, over one text or a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from bitext.cli.common import (
    FIGURES,
    SAMPLING,
    SHOWING,
    Parser,
    add_output,
    check_page_folder,
    name_systems,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs
from bitext.cli.option_tables import add_groups, option_of, options_of
from bitext.cli.request import JobRequest, SampledRequest, request_from
from bitext.errors import OptionError

if TYPE_CHECKING:
    from bitext.formats.corpora.segmentation_pairing import SegmentPairing
    from bitext.jobs import Document, Task
    from bitext.metrics.evaluation.segmentations import Combination, Refused
    from bitext.scoring.common import Showing
    from bitext.scoring.compared_texts import CompareJobs, Comparing


def run(arguments: Sequence[str]) -> int:
    """Compare segmentations; return the exit status."""
    given = add_jobs(parser()).parse_intermixed_args(arguments)
    request = request_from(CompareRequest, vars(given))
    with request.protected_outputs():
        return compare(request)


def compare(request: CompareRequest) -> int:
    """Compare here or by jobs, or merge the results of shards; return the exit status."""
    plan = request.resolve()
    from bitext.scoring.compared_texts import compare_texts
    from bitext.scoring.segmentations import SegmentationResults

    with ExitStack() as stack:

        def watch(what: str) -> Callable[[list[Any]], Iterable[Any]]:
            def over(items: list[Any]) -> Iterator[Any]:
                progress = Progress(what, len(items), quiet=request.quiet)
                return stack.enter_context(closing(progress.over(items)))

            return over

        compared = compare_texts(plan.pairing, plan.comparing, watch=watch)
        request.check_systems(compared.evaluation.systems, plan)
        if plan.jobs is not None:
            gather = compared.gather_by(plan.jobs)
            if request.shard is not None:
                gather()  # an error in one block ends the run, so a finished shard is complete
                return 0
        notes = compared.notes(verbose=request.verbose)
    results = SegmentationResults(compared, plan.showing, notes)
    request.print_notes(notes)
    if request.html:
        results.save_html(request.html)
    request.show_results(results, plan.style, per_text=request.per_text)
    return 0


_EPILOG = """\
REF and HYP are files, folders (texts are paired by their names), or manifests: files of
tab-separated columns below the header 'text path'. A file is in one of these notations, which is
recognised by its contents:
  jsonl       one text a line: {"id": "t1", "masses": [5, 5, 1, 3]}; or "bits", "boundaries" and
              "n", "labels", "spans", or "types" (of each of the n-1 places)
  masses      one text a line: 5,5,1,3 or 5 5 1 3, after an id and a tab if wanted
  positions   one text a line: the units before each boundary, and all units: 5,10,11,14
  bits        one text a line: a 0 or 1 for each of the n-1 places, 1 for a boundary; likewise
  begin-bits  a 0 or 1 for each of the n units, 1 where it begins a segment; a line, or a file
  end-bits    a 0 or 1 for each of the n units, 1 where it ends a segment; likewise
  bits-final  end-bits of which the last is a 1
  labels      one text: a label a line, a segment is a run of equal labels; also in columns,
              one a coder (--coders)
  bio         one text: a label a line, B begins a segment; also with I, O, E, S and types
  bio-outside, bio-within  the same, where O is outside of segments, or within the last one
  text        one text: a unit a line, a boundary is an empty line, or one of 5 or more =
  blank-lines, rules  the same with one of the two; rules are also lines of one other character
  transcript  one text: a sentence a line; the units are its words, without punctuation
  transcript-marks  the same, where . ? ! end sentences, and not lines
  spans, inclusive-spans  jsonl of spans, half-open or with their last unit, from 0 or 1 on
  segeval     JSON or TSV of segeval: the masses of several coders
  disrpt      .tok or .conllu with Seg=B-seg or BeginSeg=Yes; the units are tokens
  rs3, dis, edus  units of discourse: of rstWeb, of RST-DT, one a line; the units are words
  textgrid    TextGrid of Praat, long or short: a tier a coder, of intervals or points
  document    DOCX, ODT, EPUB, HTML, PDF, RTF or Markdown: paragraphs, headings and the like are
              segments, their sentences the units
If several notations fit, an error asks for --from, or a note names the one that was read.

examples:
  bitext compare ref.jsonl system.jsonl
  bitext compare ref/ texttiling/ c99/ --metric window-diff,pk --metric 'boundary(tolerance=1)'
  bitext compare ref.jsonl system.jsonl --html page.html
  bitext compare coder1.masses coder2.masses coder3.masses --agreement --html page.html
  bitext compare coder1.masses system.masses --ref coder2.masses --metric wisebe --agreement
"""

_METRICS = (
    "alignment-similarity, boundary-similarity, segmentation-similarity, window-diff, pk, boundary"
)
_SHIFT = 1  # default of --shift, in units


_READING = options_of("""
    --ref FILE ... (refs)  a further reference of the same texts; repeats
    --from NOTATION (format_all)  the notation of all files (default: from their contents)
    --ref-from NOTATION
        the notation of the references, if it is not that of --from; auto: from their contents
    --column N
        for files of units and labels, separated by tabs, commas or blanks: the column of the
        labels, by number (from 1) or by its name in the first line
    --texts WHAT
        the separator of texts in a file of labels: blank-lines (default), docstart, a column of
        their names (by number or name), or one, if the file is a single text
    --coders A,B ...
        for files of several coders: the coders that count, by name or number (default: all); each
        is a system or a reference; repeats, or with commas
    --ref-coders A,B ...
        the coders that are references, if not those of --coders; if REF is also HYP, the others are
        systems
    --labels A,B ...
        for files of labels: the labels that count; others have no effect: types of BIO labels,
        labels of runs, or, with --from begin-bits or end-bits, labels of units that begin or end a
        segment
    --time-units TIER
        for TextGrids: the tier whose words are the units, or the length of a unit in seconds
        (default: a tier named words, or 0.01)
    --encoding ENCODING  the encoding of files without a byte order mark
    --names A,B  the names of the systems, or, for coders alone, of all files
    --missing {leave,error}
        treatment of a text that some files lack: leave it out for all (default), or refuse
    --any-units  do not check that the units of references and hypotheses have the same characters
    --units {lines,characters,words}
        for texts: the units are lines (default), or the characters or words that all files share,
        for versions of a text with different line breaks
    --segments {paragraphs,lines,words,sections}
        for --units characters or words: the segments are paragraphs (between separators), lines, or
        the words of a line, which is then a text (default: paragraphs if a file has separators,
        words if lines differ only in blanks, else lines); for documents also sections, from heading
        to heading
    --min-matched SHARE:number
        for --units characters or words: the share of its characters that a text must have in common
        with the reference (0.9)
""")
_SCORING = [
    option_of(
        "-m --metric METRIC",
        f"a metric, as 'pk' or 'window-diff(k=5, padded=True)', or its alias, as A, B, "
        f"WindowDiff; repeats, or with commas; 'bitext metrics' lists them (default: "
        f"{_METRICS})",
        action="append",
    ),
    *options_of("""
        --references {mean,best,majority,any}
            for several references: the mean of the figures (default), the best figure for each
            text, or figures against one reference with the boundaries of most of them, or of any;
            wisebe uses all at once
        --closing
            count the boundary at the end of each text, too, which all have: in wisebe, boundary,
            boundary-accuracy, slot-error-rate (also in --matrix), and the agreement ratio of
            --agreement
        --refused {error,leave}
            treatment of a text that a metric refuses, for example one not longer than its window:
            stop (default), or leave it out of that metric
    """),
    *SAMPLING,
]
_SHOWING = [
    *SHOWING,
    *options_of("""
        --errors N:whole
            the boundaries that are missing, extra or shifted, in the N worst texts of each system
            (against the first reference)
        --strips N:whole
            reference and system drawn over each other, with their errors, in the N worst texts of
            each system
        --shift N:whole
            the largest distance at which --errors, --strips and --html count a boundary as shifted,
            not as missing and extra (1)
        --html FILE
            also write a page: the segments drawn, errors by name, values by text; FOLDER/: an
            index, and a page for each text; - is standard output
        --agreement
            measure the agreement of the references: coefficients, pairs of coders, and the
            agreement ratio of each text; without --ref, all files are coders
        --with-systems  with --agreement: include the systems
        --observed WHAT ...
            with --agreement: coefficients on boundaries (default), or on a similarity, as S, B, A;
            repeats, or with commas
        --matrix METRIC ...
            the metric of --agreement by pairs of coders (default: boundary-similarity), or a
            coefficient, as cohen-kappa; repeats, or with commas
    """),
]


def parser() -> Parser:
    """Return the parser of `bitext compare`, without the options of jobs."""
    command_parser = Parser(
        prog="bitext compare",
        description="Metrics of segmentations: systems against one reference or several.",
        epilog=_EPILOG,
    )
    command_parser.add_argument("reference", metavar="REF", help="the reference")
    command_parser.add_argument(
        "hyps",
        metavar="HYP",
        nargs="*",
        help="the segmentations of the systems, or with --agreement further coders",
    )
    add_groups(command_parser, {"reading": _READING, "scoring": _SCORING, "showing": _SHOWING})
    add_output(command_parser, figures=True)
    return command_parser


class ComparePlan(NamedTuple):
    """The checked values of a request."""

    style: str  # `json`, or the style of tables or figures
    pairing: SegmentPairing  # the references and the systems; no file of theirs is open
    comparing: Comparing  # the options of the comparison
    showing: Showing  # the options of the output
    jobs: CompareJobs | None  # how jobs score the texts, or merge shards; `None` without jobs


class CompareRequest(JobRequest, SampledRequest):
    """The request of `bitext compare`; the fields are its options."""

    draws: ClassVar[bool] = True
    reference: str
    hyps: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    format_all: str | None = None
    ref_from: str | None = None
    column: str | None = None
    texts: str | None = None
    coders: tuple[str, ...] | None = None
    ref_coders: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None
    time_units: str | None = None
    names: str | None = None
    missing: Literal["leave", "error"] = "leave"
    any_units: bool = False
    units: Literal["lines", "characters", "words"] = "lines"
    segments: Literal["paragraphs", "lines", "words", "sections"] | None = None
    min_matched: float | None = None
    metric: tuple[str, ...] | None = None
    references: Combination | None = None
    closing: bool = False
    refused: Refused = "error"
    average: str = "micro"
    per_text: bool = False
    errors: int | None = None
    strips: int | None = None
    shift: int = _SHIFT
    agreement: bool = False
    with_systems: bool = False
    observed: tuple[str, ...] | None = None
    matrix: tuple[str, ...] | None = None

    def resolve(self) -> ComparePlan:
        """Check options, paths and clashes before any work; return the plan.

        Raises `InputError` or `OptionError` when options exclude each other, or an output would
        replace an input.
        """
        jobs = self._jobs()
        style = self._style()
        self._check_display(style)
        comparing = self._comparing()
        self._check_outputs()
        self._check_systems_given(style)
        return ComparePlan(style, self._pairing(), comparing, self._showing(), jobs)

    def _jobs(self) -> CompareJobs | None:
        """Check the options of jobs; return how jobs score the texts, if they do."""
        by_jobs = self.uses_jobs()
        if by_jobs and not self.hyps:
            raise OptionError(
                "--agreement cannot be combined with jobs: leave --jobs and the like out"
            )
        self.refuse_unwritten()
        self.refuse_streams([self.reference, *self.refs, *self.hyps], read_here=True)
        if not by_jobs:
            return None
        from bitext.scoring.compared_texts import CompareJobs

        def run(documents: Iterable[Document], task: Task) -> Any:
            if self.parts is not None:
                return task.assemble(self.parts.results())
            outcome = self.run_jobs(documents, task, what="blocks of texts")
            if self.shard is not None:
                self.finish_shard(outcome)
            return outcome.output

        options, presentation = self.split_options("compare")
        return CompareJobs(run=run, options=options, presentation=presentation)

    def _style(self) -> str:
        style = self.style()
        if (
            (self.errors or self.strips or self.pairs)
            and style == "tsv"
            and not self.format
            and self.output == "-"
        ):
            style = "table"  # these are for reading, also in a pager
        return style

    def _check_outputs(self) -> None:
        """Refuse outputs that cannot be written, or would replace an input."""
        self.check_page(printed=bool(self.errors or self.strips))
        self.refuse_inputs([self.reference, *self.refs, *self.hyps])
        check_page_folder(self.html)

    def _check_systems_given(self, style: str) -> None:
        """Refuse options that do not fit the given systems, or a style."""
        if not self.hyps and not self.agreement:
            again = ", or REF again for its other coders" * bool(self.ref_coders)
            ways = f"one or more{again}, or --agreement of the references"
            raise OptionError(f"no HYP is given: want {ways}")
        if not self.hyps:
            self._refuse_system_options()
        if [self.reference, *self.refs, *self.hyps].count("-") > 1:
            raise OptionError("standard input (-) can be one file only")
        if self.pairs and style == "tsv":
            raise OptionError(
                "--pairs makes a second table, and tsv is one: give --json or --format table"
            )
        self.refuse_undrawn(style, "--per-text")

    def check_systems(self, systems: Sequence[str], plan: ComparePlan) -> None:
        """Refuse options that do not fit the number of systems, which may be coders of one file."""
        if not systems:
            self._refuse_system_options()
            if plan.jobs is not None:
                raise OptionError(
                    "--agreement cannot be combined with jobs: leave --jobs and the like out"
                )
        if self.agreement and systems and plan.style == "tsv":
            raise OptionError(
                "--agreement beside systems makes several tables, and tsv is one: give --json or "
                "--format table, or leave HYP out"
            )
        if self.agreement and systems and plan.style in FIGURES:
            raise OptionError(
                "--agreement beside systems would be a second figure: leave --agreement or HYP out"
            )

    def _comparing(self) -> Comparing:
        from bitext.scoring.common import check_sampling
        from bitext.scoring.compared_texts import Comparing

        comparing = self.value(
            Comparing,
            functions=(),
            sampling=self.sampling(),
            observed=self.observed or (),
            matrix=self.matrix or (),
        )
        comparing.check_units()
        if len(self.hyps) != 1:  # a single file may have several coders
            check_sampling(comparing.sampling, list(self._named()[1]))
        return comparing

    def _showing(self) -> Showing:
        from bitext.scoring.common import Showing, averages_of

        return Showing(
            averages=averages_of(self.average),
            errors=self.errors,
            strips=self.strips,
            printed=self.output == "-",
            verbose=self.verbose,
        )

    def _pairing(self) -> SegmentPairing:
        from bitext.formats.corpora.segmentation_pairing import SegmentPairing
        from bitext.formats.io.encodings import check_encoding
        from bitext.formats.segmentations.collecting import ReadingOptions
        from bitext.scoring.compared_texts import split_document

        references, systems = self._named()
        coders = _items(self.coders)
        return SegmentPairing(
            references=references,
            systems=systems,
            reference_spelling=_spelling(self.ref_from or self.format_all),
            reference_coders=_items(self.ref_coders) or coders,
            reading=ReadingOptions(
                spelling=_spelling(self.format_all),
                encoding=check_encoding(self.encoding),
                column=self.column,
                texts=self.texts,
                coders=coders,
                labels=_items(self.labels),
                time_units=self.time_units,
                sections=self.segments == "sections",
                split=split_document,
            ),
            files_named=self.names is not None,
            any_units=self.any_units,
            cut_anew=self.units != "lines",
            missing=self.missing,
            of_coders=self._of_coders,
        )

    @property
    def _of_coders(self) -> bool:
        """Whether only the agreement of coders is wanted, unless there are references and HYP."""
        options = self._system_options()
        return self.agreement and not (self.refs and self.hyps) and not options

    def _named(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the paths of references and systems by name; --names of coders is for both."""
        references = [self.reference, *self.refs]
        if self.names is not None and self._of_coders:
            files = [*references, *self.hyps]
            named = list(name_systems(files, (), self.names, role="file").items())
            return dict(named[: len(references)]), dict(named[len(references) :])
        systems = name_systems(self.hyps, references, self.names) if self.hyps else {}
        return name_systems(references, self.hyps, None, role="a reference"), systems

    def _system_options(self) -> list[str]:
        names = ("--names",) if self.refs and self.hyps else ()
        return self.given(
            *("--metric", "--references", *names, "--with-systems", "--per-text", "--average"),
            *("--refused", "--zero-division", "--baseline", "--pairs"),
        )

    def _refuse_system_options(self) -> None:
        given = self._system_options()
        if given:
            hint = "; pairs of coders: --matrix" if given[0] in {"--metric", "--pairs"} else ""
            raise OptionError(f"{given[0]} is about systems: give HYP{hint}")

    def _check_display(self, style: str) -> None:
        """Refuse numbers below their minimum, and --errors or --strips in other styles."""
        self.refuse_below(errors=1, strips=1, shift=0)
        if self.shift != _SHIFT and not (self.errors or self.strips or self.html):
            raise OptionError(
                "--shift is for --errors, --strips and --html: give one, or leave it out"
            )
        if self.errors and style not in {"table", "json"}:
            raise OptionError("--errors is for reading: give --format table, or --json")
        if self.strips and style != "table":
            raise OptionError("--strips is for reading: give --format table")


def _items(given: Sequence[str] | None) -> tuple[str, ...]:
    from bitext.formats.segmentations.collecting import option_items

    return tuple(item for each in given or () for item in option_items(each))


def _spelling(given: str | None) -> str | None:
    return None if given == "auto" else given
