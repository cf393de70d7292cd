"""`bitext paragraphs`: paragraph breaks for running text, models of them, and their scores."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    Parser,
    add_output,
    deliver,
    refuse_inputs,
    refuse_place,
    style_of,
    tell,
    value,
)
from bitext.cli.console import say
from bitext.cli.paragraphs.split import load_model
from bitext.errors import InputError, OptionError, did_you_mean

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.segment.segmenter import ParagraphSegmenter

__all__ = ["TASKS", "export", "run", "show", "take_in"]


# `bitext paragraphs show`, `export` and `import`: models to look at, and back.


def show(arguments: Sequence[str]) -> int:
    """Show what a model is made of, and its strongest weights."""
    parser = Parser(
        prog="bitext paragraphs show",
        description="What a model is made of, what it scored, and its strongest weights.",
    )
    parser.add_argument("model", metavar="MODEL", help="a model that ships (en, de), or a file")
    parser.add_argument(
        "--top",
        type=value(int, "a whole number"),
        default=20,
        metavar="N",
        help="how many weights for a break, and against one (20)",
    )
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)
    from bitext.segment.model_files import model_path

    if options.top < 0:
        raise OptionError(f"--top {options.top}: want 0 or more")
    refuse_inputs([str(model_path(options.model))], options)
    segmenter, lang, _ = load_model(options.model, None)
    strongest = _strongest(segmenter, options.top)
    facts = {
        "model": options.model,
        "method": segmenter.method,
        "lang": lang or None,
        "features": segmenter.features_.size,
        "groups": list(segmenter.features_.options.groups),
        "longest": segmenter.longest_,
        "offset": segmenter.offset_,
        "card": segmenter.card_,
    }
    if style == "json":
        weights = [{"feature": name, "weight": weight} for name, weight in strongest]
        document = {"schema": "bitext.paragraphs-model/1", **facts, "weights": weights}
        deliver(json.dumps(document, ensure_ascii=False) + "\n", options)
        return 0
    deliver(_told(facts, strongest, style), options)
    return 0


def export(arguments: Sequence[str]) -> int:
    """Write a model in its readable form."""
    options = _two_files(
        arguments,
        "export",
        "Write a model as a table, or as JSON where the name ends in .json: a line a weight.",
        ("MODEL", "a model that ships (en, de), or a file"),
        ("OUT", "the table (.tsv), or JSON (.json)"),
    )
    from bitext.segment.model_files import export_model

    segmenter, _, _ = load_model(options.first, None)
    _writing(options.second)
    parts = segmenter.to_parts()
    export_model(options.second, parts, segmenter.features_.names())
    tell([f"{segmenter.features_.size:,} features"], options)
    return 0


def take_in(arguments: Sequence[str]) -> int:
    """Make a model of its readable form."""
    options = _two_files(
        arguments,
        "import",
        "Make a model of what 'bitext paragraphs export' wrote, as it was or edited.",
        ("IN", "the table, or JSON"),
        ("MODEL", "the file to write"),
    )
    from bitext.segment.model_files import import_model
    from bitext.segment.segmenter import ParagraphSegmenter

    try:
        parts = import_model(options.first)
    except OSError as error:
        raise InputError(f"{options.first}: cannot be read: {error.strerror or error}") from None
    segmenter = ParagraphSegmenter.from_parts(parts, name=options.first)
    _writing(options.second)
    segmenter.save(options.second)
    tell([f"{segmenter.features_.size:,} features"], options)
    return 0


def _two_files(
    arguments: Sequence[str],
    name: str,
    description: str,
    first: tuple[str, str],
    second: tuple[str, str],
) -> argparse.Namespace:
    parser = Parser(prog=f"bitext paragraphs {name}", description=description)
    parser.add_argument("first", metavar=first[0], help=first[1])
    parser.add_argument("second", metavar=second[0], help=second[1])
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes")
    parser.set_defaults(verbose=False)
    options = parser.parse_args(arguments)
    from bitext.formats.io.clashes import refuse_clashes

    refuse_clashes([options.first], [options.second])
    return options


def _writing(path: str) -> None:
    """Refuse a place that cannot be written to."""
    if path in {"", "-"}:
        raise OptionError("a model is written to a file: name one")
    refuse_place(path)


def _strongest(segmenter: ParagraphSegmenter, most: int) -> list[tuple[str, float]]:
    """Return the greatest weights, and then the least."""
    import numpy as np

    weights = segmenter.to_parts().arrays.get("method.weights")
    names = segmenter.features_.names()
    if weights is None or weights.shape != (len(names),):
        return []
    order = np.argsort(-weights, kind="stable")
    above = [k for k in order[:most].tolist() if weights[k] > 0]
    below = [k for k in order[::-1][:most].tolist() if weights[k] < 0]
    return [(names[k], float(weights[k])) for k in (*above, *reversed(below))]


def _told(facts: dict[str, Any], strongest: list[tuple[str, float]], style: str) -> str:
    from bitext.reports.table import Table

    table = Table(["of the model", "is"])
    card = facts.pop("card")
    for name, told in (*facts.items(), *card.items()):
        for key, item in _flat(name, told):
            table.rows.append([key, item])
    weights = Table(["feature", "weight"])
    for name, weight in strongest:
        weights.rows.append([name, f"{weight:+z.4f}"])
    parts = [table.render(style)]
    if strongest:
        parts.append(weights.render(style))
    return "\n".join(parts)


def _flat(name: str, told: Any) -> list[tuple[str, str]]:
    if isinstance(told, dict):
        return [pair for key, item in told.items() for pair in _flat(f"{name} {key}", item)]
    if isinstance(told, list):
        return [(name, ", ".join(map(str, told)))]
    if isinstance(told, float):
        return [(name, f"{told:.4g}")]
    return [(name, "-" if told is None else str(told))]


# name: (module, function, what it does)
TASKS = {
    "split": ("bitext.cli.paragraphs.split", "run", "put paragraph breaks into running text"),
    "train": ("bitext.cli.paragraphs.train", "run", "make a model of texts with paragraphs"),
    "score": ("bitext.cli.paragraphs.score", "run", "methods and models against known paragraphs"),
    "show": ("bitext.cli.paragraphs", "show", "what a model is made of, its main weights"),
    "export": ("bitext.cli.paragraphs", "export", "a model as a table or JSON, to look at"),
    "import": ("bitext.cli.paragraphs", "take_in", "a model of such a table or JSON"),
}


def run(arguments: Sequence[str]) -> int:
    """Run one of the tasks."""
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        say([_help()])
        return 0
    name = arguments[0]
    if name not in TASKS:
        hint = did_you_mean(name, TASKS)
        raise OptionError(f"no task {name!r}; {hint}the tasks: {', '.join(TASKS)}")
    module, function, _ = TASKS[name]
    return int(getattr(import_module(module), function)(arguments[1:]))


def _help() -> str:
    rows = "\n".join(f"  {name:<8} {told}" for name, (_, _, told) in TASKS.items())
    return (
        "usage: bitext paragraphs TASK ...\n\n"
        "Paragraph breaks for running text, by max-margin semi-Markov models and their rivals.\n\n"
        f"{rows}\n\n"
        "  bitext paragraphs TASK --help   tells the arguments of a task\n\n"
        "examples:\n"
        "  bitext paragraphs split book.txt -o book.with-breaks.txt\n"
        "  bitext paragraphs train novels/ -o novels.model --lang en\n"
        "  bitext paragraphs score test.tsv --model novels.model\n"
    )
