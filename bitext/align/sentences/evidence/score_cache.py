"""What evidence said of short texts, which is kept, as it is asked for again and again.

The first path of a text that does not fit is looked for in up to a dozen ways, which differ in how
frequent beads are held to be and in what is searched; and each path is looked at anew for passages,
and for what it is worth. What lengths, marks, words and vectors say of a bead is the same in all of
them. Of long texts nothing is kept: there it is asked for along narrow bands, and would be large.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from bitext.align.sentences.path_choice import Evidence
    from bitext.kernels.bead_path import Band

__all__ = ["SHORT", "HeldEvidence"]

SHORT = 1 << 19
"""The points of a table of which it is kept what evidence said, at most."""
_ROOM = 1 << 25  # bytes that are kept

_Rows = tuple[int, int, int, bytes, bytes]  # those of a block, and their columns


class HeldEvidence:
    """What evidence said lately.

    Parameters
    ----------
    room : int
        The bytes of all blocks that are kept, at most.

    """

    def __init__(self, room: int = _ROOM) -> None:
        self._room = self._left = room
        self._held: OrderedDict[Hashable, _Said] = OrderedDict()

    def of(self, key: Hashable, model: object, make: Callable[[], Evidence]) -> Evidence:
        """Return the evidence of a key; `make` makes it of a model that never changes.

        It is made when something is asked that was not asked before. Its blocks are read-only. The
        model is kept as long as they are, so the key may have its `id`.
        """
        said = self._held.setdefault(key, _Said(model))
        self._held.move_to_end(key)
        return _Remembering(make, said, self._has_room)

    def clear(self) -> None:
        """Forget all."""
        while self._held:
            self._forget()

    def _forget(self) -> None:
        """Forget what was asked for longest ago."""
        _, said = self._held.popitem(last=False)
        said.is_held = False
        self._left += said.size

    def _has_room(self, size: int, said: _Said) -> bool:
        """Return whether so many bytes more are kept of what evidence said; forget others."""
        while said.is_held and self._left < size and next(iter(self._held.values())) is not said:
            self._forget()
        if not said.is_held or self._left < size:
            return False
        self._left -= size
        said.size += size
        return True


class _Said:
    """What evidence said by a model."""

    def __init__(self, model: object) -> None:
        self.model, self.is_held, self.size = model, True, 0
        self.blocks: dict[_Rows, NDArray[np.float32]] = {}


class _Remembering:
    """Evidence that is asked only for what it did not say before."""

    def __init__(
        self, make: Callable[[], Evidence], said: _Said, has_room: Callable[[int, _Said], bool]
    ) -> None:
        self._make, self._said, self._has_room = make, said, has_room

    @cached_property
    def _evidence(self) -> Evidence:
        return self._make()

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of some rows of a band."""
        ends = band.last(np.arange(first, last))
        key = first, last, band.width, band.lo[first:last].tobytes(), ends.tobytes()
        found = self._said.blocks.get(key)
        if found is None:
            found = self._evidence.block(first, last, band)
            if self._has_room(found.nbytes, self._said):
                found.flags.writeable = False
                self._said.blocks[key] = found
        return found
