"""TMX by expressions and by a parser: what they read is equal."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats import tmx_quick
from bitext.formats.opening import Source
from bitext.formats.registry import ReadOptions
from reference import tmx_files


def shown(content, *, quick, **options):
    """Read a file; return all that is known of it, or its error."""
    refused = []
    with Source("made", io.BytesIO(content.encode("utf-8", "surrogatepass"))) as source:
        source.on_bad = refused.append
        try:
            found = list(
                tmx_quick.read(source, ReadOptions(lines=not quick, **options), quick=quick)
            )
        except FormatError as error:
            return str(error)
    return [
        (
            [tuple(bead) for bead in bt.alignment],
            list(bt.src.segments()),
            list(bt.tgt.segments()),
            bt.src.marked,
            bt.tgt.marked,
            (bt.src.lang, bt.tgt.lang),
            {name: list(column) for name, column in bt.alignment.attributes.items()},
            repr(bt.alignment.scores),
            dict(bt.meta),
            sorted(map(str, bt.notes)),
        )
        for bt in found
    ], list(map(str, refused))


LANGS = st.sampled_from([{}, {}, {"src_lang": "en", "tgt_lang": "fr"}, {"src_lang": "fr"}])


@pytest.fixture(autouse=True, scope="module")
def _small_pieces():
    before, tmx_quick._SIZE = tmx_quick._SIZE, 1 << 6
    yield
    tmx_quick._SIZE = before


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(tmx_files.files(), LANGS)
def test_both_ways_read_the_same(content, langs):
    assert shown(content, quick=True, **langs) == shown(content, quick=False, **langs)


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(tmx_files.damaged(), LANGS)
def test_both_ways_find_the_same_errors(content, langs):
    assert shown(content, quick=True, **langs) == shown(content, quick=False, **langs)
