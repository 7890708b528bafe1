"""New conditions for rated pairs and new pairs for known conditions: what may and what must not be made."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from conditioned_cars import DATA, RATED, ROWS, benchmark, keys

from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError
from similitude.training.conditional.borrowed_conditions import borrowed_conditions
from similitude.training.conditional.conditioned_pairs import conditioned_pairs
from similitude.training.conditional.new_conditions import read_condition_list

ITEMS, NEVER = DATA.train.items, DATA.validation.items
CONDITIONS = {row[2] for row in ROWS}


def borrowed(count: int, seed: int = 0, **how) -> Items:
    return borrowed_conditions(ITEMS, count, rng=np.random.default_rng(seed), never=NEVER, **how)


class TestBorrowedConditions:
    def test_every_pair_gets_every_condition_that_it_was_not_rated_under(self):
        # 3 pairs and 6 conditions, 2 of which each pair has: 3 x 4.
        made = keys(borrowed(12))
        assert len(set(made)) == 12
        assert set(made) | RATED == {(pair, condition) for pair, _ in RATED for condition in CONDITIONS}
        assert not set(made) & RATED

    def test_two_in_a_row_are_one_pair_under_two_conditions(self):
        frame = borrowed(7).frame  # an odd number is rounded up
        assert frame.height == 8
        for group in frame.partition_by("group", maintain_order=True):
            assert group["left"].n_unique() == group["right"].n_unique() == 1
            assert group["condition"].n_unique() == group.height == 2
        assert frame["id"].to_list()[:3] == ["borrowed-000001-a", "borrowed-000001-b", "borrowed-000002-a"]

    def test_pairs_take_turns(self):
        assert set(Counter(borrowed(6).lefts).values()) == {2}

    def test_near_conditions_come_first(self):
        listed = ["the colour of the vehicle", "the breed of the dog", "the voice of the singer"]
        first = Counter()
        for seed in range(40):
            for item in borrowed(6, seed, listed=[*listed, "the price of bread", "the king of Spain"]):
                first[item.left, item.condition] += 1
        nearest = {"A red car.": listed[0], "Two dogs run.": listed[1], "A man sings.": listed[2]}
        for left, condition in nearest.items():
            assert max((key for key in first if key[0] == left), key=first.__getitem__) == (left, condition)

    def test_neither_order_of_rows_nor_of_sides_matters(self):
        turned = Items(ITEMS.frame.reverse())
        again = borrowed_conditions(turned, 8, rng=np.random.default_rng(0), never=NEVER)
        assert again.frame.equals(borrowed(8).frame)
        swapped = Items(ITEMS.frame.rename({"left": "right", "right": "left"}).select(ITEMS.frame.columns))
        both = Items(pl.concat([ITEMS.frame, swapped.frame.with_columns(id="s" + pl.col("id"))]))
        assert set(keys(borrowed_conditions(both, 12, rng=np.random.default_rng(0)))) == set(keys(borrowed(12)))

    def test_spelling_makes_no_new_condition(self):
        listed = ["The  Colour.", "THE KIND", "the make", "the speed"]
        made = borrowed_conditions(ITEMS.take(np.array([0, 1])), 2, rng=np.random.default_rng(0), listed=listed)
        assert {item.condition for item in made} == {"the make", "the speed"}

    def test_a_validation_pair_gets_none(self):
        never = Items.from_pairs(["A red bus.", "A man sings."], ["A red car.", "A man shouts."])
        made = borrowed_conditions(ITEMS, 4, rng=np.random.default_rng(0), never=never)
        assert set(made.lefts) == {"Two dogs run."}

    def test_too_many(self):
        wanted = (
            "13 new conditions cannot be given to 3 pairs: the 6 conditions of the data make 12; request at most 12"
        )
        with pytest.raises(ArgumentError, match=wanted):
            borrowed(13)
        with pytest.raises(ArgumentError, match=r"the 2 conditions listed make 6; .* or give more conditions"):
            borrowed(7, listed=["a", "b"])
        with pytest.raises(ArgumentError, match="no conditions to borrow"):
            borrowed_conditions(Items.from_pairs(["a"], ["b"]), 2, rng=np.random.default_rng(0))
        assert not len(borrowed(0))

    def test_all_that_there_are(self):
        assert borrowed(13, or_fewer=True).frame.equals(borrowed(12).frame)
        assert not len(borrowed(2, listed=["The colour"], or_fewer=True))

    def test_progress_is_told(self, hears):
        borrowed(4, listener=hears)
        assert ("borrowing conditions", 0, 4) in hears.told


class TestConditionedPairs:
    def pairs(self, count: int, **how) -> Items:
        return conditioned_pairs(ITEMS, count, rng=np.random.default_rng(0), never=NEVER, **how)

    def test_all_that_there_are(self):
        assert self.pairs(13, or_fewer=True).frame.equals(self.pairs(12).frame)
        with pytest.raises(ArgumentError, match="13 new pairs cannot be made from 6 texts: there are 12"):
            self.pairs(13)

    def test_new_pairs_stand_under_a_condition_of_each_text(self):
        # 6 texts make 15 pairs, 3 of which are rated; the held-out pairs are of other texts.
        made = self.pairs(12)
        own = {text: {row[2] for row in ROWS if text in row[:2]} for row in ROWS for text in row[:2]}
        assert len({pair for pair, _ in keys(made)}) == 12
        assert not {pair for pair, _ in keys(made)} & {pair for pair, _ in RATED}
        for first, second in zip(list(made)[::2], list(made)[1::2], strict=True):
            assert (first.left, first.right, first.group) == (second.left, second.right, second.group)
            assert first.condition in own[first.left]
            assert second.condition in own[first.right]
            assert first.condition != second.condition

    def test_texts_that_share_their_only_condition_get_any_other(self):
        rows = [("a", "b", "the colour", 1.0), ("c", "d", "the colour", 2.0), ("e", "f", "the size", 3.0)]
        made = conditioned_pairs(benchmark(rows).items, 12, rng=np.random.default_rng(0))
        assert {frozenset((one.condition, other.condition)) for one, other in zip(*[iter(made)] * 2, strict=True)} == {
            frozenset(("the colour", "the size"))
        }

    def test_one_condition_is_too_few(self):
        only = benchmark([("a", "b", "the colour", 1.0), ("c", "d", "The colour.", 2.0)]).items
        with pytest.raises(ArgumentError, match="new pairs stand under two conditions each, and the data has fewer"):
            conditioned_pairs(only, 1, rng=np.random.default_rng(0))
        assert not len(conditioned_pairs(only, 1, rng=np.random.default_rng(0), or_fewer=True))


class TestConditionLists:
    def test_one_a_line(self, tmp_path):
        path = tmp_path / "list.txt"
        path.write_text("# mine\nthe colour\n\n  the size \n", encoding="utf-8-sig")
        assert read_condition_list(str(path)) == ["the colour", "the size"]

    def test_unreadable(self, tmp_path):
        with pytest.raises(InputError, match=r"no\.txt: the conditions cannot be read; name a text file with one"):
            read_condition_list(str(tmp_path / "no.txt"))
        (tmp_path / "bare.txt").write_text("# nothing\n")
        with pytest.raises(
            InputError, match=r"bare\.txt: the file contains no condition; write one condition per line"
        ):
            read_condition_list(str(tmp_path / "bare.txt"))
