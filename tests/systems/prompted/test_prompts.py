import re
import tomllib
from importlib import resources
from itertools import product

import pytest

from similitude.data import Item, Scale
from similitude.systems.prompted.prompts import Prompter, PromptExample, written_score
from similitude.systems.prompted.translations import LANGUAGES, language_of, texts_fingerprint, translation_for

FIVE, SIX, UNIT = Scale(low=1, high=5), Scale(low=0, high=5), Scale(low=0, high=1)
PLAIN = Item(id="1", left="A cat sleeps.", right="A dog barks.")
CONDITIONED = Item(id="2", left="A cat sleeps.", right="A dog barks.", condition="the animal")
DIALOGUE = Item(id="3", left="Yes.", right="No.", context=("Tea?", "With milk?", "Yes."))
BOTH = Item(id="4", left="Yes.", right="No.", context=("Tea?", "Yes."), condition="politeness")


def leaves(table: dict, path: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in table.items():
        found |= leaves(value, f"{path}{key}.") if isinstance(value, dict) else {path + key: value}
    return found


def texts(language: str) -> dict[str, object]:
    file = resources.files("similitude.systems.prompted") / "texts" / f"{language}.toml"
    return leaves(tomllib.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_with_the_same_fields(language: str):
    ours, english = texts(language), texts("en")
    assert list(ours) == list(english)
    for key, text in ours.items():
        if isinstance(text, list):
            assert len(text) == len(english[key])
        else:
            assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english[key]))
    assert len(set(ours["persona.people"])) == len(ours["persona.people"]) == 10
    assert [len(ours[f"levels.{name}"]) for name in ("meaning_1_5", "meaning_0_5", "aspect_1_5", "aspect_0_5")] == [
        5,
        6,
        5,
        6,
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("instruction", ["short", "long"])
def test_instructions_name_the_scale_and_leave_no_field_open(language, instruction):
    scales = (FIVE, SIX, UNIT, Scale(low=-1, high=1), Scale(low=0, high=100))
    for item, scale in product((PLAIN, CONDITIONED, DIALOGUE, BOTH), scales):
        system, user = Prompter(scale=scale, instruction=instruction, language=language).messages(item)
        assert (system.role, user.role) == ("system", "user")
        assert f"{scale.low:g}" in system.content
        assert f"{scale.high:g}" in system.content
        assert "{" not in system.content + user.content
        assert item.left in user.content
        assert item.right in user.content


def test_what_an_item_has_is_shown():
    prompter = Prompter(scale=FIVE, instruction=None)
    assert prompter.messages(PLAIN) == (("user", "Text 1: A cat sleeps.\nText 2: A dog barks.\nScore:"),)
    (user,) = prompter.messages(CONDITIONED)
    assert user.content == "Text 1: A cat sleeps.\nText 2: A dog barks.\nAspect: the animal\nScore:"
    (user,) = prompter.messages(DIALOGUE)
    assert user.content == (
        "Dialogue so far:\nTurn 1: Tea?\nTurn 2: With milk?\nLast turn: Yes.\nOther utterance: No.\nScore:"
    )
    (user,) = prompter.messages(BOTH)
    assert user.content == (
        "Dialogue so far:\nTurn 1: Tea?\nLast turn: Yes.\nOther utterance: No.\nAspect: politeness\nScore:"
    )


def test_a_dialogue_without_its_last_turn_is_told_whole():
    item = Item(id="1", left="Yes.", right="No.", context=("Tea?",))
    assert "Turn 1: Tea?\nLast turn: Yes." in Prompter(scale=FIVE).messages(item)[-1].content


def test_the_long_instruction_describes_every_step_where_we_have_words():
    for scale, steps in ((FIVE, "54321"), (SIX, "543210")):
        long = Prompter(scale=scale, instruction="long").messages(PLAIN)[0].content
        assert re.findall(r"^(\d): ", long, re.MULTILINE) == list(steps)
    generic = Prompter(scale=Scale(low=0, high=10), instruction="long").messages(PLAIN)[0].content
    assert re.findall(r"^(\d+): ", generic, re.MULTILINE) == ["10", "0"]
    assert "in even steps" in generic


def test_each_kind_has_its_own_instruction():
    for instruction in ("short", "long"):
        prompter = Prompter(scale=FIVE, instruction=instruction)
        told = [prompter.messages(item)[0].content for item in (PLAIN, CONDITIONED, DIALOGUE)]
        assert len(set(told)) == 3
        assert "aspect" in told[1]
        assert "dialogue" in told[2]
        assert prompter.messages(BOTH)[0].content == told[1]


def test_decimals_are_allowed_where_they_are_wanted():
    def says(**options) -> bool:
        return "Decimals" in Prompter(**options).messages(PLAIN)[0].content

    assert says(scale=FIVE, instruction="long")
    assert not says(scale=FIVE, instruction="long", decimals=False)
    assert not says(scale=FIVE, instruction="short")
    assert says(scale=UNIT, instruction="short")  # two whole numbers would say too little


def test_examples_are_turns_of_a_chat():
    shown = (PromptExample(CONDITIONED, "4"), PromptExample(PLAIN, "1"))
    found = Prompter(scale=FIVE).messages(BOTH, shown)
    assert [message.role for message in found] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [found[2].content, found[4].content] == ["4", "1"]


def test_a_text_ends_where_the_score_belongs():
    prompter = Prompter(scale=FIVE, form="text", instruction="short")
    (only,) = prompter.messages(PLAIN, (PromptExample(CONDITIONED, "4"),), persona="a nurse")
    assert only.role == "user"
    parts = only.content.split("\n\n")
    assert parts[0].endswith("a nurse")
    assert parts[1].startswith("Rate how alike") or parts[1].startswith("Rate how close")
    assert parts[2].endswith("Aspect: the animal\nScore: 4")
    assert parts[3].endswith("Score:")
    assert prompter.space(PLAIN) == " "


def test_chinese_needs_no_space_before_the_answer():
    item = Item(id="1", left="猫", right="狗", language="zh")
    prompter = Prompter(scale=FIVE, form="text", instruction=None)
    (only,) = prompter.messages(item, (PromptExample(item, "4"),))
    assert only.content == "文本一：猫\n文本二：狗\n分数：4\n\n文本一：猫\n文本二：狗\n分数："
    assert prompter.space(item) == ""


def test_nothing_is_said_before_an_answer_in_a_chat():
    assert Prompter(scale=FIVE).space(PLAIN) == ""


@pytest.mark.parametrize(
    ("stated", "spoken"),
    [("de", "de"), ("de-AT", "de"), ("DE_at", "de"), ("German", "de"), ("zh-Hans", "zh"), ("fr", "en"), (None, "en")],
)
def test_the_language_of_an_item(stated, spoken):
    assert language_of(Item(id="1", left="a", right="b", language=stated)) == spoken


def test_the_language_may_be_named():
    german = Item(id="1", left="a", right="b", language="de")
    assert "Punktzahl" in Prompter(scale=FIVE).messages(german)[-1].content
    assert "Score" in Prompter(scale=FIVE, language="en").messages(german)[-1].content


def test_the_paper_s_instructions_are_not_ours():
    words = " ".join(str(text) for text in texts("en").values()).lower()
    for phrase in ("respond only with a score", "roughly equivalent", "mostly equivalent", "completely dissimilar"):
        assert phrase not in words


@pytest.mark.parametrize(
    ("score", "scale", "written"),
    [
        (4.0, FIVE, "4"),
        (3.6667, FIVE, "3.7"),
        (0.7667, UNIT, "0.8"),
        (0.0, UNIT, "0"),
        (-0.01, Scale(low=-1, high=1), "0"),
        (66.7, Scale(low=0, high=100), "67"),
    ],
)
def test_scores_as_examples_show_them(score, scale, written):
    assert written_score(score, scale) == written


def test_the_fingerprint_of_the_texts_is_stable_in_a_process():
    assert texts_fingerprint() == texts_fingerprint()
    assert translation_for("de") is translation_for("de")
