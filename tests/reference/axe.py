"""axe-core, which checks pages for accessibility, run inside the browser that tests drive.

It is a tarball of the npm registry, pinned by version and digest, and no part of this repository:
`fetch` (or this file run as a script, as `.ci/run` does) puts it into the cache of the user. Tests
that need it are skipped where it is not there, with the command that brings it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from functools import cache
from pathlib import Path

import pytest

VERSION = "4.10.3"
TARBALL = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292"
SCRIPT = "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb"
COMMAND = "python tests/reference/axe.py"
_PATIENCE = 120  # seconds, with a registry that does not answer

_RUN = """axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(
    found.violations.flatMap(rule => rule.nodes.map(node =>
        [rule.id, rule.impact, rule.help, node.target.flat().join(' '), node.failureSummary]))))"""

# Contrast is measured on each element, but a page has few colors: each is parsed once. The HTML of
# elements is written for reports that nobody reads. Both change no result.
_PREPARE = """;(() => {
    const {Color} = axe.commons.color, parse = Color.prototype.parseString, parsed = new Map();
    Color.prototype.parseString = function(text) {
        if (!parsed.has(text)) parsed.set(text, parse.call(new Color(), text));
        const {r, g, b, alpha} = parsed.get(text);
        return Object.assign(this, {r, g, b, alpha});
    };
    axe.configure({noHtml: true});
})()"""


def place():
    """Return where axe-core lies, or would lie."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "bitext" / f"axe-core-{VERSION}.min.js"


def problems(browser) -> list[str]:
    """Return what axe-core finds wrong with the page that is open, one line a place.

    All its rules are asked, also those that are only good practice. Contrast is that of the theme
    in which the page was opened: ask in both. Text in drawings it does not measure.
    """
    if browser.run("typeof axe") == "undefined":
        browser.run(_script_or_skip() + _PREPARE)
    found = json.loads(browser.run(_RUN))
    return [
        f"{rule} ({impact}): {told} at {where}: {' '.join(summary.split())}"
        for rule, impact, told, where, summary in found
    ]


@cache
def _script_or_skip():
    held = place()
    if not held.is_file():
        pytest.skip(f"no axe-core {VERSION} to check pages with: {COMMAND} fetches it with npm")
    script = held.read_bytes()
    _check(script, SCRIPT, held)
    return script.decode("utf-8")


def _check(content, digest, name):
    if (found := hashlib.sha256(content).hexdigest()) != digest:
        raise RuntimeError(f"{name}: its SHA-256 is {found}, not {digest}; delete it")


def fetch():
    """Fetch axe-core with npm, unless it is there."""
    held = place()
    if held.is_file():
        return held
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("axe-core: no npm to fetch it with; on Debian: apt-get install npm")
    held.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=held.parent) as folder:
        order = [
            npm,
            "pack",
            "--silent",
            "--fetch-retries=1",
            f"axe-core@{VERSION}",
            "--pack-destination",
            folder,
        ]
        try:
            subprocess.run(order, check=True, stdout=subprocess.DEVNULL, timeout=_PATIENCE)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise SystemExit(f"axe-core: npm could not fetch it: {error}") from None
        (packed,) = Path(folder).glob("*.tgz")
        _check(packed.read_bytes(), TARBALL, packed.name)
        with tarfile.open(packed) as archive:
            script = archive.extractfile("package/axe.min.js").read()
        _check(script, SCRIPT, "axe.min.js")
        part = Path(folder) / "script"
        part.write_bytes(script)
        part.replace(held)
    return held


if __name__ == "__main__":
    sys.stdout.write(f"{fetch()}\n")
