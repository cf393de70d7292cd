"""What in a bitext is allowed but hardly meant: found in arrays, part by part.

| kind | severity |
| --- | --- |
| bisegments twice; segments in several, or in none; texts of nothing but white space | warning |
| U+FFFD, characters that XML forbids, UTF-8 read as Latin-1 or Windows-1252 | warning |
| lengths that do not go together | warning |
| a side of nothing but numbers or addresses, two sides that are the same text | warning |
| the same text on both sides; pairs of texts that repeat | remark |
| 0-1 and 1-0; gaps; crossings | remark |

Lengths: with c the characters of the target for one of the source in the whole file, the difference
`t - c s` of a bisegment is divided by the root of `c s + t`, as in Gale and Church (1993, section
3); those that lie more than `ratio` times the usual spread (the median absolute deviation, as of a
normal distribution) from the median are found.

Held for each bisegment with texts on both sides are 40 bytes: two lengths, its line, its number,
and 8 bytes that stand for its texts, by which repeats are found at the end; some 90 bytes while
that is done. Of a million different pairs some two have the same 8 bytes with a chance of one in 37
million, of a billion with one in 37.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.findings import OTHERS, SHOWN
from bitext.formats.forbidden import FORBIDDEN
from bitext.formats.inline import joined_sides
from bitext.formats.part_places import Place, Places
from bitext.kernels.rows import identify, late, repeated, row_of, sums, with_gaps
from bitext.remedies import remedy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.formats.findings import Findings, Severity
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["Plausibility"]

_DIGEST = 8  # bytes that stand for the texts of a pair: the size of an item of `array("Q")`
_LEAST = 20  # characters of the longer side: short segments may well differ
_FEW = 30  # bisegments that a spread needs
_SHARE = 0.9  # of the bisegments, from which on a side is no text
# A number, or an address: what stands in columns that are no texts.
_NO_TEXT = re.compile(r"\s*(?:([-+]?[\d.,]*\d)|((?:https?|ftp)://\S+))\s*")
_USUAL = 1.4826  # standard deviations of a normal distribution for one median absolute deviation
# Bytes of UTF-8 seen as characters: a leading byte, then a trailing one, as in `Ã©` or `â€™`.
_MARK = re.compile("\ufeff")
_ESCAPED = re.compile("&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_LOST, _ENDS = re.compile("\ufffd"), re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MOJIBAKE = re.compile("[\u00c2-\u00c5\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac[\u0080-\u2122]")


class Plausibility:
    """Looks at the bitexts of a file, one after another, and at the end at all of them.

    Parameters
    ----------
    findings : Findings
        Takes what is found.
    ratio : float
        From how many spreads on lengths do not go together.

    """

    def __init__(self, findings: Findings, *, ratio: float = 6.0) -> None:
        self._findings, self._ratio = findings, ratio
        self._count = 0
        self._places, self._place = Places(), Place()
        self._texts, self._numbers, self._lines = array("Q"), array("q"), array("q")
        self._lengths = (array("q"), array("q"))
        # Of bisegments with texts on both sides: how many have a side that is no text.
        self._no_texts: Counter[str] = Counter()
        self._same = 0

    def look(self, bitext: Bitext) -> None:
        """Look at a bitext, or a part of one."""
        self._place = self._places.of(bitext)
        self._look_at_beads(bitext)
        for side, text, rows in (
            ("source", bitext.src, bitext.alignment.src),
            ("target", bitext.tgt, bitext.alignment.tgt),
        ):
            if text is not None:
                self._look_at_cover(bitext, side, text, rows)
                if text.has_text:
                    self._look_at_text(bitext, side, text, rows)
        src, tgt = bitext.src, bitext.tgt
        if src is not None and tgt is not None and src.has_text and tgt.has_text:
            self._look_at_pairs(bitext, src, tgt)

    def _look_at_beads(self, bitext: Bitext) -> None:
        a, where = bitext.alignment, partial(self._findings.where, place=self._place)
        where(
            "remark",
            "0-1 and 1-0 bisegments",
            bitext,
            (a.src.lengths == 0) | (a.tgt.lengths == 0),
        )
        where("remark", "discontinuous bisegments", bitext, with_gaps(a.src) | with_gaps(a.tgt))
        where("remark", "bisegments that cross earlier ones", bitext, late(a.src) | late(a.tgt))
        again = np.ones(len(a), dtype=np.bool_)
        again[np.unique(identify(a.src, a.tgt), return_index=True)[1]] = False
        where("warning", "bisegments that are there twice", bitext, again)
        for side, rows in (("source", a.src), ("target", a.tgt)):
            shared = _shared(rows) & ~again
            where("warning", f"bisegments with {side} segments of another one", bitext, shared)

    def _look_at_cover(self, bitext: Bitext, side: str, text: Text, rows: Rows) -> None:
        held = np.zeros(len(text), dtype=np.bool_)
        held[rows.idx] = True
        if not held.all():
            first = text[int(held.argmin())].id
            self._findings.add(
                "warning",
                f"{side} segments in no bisegment",
                f"{bitext.name or text.name}: segment {first}",
                count=int((~held).sum()),
            )

    def _look_at_text(self, bitext: Bitext, side: str, text: Text, rows: Rows) -> None:
        segments = list(text.segments())
        line = text.line or ""
        blank = np.fromiter((not s or s.isspace() for s in segments), np.bool_, len(segments))
        self._of_segments(bitext, f"{side} segments without anything but white space", blank, rows)
        looked_for: tuple[tuple[str, re.Pattern[str], Severity], ...] = (
            ("with U+FFFD, the sign of lost characters", _LOST, "warning"),
            ("with characters that XML forbids", FORBIDDEN, "warning"),
            ("with UTF-8 that was read as Latin-1 or Windows-1252", _MOJIBAKE, "warning"),
            ("with a byte order mark within, as of joined files", _MARK, "warning"),
            ("with references as in XML, as &amp;, which are characters here", _ESCAPED, "remark"),
            ("with characters that some programs end a line at, as U+2028", _ENDS, "remark"),
        )
        for kind, pattern, severity in looked_for:
            if pattern.search(line):
                found = np.fromiter((bool(pattern.search(s)) for s in segments), np.bool_)
                self._of_segments(bitext, f"{side} segments {kind}", found, rows, severity)

    def _of_segments(
        self,
        bitext: Bitext,
        kind: str,
        found: NDArray[np.bool_],
        rows: Rows,
        severity: Severity = "warning",
    ) -> None:
        """Count the bisegments that hold a segment of those found."""
        if found.any():
            beads = np.zeros(len(bitext.alignment), dtype=np.bool_)
            beads[row_of(rows)[found[rows.idx]]] = True
            kind = f"bisegments with {kind}"
            self._findings.where(severity, kind, bitext, beads, place=self._place)

    def _look_at_pairs(self, bitext: Bitext, src: Text, tgt: Text) -> None:
        a = bitext.alignment
        both = np.flatnonzero((a.src.lengths > 0) & (a.tgt.lengths > 0))
        for held, text, rows in zip(self._lengths, (src, tgt), (a.src, a.tgt), strict=True):
            held.frombytes(sums(rows, text.lengths())[both].astype(np.int64).tobytes())
        lines = np.zeros(len(a), dtype=np.int64) if bitext.lines is None else bitext.lines
        self._lines.frombytes(lines[both].astype(np.int64).tobytes())
        self._numbers.frombytes((both + self._count).astype(np.int64).tobytes())
        self._count += len(a)
        same = np.zeros(len(a), dtype=np.bool_)
        sides = joined_sides(bitext, "a check")
        hashes = bytearray()
        for k in both.tolist():
            one, other = sides[0][k], sides[1][k]
            same[k] = one == other and any(map(str.isalpha, one))
            for side, characters in (("source", one), ("target", other)):
                if found := _NO_TEXT.fullmatch(characters):
                    what = "numbers" if found[1] else "addresses"
                    self._no_texts[f"nothing but {what} as the {side} text"] += 1
            spelled = f"{one}\0{other}".encode("utf-8", "surrogatepass")
            hashes += blake2b(spelled, digest_size=_DIGEST).digest()
        self._texts.frombytes(bytes(hashes))
        self._same += int(same.sum())
        kind = "bisegments with the same text on both sides"
        self._findings.where("remark", kind, bitext, same, place=self._place)

    def finish(self) -> None:
        """Look at what only the whole file tells: repeats, lengths that do not go together."""
        self._look_at_repeats()
        self._look_at_sides()
        src, tgt = (np.array(held, dtype=np.float64) for held in self._lengths)
        taken = np.flatnonzero((src > 0) & (tgt > 0))
        if taken.size < _FEW:
            return
        src, tgt = src[taken], tgt[taken]
        c = tgt.sum() / src.sum()
        off = (tgt - c * src) / np.sqrt(c * src + tgt)
        middle = np.median(off)
        spread = _USUAL * np.median(np.abs(off - middle))
        far = np.abs(off - middle) > self._ratio * max(spread, 1.0)
        far &= np.maximum(src, tgt) >= _LEAST
        for k in np.flatnonzero(far).tolist():
            place = int(taken[k])
            self._findings.add(
                "warning",
                "bisegments whose lengths do not go together",
                f"bisegment {self._numbers[place]} of the file: {src[k]:,.0f} and {tgt[k]:,.0f} "
                f"characters",
                self._lines[place] or None,
            )

    def _look_at_sides(self) -> None:
        """Tell of a side that is no text, or of two that are the same text."""
        both = len(self._lines)
        found = {f"{kind} in most bisegments": count for kind, count in self._no_texts.items()}
        if both > 1:
            found["the same text on both sides in most bisegments"] = self._same
        way = remedy("columns src=2,tgt=3")
        for kind, count in found.items():
            if count > _SHARE * both:
                case = f"{count:,} of {both:,}; of a table other columns may be meant ({way})"
                self._findings.add("warning", kind, case, count=count)

    def _look_at_repeats(self) -> None:
        texts = np.array(self._texts, dtype=np.uint64)
        order = np.argsort(texts, kind="stable")
        again = np.zeros(texts.size, dtype=np.bool_)
        again[1:] = texts[order[1:]] == texts[order[:-1]]
        places = np.sort(order[again]).tolist()
        kind = "bisegments that repeat the texts of an earlier one"
        for place in places[:SHOWN]:
            case = f"bisegment {self._numbers[place]} of the file"
            self._findings.add("remark", kind, case, self._lines[place] or None)
        if len(places) > SHOWN:
            self._findings.add("remark", kind, OTHERS, count=len(places) - SHOWN)


def _shared(rows: Rows) -> NDArray[np.bool_]:
    """Tell which rows have a member that an earlier row has."""
    found = np.zeros(len(rows.ptr) - 1, dtype=np.bool_)
    found[row_of(rows)[repeated(rows)]] = True
    return found
