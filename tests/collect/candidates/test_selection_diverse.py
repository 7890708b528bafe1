from itertools import combinations

import numpy as np
import pytest

from similitude.collect.candidates.selection import SelectionRequest, facility_location, k_center, pair_vectors, select
from similitude.data.listeners import OptionalListener


def unit(rows, width=6, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def chosen(pairs, seed=1, **request):
    return select(pairs, SelectionRequest(**request), rng=np.random.default_rng(seed))


def farthest_first(vectors, first, count):
    """The definition: each pair is the one whose largest cosine to the taken ones is smallest."""
    taken = [first]
    while len(taken) < count:
        close = np.round(vectors @ vectors[taken].T, 6).max(axis=1)
        close[taken] = np.inf
        taken.append(int(np.argmin(close)))
    return taken


def greedy_facilities(cosines, count):
    """The definition: each pair is the one that adds most to the sum of the largest cosines, 0 at least."""
    taken, reached = [], np.zeros(len(cosines))
    while len(taken) < count:
        sums = np.maximum(cosines, reached[:, None]).sum(axis=0)
        sums[taken] = -1
        taken.append(int(np.argmax(sums)))
        reached = np.maximum(reached, cosines[:, taken[-1]])
    return taken


@pytest.fixture
def many(make_pairs):
    return make_pairs(range(600), range(600, 1200), vectors=unit(1200), cosine=np.linspace(0, 1, 600))


def directions(pairs):
    both = pairs.vectors[pairs.left] + pairs.vectors[pairs.right]
    return both / np.linalg.norm(both, axis=1, keepdims=True)


@pytest.mark.parametrize("looked_at", [1, 7, 2048])
def test_k_center_is_farthest_first_however_few_passes(many, monkeypatch, looked_at):
    monkeypatch.setattr(k_center, "FARTHEST", looked_at)
    monkeypatch.setattr(k_center, "PANEL", 3)
    order = []
    take = k_center.Pool.take

    def noted(pool, pairs):
        order.extend(pairs.tolist())
        take(pool, pairs)

    monkeypatch.setattr(k_center.Pool, "take", noted)
    found = chosen(many, items=40, diverse="k-center")
    assert order == farthest_first(directions(many), order[0], 40)
    assert sorted(found.positions.tolist()) == sorted(order)


def test_k_center_reaches_every_cluster(make_pairs):
    centres = np.eye(8, dtype=np.float32)
    near = centres[np.arange(800) % 8] + 0.01 * unit(800, 8)
    vectors = near / np.linalg.norm(near, axis=1, keepdims=True)
    pairs = make_pairs(range(800), range(800), vectors=vectors)
    for method in ("k-center", "facility-location"):
        found = chosen(pairs, items=8, diverse=method)
        assert sorted((found.positions % 8).tolist()) == list(range(8))


def test_facility_location_is_the_greedy_set_if_all_pairs_are_represented(many):
    found = chosen(many, items=25, diverse="facility-location")
    vectors = directions(many)
    assert sorted(found.positions.tolist()) == sorted(greedy_facilities(vectors @ vectors.T, 25))


def test_facility_location_is_close_to_the_best_set(make_pairs):
    pairs = make_pairs(range(12), range(12, 24), vectors=unit(24, 3, seed=4))
    cosines = np.maximum(directions(pairs) @ directions(pairs).T, 0)

    def value(taken):
        return cosines[:, list(taken)].max(axis=1).sum()

    best = max(value(each) for each in combinations(range(12), 3))
    assert value(chosen(pairs, items=3, diverse="facility-location").positions) >= (1 - 1 / np.e) * best


def test_facility_location_with_few_entries_is_nearly_as_good(many, monkeypatch):
    vectors = directions(many)
    cosines = np.maximum(vectors @ vectors.T, 0)
    whole = cosines[:, chosen(many, items=60, diverse="facility-location").positions].max(axis=1).mean()
    monkeypatch.setattr(facility_location, "ENTRIES", 600 * 60)
    monkeypatch.setattr(facility_location, "ROWS", 7)
    less = cosines[:, chosen(many, items=60, diverse="facility-location").positions].max(axis=1).mean()
    drawn = cosines[:, chosen(many, items=60).positions].max(axis=1).mean()
    assert less > whole - 0.25 * (whole - drawn) > drawn


def test_facility_location_by_a_sample_is_better_than_chance(many, monkeypatch):
    cosines = np.maximum(directions(many) @ directions(many).T, 0)
    monkeypatch.setattr(facility_location, "COSINES", 0)
    found = cosines[:, chosen(many, items=20, diverse="facility-location").positions].max(axis=1).mean()
    drawn = [cosines[:, chosen(many, seed=seed, items=20).positions].max(axis=1).mean() for seed in range(20)]
    assert found > max(drawn)


def test_likeness_keeps_what_lies_above_the_floor():
    vectors = np.eye(3, dtype=np.float32)
    vectors[1] = [0.6, 0.8, 0.0]
    table = facility_location.likeness(vectors, np.array([0, 2]), OptionalListener())
    assert table.starts.tolist() == [0, 1, 2, 3]
    assert table.represented.tolist() == [0, 0, 1]
    assert table.gains == pytest.approx([1.0, 0.6, 1.0])


@pytest.mark.parametrize("method", ["k-center", "facility-location"])
def test_diverse_sets_keep_bands_and_texts(many, method):
    found = chosen(many, items=20, spread="cosine", bins=(0, 0.25, 0.5, 0.75, 1), diverse=method, most=1)
    assert np.histogram(found.pairs.columns["cosine"], 4, (0, 1))[0].tolist() == [5, 5, 5, 5]
    assert chosen(
        many, items=20, spread="cosine", bins=(0, 0.25, 0.5, 0.75, 1), diverse=method, most=1
    ).positions.tolist() == (found.positions.tolist())


@pytest.mark.parametrize("method", ["k-center", "facility-location"])
def test_diverse_sets_never_use_a_text_more_often_than_allowed(make_pairs, method):
    pairs = make_pairs([0] * 20 + [30, 31], range(1, 23), vectors=unit(32))
    found = chosen(pairs, items=10, diverse=method, most=1)
    assert found.step.after == 3
    assert found.step.losses == {"another pair with the same text was drawn": 19}


@pytest.mark.parametrize("method", ["k-center", "facility-location"])
def test_equal_vectors_fill_the_number_all_the_same(make_pairs, method):
    same = np.tile(np.eye(1, 4, dtype=np.float32), (40, 1))
    assert chosen(make_pairs(range(20), range(20, 40), vectors=same), items=15, diverse=method).step.after == 15


def test_diverse_ones_of_the_most_contentious(many):
    many.columns["doubt"] = np.arange(600) / 600
    found = chosen(many, items=12, contentious="doubt", diverse="k-center")
    assert found.positions.min() >= 600 - 10 * 12
    assert found.positions.min() < 600 - 12
    assert "of the 120 with the largest doubt" in found.step.facts["explanation"][-1]


def test_more_pairs_than_there_is_room_for(many, monkeypatch):
    monkeypatch.setattr(pair_vectors, "NUMBERS", 6 * 100)
    found = chosen(many, items=20, diverse="k-center")
    assert found.step.after == 20
    assert found.step.losses == {"not drawn": 580}
    assert "among 100 pairs" in found.step.notes[0]


def test_texts_that_point_in_opposite_directions(make_pairs):
    vectors = unit(4)
    vectors[1] = -vectors[0]
    rows = pair_vectors.pair_vectors(make_pairs([0, 2], [1, 3], vectors=vectors), np.arange(2))
    assert rows[0].tolist() == [0.0] * 6
    assert np.linalg.norm(rows[1]) == pytest.approx(1)


@pytest.mark.parametrize("method", ["k-center", "facility-location"])
def test_the_same_pairs_on_any_number_of_cores(make_pairs, method, monkeypatch):
    pairs = make_pairs(range(2500), range(2500, 5000), vectors=unit(5000, 24))
    monkeypatch.setattr(pair_vectors, "BLOCK", 512)
    found = []
    for cores in (1, 3):
        monkeypatch.setattr(pair_vectors.os, "cpu_count", lambda cores=cores: cores)
        found.append(chosen(pairs, items=30, diverse=method).positions.tolist())
    assert found[0] == found[1]
