"""What stands in a page, read without a browser, and that nothing can act in it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

# Characters that steer, and what is no character.
STEERING = re.compile("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ufffe]")


class Reader(HTMLParser):
    """The text of a page, a line an element; and its elements.

    Drawings and data are left out, or else kept: then the points of a line are text, too.
    """

    def __init__(self, html, *, drawings=False):
        super().__init__()
        self.text, self.found, self._skip = [], [], 0
        self._drawings = drawings
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        held = dict(attrs)
        self.found.append((tag, held))
        self._skip += self._left_out(tag, data="type" in held)
        if tag == "polyline" and self._drawings:
            self.text.append(f"line {held['points']}")

    def handle_endtag(self, tag):
        if self._skip:
            self._skip -= self._left_out(tag)

    def handle_data(self, data):
        if data.strip() and not self._skip:
            self.text.append(" ".join(data.split()))

    def _left_out(self, tag, *, data=False):
        if self._drawings:
            return tag == "style" or (tag == "script" and not data)
        return tag in {"svg", "style", "script"}


def data_of(html):
    """Return the data that a page holds for its script."""
    (held,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html)
    return json.loads(held)


def assert_nothing_acts(html):
    """Nothing loads, nothing runs but what the page allows by its digest, and nothing steers."""
    found = Reader(html).found
    for tag, attributes in found:
        assert tag not in {"img", "iframe", "object", "embed", "form", "base"}
        assert not [key for key in attributes if key.startswith("on") or key in {"src", "style"}]
        assert attributes.get("href", "#").startswith(("#", "data:"))
    assert not STEERING.search(html)
    html.encode("utf-8")


def assert_allows_its_own(html):
    """The page allows its own style and script by their digests, and nothing else."""
    found = Reader(html).found
    allowed = next(a["content"] for _, a in found if a.get("http-equiv"))
    assert allowed.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in allowed
