"""The correction of predicted standard deviations, fitted on the validation items."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import InputError
from similitude.stats.recalibration import FEWEST, ITEMS_A_KNOT, Recalibration, fit_isotonic, fit_scaling
from similitude.training.request import Recalibrate
from similitude.training.uncertain.opinions import Opinions

__all__ = ["Corrected", "check_recalibration", "fit_recalibration"]

Array = NDArray[np.float64]

NEEDED: dict[Recalibrate, int] = {"none": 0, "scale": FEWEST, "isotonic": 2 * ITEMS_A_KNOT}
"""The fewest validation items on which each correction can be fitted."""


class Corrected(NamedTuple):
    """A correction of standard deviations, and a note for the user."""

    correction: Recalibration
    note: str

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return self.correction.record()


def check_recalibration(how: Recalibrate, validation: Opinions, *, to_errors: bool = False) -> None:
    """Check, before anything is computed, that there are enough validation items.

    Args:
        how: the correction.
        validation: the validation items.
        to_errors: whether sigmas are fitted to the errors of the mean where people differ on no item.

    Raises:
        InputError: there are too few.
    """
    differ = validation.sigmas > 0
    there = len(validation) if to_errors and not differ.any() else int(differ.sum())
    if there < NEEDED[how]:
        which = "validation items" if to_errors else "validation items on which people differ"
        raise InputError(
            f"{there:,} {which} are too few to recalibrate on",
            where=" + ".join(origin.name for origin in validation.origins),
            remedy=f"give {NEEDED[how]:,} or more, or omit --recalibrate",
        )


def fit_recalibration(how: Recalibrate, means: Array, sigmas: Array, validation: Opinions, width: float) -> Corrected:
    """Fit a correction on the gold scale, on which the system gives its sigmas.

    Args:
        how: scale or isotonic.
        means: predicted for the validation items, as shares of the scale.
        sigmas: predicted likewise.
        validation: people's opinions of the same items.
        width: of the scale on which the system answers.
    """
    gold, human = width * validation.means, width * validation.sigmas
    fit = fit_scaling if how == "scale" else fit_isotonic
    correction = fit(width * means, width * sigmas, gold, human if (human > 0).any() else None)
    record = correction.record()
    change = f"multiplied by {record['factor']:.3g}" if record["kind"] == "scaling" else "mapped by a rising function"
    return Corrected(
        correction,
        f"predicted sigmas are {change}, fitted on {record['items']:,} validation items; the validation figures are "
        "those before this correction",
    )
