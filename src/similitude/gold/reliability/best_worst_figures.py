"""Figures of agreement on best-worst answers and on pairs."""

from __future__ import annotations

from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.best_worst import BestWorstAgreement, best_worst_agreement
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.named_raters import number_of_raters

__all__ = ["are_pairs", "best_worst_figures"]

_CODINGS = {
    "combined": (
        "Krippendorff's alpha, best and worst combined",
        "an answer is two places in its tuple{}; compares with Table 1 of GiCCS",
    ),
    "by_position": ("Krippendorff's alpha, per question by position", "an answer is a place in its tuple{}"),
    "by_item": ("Krippendorff's alpha, per question by item", "an answer is an item among all items"),
}
_OF_PAIRS = {"by_position": ("Krippendorff's alpha, which of the two", "an answer is one of two items{}")}
"""If two items are shown, the best one decides the worst, so the codings are one fact at different chance levels."""

_STRONG = "share of {} where at least 4 of 5 annotators (of n: 0.8 n, rounded up) name the same item{}"


def are_pairs(judgements: Judgements) -> bool:
    """Whether every best-worst answer is about two items."""
    return judgements.kind == "best-worst" and bool((judgements.frame["items"].list.len() == 2).all())


def best_worst_figures(judgements: Judgements, resampling: Resampling) -> list[Agreement]:
    """Alpha in three codings, and strong agreement on best and on worst; on pairs, one of each."""
    found = best_worst_agreement(judgements, resampling=resampling)
    raters = number_of_raters(judgements)
    if are_pairs(judgements):
        strong = ("strong agreement", found.strong_best, _STRONG.format("pairs", ""))
        return [*_alphas(found, _OF_PAIRS, "pairs", raters), Agreement(*strong, found.tuples, raters)]
    strongs = [
        Agreement(
            f"strong agreement, {asked}",
            getattr(found, f"strong_{asked}"),
            _STRONG.format("tuples", f" {asked}"),
            found.tuples,
            raters,
        )
        for asked in ("best", "worst")
    ]
    return [*_alphas(found, _CODINGS, "tuples", raters), *strongs]


def _alphas(
    found: BestWorstAgreement, codings: dict[str, tuple[str, str]], shown: str, raters: int | None
) -> list[Agreement]:
    once = f"; {found.left_out:,} {shown} answered once are left out" if found.left_out else ""
    listed = "" if found.listings is None else f", mean over {found.listings} random listings"
    chance = {} if found.by_chance is None else found.by_chance._asdict()
    return [
        Agreement(
            name,
            getattr(found, coding),
            f"1: all agree{_as_by_chance(chance.get(coding))}; {answer.format(listed)}{once}",
            found.tuples,
            raters,
            chance.get(coding),
        )
        for coding, (name, answer) in codings.items()
    ]


def _as_by_chance(alpha: float | None) -> str:
    return "" if alpha is None else f", {alpha:z.2f}: as random answers to these tuples"
