"""The worst places by jobs and by shards are those that are shown without."""

from __future__ import annotations

import pytest


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("given", [["--errors", "3", "--format", "table"], ["--errors", "--json"]])
def test_places_by_jobs_and_by_shards_are_the_same(bitext, coast, texts, tmp_path, given):
    corpus = [coast / "gold", coast / "alpha", coast / "beta", *texts, "--resamples", 0]
    plain = bitext("score", *corpus, *given, "-q")
    assert plain.out.count("lighthouse") > 1
    jobs = bitext("score", *corpus, *given, "-q", "--journal", tmp_path / "j")
    again = bitext("score", *corpus, *given, "--journal", tmp_path / "j")  # all from the journal
    assert plain.out == jobs.out == again.out
    assert "3 documents were done before" in again.err
    parts = [tmp_path / f"p{k}" for k in (1, 2)]
    for k, part in enumerate(parts, start=1):
        bitext("score", *corpus, *given, "-q", "--shard", f"{k}/2", "--journal", part)
    shown = [each for each in given if each not in {"--errors", "3"}]
    merged = bitext("merge", "-", *parts, "-q", *shown)
    assert merged.out == plain.out


def test_differences_of_whole_texts_are_refused_by_jobs(bitext, coast, tmp_path):
    corpus = [coast / "gold", coast / "alpha", "-j", "2"]
    told = bitext("score", *corpus, "--errors")
    assert told.status == 2
    assert "give a number, as --errors 20, or leave --jobs and the like out" in told.err
    assert not list(tmp_path.iterdir())
