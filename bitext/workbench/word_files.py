"""Word links of files as links of beads, and back.

Files count the words of a side of a bead, from 0, where blanks divide words. A text that comes with
word links has its words so, too (`words.BLANKS`). If a text has other words, files of word links
(Pharaoh, NAACL, GIZA++) are written with these, and with the texts, cut into them; all other files
have the text as it is, with links between the words that blanks divide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.model.word_links import COLUMN, Link, distinct, parse, spell, tokens
from bitext.workbench.changes import SIDES, Bead, Sentence
from bitext.workbench.words import BLANKS, WORDS, WordLink, words

if TYPE_CHECKING:
    from bitext.formats.io.source import Notes

WORD_FORMATS = ("giza", "naacl", "pharaoh")


def cuts_for(columns: Iterable[str], texts: Sequence[Any]) -> tuple[str, str]:
    """Choose the cut of two texts into words: at blanks, or by `words.WORDS`.

    If the columns of the alignment have word links, blanks divide words. Otherwise a text that is
    tokenised is cut at blanks alone.
    """
    from bitext.align.links.corpus import kind_of

    if COLUMN in columns:
        return BLANKS, BLANKS
    source, target = (BLANKS if kind_of(t.segments()) == "tokens" else WORDS for t in texts)
    return source, target


def with_links(
    beads: Sequence[Bead],
    values: Sequence[str | None],
    rows: Sequence[Sequence[Sentence]],
    name: str,
) -> list[Bead]:
    """Return the beads of bisegments with the word links of their column, `values`.

    The bead of bisegment k has the id `bk`; other beads get no links. `rows` are the sentences of
    both sides, and `name` is the name of the document in messages. Raises `InputError` when a value
    is not a list of links, or a link lies beyond the words of its side.
    """
    text_of_bead = {f"b{k}": value for k, value in enumerate(values) if value}
    text = [{row.id: row.text for row in side_texts} for side_texts in rows]
    linked_beads = []
    for bead in beads:
        if bead.id not in text_of_bead:
            linked_beads.append(bead)
            continue
        source, target = (
            [
                (each, k)
                for each in getattr(bead, side)
                for k in range(len(tokens(side_texts[each])))
            ]
            for side, side_texts in zip(SIDES, text, strict=True)
        )
        where = f"{name}: bisegment {bead.id[1:]}"
        try:
            links = distinct(parse(text_of_bead[bead.id]))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        word_links: list[WordLink] = []
        for link in links:
            if link.src >= len(source) or link.tgt >= len(target):
                raise InputError(
                    f"{where}: the word link {link.src}-{link.tgt} lies beyond its words, "
                    f"{len(source)} and {len(target)}: want the texts that the links are of"
                )
            kind = "possible" if link.possible else "sure"
            word_links.append((*source[link.src], *target[link.tgt], kind, link.confidence))
        linked_beads.append(bead._replace(words=tuple(word_links)))
    return linked_beads


def cut_texts(rows: Iterable[Sentence], cut: str) -> list[Sentence]:
    """Return sentences whose words blanks divide."""
    return [row._replace(text=" ".join(words(row.text, cut))) for row in rows]


def spelled_links(
    beads: Sequence[Bead],
    lists: Mapping[str, Sequence[Sentence]],
    cuts: Sequence[str],
    *,
    blanks: bool,
    losses: Notes | None = None,
) -> list[str | None]:
    """Return the column `words` of beads: `None` if no links are known.

    Links that are proposed are written as sure ones, with their confidence. `lists` are the
    sentences of both sides, and `cuts` how both texts are cut into words. With `blanks` positions
    count the words between blanks, though a text is cut otherwise; `losses` then gets the beads
    whose links are of other words.
    """
    texts = {side: {row.id: row.text for row in lists[side]} for side in SIDES}
    spelled_beads: list[str | None] = []
    for bead in beads:
        if not (bead.words or bead.linked):
            spelled_beads.append(None)
            continue
        places = []
        for side, cut in zip(SIDES, cuts, strict=True):
            # Positions go on through all sentences of a side of the bead.
            position_of_word: dict[tuple[str, int], int] = {}
            begin = 0
            for each in getattr(bead, side):
                positions, size = _positions(texts[side][each], cut, blanks=blanks)
                position_of_word |= {
                    (each, k): begin + position for k, position in enumerate(positions)
                }
                begin += size
            places.append(position_of_word)
        links = [
            Link(places[0][a, i], places[1][b, j], kind == "possible", confidence)
            for a, i, b, j, kind, confidence in bead.words
        ]
        unique_links = distinct(links)
        if blanks and losses is not None and bead.words and set(cuts) != {BLANKS}:
            losses.add("beads whose word links are written of words as blanks divide them", bead.id)
        spelled_beads.append(spell(unique_links))
    return spelled_beads


def _positions(text: str, cut: str, *, blanks: bool) -> tuple[list[int], int]:
    """Return the positions of the words of a sentence in a file, and their number there."""
    sentence_words = words(text, cut)
    if not blanks or cut == BLANKS:
        return list(range(len(sentence_words))), len(sentence_words)
    positions, token_index, unread_characters = [], -1, 0
    token_lengths = [len("".join(token.split())) for token in tokens(text)]
    for word in sentence_words:
        while unread_characters <= 0:
            token_index += 1
            unread_characters += token_lengths[token_index]
        positions.append(token_index)
        unread_characters -= len("".join(word.split()))
    return positions, len(token_lengths)
