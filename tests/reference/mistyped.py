"""Names that are not there: `mypy` finds that each is an error, or that nothing is to be ignored.

The packages import their names late. They tell type checkers of all of them, and of no others.
"""

import bitext
import bitext.align
import bitext.formats
import bitext.segment

MISTYPED = (
    bitext.algin,  # type: ignore[attr-defined]
    bitext.align.algin,  # type: ignore[attr-defined]
    bitext.formats.algin,  # type: ignore[attr-defined]
    bitext.segment.algin,  # type: ignore[attr-defined]
)
