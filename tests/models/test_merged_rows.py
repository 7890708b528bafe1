"""Texts in one row, those that begin alike or those of an item, get the same states as alone."""

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.fused_mpnet import fuse_mpnet  # noqa: E402
from similitude.models.encoders.language_backbone import hidden_states  # noqa: E402
from similitude.models.encoders.merged_rows import (  # noqa: E402
    first_position,
    merge_rows,
    merged_lengths,
    merged_states,
    pack_rows,
    reads_merged,
)

SIZES = {"vocab_size": 90, "bos_token_id": 1, "eos_token_id": 1}
LLAMA = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
CONFIGS = {
    "Qwen2": {**SIZES, **LLAMA, "num_key_value_heads": 1},
    "Llama": {**SIZES, **LLAMA},
    "GPT2": {**SIZES, "n_embd": 16, "n_layer": 2, "n_head": 2},
}
ENCODERS = {"Bert": 0, "Roberta": 2, "MPNet": 2, "DistilBert": 0}
"""Families, and the number of their first position."""

TEXTS = [[5, 6, 7, 8], [5, 6, 9], [5, 6, 7, 8, 3], [4, 4], [5, 5], [5, 5]]


def model(family):
    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config")(**CONFIGS[family])
    return getattr(transformers, f"{family}Model")(config).eval()


def tokens(texts, length):
    ids = torch.tensor([text + [0] * (length - len(text)) for text in texts])
    sizes = torch.tensor([len(text) for text in texts])
    return {"input_ids": ids, "attention_mask": (torch.arange(length) < sizes[:, None]).long()}


@pytest.mark.parametrize("unit", [2, 3])
@pytest.mark.parametrize("family", CONFIGS)
def test_the_same_states(family, unit):
    own, alone = model(family), tokens(TEXTS, 10)
    mask = alone["attention_mask"].bool()
    with torch.no_grad():
        merged = merged_states(own, merge_rows(alone, unit))
        expected = own(input_ids=alone["input_ids"], return_dict=True).last_hidden_state
        torch.testing.assert_close(merged[mask], expected[mask], atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(hidden_states(own, merge_rows(alone, unit), reads_forward=True), merged)


def test_the_same_gradient():
    own, alone = model("Qwen2"), tokens(TEXTS, 10)
    weights = torch.randn(6, 10, 16) * alone["attention_mask"].unsqueeze(-1)
    found = []
    for states in (merged_states(own, merge_rows(alone, 2)), own(input_ids=alone["input_ids"]).last_hidden_state):
        own.zero_grad()
        (states * weights).sum().backward()
        found.append([weight.grad.clone() for weight in own.parameters()])
    for merged, expected in zip(*found, strict=True):
        torch.testing.assert_close(merged, expected, atol=1e-4, rtol=1e-3)


def test_the_lengths_of_merged_rows():
    # 4 + 3 - 2 shared; 5 + 2 - 0; 2 + 2 - 2
    assert merged_lengths(tokens(TEXTS, 6), 2).tolist() == [5, 7, 2]
    # 4 + 3 + 5 - 2 x 2; 2 + 2 + 2 - 2 x 0
    assert merged_lengths(tokens(TEXTS, 6), 3).tolist() == [8, 6]


def test_the_layout_of_a_merged_row():
    found = merge_rows(tokens(TEXTS[:2], 6), 2)
    assert found["merged_input_ids"].tolist() == [[5, 6, 7, 8, 9, 0]]
    assert found["merged_position_ids"].tolist() == [[0, 1, 2, 3, 2, 0]]
    assert found["merged_places"][1, :3].tolist() == [0, 1, 4]
    seen = found["merged_attention_mask"][0, 0].int().tolist()
    assert seen[3] == [1, 1, 1, 1, 0, 0]
    assert seen[4] == [1, 1, 0, 0, 1, 0]  # 9 sees what both begin with, and itself


def test_a_model_that_reads_merged_rows():
    assert reads_merged(model("Qwen2"))
    config = transformers.MistralConfig(**SIZES, **LLAMA, num_key_value_heads=1, sliding_window=4)
    assert not reads_merged(transformers.MistralModel(config))


def test_a_model_that_ignores_the_mask_does_not():
    own = model("Qwen2")
    plain = own.forward
    own.forward = lambda attention_mask=None, **others: plain(**others)
    assert not reads_merged(own)


def encoder(family):
    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config")(vocab_size=90, **LLAMA)
    own = getattr(transformers, f"{family}Model")(config).eval()
    fuse_mpnet(own)
    return own


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize(("family", "first"), ENCODERS.items())
def test_the_same_states_in_packed_rows(family, first, parts):
    own, alone = encoder(family), tokens(TEXTS, 11)
    if family == "Bert":
        alone["token_type_ids"] = (alone["input_ids"] > 6).long()
    mask = alone["attention_mask"].bool()
    found = []
    weights = torch.randn(6, 11, 16) * mask.unsqueeze(-1)
    assert first_position(own) == first
    for read in (lambda: merged_states(own, pack_rows(alone, parts, first)), lambda: own(**alone).last_hidden_state):
        own.zero_grad()
        states = read()
        (states * weights).sum().backward()
        gradient = [weight.grad.clone() for weight in own.parameters() if weight.grad is not None]
        found.append([states[mask], *gradient])
    for packed, expected in zip(*found, strict=True):
        torch.testing.assert_close(packed, expected, atol=1e-4, rtol=1e-3)


def test_the_layout_of_a_packed_row():
    # Ordered by part: items are texts 0 and 2, 1 and 3.
    found = pack_rows(tokens([[5, 6], [7], [8, 9, 3], [4, 4]], 6), 2, 2)
    assert found["merged_input_ids"].tolist() == [[5, 6, 8, 9, 3, 0], [7, 4, 4, 0, 0, 0]]
    assert found["merged_position_ids"][0, :5].tolist() == [2, 3, 2, 3, 4]
    assert found["merged_places"][:, 0].tolist() == [0, 6, 2, 7]
    assert found["merged_attention_mask"][1, 0, 1].tolist() == [False, True, True, False, False, False]


def test_encoders_that_do_not_read_packed_rows():
    assert first_position(encoder("RoFormer")) is None
    assert first_position(model("Qwen2")) is None  # it would see later tokens
    own = encoder("Bert")
    plain = own.forward
    own.forward = lambda attention_mask=None, **others: plain(**others)
    assert first_position(own) is None
