"""`bitext metrics`: the metrics, their options and their sources."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, add_output, deliver, style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """List the metrics."""
    parser = Parser(prog="bitext metrics", description="The metrics, as the registry has them.")
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.metrics.registry import all_metrics
    from bitext.reports.table import Table

    if style == "json":
        rows = [
            {
                "metric": known.name,
                "over": known.over,
                "better": known.better,
                "measures": list(known.measures),
                "options": {name: _value(default) for name, default in known.options.items()},
                "summary": known.summary,
                "source": known.source,
            }
            for known in all_metrics().values()
        ]
        document = {"schema": "bitext.metrics/1", "rows": rows}
        deliver(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n", options)
        return 0
    table = Table(["metric", "over", "better", "measures", "options", "source"])
    for known in all_metrics().values():
        settings = " ".join(f"{name}={default!r}" for name, default in known.options.items())
        measures = " ".join(known.measures)
        table.rows.append([known.name, known.over, known.better, measures, settings, known.source])
    deliver(table.render(style), options)
    return 0


def _value(default: Any) -> Any:
    """Return a default as JSON has it; what JSON has not is told as Python writes it."""
    if isinstance(default, list | tuple):
        return [_value(each) for each in default]
    if default is None or isinstance(default, bool | int | str):
        return default
    return default if isinstance(default, float) and isfinite(default) else repr(default)
