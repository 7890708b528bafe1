"""Agreement on whether the question of a verification applies to an item."""

from __future__ import annotations

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.rejections import applies_answers, applies_were_asked, shares_that_apply
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.jackknife import mean_estimates
from similitude.gold.reliability.named_raters import number_of_raters
from similitude.gold.reliability.rating_spread import ratings_on

__all__ = ["applies_figures", "applies_were_asked"]


def applies_figures(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    """Nominal alpha of "applies" and "does not apply", and the mean share of annotators who say that it applies."""
    answers = applies_answers(judgements).with_columns(value=pl.col("applies").cast(pl.Float64))
    values = ratings_on(answers, answers["item"].unique(maintain_order=True).to_list())
    twice = int(((~np.isnan(values)).sum(axis=0) >= 2).sum())
    raters = number_of_raters(judgements)
    alpha = krippendorff_alpha(values, "nominal", resampling=resampling)
    shares = shares_that_apply(judgements)["applies_share"].to_numpy()
    (share,) = mean_estimates(shares[None], resampling=resampling)
    return [
        Agreement("applies: Krippendorff's alpha, nominal", alpha, "1: all agree whether it applies", twice, raters),
        Agreement(
            "applies: mean share", share, "of an item's annotators, those who say it applies", len(shares), raters
        ),
    ]
