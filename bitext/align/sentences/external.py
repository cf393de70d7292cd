"""Methods from outside: aligners of other packages (entry points `bitext.aligners`), or functions.

An aligner is a function of two `Text`. It returns an `Alignment`, or beads: pairs of lists of
sentence numbers from 0, each with a score behind it or none.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.errors import AlignmentError, BitextError, InputError, OptionError
from bitext.model import Alignment
from bitext.plugins import Plugins, fault_at

if TYPE_CHECKING:
    from bitext.model import Text
    from bitext.plugins import Plugin

__all__ = ["PLUGINS", "ExternalAligner", "checked_beads", "external_aligner"]


@dataclass(frozen=True, slots=True)
class ExternalAligner:
    """A function that aligns two texts; its result is checked.

    Attributes
    ----------
    name : str
        The name in messages.
    function : callable
    package : str
        The package and version that a plug-in comes from; empty for a function.

    """

    name: str
    function: Callable[[Text, Text], Any]
    package: str = ""

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0] or "an aligner"

    def __call__(self, src: Text, tgt: Text) -> Alignment:
        """Align two texts.

        Raises
        ------
        InputError
            When the function fails, or returns no alignment of these texts.

        """
        of = f" of the package {self.package}" if self.package else ""
        who = f"{src.name or 'the source'}: method {self.name!r}{of}"
        try:
            beads = self.function(src, tgt)
        except (BitextError, MemoryError):
            raise
        except Exception as error:
            raise InputError(f"{who} fails: {fault_at(error)}") from error
        return checked_beads(beads, src, tgt, who)


def checked_beads(beads: object, src: Text, tgt: Text, who: str) -> Alignment:
    """Return beads as an alignment of two texts.

    Parameters
    ----------
    beads : Alignment, or iterable of (src, tgt) or (src, tgt, score)
    src, tgt : Text
    who : str
        The maker of the beads, in messages.

    Raises
    ------
    InputError
        When the value is no alignment, or names a sentence that a text lacks.

    """
    if not isinstance(beads, Alignment):
        beads = _alignment(beads, who)
    for side, rows, text in (("source", beads.src, src), ("target", beads.tgt, tgt)):
        if rows.idx.size and int(rows.idx.max()) >= len(text):
            raise InputError(
                f"{who} names {side} sentence {int(rows.idx.max())}, counted from 0, and the text "
                f"has {len(text)}"
            )
    return beads


def _alignment(beads: object, who: str) -> Alignment:
    wanted = "want an Alignment, or pairs of lists of sentence numbers, as [([0], [0, 1])]"
    if not isinstance(beads, Iterable) or isinstance(beads, str):
        raise InputError(f"{who} returns {beads!r:.60}: {wanted}")
    try:
        rows = [tuple(bead) for bead in beads]
        scored = {len(row) for row in rows}
        if not scored <= {2, 3} or len(scored) > 1:
            raise InputError(f"{who} returns beads of {sorted(scored)} members: {wanted}")
        scores = [float(row[2]) for row in rows] if scored == {3} else None
        return Alignment([(row[0], row[1]) for row in rows], scores=scores)
    except (AlignmentError, TypeError, ValueError) as error:
        if isinstance(error, InputError) and str(error).startswith(who):
            raise
        raise InputError(f"{who} returns no alignment: {error}: {wanted}") from error


def _plugged(plugin: Plugin, made: Any) -> ExternalAligner:
    if not callable(made):
        raise plugin.error(f"is {made!r:.60}: want a function of (src, tgt)")
    try:
        inspect.signature(made).bind(None, None)
    except (TypeError, ValueError):
        raise plugin.error("want a function that can be called as f(src, tgt)") from None
    return ExternalAligner(plugin.name, made, plugin.package)


PLUGINS: Plugins[ExternalAligner] = Plugins(
    "bitext.aligners", make=_plugged, own=lambda: (*SENTENCE_METHODS, "command")
)


def external_aligner(method: str | Callable[[Text, Text], Any]) -> ExternalAligner | None:
    """Return the aligner of a method that is a function or a plug-in; `None` for one of ours.

    Raises
    ------
    PluginError
        When the plug-in of that name cannot be used.
    OptionError
        When the value is neither a name nor a function.

    """
    if isinstance(method, str):
        return None if method in SENTENCE_METHODS else PLUGINS.get(method)
    if not callable(method):
        raise OptionError(f"method is {method!r:.60}: want a name, or a function of (src, tgt)")
    if isinstance(method, ExternalAligner):
        return method
    return ExternalAligner(str(getattr(method, "__name__", "") or "a function"), method)
