"""Word links of beads: definition of words, and links after changes of sentences and beads.

A link is `(source id, index, target id, index, kind, confidence)`: two words, each named by the id
of its sentence and its place among the words of the sentence, from 0. Words depend on
the *cut* of the text, which is stored with it and never changes:

- `blanks`: blanks, tabs and line ends divide words, and nothing else does; as in files of word
  links, and texts that are tokenised;
- `words-1`: punctuation marks are words of their own, ideographs are words each. All characters
  are listed here, and not taken from tables of Unicode that grow: Python and all browsers
  (`page/words.js`) count the same words, today and in later versions.

A link whose two sentences are no longer in one bead is gone. If sentences are split or joined,
links follow the characters; where one is corrected, they follow the words that stay, and words
that others take the place of, as many for as many. Links of other words are gone. The page
shows their number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bitext.model.word_links import tokens

WORDS, BLANKS = "words-1", "blanks"
CUTS = (WORDS, BLANKS)
KINDS = ("sure", "possible", "proposed")
"""Kinds of links: the last is of the aligner, and nobody has decided it."""

WordLink = tuple[str, int, str, int, str, "float | None"]

# Of `page/words.js`, character by character.
_B = "\t-\r \x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17dd"
_SIGNS = (  # of scripts without blanks: vowels and marks after or around a letter
    "\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059"
    "\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u109a-\u109d\u17b4-\u17d3"
    "\u17dd"
)
_P = (
    "!-/:-@\\[-`{-~\xa1-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u055a-\u055f\u0589"
    "\u05be\u05c0\u05c3\u05c6\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e4f\u0e5a\u0e5b"
    "\u104a-\u104f\u1361-\u1368\u17d4-\u17da\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2190-\u2bff"
    "\u3001-\u3003\u3008-\u3020\u3030\u303d\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    "\uff5b-\uff65"
)
_VOWELS = (
    "AEIOUYHaeiouyh\xc0-\xc4\xc8-\xcf\xd2-\xd6\xd9-\xdc\xe0-\xe4\xe8-\xef\xf2-\xf6\xf9-\xfc\u0153"
)
_W = f"[^{_B}{_HAN}{_HIRAGANA}{_KATAKANA}{_UNSPACED}{_P}]"
_WORD = re.compile(
    rf"[0-9]+(?:[.,:][0-9]+)+(?!{_W})"  # a number
    rf"|{_W}+(?:[-\u2010]{_W}+)*(?:['\u2019](?=[{_VOWELS}]))?"  # an elided word has its apostrophe
    rf"|(?<={_W})['\u2019]{_W}+"  # as has what follows a word otherwise
    rf"|[{_HAN}]|[{_HIRAGANA}]+|[{_KATAKANA}]+"
    rf"|[\u0e40-\u0e44\u0ec0-\u0ec4]?[{_UNSPACED}](?:[\u1039\u17d2][{_UNSPACED}]|[{_SIGNS}])*"
    rf"|\.\.+|--+|[^{_B}]"
)
_MAX_TABLE_CELLS = (
    250_000  # of the table by which the words of a corrected sentence are compared; by hand
)


def words(text: str, cut: str) -> list[str]:
    """Return the words of a sentence, by one of `CUTS`.

    Examples
    --------
    >>> words("L'arbre d'Anna's, 1,700.5 m...", "words-1")
    ["L'", 'arbre', "d'", 'Anna', "'s", ',', '1,700.5', 'm', '...']
    >>> words("新しいサーバー。", "words-1"), words("L'arbre, vert.", "blanks")
    (['新', 'しい', 'サーバー', '。'], ["L'arbre,", 'vert.'])

    """
    return tokens(text) if cut == BLANKS else _WORD.findall(text)


# What becomes of words


def moved(splices: Iterable[Any], side: str, cut: str) -> dict[str, list[Any]]:
    """Locate the words of changed sentences after splices of a text.

    Splices follow one another; those of other lists than `side` are passed over. By the id of each
    sentence that was removed, there is for each of its words the id of the sentence and the index
    of the word now, or `None`.
    """
    places_of_sentence: dict[str, list[Any]] = {}
    for splice in splices:
        if splice.list != side:
            continue
        now = _moved(splice.remove, splice.insert, cut)
        for places in places_of_sentence.values():
            places[:] = [
                now[place[0]][place[1]] if place and place[0] in now else place for place in places
            ]
        for name, places in now.items():
            places_of_sentence.setdefault(name, places)
    return places_of_sentence


def _moved(old: Sequence[Any], new: Sequence[Any], cut: str) -> dict[str, list[Any]]:
    old_words = [words(row.text, cut) for row in old]
    new_words = [words(row.text, cut) for row in new]
    if _plain(old) == _plain(new):
        ends, names, size = [], [], 0
        for row, sentence_words in zip(new, new_words, strict=True):
            for k, word in enumerate(sentence_words):
                size += len(_bare(word))
                ends.append(size)
                names.append((row.id, k))
        places_of_sentence, begin = {}, 0
        for row, sentence_words in zip(old, old_words, strict=True):
            places: list[Any] = []
            for word in sentence_words:
                end = begin + len(_bare(word))
                index = bisect_right(ends, begin)
                places.append(names[index] if index < len(ends) and end <= ends[index] else None)
                begin = end
            places_of_sentence[row.id] = places
        return places_of_sentence
    # The same ids in the same order: sentences are corrected.
    return {
        one.id: [None if k is None else (two.id, k) for k in _same_words(a, b)]
        for one, two, a, b in zip(old, new, old_words, new_words, strict=True)
    }


def _plain(rows: Iterable[Any]) -> str:
    return "".join(_bare(row.text) for row in rows)


def _bare(text: str) -> str:
    return re.sub(f"[{_B}]+", "", text)


def _same_words(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """Return the place of each old word among the new ones.

    Words of a longest common subsequence are the same; between two of them as many words take the
    place of as many. Others have no place.
    """
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    a, b = old[first : len(old) - last], new[first : len(new) - last]
    pairs = _common(a, b) if len(a) * len(b) <= _MAX_TABLE_CELLS else []
    anchors = [(first + i, first + j) for i, j in pairs]
    anchors += [(len(old) - last + k, len(new) - last + k) for k in range(last)]
    places_in_new: list[int | None] = [*range(first), *[None] * (len(old) - first)]
    i, j = first, first
    for p, q in [*anchors, (len(old), len(new))]:
        if p - i == q - j:
            places_in_new[i:p] = range(j, q)
        if p < len(old):
            places_in_new[p] = q
        i, j = p + 1, q + 1
    return places_in_new


def _common(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence."""
    sizes = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            next_in_a, next_in_b = sizes[i + 1][j], sizes[i][j + 1]
            sizes[i][j] = sizes[i + 1][j + 1] + 1 if a[i] == b[j] else max(next_in_a, next_in_b)
    common_places, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            common_places.append((i, j))
            i, j = i + 1, j + 1
        elif sizes[i + 1][j] >= sizes[i][j + 1]:
            i += 1
        else:
            j += 1
    return common_places


def keep_words(
    old: Iterable[Any],
    new: Iterable[Any],
    moves: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
) -> list[Any]:
    """Return beads that take the place of others, with those links of theirs that still fit.

    A bead with the id and the sentences of one before keeps its links, and whether they are
    confirmed, if no word of it has moved. Others have all links between two of their sentences,
    unconfirmed. `moves` is for each side where words are now, as `moved` returns it.
    """
    old_beads = {bead.id: bead for bead in old}
    if not any(bead.words or bead.linked for bead in old_beads.values()):
        return [bead._replace(words=(), linked=False) for bead in new]
    source, target = ((moves or {}).get(side, {}) for side in ("source", "target"))
    pool: dict[tuple[str, str], list[WordLink]] = {}
    for bead in old_beads.values():
        for one, i, other, j, kind, confidence in bead.words:
            a = source[one][i] if one in source else (one, i)
            b = target[other][j] if other in target else (other, j)
            if a is not None and b is not None:
                pool.setdefault((a[0], b[0]), []).append((*a, *b, kind, confidence))
    kept_beads = []
    for bead in new:
        old_bead = old_beads.get(bead.id)
        if (
            old_bead is not None
            and (old_bead.source, old_bead.target) == (bead.source, bead.target)
            and not any(_is_moved(source, each) for each in bead.source)
            and not any(_is_moved(target, each) for each in bead.target)
        ):
            kept_beads.append(bead._replace(words=old_bead.words, linked=old_bead.linked))
            continue
        links = [each for a in bead.source for b in bead.target for each in pool.get((a, b), ())]
        kept_beads.append(bead._replace(words=_distinct(links), linked=False))
    return kept_beads


def _is_moved(moves: Mapping[str, Sequence[Any]], name: str) -> bool:
    return name in moves and list(moves[name]) != [(name, k) for k in range(len(moves[name]))]


def _distinct(links: Iterable[WordLink]) -> tuple[WordLink, ...]:
    """Return links in order; of two of the same words the one that is decided, or sure."""
    chosen: dict[tuple[str, int, str, int], WordLink] = {}
    for link in links:
        earlier = chosen.get(link[:4])
        if earlier is None or KINDS.index(link[4]) < KINDS.index(earlier[4]):
            chosen[link[:4]] = link
    return tuple(chosen.values())
