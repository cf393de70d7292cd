"""The pages of cleaning: what filters rejected, and the bounds that are proposed."""

import random

import pytest

from bitext import Alignment, Bitext, Text
from bitext.formats.cleaning.cleaner import as_profile, suggested_bounds
from bitext.reports.corpus_statistics import cleaning_page, suggestions_page
from reference import axe

SAMPLE = {
    "src": "<b>One</b> " * 60,
    "tgt": "שלום " * 40,
    "value": 12598.0,
    "place": "a&b.tsv: bisegment 7 (1-1)",
}
FILTERS = [
    {
        "filter": "letters",
        "parameters": {"side": side},
        "min": 0.4,
        "max": None,
        "judged": 9,
        "rejected": rejected,
        "samples": [SAMPLE] * rejected,
    }
    for side, rejected in (("src", 2), ("tgt", 1))
]


def suggestions():
    draw = random.Random(2)
    pairs = [("word " * draw.randint(3, 9), "mot " * draw.randint(3, 9)) for _ in range(120)]
    texts = [Text([pair[k] for pair in pairs]) for k in (0, 1)]
    return suggested_bounds([Bitext(*texts, Alignment([([k], [k]) for k in range(120)]))])


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_pages_fit_and_have_no_faults(browser, tmp_path, width, dark):
    bounds = suggestions()
    pages = {
        "cleaning": cleaning_page(FILTERS, "p<1>.toml"),
        "bounds": suggestions_page(bounds, as_profile(bounds)),
    }
    for name, html in pages.items():
        path = tmp_path / f"{name}.html"
        path.write_text(html, encoding="utf-8")
        browser.open(path, width=width, dark=dark)
        assert browser.run("document.documentElement.scrollWidth") == width
        assert browser.said == []
        assert axe.problems(browser) == []
        if name == "cleaning":
            assert browser.run("document.querySelectorAll('.samples tbody tr').length") == 3
            assert browser.run("document.querySelector('.samples td:not(.n)').clientWidth > 150")
        else:
            count = "document.querySelectorAll('.histograms figure > svg > line').length"
            assert browser.run(count) == len(bounds)
