"""Who may see and change a project over HTTP: tokens, sessions, passwords, hosts and origins.

A link with a token (or a password) gives a session, in a cookie that scripts cannot read and that
other sites cannot send. Every request must name one of our hosts, so a foreign site whose name
resolves to this machine gets nothing. Every write must come from our own origin, as JSON, with a
header that forms of other sites cannot send.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from bitext.errors import InputError

# Nothing is loaded from other servers or sent there, nothing inline runs, no page frames ours.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_MAX_SESSIONS = 1000  # that are known at once: the oldest end first
_MAX_FAILURES = 10  # wrong passwords within _FAILURE_SECONDS seconds, after which none is examined
_FAILURE_SECONDS = 60.0
_MAX_NAME = 200  # characters of the name of an annotator
_MIN_PASSWORD = 8  # characters of a password
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")


class Refused(Exception):  # noqa: N818 - the request is at fault
    """A request that is not answered; its status and the reason in one line."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Session(NamedTuple):
    """A browser that is let in."""

    id: str  # the value of its cookie, a secret
    annotator: str
    holder: str  # its name in the locks of a project: that of the server, a point, and its own


class Access:
    """The rules by which requests are let in; every check raises `Refused` for other requests.

    The link with a secret `token` is for one annotator; with the passwords of annotators there is
    no token. `hosts` are the names by which the server is reached, without port; empty: any.
    `clock` returns seconds, which do not run backwards.
    """

    def __init__(
        self,
        annotator: str,
        *,
        hosts: set[str],
        port: int,
        passwords: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.annotator, self.hosts, self.port = annotator, hosts, port
        self.token = None if passwords else secrets.token_urlsafe(32)
        self.cookie = f"bitext-{port}"  # cookies do not tell ports apart
        self._passwords = dict(passwords or {})
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._failures: list[float] = []
        self._name = secrets.token_hex(4)  # of this server, in locks
        self._lock = threading.Lock()

    def check_host(self, host: str | None) -> None:
        """Refuse a request for another host: raise `Refused`."""
        name, _, port = (host or "").rpartition(":")
        if not name or port.endswith("]"):
            name, port = host or "", ""
        is_known = bool(_HOST.fullmatch(name)) if not self.hosts else name.lower() in self.hosts
        # Behind a proxy the port is that of the proxy.
        if not is_known or (self.hosts and port != str(self.port) and not self._passwords):
            raise Refused(403, "this name is none of the server")

    def check_write(self, headers: Mapping[str, str]) -> None:
        """Refuse a write that another site may have caused: raise `Refused`."""
        self.check_origin(headers)
        if headers.get("x-bitext") != "1":
            raise Refused(403, "a write has the header X-Bitext: 1")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refused(403, "a write is JSON (Content-Type: application/json)")

    def check_origin(self, headers: Mapping[str, str]) -> None:
        """Refuse a request that does not come from our own page: raise `Refused`."""
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise Refused(403, "the request comes from another site")
        try:
            origin = urlsplit(headers.get("origin", ""))
        except ValueError:
            origin = urlsplit("")
        if origin.scheme not in {"http", "https"} or origin.netloc != headers.get("host"):
            raise Refused(403, "the request comes from another origin")

    def with_token(self, token: str, annotator: str = "", cookie: str | None = None) -> Session:
        """Return the session of the holder of the token; raise `Refused` for another token.

        That of `cookie` goes on if it is of the same annotator: another would be locked out of what
        this browser is editing.
        """
        if self.token is None or not _same(token, self.token):
            raise Refused(401, "the token is wrong: open the link that bitext edit has printed")
        return self._begin(_checked_name(annotator) if annotator else self.annotator, cookie)

    def with_password(self, annotator: str, password: str, cookie: str | None = None) -> Session:
        """Return the session of an annotator; `cookie` as in `with_token`.

        Raises `Refused` when the password is wrong, or many passwords were wrong within a minute.
        """
        with self._lock:
            now = self._clock()
            self._failures = [each for each in self._failures if now - each < _FAILURE_SECONDS]
            if len(self._failures) >= _MAX_FAILURES:
                raise Refused(429, "too many wrong passwords: wait a minute")
            expected_password = self._passwords.get(annotator)
            # An unknown name takes the same time.
            is_right = _same(
                password,
                expected_password if expected_password is not None else secrets.token_hex(),
            )
            if expected_password is None or not is_right:
                self._failures.append(now)
                raise Refused(401, "the name or the password is wrong")
        return self._begin(annotator, cookie)

    def _begin(self, annotator: str, cookie: str | None) -> Session:
        holder = f"{self._name}.{secrets.token_hex(8)}"
        session = Session(secrets.token_urlsafe(32), annotator, holder)
        with self._lock:
            known = self._sessions.get(cookie or "")
            if known is not None and known.annotator == annotator:
                return known
            while len(self._sessions) >= _MAX_SESSIONS:
                del self._sessions[next(iter(self._sessions))]
            self._sessions[session.id] = session
        return session

    def session(self, cookie: str | None) -> Session:
        """Return the session of a cookie; raise `Refused` if there is none."""
        with self._lock:
            known = self._sessions.get(cookie or "")
        if known is None:
            raise Refused(401, "no session: open the link that bitext edit has printed")
        return known

    @property
    def has_passwords(self) -> bool:
        """Whether annotators come with passwords, not with a link."""
        return bool(self._passwords)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def _checked_name(name: str) -> str:
    if len(name) > _MAX_NAME or not name.isprintable() or not name.strip():
        raise Refused(400, "the name of an annotator is 1 to 200 printable characters")
    return name.strip()


def read_passwords(path: str) -> dict[str, str]:
    """Read the passwords of annotators from a file that nobody else can read.

    Each line is `NAME:PASSWORD`; empty lines, and those that begin with `#`, are left out.

    Raises `InputError` when the file cannot be read, others can read it, or a line has another
    form; the message does not repeat passwords.
    """
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & (
                stat.S_IRWXG | stat.S_IRWXO
            ):
                raise InputError(f"{path}: others can read it: chmod 600 {path}")
            lines = file.read().splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8") from None
    passwords: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, password = line.partition(":")
        name = name.strip()
        try:
            _checked_name(name)
        except Refused as error:
            raise InputError(f"{path} line {number}: {error.reason}") from None
        if not colon or len(password) < _MIN_PASSWORD:
            raise InputError(
                f"{path} line {number}: want NAME:PASSWORD, with a password of {_MIN_PASSWORD} "
                f"characters or more"
            )
        if name in passwords:
            raise InputError(f"{path} line {number}: {name} stands there twice")
        passwords[name] = password
    if not passwords:
        raise InputError(f"{path}: holds no password: want lines NAME:PASSWORD")
    return passwords
