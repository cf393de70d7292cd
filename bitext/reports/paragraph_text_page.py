"""Running text with its paragraphs as a page: each break with how sure it is.

Beside each paragraph stand its confidence and a bar of that length; the breaks that are least sure
are listed, and lead to their places. The page has no script.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bitext.reports import pages
from bitext.reports.pages import Section, held
from bitext.reports.table import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BrokenChapter", "Paragraph", "paragraph_text_page"]

_MOST = 20_000  # sentences of a page
_LISTED = 20  # breaks that are least sure
_SENTENCE = 4_000  # characters
_BEGIN = 90


class Paragraph(NamedTuple):
    """A paragraph.

    Attributes
    ----------
    confidence : float or None
        That it starts where it does; `None` where that is not known, or no question.
    sentences : list of str

    """

    confidence: float | None
    sentences: list[str]


class BrokenChapter(NamedTuple):
    """A chapter with its paragraphs; the first starts in any case."""

    name: str
    paragraphs: list[Paragraph]


def paragraph_text_page(chapters: Sequence[BrokenChapter], *, title: str, told: str = "") -> str:
    """Return the page of a text as HTML: the same for the same input.

    Parameters
    ----------
    chapters : sequence of BrokenChapter
    title : str
    told : str
        What found the breaks, as the model.

    Examples
    --------
    >>> paragraphs = [Paragraph(None, ["Rain."]), Paragraph(0.7, ["<i>.", "Wind."])]
    >>> html = paragraph_text_page([BrokenChapter("I", paragraphs)], title="storm")
    >>> html.count('class="sure"'), "&lt;i&gt;." in html, "<i>" in html
    (1, True, False)

    """
    count = sum(len(chapter.paragraphs) for chapter in chapters)
    sentences = sum(len(p.sentences) for chapter in chapters for p in chapter.paragraphs)
    summary = f"{many(count, 'paragraph')} of {many(sentences, 'sentence')} in "
    summary += f"{many(len(chapters), 'chapter')}. "
    sections = [Section("text", "Text", _text(chapters, sentences))]
    if unsure := _least_sure(chapters):
        sections.append(Section("unsure", "Least sure breaks", unsure))
    style = pages.asset("paragraph_text.css")
    return pages.page(title, summary + (held(told) if told else ""), sections, style=style)


def _text(chapters: Sequence[BrokenChapter], sentences: int) -> Iterator[str]:
    yield (
        '<p class="quiet">Beside a paragraph stands how likely it is that one starts there, '
        "from 0 to 1.</p>"
    )
    left, number = _MOST, 0
    for chapter in chapters:
        if left <= 0:
            break
        yield f'<div class="chapter"><h3>{held(chapter.name or "(no name)", 200)}</h3>'
        for k, paragraph in enumerate(chapter.paragraphs):
            number += 1
            sure = paragraph.confidence if k else None
            yield f'<p class="part" id="p{number}">{_margin(sure)}<span class="said-here">'
            kept = paragraph.sentences[:left]
            yield " ".join(held(sentence, _SENTENCE) for sentence in kept)
            yield "</span></p>"
            left -= len(kept)
            if left <= 0:
                break
        yield "</div>"
    if sentences > _MOST:
        yield f'<p class="quiet">The first {_MOST:,} of {sentences:,} sentences.</p>'


def _margin(sure: float | None) -> str:
    if sure is None:
        return '<span class="margin"></span>'
    bar = (
        '<svg width="40" height="8" viewBox="0 0 40 8" aria-hidden="true">'
        '<rect class="room" x=".5" y=".5" width="39" height="7"/>'
        f'<rect class="share" x=".5" y=".5" width="{39 * sure:.1f}" height="7"/></svg>'
    )
    return f'<span class="margin"><span class="sure">{sure:.2f}</span>{bar}</span>'


def _least_sure(chapters: Sequence[BrokenChapter]) -> list[str]:
    """Return the list of the breaks that are least sure, among those that stand on the page."""
    found, number, before = [], 0, 0
    for chapter in chapters:
        for k, paragraph in enumerate(chapter.paragraphs):
            number += 1
            if k and paragraph.confidence is not None and before < _MOST:
                found.append((paragraph.confidence, number, paragraph.sentences[0]))
            before += len(paragraph.sentences)
    if not found:
        return []
    rows = [
        f'<li>{sure:.2f} <a href="#p{place}">{held(" ".join(text.split()), _BEGIN)}</a></li>'
        for sure, place, text in islice(sorted(found), _LISTED)
    ]
    return ['<ol class="unsure">', *rows, "</ol>"]
