"""The scripted model counts a word as a token, so that lengths can be worked out by hand."""

import pytest

from similitude.data import Benchmark, Item, Scale
from similitude.errors import ArgumentError
from similitude.systems.prompted.prompt_window import ContextWindow, PromptRequest, PromptWindow
from similitude.systems.prompted.prompts import Prompter
from similitude.systems.prompted.shots import ShotPool, Shots

FIVE = Scale(low=1, high=5)
DIALOGUE = Item(id="d", left="e", right="f", context=("a a", "b b", "c c", "e"))
# "Dialogue so far:" 3, three turns "Turn 1: a a" 4 each, "Last turn: e" 3, "Other utterance: f" 3, "Score:" 1
WHOLE = 3 + 3 * 4 + 3 + 3 + 1


def fitting(model, overlong: str, room: int = 2, shots: Shots | None = None) -> PromptWindow:
    window = ContextWindow(model=model, overlong=overlong)
    return PromptWindow(prompter=Prompter(scale=FIVE, instruction=None), shots=shots, window=window, room=room)


def test_a_prompt_that_fits_is_left_alone(scripted):
    made = fitting(scripted(window=WHOLE + 2), "refuse").fit([PromptRequest(DIALOGUE)])
    assert made.notes == []
    assert "Turn 3: c c" in made.prompts[0][0].content


def test_a_model_without_a_known_window_refuses_nothing(scripted):
    assert fitting(scripted(window=None), "refuse").fit([PromptRequest(DIALOGUE)]).notes == []


def test_too_long_is_refused_with_the_worst_item(scripted):
    with pytest.raises(ArgumentError) as caught:
        fitting(scripted(window=WHOLE + 1), "refuse").fit(
            [PromptRequest(Item(id="x", left="a", right="b")), PromptRequest(DIALOGUE)]
        )
    assert "1 of 2 prompts exceed the model's context window of 23 tokens" in str(caught.value)
    assert "the prompt for item 'd' needs 24" in str(caught.value)
    assert "overlong=truncate" in str(caught.value)


@pytest.mark.parametrize(("window", "left"), [(23, ["b b", "c c"]), (20, ["b b", "c c"]), (19, ["c c"]), (12, [])])
def test_the_oldest_turns_go_first(scripted, window, left):
    # a turn less is 4 tokens less; without any turn, the title of the dialogue (3) goes, too
    made = fitting(scripted(window=window), "truncate").fit([PromptRequest(DIALOGUE)])
    content = made.prompts[0][0].content
    assert [turn for turn in ("a a", "b b", "c c") if turn in content] == left
    assert "Last turn: e" in content
    gone = 3 - len(left)
    assert made.notes == [
        f"1 of 1 prompts exceeded the model's context window of {window} tokens: {gone} old "
        "turns and 0 examples were left out of them"
    ]


def conditioned_shots() -> Shots:
    data = Benchmark.from_columns(
        left=["l", "l", "m", "m"],
        right=["r", "r", "s", "s"],
        condition=["one", "two"] * 2,
        score=[1, 5, 2, 4],
        scale="1..5",
    )
    return Shots(ShotPool.of(data), 4, 0, lambda score: f"{score:g}")


def test_then_examples_go_a_pair_s_two_conditions_together(scripted):
    # query "Text 1: q", "Text 2: p", "Aspect: one", "Score:" 3 + 3 + 2 + 1 = 9; an example the same and its answer: 10
    query = Item(id="q", left="q", right="p", condition="one")
    model, shots = scripted(window=9 + 40 + 2), conditioned_shots()
    assert len(fitting(model, "truncate", shots=shots).fit([PromptRequest(query)]).prompts[0]) == 9
    model.window -= 1  # one token too few: two examples go at once
    made = fitting(model, "truncate", shots=shots).fit([PromptRequest(query)])
    assert [message.role for message in made.prompts[0]] == ["user", "assistant"] * 2 + ["user"]
    assert made.prompts[0][0].content.split("\n")[0] == made.prompts[0][2].content.split("\n")[0]
    assert "0 old turns and 2 examples" in made.notes[0]


def test_texts_are_never_cut(scripted):
    with pytest.raises(
        ArgumentError, match=r"item 'd' exceeds the model's context window of 8 tokens.*even without dialogue"
    ):
        fitting(scripted(window=8), "truncate").fit([PromptRequest(DIALOGUE)])
    with pytest.raises(ArgumentError, match="even without dialogue"):
        fitting(scripted(window=3), "truncate").fit([PromptRequest(Item(id="x", left="a", right="b"))])
