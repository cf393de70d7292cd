"""Document pairs of TEI links: which two texts are one, and which of them is the source.

Links between two texts each are a pair for every two texts that are linked: so a hub with several
others makes several pairs. Where a link has segments of three texts or more, two of them have to be
chosen by their languages (`--src-lang`, `--tgt-lang`): by `xml:lang`, or where no file says one, by
the parts of its name (`oana-en.xml`), which is noted. The segments of the others are left out, and
noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bitext.formats.languages import finds, normal
from bitext.formats.tei_sides import Made
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitext.formats.opening import Notes, Source
    from bitext.formats.tei_sides import Key, Sides

__all__ = ["Pair", "Wanted", "pair_up"]

_PARTS = re.compile(r"[^0-9A-Za-z]+")


@dataclass(slots=True)
class Pair:
    """Two texts and the links between them."""

    src: Key
    tgt: Key
    links: list[Made] = field(default_factory=list)


@dataclass(slots=True)
class Wanted:
    """The languages that the user asked for, and how to know that of a text."""

    src: str
    tgt: str
    language_of: Callable[[Key], str]
    source: Source
    notes: Notes

    def fits(self, key: Key, wanted: str) -> bool | None:
        """Tell whether a text is of a language; `None` where nothing says it."""
        if not wanted:
            return None
        language = self.language_of(key)
        if language:
            return finds(wanted, language)
        if key[0] != "file":
            return None
        parts = [normal(part) for part in _PARTS.split(key[1])]
        if normal(wanted) not in parts and wanted != key[1]:
            return None
        kind = "texts whose language was told by the name of their file"
        self.notes.add(kind, f"{self.source.path}: {key[1][:80]!r} as {wanted}")
        return True

    def turn(self, src: Key, tgt: Key) -> tuple[int, Key, Key]:
        """Return the two in the order asked for, and how many are known to be of their language.

        The number is -1 if they are other languages.
        """
        if not (self.src or self.tgt):
            return 0, src, tgt
        straight = (self.fits(src, self.src), self.fits(tgt, self.tgt))
        turned = (self.fits(tgt, self.src), self.fits(src, self.tgt))
        best = max((straight, turned), key=lambda fit: (fit.count(True), -fit.count(False)))
        sure = -1 if False in best else best.count(True)
        return (sure, src, tgt) if best == straight else (sure, tgt, src)

    def shown(self, keys: Sequence[Key]) -> str:
        """Name texts for a message."""
        return ", ".join(self.name(key) for key in keys[:12]) + (", ..." if len(keys) > 12 else "")

    def name(self, key: Key) -> str:
        """Name a text for a message."""
        language = self.language_of(key)
        if key[0] == "file":
            return f"{key[1]!r}{f' ({language})' if language else ''}"
        return language or {"corresp": f"those {key[1]}"}.get(key[0], f"a text ({' '.join(key)})")


def pair_up(links: Sequence[Made], sides: Sides, wanted: Wanted, line: int) -> list[Pair]:
    """Put links into pairs of texts, in the order of their first links.

    Raises
    ------
    FormatError
        When there are more than two texts and no choice, or no text is in a language asked for.

    """
    several = next((link for link in links if len(link.sides()) > 2), None)
    if several is not None:
        return _chosen(links, sides, wanted, several)
    pairs: dict[frozenset[Key], Pair] = {}
    rank = {key: k for k, key in enumerate(sides.declared)}
    for link in links:
        both = link.sides()
        if len(both) == 2 and frozenset(both) not in pairs:
            both.sort(key=lambda key: rank.get(key, len(rank)))
            pairs[frozenset(both)] = Pair(both[0], both[1])
    if not pairs and len(sides.declared) > 1:
        pairs[frozenset(sides.declared[:2])] = Pair(sides.declared[0], sides.declared[1])
    for link in links:
        both = link.sides()
        pair = pairs.get(frozenset(both)) if len(both) == 2 else None
        pair = pair or _pair_of_one(both[0], link, pairs, wanted)
        if pair is not None:
            pair.links.append(link)
    return _of_languages(list(pairs.values()), wanted, line)


def _of_languages(pairs: list[Pair], wanted: Wanted, line: int) -> list[Pair]:
    """Return the pairs of the languages asked for: of those that are best known to be it."""
    turned = [wanted.turn(pair.src, pair.tgt) for pair in pairs]
    best = max((sure for sure, _, _ in turned), default=0)
    if best < 0:
        keys = list(dict.fromkeys(key for pair in pairs for key in (pair.src, pair.tgt)))
        raise wanted.source.error(_other(wanted, keys), line)
    found = []
    for pair, (sure, src, tgt) in zip(pairs, turned, strict=True):
        if sure == best:
            found.append(Pair(src, tgt, pair.links))
        else:
            kind = "document pairs in other languages than those asked for, left out"
            where = f"{wanted.source.path} line {pair.links[0].line if pair.links else line}"
            wanted.notes.add(kind, f"{where}: {wanted.shown([pair.src, pair.tgt])}")
    return found


def _pair_of_one(
    key: Key, link: Made, pairs: dict[frozenset[Key], Pair], wanted: Wanted
) -> Pair | None:
    """Return the pair that a link with one side only belongs to."""
    found = [pair for both, pair in pairs.items() if key in both]
    if len(found) > 1:
        kind = "links with one side, of a text that is aligned with several, taken for the first"
        wanted.notes.add(kind, f"{wanted.source.path} line {link.line}: {wanted.name(key)}")
    if not found:
        wanted.source.refuse(
            f"has a link of one side only ({wanted.name(key)}), and nothing says with which text "
            f"that is aligned; name the two texts in domains of the linkGrp",
            link.line,
        )
    return found[0] if found else None


def _chosen(links: Sequence[Made], sides: Sides, wanted: Wanted, several: Made) -> list[Pair]:
    """Return the one pair of the two texts that were asked for, of three or more."""
    keys = list(dict.fromkeys([*sides.declared, *(key for link in links for key in link.sides())]))
    src = [key for key in keys if wanted.fits(key, wanted.src)]
    tgt = [key for key in keys if wanted.fits(key, wanted.tgt)]
    if not (wanted.src and wanted.tgt):
        raise wanted.source.error(
            f"has a link between {len(several.sides())} texts; choose two by their languages "
            f"({remedy('src-lang', 'tgt-lang')}): {wanted.shown(keys)}",
            several.line,
        )
    if len(src) != 1 or len(tgt) != 1 or src == tgt:
        raise wanted.source.error(_other(wanted, keys), several.line)
    pair = Pair(src[0], tgt[0])
    for link in links:
        kept = [k for k, key in enumerate(link.keys) if key in {pair.src, pair.tgt}]
        others = [link.keys[k] for k in range(len(link.keys)) if k not in kept]
        if others:
            kind = "segments of further texts, left out"
            where = f"{wanted.source.path} line {link.line}: {wanted.name(others[0])}"
            wanted.notes.add(kind, where, len(others))
        if kept:
            pointers = [link.pointers[k] for k in kept]
            keys = [link.keys[k] for k in kept]
            pair.links.append(Made(pointers, link.attributes, link.line, keys))
    return [pair]


def _other(wanted: Wanted, keys: Sequence[Key]) -> str:
    asked = " and ".join(filter(None, (wanted.src, wanted.tgt)))
    return (
        f"has not one text for each language asked for ({asked}), but: {wanted.shown(keys)}; "
        f"choose of these ({remedy('src-lang', 'tgt-lang')})"
    )
