"""A pair read in every way at once: how it is split, what is shared, and that order and neighbours do not matter."""

import math

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from similitude.systems.uncertain.joint_features import (  # noqa: E402
    OVERLAPS,
    Alignment,
    TokenOverlap,
    as_one_batch,
    differences,
    split_pair,
    split_under_condition,
)

SEPARATOR = 9
IDS = torch.tensor([[1, 5, 6, 7, 9, 6, 7, 8, 9, 0], [1, 5, 9, 5, 9, 0, 0, 0, 0, 0]])
MASK = (IDS > 0).long()


def test_a_pair_is_split_at_the_first_separator():
    apart = split_pair(IDS, MASK, SEPARATOR)
    lefts = [row[mask.bool()].tolist() for row, mask in zip(apart.left, apart.left_mask, strict=True)]
    rights = [row[mask.bool()].tolist() for row, mask in zip(apart.right, apart.right_mask, strict=True)]
    assert lefts == [[1, 5, 6, 7, 9], [1, 5, 9]]
    assert rights == [[1, 6, 7, 8, 9], [1, 5, 9]]


def test_under_a_condition_each_text_is_read_with_it_and_compared_without_it():
    # [CLS] 5 6 [SEP] 7 [SEP] 8 10 [SEP]; a row whose right text is blank; one that was cut before its condition
    ids = torch.tensor(
        [[1, 5, 6, 9, 7, 9, 8, 10, 9, 0], [1, 5, 9, 9, 8, 9, 0, 0, 0, 0], [1, 5, 9, 6, 7, 9, 0, 0, 0, 0]]
    )
    split = split_under_condition(ids, (ids > 0).long(), SEPARATOR)

    def kept(rows, masks):
        return [row[mask.bool()].tolist() for row, mask in zip(rows, masks, strict=True)]

    assert kept(split.read.left, split.read.left_mask) == [[1, 5, 6, 9, 8, 10, 9], [1, 5, 9, 8, 9], [1, 5, 9]]
    assert kept(split.read.right, split.read.right_mask) == [[1, 7, 9, 8, 10, 9], [1, 9, 8, 9], [1, 6, 7, 9]]
    assert kept(split.alone.left, split.alone.left_mask) == [[1, 5, 6, 9], [1, 5, 9], [1, 5, 9]]
    assert kept(split.alone.right, split.alone.right_mask) == [[1, 7, 9], [1, 9], [1, 6, 7, 9]]


def test_three_rows_follow_each_other_for_each_pair():
    tokens = {"input_ids": IDS, "attention_mask": MASK, "token_type_ids": torch.ones_like(IDS)}
    batch = as_one_batch(tokens, split_pair(IDS, MASK, SEPARATOR))
    assert batch["input_ids"].shape == (6, 10)
    assert batch["input_ids"][3].tolist() == IDS[1].tolist()
    assert batch["attention_mask"].sum(dim=1).tolist() == [9, 5, 5, 5, 3, 3]
    assert batch["token_type_ids"].sum(dim=1).tolist() == [10, 0, 0, 10, 0, 0]


def test_shares_of_common_runs_by_hand():
    # Left 5 6 7, right 6 7 8: two of three tokens are common on both sides; one run of two (6 7) begins at one of three
    # places; no run of three. Times 5. Lengths 3 and 3: no difference, ln(1 + 6) - 4.
    said = TokenOverlap(12, SEPARATOR)(split_pair(IDS, MASK, SEPARATOR))
    assert said.shape == (2, OVERLAPS)
    expected = [10 / 3, 0, 5 / 3, 0, 0, 0, 0, math.log(7) - 4]
    assert said[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_rare_tokens_count_for_more():
    overlap = TokenOverlap(12, SEPARATOR)
    documents = torch.full((12,), 1)
    documents[5] = 99
    overlap.set_weights(documents, 99)
    # Token 5 is everywhere (weight 0.05, the least), 6 and 7 in one of 99 texts (ln 50): almost all weight is shared.
    said = overlap(split_pair(IDS, MASK, SEPARATOR))[0, 0].item()
    weight, right = math.log(50), 2 / 3
    assert said == pytest.approx(5 * 0.5 * (2 * weight / (2 * weight + 0.05) + right), abs=1e-5)


def test_nothing_in_common_and_empty_texts_are_numbers():
    ids = torch.tensor([[1, 5, 9, 6, 9], [1, 9, 9, 0, 0]])
    said = TokenOverlap(12, SEPARATOR)(split_pair(ids, (ids > 0).long(), SEPARATOR))
    assert torch.isfinite(said).all()
    assert said[:, :6].abs().max() == 0


def test_alignment_and_differences_are_the_same_for_either_order_and_with_more_padding():
    torch.manual_seed(0)
    left, right = torch.randn(2, 4, 6), torch.randn(2, 5, 6)
    left_mask, right_mask = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]]), torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    align = Alignment(6, 3)
    there, back = align(left, left_mask, right, right_mask), align(right, right_mask, left, left_mask)
    assert torch.allclose(there, back, atol=1e-6)
    wider = torch.cat([left, torch.randn(2, 3, 6)], dim=1), torch.cat([left_mask, torch.zeros(2, 3).long()], dim=1)
    assert torch.allclose(there, align(*wider, right, right_mask), atol=1e-6)
    assert torch.allclose(differences(left[:, 0], right[:, 0]), differences(right[:, 0], left[:, 0]))
