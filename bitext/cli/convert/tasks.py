"""What the options of `bitext convert` come to: tasks, each of one file or two to write."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from math import isnan
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from bitext.cli.common import check_where, columns_of
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.formats.convert.conversion import Input, Task
    from bitext.formats.convert.symmetrising import Symmetrising
    from bitext.formats.io.source import Limits
    from bitext.formats.registry import Format

__all__ = ["roots_wanted", "tasks"]

# Codes as files have them: fr, en-GB, zh_Hant_TW, sr@latin.
_CODE = re.compile(r"[A-Za-z]{1,8}(?:[-_@.][A-Za-z0-9]{1,8})*", re.ASCII)


def tasks(options: argparse.Namespace, notes: list[str], folders: list[Path]) -> list[Task]:
    """Return what is to be done: one task for each file to write.

    What was odd in the inputs is added to the notes, and folders that were made to those.

    Raises
    ------
    InputError, OptionError
        When the arguments do not fit each other, or an input is not there.

    """
    from bitext.formats.io.remote import make_folder_of
    from bitext.formats.writing import writable

    _check(options)
    _check_values(options)
    _check_symmetrising(options)
    check_where(options)
    inputs = _inputs(options, notes)
    if options.symmetrise and len(inputs) != 2:
        raise OptionError(
            f"--symmetrise makes one set of links of two files, forward and reverse, and "
            f"{len(inputs)} {'are' if len(inputs) != 1 else 'is'} named as IN"
        )
    if not _is_folder(options.output):
        if options.jobs > 1:
            raise OptionError(
                f"--jobs is for a folder as OUT, and {options.output} is one file: name a folder "
                f"(with / at its end), or leave --jobs out"
            )
        known = writable(options.output, options.to or None)
        _check_writing(options, known)
        made = [_task(options, tuple(inputs), options.output, known)]
        _refuse_clashes(options, made)
        return made
    if not options.to:
        raise OptionError(
            f"OUT is the folder {options.output}: name the format of its files (--to)"
        )
    known = writable(options.output, options.to)
    _check_writing(options, known)
    names = [each.name or str(k) for k, each in enumerate(inputs, start=1)]
    outputs = [_inside(options.output, name, known, options) for name in names]
    made = [
        _task(options, (each,), output, known, k)
        for k, (each, output) in enumerate(zip(inputs, outputs, strict=True), start=1)
    ]
    _refuse_clashes(options, made)
    for task in made:
        folders += make_folder_of(task.output.partition(",")[0])
    return made


def _check(options: argparse.Namespace) -> None:
    if options.jobs < 1:
        raise OptionError(f"--jobs {options.jobs}: want at least 1")
    if not options.max_ratio > 0 or options.max_size < 0:
        raise OptionError("--max-ratio and --max-size: want numbers above 0")
    if options.report and not options.keep_going:
        raise OptionError("--report is of what --keep-going leaves out: give both")
    if options.json and options.output == "-":
        raise OptionError("--json and OUT - both want standard output: name a file as OUT")
    if options.report == "-" and (options.json or options.output == "-"):
        raise OptionError("--report - wants standard output for itself: name a file")
    if options.compress and not _is_folder(options.output):
        raise OptionError(
            f"--compress is for a folder as OUT, and {options.output} is a file: name it with the "
            f"ending .{options.compress}"
        )
    if options.inputs.count("-") > 1:
        raise OptionError("standard input can be read once only: name - once")
    if "" in (*options.inputs, options.output):
        raise InputError("a name is empty: name a file, a folder, or -")


def _check_symmetrising(options: argparse.Namespace) -> None:
    """Refuse options that do not go with --symmetrise, or go with it only."""
    if not options.symmetrise:
        if options.reverse:
            raise OptionError("--reverse is of the second file that --symmetrise takes: give both")
        return
    for option, given in (("--keep-going", options.keep_going), ("--where", options.where)):
        if given:
            raise OptionError(
                f"--symmetrise needs each sentence pair of both files, and {option} leaves some "
                f"out: leave one of the two options out"
            )
    if _is_folder(options.output):
        raise OptionError(
            f"--symmetrise makes one file of two, and OUT is the folder {options.output}: name a "
            f"file"
        )


def _check_values(options: argparse.Namespace) -> None:
    """Refuse values that are none."""
    from bitext.formats.io.remote import is_folder_at, refuse_remote

    refuse_remote(options.write_documents, "documents are written here only")
    for name, score in (("min-score", options.min_score), ("max-score", options.max_score)):
        if score is not None and isnan(score):
            raise OptionError(f"--{name} nan: want a number to compare with")
    if options.types is not None and not _types(options):
        raise OptionError(f"--types {options.types!r}: names no type; want some as 1-1,1-2,2-*")
    for name, code in (("--src-lang", options.src_lang), ("--tgt-lang", options.tgt_lang)):
        if code and not _CODE.fullmatch(code):
            raise OptionError(f"{name} {code!r}: is no code of a language; want one as en or en-GB")
    for root in options.root:
        if not is_folder_at(root):
            raise OptionError(f"--root {root}: is no folder; name the one where documents lie")


def _check_writing(options: argparse.Namespace, known: Format) -> None:
    """Refuse options that the format to write has no use for."""
    from bitext.formats.registry import all_formats

    for option, given, field in (
        ("--write-documents", options.write_documents is not None, "keeps_with_documents"),
        ("--beads", options.beads, "keeps_in_props"),
    ):
        if given and getattr(known, field) is None:
            others = [name for name, one in all_formats().items() if getattr(one, field)]
            raise OptionError(
                f"{option} is for {', '.join(others)}, and OUT is {known.name}: leave it out"
            )
    if options.write_documents == "":
        raise OptionError("--write-documents names no folder")


def _refuse_clashes(options: argparse.Namespace, made: Sequence[Task]) -> None:
    """Refuse outputs that are inputs or each other, a report and a journal too, before any work.

    So are those that would be inputs the next time, in a folder all of which is read.
    """
    from bitext.formats.convert.conversion import files_read
    from bitext.formats.io.clashes import refuse_clashes
    from bitext.formats.io.remote import is_folder_at, local_path, two_files

    # Outputs of one name come of inputs of one stem: both are told.
    known: dict[str, Task] = {}
    outputs = []
    for task in made:
        for name in two_files(task.output) or (task.output,):
            here = None if name == "-" else local_path(name)
            place = name if here is None else os.path.realpath(here)
            other = known.setdefault(place, task)
            if other is not task:
                raise InputError(
                    f"{other.inputs[0].path} and {task.inputs[0].path} would both become {name}; "
                    f"convert them one by one, or name them in a manifest"
                )
            outputs.append(name)
    read = [*options.inputs, *(name for task in made for name in files_read(task))]
    beside = [name for name in (options.report, options.journal) if name]
    folders = [name for name in options.inputs if name != "-" and is_folder_at(name)]
    refuse_clashes(read, (*outputs, *beside), folders=folders)


def _types(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(kind.strip() for kind in (options.types or "").split(",") if kind.strip())


def _documents(
    options: argparse.Namespace, output: str, number: int | None
) -> tuple[Path | None, Path | None]:
    """Return the folder of the documents of a task, and what their names are relative to.

    That is the folder of the output, where a reader looks, if they lie under it.
    """
    from bitext.formats.opus_documents.writing import name_under

    if options.write_documents is None:
        return None, None
    folder = Path(options.write_documents)
    place = folder if number is None else folder / f"{number:06}"
    if place != folder and place.is_symlink():
        raise InputError(f"{place}: is a link where a folder is wanted; name another folder")
    if output == "-" or "://" in output:
        return place, folder
    beside = Path(output).parent
    whole = Path(options.output) if number is not None else beside
    base = next((each for each in (beside, whole) if name_under(folder, each) is not None), folder)
    return place, base


def roots_wanted(made: Sequence[Task]) -> Iterator[Path]:
    """Yield the folders that the outputs have to be read with (--root) to find their documents."""
    found: dict[Path, None] = {}
    for task in made:
        apart = task.output == "-" or "://" in task.output
        beside = "" if apart else os.path.realpath(Path(task.output).parent)
        if task.base is not None and os.path.realpath(task.base) != beside:
            found[task.base] = None
    yield from found


def _is_folder(output: str) -> bool:
    from bitext.formats.io.remote import is_folder_at, two_files

    if output == "-" or ("://" in output and two_files(output)):
        return False
    return output.endswith(("/", os.sep)) or is_folder_at(output)


def _inputs(options: argparse.Namespace, notes: list[str]) -> list[Input]:
    """Return the files to read, each with its name and its texts."""
    from bitext.formats.convert.conversion import Input
    from bitext.formats.corpora.corpus import find_text, open_corpus
    from bitext.formats.registry import by_name

    known = by_name(options.known) if options.known else None
    if known is None:
        _refuse_halves(options.inputs)
    bases, found = _bases(options), []
    for path in options.inputs:
        base = bases.get(path, bases.get(""))
        corpus = open_corpus(
            path, known=known, limits=_limits(options), langs=(options.src_lang, options.tgt_lang)
        )
        notes += corpus.notes()
        for entry in corpus.entries.values():
            name = "" if corpus.kind == "file" and len(options.inputs) == 1 else entry.name
            src = entry.src or find_text(options.src, entry.name, option="src")
            tgt = entry.tgt or find_text(options.tgt, entry.name, option="tgt")
            found.append((entry.name, Input(entry.path, name, src, tgt, base)))
    if _is_folder(options.output):
        return [replace(each, name=name) for name, each in found]
    return [each for _, each in found]


def _bases(options: argparse.Namespace) -> dict[str, int]:
    """Return where positions count from, by input as named; under "" of those not named."""
    bases: dict[str, int] = {}
    for text in options.base:
        name, _, number = text.rpartition("=")
        if number not in {"0", "1"}:
            raise OptionError(f"--base {text}: want 0 or 1, or IN=0 or IN=1 for one file")
        if name and name not in options.inputs:
            raise OptionError(
                f"--base {text}: {name} is not among the files to read: name one as it is named "
                f"there, {' or '.join(options.inputs[:3])}"
            )
        if bases.setdefault(name, int(number)) != int(number):
            raise OptionError(f"--base: {name or 'files'} count from 0 or from 1: give one of both")
    return bases


def _refuse_halves(inputs: Sequence[str]) -> None:
    """Refuse two texts that are named as two inputs, and are the two files of one."""
    from bitext.formats.io.source import open_source
    from bitext.formats.languages import named_languages
    from bitext.formats.registry import sniff
    from bitext.paths import is_file

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


def _inside(folder: str, name: str, known: Format, options: argparse.Namespace) -> str:
    """Return the file, or the two, of a name in a folder; the name is that of an input."""
    from bitext.formats.io.remote import join

    safe = PurePath(name).parts
    if ".." in safe or PurePath(name).is_absolute():
        raise InputError(f"{name!r} names no place in the folder {folder}: name it otherwise")
    packing = f".{options.compress}" if options.compress else ""
    if known.two_files:
        src, tgt = _languages_written(options)
        ends = (src or "src", tgt or "tgt")
        return ",".join(f"{join(folder, name)}.{end}{packing}" for end in ends)
    ending = known.suffixes[0] if known.suffixes else f".{known.name}"
    return f"{join(folder, name)}{ending}{packing}"


def _languages_written(options: argparse.Namespace) -> tuple[str, str]:
    """Return the languages of the sides of OUT: those named are of the sides of IN."""
    named = (options.src_lang, options.tgt_lang)
    return named[::-1] if options.swap else named


def _task(
    options: argparse.Namespace,
    inputs: tuple[Input, ...],
    output: str,
    known: Format,
    number: int | None = None,
) -> Task:
    from bitext.formats.convert.conversion import Task
    from bitext.formats.convert.filters import Filters
    from bitext.formats.registry import WriteOptions

    documents, base = _documents(options, output, number)
    src_lang, tgt_lang = _languages_written(options)
    return Task(
        inputs=inputs,
        output=output,
        to=known.name,
        known=options.known or "",
        encoding=options.encoding,
        roots=tuple(root if "://" in root else Path(root) for root in options.root),
        src_lang=options.src_lang,
        tgt_lang=options.tgt_lang,
        symmetrise=_symmetrising(options),
        where=tuple(options.where),
        drafts=options.drafts,
        filters=Filters(
            min_score=options.min_score,
            max_score=options.max_score,
            score=options.score,
            types=_types(options),
            documents=options.documents,
            drop_empty=options.drop_empty,
            unique=options.unique,
            swap=options.swap,
            spaces=options.spaces,
            replace_forbidden=options.replace_forbidden,
            two_languages=bool(options.src_lang and options.tgt_lang and not options.all_languages),
        ),
        options=WriteOptions(
            src_lang=src_lang,
            tgt_lang=tgt_lang,
            beads=options.beads,
            documents=documents,
        ),
        limits=_limits(options),
        strict=options.strict,
        keep_going=options.keep_going,
        columns=columns_of(options),
        base=base,
    )


def _symmetrising(options: argparse.Namespace) -> Symmetrising | None:
    if not options.symmetrise:
        return None
    from bitext.formats.convert.symmetrising import Symmetrising

    return Symmetrising(method=options.symmetrise, reverse=options.reverse)


def _limits(options: argparse.Namespace) -> Limits:
    from bitext.formats.io.source import Limits

    return Limits(ratio=options.max_ratio, size=options.max_size << 20)
