"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from bitext.cli.common import (
    COLUMNS,
    DRAFTS,
    ENCODING,
    SAMPLING,
    SHOWING,
    WHERE,
    Parser,
    add_output,
    name_systems,
    refuse_folder,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import STORE, add_jobs
from bitext.cli.option_tables import add_groups, add_options, option_of, options_of, value
from bitext.cli.request import JobRequest, SampledRequest, request_of
from bitext.errors import OptionError

if TYPE_CHECKING:
    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.jobs import Outcome
    from bitext.scoring.by_jobs import Jobs, ScoreTask
    from bitext.scoring.common import Showing
    from bitext.scoring.scored_texts import Scoring


def run(arguments: Sequence[str]) -> int:
    """Score systems as the arguments ask; return the exit status."""
    request = request_of(ScoreRequest, parser(), arguments)
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    with request.protected_outputs():
        return score(request)


def score(request: ScoreRequest) -> int:
    """Score here or by jobs, or merge shards; return the exit status."""
    plan = request.resolve()
    if plan.jobs is None or request.shard is None:
        return _score_whole(plan, request)
    from bitext.scoring.by_jobs import score_shard

    return request.finish_shard(
        score_shard(plan.pairing, plan.scoring, request.errors or 0, plan.jobs)
    )


def _score_whole(plan: ScorePlan, request: ScoreRequest) -> int:
    from bitext.scoring.alignments import score_corpus

    def watched(pairing: Pairing) -> Iterator[TextSet]:
        shown = Progress("scored", len(pairing), quiet=request.quiet)
        with closing(shown.over(pairing)) as items:
            yield from items

    results = score_corpus(plan.pairing, plan.scoring, plan.showing, over=watched, jobs=plan.jobs)
    request.print_notes([*results.notes, *results.uncaptioned_notes(plan.style)])
    if request.store is not None:
        from bitext.scoring.by_jobs import write_store

        write_store(request.store, plan.store, results.evaluation)
    request.show_results(results, plan.style, per_text=request.per_text)
    return request.print_failures(results.failures)


_ALL = sys.maxsize  # places of --errors without a number: `ALL` of `page_writers`

_EPILOG = """\
GOLD and HYP are files, folders (texts are paired by their names), or manifests: files of
tab-separated columns below the header 'text path [src tgt]', or of JSON lines with these keys. Two
files, as of Moses, are named 'a.en,a.fr'. All may be places: s3://bucket/gold/.

examples:
  bitext score gold.xml system.xml
  bitext score gold/ vecalign/ bleualign/ --src 'texts/{name}.en' --tgt 'texts/{name}.fr'
  bitext score gold.align hyp.align --src a.en --tgt a.fr --errors 5
  bitext score gold/ vecalign/ bleualign/ --html report/
  bitext score gold.pharaoh fastalign.talp giza.talp --src a.en --tgt a.fr --by part
"""


class ScorePlan(NamedTuple):
    """The checked values of a request."""

    style: str  # `json`, or the style of tables or figures
    store: str  # the format of the table of counts; empty without one
    pairing: Pairing  # the gold standard and the systems; no file of theirs is open
    scoring: Scoring  # the options of scores
    showing: Showing  # the options of the output
    jobs: Jobs | None  # how jobs score the texts, or the shards to merge; `None` without jobs


class ScoreRequest(JobRequest, SampledRequest):
    """The request of `bitext score`; the fields are its options."""

    draws: ClassVar[bool] = True
    gold: str
    hyps: tuple[str, ...]
    hyp_src: str | None = None
    hyp_tgt: str | None = None
    formats: tuple[str, ...] = ()
    gold_from: str | None = None
    names: str | None = None
    swap: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    no_swap_check: bool = False
    missing: Literal["leave", "empty", "error"] = "leave"
    partial: bool = False
    granularity: tuple[str, ...] | None = None
    alpha: float = 0.5
    sure_only: bool = False
    null: bool = False
    by: str | None = None
    words: str = "space"
    characters: str = "codepoint"
    also: tuple[str, ...] = ()
    similarity: bool = False
    min_matched: float = 0.9
    average: str = "micro"
    per_text: bool = False
    precision_by_bead: bool = False
    beads: bool = False
    errors: int | None = None

    def resolve(self) -> ScorePlan:
        """Check options and paths before any work; return the plan."""
        style = self._style()
        scoring = self._scoring()
        self._check_places()
        store = self._store()
        pairing = self._pairing()
        jobs = self._jobs(style)
        return ScorePlan(style, store, pairing, scoring, self._showing(style), jobs)

    @property
    def _by_bead(self) -> bool:
        """Whether bead types are counted for a table."""
        return self.beads or self.precision_by_bead

    def _scoring(self) -> Scoring:
        from bitext.scoring.scored_texts import Scoring

        measures = None if self.granularity is None else _each_once(self.granularity)
        scoring = self.value(
            Scoring, granularity=measures, also=_each_once(self.also), sampling=self.sampling()
        )
        scoring.check_counters()
        return scoring

    def _showing(self, style: str) -> Showing:
        from bitext.scoring.common import Showing, averages_of

        return Showing(
            averages=averages_of(self.average),
            errors=self.errors,
            whole=style != "json",
            printed=self.output == "-",
            detailed=self._by_bead or style == "json" or self.html is not None,
            html=self.html,
            swap_check=not self.no_swap_check,
            verbose=self.verbose,
        )

    def _jobs(self, style: str) -> Jobs | None:
        """Check the options of jobs; return how jobs score the texts, if they do."""
        if not self.uses_jobs():
            return None
        # Jobs return counts and the worst places, not whole texts.
        if self.errors == _ALL and style != "json":
            raise OptionError(
                "--errors without a number shows whole texts, which jobs cannot show: give a "
                "number, as --errors 20, or leave --jobs and the like out"
            )
        if self.parts is None:
            texts = (self.src, self.tgt, self.hyp_src, self.hyp_tgt)
            self.refuse_streams((self.gold, *self.hyps, *texts))
        from bitext.scoring.by_jobs import Jobs, score_documents

        def run(task: ScoreTask) -> Outcome:
            return self.run_or_merge(score_documents(task.pairing), task, what="texts scored")

        options, presentation = self.split_options("score")
        return Jobs(run=run, options=options, presentation=presentation, parts=self.parts)

    def _style(self) -> str:
        """Return the style of output; refuse --errors and --beads where it cannot show them."""
        style = self.style()
        if self.errors is not None and self.errors < 1:
            raise OptionError(f"--errors {self.errors}: want 1 or more, or no number for all")
        # Places are for reading, also through a pipe to a pager: a table, not tsv.
        by_default = not self.format and self.output == "-"
        if style == "tsv" and by_default and (self.errors or self._by_bead or self.pairs):
            style = "table"
        if self.errors and style not in {"table", "json"}:
            raise OptionError("--errors is for reading: give --format table, or --json")
        self.refuse_undrawn(style, "--per-text", "--similarity", "--beads", "--precision-by-bead")
        if (self._by_bead or self.pairs) and style == "tsv":
            option = "--beads" if self.beads else "--precision-by-bead"
            option = option if self._by_bead else "--pairs"
            raise OptionError(
                f"{option} makes a second table, and tsv is one: give --json or --format table"
            )
        return style

    def _store(self) -> str:
        """Return the format of the table of counts (--store); empty without one."""
        if self.store is None:
            return ""
        from bitext.scoring.by_jobs import check_store

        return check_store(self.store)

    def _check_places(self) -> None:
        """Refuse outputs that cannot be written, or would replace an input."""
        refuse_folder(self.output, option="-o")
        self.check_page(printed=bool(self.errors))
        texts = (self.src, self.tgt, self.hyp_src, self.hyp_tgt)
        self.refuse_inputs([self.gold, *self.hyps], beside=texts)
        self.refuse_unwritten()
        self.check_reading(fault="no such folder")

    def _pairing(self) -> Pairing:
        from bitext.formats.corpora.pairing import Pairing
        from bitext.formats.io.encodings import check_encodings
        from bitext.scoring.common import check_sampling
        from bitext.scoring.scored_texts import bases_of

        systems = name_systems(self.hyps, [self.gold], self.names)
        check_sampling(self.sampling(), list(systems))
        unknown = next((name for name in self.swap if name not in systems), None)
        if unknown is not None:
            raise OptionError(f"--swap {unknown!r}: want one of the systems {', '.join(systems)}")
        if [self.gold, *self.hyps].count("-") > 1:
            raise OptionError("standard input (-) can be one alignment only")
        known, formats = _formats(self.formats, [*systems])
        return Pairing(
            gold=self.gold,
            systems=systems,
            src=self.src,
            tgt=self.tgt,
            hyp_src=self.hyp_src,
            hyp_tgt=self.hyp_tgt,
            gold_format=self.gold_from or known,
            hyp_format=known,
            formats=formats,
            reading=replace(self.file_options(), encoding=check_encodings(self.encoding)),
            swapped=frozenset(self.swap),
            bases=bases_of(self.base, ("gold", *systems)),
            missing=self.missing,
            partial=self.partial,
        )


def _each_once(given: Sequence[str]) -> tuple[str, ...]:
    """Return the names of an option that repeats or has commas, each once."""
    return tuple(dict.fromkeys(part.strip() for text in given for part in text.split(",")))


def _formats(given: Sequence[str], systems: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """Return the format of all alignments, if one is named (--from), and those of systems."""
    formats: dict[str, str] = {}
    for text in given:
        system, _, name = text.rpartition("=")
        if system and system not in systems:
            raise OptionError(f"--from {text}: want one of the systems {', '.join(systems)}")
        if formats.setdefault(system, name) != name:
            of = f"system {system}" if system else "all"
            raise OptionError(f"--from names two formats of {of}: {formats[system]} and {name}")
    return formats.pop("", None), formats


@cache  # takes half a millisecond
def parser() -> Parser:
    """Return the parser."""
    made = Parser(
        prog="bitext score",
        description="Precision, recall and F1 of alignments at alignment, sentence, word and "
        "character granularity; of word links precision, recall, F and AER.",
        epilog=_EPILOG,
    )
    made.add_argument("gold", metavar="GOLD", help="the gold standard")
    made.add_argument("hyps", metavar="HYP", nargs="+", help="the alignments of the systems")
    add_groups(made, {"reading": _READING, "scoring": _SCORING, "showing": _SHOWING})
    add_output(made, figures=True)
    add_options(made, STORE)
    return add_jobs(made)


_number = value(int, "a whole number: without one, give --errors after the files")

_READING = [
    *options_of("""
        --src TEXT
            the source text: a file with one segment a line or an XML document, a folder, or a
            pattern with {name}
        --tgt TEXT  the target text, likewise
        --hyp-src TEXT
            the source text that the systems went over, when cut into other segments; {system} and
            {name} are filled in
        --hyp-tgt TEXT  the target text, likewise
        --from [SYSTEM=]FORMAT ... (formats)
            the format of all alignments, or of a system; repeats (default: from their contents)
        --gold-from FORMAT  the format of the gold standard
        --root FOLDER ...
            folder of the documents that the alignments name (default: the folder of each
            alignment); repeats
    """),
    *COLUMNS,
    ENCODING,
    *options_of("""
        --names A,B  the names of the systems
        --swap --reverse SYSTEM ... (swap)
            exchange source and target of a system, for example of links written target-source;
            repeats
        --base [NAME=]0|1 ...
            the base of the positions of a system, or, without NAME or with 'gold', of the gold
            standard; repeats (default: from the texts, else by the format)
        --no-swap-check  score alignments even if their sides seem to be exchanged
        --missing {leave,empty,error}
            treatment of a text that a system lacks: leave it out for all, with a note (default,
            other than in 'bitext combine'), score it as empty, or refuse
        --partial  the gold standard may stop long before the end of its texts
    """),
    *WHERE,
    *DRAFTS,
]
_SCORING = [
    *options_of("""
        -g --granularity NAME ...
            alignment, sentence, word, character, strict, lax; repeats, or with commas (default:
            all); links: word links (default where every file has some)
        --alpha WEIGHT:weight  for word links: the weight of precision in F (0.5)
        --sure-only  for word links: do not count possible gold links
        --null
            for word links: count links to no word, one for each word without a link (needs texts)
        --by {part}
            for word links: separate figures for punctuation, frequent words and other words (needs
            texts)
        --words WORDS  the definition of a word: space, unicode, treebank
        --characters CHARACTERS  codepoint or grapheme
        --also NAME ...
            figures beside precision, recall and F1: silence (1 - recall), noise (1 - precision);
            repeats, or with commas
        --similarity
            add bisegment similarity, in which near misses count in part: a second table; in tsv,
            rows 'similarity-sentence' (-word, -character) with figures in columns at the end
        --min-matched SHARE:share  the share of the texts of gold and hyp that must match (0.9)
    """),
    *SAMPLING,
]
_SHOWING = [
    *SHOWING,
    *options_of("""
        --precision-by-bead
            precision, recall and F1 of the bisegments of each bead type: a second table
        --beads  bisegments found and missed by bead type, and the beads in place of missed ones
    """),
    option_of(
        "--errors N",
        "the N worst differences (for word links: sentence pairs) of each system, with "
        "their texts; without N all differences, in order",
        type=_number,
        nargs="?",
        const=_ALL,
    ),
    *options_of("""
        --html FILE
            also write a page: for one text its alignments, for several texts their scores, for word
            links those of all pairs; FOLDER/: an index, and a page for each text
    """),
]
