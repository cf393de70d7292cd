"""`bitext link`: links between the words of translated sentences, learned from them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.cli.link.request import LinkRequest, parser
from bitext.cli.request import request_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Link the words of files; return the exit status."""
    request = request_of(LinkRequest, parser(), arguments)
    from bitext.cli.link.linking import link

    return link(request)
