"""Reading files of alignments: detecting the format, loading texts, checking positions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import (
    BitextError,
    FormatError,
    InputError,
    OptionError,
    named_by_options,
    remedy,
)
from bitext.formats.content_notes import refuse_conflict, with_notes_of_content
from bitext.formats.corpora import refuse_manifest
from bitext.formats.io.encodings import (
    check_encodings,
    document_of,
    encoding_of,
    exchanged,
    mark_of,
    unmarked_utf_16,
    unpacked,
)
from bitext.formats.io.remote import beside, called, is_remote, two_files
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.languages import Wanted, named_language
from bitext.formats.plain_text import check_lines, load_texts, refuse_exchanged
from bitext.formats.registry import (
    WORDS,
    Format,
    ReadOptions,
    SharedOptions,
    by_name,
    by_suffix,
    readable_names,
    sniff,
)
from bitext.formats.states import doubtful_translations
from bitext.formats.xml import SURROGATES, has_root
from bitext.kernels.arrays import Bools, Ints, distinct, out_of_order, repeated, row_of, with_gaps
from bitext.kernels.distributions import Reading as LengthReading
from bitext.kernels.distributions import better_reading
from bitext.model import Alignment, Bisegment, Bitext, Note, Text
from bitext.paths import path_name

if TYPE_CHECKING:
    from bitext.formats.convert.filters import Where

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
    for side, text, rows in (
        ("source", gold.src, gold.alignment.src),
        ("target", gold.tgt, gold.alignment.tgt),
    ):
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


def _reading_note(reading: LengthReading) -> str:
    by = "by the lengths of what is aligned"
    if reading.exchanged:
        return f"texts that fit better exchanged, {by}: are source and target the right way round"
    fit = f"texts that fit better with positions {reading.steps}, {by}"
    return f"{fit}: were they aligned with one line more or fewer"


# The check of positions and identifiers over the texts of an alignment.


OWN_TEXTS = "texts named beside a file that holds its own, not read"


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
    given = (
        options.over_src if options.src is None else options.src,
        options.over_tgt if options.tgt is None else options.tgt,
    )
    if based:
        alignment = _from_zero(source, alignment, options.base, given, line_of)
    texts: list[Text | None] = []
    lacking = _lacking_side(options)
    if whole is not None and not _is_whole(whole, given):
        raise source.error(_misfit(whole, given, lacking), line_of(len(alignment) - 1))
    swapped = _fits(alignment.swapped(), given)
    turned = None not in given and _is_whole((alignment.tgt_size, alignment.src_size), given)
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
            raise source.error(
                f"{shown(alignment[int(row[k])])} names {side} segment {rows.idx[beyond[k]]}, but "
                f"{where} {_extent(size)}; {advice}",
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
        if known and (whole or all(ends)):
            base = 1
            kind = (
                "files read as counting from 1, since no position is 0 and the last lies behind "
                f"the text ({remedy('base 0', python='base=0')} if they count from 0)"
            )
            source.note(kind)
        else:
            kind = (
                "files without a position 0, read as counting from 0 "
                f"({remedy('base 1', python='base=1')} if they count from 1)"
            )
            source.note(kind)
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
    """Format a bisegment for a message, as `[0, 1]:[2]`; long sides are cut."""
    sides = (
        f"[{', '.join(map(str, side[:most]))}{', ...' if len(side) > most else ''}]"
        for side in bead
    )
    return ":".join(sides)


def _fits(alignment: Alignment, texts: tuple[Text | None, Text | None]) -> bool:
    sizes = alignment.src_size, alignment.tgt_size
    return all(text is None or n <= len(text) for n, text in zip(sizes, texts, strict=True))


def _extent(size: int) -> str:
    return f"has {size} (0 to {size - 1})" if size else "has no segment: is it a text?"


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


_UNDECODED = re.compile("[\udc80-\udcff]")  # see `Source.undecodable`
_TEXT_DOCUMENTS = (".docx", ".docm", ".odt", ".ott", ".epub", ".pdf", ".rtf")
# Formats in which an empty file is one without any bisegment; it is more often a mistake.
_EMPTY = frozenset(("champollion", "fast-align", "giza", "hunalign-text", "jsonl", "moses", "naacl",
                    "natools", "pharaoh", "po", "srt", "tsv", "vecalign"))  # fmt: skip

# Formats with one language a file that the contents show, and the least confidence.
_OF_TWO = ("android", "apple", "resx", "wmt-sgm")
_SURE_OF_TWO = 60
# Those that the names of the files show; texts line by line are not named so.
_NAMED_OF_TWO = {
    ".json": "json-strings",
    ".arb": "json-strings",
    ".yml": "yaml-strings",
    ".yaml": "yaml-strings",
    ".properties": "properties",
}
_SEGMENTED = frozenset(  # endings of segmentations
    [".masses", ".positions", ".bits", ".labels", ".rs3", ".rs4", ".edus", ".dis", ".textgrid"]
)


class Reading:
    """The bitexts of an open file, to be iterated once.

    `source` is the file, and `format` its format. After the last bitext the notes of `source` are
    those that came after that bitext.
    """

    def __init__(
        self,
        source: Source,
        known: Format,
        options: ReadOptions,
        path: str,
        where: Where | None = None,
        dropped: Notes | None = None,
    ) -> None:
        self.source, self.format = source, known
        self._options, self._path = options, path
        self._where, self._dropped = where, dropped
        self._is_first = True

    def __iter__(self) -> Iterator[Bitext]:
        if self._where is None:
            yield from self._all()
            return
        for bitext in self._all():
            yield self._where.chosen(bitext, self._dropped)
        if self._where.each:
            dropped = self.source.notes if self._dropped is None else self._dropped
            self._where.check(self._path, dropped)

    def noted(self, notes: Notes) -> Iterator[Bitext]:
        """Yield the bitexts; add their notes, and those after the last one, to `notes`."""
        for bitext in self:
            notes.extend(bitext.notes)
            yield bitext
        notes.extend(self.source.notes.drain())

    def _all(self) -> Iterator[Bitext]:
        try:
            if self.format.read is not None:
                bitexts = self.format.read(self.source, self._options)
                languages = Wanted(self.source, self._options.languages, self._options.given)
                yield from map(self._described, languages.chosen(bitexts))
        except FormatError as error:
            fault = error
        else:
            return
        # If bad units are left out, the good ones before a fatal error are not lost. If these
        # make no valid bitext either, the first error explains it best.
        if self.source.on_bad is not None:
            with suppress(BitextError):
                yield from map(self._described, self.source.collected())
        raise fault

    def _described(self, bitext: Bitext) -> Bitext:
        """Return a bitext with the metadata of its file."""
        is_first, self._is_first = self._is_first, False
        if is_first:
            refuse_exchanged(self.source, bitext, (self._options.src, self._options.tgt))
            files = self.source, self._options.second or self.source
            named = self.format.name, self._path, (files[0].encoding, files[1].encoding)
            bitext = with_notes_of_content(bitext, self._options, *named)
        if doubts := [*doubtful_translations(bitext.alignment.attributes, self._path)]:
            bitext = replace(bitext, notes=(*bitext.notes, *doubts))
        if self.source.on_bad is not None:
            bitext = self._decoded(bitext)
        # A file of ids may hold the texts as well, as TEI does: its reader then sets `holds`.
        meta = {"holds": self.format.holds, **bitext.meta}
        meta |= {"path": self._path, "format": self.format.name}
        if self._options.name:
            meta["corpus_name"] = self._options.name
        bitext = replace(bitext, meta=meta)
        if WORDS in bitext.alignment.attributes and not self.format.based:
            from bitext.formats.word_links import from_base

            bitext = from_base(bitext, self._options.base, is_noted=is_first)
        return bitext

    def _decoded(self, bitext: Bitext) -> Bitext:
        """Leave out and report the bisegments with undecodable bytes."""
        if _is_encodable(bitext):  # the usual case, and fast
            return bitext
        from bitext.formats.convert.filters import holding, select, without_segments

        bad = holding(bitext, _UNDECODED)
        if bad.any():
            bitext = select(bitext, ~bad, whole=self.format.holds != "text")
        return without_segments(bitext, _UNDECODED)


def _is_encodable(bitext: Bitext) -> bool:
    """Check whether no segment, id or column has a surrogate, which UTF-8 cannot encode."""
    strings: list[Iterable[str | None]] = [*bitext.alignment.attributes.values()]
    for text in (bitext.src, bitext.tgt):
        if text is not None:
            strings += [text.segments() if text.has_text else (), text.marked or ()]
            strings += [text.ids] * text.has_ids
    try:
        for each in strings:
            "".join(filter(None, each)).encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions(SharedOptions):
    """How a file of alignments is read: the arguments of `bitext.formats.read_all` as one value."""

    # `src`, `tgt`: the texts, for formats that hold positions or identifiers only.
    src: str | os.PathLike[str] | Text | None = None
    tgt: str | os.PathLike[str] | Text | None = None
    format: str | None = None  # the name of the format; `None`: detected from the contents
    # The encoding of files that do not declare one; or one for each side, as
    # `src=latin-1,tgt=utf-8`.
    encoding: str = "utf-8"
    # The folders, or URLs as strings, under which documents may lie; none for the file's folder.
    roots: tuple[str | os.PathLike[str], ...] = ()
    # Conditions on the values of columns, as `state=final,translated` (see `Where`); other
    # bisegments are left out. Conditions that are not for `each` file are checked by the caller.
    where: Sequence[str] | Where = ()

    def files(self, path: str) -> Iterator[str]:
        """Yield the names of the files that are read for `path`, two of which it may name."""
        for given in (path, self.src, self.tgt):
            if given and isinstance(given, (str, os.PathLike)):
                yield from two_files(os.fspath(given)) or (os.fspath(given),)

    def conditions(self, *, each: bool = True, whole: bool | None = None) -> Where | None:
        """Return the conditions on columns; `None` if there are none."""
        if not isinstance(self.where, Sequence):
            return self.where
        if not self.where:
            return None
        from bitext.formats.convert.filters import Where  # late: most runs filter nothing

        return Where(self.where, each=each, whole=whole)

    def swapped(self) -> Self:
        """Return the options with those of the source and of the target exchanged."""
        return replace(
            self,
            src=self.tgt,
            tgt=self.src,
            over_src=self.over_tgt,
            over_tgt=self.over_src,
            over_pairs=None if self.over_pairs is None else self.over_pairs.swapped(),
            encoding=exchanged(self.encoding),
        )

    def for_reader(
        self, roots: tuple[Path | str, ...], texts: tuple[Text | None, Text | None], **more: Any
    ) -> ReadOptions:
        """Return the options of the reader, with the texts read, and `more` of other values."""
        common = {name: getattr(self, name) for name in SharedOptions.__dataclass_fields__}
        more["named"] = bool(self.format)
        return ReadOptions(src=texts[0], tgt=texts[1], roots=roots, **{**common, **more})


@contextmanager
def opened(
    path: str | os.PathLike[str],
    options: FileOptions | None = None,
    *,
    on_bad: Callable[[FormatError], None] | None = None,
    dropped: Notes | None = None,
) -> Iterator[Reading]:
    """Open a file of alignments, or two as `a,b`.

    `on_bad` takes the errors of unreadable units, which are then left out. `dropped` takes the
    counts of bisegments that `where` of the options leaves out, by default the notes of the
    bitexts.

    Raises `FormatError` when the file is empty or its format cannot be detected, and `InputError`
    when it cannot be read.
    """
    options = options or FileOptions()
    place = path_name(path)
    known = by_name(options.format) if options.format else None
    if known is not None and known.read is None:
        raise OptionError(f"format {known.name!r} can be written but not read")
    conditions = options.conditions()
    pair = two_files(place) if known is None or known.two_files else None
    if pair:
        place = pair[0]
    with ExitStack() as stack:
        # Open the file, or both files of a pair.
        encoding, side = check_encodings(options.encoding), "src" if pair else ""
        own, limits = encoding_of(encoding, side), options.limits
        source = stack.enter_context(open_source(place, encoding=own, side=side, limits=limits))
        second = None
        if pair:
            second = stack.enter_context(
                open_source(pair[1], encoding=encoding, side="tgt", limits=limits)
            )
            second.on_bad = on_bad
        else:
            refuse_manifest(source, "file of alignments")
            refuse_conflict(source)
        source.on_bad = on_bad
        # Settle the format; check the options that depend on it.
        if known is None:
            detect = _detect_format if second is None else _format_of_two
            known = detect(source.head(), source.path)
            if second is not None and known.name == "moses":
                check_lines(source, source.notes)
                check_lines(second, source.notes)
                if source.path == second.path:
                    source.note("the same file given for both sides")
        if known.name == "tsv" and PurePath(unpacked(source.path)).suffix.lower() == ".csv":
            source.note("files named as CSV but separated by tabs, read as TSV")
        for each in filter(None, (source, second)):  # of the units a bad one is left out
            each.units, each.holders = known.units, known.holders
        if options.columns and not known.tabular:
            kind = "columns named beside a file that is no table, not used"
            source.note(kind, f"{known.name} ({remedy('columns', 'head')})")
        folder = beside(place) if is_remote(place) else Path(place).parent
        if known.holds == "text" and not pair and "=" in encoding:
            raise OptionError(
                f"{remedy(f'encoding {encoding}')} is for two files, and {source.path} holds both "
                f"sides: name one encoding"
            )
        reader_options = options.for_reader(
            tuple(map(_root, options.roots)) or (folder,),
            _given_texts(known, options, source, encoding, on_bad),
            name=_readable(options.name, source),
            second=second,
            base=_base(options.base, known),
        )
        yield Reading(source, known, reader_options, called(place), conditions, dropped)


def _given_texts(
    known: Format,
    options: FileOptions,
    source: Source,
    encoding: str,
    on_bad: Callable[[FormatError], None] | None,
) -> tuple[Text | None, Text | None]:
    """Read the texts of the options for a format of positions or identifiers."""
    if not known.has_texts:
        return load_texts(options.src, options.tgt, encoding, source.notes, on_bad)
    if (options.src, options.tgt) != (None, None):
        source.note(OWN_TEXTS, f"{known.name} ({remedy('src', 'tgt')})")
    return None, None


def _base(base: int | None, known: Format) -> int | None:
    """Check the base of positions that the user gave."""
    if base is None:
        return None
    if base not in (0, 1):
        raise OptionError(f"{remedy('base')} is {base!r}: want 0 or 1")
    if not known.based and not (known.keeps.words and known.keeps.attributes):
        raise OptionError(
            f"{remedy(f'base {base}')} is for positions that some count from 0 and others from 1, "
            f"which {known.name} does not hold: leave it out"
        )
    return base


def _readable(name: str, source: Source) -> str:
    """Return the name of a text with U+FFFD for undecodable bytes of a file name."""
    readable = SURROGATES.sub("\ufffd", name)
    if readable != name:
        kind = "names of files that are not UTF-8, with U+FFFD in the names of their texts"
        source.notes.add(kind, readable)
    return readable


def _root(root: str | os.PathLike[str]) -> Path | str:
    return root if isinstance(root, str) and is_remote(root) else Path(root)


def _format_of_two(head: bytes, path: str) -> Format:
    """Return the format of two files by the first bytes of one, Moses by default."""
    those = (by_name(name) for name in _OF_TWO)
    named = _NAMED_OF_TWO.get(PurePath(unpacked(path)).suffix.lower(), "moses")
    return next((known for known in those if known.sniff(head) >= _SURE_OF_TWO), by_name(named))


def _document_error(what: str, path: str) -> FormatError:
    """Return the error of a document or archive where an alignment is wanted."""
    if "gettext" in what:
        return FormatError(f"is {what}: give the .po of it (msgunfmt makes one)", path=path)
    way = "unpack it, and give" if "archive" in what else "give"
    way = "unpack it once, and give" if "compressed" in what else way
    way = "fetch that (git lfs pull), and give" if "Git LFS" in what else way
    if path.lower().endswith(_TEXT_DOCUMENTS):
        way = "align it with its translation (bitext align), or give"
    if "RTF" in what or path.lower().endswith((".odt", ".doc")):
        way = (
            "align it with its translation (bitext align), save it as .docx if it is bilingual, "
            "or give"
        )
    return FormatError(
        f"is {what}, not an alignment: {way} the file that holds the alignment", path=path
    )


def _detect_format(head: bytes, path: str) -> Format:
    if not head.removeprefix(mark_of(head, "utf-8")[0]).strip():
        named = by_suffix(path)
        reason = f", which no {named.name} file is" if named else ""
        advice = "give the file that holds the alignment"
        if named and named.name in _EMPTY:
            reason = ""
            advice += f", or if it holds none, name its format ({remedy(f'from {named.name}')})"
        raise FormatError(f"is empty{reason}; {advice}", path=path)
    named = by_suffix(path)
    if flaw := _misnamed(head, named) or _foreign(head, path):
        raise FormatError(flaw, path=path)
    if (what := document_of(head)) and (known := sniff(head, path)) and known.binary:
        return known
    if what:
        raise _document_error(what, path)
    known = sniff(head, path)
    if known is None and (wrong := unmarked_utf_16(head)):
        raise FormatError(wrong, path=path)
    if named is not None and named.name == "csv" and (known is None or known.name == "tsv"):
        from bitext.formats.tables.separated import is_tab_separated

        known = by_name("tsv" if is_tab_separated(head) else "csv")
    if known is None and named is not None and named.read is None:
        raise FormatError(
            f"is named as {named.name}, which bitext writes and does not read: give the file that "
            f"holds the alignment",
            path=path,
        )
    known = known or named  # whose reader raises the error
    if flaw := _named_otherwise(path, known):
        raise FormatError(flaw, path=path)
    if known is None:
        raise _unknown_error(head, path)
    return known


def _unknown_error(head: bytes, path: str) -> FormatError:
    hint = ""
    if named_language(path):
        hint = f"if it is one of two texts, name both with a comma ({path},...); else "
    compare = "'bitext compare'" if named_by_options() else "bitext.compare"
    if re.fullmatch(rb"[01\s]+", head):
        hint = f"if these are the bits of segmentations, compare them with {compare}; else "
    elif re.match(rb"[^\S\n]*[(\[{]*\d[^a-z\n]*(?:\n|$)", head):
        hint = "word links are written as 0-0 1-1, and bisegments as [0, 1]:[2]; else "
    elif re.search(rb'(?m)^\((?:src|trg)\)="', head):
        hint = "if opus_read printed it, have it write TMX (opus_read -wm tmx); else "
    elif re.search(rb"(?m)^([=-])\1{4,}\s*$", head):
        hint = f"if it is text with rules between segments, compare it with {compare}; else "
    return FormatError(
        f"is in no format that bitext recognises; {hint}name it ({remedy('from')}), one of: "
        f"{', '.join(readable_names())}",
        path=path,
    )


def _named_otherwise(path: str, known: Format | None) -> str:
    """Return the error of a file that is named as strings, or as a segmentation; empty for none."""
    ending = PurePath(unpacked(path)).suffix.lower()
    if known is None and (strings := _NAMED_OF_TWO.get(ending)):
        return (
            f"is a file of strings in one language ({strings}): name it with that of the other "
            f"language, the source first ({path},...)"
        )
    if ending in _SEGMENTED and (known is None or known.name == "tsv"):
        return (
            f"is named as a segmentation, which 'bitext compare' takes: if it is an alignment, "
            f"name its format ({remedy('from')})"
        )
    return ""


_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype\s+html|<html)\b", re.IGNORECASE
)


def _misnamed(head: bytes, named: Format | None) -> str:
    """Return the error of a file whose contents contradict its name; empty for none."""
    if _HTML.match(head) and b"<table" not in head.lower():
        return (
            "is an HTML page, not an alignment: if it is one of two texts, align it with the other "
            "('bitext align'); if it was downloaded, it may be the page about the "
            "file: get the file itself"
        )
    if named is not None and named.name == "tmx" and has_root(head, "map"):
        return (
            "is a map of a game (Tiled), whose files end with .tmx, too, and no translation memory"
        )
    ladder = re.match(rb"0\s+0\s+\d+[ \t]*\r?\n", head)
    if named is not None and named.name == "naacl" and ladder and named.sniff(head):
        ways = f"{remedy('from naacl')}, {remedy('from hunalign-ladder')}"
        return f"is named as word links, and begins as a ladder does: name its format ({ways})"
    return ""


_BEGIN = 1 << 10  # bytes of a file that show whether it is of another program; set by hand
# Files of other programs: their beginning, what they are, and what to do.
_OF_PROGRAMS = (
    (re.compile(rb"<TWBExportFile|<TrU>"), "a memory of Trados Workbench", "export it as TMX"),
    (re.compile(rb"(?:<\?xml[^>]*>\s*)?<mtf>"), "XML of MultiTerm", "export the terms as TBX"),
    (
        re.compile(rb"(?:<\?xml[^>]*>\s*)?<\?mso-application progid=\"Excel"),
        "a workbook of Excel 2003 in XML",
        "save it as .xlsx",
    ),
    (
        re.compile(rb"\*\*\* Link: ?\d+ ?- ?\d+"),
        "output of the aligner of Gale and Church (Vanilla)",
        "give the numbers of the sentences of each bead in a line, as '1,2 <=> 1'",
    ),
)
_MARKDOWN = re.compile(rb"\|[^\r\n]*\|\s*\n\|[ :|-]*\|\s*\n")


def _foreign(head: bytes, path: str) -> str:
    """Return the error of a file of another program that no reader takes; empty for none."""
    if head.startswith(b"\xd0\xcf\x11\xe0") and unpacked(path).lower().endswith(".doc"):
        return "is an old document of Word: save it as .docx"
    if head.startswith(b"SQLite format 3\0") and unpacked(path).lower().endswith(".sdltm"):
        return "is a memory of Trados Studio, which is not read: export it as TMX"
    mark, encoding = mark_of(head, "utf-8")
    begin = head[len(mark) : _BEGIN].decode(encoding, "ignore").lstrip().encode()
    for pattern, what, way in _OF_PROGRAMS:
        if pattern.match(begin):
            return f"is {what}, which is not read: {way}"
    named = by_suffix(path)
    if _MARKDOWN.match(begin) and (named is None or named.name != "csv"):
        return f"is a table in Markdown: read it as CSV ({remedy('from csv')})"
    return ""
