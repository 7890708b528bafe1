"""The dashboard's figures of agreement: computed in the background, and kept for a while."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from similitude.data.judgements import Judgements

__all__ = ["Analyse", "Analysis", "Figure", "Findings"]

logger = logging.getLogger("similitude.annotation")


class Figure(NamedTuple):
    """One figure of the dashboard.

    Attributes:
        name: its name in `similitude reliability`.
        value: nan if it is undefined.
        low: lower end of its interval, if there is one.
        high: upper end.
        note: how to read it, or why it is undefined.
        by_chance: the value that random answers would give, if it is known.
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    by_chance: float | None = None


Analyse = Callable[[Judgements], Sequence[Figure]]


class Findings(NamedTuple):
    """The figures known now. ``state`` says whether there are any, and ``why`` why not."""

    state: Literal["absent", "computing", "empty", "failed", "ready"]
    figures: tuple[Figure, ...] = ()
    answers: int = 0
    at: float = 0.0
    why: str = ""


class Analysis:
    """Figures that are computed again when they are more than ``seconds`` old.

    `look` waits at most ``patience`` seconds. The figures are computed in their own thread, and the old ones are shown
    until the new ones are ready.
    """

    def __init__(
        self,
        analyse: Analyse | None,
        read: Callable[[], Judgements | None],
        *,
        seconds: float = 20.0,
        patience: float = 0.4,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._analyse = analyse
        self._read = read
        self._seconds = seconds
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._running: threading.Thread | None = None
        self._known = Findings("absent" if analyse is None else "computing")

    def look(self) -> Findings:
        """The figures known now; starts a new computation if they are too old."""
        if self._analyse is None:
            return self._known
        with self._lock:
            running = self._running if self._running is not None and self._running.is_alive() else None
            if running is None and self._is_old():
                running = self._running = threading.Thread(target=self._compute, name="analysis", daemon=True)
                running.start()
        if running is not None:
            running.join(self._patience)
        return self._known

    def age(self, findings: Findings) -> float:
        """Seconds since figures were computed."""
        return self._clock() - findings.at

    def _is_old(self) -> bool:
        return self._known.state == "computing" or self.age(self._known) > self._seconds

    def _compute(self) -> None:
        assert self._analyse is not None
        try:
            judgements = self._read()
            if judgements is None:
                self._known = Findings("empty", at=self._clock())
                return
            figures = tuple(self._analyse(judgements))
            self._known = Findings("ready", figures, len(judgements), self._clock())
        except Exception as error:  # whatever it is, the dashboard still shows the rest
            logger.warning("the figures of the dashboard could not be computed", exc_info=True)
            self._known = Findings("failed", at=self._clock(), why=str(error) or type(error).__name__)
