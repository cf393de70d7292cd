"""Characters of a bitext put right: white space made one blank, forbidden ones replaced.

The segments with inline marks are changed along with the texts: the characters outside of codes
are the same in both afterwards. White space and characters within codes are those of a program,
not of a text; of them only what XML forbids is replaced.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from bitext.formats.forbidden import FORBIDDEN
from bitext.formats.marks import marked, pieces
from bitext.formats.part_places import Place, name_of
from bitext.model import Text

if TYPE_CHECKING:
    from bitext.formats.opening import Notes
    from bitext.model import Bitext

__all__ = ["tidied", "without_forbidden"]

_AT_FIRST = Place()
_SPACES = re.compile(r"\s+")
_REPLACEMENT = "\ufffd"


def tidied(bitext: Bitext, changed: Notes, place: Place = _AT_FIRST) -> Bitext:
    """Make one blank of each run of white space in segments, and none at their ends.

    `place` tells how much of the document pair came before, where the bitext is a part of it.
    """
    texts: list[Text | None] = []
    sides: tuple[tuple[Literal["source", "target"], Text | None], ...] = (
        ("source", bitext.src),
        ("target", bitext.tgt),
    )
    for side, text in sides:
        if text is None or not text.has_text:
            texts.append(text)
            continue
        before = list(text.segments())
        after = [_SPACES.sub(" ", segment.strip()) for segment in before]
        marks = None
        if text.marked is not None:
            marks = [xml if xml is None else _tidied_marks(xml) for xml in text.marked]
        pairs = enumerate(zip(before, after, strict=True))
        other = [k for k, (old, new) in pairs if old != new]
        if other:
            kind = "segments whose white space was tidied"
            case = f"{name_of(bitext)}: {place.segment(bitext, side, other[0])}"
            changed.add(kind, case, len(other))
            text = Text(
                after,
                ids=text.ids if text.has_ids else None,
                name=text.name,
                lang=text.lang,
                paragraphs=text.paragraphs,
                marked=marks,
            )
        texts.append(text)
    return replace(bitext, src=texts[0], tgt=texts[1])


def _tidied_marks(xml: str) -> str:
    """Tidy the white space outside of codes.

    A run that a mark interrupts becomes one blank, where it begins.

    Examples
    --------
    >>> _tidied_marks(' a  <ph x="1">< b></ph>  c <hi> </hi>'.replace("< b>", "&lt; b&gt;"))
    'a <ph x="1">&lt; b&gt;</ph>c<hi></hi>'

    """
    found = list(pieces(xml))
    blank, last = True, -1  # whether what comes before is white space; the last text
    for k, piece in enumerate(found):
        if piece.kind != "text":
            continue
        text = _SPACES.sub(" ", piece.text)
        if blank:
            text = text.removeprefix(" ")
        if text:
            blank, last = text.endswith(" "), k
        found[k] = piece._replace(text=text)
    if last >= 0:
        found[last] = found[last]._replace(text=found[last].text.removesuffix(" "))
    return marked(found)


def without_forbidden(bitext: Bitext, changed: Notes) -> Bitext:
    """Put U+FFFD for each character that XML forbids: in texts, marks, ids and columns."""
    found = 0

    def mend(value: str) -> str:
        nonlocal found
        mended, count = FORBIDDEN.subn(_REPLACEMENT, value)
        found += count
        return mended

    texts: list[Text | None] = []
    for text in (bitext.src, bitext.tgt):
        if text is None or text.line is None:
            texts.append(text)
            continue
        marks = text.marked
        if marks is not None:
            for xml, segment in zip(marks, text.segments(), strict=True):
                if xml is not None and FORBIDDEN.search(xml):  # those of the text count once
                    found += len(FORBIDDEN.findall(xml)) - len(FORBIDDEN.findall(segment))
            marks = [xml if xml is None else FORBIDDEN.sub(_REPLACEMENT, xml) for xml in marks]
        texts.append(
            Text.from_offsets(
                mend(text.line),
                text.starts,
                text.ends,
                ids=list(map(mend, text.ids)) if text.has_ids else None,
                name=text.name,
                lang=text.lang,
                paragraphs=text.paragraphs,
                marked=marks,
            )
        )
    a = bitext.alignment
    columns = {
        name: [None if value is None else mend(value) for value in column]
        for name, column in a.attributes.items()
    }
    if not found:
        return bitext
    kind = "characters that XML forbids, replaced by U+FFFD"
    changed.add(kind, name_of(bitext), found)
    alignment = type(a).from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=alignment)
