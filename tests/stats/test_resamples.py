import numpy as np
import pytest

from similitude.stats import (
    Units,
    acceleration,
    bootstrap_weights,
    in_chunks,
    jackknife_blocks,
    jackknife_size,
    jackknife_weights,
    random_swaps,
)
from similitude.stats import resamples as resampling


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_every_resample_draws_as_many_as_there_are():
    weights = bootstrap_weights(50, 400, rng())
    assert weights.shape == (400, 50)
    assert (weights.sum(axis=1) == 50).all()
    # an item is left out of a resample with probability (1 - 1/50)^50 = 0.364; 20,000 cells: within 0.02
    assert (weights == 0).mean() == pytest.approx(0.364, abs=0.02)
    assert weights.mean(axis=0) == pytest.approx(np.ones(50), abs=0.25)


def test_half_of_all_units_are_swapped():
    swaps = random_swaps(50, 400, rng())
    assert set(np.unique(swaps)) == {0.0, 1.0}
    assert swaps.mean() == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("draw", [bootstrap_weights, random_swaps])
def test_what_is_drawn_does_not_depend_on_how_many_are_drawn_at_a_time(draw):
    one, several = rng(3), rng(3)
    whole = draw(37, 20, one)
    assert (np.vstack([draw(37, 3, several), draw(37, 17, several)]) == whole).all()


def test_items_of_a_group_are_drawn_together():
    units = Units.of_groups(np.array([9, 4, 9, 4, 1]))
    assert units.number == 3
    weights = units.over_items(bootstrap_weights(3, 30, rng()))
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 1] == weights[:, 3]).all()
    # groups of 2, 2 and 1 items, three groups drawn: the number of items varies
    assert set(weights.sum(axis=1)) <= {3.0, 4.0, 5.0, 6.0}
    assert len(set(weights.sum(axis=1))) > 1


def test_items_alone_are_their_own_units():
    weights = bootstrap_weights(4, 2, rng())
    assert Units(4).over_items(weights) is weights


def test_the_jackknife_leaves_out_one_at_a_time():
    assert (jackknife_weights(jackknife_blocks(4, rng()), 0, 4) == 1 - np.eye(4)).all()
    assert jackknife_weights(np.arange(4), 2, 3).tolist() == [[1, 1, 0, 1]]


def test_the_jackknife_of_many_leaves_out_blocks_and_finds_the_same_acceleration(monkeypatch):
    values = rng().exponential(size=6000)
    single = acceleration((values.sum() - values) / 5999)
    monkeypatch.setattr(resampling, "JACKKNIFE_LIMIT", 1000)
    blocks = jackknife_blocks(6000, rng(1))
    assert (np.bincount(blocks) == 6).all()
    weights = jackknife_weights(blocks, 0, 1000)
    # skewness 2 of the exponential: 2 / (6 sqrt(6000)) = 0.0043
    assert single == pytest.approx(0.0043, abs=0.001)
    assert acceleration(weights @ values / weights.sum(axis=1)) == pytest.approx(single, abs=0.002)


def test_chunks_cover_everything_once():
    assert [list(range(*chunk)) for chunk in in_chunks(7, 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(in_chunks(0, 3)) == []


def test_draws_of_a_part_of_the_units():
    """40 of 1,000 units: as many draws as there are units, of which a binomial number hits the part."""
    weights = bootstrap_weights(40, 3000, rng(), among=1000)
    draws = weights.sum(axis=1)
    assert draws.mean() == pytest.approx(40, abs=0.5)
    assert draws.var() == pytest.approx(1000 * 0.04 * 0.96, rel=0.1)
    whole = bootstrap_weights(1000, 3000, rng(1))[:, :40]
    assert weights[:, 0].var() == pytest.approx(whole[:, 0].var(), rel=0.15)
    assert np.corrcoef(weights[:, 0], weights[:, 1])[0, 1] == pytest.approx(0, abs=0.06)


def test_sums_and_sizes_of_units():
    items, groups = Units(3), Units.of_groups(np.array([7, 3, 7]))
    values = np.array([[[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]]])
    assert items.sums(values) is values
    assert items.sizes.tolist() == [1, 1, 1]
    assert groups.sums(values).tolist() == [[[10, 101], [20, 202]]]
    assert groups.sizes.tolist() == [1, 2]


@pytest.mark.parametrize("chosen", [np.array([1, 2]), np.array([False, True, True, False])])
def test_units_among_some_items(chosen):
    some, numbers = Units(4).among(chosen)
    assert (some.number, some.of_item, numbers.tolist()) == (2, None, [1, 2])
    some, numbers = Units.of_groups(np.array([5, 9, 7, 9])).among(chosen)
    assert (some.number, some.of_item.tolist(), numbers.tolist()) == (2, [1, 0], [1, 2])


def test_a_jackknife_leaves_out_units_or_blocks(monkeypatch):
    monkeypatch.setattr(resampling, "JACKKNIFE_LIMIT", 5)
    assert [jackknife_size(units) for units in (4, 5, 6)] == [4, 5, 5]
    assert jackknife_blocks(6, rng()).max() + 1 == jackknife_size(6)


def test_more_units_than_small_integers_can_number():
    weights = bootstrap_weights(2**16 + 5000, 2, rng())
    assert (weights.sum(axis=1) == 2**16 + 5000).all()
    assert weights[:, 2**16 :].sum() == pytest.approx(10_000, abs=500)
    assert bootstrap_weights(2**16, 1, rng()).sum() == 2**16


def test_many_units_are_all_drawn_from():
    weights = bootstrap_weights(70_000, 1, rng())
    assert weights.sum() == 70_000
    assert (weights[0, 2**16 :] > 0).mean() == pytest.approx(1 - np.exp(-1), abs=0.03)


def test_up_to_4000_units_are_left_out_one_by_one():
    assert jackknife_blocks(4000, rng()).tolist() == list(range(4000))
    assert np.bincount(jackknife_blocks(4001, rng())).tolist().count(2) == 1


def test_a_seed_stands_for_the_same_draws_for_ever():
    """Few units are drawn as 16-bit integers, swaps as bytes; other kinds would give others from the same seed."""
    draws = rng(5).integers(0, 100, 100, np.uint16)
    assert bootstrap_weights(100, 1, rng(5)).tolist() == [np.bincount(draws, minlength=100).tolist()]
    assert random_swaps(100, 1, rng(5)).tolist() == [rng(5).integers(0, 2, 100, np.uint8).tolist()]


def test_sizes_of_single_items_are_whole_numbers():
    assert Units(3).sizes.dtype == np.intp
    assert Units(3).sizes.tolist() == [1, 1, 1]
