"""Figures on opinions: how far people differ, how well one predicts the others, and how many are enough."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError
from similitude.gold.aggregation import make_aggregation
from similitude.gold.reliability.agreement import Agreement, Step, run_steps
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.ceiling import human_ceiling
from similitude.gold.reliability.contention import contention, tipping_point
from similitude.gold.reliability.estimate import undefined
from similitude.gold.reliability.groups import compare_groups, groups_of
from similitude.gold.reliability.jackknife import mean_estimates
from similitude.gold.reliability.named_raters import number_of_raters
from similitude.gold.reliability.rater_plan import RaterPlan, plan_raters
from similitude.gold.reliability.rounds import compare_rounds, rounds_of
from similitude.gold.reliability.tuple_plan import TuplePlan, plan_tuples

__all__ = ["RELIABILITY", "opinion_figures"]

RELIABILITY = 0.9
"""The target reliability of best-worst scores."""


def opinion_figures(
    judgements: Judgements,
    *,
    plan: RaterPlan | TuplePlan | None = None,
    resampling: Resampling = USUAL,
    listener: Listener | None = None,
) -> list[Agreement]:
    """Every figure on opinions that applies to these judgements, each with one line on how to read it.

    Ratings: mean standard deviation and share of contentious items in the first round; the human ceiling; differences
    between rounds and between groups of raters, if there are several; the number of raters that the default targets
    need. Best-worst: the human ceiling, and the number of annotations per tuple. Categories: the share of the commonest
    label, and the share of ties.

    Args:
        judgements: answers of any kind.
        plan: how many raters or annotations are enough, if it is known; else it is made with the default targets.
        resampling: how intervals are drawn.
        listener: is told the progress.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> from similitude.samples import read_sample
    >>> dialogues = Judgements.of_benchmark(read_sample("dialogues"))
    >>> [figure.name for figure in opinion_figures(dialogues, resampling=NO_INTERVALS)]
    ['one annotator against the rest, Pearson', 'one annotator against the rest, Spearman',
     'another panel of the same size, Pearson', 'another panel of the same size, Spearman',
     'within reach of a perfect system, Pearson', 'within reach of a perfect system, Spearman',
     'annotations per tuple for reliability 0.9']
    """
    steps = _steps(judgements, plan)
    return run_steps(steps, resampling, listener=listener, stage="opinions")


def _steps(judgements: Judgements, plan: RaterPlan | TuplePlan | None) -> list[Step]:
    if judgements.kind == "category":
        return [partial(_labels, judgements)]
    if judgements.kind == "rating" and judgements.rated().is_empty():
        return []  # every answer says that the question does not apply
    if judgements.kind == "best-worst":
        return [partial(_ceiling, judgements), partial(_tuples, judgements, plan)]
    steps = [_disagreement, _ceiling]
    if len(rounds_of(judgements)) > 1:
        steps.append(_rounds)
    if len(groups_of(judgements)) > 1:
        steps.append(_groups)
    return [*(partial(step, judgements) for step in steps), partial(_raters, judgements, plan)]


def _disagreement(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    table = contention(judgements).drop_nulls("contentious")
    figures = np.stack([table["sigma"].to_numpy(), table["contentious"].cast(float).to_numpy()])
    sigma, share = mean_estimates(figures, why="no item has two ratings in the first round", resampling=resampling)
    first, raters = rounds_of(judgements)[0], number_of_raters(judgements)
    border = f"{tipping_point(judgements):.3g}"
    told = (
        (
            "mean standard deviation",
            sigma,
            f"how far the ratings of an item lie apart in round '{first}' (population, ddof 0)",
        ),
        (
            "share of contentious items",
            share,
            f"items whose ratings have a standard deviation above {border}, a tenth of the scale",
        ),
    )
    return [Agreement(name, estimate, what, table.height, raters) for name, estimate, what in told]


def _ceiling(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    found = human_ceiling(judgements, resampling=resampling)
    one = "mean over annotators; a system above this predicts people better than one person does"
    panel = "what the scores of as many other people would correlate with these: the reliability of gold"
    perfect = "what a system would reach that knows what all people would say on average: the root of the reliability"
    both = (("Pearson", found.pearson), ("Spearman", found.spearman))
    told = (
        *((f"one annotator against the rest, {name}", each.one_person, one) for name, each in both),
        *((f"another panel of the same size, {name}", each.panel, panel) for name, each in both),
        *((f"within reach of a perfect system, {name}", each.perfect, perfect) for name, each in both),
    )
    items, raters = len(judgements.judged), found.annotators.height or None
    return [Agreement(name, estimate, what, items, raters) for name, estimate, what in told]


def _labels(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    table = make_aggregation("majority").aggregate(judgements, resampling.generator).frame
    several = table.filter(pl.col("answers") > 1)
    figures = np.stack([several["share"].to_numpy(), several["tie"].cast(float).to_numpy()])
    share, ties = mean_estimates(figures, why="no item has two answers", resampling=resampling)
    told = (
        ("mean share of the commonest label", share, "of an item's answers, those that name its commonest label"),
        ("share of items without a majority", ties, "two or more labels have the most votes"),
    )
    raters = number_of_raters(judgements)
    return [Agreement(name, estimate, what, several.height, raters) for name, estimate, what in told]


def _rounds(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    try:
        found = compare_rounds(judgements, resampling=resampling)
    except ArgumentError as error:
        what = "rounds are compared on items with two ratings in each"
        return [Agreement("mean difference between rounds", undefined(error.what), what, 0, None)]
    which = f"round '{found.first}' minus round '{found.second}'"
    dropped = f"; {counted(found.dropped, 'item')} without variance dropped" if found.dropped else ""
    told = (
        (f"mean difference, {which}", found.mean_difference, "above 0: the earlier round scores higher"),
        (f"difference of sigma, {which}", found.sigma_difference, "above 0: the earlier round disagrees more"),
        (f"KL({found.first} || {found.second})", found.kl, f"0: both agree; natural log, mean{dropped}"),
    )
    raters = number_of_raters(judgements)
    return [Agreement(name, estimate, what, found.items.height, raters) for name, estimate, what in told]


def _groups(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    figures = []
    for found in compare_groups(judgements, resampling=resampling):
        which, raters = f"'{found.group}' minus '{found.reference}'", number_of_raters(judgements)
        told = (
            (f"mean difference, {which}", found.mean_difference, "above 0: the group scores higher"),
            (f"difference of sigma, {which}", found.sigma_difference, "above 0: its members disagree more"),
        )
        figures += [Agreement(name, estimate, what, found.items, raters) for name, estimate, what in told]
    return figures


def _raters(judgements: Judgements, plan: RaterPlan | TuplePlan | None, resampling: Resampling) -> list[Agreement]:
    plan = plan if isinstance(plan, RaterPlan) else plan_raters(judgements, resampling=resampling)
    raters = number_of_raters(judgements)
    each = [
        Agreement(f"raters: {need.what}", need.raters, "the fewest raters per item that do", plan.items, raters)
        for need in plan.needs
    ]
    whole = Agreement("raters for all targets", plan.raters, "the largest of the above", plan.items, raters)
    return [*each, whole]


def _tuples(judgements: Judgements, plan: RaterPlan | TuplePlan | None, resampling: Resampling) -> list[Agreement]:
    if not isinstance(plan, TuplePlan):
        plan = plan_tuples(judgements, reliability=RELIABILITY, resampling=resampling)
    now = f"; the present {plan.pilot:.3g} give a reliability of {plan.reliability.value:.3f}"
    what = f"the fewest that do{now if plan.reliability.is_defined else ''}"
    raters, items = number_of_raters(judgements), len(judgements.judged)
    return [Agreement(f"annotations per tuple for reliability {RELIABILITY:g}", plan.needed, what, items, raters)]
