"""Scores word links by sets, line by line, as scripts for shared tasks do: a peer of `scoring.py`.

    python link_sets.py GOLD HYP

Both hold `i-j` (sure) and `ipj` (possible), counted from 0. The AER is printed.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(gold: str, hyp: str) -> None:
    """Print the alignment error rate of a hypothesis."""
    right = found = proposed = expected = 0
    with Path(gold).open(encoding="ascii") as one, Path(hyp).open(encoding="ascii") as other:
        for wanted, given in zip(one, other, strict=True):
            sure, possible = set(), set()
            for item in wanted.split():
                link = tuple(map(int, item.replace("p", "-").split("-")))
                possible.add(link)
                if "p" not in item:
                    sure.add(link)
            links = {tuple(map(int, item.split("-"))) for item in given.split()}
            right += len(links & possible)
            found += len(links & sure)
            proposed += len(links)
            expected += len(sure)
    print(1 - (right + found) / (proposed + expected))


if __name__ == "__main__":
    main(*sys.argv[1:])
