"""Random changes of a batch: which texts are shown, and which target stands for a pair without conditions."""

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from similitude.training.input_changes import InputChanges, pair_means  # noqa: E402

ITEMS = torch.arange(4).repeat(500)


def changes(orders: int = 1, **options) -> InputChanges:
    """Four items with two parts; text 100 x order + 10 x item + wording, and the same + 1000 for the other part."""
    order, item, wording = torch.meshgrid(*(torch.arange(size) for size in (orders, 4, 3)), indexing="ij")
    texts = 100 * order + 10 * item + wording
    worded = torch.stack([texts, texts + 1000], dim=-1)
    return InputChanges(worded=worded, others=torch.tensor([0, 1, 2, 2]), **options)


def shares(rows, item: int) -> dict[int, float]:
    found = rows[item::4, 0] - 10 * item
    return {int(value): float((found == value).float().mean()) for value in found.unique()}


class TestWordings:
    def test_without_changes_every_item_is_as_it_is(self):
        rows = changes().rows(torch.arange(4), None)
        assert rows.tolist() == [[0, 1000], [10, 1010], [20, 1020], [30, 1030]]

    def test_each_item_has_its_other_wordings_equally_often(self):
        torch.manual_seed(0)
        rows = changes(rewording=0.6).rows(ITEMS, None)
        assert shares(rows, 0) == {0: 1.0}  # it has no other wording
        assert shares(rows, 1) == pytest.approx({0: 0.4, 1: 0.6}, abs=0.07)
        assert shares(rows, 3) == pytest.approx({0: 0.4, 1: 0.3, 2: 0.3}, abs=0.07)

    def test_both_parts_have_the_same_wording_and_order(self):
        torch.manual_seed(0)
        rows = changes(orders=2, rewording=0.5).rows(ITEMS, None)
        assert (rows[:, 1] - rows[:, 0] == 1000).all()
        assert float((rows[:, 0] >= 100).float().mean()) == pytest.approx(0.5, abs=0.05)

    def test_the_same_seed_draws_the_same(self):
        drawn = []
        for seed in (1, 1, 2):
            torch.manual_seed(seed)
            drawn.append(changes(orders=2, rewording=0.5).rows(ITEMS, None))
        assert torch.equal(drawn[0], drawn[1])
        assert not torch.equal(drawn[0], drawn[2])

    def test_some_of_the_items(self):
        part = changes(rewording=1.0).only(torch.tensor([2, 3]))
        assert set((part.rows(torch.tensor([0, 1]).repeat(50), None)[:, 0]).tolist()) == {21, 22, 31, 32}


class TestDropped:
    BARE = torch.full((1, 4, 2), 7)

    def test_a_pair_loses_both_conditions_or_none(self):
        torch.manual_seed(0)
        dropped = changes(bare=self.BARE, dropout=0.3).dropped(ITEMS)
        assert torch.equal(dropped[0::2], dropped[1::2])
        assert float(dropped.float().mean()) == pytest.approx(0.3, abs=0.05)

    def test_its_texts_have_none(self):
        dropped = torch.tensor([False, False, True, True])
        rows = changes(bare=self.BARE, dropout=0.3).rows(torch.arange(4), dropped)
        assert rows.tolist() == [[0, 1000], [10, 1010], [7, 7], [7, 7]]

    def test_nothing_is_dropped_unless_asked(self):
        assert changes().dropped(ITEMS) is None


class TestTargets:
    def test_a_pair_without_conditions_has_the_mean_of_its_labels(self):
        gold = torch.tensor([1.0, 0.25, 0.75, 0.0])
        dropped = torch.tensor([True, True, False, False])
        assert pair_means(gold, dropped).tolist() == [0.625, 0.625, 0.75, 0.0]

    def test_also_of_two_columns(self):
        gold = torch.tensor([[1.0, 0.5], [0.0, 0.25]])
        assert pair_means(gold, torch.tensor([True, True])).tolist() == [[0.5, 0.375]] * 2

    def test_all_keep_theirs_if_nothing_is_dropped(self):
        gold = torch.tensor([1.0, 0.25])
        assert pair_means(gold, None) is gold


class TestPasses:
    def test_consistency_takes_two(self):
        assert changes().passes == 1
        assert changes(consistency=0.5).passes == 2
