"""Outputs that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import io
import os
import stat
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from bitext.errors import InputError
from bitext.formats.packing import compressing, packing_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["write_whole"]


@contextmanager
def write_whole(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """Give a UTF-8 text file, or a `binary` one, to write; it appears when all is written.

    It is written beside its place and renamed, so that whatever happens the name holds the
    old file or the whole new one. `-` is standard output. Compression goes by the name.

    Raises
    ------
    InputError
        When the place cannot be written to.

    """
    name = os.fspath(path)
    if name == "-":
        if sys.stdout is None:
            raise InputError("standard output is closed: open it, or name a file")
        yield sys.stdout.buffer if binary else sys.stdout
        sys.stdout.flush()
        return
    target = Path(name)
    if target.is_dir():
        raise InputError(f"{name}: is a directory; name a file in it")
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        # A device or a pipe, as /dev/stdout: there is nothing to rename over.
        if binary:
            with target.open("wb") as raw:
                yield raw
            return
        with target.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror or error}") from None
    try:
        with os.fdopen(handle, "wb") as raw:
            packing = packing_of_name(name)
            packed = compressing(cast("BinaryIO", raw), packing) if packing else raw
            try:
                if binary:
                    yield packed
                else:
                    out = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
                    try:
                        yield out
                    finally:
                        out.detach()
            finally:
                if packing:
                    packed.close()
        os.chmod(temporary, _mode(target))  # noqa: PTH101
        os.replace(temporary, target)  # noqa: PTH105
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise InputError(f"{name}: cannot be written: {error.strerror or error}") from None
    except UnicodeEncodeError as error:
        Path(temporary).unlink(missing_ok=True)
        wrong = error.object[error.start]
        raise InputError(
            f"{name}: cannot be written: the text has half of a surrogate pair, {wrong!a}; take it "
            f"out of the text"
        ) from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced, or what a new file gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
