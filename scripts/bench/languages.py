"""Shares of samples of a text whose language is identified, and of wrong ones, by their length.

    python scripts/bench/languages.py FILE...

Each file is UTF-8 text whose last suffix is the code of its language, as `dev.de`. Samples of a
number of characters are drawn at random places of each file, as often of each. `py3langid` is
`identified_language` with the extra; `words` is `language_of_text`, which stands in without it.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.model.languages import identified_language
from bitext.segment.sentences import language_of_text

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTHS = (20, 40, 60, 100, 200, 400, 1_000, 5_000, 20_000)  # characters
DRAWN = 20  # samples of each file and length


def _by_py3langid(sample: str) -> str:
    return identified_language([sample])


def main(paths: list[str]) -> None:
    """Print a table of Markdown."""
    texts = [(Path(path).suffix[1:], " ".join(Path(path).read_text().split())) for path in paths]
    ways: dict[str, Callable[[str], str]] = {"py3langid": _by_py3langid, "words": language_of_text}
    print("| characters | " + " | ".join(f"{way} | wrong | ms" for way in ways) + " |")
    print("| ---: |" + " ---: |" * (3 * len(ways)))
    for length in LENGTHS:
        draw = random.Random(length)  # noqa: S311 - samples, no secrets
        samples = [
            (lang, text[at : at + length])
            for lang, text in texts
            for _ in range(DRAWN)
            for at in [draw.randrange(max(1, len(text) - length))]
        ]
        row = []
        for identify in ways.values():
            begun = time.process_time()
            answers = [(lang, identify(sample)) for lang, sample in samples]
            took = 1_000 * (time.process_time() - begun) / len(samples)
            given = [(lang, answer) for lang, answer in answers if answer]
            wrong = sum({lang, answer} not in ({lang}, {"no", "nb"}) for lang, answer in given)
            row += [
                f"{len(given) / len(samples):.3f}",
                f"{wrong / len(samples):.3f}",
                f"{took:.1f}",
            ]
        print(f"| {length:,} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
