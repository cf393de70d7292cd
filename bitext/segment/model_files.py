"""Files of trained models: one plain file to use, and a readable form to look at.

The file is a zip of arrays with a header of JSON (`bitext.segment.array_files`). Its readable
form is a table, or JSON, with a line for each number; where these are the weights of features, with
the name of the feature before it. Either gives back the same model to the last bit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import FormatError
from bitext.paths import replace_file
from bitext.segment.array_files import read_arrays, write_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = [
    "KIND",
    "VERSION",
    "ModelParts",
    "export_model",
    "import_model",
    "read_model",
    "write_model",
]

KIND = "bitext paragraphs"
VERSION = 1
_WEIGHTS = "method.weights"
_MEMBERS = {"method": str, "features": dict, "learned": dict, "settings": dict, "card": dict}
_CELLS = 1 << 28  # more numbers than that are no model that was written


@dataclass(frozen=True)
class ModelParts:
    """What a model is made of.

    Attributes
    ----------
    method : str
    settings : dict
        What the segmenter itself needs: the longest paragraph, the offset.
    features, learned : dict
        Members of JSON of the features, and of what the method learned.
    card : dict
        What the model was made of and what it scored.
    arrays : dict
        By name: `features.NAME` and `method.NAME`.

    """

    method: str
    settings: dict[str, Any]
    features: dict[str, Any]
    learned: dict[str, Any]
    card: dict[str, Any]
    arrays: dict[str, NDArray[Any]]

    def header(self) -> dict[str, Any]:
        """Return all but the arrays."""
        return {name: getattr(self, name) for name in _MEMBERS}

    def of(self, room: str) -> dict[str, NDArray[Any]]:
        """Return the arrays of `features` or of `method`, by their names there."""
        start = f"{room}."
        return {
            name.removeprefix(start): array
            for name, array in self.arrays.items()
            if name.startswith(start)
        }


def write_model(path: str | Path, parts: ModelParts) -> None:
    """Write a model to a file, which appears when it is whole; equal models are equal files."""
    write_arrays(path, KIND, VERSION, parts.header(), parts.arrays)


def read_model(path: str | Path) -> ModelParts:
    """Read a model.

    Raises
    ------
    FormatError
        When the file is none, is cut short or damaged, or is of another version.

    """
    header, arrays = read_arrays(path, KIND, VERSION)
    return _parts(header, arrays, str(path))


def export_model(path: str | Path, parts: ModelParts, names: Sequence[str]) -> None:
    """Write the readable form of a model: JSON where the name ends in `.json`, else a table.

    Parameters
    ----------
    path : path
    parts : ModelParts
    names : sequence of str
        Of the features, one a weight; they stand before the weights where the method has as many.

    Raises
    ------
    InputError
        When a folder, a link or a device is there, or the place cannot be written to.

    """
    as_json = Path(path).suffix == ".json"
    text = _as_json(parts, names) if as_json else _as_table(parts, names)
    with replace_file(path) as out:
        out.write(text.encode("utf-8", "surrogatepass"))


def import_model(path: str | Path) -> ModelParts:
    """Read the readable form of a model, of either kind.

    Raises
    ------
    FormatError
        When it is no model, or a line is not what it should be; the message names the line.

    """
    name = str(path)
    try:
        text = Path(path).read_bytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte {error.start} is no UTF-8: want the readable form of a model (.tsv or .json)",
            path=name,
        ) from error
    return _from_json(text, name) if text.startswith("{") else _from_table(text, name)


def _as_table(parts: ModelParts, names: Sequence[str]) -> str:
    lines = [f"# {KIND} {VERSION}", _json(parts.header())]
    for name, array in parts.arrays.items():
        lines.append(f"# array\t{name}\t{array.dtype.str}\t{_json(list(array.shape))}")
        values = map(_json, array.ravel().tolist())
        if name == _WEIGHTS and array.shape == (len(names),):
            # As JSON without its quotation marks: no tabs, no ends of line.
            told = (_json(feature)[1:-1] for feature in names)
            lines.extend(f"{n}\t{value}" for n, value in zip(told, values, strict=True))
        else:
            lines.extend(values)
    return "\n".join(lines) + "\n"


def _from_table(text: str, path: str) -> ModelParts:
    lines = text.split("\n")
    _check_version(lines[0].removeprefix("# "), path)
    header = _loaded(lines[1] if len(lines) > 1 else "", path, 2)
    if not isinstance(header, dict):
        raise FormatError("want the header, an object of JSON", path=path, line=2)
    arrays, at = {}, 2
    while at < len(lines) and lines[at]:
        fields = lines[at].rstrip("\r").split("\t")
        if len(fields) != 4 or fields[0] != "# array":
            raise FormatError(
                f"want '# array', its name, type and shape by tabs, found {lines[at]!r:.60}",
                path=path,
                line=at + 1,
            )
        kind, shape, cells = _shape(fields[2], _loaded(fields[3], path, at + 1), path, at + 1)
        rows = lines[at + 1 : at + 1 + cells]
        if len(rows) < cells or (rows and not rows[-1]):
            raise FormatError(
                f"the array {fields[1]!r} has {cells} values, and the file ends before: "
                f"export the model anew",
                path=path,
                line=len(lines),
            )
        values = [_loaded(row.rpartition("\t")[2], path, at + 2 + k) for k, row in enumerate(rows)]
        arrays[fields[1]] = _array(values, kind, shape, path, at + 1)
        at += 1 + cells
    return _parts(header, arrays, path)


def _as_json(parts: ModelParts, names: Sequence[str]) -> str:
    arrays = {}
    for name, array in parts.arrays.items():
        values = array.ravel().tolist()
        if name == _WEIGHTS and array.shape == (len(names),):
            values = [[n, value] for n, value in zip(names, values, strict=True)]
        arrays[name] = {"type": array.dtype.str, "shape": list(array.shape), "values": values}
    head = {"format": KIND, "version": VERSION, **parts.header(), "arrays": arrays}
    return json.dumps(head, ensure_ascii=False, indent=1) + "\n"


def _from_json(text: str, path: str) -> ModelParts:
    head = _loaded(text, path, 1)
    _check_version(f"{head.get('format')} {head.get('version')}", path)
    arrays = {}
    found = head.get("arrays")
    for name, told in (found if isinstance(found, dict) else {}).items():
        if not isinstance(told, dict) or not isinstance(told.get("values"), list):
            raise FormatError(f"array {name!r} has no list of values", path=path)
        kind, shape, _ = _shape(told.get("type"), told.get("shape"), path, None)
        values = [v[-1] if isinstance(v, list) and v else v for v in told["values"]]
        arrays[name] = _array(values, kind, shape, path, None)
    return _parts(head, arrays, path)


def _check_version(found: str, path: str) -> None:
    if found.rstrip("\r") != f"{KIND} {VERSION}":
        raise FormatError(
            f"want the readable form of a model of version {VERSION} ('{KIND} {VERSION}'), "
            f"found {found!r:.60}",
            path=path,
            line=1,
        )


def _shape(
    kind: object, shape: object, path: str, line: int | None
) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Return the type and the shape of an array, checked, and the number of its values."""
    try:
        known = np.dtype(str(kind))
    except (TypeError, ValueError):
        known = np.dtype(object)
    sizes = shape if isinstance(shape, list) else [-1]
    cells = 1
    for size in sizes:
        cells = cells * size if isinstance(size, int) and 0 <= size <= _CELLS else -1
        if not 0 <= cells <= _CELLS:
            break
    if known.kind not in "biufU" or not 0 <= cells <= _CELLS:
        raise FormatError(
            f"an array of the type {kind!r:.30} and the shape {shape!r:.30}: want a type of "
            f"numbers or characters as '<f8', and a list of sizes",
            path=path,
            line=line,
        )
    return known, tuple(sizes), cells


def _array(
    values: list[Any], kind: np.dtype[Any], shape: tuple[int, ...], path: str, line: int | None
) -> NDArray[Any]:
    wanted: tuple[type, ...] = {"U": (str,), "b": (bool,), "f": (float, int)}.get(kind.kind, (int,))
    try:
        if not all(isinstance(value, wanted) for value in values):
            raise TypeError(kind)  # noqa: TRY301 - told below, with the others
        return np.array(values, dtype=kind).reshape(shape)
    except (ValueError, TypeError, OverflowError) as error:
        raise FormatError(
            f"the values of an array are not {shape} of the type {kind.str}: export the model anew",
            path=path,
            line=line,
        ) from error


def _parts(header: Mapping[str, Any], arrays: dict[str, NDArray[Any]], path: str) -> ModelParts:
    for name, kind in _MEMBERS.items():
        if not isinstance(header.get(name), kind):
            raise FormatError(
                f"the header has no {name!r} that is one: the file is damaged; make it anew",
                path=path,
            )
    return ModelParts(arrays=arrays, **{name: header[name] for name in _MEMBERS})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _loaded(text: str, path: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{text!r:.40} is no value of JSON", path=path, line=line) from error
