"""The systems around real models: a small server on loopback, and SmolLM2-135M on this machine."""

import os

import numpy as np
import pytest
from endpoint_server import EndpointServer, Fault

import similitude as sim
from similitude.models.language.local import model_store
from similitude.systems import make_system

OPINIONS, DIALOGUES = sim.read("sample:opinions"), sim.read("sample:dialogues")


@pytest.fixture
def server(monkeypatch):
    pytest.importorskip("openai", reason="the extra 'prompted' is not installed")
    from similitude.models.language.endpoint import caller as calling

    monkeypatch.setattr(calling, "_FIRST_WAIT", 0.01)
    for name in list(os.environ):
        if name.startswith("OPENAI_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with EndpointServer() as running:
        yield running


class TestAtAnEndpoint:
    def test_a_run_says_what_it_took_and_asks_nothing_twice(self, server, memory, notes):
        server.answer = lambda asked: "Well: four" if "大" in asked.prompt else str(len(asked.prompt) % 6)
        written = f"prompted(tiny, url={server.url}, scale=0..5, price_in=1, price_out=2)"
        system = make_system(written).with_answers(memory).with_listener(notes)
        server.fail(Fault("status", 500), Fault("cut"), Fault("status", 429))
        found = system.score(OPINIONS.items)
        assert all(isinstance(score, float) for score in found.scores.tolist())
        assert any("tiny was asked 60 times" in text and "cost" in text for text in notes.texts)
        asked = len(server.asked)
        assert system.score(OPINIONS.items).scores.tolist() == found.scores.tolist()
        assert len(server.asked) == asked
        assert system.estimate(OPINIONS.items).cached == 60

    def test_first_tokens_make_an_expected_score(self, server):
        server.knows |= {"logprobs"}
        server.answer = lambda asked: "4"
        system = make_system(f"prompted(tiny, url={server.url}, by=expected, scale=0..9, scores_choices=false)")
        found = system.score(OPINIONS.items)
        # The server gives "4" 0.6 and "9" 0.3: mean 2/3 * 4 + 1/3 * 9, variance 2/3 * 1/3 * 25
        assert found.scores == pytest.approx(np.full(60, 17 / 3))
        assert found.sigmas == pytest.approx(np.full(60, np.sqrt(50 / 9)))

    @pytest.mark.parametrize(
        ("knows", "field"), [("choice", "guided_choice"), ("grammar", "grammar"), ("schema", "response_format")]
    )
    def test_answers_can_be_constrained_to_the_levels(self, server, knows, field):
        server.knows, server.answer = {knows}, lambda asked: "Well, hard to say."
        system = make_system(f"prompted(tiny, url={server.url}, constrained=true, levels=[1, 2.5, 4])")
        found = system.score(OPINIONS.items)
        assert set(found.scores.tolist()) == {1.0, 2.5, 4.0}
        assert {answer.kind for (answer,) in found.answers} == {"valid"}
        assert field in server.asked[-1].body

    def test_a_way_to_constrain_can_be_named(self, server):
        server.knows, server.answer = {"schema"}, lambda asked: "3"
        make_system(f"prompted(tiny, url={server.url}, constrained=true, constrain=schema)").score(OPINIONS.items)
        assert all("response_format" in asked.body for asked in server.asked)

    def test_an_endpoint_that_cannot_constrain_is_told_of(self, server, notes):
        server.answer = lambda asked: "Score: 3"
        system = make_system(f"prompted(tiny, url={server.url}, constrained=true)").with_listener(notes)
        assert set(system.score(OPINIONS.items).scores.tolist()) == {3.0}
        assert any("cannot restrict answers" in text for text in notes.texts)

    def test_likelihoods_are_asked_of_plain_texts(self, server):
        server.knows |= {"echo", "logprobs"}
        system = make_system(f"choice(tiny, url={server.url}, orders=1)")
        found = system.choose(DIALOGUES.items)
        # The server's tokens are words with the blank before them, each with minus a tenth of its length.
        assert found.predictions.scores == pytest.approx([-(1 + len(right)) / 10 for right in DIALOGUES.items.rights])
        assert server.asked[-1].path == "/v1/completions"

    def test_letters_by_answer_where_there_are_no_likelihoods(self, server):
        server.answer = lambda asked: "B"
        found = make_system(f"choice(tiny, url={server.url}, by=answer)").choose(DIALOGUES.items)
        assert found.bias.counts == (0, 60, 0, 0, 0)
        assert found.predictions.scores == pytest.approx(np.full(60, 0.2))


class TestOnThisMachine:
    @pytest.fixture(autouse=True)
    def converted(self, smollm2_folder, monkeypatch):
        """Weights that were converted before are found."""
        monkeypatch.setenv("SIMILITUDE_CACHE", "off")
        monkeypatch.setattr(model_store, "_for_this_process", lambda: smollm2_folder.parent)

    @pytest.mark.slow
    def test_expected_scores_depend_on_the_item_alone(self, smollm2):
        system = make_system(f"prompted('{smollm2}', by=expected, scale=0..5)")
        some = OPINIONS.items.take(np.array([0, 5, 9]))
        found = system.score(some)
        assert ((found.scores > 0) & (found.scores < 5)).all()
        assert (found.sigmas > 0).all()
        alone = system.score(OPINIONS.items.take(np.array([5])))
        assert alone.scores[0] == pytest.approx(found.scores[1], abs=1e-3)

    @pytest.mark.slow
    def test_a_choice_between_five(self, smollm2):
        one = DIALOGUES.items.take(np.arange(5))
        found = make_system(f"choice('{smollm2}', orders=1)").choose(one)
        assert (found.predictions.scores < 0).all()
        assert found.bias.questions == 1

    @pytest.mark.slow
    def test_answers_constrained_to_levels(self, smollm2):
        some = OPINIONS.items.take(np.array([0, 5, 9]))
        found = make_system(f"prompted('{smollm2}', constrained=true, levels=[1, 3, 5])").score(some)
        assert set(found.scores.tolist()) <= {1.0, 3.0, 5.0}
        assert {answer.kind for (answer,) in found.answers} == {"valid"}
