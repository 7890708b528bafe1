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
FEW = 5
"""With fewer scores, a file says nothing about its scale."""

MANY = 10
"""With as many scores, a file without negative ones is likely to have none."""

UNUSUAL = 100.0
"""If all scores are higher, they are years or ids rather than similarities."""


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
        _refuse_narrow(files, known[0])
        return SettledScale(known[0][1], ())
    return _inferred(files)


def _inferred(files: Sequence[FileScores]) -> SettledScale:
    """The scale inferred from the scores of all files.

    A small file often lacks the lowest and the highest scores, so files may suggest different ends. If one suggests a
    high end of `UNLIKE` times that of another, they have different scales; so they do if only one of them has negative
    scores, and both have many.
    """
    there = [each for each in files if each.scores.size]
    if not there:
        return SettledScale(None, ())
    guesses = [(each.file, Scale.infer(each.scores)) for each in there]
    highs = [guess.high for _, guess in guesses]
    sure = {guess.low < 0 for each, (_, guess) in zip(there, guesses, strict=True) if len(each.scores) >= MANY}
    if max(highs) >= UNLIKE * min(highs) or len(sure) > 1:
        _refuse_different(guesses, "the files seem to have different scales")
    every = np.concatenate([each.scores for each in there])
    scale = Scale.infer(every)
    if every.min() > UNUSUAL:
        what = f"the scores lie within {_plain(every.min())}..{_plain(every.max())}, which is no usual scale"
        remedy = "declare it with --scale; if these are no scores, name the column with --column score=NAME"
        raise ScaleError(what, where=", ".join(dict.fromkeys(each.file for each in there)), remedy=remedy)
    ends = f"{_plain(every.min())} to {_plain(every.max())}"
    return SettledScale(scale, (f"scale inferred as {scale} from scores {ends}; declare it with --scale",))


def _refuse_narrow(files: Sequence[FileScores], known: tuple[str, Scale]) -> None:
    """Refuse a file that states no scale and whose scores seem to lie on a narrower one than those of another file."""
    for each in files:
        guess = Scale.infer(each.scores) if each.scale is None and len(each.scores) >= FEW else None
        if guess is not None and known[1].high >= UNLIKE * guess.high:
            _refuse_different([known, (each.file, guess)], "the files seem to have different scales")


def _refuse_different(scales: Sequence[tuple[str, Scale]], what: str) -> None:
    first_file, first = scales[0]
    for file, scale in scales[1:]:
        if not scale.same_ends(first):
            said = f"{first_file} {first}, {file} {scale}"
            raise ScaleError(f"{what}: {said}", remedy="read them separately, or declare one scale with --scale")


def _plain(score: float) -> str:
    return f"{float(score):.6g}" if not float(score).is_integer() else f"{float(score):.1f}"
