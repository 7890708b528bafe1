"""The scale of the scores in one or several files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["FileScores", "SettledScale", "settle_scale"]

UNLIKE = 1.5


class FileScores(NamedTuple):
    """The scores or ratings of one file.

    Attributes:
        file: its name, for messages.
        scale: the scale that the file states or its format fixes.
        scores: all values that are sound.
    """

    file: str
    scale: Scale | None
    scores: NDArray[np.float64]


class SettledScale(NamedTuple):
    """The scale, and notes for the user about it."""

    scale: Scale | None
    notes: tuple[str, ...]


def settle_scale(files: Sequence[FileScores], declared: Scale | None) -> SettledScale:
    """The scale: the declared one, else the one that files or formats state, else one inferred from the scores.

    Raises:
        ScaleError: two files state or suggest different scales.
    """
    known = [(each.file, each.scale) for each in files if each.scale is not None]
    if declared is not None:
        others = {f"{file} says {scale}" for file, scale in known if not scale.same_ends(declared)}
        return SettledScale(declared, tuple(f"scale declared as {declared} though {other}" for other in sorted(others)))
    if known:
        _refuse_different(known, "the files have different scales")
        return SettledScale(known[0][1], ())
    return _inferred(files)


def _inferred(files: Sequence[FileScores]) -> SettledScale:
    """The scale inferred from the scores of all files.

    A small file often lacks the lowest and the highest scores, so files may suggest different ends. If one suggests a
    high end of `UNLIKE` times that of another, they have different scales.
    """
    scores = {each.file: each.scores for each in files if each.scores.size}
    if not scores:
        return SettledScale(None, ())
    guesses = [(file, Scale.infer(values)) for file, values in scores.items()]
    highs = [guess.high for _, guess in guesses]
    if max(highs) >= UNLIKE * min(highs):
        _refuse_different(guesses, "the files seem to have different scales")
    every = np.concatenate(list(scores.values()))
    scale = Scale.infer(every)
    ends = f"{_plain(every.min())} to {_plain(every.max())}"
    return SettledScale(scale, (f"scale inferred as {scale} from scores {ends}; declare it with --scale",))


def _refuse_different(scales: Sequence[tuple[str, Scale]], what: str) -> None:
    first_file, first = scales[0]
    for file, scale in scales[1:]:
        if not scale.same_ends(first):
            said = f"{first_file} {first}, {file} {scale}"
            raise ScaleError(f"{what}: {said}", remedy="read them separately, or declare one scale with --scale")


def _plain(score: float) -> str:
    return f"{float(score):.6g}" if not float(score).is_integer() else f"{float(score):.1f}"
