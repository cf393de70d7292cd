"""Errors for who reads and writes from Python: arguments where the command line has options.

Readers and writers name their remedies as options of the command line (`--from tsv`). What is
called from Python names the argument instead (`format='tsv'`).
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitext.errors import BitextError, FormatError
from bitext.formats.registry import INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["by_arguments", "named_by_arguments"]

_ARGUMENTS = {
    "src": "src=",
    "tgt": "tgt=",
    "from": "format=",
    "to": "format=",
    "root": "roots=",
    "encoding": "encoding=",
    "src-lang": "src_lang=",
    "tgt-lang": "tgt_lang=",
    "swap": "Bitext.swapped",
}
_VALUES = "|".join(
    [*map(re.escape, INDEX), "labels", "text", "masses", "bits-final", "bits", r"utf-[\w-]*\w"]
)
_OPTION = re.compile(
    rf"(?<![\w/.-])--(?:(from|to|encoding) ({_VALUES})|({'|'.join(_ARGUMENTS)}))(?![\w/-])"
)


def named_by_arguments(message: str) -> str:
    """Return a message with the arguments of Python where it names options.

    Examples
    --------
    >>> named_by_arguments("give the texts (--src, --tgt), or name the format (--from tsv)")
    "give the texts (src=, tgt=), or name the format (format='tsv')"

    """
    return _OPTION.sub(_argument, message)


def _argument(found: re.Match[str]) -> str:
    return f"{_ARGUMENTS[found[1]]}{found[2]!r}" if found[1] else _ARGUMENTS[found[3]]


@contextmanager
def by_arguments() -> Iterator[None]:
    """Let errors that are raised within name arguments, not options."""
    try:
        yield
    except BitextError as error:
        error.args = (named_by_arguments(str(error)), *error.args[1:])
        if isinstance(error, FormatError):
            error.message = named_by_arguments(error.message)
        raise
