from itertools import permutations, product

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.collect.simulation import Annotators, judge_best_worst
from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, InputError
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.best_worst import best_worst_agreement
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.stats import Bounds, jackknife_interval, wilson_interval


def judgements(rows, **columns) -> Judgements:
    """Rows of (items, best, worst), items a string of one-letter ids."""
    frame = {"items": [list(i) for i, _, _ in rows], "best": [b for _, b, _ in rows], "worst": [w for _, _, w in rows]}
    return Judgements(name="made", frame=pl.DataFrame({**frame, **columns}))


# Two triples, five annotators each.
# abc: best a a a a b, worst c c c c c; abd: best a b b b b, worst d d d a d
FIVE = [("abc", best, worst) for best, worst in zip("aaaab", "ccccc", strict=True)]
FIVE += [("abd", best, worst) for best, worst in zip("abbbb", "dddad", strict=True)]


def agreement(rows, **columns):
    return best_worst_agreement(judgements(rows, **columns), as_listed=True, resampling=NO_INTERVALS)


def test_hand_derived_alphas():
    found = agreement(FIVE)
    # Pairs of places: (0,2) x 4, (1,2) | (0,2), (1,2) x 3, (1,0). Ordered pairs that differ: 20 - 12 = 8 and
    # 20 - 6 = 14, over 4. Of 10 labels: 5, 4, 1: 100 - 42 = 58 differ. alpha = 1 - 9 * 5.5 / 58.
    assert found.combined.value == pytest.approx(1 - 9 * 5.5 / 58, abs=1e-12)
    # By place: best 0 0 0 0 1 | 0 1 1 1 1, worst 2 2 2 2 2 | 2 2 2 0 2: 8 + 8 + 0 + 8 over 4 = 6.
    # Of 20 labels: 0 x 6, 1 x 5, 2 x 9: 400 - 36 - 25 - 81 = 258. alpha = 1 - 19 * 6 / 258.
    assert found.by_position.value == pytest.approx(1 - 19 * 6 / 258, abs=1e-12)
    # By item: a x 6, b x 5, c x 5, d x 4: 400 - 36 - 25 - 25 - 16 = 298. alpha = 1 - 19 * 6 / 298.
    assert found.by_item.value == pytest.approx(1 - 19 * 6 / 298, abs=1e-12)
    assert (found.tuples, found.answers, found.left_out) == (2, 10, 0)


def test_alpha_of_places_does_not_depend_on_how_items_are_listed():
    """The best item listed first in every tuple, or last, or anywhere; rows and names of questions in any order."""
    rng = np.random.default_rng(7)
    truth = rng.normal(size=20)
    columns = {"annotator": [], "question": [], "items": [], "best": [], "worst": []}
    for question in range(25):
        shown = rng.choice(20, 4, replace=False)
        for who in range(5):
            felt = truth[shown] + 0.7 * rng.normal(size=4)
            row = (
                f"p{who}",
                f"q{question}",
                [f"i{n}" for n in shown],
                *(f"i{shown[at(felt)]}" for at in (np.argmax, np.argmin)),
            )
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
    frame = pl.DataFrame(columns)

    def listed(key, sample=None):
        by = frame if sample is None else frame.sample(fraction=1, shuffle=True, seed=sample)
        shown = [sorted(items, key=key) for items in by["items"].to_list()]
        return sim.agreement.best_worst_agreement(by.with_columns(items=pl.Series(shown)))

    rising = listed(lambda item: truth[int(item[1:])])
    assert rising.listings == 200
    for other in (listed(lambda item: -truth[int(item[1:])]), listed(lambda item: item, sample=1)):
        for coding in ("combined", "by_position"):
            assert getattr(other, coding)[:3] == pytest.approx(getattr(rising, coding)[:3], abs=1e-12)
    # the mean over listings that are drawn otherwise
    drawn = np.random.default_rng(0)
    shuffled = [
        [drawn.permutation(items).tolist() for items in frame.unique("question", maintain_order=True)["items"]]
        for _ in range(60)
    ]
    alphas = [
        sim.agreement.best_worst_agreement(
            frame.with_columns(items=pl.Series([items for items in listing for _ in range(5)])), as_listed=True
        ).combined.value
        for listing in shuffled
    ]
    assert rising.combined.value == pytest.approx(np.mean(alphas), abs=4 * np.std(alphas) * (1 / 60 + 1 / 200) ** 0.5)
    assert np.std(alphas) > 0.001


def test_strong_agreement_is_four_of_five():
    found = agreement(FIVE)
    assert (found.strong_best.value, found.strong_worst.value) == (1.0, 1.0)
    weaker = [*FIVE[:5], ("abd", "a", "d"), *FIVE[5:7], ("abd", "a", "b"), FIVE[9]]  # best of abd: a a b a b
    assert agreement(weaker).strong_best.value == 0.5


@pytest.mark.parametrize(("number", "needed"), [(2, 2), (3, 3), (4, 4), (6, 5), (10, 8), (15, 12), (20, 16)])
def test_strong_agreement_of_other_numbers(number, needed):
    # One tuple has just enough equal answers, the other one fewer: ceil(0.8 n).
    rows = [("abc", "a" if place < needed else "b", "c") for place in range(number)]
    rows += [("abd", "a" if place < needed - 1 else "b", "d") for place in range(number)]
    found = agreement(rows)
    assert found.strong_best.value == 0.5
    assert found.strong_worst.value == 1.0


def test_equals_alpha_of_a_table():
    rng = np.random.default_rng(0)
    tuples = {f"q{n}": [f"i{i}" for i in rng.choice(12, 4, replace=False)] for n in range(30)}
    truth = {f"i{i}": i / 12 for i in range(12)}
    frame = judge_best_worst(tuples, truth, Annotators.draw(8, rng), per_tuple=5, rng=rng)
    found = best_worst_agreement(Judgements(name="made", frame=frame), as_listed=True, resampling=NO_INTERVALS)
    best, worst = (
        np.array(frame[name].str.strip_prefix("i").cast(pl.Float64).to_numpy().reshape(30, 5).T)
        for name in ("best", "worst")
    )
    by_item = krippendorff_alpha(np.concatenate([best, worst], axis=1), "nominal", resampling=NO_INTERVALS).value
    shown = frame["items"].to_list()[::5]  # as in the first answer to each tuple
    best_place, worst_place = (
        np.array([[shown[n].index(f"i{item:.0f}") for item in row] for n, row in enumerate(named.T)]).T
        for named in (best, worst)
    )
    combined = krippendorff_alpha(best_place * 4.0 + worst_place, "nominal", resampling=NO_INTERVALS).value
    assert found.by_item.value == pytest.approx(by_item, abs=1e-12)
    assert found.combined.value == pytest.approx(combined, abs=1e-12)


def test_the_order_on_the_screen_does_not_matter():
    shown = ["abc", "cab", "bca", "cba", "acb", "abd", "dab", "bda", "dba", "adb"]
    shuffled = [(items, best, worst) for items, (_, best, worst) in zip(shown, FIVE, strict=True)]
    assert agreement(shuffled) == agreement(FIVE)


def test_a_question_is_a_tuple_where_there_is_one():
    # Asked twice under two names, the same items are two tuples.
    assert agreement(FIVE, question=["p"] * 2 + ["q"] * 3 + ["r"] * 5).tuples == 3
    with pytest.raises(InputError, match="question 'p' shows different items"):
        agreement(FIVE, question=["p"] * 10)


def test_tuples_answered_once_are_left_out_and_counted():
    found = agreement([*FIVE, ("bcd", "b", "d")])
    assert (found.tuples, found.answers, found.left_out) == (2, 10, 1)
    assert found.combined.value == pytest.approx(agreement(FIVE).combined.value, abs=1e-12)


def test_of_several_answers_by_one_annotator_the_last_counts():
    names = [f"n{n}" for n in range(5)] * 2
    repeated = agreement([*[("abc", "b", "a")] * 1000, *FIVE], annotator=["n0"] * 1000 + names)
    assert repeated.combined == agreement(FIVE, annotator=names).combined
    assert repeated.notes == ("1,000 answers are followed by a later one of the same annotator; the last one counts",)


def test_oddities_count():
    # The same item best and worst, and a tuple that repeats an item: counted as they stand.
    found = agreement([("aab", "a", "a"), ("aab", "a", "b"), ("acd", "c", "d"), ("acd", "c", "d")])
    assert found.tuples == 2
    assert found.strong_best.value == 1.0
    assert found.strong_worst.value == 0.5


def test_intervals_are_those_of_tuples_left_out():
    rng = np.random.default_rng(3)
    tuples = {f"q{n}": list("abcdef"[n % 4 : n % 4 + 3]) for n in range(12)}
    truth = dict(zip("abcdef", np.linspace(0.4, 0.6, 6), strict=True))
    frame = judge_best_worst(tuples, truth, Annotators.draw(6, rng), per_tuple=5, rng=rng)
    found = best_worst_agreement(Judgements(name="made", frame=frame), as_listed=True, resampling=Resampling(level=0.9))
    without = [
        best_worst_agreement(
            Judgements(name="made", frame=frame.filter(pl.col("question") != question)),
            as_listed=True,
            resampling=NO_INTERVALS,
        )
        for question in tuples
    ]
    for name in ("combined", "by_position", "by_item"):
        left_out = np.array([getattr(each, name).value for each in without])
        value, *ends, _ = getattr(found, name)
        assert ends == pytest.approx(jackknife_interval(value, left_out, 0.9, Bounds(-1 / 4, 1.0))[:2], abs=1e-12), name
    for name in ("strong_best", "strong_worst"):
        value, *ends, _ = getattr(found, name)
        assert ends == pytest.approx(wilson_interval(12 * value, 12, 0.9)[:2], abs=1e-12), name


def test_answers_at_random_give_alpha_zero_by_position():
    rng = np.random.default_rng(0)
    rows = []
    for n in range(3000):
        items = [f"i{i}" for i in rng.choice(50, 3, replace=False)]
        named = rng.permuted(np.tile(np.arange(3), (5, 1)), axis=1)[:, :2]
        rows += [(f"q{n}", items, items[a], items[b]) for a, b in named.tolist()]
    frame = pl.DataFrame(rows, schema=["question", "items", "best", "worst"], orient="row")
    found = best_worst_agreement(Judgements(name="random", frame=frame), resampling=Resampling(resamples=100))
    assert found.by_position.low < 0 < found.by_position.high
    assert found.combined.low < 0 < found.combined.high


def at_random(tuples, numbers, rng):
    """So many answers to each tuple, each naming two of its items at random."""
    rows = []
    for place, (items, number) in enumerate(zip(tuples, numbers, strict=True)):
        chosen = rng.permuted(np.tile(np.arange(len(items)), (number, 1)), axis=1)[:, :2]
        rows += [(f"q{place}", list(items), items[a], items[b]) for a, b in chosen.tolist()]
    return Judgements(
        name="random", frame=pl.DataFrame(rows, schema=["question", "items", "best", "worst"], orient="row")
    )


@pytest.mark.parametrize(
    ("tuples", "numbers"),
    [
        (["abcd", "abef", "cdgh", "aceg"] * 5, [5] * 20),
        (["abc", "bcd", "efg", "ab"] * 5, [2, 3, 7, 4] * 5),
        (["abcde", "ab", "cd", "aef"] * 6, [6, 2, 2, 3] * 6),
    ],
)
def test_alpha_by_chance_is_that_of_simulated_random_answers(tuples, numbers):
    rng, drawn = np.random.default_rng(0), 150
    found = [
        best_worst_agreement(at_random(tuples, numbers, rng), as_listed=True, resampling=NO_INTERVALS)
        for _ in range(drawn)
    ]
    for coding in ("combined", "by_position", "by_item"):
        expected = getattr(found[0].by_chance, coding)
        alphas = np.array([getattr(each, coding).value for each in found])
        assert alphas.mean() == pytest.approx(expected, abs=3.5 * alphas.std() / drawn**0.5 + 0.002), coding


def test_alpha_by_chance_from_all_possible_answers():
    # Two answers to abc and two to ab: every combination of answers is as likely as any other.
    tuples, numbers = ["abc", "ab"], [2, 2]
    asked = [items for items, number in zip(tuples, numbers, strict=True) for _ in range(number)]
    sums = {"combined": np.zeros(2), "by_position": np.zeros(2), "by_item": np.zeros(2)}
    for answers in product(*(permutations(items, 2) for items in asked)):
        places = [tuple(items.index(item) for item in answer) for items, answer in zip(asked, answers, strict=True)]
        codings = {"combined": [[place] for place in places], "by_position": places, "by_item": answers}
        for coding, labels in codings.items():
            # Of two answers, differing ordered pairs over 2 - 1; of all labels, ordered pairs that differ.
            differ = sum(
                2 * (a != b) for first in (0, 2) for a, b in zip(labels[first], labels[first + 1], strict=True)
            )
            pool = [label for answer in labels for label in answer]
            sums[coding] += [(len(pool) - 1) * differ, sum(a != b for a in pool for b in pool)]
    rows = [(items, items[0], items[1]) for items in asked]
    by_chance = agreement(rows).by_chance
    for coding, (observed, expected) in sums.items():
        assert getattr(by_chance, coding) == pytest.approx(1 - observed / expected, abs=1e-12), coding


def test_alpha_by_chance_of_a_large_design_by_hand():
    # Four of very many items: two random answers agree on a question with probability 1/4, two of the pool never do.
    items = [f"i{place}" for place in range(4000)]
    tuples = [items[place : place + 4] for place in range(0, 4000, 4)]
    chance = best_worst_agreement(at_random(tuples, [3] * 1000, np.random.default_rng(0))).by_chance
    assert chance.by_item == pytest.approx(1 / 4, abs=0.001)
    assert chance.by_position == pytest.approx(0, abs=0.001)
    assert chance.combined == pytest.approx(0, abs=1e-12)


def test_only_tuples_that_count_decide_about_chance():
    counted = agreement(FIVE)
    more = agreement([*FIVE, ("bcdefgh", "b", "d")])
    assert more.by_chance == counted.by_chance
    assert agreement([("abc", "a", "b"), ("abd", "a", "b")]).by_chance is None


def test_an_item_shown_twice_is_one_choice():
    once = agreement([("ab", "a", "b"), ("ab", "b", "a"), ("cd", "c", "d"), ("cd", "d", "c")])
    twice = agreement([("aab", "a", "b"), ("aab", "b", "a"), ("cd", "c", "d"), ("cd", "d", "c")])
    assert twice.by_chance == once.by_chance


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([("abc", "a", "b"), ("abd", "a", "b")], "no tuple was answered twice"),
        ([("abc", "a", "b"), ("abc", "a", "b"), ("abd", "a", "b")], "only one tuple was answered twice"),
    ],
)
def test_undefined_says_why(rows, why):
    found = agreement(rows)
    for estimate in found[:5]:
        assert np.isnan(estimate.value)
        assert why in estimate.reason


def test_one_answer_throughout_is_undefined_but_strong():
    rows = [("ab", "a", "b")] * 4
    found = agreement(rows, question=["p", "p", "q", "q"])
    assert "all answers are the same" in found.combined.reason
    assert found.strong_best.value == 1.0


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="not among the items shown"):
        agreement([("abc", "x", "b"), ("abc", "a", "b")])
    ratings = Judgements(name="rated", frame=pl.DataFrame({"item": ["a"], "value": [1.0], "annotator": ["x"]}))
    with pytest.raises(ArgumentError, match="rated: these are ratings"):
        best_worst_agreement(ratings)
