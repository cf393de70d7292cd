"""Results of `bitext link` beside the files of links.

These are explanations and the JSON document, which are printed, tables, and vectors of words.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.links import LEAST_SCORE, Directions, LinkedCorpus, LinkExplanation
from bitext.align.links.explanation import Direction, Neighbour, Rival
from bitext.align.links.projection import (
    LabelProjector,
    SegmentLabels,
    link_rows,
    match_labels,
    token_tags,
)
from bitext.align.links.similarity import link_by_vectors
from bitext.align.links.terms import (
    has_nouns,
    lexicon_lines,
    phrase_lines,
    term_candidates,
    term_lines,
)
from bitext.align.links.vectors import is_table
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.cli.link.request import LinkRequest
from bitext.errors import InputError, OptionError, many, masked
from bitext.formats.dictionaries.tbx import tbx_lines
from bitext.formats.io.output import write_whole
from bitext.formats.io.source import Notes, open_source
from bitext.model import Bitext, WordLinks
from bitext.model.word_links import tokens
from bitext.reports.table import Table, number, printable
from bitext.syntax.labelled import LabelFormat, LabelledSentence, open_labels

if TYPE_CHECKING:
    from bitext.cli.link.inputs import LinkedFile, Sides

_DIGITS = 4  # decimals of probabilities


class WordPair(NamedTuple):
    """Two words whose link is explained."""

    number: int  # the number of the pair, as the option gives it
    at: int  # its index among the sentence pairs that are linked
    text: str  # the name of the text; empty for a single one
    src: int = 0  # the position of the source word
    tgt: int = 0  # the position of the target word


def places_of(
    wanted: Iterable[Sequence[int]], files: Sequence[LinkedFile], sides: Sides
) -> list[WordPair]:
    """Find the pairs of words to explain among the sentence pairs of all files.

    Pairs count through all files; those of a file with a pair a line count its lines.

    Raises `InputError` when there is no such pair, or no such word in it.
    """
    has_several = sum(len(file.bitexts) for file in files) > 1
    places = []
    for pair, *words in wanted:
        place = _place_of(pair, files, has_several=has_several)
        for name, side, position in zip(("source", "target"), sides, words, strict=True):
            size = len(tokens(side[place.at]))
            if position >= size:
                known = f"{name} words 0 to {size - 1}" if size else f"no {name} word"
                raise InputError(f"--explain {pair} {words[0]} {words[1]}: the pair has {known}")
        places.append(place._replace(src=words[0], tgt=words[1]))
    return places


def _place_of(number: int, files: Sequence[LinkedFile], *, has_several: bool) -> WordPair:
    remaining, index = number, 0
    for file in files:
        for bitext in file.bitexts:
            size = len(bitext.alignment)
            known = size if file.lines is None else file.size
            if remaining >= known:
                remaining, index = remaining - known, index + size
                continue
            if file.lines is not None:
                line = remaining
                remaining = int(file.lines.searchsorted(line))
                if remaining == size or file.lines[remaining] != line:
                    raise InputError(f"--explain {number}: line {line} (from 0) has no text")
            name = (bitext.name or file.name) if has_several else ""
            return WordPair(number, index + remaining, name)
    count = number - remaining
    known_pairs = f"there are pairs 0 to {count - 1}" if count else "there is no sentence pair"
    raise InputError(f"--explain {number}: {known_pairs}")


class TextLinks(NamedTuple):
    """The links of a text, for a document or a page."""

    name: str
    path: str
    bitext: Bitext
    # The number of each sentence pair in its text, from 0: its line in a file of links.
    numbers: Sequence[int]
    links: WordLinks
    directions: Directions | None  # the probabilities of the links in both directions


def texts_of(files: Sequence[LinkedFile], corpus: LinkedCorpus) -> Iterator[TextLinks]:
    """Yield the texts of all files with their links."""
    first = 0
    for file in files:
        for bitext in file.bitexts:
            last = first + len(bitext.alignment)
            here = slice(*corpus.links.ptr[[first, last]].tolist())
            both = corpus.directions
            yield TextLinks(
                bitext.name or file.name,
                file.path,
                bitext,
                range(last - first) if file.lines is None else file.lines.tolist(),
                corpus.links[first:last],
                None if both is None else type(both)(*(side[here] for side in both)),
            )
            first = last


def document(
    request: LinkRequest,
    texts: Sequence[TextLinks],
    outputs: Sequence[str],
    links: WordLinks,
    notes: Sequence[str],
    *,
    rows: bool,
) -> Iterator[str]:
    """Yield the JSON document in parts; each sentence pair is a part, if `rows` are wanted.

    `outputs` are the files that were written, and `links` are all links.
    """
    sizes = [0 if side is None else int(side.sum()) for side in (links.src_sizes, links.tgt_sizes)]
    free = [size - count for size, count in zip(sizes, linked_words(links), strict=True)]
    learns = not (request.keep_links or request.extract)
    least = LEAST_SCORE if request.min_score is None and learns else None
    head = {
        "schema": "bitext.link/1",
        "settings": {
            "min_score": request.min_score if least is None else least,
            "symmetrise": request.symmetrise if learns else None,
            "cut": request.cut,
            "dictionary": list(request.dictionary),
            "lexicon": request.lexicon,
            "vectors": list(request.vectors or ()),
            "encoder": request.encoder,
            "layer": request.layer,
            "extract": request.extract,
        },
        "totals": {
            "pairs": len(links),
            "links": int(links.src.size),
            "src_words": sizes[0],
            "tgt_words": sizes[1],
            "src_unlinked": free[0],
            "tgt_unlinked": free[1],
        },
        "outputs": list(outputs),
        "texts": [
            {
                "text": text.name,
                "file": text.path,
                "pairs": len(text.links),
                "links": int(text.links.src.size),
            }
            for text in texts
        ],
        "notes": list(notes),
    }
    start = masked(_dumped(head))
    if not rows:
        yield f"{start}\n"
        return
    yield f'{start[:-1]}, "rows": ['
    between = "\n"
    for text in texts:
        for row in _rows(text):
            yield f"{between}{_dumped(row)}"
            between = ",\n"
    yield "]}\n"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def linked_words(links: WordLinks) -> list[int]:
    """Return the number of words with a link, on both sides."""
    links = links.without_null()
    return [
        int(np.unique(np.stack([links.pair, side]), axis=1).shape[1])
        for side in (links.src, links.tgt)
    ]


def _rows(text: TextLinks) -> Iterator[dict[str, Any]]:
    words = text.bitext.words()
    both = text.directions
    ptr = text.links.ptr.tolist()
    columns: list[tuple[str, list[Any]]] = [
        ("src", text.links.src.tolist()),
        ("tgt", text.links.tgt.tolist()),
    ]
    if not text.links.sure.all():
        columns.append(("possible", (~text.links.sure).tolist()))
    scores: dict[str, NDArray[Any] | None] = {"score": text.links.confidences}
    if both is not None:
        scores |= {"forward": both.forward, "backward": both.backward}
    columns += [
        (name, [None if isnan(each) else round(each, _DIGITS) for each in values.tolist()])
        for name, values in scores.items()
        if values is not None
    ]
    for k, pair in enumerate(text.numbers):
        yield {
            "text": masked(text.name),
            "pair": pair,
            "src": None if words[0] is None else list(words[0][k]),
            "tgt": None if words[1] is None else list(words[1][k]),
            "links": [
                {name: values[at] for name, values in columns} for at in range(ptr[k], ptr[k + 1])
            ],
        }


def page(
    request: LinkRequest, texts: Sequence[TextLinks], table: Iterable[str], notes: Iterable[str]
) -> str:
    """Return the page of links (--html); `table` has the lines of the lexicon of linked words."""
    from bitext.reports.links import LinkData
    from bitext.reports.links.page import page_of

    data = LinkData([], count_from=0)
    for text in texts:
        data.add(
            text.links,
            [],
            text.bitext.words(),
            text=text.name,
            directions=text.directions or (),
            numbers=text.numbers,
        )
    rows = sorted((line.split("\t") for line in table), key=lambda row: -int(row[-1]))
    lexicon = Table(["source", "target", "p(t|s)", "p(s|t)", "links"], right={2, 3, 4}, rows=rows)
    for row in rows:
        row[2:4] = [f"{float(share):.4f}" for share in row[2:4]]
    name = texts[0].name if len(texts) == 1 else f"{len(texts):,} texts"
    method = "" if request.symmetrise == "product" else f", {request.symmetrise}"
    return page_of(
        data,
        title=f"Word links of {name}{method}",
        notes=map(masked, notes),
        lexicon=lexicon if rows else None,
    )


def explained_document(
    request: LinkRequest, places: Sequence[WordPair], explanations: Sequence[LinkExplanation]
) -> str:
    """Return explanations as a JSON document."""
    rows = [
        {"text": masked(place.text) or None, **asdict(one), "pair": place.number}
        for place, one in zip(places, explanations, strict=True)
    ]
    settings = {
        "min_score": LEAST_SCORE if request.min_score is None else request.min_score,
        "symmetrise": request.symmetrise,
    }
    made = {"schema": "bitext.link-explanation/1", "settings": settings, "rows": rows}
    return f"{_dumped(made)}\n"


def explanation_text(places: Sequence[WordPair], explanations: Sequence[LinkExplanation]) -> str:
    """Return explanations as lines for reading, with an empty line between two."""
    parts = (
        "".join(f"{line}\n" for line in _explained(place, one))
        for place, one in zip(places, explanations, strict=True)
    )
    return "\n".join(parts)


def _explained(place: WordPair, one: LinkExplanation) -> Iterator[str]:
    src, tgt = printable(one.src_word), printable(one.tgt_word)
    name = f" of {printable(place.text)}" if place.text else ""
    yield (
        f"pair {place.number}{name}, source word {one.src} ({src}), target word {one.tgt} ({tgt}): "
        f"{'linked' if one.linked else 'not linked'}, score {number(one.score)}"
    )
    yield f"  {one.decision}"
    if one.forward is not None and one.backward is not None:
        yield ""
        ways = one.forward, one.backward
        table = Table(["", f"{tgt} given {src}", f"{src} given {tgt}"], right={1, 2})
        for label, values in (
            ("translation", [direction.translation for direction in ways]),
            ("translation, by prior alone", [direction.families for direction in ways]),
            ("link, by words alone", [direction.by_words for direction in ways]),
            ("link, with positions", [direction.posterior for direction in ways]),
            ("no link", [direction.none for direction in ways]),
        ):
            table.rows.append([label, *map(number, values)])
        yield from _lines(table)
    counts, evidence = one.counts, one.evidence
    others = max(counts.links - counts.here, 0.0)
    yield ""
    yield "expected links"
    yield (
        f"  {src} – {tgt}: {counts.links:.2f}, without this link {others:.2f}; "
        f"{many(counts.together, 'sentence pair')} with both words"
    )
    yield f"  {src}: {counts.src_links:.2f} of {many(counts.src_tokens, 'token')}"
    yield f"  {tgt}: {counts.tgt_links:.2f} of {many(counts.tgt_tokens, 'token')}"
    families = [
        " ".join(map(printable, family)) for family in (evidence.src_family, evidence.tgt_family)
    ]
    yield f"  families, {families[0]} – {families[1]}: {evidence.family_links:.2f}"
    if counts.given:
        yield f"  a dictionary or lexicon counts for {counts.given:.2f}"
    yield ""
    yield "other evidence (times the odds of a link by chance)"
    alike = "the same spelling" if evidence.identical else f"{evidence.similarity:.2f} alike"
    yield f"  letters: {alike}, {evidence.spelling:.2f}"
    yield (
        f"  frequencies: {counts.src_tokens:,} to {counts.tgt_tokens:,}, {evidence.frequency:.2f}"
    )
    if evidence.vectors is not None:
        yield f"  vectors: {evidence.vectors:.2f}"
    if one.forward is not None and one.backward is not None:
        yield ""
        yield "positions"
        yield from _positions(one.forward, "target", "source")
        yield from _positions(one.backward, "source", "target")
    for word, side, rivals in ((src, "target", one.tgt_rivals), (tgt, "source", one.src_rivals)):
        if rivals:
            yield ""
            yield f"other {side} words for {word}"
            yield from _lines(_rival_table(rivals))


def _lines(table: Any) -> Iterator[str]:
    return (f"  {line}".rstrip() for line in table.render("table").rstrip("\n").split("\n"))


def _positions(direction: Direction, heading: str, chosen: str) -> Iterator[str]:
    for name, beside in (("before", direction.before), ("after", direction.after)):
        yield f"  {heading} word {name}: {_beside(beside, chosen)}"


def _beside(beside: Neighbour | None, chosen: str) -> str:
    if beside is None:
        return "none is linked"
    jump = f"a jump of {beside.jump:+d} ({beside.probability:.4f})"
    if beside.linked < 0 or beside.position < 0:
        return f"none is linked, {jump} from the beginning"
    return (
        f"{beside.position} is linked with {chosen} word {beside.linked} "
        f"({beside.posterior:.4f}), {jump}"
    )


def _rival_table(rivals: Sequence[Rival]) -> Any:
    table = Table(["word", "", "forward", "backward", "score"], right={0, 2, 3, 4})
    for one in rivals:
        values = map(number, (one.forward, one.backward, one.score))
        table.rows.append([str(one.position), printable(one.word), *values])
    return table


# Tables that `bitext link` writes beside the links: lexicon, phrase table, terms, projected labels.


def save_tables(
    request: LinkRequest, files: Sequence[LinkedFile], sides: Sides, links: WordLinks
) -> Iterator[str]:
    """Write the lexicon, the phrase table and the terms; yield a note on each."""
    if request.save_lexicon is not None:
        count = _saved(request.save_lexicon, lexicon_lines(*sides, links))
        yield f"{request.save_lexicon}: {many(count, 'pair')} of words"
    if request.save_phrases is not None:
        count = _saved(request.save_phrases, phrase_lines(*sides, links))
        yield f"{request.save_phrases}: {many(count, 'pair')} of phrases"
    if request.save_terms is not None:
        yield _save_terms(request, request.save_terms, files, sides, links)


def _save_terms(
    request: LinkRequest, path: str, files: Sequence[LinkedFile], sides: Sides, links: WordLinks
) -> str:
    """Write candidates of terms; return a note."""
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
    return f"{path}: {many(len(terms), 'pair')} of terms, {shown}"


def _is_tbx(path: str) -> bool:
    return path.lower().endswith(".tbx")


def _numbers(files: Sequence[LinkedFile]) -> list[int]:
    """Return the number of each pair: its line in files with a pair a line, through all files."""
    numbers: list[int] = []
    offset = 0
    for file in files:
        count = sum(len(bitext.alignment) for bitext in file.bitexts)
        file_numbers = range(count) if file.lines is None else file.lines.tolist()
        numbers += [offset + k for k in file_numbers]
        offset += count if file.lines is None else file.size
    return numbers


def _languages(request: LinkRequest, files: Sequence[LinkedFile]) -> tuple[str, str]:
    """Return the languages of the texts; refuse texts without any."""
    src, tgt = request.languages
    for bitext in (bitext for file in files for bitext in file.bitexts):
        src = src or (bitext.src.lang if bitext.src is not None else "")
        tgt = tgt or (bitext.tgt.lang if bitext.tgt is not None else "")
    if not (src and tgt):
        raise OptionError(
            f"--save-terms {request.save_terms}: TBX names the languages of terms: give them "
            f"(--src-lang, --tgt-lang), or another name than .tbx for TSV"
        )
    return src, tgt


def _saved(path: str, lines: Iterable[str]) -> int:
    """Write lines to a file; return their number."""
    count = 0
    with write_whole(path) as out:
        for line in lines:
            out.write(f"{line}\n")
            count += 1
    return count


# Links that the files have, with --keep-links.


def kept_links(file: LinkedFile, request: LinkRequest, notes: Notes) -> WordLinks:
    """Return the links that a file has, with the numbers of its words; refuse one without any."""
    parts = []
    for bitext in file.bitexts:
        if not len(bitext.alignment):
            continue
        links = bitext.alignment.word_links()
        if links is None:
            raise InputError(
                f"{file.path}: has no word links that --keep-links could keep: leave it out, "
                f"and links are learned"
            )
        sizes = [[len(tokens(" ".join(side))) for side in pair] for pair in bitext.pairs()]
        try:
            parts.append(links.without_null().with_sizes(*np.array(sizes).T))
        except InputError as error:
            raise InputError(f"{file.path}: {error}: name the texts that were linked") from None
    if not parts:
        return WordLinks.parse([])
    joined = WordLinks.join(parts)
    if request.min_score is None or not joined.src.size:
        return joined
    scores = joined.confidences
    unknown = joined.src.size if scores is None else int(np.isnan(scores).sum())
    if unknown:
        notes.add("links without a probability, which --min-score keeps", file.path, unknown)
    return joined if scores is None else joined.where(~(scores < request.min_score))


# Labels that are projected.


@contextmanager
def _opened_labels(path: str) -> Iterator[tuple[LabelFormat, Iterator[LabelledSentence]]]:
    with open_source(path) as source:
        yield open_labels((line for _, line in source.stream_lines()), path=source.path)


def _source_tokens(file: LinkedFile) -> Iterator[list[str]]:
    """Yield the tokens of all source segments, also of those in no bisegment."""
    for bitext in file.bitexts:
        if bitext.src is not None and len(bitext.alignment):
            yield from map(tokens, bitext.src.segments())


def check_tables(request: LinkRequest, files: Sequence[LinkedFile]) -> None:
    """Refuse tables and labels that lack their input, before anything is learned or written."""
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
                f"--save-projection {out}: {request.project} has columns, not CoNLL-U: "
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
        labels_of_sentence: dict[int, SegmentLabels] = {}
        sentence = 0
        for k, bead in enumerate(beads):
            while bead and sentence <= max(bead):
                sentence_labels = next(labels)
                if sentence in last:
                    labels_of_sentence[sentence] = sentence_labels
                sentence += 1
            yield bitext, k, [labels_of_sentence[segment] for segment in bead]
            for segment in bead:
                if last[segment] == k:
                    del labels_of_sentence[segment]
        for _ in range(sentence, size):
            next(labels)


def _source_tags(request: LinkRequest, files: Sequence[LinkedFile]) -> list[list[str]] | None:
    """Return the parts of speech of the source words of each pair; None without labels."""
    if request.project is None:
        return None
    (file,) = files
    with _opened_labels(request.project) as (_, labels):
        segments = match_labels(labels, _source_tokens(file), path=request.project)
        return [
            token_tags(sentence_labels) for _, _, sentence_labels in _pair_labels(file, segments)
        ]


def save_labels(
    request: LinkRequest, files: Sequence[LinkedFile], links: WordLinks
) -> Iterator[str]:
    """Write the target sentences with the labels of their sources; yield notes."""
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
        for (bitext, k, sentence_labels), pair in zip(
            _pair_labels(file, segments), links, strict=True
        ):
            if bitext is not current:
                current = bitext
                texts = bitext.tgt.segments() if bitext.tgt is not None else ()
                targets = [tokens(text) for text in texts]
            target = [word for t in bitext.alignment[k].tgt for word in targets[t]]
            projected = projector.project(sentence_labels, target, link_rows(pair))
            if projected is not None:
                out.writelines(f"{line}\n" for line in known.lines(projected))
    for line in projector.counts.lines():
        yield f"{request.save_projection}: {line}"


# Vectors of words of `bitext link`: files, encoders, and links by them alone.


def vectors_of(request: LinkRequest, files: Sequence[LinkedFile]) -> dict[str, Any]:
    """Return the argument `vectors` of `link_corpus`, if there are any.

    Raises `OptionError` when the rows of one file would be for the words of several, and
    `MissingExtraError` when the package of the encoder is not installed.
    """
    if request.encoder is not None:
        from bitext.align.links.token_encoders import token_encoder

        return {"vectors": token_encoder(request.encoder, request.layer)}
    if not request.vectors:
        return {}
    src, tgt = request.vectors
    if not all([is_table(src), is_table(tgt)]):
        if len(files) > 1:
            raise OptionError(
                f"--vectors {src}: has rows for the words of one file, and {len(files):,} files "
                f"are linked: join them with 'bitext convert', or give --encoder"
            )
        if Path(src).samefile(tgt):
            raise OptionError(f"--vectors {src}: is named for both texts; name the vectors of each")
    return {"vectors": (src, tgt)}


def digests_of(paths: Sequence[str]) -> list[str]:
    """Return a digest of the bytes of each file of vectors, and of the suffix that says its form.

    Raises `InputError` when a file cannot be read.
    """
    digests = []
    for path in paths:
        digest = hashlib.sha256(Path(path).suffix.lower().encode("utf-8", "surrogateescape"))
        try:
            with Path(path).open("rb") as file:
                hashlib.file_digest(file, lambda: digest)  # noqa: B023 - called at once
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read: {error.strerror or error}; check the path"
            ) from None
        digests.append(digest.hexdigest()[:32])
    return digests


def link_alone(request: LinkRequest, sides: Sides, vectors: Any) -> LinkedCorpus:
    """Link the words of all pairs by their vectors alone."""
    links = link_by_vectors(
        *sides, vectors, extract=request.extract or "", min_score=request.min_score
    )
    return LinkedCorpus(links, Lexicon.of_entries(()))
