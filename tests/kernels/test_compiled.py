"""Compiled kernels, and the same functions run by Python, against numpy's ways, to the last bit."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align import align_sentences
from bitext.align.sentences.bead_types import DEFAULT_BEADS, bead_types
from bitext.align.sentences.evidence.words import LexicalEvidence, TileLimits
from bitext.align.sentences.lexical.word_links import KnownWords, WordPairs, links_of
from bitext.align.sentences.texts import SentencePair
from bitext.errors import InputError
from bitext.kernels.bead_path import (
    Band,
    Passages,
    ScoredBand,
    best_path,
    best_paths,
    passage_path,
)
from bitext.kernels.bead_posteriors import Table, chances_of_tables
from bitext.kernels.compiled import compiled_kernels, load_kernels, plain_kernels, using
from bitext.kernels.kernel_groups import Choice
from bitext.model import Text

BEADS = [(1, 1), (0, 1), (1, 0), (2, 1), (1, 2), (3, 2)]


@pytest.fixture(scope="module", params=["plain", "compiled"])
def kernels(request):
    found = plain_kernels() if request.param == "plain" else load_kernels()
    if found is None:
        pytest.skip("numba is not installed (the extra `fast`)")
    return found


@st.composite
def bands(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    rows, width = draw(st.integers(0, 20)), draw(st.integers(6, 12))
    lo = draw(st.integers(-3, 0)) + np.cumsum(np.append(0, rng.choice([0, 1, 1, 2], rows)))
    columns = int(lo[-1]) + draw(st.integers(max(0, -int(lo[-1])), width - 1))
    # Few different scores make many ties.
    most = draw(st.sampled_from([2, 900]))
    return Band(lo, width, columns), rng.integers(-most, most, (len(BEADS), rows + 1, width))


def _told(path):
    return path.score, path.kinds.tolist(), path.row.tolist(), path.column.tolist(), path.near


def _outcome(search):
    try:
        return search()
    except InputError as error:
        return str(error)


@settings(max_examples=60)
@given(bands(), st.sampled_from([1, 40, 1000]), st.integers(0, 4))
def test_paths(kernels, given_table, at_once, fewer):
    band, table = given_table
    narrow = table[:, :, : max(band.width - fewer, 1 - int(band.lo[0]))].astype(np.int32)

    def path():
        return _told(best_path(BEADS, lambda a, b: narrow[:, a:b], band, at_once=at_once))

    def passages():
        costs = Passages(-300, (200, 100))
        found, inside = passage_path(
            BEADS, lambda a, b: narrow[:, a:b], band, costs, at_once=at_once
        )
        return _told(found), inside.tolist()

    for search in (path, passages):
        with using(None):
            wanted = _outcome(search)
        with using(kernels):
            assert _outcome(search) == wanted


@given(st.lists(bands(), min_size=1, max_size=4))
def test_paths_and_posteriors_of_many_tables(kernels, several):
    scored = [ScoredBand(table, band) for band, table in several]
    with using(None):
        wanted = best_paths(BEADS, scored)
        tables = [Table(*one, path) for one, path in zip(scored, wanted, strict=True)]
        posteriors = chances_of_tables(BEADS, tables, unit=300.0)
    with using(kernels):
        assert [*map(_told, best_paths(BEADS, scored))] == [*map(_told, wanted)]
        found = chances_of_tables(BEADS, tables, unit=300.0)
    for one, other in zip(found, posteriors, strict=True):
        np.testing.assert_array_equal(one, other)


def test_posteriors_of_a_table_that_is_cut(kernels):
    rng = np.random.default_rng(5)
    band = Band(np.arange(201, dtype=np.int64) - 4, 9, 200)
    table = rng.integers(-900, 900, (len(BEADS), 201, 9))
    found = []
    for one in (None, kernels):
        with using(one):
            path = best_path(BEADS, lambda a, b: table[:, a:b], band)
            found += chances_of_tables(BEADS, [Table(table, band, path)], unit=300.0)
    np.testing.assert_array_equal(*found)


def test_more_beads_than_a_byte_has_codes_for(kernels):
    beads = [*((a, b) for a in range(1, 9) for b in range(9)), (0, 1)]
    band = Band(np.zeros(21, dtype=np.int64), 21, 20)
    table = np.random.default_rng(1).integers(-900, 900, (len(beads), 21, 21))
    found = []
    for one in (None, kernels):
        with using(one):
            path, inside = passage_path(
                beads, lambda a, b: table[:, a:b], band, Passages(-300, (200, 100))
            )
        found.append((_told(path), inside.tolist()))
    assert found[0] == found[1]


def test_scores_of_another_size_are_refused(kernels):
    band = Band(np.zeros(4, dtype=np.int64), 4, 3)
    with using(kernels), pytest.raises(ValueError, match="want"):
        best_path(BEADS, lambda a, b: np.zeros((len(BEADS), b - a, 5), dtype=np.int64), band)


def _words(seed, *, words, sentences):
    rng = np.random.default_rng(seed)
    made = [
        [" ".join(f"w{k}" for k in rng.integers(0, words, rng.integers(0, 30))) for _ in range(n)]
        for n in sentences
    ]
    if seed % 2:
        made[0][3] = made[1][4] = " ".join(f"w{k % words}" for k in range(900))
    pair = SentencePair(*map(Text, made))
    sizes = len(pair.src.vocabulary), len(pair.tgt.vocabulary)
    chances = rng.random((2, *sizes)) * (rng.random((2, *sizes)) < 4 / words)
    x, y = np.nonzero(chances.max(axis=0))
    known = [rng.random(size) * 0.8 * (rng.random(size) < 0.7) for size in sizes]
    pairs = WordPairs(x.astype(np.int32), y.astype(np.int32), *chances[:, x, y], *known)
    return pair, links_of(pairs, *(rng.random(size) * 0.1 + 0.01 for size in sizes))


@pytest.mark.parametrize(
    ("words", "beads"),
    [
        *((5, DEFAULT_BEADS), (61, bead_types([(3, 1), (4, 4)])), (300, DEFAULT_BEADS)),
        (40, bead_types([(2, 3), (1, 5)])),
    ],
)
def test_scores_of_words(kernels, words, beads):
    # By Python as few sentences as make several tiles of each kind.
    sizes, begins = ((46, 52), (0, 23)) if kernels == plain_kernels() else ((70, 80), (0, 24, 47))
    rows, columns = sizes
    pair, links = _words(words, words=words, sentences=sizes)
    lo = np.arange(rows + 1) - 9
    hi = np.minimum(lo + 19, columns)
    whole = Band(np.zeros(rows + 1, dtype=np.int64), columns + 1, columns)
    for band in (Band(lo, 22, columns, hi), whole):
        last = band.last(np.arange(rows + 1))
        at = band.lo[:, None] + np.arange(band.width)
        within = (at <= last[:, None]) & (at >= 0)
        for tiles in (TileLimits(), TileLimits(17, 30, 90_000, 60_000)):
            found = []
            for one in (None, kernels):
                evidence = LexicalEvidence(beads, pair, links, tiles=tiles)
                with using(one):
                    found.append([evidence.block(first, first + 24, band) for first in begins])
            for first, wanted, block in zip(begins, *found, strict=True):
                for k, (a, b) in enumerate(beads):
                    # Those of beads that begin before the table may be any number.
                    ends = np.arange(first, first + 24)
                    some = within[ends] & (ends[:, None] >= a) & (at[ends] >= b)
                    np.testing.assert_array_equal(block[k][some], wanted[k][some])


def test_running_sums_of_words_that_nothing_explains(kernels):
    pair, links = _words(61, words=61, sentences=(30, 40))
    sides = (pair.src, links.src_shares), (pair.tgt, links.tgt_shares)
    found = []
    for one in (None, kernels):
        with using(one):
            known = [KnownWords(*side) for side in sides]
        found.append([sums for own in known for sums in (own.nothing, own.room)])
    assert [len(sums) for sums in found[0]] == [31, 31, 41, 41]
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_whole_alignment(kernels):
    rng = np.random.default_rng(8)
    src = [" ".join(f"s{k}" for k in rng.integers(0, 80, 7)) for _ in range(60)]
    tgt = [one.replace("s", "t") for k, one in enumerate(src) if k % 13]
    found = []
    for one in (None, kernels):
        with using(one):
            alignment = align_sentences(src, tgt)
            found.append([*zip(alignment, alignment.scores.tolist(), strict=True)])
    assert len(found[0]) > 40
    assert found[0] == found[1]


def test_kernels_are_not_loaded_before_there_is_work_for_them():
    with using(None):
        assert compiled_kernels(1 << 40) is None
    program = (
        "import sys; from bitext.kernels.compiled import compiled_kernels as c; "
        "print(c(1000), c(1 << 40) is not None, 'llvmlite' in sys.modules)"
    )
    for value, wanted in (("0", "None False False"), ("1", None)):
        ran = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "BITEXT_COMPILED": value},
            capture_output=True,
            text=True,
            check=True,
            timeout=200,
        )
        there = load_kernels() is not None
        assert ran.stdout.strip() == (wanted or f"None {there} {there}")


@pytest.mark.parametrize("soon", [True, False])
def test_kernels_are_sought_after_little_work_where_others_are_loaded(soon):
    sought = []

    def find():
        sought.append(True)

    choice = Choice(lambda: "loaded", 12_000_000, find, is_soon_found=lambda: soon)
    for work, wanted in ((50_000, 0), (100_000, soon), (2_000_000, 1), (2_000_000, 1)):
        assert choice.after(work) is None
        assert len(sought) == wanted
    assert choice.after(8_000_000) == "loaded"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_process_loads_kernels_where_it_is_to_work_as_others():
    script = """
        import os
        from bitext.kernels.kernel_groups import Choice, work_as_others
        before, loaded = Choice(lambda: "loaded", 10), Choice(lambda: "loaded", 10)
        loaded.after(20)
        if not os.fork():
            print(before.after(20), loaded.after(20), flush=True)
            work_as_others()
            print(before.after(20), loaded.after(0), flush=True)
            os._exit(0)
        os.wait()
    """
    code = [sys.executable, "-c", textwrap.dedent(script)]
    ran = subprocess.run(code, check=True, capture_output=True, text=True, timeout=60)
    assert ran.stdout == "None loaded\nloaded loaded\n"


@pytest.mark.parametrize("error", [RuntimeError("no locator"), OSError(28, "No space left")])
def test_without_room_for_what_is_compiled_numpy_does_the_work(monkeypatch, tmp_path, error):
    numba = pytest.importorskip("numba", reason="numba is not installed (the extra `fast`)")

    def fails(*_, **__):
        raise error

    monkeypatch.setattr(numba, "njit", fails)
    monkeypatch.setattr("numba.core.compiler.compile_extra", fails)  # where object files are kept
    assert load_kernels(folders=[tmp_path]) is None


@pytest.mark.parametrize("error", [ImportError("needs numpy 2.3 or less"), AttributeError("types")])
def test_a_numba_that_cannot_be_imported_is_not_used(monkeypatch, tmp_path, error):
    class Broken:
        @staticmethod
        def find_spec(name, _path=None, _target=None):
            if name.partition(".")[0] == "numba":
                raise error

    for name in [name for name in sys.modules if name.partition(".")[0] == "numba"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Broken, *sys.meta_path])
    assert load_kernels(folders=[tmp_path]) is None
