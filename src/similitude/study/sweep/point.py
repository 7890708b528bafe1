"""One training of a sweep: from a point of the grid to figures, here or on a worker."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.errors import MissingExtraError
from similitude.stats import pearson, spearman
from similitude.study.sweep.plan import SweepPlan
from similitude.systems import make_system
from similitude.systems.conditional.architecture import Architecture, Encoding, Reads
from similitude.systems.scores import score_items
from similitude.training import Recipe, Teachers, make_objective
from similitude.training.splits import TrainingData, subsample_pairs
from similitude.training.train import SimilarityRequest, train_model

__all__ = ["FIGURES", "SweepPoint", "SweepTraining", "ZeroShot", "torch_threads"]

FIGURES = ("spearman", "pearson")


class SweepPoint(NamedTuple):
    """One training of a sweep.

    Attributes:
        model: the backbone.
        encoding: cross, bi or tri.
        options: the values from the grid, by name.
        seed: of the training.
        reads: the parts of an item that are read.
        items: the number to learn from; None for all.
    """

    model: str
    encoding: Encoding
    options: tuple[tuple[str, Any], ...]
    seed: int
    reads: Reads = "all"
    items: int | None = None

    @property
    def name(self) -> str:
        """A readable name, unique to the point."""
        digest = hashlib.sha256(json.dumps(self, default=str).encode()).hexdigest()[:10]
        return f"{self.encoding}-{self.reads}-{self.seed}-{digest}"


class ZeroShot(NamedTuple):
    """A model that is not trained, with the condition after each sentence."""

    model: str

    @property
    def name(self) -> str:
        """Under which its result is recorded."""
        return f"zero-shot {self.model}"


@dataclass(frozen=True)
class SweepTraining:
    """Trains the points of a plan, each in a folder of its own, and measures them.

    Attributes:
        data: to learn from, and to choose by.
        test: the items on which figures are measured.
        folder: of the sweep.
        device: as torch writes it; None for a GPU if there is one.
        threads: of torch; None leaves them alone. Training on another number may change the last bits.
    """

    plan: SweepPlan
    data: TrainingData
    test: Benchmark
    folder: Path
    device: str | None
    threads: int | None = None

    def __call__(self, point: SweepPoint | ZeroShot) -> dict[str, Any]:
        """The result of a point."""
        if self.threads is not None:
            import torch

            torch.set_num_threads(self.threads)
        if isinstance(point, ZeroShot):
            return self.figures(f"encoder('{point.model}', condition=append{self._on_device()})")
        return self.train(point, None)

    def train(self, point: SweepPoint, listener: Listener | None) -> dict[str, Any]:
        """Train a point and measure it; its model stays in its folder."""
        folder = self.folder_of(point)
        items = subsample_pairs(self.data.train, point.items, point.seed) if point.items else self.data.train
        data = TrainingData(items, self.data.validation)
        validation = train_model(data, self._request(point), folder, listener).figures["spearman"]
        return {
            "point": point._asdict(),
            "items": len(items),
            "validation": -2.0 if np.isnan(validation) else validation,  # worse than any
            **self.figures(f"conditional('{folder}'{self._on_device()})"),
        }

    def folder_of(self, point: SweepPoint) -> Path:
        """Where the model of a point is, or will be."""
        return self.folder / "models" / point.name

    def figures(self, system: str) -> dict[str, float]:
        """Spearman and Pearson correlation of a system on the test items."""
        predictions, _ = score_items(make_system(system), self.test.items, np.random.default_rng(0))
        gold = self.test.gold.scores
        return {
            "spearman": float(spearman(predictions.scores, gold)),
            "pearson": float(pearson(predictions.scores, gold)),
        }

    def _on_device(self) -> str:
        return f", device={self.device}" if self.device else ""

    def _request(self, point: SweepPoint) -> SimilarityRequest:
        options = {**self.plan.recipe, **dict(point.options)}
        shape = {name: options.pop(name) for name in ("mlp", "combination", "place") if name in options}
        aim = {name: options.pop(name) for name in ("quad_weight", "margin") if name in options}
        default = "mse" if point.encoding == "cross" else "quad+mse"
        objective = make_objective(options.pop("objective", default), **aim)
        pooling = options.pop("pooling", "auto")
        teachers, weight = options.pop("teachers", 0), options.pop("teacher_weight", 0.5)
        return SimilarityRequest(
            model=point.model,
            architecture=Architecture(encoding=point.encoding, reads=point.reads, **shape),
            pooling=pooling,
            objective=objective,
            recipe=Recipe(**options, seed=point.seed),
            teachers=Teachers(count=teachers, weight=weight) if teachers else Teachers(),
            device=self.device,
        )


def torch_threads() -> int:
    """The number of threads on which torch computes in this process.

    Raises:
        MissingExtraError: torch is not installed.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtraError("torch", "encoders") from None
    return int(torch.get_num_threads())
