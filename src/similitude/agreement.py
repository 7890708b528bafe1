"""Agreement of raters, figure by figure: ``sim.agreement.krippendorff_alpha`` and its kin.

`similitude.reliability` computes everything at once. These functions compute one thing: from answers in any form that
`similitude.read_judgements` takes, or from an array of raters x items with nan where somebody did not rate an item.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from similitude.data.addresses import open_benchmark, open_judgements
from similitude.data.any_form import in_any_form
from similitude.gold.aggregation import effective_components
from similitude.gold.reliability import best_worst, ceiling, contention, growth, rater_plan, tuple_plan
from similitude.gold.reliability import expert_check as expert
from similitude.gold.reliability import split_half as halves
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.categories import Classification, classified_matrix, coefficients
from similitude.gold.reliability.pairable_ratings import checked
from similitude.gold.reliability.rater_plan import RaterTargets

__all__ = [
    "RaterTargets",
    "Resampling",
    "best_worst_agreement",
    "conger",
    "effective_components",
    "expert_check",
    "fleiss",
    "growth_over_orders",
    "gwet",
    "human_ceiling",
    "krippendorff_alpha",
    "plan_raters",
    "plan_tuples",
    "split_by_contention",
    "split_half",
]


def _classified(values: ArrayLike) -> Classification:
    return classified_matrix(checked(values))


best_worst_agreement = in_any_form(open_judgements, best_worst.best_worst_agreement)
growth_over_orders = in_any_form(open_judgements, growth.growth_over_orders)
human_ceiling = in_any_form(open_judgements, ceiling.human_ceiling)
plan_raters = in_any_form(open_judgements, rater_plan.plan_raters)
plan_tuples = in_any_form(open_judgements, tuple_plan.plan_tuples)
split_by_contention = in_any_form(open_judgements, contention.split_by_contention)
split_half = in_any_form(open_judgements, halves.split_half)
expert_check = in_any_form(open_benchmark, expert.expert_check)
conger = in_any_form(_classified, coefficients.conger)
fleiss = in_any_form(_classified, coefficients.fleiss)
gwet = in_any_form(_classified, coefficients.gwet)
