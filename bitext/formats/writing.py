"""Outputs that are whole or not there: written beside their place, then renamed.

| what happens | what the name holds then |
| --- | --- |
| an error, Ctrl-C, the end of the process by any signal | the old file, if there was one |
| a full disk | the old file, and an error that says so |
| a power cut | the old file or the whole new one: the new one is on the disk when it is renamed |
| two runs with one output at the same time | the whole file of the one that ends last |
| two outputs of one run | both new or both old: they are renamed when both are whole |

Only an end between the renaming of two outputs, which takes microseconds, leaves one new and one
old. While it is written a file has no name, where the system can do that (Linux, on most file
systems); elsewhere it is named `.bitext-*.part`, beside its place, and a process that is killed
leaves it there: it may be deleted.

Names that are links are refused: to write through one is to write elsewhere than was said, and to
replace it is to lose it. `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` are what they stand for.
Devices and named pipes are written to straight. What is replaced keeps its permissions.

Places elsewhere (`s3://`) are sent to when all outputs of the run are whole, one after the other,
and before files here are renamed: an error, or the end of the process, before that sends nothing.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.formats.clashes import refuse_same, refuse_writing, spared
from bitext.formats.outputs import output_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["refuse_same", "write_together", "write_whole"]


@contextmanager
def write_whole(
    path: str | os.PathLike[str], *, binary: bool = False, held_back: bool = False
) -> Iterator[IO[Any]]:
    """Give a UTF-8 text file, or a `binary` one, to write; it appears when all is written.

    It is written beside its place and renamed, so that whatever happens the name holds the
    old file or the whole new one. `-` is standard output. Compression goes by the name.

    Parameters
    ----------
    path : str or path
        The file.
    binary : bool
        Whether bytes are written.
    held_back : bool
        Whether what cannot be renamed, as standard output and pipes, gets nothing before all is
        written either; it takes that much room for temporary files.

    Raises
    ------
    InputError
        When the place cannot be written to, or is a link.

    """
    with write_together((path,), binary=binary, held_back=held_back) as (out,):
        yield out


@contextmanager
def write_together(
    paths: Sequence[str | os.PathLike[str]], *, binary: bool = False, held_back: bool = False
) -> Iterator[list[IO[Any]]]:
    """Give several files to write, which appear together when all of them are whole.

    Parameters as of `write_whole`.

    Raises
    ------
    InputError
        When a place cannot be written to, is a link, or is named twice, or is opened for reading
        before all is written.

    """
    names = [os.fspath(path) for path in paths]
    refuse_same((), names)
    refuse_writing(names)
    with ExitStack() as stack:
        stack.enter_context(spared(names))
        outputs = []
        for name in names:
            output = output_of(name, binary=binary, held_back=held_back)
            stack.callback(output.discard)
            output.open()
            outputs.append(output)
        try:
            yield [output.file for output in outputs]
            refuse_writing(names)
            for output in outputs:
                output.finish()
        except UnicodeEncodeError as error:
            wrong = error.object[error.start : error.start + 1]
            raise InputError(
                f"{', '.join(names)}: cannot be written: the text has half of a surrogate pair, "
                f"{wrong!a}; take it out of the text"
            ) from None
        for output in sorted(outputs, key=lambda output: not output.first):
            output.publish()
