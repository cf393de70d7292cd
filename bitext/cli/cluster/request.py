"""What `bitext cluster` and `bitext paraphrase` are asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitext.cli.request import JobRequest

if TYPE_CHECKING:
    from typing import Literal

    from bitext.formats.clusters import ClusterKind

__all__ = ["AligningRequest", "ClusterRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AligningRequest(JobRequest):
    """How comparable sentences are read and aligned; the fields are the options."""

    files: tuple[str, ...]
    trees: str | None = None
    kind: ClusterKind | None = None
    keep_aux: bool = False
    parser: str | None = None
    parser_option: tuple[str, ...] = ()
    preset: str | None = None
    forms: str | None = None
    stop_words: str | None = None
    figure4: bool = False
    borders: str | None = None
    order: str | None = None
    normalise: bool = False
    seed: int = 1
    report: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRequest(AligningRequest):
    """What is made of clusters; the fields are the options."""

    to: str | None = None
    minimise: bool = False
    gold: str | None = None
    per_cluster: bool = False
    explain: tuple[str, ...] | None = None
    by: Literal["term", "overlap"] | None = None
    min_size: int | None = None
    max_size: int | None = None
    min_documents: int | None = None
    threshold: float | None = None
    most: int | None = None
