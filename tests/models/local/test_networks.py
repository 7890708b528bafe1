"""Each kind of network against the direct way: one sequence at a time, softmax over all logits."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'prompted' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'prompted' is not installed")

from similitude.models.files import ModelFiles  # noqa: E402
from similitude.models.language.local.encoder_decoder import EncoderDecoder  # noqa: E402
from similitude.models.language.local.loader import (  # noqa: E402
    Placement,
    load_network,
)
from similitude.models.language.local.sequential_network import SequentialNetwork  # noqa: E402
from similitude.models.language.local.token_inputs import TokenChoice  # noqa: E402
from similitude.models.language.local.tree_attention_check import reads_trees  # noqa: E402
from similitude.models.language.local.tree_network import TreeNetwork  # noqa: E402

BRANCHING = ["llama", "gpt2", "mistral", "gemma3", "qwen3"]
OTHERS = ["bloom", "mamba"]
CAUSAL = [*BRANCHING, *OTHERS]

rng = np.random.default_rng(5)


def some(count: int) -> list[int]:
    return rng.integers(3, 250, count).tolist()


BLOCK = some(30)
CHOICES = [
    TokenChoice(BLOCK + some(5), [some(4), some(1), some(9)]),
    TokenChoice(BLOCK + some(12), [some(3), some(3)]),
    TokenChoice(some(2), [some(2)]),
]
SHARED = CHOICES[0].options[0]
CHOICES[0].options.append([*SHARED[:2], *some(2)])  # Two options that begin alike.


@pytest.fixture(autouse=True)
def no_gradients():
    with torch.inference_mode():
        yield


@pytest.fixture
def loaded(tiny):
    return lambda kind: load_network(ModelFiles(str(tiny(kind))), Placement("cpu", "float32")).network


def test_kinds_are_told_apart(loaded):
    assert {kind: type(loaded(kind)) for kind in [*CAUSAL, "t5"]} == {
        **dict.fromkeys(BRANCHING, TreeNetwork),
        **dict.fromkeys(OTHERS, SequentialNetwork),
        "t5": EncoderDecoder,
    }


@pytest.mark.parametrize("kind", CAUSAL)
def test_likelihoods_are_those_of_the_direct_way(loaded, plain_likelihood, kind):
    network = loaded(kind)
    found = network.likelihoods(CHOICES)
    for (prompt, options), totals in zip(CHOICES, found, strict=True):
        direct = [plain_likelihood(network.network, prompt, option) for option in options]
        np.testing.assert_allclose(totals, direct, atol=1e-4)
        assert np.ptp(direct) > 0.1 or len(options) == 1  # Else the test could not fail.


@pytest.mark.parametrize("kind", CAUSAL)
def test_going_on_is_reading_on(loaded, kind):
    network = loaded(kind)
    prompts = [BLOCK, BLOCK + some(3), some(4), BLOCK]
    written = [list(prompt) for prompt in prompts]
    reading = network.read(prompts)
    logits, alive = reading.logits, [0, 1, 2, 3]
    for step in range(4):
        direct = torch.stack([network.network(input_ids=torch.tensor([written[i]])).logits[0, -1] for i in alive])
        torch.testing.assert_close(logits, direct, atol=1e-4, rtol=1e-4)
        alive = [i for i in alive if i != step]  # One after the other is done.
        tokens = some(len(alive))
        for i, token in zip(alive, tokens, strict=True):
            written[i].append(token)
        if alive:
            logits = reading.extend(alive, tokens)


def test_a_prompt_is_computed_once_for_all_options_and_draws(loaded):
    network = loaded("llama")
    read: list[int] = []
    network.network.register_forward_pre_hook(
        lambda module, args, inputs: read.append(inputs["input_ids"].numel()), with_kwargs=True
    )
    prompt, options = some(20), [some(5), some(4)]
    network.likelihoods([TokenChoice(prompt, options)])
    network.read([prompt] * 7)
    # The last token of an option is only predicted: 20 + 4 + 3. Seven draws of one prompt: 20.
    assert read == [27, 20]


def direct_t5(network, prompt, option) -> float:
    outputs = network(input_ids=torch.tensor([prompt]), decoder_input_ids=torch.tensor([[0, *option[:-1]]])).logits[0]
    return float(torch.log_softmax(outputs.double(), -1)[range(len(option)), option].sum())


def test_an_encoder_and_a_decoder(loaded):
    network = loaded("t5")
    for (prompt, options), totals in zip(CHOICES, network.likelihoods(CHOICES), strict=True):
        np.testing.assert_allclose(
            totals, [direct_t5(network.network, prompt, option) for option in options], atol=1e-4, rtol=1e-5
        )
    assert np.ptp(network.likelihoods(CHOICES)[0]) > 1


def test_an_encoder_and_a_decoder_go_on(loaded):
    network = loaded("t5")
    prompts = [some(9), some(4), some(9)]
    reading = network.read(prompts)
    written: list[list[int]] = [[0], [0], [0]]

    def direct(rows):
        texts = [(torch.tensor([prompts[i]]), torch.tensor([written[i]])) for i in rows]
        return torch.stack([network.network(input_ids=a, decoder_input_ids=b).logits[0, -1] for a, b in texts])

    torch.testing.assert_close(reading.logits, direct([0, 1, 2]), atol=1e-3, rtol=1e-3)
    for rows in ([0, 1, 2], [0, 2], [2]):
        tokens = some(len(rows))
        for i, token in zip(rows, tokens, strict=True):
            written[i].append(token)
        torch.testing.assert_close(reading.extend(rows, tokens), direct(rows), atol=1e-3, rtol=1e-3)


class Blind(torch.nn.Module):
    """A network that takes a mask and does not look at it."""

    def __init__(self, network):
        super().__init__()
        self.network, self.config, self.device, self.dtype = network, network.config, network.device, network.dtype

    def forward(self, attention_mask=None, **inputs):
        return self.network(**inputs)


def test_a_network_that_ignores_the_mask_is_found_out(loaded):
    network = loaded("llama").network
    assert reads_trees(network)
    assert not reads_trees(Blind(network))


def test_layers_of_an_unknown_kind_are_not_trusted(loaded):
    network = loaded("qwen3").network
    network.config.layer_types = ["full_attention", "chunked_attention", "full_attention"]
    try:
        assert not reads_trees(network)
    finally:
        network.config.layer_types = ["full_attention"] * 3
