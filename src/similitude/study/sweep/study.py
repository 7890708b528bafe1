"""Sweeps: a grid of trainings, the best by validation over several seeds, zero-shot, ablations, learning curves.

::

    data = "csts/train.csv"
    validation = "csts/validation.csv"     # default: a split of data, or a tenth of its pairs
    test = "csts/test.csv"                 # default: the validation items
    models = ["all-MiniLM-L6-v2"]
    encodings = ["cross", "bi", "tri"]
    seeds = [0, 1, 2]
    zero_shot = true
    ablations = true
    sizes = [1000, 3000, 7000]             # items of the learning curves

    [recipe]                               # of all trainings
    epochs = 3

    [grid]                                 # every combination is trained once
    lr = [1e-5, 3e-5]
    objective = ["mse", "quad", "quad+mse"]

Paths are relative to the file. Every finished training is recorded, so an interrupted sweep resumes.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError
from similitude.stats import pearson, spearman
from similitude.study.sweep.plan import SweepPlan, combinations
from similitude.systems import make_system
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, Architecture, Encoding, Reads
from similitude.systems.scores import score_items
from similitude.training import Recipe, Teachers, make_objective
from similitude.training.splits import TrainingData, subsample_pairs, training_data
from similitude.training.train import SimilarityRequest, train_model

__all__ = ["Sweep", "SweepPoint", "SweepRow", "read_sweep", "run_sweep"]

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


@dataclass(frozen=True, kw_only=True)
class SweepRow:
    """One row of a table of results.

    Attributes:
        model: the backbone.
        encoding: of the trained model; None for zero-shot.
        reads: the parts of an item that were read.
        options: the best on the validation items.
        validation: Spearman on them, of the first seed.
        figures: spearman and pearson on the test items, one value per seed.
        items: the number learned from.
    """

    model: str
    encoding: str | None
    reads: str = "all"
    options: dict[str, Any]
    validation: float
    figures: Mapping[str, tuple[float, ...]]
    items: int = 0

    def mean(self, figure: str) -> float:
        """The mean over seeds."""
        return float(np.mean(self.figures[figure]))

    def deviation(self, figure: str) -> float:
        """The standard deviation over seeds (ddof 1); nan for one seed."""
        values = self.figures[figure]
        return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        values = {**self.__dict__, "figures": {name: list(values) for name, values in self.figures.items()}}
        return json.loads(json.dumps(values).replace("NaN", "null"))  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A finished sweep: tables 3, 2 and 10 and figure 3 of the C-STS paper, for any models and data."""

    name: str
    folder: Path
    judged_on: str
    trained: tuple[SweepRow, ...]
    zero_shot: tuple[SweepRow, ...]
    ablations: tuple[SweepRow, ...]
    curves: tuple[SweepRow, ...]
    is_simulated: bool = False

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        parts = ("trained", "zero_shot", "ablations", "curves")
        rows = {part: [row.record() for row in getattr(self, part)] for part in parts}
        return {"name": self.name, "judged_on": self.judged_on, **rows}


def read_sweep(path: str | Path) -> SweepPlan:
    """Read a plan from a file.

    Raises:
        InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
    """
    return SweepPlan.read(Path(path))


def run_sweep(
    plan: SweepPlan, out: str | Path, *, device: str | None = None, listener: Listener | None = None
) -> Sweep:
    """Run all trainings of a plan that are not finished yet.

    Args:
        plan: what to train.
        out: the folder; the best models are kept in ``out/models``.
        device: as torch writes it; None for a GPU if there is one.
        listener: is told the progress.
    """
    return _SweepRun(plan, Path(out), device, listener).run()


class _SweepRun:
    def __init__(self, plan: SweepPlan, folder: Path, device: str | None, listener: Listener | None) -> None:
        self.plan, self.folder, self.device, self.listener = plan, folder, device, listener
        data = open_benchmark(plan.data)
        held_out = None if plan.validation is None else open_benchmark(plan.validation)
        self.data = training_data(data, held_out, seed=plan.seeds[0])
        self.test = self._test_items(data)
        folder.mkdir(parents=True, exist_ok=True)
        self.done = self._results()
        self.kept: set[SweepPoint] = set()

    def run(self) -> Sweep:
        pairs = list(itertools.product(self.plan.models, self.plan.encodings))
        chosen = {(model, encoding): self._best(model, encoding) for model, encoding in pairs}
        trained = tuple(self._row(point, keeps=True) for point in chosen.values())
        return Sweep(
            name=self.plan.name,
            folder=self.folder,
            judged_on=f"{len(self.test):,} items of '{self.test.name}'",
            trained=trained,
            zero_shot=tuple(map(self._zero_shot, self.plan.models)) if self.plan.zero_shot else (),
            ablations=tuple(self._ablations()) if self.plan.ablations else (),
            curves=tuple(
                self._row(chosen[self.plan.models[0], encoding]._replace(items=items))
                for encoding in self.plan.encodings
                for items in self.plan.sizes
                if items < len(self.data.train)
            ),
            is_simulated=self.data.train.is_simulated,
        )

    def _test_items(self, data: Benchmark) -> Benchmark:
        """The test items; the validation items if no test items have gold."""
        if self.plan.test is not None:
            return open_benchmark(self.plan.test).select(with_gold=True)
        if "test" in data.splits and data.select(split="test").frame["score"].null_count() < len(data):
            return data.select(split="test", with_gold=True)
        return self.data.validation

    def _best(self, model: str, encoding: Encoding, reads: Reads = "all") -> SweepPoint:
        """The point of the grid with the best validation, the first of equals."""
        best: SweepPoint | None = None
        for options in combinations(self.plan.grid, encoding):
            point = SweepPoint(model, encoding, options, self.plan.seeds[0], reads)
            is_better = best is None or self._result(point)["validation"] > self._result(best)["validation"]
            loser = best if is_better else point
            if loser is not None:
                self._drop(loser)
            best = point if is_better else best
        if best is None:
            raise InputError("nothing in the grid can be trained", where=self.plan.name, remedy="add values to [grid]")
        return best

    def _row(self, point: SweepPoint, *, keeps: bool = False) -> SweepRow:
        """The row of a chosen point over all seeds; its models are kept on request only."""
        points = [point._replace(seed=seed) for seed in self.plan.seeds]
        results = [self._result(one, needs_model=keeps) for one in points]
        self.kept |= set(points) if keeps else set()
        for one in points:
            self._drop(one)
        return SweepRow(
            model=point.model,
            encoding=point.encoding,
            reads=point.reads,
            options=dict(point.options),
            validation=results[0]["validation"],
            figures={name: tuple(result[name] for result in results) for name in FIGURES},
            items=results[0]["items"],
        )

    def _ablations(self) -> Iterator[SweepRow]:
        """Cross-encoders of the first model that read all, the condition alone, the sentences alone (table 10)."""
        parts: tuple[Reads, ...] = ("condition", "sentences", "all")
        for reads in parts:
            yield self._row(self._best(self.plan.models[0], "cross", reads))

    def _zero_shot(self, model: str) -> SweepRow:
        """The cosine of the untrained model, the condition after each sentence (table 2)."""
        key = f"zero-shot {model}"
        if key not in self.done:
            self._remember(key, self._figures(f"encoder('{model}', condition=append{self._on_device()})"))
        found = self.done[key]
        figures = {name: (found[name],) for name in FIGURES}
        return SweepRow(model=model, encoding=None, options={}, validation=float("nan"), figures=figures)

    def _result(self, point: SweepPoint, *, needs_model: bool = False) -> dict[str, Any]:
        """The result of a point, as recorded or by training it now."""
        folder = self._folder(point)
        if point.name not in self.done or (needs_model and not (folder / ARCHITECTURE_FILE).exists()):
            self._announce(point)
            items = subsample_pairs(self.data.train, point.items, point.seed) if point.items else self.data.train
            data = TrainingData(items, self.data.validation)
            validation = train_model(data, self._request(point), folder, self.listener).figures["spearman"]
            result = {
                "point": point._asdict(),
                "items": len(items),
                "validation": -2.0 if np.isnan(validation) else validation,  # worse than any
                **self._figures(f"conditional('{folder}'{self._on_device()})"),
            }
            self._remember(point.name, result)
        return self.done[point.name]

    def _folder(self, point: SweepPoint) -> Path:
        return self.folder / "models" / point.name

    def _drop(self, point: SweepPoint) -> None:
        """Delete the model of a point that was not chosen; its figures are kept."""
        if point not in self.kept:
            shutil.rmtree(self._folder(point), ignore_errors=True)

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

    def _figures(self, system: str) -> dict[str, float]:
        predictions, _ = score_items(make_system(system), self.test.items, np.random.default_rng(0))
        gold = self.test.gold.scores
        return {
            "spearman": float(spearman(predictions.scores, gold)),
            "pearson": float(pearson(predictions.scores, gold)),
        }

    def _results(self) -> dict[str, dict[str, Any]]:
        """The recorded results on the same items.

        Raises:
            InputError: the folder holds another sweep.
        """
        path = self.folder / "results.json"
        if not path.is_file():
            return {}
        saved = json.loads(path.read_text(encoding="utf-8"))
        if saved["data"] != self._data_fingerprints() or saved["recipe"] != json.loads(json.dumps(self.plan.recipe)):
            raise InputError(
                "holds a sweep on other items or with another recipe",
                where=str(self.folder),
                remedy="choose another --folder",
            )
        return dict(saved["results"])

    def _remember(self, name: str, result: dict[str, Any]) -> None:
        self.done[name] = result
        whole = {"data": self._data_fingerprints(), "recipe": self.plan.recipe, "results": self.done}
        text = json.dumps(whole, indent=1)
        write_atomically(self.folder / "results.json", lambda path: path.write_text(text, encoding="utf-8"))

    def _data_fingerprints(self) -> list[str]:
        return [part.fingerprint for part in (self.data.train, self.data.validation, self.test)]

    def _announce(self, point: SweepPoint) -> None:
        if self.listener is not None:
            chosen = ", ".join(f"{name} {value}" for name, value in point.options)
            self.listener.note(f"training {point.encoding} from {point.model} ({chosen}; seed {point.seed})")
