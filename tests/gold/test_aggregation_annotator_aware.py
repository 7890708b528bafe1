import numpy as np
import polars as pl
import pytest

from similitude.collect.simulation import Annotators, PerceivedScores, judge_ratings
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import EstimationError, InputError
from similitude.gold.aggregation import make_aggregation
from similitude.stats import pearson

FIVE = Scale(low=0, high=5)


def ratings(*rows: tuple[str | None, str, float]) -> Judgements:
    frame = pl.DataFrame(rows, schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64}, orient="row")
    return Judgements(name="made", frame=frame, scale=FIVE)


def fit(judgements: Judgements, written: str = "annotator-aware"):
    return make_aggregation(written).aggregate(judgements, np.random.default_rng(0))


def simulated(seed: int, items: int = 200, per_item: int = 5) -> tuple[np.ndarray, Annotators, Judgements]:
    """Twenty annotators, five of whom rate each item: whose turn it was decides what bias an item gets."""
    rng = np.random.default_rng(seed)
    truth, annotators = rng.uniform(0.2, 0.8, items), Annotators.draw(20, rng)
    readings = {str(n): [PerceivedScores(t)] for n, t in enumerate(truth)}
    made = judge_ratings(readings, annotators, per_item=per_item, scale=FIVE, step=0.1, rng=rng)
    long = made.select(item="id", value="ratings", annotator="raters").explode("value", "annotator")
    return 5 * truth, annotators, Judgements(name="simulated", frame=long, scale=FIVE)


def test_simulated_truth_is_recovered_with_honest_errors():
    within: dict[str, list[float]] = {"score": [], "bias": [], "spread": []}
    for seed in range(5):
        truth, annotators, judgements = simulated(seed)
        found = fit(judgements)
        raters = found.annotators.sort("annotator")
        mean_bias = annotators.bias.mean()  # what all raters share cannot be told from the items
        for name, frame, expected in (
            ("score", found.frame, truth + 5 * mean_bias),
            ("bias", raters, 5 * (annotators.bias - mean_bias)),
            ("spread", raters, 5 * annotators.noise),
        ):
            error = frame["standard_error" if name == "score" else f"{name}_error"].to_numpy()
            within[name].append((np.abs(frame[name].to_numpy() - expected) < 1.96 * error).mean())
        assert pearson(raters["bias"].to_numpy(), annotators.bias) > 0.95
        assert pearson(raters["spread"].to_numpy(), annotators.noise) > 0.85
        assert pearson(raters["reliability"].to_numpy(), annotators.noise) < -0.8
    assert 0.91 < np.mean(within["score"]) < 0.98
    assert 0.88 < np.mean(within["bias"]) <= 1
    assert 0.84 < np.mean(within["spread"]) <= 1


def test_nearer_to_the_truth_than_the_plain_mean():
    for seed in range(5):
        truth, annotators, judgements = simulated(seed)
        target = truth + 5 * annotators.bias.mean()
        aware, plain = (
            np.sqrt(np.mean((fit(judgements, written).frame["score"].to_numpy() - target) ** 2))
            for written in ("annotator-aware", "mean")
        )
        assert aware < 0.85 * plain


def test_slopes_are_recovered():
    rng = np.random.default_rng(0)
    truth, slope, bias = rng.uniform(1, 4, 150), rng.normal(1, 0.15, 8), rng.normal(0, 0.2, 8)
    values = 2.5 + bias[:, None] + slope[:, None] * (truth - 2.5) + rng.normal(0, 0.2, (8, 150))
    rows = [(f"r{r}", str(i), v) for r, row in enumerate(values) for i, v in enumerate(row.clip(0, 5))]
    found = fit(ratings(*rows), "annotator-aware(slope=true)")
    raters = found.annotators
    relative = slope / slope.mean()  # a common factor belongs to the items
    np.testing.assert_allclose(raters["slope"].to_numpy() / raters["slope"].mean(), relative, atol=0.06)
    assert pearson(found.frame["score"].to_numpy(), truth) > 0.99
    assert "slope" not in fit(ratings(*rows)).annotators.columns


def test_a_careless_rater_weighs_less_and_a_lenient_one_is_corrected():
    rng = np.random.default_rng(3)
    truth = rng.uniform(1, 4, 100)
    noise = {"careful": (0.0, 0.1), "lenient": (0.6, 0.1), "careless": (0.0, 1.0), "usual": (0.0, 0.3)}
    rows = [
        (name, str(i), float(np.clip(t + bias + rng.normal(0, spread), 0, 5)))
        for name, (bias, spread) in noise.items()
        for i, t in enumerate(truth)
    ]
    found = fit(ratings(*rows))
    raters = {row["annotator"]: row for row in found.annotators.iter_rows(named=True)}
    assert raters["lenient"]["bias"] - raters["careful"]["bias"] == pytest.approx(0.6, abs=0.08)
    assert raters["careless"]["spread"] == pytest.approx(1.0, rel=0.2)
    assert raters["careless"]["reliability"] < raters["usual"]["reliability"] < raters["careful"]["reliability"]
    assert raters["careless"]["agreement"] < raters["usual"]["agreement"] < raters["careful"]["agreement"]
    assert sum(row["bias"] for row in raters.values()) == pytest.approx(0, abs=1e-9)


def test_scores_beyond_the_ends_are_cut_and_counted():
    # the strict rater gives 0.8 less, so a bias of -0.4; a 5 from this rater alone would be 5.4
    rng = np.random.default_rng(0)
    truth = rng.uniform(1, 4, 40)
    rows = [("strict", str(i), t - 0.8 + rng.normal(0, 0.05)) for i, t in enumerate(truth)]
    rows += [("other", str(i), t + rng.normal(0, 0.05)) for i, t in enumerate(truth)]
    found = fit(ratings(*rows, ("strict", "top", 5.0)))
    assert found.frame.row(-1)[:2] == ("top", 5.0)
    assert found.notes[-1] == "1 score beyond the ends of the scale 0..5, clipped"


def test_parts_that_no_item_connects_are_named():
    with pytest.raises(
        InputError, match=r"no item connects the raters of different parts; 2 parts: \(x, y\), \(z, w\)"
    ):
        fit(ratings(("x", "a", 1.0), ("y", "a", 2.0), ("z", "b", 3.0), ("w", "b", 4.0)))


def test_raters_must_be_named_and_more_than_one():
    with pytest.raises(InputError, match="1 rating by unnamed raters"):
        fit(ratings(("x", "a", 1.0), (None, "a", 2.0)))
    with pytest.raises(InputError, match="only one rater, 'x'"):
        fit(ratings(("x", "a", 1.0), ("x", "b", 2.0)))


def test_ratings_that_are_all_the_same_tell_nothing():
    with pytest.raises(EstimationError, match="all ratings are the same"):
        fit(ratings(("x", "a", 1.0), ("y", "a", 1.0)))


def test_a_search_that_does_not_converge_raises(monkeypatch: pytest.MonkeyPatch):
    from similitude.gold.aggregation import annotator_aware

    whole = annotator_aware.fit_raters
    monkeypatch.setattr(annotator_aware, "fit_raters", lambda *args, **options: whole(*args, **options, most_rounds=1))
    with pytest.raises(EstimationError, match="no maximum found in 1 step"):
        fit(simulated(0)[2])


def test_an_item_with_one_rating_has_an_error_but_no_sigma():
    _, _, judgements = simulated(0)
    lone = pl.DataFrame({"item": ["lone"], "value": [2.0], "annotator": ["sim-01"]})
    frame = pl.concat([judgements.frame.select("item", "value", "annotator"), lone])
    row = fit(Judgements(name="made", frame=frame, scale=FIVE)).frame.filter(pl.col("id") == "lone").row(0, named=True)
    assert row["sigma"] is None
    assert row["standard_error"] > 0
    assert row["answers"] == 1
