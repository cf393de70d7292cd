"""Positions over the texts of an alignment: whether they fit, their base, and structure notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, named_by_options, remedy
from bitext.formats.beads import both_sides
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.kernels.arrays import Bools, Ints, distinct, out_of_order, repeated, row_of, with_gaps
from bitext.kernels.distributions import Reading, better_reading
from bitext.lazy import late_pattern
from bitext.model import Alignment, Bisegment, Bitext, Note, Text

# Coverage of a gold standard: whether it belongs to the texts that it is read with.

_TAIL = 0.1  # largest share of a text that a gold standard may leave out at its end; set by hand


def check_coverage(gold: Bitext, *, partial: bool = False) -> Bitext:
    """Return the gold standard with notes on the segments of its texts in no bisegment.

    Published gold standards leave some segments out, which is noted. A standard by position that
    stops long before the end of its text was most likely made over another text, unless it is
    `partial`. Positions that fit the texts better otherwise are noted, too: sides exchanged or
    shifted, by the lengths of aligned segments; empty lines not counted, by the number of lines.

    Raises `InputError` when the positions leave more than one segment and more than a tenth of a
    text at its end.
    """
    by_position = gold.meta["holds"] == "positions"
    notes = list(_other_readings(gold)) if by_position else []
    for side, text, rows in both_sides(gold):
        if text is None or not text.has_text:
            continue
        covered = np.zeros(len(text), dtype=bool)
        covered[rows.idx] = True
        size = int(rows.idx.max()) + 1 if rows.idx.size else 0
        tail = len(text) - size
        if by_position and not partial and tail > max(1, _TAIL * len(text)):
            option = remedy("src" if side == "source" else "tgt")
            partial_too = remedy("partial", python="partial=True")
            where = f"after {side} segment {size - 1}" if size else f"on the {side} side"
            has = f"{text.name or 'the text'} has {len(text)}"
            if _counts_no_empty_lines(text.lengths(), size):
                has += f", of which {size} are not empty: leave out its empty lines"
            raise InputError(
                f"{gold.meta['path']}: aligns nothing {where}, but {has}; give the text that was "
                f"aligned ({option}), or with {partial_too} score what is aligned"
            )
        bare = np.flatnonzero(~covered)
        if bare.size:
            first = text[int(bare[0])].id
            kind = f"{side} segments in no bisegment of the gold standard"
            notes.append(Note(kind, int(bare.size), f"{gold.meta['path']}: segment {first}"))
    return replace(gold, notes=(*gold.notes, *notes))


def _other_readings(gold: Bitext) -> Iterator[Note]:
    """Yield a note where positions fit the texts better exchanged, shifted, or less empty lines."""
    if gold.src is None or gold.tgt is None or not (gold.src.has_text and gold.tgt.has_text):
        return
    rows = gold.alignment.src, gold.alignment.tgt
    lengths = gold.src.lengths(), gold.tgt.lengths()
    uncounted = [
        _counts_no_empty_lines(each, int(side.idx.max(initial=-1)) + 1)
        for side, each in zip(rows, lengths, strict=True)
        if not each.all()
    ]
    if uncounted and all(uncounted):
        kind = "texts whose empty lines the positions seem not to count: leave these lines out"
        yield Note(kind, len(uncounted), gold.meta["path"])
    elif reading := better_reading(*rows, *lengths):
        yield Note(_reading_note(reading), 1, gold.meta["path"])


def _counts_no_empty_lines(lengths: Ints, size: int) -> bool:
    """Check whether positions end where they would end if empty segments were not counted."""
    return bool(size and size == np.count_nonzero(lengths) and lengths[size:].any())


def _reading_note(reading: Reading) -> str:
    by = "by the lengths of what is aligned"
    if reading.exchanged:
        return f"texts that fit better exchanged, {by}: are source and target the right way round"
    fit = f"texts that fit better with positions {reading.steps}, {by}"
    return f"{fit}: were they aligned with one line more or fewer"


# The check of positions and identifiers over the texts of an alignment.


def over_positions(
    source: Source,
    alignment: Alignment,
    options: ReadOptions,
    line_of: Callable[[int], int],
    *,
    whole: tuple[int, int] | None = None,
    lines: Sequence[int] | Ints | None = None,
    based: bool = False,
) -> Bitext:
    """Combine an alignment by positions with its texts; check that the positions fit.

    A bisegment with an empty side may name a position beyond its text: published gold
    standards do, and no metric counts it. The text then gets an empty segment at that position,
    which is noted. Any other position beyond the text is an error.

    The texts are those of the `options`. `line_of` returns the line of the file that a bisegment
    comes from, for messages, and `lines` are the lines of all, where these are recorded. `whole`
    are the numbers of segments that the texts must have, where the format gives them. `based` is
    true if some programs count positions of this format from 1: the base is then that of the
    options, else the one detected from the texts, else 0.

    Raises `FormatError` when a text is shorter than the alignment requires, or, given `whole`, of
    another length.
    """
    given = options.texts
    if based:
        alignment = _from_zero(source, alignment, options.base, given, line_of)
    texts: list[Text | None] = []
    lacking = _lacking_side(options)
    if whole is not None and not _is_whole(whole, given):
        raise source.error(_misfit(whole, given, lacking), line_of(len(alignment) - 1))
    sizes = alignment.tgt_size, alignment.src_size
    turned = None not in given and _is_whole(sizes, given)
    pairs = zip(sizes, given, strict=True)
    swapped = all(text is None or size <= len(text) for size, text in pairs)
    for side, text, rows, others in (
        ("source", given[0], alignment.src, alignment.tgt),
        ("target", given[1], alignment.tgt, alignment.src),
    ):
        if text is None:
            texts.append(None)
            continue
        if not text.has_text and text.has_ids and rows.idx.size:
            _check_ids(source, side, text)
        # Positions beyond the text are tolerated in bisegments with an empty side, if near its end.
        size = len(text)
        where = text.name or f"the {side} text"
        beyond = np.flatnonzero(rows.idx >= size)
        row = row_of(rows)[beyond]
        paired = others.lengths[row] > 0
        far = rows.idx[beyond] >= size + len(alignment)
        if (wrong := paired | far | turned).any():
            k = int(np.flatnonzero(wrong)[0])
            advice = _advice(swapped=swapped, side=side, lacking=lacking)
            of_1 = based and options.base is None and rows.idx.all() and others.idx.all()
            if of_1 and rows.idx[beyond[k]] == size:
                advice += f", or if it counts from 1, say so ({remedy('base 1', python='base=1')})"
            has = f"has {size} (0 to {size - 1})" if size else "has no segment: is it a text?"
            raise source.error(
                f"{shown(alignment[int(row[k])])} names {side} segment {rows.idx[beyond[k]]}, but "
                f"{where} {has}; {advice}",
                line_of(int(row[k])),
            )
        if beyond.size:
            bead = int(row[0])
            source.note(
                "segments beyond the text, in bisegments with an empty side, taken as empty",
                f"{side} segment {rows.idx[beyond[0]]}, while {where} has {size}",
                line=line_of(bead),
                count=beyond.size,
            )
            text = _lengthened(text, int(rows.idx.max()) + 1)
        texts.append(text)
    line_numbers = None if lines is None else np.asarray(lines, dtype=np.int64)
    bitext = Bitext(texts[0], texts[1], alignment, name=options.name, lines=line_numbers)
    return replace(bitext, notes=source.notes.drain())


_NUMBER = re.compile(r"[0-9]+")
_FEW = 2  # bisegments with both sides that show no base by covering their texts; set by hand


def _check_ids(source: Source, side: str, text: Text) -> None:
    """Note that positions are taken as places among identifiers; refuse those with gaps.

    Links name the identifiers of aligned segments only, so that a gap may hide other segments.
    """
    ids = text.ids
    where = text.name or f"the {side} text"
    key = {"source": "src", "target": "tgt"}[side]
    gap = _first_gap(ids)
    if gap is not None:
        after = f"follows {ids[gap - 1]!r}" if gap else "is the first"
        raise source.error(
            f"names {side} segments by position, and those of {where} are known by the identifiers "
            f"in links only, some of which may be missing ({ids[gap]!r} {after}): give the {side} "
            f"text ({remedy(key)})"
        )
    kind = f"positions taken as places among the identifiers in links ({remedy('src', 'tgt')})"
    source.note(kind, f"{ids[0]!r} to {ids[-1]!r} of {where}")


def _first_gap(ids: Sequence[str]) -> int | None:
    """Return the index of the first identifier that is not the next one by its numbers.

    The next one after `s1.1` is `s1.2` or `s2.1`, and the first is `s0.0` to `s1.1`. Numbers at the
    beginning that all identifiers share, as in `doc7.s1`, do not count.
    """
    rows = [list(map(int, _NUMBER.findall(name))) for name in ids]
    shape = _NUMBER.sub("0", ids[0])
    extremes = zip(min(rows), max(rows), strict=False) if len(rows) > 1 else ()
    shared = sum(1 for _ in takewhile(lambda both: both[0] == both[1], extremes))
    for k, (name, row) in enumerate(zip(ids, rows, strict=True)):
        here = row[shared:]
        if not here or _NUMBER.sub("0", name) != shape:
            return k
        last = rows[k - 1][shared:] if k else [0] * len(here)
        at = next((i for i, (a, b) in enumerate(zip(last, here, strict=True)) if a != b), None)
        if at is None:
            if k:
                return k
            continue
        if here[at] != last[at] + 1 or any(later > 1 for later in here[at + 1 :]):
            return k
    return None


def _from_zero(
    source: Source,
    alignment: Alignment,
    base: int | None,
    texts: tuple[Text | None, Text | None],
    line_of: Callable[[int], int],
) -> Alignment:
    """Return the alignment with positions that count from 0, whatever the base of the file.

    Without a `base`, positions count from 1 if none is 0 and the last lies just after each text, as
    one of a pair, or of all that the text has.
    """
    src, tgt = alignment.src, alignment.tgt
    used = np.concatenate([src.idx, tgt.idx])
    if base is None and used.size and used.min() > 0:
        pairs = (src.lengths > 0) & (tgt.lengths > 0)  # a lone segment beyond the text is tolerated
        known = [(rows, t) for rows, t in zip((src, tgt), texts, strict=True) if t is not None]
        ends = [int(rows.idx[pairs[row_of(rows)]].max(initial=0)) == len(t) for rows, t in known]
        # Or all segments of both texts, where these are more than a few.
        whole = pairs.sum() > _FEW and all(
            rows.idx.max(initial=0) == distinct(rows.idx).size == len(t) for rows, t in known
        )
        base = int(bool(known) and (whole or all(ends)))
        kind = "files without a position 0, read as counting from 0"
        if base:
            kind = "files read as counting from 1, since no position is 0 and the last lies behind "
            kind += "the text"
        way = remedy(f"base {1 - base}", python=f"base={1 - base}")
        source.note(f"{kind} ({way} if they count from {1 - base})")
    if base != 1:
        return alignment
    if used.size and not used.min():
        at = int(np.concatenate([row_of(rows)[rows.idx == 0] for rows in (src, tgt)]).min())
        raise source.error(
            f"has the position 0, so it does not count from 1: leave "
            f"{remedy('base 1', python='base=1')} out",
            line_of(at),
        )
    return Alignment.from_arrays(
        src._replace(idx=src.idx - 1),
        tgt._replace(idx=tgt.idx - 1),
        scores=alignment.scores,
        attributes=alignment.attributes,
    )


def shown(bead: Bisegment, most: int = 5) -> str:
    """Format a bisegment for a message, as `[0, 1]:[2]`; long sides are cut."""
    sides = (
        f"[{', '.join(map(str, side[:most]))}{', ...' if len(side) > most else ''}]"
        for side in bead
    )
    return ":".join(sides)


def _lacking_side(options: ReadOptions) -> str:
    """Return the side that has the text of another alignment only, beside a text of its own."""
    if options.src is None and options.tgt is not None and options.over_src is not None:
        return "source"
    if options.tgt is None and options.src is not None and options.over_tgt is not None:
        return "target"
    return ""


def _advice(*, swapped: bool, side: str, lacking: str) -> str:
    option = remedy("src" if side == "source" else "tgt")
    if side == lacking:
        return f"give the {side} text of this alignment, too ({option})"
    if swapped and not lacking:
        way = f"exchange {remedy('src')} and {remedy('tgt')}"
        if named_by_options() == "score":
            way += f", or the sides of this system ({remedy('swap SYSTEM')})"
        return f"with the two sides exchanged it fits: {way}"
    return f"give the text that was aligned ({option})"


def _is_whole(whole: tuple[int, int], texts: tuple[Text | None, Text | None]) -> bool:
    """Check whether the known texts have exactly the numbers of segments in `whole`."""
    return all(text is None or len(text) == n for n, text in zip(whole, texts, strict=True))


def _misfit(whole: tuple[int, int], texts: tuple[Text | None, Text | None], lacking: str) -> str:
    """Word the error of a ladder that does not end where the texts do."""
    sizes = [None if text is None else len(text) for text in texts]
    known = [
        f"the {side} text has {size}"
        for side, size in zip(("source", "target"), sizes, strict=True)
        if size is not None
    ]
    have = f"the texts have {sizes[0]} and {sizes[1]}" if len(known) == 2 else known[0]
    said = f"the ladder ends at ({whole[0]}, {whole[1]}), {have}"
    if not lacking and _is_whole(whole[::-1], texts):
        return f"{said}; {_advice(swapped=True, side='source', lacking='')}"
    side = next(k for k, size in enumerate(sizes) if size not in {None, whole[k]})
    if all(size is None or n <= size for n, size in zip(whole, sizes, strict=True)):
        advice = f"{said}: it is cut short, or of other texts; give the whole of it"
        if all(size is None or n == size - 1 for n, size in zip(whole, sizes, strict=True)):
            way = remedy("from id-pairs", python="format='id-pairs'")
            advice += f", or, of pairs of positions with a tab between, name the format ({way})"
        return advice
    advice = _advice(swapped=False, side="target" if side else "source", lacking=lacking)
    return f"{said}; {advice}"


def _lengthened(text: Text, size: int) -> Text:
    """Return the text with empty segments appended up to `size`."""
    more: Ints = np.full(size - len(text), len(text.line or ""), dtype=np.int64)
    ids = [*text.ids, *(f"+{k}" for k in range(len(text), size))] if text.has_ids else None
    if text.line is None:
        return Text.of_ids(ids or [], name=text.name, lang=text.lang)
    return Text.from_offsets(
        text.line,
        np.concatenate([text.starts, more]),
        np.concatenate([text.ends, more]),
        ids=ids,
        name=text.name,
        lang=text.lang,
        marked=None if text.marked is None else [*text.marked, *[None] * more.size],
        blocks=text.blocks,
    )


# Notes on structures that are allowed in an alignment but seldom intended.


def note_oddities(source: Source, alignment: Alignment, place_of: Callable[[int], str]) -> None:
    """Note gaps, inversions and overlaps, each kind with its count and its first case.

    A bisegment is out of order when, on one side, its first segment comes before the first segment
    of an earlier bisegment. A crossing always makes one. The cost is linear, except for a sort
    where segments repeat or are not in order.

    The source takes the notes. The indices of the alignment are positions in the two texts.
    `place_of` returns the place of a bisegment by its index, as `a.xml line 3`.
    """
    both = (alignment.src, alignment.tgt)

    def add(kind: str, mask: Bools) -> None:
        if mask.any():
            first = int(mask.argmax())
            case = f"{place_of(first)}: {shown(alignment[first])}"
            source.notes.add(kind, case, int(mask.sum()))

    add("discontinuous bisegments", with_gaps(both[0]) | with_gaps(both[1]))
    add("bisegments out of order (crossing)", out_of_order(both[0]) | out_of_order(both[1]))
    for side, rows in zip(("source", "target"), both, strict=True):
        again = repeated(rows)
        if again.size:
            k, segment = int(row_of(rows)[again[0]]), int(rows.idx[again[0]])
            source.notes.add(
                f"{side} segments in more than one bisegment",
                f"{place_of(k)}: {side} segment {segment}",
                distinct(rows.idx[again]).size,
            )


# Numbers in identifiers.

_LINE_ID = late_pattern(r"(\D*)([1-9]\d{0,11})", re.ASCII)
_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))
_NUMBERS = late_pattern(r"\d{1,18}", re.ASCII)
_DIGIT = late_pattern(r"\d")


def line_prefix(ids: Sequence[str]) -> str | None:
    """Find the common prefix of ids that may be line numbers from 1; `None` if they are not.

    Examples
    --------
    >>> line_prefix(["s1", "s3"]), line_prefix(["1", "3"]), line_prefix(["s1", "p3"])
    ('s', '', None)

    """
    lines = [_LINE_ID.fullmatch(name) for name in ids]
    if len({match and match[1] for match in lines}) != 1 or lines[0] is None:
        return None
    return str(lines[0][1])


def natural_ranks(ids: Sequence[str]) -> Ints | None:
    """Return the rank of each id in the order of the numbers in it; `None` without such an order.

    `s2` comes before `s10`, and `s1.2` before `s1.10`. All ids must begin alike.
    """
    if not ids:
        return None
    joined = "\n".join(ids)
    shape = joined.translate(_NO_DIGITS)
    shapes = shape.split("\n")
    if shapes.count(shapes[0]) == len(shapes) and max(map(len, ids)) < 19:
        between = str.maketrans(dict.fromkeys(set(shape), " "))
        numbers = np.fromstring(joined.translate(between), dtype=np.int64, sep=" ")
        if numbers.size and numbers.size % len(ids) == 0:
            keys = numbers.reshape(len(ids), -1)
            return _ranks(np.lexsort(keys.T[::-1]), keys)
    return _ranks_by_one(ids)


def _ranks(order: NDArray[np.intp], keys: Ints) -> Ints | None:
    if not (np.diff(keys[order], axis=0) != 0).any(axis=1).all():
        return None
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _ranks_by_one(ids: Sequence[str]) -> Ints | None:
    """Rank ids with different counts of numbers, as `s1` and `s1.2`."""
    starts = {_DIGIT.split(name, maxsplit=1)[0] for name in ids}
    keys = [tuple(map(int, _NUMBERS.findall(name))) for name in ids]
    if len(starts) > 1 or len(set(keys)) < len(keys):
        return None
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[sorted(range(len(ids)), key=keys.__getitem__)] = np.arange(len(ids))
    return ranks
