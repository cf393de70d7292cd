"""What stands in a page, read without a browser."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """The text of a page but for its drawings, a line an element; and its elements."""

    def __init__(self, html):
        super().__init__()
        self.text, self.found, self._skip = [], [], 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._skip += tag in {"svg", "style", "script"}

    def handle_endtag(self, tag):
        self._skip -= tag in {"svg", "style", "script"}

    def handle_data(self, data):
        if data.strip() and not self._skip:
            self.text.append(" ".join(data.split()))
