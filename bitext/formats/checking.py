"""Checking a file of alignments: everything that is wrong with it, and what can be mended.

What a reader refuses is an error, what it notes a warning (or a remark, where it is legal and only
told); then come the findings of `plausibility`, and those of a schema. Whatever has one safe remedy
can be mended (`mend`), into a new file: what is written is what was read, so encodings, line ends,
SGML, missing headers and empty links are put right by that; bisegments that are there twice are
written once, and characters that XML forbids are taken for U+FFFD.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import FormatError, InputError
from bitext.formats.delivery import deliver
from bitext.formats.filtering import Filters, filtered
from bitext.formats.findings import Findings
from bitext.formats.opening import Notes, two_files
from bitext.formats.plausibility import Plausibility
from bitext.formats.reading import opened
from bitext.formats.registry import by_name
from bitext.formats.writing import refuse_same
from bitext.kernels.rows import identify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from bitext.model import Bitext, Note

__all__ = ["check", "mend"]

# Notes on what is legal, and found again by `plausibility` with its places.
_LEGAL = ("discontinuous", "crossing", "in more than one bisegment", "not in document order")


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


def _refused(findings: Findings, error: FormatError) -> None:
    findings.add("error", "units or files that cannot be read", error.message, error.line)


def _noted(findings: Findings, notes: tuple[Note, ...]) -> None:
    for note in notes:
        if not any(legal in note.kind for legal in _LEGAL):
            line = _line_in(note.first, findings.path)
            findings.add("warning", note.kind, note.first, line, note.count)


def _line_in(case: str, path: str) -> int | None:
    """Return the line that the first case of a note names, where it begins with the place."""
    rest = case.removeprefix(f"{path} line ")
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


def mend(path: str, output: str, *, reading: Mapping[str, Any]) -> tuple[Note, ...]:
    """Write a file anew with what has one safe remedy mended; return what was changed.

    Raises
    ------
    FormatError
        When something in the file cannot be read: there is no safe remedy for that.
    InputError
        When its format cannot be written, or the output cannot.

    """
    refuse_same(two_files(path) or (path,), two_files(output) or (output,))
    done = Notes()
    with opened(path, **reading, parts=True) as open_file:
        known = open_file.format
        if known.write is None:
            raise InputError(f"{path}: {known.name} can be read but not written: convert it")
        filters = Filters(replace_forbidden=not by_name(known.name).keeps.controls)

        def mended() -> Iterator[Bitext]:
            for bitext in filtered(open_file, filters, done, whole=known.holds != "text"):
                for note in bitext.notes:
                    if not any(legal in note.kind for legal in _LEGAL):
                        done.add(note.kind, note.first, note.count)
                yield _once(bitext, done)

        deliver(mended(), output, known)
    return done.all()


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
