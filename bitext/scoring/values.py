"""Gold standards, references and systems as callers in Python give them: paths, values, or both.

Paths stay paths. What is in memory has a name in place of a path, by which its texts are returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.formats.corpora import text_name
from bitext.formats.io.remote import called
from bitext.model import Alignment, Bitext, Segmentation
from bitext.model.segmentations import Segmentations
from bitext.scoring.common import distinct_names, place_of

if TYPE_CHECKING:
    import os

    Loaded = Bitext | Alignment
    Corpus = str | os.PathLike[str] | Loaded | Sequence[Loaded] | Mapping[str, Loaded]


def alignments_of(
    gold: Corpus, systems: Mapping[str, Corpus] | Sequence[Corpus] | Corpus
) -> tuple[str, dict[str, str], dict[str, tuple[Bitext, ...]]]:
    """Return the gold standard, the systems by name, and the texts of those in memory.

    Paths are paths; what is in memory has a name in their place, by which its texts are returned.
    """
    memory: dict[str, tuple[Bitext, ...]] = {}

    def place(value: Corpus, label: str) -> str:
        if (path := place_of(value)) is not None:
            return path
        memory[label] = _bitexts(value, label)
        return label

    where = place(gold, "the gold standard")
    size = len(memory.get(where, ()))
    named = systems if isinstance(systems, Mapping) else _named(systems, where, several=size > 1)
    if not named:
        raise InputError("there is no system: give at least one")
    paths = {str(name): place(value, f"system {name}") for name, value in named.items()}
    return where, paths, _alike(memory, where)


def _named(given: Sequence[Corpus] | Corpus, gold: str, *, several: bool) -> dict[str, Any]:
    """Return systems that are given without names by name."""
    one = place_of(given) is not None or isinstance(given, Bitext | Alignment)
    listed: list[Any] = [given] if one else list(given)  # type: ignore[arg-type]
    loaded = all(isinstance(each, Bitext | Alignment) for each in listed)
    if several and not one and loaded:
        return {"system": listed}  # the texts of one system
    paths = [path for each in listed if (path := place_of(each)) is not None]
    if len(paths) == len(listed) and paths:
        return dict(distinct_names(paths, [gold], role="a system"))
    if len(listed) == 1:
        return {getattr(listed[0], "name", "") or "system": listed[0]}
    return {f"system {k + 1}": each for k, each in enumerate(listed)}


def _bitexts(value: Corpus, label: str) -> tuple[Bitext, ...]:
    """Return the texts of a gold standard or of a system in memory, with different names."""
    items: list[tuple[str, Any]]
    if isinstance(value, Bitext | Alignment):
        items = [(_name_of(value), value)]
    elif isinstance(value, Mapping):
        items = [(str(name), each) for name, each in value.items()]
    elif isinstance(value, Iterable):
        items = [(_name_of(each), each) for each in value]
    else:
        items = [("", value)]
    bitexts = []
    for k, (name, each) in enumerate(items):
        if not isinstance(each, Bitext | Alignment):
            raise InputError(
                f"{label}: has {each!r:.60}: want a path, a Bitext or an Alignment, or a list or "
                f"dict of texts"
            )
        bitext = each if isinstance(each, Bitext) else Bitext(None, None, each)
        bitexts.append(replace(bitext, name=name or str(k + 1)))
    if not bitexts:
        raise InputError(f"{label}: has no text: give at least one")
    if len({bitext.name for bitext in bitexts}) < len(bitexts):
        bitexts = [replace(bitext, name=str(k + 1)) for k, bitext in enumerate(bitexts)]
    return tuple(bitexts)


def _name_of(value: object) -> str:
    """Return the name of a bitext, or that of its file; empty where it has neither."""
    if not isinstance(value, Bitext):
        return ""
    path = value.meta.get("path", "")
    return value.name or (
        text_name(Path(Path(called(path).partition(",")[0]).name)) if path else ""
    )


def _alike(memory: dict[str, tuple[Bitext, ...]], gold: str) -> dict[str, tuple[Bitext, ...]]:
    """Name the texts of systems as those of the gold standard, in order, where no name is in both.

    Raises
    ------
    InputError
        When a system has another number of texts, and no text has a name of the gold standard.

    """
    golds = memory.get(gold)
    if golds is None:
        return memory
    names = [bitext.name for bitext in golds]
    alike = {gold: golds}
    for label, bitexts in memory.items():
        if label == gold or {bitext.name for bitext in bitexts} & {*names}:
            alike[label] = bitexts
            continue
        if len(bitexts) != len(names):
            raise InputError(
                f"{label}: has {len(bitexts)} texts, and the gold standard has {len(names)}: want "
                f"a text each in the same order, or the same names"
            )
        alike[label] = tuple(
            replace(bitext, name=name) for bitext, name in zip(bitexts, names, strict=True)
        )
    return alike


def references_of(first: Any, further: Any, memory: dict[str, Segmentations]) -> dict[str, str]:
    """Return the references by name; put those in memory into `memory`."""
    given = _several(first)
    if place_of(further) is not None or isinstance(further, Segmentation) or len(further):
        given += _several(further)
    paths = [path for _, value in given if (path := place_of(value)) is not None]
    if len(paths) == len(given):
        return distinct_names(paths, [], role="a reference")
    numbered = (
        [f"reference {k + 1}" for k in range(len(given))] if len(given) > 1 else ["reference"]
    )
    names = [name or number for (name, _), number in zip(given, numbered, strict=True)]
    values = zip(names, [value for _, value in given], strict=True)
    return {name: _place(value, name, memory) for name, value in values}


def _several(given: Any) -> list[tuple[str, Any]]:
    """Return references with their names, which are empty where none is given."""
    if _is_texts(given):
        return [("", given)]
    if isinstance(given, Mapping):
        return [(str(name), value) for name, value in given.items()]
    return [("", value) for value in given]


def _is_texts(given: Any) -> bool:
    """Return whether a value is the texts of one reference or system."""
    if place_of(given) is not None or isinstance(given, Segmentation | Segmentations):
        return True
    values = list(given.values() if isinstance(given, Mapping) else _iterated(given))
    return bool(values) and all(isinstance(each, Segmentation) for each in values)


def _iterated(given: Any) -> Iterable[Any]:
    if isinstance(given, Iterable):
        return given
    raise InputError(
        f"{given!r:.60} is no segmentation: want a path, a Segmentation, or a list or dict of texts"
    )


def systems_of(
    given: Any, references: Mapping[str, str], memory: dict[str, Segmentations], *, none: bool
) -> dict[str, str]:
    """Return the systems by name; put those in memory into `memory`; `none` may be given."""
    if none and place_of(given) is None and isinstance(given, Sequence | Mapping) and not given:
        return {}
    if isinstance(given, Mapping) and not isinstance(given, Segmentations):
        named = {str(name): value for name, value in given.items()}
    else:
        texts = len(next(iter(memory.values()), ()))
        one = place_of(given) is not None or isinstance(given, Segmentation | Segmentations)
        listed = [given] if one else list(_iterated(given))
        loaded = all(isinstance(each, Segmentation) for each in listed)
        if loaded and not one and texts > 1:
            listed = [listed]  # the texts of one system
        paths = [path for each in listed if (path := place_of(each)) is not None]
        if paths and len(paths) == len(listed):
            return distinct_names(paths, list(references.values()), role="a system")
        named = {
            f"system {k + 1}" if len(listed) > 1 else "system": v for k, v in enumerate(listed)
        }
    if not named:
        raise InputError("there is no system: give at least one")
    return {name: _place(value, f"system {name}", memory) for name, value in named.items()}


def _place(value: Any, label: str, memory: dict[str, Segmentations]) -> str:
    """Return the path of texts, or the label by which `memory` then has them."""
    if (path := place_of(value)) is not None:
        return path
    memory[label] = _table(value, label)
    return label


def _table(value: Any, label: str) -> Segmentations:
    if isinstance(value, Segmentations):
        return value
    if isinstance(value, Segmentation):
        return Segmentations.of({"1": value})
    values = dict(value) if isinstance(value, Mapping) else dict(enumerate(_iterated(value), 1))
    wrong = next((each for each in values.values() if not isinstance(each, Segmentation)), None)
    if wrong is not None or not values:
        what = f"has {wrong!r:.60}" if values else "has no text"
        raise InputError(
            f"{label}: {what}: want a path, a Segmentation, or a list or dict of texts"
        )
    return Segmentations.of({str(name): each for name, each in values.items()})
