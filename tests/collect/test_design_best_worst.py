import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from similitude.collect.design import balance_pairs as levelling
from similitude.collect.design import best_worst_tuples
from similitude.collect.design.parts import can_connect
from similitude.errors import ArgumentError


def make(items, seed=1, **request):
    ids = [f"i{number}" for number in range(items)] if isinstance(items, int) else items
    return best_worst_tuples(ids, rng=np.random.default_rng(seed), **request)


def pair_counts(design):
    return Counter(pair for items in design.tuples for pair in combinations(sorted(items), 2))


@st.composite
def requests(draw):
    items = draw(st.integers(3, 30))
    size = draw(st.integers(2, min(items, 6)))
    tuples = draw(st.integers(math.ceil(items / size), min(math.comb(items, size), 3 * items)))
    return items, size, tuples


@pytest.fixture
def short_search(monkeypatch):
    """Levelness needs the search; the other guarantees must hold without it."""
    monkeypatch.setattr(levelling, "STEPS", 60)
    monkeypatch.setattr(levelling, "STEPS_A_TUPLE", 2)


@given(requests(), st.integers(0, 5))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.slow
def test_guarantees_hold_whatever_is_asked(short_search, request_, seed):
    items, size, tuples = request_
    design = make(items, seed, size=size, tuples=tuples)
    # Counted here anew, without the code under test.
    assert len({frozenset(one) for one in design.tuples}) == tuples
    assert all(len(set(one)) == size for one in design.tuples)
    appearances = Counter(item for one in design.tuples for item in one)
    assert len(appearances) == items
    assert max(appearances.values()) - min(appearances.values()) <= 1
    assert design.guarantees.hold
    assert design.guarantees.together_max == max(pair_counts(design).values())
    assert design.guarantees.is_connected == can_connect(items, size, tuples)


# Designs that exist by theory, so that a search at its usual length must find them: the Fano plane (7 points, lines of
# 3), the affine planes of order 3 and 4, the projective planes of order 3 and 4, Steiner triples of 13 and 15, the
# 2-(6,3,2) design, and cyclic packings of 2N four-tuples, the densest possible at N = 26 (312 of 325 pairs).
LEVEL = [
    (7, 3, 7), (9, 3, 12), (16, 4, 20), (13, 4, 13), (21, 5, 21), (13, 3, 26), (15, 3, 35), (6, 3, 10),
    (26, 4, 52), (28, 4, 56), (30, 4, 60), (40, 4, 80), (40, 4, 60), (12, 4, 24), (5, 3, 9), (100, 4, 200), (10, 2, 20),
]  # fmt: skip


@pytest.mark.parametrize(("items", "size", "tuples"), LEVEL)
def test_few_items_reach_the_optimum(items, size, tuples):
    found = make(items, size=size, tuples=tuples).guarantees
    assert found.pairs_are_level
    ideal = tuples * math.comb(size, 2) / math.comb(items, 2)
    assert (found.together_min, found.together_max) == (math.floor(ideal), math.ceil(ideal))
    assert found.together_mean == pytest.approx(ideal)


def test_all_ten_triples_of_five():
    design = make("abcde", size=3, factor=2)
    assert {frozenset(one) for one in design.tuples} == {frozenset(one) for one in combinations("abcde", 3)}
    # An utterance is in C(4,2) = 6 of the triples, a pair in C(3,1) = 3.
    assert str(design.guarantees) == (
        "10 triples, all different, no item twice in one; every item in 6 tuples; every item in each "
        "place twice; every pair together 3 times (the ideal); all 5 items are connected"
    )


def test_giccs():
    ids = [f"d{dialogue}-{utterance}" for dialogue in range(60) for utterance in range(5)]
    design = make(ids, size=3, factor=2, groups=[name.split("-")[0] for name in ids])
    assert len(design) == 600
    assert all(len({item.split("-")[0] for item in one}) == 1 for one in design.tuples)
    assert [one[0].split("-")[0] for one in design.tuples] == list(design.groups)
    assert set(Counter(item for one in design.tuples for item in one).values()) == {6}
    assert set(pair_counts(design).values()) == {3}
    assert len(set(design.questions)) == 600
    assert design.questions[0].startswith("d0-q")
    found = design.guarantees
    assert (found.groups, found.pairs, found.parts) == (60, 600, 60)
    assert found.is_connected
    assert found.pairs_are_level
    assert "scores compare within a group only" in str(found)


@pytest.mark.parametrize("factor", [1.5, 2])
def test_six_thousand_items(factor):
    design = make(6000, factor=factor)
    assert len(design) == 6000 * factor
    assert len({frozenset(one) for one in design.tuples}) == len(design)
    assert set(Counter(item for one in design.tuples for item in one).values()) == {int(4 * factor)}
    assert max(pair_counts(design).values()) == 1
    assert design.guarantees.is_connected
    assert "no pair together more than once (ideal 0.00" in str(design.guarantees)


def test_few_tuples_are_chained_so_that_all_items_are_connected():
    # 1 x 4 + 2000 x 3 = 6,004 items is the most that 2,001 four-tuples connect.
    assert make(6004, tuples=2001).guarantees.is_connected
    loose = make(40, tuples=10).guarantees
    assert loose.parts == 10
    assert "since 10 four-tuples connect at most 10 x 3 + 1 = 31 items: scores DO NOT COMPARE" in str(loose)


def test_what_cannot_be_level_is_counted():
    # 5 triples of 6 items: ideal 1, but three items are in 3 triples: 6 meetings with 5 others; so 2 pairs meet twice.
    found = make("abcdef", size=3, tuples=5).guarantees
    assert (found.pairs_above, found.pairs_below, found.unavoidable) == (2, 2, 4)
    assert "at least 4 of them in any design" in str(found)


def test_groups_of_different_size():
    ids = [f"a{n}" for n in range(4)] + [f"b{n}" for n in range(8)]
    design = make(ids, size=3, factor=1, groups=[name[0] for name in ids])
    assert Counter(design.groups) == {"a": 4, "b": 8}
    # Ideals 4 x 3 / 6 = 2 and 8 x 3 / 28.
    assert (design.guarantees.ideal_max, design.guarantees.ideal_min) == (2.0, pytest.approx(24 / 28))


def test_the_seed_decides_and_the_order_of_items_does_not_show():
    assert make(50, seed=4).tuples == make(50, seed=4).tuples
    assert make(50, seed=4).tuples != make(50, seed=5).tuples
    first = Counter(make("abcde", seed, size=3).tuples[0] for seed in range(40))
    assert len(first) > 20


@pytest.mark.parametrize(
    ("items", "request_", "message"),
    [
        ("abc", {"size": 4}, "a tuple of 4 distinct items needs at least 4; there are 3"),
        ("a", {"size": 2}, "needs at least 2; there is 1"),
        ("abcde", {"size": 3, "tuples": 12}, "12 triples requested, but 5 items give only C(5,3) = 10 different ones"),
        ("abcde", {"size": 3, "factor": 2.5}, "13 triples requested (2.5 x 5 items), but 5 items give only C(5,3)"),
        ("abcde", {"size": 4, "per_item": 5}, "7 four-tuples requested (5 x 5 / 4), but 5 items give only C(5,4) = 5"),
        (50, {"tuples": 10}, "10 four-tuples requested, which have 40 places, too few for 50 items; request at least"
         " 13"),
        (50, {"factor": 0.1}, "5 four-tuples requested (0.1 x 50 items), which have 20 places"),
        ("abcde", {"size": 1}, "a tuple of 1 leaves nothing to choose"),
        ("abcde", {"tuples": 3, "factor": 2}, "tuples and factor both say how many"),
        ("abcde", {"tuples": 0}, "tuples=0 asks for no tuples"),
        ("abcde", {"factor": math.nan}, "factor=nan asks for no tuples"),
        ("abca", {"size": 2}, "the id 'a' stands for more than one item"),
        ("", {}, "there are no items"),
        ("abc", {"groups": ["x"]}, "3 items and 1 groups"),
        ("abcdef", {"size": 3, "groups": list("xxyyzz")}, "group 'x': a tuple of 3 distinct items needs at least 3; "
         "there are 2 (and likewise in 2 other groups)"),
    ],
)  # fmt: skip
def test_impossible_requests_are_refused_with_the_arithmetic(items, request_, message):
    with pytest.raises(ArgumentError) as refusal:
        make(items, **request_)
    assert message in str(refusal.value)


def test_per_item_is_a_minimum():
    # 10 items x 3 / 4 = 7.5, so 8 tuples with 32 places: two items in 4, the others in 3.
    found = make(10, per_item=3).guarantees
    assert (found.tuples, found.appearances_min, found.appearances_max) == (8, 3, 4)


def test_factors_are_not_rounded_up_by_float_noise():
    assert make(10, size=3, factor=1.1).guarantees.tuples == 11
