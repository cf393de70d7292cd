"""What tests of the editor of the workbench do in a browser: keys, clicks, and what is seen."""

from __future__ import annotations

import contextlib
import json
import time

CONTROL, SHIFT = 2, 8  # as the browser counts modifiers


def opened(browser, path, **options):
    browser.open(path, **options)
    until(browser, "window.editor")


def key(browser, name, modifiers=0):
    codes = {
        "Enter": 13,
        "Escape": 27,
        "Delete": 46,
        "Backspace": 8,
        "Tab": 9,
        "End": 35,
        "Home": 36,
    }
    codes |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
    held = {"key": name, "windowsVirtualKeyCode": codes.get(name, 0), "modifiers": modifiers}
    text = "\r" if name == "Enter" else name
    if len(text) == 1 and not modifiers & CONTROL:
        held["text"] = text
    browser.send("Input.dispatchKeyEvent", type="keyDown", **held)
    browser.send("Input.dispatchKeyEvent", type="keyUp", **held)


def keys(browser, *names):
    for name in names:
        *modifiers, last = [name] if name == "+" else name.split("+")
        key(browser, last, sum({"Ctrl": CONTROL, "Shift": SHIFT}[each] for each in modifiers))


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
    while time.monotonic() < end:
        with contextlib.suppress(RuntimeError):  # a page that goes away does not answer
            if browser.run(f"Boolean({condition})"):
                return
        time.sleep(0.02)
    raise AssertionError(f"never came true: {condition}")
