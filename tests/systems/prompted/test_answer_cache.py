import json
import random
import threading
import time

import pytest
from patience import until

from similitude.data.protocols import ModelKey
from similitude.errors import EndpointError, RunError
from similitude.models.cache import AnswerStore
from similitude.models.language.answer_cache import ask, score_choices
from similitude.models.language.protocol import (
    GenerationSettings,
    Likelihood,
    Message,
    ModelAnswer,
    ModelChoice,
    ModelQuestion,
    question_key,
)


class Fake:
    """Answers with the prompt's length, in a shuffled order, and counts."""

    window, scores_choices = None, True

    def __init__(self, *, name: str = "fake", fails_at: int | None = None, seed: int = 0) -> None:
        self.key = ModelKey(name, f"fingerprint of {name}")
        self.asked: list[str] = []
        self.closed = False
        self._fails_at, self._rng = fails_at, random.Random(seed)

    def answers(self, questions, listener=None):
        for place in self._rng.sample(range(len(questions)), len(questions)):
            if len(self.asked) == self._fails_at:
                raise EndpointError("down")
            self.asked.append(questions[place].messages[0].content)
            try:
                yield place, answer_to(questions[place])
            except GeneratorExit:
                self.closed = True
                raise

    def likelihoods(self, choices, listener=None):
        for place in reversed(range(len(choices))):
            self.asked.append(choices[place].messages[0].content)
            yield place, tuple(Likelihood(-0.1 * len(option), 2, len(option)) for option in choices[place].options)


def answer_to(question: ModelQuestion) -> ModelAnswer:
    text = question.messages[0].content
    return ModelAnswer(f"{len(text)} \ud83d 五", 7, 3, "length", (("五", -0.25), ("\n", float("-inf"))))


def questions(*lengths: int) -> list[ModelQuestion]:
    return [ModelQuestion(messages=(Message("user", "x" * length),)) for length in lengths]


@pytest.fixture
def store(tmp_path) -> AnswerStore:
    return AnswerStore(tmp_path / "answers.sqlite")


def test_answers_come_in_order_without_a_cache():
    model = Fake()
    assert ask(model, questions(3, 1, 2)) == [answer_to(question) for question in questions(3, 1, 2)]
    assert ask(model, []) == []


def test_the_same_question_is_asked_once(store):
    model = Fake()
    found = ask(model, questions(1, 2, 1, 1), store)
    assert found == [answer_to(question) for question in questions(1, 2, 1, 1)]
    assert sorted(model.asked) == ["x", "xx"]


def test_what_is_kept_comes_back_as_it_was_and_is_not_asked_again(store):
    first = ask(Fake(), questions(*range(50)), store)
    again = Fake()
    assert ask(again, questions(*range(50)), store) == first
    assert again.asked == []


def test_neither_order_nor_batches_matter(store):
    lengths = list(range(40))
    model = Fake()
    for start in range(0, 40, 7):
        ask(model, questions(*lengths[start : start + 7]), store)
    assert len(model.asked) == 40
    again = Fake(seed=9)
    found = ask(again, questions(*lengths[::-1]), store)
    assert again.asked == []
    assert found == [answer_to(question) for question in questions(*lengths[::-1])]


def test_only_what_is_missing_is_asked(store):
    ask(Fake(), questions(1, 2, 3), store)
    model = Fake()
    ask(model, questions(5, 2, 4, 1), store)
    assert sorted(map(len, model.asked)) == [4, 5]


def test_another_model_prompt_or_parameter_is_another_question(store):
    base = questions(4)[0]
    others = [
        ModelQuestion(messages=base.messages, settings=GenerationSettings(temperature=0.5)),
        ModelQuestion(messages=base.messages, settings=GenerationSettings(longest=3)),
        ModelQuestion(messages=base.messages, draw=1),
        ModelQuestion(messages=base.messages, allowed=("a",)),
        ModelQuestion(messages=base.messages, alternatives=2),
    ]
    ask(Fake(), [base], store)
    model, other = Fake(), Fake(name="other")
    ask(model, [base, *others], store)
    ask(other, [base], store)
    assert (len(model.asked), len(other.asked)) == (5, 1)


def test_what_was_answered_before_an_error_is_kept(store):
    with pytest.raises(EndpointError, match="down"):
        ask(Fake(fails_at=12), questions(*range(30)), store)
    model = Fake()
    ask(model, questions(*range(30)), store)
    assert len(model.asked) == 18


def test_likelihoods_are_kept_too(store):
    choices = [
        ModelChoice(messages=(Message("user", "a"),), options=(" b", " ccc")),
        ModelChoice(messages=(), options=("d",)),
    ]
    choices[1] = ModelChoice(messages=(Message("user", "z"),), options=("d",))
    first = score_choices(Fake(), [*choices, choices[0]], store)
    assert first[0] == (Likelihood(pytest.approx(-0.2), 2, 2), Likelihood(pytest.approx(-0.4), 2, 4))
    assert first[2] == first[0]
    model = Fake()
    assert score_choices(model, choices, store) == first[:2]
    assert model.asked == []


def test_progress_is_told(store):
    heard = []

    class Ear:
        def progress(self, *what):
            heard.append(what)

    ask(Fake(), questions(1, 2), store, Ear())
    assert heard == [("asking fake", 0, 2), ("asking fake", 1, 2), ("asking fake", 2, 2)]
    ask(Fake(), questions(1, 2), store, Ear())
    assert len(heard) == 3


def test_an_answer_is_kept_before_the_next_one_comes(store):
    class Slow(Fake):
        def answers(self, questions, listener=None):
            for place, question in enumerate(questions):
                yield place, answer_to(question)
                key = question_key(self.key, question)
                until(lambda key=key: store.get([key]) != [None], "an answer to be kept")
                seen.append(place)

    seen: list[int] = []
    ask(Slow(), questions(1, 2, 3), store)
    assert seen == [0, 1, 2]


@pytest.mark.parametrize(
    "text", ["no JSON", "[]", '{"version": 0}', '{"version": 1}', '{"version":1,"text":"a","first":3}']
)
def test_what_was_written_in_another_way_is_asked_again(store, text):
    model = Fake()
    key = question_key(model.key, questions(1)[0])
    store.put([(key, text)])
    assert ask(model, questions(1), store) == [answer_to(questions(1)[0])]
    assert len(model.asked) == 1
    assert json.loads(store.get([key])[0])["version"] == 1


class Broken:
    """Cannot keep anything.

    Attributes:
        tried: whether it was told to.
    """

    def __init__(self):
        self.tried = threading.Event()

    def get(self, keys):
        return [None] * len(keys)

    def put(self, answers):
        self.tried.set()
        raise RunError("no room")


def test_asking_stops_where_answers_cannot_be_kept():
    class Slow(Fake):
        def answers(self, questions, listener=None):
            for place, pair in enumerate(super().answers(questions)):
                assert place == 0 or broken.tried.wait(60)
                time.sleep(0.01)
                yield pair

    model, broken = Slow(), Broken()
    with pytest.raises(RunError, match="no room"):
        ask(model, questions(*range(500)), broken)
    assert len(model.asked) < 100
    with pytest.raises(RunError, match="no room"):
        ask(Fake(), questions(1), Broken())  # the last answer, too


def test_a_reader_that_is_interrupted_stops_the_asking(store):
    class Interrupting:
        def progress(self, stage, done, total):
            if done == 3:
                raise KeyboardInterrupt

    model = Fake()
    with pytest.raises(KeyboardInterrupt):
        ask(model, questions(*range(9)), store, Interrupting())
    assert model.closed
    again = Fake()
    ask(again, questions(*range(9)), store)
    assert len(again.asked) == 6


def test_a_thousand_kept_answers_are_looked_up_together(store, monkeypatch):
    ask(Fake(), questions(*range(1000)), store)
    looks, get = [], AnswerStore.get
    monkeypatch.setattr(AnswerStore, "get", lambda store, keys: looks.append(1) or get(store, keys))
    assert len(ask(Fake(fails_at=0), questions(*range(1000)), store)) == 1000
    assert len(looks) == 1
