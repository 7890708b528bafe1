"""Real weights, where they are installed: SmolLM2-135M-Instruct on the sample's dialogues."""

import numpy as np
import pytest

import similitude as sim
from similitude.models.language.local import open_local
from similitude.models.language.protocol import GenerationSettings, Message, ModelChoice, ModelQuestion

torch = pytest.importorskip("torch", reason="the extra 'prompted' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'prompted' is not installed")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(smollm2, smollm2_folder):
    return open_local(str(smollm2), device="cpu", store=smollm2_folder.parent)


@pytest.fixture(scope="module")
def plain(smollm2, smollm2_folder):
    """The same weights without a chat template."""
    return open_local(str(smollm2), device="cpu", chat=False, store=smollm2_folder.parent)


def dialogue(place: int) -> ModelChoice:
    items = [item for item, _ in sim.read("sample:dialogues")]
    group = list(dict.fromkeys(item.group for item in items))[place]
    own = [item for item in items if item.group == group]
    turns = "\n".join(own[0].context[-2:])
    return ModelChoice(
        messages=(Message("user", f"Dialog:\n{turns}\n\nAnders gesagt:"),),
        options=tuple(f" {item.right}" for item in own),
    )


def test_likelihoods_are_those_of_the_direct_way(model, plain, plain_likelihood):
    folder = model.origin.files("float32").reference
    network = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for asked, choice in ((plain, dialogue(0)), (model, dialogue(1))):
        [(_, found)] = asked.likelihoods([choice])
        text = choice.messages[0].content
        if asked is model:
            text = tokenizer.apply_chat_template(
                [{"role": "user", "content": text}], tokenize=False, add_generation_prompt=True
            )
        prompt = tokenizer(text)["input_ids"]
        for option, likelihood in list(zip(choice.options, found, strict=True))[:3]:
            tokens = tokenizer(option)["input_ids"]
            assert likelihood.tokens == len(tokens)
            assert likelihood.characters == len(option)
            assert likelihood.total == pytest.approx(plain_likelihood(network, prompt, tokens), abs=1e-3)


def test_it_has_no_bos_and_a_chat_template(model, plain):
    [tokens] = plain._chat_template.prompts([(Message("user", "Hello 12"),)])
    assert plain._chat_template.tokenizer.convert_ids_to_tokens(tokens) == ["Hello", "Ġ", "1", "2"]
    assert model.is_chat
    assert model.window == 8192


def test_it_knows_the_capital_of_france(model):
    asked = ModelQuestion(
        messages=(Message("user", "What is the capital of France?"),),
        settings=GenerationSettings(longest=20),
        alternatives=3,
    )
    drawn = ModelQuestion(messages=asked.messages, settings=GenerationSettings(longest=4, temperature=1.0), draw=1)
    bound = ModelQuestion(messages=asked.messages, allowed=("Berlin", "Paris", "Rome"))
    answers = dict(model.answers([asked, drawn, bound]))
    assert answers[0].text == "The capital of France is Paris."
    assert answers[0].finish == "stop"
    assert answers[0].first[0][0] == "The"
    assert answers[2].text == "Paris"
    assert dict(model.answers([drawn]))[0] == answers[1]


def test_sums_do_not_depend_on_what_else_is_weighed(model):
    choices = [dialogue(place) for place in (0, 1)]
    together = dict(model.likelihoods(choices))
    alone = dict(model.likelihoods(choices[1:]))
    np.testing.assert_allclose(together[1], alone[0], atol=1e-3)
