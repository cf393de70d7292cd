"""`bitext merge`: one result from the journals of all shards of a run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bitext.cli.common import LOOK, Parser
from bitext.cli.job_options import STORE
from bitext.cli.option_tables import add_groups, add_options, options_of
from bitext.cli.request import NO_JOBS, OutputRequest, request_from, request_of
from bitext.errors import BitextError, ClashError, InputError, OptionError
from bitext.paths import is_file, is_folder

if TYPE_CHECKING:
    from bitext.jobs.journal import Parts

_WRITTEN = {
    "place",
    "output",
    "html",
    "clean_report",
    "report",
    "save_lexicon",
    "save_phrases",
    "save_projection",
    "store",
}  # options that name outputs
# Options about output, which are those of `merge`.
_OWN = ("output", "json", "format", "digits", "no_intervals", "html", "quiet", "verbose", "store")
# The commands whose results each option is for; those of links refuse further ones.
_COMMANDS_WITH = {
    "--html": ("score", "compare", "cluster", "stats", "diff", "link"),
    "--format": ("score", "compare", "cluster", "stats", "diff", "link"),
    "--digits": ("score", "compare"),
    "--no-intervals": ("score", "compare"),
    "--store": ("score", "link"),
}
# Errors raised by a journal that was changed, checksums and all.
_NO_RESULT = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
)  # fmt: skip
# Options that may name folders read whole; score and compare check their own.
_READ_WHOLE = {
    "convert": ("inputs",),
    "combine": ("files",),
    "compose": ("first_file", "second_file"),
    "join": ("files",),
    "split": ("files",),
    "link": ("inputs",),
    "align": ("src", "tgt"),
}
_NEW = {"precision_by_bead": False}  # options that journals from before them lack
_OPTION = r"(?<![\w/'-])--[a-z][a-z-]*[a-z]"
_EPILOG = """\
A shard is the command with --shard I/N and --journal PART. Its parts may be made on different
machines, in any order; the result is that of the command without --shard.

example, two shards and the whole:
  bitext score gold/ system/ --shard 1/2 --journal part1
  bitext score gold/ system/ --shard 2/2 --journal part2
  bitext merge scores.json part1 part2
"""


def _parser() -> Parser:
    parser = Parser(
        prog="bitext merge",
        description="Make one result from the shards of a command.",
        epilog=_EPILOG,
    )
    parser.add_argument("output", metavar="OUT", help="the output; - for standard output")
    parser.add_argument("paths", metavar="PART", nargs="+", help="the journal of each shard")
    add_options(parser, _OPTIONS)
    add_groups(parser, {"showing": LOOK})
    add_options(parser, STORE)
    add_options(parser, _NOTES)
    return parser


_OPTIONS = options_of("""
    --json  one JSON document
    --format {table,tsv,csv,markdown,latex}  of tables
    --html FILE  also write a page, if the command of the shards has one
    --clean-report FILE
        the rejects of the filters of 'bitext convert --clean': a table, or JSON or a page by the
        name (.json, .html)
""")
_NOTES = options_of("""
    -q --quiet  no notes and no progress
    -v --verbose  all notes, not only some
""")


class MergeRequest(OutputRequest):
    """The request of `bitext merge`; the fields are its options."""

    paths: tuple[str, ...]
    store: str | None = None
    clean_report: str = ""

    def resolve(self) -> list[str]:
        """Check options, paths and clashes before any work; return the single files to write."""
        from bitext.formats.io.output import refuse_clashes

        self.check_page(printed=True)
        given = (self.output, self.store, self.html, self.clean_report)
        outputs = [name for name in given if name]
        if self.output == self.clean_report == "-":
            raise OptionError("--clean-report - and OUT - both want standard output: name a file")
        if self.html and (self.html.endswith("/") or is_folder(self.html)):
            outputs.remove(self.html)
        refuse_clashes(self.paths, outputs)
        _refuse_alignments(self)
        return outputs


def run(arguments: Sequence[str]) -> int:
    """Merge the journals of shards; return the exit status."""
    from bitext.formats.io.output import protect_outputs
    from bitext.jobs.journal import Parts

    request = request_of(MergeRequest, _parser(), arguments)
    outputs = request.resolve()
    with Parts(request.paths) as parts:
        try:
            options = _options(parts, request)
            _refuse_replacing(parts, outputs)
            with protect_outputs(outputs):  # some commands read their inputs again
                return _command(parts)(options)
        except (InputError, OptionError) as error:
            own_options = {name for option in _parser().options() for name in option.option_strings}
            foreign = set(re.findall(_OPTION, str(error))) - own_options
            if foreign:
                named, command = " and ".join(sorted(foreign)), parts.run.get("command")
                remedy = f"for {named} make the shards anew by 'bitext {command}'"
                error.args = (f"{error}; {remedy}",)
            raise
        except _NO_RESULT as error:
            if isinstance(error, BitextError) or request.verbose:
                raise
            raise InputError(
                f"{', '.join(request.paths[:3])}: hold data that no shard of 'bitext "
                f"{parts.run.get('command')}' writes ({type(error).__name__}: {error!s:.80}); run "
                f"the shards anew (--verbose shows where)"
            ) from error


def _refuse_alignments(request: MergeRequest) -> None:
    """Refuse parts that are all files of alignments; name the command that joins them."""
    from bitext.formats.io.source import open_source
    from bitext.formats.registry import by_suffix, sniff
    from bitext.jobs.journal import SCHEMA

    names = []
    for path in request.paths:
        if "://" in path or not is_file(path):
            return
        with open_source(path) as source:
            head = source.head()
        known = by_suffix(path) or sniff(head, path)
        if known is None or SCHEMA.encode() in head[:200]:
            return
        names.append(known.name)
    given = " ".join(map(shlex.quote, [*request.paths, request.output]))
    raise InputError(
        f"{request.paths[0]}: is {names[0]}, and merge joins the shards of a run; memories, and "
        f"other files of alignments, are joined by: bitext convert {given}"
    )


def _options(parts: Parts, request: MergeRequest) -> dict[str, Any]:
    """Return the options of the shards by name; those about output come from `request`.

    A journal may come from someone else, so no file is written because a journal names it.
    """
    given = parts.run.get("options", {})
    options: dict[str, Any] = (
        _NEW | parts.shown | (given if isinstance(given, dict) else {}) | NO_JOBS
    )
    options |= dict.fromkeys(_WRITTEN & options.keys())
    page = parts.shown.get("html")
    command = parts.run.get("command")
    for option in request.given(*_COMMANDS_WITH):
        if command not in _COMMANDS_WITH[option]:
            lacks = "no page" if option == "--html" else "no use for it"
            raise OptionError(f"{option}: 'bitext {command}' has {lacks}; leave it out")
    if request.clean_report and not options.get("clean"):
        raise OptionError(
            "--clean-report: is of 'bitext convert --clean', and the shards are not; leave it out"
        )
    if page and not request.html:
        request.print_notes(
            [f"the shards were to write a page ({page!s:.80}): --html FILE writes it"]
        )
    own = [*_OWN, *["clean_report"] * (command == "convert")]
    return options | {name: getattr(request, name) for name in own} | {"parts": parts}


def _refuse_replacing(parts: Parts, outputs: Sequence[str]) -> None:
    """Refuse outputs that would replace files that the shards read or wrote.

    Inputs named by options are compared by name; files of folders and manifests, by the sizes and
    times in the journals.
    """
    from bitext.formats.io.output import refuse_clashes
    from bitext.formats.io.remote import two_files
    from bitext.jobs.journal import stamps

    given = [
        part
        for name, value in parts.run.get("options", {}).items()
        if name not in _WRITTEN
        for each in _strings(value)
        for part in two_files(each) or (each,)
    ]
    of_folders = _READ_WHOLE.get(str(parts.run.get("command")), ())
    folders = [
        each
        for name in of_folders
        for each in _strings(parts.run.get("options", {}).get(name))
        if is_folder(each)
    ]
    refuse_clashes([*parts.paths, *filter(is_file, given)], outputs, folders=folders)
    existing = [name for name in outputs if name != "-" and is_file(name)]
    known = {
        tuple(stamp): name
        for name, stamp in zip(existing, stamps((*existing,)), strict=True)
        if stamp
    }
    for line in parts.lines() if known else ():
        for stamp in (*line.get("files", ()), *line.get("read", {}).values()):
            if stamp is not None and (name := known.get(tuple(stamp))):
                raise ClashError(
                    f"{name}: the shards read it, for {line['name']!s:.80}; name another file to "
                    f"write"
                )
        if written := _file_written(line.get("value")):
            refuse_clashes([written], existing)


def _strings(value: Any) -> list[str]:
    return [
        each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)
    ]


def _file_written(value: Any) -> str:
    """Return the output file of a document; empty if its result is in the journal alone."""
    outcome = value.get("outcome", value) if isinstance(value, dict) else {}
    output = outcome.get("output") if isinstance(outcome, dict) else None
    return output if isinstance(output, str) else ""


# The function that does the work of each command, and its request. Some read their files again: to
# compare them, to write the parts of a split, or files with their links.
_RUNS = {
    "score": ("bitext.cli.score:score", "bitext.cli.score:ScoreRequest"),
    "convert": ("bitext.cli.writing:write_outputs", "bitext.cli.convert:ConversionRequest"),
    "compare": ("bitext.cli.compare:compare", "bitext.cli.compare:CompareRequest"),
    "cluster": ("bitext.cli.cluster:cluster", "bitext.cli.cluster.request:ClusterRequest"),
    "stats": ("bitext.cli.stats:stats", "bitext.cli.stats:StatsRequest"),
    "split": ("bitext.cli.split:split", "bitext.cli.split:SplitRequest"),
    "combine": ("bitext.cli.writing:write_outputs", "bitext.cli.algebra.joining:CombineRequest"),
    "compose": ("bitext.cli.writing:write_outputs", "bitext.cli.algebra.joining:ComposeRequest"),
    "join": ("bitext.cli.writing:write_outputs", "bitext.cli.join:JoinRequest"),
    "diff": ("bitext.cli.algebra:diff", "bitext.cli.algebra:DiffRequest"),
    "align": ("bitext.cli.align.corpus:align_by_jobs", "bitext.cli.align.request:AlignRequest"),
    "link": ("bitext.cli.link.linking:link", "bitext.cli.link.request:LinkRequest"),
}
# The parsers of commands whose journals have every option.
_PARSERS = {
    "score": "bitext.cli.score:parser",
    "compare": "bitext.cli.compare:parser",
    "cluster": "bitext.cli.cluster.request:parser",
}


def _command(parts: Parts) -> Callable[[dict[str, Any]], int]:
    """Return the function that runs the command of the shards on its options by name."""
    name = parts.run.get("command")
    if name not in _RUNS:
        raise InputError(
            f"{parts.paths[0]}: is of {name!r}, whose parts 'bitext merge' does not know"
        )
    work, request = map(_member, _RUNS[name])
    needed = _member(_PARSERS[name])().names() if name in _PARSERS else ()
    return lambda options: int(work(request_from(request, options, needed)))


def _member(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
