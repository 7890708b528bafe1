"""Items whose prompts are too long can be skipped: not asked, counted, and left out of figures."""

import numpy as np
import pytest

import similitude as sim
from similitude.data import Items
from similitude.errors import ArgumentError, PredictionError
from similitude.models.language.protocol import Likelihood


class Narrow:
    """Counts words, and has room for few of them."""

    window, scores_choices = 70, False

    def __init__(self, said="4", *, scores_choices=False):
        self.key, self.said, self.asked = sim.extend.ModelKey("narrow", "1"), said, []
        self.scores_choices = scores_choices

    def count_tokens(self, prompts):
        return [sum(len(message.content.split()) for message in prompt) for prompt in prompts]

    def answers(self, questions, listener=None):
        self.asked += questions
        yield from enumerate(sim.extend.ModelAnswer(self.said) for _ in questions)

    def likelihoods(self, choices, listener=None):
        self.asked += choices
        for place, choice in enumerate(choices):
            yield place, tuple(Likelihood(-1.0, 1, 1) for _ in choice.options)


class Ear:
    def __init__(self):
        self.notes = []

    def progress(self, *told): ...

    def note(self, text):
        self.notes.append(text)


LONG = "word " * 100
PAIRS = Items.from_pairs(["a cat", LONG, "a dog"], ["a cat", "a dog", "a cow"])


@pytest.mark.parametrize("by", ["answer", "raters", "expected"])
def test_a_long_item_is_not_asked_and_has_no_score(by):
    model, ear = Narrow(scores_choices=by == "expected"), Ear()
    system = sim.system(f"prompted(narrow, overlong=skip, by={by}, longest=5)").with_model(model).with_listener(ear)
    found = system.score(PAIRS)
    assert np.isnan(found.scores).tolist() == [False, True, False]
    assert found.skipped.tolist() == [False, True, False]
    assert found.answers[1][0].kind == "skipped"
    assert not any(LONG.strip() in asked.messages[-1].content for asked in model.asked)
    assert (
        "1 of 3 items (33.3 %) were skipped: their prompts exceed the model's context window of 70 tokens" in ear.notes
    )


def test_it_is_refused_unless_one_says_so():
    with pytest.raises(ArgumentError, match="overlong=skip"):
        sim.system("prompted(narrow, longest=5)").with_model(Narrow()).score(PAIRS)


def test_a_run_leaves_it_out_for_all_systems_and_says_why():
    rows = [
        {"id": f"p{place}", "left": left, "right": "a cow", "score": place % 5 + 1}
        for place, left in enumerate(["a cat", LONG, "a dog", "a cow", "cows"])
    ]
    judge = sim.system("prompted(narrow, overlong=skip, longest=5)").with_model(Narrow())
    run = sim.run(sim.read(rows, scale="1..5"), [judge, "levenshtein"], ["mae"], answers=None, resamples=0, quiet=True)
    assert run.data.items == 4
    (left_out,) = run.left_out
    assert left_out.where == "item 'p1'"
    assert left_out.why == "its prompt is too long for system 'prompted(narrow, overlong=skip, longest=5)'"


def test_a_run_of_which_nothing_is_left_says_why():
    judge = sim.system("prompted(narrow, overlong=skip, longest=5)").with_model(Narrow())
    rows = [
        {"id": "p1", "left": LONG, "right": "a cow", "score": 3},
        {"id": "p2", "left": LONG, "right": "it", "score": 2},
    ]
    with pytest.raises(
        PredictionError, match=r"from every system \(item 'p1': its prompt is too long for system 'prompted"
    ):
        sim.run(sim.read(rows, scale="1..5"), [judge], ["mae"], answers=None, resamples=0, quiet=True)


def test_a_long_question_of_several_choices_is_skipped_as_a_whole():
    rows = [
        {"id": f"{group}{place}", "left": left, "right": f"option {place}", "group": group}
        for group, left in (("a", "a cat"), ("b", LONG))
        for place in range(3)
    ]
    model, ear = Narrow("A"), Ear()
    system = sim.system("choice(narrow, overlong=skip, by=answer, longest=5)").with_model(model).with_listener(ear)
    found = system.score(sim.read(rows).items)
    assert np.isnan(found.scores).tolist() == [False] * 3 + [True] * 3
    assert [answers[0].kind for answers in found.answers] == ["valid"] * 3 + ["skipped"] * 3
    assert any(note.startswith("1 of 2 questions (50 %) were skipped") for note in ear.notes)
