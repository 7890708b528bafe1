import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from similitude.collect.candidates.selection.bands import Bands
from similitude.collect.candidates.selection.quotas import divide, even_shares


def one(total, weights, available, seed=0):
    parts = len(weights)
    rng = np.random.default_rng(seed)
    return divide(
        np.array([total]), np.zeros(parts, np.int64), np.asarray(weights, float), np.asarray(available), rng
    ).tolist()


def test_proportional_to_weights():
    assert one(12, [1, 2, 3], [99, 99, 99]) == [2, 4, 6]


def test_what_a_part_lacks_goes_to_the_others_in_proportion():
    # 1 : 2 : 3 of 12; the last has 3, so 9 are left for 1 : 2.
    assert one(12, [1, 2, 3], [99, 99, 3]) == [3, 6, 3]


def test_a_lack_that_makes_another_part_full():
    # 30 over three: 10 each; the first has 2, then 14 each; the second has 12, so the last gives 16.
    assert one(30, [1, 1, 1], [2, 12, 99]) == [2, 12, 16]


def test_all_there_is_if_that_is_too_little():
    assert one(100, [1, 1], [3, 4]) == [3, 4]


def test_weight_zero_gets_nothing_even_if_others_lack():
    assert one(10, [0, 1], [99, 4]) == [0, 4]


def test_the_largest_fraction_is_rounded_up():
    # 10 x 0.45 = 4.5, 10 x 0.34 = 3.4, 10 x 0.21 = 2.1: one is left, for the first.
    assert one(10, [45, 34, 21], [99, 99, 99]) == [5, 3, 2]


def test_equal_fractions_are_rounded_at_random():
    firsts = [one(1, [1, 1, 1], [9, 9, 9], seed).index(1) for seed in range(300)]
    assert np.bincount(firsts, minlength=3).min() > 70  # 100 expected; a standard deviation is 8


def test_every_parent_is_divided_by_itself():
    parents = np.array([0, 1, 0, 1])
    available = np.array([1, 9, 9, 9])
    given_ = divide(np.array([6, 4]), parents, np.ones(4), available, np.random.default_rng(0))
    assert given_.tolist() == [1, 2, 5, 2]


@given(
    st.integers(0, 200),
    st.lists(st.tuples(st.floats(0, 10), st.integers(0, 60)), min_size=1, max_size=8),
    st.integers(0, 5),
)
def test_never_more_than_there_is_and_never_less_than_asked(total, parts, seed):
    weights = [0.0 if weight < 0.01 else weight for weight, _ in parts]
    available = [number for _, number in parts]
    numbers = one(total, weights, available, seed)
    usable = sum(number for weight, number in zip(weights, available, strict=True) if weight > 0)
    assert sum(numbers) == min(total, usable)
    assert all(0 <= got <= has for got, has in zip(numbers, available, strict=True))


def test_even_shares_are_rounded_down():
    shares = even_shares(np.array([8, 3]), np.array([0, 0, 0, 1]), np.array([1.0, 1.0, 2.0, 5.0]))
    assert shares.tolist() == [2, 2, 4, 3]


def test_bands_of_equal_width_between_the_tails():
    bands = Bands.of(5, np.linspace(0, 1, 1001))
    assert bands.edges == (0.005, 0.203, 0.401, 0.599, 0.797, 0.995)
    assert bands.positions(np.array([-3.0, 0.2029, 0.203, 0.797, 99.0])).tolist() == [0, 0, 1, 4, 4]
    assert bands.names[0] == "below 0.203"
    assert bands.names[1] == "0.203 to 0.401"
    assert bands.names[-1] == "0.797 and more"


def test_extreme_values_do_not_move_the_edges():
    values = np.append(np.linspace(0, 1, 1001), [-1e9, 1e9])
    assert Bands.of(4, values).edges[0] == pytest.approx(0.004, abs=0.002)


def test_values_beyond_given_edges_are_in_no_band():
    bands = Bands.of([0, 0.5, 1], np.array([0.3]))
    assert bands.positions(np.array([-0.01, 0, 0.5, 1.0, 1.01])).tolist() == [-1, 0, 1, 1, -1]
    assert bands.names == ("0 to 0.5", "0.5 to 1")


def test_one_value_is_in_the_middle_band():
    bands = Bands.of(3, np.full(10, 7.0))
    assert bands.positions(np.array([7.0])).tolist() == [1]


def test_narrow_bands_keep_their_edges_apart():
    bands = Bands.of(4, np.linspace(0.5, 0.5 + 1e-9, 999))
    assert len(set(bands.edges)) == 5
