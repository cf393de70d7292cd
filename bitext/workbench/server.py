"""The server of the workbench: a project over HTTP, for browsers.

Routes and their answers stand in docs/workbench.md. Work on the file is done in threads;
changes of an alignment are sent as events to all pages that show it. The server is Starlette's, run
by uvicorn (the extra `workbench`), both imported when it starts.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import re
import socket
import sqlite3
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote, urlencode

from bitext.errors import BitextError, InputError, import_extra
from bitext.workbench.access import HEADERS, Access, Refused, Session
from bitext.workbench.bench import Bench, Stream
from bitext.workbench.changes import ChangeRefused
from bitext.workbench.schema import Locked, NoSuchAlignment, Stale, spelled

_BODY_BYTES = 32 << 20  # bytes of a request: a shift of a side of 20,000 beads is 6 MB
_UPLOAD_BYTES = 96 << 20  # bytes of an import: files in base64
_FORM_BYTES = 4096  # bytes of a log-in
_HEARTBEAT_SECONDS = 15.0  # seconds between two signs of life of an event stream
_RETRY = b"retry: 1000\n\n"  # milliseconds until the page asks for a stream that ended again
_POLL_SECONDS = 2.0  # seconds between two looks for changes by another process
_LAST_NUMBER = (1 << 63) - 1  # the greatest number of an alignment
_LARGE_JSON = 1 << 16  # bytes of JSON that are parsed in a thread, while others are answered

Answer = dict[str, Any]


class Patience(NamedTuple):
    """How long a client is waited for."""

    # Seconds in which it sends no request, no part of one, or reads nothing of an answer.
    stall: float = 30.0
    slowest: float = 300.0  # seconds in which the body of a request has to arrive


_PATIENCE = Patience()


# HTTP


def application(
    bench: Bench | Sequence[Bench],
    access: Access,
    *,
    asset: Callable[[str], str] | None = None,
    patience: Patience = _PATIENCE,
) -> Any:
    """Return the ASGI application of a project, or of several.

    One project is at `/`. Several are at `/projects/1/` and so on, as if each had a server of its
    own, and `/` lists them; a session is one for all of them. `asset` returns a part of the page by
    its name, or raises `KeyError`; by default it is of the package. `patience` is for the bodies of
    requests.

    Raises `MissingExtraError` when Starlette is not installed.
    """
    read = asset or _asset
    if isinstance(bench, Bench):
        return _Guard(_app_of(_Web(bench, access, read, patience)), access)
    for each in bench:
        each.feed.family = [other.feed for other in bench]
    front = _Front(bench, access, read, patience)
    return _Guard(_Projects(_app_of(front), [_app_of(each) for each in front.projects]), access)


def _app_of(web: _Web) -> Any:
    """Return the application of a project, or of the list of projects."""
    what = "the server of bitext edit"
    applications = import_extra("starlette.applications", what=what, extra="workbench")
    routing = import_extra("starlette.routing", what=what, extra="workbench")

    def route(path: str, endpoint: Any, *methods: str) -> Any:
        return routing.Route(path, endpoint, methods=list(methods or ("GET",)))

    one = "/api/alignments/{number:int}"
    routes = [
        route("/", web.page),
        route("/login", web.log_in, "GET", "POST"),
        route("/assets/{name}", web.part),
    ]
    if isinstance(web, _Front):
        routes += [
            route("/api/projects", web.list_projects),
            route("/projects/{number:int}", web.lead_on),
        ]
    else:
        routes += [
            route("/api/project", web.overview),
            route("/api/formats", web.formats),
            route("/api/agreement", web.agreement),
            route("/api/import", web.take_in, "POST"),
            route(one, web.state),
            *(
                route(f"{one}/{name}", web.writer(work), "POST")
                for name, work in web.writes.items()
            ),
            route(f"{one}/lock", web.lock, "POST", "DELETE"),
            route(f"{one}/events", web.events),
            route(f"{one}/export", web.export),
            route(f"{one}/history", web.history),
            route("/api/jobs/{key}", web.cancel, "DELETE"),
        ]
    return applications.Starlette(
        routes=routes,
        exception_handlers={
            BitextError: web.refuse,
            Refused: web.refuse,
            404: web.no_such_page,
            405: web.no_such_page,
        },
    )


class _Projects:
    """Sends a request to the application of the project that its address names."""

    def __init__(self, front: Any, apps: Sequence[Any]) -> None:
        self._front, self._apps = front, apps

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        match = _PROJECT.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if match is None:
            await self._front(scope, receive, send)
            return
        number = int(match[1][:9])
        if not 0 < number <= len(self._apps):
            await _refuse(Refused(404, "no such project"), send)
            return
        project_scope = {**scope, "path": match[2], "raw_path": match[2].encode()}
        await self._apps[number - 1](project_scope, receive, send)


class _Guard:
    """Checks host and headers of every request, and sets the headers of every answer."""

    def __init__(self, app: Any, access: Access) -> None:
        from starlette.requests import ClientDisconnect

        self._app, self._access, self._cut_off = app, access, ClientDisconnect

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        begun = False

        async def answer(message: Any) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *headers]
            await send(message)

        try:
            headers = {
                key.decode("latin-1").lower(): value.decode("latin-1")
                for key, value in scope["headers"]
            }
            self._access.check_host(headers.get("host"))
            if scope["method"] not in {"GET", "HEAD"} and scope["path"] != "/login":
                self._access.check_write(headers)
        except Refused as error:
            await _refuse(error, answer)
            return
        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - of ours: it ends one request and no more
            if isinstance(error, self._cut_off):
                return
            sys.stderr.write(traceback.format_exc())
            if not begun:
                bug = Refused(500, "a bug of bitext: its traceback is in the terminal")
                await _refuse(bug, answer)


async def _refuse(error: Refused, send: Callable[[Any], Awaitable[None]]) -> None:
    body = json.dumps({"error": error.reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Web:
    """The routes: each parses a request, has the bench answer in a thread, and responds."""

    def __init__(
        self, bench: Bench, access: Access, asset: Callable[[str], str], patience: Patience
    ) -> None:
        from starlette import responses
        from starlette.concurrency import run_in_threadpool

        self._bench, self._access, self._asset = bench, access, asset
        self._patience = patience
        self._agreeing = asyncio.Lock()
        self._identity = bench.identity()
        self._responses, self._threaded = responses, run_in_threadpool
        path = bench.project.path.absolute()
        # What a message may hold of this machine, the longest first.
        self._private = sorted(
            {str(each) + "/" for each in (path.parent, Path.home(), Path.cwd(), gettempdir())},
            key=len,
            reverse=True,
        )

    def _cookie(self, request: Any) -> str | None:
        cookie: str | None = request.cookies.get(self._access.cookie)
        return cookie

    def _session(self, request: Any) -> Session:
        session = self._access.session(self._cookie(request))
        # An old page of another project that had this port, or of who was here before with this
        # browser, has the same cookie. Its changes wait.
        if _mark_in(request) not in {None, self._mark(session)}:
            raise Refused(503, _OTHER_PAGE)
        return session

    def _mark(self, session: Session) -> str:
        """Identify project and annotator to a page, which sends this with its requests."""
        name = f"{self._identity} {session.annotator}".encode(errors="replace")
        return hashlib.sha256(name).hexdigest()[:32]

    def _json(self, answer: object, status: int = 200, session: Session | None = None) -> Any:
        headers = None if session is None else {_MARK: self._mark(session)}
        content = json.dumps(answer, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        body = content.encode(errors="replace")  # file names may have bytes that are no UTF-8
        return self._responses.Response(body, status, headers, media_type="application/json")

    def _private_message(self, message: str) -> str:
        for each in self._private:
            message = message.replace(each, "")
        return " ".join(message.split())

    async def _body(self, request: Any, max_bytes: int) -> bytes:
        chunks, size = list[bytes](), 0
        parts = aiter(request.stream())
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience.slowest
        try:
            while True:
                async with asyncio.timeout(min(self._patience.stall, end - loop.time())):
                    part = await anext(parts, None)
                if part is None:
                    return b"".join(chunks)
                size += len(part)
                if size > max_bytes:
                    raise Refused(413, f"the request is larger than {max_bytes >> 20} MB")
                chunks.append(part)
        except TimeoutError:
            raise Refused(408, "the request did not arrive in time") from None

    async def _json_body(self, request: Any, max_bytes: int = _BODY_BYTES) -> dict[str, Any]:
        body = await self._body(request, max_bytes)
        parse = partial(json.loads, body or b"{}", parse_constant=_no_constant)
        try:
            values = await self._threaded(parse) if len(body) > _LARGE_JSON else parse()
        except (ValueError, RecursionError):
            raise Refused(400, "the body is no JSON") from None
        if not isinstance(values, dict):
            raise Refused(400, "the body is no object")
        return values

    def _number(self, request: Any) -> int:
        number = int(request.path_params["number"])
        if number > _LAST_NUMBER:
            raise NoSuchAlignment(f"the project has no alignment {number}")
        return number

    def _number_in_query(self, request: Any, name: str) -> int | None:
        """Return a number of the query; None without it."""
        value = request.query_params.get(name)
        if value is None:
            return None
        if not (value.isascii() and value.isdigit() and len(value) < 19):
            raise Refused(400, f"{name}: want a number")
        return int(value)

    async def refuse(self, _request: Any, error: Exception) -> Any:
        """Answer an error of ours in one line."""
        if isinstance(error, Refused):
            return self._json({"error": error.reason}, error.status)
        if isinstance(error, Locked):
            return self._json({"error": str(error), "locked_by": error.annotator}, 423)
        status = 400
        if isinstance(error.__cause__, sqlite3.Error):  # no room, or another process writes: wait
            status = 503
        elif isinstance(error, NoSuchAlignment):
            status = 404
        elif isinstance(error, ChangeRefused):
            status = 409
        return self._json({"error": self._private_message(str(error))}, status)

    async def no_such_page(self, request: Any, error: Any) -> Any:
        """Answer an address or a method that is not there."""
        if _mark_in(request):  # one project was served before, and now several, or the reverse
            return self._json({"error": _OTHER_PAGE}, 503)
        return self._json({"error": "no such address, or not with this method"}, error.status_code)

    # Pages

    async def page(self, request: Any) -> Any:
        """Send the page; a link with a token begins a session first."""
        query = request.query_params
        if "token" in query:
            session = self._access.with_token(
                query["token"], query.get("annotator", ""), self._cookie(request)
            )
            return self._welcome(session, self._responses.HTMLResponse(_start_path(query)))
        if self._access.has_passwords:
            try:
                self._session(request)
            except Refused:
                return self._responses.RedirectResponse("/login", 303)
        return self._responses.HTMLResponse(await self._index(self._session(request)))

    async def _index(self, _session: Session) -> str:
        return await self._threaded(self._asset, "index.html")

    def _welcome(self, session: Session, response: Any) -> Any:
        response.set_cookie(
            self._access.cookie, session.id, httponly=True, samesite="strict", path="/"
        )
        return response

    async def log_in(self, request: Any) -> Any:
        """Show the form of a password, or begin a session by one."""
        if not self._access.has_passwords:
            raise Refused(404, "this server is opened by its link")
        if request.method != "POST":
            return self._responses.HTMLResponse(_login())
        self._access.check_origin({key.lower(): value for key, value in request.headers.items()})
        body = (await self._body(request, _FORM_BYTES)).decode("utf-8", "replace")
        try:
            form = parse_qs(body, max_num_fields=4)
        except ValueError:
            raise Refused(400, "the form has other fields") from None
        try:
            session = self._access.with_password(
                form.get("annotator", [""])[0],
                form.get("password", [""])[0],
                self._cookie(request),
            )
        except Refused as error:
            return self._responses.HTMLResponse(_login(error.reason), error.status)
        return self._welcome(session, self._responses.RedirectResponse("/", 303))

    async def part(self, request: Any) -> Any:
        """Send a part of the page."""
        name = request.path_params["name"]
        kind = _KINDS.get(Path(name).suffix)
        if not self._access.has_passwords or name not in _OPEN_ASSETS:
            self._session(request)
        try:
            content = await self._threaded(self._asset, name)
        except KeyError:
            raise Refused(404, "no such part") from None
        return self._responses.Response(content, media_type=kind or "application/octet-stream")

    # What is there

    async def overview(self, request: Any) -> Any:
        """GET /api/project."""
        session = self._session(request)
        return self._json(await self._threaded(self._bench.overview, session), session=session)

    async def formats(self, request: Any) -> Any:
        """GET /api/formats."""
        from bitext.workbench.exchange import formats

        self._session(request)
        return self._json(await self._threaded(formats))

    async def agreement(self, request: Any) -> Any:
        """GET /api/agreement."""
        self._session(request)
        async with self._agreeing:  # who asks at the same time gets the same
            return self._json(await self._threaded(self._bench.agreement))

    async def state(self, request: Any) -> Any:
        """GET /api/alignments/N."""
        session = self._session(request)
        number = self._number(request)
        return await self._threaded(lambda: self._json(self._bench.state(number), session=session))

    async def history(self, request: Any) -> Any:
        """GET /api/alignments/N/history."""
        self._session(request)
        number = self._number(request)
        before = self._number_in_query(request, "before")
        limit = self._number_in_query(request, "limit")
        count = 100 if limit is None else min(limit, 1000)
        return self._json(await self._threaded(self._bench.history, number, before, count))

    # Writes

    @property
    def writes(self) -> dict[str, Callable[..., Answer]]:
        """What POST /api/alignments/N/NAME does, by NAME."""
        bench = self._bench
        return {
            "changes": bench.change,
            "undo": partial(bench.turn, "undo"),
            "redo": partial(bench.turn, "redo"),
            "copy": bench.assign,
            "compose": bench.compose,
            "realign": bench.realign,
            "link": bench.link,
        }

    def writer(self, work: Callable[..., Answer]) -> Callable[[Any], Awaitable[Any]]:
        """Return the endpoint that answers by some work, one of `writes`."""

        async def write(request: Any) -> Any:
            session = self._session(request)
            number = self._number(request)
            values = await self._json_body(request)
            try:
                return self._json(await self._threaded(work, number, values, session))
            except Stale as error:
                return await self._threaded(self._stale, number, values, error)

        return write

    def _stale(self, number: int, values: Mapping[str, Any], error: Stale) -> Any:
        since = values.get("version")
        is_known = isinstance(since, int) and since <= error.version
        changes = self._bench.changes_since(number, since) if is_known else None  # type: ignore[arg-type]
        answer = {"error": str(error), "version": error.version, "changes": changes}
        return self._json(answer, 409)

    async def lock(self, request: Any) -> Any:
        """POST or DELETE /api/alignments/N/lock."""
        session = self._session(request)
        work = self._bench.lock if request.method == "POST" else self._bench.unlock
        return self._json(await self._threaded(work, self._number(request), session))

    async def cancel(self, request: Any) -> Any:
        """DELETE /api/jobs/J."""
        self._session(request)
        return self._json(await self._threaded(self._bench.cancel, request.path_params["key"]))

    async def take_in(self, request: Any) -> Any:
        """POST /api/import."""
        session = self._session(request)
        values = await self._json_body(request, _UPLOAD_BYTES)
        return self._json(await self._threaded(self._bench.take_in, values, session))

    async def export(self, request: Any) -> Any:
        """GET /api/alignments/N/export?format=NAME."""
        self._session(request)
        number = self._number(request)
        format_name = request.query_params.get("format", "")
        kind = request.query_params.get("type") or None
        name, content, losses = await self._threaded(self._bench.export, number, format_name, kind)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        if losses:  # counted, as `bitext convert` does
            headers["X-Bitext-Losses"] = quote(json.dumps(losses[:50], ensure_ascii=False))
        return self._responses.Response(
            content, headers=headers, media_type="application/octet-stream"
        )

    # Events

    async def events(self, request: Any) -> Any:
        """GET /api/alignments/N/events?since=VERSION&page=NAME."""
        session = self._session(request)
        number = self._number(request)
        since = self._number_in_query(request, "since")
        info = await self._threaded(self._bench.project.info, number)
        last = info.version if since is None else since
        last_event = request.headers.get("last-event-id", "")  # of a browser that connects again
        if _NUMBER.fullmatch(last_event):
            last = max(last, min(int(last_event), info.version))
        if request.method == "HEAD":  # has no body, which would have no end
            return self._responses.Response(media_type="text/event-stream")
        stream = Stream(number, session.holder)
        self._bench.feed.add(stream)
        return self._responses.StreamingResponse(
            self._sent(stream, last, session, request.query_params.get("page", "")),
            media_type="text/event-stream",
        )

    async def _sent(
        self, stream: Stream, last: int, session: Session, page: str
    ) -> AsyncIterator[bytes]:
        number, locked, quiet = stream.number, _NOTHING, 0.0
        since = self._bench.events_since
        loop = asyncio.get_running_loop()
        try:
            yield _RETRY
            while not stream.closed:
                self._access.session(session.id)  # ends with it
                lock = (await self._threaded(self._bench.project.locks)).get(number)
                name = None if lock is None else lock[1]
                if name != locked:
                    locked = name
                    is_mine = lock is not None and lock[0] == session.holder
                    yield _event("lock", spelled({"locked_by": name, "mine": is_mine}))
                for version, change in await self._threaded(since, number, last):
                    last = version
                    if not self._bench.is_maker(number, version, page):
                        yield _event("change", change, version)
                wait_start = loop.time()
                for message in await stream.messages(_POLL_SECONDS):
                    # What a job has changed comes before its end.
                    for version, change in await self._threaded(since, number, last):
                        last = version
                        if not self._bench.is_maker(number, version, page):
                            yield _event("change", change, version)
                    yield _event("job", spelled(message))
                quiet += loop.time() - wait_start
                if quiet >= _HEARTBEAT_SECONDS:
                    quiet = 0.0
                    yield b": \n\n"
        except (Refused, BitextError):
            return
        finally:
            self._bench.feed.remove(stream)


class _Front(_Web):
    """The list of projects, with their common access and the common parts of the page."""

    def __init__(
        self,
        benches: Sequence[Bench],
        access: Access,
        asset: Callable[[str], str],
        patience: Patience,
    ) -> None:
        super().__init__(benches[0], access, asset, patience)
        self.projects = [_Web(each, access, asset, patience) for each in benches]
        self._benches = benches

    def _projects_of(self, session: Session) -> list[Answer]:
        projects: list[Answer] = []
        for number, bench in enumerate(self._benches, start=1):
            overview = bench.overview(session)
            my_alignments = [
                each
                for each in (*overview["alignments"], *overview["segmentations"])
                if each["annotator"] == session.annotator
            ]
            counts = {
                key: sum(each.get(key, 0) for each in my_alignments)
                for key in ("beads", "segments", "confirmed", "doubtful")
            }
            projects.append(
                {
                    "id": number,
                    "name": overview["name"],
                    "file": bench.project.path.name,
                    "address": f"/projects/{number}/",
                    "documents": len(overview["documents"]),
                    "rows": counts["beads"] + counts["segments"],
                    "confirmed": counts["confirmed"],
                    "doubtful": counts["doubtful"],
                }
            )
        return projects

    async def list_projects(self, request: Any) -> Any:
        """GET /api/projects."""
        session = self._session(request)
        return self._json({"projects": await self._threaded(self._projects_of, session)})

    async def lead_on(self, request: Any) -> Any:
        """GET /projects/N: the address of a project ends with a slash."""
        return self._responses.RedirectResponse(f"/projects/{self._number(request)}/", 307)

    async def _index(self, session: Session) -> str:
        return _list_of(await self._threaded(self._projects_of, session), session.annotator)


_NOTHING: Any = object()
_MARK = "X-Bitext-Page"
_OTHER_PAGE = (
    "another project or annotator is at this address now: serve the project of this page here "
    "again, and open its link in this browser"
)
_PROJECT = re.compile(r"/projects/([0-9]+)(/.*)", re.DOTALL)
# A browser sends the cookie of a session (SameSite=Strict) where our own page leads on. A redirect
# would count as one by whatever showed the link.
_GO_ON = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>bitext edit</title>'
    '<meta http-equiv="refresh" content="0; url={place}"><link rel="icon" href="data:,"></head>'
    '<body><p><a href="{place}">Open the project</a></p></body></html>\n'
)
_NUMBER = re.compile("[0-9]{1,9}")
_NUMERIC_CELL = dict.fromkeys(("Number", "Documents", "Confirmed by you", "Doubtful"), ' class="n"')
_PAGE_HEAD = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<title>bitext edit</title><link rel="icon" href="data:,">'
    '<link rel="stylesheet" href="/assets/tokens.css">'
    '<link rel="stylesheet" href="/assets/page.css">'
    '<link rel="stylesheet" href="/assets/editor.css"></head>\n'
)
_KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_OPEN_ASSETS = frozenset(
    ("tokens.css", "page.css", "editor.css")
)  # the form of a password has them, too


def _mark_in(request: Any) -> str | None:
    """Return the mark of the page that sends a request; that of events is in their address."""
    mark: str | None = request.headers.get(_MARK, request.query_params.get("mark"))
    return mark


def _event(kind: str, data: str, number: int | None = None) -> bytes:
    id_line = "" if number is None else f"id: {number}\n"
    return f"event: {kind}\n{id_line}data: {data}\n\n".encode()


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _asset(name: str) -> str:
    from bitext.workbench.standalone import asset

    return asset(name)


def _list_of(projects: Sequence[Mapping[str, Any]], annotator: str) -> str:
    """Return the page that lists projects; names are text."""
    from html import escape

    from bitext.reports.lettering import visible

    names = [each["name"] for each in projects]
    rows = []
    for each in projects:
        name, share = escape(visible(each["name"])), each["confirmed"] / (each["rows"] or 1)
        # Projects of one name are distinguished by their files, or by their places in the list.
        file = "" if names.count(each["name"]) < 2 else f" ({escape(visible(each['file']))})"
        rows.append(
            f'<tr><td class="n">{each["id"]}</td><th scope="row"><a href="{each["address"]}">'
            f'<bdi>{name}</bdi></a>{file}</th><td class="n">{each["documents"]:,}</td>'
            f'<td class="n">{each["confirmed"]:,} of {each["rows"]:,} <progress max="1" '
            f'value="{share:.4f}" aria-label="confirmed of {name}"></progress></td>'
            f'<td class="n">{each["doubtful"]:,}</td></tr>'
        )
    heads = ("Number", "Project", "Documents", "Confirmed by you", "Doubtful")
    head = "".join(f'<th scope="col"{_NUMERIC_CELL.get(name, "")}>{name}</th>' for name in heads)
    return (
        f'{_PAGE_HEAD}<body class="page workbench"><div id="app"><header><h1>Projects</h1>'
        f'<p class="quiet">you are <bdi>{escape(visible(annotator))}</bdi></p></header>'
        f'<main class="documents"><div class="sheet" tabindex="0" role="region" '
        f'aria-label="Projects"><table class="plain"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></main></div></body></html>\n"
    )


def _login(reason: str = "") -> str:
    from html import escape

    alert = f'<p role="alert">{escape(reason)}</p>' if reason else ""
    return (
        f'{_PAGE_HEAD}<body class="page"><main><h1>bitext edit</h1>{alert}'
        '<form method="post" action="/login">'
        '<p><label>Name <input name="annotator" autocomplete="username" required></label></p>'
        '<p><label>Password <input name="password" type="password" '
        'autocomplete="current-password" required></label></p>'
        "<p><button>Log in</button></p></form></main></body></html>\n"
    )


# Running


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; with port 0 on any that is free.

    Raises `InputError` when the address is taken, or none of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # Of a socket that does not name TCP, asyncio leaves Nagle's algorithm on: the body of each
        # answer would wait some 40 ms until the browser has acknowledged its head.
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(128)
        except BaseException:
            bound.close()
            raise
    except OSError as error:
        fault = f"{host} port {port}: {error.strerror or error}"
        if error.errno == errno.EADDRINUSE:
            fault += ": end the program that listens there, or choose another port (0: a free one)"
        raise InputError(fault) from None
    return bound


def _start_path(query: Mapping[str, str]) -> str:
    """Return the page that leads on, to the list of documents or to the one that the link names."""
    number = query.get("open", "")
    place = f"/#/alignments/{number}" if _NUMBER.fullmatch(number) else "/"
    return _GO_ON.format(place=place)


def link(access: Access, host: str, *, document: int | None = None) -> str:
    """Return the address to open, with the token; it may lead on to a document."""
    name = f"[{host}]" if ":" in host else host
    query = ""
    if access.token is not None:
        parameters = {"token": access.token} | ({} if document is None else {"open": document})
        query = f"?{urlencode(parameters)}"
    return f"http://{name}:{access.port}/{query}"


def _watched_connections(stall: float) -> type:
    """Return uvicorn's connections, which end when nothing arrives or leaves for some seconds.

    Otherwise clients that are silent, send half a request or do not read their answer would keep
    others out.
    """
    protocol = import_extra(
        "uvicorn.protocols.http.h11_impl", what="the server of bitext edit", extra="workbench"
    )

    class Connection(protocol.H11Protocol):  # type: ignore[misc, name-defined]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._active = self._moved = self.loop.time()
            self._unsent, self._last_cycle = 0, None
            self._look_again()

        def _look_again(self) -> None:
            self._timer = self.loop.call_later(stall / 6, self._look)

        def _look(self) -> None:
            now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
            # A request that is there ends by the limits of its body and of what it is answered. One
            # that has come and was answered since the last look shows a client in use.
            is_at_work = self.cycle is not None and not self.cycle.response_complete
            if unsent or is_at_work or self.cycle is not self._last_cycle:
                self._active = now
            self._last_cycle = self.cycle
            if unsent == 0 or unsent < self._unsent:
                self._moved = now
            self._unsent = unsent
            if now - self._active > stall or now - self._moved > stall:
                self.transport.abort()
            else:
                self._look_again()

        def connection_lost(self, exc: Exception | None) -> None:
            self._timer.cancel()
            super().connection_lost(exc)

    return Connection


def serve(
    bench: Bench | Sequence[Bench],
    access: Access,
    listening: socket.socket,
    *,
    ready: Callable[[], object] = lambda: None,
    stop: Callable[[Callable[[], None]], object] = lambda _: None,
    patience: Patience = _PATIENCE,
) -> None:
    """Answer requests until a signal ends the server.

    `listening` is as `listen` returns it. `stop` is called with a function that ends the server
    from another thread, and then, when requests are answered, `ready`. `patience` is for the bodies
    of requests.

    Raises `MissingExtraError` when Starlette or uvicorn is not installed.
    """
    benches = [bench] if isinstance(bench, Bench) else bench

    def close_feeds() -> None:
        for each in benches:
            each.feed.close()

    uvicorn = import_extra("uvicorn", what="the server of bitext edit", extra="workbench")
    config = uvicorn.Config(
        application(bench, access, patience=patience),
        log_config=None,
        access_log=False,
        log_level="critical",  # errors of clients are in their answers
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        http=_watched_connections(patience.stall),
        loop="asyncio",
        limit_concurrency=200,
        timeout_graceful_shutdown=2,
    )

    class Server(uvicorn.Server):  # type: ignore[misc, name-defined]
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            ready()

        async def shutdown(self, sockets: Any = None) -> None:
            await super().shutdown(sockets=sockets)
            # A connection that was accepted meanwhile would stay open as long as this process
            # runs, and its client would wait for an answer.
            for connection in list(self.server_state.connections):
                connection.transport.abort()
            await asyncio.sleep(0)  # the sockets are closed now

        def handle_exit(self, sig: int, frame: Any) -> None:
            close_feeds()
            super().handle_exit(sig, frame)

    server = Server(config)

    def end() -> None:
        server.should_exit = True
        close_feeds()

    stop(end)
    try:
        server.run(sockets=[listening])
    finally:
        for each in benches:
            each.close()
