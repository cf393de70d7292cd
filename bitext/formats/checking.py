"""Checking a file of alignments: everything that is wrong with it, and what can be mended.

What a reader refuses is an error, what it notes a warning (or a remark, where it is legal and only
told); then come the findings of `plausibility`, and those of a schema. Whatever has one safe remedy
can be mended (`mend`), into a new file: what is written is what was read, so encodings, line ends,
SGML, missing headers and empty links are put right by that; bisegments that are there twice are
written once, and characters that XML forbids are taken for U+FFFD.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.delivery import deliver
from bitext.formats.filtering import Filters, filtered
from bitext.formats.findings import Findings
from bitext.formats.opening import Notes, two_files
from bitext.formats.packing import unpacked
from bitext.formats.plausibility import Plausibility
from bitext.formats.prolog import read_prolog
from bitext.formats.reading import opened
from bitext.formats.registry import WriteOptions, by_suffix
from bitext.formats.writing import refuse_same
from bitext.kernels.rows import identify
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from bitext.formats.registry import Format
    from bitext.model import Bitext, Note

__all__ = ["Mended", "check", "mend"]

# Notes on what is legal, and found again by `plausibility` with its places.
_LEGAL = ("discontinuous", "crossing", "in more than one bisegment", "not in document order")
# Notes on what is legal, and not read.
_TOLD = (
    *("attributes of ", "headers, notes", "modules and extensions", "segments with inline codes"),
    *("ids of codes that repeat in the source",),
    *("proposals (alt-trans)", "counts (count-group)", "binary units", "bisegments that are not "),
    *("entries with plural forms, a bisegment", "elements that mark parts of segments"),
    *("columns told by their cells", "first lines taken as a header"),
)

# Notes on what stands in the new file as it stood before: nothing of it is mended.
_AS_BEFORE = (
    "targets that are no translations by their state",
    "entries with plural forms",
    "units that are not to be translated",
    "units that are not approved",
)
# Notes on what is in the old file, and is not read: in the new one it is not.
_LEFT_OUT = ("left out", "left aside", "not taken", "not read", "of which the first")
# The namespaces that other programs want; TMX has none, or this one.
_XLIFF = "urn:oasis:names:tc:xliff:document:"
_NAMESPACES = {
    "tmx": "http://www.lisa.org/tmx14",
    "xliff12": f"{_XLIFF}1.",
    "sdlxliff": f"{_XLIFF}1.",
    "xliff2": f"{_XLIFF}2.",
}
# What documents hold, and not the file that points into them.
_OF_TEXTS = (
    *("texts", "empty_segments", "uncovered", "ids", "languages", "markup", "breaks"),
    *("controls", "paragraphs"),
)


def check(
    path: str,
    *,
    reading: Mapping[str, Any],
    schema: str = "",
    ratio: float = 6.0,
    on_part: Callable[[int], None] | None = None,
) -> Findings:
    """Read a file to its end and return what is wrong with it.

    Parameters
    ----------
    path : str
        The file.
    reading : mapping
        Arguments of `bitext.formats.reading.opened`: the texts, the roots, the format, ...
    schema : str
        A schema (`.xsd`, `.rng`, `.dtd`) for an XML file; empty for the one shipped for its format,
        if there is one.
    ratio : float
        From how many usual spreads on lengths do not go together.
    on_part : callable, optional
        Is told how many bisegments were read since the last time.

    Raises
    ------
    InputError
        When there is no such file or schema.

    """
    findings = Findings(path)
    plausible = Plausibility(findings, ratio=ratio)
    name = ""
    with opened(
        path, **reading, parts=True, lines=True, on_bad=lambda error: _refused(findings, error)
    ) as open_file:
        try:
            name = open_file.format.name
            if open_file.format.holds == "text" and (reading.get("src") or reading.get("tgt")):
                kind = "texts named beside a file that holds its own, not read"
                findings.add("remark", kind, f"{name} ({remedy('src', 'tgt')})")
            for kind, case in _head_notes(open_file.source.head(), name):
                findings.add("remark", kind, case, 1)
            for bitext in open_file:
                _noted(findings, bitext.notes)
                plausible.look(bitext)
                if on_part is not None:
                    on_part(len(bitext.alignment))
        except FormatError as error:
            _refused(findings, error)
        except InputError as error:
            findings.add("error", "what stops the reading", str(error))
        _noted(findings, open_file.source.notes.drain())
    plausible.finish()
    _against_schema(findings, path, name, schema)
    return findings


def _head_notes(head: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the case of what the head of a file has that other programs stumble at."""
    if head[:2] in {b"<\0", b"\0<"}:
        yield "files in UTF-16 without a byte order mark", "put U+FEFF at its beginning"
    wanted = _NAMESPACES.get(name)
    if wanted is None:
        return
    prolog = read_prolog(head)
    prefix = prolog.root.rpartition(":")[0]
    spelled = re.escape(f"xmlns:{prefix}" if prefix else "xmlns")
    found = re.search(rf"(?<![\w:.-]){spelled}\s*=\s*[\"']([^\"']*)", prolog.attributes)
    given = found[1] if found else ""
    if not given and name != "tmx":
        whole = f"{wanted}{'0' if name == 'xliff2' else '2'}"
        yield f"files without the namespace of {name}", f'add xmlns="{whole}"'
    elif given and not given.startswith(wanted):
        yield f"files in a namespace that is not that of {name}", given[:80]


def _refused(findings: Findings, error: FormatError) -> None:
    # It may be in a document that the file names; standard input is told as it was asked for.
    path = "" if findings.path == "-" and error.path == "standard input" else error.path
    kind = "units or files that cannot be read"
    findings.add("error", kind, error.message, error.line, path=path)


def _noted(findings: Findings, notes: tuple[Note, ...]) -> None:
    for note in notes:
        if not any(legal in note.kind for legal in _LEGAL):
            line = _line_in(note.first, findings.path)
            legal = note.kind.startswith(_TOLD)
            findings.add("remark" if legal else "warning", note.kind, note.first, line, note.count)


def _line_in(case: str, path: str) -> int | None:
    """Return the line that the first case of a note names, where it begins with the place."""
    rest = case.removeprefix(f"{'standard input' if path == '-' else path} line ")
    number = rest.partition(":")[0].partition(" ")[0] if rest != case else ""
    return int(number) if number.isdecimal() else None


def _against_schema(findings: Findings, path: str, name: str, schema: str) -> None:
    from bitext.formats.schemas import shipped, validate

    known = schema or shipped(name)
    if known is None or path == "-":
        return
    for line, message in validate(path, known):
        findings.add(
            "error", f"places that are not valid by {schema or 'the schema'}", message, line
        )


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of a file that was written anew.

    Attributes
    ----------
    unread : Findings
        What could not be read: it is not in the new file.
    put_right : tuple of Note
        What is otherwise in the new file, or is read in another way than it was written.
    left_out : tuple of Note
        What is not in the new file.

    """

    unread: Findings
    put_right: tuple[Note, ...]
    left_out: tuple[Note, ...]


def mend(path: str, output: str, *, reading: Mapping[str, Any]) -> Mended:
    """Write a file anew with what has one safe remedy mended; return what was changed.

    What the reader leaves out is not in the new file, and is told. Whatever else was read has to
    come back from it (for which TMX and XLIFF get properties): a file whose format cannot be
    written with all of that is not mended.

    Units and lines that cannot be read have no safe remedy: they are left out, each a finding.

    Raises
    ------
    FormatError
        When the file cannot be read at all.
    InputError
        When its format cannot be written, or not with all that was read, or the output cannot.
    OptionError
        When the name of the output tells another format.

    """
    refuse_same(two_files(path) or (path,), two_files(output) or (output,))
    try:
        return _written_anew(path, output, reading, WriteOptions())
    except _LossError as error:
        if path == "-" or not error.kept_in_props:
            raise
    return _written_anew(path, output, reading, WriteOptions(beads=True))


class _LossError(InputError):
    """Something that was read would not be in the new file."""

    def __init__(self, message: str, *, kept_in_props: bool) -> None:
        super().__init__(message)
        self.kept_in_props = kept_in_props


def _written_anew(
    path: str, output: str, reading: Mapping[str, Any], options: WriteOptions
) -> Mended:
    done, losses, unread = Notes(), Notes(), Findings(path)
    with opened(
        path, **reading, parts=True, on_bad=lambda error: _refused(unread, error)
    ) as open_file:
        known = open_file.format
        if known.write is None:
            raise InputError(f"{path}: {known.name} can be read but not written: convert it")
        _refuse_other_format(output, known)
        filters = Filters(replace_forbidden=not known.keeps.controls)

        def noted(notes: tuple[Note, ...]) -> None:
            for note in notes:
                if not any(legal in note.kind for legal in (*_LEGAL, *_AS_BEFORE)):
                    done.add(note.kind, note.first, note.count)

        def mended() -> Iterator[Bitext]:
            whole = known.holds != "text"
            for bitext in filtered(open_file, filters, Notes(), changed=done, whole=whole):
                noted(bitext.notes)
                yield _once(bitext, done)
            noted(open_file.source.notes.drain())

        def check_losses() -> None:
            if losses.all():
                told = "; ".join(f"{loss.kind}: {loss.count:,}" for loss in losses.all())
                raise _LossError(
                    f"{output}: not written, as {known.name} that is written anew would lose "
                    f"{told}; mend {path} by hand, or convert it to another format",
                    kept_in_props=known.keeps_in_props is not None and not options.beads,
                )

        deliver(
            mended(),
            output,
            _counting(known),
            options=options,
            losses=losses,
            finish=check_losses,
        )
    left_out = [note for note in done.all() if _is_left_out(note)]
    return Mended(
        unread,
        tuple(note for note in done.all() if note not in left_out),
        tuple(left_out),
    )


def _is_left_out(note: Note) -> bool:
    return any(sign in note.kind for sign in _LEFT_OUT)


def _refuse_other_format(output: str, known: Format) -> None:
    named = by_suffix(output)
    if named is None or named is known or unpacked(output).lower().endswith(known.suffixes):
        return
    raise OptionError(
        f"{remedy(f'fix {output}', python=output)}: its name tells {named.name}, and the file is "
        f"written in the format it has, {known.name}; name it otherwise, or convert it (bitext "
        f"convert)"
    )


def _counting(known: Format) -> Format:
    """Return a format by which only what its file itself says is counted as lost.

    Of a file that points into documents these hold the texts, before and after.
    """
    if known.keeps.texts:
        return known
    of_texts: dict[str, Any] = dict.fromkeys(_OF_TEXTS, True)
    return replace(known, keeps=replace(known.keeps, **of_texts))


def _once(bitext: Bitext, done: Notes) -> Bitext:
    """Leave out bisegments that are there twice, with the same columns."""
    a = bitext.alignment
    if bitext.meta.get("holds") == "text":
        return bitext  # every segment is in one bisegment: none can be there twice
    first = np.unique(identify(a.src, a.tgt), return_index=True)[1]
    again = np.ones(len(a), dtype=np.bool_)
    again[first] = False
    if not again.any():
        return bitext
    k = int(again.argmax())
    kind = "bisegments that are there twice, written once"
    done.add(kind, f"{bitext.name}: bisegment {k} ({a[k].type})", int(again.sum()))
    return replace(bitext, alignment=a.select(~again))
