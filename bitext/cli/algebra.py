"""`bitext combine`, `compose`, `diff` and `sample`: the algebra of alignments in files."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.common import (
    BASE,
    COLUMNS,
    DRAFTS,
    ENCODING,
    WHERE,
    Parser,
    add_groups,
    add_output,
    check_where,
    deliver,
    print_notes,
    protected_outputs,
    refuse_inputs,
    style_of,
    value,
    whole_number,
)
from bitext.cli.request import ReadingRequest, request_of
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from bitext.formats.reading import Reading
    from bitext.formats.registry import Format
    from bitext.model import Alignment, Bitext, Text

__all__ = [
    "WRITING",
    "AlgebraRequest",
    "Read",
    "reading_options",
    "refuse_links",
    "run_combine",
    "run_compose",
    "run_diff",
    "run_sample",
]

Options = list[tuple[str, dict[str, Any], str]]

_COLUMNS = 60  # columns of the text of one side in tables for reading; set by hand


def reading_options(*texts: tuple[str, str]) -> Options:
    """Return the options about reading, with the names of the texts and of their languages."""
    made: Options = [
        ("--from", {"dest": "known", "metavar": "FORMAT"}, "of the files (default: by content)")
    ]
    for name, called in texts:
        text = f"the {called} text, where the files hold ids or positions"
        made.append((f"--{name}", {"metavar": "TEXT"}, text))
    made.append(
        (
            "--root",
            {"action": "append", "default": [], "metavar": "FOLDER"},
            "where documents lie that the files name (default: the folder of each); repeats",
        )
    )
    for name, called in texts:
        text = f"the {called} language, of several"
        made.append((f"--{name}-lang", {"default": "", "metavar": "CODE"}, text))
    return [*made, *COLUMNS, ENCODING, BASE, *WHERE, *DRAFTS]


_SIDES = ("src", "source"), ("tgt", "target")
WRITING: Options = [
    ("-o --output", {"metavar": "OUT", "default": "-"}, "what to write (default: standard output)"),
    ("--to", {"metavar": "FORMAT"}, "of OUT (default: from its name)"),
    ("-q --quiet", {"action": "store_true"}, "no notes"),
    ("-v --verbose", {"action": "store_true"}, "every note, not a few"),
]


class AlgebraRequest(ReadingRequest):
    """The options that the commands of the algebra share.

    Attributes
    ----------
    base : int or None
        The number from which positions count.
    to : str or None
        The name of the format of the output.

    """

    base: int | None = None
    to: str | None = None

    def check(self, files: Sequence[str], beside: Sequence[str | None]) -> None:
        """Check paths and options about reading before any work."""
        from bitext.formats.io.encodings import check_encodings

        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        if files.count("-") > 1:
            raise OptionError("standard input (-) is given more than once: name files")
        refuse_inputs(files, self, beside=beside)
        check_encodings(self.encoding)
        check_where(self)

    def format_to_write(self) -> Format:
        """Return the format of the output."""
        from bitext.formats.writing import writable

        if self.output == "-" and self.to is None:
            raise OptionError("name what to write (-o OUT), or its format (--to jsonl)")
        return writable(self.output, self.to)

    def opened(
        self,
        path: str,
        texts: tuple[str | None, str | None],
        langs: tuple[str, str],
        *,
        parts: bool = False,
    ) -> AbstractContextManager[Reading]:
        """Open a file with the options about reading."""
        from bitext.formats.reading import opened

        return opened(
            path,
            src=texts[0],
            tgt=texts[1],
            format=self.known,
            encoding=self.encoding,
            roots=self.root,
            src_lang=langs[0],
            tgt_lang=langs[1],
            base=self.base,
            columns=self.table_columns(),
            where=self.where,
            drafts=self.drafts,
            parts=parts,
        )

    def read(self, path: str, texts: tuple[str | None, str | None], langs: tuple[str, str]) -> Read:
        """Read all document pairs of a file."""
        with self.opened(path, texts, langs) as reading:
            bitexts = list(reading)
            print_notes(map(str, reading.source.notes.drain()), self)
        print_notes((str(note) for bitext in bitexts for note in bitext.notes), self)
        return Read(path, bitexts)

    def write(self, bitexts: Iterable[Bitext], known: Format, langs: tuple[str, str]) -> None:
        """Write the bitexts, and print the losses."""
        from bitext.formats.io.source import Notes
        from bitext.formats.languages import with_languages
        from bitext.formats.registry import WriteOptions
        from bitext.formats.writing import deliver as deliver_bitexts

        losses, notes = Notes(), Notes()
        items = iter(bitexts)
        if known.names_languages:
            items = (with_languages(bitext, langs, notes) for bitext in bitexts)
        options = WriteOptions(src_lang=langs[0], tgt_lang=langs[1])
        deliver_bitexts(items, self.output, known, options=options, losses=losses, notes=notes)
        print_notes((f"lost: {note}" for note in losses.all()), self)
        print_notes(map(str, notes.all()), self)


class Read(NamedTuple):
    """A file with its document pairs."""

    path: str
    bitexts: list[Bitext]


def refuse_links(files: Sequence[Read]) -> None:
    """Refuse word links, of which bisegments are the sentence pairs and say nothing."""
    from bitext.formats.word_links import holds_links

    for file in files:
        if any(map(holds_links, file.bitexts)):
            raise InputError(
                f"{file.path}: holds word links, and bisegments are combined and compared here: "
                f"'bitext convert' combines links (--symmetrise of bitext convert), 'bitext score' "
                f"compares them"
            )


def _paired(files: Sequence[Read]) -> Iterator[tuple[Bitext, ...]]:
    """Yield the document pairs of all files that belong together: the only ones, or by name."""
    refuse_links(files)
    if all(len(file.bitexts) == 1 for file in files):
        yield tuple(file.bitexts[0] for file in files)
        return
    named = []
    for file in files:
        names = {bitext.name: bitext for bitext in file.bitexts}
        if len(names) < len(file.bitexts):
            raise InputError(
                f"{file.path}: holds {len(file.bitexts)} document pairs, and names are repeated or "
                f"missing, so they cannot be paired: give files of one document pair"
            )
        named.append(names)
    first = named[0]
    for file, names in zip(files, named, strict=True):
        odd = first.keys() ^ names.keys()
        if odd:
            raise InputError(
                f"{files[0].path} and {file.path}: only one of them has the document pair "
                f"{min(odd)!r}: give files of the same document pairs"
            )
    for name in first:
        yield tuple(names[name] for names in named)


# combine


_COMBINE_EPILOG = """\
ways: union (what at least one has; bisegments may overlap), intersection (what all have), vote[:K]
(what K have; default: more than half), path (bisegments that neither overlap nor cross, with the
greatest expected F1, by scores where all files have some from 0 to 1, else by votes). The score of
a bisegment that is written is the share of the files that have the bisegment.

examples:
  bitext combine a.jsonl b.jsonl c.jsonl -o all.jsonl
  bitext combine a.align b.align c.align --src a.en --tgt a.fr --by vote:2 -o two.tmx
"""


class CombineRequest(AlgebraRequest):
    """The request of `bitext combine`; the fields are its options."""

    files: tuple[str, ...]
    by: str = "path"

    def resolve(self) -> tuple[str, int | None]:
        """Check options and paths before any work; return the way and the least votes."""
        from bitext.model.algebra import WAYS

        self.check(self.files, [self.src, self.tgt])
        way, colon, least = self.by.partition(":")
        if way not in WAYS or (colon and way != "vote"):
            raise OptionError(f"--by {self.by!r:.40}: want {', '.join(WAYS)}, or vote:K")
        if not colon:
            return way, None
        if not (least.isdecimal() and 1 <= int(least[:9]) <= len(self.files)):
            raise OptionError(f"--by {self.by!r:.40}: want vote:1 to vote:{len(self.files)}")
        return way, int(least)


def run_combine(arguments: Sequence[str]) -> int:
    """Combine alignments of the same texts; return the exit status."""
    from bitext.model.algebra import combine

    parser = Parser(
        prog="bitext combine",
        description="Combine alignments of the same texts, of several systems or annotators.",
        epilog=_COMBINE_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="alignments, in any format")
    by = ("--by", {"default": "path", "metavar": "WAY"}, "how: union, intersection, vote[:K], path")
    add_groups(parser, {"reading": reading_options(*_SIDES), "combining": [by], "writing": WRITING})
    request = request_of(CombineRequest, parser, arguments)
    way, least = request.resolve()
    known = request.format_to_write()
    langs = request.src_lang, request.tgt_lang
    made = []
    with protected_outputs(request):
        files = [request.read(path, (request.src, request.tgt), langs) for path in request.files]
        lines = []
        for group in _paired(files):
            same = _over_same_segments(group, request.files)
            parts = [bitext.alignment for bitext in group]
            combined = combine(parts, by=way, least=least)
            made.append(replace(same, alignment=combined, notes=(), lines=None))
            lines += [_combination(parts, combined, way)]
            columns = sorted({name for part in parts for name in part.attributes})
            if columns:
                lines.append(f"columns left out: {', '.join(columns)}")
        print_notes(lines, request)
        request.write(made, known, langs)
    return 0


def _combination(parts: Sequence[Alignment], combined: Alignment, way: str) -> str:
    sizes = ", ".join(f"{len(part):,}" for part in parts)
    votes = "" if combined.scores is None else f", {(combined.scores == 1).sum():,} of them in all"
    weights = ""
    if way == "path":
        known = all(
            part.scores is not None and ((part.scores >= 0) & (part.scores <= 1)).all()
            for part in parts
        )
        weights = f"; path by {'probabilities (the scores)' if known else 'votes'}"
    return f"{len(combined):,} bisegments of {sizes}{votes}{weights}"


def _over_same_segments(group: Sequence[Bitext], paths: Sequence[str]) -> Bitext:
    """Return the first bitext with the texts that any has; refuse different segments."""
    made = group[0]
    for side, called in _SIDES:
        texts: list[tuple[str, Text]] = [
            (path, text)
            for path, bitext in zip(paths, group, strict=True)
            if (text := getattr(bitext, side)) is not None
        ]
        if not texts:
            continue
        path, model = next((each for each in texts if each[1].has_text), texts[0])
        for other, text in texts:
            if not _is_same_text(model, text):
                raise InputError(
                    f"{path} and {other}: the {called} segments differ, so a bisegment of one is "
                    f"none of the other; combine alignments of the same sentences (--{side} names "
                    f"them)"
                )
        size = max(getattr(bitext.alignment, f"{side}_size") for bitext in group)
        cut = not model.has_text or made.meta.get("holds", "") == "text"
        if size > len(model) or (len(texts) < len(group) and cut):
            raise InputError(
                f"{path}: {len(model)} {called} segments, which other files name by other "
                f"positions: give the text that all were made over (--{side})"
            )
        made = replace(made, src=model) if side == "src" else replace(made, tgt=model)
    return made


def _is_same_text(a: Text, b: Text) -> bool:
    from bitext.metrics.common_ground import same_segments

    if a.has_text and b.has_text:
        return same_segments(a, b)
    return len(a) == len(b) and list(a.ids) == list(b.ids)


# compose


_COMPOSE_EPILOG = """\
Bisegments that share a sentence of the pivot, directly or through others, become one. Where the
files cut the pivot text in different ways, the two versions are laid over each other, character by
character. Scores are multiplied where all are from 0 to 1.

examples:
  bitext compose en-fr.jsonl fr-de.jsonl -o en-de.jsonl
  bitext compose en-fr.align fr-de.align --src a.en --pivot a.fr --tgt a.de -o en-de.tmx
  bitext compose en-fr.tmx en-de.tmx --swap first -o fr-de.tmx
"""
_TRIPLE = ("src", "source"), ("pivot", "pivot"), ("tgt", "target")


class ComposeRequest(AlgebraRequest):
    """The request of `bitext compose`; the fields are its options.

    Attributes
    ----------
    first_file, second_file : str
        The alignments to the pivot and from the pivot.
    swap : str or None
        The files whose sides are exchanged: `first`, `second` or `both`.
    min_matched : float
        The least share of characters that two versions of the pivot text have in common.

    """

    first_file: str
    second_file: str
    pivot: str | None = None
    pivot_lang: str = ""
    swap: str | None = None
    min_matched: float = 0.9

    def read_both(self) -> tuple[Read, Read]:
        """Read both files, each with the pivot on its inner side."""
        both = []
        for name, path, texts, langs in (
            ("first", self.first_file, (self.src, self.pivot), (self.src_lang, self.pivot_lang)),
            ("second", self.second_file, (self.pivot, self.tgt), (self.pivot_lang, self.tgt_lang)),
        ):
            if self.swap in {name, "both"}:
                read = self.read(path, texts[::-1], (langs[1], langs[0]))
                read = Read(path, [_exchanged(bitext) for bitext in read.bitexts])
            else:
                read = self.read(path, texts, langs)
            both.append(read)
        return both[0], both[1]


def _exchanged(bitext: Bitext) -> Bitext:
    other = {"src": "tgt", "tgt": "src"}
    meta = {other.get(key[:3], key[:3]) + key[3:]: held for key, held in bitext.meta.items()}
    return replace(bitext.swapped(), meta=meta)


def run_compose(arguments: Sequence[str]) -> int:
    """Compose two alignments through a pivot text; return the exit status."""
    parser = Parser(
        prog="bitext compose",
        description="Compose an alignment to a pivot text with one from the pivot text.",
        epilog=_COMPOSE_EPILOG,
    )
    parser.add_argument("first_file", metavar="A-B", help="an alignment whose target is the pivot")
    parser.add_argument("second_file", metavar="B-C", help="one whose source is the pivot")
    composing: Options = [
        (
            "--swap",
            {"choices": ("first", "second", "both")},
            "exchange the sides of a file before, as of one from the pivot",
        ),
        (
            "--min-matched",
            {"type": value(float, "a share from 0 to 1"), "default": 0.9, "metavar": "SHARE"},
            "how many characters two versions of the pivot have to have in common (0.9)",
        ),
    ]
    reading = reading_options(*_TRIPLE)
    add_groups(parser, {"reading": reading, "composing": composing, "writing": WRITING})
    request = request_of(ComposeRequest, parser, arguments)
    request.check(
        [request.first_file, request.second_file], [request.src, request.pivot, request.tgt]
    )
    if not 0 <= request.min_matched <= 1:
        raise OptionError(f"--min-matched {request.min_matched}: want a share from 0 to 1")
    known = request.format_to_write()
    with protected_outputs(request):
        made, lines = [], []
        for first, second in _paired(request.read_both()):
            bitext, losses = _composed(first, second, request.min_matched)
            made.append(bitext)
            lines += losses
        print_notes(lines, request, most=len(lines))
        request.write(made, known, (request.src_lang, request.tgt_lang))
    return 0


def _composed(first: Bitext, second: Bitext, min_matched: float) -> tuple[Bitext, list[str]]:
    """Compose two bitexts; return the result, and the losses in words."""
    from bitext.metrics.common_ground import common_pivot
    from bitext.model import Alignment, Bitext
    from bitext.model.algebra import compose

    a, b = first.alignment, second.alignment
    to_pivot, from_pivot, side = common_pivot(first, second, min_matched=min_matched)
    made = compose(
        Alignment.from_arrays(a.src, to_pivot, scores=a.scores),
        Alignment.from_arrays(from_pivot, b.tgt, scores=b.scores),
    )
    meta = {key: held for key, held in first.meta.items() if not key.startswith("tgt")}
    meta |= {key: held for key, held in second.meta.items() if key.startswith("tgt")}
    if "text" in (first.meta.get("holds"), second.meta.get("holds")):
        meta["holds"] = "text"
    name = first.name if first.name == second.name else ""
    lines = [f"{len(made.alignment):,} bisegments of {len(a):,} and {len(b):,}"]
    if side.atoms:
        lines.append(
            f"the pivot is cut in different ways: {side.matched:.1%} of its characters match, "
            f"{side.size:,} pieces"
        )
    for count, what in (
        (made.merged, "that join several bisegments of a file"),
        (made.uncovered_first, "of the first file left out: the second lacks their pivot segments"),
        (
            made.uncovered_second,
            "of the second file left out: the first lacks their pivot segments",
        ),
        (made.dropped, "of the pivot alone left out: nothing corresponds to them"),
    ):
        if count:
            lines.append(f"bisegments {what}: {count:,}")
    if made.alignment.scores is None and (a.scores is not None or b.scores is not None):
        lines.append("scores left out: not all are from 0 to 1")
    columns = sorted({*a.attributes, *b.attributes})
    if columns:
        lines.append(f"columns left out: {', '.join(columns)}")
    return Bitext(first.src, second.tgt, made.alignment, name=name, meta=meta), lines


# diff


_DIFF_EPILOG = """\
Bisegments are compared as sets of segments; where the texts are cut in different ways, as sets of
the pieces of both. Two files that hold the texts of their bisegments alone, as memories do, are
compared by these texts, white space apart; so are any two with --by text.

exit status: 0 no differences, 1 differences, 2 not compared

examples:
  bitext diff old.tmx new.tmx
  bitext diff one.align two.align --src a.en --tgt a.fr --json
"""


class DiffRequest(AlgebraRequest):
    """The request of `bitext diff`; the fields are its options."""

    first_file: str
    second_file: str
    by: str | None = None


class Difference(NamedTuple):
    """A bisegment that only one file has.

    Attributes
    ----------
    file : str
        `-` for the first file, `+` for the second.
    text : str
        The name of the document pair.
    bead : int
        The number of the bisegment in its document pair, from 0.
    type : str
        The bead type.
    src, tgt : str
        The identifiers of the segments, else their positions, separated by blanks.
    source, target : str
        The characters of both sides; empty when unknown.

    """

    file: str
    text: str
    bead: int
    type: str
    src: str
    tgt: str
    source: str
    target: str


def run_diff(arguments: Sequence[str]) -> int:
    """Compare two files of alignments; return 1 if they differ, 0 otherwise."""
    parser = Parser(
        prog="bitext diff",
        description="List the bisegments that only one of two files has.",
        epilog=_DIFF_EPILOG,
    )
    parser.add_argument("first_file", metavar="FIRST", help="alignments, in any format")
    parser.add_argument("second_file", metavar="SECOND", help="others of the same texts")
    by = (
        "--by",
        {"choices": ("segments", "text")},
        "compare segments, or the characters of bisegments (default: text for two memories)",
    )
    add_groups(parser, {"reading": reading_options(*_SIDES), "comparing": [by]})
    add_output(parser)
    request = request_of(DiffRequest, parser, arguments)
    style = style_of(request)
    paths = [request.first_file, request.second_file]
    request.check(paths, [request.src, request.tgt])
    texts, langs = (request.src, request.tgt), (request.src_lang, request.tgt_lang)
    rows: list[Difference] = []
    common = 0
    with protected_outputs(request):
        for first, second in _paired([request.read(path, texts, langs) for path in paths]):
            own, shared = _differences(first, second, request.by)
            rows += own
            common += shared
        deliver(_listed(rows, common, style), request)
    sizes = [sum(row.file == sign for row in rows) for sign in "-+"]
    alone = f"{sizes[0]:,} in the first alone (-), {sizes[1]:,} in the second alone (+)"
    print_notes([f"{common:,} bisegments in both, {alone}"], request)
    return 1 if rows else 0


def _differences(first: Bitext, second: Bitext, by: str | None) -> tuple[list[Difference], int]:
    """Return the bisegments that one bitext alone has, in order, and the number of common ones."""
    pair = first, second
    if by is None:
        by = "text" if all(each.meta.get("holds") == "text" for each in pair) else "segments"
    if by == "segments":
        _refuse_positions_over_memories(pair)
    keys = _text_keys(pair) if by == "text" else _segment_keys(pair)
    counts = [Counter(each) for each in keys]
    kept = counts[0] & counts[1]
    rows: list[tuple[tuple[int, int, int], Difference]] = []
    for number, (bitext, own) in enumerate(zip(pair, keys, strict=True)):
        left = Counter(kept)
        last = 0
        for k, key in enumerate(own):
            bead = bitext.alignment[k]
            last = bead.src[0] if bead.src else last
            if left[key]:
                left[key] -= 1
            else:
                rows.append(((last, number, k), _difference(bitext, k, "-+"[number])))
    return [row for _, row in sorted(rows, key=itemgetter(0))], kept.total()


def _refuse_positions_over_memories(pair: tuple[Bitext, Bitext]) -> None:
    for known, other in (pair, pair[::-1]):
        for side, called in _SIDES:
            if getattr(other, side) is None and known.meta.get("holds") == "text":
                raise InputError(
                    f"{other.meta.get('path')} names {called} segments by position, and "
                    f"{known.meta.get('path')} holds a text that may be cut in another way: give "
                    f"the {called} text (--{side})"
                )


def _segment_keys(pair: tuple[Bitext, Bitext]) -> list[list[Any]]:
    from bitext.kernels.rows import concatenate, identify
    from bitext.metrics.common_ground import common_ground

    ground = common_ground(*pair)
    both = ground.gold, ground.hyp
    ids = identify(
        concatenate([beads.src for beads in both], [0, 0]),
        concatenate([beads.tgt for beads in both], [0, 0]),
    ).tolist()
    size = len(pair[0].alignment)
    return [ids[:size], ids[size:]]


def _text_keys(pair: tuple[Bitext, Bitext]) -> list[list[Any]]:
    return [
        [tuple(" ".join(" ".join(side).split()) for side in sides) for sides in bitext.pairs()]
        for bitext in pair
    ]


def _difference(bitext: Bitext, k: int, file: str) -> Difference:
    bead = bitext.alignment[k]
    shown = []
    for text, members in ((bitext.src, bead.src), (bitext.tgt, bead.tgt)):
        segments = None if text is None else [text[m] for m in members]
        shown.append(
            (
                " ".join(map(str, members) if segments is None else (s.id for s in segments)),
                " ".join(s.text or "" for s in segments or ()),
            )
        )
    (src, source), (tgt, target) = shown
    return Difference(file, bitext.name, k, bead.type, src, tgt, source, target)


def _listed(rows: Sequence[Difference], common: int, style: str) -> str:
    from bitext.reports.table import Table, printable
    from bitext.reports.terminal import shortened

    if style == "json":
        document = {
            "schema": "bitext.diff/1",
            "common": common,
            "first_alone": sum(row.file == "-" for row in rows),
            "second_alone": sum(row.file == "+" for row in rows),
            "rows": [row._asdict() for row in rows],
        }
        return json.dumps(document, ensure_ascii=False) + "\n"
    if not rows and style == "table":
        return "no differences\n"
    table = Table([*Difference._fields])
    for row in rows:
        cells = [printable(" ".join(str(cell).split())) for cell in row]
        if style == "table":
            cells[-2:] = [shortened(cell, _COLUMNS) for cell in cells[-2:]]
        table.rows.append(cells)
    return table.render(style)


# sample


_SAMPLE_EPILOG = """\
One pass, in memory for some twice the sample. The same seed draws the same bisegments from the same
file. They are written in the order of the file, without the sentences around them.

examples:
  bitext sample memory.tmx -n 500 --src-lang en --tgt-lang fr -o sample.tsv
  bitext sample corpus.tsv.gz -n 20 --seed 7 --to tsv
  bitext sample corpus.tsv.gz -n 20 --first --to tsv
"""


class SampleRequest(AlgebraRequest):
    """The request of `bitext sample`; the fields are its options."""

    file: str
    size: str
    seed: str = "0"
    take_first: bool = False

    def numbers(self) -> tuple[int, int]:
        """Return the size of the sample and the seed."""
        size, seed = whole_number(self.size), whole_number(self.seed)
        if not size:
            raise OptionError(f"-n {self.size!r:.40}: want a whole number from 1 on")
        if seed is None:
            raise OptionError(f"--seed {self.seed!r:.40}: want a whole number from 0 on")
        if self.take_first and self.seed != "0":
            raise OptionError("--seed draws at random, and --first does not: give one")
        return size, seed


def run_sample(arguments: Sequence[str]) -> int:
    """Write a random sample of the bisegments of a file, or the first ones; return the status."""
    from bitext.model.algebra import head, sample

    parser = Parser(
        prog="bitext sample",
        description="Draw bisegments at random, or take the first ones.",
        epilog=_SAMPLE_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="alignments, in any format, or -")
    choosing: Options = [
        ("-n --size", {"metavar": "N", "required": True}, "how many bisegments"),
        ("--seed", {"metavar": "N", "default": "0"}, "of the random numbers (0)"),
        (
            "--first",
            {"action": "store_true", "dest": "take_first"},
            "the first N, and read no further",
        ),
    ]
    groups = {"reading": reading_options(*_SIDES), "choosing": choosing, "writing": WRITING}
    add_groups(parser, {**groups})
    request = request_of(SampleRequest, parser, arguments)
    size, seed = request.numbers()
    request.check([request.file], [request.src, request.tgt])
    known = request.format_to_write()
    if known.holds != "text":
        raise OptionError(
            f"-o {request.output}: {known.name} has {known.holds}, which mean nothing without the "
            f"segments around a sample: name a format with texts, as --to jsonl"
        )
    texts, langs = (request.src, request.tgt), (request.src_lang, request.tgt_lang)
    with protected_outputs(request):
        with request.opened(request.file, texts, langs, parts=True) as reading:
            made = (
                [*head(reading, size)] if request.take_first else sample(reading, size, seed=seed)
            )
            print_notes(map(str, reading.source.notes.drain()), request)
        count = sum(len(bitext.alignment) for bitext in made)
        fewer = f", all that there are of {size:,}" if count < size else ""
        print_notes([f"{count:,} bisegments{fewer}"], request)
        request.write(made, known, langs)
    return 0
