"""`bitext check`: the faults of files of alignments, each with its line; --fix mends some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from bitext.cli.common import LIMITS, READING, Parser, add_output, json_line, write_file
from bitext.cli.console import Progress
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.request import ReadingRequest, request_of
from bitext.errors import BitextError, FormatError, OptionError

if TYPE_CHECKING:
    from bitext.formats.cleaning.cleaner import Profile
    from bitext.formats.cleaning.repeats import Repeats
    from bitext.formats.convert.checking import Findings
    from bitext.formats.corpora import Corpus, Entry
    from bitext.model import Bitext

_EPILOG = """\
exit status: 0 no findings, 1 findings (from warnings on, see --fail-on), 2 not checked

examples:
  bitext check links.xml.gz --root corpus/xml
  bitext check memory.tmx --src-lang en --tgt-lang fr --each
  bitext check file.xlf --schema xliff-core-1.2-strict.xsd
  bitext check old.xces.sgm --fix new.xml

memory: 40 bytes a bisegment, some 90 at the end, beside what reading takes
"""
_CHECKING = options_of("""
    --schema FILE
        validate XML files against it: .xsd, .rng or .dtd (default: built-in schemas for TMX, XCES
        and mALIGNa)
    --ratio N:number  report lengths that differ from the usual ratio by N usual spreads or more (6)
    --clean PROFILE
        report the rejects of the filters of a profile, as for 'bitext convert --clean': a TOML
        file, or 'default'
    --suggest FILE
        write a profile with bounds four standard deviations from the median, estimated robustly
        (.toml), or a page with it and the distribution of each value (.html)
    --fail-on {error,warning,remark}  the least severity for exit status 1 (warning)
    --each  list up to twenty cases of each kind, not only the first
    --fix FILE
        rewrite the input in its format, correct the errors that have one safe remedy, and check the
        result
""")


class CheckRequest(ReadingRequest):
    """The request of `bitext check`; the fields are its options."""

    files: tuple[str, ...]
    base: int | None = None
    schema: str = ""
    ratio: float = 6.0
    clean: str = ""
    suggest: str = ""
    fail_on: str = "warning"
    each: bool = False
    fix: str | None = None

    def resolve(self) -> str:
        """Check options, paths and clashes before any work; return the style of the report."""
        style = self.style()
        if self.fix and len(self.files) != 1:
            raise OptionError("--fix writes one file: check one at a time with it")
        if self.fix and self.where:
            raise OptionError("--fix writes the whole file anew: leave --where out, or convert it")
        self.check_reading()
        if self.fix == "-":
            raise OptionError("--fix writes a file, which is checked then: name one")
        if self.schema and "-" in self.files:
            raise OptionError("--schema reads a file again: give standard input a name, as a file")
        if not self.ratio > 0:
            raise OptionError("--ratio: want a number above 0")
        if self.suggest and not self.suggest.lower().endswith((".toml", ".html")):
            raise OptionError(f"--suggest {self.suggest}: want a name that ends in .toml or .html")
        if self.suggest and "-" in self.files:
            raise OptionError("--suggest reads a file again: give standard input a name, as a file")
        self._refuse_streams_read_again()
        self._refuse_clashes()
        return style

    def _refuse_streams_read_again(self) -> None:
        """Refuse streams other than standard input if a lexicon is learned from them first."""
        from bitext.formats.io.source import reads_once

        once = [name for name in self.files if name != "-" and reads_once(name)]
        if once and (profile := self.profile()) is not None:
            from bitext.cli.scorers import learns

            if learns(profile):
                raise OptionError(
                    f"{self.clean}: filter lexicon: learns from the files, which are read again "
                    f"then: save {once[0]} and name that file, or name a lexicon in the profile"
                )

    def profile(self) -> Profile | None:
        """Return the filters of --clean."""
        if not self.clean:
            return None
        from bitext.formats.cleaning.cleaner import profile_of

        return profile_of(self.clean)

    def _refuse_clashes(self) -> None:
        """Refuse a report and a file of --fix that would replace an input or each other."""
        from bitext.formats.io.output import refuse_clashes

        profile = [self.clean] if self.clean.endswith(".toml") else []
        if (cleaning := self.profile()) is not None:
            profile += cleaning.files
        others = [self.src, self.tgt, self.schema, *profile]
        self.refuse_inputs(self.files, beside=others)
        if self.suggest:
            written = [self.suggest, *filter(None, [self.fix])]
            written += [self.output] if self.output != "-" else []
            refuse_clashes({*self.files, *filter(None, others)} - {"-"}, written)
        if self.fix:
            refuse_clashes({*self.files, *filter(None, others)} - {"-"}, [self.fix])
            if self.output != "-":
                refuse_clashes([self.fix], [self.output])


def run(arguments: Sequence[str]) -> int:
    """Check files; return 1 if there are findings, 0 otherwise."""
    request = request_of(CheckRequest, _parser(), arguments)
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    style = request.resolve()
    with request.protected_outputs(), _read_again(request):
        findings = _fix(request, request.fix) if request.fix else _check_all(request)
        # Within the protection: a refusal to read an output is a finding about some files.
        if request.suggest:
            _suggest(request)
        request.deliver(_report(findings, style, request))
    from bitext.formats.convert.checking import SEVERITIES

    failing = SEVERITIES[: SEVERITIES.index(request.fail_on) + 1]
    return 1 if any(each.count(level) for each in findings for level in failing) else 0


@contextmanager
def _read_again(request: CheckRequest) -> Iterator[None]:
    """Let standard input be read more than once where a lexicon is learned from it first."""
    profile = request.profile() if "-" in request.files else None
    with ExitStack() as stack:
        if profile is not None:
            from bitext.cli.scorers import learns
            from bitext.formats.io.source import copied_standard_input

            if learns(profile):
                stack.enter_context(copied_standard_input())
        yield


def _parser() -> Parser:
    parser = Parser(
        prog="bitext check",
        description="List errors and suspicious parts of files of alignments, with their places.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or a manifest")
    add_groups(parser, {"reading": [*READING, *LIMITS], "checking": _CHECKING})
    add_output(parser)
    return parser


def _check_all(request: CheckRequest) -> list[Findings]:
    """Check all files; one that cannot be read is a finding, unless it is the only one.

    Duplicates and near-duplicates are those of all files, as in `convert --clean`.
    """
    from bitext.formats.cleaning.repeats import Repeats

    opened: list[tuple[str, Corpus | FormatError]] = []
    for path in request.files:
        try:
            opened.append((path, request.corpus(path)))
        except FormatError as error:
            if len(request.files) == 1:
                raise
            opened.append((path, error))
    corpora = [one for _, one in opened if not isinstance(one, FormatError)]
    request.print_notes(note for corpus in corpora for note in corpus.notes())
    many = sum(len(corpus.entries) for corpus in corpora) > 1
    profile = _scored(request)
    repeats = Repeats()
    if many and profile is not None:
        comparing = [rule.name for rule in profile.rules if rule.filter.compares]
        note = (
            f"{' and '.join(comparing)}: among all files; to compare within each, check one by one"
        )
        request.print_notes([note] * bool(comparing))
    findings = []
    for path, one in opened:
        if isinstance(one, FormatError):
            findings.append(_unread(path, one))
        else:
            for entry in one.entries.values():
                clean = _named(profile, entry.name if many else None)
                findings.append(_check(entry, one.kind, request, clean, repeats))
    return findings


def _scored(request: CheckRequest) -> Profile | None:
    """Return the profile of --clean, with the lexicons and vectors of its filters."""
    profile = request.profile()
    if profile is None or not any(rule.filter.is_scored for rule in profile.rules):
        return profile
    from bitext.cli.scorers import remarks, with_scorers

    scored = with_scorers(
        profile,
        lambda: _bitexts(request),
        encoding=request.encoding,
        langs=request.languages,
    )
    request.print_notes(remarks(scored))
    return scored


def _named(profile: Profile | None, name: str | None) -> Profile | None:
    if profile is None:
        return None
    from bitext.cli.scorers import with_names

    return with_names(profile, name)


def _unread(path: str, error: BitextError) -> Findings:
    from bitext.formats.convert.checking import Findings

    findings = Findings(path)
    findings.add("error", "files that cannot be checked", str(error))
    return findings


def _check(
    entry: Entry,
    kind: str,
    request: CheckRequest,
    clean: Profile | None,
    repeats: Repeats | None = None,
) -> Findings:
    from bitext.formats.convert.checking import check
    from bitext.segment.sentences import other_language

    progress = Progress("bisegments", quiet=request.quiet)
    try:
        return check(
            entry.path,
            reading=request.reading_of(entry, request.base),
            schema=request.schema,
            ratio=request.ratio,
            clean=clean,
            repeats=repeats,
            on_part=progress.add,
            other_language=other_language,
        )
    except BitextError as error:
        if kind == "file" and len(request.files) == 1:
            raise
        return _unread(entry.path, error)
    finally:
        progress.end()


def _bitexts(request: CheckRequest) -> Iterator[Bitext]:
    """Yield the readable bitexts of all files; the check names the other units and files."""
    from bitext.formats.reading import opened

    for path in request.files:
        with _others_go_on(alone=len(request.files) == 1):
            corpus = request.corpus(path)
            for entry in corpus.entries.values():
                reading = replace(request.reading_of(entry, request.base), parts=True)
                with (
                    _others_go_on(alone=len(request.files) == 1 and corpus.kind == "file"),
                    opened(entry.path, reading, on_bad=lambda _: None) as bitexts,
                ):
                    yield from bitexts


@contextmanager
def _others_go_on(*, alone: bool) -> Iterator[None]:
    """Pass over the error of a file that is not checked alone."""
    try:
        yield
    except BitextError:
        if alone:
            raise


def _suggest(request: CheckRequest) -> None:
    """Write the proposed bounds of filters as a profile, or as a page."""
    from bitext.formats.cleaning.cleaner import as_profile, suggested_bounds
    from bitext.reports.corpus_statistics import suggestions_page

    suggestions = suggested_bounds(_bitexts(request))
    text = as_profile(suggestions)
    if request.suggest.lower().endswith(".html"):
        text = suggestions_page(suggestions, text)
    write_file(request.suggest, text)


def _fix(request: CheckRequest, fixed: str) -> list[Findings]:
    """Write the file again, print the repairs, and check the new file."""
    from bitext.formats.convert.checking import mend
    from bitext.formats.corpora import Entry

    corpus = request.corpus(request.files[0])
    request.print_notes(corpus.notes())
    entry, *others = corpus.entries.values()
    if others:
        raise OptionError(f"--fix writes one file, and {request.files[0]} holds {len(others) + 1}")
    clean = _named(_scored(request), None)  # may refuse a profile, before anything is written
    mended = mend(entry.path, fixed, reading=request.reading_of(entry, request.base))
    again = _check(Entry(entry.name, fixed, entry.src, entry.tgt), "file", request, clean)
    # A kind of fault that the new file still has was not mended.
    left = {finding.kind for finding, _ in again.all()}
    lines = [f"mended: {note}" for note in mended.put_right if note.kind not in left]
    lines += [f"left out: {note}" for note in mended.left_out]
    unread = sum(count for _, count in mended.unread.all())
    lines += [f"left out: units that cannot be read, which {fixed} lacks: {unread}"] * bool(unread)
    request.print_notes(lines, most=len(lines))
    return [mended.unread, again]


def _report(checked: list[Findings], style: str, request: CheckRequest) -> str:
    from bitext.reports.table import Table, printable

    rows = [
        (finding, count)
        for findings in checked
        for finding, count in (findings.each() if request.each else findings.all())
    ]
    if style == "json":
        document = {
            "schema": "bitext.check/1",
            "rows": [{**asdict(finding), "count": count} for finding, count in rows],
        }
        return json_line(document)
    table = Table(["severity", "file", "line", "count", "what", "first"])
    for finding, count in rows:
        line = "" if finding.line is None else str(finding.line)
        shown = [finding.severity, finding.path, line, f"{count}", finding.kind, finding.case]
        # Names and texts come from files, which may be hostile.
        table.rows.append([*map(printable, shown)])
    if not rows and style == "table":
        return "nothing found\n"
    return table.render(style)
