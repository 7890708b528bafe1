"""Which scale the scores of one or several files stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.drafts import Draft
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["SettledScale", "settle_scale"]


class SettledScale(NamedTuple):
    """The scale, and what to tell the user about it."""

    scale: Scale | None
    notes: tuple[str, ...]


def settle_scale(drafts: Sequence[Draft], declared: Scale | None) -> SettledScale:
    """The scale: declared, else said by formats or files, else inferred from the scores.

    Raises:
        ScaleError: two files say or suggest different scales.
    """
    known = [(draft.table.file, draft.scale) for draft in drafts if draft.scale is not None]
    if declared is not None:
        others = {f"{file} says {scale}" for file, scale in known if not scale.same_ends(declared)}
        return SettledScale(declared, tuple(f"scale declared as {declared} though {other}" for other in sorted(others)))
    if known:
        _agree(known, "the files stand on different scales")
        return SettledScale(known[0][1], ())
    return _inferred(drafts)


def _inferred(drafts: Sequence[Draft]) -> SettledScale:
    """A guess over all files together.

    Files may suggest different low ends, as a small test set often lacks the lowest score; different high ends
    suggest different scales.
    """
    scores = {draft.table.file: values for draft in drafts if (values := _scores(draft)).size}
    if not scores:
        return SettledScale(None, ())
    guesses = [(file, Scale.infer(values)) for file, values in scores.items()]
    if len({guess.high for _, guess in guesses}) > 1:
        _agree(guesses, "the files seem to stand on different scales")
    every = np.concatenate(list(scores.values()))
    scale = Scale.infer(every)
    ends = f"{_plain(every.min())} to {_plain(every.max())}"
    return SettledScale(scale, (f"scale inferred as {scale} from scores {ends}; declare it with --scale",))


def _agree(scales: Sequence[tuple[str, Scale]], what: str) -> None:
    first_file, first = scales[0]
    for file, scale in scales[1:]:
        if not scale.same_ends(first):
            said = f"{first_file} {first}, {file} {scale}"
            raise ScaleError(f"{what}: {said}", remedy="read them apart, or declare one for all with --scale")


def _scores(draft: Draft) -> NDArray[np.float64]:
    if "score" not in draft.frame.columns:
        return np.zeros(0)
    return draft.frame["score"].filter(pl.Series(draft.sound)).drop_nulls().to_numpy()


def _plain(score: float) -> str:
    return f"{float(score):.6g}" if not float(score).is_integer() else f"{float(score):.1f}"
