"""Simulated raters: a language model answers as several people would, or several times.

Their ratings have the same layout as human ratings, so that the same code aggregates both
(`similitude.gold.make_gold`). They are not human: every table of such ratings says *simulated*.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.judgements import Judgements
from similitude.data.prediction import Predictions
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError

__all__ = ["BUILT_IN", "Ratings", "judgements_of", "rater_names", "read_personas", "summarise"]

Array = NDArray[np.float64]

BUILT_IN = "built-in"
"""The built-in personas, in the language of each item."""


class Ratings(NamedTuple):
    """Statistics of the ratings of each item.

    Attributes:
        means: one per item; nan if there is no rating.
        sigmas: population standard deviations.
        missing: the share of raters without a rating.
    """

    means: Array
    sigmas: Array
    missing: Array


def read_personas(path: str) -> tuple[str, ...]:
    """Read personas from a text file, one per line; blank lines and lines that start with # are ignored.

    Raises:
        InputError: the file cannot be read, or contains no persona.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        what = "the personas cannot be read"
        raise InputError(
            what, where=path, remedy=f"name a text file with one persona per line, or use personas={BUILT_IN}"
        ) from None
    people = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not people:
        raise InputError("the file contains no persona", where=path, remedy="write one persona per line")
    return people


def rater_names(number: int) -> list[str]:
    """The names of simulated raters.

    >>> rater_names(2)
    ['simulated-01', 'simulated-02']
    """
    width = max(2, len(str(number)))
    return [f"simulated-{place:0{width}d}" for place in range(1, number + 1)]


def summarise(samples: Array) -> Ratings:
    """Mean and population standard deviation of the ratings per item.

    Args:
        samples: items x raters; nan for a missing rating.

    >>> summarise(np.array([[1.0, 3.0, np.nan]]))
    Ratings(means=array([2.]), sigmas=array([1.]), missing=array([0.33333333]))
    """
    given = np.isfinite(samples)
    number = given.sum(axis=1)
    totals = np.where(given, samples, 0.0).sum(axis=1)
    means = np.divide(totals, number, out=np.full(len(samples), np.nan), where=number > 0)
    squares = np.where(given, (samples - means[:, None]) ** 2, 0.0).sum(axis=1)
    sigmas = np.sqrt(np.divide(squares, number, out=np.full(len(samples), np.nan), where=number > 0))
    return Ratings(means, sigmas, 1 - given.mean(axis=1))


def judgements_of(items: Items, predictions: Predictions, *, scale: Scale, name: str) -> Judgements:
    """The ratings of simulated raters as judgements.

    An answer without a number is not a rating. A rating off the scale is left out and counted in the provenance.

    Args:
        items: the rated items.
        predictions: predictions with samples, as from ``prompted(..., by=raters)``.
        scale: the scale of the ratings: the system's range.
        name: the name of the rater, such as the system's identity.

    Raises:
        ArgumentError: the predictions have no samples.

    >>> pairs = Items.from_pairs(["a cat"], ["one cat"])
    >>> said = Predictions(np.array([3.5]), samples=np.array([[3.0, 4.0, np.nan, 8.0]]))
    >>> made = judgements_of(pairs, said, scale=Scale(low=1, high=5), name="a model")
    >>> made, made.provenance.notes
    (<Judgements 'a model': 2 rating answers about 1 items>, ('1 rating off the scale 1..5 was left out',))
    """
    if predictions.samples is None:
        raise ArgumentError("these predictions have no samples", remedy="score with prompted(..., by=raters)")
    samples = predictions.samples
    on_scale = scale.holds(samples)
    off = int((np.isfinite(samples) & ~on_scale).sum())
    rows, columns = np.nonzero(on_scale)
    names, ids = np.array(rater_names(samples.shape[1])), np.array(items.ids)
    frame = pl.DataFrame({"annotator": names[columns], "item": ids[rows], "value": samples[rows, columns]})
    told = f"{off:,} rating{'' if off == 1 else 's'} off the scale {scale} {'was' if off == 1 else 'were'} left out"
    return Judgements(
        name=name,
        frame=frame,
        scale=scale,
        items=items.frame,
        provenance=Provenance(
            judged_by=f"simulated: {name}, as {samples.shape[1]} raters", notes=(told,) if off else ()
        ),
    )
