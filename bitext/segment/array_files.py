"""Arrays with a header of JSON in one plain file: a zip of `.npy` members, without pickles.

`header.json` comes first. It tells the kind of file, its version and the type and shape of each
array, which are held against what the members say before anything is read.
"""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from tokenize import TokenError
from typing import TYPE_CHECKING, Any
from zlib import error as ZlibError  # noqa: N812 - a class, whatever its module calls it

import numpy as np

from bitext.errors import FormatError
from bitext.paths import is_device, is_folder, refuse_bomb, replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["read_arrays", "write_arrays"]

_HEADER = "header.json"
_DATE = (1980, 1, 1, 0, 0, 0)  # equal contents are equal files
_LARGEST_HEADER = 1 << 26
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ROOM = 1 << 16  # what the head of a member may take, beside its numbers
_KINDS = "biufU"
# What comes of heads that tell no array; numpy reads them with the tokenizer of Python.
_NO_ARRAY = (
    ValueError, TypeError, IndexError, KeyError, OverflowError, SyntaxError, TokenError
)  # fmt: skip


def write_arrays(
    path: str | Path,
    kind: str,
    version: int,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write a file, which appears when it is whole; equal contents give equal bytes.

    Raises
    ------
    InputError
        When a folder, a link or a device is there, or the place cannot be written to.

    """
    shapes = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    head = {"format": kind, "version": version, "arrays": shapes, **header}
    with replace_file(path) as out, zipfile.ZipFile(out, "w") as members:
        text = json.dumps(head, ensure_ascii=False, indent=1)
        _put(members, _HEADER, text.encode("utf-8", "surrogatepass"))
        for name, array in arrays.items():
            room = io.BytesIO()
            np.lib.format.write_array(room, np.asarray(array), allow_pickle=False)
            _put(members, f"{name}.npy", room.getvalue())


def read_arrays(
    path: str | Path, kind: str, version: int
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a file.

    Raises
    ------
    FormatError
        When it is no such file, is cut short, is of another version, unpacks to far more than
        its size, or holds other arrays than its header tells.

    """
    name = str(path)
    if is_folder(path):
        raise FormatError("is a folder where a file is wanted; name a file", path=name)
    if is_device(path):  # some give bytes for ever
        raise FormatError("is a device where a file is wanted; name a file", path=name)
    try:
        with zipfile.ZipFile(path) as members:
            _refuse_packed_otherwise(members)
            refuse_bomb(members, name)
            header = _header(members, name, kind, version)
            return header, _arrays(members, name, header["arrays"])
    except (zipfile.BadZipFile, EOFError, ZlibError, NotImplementedError, RuntimeError) as error:
        raise _broken(name, kind, error) from error
    except OSError as error:
        if error.filename is not None:  # it could not be opened
            raise
        raise _broken(name, kind, error) from error


def _refuse_packed_otherwise(members: zipfile.ZipFile) -> None:
    # Of other ways of packing, each has errors of its own, and more come with new Pythons.
    if any(each.compress_type not in _PACKED for each in members.infolist()):
        raise zipfile.BadZipFile("it is packed otherwise")


def _broken(name: str, kind: str, error: Exception) -> FormatError:
    return FormatError(
        f"this is no file of the kind {kind!r}, or it is cut short ({error}): "
        f"make it anew, or name another",
        path=name,
    )


def _put(members: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, date_time=_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    members.writestr(info, content)


def _header(members: zipfile.ZipFile, path: str, kind: str, version: int) -> dict[str, Any]:
    names = members.namelist()
    header: Any = None
    if _HEADER in names and members.getinfo(_HEADER).file_size <= _LARGEST_HEADER:
        with suppress(ValueError, RecursionError):  # what is no JSON is no header
            header = json.loads(members.read(_HEADER).decode("utf-8", "surrogatepass"))
    if not isinstance(header, dict) or header.get("format") != kind:
        raise FormatError(
            f"this is no file of the kind {kind!r}: it has no header that says so; name another",
            path=path,
        )
    if header.get("version") != version:
        raise FormatError(
            f"its version is {header.get('version')!r}, and this program reads version {version}: "
            f"make it anew, or use the program that made it",
            path=path,
        )
    shapes = header.get("arrays")
    if not isinstance(shapes, dict) or {_HEADER, *(f"{k}.npy" for k in shapes)} != set(names):
        raise FormatError("it holds other arrays than its header tells: make it anew", path=path)
    return header


def _arrays(members: zipfile.ZipFile, path: str, shapes: dict[str, Any]) -> dict[str, NDArray[Any]]:
    arrays = {}
    for name, told in shapes.items():
        try:
            kind, shape = np.dtype(told[0]), tuple(int(size) for size in told[1])
            cells = 1
            for size in shape:
                cells *= size
            size = members.getinfo(f"{name}.npy").file_size
            if kind.kind not in _KINDS or min(shape, default=0) < 0:
                raise ValueError(kind)
            if not 0 < size - cells * kind.itemsize < _ROOM:
                raise ValueError(size)
            content = io.BytesIO(members.read(f"{name}.npy"))
            array = np.lib.format.read_array(content, allow_pickle=False)
            if array.dtype != kind or array.shape != shape:
                raise ValueError(array.shape)
        except _NO_ARRAY as error:
            raise FormatError(
                f"array {name!r} is not what the header tells: the file is damaged; make it anew",
                path=path,
            ) from error
        arrays[name] = array
    return arrays
