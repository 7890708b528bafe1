import numpy as np
import polars as pl
import pytest
from scipy import stats as scipy_stats

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.opinion_figures import opinion_figures
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores, rest_correlations
from similitude.samples import read_sample
from similitude.stats import Bounds, jackknife_interval


def sample(part: str) -> Judgements:
    return Judgements.of_benchmark(read_sample(part))


def in_rounds_and_groups() -> Judgements:
    """Six raters, three a round, two groups, 20 items."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(1, 4, 20)
    rows = [
        (f"i{item}", f"r{rater}", "first" if rater < 3 else "second", "abcabc"[rater % 2], value + rng.normal(0, 0.4))
        for item, value in enumerate(truth)
        for rater in range(6)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "round", "group", "value"], orient="row")
    return Judgements(name="made", frame=frame, scale=Scale(low=0, high=5))


@pytest.mark.parametrize("judgements", [sample("opinions"), sample("dialogues"), in_rounds_and_groups()])
def test_figures_have_names_of_their_own_words_and_values_inside_their_intervals(judgements: Judgements):
    figures = opinion_figures(judgements, resampling=Resampling(resamples=100))
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert figure.what
        value, low, high, _ = figure.estimate
        assert low <= value <= high, figure


def test_rounds_and_groups_appear_where_there_are_any():
    names = " / ".join(figure.name for figure in opinion_figures(in_rounds_and_groups(), resampling=NO_INTERVALS))
    assert "mean difference, round 'first' minus round 'second'" in names
    assert "difference of sigma, 'b' minus 'a'" in names
    plain = " / ".join(figure.name for figure in opinion_figures(sample("opinions"), resampling=NO_INTERVALS))
    assert "round" not in plain
    assert "less" not in plain


def test_one_rater_gives_reasons_and_no_figure():
    rows = {"item": [f"i{n}" for n in range(12)], "annotator": ["x"] * 12, "value": np.arange(12.0) % 5}
    figures = opinion_figures(Judgements(name="made", frame=pl.DataFrame(rows), scale=Scale(low=0, high=5)))
    assert all(np.isnan(figure.estimate.value) and figure.estimate.reason for figure in figures)


def test_progress_is_told():
    heard: list[tuple[str, int, int]] = []

    class Ear:
        def progress(self, stage: str, done: int, total: int) -> None:
            heard.append((stage, done, total))

        def note(self, text: str) -> None: ...

    opinion_figures(sample("opinions"), resampling=NO_INTERVALS, listener=Ear())
    assert heard == [("opinions", 1, 3), ("opinions", 2, 3), ("opinions", 3, 3)]


def test_a_figure_does_not_depend_on_the_others():
    same = [
        opinion_figures(sample("opinions"), resampling=Resampling(resamples=50, rng=np.random.default_rng(1)))
        for _ in range(2)
    ]
    assert same[0] == same[1]


def test_own_and_rest_of_ratings_by_hand():
    # a: x 1, y 3, unnamed 5 -> rest of x is 4, of y 3; b: x alone is left out
    rows = {"annotator": ["x", "y", None, "x"], "item": ["a", "a", "a", "b"], "value": [1.0, 3.0, 5.0, 2.0]}
    table = own_and_rest_scores(Judgements(name="made", frame=pl.DataFrame(rows)))
    assert table.rows() == [("x", "a", 1.0, 4.0), ("y", "a", 3.0, 3.0)]


def test_own_and_rest_of_best_worst_by_hand():
    # x names a best and c worst of abc; y names b best and c worst of abc, and a best and b worst of abd.
    # rest of x: a 1 of 2, b (1 - 1) of 2, c -1 of 1; rest of y: a 1, b 0, c -1 of 1 each; nobody else saw d
    rows = {
        "annotator": ["x", "y", "y"],
        "items": [list("abc"), list("abc"), list("abd")],
        "best": ["a", "b", "a"],
        "worst": ["c", "c", "b"],
    }
    table = own_and_rest_scores(Judgements(name="made", frame=pl.DataFrame(rows))).sort("annotator", "item")
    assert table.rows() == [
        ("x", "a", 1.0, 0.5), ("x", "b", 0.0, 0.0), ("x", "c", -1.0, -1.0),
        ("y", "a", 0.5, 1.0), ("y", "b", 0.0, 0.0), ("y", "c", -1.0, -1.0),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_intervals_are_those_of_items_left_out(kind):
    table = own_and_rest_scores(sample("opinions"))
    figure = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr}[kind]
    found = rest_correlations(table, kind)

    def each(rows):
        return np.array(
            [figure(part["own"], part["rest"]).statistic for _, part in rows.group_by("annotator", maintain_order=True)]
        )

    np.testing.assert_allclose(found.each, each(table), atol=1e-12)
    first = table.filter(annotator=table["annotator"][0])
    left_out = np.array([each(first.filter(pl.col("item") != item))[0] for item in first["item"]])
    expected = jackknife_interval(found.each[0], left_out, 0.9, Bounds(-1, 1))
    estimate = found.estimates(Resampling(level=0.9))[0]
    assert estimate[:3] == pytest.approx((found.each[0], *expected[:2]), abs=1e-10)
    items = table["item"].unique(maintain_order=True)
    without = np.array([each(table.filter(pl.col("item") != item)).mean() for item in items])
    expected = jackknife_interval(found.each.mean(), without, 0.9, Bounds(-1, 1))
    mean = found.mean(Resampling(level=0.9))
    assert mean[:3] == pytest.approx((found.each.mean(), *expected[:2]), abs=1e-10)
    assert np.isnan([found.mean(NO_INTERVALS).low, found.estimates(NO_INTERVALS)[0].low]).all()


def test_means_that_differ_by_float_noise_are_ties():
    # (0.1 + 0.2) / 2 and 0.15 differ in the last bit
    values = {"a": [0.1, 0.2], "b": [0.15, 0.15]}
    rows = [("x", item, 1.0) for item in values]
    rows += [(f"r{n}", item, value) for item, ratings in values.items() for n, value in enumerate(ratings)]
    frame = pl.DataFrame(rows, schema=["annotator", "item", "value"], orient="row")
    rest = own_and_rest_scores(Judgements(name="made", frame=frame)).filter(annotator="x")["rest"]
    assert rest[0] == rest[1]


def test_opinions_have_no_interval_unless_asked():
    for figure in opinion_figures(in_rounds_and_groups(), resampling=NO_INTERVALS):
        assert np.isnan(figure.estimate.low), figure.name
