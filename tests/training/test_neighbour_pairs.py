"""New pairs: none that is known, none twice, near ones more often, and all of them where all are wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.samples import read_sample
from similitude.systems import SYSTEMS, make_system
from similitude.systems.encoders.embedding import EmbeddingSystem
from similitude.training import neighbour_pairs as module
from similitude.training.neighbour_pairs import new_pairs

THREE = Items.from_pairs(
    ["A dog barks.", "A man plays a guitar.", "It rains."],
    ["A dog sleeps.", "Someone plays music.", "It snows."],
)
LINE = "test-line"


@dataclass(frozen=True)
class OnALine(EmbeddingSystem):
    """A number as a point on a quarter of a circle, so that near numbers have near vectors."""

    name: ClassVar[str] = LINE
    summary: ClassVar[str] = "for tests"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        angles = np.array([int(text) for text in texts]) * np.pi / 2002
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.fixture(autouse=True)
def line(monkeypatch):
    monkeypatch.setitem(SYSTEMS._makers, LINE, OnALine)


def made(items: Items, count: int, seed: int = 0, **options) -> Items:
    return new_pairs(items, count, rng=np.random.default_rng(seed), **options)


def sets(items: Items) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in zip(items.lefts, items.rights, strict=True)]


def numbers(texts: int) -> Items:
    """Pairs of a number and the same number, so that all real pairs are new."""
    names = [f"{number:04d}" for number in range(texts)]
    return Items.from_pairs(names, names)


def test_all_pairs_that_are_not_known():
    # 6 texts make 6 * 5 / 2 = 15 pairs, and 3 of them are there already.
    new = made(THREE, 12)
    every = {frozenset(pair) for pair in combinations(THREE.texts(), 2)}
    assert len(new) == 12
    assert set(sets(new)) == every - set(sets(THREE))
    assert new.ids == [f"new-{number:06d}" for number in range(1, 13)]


def test_others_that_must_not_be_made_in_either_order():
    never = Items.from_pairs(["It snows.", "It hails."], ["A dog barks.", "It rains."])
    new = made(THREE, 11, never=never)
    assert {"It snows.", "A dog barks."} not in sets(new)
    assert "It hails." not in new.texts(), "texts of pairs that must not be made are not used"
    with pytest.raises(ArgumentError, match=r"12 new pairs .* from 6 texts: there are 11; request at most 11"):
        made(THREE, 12, never=never)


@pytest.mark.parametrize("count", [1, 40, 400])
def test_nothing_known_nothing_twice_and_no_text_with_itself(count):
    items = read_sample("opinions").items
    new = sets(made(items, count))
    assert len(new) == len(set(new)) == count
    assert not set(new) & set(sets(items))
    assert all(len(pair) == 2 for pair in new)
    assert set().union(*new) <= set(items.texts())


def test_near_ones_more_often():
    # Of 10 + 3 partners on average 10 are neighbours. u² < 1/4 for half of them: rank below 50 of 200, 25 to each side.
    new = made(numbers(1001), 1100, encoder=LINE)
    apart = np.abs(np.array(new.lefts, int) - np.array(new.rights, int))
    assert np.mean(apart <= 25) == pytest.approx(10 / 13 / 2, abs=0.05)
    # Neighbours are 200 apart at most, at the ends of the line; two random points of it are further with 0.8² = 0.64.
    assert np.mean(apart > 200) == pytest.approx(3 / 13 * 0.64, abs=0.04)


@pytest.mark.slow
def test_real_neighbours_are_nearer_than_chance():
    items = read_sample("opinions(pairs=60)").items
    use, new = make_system("use"), made(items, 200)
    order = np.random.default_rng(0).permutation(200)
    by_chance = use.similarities(new.lefts, [new.rights[place] for place in order])
    assert use.similarities(new.lefts, new.rights).mean() > by_chance.mean() + 0.1


def test_the_seed_decides_and_the_order_of_items_does_not():
    items = numbers(300)
    new = made(items, 500, encoder=LINE)
    turned = items.take(np.arange(300)[::-1])
    assert made(turned, 500, encoder=LINE).frame.equals(new.frame)
    assert not made(items, 500, seed=1, encoder=LINE).frame.equals(new.frame)


def test_however_many_similarities_are_held_at_a_time(monkeypatch):
    items = read_sample("opinions").items
    new = made(items, 200)
    monkeypatch.setattr(module, "_BLOCK", 1)  # one row at a time
    assert made(items, 200).frame.equals(new.frame)


@pytest.mark.slow
def test_what_neighbours_do_not_give_comes_from_all_pairs():
    # 300 texts make 44,850 pairs; with 200 neighbours each, some of these pairs are in nobody's neighbourhood.
    new = sets(made(numbers(300), 44_850, encoder=LINE))
    assert len(set(new)) == 44_850


def test_progress_is_told(hears):
    made(THREE, 2, listener=hears)
    *encoded, last = hears.told
    assert {(stage, total) for stage, _, total in encoded} == {("encoding texts for new pairs", 6)}
    assert [done for _, done, _ in encoded] == [0, 0, 6]  # the encoder begins to count anew
    assert last == ("finding neighbours", 0, 2)
    assert not hears.notes


def test_no_pairs_and_mistakes():
    assert len(made(THREE, 0)) == 0
    with pytest.raises(ArgumentError, match="cannot make -1 new pairs"):
        made(THREE, -1)
    with pytest.raises(ArgumentError, match="1 new pairs cannot be made from 2 texts: there are 0; give more texts"):
        made(Items.from_pairs(["a"], ["b"]), 1)
    with pytest.raises(ArgumentError, match="returns no vectors"):
        made(THREE, 1, encoder="levenshtein")


def test_a_blank_text_is_paired_with_none():
    made = new_pairs(Items.from_pairs(["A dog.", " "], ["A cat.", "It rains."]), 2, rng=np.random.default_rng(0))
    assert {frozenset((pair.left, pair.right)) for pair in made} == {
        frozenset(("A dog.", "It rains.")),
        frozenset(("A cat.", "It rains.")),
    }
