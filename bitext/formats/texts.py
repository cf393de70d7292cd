"""Texts for alignments that hold only positions or identifiers, and how positions meet them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.opening import Source, open_source
from bitext.kernels.rows import row_of
from bitext.model import Alignment, Bisegment, Bitext, Text
from bitext.remedies import named_by_options, remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.errors import FormatError
    from bitext.formats.opening import Notes
    from bitext.formats.registry import ReadOptions

__all__ = ["load_text", "load_texts", "over_positions", "read_lines", "shown"]


def load_text(
    value: str | os.PathLike[str] | Text | None,
    encoding: str = "utf-8",
    notes: Notes | None = None,
    on_bad: Callable[[FormatError], None] | None = None,
) -> Text | None:
    """Return the text that a user named: as it is, or read from a file.

    A file that begins with an XML declaration, a document type or the root element of a known
    kind of document is read as such; any other has one segment a line. What is odd in it
    goes to `notes`, what cannot be read of it to `on_bad`, if that is given (see `Source`).
    """
    if value is None or isinstance(value, Text):
        return value
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"a text is given as {value!r:.60}: want the name of its file, or a Text")
    with open_source(value, encoding=encoding) as source:
        source.on_bad = on_bad
        return _read_text(source, notes)


def _read_text(source: Source, notes: Notes | None) -> Text:
    from bitext.formats.documents import is_document, read_document

    text = read_document(source) if is_document(source.head()) else read_lines(source)
    if notes is not None:
        notes.extend(source.notes)
    return text


def load_texts(
    src: str | os.PathLike[str] | Text | None,
    tgt: str | os.PathLike[str] | Text | None,
    encoding: str = "utf-8",
    notes: Notes | None = None,
    on_bad: Callable[[FormatError], None] | None = None,
) -> tuple[Text | None, Text | None]:
    """Return the two texts that a user named, as `load_text` does.

    A file of lines `source ||| target`, as fast_align reads them, holds both: it is named as the
    source text alone, or as both.

    Raises
    ------
    InputError
        When such a file is named beside another one, or as the target text alone.

    """
    found: list[Text | None] = []
    for side, given, other in (("src", src, tgt), ("tgt", tgt, src)):
        if not isinstance(given, str | os.PathLike):
            found.append(load_text(given))
            continue
        with open_source(given, encoding=encoding, side=side) as source:  # once: it may be a pipe
            source.on_bad = on_bad
            head = source.head()
            if b"|||" in head:
                from bitext.formats.fast_align import is_of_both_sides, read_both_sides
            if b"|||" not in head or not is_of_both_sides(head):
                found.append(_read_text(source, notes))
                continue
            if given != other and (other is not None or found):
                raise InputError(
                    f"{source.path}: holds both texts (source ||| target): name it alone, "
                    f"as the source text ({remedy('src')})"
                )
            both = read_both_sides(source)
            if notes is not None:
                notes.extend(source.notes)
            return both
    return found[0], found[1]


def read_lines(source: Source) -> Text:
    """Read a text of one segment a line; an empty line is a segment without characters."""
    content = source.text()
    points = np.frombuffer(content.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    breaks = np.flatnonzero(points == ord("\n"))
    ends = breaks if content.endswith("\n") or not content else np.append(breaks, len(content))
    starts = np.concatenate([[0], breaks + 1])[: len(ends)]
    before = points[np.maximum(ends - 1, 0)] == ord("\r") if len(points) else np.zeros(0, bool)
    ends = ends - (before & (ends > starts))
    return Text.from_offsets(content, starts, ends, name=source.path)


def over_positions(
    source: Source,
    alignment: Alignment,
    options: ReadOptions,
    line_of: Callable[[int], int],
    *,
    whole: tuple[int, int] | None = None,
    lines: Sequence[int] | NDArray[np.int64] | None = None,
    based: bool = False,
) -> Bitext:
    """Make a bitext of an alignment by positions and the texts it goes over, checked.

    A bisegment with an empty side may name a position beyond its text: published gold
    standards do, and it weighs nothing. The text then gets an empty segment there, and a note
    tells. Any other position beyond the text is an error.

    Parameters
    ----------
    source : Source
        The file, for messages.
    alignment : Alignment
        Its indices are positions.
    options : ReadOptions
        Names the texts.
    line_of : callable
        The line of the file that a bisegment comes from, for messages.
    whole : pair of int, optional
        The numbers of segments that the texts must have, where the format says.
    lines : sequence of int, optional
        The line of the file on which each bisegment begins, where these are wanted.
    based : bool
        Whether some write positions of this format from 1: the base that `options` name is taken,
        else what the texts show, else 0.

    Raises
    ------
    FormatError
        When a text is shorter than the alignment says, or, given `whole`, of another length.

    """
    from dataclasses import replace

    given = (
        options.over_src if options.src is None else options.src,
        options.over_tgt if options.tgt is None else options.tgt,
    )
    if based:
        alignment = _from_zero(source, alignment, options.base, given, line_of)
    texts: list[Text | None] = []
    if whole is not None and not _is_whole(whole, given):
        raise source.error(_misfit(whole, given), line_of(len(alignment) - 1))
    swapped = _fits(alignment.swapped(), given)
    for side, text, rows, others in (
        ("source", given[0], alignment.src, alignment.tgt),
        ("target", given[1], alignment.tgt, alignment.src),
    ):
        if text is None:
            texts.append(None)
            continue
        size = len(text)
        where = text.name or f"the {side} text"
        beyond = np.flatnonzero(rows.idx >= size)
        row = row_of(rows)[beyond]
        paired = others.lengths[row] > 0
        far = rows.idx[beyond] >= size + len(alignment)
        if (paired | far).any():
            k = int(np.flatnonzero(paired | far)[0])
            raise source.error(
                f"{shown(alignment[int(row[k])])} names {side} segment {rows.idx[beyond[k]]}, but "
                f"{where} {_extent(size)}; {_advice(swapped=swapped, side=side)}",
                line_of(int(row[k])),
            )
        if beyond.size:
            bead = int(row[0])
            source.notes.add(
                "segments beyond the text, in bisegments with an empty side, taken as empty",
                f"{source.path} line {line_of(bead)}: {side} segment {rows.idx[beyond[0]]}, "
                f"while {where} has {size}",
                beyond.size,
            )
            text = _lengthened(text, int(rows.idx.max()) + 1)
        texts.append(text)
    told = None if lines is None else np.asarray(lines, dtype=np.int64)
    bitext = Bitext(texts[0], texts[1], alignment, name=options.name, lines=told)
    return replace(bitext, notes=source.notes.drain())


def _from_zero(
    source: Source,
    alignment: Alignment,
    base: int | None,
    texts: tuple[Text | None, Text | None],
    line_of: Callable[[int], int],
) -> Alignment:
    """Return the alignment with positions that count from 0, whatever the file counts from."""
    src, tgt = alignment.src, alignment.tgt
    used = np.concatenate([src.idx, tgt.idx])
    if base is None and used.size and used.min() > 0:
        pairs = (src.lengths > 0) & (tgt.lengths > 0)  # a lone segment beyond the text is tolerated
        ends = [
            int(rows.idx[pairs[row_of(rows)]].max(initial=0)) == len(text)
            for rows, text in ((src, texts[0]), (tgt, texts[1]))
            if text is not None
        ]
        if ends and all(ends):
            base = 1
            kind = (
                "files read as counting from 1, since no position is 0 and the last lies behind "
                f"the text ({remedy('base 0', python='base=0')} if they count from 0)"
            )
            source.notes.add(kind, source.path)
        elif not ends:
            kind = (
                "files without a position 0, read as counting from 0 "
                f"({remedy('base 1', python='base=1')} if they count from 1)"
            )
            source.notes.add(kind, source.path)
    if base != 1:
        return alignment
    if used.size and not used.min():
        at = min(
            int(row_of(rows)[np.flatnonzero(rows.idx == 0)[0]])
            for rows in (src, tgt)
            if not rows.idx.all()
        )
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
    """Return a bisegment for a message, as `[0, 1]:[2]`; long sides are cut."""
    sides = (
        f"[{', '.join(map(str, side[:most]))}{', ...' if len(side) > most else ''}]"
        for side in bead
    )
    return ":".join(sides)


def _fits(alignment: Alignment, texts: tuple[Text | None, Text | None]) -> bool:
    src, tgt = texts
    fits_src = src is None or alignment.src_size <= len(src)
    return fits_src and (tgt is None or alignment.tgt_size <= len(tgt))


def _extent(size: int) -> str:
    return f"has {size} (0 to {size - 1})" if size else "has no segment: is it a text?"


def _advice(*, swapped: bool, side: str) -> str:
    option = remedy("src" if side == "source" else "tgt")
    if swapped:
        way = f"exchange {remedy('src')} and {remedy('tgt')}"
        if named_by_options() == "score":
            way += f", or the sides of this system ({remedy('swap SYSTEM')})"
        return f"with the two sides exchanged it fits: {way}"
    return f"give the text that was aligned ({option})"


def _is_whole(whole: tuple[int, int], texts: tuple[Text | None, Text | None]) -> bool:
    """Tell whether texts have the numbers of segments that an alignment of all of them has."""
    return all(text is None or len(text) == n for n, text in zip(whole, texts, strict=True))


def _misfit(whole: tuple[int, int], texts: tuple[Text | None, Text | None]) -> str:
    """Say that a ladder does not end where the texts do, and what to do."""
    sizes = [None if text is None else len(text) for text in texts]
    known = [
        f"the {side} text has {size}"
        for side, size in zip(("source", "target"), sizes, strict=True)
        if size is not None
    ]
    have = f"the texts have {sizes[0]} and {sizes[1]}" if len(known) == 2 else known[0]
    said = f"the ladder ends at ({whole[0]}, {whole[1]}), {have}"
    if _is_whole(whole[::-1], texts):
        return f"{said}; {_advice(swapped=True, side='source')}"
    side = next(k for k, size in enumerate(sizes) if size not in {None, whole[k]})
    if all(size is None or n <= size for n, size in zip(whole, sizes, strict=True)):
        return f"{said}: it is cut short, or of other texts; give the whole of it"
    return f"{said}; {_advice(swapped=False, side='target' if side else 'source')}"


def _lengthened(text: Text, size: int) -> Text:
    """Return the text with empty segments put at its end."""
    more: NDArray[np.int64] = np.full(size - len(text), len(text.line or ""), dtype=np.int64)
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
    )
