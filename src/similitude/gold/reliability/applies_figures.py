"""Agreement on whether the question of a verification applies to an item."""

from __future__ import annotations

import numpy as np

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.rejections import applies_answers, applies_were_asked, shares_that_apply
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.categories import share_estimate
from similitude.gold.reliability.category_figures import classified_frame
from similitude.gold.reliability.coefficient_figures import coefficient_figures
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.named_raters import number_of_raters

__all__ = ["applies_figures", "applies_were_asked"]

PREFIX = "applies: "


def applies_figures(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    """The coefficients of "applies" and "does not apply", and the mean share of annotators who say that it applies."""
    answers = classified_frame(applies_answers(judgements), "applies", np.array([0.0, 1.0]))
    shares = shares_that_apply(judgements)["applies_share"].to_numpy()
    return [
        *coefficient_figures(answers, resampling, prefix=PREFIX),
        Agreement(
            f"{PREFIX}mean share",
            _mean_share(shares, resampling),
            "of an item's annotators, those who say it applies",
            len(shares),
            number_of_raters(judgements),
            standard_error=_error(shares) if len(shares) > 1 else None,
        ),
    ]


def _mean_share(shares: np.ndarray, resampling: Resampling) -> Estimate:
    mean = float(shares.mean())
    if resampling.resamples == 0:
        return Estimate(mean)
    return share_estimate(mean, _error(shares), len(shares), resampling.level)


def _error(shares: np.ndarray) -> float:
    return float(shares.std(ddof=1) / np.sqrt(len(shares))) if len(shares) > 1 else float("nan")
