"""`bitext combine` and `bitext compose`: several alignments become one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from bitext.cli.algebra import SIDES, GroupedRequest, Options, reading_options
from bitext.cli.common import (
    Parser,
    is_output_folder,
    notes_on_repeated,
    output_in,
    refuse_output_clashes,
)
from bitext.cli.console import refuse_closed
from bitext.cli.job_options import add_jobs
from bitext.cli.leftovers import notes_on_leftovers
from bitext.cli.option_tables import add_groups, option_of, options_of
from bitext.cli.request import request_of
from bitext.cli.writing import OutputPlan, WritingRequest, Written, write_outputs
from bitext.errors import InputError, OptionError, many

if TYPE_CHECKING:
    from bitext.formats.corpora import Corpus, Entry
    from bitext.formats.registry import Format
    from bitext.jobs.algebra import Joined, Operation
    from bitext.jobs.operands import Group, Missing, Operand
    from bitext.jobs.tasks import OutputTask, OutputWork

_FOLDERS = """\
FILES may be folders or manifests, whose files are paired by name. OUT is then one file, or a folder
(an existing one, or a name that ends with /) with a file for each pair.
"""
_JOINING = options_of("""
    --missing {error,leave}
        treatment of a text that some files lack: an error (default, other than in 'bitext score'
        and 'bitext compare'), or leave it out, with a note
""")
WRITING = options_of("""
    -o --output OUT  the output (default: standard output)
    --to FORMAT  the format of OUT (default: from its name)
    --keep-going  with a folder OUT: leave out unreadable parts, and report them, with status 1
    --json  print a summary as JSON
    -q --quiet  no notes
    -v --verbose  every note, not a few
""")


class JoiningRequest(WritingRequest[Written], GroupedRequest):
    """The options of commands that write files, each from several of the same texts."""

    def check_output(self, texts: Sequence[str | None]) -> tuple[Format, bool, bool]:
        """Check the options of the output, and the inputs with these texts.

        Return the format to write, whether jobs do the work, and whether the output is a folder.
        """
        if self.json:
            refuse_closed()
            if self.output == "-":
                raise OptionError("--json and OUT - both want standard output: name a file (-o)")
        self.check_files(self.operands, texts)
        known, by_jobs = self.format_to_write(), self.uses_jobs()
        in_folder = is_output_folder(self.output)
        if by_jobs:
            self.refuse_streams([*self.operands, self.output, *texts])
        if self.jobs > 1 and not in_folder:
            raise OptionError(
                f"--jobs is for a folder as OUT, and {self.output} is one file: name a folder "
                f"(with / at its end), or leave --jobs out"
            )
        return known, by_jobs, in_folder

    @property
    @abstractmethod
    def outcome(self) -> type[Written]:
        """The class of results."""

    def failed(self, work: OutputWork[Written], reason: str) -> Written:
        """Return the result of work for which nothing was written."""
        return self.outcome(work.output, failed=reason)

    def task(self, plan: OutputPlan[Written], **described: Any) -> OutputTask[Written]:
        """Return the task of jobs, with the options by which it is `described`."""
        from bitext.jobs.tasks import OutputTask

        return OutputTask(outcome=self.outcome, facts=plan.facts, **described)

    def print_failed(self, results: Sequence[Written]) -> None:
        """Print the errors for which outputs were not written."""
        failed = [f"not written: {result.failed}" for result in results if result.failed]
        self.print_notes(failed, most=len(failed), failed=True)


class OperationRequest(JoiningRequest["Joined"]):
    """The options that `bitext combine` and `bitext compose` share."""

    missing: str = "error"  # the treatment of a text that not all operands have: `error` or `leave`

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The values of the options that name texts."""
        return self.src, self.tgt

    @abstractmethod
    def operation(self) -> Operation:
        """Check the options of the operation; return how to join."""

    @property
    def outcome(self) -> type[Joined]:
        """The class of results."""
        from bitext.jobs.algebra import Joined

        return Joined

    def resolve(self) -> OutputPlan[Joined]:
        """Check options, paths and clashes before any work; return the work."""
        self.refuse_unwritten(own_files=True)
        operation = self.operation()
        if self.parts is not None:
            return OutputPlan([], {"notes": []}, by_jobs=True, in_folder=False)
        known, by_jobs, in_folder = self.check_output(self.texts)
        groups, missing, notes = self.groups()
        if missing:
            notes += _missing_notes(missing, leave=self.missing == "leave")
        if in_folder:
            outputs = [
                output_in(self.output, group.name, known, self.languages) for group in groups
            ]
            parts: list[tuple[Group, ...]] = [(group,) for group in groups]
        else:
            outputs, parts = [self.output], [tuple(groups)]
        from bitext.jobs.algebra import Joining

        work = [
            Joining(
                groups=part,
                output=output,
                to=known.name,
                operation=operation,
                langs=self.languages,
                leave_missing=self.missing == "leave",
            )
            for part, output in zip(parts, outputs, strict=True)
        ]
        pairs = ((item.groups[0].paths[0], item.output) for item in work)
        read = [name for item in work for name in item.files()]
        refuse_output_clashes(pairs, self.operands, read, [self.journal], verb=self.command)
        if in_folder:
            notes += notes_on_leftovers(self, outputs, self.operands, known)
        return OutputPlan(work, {"notes": notes}, by_jobs, in_folder)

    def summarise(
        self, results: Sequence[Joined], plan: OutputPlan[Joined], seconds: float
    ) -> None:
        """Print the counts, losses, failures and notes of all outputs."""
        del seconds
        total = self.outcome("")
        for joined in results:
            total.include(joined)
        lines = [_summary(total, has_several=len(results) > 1)] if total.texts else []
        one = total.texts == 1
        lines += [f"{remark}: {count:,}" for remark, count in total.counts.items()]
        lines += [
            remark if one else f"{remark} ({many(count, 'text')})"
            for remark, count in total.remarks.items()
        ]
        lines += [f"left out: {missing}" for missing in total.missing]
        self.print_notes(lines, most=max(len(total.counts) + 6, 5))
        self.print_notes(f"lost: {note}" for note in total.losses)
        self.print_failed(results)
        self.print_notes([*plan.facts["notes"], *map(str, total.notes)])


def _missing_notes(missing: Sequence[Missing], *, leave: bool) -> list[str]:
    """Return notes on the texts that are left out, or refuse these."""
    if leave:
        return [f"left out: {each}" for each in missing]
    others = f", and {len(missing) - 1:,} more" if len(missing) > 1 else ""
    raise InputError(
        f"{missing[0]}{others}; add what is missing, or leave it out (--missing leave)"
    )


def _summary(total: Joined, *, has_several: bool) -> str:
    """Return the number of bisegments, those of the operands, and how a path was found."""
    sizes = [f"{size:,}" for size in total.sizes]
    joined = " and ".join(sizes) if total.common is None else ", ".join(sizes)
    in_texts = f" in {many(total.texts, 'text')}" if has_several or total.texts > 1 else ""
    common = "" if total.common is None else f", {total.common:,} of them in all"
    line = f"{many(total.bisegments, 'bisegment')} of {joined}{in_texts}{common}"
    if len(total.ways) == 1:
        line += f"; path by {next(iter(total.ways))}"
    elif total.ways:
        ways = (f"by {way} in {many(count, 'text')}" for way, count in total.ways.items())
        line += f"; path {', '.join(ways)}"
    if total.cut:
        texts, matched, pieces = total.cut
        within, least = (
            ("", "") if total.texts == 1 else (f" in {many(texts, 'text')}", "at least ")
        )
        line += (
            f"; the pivot is cut in different ways{within}: {least}{matched:.1%} of its characters "
            f"match, {pieces:,} pieces"
        )
    return line


# combine


_COMBINE_EPILOG = f"""\
{_FOLDERS}
methods: union (bisegments of any file; they may overlap), intersection (bisegments of all files),
vote[:K] (bisegments of K files; default: more than half), path (bisegments that neither overlap nor
cross, with the greatest expected F1, by scores if all files have some from 0 to 1, else by votes).
The score of a written bisegment is the share of the files that have it.

examples:
  bitext combine a.jsonl b.jsonl c.jsonl -o all.jsonl
  bitext combine a.align b.align c.align --src a.en --tgt a.fr --by vote:2 -o two.tmx
  bitext combine one/ two/ three/ --to jsonl -o all/ -j 4 --journal all.journal
"""


class CombineRequest(OperationRequest):
    """The request of `bitext combine`; the fields are its options."""

    command: ClassVar[str] = "combine"
    files: tuple[str, ...]
    by: str = "path"

    @property
    def operands(self) -> tuple[str, ...]:
        """The files, folders or manifests."""
        return self.files

    def groups(self) -> tuple[list[Group], list[Missing], list[str]]:
        """Find the files; return those of each name, the texts that some lack, and notes."""
        groups, missing, notes = super().groups()
        return groups, missing, [*notes_on_repeated(self.files, "counted"), *notes]

    def operation(self) -> Operation:
        """Check the way and the least number of votes; return how to combine."""
        from bitext.jobs.algebra import Combining
        from bitext.model.algebra import WAYS

        if len(self.files) < 2:
            raise OptionError("one file: want two or more, which are alignments of the same texts")
        way, colon, least = self.by.partition(":")
        if way not in WAYS or (colon and way != "vote"):
            raise OptionError(f"--by {self.by!r:.40}: want {', '.join(WAYS)}, or vote:K")
        if not colon:
            return Combining(way)
        if not (least.isdecimal() and 1 <= int(least[:9]) <= len(self.files)):
            raise OptionError(f"--by {self.by!r:.40}: want vote:1 to vote:{len(self.files)}")
        return Combining(way, int(least))


def run_combine(arguments: Sequence[str]) -> int:
    """Combine alignments of the same texts; return the exit status."""
    parser = Parser(
        prog="bitext combine",
        description="Combine alignments of the same texts, of several systems or annotators.",
        epilog=_COMBINE_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="alignments, in any format")
    by = option_of("--by WAY", "the method: union, intersection, vote[:K], or path (path)")
    reading = reading_options(*SIDES)
    add_groups(parser, {"reading": reading, "combining": [by, *_JOINING], "writing": WRITING})
    request = request_of(CombineRequest, add_jobs(parser), arguments)
    with request.protected_outputs():
        return write_outputs(request)


# compose


_COMPOSE_EPILOG = f"""\
{_FOLDERS}
Bisegments that share a sentence of the pivot, directly or through others, become one. If the files
cut the pivot text into different segments, the two versions are matched character by character.
Scores are multiplied if all are from 0 to 1.

examples:
  bitext compose en-fr.jsonl fr-de.jsonl -o en-de.jsonl
  bitext compose en-fr.align fr-de.align --src a.en --pivot a.fr --tgt a.de -o en-de.tmx
  bitext compose en-fr.tmx en-de.tmx --swap first -o fr-de.tmx
  bitext compose en-fr/ fr-de/ --to jsonl -o en-de/ -j 4
"""
_TRIPLE = ("src", "source"), ("pivot", "pivot"), ("tgt", "target")


class ComposeRequest(OperationRequest):
    """The request of `bitext compose`; the fields are its options."""

    command: ClassVar[str] = "compose"
    first_file: str  # the alignment to the pivot
    second_file: str  # the alignment from the pivot
    pivot: str | None = None  # the pivot text
    pivot_lang: str = ""  # its language
    swap: str | None = None  # the files whose sides are exchanged: `first`, `second` or `both`
    min_matched: float = 0.9  # the least common share of two versions of the pivot text

    @property
    def operands(self) -> tuple[str, ...]:
        """The files, folders or manifests."""
        return self.first_file, self.second_file

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The values of the options that name texts."""
        return self.src, self.pivot, self.tgt

    def operation(self) -> Operation:
        """Check the least share of characters; return how to compose."""
        from bitext.jobs.algebra import Composing

        if not 0 <= self.min_matched <= 1:
            raise OptionError(f"--min-matched {self.min_matched}: want a share from 0 to 1")
        return Composing(self.min_matched)

    def operand(self, number: int, name: str, entry: Entry, corpus: Corpus) -> Operand:
        """Return a file with the arguments of reading, and whether its sides are exchanged."""
        from bitext.jobs.operands import Operand

        texts = [("src", self.src), ("pivot", self.pivot), ("tgt", self.tgt)][number : number + 2]
        langs = [self.src_lang, self.pivot_lang, self.tgt_lang][number : number + 2]
        exchanged = self._exchanges(number)
        if exchanged:
            texts, langs = texts[::-1], langs[::-1]
        reading = self.reading(name, entry, corpus, texts, (langs[0], langs[1]))
        return Operand(entry, corpus.path, reading, exchanged=exchanged)

    def check_texts(self, corpora: Sequence[Corpus]) -> None:
        """Refuse a single text for several files."""
        from bitext.formats.corpora import refuse_lone_text

        for number, corpus in enumerate(corpora):
            sides = ("tgt", "src") if self._exchanges(number) else ("src", "tgt")
            for k, side in zip((number, number + 1), sides, strict=True):
                refuse_lone_text(corpus, self.texts[k], option=_TRIPLE[k][0], side=side)

    def _exchanges(self, number: int) -> bool:
        return self.swap in {("first", "second")[number], "both"}


def run_compose(arguments: Sequence[str]) -> int:
    """Compose two alignments through a pivot text; return the exit status."""
    parser = Parser(
        prog="bitext compose",
        description="Compose an alignment to a pivot text with one from the pivot text.",
        epilog=_COMPOSE_EPILOG,
    )
    parser.add_argument("first_file", metavar="A-B", help="an alignment whose target is the pivot")
    parser.add_argument("second_file", metavar="B-C", help="one whose source is the pivot")
    composing: Options = [
        *options_of("""
            --swap {first,second,both}
                first exchange the sides of a file, for example of one whose source is the pivot
            --min-matched SHARE:share
                the share of characters that two versions of the pivot must have in common (0.9)
        """),
        *_JOINING,
    ]
    reading = reading_options(*_TRIPLE)
    add_groups(parser, {"reading": reading, "composing": composing, "writing": WRITING})
    request = request_of(ComposeRequest, add_jobs(parser), arguments)
    with request.protected_outputs():
        return write_outputs(request)
