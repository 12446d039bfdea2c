"""Finds the program ``mediatool`` and checks its version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import Dict, Optional, Tuple

from ._errors import ProgramNotFoundError, ProgramVersionError

Version = Tuple[int, int, int]

OLDEST: Version = (0, 1, 0)
"""The first version of the program that this package can use."""

TOO_NEW: Version = (0, 2, 0)
"""The first version of the program that this package cannot use."""

# By path, size and modification time: a program that was replaced is asked again.
_checked: Dict[Tuple[str, int, int], Version] = {}


def find_program(program: Optional[str] = None) -> str:
    """Returns the path of the program, of a version that this package can use.

    ``program`` is a path, or a name to look up in ``PATH``. The default is the environment variable ``MEDIATOOL``, otherwise ``mediatool``.

    Raises ``ProgramNotFoundError`` or ``ProgramVersionError``.
    """
    name = program or os.environ.get("MEDIATOOL") or "mediatool"
    path = shutil.which(name)
    if path is None:
        origin = "the argument program" if program else "MEDIATOOL" if os.environ.get("MEDIATOOL") else "PATH"
        raise ProgramNotFoundError(
            "The program %s is missing or not executable (%s). Install mediatool, or set MEDIATOOL to its path." % (name, origin)
        )
    path = os.path.abspath(path)
    _check(path)
    return path


def program_version(program: Optional[str] = None) -> Version:
    """Returns the version of the program, such as ``(0, 1, 0)``. ``program`` and errors are those of ``find_program``."""
    return _check(find_program(program))


def _check(path: str) -> Version:
    status = os.stat(path)
    key = (path, status.st_size, status.st_mtime_ns)
    version = _checked.get(key)
    if version is None:
        version = _ask(path)
        if not OLDEST <= version < TOO_NEW:
            raise ProgramVersionError(
                "%s is version %s; this package needs at least %s, and below %s." % (path, _text(version), _text(OLDEST), _text(TOO_NEW))
            )
        _checked[key] = version
    return version


def _ask(path: str) -> Version:
    try:
        run = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramVersionError("%s --version does not work: %s" % (path, error)) from error
    output = run.stdout[:1_000].decode("utf-8", "replace")
    match = re.match(r"mediatool (\d{1,6})\.(\d{1,6})\.(\d{1,6})", output)
    if run.returncode != 0 or match is None:
        first = (output or run.stderr[:1_000].decode("utf-8", "replace")).strip().split("\n")[0]
        raise ProgramVersionError("%s --version ended with status %d and printed: %s" % (path, run.returncode, first))
    return int(match[1]), int(match[2]), int(match[3])


def _text(version: Version) -> str:
    return ".".join(map(str, version))
