import bz2
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats as scipy_stats

from similitude.collect.simulation import Annotators, judge_best_worst
from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.random_halves import BestWorstHalves, RatingHalves, random_halves
from similitude.gold.reliability.split_half import split_half, split_half_of_ratings
from similitude.gold.reliability.tuple_answers import TupleAnswers

RUDDIT = Path(__file__).parents[2] / "evidence" / "ruddit" / "Ruddit_individual_annotations.csv.bz2"
REFERENCE = Path(__file__).parents[1] / "reference" / "best_worst_hand.json"
NAN = np.nan


def judgements(annotations) -> Judgements:
    return Judgements(name="made", frame=pl.DataFrame(annotations))


def counted(annotations) -> dict[str, float]:
    """Plain Python: best less worst over appearances."""
    named, shown = defaultdict(int), defaultdict(int)
    for row in annotations:
        named[row["best"]] += 1
        named[row["worst"]] -= 1
        for item in row["items"]:
            shown[item] += 1
    return {item: named[item] / shown[item] for item in shown}


def simulated(seed=0, per_tuple=5, items=20, tuples=60, size=4) -> Judgements:
    rng = np.random.default_rng(seed)
    shown = {f"q{n}": [f"i{i}" for i in rng.choice(items, size, replace=False)] for n in range(tuples)}
    truth = {f"i{i}": i / items for i in range(items)}
    frame = judge_best_worst(shown, truth, Annotators.draw(12, rng), per_tuple=per_tuple, rng=rng)
    return Judgements(name="simulated", frame=frame)


@pytest.fixture(scope="module")
def hand():
    return json.loads(REFERENCE.read_text(encoding="utf-8"))["hand_example"]


def test_fixed_split_of_the_worked_example(hand):
    fixed = hand["fixed_split"]
    answers = TupleAnswers.of(judgements(hand["annotations"]))
    in_first = np.isin(np.arange(8), fixed["half_A_indices"])[:, None]
    first, second = (half[0] for half in BestWorstHalves(answers).scores(in_first))
    assert dict(zip(answers.items, first, strict=True)) == pytest.approx(fixed["scores_A"], abs=1e-12)
    assert dict(zip(answers.items, second, strict=True)) == pytest.approx(fixed["scores_B"], abs=1e-12)
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(fixed["pearson"], abs=1e-12)
    assert scipy_stats.spearmanr(first, second).statistic == pytest.approx(fixed["spearman"], abs=1e-12)


def test_halves_of_two_are_one_each(hand):
    # Each tuple of the example has two answers: 2^4 equally likely cuts, of which the fixed one is one, up to swapping.
    # All cuts by hand: the mean over them is what many repeats come to.
    annotations = hand["annotations"]
    figures = []
    for cut in range(16):
        first = [annotations[2 * pair + (cut >> pair & 1)] for pair in range(4)]
        second = [annotations[2 * pair + 1 - (cut >> pair & 1)] for pair in range(4)]
        one, other = ([counted(half)[item] for item in "abcd"] for half in (first, second))
        figures.append(np.corrcoef(one, other)[0, 1])
    found = split_half(judgements(annotations), repeats=4000, resampling=NO_INTERVALS)
    assert found.pearson.value == pytest.approx(np.mean(figures), abs=4 * np.std(figures) / np.sqrt(4000))
    assert found.pearson_sd == pytest.approx(np.std(figures), rel=0.05)


def test_equals_counting_in_plain_python():
    made = simulated(per_tuple=5)
    answers, rows = TupleAnswers.of(made), made.frame.to_dicts()
    in_first = np.random.default_rng(1).random((len(rows), 3)) < 0.5
    scores = BestWorstHalves(answers).scores(in_first)
    for repeat in range(3):
        for half, chosen in zip(scores, (in_first[:, repeat], ~in_first[:, repeat]), strict=True):
            expected = counted([row for row, there in zip(rows, chosen, strict=True) if there])
            found = dict(zip(answers.items, half[repeat], strict=True))
            assert {item: score for item, score in found.items() if not np.isnan(score)} == pytest.approx(expected)


def test_answers_of_each_tuple_are_cut_two_against_three():
    sizes = np.array([5, 5, 4, 3, 1])
    either = [np.zeros((5, 4000), dtype=int) for _ in range(2)]
    for total, odd_to in zip(either, ("toss", "second"), strict=True):
        for taken in random_halves(sizes, 4000, odd_to, np.random.default_rng(0)):
            total[: len(taken)] += taken
    assert [sorted(set(row.tolist())) for row in either[0]] == [[2, 3], [2, 3], [2], [1, 2], [0, 1]]
    assert either[0][0].mean() == pytest.approx(2.5, abs=0.05)
    assert np.corrcoef(either[0][0], either[0][1])[0, 1] == pytest.approx(0, abs=0.06)  # each tuple tosses its own coin
    assert [set(row.tolist()) for row in either[1]] == [{2}, {2}, {2}, {1}, {0}]


@pytest.mark.parametrize("size", [4, 5])
def test_every_half_is_equally_likely(size):
    cuts = np.stack([taken[0] for taken in random_halves(np.array([size]), 20_000, "second", np.random.default_rng(0))])
    seen = Counter(map(tuple, cuts.T.tolist()))
    number = {4: 6, 5: 10}[size]  # 4 over 2, 5 over 2
    assert len(seen) == number
    assert scipy_stats.chisquare(list(seen.values())).pvalue > 0.001


def test_ratings_are_cut_within_items():
    # Item 0 has ratings 0, 0, 6, 6; item 1 has 1, 3; item 2 has one rating and is left out.
    values = np.array([[0, 1, 2], [0, 3, NAN], [6, NAN, NAN], [6, NAN, NAN]])
    halves = RatingHalves(values)
    first, second = halves.draw(200, "toss", np.random.default_rng(0))
    assert halves.items == 2
    assert set(first[:, 0]) == {0.0, 3.0, 6.0}
    assert (first[:, 0] + second[:, 0]).tolist() == [6.0] * 200
    assert set(first[:, 1]) == {1.0, 3.0}


@pytest.mark.slow
def test_simulated_truth_of_ratings_is_recovered():
    # Item and noise of variance 1, six raters: the means of halves of three have r = 1 / (1 + 1/3), those of all six
    # 1 / (1 + 1/6), which is what Spearman and Brown make of it.
    rng = np.random.default_rng(0)
    values = rng.normal(size=4000) + rng.normal(size=(6, 4000))
    found = split_half_of_ratings(values, repeats=20)
    assert found.pearson.low < 3 / 4 < found.pearson.high
    assert found.pearson.value == pytest.approx(3 / 4, abs=0.02)
    stepped = split_half_of_ratings(values, repeats=20, spearman_brown=True)
    assert stepped.stepped_up
    assert stepped.pearson.value == pytest.approx(6 / 7, abs=0.015)
    assert stepped.pearson.low < 6 / 7 < stepped.pearson.high


def test_more_answers_make_scores_more_reliable():
    few, many = (split_half(simulated(per_tuple=n), resampling=NO_INTERVALS).spearman.value for n in (2, 10))
    assert 0.5 < few < many < 1


def test_rows_order_and_names_do_not_matter_to_the_mean():
    made = simulated()
    shuffled = Judgements(name="shuffled", frame=made.frame.sample(fraction=1, shuffle=True, seed=1))
    one, other = (split_half(each, repeats=400, resampling=NO_INTERVALS).pearson.value for each in (made, shuffled))
    assert one == pytest.approx(other, abs=0.003)


def test_items_that_are_left_out_still_count_in_their_tuples():
    made = simulated()
    found = split_half(made, without=["i0", "i19"], resampling=NO_INTERVALS)
    assert found.items == 18
    assert found.pearson.value < split_half(made, resampling=NO_INTERVALS).pearson.value  # the two ends made it high
    with pytest.raises(ArgumentError, match="nobody judged 'gold'"):
        split_half(made, without=["gold"])


def test_an_item_that_one_half_never_shows_is_left_out_of_that_repeat():
    # z is shown once: one half never knows it. The other four items have two answers to their only tuple.
    rows = [("abcd", "a", "d"), ("abcd", "b", "d"), ("abz", "a", "z")]
    made = judgements([{"items": list(i), "best": b, "worst": w} for i, b, w in rows])
    found = split_half(made, resampling=NO_INTERVALS)
    assert found.left_out == 1
    assert -1 <= found.pearson.value <= 1


def test_ratings_as_judgements_and_as_an_array_agree():
    rng = np.random.default_rng(0)
    values = rng.normal(size=30) + rng.normal(size=(4, 30))
    rater, item = np.nonzero(np.isfinite(values))
    frame = pl.DataFrame(
        {"annotator": rater.astype(str), "item": np.char.zfill(item.astype(str), 2), "value": values[rater, item]}
    )
    assert split_half(Judgements(name="made", frame=frame)) == split_half_of_ratings(values)
    unnamed = frame.with_columns(annotator=pl.lit(None, dtype=pl.String))
    assert split_half(Judgements(name="made", frame=unnamed)) == split_half_of_ratings(values)


def test_the_same_generator_gives_the_same_and_the_interval_does_not_move_the_mean():
    made = simulated()
    one, two = (split_half(made, resampling=Resampling(rng=np.random.default_rng(3))) for _ in range(2))
    assert one == two
    assert (
        split_half(made, resampling=Resampling(resamples=0, rng=np.random.default_rng(3))).pearson.value
        == one.pearson.value
    )
    assert one.pearson.low < one.pearson.value < one.pearson.high


def test_undefined_says_why():
    once = judgements([{"items": list("abc"), "best": "a", "worst": "c"}])
    assert "every tuple was answered once" in split_half(once).spearman.reason
    same = judgements([{"items": list("abc"), "best": "a", "worst": "a"}] * 4)
    assert "all items the same score" in split_half(same).pearson.reason
    assert "no item has two ratings" in split_half_of_ratings(np.array([[1.0, 2.0]])).pearson.reason
    one = split_half_of_ratings(np.array([[1.0, 2.0], [1.0, NAN]]))
    assert "only one item has two ratings" in one.pearson.reason
    assert np.isnan(one.pearson.value)


def test_repeats_without_a_figure_are_left_out_and_counted():
    # Two items, each rated 1 and 2. Of four cuts, two give a half 1 and 1, which does not vary; two give -1.
    values = np.array([[1.0, 1.0], [2.0, 2.0]])
    found = split_half_of_ratings(values, repeats=200, resampling=NO_INTERVALS)
    assert found.pearson.value == pytest.approx(-1)
    left_out = int(found.pearson.reason.split()[2])
    assert left_out == pytest.approx(100, abs=30)
    assert found.pearson.reason == f"left out {left_out} of 200 repeats in which the figure is undefined"
    assert np.isnan(split_half_of_ratings(values, spearman_brown=True).pearson.value)  # 2r / (1 + r) has none for -1


def test_bad_arguments_are_refused():
    made = simulated()
    with pytest.raises(ArgumentError, match="cannot split 0 times"):
        split_half(made, repeats=0)
    with pytest.raises(UnknownNameError, match="odd"):
        split_half(made, odd_to="first")
    with pytest.raises(InputError, match="different items in different answers"):
        split_half(Judgements(name="made", frame=made.frame.with_columns(question=pl.lit("q"))))


@pytest.mark.slow
def test_ruddit():
    rows = pl.read_csv(bz2.decompress(RUDDIT.read_bytes()))
    frame = rows.select(items=pl.concat_list("^Item.$"), best="BestItem", worst="WorstItem")
    # The placeholder gold_comment stands for many comments and has no published score: shown, but not correlated.
    found = split_half(Judgements(name="Ruddit", frame=frame), without=["gold_comment"])
    assert found.items == 6000
    assert found.pearson.value == pytest.approx(0.88, abs=0.005)  # published: 0.88
    assert found.pearson_sd < 0.005
    assert found.pearson.low < 0.875 < found.pearson.high


def test_a_half_that_is_full_takes_no_more():
    class Zeros:
        """A generator whose every draw is the smallest."""

        def random(self, shape, dtype):
            return np.zeros(shape, dtype)

    taken = [place[0, 0] for place in random_halves(np.array([5]), 1, "second", Zeros())]
    assert taken == [True, True, False, False, False]


def test_items_with_most_ratings_come_first_in_order_of_their_columns():
    values = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, NAN, 4.0], [1.0, NAN, NAN, 4.0]])
    assert RatingHalves(values).columns.tolist() == [0, 3, 1]


def test_equal_means_are_ties_whatever_rounding_leaves():
    values = np.array([[0.1, 0.3], [0.2, 0.0], [0.3, 0.1], [0.0, 0.2]])
    first, second = RatingHalves(values).draw(50, "second", np.random.default_rng(0))
    assert set(first.ravel()) | set(second.ravel()) <= {0.05, 0.1, 0.15, 0.2, 0.25}


def test_progress_is_told_in_chunks():
    class Ear:
        heard: list = []  # noqa: RUF012

        def progress(self, *what):
            self.heard.append(what)

        def note(self, text):
            raise AssertionError(text)

    many = simulated(items=40, tuples=2000, per_tuple=3)
    split_half(many, repeats=300, resampling=NO_INTERVALS, listener=Ear())
    assert Ear.heard == [("split-half", done, 300) for done in (208, 300)]  # 1,250,000 // 6,000 answers at a time
