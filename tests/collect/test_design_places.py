"""Every item stands in every place of its tuples equally often; what a design costs is known before it is made."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.collect.design import best_worst_tuples, check_tuples, plan_best_worst, read_subjects, summarise
from similitude.collect.design.balance_pairs import PATIENCE, most_steps
from similitude.collect.design.design_cost import (
    BYTES_A_PLACE,
    LONGEST_SECONDS,
    MOST_BYTES,
    SECONDS_A_FAULT,
    SECONDS_A_MEETING,
    SECONDS_A_STEP,
    SECONDS_A_TUPLE,
    DesignCost,
    design_cost,
)
from similitude.collect.design.place_balance import balance_places, place_counts
from similitude.collect.design.request import TupleRequest
from similitude.errors import ArgumentError


@st.composite
def tuples(draw):
    """Any tuples at all, with items that appear once, often, or never, and items that are twice in a tuple."""
    size, count, items = draw(st.integers(1, 7)), draw(st.integers(1, 40)), draw(st.integers(1, 30))
    numbers = draw(st.lists(st.integers(0, items - 1), min_size=size * count, max_size=size * count))
    return np.array(numbers, dtype=np.intp).reshape(count, size)


@given(tuples(), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_places_differ_by_one_at_most_whatever_the_tuples(made, seed):
    ordered = balance_places(made, np.random.default_rng(seed))
    assert np.array_equal(np.sort(ordered, axis=1), np.sort(made, axis=1))  # the same tuples, row by row
    counts = np.zeros((made.max() + 1, made.shape[1]), dtype=int)
    for row in ordered:
        for place, item in enumerate(row):
            counts[item, place] += 1
    assert (counts.max(axis=1) - counts.min(axis=1)).max() <= 1
    assert np.array_equal(place_counts(ordered, len(counts)), counts)


def test_different_generators_give_different_orders():
    made = np.array(list(combinations(range(8), 3)))
    one, other = (balance_places(made, np.random.default_rng(seed)) for seed in (0, 1))
    assert not np.array_equal(one, other)
    assert np.array_equal(one, balance_places(made, np.random.default_rng(0)))


@pytest.mark.parametrize(
    ("items", "request_", "sentence"),
    [
        (20, {"size": 4, "factor": 2}, "every item in each place twice"),  # 8 appearances over 4 places
        (12, {"size": 3, "factor": 1}, "every item in each place once"),
        (10, {"size": 4, "per_item": 3}, "every item in each place 0 to 1 times"),  # 8 tuples, 3 or 4 appearances
        (21, {"size": 5, "factor": 1.4}, "every item in each place 1 to 2 times"),  # 30 tuples, 7 or 8 appearances
    ],
)
def test_designs_are_balanced_by_place_and_say_so(items, request_, sentence):
    design = best_worst_tuples([f"i{n}" for n in range(items)], rng=np.random.default_rng(0), **request_)
    assert design.guarantees.places_are_level
    assert sentence in design.guarantees.sentences()


def test_tuples_made_elsewhere_are_counted_by_place():
    found = check_tuples(np.array([[0, 1], [0, 2], [0, 3], [1, 2]]), 4)
    # Item 0 is first three times and never second.
    assert (found.places_min, found.places_max, found.places_differ_by) == (0, 3, 3)
    assert not found.places_are_level
    assert "an item in one place up to 3 times MORE OFTEN than in another" in str(found)
    level = check_tuples(np.array([[0, 1], [1, 0], [2, 3]]), 4)
    assert (level.places_min, level.places_max, level.places_differ_by) == (0, 1, 1)
    assert level.places_are_level


def test_groups_are_balanced_too_and_the_record_has_the_figures():
    design = plan_best_worst(read_subjects("sample:dialogues"), TupleRequest(size=3), by_group=True, seed=1)
    record = summarise(design).record()["guarantees"]
    assert (record["places_min"], record["places_max"], record["places_differ_by"]) == (2, 2, 0)
    assert "every item in each place twice" in record["sentences"]


def test_the_cost_of_few_items_is_that_of_the_search():
    # 20 items, 40 four-tuples: 240 meetings of 190 pairs, ideal 24/19. Meetings above 2 or missing below 1, by hand:
    ideal = 240 / 190
    chances = [math.exp(-ideal) * ideal**met / math.factorial(met) for met in range(40)]
    faults = 190 * (chances[0] + sum(chance * (met - 2) for met, chance in enumerate(chances) if met > 2))
    found = design_cost([(20, 40)], 4)
    steps = 2 * faults + PATIENCE
    assert steps < most_steps(40)
    expected = 40 * SECONDS_A_TUPLE + steps * (SECONDS_A_STEP + SECONDS_A_MEETING * 400)
    assert found.seconds == pytest.approx(expected)
    assert (found.tuples, found.size, found.bytes) == (40, 4, 40 * 4 * BYTES_A_PLACE)


def test_the_cost_of_many_items_is_that_of_separating_pairs():
    # 1,000 items, 2,000 four-tuples: ideal 12,000 / 499,500; expected meetings above 1 are ideal - 1 + exp(-ideal).
    ideal = 12_000 / 499_500
    faults = 499_500 * (ideal - 1 + math.exp(-ideal))
    assert design_cost([(1000, 2000)], 4).seconds == pytest.approx(2000 * SECONDS_A_TUPLE + faults * SECONDS_A_FAULT)


def test_groups_of_one_size_share_the_cost_of_a_pattern():
    one, ten = design_cost([(20, 40)], 4), design_cost([(20, 40)] * 10, 4)
    assert ten.tuples == 400
    assert ten.seconds - one.seconds == pytest.approx(360 * SECONDS_A_TUPLE)
    all_ten_triples = design_cost([(5, 10)], 3)  # nothing to search, nothing to leave out
    assert all_ten_triples.seconds == pytest.approx(20 * SECONDS_A_TUPLE)


def test_what_is_left_out_is_searched_for():
    # 60 of the 84 triples of 9: the search is for the 24 others, after all 84 were listed.
    other, found = design_cost([(9, 24)], 3), design_cost([(9, 60)], 3)
    assert found.seconds == pytest.approx(other.seconds + (60 - 24 + 84) * SECONDS_A_TUPLE)


def test_large_designs_are_refused_with_an_estimate_before_they_are_made():
    borders = {"seconds": LONGEST_SECONDS, "bytes": MOST_BYTES}
    assert not DesignCost(tuples=1, size=4, **borders).is_large
    for more in borders:
        assert DesignCost(tuples=1, size=4, **(borders | {more: borders[more] * 1.01})).is_large
    ids = [f"i{n}" for n in range(1000)]
    message = "25,000,000 four-tuples take about 50 minutes and 35.0 GB to plan; ask for fewer .*--large"
    with pytest.raises(ArgumentError, match=message):
        best_worst_tuples(ids, per_item=100_000, rng=np.random.default_rng(0))
    crowded = design_cost([(400, 800_000)], 4)  # pairs meet 60 times
    assert 10 < crowded.seconds < 100
    often = design_cost([(30, 27_000)], 4)  # 27,000 of 27,405; an ideal far above 700 does not break the estimate
    assert math.isfinite(often.seconds)
    assert math.isfinite(design_cost([(600, 50_000_000)], 4).seconds)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 second"), (119, "119 seconds"), (121, "2 minutes"), (7199, "120 minutes"), (7200, "2 hours")],
)
def test_the_estimate_in_words(seconds, words):
    assert str(DesignCost(tuples=1, size=4, seconds=seconds, bytes=2.5e8)) == f"about {words} and 0.2 GB"


class Ear:
    def __init__(self):
        self.heard = []

    def progress(self, stage, done, total):
        self.heard.append((stage, done, total))

    def note(self, text):
        pass


def test_progress_is_told():
    few, many = Ear(), Ear()
    best_worst_tuples([str(n) for n in range(60)], factor=6, rng=np.random.default_rng(0), listener=few)
    best_worst_tuples([str(n) for n in range(600)], factor=4, rng=np.random.default_rng(0), listener=many)
    assert few.heard[0] == ("balancing pairs", 0, most_steps(360))
    assert [done for _, done, _ in few.heard] == [100 * n for n in range(len(few.heard))]
    assert many.heard[0][:2] == ("separating pairs, round 1", 0)
    assert many.heard[0][2] > 100
