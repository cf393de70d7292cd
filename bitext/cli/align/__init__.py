"""`bitext align`: the sentences of a text and its translation, aligned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bitext.cli.align.request import AlignRequest, has_records, parser
from bitext.cli.request import request_of

# What a worker imports for its first text.
_MODULES = "bitext.jobs.align_task", "bitext.cli.align.corpus", "bitext.cli.align.texts"


def run(arguments: Sequence[str]) -> int:
    """Align the texts that the arguments name; return the exit status."""
    request = request_of(AlignRequest, parser(), arguments)
    if not request.by_jobs:
        from bitext.formats.io.source import held_pipes

        with held_pipes():
            return _run(request)
    with workers_ahead(request) as shared:
        return _run(request, shared)


def _run(request: AlignRequest, shared: Mapping[str, Any] | None = None) -> int:
    _import_numpy(request)
    from bitext.cli.align.in_memory import align, show_pairs
    from bitext.cli.align.texts import text_reader

    read = text_reader(request)
    files = request.resolve(read)
    if request.dry_run:
        return show_pairs(request, request.inputs(read))
    if files is None:
        from bitext.cli.align.corpus import align_by_jobs

        return align_by_jobs(request, shared=shared)
    with request.protected_outputs():
        return align(request, files)


def _import_numpy(request: AlignRequest) -> None:
    from bitext.kernels.one_thread import import_numpy

    if not (request.vectors or request.encoder):  # whose products are large: all cores
        import_numpy()


@contextmanager
def workers_ahead(request: AlignRequest) -> Iterator[Mapping[str, Any]]:
    """Yield the executor as an argument of `align_by_jobs`, whose workers start at once.

    Forked workers share the modules that this process imports first. Others import theirs while
    this process imports its own, and checks options and texts (align_profile.md).
    """
    if request.memory_limit is not None or request.dry_run:
        yield {}
        return
    request.check_jobs()
    is_resumed = request.journal is not None and has_records(request.journal)
    if not is_resumed:
        _import_numpy(request)
    with request.one_executor(ahead=() if is_resumed else _MODULES) as shared:
        yield shared
