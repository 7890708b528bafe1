"""Folds, the blend of gold and scores, and an objective with two golds."""

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError
from similitude.training import MseQuad, Teachers, examples_of
from similitude.training.fold_teachers import TwoGolds, blend, deal_folds


def pairs_of(count: int, conditions: int = 2) -> Benchmark:
    rows = [(pair, end) for pair in range(count) for end in range(conditions)]
    return Benchmark.from_columns(
        scale="1..5",
        id=[f"{pair}-{end}" for pair, end in rows],
        left=[f"left {pair}" for pair, _ in rows],
        right=[f"right {pair}" for pair, _ in rows],
        condition=[f"condition {end}" for _, end in rows],
        score=[1 + (pair + end) % 5 for pair, end in rows],
    )


class TestFolds:
    @pytest.mark.parametrize("in_pairs", [True, False])
    @pytest.mark.parametrize(("pairs", "folds"), [(2, 2), (11, 3), (40, 5), (7, 7)])
    def test_pairs_stay_whole_and_folds_are_even(self, pairs, folds, in_pairs):
        examples = examples_of(pairs_of(pairs), in_pairs=in_pairs)
        dealt = deal_folds(examples.pairs, folds, np.random.default_rng(0))
        by_pair: dict[str, set[int]] = {}
        for left, fold in zip(examples.benchmark.items.lefts, dealt, strict=True):
            by_pair.setdefault(left, set()).add(int(fold))
        assert all(len(found) == 1 for found in by_pair.values())
        sizes = np.bincount(dealt, minlength=folds) / 2
        assert len(sizes) == folds
        assert sizes.max() - sizes.min() <= 1
        assert sizes.sum() == pairs

    def test_a_pair_that_occurs_several_times_stays_whole_too(self):
        examples = examples_of(pairs_of(6, conditions=4), in_pairs=True)
        dealt = deal_folds(examples.pairs, 3, np.random.default_rng(0))
        assert dealt.reshape(6, 4).std(axis=1).max() == 0

    def test_the_same_seed_deals_the_same_whatever_the_order_of_rows(self):
        data = pairs_of(20)
        dealt = []
        for order in (np.arange(40), np.random.default_rng(1).permutation(40)):
            examples = examples_of(data.take(order), in_pairs=True)
            folds = deal_folds(examples.pairs, 4, np.random.default_rng(5))
            dealt.append(dict(zip(examples.benchmark.items.ids, folds.tolist(), strict=True)))
        assert dealt[0] == dealt[1]
        other = deal_folds(examples.pairs, 4, np.random.default_rng(6))
        assert other.tolist() != folds.tolist()


class TestBlend:
    def test_by_hand(self):
        # .3 x 1 + .7 x .5 = .65; .3 x .25 + .7 x 1 (cut from 1.2) = .775; .3 x .5 + .7 x 0 (cut from -.4) = .15
        found = blend(np.array([1.0, 0.25, 0.5], np.float32), np.array([0.5, 1.2, -0.4]), 0.7)
        assert found == pytest.approx([0.65, 0.775, 0.15])
        assert found.dtype == np.float32

    def test_a_teacher_that_agrees_changes_nothing(self):
        gold = np.linspace(0, 1, 9, dtype=np.float32)
        assert blend(gold, gold.astype(np.float64), 0.5).tolist() == gold.tolist()

    def test_less_noise_where_teachers_know_something(self):
        # The mean of two independent errors of deviation .1 has deviation .1 / sqrt(2).
        rng = np.random.default_rng(0)
        truth = rng.uniform(0.4, 0.6, 20_000)
        gold, scores = (truth + rng.normal(0, 0.1, truth.size) for _ in range(2))
        off = blend(gold.astype(np.float32), scores, 0.5) - truth
        assert off.std() == pytest.approx(0.1 / np.sqrt(2), rel=0.02)


class TestTwoGolds:
    def test_squared_error_to_the_blend_and_order_by_gold(self):
        torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
        scores = torch.tensor([0.6, 0.5, 0.2, 0.9])
        # In the first pair the blend turned the order round, in the second it made one of a tie.
        golds = torch.tensor([[0.4, 0.75], [0.5, 0.25], [0.7, 0.5], [0.4, 0.5]])
        # MSE: (.2² + 0² + .5² + .5²) / 4 = .135. Quad: max(0, .5 - (.6 - .5)) = .4 for the first, 0 for the tie: .2.
        loss = TwoGolds(MseQuad())(scores, golds)
        assert float(loss) == pytest.approx(0.135 + 0.5 * 0.2)

    def test_with_the_true_gold_twice_it_is_the_objective_itself(self):
        torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
        generator = torch.Generator().manual_seed(0)
        scores, gold = torch.rand(2, 8, generator=generator)
        both = torch.stack([gold, gold], dim=1)
        assert float(TwoGolds(MseQuad())(scores, both)) == float(MseQuad()(scores, gold))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"count": 1}, "teachers 1 is not valid; give 0, or 2 or more"),
        ({"count": -2}, "teachers -2 is not valid"),
        ({"count": 3, "weight": 0.0}, "teacher-weight 0 is not valid"),
        ({"count": 3, "weight": 1.5}, "teacher-weight 1.5 is not valid"),
        ({"count": 3, "weight": float("nan")}, "teacher-weight nan is not valid"),
        ({"weight": 0.7}, "teacher-weight 0.7 has no effect without teachers; add --cross-fit 3"),
    ],
)
def test_numbers_that_mean_nothing(options, told):
    with pytest.raises(ArgumentError, match=told):
        Teachers(**options)
