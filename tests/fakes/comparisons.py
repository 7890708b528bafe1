"""Every measure, and a comparison that has all that any of them needs."""

from dataclasses import replace

import numpy as np

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import catalogue, make_measure

FIVE = Scale(low=0, high=5)
ALSO = (
    "ndcg@10",
    "ncg@3",
    "ncg@999",
    "group_ndcg@2",
    "ndcg@5(reverse=true)",
    "ndcg@10(ties=stable)",
    "ndcg(reverse=true, ties=stable)",
    "nlpd(against=ratings)",
    "crps(against=ratings)",
    "ece(against=ratings)",
    "ece(coverage=below)",
    "ece_wang2022(against=ratings)",
    "kl(zero_variance=floor)",
    "f1_high(border=4.5, when_empty=0)",
    "macro_avg(spearman, ndcg@10)",
    "auc(border=2.5)",
    "f1_binary(border=2.5)",
    "hmean(accuracy, auc)",
    "cost(false_positive=1, false_negative=5)",
)
EVERY = {str(measure): measure for measure in (*catalogue(), *map(make_measure, ALSO))}
BINARY = {name for name, measure in EVERY.items() if "two labels" in measure.requires}


def comparison(items: int = 40, systems: int = 4, seed: int = 0) -> Comparison:
    """Ties on both sides, items without ratings, without human sigma and with a human sigma of 0."""
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, items).round(1)
    predicted = np.clip(gold + rng.normal(0, 1, (systems, items)), 0, 5)
    predicted[:2] = predicted[:2].round(1)
    human = rng.uniform(0.1, 1, items).round(1)
    human[:2], human[2:4] = 0, np.nan
    raters = np.delete(rng.permutation(np.repeat(np.arange(items), rng.integers(1, 4, items))), 0)
    raters = raters[raters != 5]
    return Comparison(
        gold=gold,
        predicted=predicted,
        scale=FIVE,
        is_on_scale=np.ones(systems, bool),
        gold_sigma=human,
        predicted_sigma=rng.uniform(0.1, 1, (systems, items)).round(2),
        ratings=(np.clip(gold[raters] + rng.normal(0, 0.5, raters.size), 0, 5), raters),
        groups=np.arange(items) // 5,
        sources=Sources(np.arange(items) % 2, ("a", "b")),
    )


def comparison_for(name: str, items: int = 40) -> Comparison:
    """Graded gold, or two labels for a measure that needs them; with folds, which drawn items keep."""
    made = comparison(items)
    made = replace(made, gold=np.where(made.gold > 2.5, 5.0, 0.0)) if name in BINARY else made
    return replace(made, folds=made.fold_of_item)
