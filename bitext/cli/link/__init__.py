"""`bitext link`: links between the words of translated sentences, learned from them alone."""

from __future__ import annotations

from collections.abc import Sequence

from bitext.cli.link.request import LinkRequest, parser
from bitext.cli.request import request_of


def run(arguments: Sequence[str]) -> int:
    """Link the words of files; return the exit status."""
    request = request_of(LinkRequest, parser(), arguments)
    from bitext.cli.link.linking import link

    return link(request)
