"""Files of trained models: a binary format, and a text format for inspection.

The binary format is a zip of arrays with a JSON header. The text format is a table, or JSON, with
one number per line; a weight of a feature has the name of the feature before it. Both formats
preserve a model to the last bit.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zlib import error as ZlibError  # noqa: N812 - a class, whatever its module calls it

import numpy as np
from numpy.typing import NDArray

from bitext.errors import FormatError, OptionError, named_by_options, of_file, remedy
from bitext.model.languages import main_language
from bitext.paths import is_device, is_file, is_folder, refuse_bomb, replace_file

# The binary format: a zip of `.npy` members, without pickles, and a JSON header.
#
# `header.json` is the first member. It contains the kind and the version of the file, and the type
# and shape of each array. The size of each member is checked against its type and shape before
# the array is read.

_HEADER = "header.json"
_DATE = (1980, 1, 1, 0, 0, 0)  # date of every member, so that equal models give equal files
_LARGEST_HEADER = 1 << 26  # bytes of `header.json`; set by hand: far above any header written
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # compression methods that are read
_HEADER_ROOM = 1 << 16  # bytes of the head of an `.npy` member, less than this; set by hand
_KINDS = "biufU"  # kinds of numpy types: booleans, integers, floats and strings
# Errors of archives that are cut short or damaged.
_DAMAGE = (zipfile.BadZipFile, EOFError, ZlibError, NotImplementedError, RuntimeError)
# Errors of numpy on a malformed head of a member, which it parses with the tokenizer of Python.
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
    """Write arrays and a header to a file, atomically; equal contents give equal bytes.

    Raises `InputError` when the path is a folder, a link or a device, or cannot be written to.
    """
    shapes = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    head = {"format": kind, "version": version, "arrays": shapes, **header}
    with replace_file(path) as out, zipfile.ZipFile(out, "w") as members:
        text = json.dumps(head, ensure_ascii=False, indent=1)
        _write_member(members, _HEADER, text.encode("utf-8", "surrogatepass"))
        for name, array in arrays.items():
            room = io.BytesIO()
            np.lib.format.write_array(room, np.asarray(array), allow_pickle=False)
            _write_member(members, f"{name}.npy", room.getvalue())


def read_arrays(
    path: str | Path, kind: str, version: int
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read the header and the arrays of a file.

    Raises `FormatError` when the file is of another kind or version, is truncated, unpacks to far
    more than its size, or contains other arrays than its header lists.
    """
    with of_file(str(path)):
        if is_folder(path):
            raise FormatError("is a folder where a file is wanted; name a file")
        if is_device(path):  # reading some devices never ends
            raise FormatError("is a device where a file is wanted; name a file")
        try:
            with zipfile.ZipFile(path) as members:
                _refuse_packed_otherwise(members)
                refuse_bomb(members, path)
                header = _header(members, kind, version)
                return header, _arrays(members, header["arrays"])
        except _DAMAGE as error:
            raise _damaged_file(kind, error) from error
        except OSError as error:
            if error.filename is not None:  # the file could not be opened
                raise
            raise _damaged_file(kind, error) from error


def _refuse_packed_otherwise(members: zipfile.ZipFile) -> None:
    # Every other compression method raises errors of its own, and new Pythons add methods.
    if any(each.compress_type not in _PACKED for each in members.infolist()):
        raise zipfile.BadZipFile("it is packed otherwise")


def _damaged_file(kind: str, error: Exception) -> FormatError:
    return FormatError(
        f"this is no file of the kind {kind!r}, or it is cut short ({error}): "
        f"make it anew, or name another"
    )


def _write_member(members: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, date_time=_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    members.writestr(info, content)


def _header(members: zipfile.ZipFile, kind: str, version: int) -> dict[str, Any]:
    names = members.namelist()
    header: Any = None
    if _HEADER in names and members.getinfo(_HEADER).file_size <= _LARGEST_HEADER:
        with suppress(ValueError, RecursionError):  # not JSON: refused below
            header = json.loads(members.read(_HEADER).decode("utf-8", "surrogatepass"))
    if not isinstance(header, dict) or header.get("format") != kind:
        raise FormatError(
            f"this is no file of the kind {kind!r}: it has no header that says so; name another"
        )
    if header.get("version") != version:
        raise FormatError(
            f"its version is {header.get('version')!r}, and this program reads version {version}: "
            f"make it anew, or use the program that made it"
        )
    shapes = header.get("arrays")
    if not isinstance(shapes, dict) or {_HEADER, *(f"{k}.npy" for k in shapes)} != set(names):
        raise FormatError("it holds other arrays than its header tells: make it anew")
    return header


def _arrays(members: zipfile.ZipFile, shapes: dict[str, Any]) -> dict[str, NDArray[Any]]:
    arrays = {}
    for name, entry in shapes.items():
        try:
            kind, shape = np.dtype(entry[0]), tuple(int(size) for size in entry[1])
            cells = 1
            for size in shape:
                cells *= size
            size = members.getinfo(f"{name}.npy").file_size
            if kind.kind not in _KINDS or min(shape, default=0) < 0:
                raise ValueError(kind)
            # A false shape is refused here, before the member is unpacked.
            if not 0 < size - cells * kind.itemsize < _HEADER_ROOM:
                raise ValueError(size)
            content = io.BytesIO(members.read(f"{name}.npy"))
            array = np.lib.format.read_array(content, allow_pickle=False)
            if array.dtype != kind or array.shape != shape:
                raise ValueError(array.shape)
        except _NO_ARRAY as error:
            raise FormatError(
                f"array {name!r} is not what the header tells: the file is damaged; make it anew"
            ) from error
        arrays[name] = array
    return arrays


# The models that ship with the package, by language code.

FOLDER = Path(__file__).parent / "models"
_SUFFIX = ".npz"
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


def shipped_models(folder: Path = FOLDER) -> dict[str, Path]:
    """Return the model files in a folder by language code."""
    return {path.stem: path for path in sorted(folder.glob(f"*{_SUFFIX}"))}


def model_path(model: str | Path, *, files: bool = True) -> Path:
    """Return the path of a model, given as a path or as the code of a language.

    A code is two or three letters, optionally with a script or a country. Without a model for the
    whole code, a file of this name is used (`en_novels`), unless `files` is false, or else the
    longest prefix of the code that has a model, by two letters (`eng` is `en`) if need be. A file
    named as a model is given as `./en`.

    Raises `OptionError` when no model of the language ships with the package.
    """
    if isinstance(model, Path) or not _CODE.fullmatch(model):
        return Path(model)
    known = shipped_models()
    by_code = {code.lower(): path for code, path in known.items()}
    parts = model.lower().replace("_", "-").split("-")
    if files and "-".join(parts) not in by_code and is_file(model):
        return Path(model)
    for size in range(len(parts), 0, -1):
        model_of_language = by_code.get("-".join(parts[:size]))
        if model_of_language is not None:
            return model_of_language
    if (two_letters := main_language(model)) in known:  # also for `eng` and `iw`
        return known[two_letters]
    names = ", ".join(known) or "none"
    train, use = "ParagraphSegmenter.fit, .save", f"{model}.model"
    if named_by_options():
        train = f"bitext paragraphs train texts/ {remedy(f'lang {model}')} -o {use}"
        use = remedy(f"model {use}")
    raise OptionError(
        f"no model of the language {model!r} ships; there are: {names}. Train one of texts with "
        f"paragraphs ({train}) and name it ({use}); if {model!r} is a file, it is ./{model}"
    )


KIND = "bitext paragraphs"
VERSION = 1
_WEIGHTS = "method.weights"
_MEMBERS = {"method": str, "features": dict, "learned": dict, "settings": dict, "card": dict}
_MOST_NUMBERS = 1 << 28  # values of an array; set by hand: far above any model written


@dataclass(frozen=True)
class ModelParts:
    """The parts of a model."""

    method: str  # the name of the method
    # The settings of the segmenter: the longest paragraph, the offset, and whether the training
    # texts had breaks.
    settings: dict[str, Any]
    # `features`, `learned`: the JSON members of the features, and of the learned state of the
    # method.
    features: dict[str, Any]
    learned: dict[str, Any]
    # Figures of the training texts, the options and the training; may contain scores.
    card: dict[str, Any]
    arrays: dict[str, NDArray[Any]]  # the arrays by name: `features.NAME` and `method.NAME`
    # The names of the weights in the text format, in the order of the weights; else empty.
    names: tuple[str, ...] = ()

    def header(self) -> dict[str, Any]:
        """Return all parts but the arrays."""
        return {name: getattr(self, name) for name in _MEMBERS}

    def of(self, room: str) -> dict[str, NDArray[Any]]:
        """Return the arrays of `features` or of `method`, by name without this prefix."""
        start = f"{room}."
        return {
            name.removeprefix(start): array
            for name, array in self.arrays.items()
            if name.startswith(start)
        }


def write_model(path: str | Path, parts: ModelParts) -> None:
    """Write a model to a file, atomically; equal models give equal files."""
    write_arrays(path, KIND, VERSION, parts.header(), parts.arrays)


def read_model(path: str | Path) -> ModelParts:
    """Read a model in the binary format.

    Raises
    ------
    FormatError
        When the file is not a model, is truncated or damaged, or is of another version.

    """
    header, arrays = read_arrays(path, KIND, VERSION)
    with of_file(str(path)):
        return _parts(header, arrays)


def export_model(path: str | Path, parts: ModelParts, names: Sequence[str]) -> None:
    """Write a model in the text format: JSON if the path ends in `.json`, else a table.

    Raises `InputError` when the path is a folder, a link or a device, or cannot be written to.

    `names` are the names of the features. Each is written before its weight, provided that the
    method has one weight a feature.
    """
    as_json = Path(path).suffix == ".json"
    with replace_file(path) as out:  # which refuses places before the work
        text = _as_json(parts, names) if as_json else _as_table(parts, names)
        out.write(text.encode("utf-8", "surrogatepass"))


def import_model(path: str | Path) -> ModelParts:
    """Read a model in the text format, from a table or from JSON.

    Raises `FormatError` when the file is not a model, or a line is malformed; the message names the
    line.
    """
    with of_file(str(path)):
        try:
            text = Path(path).read_bytes().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise FormatError(
                f"byte {error.start} is no UTF-8: want the readable form of a model (.tsv or .json)"
            ) from error
        return _from_json(text) if text.startswith("{") else _from_table(text)


def _as_table(parts: ModelParts, names: Sequence[str]) -> str:
    lines = [f"# {KIND} {VERSION}", _json(parts.header())]
    for name, array in parts.arrays.items():
        lines.append(f"# array\t{name}\t{array.dtype.str}\t{_json(list(array.shape))}")
        values = _each_as_json(array.ravel().tolist())
        if name == _WEIGHTS and array.shape == (len(names),):
            # JSON strings without quotation marks: tabs and line ends are escaped.
            quoted = (feature[1:-1] for feature in _each_as_json(names))
            lines.extend(f"{n}\t{value}" for n, value in zip(quoted, values, strict=True))
        else:
            lines.extend(values)
    return "\n".join(lines) + "\n"


def _from_table(text: str) -> ModelParts:
    lines = text.split("\n")
    _check_version(lines[0].removeprefix("# "))
    header = _loaded(lines[1] if len(lines) > 1 else "", 2)
    if not isinstance(header, dict):
        raise FormatError("want the header, an object of JSON", line=2)
    # Each array is a line with its name, type and shape, and then one line a value.
    arrays, names, at = {}, [], 2
    while at < len(lines) and lines[at]:
        fields = lines[at].rstrip("\r").split("\t")
        if len(fields) != 4 or fields[0] != "# array":
            raise FormatError(
                f"want '# array', its name, type and shape by tabs, found {lines[at]!r:.60}",
                line=at + 1,
            )
        kind, shape, cells = _shape(fields[2], _loaded(fields[3], at + 1), at + 1)
        rows = lines[at + 1 : at + 1 + cells]
        if len(rows) < cells or (rows and not rows[-1]):
            raise FormatError(
                f"the array {fields[1]!r} has {cells} values, and the file ends before: "
                f"export the model anew",
                line=len(lines),
            )
        values = [_loaded(row.rpartition("\t")[2], at + 2 + k) for k, row in enumerate(rows)]
        if fields[1] == _WEIGHTS and any("\t" in row for row in rows):
            quoted = '","'.join(row.rpartition("\t")[0] for row in rows)
            names = _loaded(f'["{quoted}"]', at + 2)
        arrays[fields[1]] = _array(values, kind, shape, at + 1)
        at += 1 + cells
    return _parts(header, arrays, names)


def _as_json(parts: ModelParts, names: Sequence[str]) -> str:
    arrays = {}
    for name, array in parts.arrays.items():
        values = array.ravel().tolist()
        if name == _WEIGHTS and array.shape == (len(names),):
            values = [[n, value] for n, value in zip(names, values, strict=True)]
        arrays[name] = {"type": array.dtype.str, "shape": list(array.shape), "values": values}
    head = {"format": KIND, "version": VERSION, **parts.header(), "arrays": arrays}
    return json.dumps(head, ensure_ascii=False, indent=1) + "\n"


def _from_json(text: str) -> ModelParts:
    head = _loaded(text, 1)
    _check_version(f"{head.get('format')} {head.get('version')}")
    arrays, names = {}, []
    named_arrays = head.get("arrays")
    for name, entry in (named_arrays if isinstance(named_arrays, dict) else {}).items():
        if not isinstance(entry, dict) or not isinstance(entry.get("values"), list):
            raise FormatError(f"array {name!r} has no list of values")
        kind, shape, _ = _shape(entry.get("type"), entry.get("shape"), None)
        pairs = [v if isinstance(v, list) and v else ["", v] for v in entry["values"]]
        if name == _WEIGHTS and any(pair[0] != "" for pair in pairs):
            names = [str(pair[0]) for pair in pairs]
        arrays[name] = _array([pair[-1] for pair in pairs], kind, shape, None)
    return _parts(head, arrays, names)


def _check_version(line: str) -> None:
    if line.rstrip("\r") != f"{KIND} {VERSION}":
        raise FormatError(
            f"want the readable form of a model of version {VERSION} ('{KIND} {VERSION}'), "
            f"found {line!r:.60}",
            line=1,
        )


def _shape(
    kind: object, shape: object, line: int | None
) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Check the type and the shape of an array; return both, and the number of values."""
    try:
        known = np.dtype(str(kind))
    except (TypeError, ValueError):
        known = np.dtype(object)
    sizes = shape if isinstance(shape, list) else [-1]
    cells = 1
    for size in sizes:
        cells = cells * size if isinstance(size, int) and 0 <= size <= _MOST_NUMBERS else -1
        if not 0 <= cells <= _MOST_NUMBERS:
            break
    if known.kind not in "biufU" or not 0 <= cells <= _MOST_NUMBERS:
        raise FormatError(
            f"an array of the type {kind!r:.30} and the shape {shape!r:.30}: want a type of "
            f"numbers or characters as '<f8', and a list of sizes",
            line=line,
        )
    return known, tuple(sizes), cells


def _array(
    values: list[Any], kind: np.dtype[Any], shape: tuple[int, ...], line: int | None
) -> NDArray[Any]:
    value_types: tuple[type, ...] = {"U": (str,), "b": (bool,), "f": (float, int)}.get(
        kind.kind, (int,)
    )
    try:
        if not all(isinstance(value, value_types) for value in values):
            raise TypeError(kind)  # noqa: TRY301 - reported below, with the others
        return np.array(values, dtype=kind).reshape(shape)
    except (ValueError, TypeError, OverflowError) as error:
        raise FormatError(
            f"the values of an array are not {shape} of the type {kind.str}: export the model anew",
            line=line,
        ) from error


def _parts(
    header: Mapping[str, Any], arrays: dict[str, NDArray[Any]], names: Sequence[str] = ()
) -> ModelParts:
    for name, kind in _MEMBERS.items():
        if not isinstance(header.get(name), kind):
            raise FormatError(
                f"the header has no {name!r} that is one: the file is damaged; make it anew"
            )
    members = {name: header[name] for name in _MEMBERS}
    return ModelParts(arrays=arrays, names=tuple(names), **members)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _each_as_json(values: Sequence[Any]) -> list[str]:
    """Return texts or numbers as JSON: encoded as one list, which takes a tenth of the time."""
    text = json.dumps(list(values), ensure_ascii=False, separators=("\n", ":"))
    return text[1:-1].split("\n") if len(values) else []


def _loaded(text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{text!r:.40} is no value of JSON", line=line) from error
