"""A project as its server sees it: the answers without HTTP, and the notices of changes."""

from __future__ import annotations

import asyncio
import base64
import binascii
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, by_words
from bitext.formats.io.source import Notes
from bitext.workbench.access import Refused, Session
from bitext.workbench.changes import SIDES, ChangeRefused, Splice, splices_of, splices_to_json
from bitext.workbench.project import LOCK_SECONDS, Project
from bitext.workbench.schema import AlignmentInfo, Entry, Stale

if TYPE_CHECKING:
    from bitext.workbench.proposals import Work

_MAX_STREAMS = 128  # event streams of a server at once; its connections are 200
_MAX_SESSION_STREAMS = 16  # a browser has six, and there may be several windows
_MAX_JOBS = 4  # realignments, and proposals of word links, at once
_KEPT_JOBS = 100  # that have ended, for those who ask late
_PAGE_NAME_LENGTH = 64  # characters of the name of a page
_MAX_MAKERS = 200  # changes whose page is known: its stream has them at once, or asks for the rest
_LAST_NUMBER = (1 << 63) - 1  # the greatest number of an entry
_ROWS = {"alignment": "beads", "segmentation": "segments"}  # the list of each kind
# What the page calls the options of the command: the choices beside each file of an import.
_WORDS = {
    "from": "format",
    "src": "a file as source text",
    "tgt": "a file as target text",
    "root": "the files that it points into",
    "units": "units",
    "types": "types of boundaries",
    "codings": "segmentations by coders",
}

Answer = dict[str, Any]


class Feed:
    """Wakes the event streams when something has happened.

    Messages that are in no file (progress of a realignment) are passed on; each stream reads all
    else from the project. `family` are the feeds of all projects of a server, which has one limit
    of streams.
    """

    def __init__(self) -> None:
        self._streams: set[Stream] = set()
        self.family: Sequence[Feed] = (self,)
        self._lock = threading.Lock()

    def add(self, stream: Stream) -> None:
        """Add a stream.

        Raises `Refused` when there are too many.
        """
        streams = [each for feed in self.family for each in feed.streams]
        if sum(each.holder == stream.holder for each in streams) >= _MAX_SESSION_STREAMS:
            raise Refused(503, "too many of your pages are open: close some")
        if len(streams) >= _MAX_STREAMS:
            raise Refused(503, "too many pages are open: close some")
        with self._lock:
            self._streams.add(stream)

    @property
    def streams(self) -> list[Stream]:
        """The open streams."""
        with self._lock:
            return list(self._streams)

    def remove(self, stream: Stream) -> None:
        """Remove a stream."""
        with self._lock:
            self._streams.discard(stream)

    def wake(self, number: int | None = None, message: Answer | None = None) -> None:
        """Wake all streams, and give those of an alignment a message; from any thread."""
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.wake(message if stream.number == number else None)

    def close(self) -> None:
        """End all streams."""
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.close()


class Stream:
    """An open event stream of an alignment.

    `number` is the alignment, and `holder` who looks at it, named as in the locks of a project.
    """

    def __init__(self, number: int, holder: str = "") -> None:
        self.number, self.holder = number, holder
        self.closed = False
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()
        self._messages: list[Answer] = []

    def wake(self, message: Answer | None = None) -> None:
        """Wake the stream, with or without a message; from any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._take, message)

    def _take(self, message: Answer | None) -> None:
        if message is not None:
            # How far a job is replaces how far it was: who does not read keeps no more than that.
            last = self._messages[-1] if self._messages else {}
            if last.get("state") == "running" and last.get("job") == message.get("job"):
                self._messages.pop()
            self._messages.append(message)
        self._event.set()

    def close(self) -> None:
        """End the stream."""
        self.closed = True
        self.wake()

    async def messages(self, seconds: float) -> list[Answer]:
        """Wait until something has happened, or for some seconds; return the messages."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)
        self._event.clear()
        waiting, self._messages = self._messages, []
        return waiting


class Bench:
    """A project as its server sees it: the answers, without HTTP."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.feed = Feed()
        self._jobs: dict[str, tuple[int, Work]] = {}
        self._ended: dict[str, str] = {}
        self._makers: dict[tuple[int, int], str] = {}
        self._servers: set[str] = set()  # whose browsers have taken locks
        self._agreement: tuple[tuple[tuple[int, int], ...], Answer] | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Cancel the work in the background, end the event streams, and give back all locks."""
        with self._lock:
            jobs = [job for _, job in self._jobs.values()]
        for job in jobs:
            job.cancel()
        for job in jobs:
            job.wait(5)
        self.feed.close()
        for server in self._servers:
            with suppress(InputError):  # of a file that was moved, as of a full disk: they end soon
                self.project.unlock_all(server)

    def identity(self) -> str:
        """Return the random name by which pages know the project; give it one if it has none."""
        name = self.project.get("identity")
        if name is None:
            with suppress(InputError), self.project.together():  # else no page changes it
                name = self.project.get("identity") or secrets.token_hex(8)
                self.project.put("identity", name)
        return name or secrets.token_hex(8)

    # What is there

    def overview(self, session: Session) -> Answer:
        """Return the documents and who works on them."""
        locks, counts, linked = self.project.locks(), self.project.counts(), self.project.linked()
        infos_of_kind: dict[str, list[Answer]] = {"alignment": [], "segmentation": []}
        documents: list[Answer] = []
        annotators = {session.annotator}
        for info in self.project.infos():
            if not info.annotator:
                documents.append({"id": info.id, "name": info.name, "kind": info.kind})
                continue
            annotators.add(info.annotator)
            of_states = counts.get(info.id, {})
            confirmed, words = linked.get(info.id, (0, 0))
            links = {"linked": confirmed, "words": words} if info.kind == "alignment" else {}
            infos_of_kind[info.kind].append(
                {
                    "id": info.id,
                    "name": info.name,
                    "annotator": info.annotator,
                    "document": info.document,
                    "texts": [info.source, info.target],
                    _ROWS[info.kind]: sum(of_states.values()),
                    "confirmed": of_states.get("confirmed", 0),
                    "doubtful": of_states.get("doubtful", 0),
                    "locked_by": locks.get(info.id, (None, None))[1],
                    **links,
                }
            )
        return {
            "name": self.project.name,
            "annotator": session.annotator,
            "annotators": sorted(annotators),
            "documents": documents,
            "alignments": infos_of_kind["alignment"],
            "segmentations": infos_of_kind["segmentation"],
        }

    def agreement(self) -> Answer:
        """Return the agreement of the annotators: computed again when something has changed."""
        from bitext.workbench.agreement import agreement

        versions = tuple((info.id, info.version) for info in self.project.infos())
        cached = self._agreement
        if cached is None or cached[0] != versions:
            self._agreement = cached = versions, agreement(self.project)
        return cached[1]

    def state(self, number: int) -> Answer:
        """Return an alignment or a segmentation with all its rows."""
        info, lists = self.project.rows(number)
        answer: Answer = {"alignment": self._described(info)}
        for side in (each for each in SIDES if each in lists):
            name, language = self.project.text_of(getattr(info, side))
            answer[side] = {
                "id": getattr(info, side),
                "name": name,
                "language": language,
                "words": self.project.cut_of(getattr(info, side)),
                "sentences": [row._asdict() for row in lists[side]],
            }
        list_name = _ROWS[info.kind]
        answer[list_name] = [row._asdict() for row in lists[list_name]]
        if info.kind == "segmentation":
            answer["types"] = self.project.meta(number).get("types", [])
        return answer

    def _described(self, info: AlignmentInfo) -> Answer:
        locked = self.project.locks().get(info.id, (None, None))[1]
        return {
            "id": info.id,
            "name": info.name,
            "annotator": info.annotator,
            "document": info.document,
            "version": info.version,
            "locked_by": locked,
            "kind": info.kind,
        }

    def history(self, number: int, before: int | None, limit: int) -> Answer:
        """List the changes with their annotators and times, the last first."""
        entries = self.project.history(number, before=before, limit=limit)
        keys = ("version", "time", "annotator", "kind", "name", "undone")
        return {"changes": [{key: getattr(each, key) for key in keys} for each in entries]}

    def events_since(self, number: int, version: int) -> list[tuple[int, str]]:
        """Return the changes of an alignment after a version, each with its version, as JSON."""
        return self.project.spelled_since(number, version)

    def changes_since(self, number: int, version: int) -> list[Answer]:
        """Return the changes of an alignment after a version."""
        return [entry_to_json(entry) for entry in self.project.since(number, version)]

    # Changes

    def change(self, number: int, given: Mapping[str, Any], session: Session) -> Answer:
        """Apply a change."""
        version, name = _version(given), given.get("name", "change")
        if not isinstance(name, str) or not 0 < len(name) <= 100 or not name.isprintable():
            raise Refused(400, "name: want 1 to 100 printable characters")
        entry = self.project.change(
            number,
            self._splices(number, given.get("splices"), version),
            name=name,
            version=version,
            annotator=session.annotator,
            holder=session.holder,
        )
        self._remember_maker(number, entry, given)
        return {"version": entry.version}

    def _splices(self, number: int, request: object, version: int | None) -> list[Splice]:
        """Return the splices of a change; one alone may have the `count` of the rows to remove.

        These are known by the version: those of tens of thousands of beads need not be sent.
        """
        entry = request[0] if isinstance(request, list) and len(request) == 1 else None
        if not isinstance(entry, dict) or "count" not in entry or "remove" in entry:
            return splices_of(request)
        (splice,) = splices_of([{**entry, "remove": []}])
        count = entry["count"]
        if type(count) is not int or count < 0 or version is None:
            raise Refused(400, "count: want a number of rows, and the version")
        info, lists = self.project.rows(number)
        if info.version != version:
            raise Stale(info.version)
        end = splice.at + count
        rows = lists.get(splice.list, [])
        if end > len(rows):
            raise ChangeRefused(f"{splice.list}: there are no {count:,} rows at {splice.at:,}")
        return [splice._replace(remove=tuple(rows[splice.at : end]))]

    def turn(self, kind: str, number: int, given: Mapping[str, Any], session: Session) -> Answer:
        """Undo or redo a change; with its number in `of`, return the places of replaced rows.

        A page that names the change knows its rows: those of thousands of beads need not be sent.
        """
        turn = self.project.undo if kind == "undo" else self.project.redo
        of = _number(given, "of")
        entry = turn(
            number,
            version=_version(given),
            annotator=session.annotator,
            holder=session.holder,
            of=of,
        )
        self._remember_maker(number, entry, given)
        if of is None:
            return entry_to_json(entry)
        places = [
            [splice.list, splice.at, len(splice.remove), len(splice.insert)]
            for splice in entry.splices
        ]
        return {"version": entry.version, "places": places}

    def _remember_maker(self, number: int, entry: Entry, request: Mapping[str, Any]) -> None:
        """Send a change to all pages, except the one that made it and gave its own name."""
        page = request.get("page")
        if isinstance(page, str) and 0 < len(page) <= _PAGE_NAME_LENGTH:
            with self._lock:
                self._makers[number, entry.version] = page
                while len(self._makers) > _MAX_MAKERS:
                    del self._makers[next(iter(self._makers))]
        self.feed.wake()

    def is_maker(self, number: int, version: int, page: str) -> bool:
        """Compare a page with the maker of a change, which needs no notice of it."""
        return bool(page) and self._makers.get((number, version)) == page

    def lock(self, number: int, session: Session) -> Answer:
        """Take or renew the lock of an alignment."""
        self._servers.add(session.holder.partition(".")[0])
        self.project.lock(number, session.holder, session.annotator)
        self.feed.wake()
        return {"locked_by": session.annotator, "seconds": LOCK_SECONDS}

    def unlock(self, number: int, session: Session) -> Answer:
        """Give the lock of an alignment back."""
        self.project.info(number)
        self.project.unlock(number, session.holder)
        self.feed.wake()
        return {}

    def assign(self, number: int, given: Mapping[str, Any], session: Session) -> Answer:
        """Return the alignment of an annotator of the same document, begun if there is none."""
        annotator = given.get("annotator", session.annotator)
        if not isinstance(annotator, str) or not 0 < len(annotator.strip()) <= 200:
            raise Refused(400, "annotator: want a name of 1 to 200 characters")
        if not annotator.isprintable():
            raise Refused(400, "annotator: want printable characters")
        alignment = self.project.assign(number, annotator.strip())
        self.feed.wake()
        return {"id": alignment}

    def compose(self, number: int, given: Mapping[str, Any], session: Session) -> Answer:
        """Begin the alignment of two texts that are aligned with a third."""
        from bitext.workbench.exchange import compose_documents

        other = given.get("with")
        if type(other) is not int or not 0 <= other <= _LAST_NUMBER:
            raise Refused(400, "with: want the number of an alignment")
        document = compose_documents(self.project, number, other)
        alignment = self.project.assign(document, session.annotator)
        self.feed.wake()
        return {"id": alignment, "document": document}

    # Realignment

    def realign(self, number: int, given: Mapping[str, Any], session: Session) -> Answer:
        """Begin a realignment; return its job."""
        from bitext.workbench.proposals import Realignment

        ends = [given.get(key) for key in ("from", "to")]
        if any(end is not None and not isinstance(end, str) for end in ends):
            raise Refused(400, "from, to: want the id of a bead, or null")
        return self._begin(
            number, given, session, partial(Realignment, self.project, number, *ends)
        )

    def link(self, number: int, given: Mapping[str, Any], session: Session) -> Answer:
        """Begin to propose word links; return the job."""
        from bitext.workbench.proposals import WordLinking

        return self._begin(number, given, session, partial(WordLinking, self.project, number))

    def _begin(
        self, number: int, request: Mapping[str, Any], session: Session, make: Callable[..., Work]
    ) -> Answer:
        """Begin work on an alignment in the background; return its job."""
        info = self.project.of_kind(number, "alignment")
        version = _version(request)
        if version is not None and version != info.version:
            raise Stale(info.version)
        self._servers.add(session.holder.partition(".")[0])
        self.project.lock(number, session.holder, session.annotator)
        key = secrets.token_hex(8)
        job = make(
            annotator=session.annotator,
            holder=session.holder,
            tell=partial(self._send_progress, key, number),
        )
        with self._lock:
            if len(self._jobs) >= _MAX_JOBS:
                raise Refused(429, "other alignments are running: wait for one, or cancel it")
            self._jobs[key] = number, job
        job.start()
        return {"job": key}

    def _send_progress(
        self, key: str, number: int, done_count: int, total: int, state: str, error: str
    ) -> None:
        if state != "running":
            with self._lock:
                self._jobs.pop(key, None)
                while len(self._ended) >= _KEPT_JOBS:
                    del self._ended[next(iter(self._ended))]
                self._ended[key] = state
        message: Answer = {"job": key, "done": done_count, "total": total, "state": state}
        if error:
            message["error"] = error
        self.feed.wake(number, message)

    def cancel(self, key: str) -> Answer:
        """Cancel work in the background at once; nothing is changed."""
        with self._lock:
            _, job = self._jobs.get(key, (0, None))
            ended = self._ended.get(key)
        if job is None and ended is None:
            raise Refused(404, "no such job")
        if job is not None:
            job.cancel()
            job.wait(5)
            with self._lock:
                ended = self._ended.get(key)
        return {"job": key, "state": ended or "cancelled"}

    # Files

    def export(
        self, number: int, known: str, kind: str | None = None
    ) -> tuple[str, bytes, list[str]]:
        """Return a file of an alignment: its name, its bytes, and notes on losses of the format.

        Or of a segmentation, and there of one `kind` of boundaries.
        """
        from bitext.workbench.exchange import export
        from bitext.workbench.segmentations import export_segments

        if self.project.info(number).kind == "segmentation":
            return export_segments(self.project, number, known, type_=kind)

        losses = Notes()
        with by_words(_WORDS, on="edit"):
            name, content = export(self.project, number, known, losses=losses)
        return name, content, [str(each) for each in losses.all()]

    def take_in(self, given: Mapping[str, Any], session: Session) -> Answer:
        """Import files; return the alignments of the annotator, and the notes of reading."""
        from bitext.workbench.exchange import Upload, import_files, import_texts

        files = given.get("files")
        if not isinstance(files, list):
            raise Refused(400, "files: want a list of files")
        # Requests are not trusted: every field is checked before a file is parsed.
        uploads = []
        for file in files:
            is_named = isinstance(file, dict) and isinstance(file.get("name"), str)
            if not is_named or not isinstance(file.get("content"), str):
                raise Refused(400, "files: want objects with name and content")
            try:
                content = base64.b64decode(file["content"], validate=True)
            except (binascii.Error, ValueError):
                raise Refused(400, "files: content is no base64") from None
            role = file.get("role", "alignment")
            if role not in ("alignment", "src", "tgt", "document"):
                raise Refused(400, "files: role is alignment, src, tgt or document")
            uploads.append(Upload(file["name"], content, role))
        format_name, name = given.get("format"), given.get("name", "")
        if not (format_name is None or isinstance(format_name, str)) or not isinstance(name, str):
            raise Refused(400, "format, name: want strings")
        notes = Notes()
        units, types = given.get("units", "lines"), given.get("types", "")
        if not (isinstance(units, str) and isinstance(types, str)):
            raise Refused(400, "units, types: want strings")
        with by_words(_WORDS, on="edit"):
            if given.get("kind") == "segmentation":
                documents = import_texts(
                    self.project,
                    uploads,
                    units=units,
                    types=types,
                    spelling=format_name,
                    notes=notes,
                )
            else:
                documents = import_files(
                    self.project, uploads, known=format_name, name=name, notes=notes
                )
        alignments = [self.project.assign(each, session.annotator) for each in documents]
        self.feed.wake()
        return {"alignments": alignments, "notes": [str(each) for each in notes.all()]}


def entry_to_json(entry: Entry) -> Answer:
    """Return an entry of the journal as JSON."""
    keys = ("version", "time", "annotator", "kind", "name", "of")
    answer = {key: getattr(entry, key) for key in keys}
    return {**answer, "splices": splices_to_json(entry.splices)}


def _version(request: Mapping[str, Any]) -> int | None:
    return _number(request, "version")


def _number(request: Mapping[str, Any], key: str) -> int | None:
    """Return a number of an entry of the journal; `None` if none is given."""
    number = request.get(key)
    if number is not None and (type(number) is not int or not 0 <= number <= _LAST_NUMBER):
        raise Refused(400, f"{key}: want a number, or null")
    return number
