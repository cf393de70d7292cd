"""What `bitext link` writes beside the links: lexicon, phrase table, terms, projected labels."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.align.links.projection import SegmentLabels
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.cli.link.request import LinkRequest
    from bitext.model import Bitext, WordLinks
    from bitext.syntax.labelled import LabelFormat, LabelledSentence

__all__ = ["check_tables", "kept_links", "save_labels", "save_tables"]


def save_tables(
    request: LinkRequest, files: Sequence[LinkedFile], sides: Sides, links: WordLinks
) -> Iterator[str]:
    """Write the lexicon, the phrase table and the terms; yield a note on each."""
    from bitext.align.links.tables import lexicon_lines, phrase_lines

    if request.save_lexicon is not None:
        count = _saved(request.save_lexicon, lexicon_lines(*sides, links))
        yield f"{request.save_lexicon}: {count:,} pairs of words"
    if request.save_phrases is not None:
        count = _saved(request.save_phrases, phrase_lines(*sides, links))
        yield f"{request.save_phrases}: {count:,} pairs of phrases"
    if request.save_terms is not None:
        yield _save_terms(request, request.save_terms, files, sides, links)


def _save_terms(
    request: LinkRequest, path: str, files: Sequence[LinkedFile], sides: Sides, links: WordLinks
) -> str:
    """Write candidates of terms; return a note."""
    from bitext.align.links.terms import has_nouns, term_candidates, term_lines
    from bitext.formats.dictionaries.tbx import tbx_lines

    tags, shown = _source_tags(request, files), "without parts of speech (--project)"
    if tags is not None:
        shown = "with nouns of --project"
        if not any(map(has_nouns, tags)):
            tags = None
            shown = "without parts of speech: those of --project are no universal or Penn tags"
    numbers = _numbers(files)
    terms = [
        term._replace(examples=tuple(numbers[k] for k in term.examples))
        for term in term_candidates(*sides, links, tags=tags)
    ]
    lines = term_lines(terms)
    if _is_tbx(path):
        rows = ((term.src, term.tgt, term.note()) for term in terms)
        lines = tbx_lines(rows, _languages(request, files), "term candidates of bitext link")
    _saved(path, lines)
    return f"{path}: {len(terms):,} pair{'s' * (len(terms) != 1)} of terms, {shown}"


def _is_tbx(path: str) -> bool:
    return path.lower().endswith(".tbx")


def _numbers(files: Sequence[LinkedFile]) -> list[int]:
    """Return the number of each pair: its line in files with a pair a line, through all files."""
    numbers: list[int] = []
    before = 0
    for file in files:
        count = sum(len(bitext.alignment) for bitext in file.bitexts)
        own = range(count) if file.lines is None else file.lines.tolist()
        numbers += [before + k for k in own]
        before += count if file.lines is None else file.size
    return numbers


def _languages(request: LinkRequest, files: Sequence[LinkedFile]) -> tuple[str, str]:
    """Return the languages of the texts; refuse texts without any."""
    src, tgt = request.langs
    texts = [text for file in files for each in file.bitexts for text in [(each.src, each.tgt)]]
    src = src or next((each.lang for each, _ in texts if each is not None and each.lang), "")
    tgt = tgt or next((each.lang for _, each in texts if each is not None and each.lang), "")
    if not (src and tgt):
        raise OptionError(
            f"--save-terms {request.save_terms}: TBX names the languages of terms: give them "
            f"(--src-lang, --tgt-lang), or another name than .tbx for TSV"
        )
    return src, tgt


def _saved(path: str, lines: Iterable[str]) -> int:
    """Write lines to a file; return their number."""
    from bitext.formats.io.output import write_whole

    count = 0
    with write_whole(path) as out:
        for line in lines:
            out.write(f"{line}\n")
            count += 1
    return count


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


def check_tables(request: LinkRequest, files: Sequence[LinkedFile]) -> None:
    """Refuse what tables and labels lack, before anything is learned or written."""
    from bitext.align.links.projection import match_labels

    if request.save_terms is not None and _is_tbx(request.save_terms):
        _languages(request, files)
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


def _source_tags(request: LinkRequest, files: Sequence[LinkedFile]) -> list[list[str]] | None:
    """Return the parts of speech of the source words of each pair; None without labels."""
    from bitext.align.links.projection import match_labels, token_tags

    if request.project is None:
        return None
    (file,) = files
    with _opened_labels(request.project) as (_, labels):
        segments = match_labels(labels, _source_tokens(file), path=request.project)
        return [token_tags(own) for _, _, own in _pair_labels(file, segments)]


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
