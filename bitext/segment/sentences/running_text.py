"""Running text from raw text: any white space becomes one blank, and hard-wrapped lines are joined.

Line ends are white space, too, except for these cases, in which words are joined or hyphens kept:

| at the line end | becomes |
| --- | --- |
| a soft hyphen (U+00AD, or `¬` as programs print it) before a letter | nothing: `Dampfschiff` |
| `well-` before `known`, with `well-known` elsewhere in the text | `well-known` |
| `rail-` before `way`, with `railway` and no `rail-way` elsewhere | `railway` |
| `Haupt-` before `und`, `oder` and their like in other languages | `Haupt- und` |
| any other hyphen between letters or digits: `Anglo-` before `Saxon` | `Anglo-Saxon` |
| a dash directly after a word: `sister—` before `Mrs.` | `sister—Mrs.` |
| a dash after a blank: `sister —` before `Mrs.` | `sister — Mrs.` |
| nothing, between two Chinese or Japanese characters | nothing |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from bitext.kernels.arrays import Ints
from bitext.lazy import late_pattern
from bitext.segment.sentences.splitter import SentenceSplitter, numbered_lines

# Detection of text with lines broken at a width, one sentence per line, or one paragraph per line.
#
# Lines are without line ends; empty lines are between paragraphs. All limits are set by hand.
# Shares are of lines.

_FEWEST_LINES = 20  # lines with a next line, fewer of which give no width
_LEAST_WIDTH = 24  # characters, least width
_WIDTH_LIMIT = 1000  # characters; the width is less
# Greatest share of full lines of one length: with more, they are rows of a table
_LARGEST_EQUAL_SHARE = 0.9
# Least share of full lines; of lines that go on; of lines with only one sentence
_LEAST_FULL_SHARE = 0.5
# Greatest share of full lines, or lines before an unindented one, that end sentences
_LARGEST_ENDING_SHARE = 0.5
_STOPS = frozenset(".!?…:;؟۔।॥።፧။៕។։᠃。！？")  # characters that end sentences, before these:
_CLOSING = "\"'“”‘’«»‹›」』）)]"
# Stops of scripts with blanks between words, also bars typed for dandas
_OWN_STOPS = "।॥۔؟።፧။។៕᠃"
_OWN_STOP = rf"[{_OWN_STOPS}]|(?<=[\u0900-\u0d7f])\s?\||(?<=[\u0531-\u0587])[։:](?!\w)"
_INNER = late_pattern(
    rf"[.!?…][\"'’”»)]*\s+(?=\S)|[。！？](?=\S)|(?:{_OWN_STOP})[\"'’”»)]*\s*(?=[^\s।॥|])"
)
# A word before a full stop that is no abbreviation, such as `Mr`: of four letters, also with signs
# for vowels and accents, of two syllables of Hangul, or with a letter of Vietnamese alone
_PLAIN_WORD = (
    r"[\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff]{4}|[\uac00-\ud7a3]{2}|"
    r"[\u1ea0-\u1ef9]\w{0,4}"
)
_PLAIN_INNER = late_pattern(rf"(?:(?:{_PLAIN_WORD})(?=\.)|(?=[^.\w\s]|\s\|))(?:{_INNER.pattern})")
# Each match of `_INNER` has a match of this, which is sought ten times as fast: a set begins it
_MAY_END = late_pattern(rf"[.!?…。！？|։:{_OWN_STOPS}](?:(?<=[^.!?…])|[\"'’”»)]*\s+\S)")
_FEWEST_SEVERAL, _MOST_SEVERAL = 3, 0.5  # lines; greatest share of several sentences in texts of
# sentences (at most 0.12 in six sets of gold standards)
_FEWEST_SENTENCES = 5  # lines, fewer of which decide nothing
# Least share of lines that end sentences, if each is a sentence or paragraph
_LEAST_ENDED_SHARE = 0.9
# Greatest share of lines before blank lines, if these separate no paragraphs
_LARGEST_PARTED_SHARE = 0.1
_LEAST_LONG_SHARE = 0.3  # least share of lines with several sentences, if each is a paragraph
_FEWEST_FURTHER_IN, _MOST_FURTHER_IN = 3, 0.7  # indented lines: least number, greatest share
_FEWEST_INNER = 2  # ends of sentences within the median line, if lines are paragraphs
_LEAST_ENDS_WITHIN = 0.1  # least number of sentences that end within lines, for each line
# Greatest share of lines that end sentences, if sentences end within lines
_LARGEST_SHARE_AT_ENDS = 0.3
# Least number of lines that go on in lower case, in a text of broken lines
_FEWEST_BROKEN_LINES = 3
_MOST_NUMBER_CHARACTERS = 20  # characters of a line with a page number
_INDENT = late_pattern(r"(?: {2}|\t|\u3000)\s*\S")
_LETTER = late_pattern(r"[^\W\d_]")
_UNSPACED_LETTER = late_pattern(r"[\u2e80-\u9fff\uf900-\uff60]")  # of scripts without blanks
_FIRST = late_pattern(rf"{_UNSPACED_LETTER.pattern}{{1,2}}|\S+")


def width_of_lines(lines: Sequence[str]) -> int | None:
    r"""Return the width at which the lines of a text are broken, or None if they are not broken.

    The width is in characters, at least 24. A line with letters is full at a width if the line fits
    into the width, but would not fit together with the first word of the next line. Lines are
    broken if at least half of them are full at one width, and at most half of the full lines end as
    sentences do. Lines of sentences, verses and entries have all lengths, or end as sentences do.
    If fewer than 20 lines have a next line, there is no width.

    Examples
    --------
    >>> import textwrap
    >>> text = "The ferry had left by the time that he came down to the harbour again. " * 20
    >>> width_of_lines(textwrap.wrap(text, 60))
    60
    >>> width_of_lines(text.split(". ")) is None
    True

    """
    stripped = [line.rstrip() for line in lines]
    both = [
        (a, b)
        for a, b in pairwise(stripped)
        if b and (a[:1].isalpha() or _LETTER.search(a) is not None)
    ]
    if len(both) < _FEWEST_LINES:
        return None
    size = np.minimum([len(line) for line, _ in both], _WIDTH_LIMIT)
    least = max(_LEAST_FULL_SHARE * len(both), 1)
    # Most texts: what is before the first blank is at least the first word, and read in less time.
    room = np.array([after.find(" ") for _, after in both])
    room[(room < 1) | (room > _WIDTH_LIMIT)] = _WIDTH_LIMIT
    if _full_at_widths(size, room).max() < least:
        return None
    first = [_FIRST.search(after) for _, after in both]
    room = np.array([min(len(word.group()), _WIDTH_LIMIT) if word else 0 for word in first])
    full = _full_at_widths(size, room)
    width = int(np.argmax(full))
    if full[width] < least:
        return None
    full_lines = np.flatnonzero((size <= width) & (width <= size + room)).tolist()
    ends = sum(_ends(both[k][0]) for k in full_lines)
    unspaced = sum(_UNSPACED_LETTER.match(both[k][1].lstrip()) is not None for k in full_lines)
    most_frequent = int(np.bincount(size[full_lines]).max())
    if ends > _LARGEST_ENDING_SHARE * len(full_lines) or (
        most_frequent > _LARGEST_EQUAL_SHARE * len(full_lines) and unspaced <= len(full_lines) / 2
    ):
        return None
    return width


def _ends(line: str) -> bool:
    """Check whether a line without white space at its end ends as sentences do."""
    return line.rstrip(_CLOSING)[-1:] in _STOPS


def _full_at_widths(size: Ints, room: Ints) -> Ints:
    """Count the full lines at each width, by their sizes and those of the words after them.

    A line is full at widths from its own length up to, but without, its length with the blank and
    the next word. The lines are counted from the changes at both ends.
    """
    change = np.bincount(size, minlength=int((size + room).max()) + 2)
    full: Ints = np.cumsum(change - np.bincount(size + room + 1))
    full[:_LEAST_WIDTH] = full[_WIDTH_LIMIT:] = 0
    return full


def _exceed(number: float, checks: Iterable[bool]) -> bool:
    """Check whether more than a `number` of checks are true; no others are made."""
    return next(islice(filter(None, checks), int(number), None), False)


def are_broken_within_sentences(lines: Sequence[str]) -> bool:
    """Check whether half of the lines end within a sentence that continues in lower case.

    The check is for texts that are too short for `width_of_lines`. It is false for a text without a
    capital at the beginning of any line, or without a stop at the end of any line, since lower case
    may begin sentences there.

    Examples
    --------
    >>> are_broken_within_sentences(["The ferry had", "left by the time", "that he came", "down."])
    True
    >>> are_broken_within_sentences(["it rained", "we stayed", "nobody came", "it was late"])
    False

    """
    stripped = [line.strip() for line in lines]
    both = [(a, b) for a, b in pairwise(stripped) if a and b]
    going_on = sum(not _ends(a) for a, b in both if b[0].islower())
    return (
        going_on >= max(_FEWEST_BROKEN_LINES, _LEAST_FULL_SHARE * len(both))
        and any(line[:1].isupper() for line in stripped)
        and any(map(_ends, stripped))
    )


def end_within_lines(lines: Sequence[str]) -> bool:
    """Check whether sentences end within lines, and hardly any at the end of a line.

    The check needs no lower case, as German and Chinese lines may go on without. Lists and titles
    may pass it, too: it is for a warning, and for the translation of running text.

    Examples
    --------
    >>> end_within_lines(["Die Fähre fuhr", "spät. Der Wirt", "kam heim. Die", "Nacht war kalt."])
    True
    >>> end_within_lines(["Die Fähre fuhr spät.", "Er kam heim. Gut.", "Es war spät. Ja."])
    False

    """
    stripped = [line.strip() for line in lines]
    both = [(a, b) for a, b in pairwise(stripped) if a and b]
    if len(both) < _FEWEST_BROKEN_LINES:
        return False
    # Most texts: ends within lines take longer to find.
    if _exceed(_LARGEST_SHARE_AT_ENDS * len(both), (_ends(a) for a, _ in both)):
        return False
    ended = sum(_ends(a) for a, _ in both)
    inner = sum(map(_plain_ends_within, stripped))
    return inner >= max(_FEWEST_INNER, _LEAST_ENDS_WITHIN * len(both)) and inner > 2 * ended


def may_be_running_text(lines: Sequence[str]) -> bool:
    """Check whether lines are broken, or sentences may end within half of those with text.

    If not, `width_of_lines`, `are_broken_within_sentences`, `have_several`, `have_inner_ends` and
    `are_running_text` are false, too.

    Examples
    --------
    >>> may_be_running_text(["It rained. We stayed.", "He knocked (Mr. Hill).", "Nobody came."])
    True
    >>> may_be_running_text(["It rained. We stayed.", "He knocked.", "Nobody came."])
    False

    """
    if width_of_lines(lines) is not None or are_broken_within_sentences(lines):
        return True
    filled = [line for line in lines if line.strip()]
    return bool(filled) and _may_have_ends(_at_median(filled), filled)


def are_running_text(lines: Sequence[str]) -> str:
    """Check whether lines are clearly running text, and no sentences; return its layout.

    The layout is `blank-lines` for lines that are broken at a width or within sentences, `lines`
    where most have three sentences or more; else an empty string.

    Examples
    --------
    >>> are_running_text(["It had rained. We waited there. Nobody came."] * 3)
    'lines'
    >>> are_running_text(["The ferry had", "left by the time", "that he came", "down."])
    'blank-lines'
    >>> are_running_text(["It rained all day.", "We stayed at home.", "Nobody came."])
    ''

    """
    if any("\r" in line.strip() for line in lines if "\r" in line):
        return ""
    if width_of_lines(lines) is not None or are_broken_within_sentences(lines):
        return "blank-lines"
    filled = [line for line in lines if line.strip()]
    return "lines" if filled and _have_inner_ends(filled, _plain_ends_within) else ""


def layout_of_translation(lines: Sequence[str]) -> str:
    """Return the layout of lines if they are running text, given that their translation is.

    The layout is `blank-lines` where sentences end within lines and hardly at their ends, `lines`
    where three in ten lines have several sentences; else an empty string.

    Examples
    --------
    >>> layout_of_translation(["I.", "Il pleuvait. On attendait là.", "Personne ? Non. Rien."])
    'lines'
    >>> layout_of_translation(["Il pleuvait.", "On attendait là.", "Personne ne vint."])
    ''

    """
    if end_within_lines(lines):
        return "blank-lines"
    several, filled = _count_several(lines)
    return "lines" if several >= max(_FEWEST_INNER, _LEAST_LONG_SHARE * filled) else ""


def have_several(lines: Sequence[str]) -> bool:
    """Check whether most of the lines have several sentences each; false below 3 lines with text.

    Examples
    --------
    >>> have_several(["Somebody knocked. Nobody came.", "It rained.", "Somebody rang. She slept."])
    True

    """
    filled = [line for line in lines if line.strip()]
    least = int(_MOST_SEVERAL * len(filled)) + 1
    return len(filled) >= _FEWEST_SEVERAL and _have_at_least(least, filled, _plain_ends_within)


def have_inner_ends(lines: Collection[str]) -> bool:
    """Check whether two sentences or more end within the median line, abbreviations included.

    There is at least one line. Of an even number the lower median counts.

    Examples
    --------
    >>> have_inner_ends(["He knocked. Nobody came. It was late.", "It rained."])
    False

    """
    return _have_inner_ends(lines, ends_within)


def _have_inner_ends(lines: Collection[str], number: Callable[[str], int]) -> bool:
    """Check whether the lower median of the `number` of ends within lines is two or more."""
    return _have_at_least(_at_median(lines), lines, number, ends=_FEWEST_INNER)


def _at_median(lines: Collection[str]) -> int:
    """Return the least number of lines that have the lower median of a number, or more."""
    return len(lines) - (len(lines) - 1) // 2


def _have_at_least(
    least: int, lines: Collection[str], number: Callable[[str], int], *, ends: int = 1
) -> bool:
    """Check whether so many lines have so many ends of sentences within, by their `number`."""
    # Lines that may have an end are sought in less time, and in most texts these are too few.
    return _may_have_ends(least, lines) and sum(number(line) >= ends for line in lines) >= least


def _may_have_ends(least: int, lines: Collection[str]) -> bool:
    """Check whether so many lines may have the end of a sentence within."""
    without = (_MAY_END.search(line) is None for line in lines)
    return least <= len(lines) and not _exceed(len(lines) - least, without)


def _count_several(lines: Sequence[str]) -> tuple[int, int]:
    """Count the lines with an end of a sentence within them, and all that are not empty."""
    filled = [line for line in lines if line.strip()]
    return sum(_plain_ends_within(line) > 0 for line in filled), len(filled)


def _plain_ends_within(line: str) -> int:
    """Count the ends of sentences within a line after words that are no abbreviations."""
    return len(_PLAIN_INNER.findall(line)) if _MAY_END.search(line) else 0


def ends_within(line: str) -> int:
    """Count the ends of sentences within a line, also after possible abbreviations.

    Examples
    --------
    >>> ends_within("Mr. Hill came. He sat."), ends_within("वह आया। वह गया।")
    (2, 1)

    """
    return len(_INNER.findall(line)) if _MAY_END.search(line) else 0


def are_sentences(lines: Sequence[str]) -> bool:
    """Check whether lines seem to be sentences: nearly all end as sentences, half have no other.

    The check is false for fewer than 5 lines that are not empty.

    Examples
    --------
    >>> are_sentences(["It rained.", "We stayed.", "Was it late?", "It was.", "Nobody came."])
    True

    """
    filled = [line.strip() for line in lines if line.strip()]
    if len(filled) < _FEWEST_SENTENCES:
        return False
    ended = sum(map(_ends, filled))
    single = sum(not ends_within(line) for line in filled)
    return ended >= _LEAST_ENDED_SHARE * len(filled) and single >= _LEAST_FULL_SHARE * len(filled)


def are_paragraphs(lines: Sequence[str]) -> bool:
    """Check whether lines seem to be paragraphs: nearly all end sentences, some have several.

    The check is false for fewer than 5 lines that are not empty, and if blank lines separate
    paragraphs.

    Examples
    --------
    >>> are_paragraphs(["It rained. We stayed.", "So?", "They came. We went.", "It did.", "No."])
    True

    """
    filled = [line.strip() for line in lines if line.strip()]
    if len(filled) < _FEWEST_SENTENCES or _are_parted(lines):
        return False
    ended = sum(map(_ends, filled))
    several = sum(_plain_ends_within(line) > 0 for line in filled)
    return ended >= _LEAST_ENDED_SHARE * len(filled) and several >= _LEAST_LONG_SHARE * len(filled)


def begin_further_in(lines: Sequence[str]) -> bool:
    """Check whether paragraphs seem to begin with an indented line.

    Indented lines follow the end of a sentence, and most other lines do not. The check is false if
    blank lines separate paragraphs.

    Examples
    --------
    >>> begin_further_in(["  It was", "late.", "  We", "sat.", "  He", "went.", "  It", "rained."])
    True

    """
    filled = [line.rstrip() for line in lines if line.strip()]
    further = [_INDENT.match(line) is not None for line in filled[1:]]
    if sum(further) < _FEWEST_FURTHER_IN or sum(further) > _MOST_FURTHER_IN * len(further):
        return False
    if _are_parted(lines):
        return False
    ended = [_ends(line) for line in filled[:-1]]
    begun = sum(a and b for a, b in zip(ended, further, strict=True))
    other = sum(a and not b for a, b in zip(ended, further, strict=True))
    rest = len(further) - sum(further)
    return begun >= _LEAST_ENDED_SHARE * sum(further) and other <= _LARGEST_ENDING_SHARE * rest


def _are_parted(lines: Sequence[str]) -> bool:
    """Check whether blank lines separate more than a tenth of the lines from the next."""
    filled = [k for k, line in enumerate(lines) if line.strip()]
    parted = sum(b - a > 1 for a, b in pairwise(filled))
    return parted > _LARGEST_PARTED_SHARE * len(filled)


_PAGE_NUMBER = late_pattern(
    r"\s*[-–—\[(]?\s*(?:[Pp]age|[Ss]eite|[Pp]\.|S\.)?\s*(\d{1,4})\s*[-–—\])]?\s*"
)
_FRAME = late_pattern(r"(?i)\*\*\* ?(?:START|END) OF TH(?:E|IS) PROJECT GUTENBERG")


def numbers_amid_sentences(pieces: Iterable[str]) -> list[str]:
    """Return the pieces of a text that are a number amid a sentence, as page numbers are.

    The piece before ends no sentence, and the one after begins in lower case; or the numbers of at
    least three such pieces go up, whatever comes after them.

    `pieces` are the lines or paragraphs of a text, without empty ones.

    Examples
    --------
    >>> numbers_amid_sentences(["He went to the", "12", "sea.", "1984", "It rained."])
    ['12']

    """
    before, possible_number = "", ""
    certain: list[str] = []
    likely: list[str] = []
    for piece in pieces:
        if possible_number:
            likely.append(possible_number)
            if piece.lstrip()[:1].islower():
                certain.append(possible_number)
            possible_number = ""
        elif len(piece) < _MOST_NUMBER_CHARACTERS and before and not _ends(before.rstrip()):
            possible_number = piece.strip() if _PAGE_NUMBER.fullmatch(piece) else ""
        before = piece
    values = [int(match[1]) for each in likely if (match := _PAGE_NUMBER.fullmatch(each))]
    ascending = len(values) > 2 and all(a < b for a, b in pairwise(values))
    return likely if ascending else certain


def is_frame(line: str) -> bool:
    """Check whether a line begins or ends the text of a book of Project Gutenberg.

    Examples
    --------
    >>> is_frame("*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***"), is_frame("*** END ***")
    (True, False)

    """
    return "***" in line and _FRAME.match(line.lstrip()) is not None


_WORDS = late_pattern(r"\S+")
_HYPHENATED = late_pattern(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_TAIL = late_pattern(r"([^\W\d_]+)[-‐]$")
_HEAD = late_pattern(r"[^\W\d_]+")
# Characters examined of a word with a hyphen at the line end; set by hand
_MOST_WORD_CHARACTERS = 64
_SOFT = "\u00ad¬"
_HYPHENS, _DASHES = "-‐", "—–―"
# Conjunctions after a hyphen that stands for the rest of a word: `Haupt- und Nebensatz`.
_CONJUNCTIONS = (
    "und oder bzw sowie noch bis wie and or nor to en of och eller og eða y o u e et ou ja tai i a "
    "ali ani nebo és vagy"
)
# Kana, Han and their punctuation, without Hangul, which has blanks between words.
_UNSPACED = late_pattern(r"[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")


class RunningText:
    r"""The running text of a raw text, with a map of positions to the raw text.

    Parameters
    ----------
    raw : str
        Text with white space of any kind.
    spelled : collection of str, optional
        The hyphenated and other words of the whole text, in lower case (`spelled_words`), whose
        spelling decides how divided words are joined; by default those of `raw`.

    Attributes
    ----------
    text : str
        The words, joined by one blank or as the head of the module says, without white space at
        the ends.
    doubtful : list of str
        The words divided at a line end that keep their hyphen because nothing tells their spelling.

    Examples
    --------
    >>> running = RunningText("  He came.\n\tShe\n   left.\n")
    >>> running.text
    'He came. She left.'
    >>> running.places([9]), running.text[9], running.raw[12]
    (array([12]), 'S', 'S')

    """

    def __init__(self, raw: str, spelled: Collection[str] | None = None) -> None:
        self.raw = raw
        words = [match.span() for match in _WORDS.finditer(raw)]
        parts, begins, places = [], [], []
        at = 0
        seams, self.doubtful = _seams(raw, words, spelled)
        for k, (start, end) in enumerate(words):
            glue, cut = seams.get(k, (" ", 0))
            part = raw[start : end - cut] + glue
            parts.append(part)
            begins.append(at)
            places.append(start)
            at += len(part)
        self.text = "".join(parts)[:-1] if parts else ""
        self._begins = np.array(begins, dtype=np.int64)
        self._places = np.array(places, dtype=np.int64)

    def places(self, positions: Ints | list[int]) -> Ints:
        """Map positions in the running text to positions in the raw text."""
        position_array = np.asarray(positions, dtype=np.int64)
        word = np.searchsorted(self._begins, position_array, side="right") - 1
        return self._places[word] + position_array - self._begins[word]

    def starts_of(self, places: list[int]) -> Ints:
        """Map the starts of words in the raw text to their starts in the running text."""
        return self._begins[np.searchsorted(self._places, places)]


class SentenceSpans(NamedTuple):
    """The sentences of a raw text."""

    sentences: list[str]  # the running text of each sentence
    # `starts`, `ends`: the half-open spans of the sentences in the raw text, with only white space
    # between; shape (n,).
    starts: Ints
    ends: Ints


def spelled_words(raw: str) -> set[str]:
    r"""Return the words of a text in lower case, those with hyphens within a line as one.

    Examples
    --------
    >>> sorted(spelled_words("A well-known rail-\nway"))
    ['a', 'rail', 'way', 'well-known']

    """
    return {word.casefold() for word in _HYPHENATED.findall(raw)}


def split_sentences(
    raw: str,
    splitter: SentenceSplitter,
    spelled: Collection[str] | None = None,
    *,
    raised: str = "",
) -> SentenceSpans:
    """Split a raw text into sentences, with line ends and paragraph breaks as white space.

    Only line ends before possible list numbers stay line ends for the splitter, and sentences end
    before bullets at beginnings of lines. `spelled` has words whose spelling decides how words
    divided at line ends are joined, by default those of the raw text. `raised` is the raw text with
    superscript characters for the digits that a document sets so.
    """
    running = RunningText(raw, spelled)
    text = running.text if raised in {"", raw} else RunningText(raised, spelled).text
    if splitter.lists and (lines := numbered_lines(raw)):
        before = running.starts_of(lines) - 1  # positions of the blanks for these line ends
        characters = list(text)
        for k in before[before >= 0].tolist():
            characters[k] = "\n" if text[k] == " " else text[k]
        text = "".join(characters)
    spans = splitter.spans(text)
    if splitter.lists and (items := _bulleted_lines(raw)):
        spans = _cut_at(spans, running.starts_of(items), text)
    sentences = [running.text[start:end] for start, end in spans.tolist()]
    starts = running.places(spans[:, 0])
    ends = running.places(spans[:, 1] - 1) + 1
    return SentenceSpans(sentences, starts, ends)


_BULLET = late_pattern(r"\n[ \t]*([•‣◦▪●○■□►➢❖✓∙])")
_DASH = late_pattern(r"(?:\A|\n)[ \t]*([-–—*+])[ \t]+\S")
_LEAST_DASHED_SHARE = 0.5  # least share of lines that begin with a dash, if dashes mark items


def _bulleted_lines(raw: str) -> list[int]:
    r"""Return the positions of bullets at beginnings of lines after the first line.

    A dash or an asterisk is a bullet if half of the lines, and at least two, begin with it.

    Examples
    --------
    >>> _bulleted_lines("• Bread\n• Salt"), _bulleted_lines("- Bread\n- Salt")
    ([8], [8])
    >>> _bulleted_lines("He saw it\n- and the\nsea was calm.\n")
    []

    """
    dashes = list(_DASH.finditer(raw))
    lines = raw.strip().count("\n") + 1
    if len(dashes) < max(2, _LEAST_DASHED_SHARE * lines):
        dashes = []
    places = [match.start(1) for match in (*_BULLET.finditer(raw), *dashes)]
    begin = len(raw) - len(raw.lstrip())
    return sorted(place for place in places if place > begin)


def _cut_at(spans: Ints, places: Ints, text: str) -> Ints:
    """Return the spans cut before these places, without the white space there."""
    span = np.searchsorted(spans[:, 0], places) - 1  # the last to begin before each place
    cuts = places[(span >= 0) & (places < spans[span, 1])] if len(spans) else places[:0]
    ends = [cut - text[cut - 1].isspace() for cut in cuts.tolist()]
    both = np.concatenate([spans[:, 0], cuts]), np.concatenate([spans[:, 1], ends])
    return np.sort(np.stack(both), axis=1).astype(np.int64).T


def sentences_by_line(raw: str) -> SentenceSpans:
    """Return the lines that are not empty as sentences; only LF and CRLF end a line."""
    sentences, starts, ends = [], [], []
    at = 0
    for line in raw.split("\n"):
        inner = line.strip()
        if inner:
            begin = at + len(line) - len(line.lstrip())
            starts.append(begin)
            ends.append(begin + len(inner))
            sentences.append(" ".join(inner.split()))
        at += len(line) + 1
    return SentenceSpans(
        sentences, np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    )


def _seams(
    raw: str, words: list[tuple[int, int]], known: Collection[str] | None
) -> tuple[dict[int, tuple[str, int]], list[str]]:
    """Return the joints of words that are not a blank, by the index of the first word.

    A joint is the text between both words and the number of characters cut off the first word.
    The second value lists the words whose hyphen is kept without evidence.
    """
    seams: dict[int, tuple[str, int]] = {}
    doubtful: list[str] = []
    for k in _at_line_ends(raw, words):
        (_, end), (begin, after) = words[k], words[k + 1]
        last, first = raw[end - 1], raw[begin]
        if last in _SOFT and raw[words[k][0] : end - 1][-1:].isalpha() and first.isalpha():
            seams[k] = ("", 1)
        elif last in _DASHES or raw[end - 2 : end] == "--":
            if raw[words[k][0] : end].rstrip("-—–―") and first.isalnum():
                seams[k] = ("", 0)
        elif last in _HYPHENS and first.isalnum() and raw[words[k][0] : end - 1][-1:].isalnum():
            begun = max(words[k][0], end - _MOST_WORD_CHARACTERS)
            tail, head = _TAIL.search(raw, begun, end), _HEAD.match(raw, begin, after)
            if tail is None or head is None or not first.islower():
                seams[k] = ("", 0)
                continue
            # The spelling elsewhere in the text decides whether the hyphen belongs to the word.
            if known is None:
                known = spelled_words(raw)
            whole = f"{tail[1]}{head[0]}".casefold()
            if f"{tail[1]}{last}{head[0]}".casefold() in known:
                seams[k] = ("", 0)
            elif whole in known:
                seams[k] = ("", 1)
            else:
                # A word with several hyphens may have a conjunction: `arc-en-ciel`
                goes_on = raw[head.end() : after].startswith(tuple(_HYPHENS))
                if goes_on or head[0] not in _CONJUNCTIONS.split():
                    seams[k] = ("", 0)
                    doubtful += [f"{tail[1]}{last}{head[0]}"] * (not goes_on)
        elif _UNSPACED.match(last) and _UNSPACED.match(first):
            seams[k] = ("", 0)
    return seams, doubtful


def _at_line_ends(raw: str, words: list[tuple[int, int]]) -> list[int]:
    """Return the indices of words that may continue after a single line end before a next word."""
    if "\n" not in raw:
        return []
    # Few words may continue: filter the last characters first, for speed.
    final_characters = {char for char in {raw[end - 1] for _, end in words} if _may_continue(char)}
    if not final_characters:
        return []
    return [
        k
        for k, ((_, end), (begin, _)) in enumerate(pairwise(words))
        if raw[end - 1] in final_characters and raw.count("\n", end, begin) == 1
    ]


def _may_continue(char: str) -> bool:
    """Check whether a word with this last character may continue after a line end."""
    return char in (_SOFT + _HYPHENS + _DASHES) or _UNSPACED.match(char) is not None
