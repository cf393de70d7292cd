"""Where the alignments of `bitext align` go: files in any format, a table of beads, JSON."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError, OptionError
from bitext.paths import is_file, is_folder, is_there, why_unwritable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Notes
    from bitext.formats.registry import Format
    from bitext.model import Bitext, Note, Text

__all__ = [
    "Place",
    "check_file",
    "file_in",
    "find_outputs",
    "find_place",
    "misnamed",
    "names_folder",
    "refuse_forbidden",
    "true_losses",
    "write",
]

# What no alignment has by itself, and what the texts that were read have.
_NO_LOSS = ("segments whose text is not written", "document pairs whose names")
_IN_TEXTS = frozenset(("paragraphs",))  # which links point into
_WORD_LINKS = frozenset(("giza", "naacl", "pharaoh"))  # formats that nothing else goes into


class Place(NamedTuple):
    """Where alignments go, and as what.

    Attributes
    ----------
    output : str
        A file, a folder (ends with `/`), or `-`.
    known : Format
    made : bool
        Whether the output is a folder only because there are several texts.

    """

    output: str
    known: Format
    made: bool = False


def find_place(options: argparse.Namespace, inputs: Sequence[str], *, many: bool) -> Place | None:
    """Return where to write, checked before the work; `None` where the alignment is shown.

    Parameters
    ----------
    options : Namespace
    inputs : sequence of str
        The files that are read, none of which may be written.
    many : bool
        Whether there are several texts.

    Raises
    ------
    InputError, OptionError
        When the place cannot be, or the format does not fit.

    """
    from bitext.formats.io.clashes import refuse_clashes
    from bitext.formats.io.compression import unpacked
    from bitext.formats.io.remote import called, refuse_remote
    from bitext.formats.writing import writable

    refuse_remote(options.write_documents, "documents are written here only")
    output = options.output or ("-" if options.to else "")
    if options.save_lexicon:
        refuse_clashes(inputs, [options.save_lexicon])
        check_file(options.save_lexicon)
    if not output:
        if options.write_documents:
            raise OptionError("--write-documents is for xces: give -o OUT.xml")
        return None
    folder = names_folder(output, many=many)
    if folder and not options.to:
        raise OptionError(f"OUT is the folder {output}: name the format of its files (--to)")
    xml = unpacked(called(output)).lower().endswith(".xml")
    plain = not options.to and xml and not _told(output)
    known = writable(output, "xces" if plain else options.to or None)
    _check_place(output, known, folder=folder)
    if options.write_documents is not None:
        if known.keeps_with_documents is None or folder:
            raise OptionError(
                f"--write-documents is for one file of xces, and OUT is {output} ({known.name}): "
                f"leave it out"
            )
    elif options.split and not known.keeps.texts:
        raise OptionError(
            f"--split makes sentences that are in no file, and {known.name} holds no texts: choose "
            f"a format with texts (tmx, jsonl, tsv), or xces with --write-documents"
        )
    if folder:
        _refuse_source_folder(output, known, options)
        return Place(f"{output.rstrip('/' + os.sep)}/", known, not names_folder(output, many=False))
    if many and known.holds == "positions":
        raise OptionError(
            f"{output}: {known.name} holds one text, and there are several: name a folder "
            f"(-o aligned/ --to {known.name})"
        )
    _check_files(output, [*inputs, *([options.save_lexicon] if options.save_lexicon else [])])
    return Place(output, known)


def names_folder(output: str, *, many: bool) -> bool:
    """Tell whether OUT is a folder: it is one, or ends with /, or has no ending, for many texts."""
    if output in {"", "-"}:
        return False
    if output.endswith(("/", os.sep)) or _is_folder(output):
        return True
    bare = "," not in output and "://" not in output and not Path(output).suffix
    return many and bare and not is_there(Path(output))


def _check_files(output: str, others: Sequence[str]) -> None:
    """Refuse a file, or two, that cannot be written, or is one of the others."""
    from bitext.formats.io.clashes import refuse_clashes
    from bitext.formats.io.remote import two_files

    names = two_files(output) or (output,)
    if not all(names):
        raise InputError(f"{output}: one of the two files has no name; name both")
    refuse_clashes(others, names)
    for name in names:
        if name != "-":
            check_file(name)


def _refuse_source_folder(output: str, known: Format, options: argparse.Namespace) -> None:
    """Refuse a folder whose files are texts: the next time what is written would be texts, too."""
    if known.two_files and "," in output:
        raise InputError(
            f"{output}: the two files of {known.name} are named with a comma between: name a "
            f"folder without one (-o)"
        )
    if options.tgt is None or options.src == options.tgt:
        return  # files of both languages are told by their endings
    here = Path(output)
    for folder in (Path(options.src), Path(options.tgt)):
        if is_folder(here) and is_folder(folder) and here.samefile(folder):
            raise InputError(
                f"{output}: is a folder of texts, and what is written there would be one of them "
                f"the next time: name another folder (-o)"
            )


def check_file(name: str) -> None:
    """Refuse a file to be written that is a folder, or whose folder is not there or refuses."""
    from bitext.formats.io.remote import local_path

    here = local_path(name)
    if here is None:
        return
    if is_folder(here):
        raise InputError(f"{name}: is a directory; name a file in it")
    if not is_folder(here.parent):
        raise InputError(f"{name}: no folder {here.parent}; make it first")
    if why := why_unwritable(here):
        raise InputError(f"{name}: cannot be written: {why}")


def _check_place(output: str, known: Format, *, folder: bool) -> None:
    """Refuse a format that holds no sentences, and a file where a folder is wanted."""
    from bitext.formats.io.remote import local_path

    if known.name in _WORD_LINKS:
        raise OptionError(
            f"{known.name} holds links of words, and sentences are aligned here: choose another "
            f"format (--to)"
        )
    here = local_path(output) if folder else None
    for place in () if here is None else (here, *here.parents):
        if is_there(place):
            if not is_folder(place):
                raise InputError(f"{output}: {place} is a file; name another folder (-o)")
            return


def refuse_forbidden(texts: Sequence[Text], place: Place, options: argparse.Namespace) -> None:
    """Refuse texts with characters or ids that the format cannot hold, before the work.

    Raises
    ------
    InputError
        Naming the first of them.

    """
    from bitext.formats.xces.writing import refuse_ids
    from bitext.formats.xml.text import FORBIDDEN

    written = place.known.keeps
    if written.documents:
        _refuse_names([text.name for text in texts], place)
    if place.known.name == "xces":
        for text in texts:
            refuse_ids(text.ids if text.has_ids else [], text.name)
    if place.known.keeps_with_documents is not None and options.write_documents:
        written = place.known.keeps_with_documents
    if not written.texts or written.controls:
        return
    for text in texts:
        for number, sentence in enumerate(text.segments(), start=1):
            found = FORBIDDEN.search(sentence)
            if found is not None:
                raise InputError(
                    f"{text.name} sentence {number}: has the character U+{ord(found[0]):04X}, "
                    f"which XML forbids; take it out, or choose a format that is not XML, as jsonl"
                )


def _refuse_names(names: Sequence[str], place: Place) -> None:
    """Refuse names of files that the format cannot hold: bytes that are no UTF-8 among them."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{name}: its name is not UTF-8, and {place.known.name} holds the names of texts: "
                f"rename it, or choose another format (--to), as tmx"
            ) from None


def misnamed(place: Place) -> Iterator[str]:
    """Yield a note where the name of OUT may have been meant otherwise: its format, or a folder."""
    from bitext.formats.registry import by_suffix

    if place.made:
        name = f"{place.output.rstrip('/')}{''.join(place.known.suffixes[:1])}"
        other = "" if place.known.holds == "positions" else f"; -o {name} is one file of all"
        yield f"{place.output} is made a folder, a file for each text{other}"
    named = None if place.output.endswith("/") else by_suffix(place.output)
    if named is not None and named.name != place.known.name:
        yield f"{place.output}: is written as {place.known.name}, and its name says {named.name}"


def _is_folder(output: str) -> bool:
    from bitext.formats.io.remote import is_folder_at, two_files

    return not ("://" in output and two_files(output)) and is_folder_at(output)


def _told(output: str) -> bool:
    from bitext.formats.registry import by_suffix

    return by_suffix(output) is not None


def find_outputs(
    place: Place, names: Sequence[str], inputs: Sequence[str], options: argparse.Namespace
) -> list[str]:
    """Return the file of each text by its name, checked before the work.

    Raises
    ------
    InputError
        When two texts would go into one file, or a file is one that is read.

    """
    from bitext.formats.io.clashes import refuse_clashes

    if not place.output.endswith("/"):
        return [place.output] * len(names)
    outputs = [file_in(place, name, options) for name in names]
    known: dict[str, str] = {}
    for output, name in zip(outputs, names, strict=True):
        if output in known:
            both = f"{known[output]!r} and {name!r}"
            texts = f"two texts are named {both if known[output] != name else repr(name)}"
            raise InputError(
                f"{texts}, and both would become {output}: write one file, or name them otherwise "
                f"in a manifest"
            )
        known[output] = name
    refuse_clashes(inputs, outputs)
    return outputs


def write(
    bitexts: Sequence[Bitext],
    place: Place,
    outputs: Sequence[str],
    options: argparse.Namespace,
    losses: Notes,
) -> None:
    """Write the alignments: all to one place, or each to its file in a folder."""
    from bitext.formats.convert.filters import without_blank
    from bitext.formats.io.remote import make_folder_of
    from bitext.formats.registry import WriteOptions
    from bitext.formats.writing import deliver

    folder = options.write_documents
    writing = WriteOptions(
        src_lang=options.src_lang,
        tgt_lang=options.tgt_lang,
        documents=None if folder is None else Path(folder),
    )
    if place.known.keeps_with_documents is not None and folder is None:
        bitexts = [
            _seen_from(bitext, output) for bitext, output in zip(bitexts, outputs, strict=True)
        ]
    if place.known.holds == "text":
        bitexts = [without_blank(bitext, losses) for bitext in bitexts]
    if not place.output.endswith("/"):
        base = _base(place.output, folder)
        deliver(bitexts, place.output, place.known, options=writing, losses=losses, base=base)
        return
    for bitext, output in zip(bitexts, outputs, strict=True):
        make_folder_of(output.partition(",")[0])
        try:
            deliver([bitext], output, place.known, options=writing, losses=losses)
        except InputError as error:  # of several texts, it is not plain which one it is
            if bitext.name and bitext.name not in str(error):
                raise InputError(f"{bitext.name}: {error}") from None
            raise


def _seen_from(bitext: Bitext, output: str) -> Bitext:
    """Return a bitext whose texts are named from the folder of its links, where they are under it.

    There those who read the links look for them.
    """
    if output == "-" or "://" in output:
        return bitext
    folder = Path(os.path.normpath(Path(output).absolute())).parent
    meta = dict(bitext.meta)
    for key, text in (("src_doc", bitext.src), ("tgt_doc", bitext.tgt)):
        name = meta.get(key) or ("" if text is None else text.name)
        path = Path(os.path.normpath(Path(name).absolute()))
        if name and path.is_relative_to(folder) and is_file(path):
            meta[key] = path.relative_to(folder).as_posix()
    return replace(bitext, meta=meta)


def true_losses(place: Place, losses: Notes, options: argparse.Namespace) -> Iterator[Note]:
    """Yield what the user should know is lost: not what the files that were read still have."""
    from bitext.formats.registry import LOSSES

    if place.known.holds == "positions":
        return
    links = place.known.holds != "text" and not options.write_documents
    told = options.src_lang or options.tgt_lang  # not only by the names of the files
    for note in losses.all():
        in_texts = links and note.kind in _IN_TEXTS
        named = note.kind == LOSSES["languages"] and not told
        if not (note.kind.startswith(_NO_LOSS) or in_texts or named):
            yield note


def _base(output: str, documents: str | None) -> Path | None:
    """Return what the names of documents are relative to: the folder of the links, if it can be."""
    from bitext.formats.opus_documents.writing import name_under

    if documents is None or output == "-" or "://" in output:
        return None
    beside = Path(output).parent
    return beside if name_under(Path(documents), beside) is not None else None


def file_in(place: Place, name: str, options: argparse.Namespace) -> str:
    """Return the file, or the two, of a text in the folder.

    Raises
    ------
    InputError
        When no file can have the name of the text.

    """
    from bitext.formats.io.remote import join

    given = name
    if ".." in PurePath(name).parts or PurePath(name).is_absolute():
        name = PurePath(name).name
    if not PurePath(name).name.strip("."):
        raise InputError(f"a text is named {given!r}, as no file can be: name it otherwise")
    if place.known.two_files and "," in name:
        raise InputError(
            f"a text is named {given!r}, and the two files of {place.known.name} are named with a "
            f"comma between: name it otherwise"
        )

    folder = place.output
    if place.known.two_files:
        ends = (options.src_lang or "src", options.tgt_lang or "tgt")
        return ",".join(f"{join(folder, name)}.{end}" for end in ends)
    suffixes = place.known.suffixes
    return f"{join(folder, name)}{suffixes[0] if suffixes else f'.{place.known.name}'}"
