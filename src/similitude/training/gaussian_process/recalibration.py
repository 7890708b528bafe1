"""Correcting the sigmas of a Gaussian process on the items that it was validated on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.errors import InputError
from similitude.stats.recalibration import FEWEST, ITEMS_A_KNOT, Recalibration, fit_isotonic, fit_scaling
from similitude.systems.uncertain.gaussian_process.posterior import PosteriorMoments
from similitude.training.gaussian_process.rater_noise import human_sigmas, mean_scores
from similitude.training.request import Recalibrate
from similitude.training.uncertain.opinions import Opinions

__all__ = ["Corrected", "check_recalibration", "recalibrated"]


class Corrected(NamedTuple):
    """A correction of sigmas and what the user should know of it."""

    correction: Recalibration
    note: str


def check_recalibration(recalibrate: Recalibrate, validation: Opinions) -> None:
    """Before anything is computed: are there enough validation items?

    Raises:
        InputError: there are not.
    """
    needed = {"none": 0, "scale": FEWEST, "isotonic": 2 * ITEMS_A_KNOT}[recalibrate]
    differ = human_sigmas(validation) > 0
    there = int(differ.sum()) if differ.any() else len(validation)
    if there < needed:
        raise InputError(
            f"{there:,} validation items are too few to recalibrate on",
            remedy=f"give {needed:,} or more, or leave --recalibrate out",
        )


def recalibrated(
    recalibrate: Recalibrate, moments: PosteriorMoments, validation: Opinions, width: float
) -> Corrected | None:
    """Fitted on the scale itself, where the system says its sigmas; None where none is asked for.

    Args:
        recalibrate: how.
        moments: predicted of the validation items, in shares of the scale.
        validation: the opinions of people, in shares of the scale.
        width: of the scale on which the system answers.
    """
    if recalibrate == "none":
        return None
    gold, human = width * mean_scores(validation), width * human_sigmas(validation)
    fit = fit_scaling if recalibrate == "scale" else fit_isotonic
    known = human if (human > 0).any() else None
    correction = fit(width * moments.means, width * np.sqrt(moments.variances), gold, known)
    told = correction.record()
    how = f"times {told['factor']:.3g}" if told["kind"] == "scaling" else "by a rising function"
    where = f"fitted on {told['items']:,} validation items"
    return Corrected(correction, f"sigmas are corrected {how}, {where}; the validation figures are those before that")
