"""AdamW over a network and its twin against torch's; kernels run in Triton's interpreter, or on a GPU."""

import copy
import os
import sys
from types import ModuleType

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.fused_layers import has_triton  # noqa: E402
from similitude.models.encoders.fused_mpnet import fuse_mpnet  # noqa: E402
from similitude.systems.conditional.architecture import Architecture  # noqa: E402
from similitude.systems.conditional.network import ConditionalNetwork  # noqa: E402
from similitude.training import twin_update  # noqa: E402
from similitude.training.half_twin import HalfTwin  # noqa: E402
from similitude.training.optimiser import Optimiser  # noqa: E402
from similitude.training.recipe import Recipe  # noqa: E402

IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
DEVICE = "cuda" if torch.cuda.is_available() and not IS_INTERPRETED else "cpu"
WITH_KERNELS = pytest.mark.skipif(
    not (has_triton() and (IS_INTERPRETED or torch.cuda.is_available())),
    reason="needs Triton, and a GPU or TRITON_INTERPRET=1",
)
STEPS, RATE = 4, 1e-2


def network_and_optimiser():
    torch.manual_seed(0)
    shape = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    dropped = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    config = transformers.MPNetConfig(**shape, **dropped, intermediate_size=48, initializer_range=0.3)
    transformer = transformers.MPNetModel(config)
    fuse_mpnet(transformer)
    network = ConditionalNetwork(transformer, Architecture(mlp=True), 32).to(DEVICE)
    optimiser = Optimiser(network, Recipe(lr=RATE, clip=0.1, layer_decay=0.9), 10)
    for group in optimiser.adamw.param_groups:
        group["lr"] = torch.tensor(0.0, device=DEVICE)
    optimiser.on_gpu = True  # rates are tensors, as the kernels need them
    return network, optimiser


@pytest.mark.parametrize(
    "least",
    [
        pytest.param(0, id="all large", marks=WITH_KERNELS),
        pytest.param(64, id="some large", marks=WITH_KERNELS),
        pytest.param(1 << 30, id="all small"),
    ],
)
def test_weights_and_averages_are_those_of_torch(least, monkeypatch):
    monkeypatch.setattr(twin_update, "_LARGE", least)
    ids = torch.arange(2, 98, device=DEVICE).reshape(6, 16)
    tokens = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    plain, theirs = network_and_optimiser()
    for step in range(STEPS):
        theirs.prepare(RATE, step)
        theirs.clear()
        plain(tokens).sum().backward()
        theirs.advance()
        theirs.average()
    network, optimiser = network_and_optimiser()
    twin = HalfTwin(network, torch.float32)
    update = twin_update.TwinUpdate(optimiser, twin)
    twin.receive_weights()
    for step in range(STEPS):
        optimiser.prepare(RATE, step)
        twin.network(tokens).sum().backward()
        update.advance()
        optimiser.average()
    for (name, expected), found in zip(plain.named_parameters(), network.named_parameters(), strict=True):
        # Where a gradient is rounding alone, as that of keys' biases, AdamW scales it up to a step of any sign.
        if not name.endswith("attn.k.bias"):
            assert float((found[1] - expected).detach().abs().mean()) < 1e-5, name
    for pair in twin.pairs:
        torch.testing.assert_close(pair.twin, pair.weight.detach())


class Kernel:
    """What the kernel computes, by torch."""

    def __getitem__(self, grid):
        return self.compute

    def compute(
        self, gradient, weight, first, second, twin, rate, divisor, step, decay, beta1, beta2, eps, count, **launch
    ):
        with torch.no_grad():
            found = gradient / divisor
            first.lerp_(found, 1 - beta1)
            second.mul_(beta2).addcmul_(found, found, value=1 - beta2)
            weight.mul_(1 - rate * decay)
            weight -= rate * (first / (1 - beta1**step)) / ((second / (1 - beta2**step)).sqrt() + eps)
            twin.copy_(weight)


def test_a_training_that_resumes_updates_large_weights_too(monkeypatch):
    kernels = ModuleType("triton_kernels")
    kernels.adamw_kernel = Kernel()
    monkeypatch.setitem(sys.modules, "similitude.training.triton_kernels", kernels)
    monkeypatch.setattr(twin_update, "_LARGE", 0)
    ids = torch.arange(2, 98, device=DEVICE).reshape(6, 16)
    tokens = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    ends = []
    for resumes_at in (None, 2):
        network, optimiser = network_and_optimiser()
        twin = HalfTwin(network, torch.float32)
        update = twin_update.TwinUpdate(optimiser, twin)
        twin.receive_weights()
        for step in range(STEPS):
            if step == resumes_at:
                weights, state = copy.deepcopy((network.state_dict(), optimiser.state()))
                network, optimiser = network_and_optimiser()
                twin = HalfTwin(network, torch.float32)
                update = twin_update.TwinUpdate(optimiser, twin)
                network.load_state_dict(weights)
                optimiser.load(state)
                twin.receive_weights()
            optimiser.prepare(RATE, step)
            twin.network(tokens).sum().backward()
            update.advance()
        ends.append(network.state_dict())
    for name, weight in ends[0].items():
        torch.testing.assert_close(ends[1][name], weight, msg=name)
