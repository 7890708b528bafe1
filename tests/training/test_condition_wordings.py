"""Other wordings of conditions: the same question, and nothing where no rule applies."""

import pytest

from similitude.training.condition_wordings import SYNONYMS, wordings


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("The color of the shirts.", {"Color of the shirts", "The shirts' color", "What color the shirts are"}),
        ("the age of the woman", {"age of the woman", "the woman's age", "how old the woman is"}),
        ("Number of dogs", {"How many dogs there are", "How many dogs"}),
        ("The type of sport", {"What type of sport it is", "Which sport", "The sport", "The kind of sport"}),
        ("The location of the man", {"Where the man is", "The man's location", "The place of the man"}),
    ],
)
def test_rules(condition, expected):
    assert expected <= set(wordings(condition))


@pytest.mark.parametrize("condition", ["The color of the car", "The size of the ball"])
def test_whose_attribute_is_asked_for_is_never_left_out(condition):
    owner = condition.rsplit(" ", 1)[1]
    assert all(owner in other for other in wordings(condition))


@pytest.mark.parametrize("condition", ["Die Farbe", "la place", "颜色", "", "What the man is doing", "The"])
def test_no_rule_no_wording(condition):
    assert wordings(condition) == ()


def test_the_means_of_communication_have_no_owner():
    assert "The communication's means" not in wordings("The means of communication")


def test_wordings_are_distinct_and_not_the_condition_itself():
    for condition in ("The color of the object", "the colour of the thing.", "The kind of the vehicle"):
        others = [other.casefold() for other in wordings(condition)]
        assert len(set(others)) == len(others)
        assert condition.rstrip(".").casefold() not in others


def test_a_synonym_stands_in_one_line_only():
    words = [word for group in SYNONYMS for word in group]
    assert len(set(words)) == len(words)
