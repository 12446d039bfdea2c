"""The command lines of the program."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from dataclasses import replace
from typing import Callable, Iterable, List, Optional, Sequence, Tuple, Union

from ._lines import LineSession
from ._program import find_program
from ._results import Results
from ._session import Session, compact_json
from ._values import Rendition, RequestLike, Result

WINDOW = 512
"""Requests that are under way at most, by default."""

Path = Union[str, "os.PathLike[str]"]


class Command:
    """A command of the program with its options, which may be started many times."""

    def __init__(
        self,
        verb: str,
        arguments: Sequence[str],
        jobs: Optional[int],
        deadline: Optional[float],
        unordered: bool,
        options: Sequence[str],
        program: Optional[str],
    ) -> None:
        self.verb = verb
        self.unordered = unordered
        self._path = find_program(program)
        self._arguments = [verb, "--requests", "-", "--results-only-status", "--json", "--quiet"]
        if jobs is not None:
            self._arguments += ["--jobs", str(jobs)]
        if deadline is not None:
            self._arguments += ["--deadline", "%g" % deadline]
        if unordered:
            self._arguments.append("--unordered")
        self._arguments += list(arguments) + list(options)

    def start(self) -> Session:
        """Starts the program."""
        return Session([self._path] + self._arguments, not self.unordered)

    def start_lines(self) -> LineSession:
        """Starts the program for results that stay lines."""
        return LineSession([self._path] + self._arguments)

    def results(self, requests: Iterable[RequestLike], window: int) -> Results:
        """Starts an iterator."""
        return Results(requests, self.start, window)


class ImageCommand(Command):
    """``thumbnail`` with the bytes of its images in the results instead of files."""

    def start(self) -> Session:
        folder = tempfile.mkdtemp(prefix="mediatool-")
        try:
            session = Session(
                [self._path] + self._arguments + ["--output", os.path.join(folder, "images")], not self.unordered, _with_data
            )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        weakref.finalize(session, _remove, session.close_when_lost, folder, os.getpid())
        return session


def _remove(stop: Callable[[], object], folder: str, owner: int) -> None:
    """Removes the folder of a program that has ended, in the process that made it."""
    stop()
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _renditions(result: Result) -> Tuple[Rendition, ...]:
    made = result.record.get("renditions")
    if not isinstance(made, list):
        return ()
    return tuple(
        Rendition(
            name=str(one.get("name", "")),
            type=str(one.get("type", "")),
            width=int(one.get("width", 0)),
            height=int(one.get("height", 0)),
            bytes=int(one.get("bytes", 0)),
            origin=str(one.get("from", "")),
            file=one.get("file"),
        )
        for one in made
    )


def _with_files(result: Result) -> Result:
    return replace(result, renditions=_renditions(result))


def _with_data(result: Result) -> Result:
    """Reads the images and removes the files, whose names then appear nowhere."""
    made: List[Rendition] = []
    for rendition in _renditions(result):
        if rendition.file is None:
            made.append(rendition)
            continue
        with open(rendition.file, "rb") as file:
            data = file.read()
        os.unlink(rendition.file)
        made.append(replace(rendition, file=None, data=data))
    if not made:
        return result
    for one in result.record["renditions"]:
        one.pop("file", None)
    return replace(result, renditions=tuple(made), json=compact_json(result.record))


def probe_command(
    *,
    digest: bool = False,
    jobs: Optional[int] = None,
    deadline: Optional[float] = None,
    unordered: bool = False,
    options: Sequence[str] = (),
    program: Optional[str] = None,
) -> Command:
    """``mediatool probe`` with the options of ``mediatool.probe``."""
    return Command("probe", ["--digest"] if digest else [], jobs, deadline, unordered, options, program)


def thumbnail_command(
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
    options: Sequence[str] = (),
    program: Optional[str] = None,
) -> Command:
    """``mediatool thumbnail`` with the options of ``mediatool.thumbnail``."""
    arguments = image_arguments(sizes, fit, format, quality, max_bytes)
    if output is None:
        if "--storyboard" in options:
            raise ValueError("--storyboard writes files; it needs an output folder.")
        return ImageCommand("thumbnail", arguments, jobs, deadline, unordered, options, program)
    arguments += ["--output", os.fsdecode(output)]
    return FileCommand("thumbnail", arguments, jobs, deadline, unordered, options, program)


def image_arguments(
    sizes: Sequence[str], fit: Optional[str], format: Optional[str], quality: Optional[int], max_bytes: Optional[int]
) -> List[str]:
    """The options that state which images are made."""
    if isinstance(sizes, str):
        raise TypeError("sizes is a list of sizes, such as [%r]." % sizes)
    arguments: List[str] = []
    for size in sizes:
        arguments += ["--size", size]
    for flag, value in (("--fit", fit), ("--format", format), ("--quality", quality), ("--max-bytes", max_bytes)):
        if value is not None:
            arguments += [flag, str(value)]
    return arguments


class FileCommand(Command):
    """``thumbnail`` that writes its images to a folder."""

    def start(self) -> Session:
        return Session([self._path] + self._arguments, not self.unordered, _with_files)
