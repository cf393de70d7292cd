"""Runs of `bitext link`: reading, linking and writing, also by shards."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bitext import __version__
from bitext.align.links import LinkedCorpus, link_corpus
from bitext.align.links.corpus import bare, lower_case
from bitext.align.links.directions import Directions
from bitext.align.links.evidence import BlockCounts, summed
from bitext.align.links.terms import lexicon_lines
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.cli.common import is_output_folder, output_in, write_file
from bitext.cli.console import Progress, write_err, write_out
from bitext.cli.leftovers import notes_on_leftovers
from bitext.cli.link.inputs import check_texts, read, sides_of, with_words, without_links
from bitext.cli.link.request import LinkRequest, align_request
from bitext.cli.link.results import (
    WordPair,
    check_tables,
    digests_of,
    document,
    explained_document,
    explanation_text,
    kept_links,
    link_alone,
    linked_words,
    page,
    places_of,
    save_labels,
    save_tables,
    texts_of,
    vectors_of,
)
from bitext.errors import InputError, OptionError, many
from bitext.formats.io.output import refuse_clashes, write_whole
from bitext.formats.io.remote import is_folder_at, make_folder_of
from bitext.formats.io.source import Notes
from bitext.formats.registry import LOSSES, Format, WriteOptions, by_suffix
from bitext.formats.word_links import OF_LINKS
from bitext.formats.writing import deliver
from bitext.kernels.arrays import Ints
from bitext.model import Alignment, Bitext, WordLinks
from bitext.model.word_links import COLUMN, LinkRows, tokens

if TYPE_CHECKING:
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.jobs.journal import Journal, Parts
    from bitext.jobs.task import Document

    Linked = tuple[WordLinks, Directions | None]


_UNLINKED = 0.6  # share of words without a link above which a note doubts the pairs; set by hand
_DIGITS = 4  # decimals of probabilities


def link(request: LinkRequest) -> int:
    """Link the words of files, do a round of a shard, or merge shards; return the exit status."""
    if request.parts is not None:
        blocks = merge_counts(request.parts, request)
        if blocks is not None:
            note = f"{request.output}: counts of {blocks:,} blocks, for 'bitext link --counts'"
            request.print_notes([note])
            return 0
    known = request.resolve()
    with request.protected_outputs():
        if request.shard is None:
            return _link(request, known)
        try:
            return _link(request, known)
        except ShardDone:
            return 0


def _link(request: LinkRequest, known: Format) -> int:
    start_time = time.monotonic()
    read_notes, lines = Notes(), list[str]()
    files = read(request, known, read_notes, lines)
    outputs = _outputs(request, known, files)
    if outputs and is_output_folder(request.output):
        lines += notes_on_leftovers(request, outputs, request.inputs, known)
    for file in files:
        check_texts(file, request)
    kept_of_files = (
        [kept_links(file, request, read_notes) for file in files] if request.keep_links else None
    )
    for k, file in enumerate(files if kept_of_files is None else ()):
        files[k] = file._replace(bitexts=[without_links(each, read_notes) for each in file.bitexts])
    files = with_words(files, known, request, lines)
    check_tables(request, files)
    sides = sides_of(files, lines, cut=request.cut)
    places = places_of(request.explain, files, sides)
    if kept_of_files is None:
        evidence = _evidence(request, files, read_notes, lines)
        corpus = _in_blocks(request, sides, places, evidence, lines)
    else:
        corpus = LinkedCorpus(WordLinks.join(kept_of_files), Lexicon.of_entries(()))
    links, lost = corpus.links, list[str]()
    if not request.prints:
        lost = _write(request, known, files, outputs, links, read_notes)
    lines += save_tables(request, files, sides, links)
    lines += save_labels(request, files, links)
    further_notes = (*dict.fromkeys(lines), *lost, *map(str, read_notes.all()))
    # A document and a page are the same for the same input, so they say nothing of the time.
    timed, notes = (
        [
            request.with_options_of_align(note)
            for note in (*_summary(links, seconds), *further_notes)
        ]
        for seconds in (time.monotonic() - start_time, 0)
    )
    if places and request.json:
        write_out([explained_document(request, places, corpus.explanations)])
    elif places:
        write_out([explanation_text(places, corpus.explanations)])
    elif request.json or request.html:
        texts = list(texts_of(files, corpus))
        if request.html:
            html = page(request, texts, lexicon_lines(*sides, links), notes)
            if request.html == "-":
                write_out([html])
            else:
                write_file(request.html, html)
        if request.json:
            write_out(document(request, texts, outputs, links, notes, rows=request.prints))
    request.print_notes(timed, most=9)
    return 0


def _evidence(
    request: LinkRequest, files: Sequence[LinkedFile], notes: Notes, lines: list[str]
) -> dict[str, Any]:
    """Read the dictionaries and the lexicon, each in the direction of the texts."""
    vectors = vectors_of(request, files)
    if not (request.dictionary or request.lexicon):
        return vectors
    from bitext.cli.align.running import read_dictionaries, read_lexicon
    from bitext.cli.align.texts import TextPair

    alignment_request = align_request(request)
    pairs = [
        TextPair(bitext.name, bitext.src, bitext.tgt, (bitext.src, bitext.tgt), (None, None), {})
        for file in files
        for bitext in file.bitexts
        if bitext.src is not None and bitext.tgt is not None
    ]
    return vectors | {
        "dictionary": read_dictionaries(alignment_request, pairs, notes, lines) or None,
        "lexicon": read_lexicon(alignment_request, pairs, lines, words=_words),
    }


def _words(sentence: str) -> list[str]:
    """Return the words of a sentence in lower case, those of running text also without marks."""
    words = tokens(lower_case(sentence))
    return [*words, *map(bare, words)]


def _in_blocks(
    request: LinkRequest,
    sides: Sides,
    places: Sequence[WordPair],
    evidence: dict[str, Any],
    lines: list[str],
) -> LinkedCorpus:
    """Link the words of all pairs together, by processes and journals, or read links of shards."""
    if request.jobs == 1 and request.journal is None and request.parts is None:
        return _rounded(request, _linked(request, sides, places, evidence))
    run, shown = run_of_texts(request, sides, evidence)
    if request.parts is not None:
        sizes = [np.array([len(tokens(each)) for each in side], dtype=np.int64) for side in sides]
        links = merged_links(request.parts, run, sizes)
        return _rounded(request, LinkedCorpus(links, Lexicon.of_entries(())))
    with Blocks(request, run, shown) as blocks:
        lines += blocks.notes
        block_evidence = {"each": blocks, "counts": blocks.counts}
        try:
            return _rounded(
                request, _linked(request, sides, places, {**evidence, **block_evidence})
            )
        except ShardDone:
            blocks.print_done()
            raise


def _linked(
    request: LinkRequest, sides: Sides, places: Sequence[WordPair], evidence: dict[str, Any]
) -> LinkedCorpus:
    options = {**evidence, "cells": request.block_cells}
    if request.min_score is not None:
        options["min_score"] = request.min_score
    progress = Progress("sentence pairs, linked", len(sides[0]), quiet=request.quiet)
    with progress.beating():
        if request.extract is not None:
            return link_alone(request, sides, options["vectors"])
        return link_corpus(
            *sides,
            symmetrise=request.symmetrise,
            directions=request.directed,
            explain=[(place.at, place.src, place.tgt) for place in places],
            **options,
        )


def _rounded(request: LinkRequest, corpus: LinkedCorpus) -> LinkedCorpus:
    """Round the scores, with --scores."""
    links = corpus.links
    if not request.scores or links.confidences is None:
        return corpus
    rounded = WordLinks(
        links.ptr,
        links.src,
        links.tgt,
        confidences=np.round(links.confidences.astype(np.float64), _DIGITS),
        src_sizes=links.src_sizes,
        tgt_sizes=links.tgt_sizes,
    )
    return corpus._replace(links=rounded)


def _outputs(request: LinkRequest, known: Format, files: Sequence[LinkedFile]) -> list[str]:
    """Return the output of each file; refuse one that would replace an input."""
    output = request.output
    if request.prints or request.shard is not None:
        return []
    if not is_output_folder(output):
        if len(files) > 1:
            raise OptionError(
                f"{len(files):,} files are linked, and -o {output} is one: name a folder (with / "
                f"at its end), or join them with 'bitext convert'"
            )
        return [output]
    outputs = [output_in(output, file.name, known, request.languages) for file in files]
    if len(set(outputs)) < len(outputs):
        twice = next(name for name in outputs if outputs.count(name) > 1)
        raise InputError(f"two files would both become {twice}: link them one by one")
    read = [name for name in request.inputs if name != "-"]
    folders = [name for name in read if is_folder_at(name)]
    refuse_clashes([*read, *(file.path for file in files)], outputs, folders=folders)
    return outputs


def _write(
    request: LinkRequest,
    known: Format,
    files: Sequence[LinkedFile],
    outputs: Sequence[str],
    links: WordLinks,
    notes: Notes,
) -> list[str]:
    """Write each file with its links; return notes on losses, except for formats of links alone."""
    losses = Notes()
    options = WriteOptions(src_lang=request.src_lang, tgt_lang=request.tgt_lang)
    first = 0
    for file, output in zip(files, outputs, strict=True):
        count = sum(len(bitext.alignment) for bitext in file.bitexts)
        bitexts = _with_links(file, links[first : first + count], scores=request.scores)
        if output != request.output:
            make_folder_of(output)
        deliver(bitexts, output, known, options=options, losses=losses, notes=notes)
        first += count
    if known.name in OF_LINKS:
        return []
    # Pairs without links lose nothing where an empty value is none. Two texts have the names and
    # languages of their files.
    silent = {LOSSES["words"]}
    if len(request.inputs) == 2 and len(files) == 1:
        silent.add(LOSSES["document_names"])
        if not any(request.languages):
            silent.add(LOSSES["languages"])
    return [f"lost: {note}" for note in losses.all() if note.kind not in silent]


def _with_links(file: LinkedFile, links: WordLinks, *, scores: bool) -> Iterator[Bitext]:
    """Yield the bitexts of a file with their links in a column."""
    if not scores:
        links = WordLinks(links.ptr, links.src, links.tgt, sure=links.sure)
    values = links.spell()
    if file.lines is not None:
        rows = np.arange(file.size + 1), np.arange(file.size)
        column = [""] * file.size
        for line, value in zip(file.lines.tolist(), values, strict=True):
            column[line] = value
        alignment = Alignment.from_arrays(rows, rows, attributes={COLUMN: column})
        yield Bitext(None, None, alignment, name=file.name)
        return
    first = 0
    for bitext in file.bitexts:
        a = bitext.alignment
        columns = {**a.attributes, COLUMN: values[first : first + len(a)]}
        first += len(a)
        alignment = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
        yield replace(bitext, alignment=alignment, notes=())


def _summary(links: WordLinks, seconds: float) -> list[str]:
    """Return the counts of pairs and links, and the shares of words without a link."""
    shares = []
    for known, sizes in zip(linked_words(links), (links.src_sizes, links.tgt_sizes), strict=True):
        total = 0 if sizes is None else int(sizes.sum())
        shares.append(1 - known / total if total else 0.0)
    took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
    pairs = many(len(links), "pair")
    count = many(links.src.size, "link")
    shown = f"{shares[0]:.1%} of the source, {shares[1]:.1%} of the target"
    lines = [f"{count} in {pairs}; words without a link: {shown}{took}"]
    if min(shares) > _UNLINKED:
        lines.append("most words have no link: the pairs are few, or no translations of each other")
    return lines


# The blocks of a corpus: in several processes, with a journal, and in shards on several machines.
#
# A corpus of several blocks is linked in two rounds: the words of each block are counted, and with
# the sum of all counts each block is linked. A journal has a line for each block and round. A shard
# does its blocks of one round: first it counts, and `bitext merge` adds up the counts of all
# shards; with these (`--counts`) it links, and `bitext merge` writes the links of all shards.

_COUNT, _LINK = "count", "link"  # the rounds
# Options that neither counts nor links depend on.
_AFTER = (
    "to",
    "scores",
    "save_lexicon",
    "save_phrases",
    "save_terms",
    "save_projection",
    "project",
    "explain",
)
_KINDS = frozenset(("<i4", "<i8", "<f2", "<f4", "<f8"))  # of numbers, in the names of numpy
_LEVEL = 1  # of compression: higher ones take longer than it takes to count


class ShardDone(Exception):  # noqa: N818 - an event, not a mistake of the caller
    """A shard has done its blocks of a round, and their results are in its journal."""


def run_of_texts(
    request: LinkRequest, sides: Iterable[Iterable[str]], evidence: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the description of a run for its journal, and the options of the output alone.

    The description has a digest of the words and of dictionaries, and one of each file of vectors:
    files may lie elsewhere on another machine, and may have changed since.
    """
    digest = hashlib.sha256()
    for side in sides:
        for sentence in side:
            digest.update(sentence.encode("utf-8", "surrogatepass") + b"\n")
        digest.update(b"\0")
    lexicon = evidence.get("lexicon")
    given = [*(lexicon.lines() if lexicon else ()), *map(repr, evidence.get("dictionary") or ())]
    digest.update("\n".join(given).encode("utf-8", "surrogatepass"))
    run, shown = request.split_options("link")
    options = run["options"]
    shown |= {name: options.pop(name) for name in _AFTER if name in options}
    options.pop("counts", None)
    shown["explain"] = []
    if request.vectors:
        run["vectors"] = digests_of(request.vectors)
    run["directions"] = request.directed and request.parts is None  # a merge has the scores alone
    return {**run, "texts": digest.hexdigest()[:32]}, shown


class Blocks:
    """Do the work on blocks in several processes; record results, and know recorded ones.

    `run` is the description of the run, `shown` the options of the output. The line of block b of N
    shards has number b in the first round, and P + b in the second, where P is the number of
    blocks, rounded up to a multiple of N; numbers between have void lines.
    """

    def __init__(self, request: LinkRequest, run: dict[str, Any], shown: dict[str, Any]) -> None:
        self._request, self._run, self._shown = request, run, shown
        self._shard = request.shard_to_do()
        self._stack = ExitStack()
        self._journal: Journal | None = None
        self.counts: BlockCounts | None = None
        self.notes: list[str] = []

    def __enter__(self) -> Self:
        request = self._request
        if request.counts is not None:
            self.counts = _read_counts(request.counts, self._run)
        if request.journal is not None:
            from bitext.jobs.journal import Journal

            opened = Journal(request.journal, self._run, shard=self._shard, shown=self._shown)
            self._journal = self._stack.enter_context(opened)
            self.notes += opened.notes
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def __call__(
        self, kind: str, work: Callable[[int], Any], numbers: Sequence[int]
    ) -> Iterator[Any]:
        """Yield the results of one kind of work, in the order of the blocks.

        Raises `ShardDone` once the blocks of this shard are done, where those of others would be
        needed, and `OptionError` or `InputError` when there is nothing to divide, or the journal
        lacks an entry that it should have.
        """
        size = numbers[-1] + 1 if numbers else 0
        if self._request.shard is None:
            yield from self._results(kind, work, numbers, size)
            if kind == _LINK and self._journal is not None:
                self._finish(_LINK, size)
        elif kind == _COUNT and self.counts is not None:
            yield from map(self._counted, numbers)
        elif kind == _COUNT and size == 1:  # the first block is counted by all
            yield from self._results(kind, work, numbers, size)
        elif kind == _LINK and self.counts is None:
            raise OptionError(
                f"--shard {self._shard}: the corpus is a single block of work, which is not "
                f"divided: leave --shard out (no shard ends, so remove their journals)"
            )
        else:
            own_numbers = [number for number in numbers if number in self._shard]
            for _ in self._results(kind, work, own_numbers, size):
                pass  # written to the journal
            self._finish(kind, size)
            raise ShardDone

    def _results(
        self, kind: str, work: Callable[[int], Any], numbers: Sequence[int], size: int
    ) -> Iterator[Any]:
        """Yield results of the journal, and those of the work, which are added to the journal."""
        from bitext.cli.align.running import forked_map

        lines = {number: self._line(kind, number, size) for number in numbers}
        todo = [number for number in numbers if lines[number] is None]
        results = forked_map(self._request.jobs)(work, todo)
        for number in numbers:
            line = lines[number]
            if line is not None and self._journal is not None:
                value = self._journal.line(line.number).get("value")
                yield _RESULTS[kind](value, self._journal.path)
                continue
            result = next(results)
            if self._journal is not None and number in self._shard:
                document = self._document(kind, number, size)
                self._journal.add(document, value=json.dumps(_packed(_arrays(result))))
            yield result

    def _document(self, kind: str, number: int, size: int) -> Document:
        from bitext.jobs.task import Document

        place = number + (self._padded(size) if kind == _LINK else 0)
        return Document(place, f"{kind} {number + 1}", None)

    def _padded(self, size: int) -> int:
        return -(-size // self._shard.count) * self._shard.count

    def _line(self, kind: str, number: int, size: int) -> Document | None:
        """Return the document of a block if its line is in the journal."""
        if self._journal is None or number not in self._shard:
            return None
        document = self._document(kind, number, size)
        return document if self._journal.find(document) is not None else None

    def _counted(self, number: int) -> BlockCounts | None:
        """Return the counts of a block of this shard from the journal; `None` for other blocks."""
        if number not in self._shard or self._journal is None:
            return None
        if self._line(_COUNT, number, 0) is None:
            raise InputError(
                f"{self._journal.path}: has no counts of shard {self._shard}: give the command "
                f"without --counts first"
            )
        return _counts_of(self._journal.line(number).get("value"), self._journal.path)

    def _finish(self, kind: str, size: int) -> None:
        """Write void lines for numbers without a block, and the last line."""
        if self._journal is None:
            return
        for void in range(size, self._padded(size)):
            for each in (_COUNT, _LINK) if kind == _LINK else (_COUNT,):
                if void in self._shard and self._line(each, void, size) is None:
                    self._journal.add(self._document(each, void, size), value="null")
        self._journal.finish(2 * self._padded(size), {"round": kind, "blocks": size})

    def print_done(self) -> None:
        """Print how to go on after a round of a shard."""
        if self._request.quiet:
            return
        then = (
            "'bitext merge COUNTS JOURNAL ...' adds up those of all shards, and this command with "
            "--counts COUNTS links"
        )
        if self.counts is not None:
            then = "'bitext merge OUT JOURNAL ...' writes those of all shards"
        kind_done = "counts" if self.counts is None else "links"
        write_err(f"shard {self._shard}: {kind_done} in {self._request.journal}; {then}\n")


# Results as values of JSON: arrays of little-endian numbers, whole numbers as differences, which
# are smaller, compressed, in base 64.


class _Array(NamedTuple):
    kind: str
    shape: list[int]
    data: str


def _packed(arrays: Iterable[NDArray[Any]]) -> list[_Array]:
    packed = []
    for array in arrays:
        kind = array.dtype.newbyteorder("<")
        flat = np.ascontiguousarray(array, dtype=kind).ravel()
        if kind.kind == "i":
            flat = np.diff(flat, prepend=flat.dtype.type(0))
        data = base64.b64encode(zlib.compress(flat.tobytes(), _LEVEL)).decode("ascii")
        packed.append(_Array(kind.str, list(array.shape), data))
    return packed


def _unpacked(value: Any, path: str, count: int) -> list[NDArray[Any]]:
    """Return the arrays of a value; refuse one that no run wrote."""
    try:
        arrays = [_unpacked_array(*each) for each in value]
    except (TypeError, ValueError, zlib.error) as error:
        raise _foreign(path, error) from error
    if len(arrays) != count:
        raise _foreign(path, f"{len(arrays)} arrays, not {count}")
    return arrays


def _unpacked_array(kind: str, shape: list[int], data: str) -> NDArray[Any]:
    if kind not in _KINDS:
        raise ValueError(f"numbers of {kind!r}")
    flat = np.frombuffer(zlib.decompress(base64.b64decode(data)), dtype=kind)
    if flat.dtype.kind == "i":
        flat = np.cumsum(flat, dtype=flat.dtype)
    if prod(shape) != flat.size:
        raise ValueError(f"{flat.size} numbers, not of shape {shape}")
    return flat.reshape(shape).astype(flat.dtype.newbyteorder("="))


def _foreign(path: str, why: object) -> InputError:
    return InputError(
        f"{path}: holds data that 'bitext link' does not write ({why!s:.80}); delete it, and give "
        f"the command anew"
    )


def _arrays(result: BlockCounts | Linked) -> Sequence[NDArray[Any]]:
    if len(result) != 2:
        return result
    links, both = result
    none = np.zeros(0, dtype=np.float32)
    scores = none if links.confidences is None else links.confidences
    return [links.ptr, links.src, links.tgt, scores, *(both or (none, none))]


def _counts_of(value: Any, path: str) -> BlockCounts:
    return BlockCounts(*_unpacked(value, path, len(BlockCounts._fields)))


def _links_of(value: Any, path: str) -> Linked:
    ptr, src, tgt, scores, *both = _unpacked(value, path, 6)
    return WordLinks(ptr, src, tgt, confidences=scores), Directions(*both)


_RESULTS: dict[str, Callable[[Any, str], Any]] = {_COUNT: _counts_of, _LINK: _links_of}


# The results of all shards.


def _round_of(parts: Parts) -> str:
    """Return the round of all shards; refuse shards of several rounds."""
    rounds = [str(each.get("round")) if isinstance(each, dict) else "" for each in parts.wholes]
    if len(set(rounds)) > 1:
        path = parts.paths[rounds.index(_COUNT)] if _COUNT in rounds else parts.paths[0]
        raise InputError(
            f"{path}: has the counts of its shard, and others have links: give its command once "
            f"more, with the counts of all"
        )
    return rounds[0]


def merge_counts(parts: Parts, request: LinkRequest) -> int | None:
    """Write the sum of the counts of all shards; return the number of blocks.

    Returns `None`, and writes nothing, if the shards have links.
    """
    from bitext.jobs.journal import SCHEMA, spelled

    if _round_of(parts) != _COUNT:
        return None
    request.check_merged()
    if request.html is not None:
        raise OptionError("--html: the shards have counts, and no links yet: leave it out")
    output = request.output
    if output == "-" or is_output_folder(output) or by_suffix(output) is not None:
        raise InputError(
            f"{output}: the shards have counts, and no links yet: name a file for their sum, as "
            f"sum.counts, and give the commands of the shards again, with that file"
        )
    blocks = int(parts.wholes[0]["blocks"])
    name = ", ".join(parts.paths[:3])
    values = (result.value for result in islice(parts.results(), parts.count // 2))
    total = summed(_counts_of(value, name) for value in values if value is not None)
    head = {"schema": SCHEMA, "bitext": __version__, "run": _counts_run(parts.run)}
    line = {"n": 0, "name": "counts", "files": [], "value": _packed(total)}
    with write_whole(output, binary=True) as out:
        for each in ({**head, "shard": [1, 1], "shown": {}}, line, {"end": 1, "whole": blocks}):
            out.write(spelled(json.dumps(each)))
    return blocks


def _counts_run(run: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the sum of counts of a run."""
    return {**run, "command": "link-counts"}


def _read_counts(path: str, run: dict[str, Any]) -> BlockCounts:
    """Read the sum of counts; refuse that of another run."""
    from bitext.jobs.journal import Reader, refuse_difference

    try:
        with Path(path).open("rb") as file:
            reader = Reader(path, file)
            head = {**reader.head, "run": _counts_run(run), "bitext": __version__}
            refuse_difference(path, reader.head, json.loads(json.dumps(head)))
            line = reader.line(0)
    except OSError as error:
        raise InputError(
            f"--counts {path}: cannot be read: {error.strerror or error}; name the file that "
            f"'bitext merge' wrote"
        ) from None
    if line is None or reader.end is None or reader.damaged:
        raise InputError(f"--counts {path}: is damaged or not complete; merge the shards again")
    return _counts_of(line.get("value"), path)


def merged_links(parts: Parts, run: dict[str, Any], sizes: Sequence[Ints]) -> WordLinks:
    """Return the links of all shards, for texts with sentences of these numbers of words."""
    from bitext.jobs.journal import refuse_difference

    refuse_difference(parts.paths[0], {"run": parts.run}, json.loads(json.dumps({"run": run})))
    blocks = int(parts.wholes[0]["blocks"])
    rows = LinkRows()
    name = ", ".join(parts.paths[:3])
    for result in parts.results():
        if result.number >= parts.count // 2 and result.value is not None:
            rows.extend(_links_of(result.value, name)[0])
            blocks -= 1
    if blocks or len(rows) != sizes[0].size:
        raise _foreign(name, f"links of {len(rows):,} pairs, not of {sizes[0].size:,}")
    return rows.joined().with_sizes(*sizes)
