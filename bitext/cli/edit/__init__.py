"""`bitext edit`: gold standards of alignments and segmentations, made in the browser."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.console import EndedError, write_out
from bitext.cli.edit.request import (
    HERE,
    LOCAL,
    EditRequest,
    annotator_of,
    edit_parser,
    is_project,
    options_of_text,
    projects_in,
    segmenting_of,
)
from bitext.cli.request import request_of
from bitext.errors import (
    BitextError,
    FormatError,
    InputError,
    OptionError,
    import_extra,
    many,
    renamed,
)
from bitext.paths import files_below, is_file, is_folder, is_there, why_unwritable

if TYPE_CHECKING:
    from socket import socket

    from bitext.formats.io.source import Notes
    from bitext.formats.segmentations.collecting import ReadingOptions
    from bitext.model import Bitext
    from bitext.workbench.project import Project
    from bitext.workbench.segmentations import SegmentText

    Document = Bitext | SegmentText | dict[str, Any]  # the last: what a page holds

_OF_LABELS = "--coders", "--column", "--texts", "--labels", "--time-units"
_BESIDE = ("-wal", "-shm", "-journal")  # files of SQLite beside a project that is open
_ALL = frozenset(("0.0.0.0", "::", ""))  # noqa: S104 - hosts that stand for all addresses
_LOOKED_AT = 50  # files of a folder that show whether it holds texts
_BLOCK = 1 << 20  # bytes that are read at once


def run(arguments: Sequence[str]) -> int:
    """Open a project, or make one, and serve it; return the exit status."""
    request = request_of(EditRequest, edit_parser(), arguments)
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    port = request.resolve()
    passwords = None
    if request.password_file is not None:
        from bitext.workbench.access import read_passwords

        passwords = read_passwords(request.password_file)
    if not (request.no_server or request.page):
        for package in ("starlette.applications", "uvicorn"):  # before texts are aligned
            import_extra(package, what="the server of bitext edit", extra="workbench")
    with ExitStack() as stack:
        listening = None
        if not (request.no_server or request.page):
            from bitext.workbench.server import listen

            listening = stack.enter_context(listen(request.host, port))  # before texts are aligned
        with request.protected_outputs():
            if request.page is not None:
                return _write_page(request)
            projects = [stack.enter_context(each) for each in _opened(request)]
        if listening is None:
            request.print_notes(_without_annotator(projects, request))
            return 0
        return _serve(projects, request, listening, passwords)


def _opened(request: EditRequest) -> Iterator[Project]:
    """Open the projects that the request names, or make one of the files."""
    from bitext.formats.io.source import Notes
    from bitext.workbench.project import Project

    if not request.projects:
        yield _made(request)
        return
    for place in request.projects:
        project, notes = Project(place), Notes()
        try:
            texts = [each.id for each in project.segmentations() if not each.annotator]
            _add_codings(project, texts, request, notes)
        except BaseException:
            project.close()
            raise
        yield project
        request.print_notes([_summary(project), *map(str, notes.all())])
    for folder in (each for each in request.files if not is_project(each)):
        project_names = {*projects_in(folder)}
        beside = {f"{each}{ending}" for each in project_names for ending in _BESIDE}
        left = [each for each in Path(folder).iterdir() if str(each) not in project_names | beside]
        if left:
            noun = "other file or folder" if len(left) == 1 else "other files or folders"
            request.print_notes(
                [f"{folder}: its projects are opened; {len(left):,} {noun} in it are left alone"]
            )


def _made(request: EditRequest) -> Project:
    """Make a project of the files, or add them to one."""
    from bitext.workbench.project import Project

    place = request.project or f"{_project_name(request.files)}.bitext"
    files = [*request.files, *request.codings, *filter(None, (request.src, request.tgt))]
    made_of = [*_fingerprint(files), *_options(request)]
    if is_there(place):
        return _extended(Project(place), made_of, request)
    if not is_folder(Path(place).parent):  # before texts are aligned
        raise InputError(f"{place}: cannot be created: there is no folder {Path(place).parent}")
    if why := why_unwritable(place):
        raise InputError(f"{place}: cannot be created: {why}")
    documents, notes = _documents(request)
    project = Project.create(place, Path(place).stem)
    try:
        notes += _fill(project, documents, made_of, request)
    except BaseException:
        project.close()
        Path(place).unlink(missing_ok=True)
        raise
    request.print_notes([_summary(project), *notes])
    return project


def _extended(project: Project, made_of: list[list[str]], request: EditRequest) -> Project:
    """Go on with a project of the same files, or add others to the one that --project names."""
    try:
        known = json.loads(project.get("inputs") or "[]")
        if made_of in known:
            note = "is made of these files already, and is opened as it was left"
            request.print_notes([_summary(project), f"{project.path} {note}"])
            return project
        if known or project.infos():
            _refuse_other_files(project, request)
        documents, notes = _documents(request)
        notes += _fill(project, documents, made_of, request)
    except BaseException:
        project.close()
        raise
    request.print_notes([_summary(project), *notes])
    return project


def _refuse_other_files(project: Project, request: EditRequest) -> None:
    """Refuse a project that has the name of another by chance."""
    if request.project is None:
        raise InputError(
            f"{project.path}: exists, and was made of other files or units: open it as it is "
            f"(bitext edit {project.path}), add to it (--project {project.path}), or name another "
            f"(--project)"
        )


def _fill(
    project: Project,
    documents: Sequence[tuple[str, Document]],
    made_of: list[list[str]],
    request: EditRequest,
) -> list[str]:
    """Add all documents or none; return notes on parts of files that a project does not keep."""
    from bitext.formats.io.source import Notes
    from bitext.workbench.exchange import add_bitext, add_state
    from bitext.workbench.segmentations import SegmentText, add_text

    lost, numbers = Notes(), []
    with project.together():
        for name, document in documents:
            if isinstance(document, dict):
                number = add_state(project, document, name)
            elif isinstance(document, SegmentText):
                number = add_text(project, document, *segmenting_of(request), lost)
            else:
                number = add_bitext(project, document, name, lost)
            numbers.append(number)
        _add_codings(project, numbers, request, lost)
        if request.password_file is None:
            for number in numbers:
                project.assign(number, annotator_of(request))
        known = json.loads(project.get("inputs") or "[]")
        project.put("inputs", json.dumps([*known, made_of]))
    return [str(each) for each in lost.all()]


def _add_codings(
    project: Project, documents: Sequence[int], request: EditRequest, notes: Notes
) -> None:
    from bitext.workbench.segmentations import add_coders

    _refuse_unused(request)
    with project.together():
        for path in request.codings:
            is_text = path in request.files
            with renamed("from", option="from" if is_text else "codings-from"):
                reading = _reading_of_codings(request, path)
                own = None if is_text else notes  # the text has the same notes
                add_coders(project, documents, path, reading=reading, notes=own)


def _reading_of_text(request: EditRequest, path: str) -> ReadingOptions:
    """Return the options for a text; those of labels are for its codings if they do not fit it."""
    options = options_of_text(request, request.known)
    if not request.given(*_OF_LABELS) or not request.codings or path in request.codings:
        return options
    from bitext.formats.segmentations import read_corpora

    try:
        read_corpora(path, options)
    except BitextError:
        return replace(options, column=None, texts=None, coders=(), labels=(), time_units=None)
    return options


def _reading_of_codings(request: EditRequest, path: str) -> ReadingOptions:
    return options_of_text(
        request, request.known if path in request.files else request.codings_from
    )


def _refuse_unused(request: EditRequest) -> None:
    """Refuse options of segmentations that have an effect on no text and on no coding."""
    if not request.given(*_OF_LABELS):
        return
    from bitext.formats.segmentations import read_corpora, refuse_unused

    texts = [path for path in request.files if request.segment and _page_at(path) is None]
    readings = [(path, _reading_of_text(request, path)) for path in texts]
    readings += [(path, _reading_of_codings(request, path)) for path in request.codings]
    read = [each for reading in readings for each in read_corpora(*reading).items()]
    refuse_unused(options_of_text(request, None), read)


def _summary(project: Project) -> str:
    infos = project.infos()
    documents = sum(not each.annotator for each in infos)
    annotators = sorted({each.annotator for each in infos if each.annotator})
    by = f", annotators: {', '.join(annotators)}" if annotators else ""
    return f"{project.path}: {many(documents, 'document')}{by}"


def _without_annotator(projects: Sequence[Project], request: EditRequest) -> list[str]:
    """Return notes on projects in which the annotator that the user names has nothing."""
    if request.annotator is None:
        return []
    name = annotator_of(request)
    return [
        f"{project.path}: has nothing of {name} yet, who gets alignments when a server opens it "
        f"(leave --no-server out)"
        for project in projects
        if all(each.annotator != name for each in project.infos())
    ]


def _fingerprint(files: Sequence[str]) -> list[list[str]]:
    """Return the names of files, without their folders, with marks of their contents."""
    digests = []
    for name in files:
        path = Path(name)
        parts = sorted(each for each in path.rglob("*") if each.is_file())
        digest = hashlib.sha256()
        for each in parts or [path]:
            digest.update(str(each.relative_to(path)).encode("utf-8", "surrogateescape") + b"\0")
            if each.is_file():
                with each.open("rb") as file:
                    while part := file.read(_BLOCK):
                        digest.update(part)
        digests.append([path.name.encode("utf-8", "replace").decode(), digest.hexdigest()])
    return digests


def _options(request: EditRequest) -> list[list[str]]:
    """Return the options on which a text to segment depends, beside its files."""
    if not request.segment:
        return []
    types, units = segmenting_of(request)
    option_names = ("known", "codings_from", "coders", "column", "texts", "labels", "time_units")
    chosen = [
        units,
        types,
        not request.no_proposals,
        *(getattr(request, each) for each in option_names),
    ]
    return [["--segment", json.dumps(chosen)]]


def _project_name(files: Sequence[str]) -> str:
    """Return the name of a project of files: of a.de.txt and a.fr.txt a-de-fr."""
    names = [Path(name.rstrip("/")).name or "project" for name in files]
    if len(names) != 2:
        stem = names[0].partition(".")[0] or "project"
        return stem if len(names) < 2 else f"{stem}-and-more"
    parts = [[part for part in name.split(".") if part] or ["project"] for name in names]
    while len(parts[0]) > 1 < len(parts[1]) and parts[0][-1] == parts[1][-1]:
        parts = [each[:-1] for each in parts]
    if parts[0][0] != parts[1][0]:
        return "-".join(each[0] for each in parts)
    different = ["-".join(each[1:]) for each in parts]
    return "-".join([parts[0][0], *filter(None, different)])


def _documents(request: EditRequest) -> tuple[list[tuple[str, Document]], list[str]]:
    """Return the documents of the files by name, and notes."""
    from bitext.formats.io.source import Notes

    notes, lines = Notes(), list[str]()
    documents: list[tuple[str, Document]]
    if request.segment:
        documents = list(_segmented(request, notes, lines))
    elif _names_texts(request):
        documents = list(_aligned(request, notes, lines))
    else:
        _refuse_texts(request)
        if request.split:
            raise OptionError(
                f"--split is for two texts, and {request.files[0]} is read as a file of "
                f"alignments: name two texts"
            )
        documents = list(_read(request, notes, lines))
    if not documents:
        raise InputError(
            f"{request.files[0]}: holds no {'text' if request.segment else 'alignment'}"
        )
    return documents, [*lines, *(request.with_options_of_align(str(one)) for one in notes.all())]


def _segmented(
    request: EditRequest, notes: Notes, lines: list[str]
) -> Iterator[tuple[str, Document]]:
    """Yield the texts to segment, in their units."""
    from bitext.workbench.segmentations import UNITS, read_segment_texts

    types, units = segmenting_of(request)
    for path in request.files:
        if (page := _page_at(path)) is not None:
            yield Path(path).stem, page
            continue
        reading = _reading_of_text(request, path)
        if reading != options_of_text(request, request.known):
            given = ", ".join(request.given(*_OF_LABELS))
            notes.add(f"options of labels, taken as those of the codings alone ({given})", path)
        for text in read_segment_texts(
            path,
            units=units,
            types=types,
            reading=reading,
            language=request.src_lang or "",
            proposals=not request.no_proposals,
            notes=notes,
        ):
            others = " or ".join(f"--units {each}" for each in UNITS if each != units)
            proposed = many(1 + sum(map(bool, text.types[1:])), "segment")
            count = f"{len(text.units):,} {units if len(text.units) != 1 else units[:-1]}"
            lines.append(f"{text.name}: {count} ({others} for others), {proposed} proposed")
            yield text.name, text


def _names_texts(request: EditRequest) -> bool:
    """Check whether the files are texts and their translations, as `bitext align` takes them.

    Two files are, unless both are files of alignments: if one alone is, `bitext align` refuses that
    one. Folders are if they hold nothing but texts and documents, and a file if it is a manifest of
    texts.
    """
    from bitext.cli.align.inputs import manifest_pairs

    files = request.files
    if request.known or len(files) > 2:
        return False
    if any(map(is_folder, files)):
        if len(files) == 2 and not all(map(is_folder, files)):
            return any(is_file(each) and _is_text(each) for each in files)
        named = request.src or request.tgt or request.root  # texts that alignments point into
        return not named and all(map(_holds_texts, files))
    if len(files) == 1:
        return manifest_pairs(files[0], once=False) is not None
    return all(map(is_file, files)) and any(map(_is_text, files))


def _is_text(path: str) -> bool:
    """Check whether a file is a text or a document, in no format of alignments."""
    from bitext.cli.link.inputs import has_structure
    from bitext.formats.io.source import open_source
    from bitext.formats.registry import sniff

    with open_source(path) as source:
        head = source.head()
    return has_structure(head, path) or sniff(head, path) is None


def _refuse_texts(request: EditRequest) -> None:
    """Refuse a text without its translation, and more than two texts."""
    from bitext.formats.languages import named_language

    if request.known or request.src or request.tgt or request.root:
        return
    for path in request.files:
        named = Path(path).suffix.lower() == ".txt" or named_language(path)
        if not (named and is_file(path) and _is_text(path)):
            continue
        if len(request.files) > 1:
            raise InputError(
                f"{path}: is in no format of alignments that bitext recognises; of texts name two, "
                f"the source first, or a folder of each side"
            )
        raise InputError(
            f"{path}: is in no format of alignments that bitext recognises; of a text name its "
            f"translation, too, or set boundaries in it (--segment); else name the format (--from)"
        )


def _holds_texts(folder: str) -> bool:
    """Test the first files of a folder for texts or documents."""
    files = list(islice(files_below(folder), _LOOKED_AT))
    return bool(files) and all(_is_text(str(each)) for each in files)


def _aligned(
    request: EditRequest, notes: Notes, lines: list[str]
) -> Iterator[tuple[str, Document]]:
    """Yield two texts, aligned as `bitext align` does."""
    from bitext.cli.align.in_memory import aligned_pairs
    from bitext.cli.align.request import AlignRequest
    from bitext.cli.align.texts import TextReader, text_reader
    from bitext.cli.align.warnings import warning_lines

    request.refuse_beside_texts(request.files[0], "--src", "--tgt")
    lines += request.notes_beside_texts()
    alignment_request = AlignRequest(
        src=request.files[0],
        tgt=request.files[1] if len(request.files) > 1 else None,
        split=request.split,
        src_lang=request.src_lang,
        tgt_lang=request.tgt_lang,
        encoding=request.encoding,
        quiet=request.quiet,
    )
    files = alignment_request.resolve(text_reader(alignment_request))
    reader = TextReader(alignment_request, notes)
    pairs = [pair for each in (files.pairs if files else ()) for pair in reader.pairs(each)]
    if not any(len(pair.src) or len(pair.tgt) for pair in pairs):
        raise InputError(
            f"{request.files[0]}: has no sentence, and its translation none: nothing to align"
        )
    aligned, totals, warnings = aligned_pairs(alignment_request, pairs, notes, lines)
    for pair, (bitext, *_) in zip(pairs, aligned, strict=True):
        yield pair.name if len(pairs) > 1 else _project_name(request.files), bitext
    lines.insert(0, f"sentences aligned first: {totals.summary(0)}")
    # `bitext edit` pairs no folders by other ways: a manifest does so.
    ways = "; --pair-by names another way, and --dry-run shows all pairs"
    manifest = (
        "; 'bitext align --dry-run' writes the pairs as a manifest, to be corrected and named"
    )
    lines += [note.replace(ways, manifest) for note in (files.notes if files else ())]
    lines += map(request.with_options_of_align, warning_lines(warnings, verbose=request.verbose))


def _read(request: EditRequest, notes: Notes, lines: list[str]) -> Iterator[tuple[str, Document]]:
    """Yield the document pairs of files, folders and manifests, by names that tell them apart."""
    from bitext.formats.corpora import refuse_lone_texts
    from bitext.formats.corpora.chapters import in_chapter_order
    from bitext.formats.reading import opened

    for path in request.files:
        if (page := _page_at(path)) is not None:
            yield Path(path).stem, page
            continue
        corpus = request.corpus(path)
        lines += corpus.notes()
        refuse_lone_texts([corpus], request.src, request.tgt)
        for entry in in_chapter_order(corpus):
            entry.check(corpus.path)
            with opened(entry.path, request.reading_of(entry, request.base)) as reading:
                bitexts = list(reading)
                notes.extend(reading.source.notes.drain())
            for number, bitext in enumerate(bitexts, start=1):
                notes.extend(bitext.notes)
                numbered_name = f"{entry.name} {number}" if len(bitexts) > 1 else entry.name
                yield bitext.name or numbered_name, bitext


def _page_at(path: str) -> dict[str, Any] | None:
    """Return the state in a page of `--page`; `None` for any other file."""
    if not (path.lower().endswith((".html", ".htm")) and is_file(path)):
        return None
    from bitext.workbench.standalone import read_page

    try:
        return read_page(path)
    except (FormatError, OSError):
        return None


def _write_page(request: EditRequest) -> int:
    from tempfile import TemporaryDirectory

    from bitext.workbench.bench import Bench
    from bitext.workbench.project import Project
    from bitext.workbench.standalone import write_page

    if len(request.projects) > 1:
        raise OptionError(
            f"--page is for one document, and there are {len(request.projects)} projects: name one"
        )
    if request.projects:
        with Project(request.projects[0]) as project:
            state = Bench(project).state(_one_of(project, request))
    else:
        documents, notes = _documents(request)
        if len(documents) != 1:
            names = ", ".join(repr(name) for name, _ in documents[:5])
            raise InputError(
                f"--page is for one document, and there are {len(documents)} ({names}): make a "
                f"project of them"
            )
        with TemporaryDirectory(prefix="bitext-") as folder:
            path = Path(folder, f"page{os.extsep}bitext")
            with Project.create(path, "page", durable=False) as project:
                notes += _fill(project, documents, [], request)
                number = _one_of(project, request)
                state = Bench(project).state(number)
                if any(project.meta(number).get("inner", {}).values()):
                    notes.append("a page has no inline codes and no times: a project keeps them")
        request.print_notes(notes)
    write_page(state, str(request.page))
    return 0


def _one_of(project: Project, request: EditRequest) -> int:
    """Return the one alignment of the annotator, or of all."""
    name, annotated = annotator_of(request), [each for each in project.infos() if each.annotator]
    candidates = [each for each in annotated if each.annotator == name] or annotated
    if len(candidates) != 1:
        raise InputError(
            f"{project.path}: --page is for one alignment, and there are {len(candidates)}: name "
            f"the annotator (--annotator), or open the project"
        )
    return candidates[0].id


def _serve(
    projects: Sequence[Project],
    request: EditRequest,
    listening: socket,
    passwords: dict[str, str] | None,
) -> int:
    """Serve projects until Ctrl-C."""
    from tempfile import TemporaryDirectory

    from bitext.workbench.access import Access
    from bitext.workbench.bench import Bench
    from bitext.workbench.server import link, serve

    with TemporaryDirectory(prefix="bitext-") as folder:
        hosts = set() if request.host in _ALL else LOCAL.get(request.host, {request.host.lower()})
        access = Access(
            annotator_of(request), hosts=hosts, port=listening.getsockname()[1], passwords=passwords
        )
        address = link(
            access, request.host or HERE, document=_only_document(projects, access.annotator)
        )

        def ready() -> None:
            write_out([f"{address}\n"])
            if sys.stdout is not None:
                sys.stdout.flush()
            if not request.no_browser:
                _open_browser(address, folder)

        try:
            benches = [Bench(each) for each in projects]
            serve(benches[0] if len(benches) == 1 else benches, access, listening, ready=ready)
        except EndedError:
            raise
        except KeyboardInterrupt:  # how a server is ended
            for each in projects:
                each.refuse_other_file()
            one = len(projects) == 1
            holder = f"{projects[0].path} has" if one else f"the {len(projects)} projects have"
            request.print_notes([f"ended; {holder} every change"])
    return 0


def _only_document(projects: Sequence[Project], annotator: str) -> int | None:
    """Return the id of the annotator's version of the only document; `None` for several."""
    if len(projects) > 1:
        return None
    infos = projects[0].infos()
    own_ids = [each.id for each in infos if each.annotator == annotator]
    documents = sum(not each.annotator for each in infos)
    return own_ids[0] if len(own_ids) == documents == 1 else None


def _open_browser(address: str, folder: str) -> None:
    """Open the link in a browser with windows, if there is one; its program is not waited for.

    Other users of the machine see the arguments of its process, so the link stands in a file that
    they cannot read.
    """
    import webbrowser
    from html import escape

    windows = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(map(os.environ.get, windows)):
        return
    page = Path(folder, "open.html")
    page.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={escape(address)}">',
        encoding="utf-8",
    )
    threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()
