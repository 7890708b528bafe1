import json
import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, InputError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.gold.reliability.ceiling import human_ceiling
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.score_reliability import ScoreReliability
from similitude.stats import Units, pearson, spearman
from similitude.study.ceiling import RunCeiling, ceiling_of_run, corrected_correlation
from similitude.study.saved_run import load_run

PEARSON, SPEARMAN, KENDALL = (make_measure(name) for name in ("pearson", "spearman", "kendall"))


def rated(values: np.ndarray, names: list[str] | None = None) -> Judgements:
    """Raters x items."""
    names = names or [f"i{n}" for n in range(values.shape[1])]
    rater, item = np.nonzero(np.isfinite(values))
    columns = {"annotator": [f"r{n}" for n in rater], "item": [names[n] for n in item], "value": values[rater, item]}
    return Judgements(name="ratings", frame=pl.DataFrame(columns))


def ids(number: int) -> list[str]:
    return [f"i{n}" for n in range(number)]


@pytest.fixture
def world() -> tuple[np.ndarray, np.ndarray]:
    """Ratings, 4 raters x 60 items, and the predictions of two systems."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=60)
    return truth + rng.normal(size=(4, 60)), np.stack([truth + 0.5 * rng.normal(size=60), rng.normal(size=60)])


def test_corrected_is_the_correlation_over_the_root_of_the_reliability(world):
    values, predicted = world
    gold = values.mean(axis=0)
    comparison = Comparison.of_scores(gold, predicted)
    found = ceiling_of_run(rated(values), ids(60), comparison, [PEARSON, KENDALL, SPEARMAN])
    human = human_ceiling(rated(values))
    assert found.ceilings == (human.pearson, None, human.spearman)
    for row in range(2):
        r, none, rho = found.corrected[row]
        assert none is None
        assert r.value == pytest.approx(pearson(gold, predicted[row]) / math.sqrt(human.scores.pearson.value))
        assert rho.value == pytest.approx(spearman(gold, predicted[row]) / human.spearman.perfect.value)
        assert r.low < r.value < r.high
        assert rho.low < rho.value < rho.high
    assert found.items == 60
    assert found.notes == ()
    assert found.level == 0.95


@pytest.mark.parametrize("borders", [(0.0,), (-0.7, 0.7), None])
@pytest.mark.parametrize("items", [12, 60])
def test_a_corrected_value_is_never_surer_than_the_uncorrected_one(borders, items):
    """Relative to its size, for few and many items, in dialogues and alone, for any labels."""
    rng = np.random.default_rng(items)
    for skill in (-0.5, 0.3, 0.9):
        truth = rng.normal(size=items)
        felt = truth + 0.5 * rng.normal(size=(5, items))
        values = felt if borders is None else np.digitize(felt, borders).astype(float)
        scores = dict(zip(ids(items), skill * truth + 0.5 * rng.normal(size=items), strict=True))
        for groups in ({}, {"group": [str(n // 4) for n in range(items)]}):
            made = sim.Benchmark.from_columns(
                left=ids(items), right=ids(items), score=values.mean(axis=0), ratings=values.T.tolist(), scale="-9..9",
                **groups,
            )  # fmt: skip
            system = sim.system([scores[name] for name in ids(items)], name="mine")
            run = sim.run(made, [system], ["pearson", "spearman"])
            for place in range(2):
                raw, interval = run.figures[0][place].value, run.interval(0, place)
                one = run.ceiling.corrected[0][place]
                if not math.isnan(one.low):
                    share = (one.high - one.low) / abs(one.value) / ((interval.high - interval.low) / abs(raw))
                    assert share >= 1 - 1e-9


def test_without_intervals_there_are_values_alone(world):
    values, predicted = world
    comparison = Comparison.of_scores(values.mean(axis=0), predicted)
    found = ceiling_of_run(rated(values), ids(60), comparison, [PEARSON], level=None)
    one = found.corrected[0][0]
    assert one.value > 0
    assert math.isnan(one.low)
    assert one.reason is None
    assert math.isnan(found.ceilings[0].panel.low)


def test_items_of_a_group_make_the_interval_wider():
    rng, groups, widths = np.random.default_rng(1), np.repeat(np.arange(30), 4), {"items": 0.0, "groups": 0.0}
    for _ in range(10):
        truth, own = rng.normal(size=(2, 30)).repeat(4, axis=1)
        values = truth + rng.normal(size=(3, 120))
        for units, known in (("items", None), ("groups", groups)):
            comparison = Comparison.of_scores(values.mean(axis=0), truth + own, groups=known)
            one = ceiling_of_run(rated(values), ids(120), comparison, [PEARSON]).corrected[0][0]
            widths[units] += one.high - one.low
    assert widths["groups"] > 1.3 * widths["items"]


def test_no_measure_with_a_ceiling_gives_none(world):
    values, predicted = world
    comparison = Comparison.of_scores(values.mean(axis=0), predicted)
    assert ceiling_of_run(rated(values), ids(60), comparison, [KENDALL]) is None


def test_items_without_judgements_are_left_out_and_counted(world):
    values, predicted = world
    gold = values.mean(axis=0)
    some = ceiling_of_run(rated(values[:, :50]), ids(60), Comparison.of_scores(gold, predicted), [PEARSON])
    alone = Comparison.of_scores(gold[:50], predicted[:, :50])
    assert some.items == 50
    assert some.notes == ("10 items have no judgements and no part in the ceiling",)
    assert some.corrected[0][0] == ceiling_of_run(rated(values[:, :50]), ids(50), alone, [PEARSON]).corrected[0][0]
    one = ceiling_of_run(rated(values[:, :59]), ids(60), Comparison.of_scores(gold, predicted), [PEARSON])
    assert one.notes == ("1 item has no judgements and no part in the ceiling",)


def test_the_order_of_items_and_of_judgements_does_not_matter(world):
    values, predicted = world
    gold, order = values.mean(axis=0), np.random.default_rng(0).permutation(60)
    values[3, :7] = np.nan  # numbers of raters differ
    straight = ceiling_of_run(rated(values), ids(60), Comparison.of_scores(gold, predicted), [PEARSON])
    turned = Comparison.of_scores(gold[order], predicted[:, order])
    other = ceiling_of_run(rated(values), [f"i{n}" for n in order], turned, [PEARSON])
    assert other.corrected[0][0].value == pytest.approx(straight.corrected[0][0].value)
    assert other.corrected[1][0].low == pytest.approx(straight.corrected[1][0].low)


def gold_at(values: np.ndarray, r: float) -> np.ndarray:
    """Gold that correlates at r with the mean of the ratings."""
    mean, noise = values.mean(axis=0), np.random.default_rng(9).normal(size=values.shape[1])
    mean, noise = mean - mean.mean(), noise - noise.mean()
    apart = noise - mean * (noise @ mean) / (mean @ mean)
    return r * mean / np.linalg.norm(mean) + math.sqrt(1 - r * r) * apart / np.linalg.norm(apart)


@pytest.mark.parametrize(
    ("r", "note", "is_corrected"),
    [
        (0.991, None, True),
        (
            0.985,
            "ceiling: gold is not the mean of these ratings (they correlate at 0.985); the figures are those",
            True,
        ),
        (
            0.901,
            "ceiling: gold is not the mean of these ratings (they correlate at 0.901); the figures are those",
            True,
        ),
        (0.89, "ceiling: gold is not the mean of these ratings (they correlate at 0.890); nothing is corrected", False),
        (
            -1.0,
            "ceiling: gold is not the mean of these ratings (they correlate at -1.000); nothing is corrected",
            False,
        ),
    ],
)
def test_gold_that_is_not_what_the_judgements_add_up_to(world, r, note, is_corrected):
    values, predicted = world
    comparison = Comparison.of_scores(gold_at(values, r), predicted)
    found = ceiling_of_run(rated(values), ids(60), comparison, [PEARSON])
    assert (found.notes[0].startswith(note) if note else found.notes == ()) is True
    assert found.corrected[0][0].is_defined == is_corrected
    if not is_corrected:
        assert found.corrected[0][0].reason == "gold is not what these judgements add up to"


def test_a_system_with_one_score_for_all_is_undefined(world):
    values, _ = world
    comparison = Comparison.of_scores(values.mean(axis=0), np.full((1, 60), 2.0))
    one = ceiling_of_run(rated(values), ids(60), comparison, [SPEARMAN]).corrected[0][0]
    assert one.reason == "all predictions are the same"


def test_refusals(world):
    values, predicted = world
    comparison = Comparison.of_scores(values.mean(axis=0), predicted)
    with pytest.raises(InputError, match="no judgement is about an item of the data: judged is 'x0', an item is 'i0'"):
        ceiling_of_run(rated(values, [f"x{n}" for n in range(60)]), ids(60), comparison, [PEARSON])
    words = replace(rated(values[:1].round().clip(0, 1)), categories=("no", "yes"))
    with pytest.raises(ArgumentError, match="these are categories"):
        ceiling_of_run(words, ids(60), comparison, [PEARSON])


def reliability(value: float, without: float | None = None, reason: str | None = None) -> ScoreReliability:
    return ScoreReliability(value=value, without=np.full(20, value if without is None else without), reason=reason)


def test_corrected_correlation_and_its_borders():
    rng = np.random.default_rng(0)
    x = rng.normal(size=20)
    r = float(pearson(x, x + rng.normal(size=20)))
    found = Estimate(r, r - 0.3, r + 0.1)
    assert corrected_correlation(found, reliability(0.25), Units(20), None).value == pytest.approx(2 * r)
    assert corrected_correlation(found, reliability(1.0), Units(20)).value == pytest.approx(r)
    assert corrected_correlation(found, reliability(1.0), Units(20)) == pytest.approx((*found[:3], None))
    for value in (0.0, -0.2):
        assert corrected_correlation(found, reliability(value), Units(20)).reason == (
            "the scores differ no more than their noise"
        )
    assert corrected_correlation(found, reliability(math.nan, reason="why"), Units(20)).reason == "why"
    unsure = ScoreReliability(value=0.2, without=0.2 + 0.05 * rng.normal(size=20))
    assert corrected_correlation(found, unsure, Units(20)).reason == "no interval: the reliability of gold may be 0"


def test_predictions_that_equal_gold_reach_the_reciprocal_of_the_ceiling(world):
    values, _ = world
    gold = values.mean(axis=0)
    found = ceiling_of_run(rated(values), ids(60), Comparison.of_scores(gold, gold), [PEARSON])
    one = found.corrected[0][0]
    assert one.value == pytest.approx(1 / found.ceilings[0].perfect.value)
    assert one.value > 1


def test_corrected_recovers_the_truth_where_raw_correlations_do_not():
    rng = np.random.default_rng(5)
    raw, corrected = [], []
    for _ in range(60):
        truth = rng.normal(size=200)
        values, predicted = truth + rng.normal(size=(3, 200)), 0.8 * truth + 0.6 * rng.normal(size=200)
        comparison = Comparison.of_scores(values.mean(axis=0), predicted)
        found = ceiling_of_run(rated(values), ids(200), comparison, [PEARSON, SPEARMAN], level=None)
        raw.append(float(pearson(comparison.gold, predicted)))
        corrected.append([one.value for one in found.corrected[0]])
    assert np.mean(raw) == pytest.approx(0.8 * math.sqrt(0.75), abs=0.015)
    assert np.mean(corrected, axis=0) == pytest.approx([0.8, 6 / math.pi * math.asin(0.4)], abs=0.015)


def test_a_run_has_the_figures_of_the_reliability_command(tmp_path):
    from similitude.data.addresses import open_judgements
    from similitude.gold.reliability.assessment import assess

    for data in ("sample:opinions", "sample:dialogues"):
        run = sim.run(data, ["levenshtein"], ["pearson", "spearman"], resamples=50, seed=3)
        told = {one.name: one.estimate for one in assess(open_judgements(data), resamples=50, seed=7).opinions}
        for name, ceiling in zip(("Pearson", "Spearman"), run.ceiling.ceilings, strict=True):
            assert told[f"one annotator against the rest, {name}"] == ceiling.one_person
            assert told[f"another panel of the same size, {name}"] == ceiling.panel
            assert told[f"within reach of a perfect system, {name}"] == ceiling.perfect


def test_a_run_without_judgements_or_correlations_has_no_ceiling():
    bare = sim.Benchmark.from_columns(left=["a", "b", "c"], right=["a", "c", "d"], score=[1, 2, 3], scale="0..5")
    assert sim.run(bare, ["levenshtein"], ["pearson"], resamples=0).ceiling is None
    assert sim.run("sample:opinions", ["levenshtein"], ["mae"], resamples=0).ceiling is None


def test_judgements_that_do_not_allow_a_ceiling_are_a_note_not_an_error():
    made = sim.Benchmark.from_columns(
        left=["a", "b", "c"], right=["a", "c", "d"], score=[1, 2, 3], ratings=[[1.0], [2.0], [3.0]], scale="0..5"
    )
    run = sim.run(made, ["levenshtein"], ["pearson"], resamples=0)
    assert run.ceiling.ceilings[0].perfect.reason == "no item has two ratings: there is nothing to compare"
    broken = replace(made, judgements=pl.DataFrame({"items": [["1", "2"]], "best": ["9"], "worst": ["2"]}))
    run = sim.run(broken, ["levenshtein"], ["pearson"], resamples=0)
    assert run.ceiling.ceilings == (None,)
    assert run.ceiling.notes[0].startswith("no human ceiling: ")


def test_a_split_has_its_own_ceiling(world):
    values, _ = world
    texts = [f"text {n}" for n in range(60)]
    made = sim.Benchmark.from_columns(
        left=texts, right=texts[::-1], score=values.mean(axis=0), scale="-5..5", split=["a"] * 40 + ["b"] * 20
    )
    judgements = rated(values, made.items.ids)
    run = sim.run(made, ["levenshtein"], ["pearson"], split="a", judgements=judgements)
    assert run.ceiling.items == 40
    assert run.ceiling.ceilings[0].panel.value == human_ceiling(rated(values[:, :40])).pearson.panel.value
    assert run.ceiling.judgements == "ratings"


def test_judgements_can_be_a_file(tmp_path, world):
    values, _ = world
    texts = [f"text {n}" for n in range(60)]
    made = sim.Benchmark.from_columns(left=texts, right=texts[::-1], score=values.mean(axis=0), scale="-5..5")
    rated(values, made.items.ids).frame.select("annotator", "item", "value").write_csv(tmp_path / "ratings.csv")
    run = sim.run(made, ["levenshtein"], ["pearson"], judgements=tmp_path / "ratings.csv")
    assert run.ceiling.judgements == "ratings"
    assert run.ceiling.ceilings[0].panel.value == pytest.approx(human_ceiling(rated(values)).pearson.panel.value)


def test_items_that_nobody_could_rate_have_no_ceiling(world):
    values, predicted = world
    frame = rated(values).frame.with_columns(value=pl.lit(None, dtype=pl.Float64), applies=False)
    frame = pl.concat([frame, rated(values, [f"x{n}" for n in range(60)]).frame])
    comparison = Comparison.of_scores(values.mean(axis=0), predicted)
    found = ceiling_of_run(Judgements(name="made", frame=frame), ids(60), comparison, [PEARSON])
    assert found.items == 0
    assert found.ceilings[0].panel.reason == "no item has two ratings: there is nothing to compare"
    assert not found.corrected[0][0].is_defined


def test_a_saved_run_keeps_its_ceiling(tmp_path):
    run = sim.run("sample:opinions", ["levenshtein", "jaro"], ["spearman", "mae"], out=tmp_path / "run", resamples=50)
    again = load_run(tmp_path / "run").ceiling
    assert again.ceilings == run.ceiling.ceilings
    assert again.corrected == run.ceiling.corrected
    assert (again.level, again.items, again.notes) == (0.95, 60, ())
    record = json.loads((tmp_path / "run" / "run.json").read_text())["ceiling"]
    assert record["ceilings"][1] is None
    assert record["corrected"][0][1] is None
    rows = pl.read_csv(tmp_path / "run" / "results.csv")
    assert rows["corrected"].null_count() == 2 + 2  # of mae, and of the mean
    assert rows["corrected_low"][0] == pytest.approx(run.ceiling.corrected[0][0].low)


def test_undefined_figures_survive_the_record():
    made = ceiling_of_run(
        rated(np.arange(12.0)[None]), ids(12), Comparison.of_scores(np.arange(12.0), np.arange(12.0) % 5), [PEARSON]
    )
    again = RunCeiling.from_record(json.loads(json.dumps(made.record())))
    assert again.ceilings[0].perfect.reason == made.ceilings[0].perfect.reason
    assert math.isnan(again.corrected[0][0].value)
