"""A headless Chromium that tests drive: through its debugging pipe, so nothing listens anywhere."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

# The old headless Chromium has no windows to draw around its pages, which halves its time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_WITHOUT = (
    *("IsolateOrigins", "SpareRendererForSitePerProcess", "site-per-process"),
    *("BackForwardCache", "PaintHolding", "RenderDocument"),
)
_SWITCHES = (
    "--headless=new",
    "--app=data:text/html,",  # a window without tabs and tools: a second less at the start
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    # One process shows one page after the other. A new one takes longer to start than most pages
    # take to load, and compiles all scripts anew.
    "--renderer-process-limit=1",
    "--disable-back-forward-cache",
    "--disable-site-isolation-trials",
    # A page lives for less time than it takes to optimise its scripts, and cores have tests to run.
    "--js-flags=--no-opt --no-maglev --single-threaded-gc",
    # Nor does the page that is left stay on the screen, or one document keep that of the other.
    f"--disable-features={','.join(_WITHOUT)}",
)
# The browser reads orders from its file 3 and writes answers to its file 4.
_START = """
import fcntl, os, sys
order, answer = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(order, 3)
os.dup2(answer, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""
_WINDOW = ("width", "height", "dark", "media")
_LIMIT = 60.0  # seconds for an answer
_TOGETHER = 50  # orders at once: with their answers they have room in the pipes


class SilentError(RuntimeError):
    """The browser does not answer, or has ended."""


def _is_served(path):
    return str(path).startswith("http://127.0.0.1:")


class Browser:
    """One browser with one page; what its console says is kept in `said`.

    It leaves a page that asks whether to leave it. Kinds of dialogs are kept in `dialogs`.
    """

    def __init__(self, program):
        self.said = []
        self.dialogs = []
        self._program = program
        self._opened = None  # the path of the page, and how it was opened
        self._window = None  # the window of the page, and for what it is shown
        self._pointed = False  # whether the mouse is within the window
        self._begin()

    def _begin(self):
        self._number = 0
        self._rest = b""
        self._folder = tempfile.TemporaryDirectory(prefix="bitext-browser-")
        ours_in, orders = os.pipe()
        answers, ours_out = os.pipe()
        profile = f"--user-data-dir={self._folder.name}"
        command = [self._program, *_SWITCHES, profile, "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(ours_in), str(ours_out), *command],
            pass_fds=(ours_in, ours_out),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # its processes end together
        )
        os.close(ours_in)
        os.close(ours_out)
        self._orders, self._answers = orders, answers
        self._session = None
        try:
            self._attach()
        except RuntimeError:
            self.close()
            raise

    def _attach(self):
        pages = [
            target
            for target in self.send("Target.getTargets")["targetInfos"]
            if target["type"] == "page"
        ]
        target = (
            pages[0]["targetId"]
            if pages
            else self.send("Target.createTarget", url="about:blank")["targetId"]
        )
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)

    def send(self, method, **parameters):
        """Return the answer to an order; where none comes, ask a new browser with the same page."""
        try:
            return self._asked(method, parameters)
        except SilentError:
            if self._opened is None:
                raise
        (path, given), self._opened = self._opened, None
        self.close()
        self._begin()
        self.open(path, **given)
        return self._asked(method, parameters)

    def send_all(self, method, orders):
        """Send orders at once, and wait until all are answered: the browser keeps their order."""
        for start in range(0, len(orders), _TOGETHER):
            self._asked_all(method, orders[start : start + _TOGETHER])

    def _asked(self, method, parameters, limit=_LIMIT):
        """Return the answer to an order; raise `SilentError` where none comes in time."""
        (answer,) = self._asked_all(method, [parameters], limit)
        return answer

    def _asked_all(self, method, orders, limit=_LIMIT):
        end = time.monotonic() + limit
        first = self._number + 1
        written = []
        for parameters in orders:
            self._number += 1
            order = {"id": self._number, "method": method, "params": parameters}
            if self._session:
                order["sessionId"] = self._session
            written.append(json.dumps(order).encode() + b"\0")
        try:
            os.write(self._orders, b"".join(written))
        except BrokenPipeError:
            raise SilentError("the browser has ended") from None
        answers = {}
        while len(answers) < len(orders):
            message = self._next(method, end)
            if message.get("id", 0) >= first:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                answers[message["id"]] = message["result"]
        return [answers[number] for number in sorted(answers)]

    def _next(self, method, end):
        while b"\0" not in self._rest:
            left = end - time.monotonic()
            if left < 0 or not select.select([self._answers], [], [], left)[0]:
                raise SilentError(f"{method}: the browser does not answer")
            part = os.read(self._answers, 1 << 16)
            if not part:
                raise SilentError("the browser has ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        held = json.loads(message)
        told = held.get("params", {})
        if held.get("method") == "Log.entryAdded":
            self.said.append(told["entry"]["text"])
        elif held.get("method") == "Runtime.exceptionThrown":
            self.said.append(json.dumps(told["exceptionDetails"])[:500])
        elif held.get("method") == "Runtime.consoleAPICalled":
            self.said.append(str(told["args"])[:500])
        elif held.get("method") == "Page.javascriptDialogOpening":
            self.dialogs.append(told["type"])
            if told["type"] == "beforeunload":  # else the browser waits for an answer
                leave = {"method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
                leave |= {"id": 0, "sessionId": self._session}  # the number of no order of ours
                os.write(self._orders, json.dumps(leave).encode() + b"\0")
        elif held.get("method") == "Network.requestWillBeSent":
            self.said += [
                f"asked for {told['request']['url'][:80]}"
                for _ in range(not told["request"]["url"].startswith(("file:", "data:")))
            ]
        return held

    def open(self, path, *, width=1280, height=900, dark=False, scripts=True, media="screen"):
        """Open a file, or an address of a server of ours, in a window of this size."""
        given = {"width": width, "height": height, "dark": dark, "scripts": scripts, "media": media}
        if self._opened is not None and _is_served(self._opened[0]):
            # Its server may be gone: what that page says of it is not what the next one says.
            self._opened = None
            self._go("about:blank")
        if self._window != (window := (width, height, dark, media)):
            # The page that is left is not laid out and drawn in the window of the next one.
            self.run("document.documentElement?.style.setProperty('display', 'none', 'important')")
            self._window = window
        if self._pointed:
            # What the mouse was over in one page would be under it in the next one, too.
            self.mouse("mouseMoved", -1, -1)
            self._pointed = False
        self.said.clear()
        self._show(*window)
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self._go(path if _is_served(path) else Path(path).resolve().as_uri())
        self._opened = path, given

    def _show(self, width, height, dark, media):
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def change_window(self, **changes):
        """Show the page that is open in another width or height, or in the other theme."""
        path, given = self._opened
        self._opened = path, given | changes
        self._window = tuple((given | changes)[name] for name in _WINDOW)
        self._show(*self._window)

    def _go(self, address):
        """Leave the page for that of an address, until it is there."""
        self.send("Page.navigate", url=address)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if self.run("document.readyState") == "complete":
                    return
            except SilentError:
                raise
            except RuntimeError as error:  # the page leads on to another one, as our link does
                if "navigated" not in str(error):
                    raise
            time.sleep(0.02)
        raise RuntimeError(f"{address} does not load")

    def run(self, script):
        """Return the value of an expression in the page."""
        found = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:800])
        return found["result"].get("value")

    def press(self, key, *, code=0, text=None, modifiers=0):
        """Press a key where the focus is."""
        self.press_all([(key, code, text, modifiers)])

    def press_all(self, keys):
        """Press keys one after another: of each its name, its code, its text, its modifiers."""
        orders = []
        for key, code, text, modifiers in keys:
            held = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
            if text is not None:
                held["text"] = text
            orders += [{"type": "keyDown", **held}, {"type": "keyUp", **held}]
        self.send_all("Input.dispatchKeyEvent", orders)

    def mouse(self, kind, x, y, **more):
        self._pointed = True
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def picture(self, path, *, whole=False):
        """Save a picture of the window, or of the whole page."""
        found = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(found["data"]))

    def close(self):
        with contextlib.suppress(RuntimeError, OSError, subprocess.TimeoutExpired):
            self._session = None
            self._asked("Browser.close", {}, limit=5)
            self._process.wait(5)
        with contextlib.suppress(ProcessLookupError):  # what is left of it
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._orders)
        os.close(self._answers)
        with contextlib.suppress(OSError):
            self._folder.cleanup()


def browser_or_skip():
    """Return a browser; skip the test where there is none."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip(
            "no Chromium: Debian has the package chromium-headless-shell; pages are tested in it"
        )
    return Browser(program)
