"""`bitext split`: train, dev and test parts of alignments, without near-duplicates across."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.cli.common import LIMITS, READING, Parser, files_named, json_line
from bitext.cli.console import Progress, write_out
from bitext.cli.job_options import add_jobs
from bitext.cli.leftovers import files_with
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.request import JobRequest, request_of
from bitext.errors import InputError, OptionError, few, many
from bitext.paths import aside_in, is_file, is_folder, is_there, make_folders, unwritable

if TYPE_CHECKING:
    from bitext.formats.convert.splitting import Keys, Part, Placement, Splitting
    from bitext.formats.io.source import Notes
    from bitext.formats.reading import FileOptions
    from bitext.formats.registry import Format
    from bitext.jobs import Outcome
    from bitext.model import Bitext

    Inputs = list[tuple[str, FileOptions]]

_EPILOG = """\
PARTS: shares as 90/5/5 (train, dev, test) or 90/10 (train, test), or names with shares, numbers of
bisegments, or the rest: train=rest,dev=2000,test=2000; train=80%,test=20%.

A bisegment is placed by a hash of its characters and the seed. With shares alone it stays in its
part when the corpus grows, unless a new near-duplicate of it moves their cluster. Near-duplicates
are placed together; those of texts that are in two parts stay in the smaller part alone.

examples:
  bitext split 90/5/5 corpus.tmx -o parts/
  bitext split train=rest,dev=1000,test=1000 corpus.tsv --stratify domain -o parts/

With shares alone and --near 0 files are read once, and may be standard input.

memory: some 450 bytes a bisegment of 36 words; the files are read twice, the first time by jobs
"""
_SPLITTING = options_of("""
    --by auto|text|bead|COLUMN
        the units to keep whole: document pairs, bisegments, or all bisegments with the same value
        of a column (auto: pairs, if there are several)
    --stratify COLUMN|file
        split the bisegments of each value of the column, or of each file, by the same shares
    --near SHARE:number
        the share of common words, among all words of both, that makes near-duplicates (0.8); 0:
        assign each bisegment by itself
    --seed N:whole  another seed gives another split (0)
    --to FORMAT  the format of the parts (default: that of the files)
    -o --output FOLDER  the folder of the parts
    --json  print the counts as JSON
    -q --quiet  errors only
    -v --verbose  all notes, not only some
""")
_LEAST = 0.5  # of --near: with less in common, single linkage joins much of a corpus; set by hand


class SplitRequest(JobRequest):
    """The request of `bitext split`; the fields are its options."""

    sizes: str
    files: tuple[str, ...]
    base: int | None = None
    by: str = "auto"
    stratify: str = ""
    near: float = 0.8
    seed: int = 0
    to: str = ""

    @property
    def splitting(self) -> Splitting:
        """The options that the places of bisegments depend on."""
        from bitext.formats.convert.splitting import Splitting

        return self.value(Splitting)

    def resolve(self) -> tuple[tuple[Part, ...], bool]:
        """Check options and paths before any work; return the parts, and whether jobs read."""
        from bitext.formats.convert.splitting import is_in_one_pass, parse_parts
        from bitext.formats.io.remote import refuse_remote
        from bitext.formats.io.source import reads_once

        parts = parse_parts(self.sizes)
        by_jobs = self.uses_jobs()
        self.refuse_unwritten()
        if self.near and not _LEAST < self.near <= 1:
            raise OptionError(f"--near {self.near:g}: want more than {_LEAST:g}, up to 1, or 0")
        if not self.by:
            raise OptionError("--by: want auto, text, bead, or the name of a column")
        stream = next(filter(reads_once, self.files), None)
        if stream and (by_jobs or not is_in_one_pass(parts, self.splitting)):
            raise OptionError(
                f"{stream}: files are read more than once, unless bisegments are placed each by "
                f"itself (shares, --near 0): save it, and name that file"
            )
        if by_jobs and self.parts is None:
            self.refuse_streams([*self.files, self.src, self.tgt])
        if self.shard is None:
            if not self.output or self.output == "-":
                raise OptionError("-o: the parts are several files: name a folder")
            refuse_remote(self.output, "parts are written here only")
            if is_there(self.output) and not is_folder(self.output):
                raise InputError(f"-o {self.output}: is a file: name a folder for the parts")
            _refuse_ending(self.output)
        self.check_reading()
        return parts, by_jobs


def _refuse_ending(folder: str) -> None:
    """Refuse a new folder with the name of a file of some format, unless it ends with `/`."""
    from bitext.formats.registry import by_suffix

    known = None if folder.endswith("/") or is_there(folder) else by_suffix(folder)
    if known is not None:
        raise OptionError(
            f"-o {folder}: the parts are several files, in a folder, and this is the name of a "
            f"file: name a folder (with / at its end), and their format with --to {known.name}"
        )


def run(arguments: Sequence[str]) -> int:
    """Split files; return the exit status."""
    return split(request_of(SplitRequest, add_jobs(_parser()), arguments))


def split(request: SplitRequest) -> int:
    """Split files, read them for a shard, or write the parts of all shards; return the status."""
    from bitext.formats.convert.splitting import is_in_one_pass
    from bitext.formats.io.source import Notes

    parts, by_jobs = request.resolve()
    inputs, known = _inputs(request)
    if request.shard is not None:
        return request.finish_shard(_by_jobs(inputs, request))
    files = _PartFiles(known, _places(request, parts, known, inputs), Notes(), Notes())
    placement = None
    if not by_jobs and is_in_one_pass(parts, request.splitting):
        placement = _in_one_pass(request, inputs, parts, files)
    if placement is None:
        placement = _in_two_passes(request, inputs, parts, files, by_jobs=by_jobs)
    _report(request, parts, files.names, placement)
    request.print_notes(_earlier_parts(request, files.names, inputs))
    request.print_notes(f"lost: {note}" for note in files.losses.all())
    request.print_notes(map(str, files.notes.all()))
    return 0


_USUAL_NAME = re.compile(r"(train|dev|test|valid|validation|part[0-9]+)\..+")


def _earlier_parts(request: SplitRequest, names: Sequence[str], inputs: Inputs) -> list[str]:
    """Return a note on files in the folder of the parts that seem to be parts of another split."""
    from bitext.formats.io.compression import unpacked

    read = {Path(name).resolve() for path, reading in inputs for name in reading.files(path)}
    written = ",".join(names).split(",")
    endings = {Path(unpacked(name)).suffix for name in written}  # not of a program, test.py

    left = [
        path.name
        for path in map(Path, files_with(tuple(endings), [request.output]))
        if _USUAL_NAME.fullmatch(path.name) and path.name not in written
        if path.resolve() not in read and is_file(path)
    ]
    note = (
        f"{request.output}: has {few(left)}, no part of this split: if an earlier one left it "
        f"there, it may share bisegments with these parts"
    )
    return [note] if left else []


class _PartFiles(NamedTuple):
    """The files of the parts, and the notes of writing them."""

    known: Format
    names: Sequence[str]
    losses: Notes
    notes: Notes


def _in_one_pass(
    request: SplitRequest, inputs: Inputs, parts: Sequence[Part], files: _PartFiles
) -> Placement | None:
    """Write the parts while reading; return `None` where document pairs are to be placed whole."""
    from bitext.formats.convert.splitting import Placement, SeveralPairsError, placed_while_read
    from bitext.formats.io.source import Notes, reads_once

    by_pair = request.by == "auto"
    if by_pair and len(inputs) > 1:
        return None
    reading_notes = Notes()
    placement = Placement.without_places("bead" if by_pair else request.by, len(parts))
    progress = Progress("bisegments", quiet=request.quiet)
    placed = placed_while_read(
        inputs,
        parts,
        request.splitting,
        placement,
        files.known,
        notes=reading_notes,
        on_part=progress.add,
    )
    try:
        _write(request, files._replace(notes=reading_notes), placed)
    except SeveralPairsError:
        path, _ = inputs[0]
        if reads_once(path):
            raise InputError(
                f"{path}: has several document pairs, which are placed whole, after all are read: "
                f"save it, and name that file, or place bisegments (--by bead)"
            ) from None
        return None
    finally:
        progress.end()
    files.notes.extend(reading_notes.all())
    return placement


def _in_two_passes(
    request: SplitRequest,
    inputs: Inputs,
    parts: Sequence[Part],
    files: _PartFiles,
    *,
    by_jobs: bool,
) -> Placement:
    """Read the keys of all bisegments, by jobs or here; then write the parts."""
    from bitext.formats.convert.splitting import place_bisegments, placed_bitexts

    if by_jobs:
        outcome = _by_jobs(inputs, request)
        if outcome.failures:
            raise InputError(outcome.failures[0].reason)
        keys, reading_notes = outcome.output
        files.notes.extend(reading_notes.all())
    else:
        keys = _keys(inputs, request, files.notes)
    placement = place_bisegments(keys, parts, request.splitting)
    with Progress("bisegments written", placement.total, quiet=request.quiet) as progress:
        placed = placed_bitexts(inputs, placement, files.known, on_part=progress.add)
        _write(request, files, placed)
    return placement


def _keys(inputs: Inputs, request: SplitRequest, notes: Notes) -> Keys:
    """Read the files one after another; return the keys of their bisegments."""
    from bitext.formats.convert.splitting import Keys, read_keys

    keys, splitting = Keys(), request.splitting
    with Progress("bisegments", quiet=request.quiet) as progress:
        for path, reading in inputs:
            read_keys(path, reading, splitting, keys, notes=notes, on_part=progress.add)
    return keys


def _by_jobs(inputs: Inputs, request: SplitRequest) -> Outcome:
    """Read the files by jobs, or collect the keys of shards."""
    from bitext.jobs.task import numbered
    from bitext.jobs.tasks import SplitTask

    run, shown = request.split_options("split")
    task = SplitTask(splitting=request.splitting, run=run, presentation=shown)
    documents = numbered((path, (path, reading), reading.files(path)) for path, reading in inputs)
    return request.run_or_merge(documents, task, what="files")


def _parser() -> Parser:
    parser = Parser(
        prog="bitext split",
        description="Split alignments into parts, without near-duplicates from one in another.",
        epilog=_EPILOG,
    )
    parser.add_argument("sizes", metavar="PARTS", help="as 90/5/5, or train=rest,test=2000")
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or a manifest")
    add_groups(parser, {"reading": [*READING, *LIMITS], "splitting": _SPLITTING})
    return parser


def _inputs(request: SplitRequest) -> tuple[Inputs, Format]:
    """Return the files with the arguments of their reading, and the format to write."""
    from bitext.formats.io.source import reads_once
    from bitext.formats.reading import opened
    from bitext.formats.writing import writable

    corpora = list(map(request.corpus, request.files))
    request.print_notes(note for corpus in corpora for note in corpus.notes())
    inputs = [
        (entry.path, request.reading_of(entry, request.base))
        for corpus in corpora
        for entry in corpus.entries.values()
    ]
    if not inputs:
        raise InputError(f"{request.files[0]}: has no file of alignments")
    name = request.to
    if not name and (once := [path for path, _ in inputs if reads_once(path)]):
        name = request.known or ""
        if not name:
            raise OptionError(f"{once[0]}: name its format (--from), or that of the parts (--to)")
    if not name:
        path, reading = inputs[0]
        with opened(path, replace(reading, parts=True)) as open_file:
            name = open_file.format.name
    return inputs, writable(request.output, name)


def _places(
    request: SplitRequest, parts: Sequence[Part], known: Format, inputs: Inputs
) -> list[str]:
    """Return the name of the file of each part; refuse one that is an input."""
    from bitext.formats.io.output import refuse_clashes

    names = [",".join(files_named(part.name, known, request.languages)) for part in parts]
    read = [name for path, reading in inputs for name in reading.files(path)]
    files = [str(Path(request.output, each)) for name in names for each in name.split(",")]
    folders = [path for path in request.files if Path(path).is_dir()]
    refuse_clashes(read, files, folders=folders)
    return names


def _write(request: SplitRequest, files: _PartFiles, placed: Iterator[tuple[int, Bitext]]) -> None:
    """Write all parts beside the folder; move them into it when all are complete."""
    from bitext.formats.convert.splitting import write_parts
    from bitext.formats.io.remote import remove_empty
    from bitext.formats.io.source import Notes

    folder = Path(os.path.abspath(request.output))  # noqa: PTH100 - a link stays a link
    new_folders = [each for each in (folder, *folder.parents) if not is_there(each)][::-1]
    known, names, losses, notes = files
    # Parts are written at the same time: each has its own notes.
    notes_of_parts = [(Notes(), Notes()) for _ in names]

    def write(number: int, bitexts: Iterator[Bitext]) -> None:
        lost, said = notes_of_parts[number]
        place = ",".join(str(aside / each) for each in names[number].split(","))
        request.write_bitexts(bitexts, place, known, lost, said)

    try:
        make_folders(Path(request.output))
        aside = aside_in(folder)
        aside.mkdir()
    except OSError as error:
        raise unwritable(request.output, error) from None
    try:
        write_parts(placed, [partial(write, number) for number in range(len(names))])
        for path in sorted(aside.iterdir()):
            path.replace(folder / path.name)
    except OSError as error:
        raise unwritable(request.output, error) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        remove_empty(new_folders)  # which are not, unless an error has ended all
    for lost, said in notes_of_parts:
        losses.extend(lost.all())
        notes.extend(said.all())


def _report(
    request: SplitRequest, parts: Sequence[Part], names: Sequence[str], placement: Placement
) -> None:
    total = placement.total
    if request.json:
        document = {
            "schema": "bitext.split/1",
            "by": placement.by,
            "seed": request.seed,
            "near": request.near,
            "bisegments": total,
            "clusters": placement.clusters,
            "left_out": placement.left_out,
            "parts": [
                {"name": part.name, "files": name.split(","), "bisegments": count}
                for part, name, count in zip(parts, names, placement.counts, strict=True)
            ],
        }
        write_out([json_line(document)])
    lines = [
        f"{part.name}: {many(count, 'bisegment')} ({count / max(total, 1):.1%})"
        for part, count in zip(parts, placement.counts, strict=True)
    ]
    if request.by == "auto" and placement.by == "text":
        lines.append("document pairs were placed whole (--by bead places each bisegment by itself)")
    elif request.by == "auto":
        lines.append(
            "bisegments were placed each by itself (--by COLUMN keeps those of one document "
            "together)"
        )
    if placement.clusters:
        lines.append(f"clusters of near-duplicates: {placement.clusters:,}")
    if placement.left_out:
        lines.append(f"left out, near-duplicates of another part: {placement.left_out:,}")
    if 0 in placement.counts and placement.by != "bead":
        by_text = placement.by == "text"
        few = "document pairs" if by_text else f"values of the column {placement.by!r}"
        lines.append(f"parts without a bisegment: there are few {few} (--by bead)")
    for part, count in zip(parts, placement.counts, strict=True):
        if part.count is not None and count != part.count:
            lines.append(f"{part.name} has {count:,}, not {part.count:,}: no units fill it exactly")
    request.print_notes(lines, most=len(lines))
