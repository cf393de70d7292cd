"""What `bitext link` writes beside the links: lexicon, phrase table, and projected labels."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.align.links.projection import SegmentLabels
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.cli.link.request import LinkRequest
    from bitext.model import Bitext, WordLinks
    from bitext.syntax.labelled import LabelFormat, LabelledSentence

__all__ = ["check_labels", "kept_links", "save_labels", "save_tables"]


def save_tables(request: LinkRequest, sides: Sides, links: WordLinks) -> Iterator[str]:
    """Write the lexicon and the phrase table; yield a note on each."""
    from bitext.align.links.tables import lexicon_lines, phrase_lines
    from bitext.formats.io.output import write_whole

    for path, table, called in (
        (request.save_lexicon, lexicon_lines, "pairs of words"),
        (request.save_phrases, phrase_lines, "pairs of phrases"),
    ):
        if path is None:
            continue
        count = 0
        with write_whole(path) as out:
            for line in table(*sides, links):
                out.write(f"{line}\n")
                count += 1
        yield f"{path}: {count:,} {called}"


# Links that the files have, with --keep-links.


def kept_links(file: LinkedFile, request: LinkRequest) -> WordLinks:
    """Return the links that a file has, with the numbers of its words; refuse one without any."""
    import numpy as np

    from bitext.model import WordLinks
    from bitext.model.word_links import tokens

    parts = []
    for bitext in file.bitexts:
        if not len(bitext.alignment):
            continue
        links = bitext.alignment.word_links()
        if links is None:
            raise InputError(
                f"{file.path}: has no word links that --keep-links could keep: leave it out, and "
                f"they are learned"
            )
        links = links.without_null()
        sizes = zip(*([len(tokens(" ".join(s))) for s in pair] for pair in bitext.pairs()))  # noqa: B905 - of two
        try:
            parts.append(
                WordLinks(
                    links.ptr,
                    links.src,
                    links.tgt,
                    sure=links.sure,
                    confidences=links.confidences,
                    **dict(zip(("src_sizes", "tgt_sizes"), map(np.array, sizes), strict=True)),
                )
            )
        except InputError as error:
            raise InputError(f"{file.path}: {error}: name the texts that were linked") from None
    if not parts:
        return WordLinks.parse([])
    joined = WordLinks.join(parts)
    if request.min_score is None or joined.confidences is None:
        return joined
    return joined.where(~(joined.confidences < request.min_score))


# Labels that are projected.


@contextmanager
def _opened_labels(path: str) -> Iterator[tuple[LabelFormat, Iterator[LabelledSentence]]]:
    from bitext.formats.io.source import open_source
    from bitext.syntax.labelled import open_labels

    with open_source(path) as source:
        yield open_labels((line for _, line in source.stream_lines()), path=source.path)


def _source_tokens(file: LinkedFile) -> Iterator[list[str]]:
    """Yield the tokens of all source segments, also of those in no bisegment."""
    from bitext.model.word_links import tokens

    for bitext in file.bitexts:
        if bitext.src is not None and len(bitext.alignment):
            yield from map(tokens, bitext.src.segments())


def check_labels(request: LinkRequest, files: Sequence[LinkedFile]) -> None:
    """Refuse labels of other words than the source has, before anything is learned or written."""
    from bitext.align.links.projection import match_labels

    if request.project is None:
        return
    if len(files) > 1:
        raise OptionError(
            f"--project {request.project}: {len(files):,} files are linked, and labels belong to "
            f"one: join them with 'bitext convert'"
        )
    with _opened_labels(request.project) as (known, labels):
        out = request.save_projection
        if known.kind == "columns" and out is not None and out.endswith(".conllu"):
            raise OptionError(
                f"--save-projection {out}: {request.project} has columns, and they are written so: "
                f"give another name, as .tsv"
            )
        for _ in match_labels(labels, _source_tokens(files[0]), path=request.project):
            pass


def _pair_labels(
    file: LinkedFile, labels: Iterator[SegmentLabels]
) -> Iterator[tuple[Bitext, int, list[SegmentLabels]]]:
    """Yield the bitext, the index and the labels of each pair.

    Only labels of segments that a later pair has are in memory.
    """
    for bitext in file.bitexts:
        if not len(bitext.alignment):
            continue
        beads = [bead.src for bead in bitext.alignment]
        last = {segment: k for k, bead in enumerate(beads) for segment in bead}
        size = len(bitext.src) if bitext.src is not None else 0
        held: dict[int, SegmentLabels] = {}
        met = 0
        for k, bead in enumerate(beads):
            while bead and met <= max(bead):
                own = next(labels)
                if met in last:
                    held[met] = own
                met += 1
            yield bitext, k, [held[segment] for segment in bead]
            for segment in bead:
                if last[segment] == k:
                    del held[segment]
        for _ in range(met, size):
            next(labels)


def save_labels(
    request: LinkRequest, files: Sequence[LinkedFile], links: WordLinks
) -> Iterator[str]:
    """Write the target sentences with the labels of their sources; yield notes."""
    from bitext.align.links.projection import LabelProjector, link_rows, match_labels
    from bitext.formats.io.output import write_whole
    from bitext.model.word_links import tokens

    if request.project is None or request.save_projection is None:
        return
    (file,) = files
    projector = LabelProjector()
    with (
        _opened_labels(request.project) as (known, labels),
        write_whole(request.save_projection) as out,
    ):
        segments = match_labels(labels, _source_tokens(file), path=request.project)
        targets: list[list[str]] = []
        current: Bitext | None = None
        for (bitext, k, own), pair in zip(_pair_labels(file, segments), links, strict=True):
            if bitext is not current:
                current = bitext
                texts = bitext.tgt.segments() if bitext.tgt is not None else ()
                targets = [tokens(text) for text in texts]
            target = [word for t in bitext.alignment[k].tgt for word in targets[t]]
            made = projector.project(own, target, link_rows(pair))
            if made is not None:
                out.writelines(f"{line}\n" for line in known.lines(made))
    for line in projector.counts.lines():
        yield f"{request.save_projection}: {line}"
