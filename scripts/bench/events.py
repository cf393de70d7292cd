"""How well articles are grouped by event, and at which threshold.

    python scripts/bench/events.py [--trees FOLDER] [--report FILE]

There are few free articles that are labelled by event, so events are made: each document of FOLDER
(`.ptb` files of GUM: news, interviews, court and academic texts) is an event, and gives two
articles, its even and its odd sentences, or its first and its second half, of 6 to 48 sentences
each. Unlike two reports of an event, two parts of a text repeat nothing; but they have one author.
`small` draws 2 to 6 of the documents, 40 times: words are weighed by how many articles have them,
so few articles are another task than many. `fixtures` are the articles of this repository
(fixtures/events and fixtures/harbour): 16 on five events, of which two are fires, and two others.

Groups are judged by B-cubed F1: precision and recall of the group of an article, averaged over the
articles (Bagga and Baldwin 1998). `--report` writes the table as Markdown.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from results import made_today

from bitext import Sentence
from bitext.align.words.event_clusters import EVENT_THRESHOLD, article_similarity, documents_of
from bitext.formats.clusters import read_articles
from bitext.kernels.matching import average_link
from bitext.reports.table import Table
from bitext.syntax.penn import read_trees

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
THRESHOLDS = (0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.25)

_ABOUT = """\
# Articles by event: the threshold

Made by `python scripts/bench/events.py --report scripts/bench/events.md`, whose docstring tells
what is measured; {}. The threshold of `bitext cluster --by event` is {}.
"""


def main() -> None:
    """Print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", default=ROOT.parent / "shared" / "data" / "gum", type=Path)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    heads = ["articles", "events", "of each", *(f"{share:.2f}" for share in THRESHOLDS)]
    table = Table(heads, right=set(range(1, len(heads))))
    for name, tries in cases(options.trees):
        scores = [scored(articles, events) for articles, events in tries]
        counts = [len(articles) for articles, _ in tries]
        events = [len(set(gold)) for _, gold in tries]
        table.rows.append(
            [
                name,
                _range(events),
                _range([round(a / e) for a, e in zip(counts, events, strict=True)]),
            ]
            + [f"{share:.3f}" for share in np.mean(scores, axis=0)]
        )
    text = table.render("markdown" if options.report else "table")
    if options.report:
        text = _ABOUT.format(made_today(), EVENT_THRESHOLD) + "\n" + text
        options.report.write_text(text, encoding="utf-8")
    else:
        print(text)


def cases(folder: Path) -> Iterator[tuple[str, list[tuple[list[Sequence[Sentence]], list[str]]]]]:
    """Yield the name of each set of articles, and the sets with the event of each article."""
    texts = {path.stem: _sentences(path) for path in sorted(folder.glob("*.ptb"))}
    for size in (6, 12, 24, 48):
        for name in ("even and odd", "halves"):
            yield f"{name}, {size} sentences", [_made(texts, list(texts), size, name)]
    rng = random.Random(51)  # noqa: S311 - a draw, no secret
    draws = [rng.sample(list(texts), rng.randint(2, 6)) for _ in range(40)]
    for name in ("even and odd", "halves"):
        yield f"small, {name}, 12 sentences", [_made(texts, drawn, 12, name) for drawn in draws]
    named = {k: ROOT / "fixtures" / k / "articles" for k in ("events", "harbour")}
    articles: list[Sequence[Sentence]] = []
    gold: list[str] = []
    for kind, place in named.items():
        for name, sentences in documents_of(read_articles(place)):
            articles.append(sentences)
            event, _, source = name.partition("-")
            gold.append(name if event == "other" else event if source else kind)
    yield "fixtures", [(articles, gold)]
    lone = [sentences for sentences, event in zip(articles, gold, strict=True) if event == kind]
    yield "fixtures, one event", [(lone, [kind] * len(lone))]


def _sentences(path: Path) -> list[Sentence]:
    trees = read_trees(path.read_text(encoding="utf-8").splitlines(), path=str(path))
    words = ([form for form in tree.forms if form] for _, tree in trees)
    return [Sentence(forms) for forms in words if forms]


def _made(
    texts: dict[str, list[Sentence]], names: list[str], size: int, how: str
) -> tuple[list[Sequence[Sentence]], list[str]]:
    articles: list[Sequence[Sentence]] = []
    gold: list[str] = []
    for name in names:
        sentences = texts[name][: 2 * size]
        half = len(sentences) // 2
        both = (sentences[::2], sentences[1::2])
        articles += both if how == "even and odd" else (sentences[:half], sentences[half:])
        gold += [name, name]
    return articles, gold


def scored(articles: list[Sequence[Sentence]], gold: list[str]) -> list[float]:
    """Return B-cubed F1 at each threshold."""
    similarity = article_similarity(articles)
    same = np.array([[one == other for other in gold] for one in gold])
    out = []
    for threshold in THRESHOLDS:
        group = average_link(similarity, threshold=threshold)
        together = group[:, None] == group
        hits = (together & same).sum(axis=1)
        precision, recall = np.mean(hits / together.sum(axis=1)), np.mean(hits / same.sum(axis=1))
        out.append(float(2 * precision * recall / (precision + recall)))
    return out


def _range(numbers: list[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low}-{high}"


if __name__ == "__main__":
    main()
