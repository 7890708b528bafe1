"""MPNet with fused attention gives what transformers gives, forward and backward."""

import copy

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.fused_mpnet import fuse_mpnet, join_projections  # noqa: E402

SHAPE = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


@pytest.fixture
def plain():
    torch.manual_seed(0)
    return transformers.MPNetModel(transformers.MPNetConfig(**SHAPE, initializer_range=0.3)).eval()


@pytest.fixture
def tokens():
    torch.manual_seed(1)
    mask = (torch.arange(160) < torch.tensor([[160], [3], [90]])).long()  # distances above 128 share a bucket
    return {"input_ids": torch.where(mask.bool(), torch.randint(2, 99, (3, 160)), 1), "attention_mask": mask}


def hidden(model, tokens):
    return model(**tokens, return_dict=True).last_hidden_state * tokens["attention_mask"].unsqueeze(-1)


def gradients(model, tokens):
    torch.manual_seed(2)
    states = hidden(model, tokens)
    (states * torch.randn_like(states)).sum().backward()
    return {name: weight.grad for name, weight in model.named_parameters() if weight.grad is not None}


def test_the_same_hidden_states_and_gradients(plain, tokens):
    fused = copy.deepcopy(plain)
    fuse_mpnet(fused)
    torch.testing.assert_close(hidden(fused, tokens), hidden(plain, tokens), atol=1e-4, rtol=1e-4)
    expected, found = gradients(plain, tokens), gradients(fused, tokens)
    assert set(found) == set(expected)
    for name, value in expected.items():
        torch.testing.assert_close(found[name], value, atol=1e-3, rtol=1e-3, msg=name)


def test_a_copy_computes_with_its_own_weights(plain, tokens):
    fuse_mpnet(plain)
    before, other = hidden(plain, tokens), copy.deepcopy(plain)
    for weight in other.parameters():
        weight.data.zero_()
    torch.testing.assert_close(hidden(plain, tokens), before)
    assert not hidden(other, tokens).any()


def test_joined_projections(plain, tokens):
    fuse_mpnet(plain)
    before = hidden(plain, tokens)
    weights = {name: weight.detach().clone() for name, weight in plain.named_parameters()}
    rows = join_projections(plain)
    torch.testing.assert_close(hidden(plain, tokens), before, atol=1e-5, rtol=1e-5)
    assert len(rows) == 2 * 3 * 2  # layers x projections x weight and bias
    for name, place in rows.items():
        torch.testing.assert_close(place.whole.detach()[place.rows], weights[name])


def test_what_else_is_requested_comes_from_transformers(plain, tokens):
    fuse_mpnet(plain)
    assert len(plain(**tokens, output_hidden_states=True, return_dict=True).hidden_states) == 3


def test_kinds_of_tokens_which_mpnet_has_not_are_ignored(plain, tokens):
    fuse_mpnet(plain)
    kinds = {**tokens, "token_type_ids": tokens["attention_mask"]}
    torch.testing.assert_close(hidden(plain, kinds), hidden(plain, tokens))


def test_others_are_left_alone():
    bert = transformers.BertModel(transformers.BertConfig(**SHAPE))
    fuse_mpnet(bert)
    assert "forward" not in vars(bert)
    assert join_projections(bert) == {}
