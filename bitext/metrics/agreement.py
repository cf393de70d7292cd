"""Agreement among coders, corrected for chance: kappa, pi and their kin.

Every coefficient is (A_o - A_e) / (1 - A_e), with the observed agreement A_o and the agreement
expected by chance A_e; they differ in A_e alone (Artstein and Poesio 2008). All are at most 1, full
agreement; 0 is agreement by chance, and a negative value is less than that.

`observed="boundaries"`, the default, gives the textbook coefficients of two categories: every
potential boundary of every text is an item, which each coder marks as a boundary or as none. Cost
is linear in the number of boundaries.

With a similarity of segmentations (S, B, A) as `observed`, near misses are partial agreement
(Fournier and Inkpen 2012; Fournier 2013). A_o is then the sum of the numerators over the sum of the
denominators, over pairs of coders and texts, and chance is agreement on boundaries alone, not on
their absence.

Codings are a list of texts, each a list with one `Segmentation` for each coder, in the same order
in every text; for a single text, a list of segmentations is enough. `None` stands for a text that a
coder did not segment: on boundaries, every coefficient is defined for such codings, each by its
source. A text of a single coder does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from bitext.errors import InputError, OptionError, check_truths
from bitext.kernels.arrays import Floats, divided
from bitext.metrics.coder_counts import (
    Agreement,
    Codings,
    coded_alike,
    coding_rows,
    over_coders,
    tally,
    tally_of_some,
)
from bitext.metrics.jackknife import jackknife_interval
from bitext.metrics.registry import Metric
from bitext.metrics.segmentation.references import kappas_of_votes
from bitext.metrics.significance import Interval, bootstrap
from bitext.model import Ratio

if TYPE_CHECKING:
    from bitext.metrics.coder_counts import Columns, Incomplete, Observed, Tally, Texts

    Chance = Callable[[Columns, bool, bool], Floats]

# Correlation of two measures of agreement over the texts of a corpus.

_SAME = 1e-9  # range of figures of all texts that is rounding: kappa divides small differences


@dataclass(frozen=True, slots=True)
class AgreementCorrelation:
    """The agreement ratio and Fleiss' kappa of each text, and their correlation.

    Attributes
    ----------
    ratios, kappas : tuple of float
        One value per text; `nan` if undefined.
    value : float
        Pearson's correlation over the texts for which both are defined.
    n : int
        The number of these texts.
    undefined : str
        The reason where the correlation is `nan`, else empty.

    """

    ratios: tuple[float, ...]
    kappas: tuple[float, ...]
    value: float
    n: int
    undefined: str

    def __float__(self) -> float:
        return float(self.value)


def agreement_correlation(
    codings: Incomplete | Codings, *, closing: bool = False
) -> AgreementCorrelation:
    """Correlate WiSeBE's agreement ratio with Fleiss' kappa over the texts of a corpus.

    The agreement ratio measures how many coders have the existing boundaries; kappa measures
    agreement beyond chance, over all words as in a `wisebe` score. The paper supports its ratio
    with this correlation.

    Parameters
    ----------
    codings : list of lists of Segmentation or None, or Codings
        Texts, each with one segmentation a coder, or `None` for a missing one. The figures of a
        text are of its own coders, of whom there must be two.
    closing : bool
        Whether the boundary at the end of each text counts, which all coders have.

    Returns
    -------
    AgreementCorrelation
        `value` between -1 and 1; `nan`, with its reason in `undefined`, when fewer than two texts
        have both figures, or a figure is the same for all of them. A text without a boundary has
        neither figure.

    Raises
    ------
    InputError
        As in `bitext.metrics.agreement.fleiss_kappa`.

    Notes
    -----
    **Source**: C.-E. González-Gallardo and J.-M. Torres-Moreno, WiSeBE: window-based sentence
    boundary evaluation, MICAI 2018. Neither figure depends on windows or their limit. This kappa
    differs from `fleiss_kappa` of the text on boundaries, which is over the n - 1 places between n
    words: its items are the words.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> same, near = [Segmentation([2, 3])] * 2, [Segmentation([2, 3]), Segmentation([2, 2, 1])]
    >>> result = agreement_correlation([same, near, near])
    >>> result.ratios, round(result.value, 4), result.n
    ((1.0, 0.5, 0.5), 1.0, 3)

    """
    check_truths(closing=closing)
    if isinstance(codings, Codings):
        ratios, kappas = _ratios_and_kappas(codings, closing=closing)
    else:
        groups, (count, _) = coded_alike(codings)
        ratios, kappas = np.full((2, count), np.nan)
        for group in groups:
            ratios_and_kappas = _ratios_and_kappas(group.codings, closing=closing)
            ratios[group.texts], kappas[group.texts] = ratios_and_kappas
    both = ~(np.isnan(ratios) | np.isnan(kappas))
    x, y, n = ratios[both], kappas[both], int(both.sum())
    value, reason = nan, ""
    if n < 2:
        reason = f"{'one text has' if n else 'no text has'} both figures: want two or more"
    elif same := [name for name, v in (("agreement ratio", x), ("kappa", y)) if np.ptp(v) < _SAME]:
        reason = f"the {same[0]} is the same for all texts"
    else:
        value = min(1.0, max(-1.0, float(np.corrcoef(x, y)[0, 1])))
    return AgreementCorrelation(tuple(ratios.tolist()), tuple(kappas.tolist()), value, n, reason)


def _ratios_and_kappas(texts: Codings, *, closing: bool) -> tuple[Floats, Floats]:
    votes, coders = texts.votes, texts.coders
    end = coders * int(closing)
    places = np.diff(votes.ptr) * coders + end
    agreed = votes.sums(np.where(votes.votes > 1, votes.votes, 0)) + end
    return divided(agreed, places), kappas_of_votes(votes, coders, texts.sizes, closing=closing)


# Agreement expected by chance, for each coefficient, and the coefficients of sums of columns.
#
# With p a share of boundaries (boundaries over potential boundaries), and where agreement is
# judged on boundaries and on their absence:
#
#     multi-kappa, Cohen   mean over pairs of coders m, n of p_m p_n + (1 - p_m)(1 - p_n)
#     multi-pi, Scott      p p + (1 - p)(1 - p), p the share of all coders together
#     alpha                the same with p p as b (b - 1) / (N (N - 1)), b boundaries among N marks
#     Bennett              1/2, for two categories
#
# By a similarity only the first summand counts: chance is agreement on boundaries (Fournier 2013).


_OF_TWO = {"cohen-kappa": "multi_kappa", "scott-pi": "multi_pi"}
_NO_PLACE = "no text has two units: there is no place for a boundary"
_CERTAIN = "agreement is certain by chance: no coder has a boundary, or all have one everywhere"


def tallied(
    name: str, codings: Incomplete, observed: Observed, options: Mapping[str, Any]
) -> Tally:
    """Return the tally of a coefficient, which weighs texts that lack coders as its source does.

    Raises `InputError` when the number of coders does not fit, or agreement by a similarity is not
    defined for texts that lack coders.
    """
    codings = coding_rows(codings)
    gap = _first_gap(codings)
    if gap is None:
        texts = Codings(cast("Texts", codings))
        _check_two(name, texts.coders)
        return tally(texts, observed, options)
    _check_two(name, gap.coders)
    if not takes_gaps(name, observed, gap.coders):
        raise InputError(
            f"{name} by a similarity is not defined for a text that some coders lack, and text "
            f"{gap.text} has no segmentation of coder {gap.coder}: leave such texts out, or take "
            f"krippendorff_alpha, or agreement on boundaries"
        )
    return tally_of_some(codings, observed, options, weight=_PAIR_WEIGHTS[name])


def tallies(
    names: Sequence[str], codings: Incomplete, observed: Observed
) -> list[tuple[Tally, list[str]]]:
    """Return the tallies of several coefficients, each with the coefficients that share it."""
    complete = _first_gap(codings) is None
    groups: dict[object, list[str]] = {}
    for name in names:
        groups.setdefault(None if complete else _PAIR_WEIGHTS[name], []).append(name)
    return [(tallied(group[0], codings, observed, {}), group) for group in groups.values()]


def takes_gaps(name: str, observed: Observed, coders: int) -> bool:
    """Check whether a coefficient is defined for texts that some of the coders lack.

    Of two coders, the texts that both segmented are all that counts.
    """
    return coders == 2 or name == "krippendorff-alpha" or observed == "boundaries"


class _Gap(NamedTuple):
    """The first text and coder without a segmentation, and the number of coders."""

    text: int
    coder: int
    coders: int


def _first_gap(codings: Incomplete) -> _Gap | None:
    for text, row in enumerate(coding_rows(codings)):
        if isinstance(row, list | tuple) and None in row:
            return _Gap(text, row.index(None), len(row))
    return None


def _check_two(name: str, coders: int) -> None:
    if name in _OF_TWO and coders != 2:
        raise InputError(
            f"{name} is for two coders, and there are {coders}: "
            f"want two, or {_OF_TWO[name]}, its form for more"
        )


def coefficient(name: str, sums: Tally, *, pooled: bool = False) -> Agreement:
    """Return a coefficient of the whole corpus."""
    columns = sums.columns(sums.counts.sum(axis=0))
    observed = float(sums.observed(columns))
    chance = float(CHANCE[name](columns, sums.both, pooled))
    if not columns.places.any():
        return Agreement(observed, chance, _NO_PLACE)
    return Agreement(observed, chance, _CERTAIN if chance == 1 else "")


def coefficients(
    counts: Floats, zero_division: float = np.nan, *, name: str, sums: Tally, pooled: bool = False
) -> Floats:
    """Return a coefficient for each of many sums of columns, shape (..., columns) to (..., 1)."""
    columns = sums.columns(counts)
    chance = CHANCE[name](columns, sums.both, pooled)
    beyond = sums.observed(columns) - chance
    defined = (chance != 1) & ~np.isnan(beyond)
    out = np.full(beyond.shape, zero_division)
    np.divide(beyond, 1 - chance, out=out, where=defined)
    return out[..., None]


def _by_coder(columns: Columns, both: bool, pooled: bool) -> Floats:
    """Return the mean over pairs of coders of the product of their own shares."""
    del pooled  # only a mean over all coders can be pooled
    shares = divided(columns.placed, columns.places)
    chance = _mean_product(shares)
    return chance + _mean_product(1 - shares) if both else chance


def _mean_product(shares: Floats) -> Floats:
    """Return the mean product of two different members of the last axis, without those of `nan`.

    The share of a coder is `nan` where no other coder has any of the coder's texts.
    """
    known = ~np.isnan(shares)
    coders, shares = known.sum(axis=-1), np.where(known, shares, 0.0)
    # The sum over pairs: each coder times the sum of all coders before.
    before = np.cumsum(shares, axis=-1)[..., :-1]
    total = (before * shares[..., 1:]).sum(axis=-1)
    return divided(total, coders * (coders - 1) / 2)


def _by_mean(columns: Columns, both: bool, pooled: bool) -> Floats:
    """Return the square of the mean share."""
    if both or pooled:
        share = divided(columns.placed.sum(axis=-1), columns.places.sum(axis=-1))
    else:
        share = divided(columns.shares, columns.counted)
    return share * share + (1 - share) * (1 - share) if both else share * share


def _without_replacement(columns: Columns, both: bool, pooled: bool) -> Floats:
    """Return the chance that two different marks, drawn from all marks, are the same."""
    del pooled  # always
    marks, total = columns.placed.sum(axis=-1), columns.places.sum(axis=-1)
    equal_draws = marks * (marks - 1)
    if both:
        equal_draws = equal_draws + (total - marks) * (total - marks - 1)
    return divided(equal_draws, total * (total - 1))


def _constant(columns: Columns, both: bool, pooled: bool, *, value: float) -> Floats:
    del both, pooled  # whatever was observed
    return np.full(columns.agreed.shape, value)


# Weights of a pair of the m coders of a text. A potential boundary of this text then weighs m, for
# alpha, m - 1 or 1: its m marks are as many, or all pairs of them together are one.


def _by_marks(coders: int) -> float:
    """Return the weight by Krippendorff (2018, section 12.3)."""
    return 2 / (coders - 1)


def _by_free_marks(coders: int) -> float:
    """Return the weight by Fleiss and Cuzick (1979)."""
    return 2 / coders


def _by_places(coders: int) -> float:
    """Return the weight by Gwet (2014)."""
    return 2 / (coders * (coders - 1))


_PAIR_WEIGHTS: dict[str, Callable[[int], float]] = {
    "bennett-s": _by_places,
    "cohen-kappa": _by_places,
    "fleiss-kappa": _by_free_marks,
    "krippendorff-alpha": _by_marks,
    "multi-kappa": _by_places,
    "multi-pi": _by_free_marks,
    "observed-agreement": _by_places,
    "scott-pi": _by_free_marks,
}

CHANCE: dict[str, Chance] = {
    "bennett-s": partial(_constant, value=0.5),
    "cohen-kappa": _by_coder,
    "fleiss-kappa": _by_mean,
    "krippendorff-alpha": _without_replacement,
    "multi-kappa": _by_coder,
    "multi-pi": _by_mean,
    "observed-agreement": partial(_constant, value=0.0),
    "scott-pi": _by_mean,
}


# Bootstrap intervals of coefficients of agreement, over texts.
#
# Products of shares do not add up over texts, but their columns do
# (`bitext.metrics.coder_counts`): a resample is one sum of rows, and all resamples are one product
# of arrays.


def agreement_interval(
    measure: Metric[..., Any],
    codings: Incomplete,
    *,
    interval: Literal["jackknife", "bootstrap"] = "jackknife",
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
    **options: Any,
) -> Interval:
    """Return an interval of a coefficient of agreement over texts.

    Parameters
    ----------
    measure : Metric
        A coefficient of agreement: `fleiss_kappa`, `multi_kappa`, `observed_agreement` ...
    codings : list of lists of Segmentation
        Two texts or more.
    interval : {"jackknife", "bootstrap"}
        The method, as in `bitext.metrics.jackknife_interval` and `bitext.metrics.bootstrap`.
    level : float
        The wanted share of intervals that contain the true coefficient.
    resamples, seed
        Options of the bootstrap.
    **options
        Options of the coefficient: `observed`, `observed_options`, `pooled`.

    Returns
    -------
    Interval
        `nan` at both ends where the coefficient is undefined, or would be without one of the texts
        (bootstrap: in most resamples).

    Raises
    ------
    InputError
        For a single text, which leaves nothing to draw from.
    OptionError
        When the metric is no coefficient of agreement, or an option is not known.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.metrics.agreement import multi_pi
    >>> near, same = [Segmentation([2, 3]), Segmentation([3, 2])], [Segmentation([2, 3])] * 2
    >>> low, high = agreement_interval(multi_pi, [near, same, same])
    >>> round(low, 4), round(high, 4)
    (-0.8059, 0.9826)

    """
    name = getattr(measure, "name", "")
    if name not in CHANCE:
        raise OptionError(f"{measure!r:.60} is not over codings: want one of {', '.join(CHANCE)}")
    measure.check_options(options)
    observed, pooled = options.get("observed", "boundaries"), options.get("pooled", False)
    check_truths(pooled=pooled)
    sums = tallied(name, codings, observed, options.get("observed_options") or {})
    if len(sums.counts) < 2:
        raise InputError("one text has no interval, as texts are what is drawn: want two or more")
    return agreement_intervals(
        [name], sums, interval=interval, resamples=resamples, level=level, seed=seed, pooled=pooled
    )[0]


def agreement_intervals(
    names: Sequence[str],
    sums: Tally,
    *,
    interval: str,
    resamples: int,
    level: float,
    seed: int,
    pooled: bool = False,
) -> tuple[Interval, ...]:
    """Return the intervals of several coefficients of one tally.

    Parameters and errors are as in `agreement_interval`.
    """

    def of(counts: Floats, zero_division: float) -> Floats:
        coefficients_of_sums = [
            coefficients(counts, zero_division, name=name, sums=sums, pooled=pooled)
            for name in names
        ]
        return np.concatenate(coefficients_of_sums, axis=-1)

    if interval == "bootstrap":
        return bootstrap(sums.counts, of=of, resamples=resamples, level=level, seed=seed)
    if interval != "jackknife":
        raise OptionError(f"interval {interval!r} is not known: want jackknife or bootstrap")
    sizes = sums.columns(sums.counts).judged
    return jackknife_interval(sums.counts, of=of, level=level, sizes=sizes, bounds=(-1.0, 1.0))


@over_coders("observed-agreement", "Artstein and Poesio 2008; Fournier 2013")
def observed_agreement(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Ratio:
    """Observed agreement among coders, not corrected for chance.

    Between 0 and 1; 1 is full agreement, higher is better. On boundaries, it is the share of pairs
    of coders that agree, over all potential boundaries. By a similarity, it is the sum of the
    numerators over the sum of the denominators; over a denominator of 0, the similarity of two
    segmentations without a boundary. Parameters and errors are as in `fleiss_kappa`.

    Texts that some coders lack weigh as for `multi_kappa`: on boundaries, each place weighs the
    same, whatever the number of its coders.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> observed_agreement([Segmentation([2, 3]), Segmentation([2, 2, 1])]).value
    0.75

    """
    sums = tallied("observed-agreement", codings, observed, observed_options or {})
    agreed, judged = sums.counts[:, :2].sum(axis=0).tolist()
    return Ratio(agreed, judged, sums.empty, "no text has two units")


@over_coders("fleiss-kappa", "Fleiss 1971; with a similarity: Fournier 2013")
def fleiss_kappa(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
    pooled: bool = False,
) -> Agreement:
    """Fleiss' kappa of any number of coders: chance from the share of boundaries of them all.

    Between -1 and 1; 1 is full agreement, higher is better. A_e = p p + (1 - p)(1 - p) with p the
    share of boundaries of all coders together; with a similarity, A_e = p p. It generalises Scott's
    pi, and is `multi_pi` under its best known name.

    Parameters
    ----------
    codings : list of lists of Segmentation or None
        Texts, each with one segmentation a coder, or `None` for a missing one; or one such list,
        for one text.
    observed : str, Metric or callable
        `boundaries`; or a similarity: its name, with options if any
        (`boundary-similarity(script=greedy)`), or `S`, `B`, `A` for short; a metric, or a
        `functools.partial` of one; or a function of `Pairs` that gives `Ratios`.
    observed_options : dict, optional
        Options of the similarity.
    pooled : bool
        With a similarity: whether p is the share in all texts together, and not the mean of the
        shares of every coder in every text.

    Returns
    -------
    Agreement
        `value`, `observed`, `chance`. The value is `nan`, with its reason in `undefined`, when no
        text has two units, and when chance is 1: no coder has a boundary (with a similarity
        chance is then 0, and the value 1), or all have one everywhere.

    Raises
    ------
    InputError
        When there are fewer than two coders, coders differ in number between texts, or the
        segmentations of a text in their units; the text is named. Also by a similarity, when a
        text lacks one of three coders or more: only `krippendorff_alpha` takes it.
    OptionError
        When `observed` is not known or is no similarity.

    Notes
    -----
    **Source**: J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological
    Bulletin 76(5), 1971. With missing codings: J. L. Fleiss and J. Cuzick, The reliability of
    dichotomous judgments: unequal numbers of judges per subject, Applied Psychological Measurement
    3(4), 1979: 1 - A_o is the sum of x (m - x) / m over all potential boundaries, which x of their
    m coders have, over half the sum of m - 1, and p is the share of boundaries among all marks.
    With a similarity: C. Fournier, Evaluating text segmentation using boundary edit distance, ACL
    2013.

    **Departures**: segeval calls this coefficient `fleiss_pi_linear`; its `fleiss_kappa_linear` is
    `multi_kappa`. The mean of shares is what segeval takes, and published figures with it; where
    texts differ in length it is not p over all texts together. On boundaries, p always is. segeval
    fails on two codings without a boundary, which here are equal by S and add nothing to the sums
    of B. Fleiss and Cuzick count the marks of a single coder in p; here they do not count, so that
    kappa of two coders is Scott's pi.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> text = [Segmentation([2, 3]), Segmentation([2, 3]), Segmentation([2, 2, 1])]
    >>> result = fleiss_kappa([text])
    >>> round(result.observed, 4), round(result.chance, 4), round(result.value, 4)
    (0.8333, 0.5556, 0.625)

    """
    return _measured("fleiss-kappa", codings, observed, observed_options, pooled=pooled)


@over_coders("multi-pi", "Fleiss 1971; Artstein and Poesio 2008")
def multi_pi(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
    pooled: bool = False,
) -> Agreement:
    """Multi-pi of any number of coders: another name of Fleiss' kappa.

    `fleiss_kappa` has the definition, parameters, returns and errors.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> text = [Segmentation([2, 3]), Segmentation([2, 3]), Segmentation([2, 2, 1])]
    >>> multi_pi(text) == fleiss_kappa(text)
    True

    """
    return _measured("multi-pi", codings, observed, observed_options, pooled=pooled)


@over_coders("multi-kappa", "Davies and Fleiss 1982; with a similarity: Fournier 2013")
def multi_kappa(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Multi-kappa of any number of coders: chance from the share of boundaries of each.

    Between -1 and 1; 1 is full agreement, higher is better. A_e is the mean over pairs of coders of
    p_m p_n + (1 - p_m)(1 - p_n), with p_m the share of boundaries of coder m over all texts; with a
    similarity, of p_m p_n. It generalises Cohen's kappa. Parameters, returns and errors are as in
    `fleiss_kappa`.

    Notes
    -----
    **Source**: M. Davies and J. L. Fleiss, Measuring agreement for multinomial data, Biometrics
    38(4), 1982. With missing codings: K. L. Gwet, Handbook of inter-rater reliability, 4th edition,
    2014: A_o is the mean over potential boundaries of the share of pairs of coders that agree
    there, and p_m is over the texts of coder m. With a similarity: Fournier 2013; segeval calls it
    `fleiss_kappa_linear`.

    **Departures**: Gwet counts the marks of a single coder in p_m; here they do not count.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> result = multi_kappa([Segmentation([2, 3]), Segmentation([2, 3]), Segmentation([2, 2, 1])])
    >>> round(result.chance, 4), round(result.value, 4)
    (0.5417, 0.6364)

    """
    return _measured("multi-kappa", codings, observed, observed_options)


@over_coders("cohen-kappa", "Cohen 1960")
def cohen_kappa(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Cohen's kappa of two coders: chance from the share of boundaries of each.

    `multi_kappa` has the definition; `fleiss_kappa` has parameters, returns and errors. An
    `InputError` when there are not two coders. Texts that one of the two lacks do not count.

    Notes
    -----
    **Source**: J. Cohen, A coefficient of agreement for nominal scales, Educational and
    Psychological Measurement 20(1), 1960.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> cohen_kappa([Segmentation([2, 3]), Segmentation([2, 2, 1])]).value
    0.5

    """
    return _measured("cohen-kappa", codings, observed, observed_options)


@over_coders("scott-pi", "Scott 1955")
def scott_pi(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
    pooled: bool = False,
) -> Agreement:
    """Scott's pi of two coders: chance from the share of boundaries of both together.

    `fleiss_kappa` has the definition, and parameters, returns and errors. An `InputError` when
    there are not two coders. Texts that one of the two lacks do not count.

    Notes
    -----
    **Source**: W. A. Scott, Reliability of content analysis: the case of nominal scale coding,
    Public Opinion Quarterly 19(3), 1955.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> round(scott_pi([Segmentation([2, 3]), Segmentation([2, 2, 1])]).value, 4)
    0.4667

    """
    return _measured("scott-pi", codings, observed, observed_options, pooled=pooled)


@over_coders("bennett-s", "Bennett, Alpert and Goldstein 1954")
def bennett_s(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Bennett's S of any number of coders: chance is one half, whatever their marks.

    Between -1 and 1; 1 is full agreement, higher is better. A_e is one over the number of
    categories, which are two: a boundary, or none. Parameters, returns and errors are as in
    `fleiss_kappa`; it is undefined only when no text has two units.

    Notes
    -----
    **Source**: E. M. Bennett, R. Alpert and A. C. Goldstein, Communications through
    limited-response questioning, Public Opinion Quarterly 18(3), 1954. With missing codings A_o is
    as in `multi_kappa` (Gwet 2014).

    **Departures**: the paper does not define it with a similarity; chance is 1/2 there, too.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> bennett_s([Segmentation([2, 3]), Segmentation([2, 2, 1])]).value
    0.5

    """
    return _measured("bennett-s", codings, observed, observed_options)


@over_coders("krippendorff-alpha", "Krippendorff 1980")
def krippendorff_alpha(
    codings: Incomplete,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Krippendorff's alpha for nominal data: chance as of pi, corrected for small samples.

    At most 1, which is full agreement; higher is better. It is 1 - D_o / D_e, with the observed
    disagreement D_o and the disagreement D_e of two marks drawn without replacement from all N
    marks, b of them boundaries: A_e = (b (b - 1) + (N - b)(N - b - 1)) / (N (N - 1)). It nears
    `multi_pi` as N grows. Parameters, returns and errors are as in `fleiss_kappa`.

    A text may be `None` for a coder who did not segment it; its other codings count. A text of a
    single coder does not count. If m coders segmented a text, each pair of them weighs
    1 / (m - 1), so that every mark counts once in D_o.

    Notes
    -----
    **Source**: K. Krippendorff, Content analysis: an introduction to its methodology, 1980,
    chapter 12; with missing data: 4th edition, 2018, section 12.3.

    **Departures**: the book does not define it with a similarity; A_e is then the first summand
    alone, as for pi, and pairs of an incomplete text weigh as they do on boundaries.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> round(krippendorff_alpha([Segmentation([2, 3]), Segmentation([2, 2, 1])]).value, 4)
    0.5333
    >>> text = [Segmentation([2, 3]), None, Segmentation([2, 2, 1])]
    >>> round(krippendorff_alpha([text]).value, 4)
    0.5333

    """
    return _measured("krippendorff-alpha", codings, observed, observed_options)


def bias(
    codings: Texts,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
    pooled: bool = False,
) -> float:
    """Coder bias: the chance agreement of `multi_pi` minus that of `multi_kappa`.

    0 when all coders have the same share of boundaries, and larger the more their shares differ
    (Artstein and Poesio 2008); `nan` when no text has two units. Never negative on boundaries, nor
    when `pooled`. Parameters and errors are as in `fleiss_kappa`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> bias([Segmentation([2, 3]), Segmentation([2, 2, 1])])
    0.03125

    """
    check_truths(pooled=pooled)
    sums = tally(Codings(codings), observed, observed_options or {})
    by_mean = coefficient("multi-pi", sums, pooled=pooled)
    return by_mean.chance - coefficient("multi-kappa", sums).chance


def _measured(
    name: str,
    codings: Incomplete,
    observed: Observed,
    options: Mapping[str, Any] | None,
    *,
    pooled: bool = False,
) -> Agreement:
    return coefficient(name, tallied(name, codings, observed, options or {}), pooled=pooled)
