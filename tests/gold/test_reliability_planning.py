from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from similitude.collect.simulation import Annotators, PerceivedScores, judge_best_worst, judge_ratings
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability import sample_size as forecast
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.rater_plan import RaterTargets, plan_raters
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.gold.reliability.tuple_plan import part_by_annotation, part_by_tuple, plan_tuples, scores_of_parts
from similitude.gold.reliability.variance_components import crossed_components, nested_components
from similitude.samples import read_sample
from similitude.stats import pearson

FIVE = Scale(low=0, high=5)


def of_matrix(values) -> Judgements:
    rater, item = np.nonzero(np.isfinite(values))
    frame = pl.DataFrame(
        {"annotator": [f"r{n}" for n in rater], "item": [f"i{n}" for n in item], "value": values[rater, item]}
    )
    return Judgements(name="made", frame=frame, scale=FIVE)


def one(value: float) -> np.ndarray:
    return np.array([value])


# The arithmetic


def test_forecasts_by_hand():
    # t = 1, ranking noise 0.5, single 0.75. Three raters: error sqrt(0.25); reliability 1 / (1 + 0.5 / 3) = 6 / 7
    variances = forecast.RatingVariances(one(1.0), one(0.5), one(0.75))
    assert forecast.mean_error(variances, one(3)).item() == pytest.approx(0.5)
    assert forecast.correlation(variances, one(3)).item() == pytest.approx(np.sqrt(6 / 7))
    # two items 0.5 apart, two raters each: sd of the difference of means sqrt(2 * 0.5 / 2); Phi(0.5 / 0.7071)
    assert forecast.order(variances, one(2), 0.5).item() == pytest.approx(0.760250, abs=1e-6)


def test_error_of_sigma_is_that_of_gaussian_draws():
    rng = np.random.default_rng(0)
    variances = forecast.RatingVariances(one(1.0), one(1.0), one(1.0))
    for raters in (1, 2, 5, 15):
        draws = rng.normal(0, 1, (20_000, raters)).std(axis=1)
        expected = np.sqrt(((draws - 1) ** 2).mean())
        assert forecast.sigma_error(variances, one(raters)).item() == pytest.approx(expected, rel=0.02)


def test_items_that_do_not_differ_have_no_correlation():
    assert np.isnan(forecast.correlation(forecast.RatingVariances(one(-0.1), one(1.0), one(1.0)), one(3))).all()


def test_spearman_brown_goes_both_ways():
    half = forecast.spearman_brown(one(0.9), one(0.5))
    assert forecast.spearman_brown(half, one(2.0)).item() == pytest.approx(0.9)


def test_components_are_recovered():
    # truth 1.2^2, leniency 0.3^2, noise 0.6^2
    rng = np.random.default_rng(1)
    leniency = rng.normal(0, 0.3, 40)
    leniency *= 0.3 / leniency.std(ddof=1)
    values = rng.normal(0, 1.2, 3000) + leniency[:, None] + rng.normal(0, 0.6, (40, 3000))
    weights = np.ones((1, 3000))
    assert crossed_components(values)(weights).ravel() == pytest.approx([1.44, 0.36, 0.45], rel=0.05)
    values[rng.permuted(np.tile(np.arange(40) >= 6, (3000, 1)), axis=1).T] = np.nan
    assert nested_components(values)(weights).ravel() == pytest.approx([1.44, 0.45, 0.45], rel=0.05)


def test_weights_stand_for_written_out_resamples():
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (4, 12))
    drawn = rng.integers(0, 12, 12)
    weights = np.bincount(drawn, minlength=12)[None].astype(float)
    for components in (crossed_components, nested_components):
        written = components(values[:, drawn])(np.ones((1, 12)))
        np.testing.assert_allclose(components(values)(weights), written)


# Ratings


def simulate(rng, items: int, raters: int) -> np.ndarray:
    """Raters x items: truth with sd 1, leniency 0.2, noise 0.7."""
    return 2.5 + rng.normal(0, 1, items) + rng.normal(0, 0.2, (raters, 1)) + rng.normal(0, 0.7, (raters, items))


def test_a_plan_from_a_pilot_is_what_a_full_collection_gives():
    rng = np.random.default_rng(3)
    plan = plan_raters(of_matrix(simulate(rng, 200, 5)), resampling=Resampling(rng=rng), numbers=range(1, 16))
    assert plan.design == "crossed"
    truth = rng.normal(0, 1, 4000)
    for raters in (3, 8, 15):
        full = truth + rng.normal(0, 0.7, (raters, 4000))
        row = plan.table.row(by_predicate=pl.col("raters") == raters, named=True)
        assert row["correlation"] == pytest.approx(float(pearson(truth, full.mean(axis=0))), abs=0.01)
        assert row["correlation_low"] < row["correlation"] < row["correlation_high"]
        one_item = rng.normal(0, 0.2, (raters, 4000)) + rng.normal(0, 0.7, (raters, 4000))
        assert row["mean_error"] == pytest.approx(one_item.mean(axis=0).std(), rel=0.1)
        sigma = one_item.std(axis=0)
        assert row["sigma_error"] == pytest.approx(np.sqrt(((sigma - np.hypot(0.2, 0.7)) ** 2).mean()), rel=0.1)


def test_the_number_of_raters_follows_from_the_table():
    rng = np.random.default_rng(4)
    plan = plan_raters(of_matrix(simulate(rng, 300, 6)), resampling=Resampling(rng=rng))
    meets = {"mean_error": lambda x: x <= 0.25, "sigma_error": lambda x: x <= 0.25,
             "correlation": lambda x: x >= 0.95, "order": lambda x: x >= 0.9}  # fmt: skip
    for need in plan.needs:
        first = next(row["raters"] for row in plan.table.to_dicts() if meets[need.name](row[need.name]))
        assert need.raters.value == first
        assert need.raters.low <= first <= need.raters.high
    assert plan.raters.value == max(need.raters.value for need in plan.needs)


def test_what_the_pilot_shows_is_what_is_forecast():
    plan = plan_raters(of_matrix(simulate(np.random.default_rng(5), 400, 8)), numbers=range(1, 9))
    seen = plan.table.filter(pl.col("observed_correlation").is_not_null())
    assert seen["raters"].to_list() == [1, 2, 3, 4]  # eight raters make two groups of four
    for row in seen.to_dicts():
        assert row["observed_correlation"] == pytest.approx(row["correlation"], abs=0.02)
        assert row["observed_mean_error"] == pytest.approx(row["mean_error"], rel=0.1)


def test_leniency_counts_only_where_items_have_raters_of_their_own():
    rng = np.random.default_rng(6)
    values = simulate(rng, 200, 6) + rng.normal(0, 0.8, (6, 1))
    crossed, nested = (
        plan_raters(of_matrix(values), design=design, resampling=NO_INTERVALS) for design in ("crossed", "nested")
    )
    assert (crossed.design, nested.design) == ("crossed", "nested")
    assert (crossed.table["correlation"] > nested.table["correlation"]).all()
    assert crossed.table["mean_error"].to_list() == nested.table["mean_error"].to_list()


def test_simulated_annotators_of_the_sample_kind():
    # the package's own model of annotators, ten raters of twenty an item: planned as nested
    rng = np.random.default_rng(7)
    truth = rng.uniform(0, 1, 150)
    pool = Annotators.draw(20, rng)
    readings = {str(n): [PerceivedScores(value)] for n, value in enumerate(truth)}
    rows = judge_ratings(readings, pool, per_item=3, scale=FIVE, step=0.1, rng=rng)
    frame = rows.select(item="id", value="ratings", annotator="raters").explode("value", "annotator")
    plan = plan_raters(Judgements(name="made", frame=frame, scale=FIVE), resampling=Resampling(rng=rng))
    assert plan.design == "nested"
    full = judge_ratings(readings, pool, per_item=10, scale=FIVE, step=0.1, rng=rng)["ratings"].list.mean().to_numpy()
    assert plan.table["correlation"][9] == pytest.approx(float(pearson(truth, full)), abs=0.01)


def test_a_small_pilot_says_that_it_cannot_tell():
    values = simulate(np.random.default_rng(8), 60, 4)
    few = plan_raters(of_matrix(values[:, :6]))
    assert few.raters.reason == "the pilot cannot tell: 6 items with two ratings are too few; rate 10 or more"
    assert np.isnan(few.raters.value)
    assert few.table.is_empty()
    assert len(few.needs) == 4
    single = plan_raters(of_matrix(values[:1]))
    assert "no item has two ratings" in single.raters.reason
    flat = plan_raters(of_matrix(np.full((3, 20), 2.0)))
    assert flat.raters.reason == "the pilot cannot tell: all ratings are the same"


def test_a_wide_interval_is_called_what_it_is():
    rng = np.random.default_rng(9)
    noise = 2.5 + rng.normal(0, 0.35, 12) + rng.normal(0, 1.0, (3, 12))
    need = next(
        need
        for need in plan_raters(of_matrix(noise), resampling=Resampling(rng=rng)).needs
        if need.name == "correlation"
    )
    assert need.raters.reason.startswith("the pilot is too small to tell: ")


def test_far_beyond_the_pilot_is_noted():
    plan = plan_raters(of_matrix(simulate(np.random.default_rng(10), 100, 2)), targets=RaterTargets(mean_error=0.02))
    assert any("far beyond the 2 of the pilot" in note for note in plan.notes)
    assert any("estimated from only 2 raters" in note for note in plan.notes)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_plan_does_not_depend_on_the_order_of_rows(is_named):
    made = of_matrix(simulate(np.random.default_rng(0), 20, 6))
    frame = made.frame if is_named else made.frame.with_columns(annotator=pl.lit(None, pl.String))
    mixed = frame.sample(fraction=1.0, shuffle=True, seed=1)
    one, other = (
        plan_raters(replace(made, frame=each), resampling=Resampling(resamples=50)) for each in (frame, mixed)
    )
    assert one.table.equals(other.table)
    assert one.needs == other.needs


def test_only_what_is_asked_is_planned():
    targets = RaterTargets(mean_error=None, sigma_error=None, order=None, correlation=0.9)
    plan = plan_raters(of_matrix(simulate(np.random.default_rng(0), 50, 4)), targets=targets, resampling=NO_INTERVALS)
    assert [need.name for need in plan.needs] == ["correlation"]
    with pytest.raises(ArgumentError, match="is not a target; give a number between 0 and 1"):
        RaterTargets(correlation=1.2)
    with pytest.raises(ArgumentError, match="no target is given"):
        RaterTargets(mean_error=None, sigma_error=None, order=None, correlation=None)


def test_ratings_without_names_are_planned_as_nested():
    frame = of_matrix(simulate(np.random.default_rng(1), 50, 4)).frame.with_columns(annotator=pl.lit(None, pl.String))
    plan = plan_raters(Judgements(name="made", frame=frame, scale=FIVE), resampling=NO_INTERVALS)
    assert plan.design == "nested"
    assert plan.ratings == 4.0
    assert plan.table["raters"].to_list() == list(range(1, 21))


# Best-worst


def best_worst(rng, *, per_tuple: int, tuples: int = 100, items: int = 50, noise: float = 0.3) -> Judgements:
    ids = [f"i{n}" for n in range(items)]
    truth = dict(zip(ids, np.linspace(0, 1, items), strict=True))
    shown = {f"q{n}": rng.choice(ids, 4, replace=False).tolist() for n in range(tuples)}
    pool = Annotators(np.zeros(per_tuple), np.full(per_tuple, noise))
    frame = judge_best_worst(shown, truth, pool, per_tuple=per_tuple, rng=rng)
    return Judgements(name="made", frame=frame)


def test_parts_are_disjoint_and_as_large_as_asked():
    answers = TupleAnswers.of(best_worst(np.random.default_rng(0), per_tuple=5, tuples=12))
    part = part_by_annotation(answers, 2, np.random.default_rng(1))
    for number in range(12):
        assert sorted(part[answers.tuple_of == number].tolist()) == [0, 0, 1, 1, 2]
    part = part_by_tuple(answers, 6, np.random.default_rng(1))
    assert [len(set(answers.tuple_of[part == side])) for side in (0, 1)] == [6, 6]


def test_any_answer_can_come_into_either_part():
    # Four answers to one tuple, one of them to each part: 4 * 3 ways.
    frame = pl.DataFrame({"items": [["a", "b", "c"]] * 4, "best": list("aaab"), "worst": list("bccc")})
    answers = TupleAnswers.of(Judgements(name="made", frame=frame))
    drawn = {tuple(part_by_annotation(answers, 1, np.random.default_rng(seed)).tolist()) for seed in range(200)}
    assert len(drawn) == 12
    assert all(sorted(part) == [0, 1, 2, 2] for part in drawn)


def test_scores_of_parts_by_hand():
    # part 0: abc, a best, c worst; part 1: abd, b best, a worst
    frame = pl.DataFrame({"items": [["a", "b", "c"], ["a", "b", "d"]], "best": ["a", "b"], "worst": ["c", "a"]})
    scores = scores_of_parts(TupleAnswers.of(Judgements(name="made", frame=frame)), np.array([0, 1]))
    np.testing.assert_array_equal(scores, [[1, 0, -1, np.nan], [-1, 1, np.nan, 0]])


def test_annotations_are_planned_as_a_full_collection_shows():
    # A pilot with 4 annotations a tuple foresees how two sets of 8 annotations of the same tuples correlate
    rng = np.random.default_rng(2)
    full = best_worst(rng, per_tuple=16)
    pilot = full.frame.filter(pl.int_range(pl.len()).over("question") < 4)
    plan = plan_tuples(Judgements(name="pilot", frame=pilot), resampling=Resampling(rng=rng), reliability=0.8)
    answers = TupleAnswers.of(full)
    shown = np.mean([float(pearson(*scores_of_parts(answers, part_by_annotation(answers, 8, rng)))) for _ in range(10)])
    row = plan.table.row(by_predicate=pl.col("annotations") == 8, named=True)
    assert row["reliability"] == pytest.approx(shown, abs=0.03)
    assert row["reliability_low"] < shown < row["reliability_high"]
    assert plan.table["observed"].is_not_null().to_list()[:3] == [True, True, False]
    first = plan.table.filter(pl.col("reliability") >= 0.8)["annotations"][0]
    assert plan.needed.value == first
    assert row["answers"] == 800


def test_tuples_are_planned_as_a_full_collection_shows():
    rng = np.random.default_rng(3)
    full = best_worst(rng, per_tuple=2, tuples=400)
    pilot = Judgements(name="pilot", frame=full.frame.filter(pl.col("question").is_in([f"q{n}" for n in range(100)])))
    plan = plan_tuples(pilot, by="tuples", resampling=Resampling(rng=rng))
    assert plan.pilot == pytest.approx(8.0)  # 100 tuples of 4 over 50 items
    answers = TupleAnswers.of(full)
    shown = np.mean([float(pearson(*scores_of_parts(answers, part_by_tuple(answers, 200, rng)))) for _ in range(10)])
    row = plan.table.row(by_predicate=pl.col("tuples") == 16, named=True)
    assert row["reliability"] == pytest.approx(shown, abs=0.04)


def test_best_worst_pilots_that_cannot_tell():
    rng = np.random.default_rng(4)
    single = plan_tuples(best_worst(rng, per_tuple=1))
    assert "plan by tuples" in single.needed.reason
    few = plan_tuples(best_worst(rng, per_tuple=4, items=6, tuples=10))
    assert few.needed.reason == "the pilot cannot tell: 6 items are too few, at least 10 are needed"


def test_ratings_and_impossible_targets_are_refused():
    with pytest.raises(ArgumentError, match="plan them with plan_raters"):
        plan_tuples(Judgements.of_benchmark(read_sample("opinions")))
    with pytest.raises(ArgumentError, match="between 0 and 1"):
        plan_tuples(Judgements.of_benchmark(read_sample("dialogues")), reliability=1.0)
    with pytest.raises(ArgumentError, match="best-worst"):
        plan_raters(Judgements.of_benchmark(read_sample("dialogues")))
    with pytest.raises(UnknownNameError, match="known: annotations, tuples"):
        plan_tuples(Judgements.of_benchmark(read_sample("dialogues")), by="people")
    with pytest.raises(UnknownNameError, match="known: crossed, nested"):
        plan_raters(Judgements.of_benchmark(read_sample("opinions")), design="mixed")
    with pytest.raises(ArgumentError, match="from 1 to 1,000"):
        plan_raters(Judgements.of_benchmark(read_sample("opinions")), numbers=[0, 1])


@pytest.mark.parametrize("name", ["mean_error", "sigma_error", "correlation", "order", "apart"])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_targets_lie_between_0_and_1(name, value):
    with pytest.raises(ArgumentError, match=f"{name} = {value:g} is not a target.*between 0 and 1"):
        RaterTargets(**{name: value})
    inside = abs(value - 1e-9)
    assert getattr(RaterTargets(**{name: inside}), name) == inside
