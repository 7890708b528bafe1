"""The loop on a model so small that a step takes a millisecond: learning, stopping, going on, and what goes wrong."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.errors import ArgumentError, EstimationError
from similitude.training.recipe import Recipe

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from similitude.training import loop  # noqa: E402
from similitude.training import stepper as stepping  # noqa: E402
from similitude.training.batches import Batcher  # noqa: E402
from similitude.training.loop import train  # noqa: E402
from similitude.training.objectives import MseQuad  # noqa: E402
from similitude.training.progress import TrainingProgress  # noqa: E402
from similitude.training.training_setup import TrainingSetup  # noqa: E402

WORDS, ITEMS = 12, 48


class Bag(torch.nn.Module):
    """The mean of word vectors, with dropout, and the cosine of two such means."""

    def __init__(self, dropout: float = 0.2):
        super().__init__()
        self.words = torch.nn.Embedding(WORDS, 8)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, tokens):
        mask = tokens["attention_mask"].unsqueeze(-1)
        vectors = (self.dropout(self.words(tokens["input_ids"])) * mask).sum(1) / mask.sum(1)
        return torch.cosine_similarity(*vectors.chunk(2))


class Table:
    """Texts of one to four words."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.lengths = rng.integers(1, 5, 2 * ITEMS)
        self.words = torch.from_numpy(rng.integers(0, WORDS, (2 * ITEMS, 4)))

    def take(self, rows, length):
        mask = torch.arange(length) < torch.from_numpy(self.lengths)[rows].unsqueeze(1)
        return {"input_ids": self.words[rows][:, :length], "attention_mask": mask.long()}


class Shelf:
    """Keeps everything in memory, and may pull the plug after so many savings."""

    def __init__(self, savings: int | None = None):
        self.saved, self.best, self.savings = None, None, savings

    def load(self):
        return self.saved

    def save(self, progress):
        if self.savings == 0:
            raise KeyboardInterrupt
        self.savings = None if self.savings is None else self.savings - 1
        copied = {
            "network": {name: value.clone() for name, value in progress.weights["network"].items()},
            "optimiser": {
                "adamw": {
                    place: {name: value.clone() for name, value in state.items()}
                    for place, state in progress.weights["optimiser"]["adamw"].items()
                },
                "averages": [average.clone() for average in progress.weights["optimiser"]["averages"]],
            },
        }
        values = {name: getattr(progress, name) for name in ("epoch", "step", "tokens", "seconds")}
        lists = {name: list(getattr(progress, name)) for name in ("losses", "curve", "history")}
        self.saved = TrainingProgress(**values, **lists, weights=copied)

    def keep_best(self, weights):
        self.best = weights

    def publish(self, progress):
        pass


class Ear:
    def __init__(self):
        self.stages, self.notes = [], []

    def progress(self, stage, done, total):
        self.stages.append((stage, done, total))

    def note(self, text):
        self.notes.append(text)


def course(*, dropout: float = 0.2, validate=None, **changes) -> TrainingSetup:
    torch.manual_seed(0)
    table = Table()
    rows = torch.arange(2 * ITEMS).reshape(2, ITEMS).T.contiguous()
    torch.manual_seed(5)
    truth = Bag(dropout=0.0)
    with torch.no_grad():
        gold = truth(table.take(rows.T.reshape(-1), 4)) / 2 + 0.5
    torch.manual_seed(1)
    network = Bag(dropout)
    batcher = Batcher(
        lengths=table.lengths[rows.numpy()].max(axis=1), unit=2, batch=8, rows=2, grid=1, longest=4, seed=0
    )

    def correlation(network):
        with torch.no_grad():
            scores = network(table.take(rows.T.reshape(-1), 4))
        return {"pearson": float(torch.corrcoef(torch.stack([scores, gold]))[0, 1])}

    whole = {
        "network": network,
        "table": table,
        "rows": rows,
        "gold": gold,
        "objective": MseQuad(),
        "batcher": batcher,
        "validate": validate or correlation,
    }
    return TrainingSetup(**whole | changes)


RECIPE = Recipe(epochs=4, batch=8, lr=0.05, checkpoint_seconds=1e9)


def weights_of(checkpoints: Shelf) -> list[float]:
    return checkpoints.best["words.weight"].flatten().tolist()


class TestLearning:
    @pytest.mark.slow
    def test_the_loss_falls_and_the_best_epoch_is_kept(self):
        checkpoints, ear = Shelf(), Ear()
        own = course(dropout=0.0)
        before = own.validate(own.network)["pearson"]
        done = train(own, replace(RECIPE, epochs=30), checkpoints, ear)
        assert done.history[-1].loss < 0.3 * done.history[0].loss
        assert done.best > max(before, 0.0) + 0.4
        best = max(done.history, key=lambda epoch: epoch.figure)
        assert best.is_best
        own.network.load_state_dict(checkpoints.best)
        assert own.validate(own.network.eval())["pearson"] == pytest.approx(best.figure, abs=1e-6)
        assert len(done.curve) == 30 * 6
        assert ear.stages[-1] == ("epoch 30 of 30", ITEMS, ITEMS)

    @pytest.mark.slow
    def test_the_same_seed_the_same_weights_and_another_others(self):
        all_checkpoints = [Shelf(), Shelf(), Shelf()]
        for checkpoints, seed in zip(all_checkpoints, (0, 0, 1), strict=True):
            train(course(), replace(RECIPE, seed=seed), checkpoints)
        assert weights_of(all_checkpoints[0]) == weights_of(all_checkpoints[1])
        assert weights_of(all_checkpoints[0]) != weights_of(all_checkpoints[2])

    def test_attention_that_is_not_to_be_trusted_is_off_meanwhile(self):
        torch.backends.cuda.enable_cudnn_sdp(True)
        seen = []

        def watch(network):
            seen.append(torch.backends.cuda.cudnn_sdp_enabled())
            return {"pearson": 0.0}

        train(course(validate=watch), RECIPE, Shelf())
        assert seen == [False] * RECIPE.epochs
        assert torch.backends.cuda.cudnn_sdp_enabled()

    def test_others_draw_what_they_would_have_drawn(self):
        torch.manual_seed(3)
        expected = torch.rand(3)
        torch.manual_seed(3)
        made = course()
        torch.manual_seed(3)
        train(made, replace(RECIPE, epochs=1), Shelf())
        assert torch.rand(3).tolist() == expected.tolist()

    def test_parts_have_the_gradient_of_the_whole(self):
        all_checkpoints = [Shelf(), Shelf()]
        for checkpoints, tokens in zip(all_checkpoints, (None, 16), strict=True):
            train(course(dropout=0.0), replace(RECIPE, tokens=tokens, epochs=2), checkpoints)
        np.testing.assert_allclose(*map(weights_of, all_checkpoints), atol=1e-5)

    def test_it_stops_when_nothing_gets_better(self):
        figures = iter([0.1, 0.3, 0.2, 0.3, 0.2, 0.9])
        done = train(
            course(validate=lambda network: {"figure": next(figures)}), replace(RECIPE, epochs=6, patience=2), Shelf()
        )
        assert [epoch.is_best for epoch in done.history] == [True, True, False, False]

    def test_a_figure_that_is_undefined_is_never_the_best(self):
        figures = iter([float("nan"), 0.1, float("nan"), 0.05])
        checkpoints = Shelf()
        done = train(course(validate=lambda network: {"figure": next(figures)}), RECIPE, checkpoints)
        assert [epoch.is_best for epoch in done.history] == [False, True, False, False]
        assert done.best == 0.1
        assert checkpoints.best is not None


class TestGoingOn:
    @pytest.mark.parametrize("savings", [1, 3, 7, 11, 20])
    def test_the_same_weights_after_a_stop_at_any_checkpoint(self, savings):
        recipe = replace(RECIPE, checkpoint_seconds=-1.0)  # one after every step
        whole = Shelf()
        expected = train(course(), recipe, whole)
        stopped = Shelf(savings)
        with pytest.raises(KeyboardInterrupt):
            train(course(), recipe, stopped)
        stopped.savings = None
        found = train(course(), recipe, stopped)
        assert weights_of(stopped) == weights_of(whole)
        assert found.curve == expected.curve
        assert [epoch.figures for epoch in found.history] == [epoch.figures for epoch in expected.history]

    def test_large_weights_are_written_less_often_and_nothing_changes(self, monkeypatch):
        whole = Shelf()
        expected = train(course(), RECIPE, whole)
        monkeypatch.setattr(loop, "_SMALL", 0)
        monkeypatch.setattr(loop, "_PAUSE", 1e12)
        rare = Shelf()
        found = train(course(), RECIPE, rare)
        assert rare.saved.epoch == 1  # the first epoch tells how long a checkpoint takes
        assert weights_of(rare) == weights_of(whole)
        again = train(course(), RECIPE, rare)
        assert weights_of(rare) == weights_of(whole)
        figures = [[epoch.figures for epoch in done.history] for done in (expected, found, again)]
        assert figures[0] == figures[1] == figures[2]

    def test_the_best_of_the_epochs_without_a_checkpoint_outlives_an_interruption(self, monkeypatch):
        monkeypatch.setattr(loop, "_SMALL", 0)
        monkeypatch.setattr(loop, "_PAUSE", 1e12)
        figures = iter([0.1, 0.2])
        checkpoints = Shelf()
        with pytest.raises(StopIteration):
            train(course(validate=lambda network: {"figure": next(figures)}), RECIPE, checkpoints)
        first = Shelf()
        train(course(validate=lambda network: {"figure": 0.1}), replace(RECIPE, epochs=1), first)
        assert weights_of(checkpoints) != weights_of(first)

    def test_a_finished_training_takes_no_step(self):
        checkpoints = Shelf()
        train(course(), RECIPE, checkpoints)
        again = train(course(validate=lambda network: pytest.fail("validated again")), RECIPE, checkpoints)
        assert len(again.history) == 4


class TestWhatGoesWrong:
    def test_a_loss_that_is_no_number(self):
        calls = iter(range(10_000))

        def objective(scores, gold):
            return scores.mean() * (float("nan") if next(calls) >= 8 else 1.0)

        checkpoints = Shelf()
        with pytest.raises(EstimationError, match=r"step 3 of 6 in epoch 2 .*best earlier epoch is kept; lower --lr"):
            train(course(objective=objective), RECIPE, checkpoints)
        assert np.isfinite(weights_of(checkpoints)).all()
        assert checkpoints.saved.epoch == 1
        assert torch.isfinite(checkpoints.saved.weights["network"]["words.weight"]).all()

    def test_memory_that_runs_out_halves_what_is_computed_at_a_time(self, monkeypatch):
        honest = stepping.Stepper._backward

        def small(self, piece):
            if len(piece.items) > 4:
                raise torch.OutOfMemoryError("CUDA out of memory")
            return honest(self, piece)

        expected = Shelf()
        train(course(dropout=0.0), replace(RECIPE, epochs=2), expected)
        monkeypatch.setattr(stepping.Stepper, "_backward", small)
        checkpoints, ear = Shelf(), Ear()
        train(course(dropout=0.0), replace(RECIPE, epochs=2), checkpoints, ear)
        np.testing.assert_allclose(weights_of(checkpoints), weights_of(expected), atol=1e-5)
        assert len(ear.notes) <= 2
        assert "(4 such items), with the same gradient; to start with that, use --tokens" in ear.notes[0]

    def test_nothing_fits(self, monkeypatch):
        def never(self, piece):
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

        monkeypatch.setattr(stepping.Stepper, "_backward", never)
        with pytest.raises(ArgumentError, match="not enough memory to train on 4 texts"):
            train(course(), RECIPE, Shelf())

    def test_other_errors_are_not_taken_for_memory(self, monkeypatch):
        def broken(self, piece):
            raise RuntimeError("shapes do not match")

        monkeypatch.setattr(stepping.Stepper, "_backward", broken)
        with pytest.raises(RuntimeError, match="shapes"):
            train(course(), RECIPE, Shelf())

    def test_bfloat16_on_a_cpu(self):
        with pytest.raises(ArgumentError, match="device 'cpu' does not support training in bfloat16"):
            train(course(), replace(RECIPE, precision="bfloat16"), Shelf())
