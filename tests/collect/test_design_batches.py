from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.collect.design import (
    BatchMix,
    Design,
    PlannedQuestion,
    Subjects,
    check_layout,
    in_batches,
    plan_ratings,
)
from similitude.collect.design.batch_order import arrange, reachable_distance
from similitude.errors import ArgumentError

GOLD = [f"g{number}" for number in range(7)]


def asked(count, groups=None):
    names = [f"i{number}" for number in range(count)]
    return pl.DataFrame({"question": names, "items": [[name] for name in names], "group": groups or [None] * count})


def plan(count=170, gold=GOLD, seed=0, **mix):
    mix = {"size": 20, "gold_share": 0.1, "repeat_share": 0.05} | mix
    return plan_ratings(Subjects.of_ids("ids", [f"i{n}" for n in range(count)]), BatchMix(**mix), gold=gold, seed=seed)


def test_every_question_once_with_gold_and_repeats_at_their_shares():
    # 20 = 17 work + 2 gold + 1 repeat; 170 questions fill exactly 10 batches.
    design = plan()
    assert sorted(design.of_kind("work")["question"]) == sorted(f"i{n}" for n in range(170))
    kinds = design.frame.group_by("batch").agg(pl.col("kind").sort())["kind"].to_list()
    assert len(kinds) == 10
    assert all(Counter(kind) == {"work": 17, "gold": 2, "repeat": 1} for kind in kinds)
    assert design.frame["question"].n_unique() == 200
    found = check_layout(design)
    assert (found.gold_first, found.repeats_too_near) == (0, 0)
    assert found.nearest_repeat >= 5
    # 20 uses of 7 items: each 2 or 3 times.
    assert (found.gold_items, found.gold_uses_min, found.gold_uses_max) == (7, 2, 3)
    assert found.sentences()[2] == "20 gold questions (10 %), never first; each of 7 gold items asked 2 to 3 times"


def test_a_repeat_asks_the_same_item_in_the_same_batch_under_another_name():
    design = plan()
    by_name = {question.question: question for question in design}
    repeats = [question for question in design if question.kind == "repeat"]
    assert len(repeats) == 10
    for repeat in repeats:
        original = by_name[repeat.repeats]
        assert repeat.question == f"{original.question}#again"
        assert (repeat.items, repeat.batch) == (original.items, original.batch)
        assert repeat.position - original.position >= 5


def test_no_gold_item_twice_in_a_batch():
    design = plan(count=500, gold=GOLD[:2])
    for batch in design.of_kind("gold").group_by("batch").agg("items")["items"].to_list():
        assert len(batch) == len({item for (item,) in batch}) == 2


def test_batches_are_equal_within_one_and_no_larger_than_asked():
    # 175 / 17 asks for 11 batches; 175 = 10 x 16 + 15.
    sizes = Counter(plan(count=175).frame["batch"].value_counts()["count"].to_list())
    assert sizes == {19: 10, 18: 1}


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 12), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_groups_are_kept_apart_wherever_the_numbers_allow(groups, size, seed):
    questions = asked(len(groups), [str(group) for group in groups])
    batches = -(-len(groups) // size)
    most = max(Counter(groups).values())
    rng = np.random.default_rng(seed)
    if most > batches:
        with pytest.raises(ArgumentError, match="none of which may hold two of them"):
            in_batches(questions, BatchMix(size=size), rng=rng)
        return
    laid_out = in_batches(questions, BatchMix(size=size), rng=rng)
    assert sorted(laid_out["question"]) == sorted(questions["question"])
    sizes = laid_out["batch"].value_counts()["count"]
    assert sizes.max() - sizes.min() <= 1
    assert check_layout(Design(task="rating", frame=laid_out)).with_two_of_a_group == 0


def test_groups_may_stand_together_if_asked_for():
    questions = asked(4, ["a"] * 4)
    laid_out = in_batches(questions, BatchMix(size=4), apart=False, rng=np.random.default_rng(0))
    found = check_layout(Design(task="rating", frame=laid_out))
    assert (found.batches, found.with_two_of_a_group) == (1, 1)
    assert "1 batch with two questions of one group" in found.sentences()


@given(
    work=st.integers(1, 12),
    gold=st.integers(0, 4),
    data=st.data(),
    distance=st.integers(1, 15),
    seed=st.integers(0, 9),
)
@settings(max_examples=300, deadline=None)
def test_order_in_a_batch(work, gold, data, distance, seed):
    repeats = data.draw(st.integers(0, work))
    batch = [PlannedQuestion(question=f"w{n}", items=("x",)) for n in range(work)]
    batch += [PlannedQuestion(question=f"g{n}", items=("x",), kind="gold") for n in range(gold)]
    batch += [PlannedQuestion(question=f"r{n}", items=("x",), kind="repeat", repeats=f"w{n}") for n in range(repeats)]
    draws = dict(zip((one.question for one in batch), np.random.default_rng(seed).random(len(batch)), strict=True))
    order = arrange(batch, draws, distance)
    assert sorted(one.question for one in order) == sorted(draws)
    assert order[0].kind == "work"
    place = {one.question: number for number, one in enumerate(order)}
    # Originals in front and repeats at the end are len - repeats apart: no order does better.
    reachable = min(distance, len(batch) - repeats)
    assert reachable_distance(len(batch), repeats, distance) == reachable
    assert all(place[one.question] - place[one.repeats] >= reachable for one in batch if one.repeats)


def test_gold_and_repeats_can_stand_anywhere_else():
    designs = [plan(count=17, seed=seed) for seed in range(150)]
    gold = Counter(position for one in designs for position in one.of_kind("gold")["position"])
    repeats = Counter(position for one in designs for position in one.of_kind("repeat")["position"])
    assert set(gold) == set(range(2, 21))
    assert set(repeats) == set(range(6, 21))


def test_repeats_in_a_short_batch_come_as_late_as_they_can_and_are_counted():
    design = plan(count=3, gold=(), size=4, gold_share=0, repeat_share=0.25)
    found = check_layout(design)
    assert (found.nearest_repeat, found.repeats_too_near) == (3, 1)
    assert "1 repeat (25 %), at least 3 places after, 1 nearer than wanted" in found.sentences()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gold": GOLD[:1]}, "10 % of 20 questions is 2 gold questions per batch; there is 1"),
        ({"gold": ()}, "10 % of 20 questions is 2 gold questions per batch; there are 0"),
        ({"gold_share": 0}, "there are gold questions, but no batch holds any"),
        ({"gold": ["i3", "g1"]}, "1 gold item would be asked both as gold and as work: 'i3'"),
        ({"size": 4, "gold_share": 0.1}, "10 % of 4 questions is 0.4, which rounds to none; for gold, use batches of "
         "at least 6"),
        ({"size": 10, "gold_share": 0.6, "repeat_share": 0.3}, "6 of 10 questions are gold and 3 are repeats, which "
         "leaves 1 to work on"),
        ({"gold_share": 1.5}, "gold share 1.5"),
        ({"size": 0}, "size=0"),
        ({"repeat_distance": 0}, "repeat_distance=0"),
        ({"count": 1, "repeat_share": 0.2}, "1 question in 1 batch leave 1 in a batch, too few to repeat 4"),
    ],
)  # fmt: skip
def test_impossible_mixes_are_refused_with_the_arithmetic(options, message):
    with pytest.raises(ArgumentError) as refusal:
        plan(**options)
    assert message in str(refusal.value)


def test_verification_needs_conditions():
    unknown = Subjects.of_ids("ids", ["a", "b"])
    assert plan_ratings(unknown, BatchMix(), task="verification").task == "verification"
    known = Subjects(name="data", frame=unknown.frame.with_columns(condition=pl.Series(["the colour", None])))
    with pytest.raises(ArgumentError, match="data: 1 item without a condition to verify: 'b'"):
        plan_ratings(known, BatchMix(), task="verification")


def test_the_seed_decides():
    assert plan(seed=2).frame.equals(plan(seed=2).frame)
    assert not plan(seed=2).frame.equals(plan(seed=3).frame)
