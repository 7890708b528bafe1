import polars as pl
import pytest

from similitude.data.item import Items
from similitude.systems import make_system
from similitude.systems.encoders.input_text import input_texts


def items(left="Yes.", right="No.", context=("Tea?", "Milk?", "Yes."), condition="politeness") -> Items:
    pair = Items.from_pairs([left], [right]).frame
    turns = pl.Series([None if context is None else list(context)], dtype=pl.List(pl.String))
    return Items(pair.with_columns(context=turns, condition=pl.Series([condition], dtype=pl.String)))


@pytest.mark.parametrize(
    ("context", "condition", "left", "right"),
    [
        (None, None, "Yes.", "No."),
        ("prepend", None, "Tea?\nMilk?\nYes.", "Tea?\nMilk?\nNo."),
        (None, "append", "Yes.\npoliteness", "No.\npoliteness"),
        ("prepend", "append", "Tea?\nMilk?\nYes.\npoliteness", "Tea?\nMilk?\nNo.\npoliteness"),
    ],
)
def test_what_the_model_reads(context, condition, left, right):
    assert input_texts(items(), context=context, condition=condition) == ([left], [right])


def test_what_is_not_there_is_not_added():
    bare = items(context=None, condition=None)
    assert input_texts(bare, context="prepend", condition="append") == (["Yes."], ["No."])
    assert input_texts(items(condition="  "), context=None, condition="append") == (["Yes."], ["No."])
    assert input_texts(items(context=()), context="prepend", condition=None) == (["Yes."], ["No."])


def test_a_blank_text_stays_blank_so_that_it_is_settled_by_rule():
    assert input_texts(items(right=" "), context="prepend", condition="append")[1] == [" "]


def test_the_last_turn_is_the_left_text_and_is_not_said_twice():
    apart = items(context=("Tea?", "Milk?"))  # a file whose dialogues end before the left text
    assert input_texts(apart, context="prepend", condition=None).lefts == ["Tea?\nMilk?\nYes."]
    assert input_texts(items(context=("Tea?", " Yes. ")), context="prepend", condition=None).lefts == ["Tea?\nYes."]


@pytest.mark.parametrize(
    "name",
    ["use-multilingual", "wordllama", "encoder(some/model)", "cross-encoder(some/model)", "token-match(some/model)"],
)
def test_every_encoder_has_the_flags_and_says_what_it_reads(name):
    stem = name.rstrip(")") + (", " if "(" in name else "(")
    assert make_system(name).reads == frozenset()
    assert make_system(f"{stem}context=prepend)").reads == {"context"}
    assert make_system(f"{stem}context=none, condition=append)").reads == {"condition"}
    both = make_system(f"{stem}context=prepend, condition=append)")
    assert both.reads == {"context", "condition"}
    assert make_system(str(both.identity)) == both


def test_context_changes_the_score_of_the_built_in_encoder():
    tea = items(left="Yes, please.", right="I would like some.", context=("Would you like tea?", "Yes, please."))
    plain, told = (make_system(f"use{flag}").score(tea).scores[0] for flag in ("", "(context=prepend)"))
    assert told > plain + 0.1
