import numpy as np
import pytest

import similitude as sim
from similitude.data import Items
from similitude.errors import ArgumentError
from similitude.models.language.protocol import ModelAnswer
from similitude.systems import make_system
from similitude.systems.prompted.choice_system import MultipleChoice

DIALOGUES = sim.read("sample:dialogues")
BEST = {
    item.right
    for item, gold in DIALOGUES
    if gold.score == max(other.score for one, other in DIALOGUES if one.group == item.group)
}


def shown(prompt) -> list[str]:
    """The options of a question, in the order in which they stand."""
    return [line[3:] for line in prompt[-1].content.split("\n") if line[1:3] == ". "]


def knows_best(choice) -> list[float]:
    """Finds the best, whatever its place: its text, or its letter, is likelier by e^5."""
    texts = shown(choice.messages)
    return [-1.0 if text in BEST else -6.0 for text in texts]


def likes_first(choice) -> list[float]:
    return [-1.0, *[-3.0] * (len(choice.options) - 1)]


def accuracy(system: MultipleChoice) -> float:
    return sim.run(DIALOGUES, [system], ["choice_accuracy"], resamples=0).figures[0][0].value


@pytest.mark.parametrize("by", ["sum", "letter"])
def test_a_model_that_knows_is_right(scripted, by):
    assert accuracy(MultipleChoice("m", by=by, opened=scripted(weighs=knows_best))) == 1


def test_rotations_take_out_the_favour_of_a_place(scripted, notes):
    model = scripted(weighs=likes_first)
    chosen = MultipleChoice("m", opened=model, listener=notes).choose(DIALOGUES.items)
    # every option stands first once in five orders: (-1 - 3 * 4) / 5
    assert chosen.predictions.scores == pytest.approx(np.full(60, -13 / 5))
    assert chosen.bias.counts == (60, 0, 0, 0, 0)
    # 60 where 12 are expected, 0 four times: 48^2 / 12 + 4 * 12
    assert chosen.bias.chi_square == pytest.approx(240)
    assert notes.texts[-1].startswith("positions chosen in 60 questions with 5 options: A 100 %")
    assert accuracy(MultipleChoice("m", opened=model)) == pytest.approx(1 / 5)  # all tied: a guess
    one = MultipleChoice("m", opened=model, orders=1).choose(DIALOGUES.items)
    assert sorted(set(one.predictions.scores.tolist())) == [-3, -1]


def test_per_token_and_per_character(scripted):
    data = Items.from_pairs(["x", "x"], ["a bb", "ccc"])
    model = scripted(weighs=lambda choice: [-6.0 if "a bb" in option else -3.0 for option in choice.options])
    # two tokens and four characters; one token and three characters
    found = {
        by: MultipleChoice("m", by=by, opened=model).score(data).scores.tolist() for by in ("sum", "token", "character")
    }
    assert found == {"sum": [-6, -3], "token": [-3, -3], "character": [-1.5, -1]}


def test_letters_give_probabilities(scripted):
    data = Items.from_pairs(["x", "x"], ["a", "b"])
    model = scripted(
        weighs=lambda choice: np.log([0.3, 0.1] if shown(choice.messages)[0] == "a" else [0.2, 0.2]).tolist()
    )
    system = MultipleChoice("m", by="letter", opened=model)
    # a first: 3/4 and 1/4; b first: halves
    assert system.score(data).scores == pytest.approx([(0.75 + 0.5) / 2, (0.25 + 0.5) / 2])
    assert system.range is not None
    assert model.asked[0].options == ("A", "B")


def test_letters_by_first_tokens_where_nothing_is_weighed(scripted):
    data = Items.from_pairs(["x", "x"], ["a", "b"])
    first = (("A", np.log(0.6)), (" B", np.log(0.2)), ("The", np.log(0.2)))
    model = scripted(lambda question: ModelAnswer("A", first=first))
    found = MultipleChoice("m", by="letter", opened=model, orders=1).score(data)
    assert sorted(found.scores.tolist()) == pytest.approx([0.25, 0.75])
    assert (model.asked[0].alternatives, model.asked[0].settings.longest, model.asked[0].allowed) == (20, 1, ())
    with pytest.raises(ArgumentError, match="use by=answer"):
        MultipleChoice("m", by="letter", opened=scripted()).score(data)


def test_answers_are_held_to_the_letters_and_counted(scripted, notes):
    def says(question):
        texts = shown(question.messages)
        return "ABCDE"[texts.index(next(text for text in texts if text in BEST))]

    model = scripted(says)
    system = MultipleChoice("m", by="answer", opened=model, listener=notes)
    chosen = system.choose(DIALOGUES.items)
    assert set(chosen.predictions.scores.tolist()) == {0, 1}
    assert chosen.predictions.invalid.tolist() == [0] * 60
    assert model.asked[0].allowed == ("A", "B", "C", "D", "E")
    assert accuracy(system) == 1
    assert chosen.bias.counts == (12,) * 5


def test_an_answer_that_names_nothing_shares_equally(scripted, notes):
    data = Items.from_pairs(["x", "x"], ["a", "b"])
    model = scripted(lambda question: "A" if shown(question.messages)[0] == "a" else "Neither!")
    chosen = MultipleChoice("m", by="answer", opened=model, listener=notes).choose(data)
    assert chosen.predictions.scores == pytest.approx([(1 + 0.5) / 2, 0.5 / 2])
    assert chosen.predictions.invalid.tolist() == [0.5, 0.5]
    assert notes.texts[0] == "1 of 2 answers (50 %) named no option, so each option got an equal share"


def test_a_score_depends_on_its_own_group_alone(scripted):
    rng = np.random.default_rng(0)

    def weighs(choice):
        return [-float(len(option)) - 3 * place for place, option in enumerate(choice.options)]

    system = MultipleChoice("m", by="sum", orders=2, opened=scripted(weighs=weighs))
    whole = system.score(DIALOGUES.items).scores
    order = rng.permutation(60)
    assert system.score(DIALOGUES.items.take(order)).scores.tolist() == whole[order].tolist()
    some = np.flatnonzero(DIALOGUES.frame["group"].is_in(["de-train-01"]).to_numpy())
    assert system.score(DIALOGUES.items.take(some)).scores.tolist() == whole[some].tolist()


def test_an_incomplete_group_is_asked_about_as_it_comes(scripted, notes):
    model = scripted(weighs=knows_best)
    found = MultipleChoice("m", opened=model, listener=notes).choose(DIALOGUES.items.take(np.arange(58)))
    assert len(found.predictions) == 58
    assert notes.texts[0] == "1 of 12 groups have fewer than 5 options and are used as they are"


def test_the_dialogue_is_told_or_not(scripted):
    model = scripted(weighs=knows_best)
    for dialogue in (True, False):
        system = MultipleChoice("m", dialogue=dialogue, orders=1, opened=model)
        system.score(DIALOGUES.items)
        assert system.reads == ({"context"} if dialogue else set())
    told, untold = model.asked[0], model.asked[12]
    assert DIALOGUES.items[0].context[0] in told.messages[0].content
    assert DIALOGUES.items[0].context[0] not in untold.messages[0].content


def test_prompts_that_are_too_long(scripted, notes):
    model = scripted(weighs=knows_best, window=120)
    with pytest.raises(ArgumentError, match=r"the prompt for group '.*' needs"):
        MultipleChoice("m", opened=model).score(DIALOGUES.items)
    MultipleChoice("m", opened=model, overlong="truncate", listener=notes).score(DIALOGUES.items)
    assert any("old turns and 0 examples were left out" in text for text in notes.texts)


def test_likelihoods_are_needed_for_texts(scripted):
    with pytest.raises(ArgumentError, match=r"by=sum needs likelihoods.*by=letter or by=answer"):
        MultipleChoice("m", opened=scripted()).score(DIALOGUES.items)


def test_a_dry_run_and_what_is_kept(scripted, memory):
    model = scripted(lambda question: "A")
    system = MultipleChoice("m", by="answer", opened=model).with_answers(memory)
    before = system.estimate(DIALOGUES.items)
    assert (before.prompts, before.cached, before.tokens_out_at_most) == (60, 0, 60 * 16)
    system.score(DIALOGUES.items)
    assert system.estimate(DIALOGUES.items).cached == 60


@pytest.mark.parametrize(
    "written", ["choice(m)", "choice(m, by=letter, dialogue=false, orders=1, seed=3)", "choice(m, orders=rotations)"]
)
def test_is_rebuilt_from_its_identity(written):
    made = make_system(written)
    assert make_system(str(made.identity)) == made


@pytest.mark.parametrize("written", ["choice(m, orders=0)", "choice(m, by=guess)", "choice(m, longest=0)"])
def test_what_cannot_be(written):
    with pytest.raises(ArgumentError):
        make_system(written)


def test_language_models_and_encoders_stand_in_one_table(scripted):
    chooser = MultipleChoice("m", opened=scripted(weighs=knows_best))
    run = sim.run(DIALOGUES, [chooser, "levenshtein"], ["choice_accuracy", "group_ndcg", "group_ndcg@1"], resamples=200)
    assert run["choice(m)", "choice_accuracy"] == 1
    assert 0 <= run["levenshtein", "choice_accuracy"] < 1
    assert run.confidence.groups == 12
    assert all(np.isfinite(figure.value) for row in run.figures for figure in row)
