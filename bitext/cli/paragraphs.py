"""`bitext paragraphs`: paragraph breaks for running text, models of them, and their scores."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bitext.cli.speaking import say
from bitext.errors import OptionError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TASKS", "run"]

# name: (module, function, what it does)
TASKS = {
    "split": ("bitext.cli.paragraphs_split", "run", "put paragraph breaks into running text"),
    "train": ("bitext.cli.paragraphs_train", "run", "make a model of texts with paragraphs"),
    "score": ("bitext.cli.paragraphs_score", "run", "methods and models against known paragraphs"),
    "show": ("bitext.cli.paragraphs_models", "show", "what a model is made of, its main weights"),
    "export": ("bitext.cli.paragraphs_models", "export", "a model as a table or JSON, to look at"),
    "import": ("bitext.cli.paragraphs_models", "take_in", "a model of such a table or JSON"),
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
