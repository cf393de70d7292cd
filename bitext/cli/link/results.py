"""What `bitext link` prints beside files of links: explanations, and the JSON document."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError, masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.links import Directions, LinkedCorpus, LinkExplanation
    from bitext.align.links.explanation import Direction, Neighbour, Rival
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.cli.link.request import LinkRequest
    from bitext.model import Bitext, WordLinks

__all__ = [
    "Place",
    "TextLinks",
    "document",
    "explained_document",
    "explanation_text",
    "linked_words",
    "page",
    "places_of",
    "texts_of",
]

_DIGITS = 4  # decimals of probabilities


class Place(NamedTuple):
    """The two words of an explanation.

    Attributes
    ----------
    number : int
        The number of the pair, as the option gives it.
    at : int
        Its index among the sentence pairs that are linked.
    text : str
        The name of the text; empty for a single one.
    src, tgt : int
        The positions of the words.

    """

    number: int
    at: int
    text: str
    src: int = 0
    tgt: int = 0


def places_of(
    asked: Iterable[Sequence[int]], files: Sequence[LinkedFile], sides: Sides
) -> list[Place]:
    """Find the pairs of words to explain among the sentence pairs of all files.

    Pairs count through all files; those of a file with a pair a line count its lines.

    Raises
    ------
    InputError
        When there is no such pair, or no such word in it.

    """
    from bitext.model.word_links import tokens

    several = sum(len(file.bitexts) for file in files) > 1
    places = []
    for number, *words in asked:
        place = _place_of(number, files, several=several)
        for name, side, at in zip(("source", "target"), sides, words, strict=True):
            size = len(tokens(side[place.at]))
            if at >= size:
                known = f"{name} words 0 to {size - 1}" if size else f"no {name} word"
                raise InputError(f"--explain {number} {words[0]} {words[1]}: the pair has {known}")
        places.append(place._replace(src=words[0], tgt=words[1]))
    return places


def _place_of(number: int, files: Sequence[LinkedFile], *, several: bool) -> Place:
    rest, index = number, 0
    for file in files:
        for bitext in file.bitexts:
            size = len(bitext.alignment)
            known = size if file.lines is None else file.size
            if rest >= known:
                rest, index = rest - known, index + size
                continue
            if file.lines is not None:
                line = rest
                rest = int(file.lines.searchsorted(line))
                if rest == size or file.lines[rest] != line:
                    raise InputError(f"--explain {number}: line {line} (from 0) has no text")
            name = (bitext.name or file.name) if several else ""
            return Place(number, index + rest, name)
    count = number - rest
    known_pairs = f"there are pairs 0 to {count - 1}" if count else "there is no sentence pair"
    raise InputError(f"--explain {number}: {known_pairs}")


class TextLinks(NamedTuple):
    """The links of a text, for a document or a page.

    Attributes
    ----------
    name, path : str
    bitext : Bitext
    numbers : sequence of int
        The number of each sentence pair in its text, from 0: its line in a file of links.
    links : WordLinks
    directions : Directions or None
        The probabilities of the links in both directions.

    """

    name: str
    path: str
    bitext: Bitext
    numbers: Sequence[int]
    links: WordLinks
    directions: Directions | None


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
    """Yield the JSON document in parts, a part a sentence pair.

    Parameters
    ----------
    request : LinkRequest
    texts : sequence of TextLinks
    outputs : sequence of str
        The files that were written.
    links : WordLinks
        All links.
    notes : sequence of str
    rows : bool
        Whether the sentence pairs are part of it.

    """
    from bitext.align.links import LEAST_SCORE

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
    import numpy as np

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
    for k, number in enumerate(text.numbers):
        yield {
            "text": masked(text.name),
            "pair": number,
            "src": None if words[0] is None else list(words[0][k]),
            "tgt": None if words[1] is None else list(words[1][k]),
            "links": [
                {name: values[at] for name, values in columns} for at in range(ptr[k], ptr[k + 1])
            ],
        }


def page(
    request: LinkRequest, texts: Sequence[TextLinks], table: Iterable[str], notes: Iterable[str]
) -> str:
    """Return the page of links (--html).

    Parameters
    ----------
    request : LinkRequest
    texts : sequence of TextLinks
    table : iterable of str
        The lines of the lexicon of the linked words.
    notes : iterable of str

    """
    from bitext.reports.links.data import LinkData
    from bitext.reports.links.page import page_of
    from bitext.reports.table import Table

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
    way = "" if request.symmetrise == "product" else f", {request.symmetrise}"
    return page_of(
        data,
        title=f"Word links of {name}{way}",
        notes=map(masked, notes),
        lexicon=lexicon if rows else None,
    )


def explained_document(
    request: LinkRequest, places: Sequence[Place], explanations: Sequence[LinkExplanation]
) -> str:
    """Return explanations as a JSON document."""
    from bitext.align.links import LEAST_SCORE

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


def explanation_text(places: Sequence[Place], explanations: Sequence[LinkExplanation]) -> str:
    """Return explanations as lines for reading, with an empty line between two."""
    parts = (
        "".join(f"{line}\n" for line in _explained(place, one))
        for place, one in zip(places, explanations, strict=True)
    )
    return "\n".join(parts)


def _explained(place: Place, one: LinkExplanation) -> Iterator[str]:
    from bitext.errors import many
    from bitext.reports.table import Table, number, printable

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
            ("translation", [way.translation for way in ways]),
            ("translation, by prior alone", [way.families for way in ways]),
            ("link, by words alone", [way.by_words for way in ways]),
            ("link, with positions", [way.posterior for way in ways]),
            ("no link", [way.none for way in ways]),
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
    for word, side, rivals in (
        (src, "target", one.tgt_rivals),
        (tgt, "source", one.src_rivals),
    ):
        if rivals:
            yield ""
            yield f"other {side} words for {word}"
            yield from _lines(_rival_table(rivals))


def _lines(table: Any) -> Iterator[str]:
    return (f"  {line}".rstrip() for line in table.render("table").rstrip("\n").split("\n"))


def _positions(way: Direction, said: str, chosen: str) -> Iterator[str]:
    for name, beside in (("before", way.before), ("after", way.after)):
        yield f"  {said} word {name}: {_beside(beside, chosen)}"


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
    from bitext.reports.table import Table, number, printable

    table = Table(["word", "", "forward", "backward", "score"], right={0, 2, 3, 4})
    for one in rivals:
        values = map(number, (one.forward, one.backward, one.score))
        table.rows.append([str(one.position), printable(one.word), *values])
    return table
