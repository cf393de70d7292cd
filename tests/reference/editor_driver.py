"""What tests of the editor of the workbench do in a browser: keys, clicks, and what is seen."""

from __future__ import annotations

import contextlib
import json
import time

CONTROL, SHIFT = 2, 8  # as the browser counts modifiers


def opened(browser, path, **options):
    browser.open(path, **options)
    until(browser, "window.editor")


_CODES = {"Enter": 13, "Escape": 27, "Delete": 46, "Backspace": 8, "Tab": 9, "End": 35, "Home": 36}
_CODES |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


def keys(browser, *names):
    """Press keys as fast as the page takes them."""
    pressed = []
    for name in names:
        *held, last = [name] if name == "+" else name.split("+")
        modifiers = sum({"Ctrl": CONTROL, "Shift": SHIFT}[each] for each in held)
        text = "\r" if last == "Enter" else last
        shown = text if len(text) == 1 and not modifiers & CONTROL else None
        pressed.append((last, _CODES.get(last, 0), shown, modifiers))
    browser.press_all(pressed)


def place(browser, selector, nth=0):
    box = browser.run(
        f"(e => {{ e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect(); "
        f"return [r.x + r.width / 2, r.y + r.height / 2]; }})"
        f"(document.querySelectorAll({json.dumps(selector)})[{nth}])"
    )
    return {"x": box[0], "y": box[1]}


def click(browser, selector, *, nth=0, modifiers=0, count=1, at=None):
    where = at or place(browser, selector, nth)
    for number in range(1, count + 1):
        for kind in ("mousePressed", "mouseReleased"):
            browser.send(
                "Input.dispatchMouseEvent", type=kind, button="left", clickCount=number,
                modifiers=modifiers, **where,
            )  # fmt: skip


def press(browser, name):
    click(browser, f'[data-do="{name}"]')


def sentence(name):
    return f'.sentence[data-id="{name}"]'


def drag(browser, start, end):
    start, end = place(browser, start), place(browser, end)
    for kind, where in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
        browser.send(
            "Input.dispatchMouseEvent", type=kind, button="left", buttons=1, clickCount=1, **where
        )


def state(browser):
    return json.loads(browser.run("JSON.stringify(editor.state)"))


def short(held):
    return [(each["source"], each["target"], each["state"]) for each in held["beads"]]


def said(browser):
    return browser.run("document.querySelector('.said').textContent")


def problem(browser):
    return browser.run("document.querySelector('.problem').textContent")


def until(browser, condition):
    """Wait until an expression is true in the page, which may be on the way to another address."""
    end = time.monotonic() + 20
    look = f"""new Promise((done) => {{
        const end = performance.now() + 2000;
        const look = () => {{
            let found = false;
            try {{ found = Boolean({condition}); }} catch {{ /* not there yet */ }}
            if (found || performance.now() > end) done(found); else setTimeout(look, 10);
        }};
        look();
    }})"""
    while time.monotonic() < end:
        with contextlib.suppress(RuntimeError):  # a page that goes away does not answer
            if browser.run(look):
                return
        time.sleep(0.02)
    raise AssertionError(f"never came true: {condition}")
