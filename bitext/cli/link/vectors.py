"""Vectors of words of `bitext link`: files, encoders, and links by them alone."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.links import LinkedCorpus
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.cli.link.request import LinkRequest

__all__ = ["digests_of", "link_alone", "vectors_of"]

_PIECE = 1 << 20  # bytes of a file that are read at once


def vectors_of(request: LinkRequest, files: Sequence[LinkedFile]) -> dict[str, Any]:
    """Return the argument `vectors` of `link_corpus`, if there are any.

    Raises
    ------
    OptionError
        When the rows of one file would be for the words of several.
    MissingExtraError
        When the package of the encoder is not installed.

    """
    if request.encoder is not None:
        from bitext.align.links.token_encoders import token_encoder

        return {"vectors": token_encoder(request.encoder, request.layer)}
    if not request.vectors:
        return {}
    from bitext.align.links.vectors import is_table

    src, tgt = request.vectors
    if not all([is_table(src), is_table(tgt)]):
        if len(files) > 1:
            raise OptionError(
                f"--vectors {src}: has rows for the words of one file, and {len(files):,} files "
                f"are linked: join them with 'bitext convert', or give --encoder"
            )
        if Path(src).samefile(tgt):
            raise OptionError(f"--vectors {src}: is named for both texts; name the vectors of each")
    return {"vectors": (src, tgt)}


def digests_of(paths: Sequence[str]) -> list[str]:
    """Return a digest of the bytes of each file of vectors, and of the suffix that says its form.

    Raises
    ------
    InputError
        When a file cannot be read.

    """
    digests = []
    for path in paths:
        digest = hashlib.sha256(Path(path).suffix.lower().encode("utf-8", "surrogateescape"))
        try:
            with Path(path).open("rb") as file:
                while piece := file.read(_PIECE):
                    digest.update(piece)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read: {error.strerror or error}; check the path"
            ) from None
        digests.append(digest.hexdigest()[:32])
    return digests


def link_alone(request: LinkRequest, sides: Sides, vectors: Any) -> LinkedCorpus:
    """Link the words of all pairs by their vectors alone."""
    from bitext.align.links import LinkedCorpus
    from bitext.align.links.similarity import link_by_vectors
    from bitext.align.sentences.lexical.lexicon import Lexicon

    links = link_by_vectors(
        *sides, vectors, extract=request.extract or "", min_score=request.min_score
    )
    return LinkedCorpus(links, Lexicon.of_entries(()))
