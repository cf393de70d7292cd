"""A file of alignments being read: its format told, its texts found, its bitexts one by one."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from bitext.errors import BitextError, FormatError, OptionError
from bitext.formats.columns import Columns
from bitext.formats.encodings import check_encodings, encoding_of, unmarked_utf_16
from bitext.formats.forbidden import SURROGATES
from bitext.formats.languages import named_language
from bitext.formats.lines import head_lines
from bitext.formats.manifests import refuse_manifest
from bitext.formats.opening import Limits, Notes, open_source, two_files
from bitext.formats.packing import document_of, unpacked
from bitext.formats.places import beside, called, is_place
from bitext.formats.prolog import has_root
from bitext.formats.registry import INDEX, Format, ReadOptions, by_name, by_suffix, sniff
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bitext.formats.filtering import Where
    from bitext.formats.opening import Source
    from bitext.model import Bitext, Text

__all__ = ["Reading", "opened"]

_UNDECODED = re.compile("[\udc80-\udcff]")  # see `Source.undecodable`
# Formats in which an empty file is one without any bisegment; it is more often a mistake.
_EMPTY = frozenset(("fast-align", "giza", "hunalign-text", "jsonl", "moses", "naacl", "natools",
                    "pharaoh", "po", "tsv", "vecalign"))  # fmt: skip


class Reading:
    """The bitexts of an open file; may be gone through once.

    Attributes
    ----------
    source : Source
        The file; after the last bitext its notes are those that came behind it.
    format : Format
        What it is in.

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

    def __iter__(self) -> Iterator[Bitext]:
        if self._where is None:
            yield from self._all()
            return
        for bitext in self._all():
            yield self._where.chosen(bitext, self._dropped)
        if self._where.each:
            dropped = self.source.notes if self._dropped is None else self._dropped
            self._where.check(self._path, dropped)

    def _all(self) -> Iterator[Bitext]:
        try:
            yield from map(self._told, self.format.read(self.source, self._options))
        except FormatError as error:
            fault = error
        else:
            return
        # Where what cannot be read is left out, what was read before it is not. If that is in no
        # order either, it is the fault that tells why.
        if self.source.on_bad is not None:
            with suppress(BitextError):
                for collected in filter(len, self.source.collecting):
                    yield from map(self._told, collected.rest())
        raise fault

    def _told(self, bitext: Bitext) -> Bitext:
        """Return a bitext with what is known of its file."""
        # A file of ids may hold the texts as well, as those of TEI do: its reader says so.
        if self.source.on_bad is not None:
            bitext = self._decoded(bitext)
        held = {"holds": self.format.holds, **bitext.meta}
        meta = {**held, "path": self._path, "format": self.format.name}
        if self._options.name:
            meta["corpus_name"] = self._options.name
        if self._options.base and not self.format.based:
            from bitext.formats.word_pairs import from_1

            bitext = from_1(bitext)
        return replace(bitext, meta=meta)

    def _decoded(self, bitext: Bitext) -> Bitext:
        """Leave out and report the bisegments with bytes that are not in the encoding."""
        from bitext.formats.filtering import holding, select, without_segments

        bad = holding(bitext, _UNDECODED)
        if bad.any():
            bitext = select(bitext, ~bad, whole=self.format.holds != "text")
        return without_segments(bitext, _UNDECODED)


@contextmanager
def opened(
    path: str | os.PathLike[str],
    *,
    src: str | os.PathLike[str] | Text | None = None,
    tgt: str | os.PathLike[str] | Text | None = None,
    over: tuple[Text | None, Text | None] = (None, None),
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    roots: Iterable[str | os.PathLike[str]] = (),
    name: str = "",
    src_lang: str = "",
    tgt_lang: str = "",
    parts: bool = False,
    lines: bool = False,
    base: int | None = None,
    drafts: bool = False,
    limits: Limits | None = None,
    columns: str | Mapping[str, int | str] | Columns | None = None,
    head: bool | None = None,
    on_bad: Callable[[FormatError], None] | None = None,
    where: str | Sequence[str] | Where = (),
    dropped: Notes | None = None,
) -> Iterator[Reading]:
    """Open a file of alignments; parameters as of `bitext.formats.read_all`.

    Parameters
    ----------
    lines : bool
        Whether the line of each bisegment is wanted (`Bitext.lines`).
    drafts : bool
        Whether targets that are no translations by their state are read as translations.
    limits : Limits, optional
        What compressed files may unfold to.
    on_bad : callable, optional
        Takes the errors of units that cannot be read, which are then left out.
    where : str, sequence of str, or Where
        What the values of columns have to be, as `state=final,translated` (see `Where`); others are
        left out. One that does not look at `each` file is checked by whoever gives it.
    dropped : Notes, optional
        Takes the counts of what `where` leaves out. Default: the notes of the bitexts.

    Raises
    ------
    FormatError
        When the file is empty or in no format that can be told.
    InputError
        When it cannot be read.

    """
    from bitext.formats.texts import load_texts

    place = os.fspath(path)
    limits = limits or Limits()
    known = by_name(format) if format else None
    conditions = _conditions(where)
    pair = two_files(place) if known is None or known.two_files else None
    if pair:
        known = known or by_name("moses")
        place = pair[0]
    with ExitStack() as stack:
        encoding, side = check_encodings(encoding), "src" if pair else ""
        source = stack.enter_context(
            open_source(place, encoding=encoding_of(encoding, side), side=side, limits=limits)
        )
        second = None
        if pair:
            second = stack.enter_context(
                open_source(pair[1], encoding=encoding, side="tgt", limits=limits)
            )
            second.on_bad = on_bad
        else:
            refuse_manifest(source, "file of alignments")
            _refuse_conflict(source)
        source.on_bad = on_bad
        known = known or _tell(source.head(), source.path)
        if known.name == "tsv" and _is_csv(source.path):
            source.notes.add("files named as CSV, and parted by tabs: read as TSV", source.path)
        source.units, source.holders = known.units, known.holders
        given = Columns.of(columns, head)
        if given and not known.tabular:
            kind = "columns named beside a file that is no table, not used"
            source.notes.add(kind, f"{source.path}: {known.name} ({remedy('columns', 'head')})")
        folder: Path | str = Path(place).parent if place != "-" else Path()
        if is_place(place):
            folder = beside(place)
        named = known.holds != "text"
        if not named and not pair and "=" in encoding:
            raise OptionError(
                f"{remedy(f'encoding {encoding}')} is for two files, and {source.path} holds both "
                f"sides: name one encoding"
            )
        texts = load_texts(src, tgt, encoding, source.notes, on_bad) if named else (None, None)
        options = ReadOptions(
            src=texts[0],
            tgt=texts[1],
            over_src=over[0],
            over_tgt=over[1],
            roots=tuple(_root(root) for root in roots) or (folder,),
            name=_readable(name, source),
            second=second,
            src_lang=src_lang,
            tgt_lang=tgt_lang,
            parts=parts,
            lines=lines,
            base=_base(base, known),
            drafts=drafts,
            limits=limits,
            columns=given,
        )
        yield Reading(source, known, options, called(place), conditions, dropped)


def _conditions(where: str | Sequence[str] | Where) -> Where | None:
    if not isinstance(where, (str, Sequence)):
        return where
    if not where:
        return None
    from bitext.formats.filtering import Where

    return Where([where] if isinstance(where, str) else where)


def _base(base: int | None, known: Format) -> int | None:
    """Check where positions are said to count from."""
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
    """Return the name of a text, with U+FFFD for the bytes of a file name that are not UTF-8."""
    readable = SURROGATES.sub("\ufffd", name)
    if readable != name:
        kind = "names of files that are not UTF-8, with U+FFFD in the names of their texts"
        source.notes.add(kind, readable)
    return readable


def _root(root: str | os.PathLike[str]) -> Path | str:
    return root if isinstance(root, str) and is_place(root) else Path(root)


def _tell(head: bytes, path: str) -> Format:
    if not head.strip():
        named = by_suffix(path)
        told = f": no {named.name} file is" if named else ""
        advice = "give the file that holds the alignment"
        if named and named.name in _EMPTY:
            told = ""
            advice += f", or if it holds none, name its format ({remedy(f'from {named.name}')})"
        raise FormatError(f"is empty{told}; {advice}", path=path)
    if what := document_of(head):
        way = "unpack it, and give" if "archive" in what else "give"
        way = "fetch that (git lfs pull), and give" if "Git LFS" in what else way
        raise FormatError(
            f"is {what}, no alignment: {way} the file that holds the alignment", path=path
        )
    named = by_suffix(path)
    if what := _misplaced(head, named):
        raise FormatError(what, path=path)
    known = sniff(head, path)
    if known is None and (wrong := unmarked_utf_16(head)):
        raise FormatError(wrong, path=path)
    if _is_csv(path) and not _is_of_tabs(head, known):
        raise FormatError(
            f"is CSV, which is not read: save it as text parted by tabs (.tsv), or if it is that, "
            f"say so ({remedy('from tsv')})",
            path=path,
        )
    known = known or named  # its reader tells what is wrong
    if known is None:
        lang = named_language(path)
        pair = (
            f"if it is one of two texts, name both with a comma ({path},...); else " if lang else ""
        )
        raise FormatError(
            f"is in no format that bitext can tell; {pair}name it ({remedy('from')}), one of: "
            f"{', '.join(INDEX)}",
            path=path,
        )
    return known


_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype\s+html|<html)\b", re.IGNORECASE
)


def _misplaced(head: bytes, named: Format | None) -> str:
    """Return the error of a file that is something else than its name says; empty for none."""
    if _HTML.match(head):
        return (
            "is an HTML page, no alignment: if it was downloaded, it may be the page about the "
            "file; get the file itself"
        )
    if named is not None and named.name == "tmx" and has_root(head, "map"):
        return (
            "is a map of a game (Tiled), whose files end with .tmx, too, and no translation memory"
        )
    return ""


_OURS, _MIDDLE, _THEIRS = (
    re.compile(rb"^" + mark + rb"\r?$", re.MULTILINE)
    for mark in (rb"<<<<<<< [^\t\n]*", rb"=======", rb">>>>>>> [^\t\n]*")
)


def _refuse_conflict(source: Source) -> None:
    """Refuse a file with the marks of Git about versions that were not merged."""
    head = source.head()
    if b"<<<<<<< " not in head:
        return
    ours = _OURS.search(head)
    middle = _MIDDLE.search(head, ours.end()) if ours else None
    if ours and middle and _THEIRS.search(head, middle.end()):
        raise source.error(
            "has two versions between marks of a conflict (<<<<<<<, =======, >>>>>>>): merge them, "
            "and take the marks out",
            head.count(b"\n", 0, ours.start()) + 1,
        )


def _is_csv(path: str) -> bool:
    return PurePath(unpacked(path)).suffix.lower() == ".csv"


def _is_of_tabs(head: bytes, known: Format | None) -> bool:
    """Tell whether a file that is named as CSV has its columns parted by tabs."""
    lines = [line for line in head_lines(head) if line]
    return known is not None and known.name == "tsv" and all("\t" in line for line in lines)
