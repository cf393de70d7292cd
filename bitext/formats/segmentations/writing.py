"""Writing segmentations in the notations that are read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError, OptionError, did_you_mean
from bitext.formats.segmentations.detection import is_separator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.model import Segmentation

WRITTEN = {
    "jsonl": ".jsonl",
    "segeval": ".json",
    "masses": ".masses",
    "positions": ".positions",
    "bits": ".bits",
    "begin-bits": ".bits",
    "end-bits": ".bits",
    "bits-final": ".bits",
    "labels": ".labels",
    "bio": ".labels",
    "text": ".txt",
    "blank-lines": ".txt",
    "rules": ".ref",
}
"""The notations that are written, with the endings of their files."""
TYPED = frozenset(["jsonl"])  # notations with types of boundaries
OF_CODERS = frozenset(["segeval"])  # notations with several coders
_OF_UNITS = frozenset(["labels", "bio", "text", "blank-lines", "rules"])
_RULE = "=========="


def written(
    coders: Mapping[str, Segmentation],
    spelling: str,
    *,
    name: str = "text",
    units: Sequence[str] = (),
) -> str:
    r"""Return the file of one text, the same for the same segmentations.

    Parameters
    ----------
    coders : mapping of str to Segmentation
        The segmentation of each coder; one alone, but for `segeval`.
    spelling : str
        One of `WRITTEN`. `labels` and `bio` have a unit, a tab and its label in each line; `rules`
        are the texts of Choi, with a line of `=` around each segment.
    name : str
        The name of the text, in JSON.
    units : sequence of str
        The characters of the units, for `text`, `blank-lines`, `rules`, `labels` and `bio`.

    Raises
    ------
    OptionError
        When the notation is not known or not written, or is of one coder and there are several.
    InputError
        When the notation cannot have the text: no place for a boundary, or a unit like a separator.

    Examples
    --------
    >>> from bitext.model import Segmentation
    >>> written({"": Segmentation([2, 1])}, "rules", units=["It rained.", "We stayed.", "Then"])
    '==========\nIt rained.\nWe stayed.\n==========\nThen\n==========\n'

    """
    if spelling not in WRITTEN:
        hint = did_you_mean(spelling, WRITTEN)
        raise OptionError(
            f"segmentations are not written as {spelling!r:.40}; {hint}want one of "
            f"{', '.join(WRITTEN)}"
        )
    if spelling == "segeval":
        items = {name: {coder: each.masses.tolist() for coder, each in coders.items()}}
        return _json({"items": items, "segmentation_type": "linear"})
    if len(coders) != 1:
        raise OptionError(f"{spelling} is of one coder, and there are {len(coders)}: take segeval")
    (segmentation,) = coders.values()
    if spelling == "jsonl":
        if segmentation.types is None:
            return _json({"id": name, "masses": segmentation.masses.tolist()})
        sets: list[list[int | str]] = [[] for _ in range(segmentation.n - 1)]
        for at, types in zip(segmentation.boundaries.tolist(), segmentation.types, strict=True):
            sets[at - 1] = sorted(types, key=str)
        return _json({"id": name, "types": sets})
    if spelling in _OF_UNITS:
        return _with_units(segmentation, spelling, units)
    return _numbers(segmentation, spelling) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _numbers(segmentation: Segmentation, spelling: str) -> str:
    if spelling == "masses":
        return ",".join(map(str, segmentation.masses.tolist()))
    if spelling == "positions":
        return ",".join(map(str, np.cumsum(segmentation.masses).tolist()))
    if spelling == "bits":
        if segmentation.n == 1:
            raise InputError("bits are places between units, and the text has one unit: no place")
        return segmentation.bits()
    inner = segmentation.bits()
    return f"1{inner}" if spelling == "begin-bits" else f"{inner}1"


def _with_units(segmentation: Segmentation, spelling: str, units: Sequence[str]) -> str:
    if len(units) != segmentation.n:
        raise InputError(f"{spelling}: want the characters of the {segmentation.n} units")
    cells = [" ".join(unit.split()) for unit in units]
    if spelling in {"labels", "bio"}:
        if spelling == "bio":
            labels = ["I"] * segmentation.n
            for start, _ in segmentation.spans():
                labels[start] = "B"
        else:
            labels = [str(k + 1) for k in segmentation.labels().tolist()]
        return "".join(f"{cell}\t{label}\n" for cell, label in zip(cells, labels, strict=True))
    wrong = next((k for k, cell in enumerate(cells) if not cell or is_separator(cell)), None)
    if wrong is not None:
        raise InputError(
            f"unit {wrong + 1} is {cells[wrong]!r:.40}, which is a separator in {spelling}: take "
            f"another format, as jsonl"
        )
    lines: list[str] = []
    for start, end in segmentation.spans():
        if spelling == "rules":
            lines.append(_RULE)
        elif start:
            lines.append("")
        lines += cells[start:end]
    return "".join(f"{line}\n" for line in [*lines, *[_RULE] * (spelling == "rules")])
