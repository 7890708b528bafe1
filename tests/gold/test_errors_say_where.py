"""Every error about judgements begins with their name and ends with the remedy."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import SimilitudeError
from similitude.gold.aggregation import aggregate_judgements
from similitude.gold.reliability.agreement_by_label import agreement_by, labels_of
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.annotator_checks import gold_questions
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.component_table import component_table
from similitude.gold.reliability.expert_check import expert_check
from similitude.gold.reliability.growth import divergence_growth, growth
from similitude.gold.reliability.rounds import compare_rounds, in_round
from similitude.gold.reliability.split_half import Halving, split_half
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.gold.reliability.tuple_plan import plan_tuples

FIVE = Scale(low=0, high=5)


def rated(*rows: tuple[str | None, str, float | None], **settings) -> Judgements:
    schema = {"annotator": pl.String, "item": pl.String, "value": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Judgements(name="made", frame=frame, **({"scale": FIVE} | settings))


def labelled(*rows: tuple[str | None, str, float]) -> Judgements:
    return rated(*rows, categories=("no", "yes"), scale=None)


def chosen(*rows: tuple[str, str | None, str, str, str]) -> Judgements:
    """Rows of (question, annotator, items as letters, best, worst)."""
    spelled = [(question, who, list(items), best, worst) for question, who, items, best, worst in rows]
    schema = {"question": pl.String, "annotator": pl.String, "items": pl.List(pl.String), "best": pl.String}
    return Judgements(name="made", frame=pl.DataFrame(spelled, schema=schema | {"worst": pl.String}, orient="row"))


RATINGS = rated(("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", 3.0), ("y", "b", 4.0))
MANY = rated(*((who, f"i{n}", n / 10) for who in "xy" for n in range(21)))
APART = rated(("x", "a", 1.0), ("y", "a", 2.0), ("z", "b", 3.0), ("w", "b", 4.0))
ROUNDS = Judgements(
    name="made",
    scale=FIVE,
    frame=pl.DataFrame(
        {
            "round": ["first"] * 2 + ["second"] * 2,
            "annotator": list("xyxy"),
            "item": list("aabb"),
            "value": [1.0, 2.0, 3.0, 4.0],
        }
    ),
)
LABELS = labelled(("x", "a", 0.0), ("y", "a", 1.0))
CHOICES = chosen(("1", "x", "abc", "a", "c"), ("1", "y", "abc", "a", "b"), ("2", "x", "abd", "b", "d"))
SCORED = Benchmark.from_columns("made", left=["a"], right=["b"], score=[0.5])

CASES: dict[str, tuple[Callable[[], object], str]] = {
    "one annotator of labels": (
        lambda: aggregate_judgements(labelled(("x", "a", 0.0)), "dawid-skene"),
        "only one annotator, 'x'; confusions need",
    ),
    "unnamed raters": (
        lambda: aggregate_judgements(rated((None, "a", 1.0)), "annotator-aware"),
        "1 rating by unnamed raters; name the raters, say --positions-are-people",
    ),
    "one rater": (
        lambda: aggregate_judgements(rated(("x", "a", 1.0)), "annotator-aware"),
        "only one rater, 'x'; bias and spread need",
    ),
    "raters apart": (
        lambda: aggregate_judgements(APART, "annotator-aware"),
        "no item connects .*; have some items rated across parts",
    ),
    "ratings all the same": (
        lambda: aggregate_judgements(rated(("x", "a", 1.0), ("y", "a", 1.0)), "annotator-aware"),
        "all ratings are the same, .*; use mean",
    ),
    "unnamed annotators of tuples": (
        lambda: aggregate_judgements(chosen(("1", None, "ab", "a", "b")), "annotator-plackett-luce"),
        "1 answer by unnamed annotators; name the annotators",
    ),
    "one annotator of tuples": (
        lambda: aggregate_judgements(chosen(("1", "x", "ab", "a", "b")), "annotator-plackett-luce"),
        "only one annotator, 'x'; attention needs others",
    ),
    "never lost": (
        lambda: aggregate_judgements(chosen(("1", "x", "ab", "a", "b")), "plackett-luce(prior=0)"),
        ".* never lost.*; no maximum exists",
    ),
    "best and worst the same": (
        lambda: aggregate_judgements(chosen(("1", "x", "ab", "a", "a")), "plackett-luce"),
        "every answer names one item .*; check which columns",
    ),
    "gold questions that nobody answered": (
        lambda: gold_questions(RATINGS, {"z": 1.0}),
        "none of the 1 gold questions was answered; identify them",
    ),
    "a correct answer that is no category": (
        lambda: gold_questions(LABELS, {"a": "maybe"}),
        "the correct answer 'maybe' to 'a' is not a category; one of no, yes",
    ),
    "a correct answer off the scale": (
        lambda: gold_questions(RATINGS, {"a": 6.0}),
        r"the correct answer 6 to 'a' is off the scale 0\.\.5; give it on",
    ),
    "correct answers that are no pairs": (
        lambda: gold_questions(CHOICES, {"1": ("a", "c", "b")}),
        r"gold answers .* must be pairs of best and worst; give \(best, worst\)",
    ),
    "ratings as tuples": (lambda: TupleAnswers.of(RATINGS), "these are ratings; .*; pass best-worst answers"),
    "a question with different items": (
        lambda: TupleAnswers.of(chosen(("1", "x", "abc", "a", "b"), ("1", "y", "abd", "a", "b"))),
        "question '1' shows different items in different answers, such as .*c.* and .*d.*; give every tuple",
    ),
    "left out, but not judged": (
        lambda: split_half(RATINGS, without=("z", "q"), resampling=NO_INTERVALS),
        "nobody judged 'q'; leave out items",
    ),
    "no such round": (lambda: in_round(ROUNDS, "third"), "no round named 'third'; rounds there: first, second"),
    "one round": (
        lambda: compare_rounds(in_round(ROUNDS, "second")),
        "there is only one round, 'second'; comparing rounds needs",
    ),
    "rounds of different items": (
        lambda: compare_rounds(ROUNDS),
        "no item has two ratings both in round 'first' and in round 'second'; compare rounds",
    ),
    "a curve of one round": (
        lambda: divergence_growth(in_round(ROUNDS, "second")),
        "there is only one round, 'second'; this curve needs",
    ),
    "a curve beyond the ratings": (
        lambda: growth(RATINGS, last=3),
        "no curve from .* to 3 raters: items have up to 2 ratings; give other numbers",
    ),
    "unnamed annotators have no table": (
        lambda: annotator_table(rated((None, "a", 1.0), (None, "a", 2.0))),
        "there is no table of annotators; .+",
    ),
    "weights of many ratings": (
        lambda: agreement_figures(MANY, weights="linear", resampling=NO_INTERVALS),
        "21 different ratings are not labels, .*; for at most 20; leave --weights out",
    ),
    "weights of words": (
        lambda: agreement_figures(LABELS, weights="linear", resampling=NO_INTERVALS),
        "linear weights need an order .*; give it, lowest first, as in --categories 'no,yes'",
    ),
    "halves of labels": (
        lambda: agreement_figures(LABELS, halving=Halving(spearman_brown=True), resampling=NO_INTERVALS),
        "answers in categories are not split in halves; leave out --odd-to, --spearman-brown and --without",
    ),
    "labels of unknown items": (
        lambda: labels_of(RATINGS, "source"),
        "only the ids of the items are known; read the judgements together",
    ),
    "items without a label": (
        lambda: agreement_by(RATINGS, {"a": "one"}),
        "1 items have no label, such as 'b'; give every judged item a label",
    ),
    "a tuple of two labels": (
        lambda: agreement_by(CHOICES, {"a": "one", "b": "one", "c": "one", "d": "two"}),
        "question '2' mixes items of 'one' and 'two'; label items so that",
    ),
    "a tuple of three labels": (
        lambda: agreement_by(CHOICES, {"a": "3", "b": "1", "c": "3", "d": "2"}),
        "question '1' mixes items of '1' and '3'; label items so that",
    ),
    "too few items for Gaussians": (
        lambda: component_table(RATINGS, 1, np.random.default_rng(0)),
        "[12] items? with a rating of all 2 raters to fit 1 Gaussian to, and .* needed; fewer Gaussians",
    ),
    "a scale that is unknown": (
        lambda: expert_check(replace(SCORED, scale=None), {"1": "high"}),
        "the scale is unknown; declare it, or give a border",
    ),
    "no such item": (
        lambda: expert_check(SCORED, {"9": "high"}, border=0.4),
        "the expert judged '9', which is not an item$",
    ),
    "no verdict": (
        lambda: expert_check(SCORED, {"1": "middling"}, border=0.4),
        "'middling' about item '1' is not a verdict; write one of: high, low",
    ),
    "a plan of tuples for ratings": (lambda: plan_tuples(RATINGS), "these are ratings; plan them with plan_raters"),
}


@pytest.mark.parametrize("case", CASES)
def test_where_and_remedy(case: str):
    call, said = CASES[case]
    with pytest.raises(SimilitudeError, match=f"^made: {said}"):
        call()
