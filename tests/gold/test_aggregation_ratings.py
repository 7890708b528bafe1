import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError, ScaleError, UnknownNameError
from similitude.gold.aggregation import AGGREGATIONS, make_aggregation, names_for
from similitude.registry import Spec

FIVE = Scale(low=0, high=5)
OF_RATINGS = ["mean", "median", "trimmed-mean", "gaussian", "mixture", "annotator-aware"]


def ratings(*rows: tuple[str | None, str, float | None], scale: Scale | None = FIVE) -> Judgements:
    frame = pl.DataFrame(rows, schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64}, orient="row")
    return Judgements(name="made", frame=frame, scale=scale)


def aggregate(judgements: Judgements, written: str):
    return make_aggregation(written).aggregate(judgements, np.random.default_rng(0))


def crossed(*values: list[float]) -> Judgements:
    """Raters a, b, ... rate items 1, 2, ...: one list an item."""
    return ratings(*(("abcdefghij"[r], str(i), v) for i, row in enumerate(values, 1) for r, v in enumerate(row)))


def test_gaussian_by_hand():
    # 1, 2, 3: mean 2, population variance 2/3, sample variance 1 over 3
    row = aggregate(crossed([1.0, 2.0, 3.0]), "gaussian").frame.row(0, named=True)
    assert row["score"] == pytest.approx(2)
    assert row["sigma"] == pytest.approx(np.sqrt(2 / 3))
    assert row["standard_error"] == pytest.approx(np.sqrt(1 / 3))
    assert row["answers"] == 3


def test_scores_by_hand():
    made = crossed([0.0, 4.0, 5.0, 5.0, 1.0], [3.0, 3.0, 3.0, 3.0, 2.0])
    assert aggregate(made, "mean").frame["score"].to_list() == pytest.approx([3.0, 2.8])
    assert aggregate(made, "median").frame["score"].to_list() == [4.0, 3.0]
    # one of five is cut at each end: 1, 4, 5 and 3, 3, 3
    assert aggregate(made, "trimmed-mean(share=0.2)").frame["score"].to_list() == pytest.approx([10 / 3, 3.0])


def test_standard_errors_of_means_hold_on_simulated_ratings():
    rng = np.random.default_rng(0)
    values = np.clip(rng.normal(2.5, 0.6, (500, 10)), 0, 5)
    made = crossed(*values.tolist())
    for written in ("mean", "median", "trimmed-mean(share=0.2)", "gaussian"):
        frame = aggregate(made, written).frame
        spread, claimed = frame["score"].std(), frame["standard_error"].mean()
        # that of a median of an even number errs on the careful side: resampling cannot average the middle two
        assert 0.9 * spread < claimed < (1.2 if written == "median" else 1.1) * spread, written


@pytest.mark.parametrize("written", OF_RATINGS)
def test_neither_row_order_nor_a_moved_scale_matter(written: str):
    rng = np.random.default_rng(1)
    values = rng.normal(rng.uniform(1.5, 3.5, (30, 1)), 0.3, (30, 8)).clip(0.5, 4.5).round(1)
    made = crossed(*values.tolist())
    frame = aggregate(made, written).frame
    shuffled = Judgements(name="made", frame=made.frame.sample(fraction=1, shuffle=True, seed=2), scale=FIVE)
    again = frame.select("id").join(aggregate(shuffled, written).frame, on="id", how="left", maintain_order="left")
    moved_scale = Scale(low=10, high=60)
    moved = Judgements(name="moved", frame=made.frame.with_columns(pl.col("value") * 10 + 10), scale=moved_scale)
    tens = aggregate(moved, written).frame
    for column, size, shift in (("score", 10, 10), ("sigma", 10, 0), ("standard_error", 10, 0)):
        if column in frame.columns:
            own = frame[column].to_numpy()
            np.testing.assert_allclose(again[column].to_numpy(), own, atol=2e-5)
            np.testing.assert_allclose(tens[column].to_numpy(), size * own + shift, atol=2e-4)


@pytest.mark.parametrize("written", ["mean", "median", "trimmed-mean", "gaussian", "mixture"])
def test_one_rating_has_a_score_and_nothing_else(written: str):
    found = aggregate(ratings(("x", "a", 3.0), ("x", "b", 1.0), ("y", "b", 2.0)), written)
    row = found.frame.row(0, named=True)
    assert row["score"] == 3.0
    assert row["standard_error"] is None
    assert row.get("sigma") is None
    assert found.notes[0] == "1 item with one rating, and so without sigma or standard error"


def test_one_rater_only_is_said():
    assert aggregate(ratings(("x", "a", 3.0), ("x", "b", 1.0)), "mean").notes[0] == (
        "all answers are by one annotator, 'x': whether others would agree is unknown"
    )


def test_the_last_of_repeated_ratings_counts():
    made = ratings(*[("x", "a", 1.0)] * 10_000, ("y", "a", 2.0), ("x", "a", 5.0))
    found = aggregate(made, "mean")
    assert found.frame["score"].to_list() == [3.5]
    assert found.notes == ("10,000 answers are followed by a later one of the same annotator; the last one counts",)


def test_ratings_of_unnamed_raters_all_count():
    assert aggregate(ratings((None, "a", 1.0), (None, "a", 1.0), (None, "a", 4.0)), "mean").frame["answers"][0] == 3


def test_items_that_do_not_apply_have_no_score():
    found = aggregate(ratings(("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", None)), "gaussian")
    assert found.frame.filter(pl.col("id") == "b").row(0) == ("b", None, None, None, 0)
    assert found.notes == (
        "1 answer says that the question does not apply, and holds no value",
        "1 item without a rating, and so without a score: b",
    )


def test_no_rating_at_all_is_refused():
    with pytest.raises(InputError, match="no answer holds a rating"):
        aggregate(ratings(("x", "a", None)), "mean")


@pytest.mark.parametrize("written", OF_RATINGS)
@pytest.mark.parametrize("value", [5.5, float("nan")])
def test_a_rating_off_the_scale_is_refused(written: str, value: float):
    with pytest.raises(ScaleError, match=f"1 rating off the scale 0..5; the first: {value:g} for 'b' by 'y'"):
        aggregate(ratings(("x", "a", 1.0), ("y", "b", value)), written)


def test_float_noise_at_the_ends_is_on_the_scale():
    assert aggregate(ratings(("x", "a", 5.000000000000001), ("y", "a", -1e-16)), "mean").frame["answers"][0] == 2


def test_a_scale_that_nobody_declared_is_inferred_and_said():
    found = aggregate(ratings(("x", "a", 4.0), ("y", "a", 2.0), scale=None), "mean")
    assert (str(found.scale), found.scale.origin) == ("1..5", "inferred")
    assert "the scale 1..5 was inferred" in found.notes[0]


def test_best_worst_answers_are_refused_with_what_is_for_them():
    made = Judgements(name="made", frame=pl.DataFrame({"items": [["a", "b"]], "best": ["a"], "worst": ["b"]}))
    with pytest.raises(ArgumentError, match="use one of counting, plackett-luce"):
        aggregate(made, "mean")


def test_every_method_is_rebuilt_from_its_text():
    assert names_for("rating") == OF_RATINGS
    assert set(AGGREGATIONS) >= {*OF_RATINGS, *names_for("best-worst")}
    for name in AGGREGATIONS:
        made = make_aggregation(name)
        assert make_aggregation(repr(made)) == made
        assert made.summary
    assert make_aggregation("mixture(most=2, choose=heldout)").identity == Spec(
        "mixture", keywords={"most": 2, "choose": "heldout"}
    )


def test_unknown_names_and_arguments():
    with pytest.raises(UnknownNameError, match="did you mean 'gaussian'"):
        make_aggregation("gausian")
    with pytest.raises(ArgumentError, match="0 <= share < 0"):
        make_aggregation("trimmed-mean(share=0.5)")
    with pytest.raises(ArgumentError, match="arguments of 'mean': none"):
        make_aggregation("mean(share=0.5)")
