"""Flat arrays of tokens hold what lists of tokens hold."""

import numpy as np
import pytest

from similitude.models.encoders.token_rows import TokenRows, ragged_places

LISTS = {"input_ids": [[5, 6, 7], [8], [], [9, 1]], "token_type_ids": [[0, 0, 1], [0], [], [1, 1]]}


@pytest.fixture
def rows():
    return TokenRows.from_lists(LISTS)


def test_as_a_sequence(rows):
    assert len(rows) == 4
    assert [one["input_ids"] for one in rows] == LISTS["input_ids"]
    assert rows[3] == {"input_ids": [9, 1], "token_type_ids": [1, 1]}
    assert [one["input_ids"] for one in rows[1:3]] == [[8], []]


def test_taking_keeps_order_and_allows_copies(rows):
    taken = rows.take(np.array([3, 0, 3]))
    assert [one["input_ids"] for one in taken] == [[9, 1], [5, 6, 7], [9, 1]]
    assert [one["token_type_ids"] for one in taken] == [[1, 1], [0, 0, 1], [1, 1]]


def test_replacing_some(rows):
    others = TokenRows.from_lists({"input_ids": [[2, 2], [3]], "token_type_ids": [[1, 1], [1]]})
    found = rows.replaced(np.array([2, 0]), others)
    assert [one["input_ids"] for one in found] == [[3], [8], [2, 2], [9, 1]]
    assert rows.replaced(np.array([], np.intp), others) is rows


@pytest.mark.parametrize("is_left", [False, True])
def test_padding_on_either_side(rows, is_left):
    found = rows.take(np.array([0, 3])).padded(4, {"input_ids": 99}, is_left=is_left)
    expected = [[99, 5, 6, 7], [99, 99, 9, 1]] if is_left else [[5, 6, 7, 99], [9, 1, 99, 99]]
    assert found["input_ids"].tolist() == expected
    assert found["attention_mask"].tolist() == [[int(token != 99) for token in line] for line in expected]
    assert found["token_type_ids"][1].tolist() == ([0, 0, 1, 1] if is_left else [1, 1, 0, 0])


def test_what_is_beside_the_tokens_goes_with_them(rows):
    beside = TokenRows(rows.columns, rows.lengths, {"evidence": np.arange(8, dtype=np.float32).reshape(4, 2)})
    found = beside.take(np.array([2, 1])).padded(1, {})
    assert found["evidence"].tolist() == [[4, 5], [2, 3]]


def test_places_of_runs():
    assert ragged_places(np.array([4, 9, 0]), np.array([2, 0, 3])).tolist() == [4, 5, 0, 1, 2]
