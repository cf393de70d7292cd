"""Agreement among coders, corrected for chance: kappa, pi and their kin.

Every coefficient is (A_o - A_e) / (1 - A_e), with the agreement observed A_o and the agreement
expected by chance A_e; they differ in A_e alone (Artstein and Poesio 2008). All are at most 1,
which is full agreement; 0 is what chance gives, and below 0 is less than that.

`observed="boundaries"`, the default, gives the textbook coefficients of two categories: every
potential boundary of every text is an item, which each coder marks as a boundary or as none. The
cost is linear in the number of boundaries.

With a similarity of segmentations (S, B, A) as `observed`, near misses are agreement in part
(Fournier and Inkpen 2012; Fournier 2013). A_o is then the sum of the numerators over the sum of the
denominators, over pairs of coders and texts, and chance is agreement on boundaries alone, not on
their absence.

Codings are a list of texts, each a list with one `Segmentation` a coder, the same coders in the
same order in every text; for one text, its list of segmentations will do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.metrics.chance import coefficient, tallied
from bitext.metrics.coders import Codings, over_coders
from bitext.metrics.observed import tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitext.metrics.coders import Agreement, Incomplete, Texts
    from bitext.metrics.observed import Observed

__all__ = [
    "bennett_s",
    "bias",
    "cohen_kappa",
    "fleiss_kappa",
    "krippendorff_alpha",
    "multi_kappa",
    "multi_pi",
    "scott_pi",
]


@over_coders("fleiss-kappa", "Fleiss 1971; with a similarity: Fournier 2013")
def fleiss_kappa(
    codings: Texts,
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
    codings : list of lists of Segmentation
        Texts, each with one segmentation a coder; or one such list, for one text.
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
        segmentations of a text in their units; the text is named.
    OptionError
        When `observed` is not known or is no similarity.

    Notes
    -----
    **Source**: J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological
    Bulletin 76(5), 1971. With a similarity: C. Fournier, Evaluating text segmentation using
    boundary edit distance, ACL 2013.

    **Departures**: segeval calls this coefficient `fleiss_pi_linear`; its `fleiss_kappa_linear` is
    `multi_kappa`. The mean of shares is what segeval takes, and published figures with it; where
    texts differ in length it is not p over all texts together. On boundaries p always is. It fails
    on two codings without a boundary, which here are alike by S and add nothing to the sums of B.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> text = [Segmentation([2, 3]), Segmentation([2, 3]), Segmentation([2, 2, 1])]
    >>> found = fleiss_kappa([text])
    >>> round(found.observed, 4), round(found.chance, 4), round(found.value, 4)
    (0.8333, 0.5556, 0.625)

    """
    return _measured("fleiss-kappa", codings, observed, observed_options, pooled=pooled)


@over_coders("multi-pi", "Fleiss 1971; Artstein and Poesio 2008")
def multi_pi(
    codings: Texts,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
    pooled: bool = False,
) -> Agreement:
    """Multi-pi of any number of coders: Fleiss' kappa under its name among the pis.

    `fleiss_kappa` has the definition, and parameters, returns and errors.

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
    codings: Texts,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Multi-kappa of any number of coders: chance from the share of boundaries of each.

    Between -1 and 1; 1 is full agreement, higher is better. A_e is the mean over pairs of coders of
    p_m p_n + (1 - p_m)(1 - p_n), with p_m the share of boundaries of coder m over all texts; with a
    similarity, of p_m p_n. It generalises Cohen's kappa. Parameters, returns and errors are as of
    `fleiss_kappa`.

    Notes
    -----
    **Source**: M. Davies and J. L. Fleiss, Measuring agreement for multinomial data, Biometrics
    38(4), 1982. With a similarity: Fournier 2013; segeval calls it `fleiss_kappa_linear`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> found = multi_kappa([Segmentation([2, 3]), Segmentation([2, 3]), Segmentation([2, 2, 1])])
    >>> round(found.chance, 4), round(found.value, 4)
    (0.5417, 0.6364)

    """
    return _measured("multi-kappa", codings, observed, observed_options)


@over_coders("cohen-kappa", "Cohen 1960")
def cohen_kappa(
    codings: Texts,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Cohen's kappa of two coders: chance from the share of boundaries of each.

    `multi_kappa` has the definition; `fleiss_kappa` has parameters, returns and errors. An
    `InputError` when there are not two coders.

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
    codings: Texts,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
    pooled: bool = False,
) -> Agreement:
    """Scott's pi of two coders: chance from the share of boundaries of both together.

    `fleiss_kappa` has the definition, and parameters, returns and errors. An `InputError` when
    there are not two coders.

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
    codings: Texts,
    *,
    observed: Observed = "boundaries",
    observed_options: Mapping[str, Any] | None = None,
) -> Agreement:
    """Bennett's S of any number of coders: chance is one half, whatever they did.

    Between -1 and 1; 1 is full agreement, higher is better. A_e is one over the number of
    categories, which are two: a boundary, or none. Parameters, returns and errors are as of
    `fleiss_kappa`; it is undefined only when no text has two units.

    Notes
    -----
    **Source**: E. M. Bennett, R. Alpert and A. C. Goldstein, Communications through
    limited-response questioning, Public Opinion Quarterly 18(3), 1954.

    **Departures**: it was not defined with a similarity; chance is 1/2 with one, too.

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

    At most 1, which is full agreement; higher is better. It is 1 - D_o / D_e, with the disagreement
    observed, and that expected of two of all N marks drawn without replacement, b of them
    boundaries: A_e = (b (b - 1) + (N - b)(N - b - 1)) / (N (N - 1)). It nears `multi_pi` as N
    grows. Parameters, returns and errors are as of `fleiss_kappa`.

    A text that a coder did not segment may be `None` for that coder: its other codings count. A
    text of one coder alone does not. Where m coders segmented a text, each of their pairs weighs
    1 / (m - 1), so that every mark counts once in D_o.

    Notes
    -----
    **Source**: K. Krippendorff, Content analysis: an introduction to its methodology, 1980,
    chapter 12; with missing data: 4th edition, 2018, section 12.3.

    **Departures**: it was not defined with a similarity; A_e is then the first summand alone, as
    it is for pi, and the pairs of a text that some coder lacks weigh as they do on boundaries.

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
    """Coder bias: the chance agreement of `multi_pi` less that of `multi_kappa`.

    0 when all coders have the same share of boundaries, and larger the more they differ (Artstein
    and Poesio 2008); `nan` when no text has two units. Not below 0 on boundaries, nor when
    `pooled`. Parameters and errors are as of `fleiss_kappa`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> bias([Segmentation([2, 3]), Segmentation([2, 2, 1])])
    0.03125

    """
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
