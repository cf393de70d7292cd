"""What `words.py` measures: word and cluster alignment, and a plain loop over the same cells.

The plain loop has words as numbers and matches in a dictionary too; what differs is the loop over
cells alone.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from serve import memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitext.align.words.aligning import WordAligner
    from bitext.model import Cluster, Sentence

LABELS = ("NP", "VP", "PP", "SBAR", "ADJP")
TAGS = ("NN", "VBD", "IN", "JJ", "DT", "RB")


def made(count: int, length: int, *, seed: int) -> list[Sentence]:
    """Make sentences of a length; a form has one or two places in the syntax that it likes."""
    from bitext.model import Sentence, Token

    rng = random.Random(seed)  # noqa: S311 - no secret
    chances = [1 / (rank + 5) for rank in range(3000)]

    def token(number: int) -> Token:
        mine = random.Random(number * 3 + rng.randrange(3))  # noqa: S311
        trace = tuple(f"{mine.choice('BI')}-{mine.choice(LABELS)}" for _ in range(2 + number % 5))
        iob = mine.choice([trace[-1], "O"])
        return Token(f"w{number}", TAGS[number % len(TAGS)], iob, ("I-S", *trace))

    numbers = rng.choices(range(3000), chances, k=count * length)
    tokens = [token(number) for number in numbers]
    return [Sentence(tokens[k : k + length]) for k in range(0, len(tokens), length)]


def least(work: Callable[[], object], runs: int = 3) -> float:
    """Return the least CPU seconds of several runs."""
    seconds = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        seconds.append(time.process_time() - begun)
    return min(seconds)


def plain(aligner: WordAligner, src: int, tgt: int, known: dict[tuple[int, int], bool]) -> int:
    """Score one pair cell by cell."""
    import numpy as np

    words = aligner.words
    mine, theirs = (range(words.ptr[s], words.ptr[s + 1]) for s in (src, tgt))
    keys = words.key.tolist()
    above = [0] * (len(theirs) + 1)
    for i in mine:
        row = [0]
        for column, j in enumerate(theirs):
            match = keys[i] == keys[j]
            if match:
                if (i, j) not in known:
                    known[i, j] = bool(words.match(np.array([i]), np.array([j]))[0])
                match = known[i, j]
            step = above[column] + (2 if match else -1)
            row.append(max(step, above[column + 1] - 1, row[column] - 1))
        above = row
    return above[-1]


def pairs(preset: str, count: int) -> dict[str, float]:
    """Measure many pairs of 22 x 25 words."""
    import numpy as np

    from bitext.align.words.aligning import WordAligner, align_many
    from bitext.align.words.options import choose

    side = round(count**0.5)
    sentences = made(side, 22, seed=1) + made(side, 25, seed=2)
    src, tgt = np.repeat(np.arange(side), side), side + np.tile(np.arange(side), side)
    options = choose(preset)
    found = {"encode": least(lambda: WordAligner(sentences, options))}
    aligner = WordAligner(sentences, options)
    # The first run has all verdicts to make.
    found["first"] = least(lambda: aligner.scores(src, tgt), 1)
    found["scores"] = least(lambda: aligner.scores(src, tgt))
    found["paths"] = least(lambda: aligner.pairs(src, tgt))
    given = [(sentences[i], sentences[j]) for i, j in zip(src.tolist(), tgt.tolist(), strict=True)]
    found["whole"] = least(lambda: align_many(given, preset=preset))
    done = align_many(given, preset=preset)
    found["each"] = least(lambda: sum(len(alignment) for alignment in done))
    sizes = aligner.words.sizes
    found["cells"] = int((sizes[src] * sizes[tgt]).sum())
    found["pairs"] = len(src)
    some = slice(0, len(src), max(1, len(src) // 300))
    known: dict[tuple[int, int], bool] = {}
    sample = list(zip(src[some].tolist(), tgt[some].tolist(), strict=True))
    expected = [plain(aligner, i, j, known) for i, j in sample]
    if expected != aligner.scores(src[some], tgt[some]).tolist():
        raise SystemExit("the plain loop and bitext disagree")
    seconds = least(lambda: [plain(aligner, i, j, known) for i, j in sample], 1)
    found["plain"] = seconds / len(sample) * len(src)
    found["MB"] = memory("VmHWM")
    return found


def long(preset: str, length: int) -> dict[str, float]:
    """Measure one pair of long sentences."""
    import numpy as np

    from bitext.align.words.aligning import WordAligner
    from bitext.align.words.options import choose

    aligner = WordAligner(made(1, length, seed=1) + made(1, length, seed=2), choose(preset))
    one = np.array([0])
    found = {"MB before": memory("VmHWM"), "scores": least(lambda: aligner.scores(one, one + 1), 1)}
    found["paths"] = least(lambda: aligner.pairs(one, one + 1), 1)
    found["MB"] = memory("VmHWM")
    return found


def cluster(preset: str, sentences: int) -> dict[str, float]:
    """Measure a cluster of sentences of 33 words, from the sentences to the lattice."""
    from bitext.align.words.progressive import align_cluster, leave_one_out
    from bitext.model import Cluster

    held: Cluster = Cluster(made(sentences, 33, seed=4))
    found = {"lattice": least(lambda: align_cluster(held, preset=preset), 2)}
    found["nodes"] = len(align_cluster(held, preset=preset))
    found["one out"] = least(lambda: list(leave_one_out(held, preset=preset)), 1)
    found["MB"] = memory("VmHWM")
    return found
