import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.data import Items
from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.errors import ArgumentError
from similitude.systems.prompted.multiple_choice import ChoicePrompter, groups_of, orders_of
from similitude.systems.prompted.position_bias import position_bias


def items(**columns) -> Items:
    frame = pl.DataFrame({"id": [str(n) for n in range(len(columns["left"]))], **columns}, strict=False)
    return Items(with_all_columns(frame, ITEM_SCHEMA))


TEA = items(
    left=["Yes."] * 3,
    right=["Yes, please.", "No.", "Two, please."],
    context=[["Tea?", "With milk?", "Yes."]] * 3,
    group=["tea"] * 3,
)


class TestGroups:
    def test_the_items_of_a_dialogue_are_its_options(self):
        groups = groups_of(sim.read("sample:dialogues").items)
        assert len(groups) == 12
        assert {len(group.options) for group in groups} == {5}
        assert sorted(place for group in groups for place in group.places) == list(range(60))

    def test_options_do_not_follow_the_order_of_rows(self):
        (one,), (other,) = groups_of(TEA), groups_of(TEA.take(np.array([2, 0, 1])))
        assert one.options == other.options
        for group, data in ((one, TEA), (other, TEA.take(np.array([2, 0, 1])))):
            rights = data.rights
            assert [group.options[option] for option in group.option_of] == [rights[place] for place in group.places]

    def test_without_a_group_the_dialogue_and_the_left_text_tell(self):
        data = items(left=["a", "a", "b", "b"], right=["1", "2", "1", "2"])
        assert [group.places for group in groups_of(data)] == [(0, 1), (2, 3)]

    def test_the_same_text_twice_is_one_option(self):
        (group,) = groups_of(items(left=["a"] * 3, right=["x", "x", "y"]))
        assert group.options == ("x", "y")
        assert group.option_of == (0, 0, 1)

    def test_what_is_no_question(self):
        with pytest.raises(ArgumentError, match="at least two options"):
            groups_of(sim.read("sample:conditions").items)
        with pytest.raises(ArgumentError, match="group 'g' has items with different left texts"):
            groups_of(items(left=["a", "b"], right=["1", "2"], group=["g", "g"]))
        with pytest.raises(ArgumentError, match="has 27 options"):
            groups_of(items(left=["a"] * 27, right=[str(n) for n in range(27)]))


class TestOrders:
    def test_in_rotations_every_option_stands_everywhere_once(self):
        for group in groups_of(sim.read("sample:dialogues").items):
            orders = np.array(orders_of(group, "rotations", seed=1))
            assert orders.shape == (5, 5)
            assert (np.sort(orders, axis=0) == np.arange(5)[:, None]).all()
            assert (np.sort(orders, axis=1) == np.arange(5)).all()

    def test_a_number_of_orders(self):
        (group,) = groups_of(TEA)
        assert orders_of(group, 1, 0) == orders_of(group, "rotations", 0)[:1]
        assert len(orders_of(group, 7, 0)) == 7

    def test_first_orders_are_drawn_evenly(self):
        # 12 groups x 100 seeds: option 0 first in a fifth of 1,200; standard error sqrt(.2 * .8 / 1200) = .0115
        groups = groups_of(sim.read("sample:dialogues").items)
        first = [orders_of(group, 1, seed)[0][0] for group in groups for seed in range(100)]
        assert np.bincount(first) / 1200 == pytest.approx(np.full(5, 0.2), abs=0.05)


class TestWording:
    def test_the_whole_question(self):
        (group,) = groups_of(TEA)  # options sorted: No. / Two, please. / Yes, please.
        asked = ChoicePrompter(form="text", language=None, dialogue=True, letters=False)
        (message,) = asked.prompt(group, (2, 0, 1))
        assert message.content == (
            "Dialogue:\nTurn 1: Tea?\nTurn 2: With milk?\nTurn 3: Yes.\n\n"
            "Question: Which of these utterances comes closest in meaning to the last turn of the dialogue?\n"
            "Options:\nA. Yes, please.\nB. No.\nC. Two, please.\nAnswer:"
        )
        assert asked.answers(group, (2, 0, 1)) == (" Yes, please.", " No.", " Two, please.")

    def test_without_the_dialogue_and_by_letter(self):
        (group,) = groups_of(TEA)
        asked = ChoicePrompter(form="chat", language="de", dialogue=False, letters=True)
        content = asked.prompt(group, (0, 1, 2))[0].content
        assert content.startswith("Text: Yes.\n\nFrage: ")
        assert "Tea?" not in content
        assert content.endswith("Antworte nur mit dem Buchstaben.\nAntwort:")
        assert asked.answers(group, (0, 1, 2)) == ("A", "B", "C")

    def test_old_turns_can_go(self):
        (group,) = groups_of(TEA)
        asked = ChoicePrompter(form="chat", language=None, dialogue=True, letters=True)
        shorter = [one.prompt[0].content for one in asked.shorter(group, (0, 1, 2))]
        assert ["Tea?" in text for text in shorter] == [False, False]
        assert ["With milk?" in text for text in shorter] == [True, False]
        assert all("last turn of the dialogue" in text for text in shorter)


class TestPositions:
    def test_counts_and_chi_square(self):
        # 30 questions of three options: A 20, B 10, C 0 where 10 are expected: (100 + 0 + 100) / 10 = 20
        values = [np.array([1.0, 0, 0])] * 20 + [np.array([0, 1.0, 0])] * 10
        found = position_bias(values)
        assert found.counts == (20, 10, 0)
        assert found.chi_square == pytest.approx(20)
        assert found.p_value == pytest.approx(np.exp(-10))  # with two degrees of freedom, the tail is exp(-x / 2)
        assert found.sentence().startswith("positions chosen in 30 questions with 3 options: A 66.7 %, B 33.3 %, C 0 %")

    def test_ties_are_split_and_few_are_not_tested(self):
        found = position_bias([np.array([1.0, 1.0, 0.0])])
        assert found.counts == (0.5, 0.5, 0)
        assert np.isnan(found.p_value)
        assert "too few to test" in found.sentence()

    def test_questions_of_another_size_are_left_out(self):
        assert position_bias([np.array([1.0, 0.0])] * 3 + [np.array([0, 0, 1.0])]).questions == 3
        assert position_bias([np.array([1.0])]) is None
        assert position_bias([]) is None
