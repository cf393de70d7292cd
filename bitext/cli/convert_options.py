"""The options of `bitext convert`, and the tasks that they come to."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, add_groups, value
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse

    from bitext.formats.conversion import Input, Task
    from bitext.formats.registry import Format

__all__ = ["parser", "tasks"]

_EPILOG = """\
IN is a file, a folder, or a manifest: a file of tab-separated columns under the head
'text path [src tgt]'. OUT is a file, or a folder (it is there, or its name ends with /) that gets
one file for each of IN. Two files, as of Moses, are named 'a.en,a.fr'. Names tell formats and
compression (.gz .xz .bz2 .zst); `bitext formats` lists what each format keeps.

examples:
  bitext convert memory.tmx corpus.en,corpus.fr --src-lang en --tgt-lang fr
  bitext convert links.xml.gz memory.tmx --root corpus/xml --src-lang en --tgt-lang fr
  bitext convert alignments/ converted/ --to jsonl -j 4 --min-score 0.4 --drop-empty
  bitext convert gold.align - --to tsv --src a.en --tgt a.fr | head
"""

_flag: dict[str, Any] = {"action": "store_true"}
_number = value(float, "a number")
_whole = value(int, "a whole number")

_READING: list[tuple[str, dict[str, Any], str]] = [
    ("--from", {"dest": "known", "metavar": "FORMAT"}, "of IN (default: told by its contents)"),
    (
        "--src",
        {"metavar": "TEXT"},
        (
            "the source text, where IN holds ids or positions: a file with one segment a line or "
            "an XML document, a folder, or a pattern with {name}"
        ),
    ),
    ("--tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--root",
        {"action": "append", "default": [], "metavar": "FOLDER"},
        (
            "where documents lie that IN names (default: the folder of IN); no others are opened; "
            "repeats"
        ),
    ),
    (
        "--src-lang",
        {"default": "", "metavar": "CODE"},
        "the source language: which to take of several, and what to write",
    ),
    ("--tgt-lang", {"default": "", "metavar": "CODE"}, "the target language, likewise"),
    ("--encoding", {"default": "utf-8"}, "of files that do not declare one (utf-8)"),
    (
        "--max-ratio",
        {"type": _number, "default": 200.0, "metavar": "N"},
        "how many bytes a compressed byte may unfold to (200) ...",
    ),
    (
        "--max-size",
        {"type": _whole, "default": 128, "metavar": "MB"},
        "... once a file has unfolded to that much (128)",
    ),
]
_CHOOSING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--min-score",
        {"type": _number, "metavar": "SCORE"},
        "leave out what has a lower one, or none",
    ),
    (
        "--score",
        {"default": "", "metavar": "NAME"},
        "the column that is the score, as prop:score-bicleaner",
    ),
    (
        "--types",
        {"default": "", "metavar": "N-M,..."},
        "leave out other bead types; 1-* is 1 to any",
    ),
    (
        "--documents",
        {"default": "", "metavar": "PATTERN"},
        "leave out document pairs whose names do not match (*, ?, [...])",
    ),
    ("--drop-empty", _flag, "leave out what has nothing, or only white space, on a side"),
    (
        "--unique",
        _flag,
        ("leave out what has the same texts as an earlier one (some 100 bytes of memory for each)"),
    ),
    ("--swap", _flag, "exchange source and target"),
    ("--spaces", _flag, "make one blank of all white space, none at the ends of segments"),
    (
        "--replace-forbidden",
        _flag,
        "put U+FFFD for characters that XML forbids (default: an error)",
    ),
]
_WRITING: list[tuple[str, dict[str, Any], str]] = [
    ("--to", {"default": "", "metavar": "FORMAT"}, "of OUT (default: told by its name)"),
    (
        "--beads",
        _flag,
        "keep ids and the borders of segments in properties, in formats that have them (TMX)",
    ),
    ("--write-documents", {"metavar": "FOLDER"}, "with a format of links: write the texts there"),
    ("--compress", {"choices": ("gz", "xz", "bz2", "zst")}, "the files of a folder OUT"),
    ("--strict", _flag, "write nothing where something would be lost"),
    ("--keep-going", _flag, "leave out what cannot be read, and report it; status 1 then"),
    ("--report", {"metavar": "FILE"}, "what could not be read, as JSON lines: file, line, message"),
    (
        "-j --jobs",
        {"type": _whole, "default": 1, "metavar": "N"},
        "processes, for a folder OUT (1)",
    ),
]


def parser() -> Parser:
    """Return the parser of the arguments."""
    made = Parser(
        prog="bitext convert",
        description="Convert alignments from one format to another, and tell what is lost.",
        epilog=_EPILOG,
    )
    made.add_argument("inputs", metavar="IN", nargs="+", help="what to read; - for standard input")
    made.add_argument("output", metavar="OUT", help="what to write; - for standard output")
    add_groups(made, {"reading": _READING, "choosing": _CHOOSING, "writing": _WRITING})
    group = made.add_argument_group("telling")
    group.add_argument("--json", action="store_true", help="print what was done as JSON")
    group.add_argument("-q", "--quiet", action="store_true", help="errors only")
    group.add_argument("-v", "--verbose", action="store_true", help="every note, not a few")
    return made


def tasks(options: argparse.Namespace) -> list[Task]:
    """Return what is to be done: one task for each file to write.

    Raises
    ------
    InputError, OptionError
        When the arguments do not fit each other, or an input is not there.

    """
    from bitext.formats.delivery import writable
    from bitext.formats.registry import by_name

    _check(options)
    inputs = _inputs(options)
    if not _is_folder(options.output):
        if options.jobs > 1:
            raise OptionError(
                f"--jobs is for a folder as OUT, and {options.output} is one file: name a folder "
                f"(with / at its end), or leave --jobs out"
            )
        known = writable(options.output, options.to or None)
        return [_task(options, tuple(inputs), options.output, known)]
    if not options.to:
        raise OptionError(
            f"OUT is the folder {options.output}: name the format of its files (--to)"
        )
    known = by_name(options.to)
    folder = Path(options.output)
    made = [
        _task(options, (each,), _inside(folder, each.name or str(k), known, options), known)
        for k, each in enumerate(inputs, start=1)
    ]
    for task in made:
        Path(task.output.partition(",")[0]).parent.mkdir(parents=True, exist_ok=True)
    return made


def _check(options: argparse.Namespace) -> None:
    if options.jobs < 1:
        raise OptionError(f"--jobs {options.jobs}: want at least 1")
    if options.max_ratio <= 0 or options.max_size < 0:
        raise OptionError("--max-ratio and --max-size: want numbers above 0")
    if options.report and not options.keep_going:
        raise OptionError("--report is of what --keep-going leaves out: give both")
    if options.json and options.output == "-":
        raise OptionError("--json and OUT - both want standard output: name a file as OUT")
    if options.inputs.count("-") > 1:
        raise OptionError("standard input can be read once only: name - once")
    if "" in (*options.inputs, options.output):
        raise InputError("a name is empty: name a file, a folder, or -")


def _is_folder(output: str) -> bool:
    return output != "-" and (output.endswith(("/", os.sep)) or Path(output).is_dir())


def _inputs(options: argparse.Namespace) -> list[Input]:
    """Return the files to read, each with its name and its texts."""
    from bitext.formats.conversion import Input
    from bitext.formats.corpus import find_text, open_corpus
    from bitext.formats.registry import by_name

    known = by_name(options.known) if options.known else None
    found = []
    for path in options.inputs:
        corpus = open_corpus(path, known=known)
        for entry in corpus.entries.values():
            name = "" if corpus.kind == "file" and len(options.inputs) == 1 else entry.name
            src = entry.src or find_text(options.src, entry.name, option="--src")
            tgt = entry.tgt or find_text(options.tgt, entry.name, option="--tgt")
            found.append((entry.name, Input(entry.path, name, src, tgt)))
    if _is_folder(options.output):
        return [Input(each.path, name, each.src, each.tgt) for name, each in found]
    return [each for _, each in found]


def _inside(folder: Path, name: str, known: Format, options: argparse.Namespace) -> str:
    """Return the file, or the two, of a name in a folder; the name is that of an input."""
    safe = PurePath(name).parts
    if ".." in safe or PurePath(name).is_absolute():
        raise InputError(f"{name!r} names no place in the folder {folder}: name it otherwise")
    packing = f".{options.compress}" if options.compress else ""
    if known.two_files:
        ends = (options.src_lang or "src", options.tgt_lang or "tgt")
        return ",".join(f"{folder / name}.{end}{packing}" for end in ends)
    ending = known.suffixes[0] if known.suffixes else f".{known.name}"
    return f"{folder / name}{ending}{packing}"


def _task(
    options: argparse.Namespace, inputs: tuple[Input, ...], output: str, known: Format
) -> Task:
    from bitext.formats.conversion import Task
    from bitext.formats.filtering import Filters
    from bitext.formats.opening import Limits
    from bitext.formats.registry import WriteOptions

    return Task(
        inputs=inputs,
        output=output,
        to=known.name,
        known=options.known or "",
        encoding=options.encoding,
        roots=tuple(map(Path, options.root)),
        src_lang=options.src_lang,
        tgt_lang=options.tgt_lang,
        filters=Filters(
            min_score=options.min_score,
            score=options.score,
            types=tuple(kind.strip() for kind in options.types.split(",") if kind.strip()),
            documents=options.documents,
            drop_empty=options.drop_empty,
            unique=options.unique,
            swap=options.swap,
            spaces=options.spaces,
            replace_forbidden=options.replace_forbidden,
        ),
        options=WriteOptions(
            src_lang=options.src_lang,
            tgt_lang=options.tgt_lang,
            beads=options.beads,
            documents=Path(options.write_documents) if options.write_documents else None,
        ),
        limits=Limits(ratio=options.max_ratio, size=options.max_size << 20),
        strict=options.strict,
        keep_going=options.keep_going,
    )
