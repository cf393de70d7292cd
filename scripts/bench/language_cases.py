"""Pairs of languages for `alignment_languages.py`: sentences, gold standard, and harder variants.

A case is a text and its translation as sentences, and of each sentence the paragraph it is of. The
gold standard has one bead a paragraph, as what is within it is known of no translation here.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, NamedTuple

from alignment_quality import Document
from language_texts import fetch, parallel

from bitext import Alignment, Bitext
from bitext.model import Text
from bitext.segment.sentences import MODELS, SCRIPTS
from bitext.segment.sentences.splitter import SentenceSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = [
    "CASES",
    "HELD_OUT",
    "MOST",
    "VARIANTS",
    "Case",
    "case_of",
    "document",
    "drawn_again",
    "name_of",
    "sentences_of",
]

MOST = 1_600  # sentences of the source that are taken
CUT = 100  # sentences that are left out in a row
THINNED = 0.1  # of the paragraphs of each side are left out at random

# By collection: the codes there of two languages.
CASES = {
    "handbook": (
        "en-US ar-MA, en-US fa-IR, en-US ja-JP, en-US zh-CN, en-US ru-RU, en-US vi-VN, "
        "en-US id-ID, en-US nb-NO, en-US tr-TR, ja-JP de-DE, ar-MA fr-FR, ru-RU zh-CN, "
        "fa-IR pl-PL, vi-VN id-ID"
    ),
    "reference": "en de, en it, zh-cn ja",
    "gnome": (
        "C as, C cs, C el, C fi, C gu, C hr, C hu, C ko, C lv, C mr, C pl, C ta, C te, C uk, "
        "ko hu, mr ta"
    ),
    "django": "en az, en bn, en he, en hi, en hy, en ka, en mn, en th, th he",
    "verses": "ar en, id ar, ur id, tr sv, bn zh",
}
# These were not looked at when the others had shown what was to be mended.
HELD_OUT = {
    "handbook": "zh-TW fr-FR",
    "gnome": "C sr, ja fr",
    "django": "en ml, en ky",
    "verses": "fr ur, ar ru, es bn",
}
_LANGS = {"c": "en"}

_STOPS = re.compile(r"[.!?؟。।!]+[\"'”’»)\]]*\s+")
_SHORT = re.compile(r"(?<!\S)\S{1,2}\.[\"'”’»)\]]*\s+$")  # an abbreviation, or an ordinal number


class Case(NamedTuple):
    """A text and its translation.

    Attributes
    ----------
    name : str
        `handbook en-ja`.
    langs : pair of str
    src, tgt : list of str
        Sentences.
    own : pair of lists of int
        The paragraph of each sentence of the source, and of the target.
    about : str
        How many chapters and paragraphs were left out.

    """

    name: str
    langs: tuple[str, str]
    src: list[str]
    tgt: list[str]
    own: tuple[list[int], list[int]]
    about: str = ""


def language(code: str) -> str:
    """Return the language of a code of a collection: `ja` for `ja-JP`."""
    plain = re.split(r"[-_@]", code.lower())[0]
    return _LANGS.get(plain, plain)


def sentences_of(
    paragraph: str, lang: str, splitters: dict[str, SentenceSplitter | None]
) -> list[str]:
    """Cut a paragraph into sentences.

    For a language that the project has no model of sentences of, behind full stops, question marks
    and exclamation marks of its script before a space, where what follows is no small letter and
    what comes before is no short word with a dot: the texts stay as they are so.

    Examples
    --------
    >>> sentences_of("ये देखें। वह घर है।", "hi", {})
    ['ये देखें।', 'वह घर है।']

    """
    if lang not in splitters:
        known = lang in {*MODELS, *SCRIPTS}
        splitters[lang] = SentenceSplitter(lang, lists=False) if known else None
    splitter = splitters[lang]
    if splitter is not None:
        return splitter.sentences(paragraph)
    found, begin = [], 0
    for stop in _STOPS.finditer(paragraph):
        end = stop.end()
        if paragraph[end : end + 1].islower() or _SHORT.search(paragraph, begin, end):
            continue
        found.append(paragraph[begin:end].strip())
        begin = end
    found.append(paragraph[begin:].strip())
    return [sentence for sentence in found if sentence]


def name_of(collection: str, codes: tuple[str, str]) -> str:
    """Return the name of a case: `handbook en-ja`."""
    return f"{collection} {language(codes[0])}-{language(codes[1])}"


def case_of(collection: str, codes: tuple[str, str], cache: Path, *, most: int = MOST) -> Case:
    """Return the case of two languages of a collection, with so many source sentences at most."""
    fetch(collection, codes, cache)
    texts = parallel(collection, codes, cache)
    langs = language(codes[0]), language(codes[1])
    sides: tuple[list[str], list[str]] = [], []
    own: tuple[list[int], list[int]] = [], []
    splitters: dict[str, SentenceSplitter | None] = {}
    used = 0
    for used, pair in enumerate(texts.pairs, start=1):
        for side, numbers, lang, text in zip(sides, own, langs, pair, strict=True):
            sentences = sentences_of(text, lang, splitters)
            side += sentences
            numbers += [used] * len(sentences)
        if len(sides[0]) >= most:
            break
    about = f"{used} of {len(texts.pairs)}; {texts.differing} of {texts.chapters}; {texts.same}"
    return Case(name_of(collection, codes), langs, *sides, own, about)


def document(case: Case) -> Document:
    """Return a case with its gold standard, one bead a paragraph."""
    held: dict[int, tuple[list[int], list[int]]] = {}
    for side, numbers in enumerate(case.own):
        for place, number in enumerate(numbers):
            held.setdefault(number, ([], []))[side].append(place)
    beads = [(tuple(src), tuple(tgt)) for _, (src, tgt) in sorted(held.items())]
    src, tgt = Text(case.src, name=case.name), Text(case.tgt, name=case.name)
    gold = Bitext(src, tgt, Alignment(beads))
    verses = [str(number) for number in case.own[0]], [str(number) for number in case.own[1]]
    collection, _, name = case.name.partition(" ")
    return Document(collection, name, case.langs, gold, verses)


def as_it_is(case: Case) -> Case:
    """Return the case."""
    return case


def swapped(case: Case) -> Case:
    """Return the case with its sides changed."""
    return case._replace(
        langs=case.langs[::-1], src=case.tgt, tgt=case.src, own=(case.own[1], case.own[0])
    )


def thinned(case: Case, seed: int = 1) -> Case:
    """Return the case without a tenth of the paragraphs, others on each side."""
    src, tgt = _tenths(case, seed)
    return _without(case, src, tgt)


def sampled(case: Case, seed: int) -> Case:
    """Return the case without a tenth of the paragraphs, the same on both sides."""
    gone, _ = _tenths(case, seed)
    return _without(case, gone, gone)


def _tenths(case: Case, seed: int) -> tuple[set[int], set[int]]:
    """Return two tenths of the paragraphs."""
    drawn = random.Random(seed)  # noqa: S311 - the same every time is what is wanted
    numbers = sorted({*case.own[0]})
    src, tgt = ({number for number in numbers if drawn.random() < THINNED} for _ in range(2))
    return src, tgt


def cut(case: Case, share: float = 0.5) -> Case:
    """Return the case without the paragraphs of 100 sentences of the target, in its midst.

    With a share of 0 these are the first, with 1 the last.
    """
    begin = int(max(len(case.own[1]) - CUT, 0) * share)
    return _without(case, set(), {*case.own[1][begin : begin + CUT]})


def _without(case: Case, src: set[int], tgt: set[int]) -> Case:
    kept = [
        [k for k, number in enumerate(numbers) if number not in gone]
        for numbers, gone in zip(case.own, (src, tgt), strict=True)
    ]
    return case._replace(
        src=[case.src[k] for k in kept[0]],
        tgt=[case.tgt[k] for k in kept[1]],
        own=([case.own[0][k] for k in kept[0]], [case.own[1][k] for k in kept[1]]),
    )


VARIANTS: dict[str, Callable[[Case], Case]] = {
    "as it is": as_it_is,
    "thinned": thinned,
    "cut": cut,
    "swapped": swapped,
}


def drawn_again(case: Case, variant: str, times: int) -> Iterator[Case]:
    """Yield a variant of a case as it is by other chances.

    Other paragraphs are left out, or what is cut is elsewhere. Where nothing is left out, a tenth
    of the paragraphs is, the same on both sides: what is left are two texts of the same kind.
    """
    for k in range(times):
        if variant == "thinned":
            yield thinned(case, seed=2 + k)
        elif variant == "cut":
            yield cut(case, share=(k + 0.5) / times)
        else:
            yield VARIANTS[variant](sampled(case, seed=2 + k))
