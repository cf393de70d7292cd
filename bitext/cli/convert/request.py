"""The request of `bitext convert`, and its tasks: each writes one file or two."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from bitext.cli.common import (
    BASE,
    BOOK,
    COLUMNS,
    DRAFTS,
    ENCODING,
    LIMITS,
    WHERE,
    Parser,
    is_output_folder,
    output_in,
    refuse_output_clashes,
)
from bitext.cli.console import refuse_closed
from bitext.cli.job_options import add_jobs
from bitext.cli.leftovers import notes_on_leftovers
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.writing import OutputPlan, WritingRequest
from bitext.errors import InputError, OptionError
from bitext.paths import is_file

if TYPE_CHECKING:
    from bitext.formats.cleaning.cleaner import Profile
    from bitext.formats.convert.conversion import Input, Outcome, Task
    from bitext.formats.convert.symmetrising import Symmetrising
    from bitext.formats.registry import Format

_EPILOG = """\
IN is a file, a folder, or a manifest: a file of tab-separated columns below the header 'text path
[src tgt]', or of JSON lines with these keys. OUT is a file, or a folder (an existing one, or a name
that ends with /) with one file for each of IN. Two files, as of Moses, are named 'a.en,a.fr'. Names
set formats and compression (.gz .xz .bz2 .zst); `bitext formats --keeps` lists what each keeps. All
may be places: s3://bucket/gold/, https://example.org/memory.tmx.gz.

IN may also be a project of `bitext edit` (.bitext). OUT has the same bytes as an export of its
page: one document of one annotator, or with a folder OUT a file for each. Several files of one
alignment, as in moses, intertext and pharaoh, go into a folder, an archive (.zip), or as many names
with commas between. `bitext edit --project` adds files to a project.

examples:
  bitext convert memory.tmx corpus.en,corpus.fr --src-lang en --tgt-lang fr
  bitext convert links.xml.gz memory.tmx --root corpus/xml --src-lang en --tgt-lang fr
  bitext convert alignments/ converted/ --to jsonl -j 4 --min-score 0.4 --drop-empty
  bitext convert project.xlf memory.tmx --where state=final,translated
  bitext convert memory.tmx clean.tsv --clean default --clean-report report.html
  bitext convert gold.align - --to tsv --src a.en --tgt a.fr | head
  bitext convert gold.tei book.epub --title "The Mill"
  bitext convert de-fr.bitext gold.tmx --annotator anna
  bitext convert corpus.bitext gold/ --to xces --documents 'ch*'
  bitext convert forward.talp reverse.talp both.talp --symmetrise grow-diag-final
"""


_READING = [
    *options_of("""
        --from FORMAT (known)  the format of IN (default: from its contents)
        --src TEXT
            the source text, if IN holds ids or positions: a file with one segment a line or an XML
            document, a folder, or a pattern with {name}
        --tgt TEXT  the target text, likewise
        --root FOLDER ...
            folder of the documents that IN names (default: the folder of IN); no others are opened;
            repeats
        --src-lang CODE  the source language: to choose among several, and to write
        --tgt-lang CODE  the target language, likewise
    """),
    *COLUMNS,
    ENCODING,
    (
        BASE[0],
        {"action": "append", "default": [], "metavar": "[IN=]0|1"},
        f"{BASE[2]}; with IN= for one of several files; repeats",
    ),
    *LIMITS,
    *DRAFTS,
]
_CHOOSING = [
    *WHERE,
    *options_of("""
        --min-score SCORE:number  leave out bisegments with a lower score, or none
        --max-score SCORE:number
            leave out bisegments with a higher score, or none: for costs, where lower is better
        --score NAME  the column that is the score, as prop:score-bicleaner
        --types N-M,...  leave out other bead types; 1-* is 1 to any
        --documents PATTERN  leave out document pairs whose names do not match (*, ?, [...])
        --annotator NAME  for a project: the annotator (default: all)
        --boundaries TYPE  for segmentations of a project: the boundaries of one type (default: all)
        --drop-empty  leave out bisegments with nothing, or only white space, on a side
        --unique
            leave out bisegments with the texts of an earlier one (some 100 bytes of memory each)
        --clean PROFILE
            leave out bisegments that a filter of a profile rejects: a TOML file, or 'default' (the
            filters: docs/cleaning.md); after all others
        --keep-rejected FILE
            write the rejects of --clean there, as TSV with the filter, its value and the place;
            with a folder OUT a folder, with a file for each of OUT
        --clean-report FILE
            the rejects of each filter of --clean, with samples: a table, or JSON or a page by the
            name (.json, .html)
        --swap  exchange source and target; --src-lang and --tgt-lang name those of IN
        --all-languages
            keep texts in further languages (default: leave them out if both languages are named)
        --spaces  replace white space by single blanks, and remove it at the ends of segments
        --replace-forbidden  put U+FFFD for characters that XML forbids (default: an error)
    """),
]
_JOINING = options_of("""
    --symmetrise METHOD
        make one set of the word links of two files IN, one of each direction: intersection, union,
        grow, grow-diag, grow-diag-final, grow-diag-final-and, grow-diag:strict,
        grow-diag-final:strict
    --reverse {source-target,target-source}
        the direction of the links of the second file (default: from both files, with a note)
""")
_WRITING = options_of("""
    -o --output OUT (into)  the output; all other names are then IN
    --to FORMAT  the format of OUT (default: from its name)
    --beads  keep ids and the borders of segments in properties, in formats that have them (TMX)
    --retime  with srt or vtt: write the target alone, at the times of the source
    --write-documents FOLDER
        with a format of links (XCES): write the texts there, for a folder OUT in a numbered folder
        each; nothing is replaced
    --compress {gz,xz,bz2,zst}  compress the files of a folder OUT
    --strict  write nothing if anything would be lost
    --keep-going
        leave out unreadable units, lines and files, and bisegments with characters that the format
        of OUT cannot hold; report them, with status 1
    --report FILE  errors of reading, as JSON lines: file, line, message
    -j --jobs N:whole  processes, for a folder OUT (1)
""")
_REPORTING = options_of("""
    --json  print an account of the conversion as JSON
    -q --quiet  errors only
    -v --verbose  all notes, not only some
""")

# Codes of languages as files spell them: fr, en-GB, zh_Hant_TW, sr@latin.
_CODE = re.compile(r"[A-Za-z]{1,8}(?:[-_@.][A-Za-z0-9]{1,8})*", re.ASCII)


def parse_arguments(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the options by name; OUT is the last name, or that of -o."""
    names_output = any(each.startswith(("-o", "--output")) for each in arguments)
    given = vars(_parser(names_output=names_output).parse_args(arguments))
    into = given.pop("into")
    if into is not None:
        given["inputs"] += [given["output"]] if given["output"] is not None else []
        given["output"] = into
    return given


@cache  # takes half a millisecond
def _parser(*, names_output: bool) -> Parser:
    parser = Parser(
        prog="bitext convert",
        description="Convert alignments from one format to another, and list the losses.",
        epilog=_EPILOG,
    )
    parser.add_argument("inputs", metavar="IN", nargs="+", help="the input; - for standard input")
    parser.add_argument(
        "output",
        metavar="OUT",
        nargs="?" if names_output else None,
        help="the output; - for standard output",
    )
    add_groups(parser, {"reading": _READING, "choosing": _CHOOSING})
    add_groups(parser, {"word links": _JOINING, "writing": _WRITING})
    add_groups(parser, {"books (OUT in HTML, EPUB, PDF or DOCX)": BOOK})
    add_groups(parser, {"reporting": _REPORTING})
    return add_jobs(parser)


class ConvertRequest(WritingRequest["Outcome"]):
    """The request of `bitext convert`; the fields are its options."""

    command: ClassVar[str] = "convert"
    unit: ClassVar[str] = "bisegments"
    inputs: tuple[str, ...]
    to: str = ""
    base: tuple[str, ...] = ()
    min_score: float | None = None
    max_score: float | None = None
    score: str = ""
    types: str | None = None
    documents: str = ""
    annotator: str | None = None
    boundaries: str | None = None
    drop_empty: bool = False
    unique: bool = False
    clean: str = ""
    keep_rejected: str = ""
    clean_report: str = ""
    swap: bool = False
    all_languages: bool = False
    spaces: bool = False
    replace_forbidden: bool = False
    symmetrise: str = ""
    reverse: str = ""
    beads: bool = False
    retime: bool = False
    write_documents: str | None = None
    compress: str | None = None
    strict: bool = False
    report: str | None = None

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        rejected = "" if self.keep_rejected.endswith(("/", os.sep)) else self.keep_rejected
        more = (self.clean_report or None, rejected or None)
        return self.output, self.html, self.store, self.report, *more

    def resolve(self) -> OutputPlan[Outcome]:
        """Check options, paths and clashes before any work; return the tasks.

        Raises `InputError` or `OptionError` when options exclude each other, an input is missing,
        or an output would replace it.
        """
        from bitext.formats.registry import by_name

        by_jobs = self.uses_jobs()
        self.refuse_unwritten(own_files=True, report=self.report)
        if self.shard is not None and self.clean_report:
            raise OptionError(
                "--clean-report is of all files, and a shard writes its part to --journal: leave "
                "it out; 'bitext merge --clean-report' writes that of all shards"
            )
        if self.parts is not None:
            return OutputPlan([], {"roots": []}, by_jobs, in_folder=False)
        if self.json:
            refuse_closed()
        if by_jobs:
            self.refuse_streams([*self.inputs, self.output, self.src, self.tgt])
        _check(self)
        _check_values(self)
        _check_symmetrising(self)
        self.check_reading()
        notes: list[str] = []
        inputs = _inputs(self, notes)
        if self.symmetrise and len(inputs) != 2:
            raise OptionError(
                f"--symmetrise makes one set of links of two files, forward and reverse, and "
                f"{len(inputs)} {'are' if len(inputs) != 1 else 'is'} named as IN"
            )
        in_folder = is_output_folder(self.output)
        _check_cleaning(self, in_folder=in_folder)
        work = _tasks_in_folder(self, inputs) if in_folder else [_task_of_file(self, inputs)]
        _refuse_clashes(self, work)
        if in_folder:
            outputs, langs = [task.output for task in work], languages_written(self)
            notes += notes_on_leftovers(self, outputs, self.inputs, by_name(self.to), langs)
        elif len(self.inputs) > 1 and by_name(work[0].to).book:
            from bitext.formats.corpora.chapters import shell_order_notes

            notes += shell_order_notes(self.inputs)
        if len(work) > 1 and (names := _comparing(self)):
            shown = " and ".join(names)
            notes.append(f"{shown}: among all files; to compare within each, convert one by one")
        notes += _unusual_codes(self, work)
        roots = [*map(str, document_roots(work))]
        return OutputPlan(work, {"roots": roots}, by_jobs, in_folder, notes)


def _task_of_file(request: ConvertRequest, inputs: Sequence[Input]) -> Task:
    from bitext.formats.writing import writable

    if request.jobs > 1:
        raise OptionError(
            f"--jobs is for a folder as OUT, and {request.output} is one file: name a folder "
            f"(with / at its end), or leave --jobs out"
        )
    known = writable(request.output, request.to or None)
    _check_writing(request, known)
    return _task(request, tuple(inputs), request.output, known)


def _tasks_in_folder(request: ConvertRequest, inputs: Sequence[Input]) -> list[Task]:
    """Return a task for each input, whose output is in the folder OUT."""
    from bitext.formats.writing import writable

    if not request.to:
        raise OptionError(
            f"OUT is the folder {request.output}: name the format of its files (--to)"
        )
    known = writable(request.output, request.to)
    _check_writing(request, known)
    names = [each.name or str(k) for k, each in enumerate(inputs, start=1)]
    langs = languages_written(request)
    outputs = [
        output_in(request.output, name, known, langs, request.compress or "") for name in names
    ]
    tasks = (
        _task(request, (each,), output, known, k)
        for k, (each, output) in enumerate(zip(inputs, outputs, strict=True), start=1)
    )
    if not request.keep_rejected:
        return [*tasks]
    from bitext.formats.io.remote import join

    rejected = (f"{join(request.keep_rejected, name)}.tsv" for name in names)
    return [replace(task, rejected=name) for task, name in zip(tasks, rejected, strict=True)]


def _check(request: ConvertRequest) -> None:
    if request.report and not request.keep_going:
        raise OptionError("--report lists what --keep-going leaves out: give both")
    if request.json and request.output == "-":
        raise OptionError("--json and OUT - both want standard output: name a file as OUT")
    if request.report == "-" and (request.json or request.output == "-"):
        raise OptionError("--report - wants standard output for itself: name a file")
    if request.compress and not is_output_folder(request.output):
        raise OptionError(
            f"--compress is for a folder as OUT, and {request.output} is a file: name it with the "
            f"ending .{request.compress}"
        )
    for option in request.given("--annotator", "--boundaries"):
        raise OptionError(f"{option} is for a project (.bitext), and none is named: leave it out")
    if request.output.endswith(".bitext") and not request.to:
        raise OptionError(
            f"{request.output}: is a project, which 'bitext edit FILE --project {request.output} "
            f"--no-server' makes or adds to"
        )
    if request.inputs.count("-") > 1:
        raise OptionError("standard input can be read only once: name - once")
    if "" in (*request.inputs, request.output):
        raise InputError("a name is empty: name a file, a folder, or -")


def _check_symmetrising(request: ConvertRequest) -> None:
    """Refuse options that do not go with --symmetrise, or go with it only."""
    if not request.symmetrise:
        if request.reverse:
            raise OptionError("--reverse is for the second file that --symmetrise takes: give both")
        return
    request.refuse(
        "--keep-going --where",
        "--symmetrise needs each sentence pair of both files, and OPTION leaves some out: leave "
        "one of the two options out",
    )
    if is_output_folder(request.output):
        raise OptionError(
            f"--symmetrise makes one file of two, and OUT is the folder {request.output}: name a "
            f"file"
        )


def _check_cleaning(request: ConvertRequest, *, in_folder: bool) -> None:
    """Refuse options of cleaning that do not go together."""
    from bitext.formats.registry import by_suffix

    for option, given in (
        ("--keep-rejected", request.keep_rejected),
        ("--clean-report", request.clean_report),
    ):
        if given and not request.clean:
            raise OptionError(f"{option} is for what --clean leaves out: give both")
        if given == "-" and (request.json or request.output == "-"):
            raise OptionError(f"{option} - wants standard output for itself: name a file")
    if not request.clean:
        return
    name = request.clean_report.lower()
    if by_suffix(name) is not None and not name.endswith((".json", ".html", ".htm", ".txt")):
        raise OptionError(
            f"--clean-report {request.clean_report}: want a name that ends with .json, .html or "
            f".txt (a table to read)"
        )
    if request.symmetrise:
        raise OptionError(
            "--symmetrise needs each sentence pair of both files, and --clean leaves some out: "
            "leave one of the two options out"
        )
    if request.keep_rejected == request.clean_report == "-":
        raise OptionError("--keep-rejected and --clean-report both want standard output")
    if request.keep_rejected and in_folder != is_output_folder(request.keep_rejected):
        expected = "folder" if in_folder else "file"
        raise OptionError(
            f"--keep-rejected {request.keep_rejected}: OUT is a {expected}, and the rejected "
            f"bisegments of each file of OUT are a file: name a {expected}"
            f"{', as rejected/' if in_folder else ''}"
        )
    _check_scorers(request)


def _check_scorers(request: ConvertRequest) -> None:
    """Refuse options that filters by lexicons and vectors do not go with."""
    from bitext.cli.scorers import learns, uses_vectors
    from bitext.formats.io.source import reads_once

    profile = _profile(request)
    if learns(profile) and request.engine != "local":
        raise OptionError(
            f"{request.clean}: filter lexicon: learns from all inputs here, and --engine "
            f"{request.engine} has workers elsewhere: name a lexicon in the profile (bitext align "
            f"--save-lexicon writes one)"
        )
    once = [name for name in request.inputs if name != "-" and reads_once(name)]
    if learns(profile) and once:
        raise OptionError(
            f"{request.clean}: filter lexicon: learns from the inputs, which are read again then: "
            f"save {once[0]} and name that file, or name a lexicon in the profile"
        )
    for option in request.given("--where", "--documents", "--keep-going"):
        if uses_vectors(profile):
            raise OptionError(
                f"{request.clean}: filter vectors: has a row for every segment, and {option} "
                f"leaves some out: leave one of the two out"
            )


def _comparing(request: ConvertRequest) -> list[str]:
    """Return the names of the filters that compare bisegments with earlier ones."""
    rules = _profile(request).rules if request.clean else ()
    names = ["--unique"] if request.unique else []
    return names + [rule.name for rule in rules if rule.filter.compares]


def _profile(request: ConvertRequest) -> Profile:
    from bitext.formats.cleaning.cleaner import profile_of

    return profile_of(request.clean)


def _check_values(request: ConvertRequest) -> None:
    """Refuse scores, types and languages that are none."""
    from bitext.formats.io.remote import refuse_remote

    refuse_remote(request.write_documents, "documents are written here only")
    for name, score in (("min-score", request.min_score), ("max-score", request.max_score)):
        if score is not None and isnan(score):
            raise OptionError(f"--{name} nan: want a number to compare with")
    if request.types is not None and not _types(request):
        raise OptionError(f"--types {request.types!r}: names no type; want some as 1-1,1-2,2-*")
    for name, code in (("--src-lang", request.src_lang), ("--tgt-lang", request.tgt_lang)):
        if code and not _CODE.fullmatch(code):
            raise OptionError(
                f"{name} {code!r}: is not the code of a language; want one as en or en-GB"
            )


def _check_writing(request: ConvertRequest, known: Format) -> None:
    """Refuse options that the output format has no use for."""
    from bitext.formats.registry import all_formats

    for option, given, field in (
        ("--write-documents", request.write_documents is not None, "keeps_with_documents"),
        ("--beads", request.beads, "keeps_in_props"),
        ("--retime", request.retime, "keeps_retimed"),
    ):
        if given and getattr(known, field) is None:
            others = [name for name, one in all_formats().items() if getattr(one, field)]
            raise OptionError(
                f"{option} is for {', '.join(others)}, and OUT is {known.name}: leave it out"
            )
    if request.write_documents == "":
        raise OptionError("--write-documents names no folder")


def _refuse_clashes(request: ConvertRequest, work: Sequence[Task]) -> None:
    """Refuse outputs, a report or a journal that would replace an input or each other.

    Outputs in a folder of inputs are refused too: the next run would read them.
    """
    pairs = ((task.inputs[0].path, task.output) for task in work)
    read = [name for task in work for name in task.files()]
    if request.clean.endswith(".toml"):
        read += [request.clean, *_profile(request).files]
    rejected = (task.rejected for task in work)
    beside = (*rejected, request.report, request.journal, request.clean_report)
    refuse_output_clashes(pairs, request.inputs, read, beside, verb="convert")


def _types(request: ConvertRequest) -> tuple[str, ...]:
    return tuple(kind.strip() for kind in (request.types or "").split(",") if kind.strip())


def _documents(
    request: ConvertRequest, output: str, number: int | None
) -> tuple[Path | None, Path | None]:
    """Return the folder of the documents of a task, and the base folder of their names.

    The base is the folder of the output, where readers look, if the documents lie under it.
    """
    if request.write_documents is None:
        return None, None
    from bitext.formats.opus_documents.writing import name_under

    folder = Path(request.write_documents)
    place = folder if number is None else folder / f"{number:06}"
    if place != folder and place.is_symlink():
        raise InputError(f"{place}: is a link where a folder is wanted; name another folder")
    if output == "-" or "://" in output:
        return place, folder
    beside = Path(output).parent
    whole = Path(request.output) if number is not None else beside
    base = next((each for each in (beside, whole) if name_under(folder, each) is not None), folder)
    return place, base


def document_roots(work: Sequence[Task]) -> Iterator[Path]:
    """Yield the folders (--root) in which readers of the outputs will find their documents."""
    roots: dict[Path, None] = {}
    for task in work:
        apart = task.output == "-" or "://" in task.output
        beside = "" if apart else os.path.realpath(Path(task.output).parent)
        if task.base is not None and os.path.realpath(task.base) != beside:
            roots[task.base] = None
    yield from roots


def _inputs(request: ConvertRequest, notes: list[str]) -> list[Input]:
    """Return the files to read, each with its name and texts; append notes to `notes`."""
    from bitext.formats.convert.conversion import Input
    from bitext.formats.corpora import find_text
    from bitext.formats.corpora.chapters import in_chapter_order

    if not request.known:
        _refuse_halves(request.inputs)
    bases, in_folder = _bases(request), is_output_folder(request.output)
    named: list[tuple[str, Input]] = []
    for path in request.inputs:
        base = bases.get(path, bases.get(""))
        corpus = request.corpus(path)
        notes += corpus.notes()
        for entry in corpus.entries.values() if in_folder else in_chapter_order(corpus):
            name = "" if corpus.kind == "file" and len(request.inputs) == 1 else entry.name
            src = entry.src or find_text(request.src, entry.name, option="src")
            tgt = entry.tgt or find_text(request.tgt, entry.name, option="tgt")
            named.append((entry.name, Input(entry.path, name, src, tgt, base)))
    if in_folder:
        return [replace(each, name=name) for name, each in named]
    return [each for _, each in named]


def _bases(request: ConvertRequest) -> dict[str, int]:
    """Return the first position (0 or 1) by input; the key "" stands for all other inputs."""
    bases: dict[str, int] = {}
    for text in request.base:
        name, _, number = text.rpartition("=")
        if number not in {"0", "1"}:
            raise OptionError(f"--base {text}: want 0 or 1, or IN=0 or IN=1 for one file")
        if name and name not in request.inputs:
            raise OptionError(
                f"--base {text}: {name} is not among the files to read: name one as it is named "
                f"there, {' or '.join(request.inputs[:3])}"
            )
        if bases.setdefault(name, int(number)) != int(number):
            raise OptionError(f"--base: {name or 'files'} count from 0 or from 1: give one of both")
    return bases


def _refuse_halves(inputs: Sequence[str]) -> None:
    """Refuse two inputs that are a text and its translation, line by line."""
    from bitext.formats.io.source import open_source
    from bitext.formats.languages import named_languages
    from bitext.formats.registry import sniff

    if len(inputs) != 2 or not all(map(is_file, inputs)) or not all(named_languages(*inputs)):
        return
    for path in inputs:
        with open_source(path) as source:
            if sniff(source.head(), path) is not None:
                return
    raise OptionError(
        f"{inputs[0]} and {inputs[1]} are one text and its translation, line by line: name them "
        f"with a comma between, {','.join(inputs)}"
    )


def languages_written(request: ConvertRequest) -> tuple[str, str]:
    """Return the languages of OUT: options name those of IN, which --swap exchanges."""
    return request.languages[::-1] if request.swap else request.languages


def _unusual_codes(request: ConvertRequest, work: Sequence[Task]) -> Iterator[str]:
    """Yield notes on names of languages, and other strings, that are written as codes."""
    from bitext.formats.languages import unusual_code
    from bitext.formats.registry import by_name

    if not work or not by_name(work[0].to).keeps.languages:
        return
    for option, code in (("--src-lang", request.src_lang), ("--tgt-lang", request.tgt_lang)):
        if fault := unusual_code(code):
            yield f"{option} {code}: {fault}"


def _words_of_other_language(sentences: Sequence[str], named: str) -> str:
    """Return `other_language`, imported on first use: few conversions need it."""
    from bitext.segment.sentences import other_language

    return other_language(sentences, named)


def _task(
    request: ConvertRequest,
    inputs: tuple[Input, ...],
    output: str,
    known: Format,
    number: int | None = None,
) -> Task:
    from bitext.formats.convert.conversion import Task
    from bitext.formats.convert.filters import Filters
    from bitext.formats.registry import WriteOptions

    documents, base = _documents(request, output, number)
    src_lang, tgt_lang = languages_written(request)
    return Task(
        inputs=inputs,
        output=output,
        to=known.name,
        reading=request.file_options(),
        symmetrise=_symmetrising(request),
        filters=request.value(
            Filters,
            types=_types(request),
            two_languages=bool(request.src_lang and request.tgt_lang and not request.all_languages),
        ),
        options=WriteOptions(
            src_lang=src_lang,
            tgt_lang=tgt_lang,
            beads=request.beads,
            retimed=request.retime,
            documents=documents,
            book=request.book_options(known),
        ),
        strict=request.strict,
        keep_going=request.keep_going,
        base=base,
        clean=_profile(request) if request.clean else None,
        rejected=request.keep_rejected,
        other_language=_words_of_other_language,
    )


def _symmetrising(request: ConvertRequest) -> Symmetrising | None:
    if not request.symmetrise:
        return None
    from bitext.formats.convert.symmetrising import Symmetrising

    return Symmetrising(method=request.symmetrise, reverse=request.reverse)
