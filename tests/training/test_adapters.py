"""Adapters: nothing is said otherwise at first, only they learn, and in the end they are gone without a trace."""

import copy

import pytest

from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import Architecture

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.systems.uncertain.network import UncertainNetwork  # noqa: E402
from similitude.training.adapters import (  # noqa: E402
    Adapted,
    add_adapters,
    fill_weights,
    has_adapters,
    learned_weights,
    merge_adapters,
)

WIDTH, VOCABULARY, RANK = 32, 40, 4
SHAPE = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "initializer_range": 0.1,
}
IDS = torch.arange(24).reshape(4, 6) + 3
TOKENS = {"input_ids": IDS, "attention_mask": torch.ones_like(IDS)}


def network(kind: str = "qwen2", seed: int = 0):
    """A transformer and a head on it, with random weights."""
    torch.manual_seed(seed)
    if kind == "bert":
        transformer = transformers.BertModel(transformers.BertConfig(**SHAPE, max_position_embeddings=16))
    else:
        transformer = transformers.Qwen2Model(transformers.Qwen2Config(**SHAPE, num_key_value_heads=2))
    return UncertainNetwork(transformer, Architecture(pooling="last"), WIDTH).eval()


def with_adapters(kind: str = "qwen2", rank: int = RANK, seed: int = 0):
    made = network(kind, seed)
    add_adapters(made.transformer, rank)
    return made.eval()


def said(made) -> torch.Tensor:
    with torch.inference_mode():
        return made.eval()(TOKENS)


def learn(made, steps: int = 5) -> None:
    """Some steps of an optimiser that is handed all weights, even those that are to stay as they are."""
    torch.manual_seed(1)
    optimiser = torch.optim.AdamW(made.parameters(), lr=0.05, weight_decay=0.1)
    made.train()
    for _ in range(steps):
        optimiser.zero_grad()
        (made(TOKENS) - torch.tensor([1.0, -1.0])).square().mean().backward()
        optimiser.step()
    made.eval()


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("kind", ["qwen2", "bert"])
class TestALife:
    def test_at_the_start_the_model_says_what_it_said(self, kind):
        made = network(kind)
        before = said(made)
        add_adapters(made.transformer, RANK)
        assert has_adapters(made)
        assert torch.equal(said(made), before)

    def test_only_adapters_and_the_head_learn(self, kind):
        made = with_adapters(kind)
        before = {name: value.clone() for name, value in made.state_dict().items()}
        learn(made)
        changed = {name for name, value in made.state_dict().items() if not torch.equal(value, before[name])}
        adapters = {name for name in before if name.endswith((".up", ".down"))}
        head = {name for name in before if name.startswith("head.")}
        assert len(head) == 4
        assert changed == adapters | head
        # In each of two layers: query, key, value, out, and three (Qwen2) or two (BERT) around the inner width.
        assert len(adapters) == 2 * 2 * (4 + (3 if kind == "qwen2" else 2))

    def test_merged_they_say_the_same_and_leave_no_trace(self, kind):
        made = network(kind)
        names, before = list(made.state_dict()), said(made)
        add_adapters(made.transformer, RANK)
        learn(made)
        learned = said(made)
        assert (learned - before).abs().max() > 0.1
        merge_adapters(made)
        assert not has_adapters(made)
        assert list(made.state_dict()) == names
        assert not any(isinstance(module, Adapted) for module in made.modules())
        torch.testing.assert_close(said(made), learned, atol=1e-5, rtol=0)


def test_what_is_added_is_twice_up_times_down():
    plain = torch.nn.Linear(2, 1)
    with torch.no_grad():
        plain.weight.copy_(torch.tensor([[1.0, 2.0]]))
        plain.bias.fill_(0.5)
    adapted = Adapted(plain, 1).eval()
    with torch.no_grad():
        adapted.down.copy_(torch.tensor([[3.0, -1.0]]))
        adapted.up.copy_(torch.tensor([[0.25]]))
    # (1, 2) . (4, 5) + 0.5 = 14.5; down gives 12 - 5 = 7, up 1.75, twice that 3.5.
    assert adapted(torch.tensor([4.0, 5.0])).item() == pytest.approx(18.0)
    # W + 2 * 0.25 * (3, -1) = (2.5, 1.5)
    assert adapted.merged().weight.tolist() == [[2.5, 1.5]]
    assert adapted.merged() is plain


def test_a_layer_that_was_frozen_before_gets_no_adapter():
    # BERT's pooler is never read: an adapter beside it would have no gradient.
    made = with_adapters("bert")
    assert type(made.transformer.pooler.dense) is torch.nn.Linear
    assert not any(weight.requires_grad for weight in made.transformer.pooler.parameters())


class TestWhatIsKept:
    def test_nothing_that_is_left_as_it_is(self):
        made = with_adapters()
        kept = learned_weights(made)
        learning = {name for name, weight in made.named_parameters() if weight.requires_grad}
        assert set(kept) == learning
        assert not any(".plain." in name or "embed_tokens" in name for name in kept)

    def test_put_back_exactly(self):
        made = with_adapters()
        learn(made)
        kept = {name: value.clone() for name, value in learned_weights(made).items()}
        before = said(made)
        learn(made)
        assert not torch.equal(said(made), before)
        fill_weights(made, kept)
        assert torch.equal(said(made), before)
        again = with_adapters()  # the same model, opened once more
        again.transformer.load_state_dict(made.transformer.state_dict())
        fill_weights(again, kept)
        assert torch.equal(said(again), before)

    def test_those_of_another_network_do_not_fit(self):
        made = with_adapters()
        for other in (with_adapters("bert"), network(), with_adapters(rank=RANK + 1)):
            with pytest.raises(RuntimeError):
                fill_weights(made, learned_weights(other))
        short = learned_weights(made)
        short.pop("head.outer.bias")
        with pytest.raises(RuntimeError, match=r"weights do not fit: head\.outer\.bias"):
            fill_weights(made, short)

    def test_without_adapters_all_weights(self):
        made, other = network(), network(seed=1)
        assert not has_adapters(made)
        assert set(learned_weights(made)) == set(made.state_dict())
        fill_weights(made, learned_weights(other))
        assert torch.equal(said(made), said(other))
        short = copy.copy(learned_weights(made))
        short.pop("transformer.norm.weight")
        with pytest.raises(RuntimeError, match="Missing key"):
            fill_weights(made, short)


class TestRefused:
    @pytest.mark.parametrize("rank", [0, -1])
    def test_no_rank(self, rank):
        made = network()
        with pytest.raises(ArgumentError, match=rf"^adapters {rank} is not valid; give a rank of 1 or more, .*$"):
            add_adapters(made.transformer, rank)
        assert all(weight.requires_grad for weight in made.parameters())

    def test_no_linear_layers(self):
        made = torch.nn.Sequential(torch.nn.Embedding(3, 2), torch.nn.LayerNorm(2))
        with pytest.raises(ArgumentError, match=r"^the model has no linear layers for adapters; omit --adapters$"):
            add_adapters(made, RANK)

    def test_adapters_beside_adapters(self):
        made = with_adapters()
        with pytest.raises(ArgumentError, match="no linear layers"):
            add_adapters(made.transformer, RANK)
