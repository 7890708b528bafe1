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

import itertools
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError
from similitude.study.engines import Engine
from similitude.study.score_task import engine_apart
from similitude.study.sweep.plan import SweepPlan, combinations
from similitude.study.sweep.point import FIGURES, SweepPoint, SweepTraining, ZeroShot, torch_threads
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, Encoding, Reads
from similitude.training.splits import TrainingData, training_data

__all__ = ["Sweep", "SweepRow", "read_sweep", "run_sweep"]

ABLATIONS: tuple[Reads, ...] = ("condition", "sentences", "all")


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
    plan: SweepPlan,
    out: str | Path,
    *,
    device: str | None = None,
    listener: Listener | None = None,
    engine: Engine | None = None,
) -> Sweep:
    """Run all trainings of a plan that are not finished yet.

    Args:
        plan: what to train.
        out: the folder; the best models are kept in ``out/models``.
        device: as torch writes it; None for a GPU if there is one.
        listener: is told the progress.
        engine: runs trainings side by side in other processes, which must see the folder; the results are the same.

    Raises:
        RunError: a worker does not see the folder.
    """
    return _SweepRun(plan, Path(out), device, listener, engine_apart(engine)).run()


class _SweepRun:
    def __init__(
        self, plan: SweepPlan, folder: Path, device: str | None, listener: Listener | None, engine: Engine | None
    ) -> None:
        self.plan, self.folder, self.listener, self.engine = plan, folder, listener, engine
        data = open_benchmark(plan.data)
        held_out = None if plan.validation is None else open_benchmark(plan.validation)
        self.data = training_data(data, held_out, seed=plan.seeds[0])
        self.test = _test_items(plan, data, self.data)
        folder.mkdir(parents=True, exist_ok=True)
        if engine is not None:
            engine.check_folder(folder)
        self.training = SweepTraining(plan, self.data, self.test, folder, device)
        self.done = self._results()
        self.kept: set[SweepPoint] = set()

    def run(self) -> Sweep:
        pairs = list(itertools.product(self.plan.models, self.plan.encodings))
        self._run_apart(pairs)
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
                for items in self._sizes
            ),
            is_simulated=self.data.train.is_simulated,
        )

    def _run_apart(self, pairs: Sequence[tuple[str, Encoding]]) -> None:
        """Let workers do all that can be done side by side; what follows then finds every result.

        The grid comes first, since its best points are repeated over seeds. Of each part of the grid, only the model of
        the best point so far is kept on disk.
        """
        if self.engine is None:
            return
        parts: dict[tuple[str, Encoding, Reads], None] = {(model, encoding, "all"): None for model, encoding in pairs}
        for reads in ABLATIONS if self.plan.ablations else ():
            parts[self.plan.models[0], "cross", reads] = None
        grid = {part: self._points(*part) for part in parts}
        zero_shot = [ZeroShot(model) for model in self.plan.models] if self.plan.zero_shot else []
        self._train_apart([*itertools.chain(*grid.values()), *zero_shot], lambda: self._drop_losers(grid.values()))
        chosen = {part: self._best(*part) for part in parts}
        repeated = [point._replace(seed=seed) for point in chosen.values() for seed in self.plan.seeds]
        curves = [
            chosen[self.plan.models[0], encoding, "all"]._replace(items=items, seed=seed)
            for encoding in self.plan.encodings
            for items in self._sizes
            for seed in self.plan.seeds
        ]
        keeps = {point for point in repeated if (point.model, point.encoding) in pairs and point.reads == "all"}
        self._train_apart([*repeated, *curves], lambda: None, keeps)

    def _train_apart(
        self,
        points: Sequence[SweepPoint | ZeroShot],
        after: Callable[[], None],
        keeps: Set[SweepPoint] = frozenset(),
    ) -> None:
        """Run the points that have no result, or no model where one is needed; ``after`` each of them, tidy up."""
        assert self.engine is not None
        missing = [point for point in dict.fromkeys(points) if self._is_missing(point, needs_model=point in keeps)]

        def done(point: SweepPoint | ZeroShot, result: dict[str, Any]) -> None:
            self._remember(point.name, result)
            if isinstance(point, SweepPoint) and point.items is not None:
                self._drop(point)
            after()
            if self.listener is not None:
                number = sum(each.name in self.done for each in missing)
                self.listener.progress(f"trained {point.name}", number, len(missing))

        self.engine.run(replace(self.training, threads=torch_threads()), missing, done)

    def _drop_losers(self, parts: Iterable[Sequence[SweepPoint]]) -> None:
        for points in parts:
            finished = [point for point in points if point.name in self.done]
            for point in finished:
                if point != max(finished, key=lambda each: self.done[each.name]["validation"]):  # the first of equals
                    self._drop(point)

    @property
    def _sizes(self) -> list[int]:
        return [items for items in self.plan.sizes if items < len(self.data.train)]

    def _points(self, model: str, encoding: Encoding, reads: Reads) -> list[SweepPoint]:
        """The points of a part of the grid.

        Raises:
            InputError: there are none.
        """
        seed = self.plan.seeds[0]
        found = [SweepPoint(model, encoding, each, seed, reads) for each in combinations(self.plan.grid, encoding)]
        if not found:
            raise InputError("nothing in the grid can be trained", where=self.plan.name, remedy="add values to [grid]")
        return found

    def _best(self, model: str, encoding: Encoding, reads: Reads = "all") -> SweepPoint:
        """The point of the grid with the best validation, the first of equals."""
        best, *others = self._points(model, encoding, reads)
        for point in others:
            is_better = self._result(point)["validation"] > self._result(best)["validation"]
            self._drop(best if is_better else point)
            best = point if is_better else best
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
        for reads in ABLATIONS:
            yield self._row(self._best(self.plan.models[0], "cross", reads))

    def _zero_shot(self, model: str) -> SweepRow:
        """The cosine of the untrained model, the condition after each sentence (table 2)."""
        point = ZeroShot(model)
        if self._is_missing(point):
            self._remember(point.name, self.training(point))
        found = self.done[point.name]
        figures = {name: (found[name],) for name in FIGURES}
        return SweepRow(model=model, encoding=None, options={}, validation=float("nan"), figures=figures)

    def _result(self, point: SweepPoint, *, needs_model: bool = False) -> dict[str, Any]:
        """The result of a point, as recorded or by training it now."""
        if self._is_missing(point, needs_model=needs_model):
            self._announce(point)
            self._remember(point.name, self.training.train(point, self.listener))
        return self.done[point.name]

    def _is_missing(self, point: SweepPoint | ZeroShot, *, needs_model: bool = False) -> bool:
        """Whether a point has no result, or no model though one is needed."""
        has_model = isinstance(point, SweepPoint) and (self.training.folder_of(point) / ARCHITECTURE_FILE).exists()
        return point.name not in self.done or (needs_model and not has_model)

    def _drop(self, point: SweepPoint) -> None:
        """Delete the model of a point that was not chosen; its figures are kept."""
        if point not in self.kept:
            shutil.rmtree(self.training.folder_of(point), ignore_errors=True)

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
        results = dict(sorted(self.done.items()))  # whatever was finished first
        whole = {"data": self._data_fingerprints(), "recipe": self.plan.recipe, "results": results}
        text = json.dumps(whole, indent=1)
        write_atomically(self.folder / "results.json", lambda path: path.write_text(text, encoding="utf-8"))

    def _data_fingerprints(self) -> list[str]:
        return [part.fingerprint for part in (self.data.train, self.data.validation, self.test)]

    def _announce(self, point: SweepPoint) -> None:
        if self.listener is not None:
            chosen = ", ".join(f"{name} {value}" for name, value in point.options)
            self.listener.note(f"training {point.encoding} from {point.model} ({chosen}; seed {point.seed})")


def _test_items(plan: SweepPlan, data: Benchmark, divided: TrainingData) -> Benchmark:
    """The test items; the validation items if no test items have gold."""
    if plan.test is not None:
        return open_benchmark(plan.test).select(with_gold=True)
    if "test" in data.splits and data.select(split="test").frame["score"].null_count() < len(data):
        return data.select(split="test", with_gold=True)
    return divided.validation
