import numpy as np
import pytest

from similitude.models.encoders.batches import EXACT, Batches, Budget, shape_of

LONGEST = 512


def all_batches(batches):
    while (batch := batches.take()) is not None:
        yield batch


def test_a_shape_holds_its_text_and_pads_all_or_none():
    for tokens in range(1, LONGEST + 1):
        length, is_padded = shape_of(tokens, LONGEST)
        assert tokens <= length <= LONGEST
        assert is_padded == (length > tokens)
        assert length <= max(tokens + 4, 1.13 * tokens + 1)
        if tokens <= EXACT or tokens == LONGEST:
            assert length == tokens


def test_a_batch_is_filled_and_within_the_budget():
    lengths = np.random.default_rng(0).integers(1, LONGEST + 1, 3000).tolist()
    seen = []
    for batch in all_batches(Batches(lengths, LONGEST, Budget(1000, texts=20))):
        assert batch.rows == max(1, min(20, 1000 // batch.shape.length))
        assert len(batch.filled(lengths)) == batch.rows
        assert {shape_of(lengths[i], LONGEST) for i in batch.positions} == {batch.shape}
        seen += batch.positions.tolist()
    assert sorted(seen) == list(range(3000))


def test_rows_depend_on_the_length_alone():
    """Which is what makes a text's last bits its own."""
    lengths = np.random.default_rng(1).integers(1, 60, 400).tolist()
    together = {i: (b.shape, b.rows) for b in all_batches(Batches(lengths, 60, Budget(256))) for i in b.positions}
    for position in range(0, 400, 17):
        (alone,) = all_batches(Batches([lengths[position]], 60, Budget(256)))
        assert together[position] == (alone.shape, alone.rows)


def test_longest_first():
    lengths = [5, 90, 30, 7, 400]
    shapes = [batch.shape.length for batch in all_batches(Batches(lengths, LONGEST, Budget(256)))]
    assert shapes == sorted(shapes, reverse=True)


def test_what_was_too_large_comes_back_in_halves():
    batches = Batches([8] * 100, LONGEST, Budget(128))
    first, second = batches.take(), batches.take()
    assert first.rows == 16
    batches.put_back(first)
    batches.put_back(second)  # was under way at the same time: halved once, not twice
    assert batches.budget == Budget(64)
    rest = list(all_batches(batches))
    assert {batch.rows for batch in rest} == {8}
    assert sorted(i for batch in rest for i in batch.positions) == list(range(100))


@pytest.mark.parametrize("texts", [None, 3])
def test_a_text_longer_than_the_budget_is_a_batch_of_its_own(texts):
    assert Budget(100, texts).rows(500) == 1
    assert Budget(1000, texts).rows(100) == (texts or 10)
