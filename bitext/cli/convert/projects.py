"""Export from a project of `bitext edit`: the files that its page gives, without a server.

A module of its own, since no format reads a project: document and annotator select the part to
export, and the workbench writes it.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from bitext.cli.common import is_output_folder, print_notes, refuse_inputs
from bitext.errors import InputError, OptionError, many

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bitext.cli.convert.request import ConvertRequest
    from bitext.workbench.project import Project
    from bitext.workbench.schema import AlignmentInfo

_TAKEN = frozenset(
    [
        *("inputs", "output", "to", "annotator", "documents", "boundaries"),
        *("src_lang", "tgt_lang", "strict", "quiet", "verbose", "offered"),
    ]
)
_NAMES = {"known": "from"}  # of options whose fields are called otherwise
_SHOWN = 10  # names in a message


def export_project(request: ConvertRequest) -> int:
    """Write alignments or segmentations of a project as files; return the exit status.

    Raises
    ------
    InputError, OptionError
        When an option is not for projects; the project has nothing of the name; or several
        documents or files are for one file OUT.

    """
    from bitext.workbench.project import Project

    place = _check(request)
    with Project(place) as project:
        chosen = _chosen(project, request)
        in_folder = is_output_folder(request.output)
        with_form = _with_formats(chosen, request)
        if not in_folder and len(with_form) > 1:
            raise OptionError(
                f"{place}: {_listed(info for info, _ in with_form)} are for one file: name one "
                f"(--documents, --annotator), or a folder as OUT"
            )
        apart = in_folder and len({info.annotator for info, form in with_form}) > 1
        files: dict[str, bytes] = {}
        losses: list[str] = []
        for info, form in with_form:
            made, lost = _files(project, info, form, request)
            losses += [f"lost: {note}" for note in lost]
            for name, content in made:
                path = _path(request, info, name, apart=apart and form not in _of_coders())
                if path in files:
                    raise InputError(
                        f"{path}: two documents of {info.annotator} have this name: name one "
                        f"(--documents)"
                    )
                files[path] = content
    if request.strict and losses:
        raise InputError(f"{place}: nothing is written (--strict): {losses[0]}")
    _write(files, in_folder=in_folder)
    kinds = {
        noun: sum(info.kind == noun for info, _ in with_form)
        for noun in ("alignment", "segmentation")
    }
    told = " and ".join(many(count, noun) for noun, count in kinds.items() if count)
    written = many(len(files), "file")
    print_notes([f"{told} in {written}", *losses], request, most=1 + len(losses))
    return 0


def _check(request: ConvertRequest) -> str:
    """Refuse options that are not for projects, and files beside one; return the project."""
    (place, *more) = sorted(request.inputs, key=lambda name: not name.endswith(".bitext"))
    if more:
        raise OptionError(
            f"{place}: is a project, of which one is exported at a time: leave {more[0]} out"
        )
    for name in type(request).fields:
        if name not in _TAKEN and getattr(request, name) != getattr(type(request), name, None):
            option = _NAMES.get(name, name).replace("_", "-")
            raise OptionError(
                f"--{option} is for files, and {place} is a project: export without it, and "
                f"convert the file"
            )
    refuse_inputs([place], request)
    return place


def _chosen(project: Project, request: ConvertRequest) -> list[AlignmentInfo]:
    """Return the alignments and segmentations of the named documents and annotator."""
    every = [info for info in (*project.alignments(), *project.segmentations()) if info.annotator]
    if not every:
        raise InputError(f"{project.path}: no annotator has begun a document: nothing to export")
    pattern, who = request.documents, request.annotator
    documents = [info for info in every if not pattern or fnmatchcase(info.name, pattern)]
    if not documents:
        raise InputError(
            f"{project.path}: no document is named {pattern}: want one of "
            f"{_names(info.name for info in every)} (--documents)"
        )
    found = [info for info in documents if who in (None, info.annotator)]
    if not found:
        raise InputError(
            f"{project.path}: {who} has none of these documents: want one of "
            f"{_names(info.annotator for info in documents)} (--annotator)"
        )
    return found


def _names(names: Any) -> str:
    each = sorted(set(names))
    more = f" and {len(each) - _SHOWN:,} more" if len(each) > _SHOWN else ""
    return ", ".join(each[:_SHOWN]) + more


def _listed(infos: Any) -> str:
    return _names(f"{info.name} of {info.annotator}" for info in infos)


def _of_coders() -> frozenset[str]:
    from bitext.formats.segmentations import OF_CODERS

    return OF_CODERS


def _with_formats(
    chosen: Sequence[AlignmentInfo], request: ConvertRequest
) -> list[tuple[AlignmentInfo, str]]:
    """Return the chosen ones that the format can hold, each with the name of its format."""
    if not request.to and is_output_folder(request.output):
        raise OptionError(
            f"OUT is the folder {request.output}: name the format of its files (--to)"
        )
    forms: dict[str, str] = {}
    refused: OptionError | None = None
    for kind in dict.fromkeys(info.kind for info in chosen):
        try:
            found = _segment_format if kind == "segmentation" else _format
            forms[kind] = found(request)
        except OptionError as error:
            refused = error
    if refused is not None and not forms:
        raise refused
    rows, coded = [], set()
    for info in chosen:
        form = forms.get(info.kind)
        if form is None:
            continue
        if info.kind == "segmentation" and form in _of_coders():  # all annotators in one file
            if request.annotator is not None:
                raise OptionError(f"{form} has all annotators of a text: leave --annotator out")
            if info.document in coded:
                continue
            coded.add(info.document)
        if info.kind == "alignment" and request.boundaries is not None:
            raise OptionError(
                f"--boundaries is for segmentations, and {info.name} is an alignment: leave it out"
            )
        rows.append((info, form))
    left = len(chosen) - sum(info.kind in forms for info in chosen)
    if left:
        kind = next(info.kind for info in chosen if info.kind not in forms)
        note = f"{many(left, kind)} left out: no {kind}s are written as {request.to}"
        print_notes([note], request)
    return rows


def _format(request: ConvertRequest) -> str:
    """Return the format of alignments: as named, else by the name of OUT."""
    from bitext.formats.writing import writable
    from bitext.workbench.exchange import INTERTEXT

    if request.to == INTERTEXT:
        return INTERTEXT
    if not request.to and request.output.endswith(".zip"):
        raise OptionError(f"{request.output}: its name does not show the format: name it (--to)")
    # Names with commas are those of the files that the format has.
    place = request.output.partition(",")[0] if request.to else request.output
    return writable(place, request.to or None).name


def _segment_format(request: ConvertRequest) -> str:
    """Return the notation of segmentations: as named, else by the name of OUT."""
    from bitext.formats.segmentations import WRITTEN

    those = ", ".join(WRITTEN)
    if request.to:
        if request.to not in WRITTEN:
            raise OptionError(
                f"segmentations are not written as {request.to!r:.40}; want one of {those} (--to)"
            )
        return request.to
    found = [form for form, ending in WRITTEN.items() if request.output.endswith(ending)]
    if len(found) != 1:
        wanted = ", ".join(found) or those
        raise OptionError(
            f"{request.output}: its name does not show the notation of a segmentation: name it "
            f"(--to), one of {wanted}"
        )
    return found[0]


def _files(
    project: Project, info: AlignmentInfo, form: str, request: ConvertRequest
) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Return the files of an alignment or segmentation by name, and notes on losses."""
    from bitext.formats.io.source import Notes
    from bitext.workbench.exchange import export_files, packed
    from bitext.workbench.segmentations import export_segments

    if info.kind == "segmentation":
        if request.src_lang or request.tgt_lang:
            raise OptionError("--src-lang and --tgt-lang are for alignments: leave them out")
        name, content, lost = export_segments(project, info.id, form, type_=request.boundaries)
        return [(name, content)], lost
    losses = Notes()
    languages = request.src_lang, request.tgt_lang
    stem, made = export_files(project, info.id, form, losses=losses, languages=languages)
    if request.output.endswith(".zip"):
        name, content = packed(stem, made)
        if not name.endswith(".zip"):
            raise OptionError(
                f"{request.output}: {form} is one file, {name}, and no archive: name it so"
            )
        return [(name, content)], [*map(str, losses.all())]
    if not is_output_folder(request.output):
        named = request.output.split(",")
        if len(named) != len(made):
            files = f"{len(made)} files ({', '.join(made)})" if len(made) > 1 else "one file"
            ways = (
                "name an archive (.zip), a folder, or as many files with commas between"
                if len(made) > 1
                else "name one"
            )
            raise OptionError(
                f"{request.output}: {info.name} is written as {files} in {form}: {ways}"
            )
        made = dict(zip(named, made.values(), strict=True))
    return [*made.items()], [*map(str, losses.all())]


def _path(request: ConvertRequest, info: AlignmentInfo, name: str, *, apart: bool) -> str:
    """Return the path of an output; with several annotators, in a folder of each one."""
    if not is_output_folder(request.output):
        several = info.kind == "alignment" and not request.output.endswith(".zip")
        return name if several else request.output
    from bitext.formats.io.remote import join

    if not apart:
        return join(request.output, name)
    folder = info.annotator
    if folder in {".", ".."} or PurePath(folder).name != folder or "\\" in folder:
        raise InputError(
            f"{folder!r}: is no name of a folder, which each annotator has: name one annotator "
            f"(--annotator)"
        )
    return join(request.output, f"{folder}/{name}")


def _write(files: dict[str, bytes], *, in_folder: bool) -> None:
    """Write files, which appear together; remove folders that were made for them in vain."""
    from bitext.formats.io.output import write_together
    from bitext.formats.io.remote import make_folder_of, remove_empty

    folders: list[Path] = []
    try:
        if in_folder:
            for path in files:
                folders += make_folder_of(path)
        with write_together([*files], binary=True) as outs:
            for out, content in zip(outs, files.values(), strict=True):
                out.write(content)
    finally:
        remove_empty(folders)
