"""What each option of ``train conditional`` gives on noisy labels of ``sample:world``, alone and the best together.

::

    python benchmarks/conditional_augmentation.py --model FOLDER --device cuda --workers 8
    python benchmarks/conditional_augmentation.py --raters evidence/usts/ustsc    # how far raters differ, and where

Every configuration is trained by `similitude.training.train_model` as the command does it, on the same pairs, with
several seeds. The figure is Spearman's correlation x 100 with gold on the items of the test split whose conditions
never occurred in training (regimes "new conditions" and "both new"), by the epoch that was best on the validation
split. Objectives that are not part of Similitude are defined here.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"

import numpy as np
import torch
from torch import Tensor

from similitude.data.benchmark import Benchmark
from similitude.samples.world import make_world
from similitude.stats import spearman
from similitude.training.objectives import OBJECTIVES, MseQuad, Objective

NEW = ("new conditions", "both new")


@dataclass(frozen=True, kw_only=True)
class Experimental(Objective):
    """Quad beside another loss of each item."""

    quad: float = 0.5
    margin: float = 0.5

    @property
    def needs_pairs(self) -> bool:
        """Both conditions of a pair are in the same batch."""
        return True

    def pairs(self, scores: Tensor, order: Tensor) -> Tensor:
        """The weighted Quad of a batch."""
        return MseQuad(mse=0.0, quad=self.quad, margin=self.margin).loss(scores, order, order)


@OBJECTIVES.register("ordinal")
@dataclass(frozen=True, kw_only=True)
class Ordinal(Experimental):
    """Cross-entropy with the answers of other raters: is the answer above 1.5, above 2.5, and so on.

    A rater's answer v becomes a Gaussian over the scale whose width is ``spread`` in the middle and 0.6 of that at the
    ends, as raters of USTS differ. The model's probability of an answer above a threshold is logistic in the score.
    """

    name: ClassVar[str] = "ordinal"
    meaning: ClassVar[str] = "ordinal cross-entropy"
    levels: int = 5
    spread: float = 0.2
    temperature: float = 0.1

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch."""
        steps = torch.arange(self.levels - 1, device=scores.device)
        above = (steps + 0.5) / (self.levels - 1)
        width = self.spread * (0.6 + 1.6 * gold * (1 - gold))
        wanted = torch.special.ndtr((gold[:, None] - above) / width[:, None])
        logits = (scores.float()[:, None] - above) / self.temperature
        with torch.autocast(scores.device.type, enabled=False):
            entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted)
        return self.temperature * entropy + self.pairs(scores, order)


@OBJECTIVES.register("correlation")
@dataclass(frozen=True, kw_only=True)
class Correlation(Experimental):
    """Quad + MSE, and 1 - Pearson's r over the batch."""

    name: ClassVar[str] = "correlation"
    meaning: ClassVar[str] = "squared error and correlation over the batch"
    weight: float = 0.1

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch."""
        one, other = scores - scores.mean(), gold - gold.mean()
        r = (one * other).mean() / (one.square().mean() * other.square().mean() + 1e-8).sqrt()
        return (scores - gold).square().mean() + self.weight * (1 - r) + self.pairs(scores, order)


@OBJECTIVES.register("tolerant")
@dataclass(frozen=True, kw_only=True)
class Tolerant(Experimental):
    """Quad, and squared error that begins beyond a tolerance: raters would not agree on less either."""

    name: ClassVar[str] = "tolerant"
    meaning: ClassVar[str] = "squared error beyond a tolerance"
    slack: float = 0.125

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch."""
        beyond = ((scores - gold).abs() - self.slack).clamp(min=0.0)
        return beyond.square().mean() + self.pairs(scores, order)


@OBJECTIVES.register("lifted")
@dataclass(frozen=True, kw_only=True)
class Lifted(Experimental):
    """Quad + MSE with the low end of the scale at another cosine than 0."""

    name: ClassVar[str] = "lifted"
    meaning: ClassVar[str] = "squared error on another range of cosines"
    low: float = 0.3

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch."""
        within = (scores - self.low) / (1 - self.low)
        return (within - gold).square().mean() + self.pairs(within, order)


@OBJECTIVES.register("entropy")
@dataclass(frozen=True, kw_only=True)
class Entropy(Experimental):
    """Cross-entropy between a score that is a sigmoid and gold in 0..1, for cross and joint."""

    name: ClassVar[str] = "entropy"
    meaning: ClassVar[str] = "soft cross-entropy"

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch."""
        sure = scores.float().clamp(1e-4, 1 - 1e-4)
        entropy = -(gold * sure.log() + (1 - gold) * (1 - sure).log()).mean()
        return 0.25 * entropy + (self.pairs(scores, order) if self.quad else 0.0)


CONFIGURATIONS: Mapping[str, Mapping[str, Any]] = {
    "default": {},
    "condition tokens": {"pooled": "condition"},
    "sentence tokens": {"pooled": "sentence"},
    "consistency 1": {"consistency": 1.0},
    "rewording 0.5": {"rewording": 0.5},
    "rewording 0.5, consistency 1": {"rewording": 0.5, "consistency": 1.0},
    "agreement 0.7": {"rater_agreement": 0.7},
    "agreement 0.85": {"rater_agreement": 0.85},
    "dropout 0.1": {"condition_dropout": 0.1},
    "dropout 0.3": {"condition_dropout": 0.3},
    "ordinal": {"objective": "ordinal"},
    "difference": {"objective": "mse+difference(weight=0.5)"},
    "difference, weight 2": {"objective": "mse+difference"},
    "correlation": {"objective": "correlation"},
    "tolerant": {"objective": "tolerant"},
    "low end at 0.3": {"objective": "lifted"},
    "low end at -0.5": {"objective": "lifted(low=-0.5)"},
    "quad weight 1": {"quad_weight": 1.0},
    "margin 0.7": {"margin": 0.7},
    "condition after": {"place": "after"},
    "condition tokens, after": {"pooled": "condition", "place": "after"},
    "shift": {"architecture": "shift"},
    "joint": {"architecture": "joint"},
    "joint, entropy": {"architecture": "joint", "objective": "entropy"},
    "cross": {"architecture": "cross"},
    "cross, entropy": {"architecture": "cross", "objective": "entropy(quad=0.0)"},
    "cross, entropy, quad": {"architecture": "cross", "objective": "entropy"},
    "cross, quad+mse": {"architecture": "cross", "objective": "quad+mse"},
    "10 epochs": {"epochs": 10},
    "batch 16": {"batch": 16},
    "consistency 4": {"consistency": 4.0},
    "rate 2e-4": {"lr": 2e-4},
}
"""What is trained, in this order: keywords of ``similitude.train.conditional`` that differ from its defaults."""


class Task(NamedTuple):
    """One training: a configuration, a seed, and the world that it learns."""

    name: str
    seed: int
    keywords: Mapping[str, Any]
    model: str
    device: str
    pairs: int
    noise: float
    held_out: int


@cache
def world(pairs: int, noise: float, held_out: int) -> Benchmark:
    return make_world(pairs=pairs, noise=noise, held_out=held_out)


def trained(task: Task) -> tuple[Task, float, float]:
    """The figure of one training, and its seconds."""
    from similitude.systems import SYSTEMS
    from similitude.training.kinds import prepared_training

    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    started = time.monotonic()
    data = world(task.pairs, task.noise, task.held_out)
    keywords = {"device": task.device, **task.keywords, "seed": task.seed, "model": task.model}
    training = prepared_training("conditional", keywords)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model"
        training.train(training.parts([data]), out, None, None)
        items = data.select(split="test")
        items = items.take(np.flatnonzero(np.isin(items.frame["source"].to_list(), NEW)))
        scores = SYSTEMS.make(f"conditional({out}, device={task.device})").score(items.items).scores
    return task, 100 * float(spearman(scores, items.gold.scores)), time.monotonic() - started


def tasks(asked: argparse.Namespace) -> Iterator[Task]:
    """Each configuration with each seed; all seeds of one before the next."""
    chosen = asked.only or list(CONFIGURATIONS)
    for name in chosen:
        keywords = {"epochs": asked.epochs, **_configuration(name)}
        for seed in range(asked.seeds):
            yield Task(name, seed, keywords, asked.model, asked.device, asked.pairs, asked.noise, asked.held_out)


def _configuration(name: str) -> Mapping[str, Any]:
    """A configuration by name, or the sum of several: "rewording 0.5 + margin 0.7"."""
    return {key: value for part in name.split(" + ") for key, value in CONFIGURATIONS[part].items()}


def compare(asked: argparse.Namespace) -> None:
    """Train everything and print mean and standard deviation of each configuration as soon as its seeds are done."""
    started = time.monotonic()
    found: dict[str, dict[int, float]] = {}
    print(f"Spearman x 100 on new conditions: {asked.pairs} pairs, noise {asked.noise:g}, {asked.epochs} epochs")
    print(f"{'configuration':36}{'mean':>7}{'sd':>6}{'gain':>7}{'sd':>6}{'s each':>8}   by seed", flush=True)
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(trained, task) for task in tasks(asked)]
        spent: dict[str, float] = {}
        for future in as_completed(waiting):
            task, figure, seconds = future.result()
            found.setdefault(task.name, {})[task.seed] = figure
            spent[task.name] = spent.get(task.name, 0.0) + seconds / asked.seeds
            if len(found[task.name]) == asked.seeds:
                show(task.name, found, spent[task.name])
            if time.monotonic() - started > 60 * asked.minutes:
                print(f"stopped after {asked.minutes:g} minutes; unfinished:")
                pool.shutdown(wait=False, cancel_futures=True)
                break
        for name in found:
            if len(found[name]) < asked.seeds:
                show(name, found, spent[name] * asked.seeds / len(found[name]))
    print(f"{time.monotonic() - started:.0f} s in all", flush=True)


def show(name: str, found: Mapping[str, Mapping[int, float]], seconds: float) -> None:
    """Mean and deviation, and those of the differences to the default with the same seeds."""
    own = np.array([found[name][seed] for seed in sorted(found[name])])
    usual = found.get("default", {})
    base = np.array([usual.get(seed, np.nan) for seed in sorted(found[name])])
    gain, spread = (own - base).mean(), (own - base).std(ddof=1) if len(own) > 1 else np.nan
    deviation = own.std(ddof=1) if len(own) > 1 else np.nan
    seeds = " ".join(f"{value:.1f}" for value in own)
    print(f"{name:36}{own.mean():7.1f}{deviation:6.1f}{gain:+7.1f}{spread:6.1f}{seconds:8.1f}   {seeds}", flush=True)


def raters(address: str) -> None:
    """For each answer of one rater, the mean and the standard deviation of another's, in one random order of raters."""
    from similitude.data.addresses import open_benchmark

    ratings = open_benchmark(address).gold.ratings
    values, items = np.asarray(ratings[0]), np.asarray(ratings[1])
    order = np.lexsort((np.random.default_rng(0).random(len(items)), items))
    values, items = values[order], items[order]
    first = np.flatnonzero(np.r_[True, items[1:] != items[:-1]])
    first = first[first + 1 < len(items)]
    first = first[items[first] == items[first + 1]]
    one, other = values[first], values[first + 1]
    print(f"{address}: {len(one):,} items; two raters correlate at {np.corrcoef(one, other)[0, 1]:.3f}")
    print("one answers   items   another: mean   sd")
    for level in np.unique(np.round(one)):
        inside = other[np.round(one) == level]
        print(f"{level:11g}{len(inside):8,}{inside.mean():16.2f}{inside.std():5.2f}")


def start_mps() -> None:
    """Let processes share the GPU, if its daemon can be started; otherwise they take turns."""
    import subprocess

    os.environ["CUDA_MPS_PIPE_DIRECTORY"] = os.environ["CUDA_MPS_LOG_DIRECTORY"] = tempfile.mkdtemp()
    check = "import torch; torch.ones(1, device='cuda').sum().item()"
    try:
        subprocess.run(["nvidia-cuda-mps-control", "-d"], check=True, timeout=20, capture_output=True)
        subprocess.run([sys.executable, "-c", check], check=True, timeout=60, capture_output=True)
        print("processes share the GPU (MPS)", flush=True)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"no MPS: {type(error).__name__}; processes take turns", flush=True)
        if not isinstance(error, OSError):
            stop_mps()
        del os.environ["CUDA_MPS_PIPE_DIRECTORY"], os.environ["CUDA_MPS_LOG_DIRECTORY"]


def stop_mps() -> None:
    import subprocess

    subprocess.run(["nvidia-cuda-mps-control"], input=b"quit\n", check=False, timeout=60, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="a folder with all-MiniLM-L6-v2 or another encoder")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--noise", type=float, default=0.25)
    parser.add_argument("--held-out", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no training after that time")
    parser.add_argument("--workers", type=int, default=1, help="trainings at a time")
    parser.add_argument("--mps", action="store_true", help="start NVIDIA's daemon that lets processes share a GPU")
    parser.add_argument("--only", nargs="*", metavar="NAME", help='configurations, or sums: "dropout 0.1 + margin 0.7"')
    parser.add_argument("--raters", metavar="DATA", help="print how far raters of this data differ, and stop")
    asked = parser.parse_args()
    if asked.raters:
        return raters(asked.raters)
    if not asked.model:
        parser.error("--model is missing")
    if asked.mps:
        start_mps()
    compare(asked)
    if "CUDA_MPS_PIPE_DIRECTORY" in os.environ:
        stop_mps()
    return None


if __name__ == "__main__":
    main()
