"""Compact letter display and the ranks that go with it."""

import itertools
import string
from importlib import import_module

import numpy as np
import pytest

from similitude.evaluate.significance import TiedRank, compact_letters, tied_ranks

NAN = np.nan


def differs(systems: int, *pairs: tuple[int, int]) -> np.ndarray:
    matrix = np.zeros((systems, systems), dtype=bool)
    for one, other in pairs:
        matrix[one, other] = matrix[other, one] = True
    return matrix


@pytest.mark.parametrize(
    ("systems", "pairs", "expected"),
    [
        (1, [], ["a"]),
        (3, [], ["a", "a", "a"]),
        (2, [(0, 1)], ["a", "b"]),
        (3, [(0, 1), (0, 2), (1, 2)], ["a", "b", "c"]),
        # not transitive: the second cannot be told from either neighbour
        (3, [(0, 2)], ["a", "ab", "b"]),
        # a chain of four, each like its neighbours only
        (4, [(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
        (4, [(0, 2), (0, 3), (1, 2), (1, 3)], ["a", "a", "b", "b"]),
        # Piepho (2004), section 2: the best differs from all but the last, which differs from nobody
        (4, [(0, 1), (0, 2)], ["a", "b", "b", "ab"]),
        # the middle two differ, both are like both ends
        (4, [(1, 2)], ["ab", "a", "b", "ab"]),
        (0, [], []),
    ],
)
def test_known_matrices(systems: int, pairs: list[tuple[int, int]], expected: list[str]):
    assert compact_letters(differs(systems, *pairs)) == expected


def test_letters_say_exactly_what_the_matrix_says_and_no_letter_is_idle():
    rng = np.random.default_rng(0)
    for _ in range(60):
        matrix = np.triu(rng.random((7, 7)) < rng.uniform(0.1, 0.9), 1)
        matrix = matrix | matrix.T
        letters = compact_letters(matrix)
        assert letters[0].startswith("a")
        for one, other in itertools.combinations(range(7), 2):
            assert bool(set(letters[one]) & set(letters[other])) != matrix[one, other]
        columns = [{i for i in range(7) if letter in letters[i]} for letter in set("".join(letters))]
        assert not any(one < other for one, other in itertools.permutations(columns, 2))


def test_more_systems_than_letters():
    letters = compact_letters(~np.eye(60, dtype=bool))
    assert len(set(letters)) == 60
    assert letters[:2] + letters[25:27] == ["a", "b", "z", "A"]


def p_matrix(systems: int, significant: list[tuple[int, int]]) -> np.ndarray:
    p_values = np.where(differs(systems, *significant), 0.01, 0.5)
    np.fill_diagonal(p_values, NAN)
    return p_values


def test_ranks_by_hand():
    # 0 beats 2, nothing else is told apart: 0 is 1st or 2nd, 1 anywhere, 2 is 2nd or 3rd
    found = tied_ranks(np.array([0.9, 0.8, 0.7]), p_matrix(3, [(0, 2)]), 0.05, higher_is_better=True)
    assert found == [TiedRank(1, 2, "a"), TiedRank(1, 3, "ab"), TiedRank(2, 3, "b")]


def test_lower_may_be_better():
    found = tied_ranks(np.array([0.9, 0.8, 0.7]), p_matrix(3, [(0, 2)]), 0.05, higher_is_better=False)
    assert found == [TiedRank(2, 3, "b"), TiedRank(1, 3, "ab"), TiedRank(1, 2, "a")]


def test_all_alike_share_all_ranks():
    found = tied_ranks(np.array([0.9, 0.8, 0.7]), p_matrix(3, []), 0.05, higher_is_better=True)
    assert found == [TiedRank(1, 3, "a")] * 3


def test_a_system_without_a_figure_has_no_rank_and_takes_none():
    p_values = p_matrix(3, [(0, 2)])
    p_values[1] = p_values[:, 1] = NAN
    found = tied_ranks(np.array([0.9, NAN, 0.7]), p_values, 0.05, higher_is_better=True)
    assert found == [TiedRank(1, 1, "a"), TiedRank(0, 0, ""), TiedRank(2, 2, "b")]
    nobody = tied_ranks(np.full(2, NAN), np.full((2, 2), NAN), 0.05, higher_is_better=True)
    assert nobody == [TiedRank(0, 0, "")] * 2


def test_a_pair_without_a_p_value_is_not_told_apart():
    found = tied_ranks(np.array([0.9, 0.1]), np.full((2, 2), NAN), 0.05, higher_is_better=True)
    assert found == [TiedRank(1, 2, "a")] * 2


def test_a_p_value_at_the_level_tells_apart():
    p_values = np.array([[NAN, 0.05], [0.05, NAN]])
    found = tied_ranks(np.array([0.9, 0.8]), p_values, 0.05, higher_is_better=True)
    assert [rank.letters for rank in found] == ["a", "b"]


def test_letters_do_not_end_with_the_alphabet():
    first = list(itertools.islice(import_module("similitude.evaluate.significance.tied_ranks")._letters(), 54))
    assert first[:52] == list(string.ascii_letters)
    assert first[52:] == ["ß", "à"]


def test_equal_figures_keep_the_order_of_the_systems():
    figures = np.array([0.5, 0.9] * 20)
    p_values = np.where(np.arange(40)[:, None] == np.arange(40), NAN, 1.0)
    p_values[0, 3] = p_values[3, 0] = p_values[2, 5] = p_values[5, 2] = 0.0
    again = tied_ranks(figures, p_values, 0.05, higher_is_better=True)
    assert [again[place].letters for place in (3, 5, 0, 2)] == ["ab", "ac", "cd", "bd"]


def test_many_equal_figures_keep_their_order():
    """Forty are alike; five of them are each told from one of five others, which are all told apart."""
    figures = np.concatenate([0.5 - np.arange(5) / 100, np.full(40, 0.9)])
    pairs = [(other, 8 + other) for other in range(5)]
    pairs += itertools.combinations(range(5), 2)
    found = tied_ranks(figures, p_matrix(45, pairs), 0.05, higher_is_better=True)
    # a is of the forty alone; b lacks the last of the five, c the last but one, and so on
    assert [rank.letters for rank in found[:5]] == ["f", "e", "d", "c", "b"]
