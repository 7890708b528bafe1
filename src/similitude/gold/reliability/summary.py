"""Every figure of agreement that applies to a set of judgements, with words on how to read it."""

from __future__ import annotations

from functools import partial

import numpy as np

from similitude.data.judgements import Judgements
from similitude.data.protocols import Listener
from similitude.gold.aggregation.repeats import answers_that_count
from similitude.gold.reliability.agreement import Agreement, Draws, Step
from similitude.gold.reliability.best_worst import best_worst_agreement
from similitude.gold.reliability.bootstrap import LEVEL, RESAMPLES
from similitude.gold.reliability.rating_figures import RatingFigures
from similitude.gold.reliability.split_half import REPEATS, split_half

__all__ = ["agreement_figures"]

_CODINGS = {
    "combined": ("Krippendorff's alpha, best and worst combined", "an answer is the pair of best and worst"),
    "by_position": ("Krippendorff's alpha, per question by position", "an answer is a place in its tuple"),
    "by_item": ("Krippendorff's alpha, per question by item", "an answer is an item among all items"),
}


def agreement_figures(
    judgements: Judgements,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    rng: np.random.Generator | None = None,
    repeats: int = REPEATS,
    listener: Listener | None = None,
) -> list[Agreement]:
    """Every figure of agreement that applies to these judgements.

    Ratings: Krippendorff's alpha (interval, ordinal, nominal; ratio on a scale that begins at 0), Fleiss' kappa where
    there are at most 20 different values, intraclass correlations, mean pairwise r and rho, split-half. Best-worst:
    alpha in three codings, strong agreement, split-half. What is undefined stands there with the reason. Each step
    draws from a generator of its own, so that no figure depends on which others are computed.

    Args:
        judgements: best-worst answers or ratings.
        resamples: how many to draw for each interval; 0 for none.
        level: the share of intervals that hold the truth.
        rng: where randomness comes from.
        repeats: how many times answers are cut in half.
        listener: told how far it is, and which answers do not count.

    >>> import polars as pl
    >>> rows = {"annotator": list("xxxyyy"), "item": list("abcabc"), "value": [1.0, 2.0, 5.0, 1.0, 3.0, 5.0]}
    >>> first = agreement_figures(Judgements(name="made", frame=pl.DataFrame(rows)), resamples=0)[0]
    >>> first.name, round(first.estimate.value, 3)
    ("Krippendorff's alpha, interval", 0.95)
    """
    _tell_notes(judgements, listener)
    steps: list[Step] = [partial(_best_worst, judgements)]
    if judgements.kind == "rating":
        steps = RatingFigures(judgements).steps()
    steps.append(partial(_split_half, judgements, repeats))
    generators = (rng or np.random.default_rng(0)).spawn(len(steps))
    found: list[Agreement] = []
    for done, (step, generator) in enumerate(zip(steps, generators, strict=True), start=1):
        found += step(Draws(resamples, level, generator))
        if listener is not None:
            listener.progress("agreement", done, len(steps))
    return found


def _tell_notes(judgements: Judgements, listener: Listener | None) -> None:
    if listener is not None:
        for note in answers_that_count(judgements).notes:
            listener.note(note)


def _best_worst(judgements: Judgements, draws: Draws) -> list[Agreement]:
    found = best_worst_agreement(judgements, **draws._asdict())
    raters = len(judgements.annotators) or None
    once = f"; {found.left_out:,} tuples answered once are left out" if found.left_out else ""
    alphas = [
        Agreement(name, getattr(found, coding), f"1: all agree, 0: as by chance; {answer}{once}", found.tuples, raters)
        for coding, (name, answer) in _CODINGS.items()
    ]
    what = "share of tuples where at least 4 of 5 annotators (of n: 0.8 n, rounded up) name the same item {}"
    strong = [
        Agreement(
            f"strong agreement, {asked}", getattr(found, f"strong_{asked}"), what.format(asked), found.tuples, raters
        )
        for asked in ("best", "worst")
    ]
    return [*alphas, *strong]


def _split_half(judgements: Judgements, repeats: int, draws: Draws) -> list[Agreement]:
    found = split_half(judgements, repeats=repeats, **draws._asdict())
    raters = len(judgements.annotators) or None
    what = f"1: both halves of the answers give the same {{}}; mean of {repeats:,} random halvings, sd {{:.3f}}"
    told = (
        ("split-half, Spearman", found.spearman, what.format("order", found.spearman_sd)),
        ("split-half, Pearson", found.pearson, what.format("scores", found.pearson_sd)),
    )
    return [Agreement(name, estimate, how, found.items, raters) for name, estimate, how in told]
