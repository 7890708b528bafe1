from pathlib import Path

import pytest

from similitude.data import Item, Scale
from similitude.errors import ArgumentError, InputError
from similitude.systems.prompted.prompt_template import read_template
from similitude.systems.prompted.prompts import Prompter, PromptExample

FIVE = Scale(low=1, high=5)
ITEM = Item(id="7", left="Yes.", right="No.", context=("Tea?", "Milk?", "Yes."), condition="politeness")
BARE = Item(id="8", left="a", right="b")


def written(folder: Path, text: str) -> str:
    path = folder / "own.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_field_is_filled(tmp_path):
    text = "{scale_low}-{scale_high} | {left} | {right} | {condition} | {context} | {{as it is}}\n"
    made = read_template(written(tmp_path, text))
    assert made.ask(ITEM, FIVE) == "1-5 | Yes. | No. | politeness | Tea?\nMilk? | {as it is}"
    assert made.ask(ITEM, FIVE, turns=("Milk?",)).split(" | ")[4] == "Milk?"
    assert made.instruction == ""


def test_an_instruction_is_said_once(tmp_path):
    made = read_template(written(tmp_path, "Say {scale_low} to {scale_high}.\n===\nQ1: {left}\nQ2: {right}\nA:"))
    prompter = Prompter(scale=FIVE, template=made)
    found = prompter.messages(BARE, (PromptExample(ITEM, "4"),))
    assert [message.content for message in found] == [
        "Say 1 to 5.",
        "Q1: Yes.\nQ2: No.\nA:",
        "4",
        "Q1: a\nQ2: b\nA:",
    ]
    (text,) = Prompter(scale=FIVE, template=made, form="text").messages(BARE, (PromptExample(ITEM, "4"),))
    assert text.content == "Say 1 to 5.\n\nQ1: Yes.\nQ2: No.\nA: 4\n\nQ1: a\nQ2: b\nA:"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{left} {right} {sentence}", "unknown field {sentence}"),
        ("{left} {right} {left.upper}", "unknown field {left.upper}"),
        ("{left} {right} {left!r}", "unknown field {left!r}"),
        ("{left} {right} {left:>9}", "unknown field {left:>9}"),
        ("{left} {right} {}", "unknown field {}"),
        ("{left} {right} {0}", "unknown field {0}"),
        ("{left} {right} {", "cannot read the template"),
        ("{left} alone", "lacks {right}"),
        ("nothing", "lacks {left} and {right}"),
        ("Compare {left}.\n===\n{left} {right}", "the instruction has an unknown field {left}"),
    ],
)
def test_what_is_wrong_with_a_template_is_said(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(ArgumentError) as caught:
        read_template(path)
    assert said in str(caught.value)
    assert path in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_item_that_lacks_what_the_template_shows(tmp_path):
    made = read_template(written(tmp_path, "{left} {right} {condition}"))
    with pytest.raises(ArgumentError, match=r"has \{condition\}, but item '8' has none"):
        made.ask(BARE, FIVE)


def test_a_dialogue_of_one_turn_has_an_empty_context(tmp_path):
    assert read_template(written(tmp_path, "{context}{left} {right}")).ask(BARE, FIVE) == "a b"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_template(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes("{left} {right} ä".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_template(tmp_path / "latin.txt")
