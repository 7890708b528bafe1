"""Rate limit: a number of requests or tokens per minute."""

from __future__ import annotations

import threading
import time

__all__ = ["Pace"]


class Pace:
    """Assigns evenly spaced turns to any number of callers, in any thread.

    >>> pace = Pace(60)
    >>> [round(pace.turn(now=100.0)) for _ in range(3)]
    [0, 1, 2]
    """

    def __init__(self, a_minute: float | None) -> None:
        self._seconds = 0.0 if a_minute is None else 60 / a_minute
        self._free_at = 0.0
        self._lock = threading.Lock()

    def turn(self, amount: float = 1.0, now: float | None = None) -> float:
        """Seconds to wait before this amount may be sent; later callers queue behind it."""
        now = time.monotonic() if now is None else now
        with self._lock:
            start = max(now, self._free_at)
            self._free_at = start + amount * self._seconds
        return start - now

    def correct(self, amount: float) -> None:
        """Correct the last amount by a difference, which may be negative."""
        with self._lock:
            self._free_at += amount * self._seconds

    def pause(self, seconds: float) -> None:
        """Send nothing for this many seconds."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic() + seconds)
