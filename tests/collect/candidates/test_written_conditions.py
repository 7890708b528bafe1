"""Conditions by a language model: the prompt, the rule that reads answers, and that nothing is asked twice."""

import pytest
from scripted_model import ScriptedModel

from similitude.collect.candidates.condition_prompt import condition_messages, read_conditions
from similitude.collect.candidates.written_conditions import HIGH, LOW, write_conditions
from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.models.cache import AnswerStore
from similitude.models.language.protocol import ModelQuestion

PAIRS = Items.from_pairs(
    ["A red car.", "Two dogs.", "A bus.", "A red bus."], ["A red bus.", "A cat.", "A van.", "A red car."]
)


def says(question: ModelQuestion) -> str:
    return "I cannot." if "dogs" in question.messages[-1].content else "High: the colour\nLow: the kind"


class TestPrompt:
    def test_a_chat_shows_examples_as_answers(self):
        messages = condition_messages("A red car.", "A red bus.")
        assert [message.role for message in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
        assert messages[-1].content == "Sentence 1: A red car.\nSentence 2: A red bus."
        for message in messages[2:5:2]:
            assert read_conditions(message.content, "", "").fault is None

    def test_a_text_ends_where_the_first_condition_belongs(self):
        (message,) = condition_messages("A red car.", "A red bus.", is_chat=False)
        assert message.content.endswith("\n\nSentence 1: A red car.\nSentence 2: A red bus.\nHigh:")


class TestRule:
    @pytest.mark.parametrize(
        "answer",
        [
            "High: The colour.\nLow: The kind.",
            "**High**: The colour.\n**Low**: The kind.",
            '1. High: "The colour."\n2. Low: “The kind.”',
            "Sure!\n\n- high (similar): *The colour.*\n- LOW (different): The kind.\n\nHigh: Something else.",
            "High：The colour.\r\nLow：The kind.",
        ],
    )
    def test_two_lines_in_any_dress(self, answer):
        assert read_conditions(answer, "a", "b") == ("The colour.", "The kind.", None)

    def test_a_text_goes_on_after_its_prompt(self):
        assert read_conditions(" The colour.\nLow: The kind.", "a", "b", is_chat=False)[:2] == (
            "The colour.",
            "The kind.",
        )
        assert read_conditions(" The colour.\nLow: The kind.", "a", "b").fault == "no two lines"

    @pytest.mark.parametrize(
        ("answer", "fault"),
        [
            ("", "no two lines"),
            ("High: the colour", "no two lines"),
            ("High: the colour\nLow: ", "no two lines"),
            ("Highly similar: yes\nLower: no", "no two lines"),
            ("High: The colour.\nLow: the  colour", "the same condition twice"),
            ("High: the colour\nLow: " + "very " * 15 + "long", "too long"),
            ("High: the colour\nLow: " + "汉" * 121, "too long"),
            ("High: the colour\nLow: A RED BUS", "a text of the pair"),
        ],
    )
    def test_faults(self, answer, fault):
        assert read_conditions(answer, "A red car.", "A red bus.") == ("", "", fault)


class TestWriting:
    def test_two_items_for_each_pair_with_a_valid_answer(self):
        made = write_conditions(PAIRS, ScriptedModel(says))
        assert made.pairs == 3, "the last pair is the first one, turned"
        assert made.left_out == {"no two lines": 1}
        assert made.notes == ("1 of 3 pairs got no conditions (33.3 %): 1 no two lines",)
        rows = made.items.frame.select("id", "left", "condition", "group", "source").rows()
        assert rows == [
            ("written-000001-a", "A red car.", "the colour", "written-000001", HIGH),
            ("written-000001-b", "A red car.", "the kind", "written-000001", LOW),
            ("written-000002-a", "A bus.", "the colour", "written-000002", HIGH),
            ("written-000002-b", "A bus.", "the kind", "written-000002", LOW),
        ]

    def test_a_condition_that_a_pair_has_is_not_new(self):
        known = Benchmark.from_columns("n", left=["b"], right=["a"], condition=["The Kind."]).items
        made = write_conditions(known, ScriptedModel(says))
        assert not len(made.items)
        assert made.left_out == {"a condition that the pair has already": 1}

    def test_what_the_model_cannot_read_is_not_asked(self):
        model = ScriptedModel(says, window=len(" ".join(m.content for m in condition_messages("a", "b")).split()) + 99)
        made = write_conditions(Items.from_pairs(["a", "a " * 50], ["b", "b"]), model)
        assert len(model.asked) == 1
        assert made.left_out == {"a prompt longer than the model reads": 1}
        assert len(made.items) == 2

    def test_a_second_start_asks_only_what_is_missing(self, tmp_path):
        model, answers = ScriptedModel(says), AnswerStore(tmp_path / "answers")
        write_conditions(PAIRS, model, answers=answers)
        assert len(model.asked) == 3
        more = Items.from_pairs([*PAIRS.lefts, "A boat."], [*PAIRS.rights, "A ship."])
        made = write_conditions(more, model, answers=answers)
        assert len(model.asked) == 4
        assert "A boat." in model.asked[-1].messages[-1].content
        assert len(made.items) == 6

    def test_a_model_without_a_chat(self):
        model = ScriptedModel(lambda question: " the colour\nLow: the kind")
        made = write_conditions(PAIRS, model, is_chat=False)
        assert len(made.items) == 6
        assert {question.settings.stop for question in model.asked} == {("\n\n",)}
        assert not made.notes
