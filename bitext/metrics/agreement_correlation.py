"""How two measures of agreement go together over the texts of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.metrics.coders import Codings
from bitext.metrics.wisebe import kappas_of_votes

if TYPE_CHECKING:
    from bitext.metrics.coders import Texts

__all__ = ["AgreementCorrelation", "agreement_correlation"]


@dataclass(frozen=True, slots=True)
class AgreementCorrelation:
    """The agreement ratio and Fleiss' kappa of each text, and their correlation.

    Attributes
    ----------
    ratios, kappas : tuple of float
        Of each text; `nan` where undefined.
    value : float
        Pearson's correlation over the texts for which both are defined.
    n : int
        How many those are.
    undefined : str
        Why the correlation is `nan`; empty when it is not.

    """

    ratios: tuple[float, ...]
    kappas: tuple[float, ...]
    value: float
    n: int
    undefined: str

    def __float__(self) -> float:
        return float(self.value)


def agreement_correlation(codings: Texts | Codings) -> AgreementCorrelation:
    """Correlate WiSeBE's agreement ratio with Fleiss' kappa over the texts of a corpus.

    The agreement ratio asks how many coders have the boundaries that there are, kappa how much
    more they agree than by chance, over all words as in a `wisebe` score. That the two go together
    is what the paper gives for its ratio.

    Parameters
    ----------
    codings : list of lists of Segmentation, or Codings
        Texts, each with one segmentation a coder.

    Returns
    -------
    AgreementCorrelation
        `value` between -1 and 1; `nan`, with its reason in `undefined`, when fewer than two texts
        have both figures, or one of them is the same for all. A text without a boundary has
        neither.

    Raises
    ------
    InputError
        As of `bitext.metrics.agreement.fleiss_kappa`.

    Notes
    -----
    **Source**: C.-E. González-Gallardo and J.-M. Torres-Moreno, WiSeBE: window-based sentence
    boundary evaluation, MICAI 2018. Windows, and so their limit, have no part in either figure.
    This kappa is not `fleiss_kappa` of the text on boundaries: that is over the n - 1 places
    between n words, and not over the words.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> same, near = [Segmentation([2, 3])] * 2, [Segmentation([2, 3]), Segmentation([2, 2, 1])]
    >>> found = agreement_correlation([same, near, near])
    >>> found.ratios, round(found.value, 4), found.n
    ((1.0, 0.5, 0.5), 1.0, 3)

    """
    texts = codings if isinstance(codings, Codings) else Codings(codings)
    votes, coders = texts.votes, texts.coders
    places = np.diff(votes.ptr) * coders
    agreed = votes.sums(np.where(votes.votes > 1, votes.votes, 0))
    ratios = np.full(places.shape, np.nan)
    np.divide(agreed, places, out=ratios, where=places > 0)
    kappas = kappas_of_votes(votes, coders, texts.sizes)
    both = ~(np.isnan(ratios) | np.isnan(kappas))
    x, y, n = ratios[both], kappas[both], int(both.sum())
    value, reason = nan, ""
    if n < 2:
        reason = f"{'one text has' if n else 'no text has'} both figures: want two or more"
    elif np.ptp(x) == 0 or np.ptp(y) == 0:
        reason = f"the {'agreement ratio' if np.ptp(x) == 0 else 'kappa'} is the same for all texts"
    else:
        value = min(1.0, max(-1.0, float(np.corrcoef(x, y)[0, 1])))
    return AgreementCorrelation(tuple(ratios.tolist()), tuple(kappas.tolist()), value, n, reason)
