"""Tables of options, in the layout of a help text, and the types of their values."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Row = tuple[str, dict[str, Any], str]
    Rows = Sequence[Row]

_DIGITS = 18  # of a whole number: all of them fit in 64 bits


def value(kind: Callable[[str], Any], wanted: str) -> Callable[[str], Any]:
    """Return a type for argparse whose error names the kind of value `wanted`."""

    def convert(given: str) -> Any:
        try:
            return kind(given)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{given!r:.60} is not {wanted}") from None

    return convert


def whole_number(given: str) -> int | None:
    """Return the number that `given` writes in at most 18 digits; `None` for other text."""
    return int(given) if given.isdecimal() and len(given) <= _DIGITS else None


def option_of(names: str, text: str, **settings: Any) -> Row:
    """Return the names of an option, its settings of argparse, and its help, for `add_groups`.

    `names` are the names of the option and, last, the name of its value, as in `-o --output FILE`.
    An option without a name of its value and without settings is a flag. `text` is the help, and
    `settings` are other arguments of `argparse.ArgumentParser.add_argument`.
    """
    options, value_name = names, ""
    if not names.rpartition(" ")[2].startswith("-"):
        options, _, value_name = names.rpartition(" ")
    named = {"metavar": value_name} if value_name else {}
    return options, {**named, **settings} or {"action": "store_true"}, text


# Types of the values of options, by the word after the name of the value in a table of options.
_KINDS = {
    "whole": value(int, "a whole number"),
    "share": value(float, "a share from 0 to 1"),
    "number": value(float, "a number"),
    "weight": value(float, "a weight from 0 to 1"),
    "seconds": value(float, "a number of seconds"),
}
_OPTION = re.compile(
    r"(?P<names>-\S+(?: -\S+)*)"
    r"(?P<values>(?: [^\s.(:][^\s:]*)*)(?::(?P<kind>\w+))?"
    r"(?P<repeats> \.\.\.)?(?: \((?P<field>\w+)\))?(?:  |\n)"
)


def options_of(table: str) -> list[Row]:
    """Return the options that a table declares in the layout of a help text, for `add_groups`.

    An option begins a line at the margin of the table. Its help follows after two blanks, or on
    further indented lines below::

        -q --quiet  no notes
        --seed N:whole  the seed; `_KINDS` has the type of the value
        --rows {paragraph,bead}
            the units side by side: one of these values
        --vectors SRC TGT  two vectors
        --root FOLDER ...  the folder; the option repeats
        --from FORMAT (known)  the format; the field of the request is `known`
    """
    margin = table[: len(table) - len(table.lstrip())]
    rows = []
    for entry in re.split(f"{margin}(?=-)", table)[1:]:
        option = _OPTION.match(entry)
        if option is None:
            raise ValueError(f"not an option with its help: {entry}")
        settings: dict[str, Any] = {"dest": option["field"]} if option["field"] else {}
        values = option["values"].split()
        if not values:
            settings["action"] = "store_true"
        elif values[0].startswith("{"):
            settings["choices"] = tuple(values[0][1:-1].split(","))
        elif len(values) > 1:
            settings |= {"nargs": len(values), "metavar": tuple(values)}
        else:
            settings["metavar"] = values[0]
        if option["repeats"]:
            settings["action"] = "append"
        if option["kind"]:
            settings["type"] = _KINDS[option["kind"]]
        rows.append((option["names"], settings, " ".join(entry[option.end() :].split())))
    return rows


def add_groups(parser: argparse.ArgumentParser, groups: Mapping[str, Rows]) -> None:
    """Add groups of options to a parser, each with its title."""
    for title, rows in groups.items():
        add_options(parser.add_argument_group(title), rows)


def add_options(parser: argparse._ActionsContainer, rows: Rows) -> None:
    """Add options to a parser or a group of it: the names, settings and help of each."""
    for names, settings, text in rows:
        parser.add_argument(*names.split(), help=text, **settings)
