"""Sentences of English text, as articles have them.

A line that is empty, or holds white space alone, ends a paragraph and with it a sentence, so a
headline needs no stop. Within a paragraph lines are joined, unless a line stops well before the
others do, without a comma or a hyphen, and the next one starts like a sentence: then it ends there,
too (a headline, an item of a list).

A sentence ends at `.`, `?`, `!` or an ellipsis, with the quotation marks and brackets that close
right after it (`»` after a space, too, if `«` is open), where white space follows and then
something that does not start in lower case. Not so

- after an abbreviation. Titles and what stands before names or numbers (`Mr.`, `Gen.`, `No.`) never
  end a sentence; times of day (`p.m.`) do before a capital that is no day and no zone; others, and
  single letters (`Inc.`, `U.S.`, `J.`), do before a word that is as good as never a name: `The`,
  `He`, `But`, `In`;
- after a `?` or `!` in quotation marks when who said it follows: `"Why?" Mrs. Crane asked.`;
- after a number or a letter that begins the sentence, as those of lists do: `1. Open the door.`
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.syntax.tokenizer import PARTING
from bitext.syntax.tokenizer import spans as token_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["spans", "split_sentences"]

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_STOP = re.compile(r"[.?!…]|\.{2,}|[?!…]+|\[(?:\.{3}|…)\]")
_PENN_CLOSING = frozenset(["''", "-RRB-", "-RSB-", "-RCB-"])
_CLOSING = frozenset("\"'”’»)]}›") | _PENN_CLOSING
_OPENING = frozenset("\"'“‘«([{‹„—–-*•") | {"``", "-LRB-", "-LSB-", "-LCB-"}
_INNER = frozenset(",;:)]}%")
_QUOTES = frozenset("\"'”’»›") | {"''"}
_LOOKAHEAD = 1000  # characters that are looked at for the next word
_SLACK = 15  # characters that a line may be shorter than the next word alone makes it

_LISTS = {
    "never last": """
        mr mrs ms messrs mmes mx dr prof rev hon gen col maj capt cmdr lt sgt cpl pvt adm gov sen
        rep pres supt det insp fr msgr st ste mt ft no nos vol ch pp fig figs sec eq art vs e.g
        i.e cf viz
    """,
    "after times": """
        monday tuesday wednesday thursday friday saturday sunday est edt cst cdt mst mdt pst pdt
        gmt utc bst cet eastern central mountain pacific et pt ct
    """,
    # Words of closed classes: with a capital they start a sentence, and hardly ever a name.
    "starters": """
        a about after all also although an and another any are as at because before both but by
        can did do does during each even every few following for from had has have he her here his
        how however i if in instead is it it's its many meanwhile more most much my neither no
        nobody none nor nothing now of on once one only or other our over since so some such than
        that the their them then there these they this those though three through thus to today
        two under until unlike upon was we were what when where whether which while who whose why
        will with within without would yet you your
    """,
    "saying": """
        said says asked asks added adds replied replies cried cries shouted shouts wrote writes
        told tells wondered exclaimed recalled quipped
    """,
}
_NEVER_LAST, _AFTER_TIMES, _STARTERS, _SAYING = (frozenset(t.split()) for t in _LISTS.values())
_TIMES = frozenset(["a.m", "p.m"])


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each on one line.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        White space within a sentence is one blank each; none for a text of white space.

    Examples
    --------
    >>> split_sentences('''Fire at grain store
    ...
    ... The port closed at 1.30 p.m. Ships had to wait. "Smoke rose
    ... early," Mrs. Crane said.''')
    ['Fire at grain store', 'The port closed at 1.30 p.m.', 'Ships had to wait.',
     '"Smoke rose early," Mrs. Crane said.']

    """
    return [" ".join(text[start:end].translate(PARTING).split()) for start, end in spans(text)]


def spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence, in characters, half-open.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of (int, int)
        In order, never empty, never overlapping; between them stands white space alone.

    Examples
    --------
    >>> spans("It burns. Help!  ")
    [(0, 9), (10, 15)]

    """
    return [span for start, end in _blocks(text) for span in _sentences(text, start, end)]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches that no sentence goes beyond: paragraphs, and lines that stop early."""
    begin = 0
    for gap in [*_BLANK.finditer(text), None]:
        end = len(text) if gap is None else gap.start()
        lines = [
            (begin + line.start(), begin + line.end())
            for line in re.finditer(r"[^\n]+", text[begin:end])
            if not line[0].isspace()
        ]
        width = max((stop - first for first, stop in lines), default=0)
        first = begin
        for (start, stop), (after, _) in pairwise(lines):
            if _stops_early(text[start:stop].rstrip(), text[after : after + _LOOKAHEAD], width):
                yield first, stop
                first = after
        yield first, end
        begin = end if gap is None else gap.end()


def _stops_early(line: str, rest: str, width: int) -> bool:
    """Check whether a line ends well before the margin, and the next starts like a sentence."""
    word = (rest.split(maxsplit=1) or ["?"])[0]  # "?": nothing but white space as far as one looks
    room = width - len(line) - 1 - len(word)
    return room > _SLACK and not word[0].islower() and line[-1] not in ",;:-‐–—"


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a stretch."""
    block = text[start:end]
    tokens = token_spans(block)
    forms = [block[lo:hi] for lo, hi in tokens]
    gaps = [a[1] < b[0] for a, b in pairwise(tokens)] + [True]
    onward = _past_opening(forms)
    first = stop = depth = 0  # depth: how many « are open in the sentence
    quoted = False
    for last, form in enumerate(forms):
        close = form in _CLOSING and (not gaps[last - 1] or _closes_late(form, depth, gaps[last]))
        if last > first and close:
            quoted |= form in _QUOTES
        else:
            stop, quoted = last, False  # no sign of those that close after `stop`
        depth += (form == "«") - (form == "»")
        if last + 1 < len(forms):
            if not gaps[last] or _closes_late(forms[last + 1], depth, gaps[last + 1]):
                continue
            if not _ends(forms, first, stop, onward[last + 1], quoted=quoted):
                continue
        yield start + tokens[first][0], start + tokens[last][1]
        first, depth = last + 1, 0


def _past_opening(forms: list[str]) -> list[int]:
    """Return for each token the first from there on that opens nothing, or the last of all."""
    places = list(range(len(forms)))
    for k in range(len(forms) - 2, -1, -1):
        if forms[k] in _OPENING:
            places[k] = places[k + 1]
    return places


def _closes_late(form: str, depth: int, gap: bool) -> bool:
    """Check whether a mark with a space before it still closes a bracket or quotation.

    The mark is a `»` where `«` is open, or a closing mark of Penn treebanks, if a space (the gap)
    is after it, too.
    """
    return (form == "»" and depth > 0) or (form in _PENN_CLOSING and gap)


def _ends(forms: list[str], first: int, stop: int, after: int, *, quoted: bool) -> bool:
    """Decide whether a sentence ends at a token.

    Parameters
    ----------
    forms : list of str
        All tokens.
    first, stop : int
        The token that the sentence begins with, and the one that may end it.
    after : int
        The first token after both that is no quotation mark, bracket or the like.
    quoted : bool
        Whether a quotation mark closes right after `stop`.

    """
    onward = forms[after]
    if onward[0].islower() or onward[0] in _INNER:
        return False
    form = forms[stop]
    if _STOP.fullmatch(form):
        if stop == first or (stop == first + 1 and form == "." and _numbers(forms[first])):
            return False
        return not (quoted and form[-1] in "?!" and _is_said(forms, after))
    if form.endswith(".") and len(form) > 1 and any(sign.isalpha() for sign in form):
        return _abbreviation_ends(form[:-1].lower(), onward)
    return False


def _numbers(form: str) -> bool:
    """Check whether a word can number an item of a list."""
    return len(form) <= 2 or not any(sign.isalpha() for sign in form)


def _abbreviation_ends(stem: str, onward: str) -> bool:
    """Decide whether an abbreviation ends the sentence before a word."""
    if stem in _NEVER_LAST or not onward[0].isupper():
        return False
    if stem in _TIMES:
        return onward.lower().rstrip(".") not in _AFTER_TIMES
    return stem == "etc" or onward.lower() in _STARTERS


def _is_said(forms: list[str], after: int) -> bool:
    """Check whether a name and a verb of saying follow."""
    name = after
    while name < min(len(forms), after + 5) and forms[name][0].isupper():
        name += 1
    return after < name < len(forms) and forms[name] in _SAYING
