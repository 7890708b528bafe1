"""Pairs: A is better than B, as best-worst answers about two items."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.aggregation import aggregate_judgements
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.split_half import Halving


def pairs(*rows):
    frame = pl.DataFrame(
        [(who, [better, worse], better, worse) for who, better, worse in rows],
        schema={"annotator": pl.String, "items": pl.List(pl.String), "best": pl.String, "worst": pl.String},
        orient="row",
    )
    return Judgements(name="pairs", frame=frame)


def simulated(strengths, comparisons, rng, annotators=5):
    rows = []
    for number in range(comparisons):
        one, other = rng.choice(len(strengths), size=2, replace=False)
        wins = rng.random() < 1 / (1 + np.exp(strengths[other] - strengths[one]))
        rows.append((f"p{number % annotators}", f"i{one if wins else other}", f"i{other if wins else one}"))
    return pairs(*rows)


def test_counting_is_wins_minus_losses():
    found = aggregate_judgements(pairs(("x", "a", "b"), ("y", "a", "b"), ("x", "b", "c")))
    scores = dict(found.frame.select("id", "score").iter_rows())
    assert scores == pytest.approx({"a": 1.0, "b": -1 / 3, "c": -1.0})


@pytest.mark.parametrize(("method", "unit"), [("plackett-luce", 2.0), ("plackett-luce(model=sequential)", 1.0)])
def test_bradley_terry_strengths_are_recovered_at_defaults(method, unit):
    rng = np.random.default_rng(5)
    strengths = rng.normal(scale=1.0, size=40)
    strengths -= strengths.mean()
    found = aggregate_judgements(simulated(strengths, 12_000, rng, annotators=12_000), method).frame
    place = [int(name[1:]) for name in found["id"]]
    estimated = unit * found["utility"].to_numpy()
    errors = (estimated - strengths[place]) / (unit * found["utility_error"].to_numpy())
    assert np.corrcoef(estimated, strengths[place])[0, 1] > 0.99
    assert np.polyfit(strengths[place], estimated, 1)[0] == pytest.approx(1.0, abs=0.05)
    assert np.sqrt((errors**2).mean()) == pytest.approx(1.0, abs=0.35)


def test_a_note_says_what_utilities_are():
    rows = [("x", "a", "b"), ("x", "b", "c"), ("x", "c", "a")]
    notes = aggregate_judgements(pairs(*rows), "plackett-luce").notes
    assert any("half the strengths of Bradley and Terry" in note for note in notes)
    assert not any(
        "Bradley" in note for note in aggregate_judgements(pairs(*rows), "plackett-luce(model=sequential)").notes
    )


def test_a_choice_between_two_is_one_fact():
    made = pairs(("x", "a", "b"), ("y", "a", "b"), ("x", "c", "b"), ("y", "b", "c"), ("x", "a", "c"), ("y", "a", "c"))
    found = agreement_figures(made, resampling=NO_INTERVALS, halving=Halving(repeats=5))
    assert [figure.name for figure in found] == [
        "Krippendorff's alpha, which of the two",
        "strong agreement",
        "split-half, Spearman",
        "split-half, Pearson",
    ]
    # Both questions of three pairs: 12 answers, half of them first, half second; one pair differs, in both questions.
    assert found[0].estimate.value == pytest.approx(1 - 11 * (2 + 2) / (12**2 - 2 * 6**2))
    assert found[1].estimate.value == pytest.approx(2 / 3)


def test_alpha_of_pairs_does_not_depend_on_the_order_shown():
    rng = np.random.default_rng(6)
    made = simulated(rng.normal(size=6), 400, rng)
    turned = made.frame.with_columns(items=pl.col("items").list.sort())
    one, other = (
        agreement_figures(each, resampling=NO_INTERVALS, halving=Halving(repeats=2))[0].estimate.value
        for each in (made, Judgements(name="turned", frame=turned))
    )
    assert one == pytest.approx(other)


def test_random_choices_have_no_alpha():
    rng = np.random.default_rng(7)
    made = simulated(np.zeros(8), 3000, rng)
    found = agreement_figures(made, resampling=Resampling(resamples=200), halving=Halving(repeats=2))[0].estimate
    assert found.low < 0 < found.high or abs(found.value) < 0.03


def test_annotators_of_pairs_have_each_figure_once():
    rng = np.random.default_rng(8)
    table = annotator_table(simulated(rng.normal(size=6), 400, rng), resampling=NO_INTERVALS)
    assert not [name for name in table.columns if "worst" in name]
    assert {"same_best", "majority_best", "best_place_share"} <= set(table.columns)


def test_the_assessment_of_pairs():
    rng = np.random.default_rng(9)
    found = assess(simulated(rng.normal(size=12), 600, rng), resamples=20, halving=Halving(repeats=5))
    assert found.plan is not None
    assert found.record()["judgements"]["kind"] == "best-worst"
