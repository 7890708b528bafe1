"""What charts and lists show, kept up to date in the background: summaries, counts over time, agreement."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from similitude.collect.annotation.store import AnswerCounts, Database, answer_counts, refresh, stale
from similitude.collect.annotation.web.agreement_track import AgreementTrack, Comparisons, track_agreement
from similitude.collect.annotation.web.background import Background

__all__ = ["StudyCharts"]


class StudyCharts:
    """The charts of one study. ``agreement`` is None where the server was started without comparisons."""

    def __init__(
        self,
        db: Database,
        comparisons: Comparisons | None,
        *,
        clock: Callable[[], datetime],
        seconds: float = 20.0,
        patience: float = 0.4,
    ) -> None:
        self._db = db
        self._patience = patience
        self._lock = threading.Lock()
        self._refreshing: threading.Thread | None = None
        self.counts: Background[AnswerCounts] = Background(
            lambda: answer_counts(db), name="counts of answers", seconds=seconds, patience=patience
        )
        self.agreement: Background[AgreementTrack] | None = None
        if comparisons is not None:
            self.agreement = Background(
                lambda: track_agreement(db, comparisons, now=clock()),
                name="agreement over time",
                seconds=seconds,
                patience=patience,
            )

    def refresh(self) -> None:
        """Bring the summaries of questions up to date, waiting for that only a moment; the rest goes on behind."""
        with self._lock:
            running = self._refreshing
            if running is None or not running.is_alive():
                if not stale(self._db):
                    return
                running = self._refreshing = threading.Thread(target=self._work_off, name="summaries", daemon=True)
                running.start()
        running.join(self._patience)

    def _work_off(self) -> None:
        while refresh(self._db):
            pass
