"""`bitext show`: alignments for reading, source and target side by side."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.cli.common import BOOK, PARTS, Parser, check_page_folder, write_file
from bitext.cli.option_tables import add_groups, options_of, whole_number
from bitext.cli.request import ReadingRequest, request_of
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from bitext.formats.reading import Reading
    from bitext.formats.registry import Format
    from bitext.model import Bitext

_EPILOG = """\
A bisegment has its bead type before it, and each segment its id, or its index from 0. For word
links (Pharaoh, NAACL, GIZA++, a column 'words') each source word is beside its linked words.
'bitext score' compares two alignments, with --errors or --html.

examples:
  bitext show memory.tmx --src-lang en --tgt-lang fr | less
  bitext show gold.align --src a.en --tgt a.fr --beads 120-140
  bitext show links.xml --root corpus/xml --html links.html
  bitext show chapter.tmx --book chapter.epub --title "The Mill"
  bitext show gold.pharaoh --src a.en --tgt a.fr --pairs 0-9
"""
_COLUMNS = (100, 24)  # columns and lines of output that is not a terminal; set by hand

_READING = [
    *options_of("""
        --from FORMAT (known)  the format of FILE (default: from its contents)
        --src TEXT
            the source text, if FILE holds ids or positions: a file with one segment a line or an
            XML document
        --tgt TEXT  the target text, likewise
        --root FOLDER ...  folder of the documents that FILE names (default: its folder); repeats
    """),
    *PARTS,
]
_SHOWING = options_of("""
    --text NAME  the document pair of this name, in a file of several
    --beads --pairs A-B  the bisegments A to B alone, or A, counted from 0 as in FILE
    --html FILE
        also write a page: the texts with ribbons between them, or the words with lines; FOLDER/: an
        index, and a page for each document pair; - is standard output
    --book FILE
        write a book in facing columns (.html, .epub, .pdf, or .docx for a table to edit); the
        alignment is then shown only with -o
    -o --output FILE  write there, not to standard output
    -q --quiet  no notes
    -v --verbose  every note, not a few
""")


class ShowRequest(ReadingRequest):
    """The request of `bitext show`; the fields are its options."""

    file: str
    base: int | None = None
    text: str | None = None
    beads: str | None = None
    book: str | None = None

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        return self.output, self.html, self.book

    def book_format(self) -> Format | None:
        """Return the format of the book (--book); `None` without one.

        Raises `OptionError` when the name is not that of a book, or an option is given without one.
        """
        if self.book is None:
            for name in ("title", "first", "rows", "font"):
                if getattr(self, name):
                    raise OptionError(f"--{name} is for a book: name one (--book)")
            return None
        from bitext.formats.registry import all_formats, by_suffix

        books = {name: one for name, one in all_formats().items() if one.book}
        known = by_suffix(self.book)
        if known is None or known.name not in books:
            endings = ", ".join(one.suffixes[0] for one in books.values())
            raise OptionError(f"--book {self.book}: its name is not that of a book: want {endings}")
        self.book_options(known)
        return known

    def name_notes(self) -> Iterator[str]:
        """Yield a note if lines (-o) are written under the name of a page or of a book."""
        from bitext.formats.registry import by_suffix

        known = by_suffix(self.output)
        if known is not None:
            ways = f"bitext convert {self.file} {self.output} writes {known.name}"
            if known.book:
                ways = f"--book {self.output} writes a book"
            if known.name == "book-html":
                ways = f"--html {self.output} writes a page, {ways}"
            yield f"-o {self.output}: lines of plain text, which its name does not say; {ways}"

    def resolve(self) -> tuple[int, int] | None:
        """Check options and paths before any work; return the first and last bisegment to show."""
        beads = _beads(self.beads)
        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        self.check_page()
        check_page_folder(self.html)
        self.refuse_inputs([self.file], beside=[self.src, self.tgt])
        self.book_format()
        self.check_reading()
        if self.where and self.beads is not None:
            raise OptionError("--beads counts all bisegments of FILE: leave --where out")
        return beads


def run(arguments: Sequence[str]) -> int:
    """Show a file of alignments; return the exit status."""
    request = request_of(ShowRequest, _parser(), arguments)
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    beads = request.resolve()
    with request.protected_outputs():
        bitexts = _read(request) if beads is None else [_excerpt(beads, request)]
    request.print_notes(request.name_notes())
    request.print_notes(_notes(bitexts, request))
    known = request.book_format()
    with ExitStack() as stack:  # pages appear once the book is written
        if request.html is not None:
            stack.enter_context(_pages(bitexts, beads, request))
        if known is not None:
            _write_book(bitexts, known, request)
    if request.output == "-" and (known is not None or request.html == "-"):
        return 0
    request.deliver(_lines(bitexts, request, first=0 if beads is None else beads[0]))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="bitext show",
        description="Show alignments for reading, source and target side by side.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="alignments in any format that is read, or -")
    add_groups(parser, {"reading": _READING, "showing": _SHOWING, "books (--book)": BOOK})
    return parser


def _notes(bitexts: Sequence[Bitext], request: ShowRequest) -> Iterator[str]:
    """Yield the notes of reading, and of repeated bisegments."""
    from bitext.formats.registry import OWN_TEXTS, by_name
    from bitext.formats.word_links import holds_links

    for bitext in bitexts:
        for note in bitext.notes:
            known = by_name(bitext.meta["format"])
            if note.kind == OWN_TEXTS and known.has_texts:
                kind = f"{request.file} is {known.name}, with its texts"
                yield f"--src and --tgt are of no use: {kind}"
            else:
                yield str(note)
        a = bitext.alignment
        repeats = 0 if holds_links(bitext) else len(a) - len(a.unique())
        if repeats:
            yield f"bisegments of the same segments as an earlier one, not shown again: {repeats:,}"


def _beads(given: str | None) -> tuple[int, int] | None:
    """Return the first and last bisegment of `A-B` or `A`."""
    if given is None:
        return None
    first, dash, last = given.partition("-")
    begin, end = whole_number(first), whole_number(last if dash else first)
    if begin is None or end is None:
        raise OptionError(f"--beads {given!r:.40}: want A-B or A, as 120-140")
    return begin, end


def _read(request: ShowRequest) -> list[Bitext]:
    """Return the document pair that --text names, or all of the file."""
    with _opened(request, parts=False) as reading:
        bitexts = list(reading)
    _refuse_unknown([bitext.name for bitext in bitexts], request)
    return [bitext for bitext in bitexts if _is_shown(bitext.name, request)]


def _excerpt(beads: tuple[int, int], request: ShowRequest) -> Bitext:
    """Return the bisegments of the one document pair, without all others in memory."""
    from bitext.formats.io.source import Notes
    from bitext.reports.alignment.excerpts import Excerpting

    names, notes, excerpting = [], Notes(), Excerpting(*beads)
    with _opened(request, parts=True) as reading:
        for part in reading:
            if not part.continues:
                names.append(part.name)
            if _is_shown(names[-1], request):
                excerpting.take(part)
                notes.extend(part.notes)
        notes.extend(reading.source.notes.drain())
    _refuse_unknown(names, request)
    _refuse_others([name for name in names if _is_shown(name, request)], request, "--beads")
    try:
        excerpt = excerpting.excerpt()
    except OptionError as error:
        raise OptionError(f"--beads {request.beads}: {request.file}: {error}") from None
    return replace(excerpt, notes=notes.all())


def _opened(request: ShowRequest, *, parts: bool) -> AbstractContextManager[Reading]:
    from bitext.formats.reading import opened

    options = replace(
        request.file_options(), src=request.src, tgt=request.tgt, base=request.base, parts=parts
    )
    return opened(request.file, options)


def _is_shown(name: str, request: ShowRequest) -> bool:
    return request.text is None or name == request.text


def _refuse_unknown(names: Sequence[str], request: ShowRequest) -> None:
    """Refuse a name (--text) that no document pair has."""
    if request.text is not None and request.text not in names:
        raise InputError(
            f"{request.file}: holds no document pair {request.text!r}: {_names_in_words(names)}"
        )


def _names_in_words(names: Sequence[str]) -> str:
    if not any(names):
        return "leave --text out, its document pairs have no names"
    few = [repr(name) for name in names[:5]]
    return f"it holds {', '.join(few)}{', ...' if len(names) > len(few) else ''}"


def _refuse_others(names: Sequence[str], request: ShowRequest, option: str) -> None:
    """Refuse an option for one document pair if there are several or none."""
    if len(names) != 1:
        raise InputError(
            f"{request.file}: holds {len(names)} document pairs, and {option} is for one: name it "
            f"(--text), {_names_in_words(names)}"
        )


def _lines(bitexts: Sequence[Bitext], request: ShowRequest, *, first: int) -> Iterator[str]:
    from bitext.formats.word_links import holds_links
    from bitext.reports.alignment.page import bead_lines
    from bitext.reports.lettering import painted, shortened, wants_colour
    from bitext.reports.links.page import link_lines

    colour = request.output == "-" and wants_colour()
    width = shutil.get_terminal_size(_COLUMNS).columns
    for number, bitext in enumerate(bitexts):
        if len(bitexts) > 1:
            yield "\n" if number else ""
            name = shortened(bitext.name or f"document pair {number + 1}", width)
            yield f"{painted(name, 'quiet', colour=colour)}\n"
        lines = (
            link_lines(bitext, first=first, width=width, colour=colour)
            if holds_links(bitext)
            else bead_lines(bitext, width=width, colour=colour)
        )
        for line in lines:
            yield f"{line}\n"


@contextmanager
def _pages(
    bitexts: Sequence[Bitext], beads: tuple[int, int] | None, request: ShowRequest
) -> Iterator[None]:
    """Make the page of one document pair, or a folder with a page for each; write it at the end."""
    from bitext.formats.io.remote import called
    from bitext.reports.alignment.page import BitextPages, bitext_page
    from bitext.reports.pages import Folder, names_folder

    place = request.html or ""
    if names_folder(place):
        with Folder(place) as folder:
            pages = BitextPages(folder)
            for number, bitext in enumerate(bitexts, start=1):
                pages.add(bitext, bitext.name or f"document pair {number}")
            pages.finish(f"Alignments of {called(request.file)}")
            yield
        return
    _refuse_others([bitext.name for bitext in bitexts], request, "--html")
    part = "" if beads is None else f", bisegments {beads[0]} to {beads[1]}"
    first = 0 if beads is None else beads[0]
    (bitext,) = bitexts
    html = bitext_page(bitext, name=bitext.name or called(request.file), part=part, first=first)
    yield
    write_file(place, html)


def _write_book(bitexts: Sequence[Bitext], known: Format, request: ShowRequest) -> None:
    """Write the document pairs as one book, and print the losses."""
    from bitext.formats.io.source import Notes

    losses, notes = Notes(), Notes()
    request.write_bitexts(bitexts, request.book or "", known, losses, notes)
    request.print_notes(f"lost: {note}" for note in losses)
    request.print_notes(map(str, notes))
