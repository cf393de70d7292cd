"""A web server on loopback that holds a folder, and some addresses that go wrong."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Handler(SimpleHTTPRequestHandler):
    """Gives and takes files of a folder.

    `/moved/NAME` is elsewhere, `/cut/NAME` ends in the middle, `/slow/NAME` never ends,
    `/locked/NAME` wants a token, and `/busy/NAME` cannot be given now.
    `seen` are the addresses that were asked for.
    """

    seen: list[str]
    never: threading.Event

    def do_GET(self):
        self.seen.append(self.path)
        first, _, rest = self.path.lstrip("/").partition("/")
        if first == "moved":
            self._answer(302, Location=f"/{rest}")
        elif first == "locked" and "token=open" not in rest:
            self._answer(403)
        elif first == "busy":
            self._answer(503)
        elif first in {"cut", "slow", "locked"}:
            data = Path(self.directory, rest.partition("?")[0]).read_bytes()
            whole = data if first == "locked" else data[: len(data) // 2]
            self._answer(200, **{"Content-Length": str(len(data))})
            self.wfile.write(whole)
            self.wfile.flush()
            if first == "slow":
                self.never.wait(60)
            self.close_connection = True
        else:
            super().do_GET()

    def do_HEAD(self):
        self.seen.append(self.path)
        if self.path.count("/") > 1 and self.path.split("/")[1] in {"moved", "cut", "slow", "busy"}:
            self._answer(405)
        else:
            super().do_HEAD()

    def do_PUT(self):
        if "readonly" in self.path:
            self._answer(405)
            return
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        target = Path(self.directory, self.path.lstrip("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"".join(parts))
        self._answer(201)

    def _answer(self, status, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        """Be quiet."""


@contextmanager
def serving(folder):
    """Give the address of a server of a folder, and the addresses that it was asked for."""
    handler = type("Ours", (Handler,), {"seen": [], "never": threading.Event()})

    def make(*given):
        return handler(*given, directory=str(folder))

    with ThreadingHTTPServer(("127.0.0.1", 0), make) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", handler.seen
        finally:
            handler.never.set()
            server.shutdown()
            thread.join()
