"""Language models as backbones: told apart from encoders, read at their end, and shortened."""

import pytest

from similitude.errors import ArgumentError

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.language_backbone import (  # noqa: E402
    is_language_model,
    last_and_mean,
    truncate_layers,
)

LAYERS = 3
SHAPE = {
    "vocab_size": 40,
    "hidden_size": 32,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 4,
    "initializer_range": 0.2,
}
DECODER = {**SHAPE, "intermediate_size": 48, "num_key_value_heads": 2, "attention_dropout": 0.5}
KINDS = {
    "qwen2": lambda: transformers.Qwen2Config(**DECODER, use_sliding_window=True, max_window_layers=1),
    "llama": lambda: transformers.LlamaConfig(**DECODER),
    "gpt2": lambda: transformers.GPT2Config(vocab_size=40, n_embd=32, n_layer=LAYERS, n_head=4, initializer_range=0.2),
    "bert": lambda: transformers.BertConfig(**SHAPE, intermediate_size=48, max_position_embeddings=16),
}
IDS = torch.tensor([[4, 9, 2, 30], [7, 7, 1, 12]])


def model(kind: str):
    torch.manual_seed(0)
    return transformers.AutoModel.from_config(KINDS[kind]()).eval()


def read(made, **options):
    with torch.no_grad():
        return made(input_ids=IDS, attention_mask=torch.ones_like(IDS), return_dict=True, **options)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(("kind", "is_one"), [("qwen2", True), ("llama", True), ("gpt2", True), ("bert", False)])
def test_which_models_read_forward_only(kind, is_one, training):
    # In training, dropout would make any model say something else each time.
    made = model(kind).train(training)
    assert [is_language_model(made) for _ in range(3)] == [is_one] * 3
    assert made.training is training
    assert all(module.training is training for module in made.modules())


def test_the_tiny_bert_is_no_language_model(bert):
    assert not is_language_model(transformers.AutoModel.from_pretrained(bert))


def test_tokens_that_were_never_trained_do_not_make_a_language_model(bert):
    made = transformers.AutoModel.from_pretrained(bert)
    with torch.no_grad():
        made.embeddings.word_embeddings.weight[5:9] = 0.0
    assert not is_language_model(made)


def test_a_model_can_learn_after_it_was_looked_at():
    made = model("qwen2").train()
    assert is_language_model(made)
    made(input_ids=IDS).last_hidden_state.sum().backward()
    assert made.layers[0].mlp.up_proj.weight.grad is not None


class TestAtTheEnd:
    HIDDEN = torch.tensor([[[1.0, 3.0], [2.0, 8.0], [5.0, 1.0]]])

    def test_by_hand(self):
        # The last of two tokens is (2, 8): brought to one size (-1, 1). Their average is (1.5, 5.5): (-1, 1) as well.
        # With all three the last is (5, 1): (1, -1); the average (8/3, 4): (-1, 1).
        two = last_and_mean(self.HIDDEN, torch.tensor([[1, 1, 0]]))
        three = last_and_mean(self.HIDDEN, torch.tensor([[1, 1, 1]]))
        torch.testing.assert_close(two, torch.tensor([[-1.0, 1.0, -1.0, 1.0]]), atol=1e-4, rtol=0)
        torch.testing.assert_close(three, torch.tensor([[1.0, -1.0, -1.0, 1.0]]), atol=1e-4, rtol=0)

    def test_padding_on_either_side_is_not_read(self):
        torch.manual_seed(0)
        hidden, junk = torch.randn(2, 4, 6), 1e3 * torch.randn(2, 3, 6)
        ones, zeros = torch.ones(2, 4, dtype=torch.long), torch.zeros(2, 3, dtype=torch.long)
        plain = last_and_mean(hidden, ones)
        right = last_and_mean(torch.cat([hidden, junk], 1), torch.cat([ones, zeros], 1))
        left = last_and_mean(torch.cat([junk, hidden], 1), torch.cat([zeros, ones], 1))
        torch.testing.assert_close(right, plain)
        torch.testing.assert_close(left, plain)

    def test_each_half_has_one_size_whatever_one_number_is(self):
        torch.manual_seed(0)
        hidden = torch.randn(5, 7, 64)
        hidden[:, :, 3] *= 1000
        vectors = last_and_mean(hidden, torch.ones(5, 7, dtype=torch.long))
        assert vectors.shape == (5, 128)
        for half in vectors.chunk(2, dim=1):
            torch.testing.assert_close(half.mean(dim=1), torch.zeros(5), atol=1e-5, rtol=0)
            torch.testing.assert_close(half.var(dim=1, unbiased=False), torch.ones(5), atol=1e-3, rtol=0)

    def test_half_precision_comes_out_as_float32(self):
        assert last_and_mean(self.HIDDEN.bfloat16(), torch.tensor([[1, 1, 1]])).dtype == torch.float32


class TestKeepLayers:
    @pytest.mark.parametrize("count", [1, 2])
    @pytest.mark.parametrize("kind", sorted(KINDS))
    def test_as_if_it_had_never_had_more(self, kind, count, tmp_path):
        made = model(kind)
        whole = read(made, output_hidden_states=True).hidden_states[count]
        made.save_pretrained(tmp_path / "whole")
        truncate_layers(made, count, "model 'x'")
        kept = read(made).last_hidden_state
        # Layers before the last are told before the final norm, which the model puts on whatever comes last.
        norm = {"qwen2": "norm", "llama": "norm", "gpt2": "ln_f"}.get(kind)
        expected = whole if norm is None else getattr(made, norm)(whole)
        torch.testing.assert_close(kept, expected)
        assert made.config.num_hidden_layers == count
        made.save_pretrained(tmp_path / "kept")
        again = transformers.AutoModel.from_pretrained(tmp_path / "kept").eval()
        assert again.config.num_hidden_layers == count
        assert torch.equal(read(again).last_hidden_state, kept)
        assert set(again.state_dict()) == set(made.state_dict())

    def test_the_same_as_loading_fewer(self, tmp_path):
        made = model("qwen2")
        made.save_pretrained(tmp_path)
        settings = made.config.to_dict() | {"num_hidden_layers": 2, "layer_types": made.config.layer_types[:2]}
        config = transformers.Qwen2Config(**{k: v for k, v in settings.items() if k != "model_type"})
        fewer = transformers.Qwen2Model(config).eval()
        fewer.load_state_dict(made.state_dict(), strict=False)
        truncate_layers(made, 2, "model 'x'")
        assert made.config.layer_types == config.layer_types
        assert torch.equal(read(made).last_hidden_state, read(fewer).last_hidden_state)

    def test_all_of_them_change_nothing(self):
        made = model("llama")
        before = read(made).last_hidden_state
        truncate_layers(made, LAYERS, "model 'x'")
        assert torch.equal(read(made).last_hidden_state, before)

    @pytest.mark.parametrize("count", [4, 0, -1])
    def test_more_than_there_are(self, count):
        with pytest.raises(
            ArgumentError,
            match=rf"^model 'x': cannot keep {count} of its layers: it has 3; give --layers from 1 to 3$",
        ):
            truncate_layers(model("qwen2"), count, "model 'x'")

    def test_no_stack(self):
        told = r"^model 'x': has no unique stack of layers; leave --layers out$"
        with pytest.raises(ArgumentError, match=told):
            truncate_layers(torch.nn.Linear(2, 2), 1, "model 'x'")
