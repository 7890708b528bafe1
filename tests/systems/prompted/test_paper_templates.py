"""The prompts of the papers, as their figures show them."""

import re

import pytest

import similitude as sim
from similitude.data import Item, Items, Scale
from similitude.errors import ArgumentError, InputError
from similitude.systems.prompted.choice_template import read_choice_template
from similitude.systems.prompted.paper_templates import PAPER_TEMPLATES
from similitude.systems.prompted.prompt_template import read_template
from similitude.systems.prompted.prompts import Prompter, PromptExample, written_score

FIVE = Scale(low=1, high=5)
BUSES = (
    "A bunch of blue buses parked in a parking lot in front of a housing community.",
    "Two buses, one blue and one red and white, are going to different destinations.",
)


class Kept:
    """Keeps what it is asked, and says the same to everything."""

    window, scores_choices = None, False

    def __init__(self, said="4"):
        self.key, self.said, self.asked = sim.extend.ModelKey("kept", said), said, []

    def count_tokens(self, prompts):
        return [1 for _ in prompts]

    def answers(self, questions, listener=None):
        self.asked += questions
        yield from enumerate(sim.extend.ModelAnswer(self.said) for _ in questions)


def buses(condition: str) -> Item:
    return Item(id=condition, left=BUSES[0], right=BUSES[1], condition=condition)


def test_figure_5_word_by_word():
    query = Item(
        id="q",
        left="The skater is descending the wooden wall beside the slope .",
        right="A boy skateboards off a ramp covered in graffiti .",
        condition="The location.",
    )
    template = read_template("csts-short")
    examples = tuple(
        PromptExample(buses(condition), written_score(score, FIVE, template.score_digits))
        for condition, score in (("The type of transportation.", 4.0), ("The number of buses.", 1.0))
    )
    for form in ("chat", "text"):
        (message,) = Prompter(scale=FIVE, template=template, form=form).messages(query, examples)
        assert message.role == "user"
        assert re.split(r"\s+", message.content) == re.split(
            r"\s+",
            "On a scale between 1 and 5, how similar are the following two sentences with respect to the condition "
            "provided? Respond only with a score between 1 and 5. "
            f"Input: Sentence 1: {BUSES[0]} Sentence 2: {BUSES[1]} Condition: The type of transportation. Output: 4.0 "
            f"Input: Sentence 1: {BUSES[0]} Sentence 2: {BUSES[1]} Condition: The number of buses. Output: 1.0 "
            "Input: Sentence 1: The skater is descending the wooden wall beside the slope . "
            "Sentence 2: A boy skateboards off a ramp covered in graffiti . Condition: The location. Output:",
        )


def test_figure_6_word_by_word():
    query = Item(
        id="q",
        left="Elderly man sitting on a blue couch reading a paper.",
        right="Older man riding public transportation while reading a newspaper.",
        condition="The location of the man.",
    )
    (message,) = Prompter(scale=FIVE, template=read_template("csts-long")).messages(query)
    assert message.content == (
        "Definition: Evaluate the similarity between the two sentences, with respect to the condition. Assign the pair "
        "a score between 1 and 5 as follows:\n"
        "1 : The two sentences are completely dissimilar with respect to the condition.\n"
        "2 : The two sentences are dissimilar, but are on a similar topic with respect to the condition.\n"
        "3 : The two sentences are roughly equivalent, but some important information differs or is missing with "
        "respect to the condition.\n"
        "4 : The two sentences are mostly equivalent, but some unimportant details differ with respect to the "
        "condition.\n"
        "5 : The two sentences are completely equivalent with respect to the condition.\n\n"
        "Input: Sentence 1: Elderly man sitting on a blue couch reading a paper. Sentence 2: Older man riding public "
        "transportation while reading a newspaper. Condition: The location of the man. Output:"
    )


def test_without_instructions_only_the_query_is_left():
    (message,) = Prompter(scale=FIVE, template=read_template("csts-none")).messages(buses("The colour."))
    assert message.content.startswith("Input: Sentence 1: ")


TURNS = (
    "Ich habe den Nachmittag in Heidelberg frei, möchte einen Bekannten treffen. Informationen brauche ich über "
    "Sehenswürdigkeiten der Stadt. Kann ich bitte einen Plan haben?",
    "Die Sehenswürdigkeiten von Heidelberg. Wenn du möchtest, kann ich auch einen Vorschlag machen.",
    "Ich möchte gerne Museen, Kloster und Gebäude auch natürlich sehen. Aber zunächst Museen.",
)
OPTIONS = (
    "Ich habe vor, heute Reiten zu gehen.",
    "Ich möchte gern zuerst Klöster sehen.",
    "Ich würde gerne Kloster, Museen und Gebäude selbstverständlich auch sehen, aber zuerst Museen.",
    "Ich würde gerne das Sportzentrum besuchen.",
    "Ich würde gerne die Gebäude sehen, aber ich bin offen für andere Optionen, wie Klöster oder Museen.",
)


def heidelberg() -> Items:
    rows = [
        {"id": f"h{place}", "left": TURNS[-1], "right": option, "context": list(TURNS), "group": "h", "language": "de"}
        for place, option in enumerate(OPTIONS)
    ]
    return sim.read(rows).items


def asked_of(system: str, items: Items, said: str = "C") -> tuple[str, list[float]]:
    model = Kept(said)
    found = sim.system(system).with_model(model).score(items)
    return model.asked[0].messages[0].content, found.scores.tolist()


def test_figure_2_word_by_word_with_options_in_the_order_of_the_file():
    text, scores = asked_of("choice(kept, by=answer, template=giccs, orders=file)", heidelberg())
    assert text == (
        f"Dialog:\nÄußerung 1: {TURNS[0]}\nÄußerung 2: {TURNS[1]}\nÄußerung 3: {TURNS[2]}\n\n"
        "Frage: Wählen Sie die Äußerung, die der letzten Äußerung im Dialog am ähnlichsten ist.\nAuswahl:\n"
        f"A. {OPTIONS[0]}\nB. {OPTIONS[1]}\nC. {OPTIONS[2]}\nD. {OPTIONS[3]}\nE. {OPTIONS[4]}\nAntwort:"
    )
    assert scores == [0, 0, 1, 0, 0]


def test_without_the_dialogue_its_last_turn_is_left():
    text, _ = asked_of("choice(kept, by=answer, template=giccs, orders=file, dialogue=false)", heidelberg())
    assert text.startswith(f"Dialog:\nÄußerung 1: {TURNS[2]}\n\nFrage: ")


def test_a_run_keeps_the_order_of_the_file_for_them():
    import numpy as np

    from similitude.systems.scores import score_items

    model = Kept("C")
    system = sim.system("choice(kept, by=answer, template=giccs, orders=file)").with_model(model)
    found, _ = score_items(system, heidelberg(), np.random.default_rng(1))
    assert found.scores.tolist() == [0, 0, 1, 0, 0]
    assert f"A. {OPTIONS[0]}\nB. {OPTIONS[1]}" in model.asked[0].messages[0].content


def test_a_choice_of_ones_own(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("Said: {left}\n{letter}) {option}\nWhich? {{letter}}", encoding="utf-8")
    text, _ = asked_of(f"choice(kept, by=answer, template={path}, orders=file)", heidelberg())
    assert text.startswith(f"Said: {TURNS[2]}\nA) {OPTIONS[0]}\nB) ")
    assert text.endswith("Which? {letter}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{left}", r"lacks \{option\}"),
        ("{option}", r"lacks \{turn\} or \{left\}"),
        ("{turn} {option}", "turns and options"),
        ("{left} {option} {right}", r"unknown field \{right\}"),
    ],
)
def test_a_choice_that_lacks_something_is_refused(tmp_path, text, message):
    path = tmp_path / "own.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArgumentError, match=message):
        read_choice_template(str(path))


def test_names_are_listed_where_there_is_no_such_file():
    with pytest.raises(InputError, match="csts-none, csts-short, csts-long, giccs"):
        read_template("csts-shrot")
    with pytest.raises(ArgumentError, match="asks for a choice; use one of: csts-none"):
        read_template("giccs")
    assert set(PAPER_TEMPLATES) == {"csts-none", "csts-short", "csts-long", "giccs"}


def test_other_text_of_a_template_is_another_system():
    one, other = (
        sim.system(f"prompted(kept, template={name})").with_model(Kept()) for name in ("csts-short", "csts-long")
    )
    assert one.model_fingerprint() != other.model_fingerprint()
    assert "template=csts-short" in str(one.identity)


def test_stop_texts_reach_the_model():
    model = Kept()
    items = Items.from_pairs(["a"], ["b"])
    sim.system("prompted(kept, stop=['.'])").with_model(model).score(items)
    assert model.asked[0].settings.stop == (".",)
    with pytest.raises(ArgumentError, match="stop has an empty text"):
        sim.system("prompted(kept, stop=[''])")


def test_the_middle_can_stand_for_an_answer_without_a_score():
    items = Items.from_pairs(["a"], ["b"])
    found = sim.system("prompted(kept, unread=middle)").with_model(Kept("no idea")).score(items)
    assert (found.scores.tolist(), found.invalid.tolist(), found.drawn_from) == ([3.0], [1.0], None)
    drawn = sim.system("prompted(kept)").with_model(Kept("no idea")).score(items)
    assert drawn.drawn_from == (1.0, 5.0)
    assert drawn.scores.tolist() != [3.0]


def test_patterns_are_checked_and_used():
    items = Items.from_pairs(["a"], ["b"])
    found = sim.system("prompted(kept, pattern='final ([0-9])')").with_model(Kept("5, final 2")).score(items)
    assert found.scores.tolist() == [2.0]
    assert found.answers[0][0].rule == "pattern"
    with pytest.raises(ArgumentError, match="is not a regular expression"):
        sim.system("prompted(kept, pattern='(')")
