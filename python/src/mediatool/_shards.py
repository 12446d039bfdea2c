"""Shards of a WebDataset, by ``mediatool batch``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, Iterable, List, Optional, Sequence

from ._commands import Path, image_arguments
from ._errors import IncompleteResultsError, ProgramError
from ._program import find_program
from ._session import GRACE, MAX_STDERR, describe_end, encode_request
from ._values import Request, RequestLike


class ShardWriter:
    """Collects the requests of one shard in a file, and makes the shard of them. Not for several threads at once."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._command = list(command)
        self._count = 0
        self._folder = tempfile.mkdtemp(prefix="mediatool-")
        self._list = os.path.join(self._folder, "list.ndjson")
        self._file = open(self._list, "wb")

    def add(self, request: Request) -> None:
        """Adds a request. Its number, from 0, is its ``id`` in the results."""
        line, _ = encode_request(self._count, request)
        self._count += 1
        self._file.write(line)

    def finish(self) -> Dict[str, Any]:
        """Makes the shard, unless it is done, and returns its statistics."""
        try:
            self._file.close()
            return _run(self._command + ["--list", self._list, "--name", self.name])
        finally:
            self.close()

    def close(self) -> None:
        """Removes the list."""
        self._file.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def shard_command(
    output: Path,
    *,
    sizes: Sequence[str] = (),
    fit: Optional[str] = None,
    format: Optional[str] = None,
    quality: Optional[int] = None,
    max_bytes: Optional[int] = None,
    digest: bool = False,
    jobs: Optional[int] = None,
    deadline: Optional[float] = None,
    options: Sequence[str] = (),
    program: Optional[str] = None,
) -> List[str]:
    """The command line that makes a shard, without its list and name."""
    arguments = [find_program(program), "batch", "--output", os.fsdecode(output), "--json", "--quiet"]
    arguments += image_arguments(sizes, fit, format, quality, max_bytes)
    if digest:
        arguments.append("--digest")
    if jobs is not None:
        arguments += ["--jobs", str(jobs)]
    if deadline is not None:
        arguments += ["--deadline", "%g" % deadline]
    return arguments + list(options)


def write_shard(requests: Iterable[RequestLike], output: Path, name: str, **options: Any) -> Dict[str, Any]:
    """Writes facts and thumbnails of files as one shard of a WebDataset, and returns its statistics.

    - ``requests``: those of ``mediatool.probe``; some 10,000 are best. They are read to their end before the first file is.
    - ``output``: a folder, or ``s3://BUCKET/PREFIX``. It gets ``NAME.tar``, ``NAME.ndjson`` and, last, ``NAME.stats.json``.
    - ``name``: the name of the shard, unique in ``output``. A shard of the same requests and options that is done is left as it is; one of other
      requests is not replaced, and its name is refused.
    - the options of ``mediatool.thumbnail`` except ``output``, ``unordered`` and ``window``, and ``digest``.

    A file that fails is counted in ``failed`` and ``codes``. Raises ``ProgramError`` if the shard is not done.
    """
    writer = ShardWriter(name, shard_command(output, **options))
    try:
        for request in requests:
            writer.add(Request.of(request))
        return writer.finish()
    finally:
        writer.close()


def _run(command: Sequence[str]) -> Dict[str, Any]:
    process = subprocess.Popen(list(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, errors = process.communicate()
    except BaseException:
        process.terminate()
        try:
            process.communicate(timeout=GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        raise
    stderr = errors[-MAX_STDERR:].decode("utf-8", "replace").strip()
    if process.returncode != 0:
        raise ProgramError(describe_end(process.returncode, stderr), process.returncode, stderr)
    try:
        statistics = json.loads(output)
        if isinstance(statistics, dict) and isinstance(statistics.get("inputs"), int):
            return statistics
    except ValueError:
        pass
    raise IncompleteResultsError("mediatool printed no statistics of the shard: %r" % output[:200], 0, stderr)
