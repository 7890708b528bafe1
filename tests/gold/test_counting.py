import polars as pl
import pytest

from similitude.gold.aggregation import count_best_worst

# a: 6 appearances, best 4, worst 0 -> 4/6; b: 6, best 2, worst 1 -> 1/6; c: the same; d: best 0, worst 6 -> -1
HAND = [
    ("abc", "a", "c"),
    ("abc", "a", "b"),
    ("abd", "a", "d"),
    ("abd", "b", "d"),
    ("acd", "a", "d"),
    ("acd", "c", "d"),
    ("bcd", "b", "d"),
    ("bcd", "c", "d"),
]


def judgements(rows) -> pl.DataFrame:
    return pl.DataFrame(
        {"items": [list(i) for i, _, _ in rows], "best": [b for _, b, _ in rows], "worst": [w for _, _, w in rows]}
    )


def test_hand_example():
    counted = count_best_worst(judgements(HAND)).sort("id")
    assert counted["appearances"].to_list() == [6, 6, 6, 6]
    assert counted["score"].to_list() == pytest.approx([2 / 3, 1 / 6, 1 / 6, -1.0], abs=1e-12)
    assert counted["normalised"].to_list() == pytest.approx([5 / 6, 7 / 12, 7 / 12, 0.0], abs=1e-12)


def test_an_item_named_best_and_worst_counts_as_both():
    counted = count_best_worst(judgements([("abc", "a", "a")])).sort("id")
    assert counted.select("best", "worst").row(0) == (1, 1)
    assert counted["score"].to_list() == [0.0, 0.0, 0.0]


def test_a_repeated_item_counts_once_for_each_appearance():
    counted = count_best_worst(judgements([("aab", "a", "b")])).sort("id")
    assert counted["appearances"].to_list() == [2, 1]
    assert counted["score"].to_list() == [0.5, -1.0]
