"""Gold standards, references, systems and metrics as callers in Python give them.

Texts are paths, values, or both. Paths stay paths; a value in memory has a name in place of a path,
by which its texts are returned. Metrics are names, or functions.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import numpy as np

from bitext.errors import InputError, OptionError, SegmentationError, is_series, many
from bitext.formats.corpora import text_name
from bitext.formats.io.remote import called
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import Scored, SegmentEvaluation
from bitext.metrics.registry import Metric, NamedMetric, Over, metric_of, own_metrics, score_each
from bitext.model import Alignment, Bitext, CountsTable, Segmentation, WordLinks
from bitext.model.counts import common_empty
from bitext.model.segmentation import Segmentations
from bitext.model.word_links import COLUMN, LinkColumn
from bitext.paths import may_be_there
from bitext.reports import comparisons
from bitext.reports.table import Look, beside
from bitext.scoring.common import by_name, distinct_names, figure_row, place_of

if TYPE_CHECKING:
    import os

    from bitext.formats.corpora.pairing import TextSet

if TYPE_CHECKING:
    Loaded = Bitext | Alignment | WordLinks
    Corpus = str | os.PathLike[str] | Loaded | Sequence[Loaded] | Mapping[str, Loaded]


def alignments_of(
    gold: Corpus, systems: Mapping[str, Corpus] | Sequence[Corpus] | Corpus
) -> tuple[str, dict[str, str], dict[str, tuple[Bitext, ...]]]:
    """Return the gold standard, the systems by name, and the texts of those in memory.

    Paths stay paths; a value in memory has a name in place of a path, by which its texts are
    returned.
    """
    memory: dict[str, tuple[Bitext, ...]] = {}
    numbered: set[str] = set()  # labels of texts without names of their own

    def place(value: Corpus, label: str) -> str:
        if (path := place_of(value)) is not None:
            return path
        memory[label], named = _bitexts(value, label)
        numbered.update([] if named else [label])
        return label

    gold, systems = by_labels(gold, systems)
    gold, systems = _of_series(gold), _of_series(systems)
    gold_path = place(gold, "the gold standard")
    size = len(memory.get(gold_path, ()))
    named_systems = (
        by_name(systems)
        if isinstance(systems, Mapping)
        else _named(systems, gold_path, several_texts=size > 1)
    )
    if not named_systems:
        raise InputError("there is no system: give at least one")
    named_systems = {name: _of_series(value) for name, value in named_systems.items()}
    paths = {name: place(value, f"system {name}") for name, value in named_systems.items()}
    if isinstance(gold, Mapping):
        for name, value in named_systems.items():
            if isinstance(value, Mapping):
                _check_names(memory[gold_path], memory[f"system {name}"], f"system {name}")
    return gold_path, paths, _paired_by_order(memory, gold_path, numbered)


def by_labels(*given: Any) -> tuple[Any, ...]:
    """Turn Series of pandas into dicts if another value has its texts by number.

    Returns all values. The labels 0, 1, 2 ... of a Series are places in a list only if no text is
    missing elsewhere.
    """
    if any(map(_has_numbers, given)):
        return tuple(map(_labelled, given))
    return given


def _has_numbers(value: Any) -> bool:
    """Check for texts by numbers that are not 0, 1, 2 ... in a Series, or 1, 2, 3 ... in a dict."""
    if isinstance(value, list | tuple):
        return any(not isinstance(each, _TEXTS) and _has_numbers(each) for each in value)
    is_dict = isinstance(value, Mapping)
    if not (is_dict or is_series(value)) or isinstance(value, Segmentations) or not len(value):
        return False
    labels, items = zip(*value.items(), strict=True)
    if not all(isinstance(item, _TEXTS) for item in items):
        return any(map(_has_numbers, items))
    if not all(isinstance(label, int | np.integer) for label in labels):
        return False
    places = range(is_dict, len(labels) + is_dict)
    return (sorted(labels) if is_dict else [*labels]) != [*places]


def _labelled(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_labelled(each) for each in value]
    if isinstance(value, Mapping) and not isinstance(value, Segmentations):
        return {name: _labelled(each) for name, each in value.items()}
    if not is_series(value):
        return value
    _check_index(value)
    return {name: _labelled(each) for name, each in value.items()}


def _check_index(series: Any) -> None:
    if len({name for name, _ in series.items()}) < sum(1 for _ in series.items()):
        raise InputError("the index of a Series has a name twice: want one name for each text")


def _check_numbers(names: Iterable[str], others: Iterable[str], label: str) -> None:
    """Refuse texts by name beside those of a list, if only some are named as these: 1, 2, 3 ..."""
    one, other = {*names}, {*others}
    if one != other and one & other:
        raise InputError(
            f"{label}: some texts are named by numbers, as {min(one & other)!r}, beside texts of a "
            f"list, which have none: give lists of all texts in one order, or all texts by name"
        )


def _of_series(value: Any) -> Any:
    """Return a Series of pandas as a dict by its index, or as a list if it only counts from 0.

    Raises `InputError` for a set, which has no order, and for an index with a name twice.
    """
    if isinstance(value, AbstractSet):
        raise InputError("the texts are a set, which has no order: want a list, or a dict by name")
    if not is_series(value):
        return value
    items = list(value.items())
    if [name for name, _ in items] == list(range(len(items))):
        return [each for _, each in items]
    _check_index(value)
    return dict(items)


_LOADED = (Bitext, Alignment, WordLinks)
_TEXTS = (*_LOADED, Segmentation)
_ALIGNMENTS = "a path, a Bitext or an Alignment, or WordLinks, or a list or dict of texts"


def _check_names(golds: Sequence[Bitext], bitexts: Sequence[Bitext], label: str) -> None:
    """Refuse several texts of a system whose given names are all others than those of the gold."""
    names = {bitext.name for bitext in golds}
    if len(bitexts) > 1 and names.isdisjoint(bitext.name for bitext in bitexts):
        raise InputError(
            f"{label}: no text has a partner of the same name in the gold standard: "
            f"{bitexts[0].name!r} against {golds[0].name!r}; name the texts alike, or give lists, "
            f"whose texts are taken in order"
        )


def _named(systems: Sequence[Corpus] | Corpus, gold: str, *, several_texts: bool) -> dict[str, Any]:
    """Return systems that are given without names by name."""
    one = place_of(systems) is not None or isinstance(systems, _LOADED)
    if not one and (not isinstance(systems, Iterable) or isinstance(systems, bytes)):
        raise InputError(f"the systems are {systems!r:.60}: want {_ALIGNMENTS}")
    items: list[Any] = [systems] if one else list(systems)  # type: ignore[arg-type]
    loaded = all(isinstance(each, _LOADED) for each in items)
    if several_texts and not one and loaded:
        return {"system": items}  # the texts of one system
    paths = [path for each in items if (path := place_of(each)) is not None]
    if len(paths) == len(items) and paths:
        return dict(distinct_names(paths, [gold], role="a system"))
    if len(items) == 1:
        return {getattr(items[0], "name", "") or "system": items[0]}
    return {f"system {k + 1}": each for k, each in enumerate(items)}


def _bitexts(value: Corpus, label: str) -> tuple[tuple[Bitext, ...], bool]:
    """Return the texts of a gold standard or of a system in memory, with different names.

    The second value is False where the names are numbers in order, as some text had none.
    """
    items: list[tuple[str, Any]]
    if isinstance(value, _LOADED):
        items = [(_name_of(value), value)]
    elif isinstance(value, Mapping):
        items = list(by_name(value, _composed).items())
    elif isinstance(value, Iterable) and not isinstance(value, bytes):
        items = [(_name_of(each), each) for each in value]
    else:
        items = [("", value)]
    bitexts = []
    for k, (name, each) in enumerate(items):
        if place_of(each) is not None:
            raise InputError(
                f"{label}: has the path {each}: give the folder of its files, a manifest, or "
                f"what they hold, as [bitext.read(path) for path in paths]"
            )
        if not isinstance(each, _LOADED):
            raise InputError(f"{label}: has {each!r:.60}: want {_ALIGNMENTS}")
        each = _of_links(each) if isinstance(each, WordLinks) else each
        bitext = each if isinstance(each, Bitext) else Bitext(None, None, each)
        bitexts.append(replace(bitext, name=name or str(k + 1)))
    if not bitexts:
        raise InputError(f"{label}: has no text: give at least one")
    if len({bitext.name for bitext in bitexts}) < len(bitexts):
        bitexts = [replace(bitext, name=str(k + 1)) for k, bitext in enumerate(bitexts)]
        return tuple(bitexts), False
    return tuple(bitexts), any(name for name, _ in items)


def _composed(name: object) -> str:
    """Return the name of a text with composed accents, as names in files are read."""
    return normalize("NFC", str(name))


def _of_links(links: WordLinks) -> Bitext:
    """Return word links as they are read from a file of links alone, a sentence pair a line."""
    rows = np.arange(len(links) + 1), np.arange(len(links))
    column = {COLUMN: LinkColumn(links.spell(), links)}
    alignment = Alignment.from_arrays(rows, rows, attributes=column)
    return Bitext(None, None, alignment, meta={"format": "pharaoh"})


def _name_of(value: object) -> str:
    """Return the name of a bitext, or that of its file; empty if it has neither."""
    if not isinstance(value, Bitext):
        return ""
    path = value.meta.get("path", "")
    return value.name or (
        text_name(Path(Path(called(path).partition(",")[0]).name)) if path else ""
    )


def _paired_by_order(
    memory: dict[str, tuple[Bitext, ...]], gold: str, numbered: Container[str]
) -> dict[str, tuple[Bitext, ...]]:
    """Name the texts of systems as those of the gold standard, in order, where no name is in both.

    Raises `InputError` when a system has another number of texts, and no text has a name of the
    gold standard, or those of the system have no names.
    """
    golds = memory.get(gold)
    if golds is None:
        return memory
    names = [bitext.name for bitext in golds]
    memory_by_name = {gold: golds}
    for label, bitexts in memory.items():
        if gold in numbered and label not in numbered:
            _check_numbers(names, (bitext.name for bitext in bitexts), label)
        known = label not in numbered and not {*names}.isdisjoint(b.name for b in bitexts)
        if label == gold or known:
            memory_by_name[label] = bitexts
            continue
        if len(bitexts) != len(names):
            raise InputError(
                f"{label}: has {many(len(bitexts), 'text')}, and the gold standard has "
                f"{len(names)}: want a text each in the same order, or the same names"
            )
        memory_by_name[label] = tuple(
            replace(bitext, name=name) for bitext, name in zip(bitexts, names, strict=True)
        )
    return memory_by_name


def references_of(
    first: Any, further: Any, memory: dict[str, Segmentations], *, coders: bool = False
) -> dict[str, str]:
    """Return the references by name; put those in memory into `memory`.

    Where they are `coders`, several `Segmentation` in a list or by name are one of each, of one
    text: a single coder of several texts has no agreement.
    """
    first, further = _listed(first), _listed(further)
    is_one = place_of(further) is not None or isinstance(further, Segmentation)
    has_more = is_one or any(True for _ in _iterated(further))
    if coders and not has_more and _is_loaded(first):
        pairs = by_name(first).items() if isinstance(first, Mapping) else (("", s) for s in first)
        items = [(name, [each]) for name, each in pairs]
    else:
        items = _named_items(first)
    if isinstance(first, Segmentation) and not is_one and is_numbered(further):
        items += [("", each) for each in further]  # of the one text
    elif has_more:
        items += _named_items(further)
    if not items:
        raise InputError("the reference: has no text: give at least one")
    paths = [path for _, value in items if (path := place_of(value)) is not None]
    if len(paths) == len(items):
        _refuse_labels(paths, "the reference")
        return distinct_names(paths, [], role="a reference")
    numbered = (
        [f"reference {k + 1}" for k in range(len(items))] if len(items) > 1 else ["reference"]
    )
    names = [name or number for (name, _), number in zip(items, numbered, strict=True)]
    places = {}
    for name, (_, value) in zip(names, items, strict=True):
        places[name] = _place(value, name, memory)
        if {names[0], name} <= memory.keys() and is_numbered(value) != is_numbered(items[0][1]):
            _check_numbers(memory[names[0]], memory[name], name)
        sizes = [len(memory[each]) for each in (names[0], name) if each in memory]
        if len({*sizes}) > 1 and is_numbered(value) and is_numbered(items[0][1]):
            raise InputError(
                f"{name}: has {many(sizes[1], 'text')}, and {names[0]} has {sizes[0]}: want a text "
                f"each in the same order, or texts by name"
            )
    return places


def _named_items(given: Any) -> list[tuple[str, Any]]:
    """Return references with their names, which are empty where none is given."""
    if _is_texts(given):
        return [("", given)]
    if isinstance(given, Mapping):
        return list(by_name(given).items())
    return [("", value) for value in given]


_SEGMENTATIONS = (
    "a path, a Segmentation, as Segmentation([5, 5, 1, 3]) of masses or "
    "Segmentation.from_labels(labels), or a list or dict of these"
)


def _refuse_labels(paths: Sequence[str], where: str) -> None:
    """Refuse strings that repeat, or are 0s and 1s alone, and name no file."""
    signs = {*"".join(paths)} <= {"0", "1"}
    if (signs or len({*paths}) < len(paths)) and not any(map(may_be_there, paths)):
        way = _SEGMENTATIONS.replace("from_labels(labels)", "from_bits('0010')") * signs
        raise InputError(f"{where}: {paths[0]!r:.60} is no path: want {way or _SEGMENTATIONS}")


def _is_texts(value: Any) -> bool:
    """Check whether a value holds the texts of a single reference or system."""
    if place_of(value) is not None or isinstance(value, Segmentation | Segmentations):
        return True
    values = list(value.values() if isinstance(value, Mapping) else _iterated(value))
    return bool(values) and all(isinstance(each, Segmentation) for each in values)


def _listed(value: Any) -> Any:
    """Return an iterator, readable only once, as a list, and a Series as a dict or a list."""
    value = list(value) if isinstance(value, Iterator) else _of_series(value)
    if isinstance(value, Segmentations) or not isinstance(value, Mapping | list):
        return value
    if isinstance(value, list):
        return [_of_series(each) for each in value]
    return {name: _of_series(each) for name, each in value.items()}


def _is_loaded(value: Any) -> bool:
    """Return True for several `Segmentation` in a list or by name."""
    alone = place_of(value) is not None or isinstance(value, Segmentation | Segmentations)
    return not alone and _is_texts(value)


def _iterated(value: Any) -> Iterable[Any]:
    if isinstance(value, Iterable):
        return value
    raise InputError(f"{value!r:.60} is no segmentation: want {_SEGMENTATIONS}")


def systems_of(
    given: Any,
    references: Mapping[str, str],
    memory: dict[str, Segmentations],
    *,
    none: bool,
    numbered: bool = False,
) -> dict[str, str]:
    """Return the systems by name; put those in memory into `memory`; `none` may be given.

    Raises `InputError` when there is no system, a value is not a segmentation, or the texts of the
    references are `numbered`, as those of a list, and a list of a system has another number.
    """
    given = _listed(given)
    if none and place_of(given) is None and isinstance(given, Sequence | Mapping) and not given:
        return {}
    known = next(iter(memory.values()), Segmentations.of({}))
    texts = len(known)
    if isinstance(given, Mapping) and not isinstance(given, Segmentations):
        named_systems = by_name(given)
        loaded = bool(named_systems) and all(
            isinstance(each, Segmentation) for each in named_systems.values()
        )
        if loaded and (texts > 1 or [*named_systems] == [*known]):
            named_systems = {"system": given}  # the texts of one system
    else:
        one = place_of(given) is not None or isinstance(given, Segmentation | Segmentations)
        items = [given] if one else list(_iterated(given))
        loaded = all(isinstance(each, Segmentation) for each in items)
        if loaded and items and not one and texts > 1:
            items = [items]  # the texts of one system
        paths = [path for each in items if (path := place_of(each)) is not None]
        if paths and len(paths) == len(items):
            _refuse_labels(paths, "the systems")
            return distinct_names(paths, list(references.values()), role="a system")
        named_systems = {
            f"system {k + 1}" if len(items) > 1 else "system": v for k, v in enumerate(items)
        }
    if not named_systems:
        raise InputError(
            "there is no system: give at least one, or agreement=True for references alone"
        )
    places = {}
    for name, value in named_systems.items():
        places[name] = _place(value, f"system {name}", memory)
        if (table := memory.get(f"system {name}")) and is_numbered(value) != numbered and texts:
            _check_numbers(known, table, f"system {name}")
        found = len(memory.get(f"system {name}", ()))
        if numbered and texts and found not in {0, texts} and is_numbered(value):
            raise InputError(
                f"system {name}: has {many(found, 'text')}, and the reference has {texts}: want a "
                f"text each in the same order, or texts by name; several references of one text "
                f"are given by ref="
            )
    return places


def is_numbered(value: Any) -> bool:
    """Return True for texts in memory without names."""
    return place_of(value) is None and not isinstance(_of_series(value), Mapping | Segmentations)


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
    others = [each for each in values.values() if not isinstance(each, Segmentation)]
    if others and (path := place_of(others[0])) is not None:
        raise InputError(
            f"{label}: has the path {path}: give the folder of its files, a manifest, or what "
            f"they hold, as {{**bitext.read_segmentations(one), **bitext.read_segmentations(two)}}"
        )
    if others or not values:
        fault = f"has {others[0]!r:.60}" if values else "has no text"
        raise InputError(f"{label}: {fault}: want {_SEGMENTATIONS}")
    return Segmentations.of(by_name(values, _composed))


# Functions as metrics of `compare` and `evaluate`, and their scores.

Metrics = (
    str | Callable[..., Any] | Sequence[str | Callable[..., Any]] | Mapping[str, Callable[..., Any]]
)


def functions_of(given: Metrics, *, over: Over) -> tuple[tuple[str, ...], list[Metric[..., Any]]]:
    """Return the metrics that are given as strings, and those that are functions.

    Raises `OptionError` when a value is neither, or a function has the name of a metric of
    `bitext`.
    """
    if isinstance(given, str) or callable(given):
        given = [given]
    if not isinstance(given, Iterable):
        raise OptionError(f"the metric is {given!r:.60}: want a name or a function, or several")
    items = given.items() if isinstance(given, Mapping) else (("", each) for each in given)
    texts, functions = [], []
    for name, each in items:
        if isinstance(each, str):
            texts.append(each)
            continue
        metric = metric_of(each, str(name), over=over)
        if metric.over != over:
            raise OptionError(f"metric {metric.name!r} is over {metric.over}: want one over {over}")
        builtin = own_metrics().get(metric.name)
        if builtin not in {None, metric}:
            raise OptionError(
                f"metric {metric.name!r}: bitext has one of this name; give the function another, "
                f"as {{'my-{metric.name}': function}}"
            )
        functions.append(metric)
    names = [function.name for function in functions]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise OptionError(f"metric {repeated!r} is given twice: want each once")
    return tuple(texts), functions


class FunctionScores:
    """The figures of functions of two bitexts, text by text, with averages, intervals and tests.

    The functions are metrics over alignments, called for each text.
    """

    def __init__(
        self, systems: Sequence[str], functions: Sequence[Metric[..., Any]], options: Sampling
    ) -> None:
        self._systems, self._options = list(systems), options
        self._metrics = [NamedMetric(function) for function in functions]
        self._columns: dict[tuple[int, int], list[list[float]]] = {}
        self._means: dict[tuple[int, int], list[tuple[bool, float, str]]] = {}
        self._kinds: dict[int, str] = {}
        self._sizes: dict[str, int] = {}

    def add(self, item: TextSet) -> None:
        """Score a text of all systems.

        Raises `InputError` when a function fails, or returns no number, `Ratio` or `Counts`.
        """
        self._sizes[item.name] = len(item.gold.alignment)
        for s, hyp in enumerate(item.hyps):
            for m, metric in enumerate(self._metrics):
                place = f"text {item.name!r}: {metric.label}: "
                try:
                    result = score_each(metric.metric, [("", item.gold, hyp)])
                except SegmentationError as error:
                    raise InputError(f"{place}{error}") from error
                row = np.asarray(result.counts, dtype=np.float64)[0].tolist()
                self._columns.setdefault((s, m), []).append(row)
                kind = "counts"
                if not isinstance(result, CountsTable):
                    part = (not row[1], result.empty, result.reason)
                    self._means.setdefault((s, m), []).append(part)
                    # A number is a ratio to 1, which has no reason to be undefined.
                    kind = "number" if row[1] == 1 and not result.reason else "ratio"
                if self._kinds.setdefault(m, kind) != kind:
                    raise InputError(f"{place}returns another type than for a text before")

    def evaluation(self) -> SegmentEvaluation:
        """Return the evaluation, with the texts as units of one segment per gold bisegment."""
        texts = Segmentations.of(
            {name: Segmentation([1] * max(size, 1)) for name, size in self._sizes.items()}
        )
        table = {}
        for (s, m), rows in self._columns.items():
            columns = np.array([[*row, 1.0] for row in rows])[:, None, :]
            empty, reason = common_empty(self._means.get((s, m), [(False, np.nan, "")]))
            table[s, m] = Scored(self._metrics[m], columns, empty=empty, reason=reason)
        return SegmentEvaluation(
            systems=self._systems,
            metrics=self._metrics,
            references=[texts],
            hyps=[texts] * len(self._systems),
            options=self._options,
            gather=lambda: table,
        )


def figure_rows(
    evaluation: SegmentEvaluation, averages: Sequence[str], head: str, *, texts: bool
) -> Iterator[dict[str, Any]]:
    """Yield the figures of functions as rows of alignments, whose `head` is `None`."""
    for record in comparisons.row_records(evaluation, averages, texts=texts):
        yield figure_row(record, head, None, record["metric"])


def figure_parts(
    evaluation: SegmentEvaluation, style: str, averages: Sequence[str], look: Look, *, texts: bool
) -> list[str]:
    """Return the caption and the table of functions; TSV has no caption."""
    table = comparisons.comparison_results(evaluation, averages, texts=texts).render(style, look)
    if style == "tsv":
        return [table]
    return [beside(_caption(evaluation, averages), style), table]


def figures_html(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return the caption and the table of functions, for notebooks."""
    from bitext.reports.notebook import lines_html, table_html

    table = comparisons.comparison_table(evaluation, averages, texts=False)
    return lines_html(_caption(evaluation, averages)) + table_html(table)


def _caption(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    caption = comparisons.caption(evaluation, averages)
    return caption.replace("signature: compare|", "signature: metrics|")


def figure_tests(
    evaluation: SegmentEvaluation, averages: Sequence[str], head: str
) -> Iterator[dict[str, Any]]:
    """Yield the tests of functions as those of alignments."""
    for record in comparisons.difference_records(evaluation, averages):
        record["difference"] = record.pop("value")
        yield {"figure": record.pop("metric"), head: None, **record}
