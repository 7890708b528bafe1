"""Best-worst scores with random clickers found."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, EstimationError, InputError
from similitude.gold.aggregation import aggregate_judgements, make_aggregation
from similitude.stats.annotator_choices import ChoiceList, fit_annotators
from similitude.stats.plackett_luce import Choices, choice_moments, log_totals

SIZE = 4


def choices(rng, *, items=200, tuples=400, answers=5, annotators=40, clickers=8, reversed_ones=0):
    """Answers from the max-diff model; the first annotators click at random, the next ones turn the scale round."""
    utilities = rng.normal(0, 1, items)
    sets = np.sort([rng.choice(items, SIZE, replace=False) for _ in range(tuples)], axis=1)
    set_of = np.repeat(np.arange(tuples), answers)
    who = np.concatenate([rng.choice(annotators, answers, replace=False) for _ in range(tuples)])
    shown = sets[set_of]
    slope = np.where(who < clickers, 0.0, np.where(who < clickers + reversed_ones, -1.0, 1.0))
    gaps = slope[:, None, None] * (utilities[shown][:, :, None] - utilities[shown][:, None, :])
    gaps[:, np.arange(SIZE), np.arange(SIZE)] = -np.inf
    pair = (gaps + rng.gumbel(size=gaps.shape)).reshape(set_of.size, -1).argmax(axis=1)
    rows = np.arange(set_of.size)
    best, worst = shown[rows, pair // SIZE], shown[rows, pair % SIZE]
    return utilities, ChoiceList(sets, np.ones(sets.shape, bool), set_of, best, worst, who, items, annotators)


def judgements_of(given, *, named=True):
    names = pl.Series([f"p{place:02}" for place in range(given.annotators)])
    frame = pl.DataFrame(
        {
            "annotator": names[given.annotator] if named else pl.Series([None] * given.best.size, dtype=pl.String),
            "items": pl.Series(given.members[given.set_of]).cast(pl.List(pl.String)),
            "best": pl.Series(given.best).cast(pl.String),
            "worst": pl.Series(given.worst).cast(pl.String),
        }
    )
    return Judgements(name="made", frame=frame)


def order_of(found, utilities):
    scored = found.frame.drop_nulls("score")
    return spearmanr(scored["score"], utilities[scored["id"].cast(pl.Int64).to_numpy()]).statistic


def test_with_clickers_scores_are_better_than_without_the_model_and_clickers_are_found():
    gains, right, listed, there = [], 0, 0, 0
    for seed in range(5):
        utilities, given = choices(np.random.default_rng(seed))
        answers = judgements_of(given)
        aware, plain, counts = (
            aggregate_judgements(answers, method) for method in ("annotator-plackett-luce", "plackett-luce", "counting")
        )
        gains.append([order_of(aware, utilities) - order_of(other, utilities) for other in (plain, counts)])
        clicks = dict(aware.annotators.select("annotator", "random_clicking").iter_rows())
        found = {name for name, probability in clicks.items() if probability > 0.9}
        right += len(found & {f"p{place:02}" for place in range(8)})
        listed, there = listed + len(found), there + 8
    assert np.mean(gains, axis=0)[0] > 0.01
    assert np.mean(gains, axis=0)[1] > 0.02
    assert right / listed > 0.95
    assert right / there > 0.9


def test_without_clickers_next_to_nothing_is_lost_and_nobody_is_listed():
    losses = []
    for seed in range(4):
        utilities, given = choices(np.random.default_rng(seed), clickers=0)
        aware, plain = (aggregate_judgements(judgements_of(given), f"{who}plackett-luce") for who in ("annotator-", ""))
        losses.append(order_of(plain, utilities) - order_of(aware, utilities))
        assert aware.annotators["random_clicking"].max() < 0.5
        assert aware.annotators["attention"].min() > 0.6
        assert not any("at random" in note for note in aware.notes)
    assert np.mean(losses) < 0.004


def test_clickers_are_listed_with_their_probability():
    _, given = choices(np.random.default_rng(0))
    found = aggregate_judgements(judgements_of(given), "annotator-plackett-luce")
    note = next(note for note in found.notes if "at random" in note)
    assert note.startswith("8 annotators seem to click at random (probability): p0")
    assert found.annotators.columns == ["annotator", "answers", "attention", "random_clicking"]
    assert found.annotators["answers"].sum() == given.best.size
    assert found.frame.columns == [
        "id", "score", "standard_error", "utility", "utility_error", "answers", "best", "worst",
    ]  # fmt: skip
    clicker = found.annotators.filter(annotator="p00").row(0, named=True)
    assert (clicker["attention"] < 0.05, clicker["random_clicking"] > 0.95) == (True, True)


def test_who_turns_the_scale_round_is_no_better_than_a_clicker():
    utilities, given = choices(np.random.default_rng(1), clickers=0, reversed_ones=6)
    found = aggregate_judgements(judgements_of(given), "annotator-plackett-luce")
    table = dict(found.annotators.select("annotator", "random_clicking").iter_rows())
    assert min(table[f"p{place:02}"] for place in range(6)) > 0.95
    assert order_of(found, utilities) > 0.9


def test_standard_errors_cover_the_truth():
    inside = []
    for seed in range(4):
        utilities, given = choices(np.random.default_rng(20 + seed))
        frame = aggregate_judgements(judgements_of(given), "annotator-plackett-luce").frame.drop_nulls("utility")
        places = frame["id"].cast(pl.Int64).to_numpy()
        gap = frame["utility"].to_numpy() - (utilities - utilities[places].mean())[places]
        inside.append(np.abs(gap) < 1.96 * frame["utility_error"].to_numpy())
    assert 0.92 < np.mean(np.concatenate(inside)) < 0.98


def test_the_same_answers_give_the_same_scores_in_any_order():
    _, given = choices(np.random.default_rng(3), items=40, tuples=80)
    answers = judgements_of(given)
    turned = Judgements(name="made", frame=answers.frame.reverse())
    one, other = (
        make_aggregation("annotator-plackett-luce").aggregate(each, np.random.default_rng(0)).frame.sort("id")
        for each in (answers, turned)
    )
    assert one["score"].to_numpy() == pytest.approx(other["score"].to_numpy(), abs=1e-6)


def test_normalised_scores_are_in_0_to_1():
    _, given = choices(np.random.default_rng(3), items=40, tuples=80)
    plain, mapped = (
        aggregate_judgements(judgements_of(given), f"annotator-plackett-luce(normalised={flag})")
        for flag in ("false", "true")
    )
    assert mapped.frame["score"].to_numpy() == pytest.approx((plain.frame["score"].to_numpy() + 1) / 2)
    assert (str(plain.scale), str(mapped.scale)) == ("-1..1", "0..1")


def test_refusals():
    _, given = choices(np.random.default_rng(3), items=20, tuples=20)
    with pytest.raises(InputError, match=r"100 answers by unnamed annotators.*plackett-luce"):
        aggregate_judgements(judgements_of(given, named=False), "annotator-plackett-luce")
    alone = given._replace(annotator=np.zeros_like(given.annotator), annotators=1)
    with pytest.raises(InputError, match="only one annotator, 'p00'"):
        aggregate_judgements(judgements_of(alone), "annotator-plackett-luce")
    same = judgements_of(given)
    same = Judgements(name="made", frame=same.frame.with_columns(worst="best"))
    with pytest.raises(EstimationError, match="as best and as worst"):
        aggregate_judgements(same, "annotator-plackett-luce")
    for prior in ("0", "-1", "inf"):
        with pytest.raises(ArgumentError, match="not a precision"):
            make_aggregation(f"annotator-plackett-luce(prior={prior})")


def test_rounds_are_told_and_limited():
    _, given = choices(np.random.default_rng(3), items=40, tuples=80)
    told = []
    fit = fit_annotators(given, prior=0.1, rounds=3, tell=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (fit.rounds, fit.has_converged) == (3, False)
    assert fit_annotators(given, prior=0.1).has_converged


def test_normalisers_are_those_of_the_moments():
    rng = np.random.default_rng(0)
    members = np.array([[0, 1, 2, 3], [1, 4, 0, 0]])
    part = Choices("pair", members, np.array([[True] * 4, [True, True, False, False]]), np.ones(2))
    utilities = rng.normal(0, 3, 5)
    assert log_totals(part, utilities) == pytest.approx(choice_moments(part, utilities).log_total)
    # Two options: exp(u - v) + exp(v - u).
    gap = utilities[1] - utilities[4]
    assert log_totals(part, utilities)[1] == pytest.approx(np.log(2 * np.cosh(gap)))
