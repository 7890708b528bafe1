"""Does a large teacher help a small student? ``python benchmarks/conditional_teaching.py --model A --teacher-model B``.

The data are noisy labels of ``sample:world``: 1,500 pairs, each under two conditions; three quarters of the test items
have objects or conditions that training has not. The teacher is an ensemble of models over its encoder, each trained
on the noisy labels with another seed and with as many steps as the longest student; its score is their mean. (Joint
models of MiniLM learn nothing from so few labels: ``--architecture``.) The student is one bi-encoder over its encoder,
with the default recipe. Each way to learn is repeated with several seeds, which shape the new items as well; the best
epoch is chosen by validation. The figure is Spearman's correlation (x 100) with the labels of the test split, over all
items and in each regime, and over all items with the labels before the rater's slips.

With ``--folder`` everything is kept there, and the same command goes on where it was stopped.

Ways to learn: from gold alone, with the usual steps and with as many as the longest taught training has; from gold
blended with the teacher's scores of the same items; with new conditions for rated pairs, with new pairs for known
conditions, and with both. The last ways vary the weights. After ``--minutes`` no training is begun.

Weights in half precision become float32. The teacher scores all items of a seed once; students look its scores up. New
items are made beforehand if a machine lacks the built-in encoder::

    python benchmarks/conditional_teaching.py --pack build/teaching        # here
    python benchmarks/conditional_teaching.py --packed build/teaching ...  # there
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from unittest.mock import MagicMock

import numpy as np
import polars as pl
from scipy.stats import spearmanr

if find_spec("rapidfuzz") is None:  # imported with the catalogue of systems; nothing here measures strings
    sys.modules |= {"rapidfuzz": MagicMock(), "rapidfuzz.distance": MagicMock()}

from conditional_augmentation import start_mps, stop_mps
from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec, spec_of
from similitude.samples.world import REGIMES, make_world
from similitude.systems import SYSTEMS, make_system
from similitude.training.conditional.borrowed_conditions import borrowed_conditions
from similitude.training.conditional.conditioned_pairs import conditioned_pairs
from similitude.training.kinds import prepared_training
from similitude.training.splits import SeveralData

NAMES = ("all items", "truth", *REGIMES)
TABLE = "scores.parquet"


class Way(NamedTuple):
    """A way to learn: keywords, and which new items a teacher labels, by what their ids begin with."""

    name: str
    keywords: dict[str, Any]
    new: tuple[str, ...] = ()

    @property
    def is_taught(self) -> bool:
        """Whether there is a teacher."""
        return "teacher_weight" in self.keywords


class Task(NamedTuple):
    """A training of a student."""

    way: Way
    seed: int
    asked: argparse.Namespace
    folder: Path
    end: float


class Measured(NamedTuple):
    """What a trained student reached."""

    name: str
    seed: int
    figures: list[float]
    steps: int
    seconds: float


@dataclass(frozen=True)
class SavedScores:
    """A teacher whose scores were computed before, by texts and condition.

    Args:
        path: of the table.
    """

    name: ClassVar[str] = "saved-scores"
    summary: ClassVar[str] = "scores that were computed before"
    reads: ClassVar[frozenset[str]] = frozenset({"condition"})
    range: ClassVar[Scale] = Scale(low=0, high=1)

    path: str

    @property
    def identity(self) -> Spec:
        """Name and table."""
        return spec_of(self, self.name)

    def score(self, items: Items) -> Predictions:
        """The saved score of each item."""
        key = ["left", "right", "condition"]
        known = pl.read_parquet(self.path).unique(subset=key, keep="first")
        found = items.frame.select(key).join(known, on=key, how="left", maintain_order="left")
        return Predictions(found["score"].to_numpy())


def say(text: str = "") -> None:
    print(text, flush=True)


def row(name: str, figures: list[float], rest: str = "") -> str:
    return f"{name:36}" + "".join(f"{figure:15.1f}" for figure in figures) + f"  {rest}"


def world(asked: argparse.Namespace, noise: float) -> Benchmark:
    return make_world(asked.pairs, held_out=asked.held_out, noise=noise)


def spearman(scores: np.ndarray, gold: np.ndarray) -> float:
    return 100 * float(spearmanr(scores, gold).statistic)


def test_items(asked: argparse.Namespace) -> Benchmark:
    return world(asked, asked.noise).select(split="test")


def test_figures(asked: argparse.Namespace, scores: np.ndarray) -> list[float]:
    """Against labels, against the truth, and against labels in each regime."""
    test = test_items(asked)
    truth = test.frame.join(world(asked, 0.0).frame.select("id", truth="score"), on="id", maintain_order="left")
    gold, regimes = test.gold.scores, test.frame["source"]
    inside = [(regimes == name).to_numpy() for name in REGIMES]
    parts = [spearman(scores[part], gold[part]) for part in inside]
    return [spearman(scores, gold), spearman(scores, truth["truth"].to_numpy()), *parts]


def train(asked: argparse.Namespace, folder: Path, model: Path, **keywords: Any) -> Any:
    data = world(asked, asked.noise)
    parts = SeveralData((data.select(split="train"),), (data.select(split="validation"),))
    on = {} if asked.device is None else {"device": asked.device}
    trained = prepared_training("conditional", {"model": str(model), **keywords, **on}).train(parts, folder, None, None)
    for note in trained.notes if asked.notes else ():
        say(f"  note: {note}")
    return trained


def new_items(asked: argparse.Namespace, seed: int) -> pl.DataFrame:
    """New conditions for rated pairs and new pairs for known conditions."""
    return pl.read_parquet(asked.packed / f"items-{asked.pairs}-{seed}.parquet")


def pack(asked: argparse.Namespace, folder: Path) -> None:
    """Make new items as ``--teacher`` does, and save them."""
    folder.mkdir(parents=True, exist_ok=True)
    data = world(asked, asked.noise)
    rated, held_out = data.select(split="train").items, data.select(split="validation").items
    for seed in range(asked.seeds):
        rng = np.random.default_rng(seed)
        borrowed = borrowed_conditions(rated, asked.conditions * len(rated), rng=rng, never=held_out)
        pairs = conditioned_pairs(rated, asked.new_pairs * len(rated), rng=rng, never=held_out)
        both = pl.concat([borrowed.frame, pairs.frame]).select("id", "left", "right", "condition", "group")
        both.write_parquet(folder / f"items-{asked.pairs}-{seed}.parquet", compression_level=15)


def teach(number: int, asked: argparse.Namespace, folder: Path) -> tuple[list[float], float]:
    """Train one member of the teacher, save its scores of all items, and say what it reaches."""
    start = time.perf_counter()
    recipe = {
        "epochs": asked.teacher_epochs or longest(asked),
        "architecture": asked.architecture,
        "seed": 100 + number,
    }
    trained = train(asked, folder / f"teacher-{number}", asked.teacher_model, **recipe)
    system = make_system(trained.system)
    rated = world(asked, asked.noise).select(split="train").items.frame
    seeds = [new_items(asked, seed) for seed in range(asked.seeds)]
    key = ["left", "right", "condition"]
    everything = pl.concat([part.select(key) for part in (rated, *seeds)]).unique(maintain_order=True)
    items = Benchmark.from_columns("all", **everything.to_dict(as_series=False)).items
    scored = everything.with_columns(score=pl.Series(np.clip(system.score(items).scores, 0, 1)))
    scored.write_parquet(folder / f"scores-{number}.parquet")
    scores = system.score(test_items(asked).items).scores
    np.save(folder / f"test-{number}.npy", scores)
    return test_figures(asked, scores), time.perf_counter() - start


def join_teachers(asked: argparse.Namespace, folder: Path) -> np.ndarray:
    """Save the mean of all members' scores; returns that of the test items."""
    parts = [pl.read_parquet(folder / f"scores-{number}.parquet") for number in range(asked.teachers)]
    mean = np.mean([part["score"].to_numpy() for part in parts], axis=0)
    parts[0].with_columns(score=pl.Series(mean)).write_parquet(folder / TABLE)
    return np.mean([np.load(folder / f"test-{number}.npy") for number in range(asked.teachers)], axis=0)


def learn(task: Task) -> Measured | None:
    """Train and measure a student; None if it is too late to begin."""
    if time.time() > task.end:
        return None
    SYSTEMS._makers[SavedScores.name] = SavedScores
    start, (name, keywords, new) = time.perf_counter(), task.way
    folder = task.folder / f"{name}-{task.seed}".replace(" ", "-").replace(",", "")
    taught: dict[str, Any] = {}
    if task.way.is_taught:
        items = new_items(task.asked, task.seed) if new else None
        kept = None if items is None else items.filter(pl.col("id").str.contains(f"^({'|'.join(new)})-"))
        teacher = f"{SavedScores.name}({task.folder / TABLE})"
        taught = {"teacher": teacher, "new_conditions": 0, "new_pairs": 0, "unlabelled": kept}
    trained = train(task.asked, folder, task.asked.model, seed=task.seed, **keywords, **taught)
    steps = sum(1 for _ in (folder / "runs" / f"losses-{task.seed}.csv").open()) - 1
    scores = make_system(trained.system).score(test_items(task.asked).items).scores
    return Measured(name, task.seed, test_figures(task.asked, scores), steps, time.perf_counter() - start)


def longest(asked: argparse.Namespace) -> int:
    """The epochs over rated items alone that have as many steps as those over all items."""
    return int(asked.epochs * (1 + asked.conditions + 2 * asked.new_pairs))


def ways(asked: argparse.Namespace) -> Iterator[Way]:
    each, both = asked.epochs, ("borrowed", "pair")
    yield Way("untaught", {"epochs": each})
    yield Way("untaught, as many steps as all", {"epochs": longest(asked)})
    for name, new, weights in (
        ("taught on rated items", (), (0.5, 1.0)),
        ("+ new conditions", both[:1], (0.5, 1.0)),
        ("+ new pairs", both[1:], (0.5, 1.0)),
        ("all", both, (0.5, 1.0)),
        ("all, gold alone on rated items", both, (0.0, 1.0)),
        ("all, teacher alone on rated items", both, (1.0, 1.0)),
        ("all, a label weighs 0.3", both, (0.5, 0.3)),
    ):
        yield Way(name, {"epochs": each, "teacher_weight": weights[0], "taught_weight": weights[1]}, new)


def summary(found: list[Measured]) -> None:
    say("\n" + f"{'mean ± deviation of seeds':36}" + "".join(f"{name:>15}" for name in NAMES) + "   seeds   steps")
    for name in dict.fromkeys(one.name for one in found):
        several = [one for one in found if one.name == name]
        values = np.array([one.figures for one in several])
        spread = values.std(axis=0, ddof=1) if len(several) > 1 else np.full(len(NAMES), np.nan)
        cells = "".join(f"{mean:8.1f} ± {sd:4.1f}" for mean, sd in zip(values.mean(axis=0), spread, strict=True))
        say(f"{name:36}{cells}{len(several):8}{several[0].steps:8,}")
    say()


def compare(asked: argparse.Namespace, folder: Path) -> None:
    start, end = time.perf_counter(), time.time() + 60 * asked.minutes
    if asked.packed is None:
        asked.packed = folder / "items"
        pack(asked, asked.packed)
    say(f"{'Spearman x 100 on test items':36}" + "".join(f"{name:>15}" for name in NAMES))
    tasks = [Task(way, seed, asked, folder, end) for seed in range(asked.seeds) for way in ways(asked)]
    tasks.sort(key=lambda task: "," in task.way.name and task.way.is_taught)  # variants of the weights last
    found: list[Measured] = []

    def keep(done: Measured | None) -> None:
        if done is not None:
            found.append(done)
            say(row(f"{done.name} ({done.seed})", done.figures, f"{done.steps:6,} steps {done.seconds:4.0f} s"))

    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        members = [pool.apply_async(teach, (number, asked, folder)) for number in range(asked.teachers)]
        running = [pool.apply_async(learn, (task,), callback=keep) for task in tasks if not task.way.is_taught]
        for number, member in enumerate(members):
            figures, seconds = member.get()
            say(row(f"member {number} of the teacher", figures, f"{seconds:4.0f} s"))
        scores = join_teachers(asked, folder)
        say(row(f"the teacher: {asked.teachers} x {asked.architecture}", test_figures(asked, scores)))
        running += [pool.apply_async(learn, (task,), callback=keep) for task in tasks if task.way.is_taught]
        for task in running:
            task.get()
    say(f"{len(tasks) - len(found)} trainings were not begun; {time.perf_counter() - start:.0f} s in all")
    order = {way.name: place for place, way in enumerate(ways(asked))}
    summary(sorted(found, key=lambda one: order[one.name]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="the student's encoder")
    parser.add_argument("--teacher-model", type=Path, help="the teacher's encoder")
    parser.add_argument("--architecture", default="bi", help="of the teacher")
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--held-out", type=int, default=200, help="pairs in each regime of validation and of test")
    parser.add_argument("--noise", type=float, default=0.25)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--teacher-epochs", type=int, help="by default as many steps as the longest student")
    parser.add_argument("--folder", type=Path, help="keep everything here")
    parser.add_argument("--teachers", type=int, default=4, help="members of the teacher")
    parser.add_argument("--conditions", type=int, default=4, help="new conditions for each item")
    parser.add_argument("--new-pairs", type=int, default=2, help="new pairs for each item, under two conditions each")
    parser.add_argument("--workers", type=int, default=1, help="trainings at a time")
    parser.add_argument("--mps", action="store_true", help="start NVIDIA's daemon that lets processes share a GPU")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no training after this time")
    parser.add_argument("--device", default=None)
    parser.add_argument("--notes", action="store_true", help="print the notes of trainings")
    parser.add_argument("--pack", type=Path, help="write new items to this folder and stop")
    parser.add_argument("--packed", type=Path, help="read new items from this folder")
    asked = parser.parse_args()
    if asked.pack:
        return pack(asked, asked.pack)
    if not asked.model or not asked.teacher_model:
        parser.error("--model and --teacher-model are missing")
    if asked.mps:
        start_mps()
    with tempfile.TemporaryDirectory() as folder:
        compare(asked, asked.folder or Path(folder))
    if asked.mps:
        stop_mps()
    return None


if __name__ == "__main__":
    main()
