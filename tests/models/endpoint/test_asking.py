import math

import pytest
from endpoint_server import EndpointServer

from similitude.errors import ArgumentError, EndpointError
from similitude.models.language.endpoint import Usage, open_endpoint
from similitude.models.language.endpoint.pace import Pace
from similitude.models.language.protocol import (
    GenerationSettings,
    Likelihood,
    Message,
    ModelAnswer,
    ModelChoice,
    ModelQuestion,
)

ABC = ("A", "B", "C")


def one(text: str = "How alike?", **more) -> list[ModelQuestion]:
    return [ModelQuestion(messages=(Message("system", "Be brief."), Message("user", text)), **more)]


def test_a_chat_request_says_what_the_question_says(server):
    settings = GenerationSettings(temperature=0.7, top_p=0.9, longest=5, stop=("\n",))
    [(place, answer)] = open_endpoint("tiny", url=server.url).answers(one(settings=settings, draw=3))
    assert server.asked[0].path == "/v1/chat/completions"
    assert server.asked[0].body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How alike?"}],
        "max_tokens": 5,
        "temperature": 0.7,
        "top_p": 0.9,
        "stop": ["\n"],
        "seed": 3,
    }
    # "How alike?" has 10 letters, 10 % 5 + 1 = 1; and 2 words.
    assert (place, answer) == (0, ModelAnswer("1", 2, 1))


def test_at_temperature_0_there_is_no_seed(server):
    list(open_endpoint("tiny", url=server.url).answers(one(draw=3)))
    assert "seed" not in server.asked[0].body
    assert server.asked[0].body["temperature"] == 0


def test_the_completions_api_reads_plain_text_and_extra_fields_go_along(server):
    model = open_endpoint("tiny", url=server.url, api="completions", extra={"top_k": 1})
    [(_, answer)] = model.answers(one())
    assert server.asked[0].path == "/v1/completions"
    assert server.asked[0].body["prompt"] == "Be brief.How alike?"
    assert server.asked[0].body["top_k"] == 1
    assert answer.text == "5"  # 19 letters, 19 % 5 + 1


def test_answers_come_with_their_places_as_they_arrive(server, ask):
    server.answer = lambda asked: asked.prompt
    found = dict(open_endpoint("tiny", url=server.url).answers(ask(30)))
    assert [found[place].text for place in range(30)] == [q.messages[0].content for q in ask(30)]


def test_the_first_question_is_asked_alone_and_then_many_at_once(server, ask):
    at_once = []  # how many questions the server holds when it has the answer to one of them

    def answer(asked):
        at_once.append(server.at_once)
        return "word"

    server.seconds, server.answer = 0.05, answer
    model = open_endpoint("tiny", url=server.url, concurrency=5)
    begun = model.answers(ask(11))
    assert next(begun)[0] == 0
    assert len(list(begun)) == 10
    assert at_once[0] == 1
    assert server.most_at_once == 5


def test_nothing_to_ask_needs_neither_key_nor_server(ask):
    model = open_endpoint("tiny", url="https://nowhere.invalid/v1")
    assert list(model.answers([])) == []


def test_an_answer_is_cut_where_it_should_have_ended(server):
    server.answer = lambda asked: "4\n\nBecause."
    [(_, answer)] = open_endpoint("tiny", url=server.url).answers(one(settings=GenerationSettings(stop=("\n", "."))))
    assert (answer.text, answer.finish) == ("4", "stop")


class TestAlternatives:
    def test_of_the_chat_api_likeliest_first(self, server):
        server.knows.add("logprobs")
        [(_, answer)] = open_endpoint("tiny", url=server.url).answers(one(alternatives=2))
        assert server.asked[0].body["top_logprobs"] == 2
        assert answer.first == (("1", pytest.approx(math.log(0.6))), ("9", pytest.approx(math.log(0.3))))

    def test_of_the_completions_api(self, server):
        server.knows.add("logprobs")
        [(_, answer)] = open_endpoint("tiny", url=server.url, api="completions").answers(one(alternatives=3))
        assert server.asked[0].body["logprobs"] == 3
        assert [token for token, _ in answer.first] == ["5", "9", "x"]

    def test_an_endpoint_that_gives_none_says_so_once(self, server, ask, ear):
        found = list(open_endpoint("tiny", url=server.url).answers(ask(5, alternatives=5), ear))
        assert all(answer.first == () for _, answer in found)
        assert ear.notes.count("the endpoint returns no token probabilities") == 1
        assert "logprobs" in server.asked[0].body
        assert all("logprobs" not in asked.body for asked in server.asked[1:])


class TestRefusedFields:
    def test_newer_models_call_the_limit_otherwise(self, ask):
        with EndpointServer(refuses=("max_tokens",)) as server:
            assert len(list(open_endpoint("tiny", url=server.url).answers(ask(4)))) == 4
            assert len(server.asked) == 5
            assert server.asked[-1].body["max_completion_tokens"] == 16

    @pytest.mark.parametrize("name", ["temperature", "seed", "stop", "top_p", "logprobs"])
    def test_what_is_refused_is_left_out_after(self, ask, ear, name):
        settings = GenerationSettings(temperature=0.5, top_p=0.5, stop=("!",))
        with EndpointServer(refuses=(name,)) as server:
            model = open_endpoint("tiny", url=server.url)
            assert len(list(model.answers(ask(6, settings=settings, alternatives=3), ear))) == 6
            assert sum(name in asked.body for asked in server.asked) <= 2  # logprobs: with 3 alternatives, and again
            assert name not in server.asked[-1].body

    def test_what_is_not_ours_to_leave_out_is_an_error(self, ask):
        with EndpointServer(refuses=("messages",)) as server:
            with pytest.raises(EndpointError, match=r"refuses the request.*'messages' is not supported"):
                list(open_endpoint("tiny", url=server.url).answers(ask(4)))
            assert len(server.asked) == 1


class TestConstraints:
    @pytest.mark.parametrize("way", ["choice", "grammar", "schema"])
    @pytest.mark.parametrize("api", ["chat", "completions"])
    def test_the_way_that_an_endpoint_knows_is_found_once(self, server, ask, way, api):
        server.knows.add(way)
        server.answer = lambda asked: "Well, that is hard to say."
        model = open_endpoint("tiny", url=server.url, api=api)
        for _ in range(2):
            assert {answer.text for _, answer in model.answers(ask(9, allowed=ABC))} == set(ABC)
        probes = {"choice": 1, "grammar": 2, "schema": 3}[way]
        assert len(server.asked) == probes + 18

    def test_one_that_knows_none_answers_in_prose_and_the_user_hears_it(self, server, ask, ear):
        server.answer = lambda asked: "Well, B."
        model = open_endpoint("tiny", url=server.url)
        assert {answer.text for _, answer in model.answers(ask(3, allowed=ABC), ear)} == {"Well, B."}
        assert any("cannot restrict answers" in note for note in ear.notes)
        assert not {"guided_choice", "grammar", "response_format"} & set(server.asked[-1].body)

    @pytest.mark.parametrize("name", ["guided_choice", "grammar", "response_format"])
    def test_one_that_refuses_a_way_is_asked_in_the_next(self, server, ask, name):
        server.refuses = (name,)
        server.knows |= {"choice", "schema"} - {{"guided_choice": "choice", "response_format": "schema"}.get(name)}
        assert {a.text for _, a in open_endpoint("tiny", url=server.url).answers(ask(9, allowed=ABC))} == set(ABC)

    def test_where_the_first_token_matters_the_answer_is_not_wrapped(self, server, ask):
        server.knows |= {"schema", "logprobs"}
        model = open_endpoint("tiny", url=server.url)
        list(model.answers(ask(3, allowed=ABC, alternatives=5)))
        assert not any("response_format" in asked.body for asked in server.asked)

    def test_a_schema_that_is_declared_is_left_out_there_and_the_user_hears_it(self, server, ask, ear):
        model = open_endpoint("tiny", url=server.url, constrain="schema")
        list(model.answers(ask(3, allowed=ABC, alternatives=5), ear))
        assert not any("response_format" in asked.body for asked in server.asked)
        assert any("answers are not restricted" in note for note in ear.notes)

    def test_a_way_that_is_declared_is_not_looked_for(self, server, ask):
        server.knows.add("schema")
        model = open_endpoint("tiny", url=server.url, constrain="schema")
        assert {answer.text for _, answer in model.answers(ask(9, allowed=ABC))} == set(ABC)
        assert len(server.asked) == 9

    def test_quotes_and_other_scripts_are_allowed(self, server):
        odd = ('say "five"', "五", "back\\slash")
        server.knows.add("grammar")
        model = open_endpoint("tiny", url=server.url, constrain="grammar")
        assert {a.text for _, a in model.answers([*one("a", allowed=odd), *one("bc", allowed=odd)])} <= set(odd)


class TestLikelihoods:
    CHOICE = ModelChoice(messages=(Message("user", "The sky is"),), options=(" blue", " very green"))

    def test_are_those_of_the_options_tokens(self, server):
        server.knows.add("echo")
        model = open_endpoint("tiny", url=server.url)
        assert model.scores_choices
        # Minus a tenth of each token's length: " blue" has 5 letters; " very" and " green" 5 and 6.
        expected = (Likelihood(-0.5, 1, 5), Likelihood(pytest.approx(-1.1), 2, 11))
        told = dict(model.likelihoods([self.CHOICE] * 3))  # in the order in which they come, which is no order
        assert told == {0: expected, 1: expected, 2: expected}
        assert server.asked[-1].body["prompt"] == ["The sky is blue", "The sky is very green"]
        assert len(server.asked) == 4  # one to find out

    def test_a_token_that_begins_every_text_does_not_shift_them(self, server):
        server.knows.add("echo")
        server.begins = "<s>"
        [(_, (blue, green))] = open_endpoint("tiny", url=server.url).likelihoods([self.CHOICE])
        assert (blue.tokens, green.tokens) == (1, 2)
        assert blue.total == pytest.approx(-0.5)

    def test_a_token_that_reaches_over_the_border_counts(self, server):
        server.knows.add("echo")
        choice = ModelChoice(messages=(Message("user", "The sky is bl"),), options=("ue",))
        [(_, (only,))] = open_endpoint("tiny", url=server.url).likelihoods([choice])
        assert only == Likelihood(-0.5, 1, 2)

    def test_an_endpoint_without_them_says_so(self, server):
        model = open_endpoint("tiny", url=server.url)
        assert not model.scores_choices
        with pytest.raises(EndpointError, match="no likelihoods of given texts"):
            list(model.likelihoods([self.CHOICE]))
        asked = len(server.asked)
        assert not model.scores_choices
        assert len(server.asked) == asked

    def test_an_endpoint_that_only_chats_has_none(self, server):
        server.routes = ("/v1/chat/completions",)
        assert not open_endpoint("tiny", url=server.url).scores_choices
        with pytest.raises(EndpointError, match="no model 'huge'"):
            _ = open_endpoint("huge", url=server.url).scores_choices
        with pytest.raises(EndpointError, match="no chat API at that URL"):
            _ = open_endpoint("tiny", url=f"{server.url}/v1").scores_choices
        with pytest.raises(EndpointError, match="no completions API at that URL"):
            _ = open_endpoint("tiny", url=server.url, api="completions").scores_choices

    def test_what_is_declared_is_not_asked(self):
        assert open_endpoint("tiny", url="http://localhost:1/v1", scores_choices=True).scores_choices
        assert not open_endpoint("tiny", url="http://localhost:1/v1", scores_choices=False).scores_choices

    def test_a_choice_without_a_prompt_is_refused(self, server):
        model = open_endpoint("tiny", url=server.url, scores_choices=True)
        with pytest.raises(ArgumentError, match="no prompt"):
            list(model.likelihoods([ModelChoice(messages=(), options=("a", "b"))]))


class TestTokens:
    PROMPTS = ((Message("user", "A dog runs."),), (Message("system", "狗在跑"), Message("user", "ab")))

    def test_are_estimated_where_the_endpoint_does_not_count(self, server):
        model = open_endpoint("tiny", url=server.url)
        assert model.estimates_tokens
        # ceil(11 / 4) + 4 = 7;  3 signs + ceil(2 / 4) + 2 x 4 = 12.
        assert model.count_tokens(self.PROMPTS) == [7, 12]

    def test_are_estimated_where_nobody_is_there_and_without_a_key(self):
        assert open_endpoint("tiny", url="http://127.0.0.1:9/v1").count_tokens(self.PROMPTS) == [7, 12]
        assert open_endpoint("gpt").count_tokens(self.PROMPTS) == [7, 12]

    def test_are_counted_by_a_server_that_does(self, server):
        server.knows.add("tokenize")
        model = open_endpoint("tiny", url=server.url)
        assert not model.estimates_tokens
        assert model.count_tokens(self.PROMPTS * 20) == [3 + 4, 1 + 8] * 20
        assert server.asked[-1].path == "/tokenize"


class TestUsage:
    def test_totals_and_cost_are_told_once_a_call(self, server, ask, ear):
        model = open_endpoint("tiny", url=server.url, price_in=2.0, price_out=500_000.0)
        list(model.answers(ask(4), ear))
        # Prompts of 1, 2, 3 and 4 words, one token each answer: 10 and 4; (10 x 2 + 4 x 500,000) / 1e6.
        assert model.usage == Usage(requests=4, prompt_tokens=10, answer_tokens=4, price_in=2.0, price_out=500_000.0)
        assert model.usage.cost == pytest.approx(2.00002)
        assert ear.notes == ["tiny was asked 4 times: 10 tokens read, 4 written, cost 2.00"]
        list(model.answers(ask(1), ear))
        assert ear.notes[1:] == ["tiny was asked 1 time: 1 tokens read, 1 written, cost 0.5"]
        assert model.usage.requests == 5

    def test_an_endpoint_that_does_not_count_is_estimated(self, server, ask, ear):
        server.knows.clear()
        list(open_endpoint("tiny", url=server.url).answers(ask(2), ear))
        assert ear.notes == ["tiny was asked 2 times: about 11 tokens read, 2 written"]  # (1 + 4) + (2 + 4)

    def test_answers_cut_before_their_first_word_are_told(self, server, ask, ear):
        server.answer = lambda asked: ""
        found = list(open_endpoint("tiny", url=server.url).answers(ask(3), ear))
        assert {answer.finish for _, answer in found} == {"length"}
        assert "3 answers ended before their first word" in ear.notes[-1]


class TestPace:
    def test_turns_are_spaced_and_corrected(self):
        pace = Pace(120)  # one each half second
        assert [pace.turn(now=50.0) for _ in range(3)] == [0.0, 0.5, 1.0]
        pace.correct(2)
        assert pace.turn(4, now=50.0) == 2.5
        assert pace.turn(now=50.0) == 4.5
        assert Pace(None).turn(1e9, now=50.0) == 0.0

    def test_requests_a_minute_are_kept_to(self, server, ask, naps):
        list(open_endpoint("tiny", url=server.url, requests_a_minute=600).answers(ask(8)))
        assert sorted(naps) == pytest.approx([0.1 * place for place in range(8)])

    def test_tokens_a_minute_are_kept_to(self, server, ask, naps):
        list(open_endpoint("tiny", url=server.url, tokens_a_minute=6000).answers(ask(8)))
        # Eight prompts of 36 words and eight answers of one token, at 100 a second; the last one's wait is before it.
        assert max(naps) >= 0.3
