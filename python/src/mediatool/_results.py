"""The iterator over results."""

from __future__ import annotations

from types import TracebackType
from typing import Callable, Iterable, Iterator, Optional, Type

from ._session import Session
from ._values import End, Request, RequestLike, Result


class Results(Iterator[Result]):
    """Results of requests, as ``probe`` and ``thumbnail`` return them.

    Requests are taken on the thread that asks for results, at most ``window`` ahead of the results that were returned. The program is
    started with the first request, and ended when this iterator is exhausted, closed or no longer referred to. An error in the iterable of
    the requests ends the program and is raised here.
    """

    def __init__(self, requests: Iterable[RequestLike], start: Callable[[], Session], window: int) -> None:
        if window < 1:
            raise ValueError("The window is %d; it is at least 1." % window)
        self._requests: Optional[Iterator[RequestLike]] = iter(requests)
        self._start = start
        self._window = window
        self._session: Optional[Session] = None
        self._end: Optional[End] = None

    @property
    def end(self) -> Optional[End]:
        """The counts of the run, once the iterator is exhausted."""
        return self._end

    def __next__(self) -> Result:
        try:
            return self._next()
        except StopIteration:
            raise
        except BaseException:
            self.close()
            raise

    def _next(self) -> Result:
        taken = 0
        while self._requests is not None:
            session = self._session
            if session is not None:
                # Two for each result fill the window, while a source that is slow delays a result by two requests at most.
                if session.undelivered >= self._window or session.has_ended or (taken >= 2 and session.is_ready):
                    break
            try:
                request = Request.of(next(self._requests))
            except StopIteration:
                self._requests = None
                if session is None:
                    self._end = End(0, 0, 0.0)
                else:
                    session.end_input()
                break
            taken += 1
            if session is None:
                session = self._session = self._start()
            session.send(request)
        if self._session is None:
            raise StopIteration
        result = self._session.receive()
        if result is None:
            self._end = self._session.end
            self.close()
            raise StopIteration
        return result

    def close(self) -> None:
        """Ends the program. Results that were not returned are lost."""
        session, self._session = self._session, None
        self._requests = None
        if session is not None:
            session.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # Also if __init__ has failed.
        if getattr(self, "_session", None) is not None:
            self.close()
