"""The errors of this package. A file that fails is a result, and raises none of them."""

from __future__ import annotations

from typing import Any, Optional, Tuple, Type


class MediatoolError(Exception):
    """Any error of this package."""


class ProgramNotFoundError(MediatoolError):
    """The program ``mediatool`` is not where ``MEDIATOOL`` or ``PATH`` leads."""


class ProgramVersionError(MediatoolError):
    """The program is of a version that this package cannot use."""


class ProgramError(MediatoolError):
    """The program ended with an error of its own: results are missing.

    ``status`` is its exit status, 64 for options that it does not accept, 70 for an error of the machine, and -9 if signal 9 ended it.
    ``stderr`` is the end of what it wrote on standard error.
    """

    def __init__(self, message: str, status: Optional[int] = None, stderr: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.stderr = stderr

    # Engines send exceptions from one process to another.
    def __reduce__(self) -> Tuple[Type[ProgramError], Tuple[Any, ...]]:
        return type(self), (str(self), self.status, self.stderr)


class IncompleteResultsError(ProgramError):
    """The program ended with status 0 before it had printed all results, or printed a line that is not a result."""
