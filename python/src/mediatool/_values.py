"""What goes into the program and what comes out of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union


@dataclass(frozen=True)
class Request:
    """One file to be read.

    ``source`` is a path, or an ``https://`` or ``s3://`` URL, which is passed on unchanged. ``id`` is any value; it comes back in the
    result and never leaves this process. ``name`` replaces the file name of the source, ``sizes`` the sizes of ``thumbnail``. ``bytes``
    and ``etag`` state which version of a remote object is meant.
    """

    source: str
    id: Any = None
    name: Optional[str] = None
    sizes: Sequence[str] = ()
    bytes: Optional[int] = None
    etag: Optional[str] = None

    @classmethod
    def of(cls, item: RequestLike) -> Request:
        """Makes a request of a path, a mapping with the names above as keys, or a request."""
        if isinstance(item, Request):
            return item
        if isinstance(item, str):
            return cls(item)
        if isinstance(item, os.PathLike):
            return cls(os.fsdecode(item))
        if isinstance(item, Mapping):
            unknown = sorted(str(key) for key in set(item) - _KEYS)
            if unknown:
                raise TypeError("A request has the unknown key %s; known: %s." % (unknown[0], ", ".join(sorted(_KEYS))))
            if not isinstance(item.get("source"), str):
                raise TypeError("The source of a request is a string, not %s." % type(item.get("source")).__name__)
            return cls(**item)
        raise TypeError("A request is a path, a mapping or a mediatool.Request, not %s." % type(item).__name__)


_KEYS = {field.name for field in fields(Request)}

_Data = bytes
"""Rendition has a field with the name of the type."""

RequestLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Request]


@dataclass(frozen=True)
class Failure:
    """Why a file has no result, or only a part of it.

    ``retry`` is ``never`` (the file is the reason), ``later`` (a temporary condition) or ``elsewhere`` (this machine is the reason).
    """

    code: str
    message: str
    retry: str = "never"


@dataclass(frozen=True)
class Rendition:
    """One image that was made of a file.

    ``origin`` is what it shows, such as ``image``, ``poster`` or ``waveform`` (the JSON key ``from``). It is in the file ``file``, or in ``data``.
    """

    name: str
    type: str
    width: int
    height: int
    bytes: int
    origin: str
    file: Optional[str] = None
    data: Optional[_Data] = None


@dataclass(frozen=True)
class Result:
    """The result of one request. ``record`` has the keys of ``mediatool help probe`` and ``thumbnail``; ``json`` is the same as text."""

    request: Request
    record: Dict[str, Any]
    json: str
    error: Optional[Failure] = None
    renditions: Tuple[Rendition, ...] = ()

    @property
    def id(self) -> Any:
        """The id of the request."""
        return self.request.id

    @property
    def source(self) -> str:
        """The source of the request."""
        return self.request.source


@dataclass(frozen=True)
class End:
    """The counts of a run that reached its end: requests, failed files, and seconds."""

    inputs: int
    failed: int
    seconds: float
