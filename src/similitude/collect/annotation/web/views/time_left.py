"""What a page says about time: how long the batch may still take, and when a break would be good."""

from __future__ import annotations

import math
from datetime import datetime

from similitude.collect.annotation.records import Batch

__all__ = ["break_is_due", "minutes_left"]

LEAST_ANSWERS = 3
"""With fewer answers in this batch, only earlier batches tell the pace."""
SUGGESTED = 120.0
"""A break is suggested for so many seconds."""
SLOWEST = 3.0
"""Somebody who was away is not taken to be more than so many times slower than usual."""


def minutes_left(batch: Batch) -> int | None:
    """About how many minutes the rest of a batch takes at the annotator's own pace; None if that is not known yet."""
    rest = batch.size - batch.answered
    pace = _pace(batch)
    return None if pace is None or rest < 1 else max(1, math.ceil(rest * pace / 60 - 0.25))


def _pace(batch: Batch) -> float | None:
    """Seconds per question."""
    if batch.touched is None or batch.answered < LEAST_ANSWERS:
        return batch.pace
    worked = max(0.0, (batch.touched - batch.created).total_seconds() - batch.rested)
    seen = worked / batch.answered
    return seen if batch.pace is None else min(seen, SLOWEST * batch.pace)


def break_is_due(batch: Batch, suggest: float, now: datetime) -> bool:
    """Whether the minutes after which a break is suggested have just passed.

    It is suggested for a few minutes, and again when as much time has passed.
    """
    if batch.fresh is None or suggest <= 0:
        return False
    worked, step = (now - batch.fresh).total_seconds(), 60 * suggest
    return worked >= step and worked % step < max(SUGGESTED, 2 * (_pace(batch) or 0.0))
