"""What is learned from, in which batches, towards what, and at which rate: everything before the loop."""

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError, ScaleError, UnknownNameError
from similitude.testing.unchecked_benchmark import unchecked_benchmark
from similitude.training import MseQuad, Recipe, examples_of, make_objective
from similitude.training.batches import Batcher
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.recipe import rate_at
from similitude.training.uncertain.request import OpinionRequest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")


def conditioned(pairs: int = 6, **changes) -> Benchmark:
    """Pair number i under two conditions, the higher label first, as in C-STS files."""
    columns = {
        "id": [f"{i}{end}" for i in range(pairs) for end in "ab"],
        "left": [f"left {i}" for i in range(pairs) for _ in "ab"],
        "right": [f"right {i}" for i in range(pairs) for _ in "ab"],
        "condition": [word for _ in range(pairs) for word in ("alike", "unlike")],
        "score": [score for i in range(pairs) for score in (5.0 - i % 2, 1.0 + i % 3)],
        **changes,
    }
    return unchecked_benchmark("data", scale="1..5", **columns)


class TestExamples:
    def test_gold_is_mapped_from_the_scale_to_0_and_1(self):
        # (5 - 1) / 4 = 1, (1 - 1) / 4 = 0, (4 - 1) / 4 = 0.75, (2 - 1) / 4 = 0.25
        assert examples_of(conditioned(2), in_pairs=True).gold.tolist() == [1.0, 0.0, 0.75, 0.25]

    def test_the_two_conditions_of_a_pair_follow_each_other(self):
        shuffled = conditioned().take(np.random.default_rng(0).permutation(12))
        lefts = examples_of(shuffled, in_pairs=True).benchmark.items.lefts
        assert lefts[0::2] == lefts[1::2]
        assert len(set(lefts)) == 6

    @pytest.mark.parametrize("in_pairs", [True, False])
    def test_no_order_of_rows_leaks(self, in_pairs):
        plain = examples_of(conditioned(), in_pairs=in_pairs)
        other = examples_of(conditioned().take(np.random.default_rng(1).permutation(12)), in_pairs=in_pairs)
        assert plain.benchmark.items.ids == other.benchmark.items.ids
        assert plain.gold.tolist() == other.gold.tolist()

    def test_groups_come_before_texts(self):
        grouped = conditioned(2, left=["a", "b", "c", "d"], group=["g", "h", "g", "h"])
        assert examples_of(grouped, in_pairs=True).benchmark.items.lefts == ["a", "c", "b", "d"]

    def test_an_item_without_a_partner_is_a_two_with_itself(self):
        odd = conditioned().take(np.arange(11))
        found = examples_of(odd, in_pairs=True)
        assert found.items.ids[-2:] == ["5a", "5a"]
        assert found.alone.tolist() == [False] * 10 + [True] * 2
        assert found.notes[-1] == (
            "1 of 11 items without a partner under another condition: counted for the squared error only (first: '5a')"
        )
        assert len(found.benchmark) == len(examples_of(odd, in_pairs=False)) == 11

    def test_a_pair_twice_under_the_same_condition(self):
        twice = conditioned(condition=["Alike", "alike", *["alike", "unlike"] * 5])
        found = examples_of(twice, in_pairs=True)
        assert found.items.ids[-4:] == ["0a", "0a", "0b", "0b"]
        assert found.notes[-1].startswith("2 of 12 items without a partner under another condition: counted")
        left_out = examples_of(twice, in_pairs=True, keeps_alone=False)
        assert len(left_out) == 10
        assert left_out.notes[-1].endswith(": left out (first: '0a')")

    def test_a_pair_with_three_conditions(self):
        extra = conditioned(1).frame[:1].with_columns(id=pl.lit("x"), condition=pl.lit("third"))
        three = Benchmark(name="data", frame=pl.concat([conditioned().frame, extra]), scale=Scale(low=1, high=5))
        assert examples_of(three, in_pairs=True).items.ids[-2:] == ["0b", "0b"]

    def test_several_answers_under_two_conditions_make_as_many_twos_as_they_can(self):
        again = pl.concat([conditioned(1).frame[:1].with_columns(id=pl.lit(name)) for name in "xy"])
        data = Benchmark(name="data", frame=pl.concat([conditioned(1).frame, again]), scale=Scale(low=1, high=5))
        conditions = examples_of(data, in_pairs=True).items.conditions
        assert conditions == ["alike", "unlike", "alike", "alike", "alike", "alike"]

    def test_no_pair_with_two_conditions(self):
        data = conditioned().take(np.arange(0, 12, 2))
        with pytest.raises(InputError, match=r"no sentence pair has two conditions; .* item '0a' .*--objective mse"):
            examples_of(data, in_pairs=True)

    def test_a_pair_that_occurs_twice_is_taken_two_by_two(self):
        again = conditioned(1).frame.with_columns(id=pl.col("id") + "x")
        twice = Benchmark(name="data", frame=pl.concat([conditioned().frame, again]), scale=Scale(low=1, high=5))
        assert "1 sentence pairs occur more than once" in examples_of(twice, in_pairs=True).notes[0]

    def test_a_label_off_the_scale(self):
        with pytest.raises(ScaleError, match=r"1 of 4 labels lie off the scale 1\.\.5; the first is 6 for item '1a'"):
            examples_of(conditioned(2, score=[5, 1, 6, 2]), in_pairs=True)

    def test_hidden_labels_are_left_out_and_told_of(self):
        hidden = examples_of(conditioned(3, score=[5.0, 1.0, 4.0, 2.0, None, None]), in_pairs=True)
        assert len(hidden) == 4
        assert hidden.notes == ("2 items without gold were left out",)

    def test_pairs_without_a_difference_are_told_of(self):
        notes = examples_of(conditioned(2, score=[5, 1, 3, 3]), in_pairs=True).notes
        assert notes == ("1 of 2 sentence pairs have equal labels under all conditions: no margin",)


class TestObjective:
    scores = torch.tensor([0.9, 0.2, 0.1, 0.6, 0.5, 0.4])
    gold = torch.tensor([1.0, 0.0, 0.75, 0.25, 0.5, 0.5])

    def test_mse(self):
        # (.1^2 + .2^2 + .65^2 + .35^2 + 0 + .1^2) / 6 = (.01 + .04 + .4225 + .1225 + .01) / 6 = .605 / 6
        assert float(make_objective("mse")(self.scores, self.gold)) == pytest.approx(0.605 / 6)

    def test_quad(self):
        # pair 1: .5 - (.9 - .2) < 0, so 0; pair 2: .5 - (.1 - .6) = 1; pair 3 has one gold: 0. Mean 1/3
        assert float(make_objective("quad")(self.scores, self.gold)) == pytest.approx(1 / 3)

    def test_both_with_weights(self):
        loss = make_objective("mse + quad", quad_weight=2.0, margin=0.8)(self.scores, self.gold)
        # quad with margin .8: pair 1 .1, pair 2 1.3, pair 3 0; mean 1.4 / 3
        assert float(loss) == pytest.approx(0.605 / 6 + 2 * 1.4 / 3)

    def test_which_condition_comes_first_does_not_matter(self):
        turned = [1, 0, 2, 3, 5, 4]
        objective = MseQuad(quad=0.7, margin=0.9)
        assert float(objective(self.scores[turned], self.gold[turned])) == pytest.approx(
            float(objective(self.scores, self.gold))
        )

    def test_a_tie_has_no_gradient(self):
        scores = self.scores.clone().requires_grad_()
        make_objective("quad")(scores, self.gold).backward()
        assert scores.grad.tolist() == pytest.approx([0, 0, -1 / 3, 1 / 3, 0, 0])

    def test_differences(self):
        scores, gold = torch.tensor([0.9, 0.4, 0.5, 0.5]), torch.tensor([1.0, 0.0, 0.25, 0.25])
        # The errors are -.1, .4, .25, .25: their squares add up to .01 + .16 + .0625 + .0625 = .295, and of the errors
        # of the two differences, -.5 and 0, the squares to .25.
        assert float(make_objective("mse+difference")(scores, gold)) == pytest.approx(0.295 / 4 + 2 * 0.25 / 2)
        assert float(make_objective("difference+mse(weight=0.5)")(scores, gold)) == pytest.approx(0.07375 + 0.0625)
        turned = [1, 0, 2, 3]
        assert make_objective("mse+difference")(scores[turned], gold[turned]).item() == pytest.approx(0.32375)

    def test_differences_of_what_teachers_say(self):
        scores, blend = torch.tensor([0.5, 0.5]), torch.tensor([0.75, 0.25])
        found = make_objective("mse+difference(weight=1)")(scores, blend, order=torch.tensor([1.0, 0.0]))
        assert float(found) == pytest.approx(0.0625 + 0.25)

    def test_differences_have_a_record(self):
        assert make_objective("mse+difference").record() == {"name": "mse+difference", "code": None}
        assert make_objective("mse+difference(weight=1)").record()["name"] == "mse+difference(weight=1.0)"
        assert make_objective("mse+difference").needs_pairs

    def test_refusals(self):
        with pytest.raises(ArgumentError, match="weight 0 of differences"):
            make_objective("mse+difference(weight=0)")
        with pytest.raises(UnknownNameError, match="did you mean 'quad'"):
            make_objective("quat")
        with pytest.raises(ArgumentError, match="minimise nothing"):
            MseQuad(mse=0, quad=0)
        with pytest.raises(ArgumentError, match="margin 0"):
            MseQuad(margin=0)


def batcher(items: int = 100, **changes) -> Batcher:
    lengths = np.random.default_rng(7).integers(5, 60, items)
    return Batcher(
        **{"lengths": lengths, "unit": 2, "batch": 8, "rows": 2, "grid": 8, "longest": 512, "seed": 3} | changes
    )


class TestBatches:
    @pytest.mark.parametrize("unit", [1, 2])
    @pytest.mark.parametrize("tokens", [None, 300])
    def test_every_item_once_an_epoch_and_pairs_together(self, unit, tokens):
        steps = batcher(unit=unit).steps(0, tokens)
        seen = np.concatenate([part.items for step in steps for part in step.parts])
        assert sorted(seen.tolist()) == list(range(100))
        assert len(steps) == batcher(unit=unit).count() == 13
        if unit == 2:
            assert all((part.items[0::2] // 2 == part.items[1::2] // 2).all() for step in steps for part in step.parts)

    def test_nothing_is_cut_and_little_is_padding(self):
        own = batcher(2000)
        parts = [part for step in own.steps(0, None) for part in step.parts]
        assert all(part.length >= own.lengths[part.items].max() and part.length % 8 == 0 for part in parts)
        padded = sum(part.length * len(part.items) for part in parts)
        # Of two random lengths the longer one counts anyway; in file order, batches of 8 would have 1.7 times as many.
        pairs = own.lengths.reshape(-1, 2).max(axis=1).sum() * 2
        assert padded < 1.15 * pairs

    def test_a_budget_of_tokens_splits_steps_and_keeps_their_items(self):
        whole, split = batcher().steps(0, None), batcher().steps(0, 300)
        for one, other in zip(whole, split, strict=True):
            assert np.concatenate([part.items for part in other.parts]).tolist() == one.parts[0].items.tolist()
            assert all(len(part.items) * part.length * 2 <= 300 or len(part.items) == 2 for part in other.parts)

    def test_orders_differ_by_epoch_and_seed_and_are_the_same_again(self):
        def order(own, epoch):
            return [part.items.tolist() for step in own.steps(epoch, None) for part in step.parts]

        assert order(batcher(), 1) == order(batcher(), 1)
        assert order(batcher(), 1) != order(batcher(), 2)
        assert order(batcher(), 1) != order(batcher(seed=4), 1)

    def test_the_first_of_a_pair_is_first_by_chance(self):
        items = np.concatenate([part.items for step in batcher(2000).steps(0, None) for part in step.parts])
        first_is_even = (items[0::2] % 2 == 0).mean()
        # 1,000 fair coins: a share within 0.05 of a half but for one time in a thousand.
        assert abs(first_is_even - 0.5) < 0.05


class TestRecipe:
    def test_schedules(self):
        # 10 steps, 2 of them rising: 1/2, 1; then linear 1, 7/8, ..., 1/8; cosine at half way is a half.
        recipe = Recipe(warmup=0.2)
        assert [rate_at(recipe, step, 10) for step in (0, 1, 2, 3, 9)] == pytest.approx([0.5, 1, 1, 0.875, 0.125])
        assert rate_at(Recipe(warmup=0.2, schedule="cosine"), 6, 10) == pytest.approx(0.5)
        assert rate_at(Recipe(warmup=0.2, schedule="constant"), 9, 10) == 1
        assert rate_at(Recipe(warmup=0.0), 0, 10) == 1

    @pytest.mark.parametrize(
        "change", [{"epochs": 0}, {"batch": 1}, {"lr": 0.0}, {"layer_decay": 1.1}, {"warmup": -1}, {"tokens": 0}]
    )
    def test_refusals(self, change):
        with pytest.raises(ArgumentError, match="is not valid; give"):
            Recipe(**change)


class Layered(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = torch.nn.Embedding(4, 2)
        self.layer = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])
        self.head = torch.nn.ModuleDict({"out": torch.nn.Linear(2, 1)})


class TestShapes:
    def test_lengths_are_rounded_up_to_few(self):
        batcher = Batcher(lengths=np.array([1]), unit=1, batch=2, rows=1, grid=8, longest=510, seed=0)
        lengths = (1, 8, 33, 64, 65, 128, 129, 256, 257, 500)
        assert [batcher.padded(length) for length in lengths] == [8, 8, 40, 64, 72, 128, 144, 256, 288, 510]

    def test_without_a_grid_nothing_is_padded(self):
        batcher = Batcher(lengths=np.array([1]), unit=1, batch=2, rows=1, grid=1, longest=510, seed=0)
        assert [batcher.padded(length) for length in (1, 33, 129, 300)] == [1, 33, 129, 300]


class TestOptimiser:
    def test_each_layer_has_its_rate(self):
        from similitude.training.optimiser import layer_rates

        rates = layer_rates(Layered(), 0.5)
        # Two layers: the upper one and the head 1, the lower one 1/2, what comes before 1/4.
        assert rates["head.out.weight"] == rates["layer.1.weight"] == 1
        assert rates["layer.0.bias"] == 0.5
        assert rates["embeddings.weight"] == 0.25

    def test_one_step_by_hand(self):
        from similitude.training.optimiser import Optimiser

        network = Layered()
        before = {name: weight.detach().clone() for name, weight in network.named_parameters()}
        optimiser = Optimiser(network, Recipe(layer_decay=0.5, weight_decay=0.1, average=0, clip=0), 10)
        for weight in network.parameters():
            weight.grad.fill_(3.0)
        optimiser.prepare(0.01, 0)
        optimiser.advance()
        after = dict(network.named_parameters())
        # The first step of Adam is the rate itself, whatever the gradient; matrices decay by rate x 0.1 before it.
        for name, rate in (("layer.0.weight", 0.005), ("head.out.weight", 0.01), ("embeddings.weight", 0.0025)):
            torch.testing.assert_close(after[name].detach(), before[name] * (1 - rate * 0.1) - rate)
        torch.testing.assert_close(after["layer.1.bias"].detach(), before["layer.1.bias"] - 0.01)

    def test_the_average_is_the_mean_so_far_and_then_falls_off(self):
        from similitude.training.optimiser import Optimiser

        network = torch.nn.Linear(1, 1, bias=False)
        optimiser = Optimiser(network, Recipe(average=0.5, clip=0, weight_decay=0), 8)  # reaches back 4 steps
        seen, expected = [], None
        for step in range(7):
            network.weight.grad.fill_(1.0)
            optimiser.prepare(0.1 * (step + 1), step)
            optimiser.advance()
            optimiser.average()
            seen.append(float(network.weight.detach()))
            share = max(1 / 4, 1 / (step + 1))
            expected = seen[0] if expected is None else expected + share * (seen[-1] - expected)
            assert float(optimiser.averaged()[0]) == pytest.approx(expected, rel=1e-5)
            if step < 4:
                assert float(optimiser.averaged()[0]) == pytest.approx(np.mean(seen), rel=1e-5)

    def test_a_long_horizon_is_averaged_over_some_of_its_steps(self):
        from similitude.training.optimiser import Optimiser

        network = torch.nn.Linear(1, 1, bias=False)
        optimiser = Optimiser(network, Recipe(average=1.0, clip=0, weight_decay=0), 96)  # every third of 96 steps
        seen = []
        for step in range(30):
            network.weight.grad.fill_(1.0)
            optimiser.prepare(0.01, step)
            optimiser.advance()
            optimiser.average()
            seen.append(float(network.weight.detach()))
        # Steps 0, 3, ..., 27 count, in equal parts as long as there are fewer than 32 of them.
        assert float(optimiser.averaged()[0]) == pytest.approx(np.mean(seen[::3]), rel=1e-5)

    def test_long_gradients_are_cut(self):
        from similitude.training.optimiser import Optimiser

        network = torch.nn.Linear(4, 1, bias=False)
        optimiser = Optimiser(network, Recipe(clip=1.0, average=0), 10)
        network.weight.grad.copy_(torch.tensor([[3.0, 0.0, 4.0, 0.0]]))  # norm 5
        optimiser.prepare(0.1, 0)
        optimiser.advance()
        torch.testing.assert_close(network.weight.grad, torch.tensor([[0.6, 0.0, 0.8, 0.0]]), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("request_of", [SimilarityRequest, OpinionRequest])
@pytest.mark.parametrize("count", ["seeds", "ensemble"])
def test_no_training_at_all_is_refused(request_of, count):
    with pytest.raises(ArgumentError, match=f"--{count} 0 is not valid"):
        request_of(model="my-encoder", **{count: 0})
