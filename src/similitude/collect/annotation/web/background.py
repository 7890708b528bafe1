"""Values that take a while: computed in a thread of their own, and kept until they are old."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, Literal, NamedTuple, TypeVar

__all__ = ["Background", "Known"]

logger = logging.getLogger("similitude.annotation")

T = TypeVar("T")
SHARE = 20.0
"""A computation of one second is repeated after this many seconds at the earliest."""


class Known(NamedTuple, Generic[T]):
    """What is known now: a value, or why there is none yet. ``at`` is the time of the clock when it was computed."""

    state: Literal["computing", "failed", "ready"]
    value: T | None = None
    at: float = 0.0
    why: str = ""


class Background(Generic[T]):
    """A value that is computed again when it is more than ``seconds`` old and somebody looks at it.

    `look` waits at most ``patience`` seconds; until the new value is ready, it shows the old one. What takes long is
    computed more rarely, so that it never takes more than a twentieth of the time.
    """

    def __init__(
        self,
        compute: Callable[[], T],
        *,
        name: str,
        seconds: float = 20.0,
        patience: float = 0.4,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._compute = compute
        self._name = name
        self._seconds = seconds
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._running: threading.Thread | None = None
        self._took = 0.0
        self._known: Known[T] = Known("computing")

    def look(self) -> Known[T]:
        """The value known now; starts a computation if it is too old."""
        with self._lock:
            running = self._running if self._running is not None and self._running.is_alive() else None
            if running is None and self._is_old():
                running = self._running = threading.Thread(target=self._run, name=self._name, daemon=True)
                running.start()
        if running is not None:
            running.join(self._patience)
        return self._known

    def age(self, known: Known[T]) -> float:
        """Seconds since a value was computed."""
        return self._clock() - known.at

    def _is_old(self) -> bool:
        if self._known.state == "computing":
            return True
        return self.age(self._known) > max(self._seconds, SHARE * self._took)

    def _run(self) -> None:
        began = self._clock()
        try:
            value = self._compute()
            self._took = self._clock() - began
            self._known = Known("ready", value, self._clock())
        except Exception as error:  # whatever it is, the page still shows the rest
            logger.warning("%s could not be computed", self._name, exc_info=True)
            self._took = self._clock() - began
            self._known = Known("failed", None, self._clock(), str(error) or type(error).__name__)
