"""`bitext paragraphs`: paragraph breaks for running text, models of them, and their scores."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    Parser,
    add_output,
    deliver,
    print_notes,
    refuse_inputs,
    refuse_place,
    style_of,
    value,
)
from bitext.cli.console import write_out
from bitext.cli.paragraphs.split import load_model
from bitext.cli.request import OutputRequest, request_of
from bitext.errors import InputError, OptionError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.segment.segmenter import ParagraphSegmenter

# `bitext paragraphs show`, `export` and `import`: models, and their readable form.


class ShowRequest(OutputRequest):
    """The request of `bitext paragraphs show`; the fields are its options."""

    model: str
    top: int = 20

    def resolve(self) -> str:
        """Check options and paths before any work; return the style of the output."""
        style = style_of(self)
        from bitext.segment.model_files import model_path

        if self.top < 0:
            raise OptionError(f"--top {self.top}: want 0 or more")
        refuse_inputs([str(model_path(self.model))], self)
        return style


class TwoFilesRequest(OutputRequest):
    """The request of `bitext paragraphs export` and `import`: a file to read and one to write."""

    first: str
    second: str

    def resolve(self) -> None:
        """Refuse an output that would replace the input."""
        from bitext.formats.io.output import refuse_clashes

        refuse_clashes([self.first], [self.second])


def show(arguments: Sequence[str]) -> int:
    """Show the facts of a model and its strongest weights; return the exit status."""
    parser = Parser(
        prog="bitext paragraphs show",
        description="The parts of a model, its scores, and its strongest weights.",
    )
    parser.add_argument("model", metavar="MODEL", help="a model of bitext (en, de), or a file")
    parser.add_argument(
        "--top",
        type=value(int, "a whole number"),
        default=20,
        metavar="N",
        help="the number of weights for a break, and against one (20)",
    )
    add_output(parser)
    request = request_of(ShowRequest, parser, arguments)
    style = request.resolve()
    segmenter, lang, _ = load_model(request.model, None)
    strongest = _strongest(segmenter, request.top)
    facts = {
        "model": request.model,
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
        deliver(json.dumps(document, ensure_ascii=False) + "\n", request)
        return 0
    deliver(_tables(facts, strongest, style), request)
    return 0


def export(arguments: Sequence[str]) -> int:
    """Write a model in its readable form; return the exit status."""
    request = _two_files(
        arguments,
        "export",
        "Write a model as a table, or as JSON where the name ends in .json: a line a weight.",
        ("MODEL", "a model of bitext (en, de), or a file"),
        ("OUT", "the table (.tsv), or JSON (.json)"),
    )
    from bitext.segment.model_files import export_model

    segmenter, _, _ = load_model(request.first, None)
    _refuse_place(request.second)
    parts = segmenter.to_parts()
    export_model(request.second, parts, segmenter.features_.names())
    print_notes([f"{segmenter.features_.size:,} features"], request)
    return 0


def take_in(arguments: Sequence[str]) -> int:
    """Make a model of its readable form; return the exit status."""
    request = _two_files(
        arguments,
        "import",
        "Make a model of what 'bitext paragraphs export' wrote, as it was or edited.",
        ("IN", "the table, or JSON"),
        ("MODEL", "the file to write"),
    )
    from bitext.segment.model_files import import_model
    from bitext.segment.segmenter import ParagraphSegmenter

    try:
        parts = import_model(request.first)
    except OSError as error:
        raise InputError(f"{request.first}: cannot be read: {error.strerror or error}") from None
    segmenter = ParagraphSegmenter.from_parts(parts, name=request.first)
    _refuse_place(request.second)
    segmenter.save(request.second)
    print_notes([f"{segmenter.features_.size:,} features"], request)
    return 0


def _two_files(
    arguments: Sequence[str],
    name: str,
    description: str,
    first: tuple[str, str],
    second: tuple[str, str],
) -> TwoFilesRequest:
    parser = Parser(prog=f"bitext paragraphs {name}", description=description)
    parser.add_argument("first", metavar=first[0], help=first[1])
    parser.add_argument("second", metavar=second[0], help=second[1])
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes")
    parser.set_defaults(verbose=False)
    request = request_of(TwoFilesRequest, parser, arguments)
    request.resolve()
    return request


def _refuse_place(path: str) -> None:
    """Refuse an output that is no file, or lies in no folder."""
    if path in {"", "-"}:
        raise OptionError("a model is written to a file: name one")
    refuse_place(path)


def _strongest(segmenter: ParagraphSegmenter, max_features: int) -> list[tuple[str, float]]:
    """Return the `max_features` greatest weights above 0, then the `max_features` least below 0."""
    import numpy as np

    weights = segmenter.to_parts().arrays.get("method.weights")
    names = segmenter.features_.names()
    if weights is None or weights.shape != (len(names),):
        return []
    order = np.argsort(-weights, kind="stable")
    above = [k for k in order[:max_features].tolist() if weights[k] > 0]
    below = [k for k in order[::-1][:max_features].tolist() if weights[k] < 0]
    return [(names[k], float(weights[k])) for k in (*above, *reversed(below))]


def _tables(facts: dict[str, Any], strongest: list[tuple[str, float]], style: str) -> str:
    from bitext.reports.table import Table

    table = Table(["of the model", "is"])
    card = facts.pop("card")
    for name, fact in (*facts.items(), *card.items()):
        table.rows += map(list, _flat(name, fact))
    weights = Table(["feature", "weight"])
    for name, weight in strongest:
        weights.rows.append([name, f"{weight:+z.4f}"])
    parts = [table.render(style)]
    if strongest:
        parts.append(weights.render(style))
    return "\n".join(parts)


def _flat(name: str, fact: Any) -> list[tuple[str, str]]:
    """Return the leaves of nested facts as text, each with the keys that lead to it."""
    if isinstance(fact, dict):
        return [pair for key, item in fact.items() for pair in _flat(f"{name} {key}", item)]
    if isinstance(fact, list):
        return [(name, ", ".join(map(str, fact)))]
    if isinstance(fact, float):
        return [(name, f"{fact:.4g}")]
    return [(name, "-" if fact is None else str(fact))]


# name: (module, function, summary for --help)
TASKS = {
    "split": ("bitext.cli.paragraphs.split", "run", "put paragraph breaks into running text"),
    "train": ("bitext.cli.paragraphs.train", "run", "make a model of texts with paragraphs"),
    "score": (
        "bitext.cli.paragraphs.train",
        "run_score",
        "methods and models against known paragraphs",
    ),
    "show": ("bitext.cli.paragraphs", "show", "what a model is made of, its main weights"),
    "export": ("bitext.cli.paragraphs", "export", "a model as a table or JSON, to look at"),
    "import": ("bitext.cli.paragraphs", "take_in", "a model of such a table or JSON"),
}


def run(arguments: Sequence[str]) -> int:
    """Run one of the tasks; return the exit status."""
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        write_out([_help()])
        return 0
    name = arguments[0]
    if name not in TASKS:
        hint = did_you_mean(name, TASKS)
        raise OptionError(f"no task {name!r}; {hint}the tasks: {', '.join(TASKS)}")
    module, function, _ = TASKS[name]
    return int(getattr(import_module(module), function)(arguments[1:]))


def _help() -> str:
    rows = "\n".join(f"  {name:<8} {summary}" for name, (_, _, summary) in TASKS.items())
    return (
        "usage: bitext paragraphs TASK ...\n\n"
        "Paragraph breaks for running text, by max-margin semi-Markov models and their rivals.\n\n"
        f"{rows}\n\n"
        "  bitext paragraphs TASK --help   lists the arguments of a task\n\n"
        "examples:\n"
        "  bitext paragraphs split book.txt -o book.with-breaks.txt\n"
        "  bitext paragraphs train novels/ -o novels.model --lang en\n"
        "  bitext paragraphs score test.tsv --model novels.model\n"
    )
