"""What the XML forms of lattices share: characters that XML can hold, spelled as XML wants them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import InputError

if TYPE_CHECKING:
    from bitext.model import Lattice

__all__ = ["check_characters"]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(lattice: Lattice, kind: str) -> None:
    """Refuse a lattice with a character that XML cannot hold.

    Raises
    ------
    InputError
        With the first word (or text beside the words) that has one.

    """
    cluster = lattice.cluster
    held = [("the id of the cluster", cluster.id)]
    for k, sentence in enumerate(cluster, start=1):
        name = f"sentence {k if sentence.id is None else repr(sentence.id)}"
        held += [
            (f"the id of sentence {k}", sentence.id),
            (f"the source of {name}", sentence.source),
        ]
        held.append((f"the text of {name}", sentence.text))
        for place, token in enumerate(sentence, start=1):
            held += [(f"word {place} of {name}", token.form)]
            held += [(f"the part of speech of word {place} of {name}", token.pos)]
    if not _FORBIDDEN.search("".join(value or "" for _, value in held)):
        return
    for where, value in held:
        found = _FORBIDDEN.search(value or "")
        if found:
            raise InputError(
                f"{where} is {value!r:.40} with U+{ord(found[0]):04X}, which XML cannot hold; take "
                f"it out, or write json instead of {kind}"
            )
