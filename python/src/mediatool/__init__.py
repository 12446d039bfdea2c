"""Facts and thumbnails of many files, by the program ``mediatool``.

    import mediatool

    for result in mediatool.probe(["a.jpg", "b.mov"]):
        print(result.source, result.error or result.record["type"])

The adapters for engines are ``mediatool.spark``, ``mediatool.ray`` and ``mediatool.daft``; their Arrow schema is in ``mediatool.arrow``. They need
pyarrow; this module needs nothing but the program, which ``MEDIATOOL`` or ``PATH`` leads to.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence

from ._commands import WINDOW, Path, probe_command, thumbnail_command
from ._errors import IncompleteResultsError, MediatoolError, ProgramError, ProgramNotFoundError, ProgramVersionError
from ._program import find_program, program_version
from ._results import Results
from ._shards import write_shard
from ._values import End, Failure, Rendition, Request, RequestLike, Result

__all__ = [
    "End",
    "Failure",
    "IncompleteResultsError",
    "MediatoolError",
    "ProgramError",
    "ProgramNotFoundError",
    "ProgramVersionError",
    "Rendition",
    "Request",
    "RequestLike",
    "Result",
    "Results",
    "find_program",
    "probe",
    "program_version",
    "thumbnail",
    "write_shard",
]

__version__ = "0.1.0"


def probe(
    requests: Iterable[RequestLike],
    *,
    digest: bool = False,
    jobs: Optional[int] = None,
    deadline: Optional[float] = None,
    unordered: bool = False,
    window: int = WINDOW,
    options: Sequence[str] = (),
    program: Optional[str] = None,
) -> Results:
    """Returns an iterator over the facts of files, in the order of the requests.

    - ``requests``: paths, ``Request`` objects, or mappings with their keys. The iterable may be endless, and is read as results are taken.
    - ``digest``: adds the SHA-256 of each file.
    - ``jobs``: how many files are read at once; by default one per core.
    - ``deadline``: seconds for each file.
    - ``unordered``: results come as soon as they are ready.
    - ``window``: requests that are under way at most. With 1, a request is taken only after the result before it was returned.
    - ``options``: more options of ``mediatool probe``.
    - ``program``: a path or name instead of ``MEDIATOOL`` and ``PATH``.

    A file that fails is a result with an ``error``. Raises ``ProgramNotFoundError`` or ``ProgramVersionError`` at once, and while iterating
    ``ProgramError`` if the program ends before all results are there.
    """
    command = probe_command(
        digest=digest, jobs=jobs, deadline=deadline, unordered=unordered, options=options, program=program
    )
    return command.results(requests, window)


def thumbnail(
    requests: Iterable[RequestLike],
    *,
    output: Optional[Path] = None,
    sizes: Sequence[str] = (),
    fit: Optional[str] = None,
    format: Optional[str] = None,
    quality: Optional[int] = None,
    max_bytes: Optional[int] = None,
    jobs: Optional[int] = None,
    deadline: Optional[float] = None,
    unordered: bool = False,
    window: int = WINDOW,
    options: Sequence[str] = (),
    program: Optional[str] = None,
) -> Results:
    """Returns an iterator over the thumbnails of files, in the order of the requests.

    - ``output``: the folder for the images, named after their files. By default they are in ``Rendition.data``, and no file remains.
    - ``sizes``: named sizes or pixels, such as ``["grid", "512", "256x192"]``; by default ``["grid"]``.
    - ``fit``, ``format``, ``quality``, ``max_bytes``: as the options of ``mediatool thumbnail``.

    The other parameters and the errors are those of ``probe``.
    """
    command = thumbnail_command(
        output=output,
        sizes=sizes,
        fit=fit,
        format=format,
        quality=quality,
        max_bytes=max_bytes,
        jobs=jobs,
        deadline=deadline,
        unordered=unordered,
        options=options,
        program=program,
    )
    return command.results(requests, window)


def __getattr__(name: str) -> Any:
    # The adapters import their engines, so each is loaded when it is first named.
    if name in ("arrow", "daft", "ray", "spark"):
        import importlib

        return importlib.import_module("mediatool." + name)
    raise AttributeError("module 'mediatool' has no attribute %r" % name)
