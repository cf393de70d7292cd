"""`bitext link`: links between the words of translated sentences, learned from them alone."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from bitext.cli.common import is_output_folder, print_notes, protected_outputs
from bitext.cli.console import Progress, write_out
from bitext.cli.link.inputs import check_texts, read, sides_of, with_words, without_links
from bitext.cli.link.request import LinkRequest, align_request, parser
from bitext.cli.link.results import (
    check_tables,
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
from bitext.cli.request import request_of
from bitext.errors import InputError, OptionError, many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.align.links import LinkedCorpus
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.cli.link.results import Place, TextLinks
    from bitext.formats.io.source import Notes
    from bitext.formats.registry import Format
    from bitext.model import Bitext, WordLinks

_UNLINKED = 0.6  # share of words without a link above which a note doubts the pairs; set by hand
_OPTION = re.compile(r"(?<![\w/'-])--([a-z][a-z-]*[a-z])")
_DIGITS = 4  # decimals of probabilities


def run(arguments: Sequence[str]) -> int:
    """Link the words of files; return the exit status."""
    return link(request_of(LinkRequest, parser(), arguments))


def link(request: LinkRequest) -> int:
    """Link the words of files, do a round of a shard, or merge shards; return the exit status."""
    if request.parts is not None:
        from bitext.cli.link.blocks import merge_counts

        blocks = merge_counts(request.parts, request)
        if blocks is not None:
            note = f"{request.output}: counts of {blocks:,} blocks, for 'bitext link --counts'"
            print_notes([note], request)
            return 0
    known = request.resolve()
    with protected_outputs(request):
        if request.shard is None:
            return _link(request, known)
        from bitext.cli.link.blocks import ShardDone

        try:
            return _link(request, known)
        except ShardDone:
            return 0


def _link(request: LinkRequest, known: Format) -> int:
    begun = time.monotonic()
    from bitext.align.links import LinkedCorpus
    from bitext.align.links.terms import lexicon_lines
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.formats.io.source import Notes
    from bitext.model import WordLinks

    read_notes, lines = Notes(), list[str]()
    files = read(request, known, read_notes, lines)
    outputs = _outputs(request, known, files)
    for file in files:
        check_texts(file, request)
    kept = [kept_links(file, request) for file in files] if request.keep_links else None
    for k, file in enumerate(files if kept is None else ()):
        files[k] = file._replace(bitexts=[without_links(each, read_notes) for each in file.bitexts])
    files = with_words(files, known, request, lines)
    check_tables(request, files)
    sides = sides_of(files, lines, cut=request.cut)
    places = places_of(request.explain, files, sides)
    if kept is None:
        evidence = _evidence(request, files, read_notes, lines)
        corpus = _in_blocks(request, sides, places, evidence, lines)
    else:
        corpus = LinkedCorpus(WordLinks.join(kept), Lexicon.of_entries(()))
    links, lost = corpus.links, list[str]()
    if not request.prints:
        lost = _write(request, known, files, outputs, links, read_notes)
    lines += save_tables(request, files, sides, links)
    lines += save_labels(request, files, links)
    rest = (*dict.fromkeys(lines), *lost, *map(str, read_notes.all()))
    # A document and a page are the same for the same input, so they say nothing of the time.
    timed, notes = (
        [_of_align(note, request) for note in (*_summary(links, seconds), *rest)]
        for seconds in (time.monotonic() - begun, 0)
    )
    if places and request.json:
        write_out([explained_document(request, places, corpus.explanations)])
    elif places:
        write_out([explanation_text(places, corpus.explanations)])
    elif request.json or request.html:
        texts = list(texts_of(files, corpus))
        if request.html:
            _write_page(request, texts, lexicon_lines(*sides, links), notes)
        if request.json:
            write_out(document(request, texts, outputs, links, notes, rows=request.prints))
    print_notes(timed, request, most=9)
    return 0


def _of_align(note: str, request: LinkRequest) -> str:
    """Name the command of options in notes of `bitext align` that `bitext link` has not."""
    own = {name.replace("_", "-") for name in request.offered}
    return _OPTION.sub(lambda option: option[0] + " of bitext align" * (option[1] not in own), note)


def _evidence(
    request: LinkRequest, files: Sequence[LinkedFile], notes: Notes, lines: list[str]
) -> dict[str, Any]:
    """Read the dictionaries and the lexicon, each in the direction of the texts."""
    vectors = vectors_of(request, files)
    if not (request.dictionary or request.lexicon):
        return vectors
    from bitext.cli.align.running import read_dictionaries, read_lexicon
    from bitext.cli.align.texts import TextPair

    asked = align_request(request)
    pairs = [
        TextPair(bitext.name, bitext.src, bitext.tgt, (bitext.src, bitext.tgt), (None, None), {})
        for file in files
        for bitext in file.bitexts
        if bitext.src is not None and bitext.tgt is not None
    ]
    return vectors | {
        "dictionary": read_dictionaries(asked, pairs, notes, lines) or None,
        "lexicon": read_lexicon(asked, pairs, lines),
    }


def _in_blocks(
    request: LinkRequest,
    sides: Sides,
    places: Sequence[Place],
    evidence: dict[str, Any],
    lines: list[str],
) -> LinkedCorpus:
    """Link the words of all pairs together, by processes and journals, or read links of shards."""
    if request.jobs == 1 and request.journal is None and request.parts is None:
        return _rounded(request, _linked(request, sides, places, evidence))
    import numpy as np

    from bitext.align.links import LinkedCorpus
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.cli.link.blocks import Blocks, ShardDone, merged_links, run_of_texts
    from bitext.model.word_links import tokens

    run, shown = run_of_texts(request, sides, evidence)
    if request.parts is not None:
        sizes = [np.array([len(tokens(each)) for each in side], dtype=np.int64) for side in sides]
        links = merged_links(request.parts, run, sizes)
        return _rounded(request, LinkedCorpus(links, Lexicon.of_entries(())))
    with Blocks(request, run, shown) as blocks:
        lines += blocks.notes
        more = {"each": blocks, "counts": blocks.counts}
        try:
            return _rounded(request, _linked(request, sides, places, {**evidence, **more}))
        except ShardDone:
            blocks.print_done()
            raise


def _linked(
    request: LinkRequest, sides: Sides, places: Sequence[Place], evidence: dict[str, Any]
) -> LinkedCorpus:
    """Link the words of all pairs together."""
    from bitext.align.links import link_corpus

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
    import numpy as np

    from bitext.model import WordLinks

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
    from bitext.formats.io.output import refuse_clashes
    from bitext.formats.io.remote import is_folder_at, join

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
    ending = known.suffixes[0] if known.suffixes else f".{known.name}"
    for file in files:
        if ".." in PurePath(file.name).parts or PurePath(file.name).is_absolute():
            raise InputError(f"{file.name!r} names no place in the folder {output}")
    outputs = [join(output, file.name) + ending for file in files]
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
    """Write each file with its links; return notes on losses, but for formats of links alone."""
    from bitext.formats.io.remote import make_folder_of
    from bitext.formats.io.source import Notes
    from bitext.formats.registry import LOSSES, WriteOptions
    from bitext.formats.word_links import OF_LINKS
    from bitext.formats.writing import deliver

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
        if not any(request.langs):
            silent.add(LOSSES["languages"])
    return [f"lost: {note}" for note in losses.all() if note.kind not in silent]


def _with_links(file: LinkedFile, links: WordLinks, *, scores: bool) -> Iterator[Bitext]:
    """Yield the bitexts of a file with their links in a column."""
    import numpy as np

    from bitext.model import Alignment, Bitext, WordLinks
    from bitext.model.word_links import COLUMN

    if not scores:
        links = WordLinks(links.ptr, links.src, links.tgt, sure=links.sure)
    values = links.spell()
    if file.lines is not None:
        rows = np.arange(file.size + 1), np.arange(file.size)
        column = [""] * file.size
        for line, own in zip(file.lines.tolist(), values, strict=True):
            column[line] = own
        made = Alignment.from_arrays(rows, rows, attributes={COLUMN: column})
        yield Bitext(None, None, made, name=file.name)
        return
    first = 0
    for bitext in file.bitexts:
        a = bitext.alignment
        columns = {**a.attributes, COLUMN: values[first : first + len(a)]}
        first += len(a)
        made = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
        yield replace(bitext, alignment=made, notes=())


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


def _write_page(
    request: LinkRequest, texts: Sequence[TextLinks], table: Iterator[str], notes: Sequence[str]
) -> None:
    from bitext.formats.io.output import write_whole

    html = page(request, texts, table, notes)
    if request.html == "-":
        write_out([html])
        return
    with write_whole(request.html or "") as out:
        out.write(html)
