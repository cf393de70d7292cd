"""Texts whose lines have tags, as `<p class="a">It <b>rained</b>.</p>`: what is seen of these.

Tags that stand about each line tell nothing of it, but hide how its sentence begins and ends, and
make all lines longer. So do tags within sentences if the other text has none. Where both have some
they help, but what they have beside their names, as the address of a link, may be longer than the
sentence. Lines that are nothing but tags are looked at as they are.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bitext.align.sentences.escaped_lines import unescaped
from bitext.align.sentences.seen_texts import Rewritten

if TYPE_CHECKING:
    from bitext.align.sentences.seen_texts import Seen

__all__ = ["is_empty", "seen_without_tags", "with_plain_tags", "without_end_tags", "without_tags"]

_LONGEST = 300  # characters of a tag, and of what an attribute says
_COMMENT = rf"<!--[^<>]{{0,{_LONGEST}}}-->"
_TAG = rf"(?:<(?:/?[A-Za-z][^<>]{{0,{_LONGEST}}})>|{_COMMENT})"
# Within a sentence `<name of author>` is no tag.
_SAYS = rf"(?:\"[^\"<>]{{0,{_LONGEST}}}\"|'[^'<>]{{0,{_LONGEST}}}'|[^\s\"'<>]{{1,{_LONGEST}}})"
_ATTRIBUTES = rf"(?:\s+[\w:.-]{{1,50}}\s*=\s*{_SAYS})"
_NAME = r"[A-Za-z][\w:.-]{0,50}"
_ANY = re.compile(rf"<(?:/{_NAME}|{_NAME}{_ATTRIBUTES}{{0,20}}\s*/?)>|{_COMMENT}")
_BEGUN = re.compile(rf"<({_NAME}){_ATTRIBUTES}{{1,20}}\s*>")
_HEAD = re.compile(rf"(?:\s*{_TAG})+")
_TAIL = re.compile(rf"{_TAG}\Z")
_FIRST = 50  # sentences that tell whether there are tags
_MANY = 0.5  # of them begin or end with one
_TIMES = 2.0  # as often as in the other text, and more: tags tell nothing


def seen_without_tags(src: Seen, tgt: Seen) -> list[Seen]:
    """Return two texts without what tells nothing of their tags.

    These are tags at the ends of sentences, if half of them or more have some there; and anywhere,
    if more than twice as many of them have some as in the other text. Others are seen without
    attributes, but for empty ones (`<x id="1"/>`), which stand for something.

    Examples
    --------
    >>> from bitext.model import Text
    >>> some, others = Text(["<s id='1'>It <b>rained</b>.</s>", "a < b"]), Text(["Il pleut.", "a"])
    >>> [list(text.segments())[0] for text in seen_without_tags(some, some)]
    ['It <b>rained</b>.', 'It <b>rained</b>.']
    >>> [list(text.segments())[0] for text in seen_without_tags(some, others)]
    ['It rained.', 'Il pleut.']

    """
    both = [_without_ends(text) for text in (src, tgt)]
    shares = [_tagged(text) for text in both]
    return [
        Rewritten(text, without_tags if mine > _TIMES * other else with_plain_tags)
        if mine
        else text
        for text, mine, other in zip(both, shares, reversed(shares), strict=True)
    ]


def is_empty(sentence: str) -> bool:
    """Return whether a sentence has no visible character that is not in a tag.

    Examples
    --------
    >>> [is_empty(one) for one in ("", " ", "<p>", "<td>&nbsp;</td>", "<p>It rained.</p>", "<3")]
    [True, True, True, True, False, False]

    """
    if not sentence or sentence.isspace():
        return True
    if sentence.lstrip()[0] not in "<&":
        return False
    seen = _ANY.sub("", unescaped(sentence))
    return not seen or seen.isspace()


def without_tags(sentence: str) -> str:
    """Return a sentence without its tags, or as it is if it is nothing else.

    Examples
    --------
    >>> [without_tags(one) for one in ("It <b>rained</b>.", "a < b", "<hr/>")]
    ['It rained.', 'a < b', '<hr/>']

    """
    if "<" not in sentence:
        return sentence
    rest = _ANY.sub("", sentence)
    return rest if rest.strip() else sentence


def with_plain_tags(sentence: str) -> str:
    """Return a sentence with tags that have no attributes, or as it is if it is nothing but tags.

    Examples
    --------
    >>> [with_plain_tags(one) for one in ("<a href='x'>It</a> <x id='1'/>", "<p id='7'>")]
    ["<a>It</a> <x id='1'/>", "<p id='7'>"]

    """
    if "<" not in sentence or is_empty(sentence):
        return sentence
    return _BEGUN.sub(r"<\1>", sentence)


def without_end_tags(sentence: str) -> str:
    """Return a sentence without the tags at its ends, or as it is if it is nothing else.

    Examples
    --------
    >>> [without_end_tags(one) for one in ("<p><b>It</b> rained.</p>", "<hr/>")]
    ['It</b> rained.', '<hr/>']

    """
    if "<" not in sentence:
        return sentence
    head = _HEAD.match(sentence)
    begin, end = head.end() if head else 0, len(sentence)
    while end > begin:
        if sentence[end - 1].isspace():
            end -= 1
        elif tail := _TAIL.search(sentence, max(begin, end - 2 * _LONGEST), end):
            end = tail.start()
        else:
            break
    return sentence[begin:end].lstrip() or sentence


def _without_ends(text: Seen) -> Seen:
    first = list(islice(text.segments(0, _FIRST), _FIRST))
    tagged = sum(len(without_end_tags(sentence)) < len(sentence.strip()) for sentence in first)
    return Rewritten(text, without_end_tags) if first and tagged >= _MANY * len(first) else text


def _tagged(text: Seen) -> float:
    """Return the share of the sentences with a tag beside something else."""
    with_any = (sentence for sentence in text.segments() if "<" in sentence)
    found = sum(len(without_tags(sentence)) < len(sentence) for sentence in with_any)
    return found / max(len(text), 1)
