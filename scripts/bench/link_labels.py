"""Labels carried over word links, and terms: coverage, function words, cost, and lists to judge.

    python scripts/bench/link_labels.py DATA [--pairs N] [--lists FOLDER]

DATA has `enfr.src-tgt` (Canadian Hansards), and captions as `train.en.gz`, `train.fr.gz` and
`train.de.gz`, of which the first N are taken (2,000). The English side is tagged by the built-in
tagger. Printed are, for each pair of texts, the share of the target words that have the tags of a
source word; the function words of the English side beside the tags: the share of the tokens of
found words that the tagger says are such words, and of such tokens that are found; and the CPU
seconds of each step. `--lists` writes 100 terms and a sample of tagged sentences for judgement.
"""

from __future__ import annotations

import argparse
import gzip
import random
import time
from collections import Counter, defaultdict
from itertools import islice, pairwise
from pathlib import Path

from bitext.align import link_words, project_labels, term_candidates
from bitext.align.links.corpus import cut_sentence
from bitext.align.links.projection import ProjectionCounts
from bitext.align.links.terms import function_words, term_lines
from bitext.syntax import EnglishParser, LabelledSentence

# Penn tags of closed classes; auxiliary verbs have the tags of others, and count by their forms.
_CLOSED = frozenset(
    ("DT", "IN", "CC", "PRP", "PRP$", "TO", "MD", "WDT", "WP", "WP$", "WRB", "EX", "RP", "POS")
)
_AUXILIARIES = frozenset(
    ("is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "do", "does")
) | {"did", "not", "n't", "'s", "'re", "'ve", "'m"}
_SENTENCES = 14  # of a sample


def _captions(data: Path, tgt: str, most: int) -> tuple[list[list[str]], list[list[str]]]:
    sides = []
    for lang in ("en", tgt):
        with gzip.open(data / f"train.{lang}.gz", "rt", encoding="utf-8") as lines:
            sides.append([cut_sentence(line) for line in islice(lines, most)])
    return sides[0], sides[1]


def _hansards(data: Path) -> tuple[list[list[str]], list[list[str]]]:
    rows = (data / "enfr.src-tgt").read_text(encoding="utf-8").splitlines()
    pairs = [row.split(" ||| ") for row in rows]
    return [pair[0].split() for pair in pairs], [pair[1].split() for pair in pairs]


def _closed_tokens(src: list[list[str]], tags: list[list[str]]) -> Counter[str]:
    """Return the tokens of each word whose most frequent tag is of a closed class."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, own in zip(src, tags, strict=True):
        for word, tag in zip(words, own, strict=True):
            seen[word.lower()][tag] += 1
    closed = {w for w, each in seen.items() if max(each, key=each.__getitem__) in _CLOSED}
    return Counter({w: seen[w].total() for w in closed | (_AUXILIARIES & seen.keys())})


def _measured(name: str, src: list[list[str]], tgt: list[list[str]], lists: Path | None) -> None:
    tagger = EnglishParser()
    begun = time.process_time()
    tags = [tagger.tag(words) if words else [] for words in src]
    times = [time.process_time()]
    links = link_words(src, tgt)
    times.append(time.process_time())
    labels = (
        LabelledSentence(tuple(words), {"XPOS": tuple(own)})
        for words, own in zip(src, tags, strict=True)
        if words
    )
    counts = ProjectionCounts()
    made = list(project_labels(labels, src, tgt, links, counts=counts))
    times.append(time.process_time())
    terms = term_candidates(src, tgt, links, tags=tags)
    times.append(time.process_time())
    plain = term_candidates(src, tgt, links)
    steps = [after - before for before, after in pairwise([begun, *times])]
    shown = zip(("tags", "links", "labels", "terms"), steps, strict=True)
    print(f"{name}: {len(src):,} pairs")
    print(f"  {counts.lines()[0]} ({counts.labelled / counts.words:.1%})")
    both = list(zip(links.src.tolist(), links.tgt.tolist(), strict=True))
    rows = [both[a:b] for a, b in pairwise(links.ptr.tolist())]
    found = function_words(list(zip(src, tgt, strict=True)), rows)[0]
    closed = _closed_tokens(src, tags)
    tokens = Counter(word.lower() for words in src for word in words if word[0].isalpha())
    right = sum(closed[word] for word in found)
    precision = right / sum(tokens[word] for word in found)
    recall = right / sum(count for word, count in closed.items() if word[0].isalpha())
    print(f"  {len(found)} function words: precision {precision:.3f}, recall {recall:.3f}")
    print(f"  terms: {len(terms):,} with tags, {len(plain):,} without")
    print(f"  CPU s: {', '.join(f'{step} {seconds:.2f}' for step, seconds in shown)}")
    if lists is None:
        return
    for kind, own in (("tagged", terms), ("plain", plain)):
        text = "".join(f"{line}\n" for line in term_lines(own[:100]))
        (lists / f"{name}.{kind}.tsv").write_text(text, encoding="utf-8")
    chosen = random.Random(7).sample(made, min(_SENTENCES, len(made)))  # noqa: S311 - a sample
    sample = [
        " ".join(f"{w}/{t}" for w, t in zip(each.forms, each.tags["XPOS"], strict=True))
        for each in chosen
        if "XPOS" in each.tags
    ]
    (lists / f"{name}.sample.txt").write_text("\n".join(sample), encoding="utf-8")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--lists", type=Path)
    options = parser.parse_args()
    _measured("hansards-enfr", *_hansards(options.data), options.lists)
    for tgt in ("fr", "de"):
        _measured(f"captions-en{tgt}", *_captions(options.data, tgt, options.pairs), options.lists)


if __name__ == "__main__":
    main()
