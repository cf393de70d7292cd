"""Helpers of formats with one record per line, and strict JSON.

Only LF and CRLF end a line; U+0085, U+2028, VT, FF and the like are characters of a segment.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import IO, Any, TypeVar

import numpy as np

from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.lazy import late_pattern
from bitext.model import Bitext, Text

T = TypeVar("T")

# Segments of a side: a position of a few digits must not fill the memory. Set by hand.
MOST_SEGMENTS = 20_000_000
# Lines, fewer of which are read as strings, in less time; of more, those take more memory than
# their places in the text. Set by hand.
_FEW_LINES = 50_000
_BREAK = late_pattern(r"\r\n|[\t\n\r]")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class LinesOut:
    """A file of lines that keeps U+FEFF at the beginning of its first line.

    Readers drop one U+FEFF at the head of a file as a byte order mark, so a text that begins with
    one is written with a byte order mark before it.
    """

    def __init__(self, out: IO[str]) -> None:
        self._out, self._begun = out, False

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines, each with its line end."""
        rest = iter(lines)
        if not self._begun:
            for first in rest:
                self._begun = True
                self._out.write(f"\ufeff{first}" if first.startswith("\ufeff") else first)
                break
        self._out.writelines(rest)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text without their line ends."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def line_chunks(source: Source, options: ReadOptions) -> Iterator[tuple[int, list[str]]]:
    """Yield lists of lines of a file, each with the number of its first line.

    There is one list, or, where a document pair may be read in parts, one for each part.
    Undecodable lines that the source recorded are left out.
    """
    if not options.parts:
        yield from _decoded(source, 1, source.lines())
        return
    for first, piece in source.blocks():
        lines = split_lines(piece)
        for begin in range(0, len(lines), options.part_size):
            some = lines[begin : begin + options.part_size]
            yield from _decoded(source, first + begin, some)


def _decoded(source: Source, first: int, lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the runs of decodable lines; `first` is the number of the first line."""
    numbers = range(first, first + len(lines))
    bad = [k for k in numbers if k in source.undecodable] if source.undecodable else []
    at = first
    for end in bad:
        if at < end:
            yield at, lines[at - first : end - first]
        at = end + 1
    if at < numbers.stop or not bad:
        yield at, lines[at - first :]


def grouped(items: Iterable[T], options: ReadOptions) -> Iterator[list[T]]:
    """Yield the items of a reader in one list, or, where the options allow parts, in several.

    There is at least one list, which may be empty.
    """
    rest = iter(items)
    if not options.parts:
        yield list(rest)
        return
    yield list(islice(rest, options.part_size))
    while group := list(islice(rest, options.part_size)):
        yield group


def runs(items: Sequence[T]) -> Iterator[tuple[T, int, int]]:
    """Yield each run of equal items: the item, and the places where the run begins and ends.

    Examples
    --------
    >>> list(runs("aab"))
    [('a', 0, 2), ('b', 2, 3)]

    """
    begin = 0
    for item, run in groupby(items):
        end = begin + sum(1 for _ in run)
        yield item, begin, end
        begin = end


def head_lines(head: bytes, most: int = 20) -> list[str]:
    """Decode the first lines of a file for sniffing; a last line that may be cut is left out.

    Bytes that are neither UTF-8 nor marked as UTF-16 become replacement characters.
    """
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    lines = head.decode(encoding, "replace").split("\n", most)
    if len(lines) > 1:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def flat(segment: str) -> str:
    """Return a segment with each tab and line end replaced by a blank."""
    return _BREAK.sub(" ", segment)


def has_breaks(segments: Sequence[str]) -> bool:
    """Check for tabs and line ends in segments."""
    # A list: nearly always all are examined, which takes a generator twice as long.
    return any(["\n" in each or "\t" in each or "\r" in each for each in segments])  # noqa: C419


def flat_all(segments: Sequence[str | None]) -> list[str]:
    """Return the segments with tabs and line ends replaced by blanks; `None` becomes empty."""
    known = [segment or "" for segment in segments]
    return list(map(flat, known)) if has_breaks(known) else known


def first_repeat(items: Iterable[T]) -> T:
    """Return the first item that occurs a second time; there has to be one."""
    seen: set[T] = set()
    return next(item for item in items if item in seen or seen.add(item))  # type: ignore[func-returns-value]


def no_segment(source: Source, line: int, noun: str = "line") -> None:
    """Note a line, or what `noun` names, with two empty sides, which makes no bisegment."""
    source.notes.add(f"{noun}s with two empty sides, left out", f"{source.path} {noun} {line}")


def one_pair(bitexts: Iterable[Bitext], name: str) -> Iterator[Bitext]:
    """Yield the bitexts of one document pair, for a format with one pair in a file.

    Raises `InputError` when a second document pair begins.
    """
    for k, bitext in enumerate(bitexts):
        if k and not bitext.continues:
            raise InputError(
                f"{name} holds one document pair a file, and here are 2 or more; write each to a "
                f"file of its own, or choose a format that holds several, as jsonl or xces"
            )
        yield bitext


def read_lines(source: Source) -> Text:
    """Read a text of one segment per line; an empty line is a segment without characters."""
    source.refuse_bare_returns()
    content = source.text()
    if content.count("\n") < _FEW_LINES:
        return Text(split_lines(content), name=source.path)
    points = np.frombuffer(content.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    breaks = np.flatnonzero(points == ord("\n"))
    ends = breaks if content.endswith("\n") or not content else np.append(breaks, len(content))
    starts = np.concatenate([[0], breaks + 1])[: len(ends)]
    before = points[np.maximum(ends - 1, 0)] == ord("\r") if len(points) else np.zeros(0, bool)
    ends = ends - (before & (ends > starts))
    return Text.from_offsets(content, starts, ends, name=source.path)


# Strict JSON for all formats: no repeated keys, no characters that other programs refuse.


_CONTROL = late_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HALF_OF_PAIR = late_pattern("[\ud800-\udfff]")


def parsed(text: str, error: Callable[[str], FormatError]) -> Any:
    """Parse a value of JSON.

    `error` makes the error with a message, and adds the place.

    Raises `FormatError` when an object has a repeated key, or numbers or nesting exceed the limits
    of the parser, and `json.JSONDecodeError` when the text is not JSON; the caller words the error.

    Examples
    --------
    >>> parsed('{"a": [1, 2]}', lambda message: FormatError(message, path="a.json"))
    {'a': [1, 2]}
    >>> parsed('{"a": 1, "a": 2}', lambda message: FormatError(message, path="a.json"))
    Traceback (most recent call last):
      ...
    bitext.errors.FormatError: a.json: an object has the key 'a' twice; want it once

    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        unique = dict(pairs)
        if len(unique) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise error(f"an object has the key {twice!r:.40} twice; want it once")
        return unique

    try:
        return json.loads(text, object_pairs_hook=once)
    except (json.JSONDecodeError, FormatError):
        raise
    except (ValueError, RecursionError) as reason:
        raise error(beyond_limits(reason)) from None


def beyond_limits(reason: ValueError | RecursionError) -> str:
    """Word the error of JSON beyond the limits of the parser."""
    if isinstance(reason, RecursionError):
        return "is JSON beyond all limits: it is nested too deeply"
    return "is JSON beyond all limits: it has a number of more than 4,300 digits"


def json_flaw(reason: ValueError | RecursionError, wanted: str = "one object a line") -> str:
    """Word why a text is not JSON, and what is `wanted`."""
    if isinstance(reason, json.JSONDecodeError):
        return f"is not JSON: {reason.msg} (column {reason.colno}); want {wanted}"
    return beyond_limits(reason)


def unfit(text: str) -> str | None:
    r"""Describe the first character that no text file can hold; None if there is none.

    Such are control characters, except for tab, line feed and carriage return, and halves of
    surrogate pairs.

    Examples
    --------
    >>> unfit("Fog\tfell\n"), unfit("Fog\0")
    (None, "the control character '\\x00'")

    """
    if _HALF_OF_PAIR.search(text):
        return "half of a surrogate pair"
    match = _CONTROL.search(text)
    return None if match is None else f"the control character {match[0]!a}"


def shown(value: object) -> str:
    """Spell a value for a message: in JSON, cut after 40 characters."""
    spelled = json.dumps(value)
    return spelled if len(spelled) <= 40 else spelled[:39] + "…"
