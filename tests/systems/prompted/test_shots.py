import numpy as np
import pytest

from similitude.data import Benchmark, Item
from similitude.errors import ArgumentError, InputError
from similitude.systems.prompted.shots import ShotPool, Shots, open_pool


def conditioned(pairs: int = 8, **more) -> Benchmark:
    """Every pair under two conditions, the higher score first, as in C-STS files."""
    numbers = np.repeat(np.arange(pairs), 2)
    return Benchmark.from_columns(
        "made",
        left=[f"left {n}" for n in numbers],
        right=[f"right {n}" for n in numbers],
        condition=["colour", "size"] * pairs,
        group=[str(n) for n in numbers],
        score=[5.0, 1.0] * pairs,
        scale="1..5",
        **more,
    )


def plain(pairs: int = 8, **more) -> Benchmark:
    return Benchmark.from_columns(
        "made",
        left=[f"left {n}" for n in range(pairs)],
        right=[f"right {n}" for n in range(pairs)],
        score=np.linspace(1, 5, pairs),
        scale="1..5",
        **more,
    )


def shots(benchmark: Benchmark, number: int, seed: int = 0) -> Shots:
    return Shots(ShotPool.of(benchmark), number, seed, lambda score: f"{score:g}")


FOREIGN = Item(id="q", left="something else", right="entirely", condition="colour")


@pytest.mark.parametrize("number", [2, 4, 6])
def test_a_pair_s_two_conditions_come_together(number):
    made = shots(conditioned(), number)
    found = made.examples_of(made.units_for(FOREIGN))
    assert len(found) == number
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert (one.item.left, one.item.right) == (other.item.left, other.item.right)
        assert {one.item.condition, other.item.condition} == {"colour", "size"}
        assert {one.answer, other.answer} == {"5", "1"}
    assert len({example.item.left for example in found}) == number // 2


def test_an_odd_number_does_not_hold_whole_pairs():
    with pytest.raises(ArgumentError, match=r"3 examples would split a pair.*shots=2 or shots=4"):
        shots(conditioned(), 3)
    assert len(shots(plain(), 3).units_for(FOREIGN)) == 3


def test_never_the_query_s_own_pair_and_only_that_is_replaced():
    data = conditioned(10)
    made = shots(data, 6)
    usual = made.units_for(FOREIGN)
    for item, _ in data:
        found = made.units_for(item)
        texts = {text for unit in found for one in unit.items for text in (one.left, one.right)}
        assert not texts & {item.left, item.right}
        if all(item.left not in unit.texts for unit in usual):
            assert found == usual
        else:
            kept = [a == b for a, b in zip(found, usual, strict=True)]
            assert sorted(kept) == [False, True, True]  # in its place comes another; the others stay where they are


def test_a_pair_that_shares_one_text_is_the_query_s_own_in_part():
    made = shots(plain(3), 2)
    query = Item(id="q", left="  LEFT 1 ", right="something else")
    assert all("left 1" not in unit.texts for unit in made.units_for(query))


def test_the_same_seed_draws_the_same_whatever_the_order_of_rows():
    data = conditioned(12)
    turned = data.take(np.arange(len(data))[::-1].copy())

    def drawn(benchmark: Benchmark, seed: int) -> list[str]:
        return [unit.items[0].left for unit in shots(benchmark, 4, seed).units_for(FOREIGN)]

    assert drawn(data, 0) == drawn(turned, 0)
    assert len({tuple(drawn(data, seed)) for seed in range(20)}) > 10


def test_the_order_inside_a_pair_says_nothing_about_the_scores():
    conditions = [unit.items[0].condition for unit in ShotPool.of(conditioned()).units]
    assert set(conditions) == {"colour"}  # by the condition, not by the score


def test_a_pair_under_one_condition_is_left_out_and_of_three_the_furthest_apart_are_shown():
    data = Benchmark.from_columns(
        left=["a", "b", "b", "b"],
        right=["x", "y", "y", "y"],
        condition=["one", "one", "two", "three"],
        score=[3, 1, 2, 5],
        scale="1..5",
    )
    (unit,) = ShotPool.of(data).units
    assert sorted(unit.scores) == [1, 5]
    with pytest.raises(ArgumentError, match="no pair has two conditions"):
        ShotPool.of(data.take(np.array([0, 1])))


def test_a_dialogue_gives_one_example():
    data = plain(8, group=["d1"] * 4 + ["d2"] * 4)
    assert len(ShotPool.of(data).units) == 2


def test_too_few_to_draw_from():
    with pytest.raises(ArgumentError, match="fewer than 10 examples among 8 pairs"):
        shots(plain(), 10).units_for(FOREIGN)
    with pytest.raises(ArgumentError, match="share no text with item 'q'"):
        shots(plain(), 8).units_for(Item(id="q", left="left 1", right="x"))


def test_examples_in_the_query_s_own_language_where_there_are_enough():
    data = plain(8, language=["de"] * 4 + ["en"] * 4)
    made = shots(data, 2)
    german = Item(id="q", left="x", right="y", language="de")
    assert {unit.items[0].language for unit in made.units_for(german)} == {"de"}
    chinese = Item(id="q", left="x", right="y", language="zh")
    assert len(made.units_for(chinese)) == 2


class TestOpening:
    def test_the_training_split_is_the_usual_one(self, tmp_path):
        data = "split,left,right,score\ntrain,a,b,1\ntrain,c,d,5\ntest,e,f,3\n"
        (tmp_path / "pairs.csv").write_text(data)
        pool = open_pool(str(tmp_path / "pairs.csv"), None)
        assert sorted(unit.items[0].left for unit in pool.units) == ["a", "c"]
        assert [unit.items[0].left for unit in open_pool(str(tmp_path / "pairs.csv"), "test").units] == ["e"]
        with pytest.raises(ArgumentError, match="no split 'dev'"):
            open_pool(str(tmp_path / "pairs.csv"), "dev")

    def test_a_file_that_changed_is_read_again(self, tmp_path):
        path = tmp_path / "pairs.csv"
        path.write_text("left,right,score\na,b,1\nc,d,5\n")
        before = open_pool(str(path), None).fingerprint
        assert open_pool(str(path), None).fingerprint == before
        path.write_text("left,right,score\na,b,1\nc,d,4.5\n")
        assert open_pool(str(path), None).fingerprint != before

    def test_a_file_that_is_not_there(self):
        with pytest.raises(InputError):
            open_pool("nowhere.csv", None)

    def test_the_sample(self):
        assert open_pool("sample:conditions", None).size == 2
