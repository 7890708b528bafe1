import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.group_pairs import first_rows, texts_of_groups
from similitude.errors import ColumnError


def test_every_caption_of_one_image_with_every_caption_of_the_other():
    # Image a has captions 0, 2, 5; b has 1, 4; c has 3.
    firsts = first_rows(pl.DataFrame({"image": ["a", "b", "a", "c", "b", "a"]}), "image")
    assert firsts.tolist() == [0, 1, 0, 3, 1, 0]
    pairs = texts_of_groups(firsts, np.array([0, 3]), np.array([1, 0]))
    found = list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    assert found == [(0, 1), (0, 4), (2, 1), (2, 4), (5, 1), (5, 4), (3, 0), (3, 2), (3, 5)]


def test_no_pairs_of_groups_no_pairs_of_texts():
    none = np.empty(0, np.int64)
    assert len(texts_of_groups(np.array([0, 1]), none, none).left) == 0


def test_a_column_that_is_not_there():
    with pytest.raises(ColumnError, match=r"no column 'image'.*known: text"):
        first_rows(pl.DataFrame({"text": ["a"]}), "image")
