"""`bitext methods`: the aligners of sentences and of words, and the parsers that there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bitext.cli.common import Parser, add_output, deliver, style_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["run"]

# Of sentence aligners: by lengths, with words, with vectors too.
_OPTIONS = ("beads", "beads, lexicon, dictionary", "beads, lexicon, dictionary, vectors, encoder")


def run(arguments: Sequence[str]) -> int:
    """List the methods."""
    parser = Parser(
        prog="bitext methods",
        description="Aligners of translated texts (--method of align), their encoders "
        "(--encoder), aligners of comparable sentences (--preset of cluster and paraphrase) and "
        "parsers (--parser).",
    )
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.reports.table import Table

    found = [*_sentence_methods(), *_encoders(), *_presets(), *_parsers()]
    if style == "json":
        document = {"schema": "bitext.methods/1", "rows": found}
        deliver(json.dumps(document, ensure_ascii=False) + "\n", options)
        return 0
    table = Table(["for", "name", "what", "options", "needs"], quiet={0})
    for row in found:
        needs = f"bitext[{row['extra']}]" if row["extra"] else "-"
        table.rows.append(
            [str(row["for"]), str(row["name"]), str(row["what"]), str(row["options"]) or "-", needs]
        )
    deliver(table.render(style), options)
    return 0


def _sentence_methods() -> Iterator[dict[str, object]]:
    from bitext.align.sentences.sentence_options import SENTENCE_METHODS

    for name, method in SENTENCE_METHODS.items():
        yield {
            "for": "translated texts",
            "name": name,
            "what": f"{method.summary} ({method.source})",
            "options": _OPTIONS[method.words + method.vectors],
            "extra": None,
        }


def _encoders() -> Iterator[dict[str, object]]:
    from bitext.align.sentences.encoders import ENCODERS

    for name in ENCODERS:
        yield {
            "for": "sentence vectors",
            "name": name,
            "what": "encoder of sentences, for the method embedding",
            "options": ":MODEL",
            "extra": name,
        }


def _presets() -> Iterator[dict[str, object]]:
    from bitext.align.words.word_options import PRESETS

    for name, preset in PRESETS.items():
        left = " or ".join(preset.leave_out).replace("-", " ")
        what = f"words match by {'form and syntax' if preset.syntax else 'form'}"
        yield {
            "for": "comparable sentences",
            "name": name,
            "what": what + (f", no {left}" if left else ""),
            "options": preset.signature,
            "extra": None,
        }


def _parsers() -> Iterator[dict[str, object]]:
    from bitext.syntax.parsers import PARSERS

    for name, entry in PARSERS.items():
        yield {
            "for": "parsing",
            "name": name,
            "what": entry.about,
            "options": ", ".join(entry.options),
            "extra": entry.extra,
        }
