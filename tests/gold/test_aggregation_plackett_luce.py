import bz2
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.collect.simulation import Annotators, judge_best_worst
from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, EstimationError, InputError
from similitude.gold.aggregation import PlackettLuce, make_aggregation
from similitude.stats import pearson, spearman
from similitude.stats.plackett_luce import Utilities


def fit(judgements: Judgements, written: str = "plackett-luce"):
    return make_aggregation(written).aggregate(judgements, np.random.default_rng(0))


def answers(*rows: tuple[str, str, str]) -> Judgements:
    table = {"items": [list(i) for i, _, _ in rows], "best": [b for _, b, _ in rows], "worst": [w for *_, w in rows]}
    return Judgements(name="made", frame=pl.DataFrame(table))


def simulated(model: str, seed: int, items: int = 100, per_tuple: int = 5) -> tuple[np.ndarray, Judgements]:
    """Answers drawn from the model itself: each item in eight four-tuples, each tuple answered five times."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1, items)
    shown = np.repeat(np.concatenate([rng.permutation(items).reshape(-1, 4) for _ in range(8)]), per_tuple, axis=0)
    best, worst = draw(model, truth[shown], rng)
    every = np.arange(len(shown))
    table = {"items": shown.astype(str).tolist(), "best": shown[every, best].astype(str)}
    table["worst"] = shown[every, worst].astype(str)
    return truth - truth.mean(), Judgements(name="simulated", frame=pl.DataFrame(table))


def draw(model: str, own: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The highest utility plus Gumbel noise wins with the probabilities of a softmax."""
    if model == "maxdiff":
        pairs = np.array(list(permutations(range(4), 2)))
        gaps = own[:, pairs[:, 0]] - own[:, pairs[:, 1]]
        best, worst = pairs[(gaps + rng.gumbel(size=gaps.shape)).argmax(axis=1)].T
        return best, worst
    best = (own + rng.gumbel(size=own.shape)).argmax(axis=1)
    rest = -own + rng.gumbel(size=own.shape)
    rest[np.arange(len(own)), best] = -np.inf
    return best, rest.argmax(axis=1)


def by_number(aggregated) -> pl.DataFrame:
    return aggregated.frame.with_columns(pl.col("id").cast(pl.Int64)).sort("id")


@pytest.mark.parametrize("model", ["maxdiff", "sequential"])
def test_simulated_truth_is_recovered_with_honest_errors(model: str):
    covered, correlations, counted = [], [], []
    for seed in range(4):
        truth, judgements = simulated(model, seed)
        found = by_number(fit(judgements, f"plackett-luce(model={model})"))
        away = (found["utility"].to_numpy() - truth) / found["utility_error"].to_numpy()
        covered.append((np.abs(away) < 1.96).mean())
        correlations.append(pearson(found["utility"].to_numpy(), truth))
        counting = by_number(fit(judgements, "counting"))
        counted.append(pearson(counting["score"].to_numpy(), truth))
    assert min(correlations) > 0.93
    assert np.mean(correlations) > np.mean(counted)  # it allows for who was shown with whom
    assert 0.92 < np.mean(covered) < 0.98  # of 400 truths 95 % should lie within; +-3 % is three standard errors


@pytest.mark.slow
def test_ruddit_is_ranked_much_as_by_counting():
    folder = Path(__file__).parents[2] / "evidence" / "ruddit"
    raw, scores = (
        pl.read_csv(bz2.decompress((folder / f"{name}.csv.bz2").read_bytes()))
        for name in ("Ruddit_individual_annotations", "Ruddit")
    )
    items = pl.concat_list("Item1", "Item2", "Item3", "Item4")
    found = fit(Judgements(name="ruddit", frame=raw.select(items=items, best="BestItem", worst="WorstItem")))
    published = scores.join(found.frame, left_on="comment_id", right_on="id")
    assert spearman(published["score"].to_numpy(), published["offensiveness_score"].to_numpy()) > 0.965
    assert found.notes[0] == "557 answers with the same item as best and as worst: left out"
    assert (published["utility_error"] > 0).all()


def test_annotators_with_impressions_are_recovered_too():
    # answers of another model: everyone sees each item with bias and noise and names the highest and lowest
    rng = np.random.default_rng(7)
    truth = dict(zip("abcdefgh", np.linspace(0.1, 0.9, 8), strict=True))
    tuples = {str(n): chosen for n, chosen in enumerate(combinations("abcdefgh", 4))}
    judged = judge_best_worst(tuples, truth, Annotators.draw(15, rng), per_tuple=5, rng=rng)
    found = fit(Judgements(name="simulated", frame=judged)).frame
    assert found.sort("score", descending=True)["id"].to_list() == list("hgfedcba")


def test_two_items_by_hand():
    # a best in 3 of 4: u_a = ln(3) / 4 under maxdiff; score 3/4 - 1/4, and the error of 2 p - 1: 2 sqrt(p (1 - p) / 4)
    made = answers(*[("ab", "a", "b")] * 3, ("ab", "b", "a"))
    row = fit(made, "plackett-luce(prior=0)").frame.row(0, named=True)
    assert row["utility"] == pytest.approx(np.log(3) / 4, abs=1e-6)
    assert row["utility_error"] == pytest.approx(np.sqrt(1 / 12), abs=1e-6)
    assert row["score"] == pytest.approx(0.5, abs=1e-6)
    assert row["standard_error"] == pytest.approx(2 * np.sqrt(3 / 16 / 4), abs=1e-6)
    # sequential: best by exp(u), the worst is then the only one left: u_a = ln(3) / 2, and the same chances
    other = fit(made, "plackett-luce(model=sequential, prior=0)").frame.row(0, named=True)
    assert other["utility"] == pytest.approx(np.log(3) / 2, abs=1e-5)
    assert other["score"] == pytest.approx(0.5, abs=1e-5)


def test_clear_answers_do_not_press_scores_together():
    # a over b over c over d over e without exception: against four others 4, 2, 0, -2, -4 wins more than losses
    made = answers(*[(t, t[0], t[-1]) for t in map("".join, combinations("abcde", 3))] * 20)
    found = fit(made).frame.sort("id")
    np.testing.assert_allclose(found["score"].to_numpy(), [1, 0.5, 0, -0.5, -1], atol=0.02)


def test_normalised_scores_are_the_same_from_0_to_1():
    _, judgements = simulated("maxdiff", 0, items=20)
    plain, unit = fit(judgements), fit(judgements, "plackett-luce(normalised=true)")
    assert (str(plain.scale), str(unit.scale)) == ("-1..1", "0..1")
    for column, expected in (
        ("score", (plain.frame["score"] + 1) / 2),
        ("standard_error", plain.frame["standard_error"] / 2),
    ):
        np.testing.assert_allclose(unit.frame[column].to_numpy(), expected.to_numpy())


def test_neither_row_order_nor_names_matter():
    _, judgements = simulated("maxdiff", 1, items=20)
    shuffled = judgements.frame.sample(fraction=1, shuffle=True, seed=1)
    prefixed = shuffled.with_columns(
        pl.col("items").list.eval(pl.format("x{}", pl.element())),
        best="x" + pl.col("best"),
        worst="x" + pl.col("worst"),
    )
    found = fit(judgements).frame.sort("id")
    moved = fit(Judgements(name="moved", frame=prefixed)).frame.sort("id")
    np.testing.assert_allclose(moved["utility"].to_numpy(), found["utility"].to_numpy(), atol=1e-6)


def test_without_a_prior_utilities_sum_to_0_in_each_part_in_any_order_of_rows():
    """The answers leave a constant of each part open."""
    rng = np.random.default_rng(4)
    truth = np.tile(rng.normal(0, 0.5, 20), 2)
    one, other = rng.integers(0, 20, (2, 4000))
    part = rng.integers(0, 2, 4000) * 20
    one, other = (one + part)[one != other], (other + part)[one != other]
    wins = rng.random(one.size) < 1 / (1 + np.exp(truth[other] - truth[one]))
    best, worst = np.where(wins, one, other), np.where(wins, other, one)
    rows = pl.DataFrame({"a": one, "b": other, "best": best, "worst": worst}).cast(pl.String)
    made = rows.select(pl.concat_list("a", "b").alias("items"), "best", "worst")
    for method in ("plackett-luce(model=sequential, prior=0)", "plackett-luce(prior=0)"):
        found = []
        for frame in (made, made.reverse(), made.sample(fraction=1, shuffle=True, seed=1)):
            kept = sim.aggregate(Judgements(name="made", frame=frame), method).frame.sort("id")
            utility = dict(zip(kept["id"], kept["utility"], strict=True))
            for first in (0, 20):
                assert sum(utility[str(item)] for item in range(first, first + 20)) == pytest.approx(0, abs=1e-9)
            found.append(kept["utility"].to_numpy())
        np.testing.assert_allclose(found[1:], [found[0]] * 2, atol=1e-6)


def test_best_and_worst_exchanged_turn_the_scores_round():
    _, judgements = simulated("maxdiff", 2, items=20)
    turned = Judgements(name="turned", frame=judgements.frame.rename({"best": "worst", "worst": "best"}))
    np.testing.assert_allclose(
        fit(turned).frame["score"].to_numpy(), -fit(judgements).frame["score"].to_numpy(), atol=1e-6
    )


def test_impossible_answers_and_repeated_items_are_counted_in_notes():
    made = answers(("abc", "a", "c"), ("abc", "c", "b"), ("abc", "b", "a"), ("abc", "a", "a"), ("aab", "a", "b"))
    found = fit(made)
    assert found.notes[:2] == (
        "1 answer with the same item as best and as worst: left out",
        "1 answer about a tuple that repeats an item: the item is taken once",
    )
    once = fit(answers(("abc", "a", "c"), ("abc", "c", "b"), ("abc", "b", "a"), ("ab", "a", "b")))
    assert found.frame.equals(once.frame)


def test_an_item_only_in_impossible_answers_has_no_score():
    found = fit(answers(("ab", "a", "b"), ("ab", "b", "a"), ("cd", "c", "c"))).frame
    assert found.filter(pl.col("id") == "c").select("score", "answers").row(0) == (None, 0)


def test_parts_that_were_never_compared_are_named():
    loop = [("abc", "a", "c"), ("abc", "b", "a"), ("abc", "c", "b")]
    other = [
        (items.replace("a", "x").replace("b", "y").replace("c", "z"), *_moved(best, worst))
        for items, best, worst in loop
    ]
    found = fit(answers(*loop, *other))
    assert found.notes == (
        "answers leave the items in 2 parts: (a, b, c), (x, y, z); scores are comparable only within a part",
    )
    assert found.frame["utility"].to_numpy().reshape(2, 3).sum(axis=1) == pytest.approx([0, 0], abs=1e-9)


def _moved(*names: str) -> list[str]:
    return [{"a": "x", "b": "y", "c": "z"}[name] for name in names]


def test_items_that_never_lost_need_the_prior():
    made = answers(("abc", "a", "c"), ("abc", "a", "b"), ("bcd", "d", "c"), ("bcd", "b", "d"))
    found = fit(made)
    assert "1 item never lost, or never won, against the rest of a part: a; the prior" in found.notes[0]
    assert np.isfinite(found.frame["utility"].to_numpy()).all()
    with pytest.raises(EstimationError, match=r"1 item never lost.*: a; no maximum exists without a prior"):
        fit(made, "plackett-luce(prior=0)")


def test_a_search_that_does_not_converge_raises(monkeypatch: pytest.MonkeyPatch):
    from similitude.gold.aggregation import plackett_luce

    whole = plackett_luce.fit_utilities

    def cut_short(*args, **options) -> Utilities:
        return whole(*args, **options, most_rounds=1)

    monkeypatch.setattr(plackett_luce, "fit_utilities", cut_short)
    with pytest.raises(EstimationError, match="no maximum found in 1 step"):
        fit(simulated("maxdiff", 0, items=20)[1])


def test_a_gradient_may_be_as_large_as_the_tolerance_and_no_larger(monkeypatch: pytest.MonkeyPatch):
    from similitude.gold.aggregation import plackett_luce

    whole, judgements = plackett_luce.fit_utilities, answers(("ab", "a", "b"), ("ab", "b", "a"))

    def end_at(steepest: float) -> None:
        changed = lambda *args, **options: whole(*args, **options)._replace(steepest=steepest)  # noqa: E731
        monkeypatch.setattr(plackett_luce, "fit_utilities", changed)

    end_at(plackett_luce.TOLERANCE)
    assert fit(judgements).frame["id"].to_list() == ["a", "b"]
    end_at(np.nextafter(plackett_luce.TOLERANCE, 1))
    with pytest.raises(EstimationError, match="no maximum found"):
        fit(judgements)


def test_refused():
    with pytest.raises(InputError, match="not among the items shown"):
        fit(answers(("ab", "a", "z")))
    with pytest.raises(EstimationError, match="every answer names one item as best and as worst"):
        fit(answers(("ab", "a", "a")))
    with pytest.raises(ArgumentError, match="not a precision"):
        PlackettLuce(prior=-1)
    with pytest.raises(ArgumentError, match="model=thurstone is not valid"):
        make_aggregation("plackett-luce(model=thurstone)")


def test_tuples_of_different_sizes_fit_together():
    # pairs and a triple; with pairs alone maxdiff is Bradley-Terry with doubled utilities
    made = answers(("ab", "a", "b"), ("ab", "b", "a"), ("ab", "a", "b"), ("abc", "c", "a"), ("bc", "b", "c"))
    found = fit(made).frame
    assert found.select("answers", "best", "worst").rows() == [(4, 2, 2), (5, 2, 2), (2, 1, 1)]
    assert found["utility"].sum() == pytest.approx(0, abs=1e-9)
