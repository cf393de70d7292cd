"""A model of features as a header for JSON and plain arrays, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.segment.bag_of_words import RarityWeights
from bitext.segment.feature_groups import FeatureOptions
from bitext.segment.learned_columns import Learned
from bitext.segment.lexicons import Lexicons, keys_of, parts_of
from bitext.segment.scaling import Bins, Range
from bitext.segment.text_view import Background
from bitext.segment.word_model import WordModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["read_parts", "write_parts"]

Arrays = dict[str, "NDArray[Any]"]

_BETWEEN = "\n"  # no label holds a line break


def _pack(forms: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings as bytes, a line each."""
    text = _BETWEEN.join(forms)
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _unpack(data: NDArray[Any], size: int) -> list[str]:
    """Return the strings of `_pack`."""
    found = data.tobytes().decode("utf-8", "surrogatepass").split(_BETWEEN) if size else []
    if len(found) != size:
        raise ValueError(f"{len(found)} labels for {size}")
    return found


def write_parts(
    options: FeatureOptions,
    longest: int,
    columns: Sequence[Learned],
    lexicons: Lexicons,
    background: Background,
) -> tuple[dict[str, Any], Arrays]:
    """Return the parts of a `FeatureModel`."""
    arrays: Arrays = {}
    entries = []
    for k, column in enumerate(columns):
        entry: dict[str, Any] = {"group": column.group, "name": column.name, "kind": column.kind}
        if column.bins is not None:
            arrays[f"features-{k}-edges"] = column.bins.edges
        elif column.limits is not None:
            arrays[f"features-{k}-range"] = np.array([column.limits.low, column.limits.high])
        elif column.keys is not None:
            entry["parts"] = [[name, by] for name, by in column.parts]
            numbers = parts_of(column.keys, len(column.parts))
            arrays[f"features-{k}-keys"] = numbers.T.astype(np.int32)
        else:
            entry["labels"] = len(column.forms)
            arrays[f"features-{k}-labels"] = _pack(column.forms)
        entries.append(entry)
    header: dict[str, Any] = {
        "options": {**asdict(options), "groups": list(options.groups)},
        "longest": longest,
        "columns": entries,
        "lexicons": {name: len(lexicons.forms(name)) for name in lexicons.names()},
    }
    for k, name in enumerate(lexicons.names()):
        arrays[f"features-lexicon-{k}"] = _pack(lexicons.forms(name))
    rarity, words = background
    if words is not None:
        header["words"] = {"known": len(words.forms), "sentences": words.sentences}
        arrays["features-words"] = _pack(words.forms)
        for name in ("counts", "pairs", "times"):
            arrays[f"features-words-{name}"] = getattr(words, name)
    if rarity is not None:
        header["rarity"] = {"sentences": rarity.sentences, "words": len(rarity.found)}
        arrays["features-rarity-words"] = _pack(list(rarity.found))
        arrays["features-rarity-times"] = np.array(list(rarity.found.values()), dtype=np.int32)
    return header, arrays


def read_parts(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[FeatureOptions, int, list[Learned], Lexicons, Background]:
    """Return what `write_parts` was given.

    Raises
    ------
    KeyError, TypeError, ValueError, IndexError
        When parts are missing or do not fit each other.

    """
    options = FeatureOptions(**header["options"])
    rarity = None
    if "rarity" in header:
        words = _unpack(arrays["features-rarity-words"], header["rarity"]["words"])
        times = arrays["features-rarity-times"].tolist()
        found = dict(zip(words, times, strict=True))
        rarity = RarityWeights(int(header["rarity"]["sentences"]), found)
    model = None
    if "words" in header:
        forms = _unpack(arrays["features-words"], header["words"]["known"])
        counts, pairs, times = (
            arrays[f"features-words-{name}"].astype(np.int64)
            for name in ("counts", "pairs", "times")
        )
        if counts.shape != (len(forms) + 1,) or pairs.shape != times.shape:
            raise ValueError(f"{len(forms)} words, {len(counts)} counts")
        model = WordModel(forms, counts, pairs, times, int(header["words"]["sentences"]))
    lexicons = Lexicons(
        {
            name: _unpack(arrays[f"features-lexicon-{k}"], size)
            for k, (name, size) in enumerate(header["lexicons"].items())
        }
    )
    columns = [
        _column(entry, f"features-{k}-", arrays, lexicons, options)
        for k, entry in enumerate(header["columns"])
    ]
    longest = header["longest"]
    if type(longest) is not int or longest < 1:
        raise ValueError(f"longest is {longest!r}")
    return options, longest, columns, lexicons, Background(rarity, model)


def _column(
    entry: Mapping[str, Any],
    prefix: str,
    arrays: Mapping[str, NDArray[Any]],
    lexicons: Lexicons,
    options: FeatureOptions,
) -> Learned:
    column = Learned(entry["group"], entry["name"], entry["kind"])
    if column.group not in options.groups:
        raise ValueError(f"group {column.group!r} is not among those named")
    if column.kind == "bins":
        column.bins = Bins(arrays[f"{prefix}edges"].tolist())
    elif column.kind == "min-max":
        column.limits = Range(*arrays[f"{prefix}range"].tolist())
    elif column.kind == "joint":
        column.parts = [(str(name), int(by)) for name, by in entry["parts"]]
        column.keys = _keys(arrays[f"{prefix}keys"], column.parts, lexicons)
    elif column.kind in {"labels", "bag"}:
        column.forms = _unpack(arrays[f"{prefix}labels"], entry["labels"])
    else:
        raise ValueError(f"kind {column.kind!r}")
    return column


def _keys(
    numbers: NDArray[Any], parts: Sequence[tuple[str, int]], lexicons: Lexicons
) -> NDArray[np.int64]:
    if numbers.ndim != 2 or len(numbers) != len(parts) or numbers.dtype.kind not in "iu":
        raise ValueError(f"keys of shape {numbers.shape} for {len(parts)} parts")
    for row, (name, _) in zip(numbers, parts, strict=True):
        size = len(lexicons.forms(name))
        if row.size and not 0 <= int(row.min()) <= int(row.max()) <= size:
            raise ValueError(f"a label of {name!r} beyond its {size}")
    return keys_of(numbers.T)
