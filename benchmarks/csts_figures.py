r"""The best that three sizes of models reach on conditioned pairs, C-STS for one: recipes, teaching, and a pool.

::

    python benchmarks/csts_figures.py csts_train.csv csts_validation.csv --small MINILM --base MPNET --large QWEN \
        --layers 18 --device cuda --folder figures
    python benchmarks/csts_figures.py                 # a trial on sample:world with tiny random models, on a CPU

Each model is trained with each recipe on the first file, of which a tenth of the pairs is held out to choose the best
epoch and the best recipe; the second file is scored once by every model. The best recipe of each size is tried again
with labels weighed by how probably they are right (``similitude data suspects``, cross-fitted from the base model).
Then the pool of the chosen ones of each size teaches the smaller ones (``--teacher``), and all are pooled. A recipe is
what ``similitude train conditional`` takes; the options of each row are printed. What is finished stays in the folder,
and the same call goes on: models, scores of the second file (``measured/``), and all figures (``figures.csv``). A
training that fails is told and left out.

Choosing by the second file instead of the held-out tenth would flatter the figures; the column "held out" is what the
choice is made by. The tenth is the same for all models; nothing learns from it, the search for wrong labels included.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import math
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

import similitude as sim
from random_models import make_model, minilm
from similitude.data.benchmark import Benchmark
from similitude.errors import EstimationError, SimilitudeError
from similitude.study.suspects import write_suspects
from similitude.training.sentence_pairs import shared_sentence_pairs
from similitude.training.splits import training_data

Options = dict[str, Any]

TWICE = "Condition: {condition}\nSentence 1: {left}\nSentence 2: {right}\nHow similar under the condition {condition}?"
"""A language model reads forward: so it reads the sentences knowing the condition."""

RECIPES: dict[str, list[Options]] = {
    "small": [
        {},
        {"objective": "mse+difference"},
        {"objective": "mse+difference", "consistency": 1.0},
        {"objective": "mse+difference", "batch": 16},
    ],
    "base": [{}, {"objective": "mse+difference"}, {"objective": "mse+difference", "consistency": 1.0}],
    "large": [
        {"architecture": "cross", "objective": "quad+mse"},
        {"architecture": "cross", "objective": "mse+difference"},
        {"architecture": "cross", "objective": "mse+difference", "template": TWICE},
        {"architecture": "joint", "objective": "mse+difference"},
        {"architecture": "bi", "objective": "mse+difference"},
    ],
}
"""What is tried for each size, beside the defaults; the large model is a language model with adapters."""

OWN = ("objective", "suspects")
"""What a taught model takes from the best recipe of its size."""


class Row(NamedTuple):
    """A model or a pool: its size, how it came about, its system, and its figures."""

    size: str
    recipe: str
    options: Options
    system: str
    held_out: float
    figure: Any


class Ladder:
    """Trains and measures, one model after the other."""

    def __init__(self, asked: argparse.Namespace, folder: Path, train: Benchmark, test: Benchmark) -> None:
        self.asked, self.folder, self.test = asked, folder, test
        self.data = training_data(train)
        self.rows: list[Row] = []
        self.failed: list[str] = []

    def train(self, size: str, options: Options) -> None:
        """One training, and its figure on the items that no choice is made by."""
        words = " ".join(f"--{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in options.items())
        started = time.perf_counter()
        with self.going_on(f"{size} {words or '(defaults)'}"):
            row = self.trained(size, options, words)
            self.show(row, time.perf_counter() - started)
        gc.collect()  # what a model held on the GPU

    @contextmanager
    def going_on(self, what: str) -> Iterator[None]:
        """Tell what failed, whatever it is: the rest can still be tried."""
        try:
            yield
        except Exception as error:
            if not isinstance(error, SimilitudeError):
                traceback.print_exc()
            self.failed.append(what)
            print(f"failed: {on_one_line(f'{what}: {error}')}", flush=True)

    def trained(self, size: str, options: Options, words: str) -> Row:
        """A model and its figures."""
        name = f"{size}-{folder_name(words)}"
        train = partial(
            sim.train.conditional,
            self.data.train,
            validation=self.data.validation,
            model=str(getattr(self.asked, size)),
            out=self.folder / name,
            epochs=self.asked.large_epochs if size == "large" else self.asked.epochs,
            device=self.asked.device,
            quiet=True,
            **options,
        )
        try:
            model = train()
        except EstimationError:  # the same call opens the best epoch before that, if one was finished
            model = train()
        system, figures = model.trained.system, model.trained.figures
        return Row(size, words or "(defaults)", options, system, figures["spearman"], self.measured(system, name))

    def suspects(self, size: str) -> Path:
        """How probably each label is wrong, by models of this size that did not see it."""
        out = self.folder / f"suspects-{size}.csv"
        if not out.exists():
            model, device = str(getattr(self.asked, size)), self.asked.device
            found = sim.suspects(self.data.train, model=model, epochs=self.asked.epochs, device=device, quiet=True)
            write_suspects(found, out)
            print(f"{found.share:.1%} of the labels are probably wrong: {out}", flush=True)
        return out

    def measured(self, system: str, name: str) -> Any:
        """Spearman on the second file, with its interval; the scores stay in the folder."""
        run = sim.run(self.test, [system], ["spearman"], out=self.folder / "measured" / name, quiet=True)
        return run[system, "spearman"]

    def pool(self, name: str, systems: list[str]) -> None:
        """The mean of several systems' scores."""
        started, system = time.perf_counter(), pooled(systems)
        figure = self.measured(system, f"pool-{folder_name(system)}")
        self.show(Row("pool", name, {}, system, math.nan, figure), time.perf_counter() - started)

    def show(self, row: Row, seconds: float) -> None:
        """Print a row, and keep it."""
        held_out = "" if math.isnan(row.held_out) else f"{100 * row.held_out:6.1f}"
        figure = f"{100 * float(row.figure):6.1f}   {row.figure}"
        print(f"{row.size:8}{held_out:>9} {figure:32}{seconds:7.0f} s  {on_one_line(row.recipe)}", flush=True)
        self.rows.append(row)
        table = [(one.size, one.held_out, float(one.figure), one.recipe, one.system) for one in self.rows]
        columns = ["size", "held_out", "measured", "recipe", "system"]
        pl.DataFrame(table, schema=columns, orient="row").write_csv(self.folder / "figures.csv")

    def best(self, size: str) -> Row | None:
        """By the held-out tenth of the training pairs; None if no model of this size has a figure there."""
        known = [row for row in self.rows if row.size == size and not math.isnan(row.held_out)]
        return max(known, key=lambda row: row.held_out, default=None)


def folder_name(words: str) -> str:
    """A folder's name for a recipe."""
    return hashlib.sha256(words.encode()).hexdigest()[:8] if words else "defaults"


def pooled(systems: list[str]) -> str:
    """Their pool; a system alone is itself."""
    return systems[0] if len(systems) == 1 else "pool(" + ", ".join(f'"{each}"' for each in systems) + ")"


def on_one_line(words: str) -> str:
    """A template has several."""
    return words.replace("\n", "\\n")


def climb(ladder: Ladder, sizes: list[str]) -> None:
    """All recipes of all sizes, the largest first; then the smaller ones taught by what is best of the larger."""
    adapted = {"adapters": ladder.asked.adapters, "layers": ladder.asked.layers}
    for size in sizes:
        for options in RECIPES[size]:
            ladder.train(size, {**adapted, **options} if size == "large" else options)
    encoders = [size for size in sizes if size != "large"]
    if encoders:
        with ladder.going_on("suspects"):
            suspects = ladder.suspects(encoders[0])
            for best in [ladder.best(size) for size in sizes]:
                if best is not None:
                    ladder.train(best.size, {**best.options, "suspects": str(suspects)})
    for place, size in enumerate(sizes[1:], 1):
        larger, best = [ladder.best(each) for each in sizes[:place]], ladder.best(size)
        teachers = [each.system for each in larger if each is not None]
        own = {} if best is None else {name: best.options[name] for name in OWN if name in best.options}
        for weight in (0.5, 1.0) if teachers else ():
            ladder.train(size, {**own, "teacher": pooled(teachers), "teacher_weight": weight})
    chosen = [best.system for size in sizes if (best := ladder.best(size)) is not None]
    if len(chosen) > 1:
        ladder.pool("the best of each size", chosen)


def summary(ladder: Ladder, sizes: list[str]) -> None:
    print("\nchosen by the held-out tenth:")
    for size in sizes:
        row = ladder.best(size)
        print(f"  {size:8}" + ("none" if row is None else f"{100 * float(row.figure):6.1f}  {on_one_line(row.recipe)}"))


def world() -> Iterator[Benchmark]:
    made = sim.read("sample:world(pairs=60, held_out=10)")
    yield made.select(split="train")
    yield made.select(split="test")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="?", help="items to learn from")
    parser.add_argument("test", nargs="?", help="items to measure on")
    parser.add_argument("--small", help="such as all-MiniLM-L6-v2")
    parser.add_argument("--base", help="such as all-mpnet-base-v2")
    parser.add_argument("--large", help="such as Qwen/Qwen2.5-1.5B")
    parser.add_argument("--layers", type=int, default=0, help="of the large model; 0 for all")
    parser.add_argument("--adapters", type=int, default=16, help="their rank")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--large-epochs", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        if asked.train is None:
            for size, shape in (("small", "tiny-mpnet"), ("base", "tiny-mpnet"), ("large", "tiny-qwen2")):
                setattr(asked, size, make_model(shape, folder / f"model-{size}", minilm()))
            asked.epochs, asked.adapters = 1, 4
            data = list(world())
        elif asked.test is None:
            parser.error("name the items to measure on, too")
        else:
            data = [sim.read(asked.train), sim.read(asked.test)]
        sizes = [size for size in ("large", "base", "small") if getattr(asked, size)]
        if not sizes:
            parser.error("name a model: --small, --base or --large")
        shared = shared_sentence_pairs(*data)
        if shared:
            print(f"{shared:,} sentence pairs to measure on are among those to learn from: the figures flatter")
        folder.mkdir(parents=True, exist_ok=True)
        ladder = Ladder(asked, folder, *data)
        print(*ladder.data.notes, sep="\n")
        print(f"{'':8}{'held out':>9} {'measured [95 %]':32}{'':9}  similitude train conditional ...")
        climb(ladder, sizes)
        summary(ladder, sizes)
        if ladder.failed:
            sys.exit(f"{len(ladder.failed)} failed; the same call tries them again")


if __name__ == "__main__":
    try:
        main()
    except SimilitudeError as error:
        sys.exit(f"error: {error}")
