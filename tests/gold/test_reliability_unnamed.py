"""Ratings without names: places in a list are not people, and unnamed answers are not one person's."""

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.errors import InputError
from similitude.gold.aggregation import aggregate_judgements
from similitude.gold.reliability.agreement_by_label import agreement_by
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.ceiling import human_ceiling
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.growth import growth, growth_over_orders
from similitude.gold.reliability.opinion_figures import opinion_figures
from similitude.gold.reliability.rater_plan import plan_raters
from similitude.gold.reliability.split_half import Halving, split_half

WHY = "annotators are not named: positions in a list are not people; --positions-are-people if they are"
ITEMS, RATERS = 40, 6
OF_PEOPLE = ("ICC(2", "ICC(3", "mean pairwise", "one annotator against the rest")


@pytest.fixture
def lists():
    """Six ratings of each item, each list shuffled on its own, so that places mean nothing."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(1, 4, size=ITEMS)
    bias = np.linspace(-1, 1, RATERS)
    table = np.clip(np.round(truth[:, None] + bias + rng.normal(scale=0.4, size=(ITEMS, RATERS))), 0, 5)
    return rng.permuted(table, axis=1)


def judgements(lists, *, named):
    rows = [
        (f"p{place}" if named else None, f"i{item}", value)
        for item, row in enumerate(lists.tolist())
        for place, value in enumerate(row)
    ]
    schema = {"annotator": pl.String, "item": pl.String, "value": pl.Float64}
    return Judgements(name="made", frame=pl.DataFrame(rows, schema=schema, orient="row"))


def by_name(figures):
    return {figure.name: figure for figure in figures}


def test_figures_about_people_are_left_out_with_a_reason(lists):
    made = judgements(lists, named=False)
    found = by_name(
        [*agreement_figures(made, resampling=NO_INTERVALS), *opinion_figures(made, resampling=NO_INTERVALS)]
    )
    about_people = [figure for name, figure in found.items() if name.startswith(OF_PEOPLE)]
    assert len(about_people) == 8
    for figure in about_people:
        assert np.isnan(figure.estimate.value)
        assert figure.estimate.reason == WHY, figure.name
    assert all(figure.n_raters is None for figure in found.values())


def test_figures_that_need_no_names_are_those_of_any_names(lists):
    # Alpha, kappa and ICC(1) do not depend on who gave which rating, so shuffled names change nothing.
    unnamed, named = (
        by_name(agreement_figures(judgements(lists, named=named), resampling=NO_INTERVALS)) for named in (False, True)
    )
    for name in unnamed:
        if not name.startswith(OF_PEOPLE):
            value = unnamed[name].estimate.value
            assert np.isfinite(value), name
            assert value == pytest.approx(named[name].estimate.value, abs=1e-9), name


def test_unnamed_ratings_of_an_item_are_not_one_persons(lists):
    made = judgements(lists, named=False)
    for method in ("mean", "median", "gaussian", "mixture"):
        assert set(aggregate_judgements(made, method).frame["answers"]) == {RATERS}, method
    means = aggregate_judgements(made, "mean").frame["score"].to_numpy()
    assert means == pytest.approx(lists.mean(axis=1))
    assert set(contention(made)["ratings"]) == {RATERS}
    assert contention(made)["sigma"].to_numpy() == pytest.approx(lists.std(axis=1))
    assert growth(made).curve["raters"].to_list() == [4, 5, 6]
    assert growth_over_orders(made, rng=np.random.default_rng(0)).curve["raters"].to_list() == [2, 3, 4, 5, 6]
    assert split_half(made, resampling=NO_INTERVALS).items == ITEMS
    plan = plan_raters(made, resampling=NO_INTERVALS)
    assert (plan.design, plan.ratings) == ("nested", RATERS)


def test_mixed_names_and_none_count_each_rating():
    rows = {"annotator": ["x", None, None, "x"], "item": ["a", "a", "a", "b"], "value": [1.0, 2.0, 2.0, 3.0]}
    made = Judgements(name="made", frame=pl.DataFrame(rows))
    assert aggregate_judgements(made, "mean").frame["answers"].to_list() == [3, 1]
    found = by_name(agreement_figures(made, resampling=NO_INTERVALS))
    assert found["mean pairwise r"].estimate.reason.startswith("the annotators of 2 answers are not named")
    assert found["Krippendorff's alpha, interval"].n_raters is None


def test_the_assessment_has_no_table_of_annotators(lists):
    found = assess(judgements(lists, named=False), resamples=0, halving=Halving(repeats=3))
    assert found.annotators is None
    assert any(WHY in note for note in found.notes)
    assert found.record()["judgements"]["annotators"] is None


def test_annotator_aware_refuses_unnamed_ratings(lists):
    with pytest.raises(InputError, match=r"240 ratings by unnamed raters.*--positions-are-people"):
        aggregate_judgements(judgements(lists, named=False), "annotator-aware")


def test_without_names_nobody_is_the_only_rater():
    rows = {"item": ["a", "b", "c"], "value": [1.0, 2.0, 3.0]}
    for figure in agreement_figures(Judgements(name="made", frame=pl.DataFrame(rows)), resampling=NO_INTERVALS):
        assert "only one rater" not in figure.estimate.reason, figure.name


def test_agreement_by_label_without_names(lists):
    made = judgements(lists, named=False)
    labels = {item: "even" if int(item[1:]) % 2 == 0 else "odd" for item in made.judged}
    found = agreement_by(made, labels, resampling=NO_INTERVALS, halving=Halving(repeats=2))
    assert np.isfinite(found["even"][0].estimate.value)
    assert found["even"][0].n_units == ITEMS // 2


def test_ceiling_without_names(lists):
    found = human_ceiling(judgements(lists, named=False), resampling=NO_INTERVALS)
    assert found.pearson.one_person.reason == WHY
    assert 0.9 < found.pearson.perfect.value <= 1


def test_places_are_people_if_the_user_says_so(lists):
    benchmark = Benchmark.from_columns(
        "lists",
        left=[f"l{item}" for item in range(ITEMS)],
        right=[f"r{item}" for item in range(ITEMS)],
        ratings=lists.tolist(),
        scale="0..5",
    )
    people = Judgements.of_benchmark(benchmark, positions_are_people=True)
    assert len(people.annotators) == RATERS
    found = by_name(agreement_figures(people, resampling=NO_INTERVALS))
    named = by_name(agreement_figures(judgements(lists, named=True), resampling=NO_INTERVALS))
    for name in ("ICC(2,1)", "ICC(3,k)", "mean pairwise r", "mean pairwise rho"):
        assert found[name].estimate.value == pytest.approx(named[name].estimate.value), name
    assert Judgements.of_benchmark(benchmark).annotators == []
