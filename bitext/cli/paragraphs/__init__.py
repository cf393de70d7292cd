"""`bitext paragraphs`: paragraph breaks for running text, models of them, and their scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bitext.cli.common import Parser, add_output, make_folder, refuse_place, write_file
from bitext.cli.console import Progress, write_out
from bitext.cli.leftovers import files_left, note_on_left
from bitext.cli.option_tables import add_groups, option_of, options_of, value
from bitext.cli.paragraphs.files import (
    INPUTS,
    READING,
    BooksRequest,
    JsonSink,
    MassesSink,
    PageSink,
    Reader,
    RowSink,
    Sink,
    TableSink,
    TextSink,
)
from bitext.cli.request import OutputRequest, request_of
from bitext.errors import InputError, OptionError, did_you_mean, many
from bitext.paths import is_file, is_folder

if TYPE_CHECKING:
    from bitext.formats.io.source import Notes
    from bitext.formats.plain_text import TextFile
    from bitext.kernels.arrays import Bools
    from bitext.reports.paragraphs import BrokenChapter
    from bitext.segment.books import Passages
    from bitext.segment.segmenter import ParagraphSegmenter

# `bitext paragraphs show`, `export` and `import`: models, and their readable form.


class ShowRequest(OutputRequest):
    """The request of `bitext paragraphs show`; the fields are its options."""

    model: str
    top: int = 20

    def resolve(self) -> str:
        """Check options and paths before any work; return the style of the output."""
        style = self.style()
        from bitext.segment.model_files import model_path

        self.refuse_below(top=0)
        self.refuse_inputs([str(model_path(self.model))])
        return style


class TwoFilesRequest(OutputRequest):
    """The request of `bitext paragraphs export` and `import`: a file to read and one to write."""

    first: str
    second: str

    def resolve(self) -> None:
        """Refuse an output that would replace the input."""
        from bitext.formats.io.output import refuse_clashes

        refuse_clashes([self.first], [self.second])


def show(arguments: Sequence[str]) -> int:
    """Show the facts of a model and its strongest weights; return the exit status."""
    parser = Parser(
        prog="bitext paragraphs show",
        description="The parts of a model, its scores, and its strongest weights.",
    )
    parser.add_argument("model", metavar="MODEL", help="a model of bitext (en, de), or a file")
    parser.add_argument(
        "--top",
        type=value(int, "a whole number"),
        default=20,
        metavar="N",
        help="the number of weights for a break, and against one (20)",
    )
    add_output(parser)
    request = request_of(ShowRequest, parser, arguments)
    style = request.resolve()
    segmenter, lang, _ = load_model(request.model, None)
    strongest = _strongest(segmenter, request.top)
    facts = {
        "model": request.model,
        "method": segmenter.method,
        "lang": lang or None,
        "features": segmenter.features_.size,
        "groups": list(segmenter.features_.options.groups),
        "longest": segmenter.longest_,
        "offset": segmenter.offset_,
        "card": segmenter.card_,
    }
    if style == "json":
        weights = [{"feature": name, "weight": weight} for name, weight in strongest]
        document = {"schema": "bitext.paragraphs-model/1", **facts, "weights": weights}
        request.deliver_json(document)
        return 0
    request.deliver(_tables(facts, strongest, style))
    return 0


def export(arguments: Sequence[str]) -> int:
    """Write a model in its readable form; return the exit status."""
    request = _two_files(
        arguments,
        "export",
        "Write a model as a table, or as JSON where the name ends in .json: a line a weight.",
        ("MODEL", "a model of bitext (en, de), or a file"),
        ("OUT", "the table (.tsv), or JSON (.json)"),
    )
    from bitext.segment.model_files import export_model

    segmenter, _, _ = load_model(request.first, None)
    _refuse_place(request.second)
    parts = segmenter.to_parts()
    export_model(request.second, parts, segmenter.features_.names())
    request.print_notes([f"{segmenter.features_.size:,} features"])
    return 0


def take_in(arguments: Sequence[str]) -> int:
    """Make a model of its readable form; return the exit status."""
    request = _two_files(
        arguments,
        "import",
        "Make a model of what 'bitext paragraphs export' wrote, as it was or edited.",
        ("IN", "the table, or JSON"),
        ("MODEL", "the file to write"),
    )
    from bitext.segment.model_files import import_model
    from bitext.segment.segmenter import ParagraphSegmenter

    try:
        parts = import_model(request.first)
    except OSError as error:
        raise InputError(f"{request.first}: cannot be read: {error.strerror or error}") from None
    segmenter = ParagraphSegmenter.from_parts(parts, name=request.first)
    _refuse_place(request.second)
    segmenter.save(request.second)
    request.print_notes([f"{segmenter.features_.size:,} features"])
    return 0


def _two_files(
    arguments: Sequence[str],
    name: str,
    description: str,
    first: tuple[str, str],
    second: tuple[str, str],
) -> TwoFilesRequest:
    parser = Parser(prog=f"bitext paragraphs {name}", description=description)
    parser.add_argument("first", metavar=first[0], help=first[1])
    parser.add_argument("second", metavar=second[0], help=second[1])
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes")
    parser.set_defaults(verbose=False)
    request = request_of(TwoFilesRequest, parser, arguments)
    request.resolve()
    return request


def _refuse_place(path: str) -> None:
    """Refuse an output that is no file, or lies in no folder."""
    if path in {"", "-"}:
        raise OptionError("a model is written to a file: name one")
    refuse_place(path)


def _strongest(segmenter: ParagraphSegmenter, max_features: int) -> list[tuple[str, float]]:
    """Return the `max_features` greatest weights above 0, then the `max_features` least below 0."""
    import numpy as np

    weights = segmenter.to_parts().arrays.get("method.weights")
    names = segmenter.features_.names()
    if weights is None or weights.shape != (len(names),):
        return []
    order = np.argsort(-weights, kind="stable")
    above = [k for k in order[:max_features].tolist() if weights[k] > 0]
    below = [k for k in order[::-1][:max_features].tolist() if weights[k] < 0]
    return [(names[k], float(weights[k])) for k in (*above, *reversed(below))]


def _tables(facts: dict[str, Any], strongest: list[tuple[str, float]], style: str) -> str:
    from bitext.reports.table import Table

    table = Table(["of the model", "is"])
    card = facts.pop("card")
    for name, fact in (*facts.items(), *card.items()):
        table.rows += map(list, _flat(name, fact))
    weights = Table(["feature", "weight"])
    for name, weight in strongest:
        weights.rows.append([name, f"{weight:+z.4f}"])
    parts = [table.render(style)]
    if strongest:
        parts.append(weights.render(style))
    return "\n".join(parts)


def _flat(name: str, fact: Any) -> list[tuple[str, str]]:
    """Return the leaves of nested facts as text, each with the keys that lead to it."""
    if isinstance(fact, dict):
        return [pair for key, item in fact.items() for pair in _flat(f"{name} {key}", item)]
    if isinstance(fact, list):
        return [(name, ", ".join(map(str, fact)))]
    if isinstance(fact, float):
        return [(name, f"{fact:.4g}")]
    return [(name, "-" if fact is None else str(fact))]


# name: (module, function, summary for --help)
TASKS = {
    "split": ("bitext.cli.paragraphs", "split", "put paragraph breaks into running text"),
    "train": ("bitext.cli.paragraphs.train", "run", "make a model of texts with paragraphs"),
    "score": (
        "bitext.cli.paragraphs.train",
        "run_score",
        "methods and models against known paragraphs",
    ),
    "show": ("bitext.cli.paragraphs", "show", "what a model is made of, its main weights"),
    "export": ("bitext.cli.paragraphs", "export", "a model as a table or JSON, to look at"),
    "import": ("bitext.cli.paragraphs", "take_in", "a model of such a table or JSON"),
}


def run(arguments: Sequence[str]) -> int:
    """Run one of the tasks; return the exit status."""
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        write_out([_help()])
        return 0
    name = arguments[0]
    if name not in TASKS:
        hint = did_you_mean(name, TASKS)
        raise OptionError(f"no task {name!r}; {hint}the tasks: {', '.join(TASKS)}")
    module, function, _ = TASKS[name]
    return int(getattr(import_module(module), function)(arguments[1:]))


def _help() -> str:
    rows = "\n".join(f"  {name:<8} {summary}" for name, (_, _, summary) in TASKS.items())
    return (
        "usage: bitext paragraphs TASK ...\n\n"
        "Paragraph breaks for running text, by max-margin semi-Markov models and their rivals.\n\n"
        f"{rows}\n\n"
        "  bitext paragraphs TASK --help   lists the arguments of a task\n\n"
        "examples:\n"
        "  bitext paragraphs split book.txt -o book.with-breaks.txt\n"
        "  bitext paragraphs train novels/ -o novels.model --lang en\n"
        "  bitext paragraphs score test.tsv --model novels.model\n"
    )


_EPILOG = f"""\
{INPUTS}
The output is the text with added breaks, as blank lines; white space and line ends do not change.
Memory is that of some millions of characters, for a book of any length: these are decided together,
and cut where a paragraph starts. The header and footer of Project Gutenberg are copied.

--to
  text    the text with its breaks (default)
  tsv     1 or 0, a tab, a sentence: a file of paragraphs
  masses  the name of a chapter, a tab, the lengths of its paragraphs: for 'bitext compare'
  jsonl   an object of JSON a paragraph

examples:
  bitext paragraphs split book.txt -o book.with-breaks.txt
  cat speech.txt | bitext paragraphs split - --lang de | less
  bitext paragraphs split novels/ -o with-breaks/ --model novels.model
  bitext paragraphs split test.tsv --breaks ignore --to tsv --confidence
  bitext paragraphs split book.txt -o book.with-breaks.txt --html book.html
"""
_KINDS = ("text", "tsv", "masses", "jsonl")
_BY_SUFFIX = {".tsv": "tsv", ".masses": "masses", ".jsonl": "jsonl"}
# Endings of documents and tables, which text with breaks is not; Markdown is text with breaks.
_NO_TEXT = frozenset(
    [
        *(".docx", ".odt", ".epub", ".pdf", ".rtf", ".html", ".htm", ".xhtml", ".fb2", ".doc"),
        *(".json", ".csv", ".xlsx", ".xls", ".ods", ".xml"),
    ]
)

_SPLITTING = options_of("""
    --model NAME  a model of bitext (en, de), or a file (default: that of --lang, else en)
    --breaks {keep,ignore}
        existing breaks: keep them and add others (default), or ignore them within each chapter
    --min-confidence P:share  add no break with a probability below P
""")
_WRITING = [
    option_of("--to", "the output (default: by the name of -o, else text)", choices=_KINDS),
    *options_of("""
        --confidence  write the probability of each break (tsv, jsonl)
        --unwrap  write each paragraph as one line (text)
        -o --output FILE|FOLDER  the output; for several books, or a folder, a folder
        --html FILE
            also write a page: the text with its paragraphs, and the probability of each break
        -q --quiet  no notes and no progress
        -v --verbose  every note, not a few
    """),
]


class _Job(NamedTuple):
    """An output and the files that go into it."""

    output: str
    files: list[TextFile]


class _Plan(NamedTuple):
    """The kind of output, the files to read, and the outputs to write."""

    kind: str
    files: list[TextFile]
    jobs: list[_Job]
    notes: Notes


class SplitRequest(BooksRequest):
    """The request of `bitext paragraphs split`; the fields are its options."""

    model: str | None = None
    breaks: Literal["keep", "ignore"] = "keep"
    min_confidence: float | None = None
    to: str | None = None
    confidence: bool = False
    unwrap: bool = False

    def resolve(self) -> _Plan:
        """Check options and paths before any work; return the plan."""
        kind = self._kind()
        self.check_page(printed=True, one_file=True)
        self.refuse_inputs([*self.inputs, self.model])
        self.check_reading()
        from bitext.formats.io.source import Notes
        from bitext.formats.plain_text import text_files

        notes = Notes()
        files = text_files(self.inputs, notes)
        return _Plan(kind, files, self._jobs(files, kind), notes)

    def _kind(self) -> str:
        """Return the kind of output: of --to, else of the name of -o, else text."""
        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        kind = self.to or _kind_of_name(self.output)
        if self.confidence and kind not in {"tsv", "jsonl"}:
            raise OptionError(f"--confidence has no place in {kind}: want --to tsv or --to jsonl")
        if self.unwrap and kind != "text":
            raise OptionError(f"--unwrap is for text: leave it out with --to {kind}")
        least = self.min_confidence
        if least is not None and not 0.0 <= least <= 1.0:
            raise OptionError(f"--min-confidence {least:g}: want a share from 0 to 1")
        return kind

    def _jobs(self, files: list[TextFile], kind: str) -> list[_Job]:
        """Return the outputs, each with its files; refuse those that would replace an input."""
        from bitext.formats.io.output import refuse_clashes

        output = self.output
        # A folder that does not exist yet has / at its end.
        folder = output != "-" and (is_folder(output) or output.endswith("/"))
        has_several = len(files) > 1 or any(is_folder(name) for name in self.inputs)
        if not folder:
            if kind == "text" and has_several:
                _refuse_models(files)
                raise OptionError(
                    f"{len(files)} texts into one would run together: name a folder (-o FOLDER/), "
                    f"or write --to jsonl, tsv or masses"
                )
            jobs = [_Job(output, files)]
        else:
            jobs = [_Job(str(Path(output) / _named(file, kind)), [file]) for file in files]
            if len({job.output for job in jobs}) < len(jobs):
                raise OptionError("two texts have one name: name their folders, not the files")
        refuse_clashes([file.path for file in files], [job.output for job in jobs])
        return jobs


def _kind_of_name(output: str) -> str:
    """Return the kind of output that the name of a file says; refuse that of another format."""
    from bitext.formats.io.compression import unpacked

    if output.endswith("/") or is_folder(output):
        return "text"
    ending = Path(unpacked(output)).suffix.lower()
    if ending in _NO_TEXT:
        page = f"; a page is written with --html {output}" if ending.startswith(".htm") else ""
        raise OptionError(
            f"-o {output}: paragraphs are not written as {ending}: want .txt, "
            f"{', '.join(_BY_SUFFIX)}, or any name with --to{page}"
        )
    return _BY_SUFFIX.get(ending, "text")


def _refuse_models(files: list[TextFile]) -> None:
    """Refuse a model among the texts, which `--model` takes."""
    from bitext.formats.io.compression import MODEL, document_of
    from bitext.formats.io.source import open_source

    for file in files:
        if is_file(file.path):
            with open_source(file.path) as source:
                if document_of(source.head()) == MODEL:
                    source.refuse_document()


def split(arguments: Sequence[str]) -> int:
    """Put breaks into texts; return the exit status."""
    request = request_of(SplitRequest, _parser(), arguments)
    kind, files, jobs, notes = request.resolve()
    reader = Reader(request)
    reader.notes.extend(notes)
    language = reader.lang if request.model else reader.language(files[0].path)
    if language and not (request.model or request.lang):
        _check_shipped(language, files[0])
    segmenter, lang, model_note = load_model(request.model, language)
    reader.lang = reader.lang or lang
    counts, leftovers = [0, 0, 0], _notes_on_leftovers(request, jobs)
    passages = _passages(segmenter, reader, request)
    chapters_shown: list[BrokenChapter] = []
    with Progress("characters", quiet=request.quiet) as progress:
        for job in jobs:
            _write_breaks(job, reader, passages, progress, request, kind, counts, chapters_shown)
    if request.html is not None:
        _write_page(chapters_shown, model_note, files, request.html)
    paragraphs, sentences, chapters = counts

    written = (
        f"{many(paragraphs, 'paragraph')} of {many(sentences, 'sentence')} in "
        f"{many(chapters, 'chapter')}"
    )
    request.print_notes([model_note, written, *map(str, reader.notes.all())], most=9)
    request.print_notes(leftovers)
    return 0


def _notes_on_leftovers(request: SplitRequest, jobs: list[_Job]) -> list[str]:
    """Return a note on files that an earlier run, with other texts, left in the folder."""
    from bitext.formats.languages import ABOUT

    if not is_folder(request.output) or not (len(jobs) > 1 or any(map(is_folder, request.inputs))):
        return []
    written = {os.path.abspath(job.output) for job in jobs}  # noqa: PTH100 - links stay links
    folders = {os.path.dirname(path) for path in written}  # noqa: PTH120
    endings = tuple({Path(path).suffix for path in written})
    left = files_left(folders, request.inputs, endings, written.__contains__)
    return note_on_left(request.output, [path for path in left if not ABOUT.fullmatch(path)])


def load_model(model: str | None, lang: str | None) -> tuple[ParagraphSegmenter, str, str]:
    """Load a model by name, by default that of a language; return it, its language and a note."""
    from bitext.segment.model_files import model_path

    name = model or lang or "en"
    path = model_path(name, files=bool(model))
    segmenter = _loaded(path, name)
    shipped = str(path) != name
    known = path.stem if shipped else str(segmenter.card_.get("lang", ""))
    why = "" if model or lang else " (--model and --lang name another)"
    named = f"model {path.stem!r} that ships with bitext" if shipped else f"model {name}"
    return segmenter, lang or known, f"{named}{why}"


def _check_shipped(language: str, file: TextFile) -> None:
    """Refuse a text in a language, by its words, of which no model ships."""
    from bitext.model.languages import main_language
    from bitext.segment.model_files import shipped_models

    known = shipped_models()
    if main_language(language) not in known:
        raise OptionError(
            f"{file.path}: is in {language} by its words, and no model of that language ships; "
            f"name a model (--model {', '.join(known)} or a file), or the language (--lang CODE)"
        )


def _loaded(path: Path, name: str) -> ParagraphSegmenter:
    from bitext.segment.segmenter import ParagraphSegmenter

    try:
        return ParagraphSegmenter.load(path)
    except FileNotFoundError:
        raise InputError(f"{name}: no such file; name a model, or a language as en, de") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def _parser() -> Parser:
    parser = Parser(
        prog="bitext paragraphs split",
        description="Put paragraph breaks into running text.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "inputs", metavar="IN", nargs="+", help="a text or document, a folder of them, or -"
    )
    add_groups(parser, {"splitting": _SPLITTING, "reading": READING, "output": _WRITING})
    return parser


def _named(file: TextFile, kind: str) -> str:
    """Return the name of the output of a text in a folder."""
    from bitext.formats.documents import FORMATS
    from bitext.formats.io.compression import unpacked

    name = "text.txt" if file.path == "-" else file.name
    endings = tuple(ending for known in FORMATS for ending in known.endings)
    if unpacked(name).lower().endswith(endings):
        name = f"{Path(unpacked(name)).with_suffix('.txt')}"
    if kind == "text":
        return f"{name.removesuffix('.tsv')}.txt" if name.endswith(".tsv") else name
    return f"{name.removesuffix('.txt').removesuffix('.tsv')}.{kind}"


def _write_breaks(
    job: _Job,
    reader: Reader,
    passages: Passages,
    progress: Progress,
    request: SplitRequest,
    kind: str,
    counts: list[int],
    shown: list[BrokenChapter],
) -> None:
    """Write one output, add to the `counts`, and add the chapters of a page to `shown`."""
    from bitext.formats.io.output import write_whole
    from bitext.formats.plain_text import is_paragraph_file

    if job.output not in {"-", request.output}:
        make_folder(str(Path(job.output).parent))
    with ExitStack() as stack:
        out = stack.enter_context(write_whole(job.output))
        for file in job.files:
            source = stack.enter_context(closing(reader.source(file.path)))
            is_table = is_paragraph_file(source.head())
            blocks, passages.split = reader.blocks(source)
            prefix = f"{file.name}: " if len(job.files) > 1 else ""
            sink = _sink(kind, out, request, prefix, is_table=is_table)
            sinks = [sink, *_page_sinks(shown, file, request)]
            for passage in passages.over(blocks):
                for each in sinks:
                    each.take(passage)
                progress.add(len(passage.raw))
            for each in sinks:
                each.end()
            reader.notes.extend(source.notes)
            source.close()
            if not sink.sentences:
                reader.notes.add("texts without a sentence", source.path)
            if sink.aside:
                kind_of = "characters of Project Gutenberg's own, left out"
                reader.notes.add(kind_of, source.path, sink.aside)
            added = (sink.paragraphs, sink.sentences, sink.chapters)
            counts[:] = [a + b for a, b in zip(counts, added, strict=True)]


def _sink(kind: str, out: Any, request: SplitRequest, prefix: str, *, is_table: bool) -> Sink:
    if kind == "text":
        return TextSink(
            out,
            by_line=request.layout == "lines",
            forget=request.breaks == "ignore",
            unwrap=request.unwrap,
        )
    kinds: dict[str, Callable[..., RowSink]] = {
        "tsv": partial(TableSink, is_table=is_table),
        "masses": MassesSink,
        "jsonl": JsonSink,
    }
    return kinds[kind](out, prefix=prefix, confidence=request.confidence)


def _page_sinks(shown: list[BrokenChapter], file: TextFile, request: SplitRequest) -> list[Sink]:
    if request.html is None:
        return []
    has_several = len(request.inputs) > 1 or is_folder(request.inputs[0])
    return [PageSink(shown, prefix=f"{file.name}: " if has_several else "")]


def _write_page(
    shown: list[BrokenChapter], model_note: str, files: list[TextFile], page: str
) -> None:
    from bitext.reports.paragraphs import paragraph_text_page

    title = files[0].name if len(files) == 1 else f"{len(files):,} texts"
    by = f"Breaks by the {model_note.partition(' (')[0]}."
    write_file(page, paragraph_text_page(shown, title=f"Paragraphs of {title}", told=by))


def _passages(segmenter: ParagraphSegmenter, reader: Reader, request: SplitRequest) -> Passages:
    from bitext.segment.books import Decision, Passages, decide_with

    least = request.min_confidence
    with_confidence = request.confidence or least is not None or request.html is not None

    def decide(sentences: list[str], kept: Bools) -> Decision:
        starts, chances = decide_with(segmenter, sentences, kept, confidence=with_confidence)
        if least is not None and chances is not None:
            starts = kept | (starts & (chances >= least))
        return Decision(starts, chances)

    return Passages(reader.split, decide, keep=request.breaks == "keep")
