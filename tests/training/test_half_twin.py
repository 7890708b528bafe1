"""A twin takes a network's weights and gives it its gradient; and a step that cannot be recorded is reported."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.fused_mpnet import fuse_mpnet  # noqa: E402
from similitude.models.encoders.merged_rows import first_position, merge_rows, pack_rows  # noqa: E402
from similitude.systems.conditional.architecture import Architecture  # noqa: E402
from similitude.systems.conditional.network import ConditionalNetwork  # noqa: E402
from similitude.training.adapters import add_adapters, fuse_adapters  # noqa: E402
from similitude.training.half_twin import HalfTwin, has_room_for_twin  # noqa: E402
from similitude.training.stepper import Piece, Stepper  # noqa: E402

SHAPE = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
WITHOUT_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


@pytest.fixture(params=["mpnet", "adapters"])
def network(request):
    torch.manual_seed(0)
    if request.param == "mpnet":
        config = transformers.MPNetConfig(**SHAPE, **WITHOUT_DROPOUT, initializer_range=0.3)
        transformer = transformers.MPNetModel(config)
        fuse_mpnet(transformer)
    else:
        transformer = transformers.Qwen2Model(transformers.Qwen2Config(**SHAPE, num_key_value_heads=2))
    made = ConditionalNetwork(transformer, Architecture(mlp=True), 32, reads_forward=request.param == "adapters")
    if request.param == "adapters":
        add_adapters(transformer, 4)
        for name, weight in transformer.named_parameters():
            if name.endswith(".up"):
                torch.nn.init.normal_(weight)
        for module in transformer.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
    return made


@pytest.fixture
def tokens():
    ids = torch.arange(2, 98).reshape(6, 16)
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def trained(network):
    return [weight for weight in network.parameters() if weight.requires_grad]


def test_the_gradient_of_all_parts_arrives(network, tokens):
    twin = HalfTwin(network, torch.float32)
    fuse_adapters(twin.network)
    with torch.no_grad():
        for weight in trained(network):
            weight *= 1.1
    twin.receive_weights()
    for number, part in enumerate((slice(0, 2), slice(2, 6))):
        twin.network({name: value[part] for name, value in tokens.items()}).sum().backward()
        twin.give_gradient(is_first=number == 0)
        twin.clear()
    found = [weight.grad.clone() for weight in trained(network)]
    for weight in trained(network):
        weight.grad = None
    for part in (slice(0, 2), slice(2, 6)):
        network({name: value[part] for name, value in tokens.items()}).sum().backward()
    for weight, gradient in zip(trained(network), found, strict=True):
        torch.testing.assert_close(gradient, weight.grad, atol=1e-5, rtol=1e-4)


def test_it_reads_rows_that_hold_several_texts(network, tokens):
    twin = HalfTwin(network, torch.float32)
    if network.reads_forward:
        ids = tokens["input_ids"].clone()
        ids[1::2, :5] = ids[::2, :5]
        short = tokens["attention_mask"].clone()
        short[:, 8:] = 0
        alone = {"input_ids": ids, "attention_mask": short}
        merged = merge_rows(alone, 2)
    else:
        short = tokens["attention_mask"].clone()
        short[:, 5:] = 0
        alone = {**tokens, "attention_mask": short}
        merged = pack_rows(alone, 3, first_position(network.transformer))
    torch.testing.assert_close(twin.network(merged), network(alone), atol=1e-4, rtol=1e-4)


def test_weights_are_rounded_and_the_head_is_not(network):
    twin = HalfTwin(network, torch.bfloat16)
    assert {pair.twin.dtype for pair in twin.pairs if pair.whole.dtype != torch.float32} == {torch.bfloat16}
    assert twin.network.head["dense"].weight.dtype == torch.float32
    assert all(weight.dtype == torch.float32 for weight in trained(network))
    twin.receive_weights()
    for pair in twin.pairs:
        torch.testing.assert_close(pair.twin.float(), pair.weight.detach(), rtol=2**-8, atol=0)


def test_there_is_none_on_a_cpu(network):
    assert not has_room_for_twin(network, torch.device("cpu"))


class Nothing:
    """An optimiser that counts."""

    def __init__(self):
        self.steps = 0

    def clear(self):
        pass

    def warm_up(self):
        pass

    def average(self):
        pass

    def advance(self):
        self.steps += 1


class Setup:
    def loss(self, network, items, length):
        return network(items.float().unsqueeze(1)).sum()


def test_what_a_failed_step_left_is_no_part_of_the_next_gradient(network, tokens):
    class Read:
        def loss(self, network, items, length):
            return network({name: value[items] for name, value in tokens.items()}).mean()

    found, twin = [], HalfTwin(network, torch.float32)
    stepper = Stepper(Read(), network, Nothing(), torch.float32, records=False, twin=twin)
    pieces = [Piece(torch.arange(0, 2), 16, 1 / 3), Piece(torch.arange(2, 6), 16, 2 / 3)]
    for is_left in (False, True):
        if is_left:
            twin.network(tokens).sum().backward()
        stepper.step(pieces)
        found.append([weight.grad.clone() for weight in trained(network)])
    for clean, after in zip(*found, strict=True):
        torch.testing.assert_close(after, clean)


def test_a_step_that_cannot_be_recorded_is_reported_and_launched(monkeypatch):
    notes, optimiser = [], Nothing()
    stepper = Stepper(Setup(), torch.nn.Linear(1, 1), optimiser, torch.float32, records=True, note=notes.append)
    for name in ("get_rng_state", "CUDAGraph", "synchronize"):
        monkeypatch.setattr(torch.cuda, name, lambda: None)

    def refused(pieces):
        raise RuntimeError("Cannot copy between CPU and CUDA tensors during CUDA graph capture\nmore")

    monkeypatch.setattr(stepper, "_warm_up", refused)
    piece = Piece(torch.arange(4), 8, 1.0)
    losses = [float(stepper.step([piece])) for _ in range(5)]
    assert optimiser.steps == 5
    assert np.isfinite(losses).all()
    assert not stepper.records
    [note] = notes
    assert "launched one by one" in note
    assert note.endswith("(Cannot copy between CPU and CUDA tensors during CUDA graph capture)")
