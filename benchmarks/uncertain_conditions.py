"""What conditions bring to models of opinions: each model trained with them and without, on the same items.

Without ``--model``: a BERT of one layer and 16 numbers, with random weights, on the made-up opinions of the tests
(``tests/fakes/conditioned_opinions.py``), where the condition decides which of two words counts and how far people
differ. A minute on a CPU.

With ``--model FOLDER``: that model on ``sample:world(pairs=N, raters=8)``, measured on its test split. Minutes on a
GPU.

Run: python benchmarks/uncertain_conditions.py [--model FOLDER] [--pairs 2000] [--epochs N] [--device cpu|cuda]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "fakes"))

import torch
import transformers
from conditioned_opinions import WORDS, conditioned

import similitude as sim
from similitude.data.benchmark import Benchmark

MEASURES = ("pearson", "kl", "sigma-rho")
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


class Task(NamedTuple):
    """A model to start from, items to learn from, to validate on and to measure on, and the hyperparameters."""

    model: Path
    train: Benchmark
    validation: Benchmark
    test: Benchmark
    recipe: dict[str, Any]


def small_task(folder: Path, epochs: int | None) -> Task:
    """A tiny model and made-up opinions."""
    vocabulary = {word: number for number, word in enumerate((*MARKS, *WORDS))}
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), max_position_embeddings=32, initializer_range=0.3, **shape
    )
    transformers.BertModel(config).save_pretrained(folder / "bert")
    transformers.BertTokenizer(vocabulary, model_max_length=32).save_pretrained(folder / "bert")
    recipe = {"epochs": epochs or 8, "batch": 16, "lr": 1e-2, "weight_decay": 0.0}
    return Task(folder / "bert", conditioned(150, 0), conditioned(30, 1), conditioned(50, 2), recipe)


def world_task(model: Path, pairs: int, epochs: int | None) -> Task:
    """A model of the user's and a world with eight raters."""
    world = sim.read(f"sample:world(pairs={pairs}, raters=8)")
    parts = (world.select(split=split) for split in ("train", "validation", "test"))
    return Task(model, *parts, {"epochs": epochs or 3})


def models(task: Task, folder: Path, device: str) -> Iterator[tuple[str, str, sim.Model]]:
    """Each kind of model with conditions and without."""
    shared = {"validation": task.validation, "quiet": True, "device": device}
    for reads in ("all", "sentences"):
        for kind in ("cross", "bi", "joint"):
            options = {"architecture": kind, "dropout": 0.0} if task.test.name == "asked" else {"architecture": kind}
            out = folder / f"{kind}-{reads}"
            trained = sim.train.uncertain(
                task.train, model=task.model, reads=reads, out=out, **shared, **options, **task.recipe
            )
            yield f"`train uncertain --architecture {kind}`", reads, trained
        out, base = folder / f"gpr-{reads}", folder / f"sentences-{reads}"
        sim.train.conditional(
            task.train, model=task.model, reads=reads, objective="mse", out=base, **shared, **task.recipe
        )
        encoder = f"conditional({base}, device={device})"
        process = sim.train.gaussian_process(
            task.train, encoder=encoder, reads=reads, noise="raters", out=out, **shared
        )
        yield "`train gaussian-process` over a bi-encoder trained alike", reads, process


def main() -> None:
    """Print a table in Markdown."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--model", type=Path)
    asked.add_argument("--pairs", type=int, default=2000)
    asked.add_argument("--epochs", type=int)
    asked.add_argument("--device", default="cpu")
    given = asked.parse_args()
    found: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        task = (
            small_task(folder, given.epochs)
            if given.model is None
            else world_task(given.model, given.pairs, given.epochs)
        )
        print(f"{len(task.train):,} items, {len(task.test):,} test items of {task.test.name}, {task.recipe}")
        for name, reads, model in models(task, folder, given.device):
            run = model.evaluate(task.test, MEASURES, resamples=0)
            found.setdefault(name, {})[reads] = [run[model.label, measure].value for measure in MEASURES]
    print("\n| model | r | kl | sigma-rho | without conditions: r | kl | sigma-rho |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, figures in found.items():
        numbers = (f"{value:.2f}" for value in (*figures["all"], *figures["sentences"]))
        print(f"| {name} | {' | '.join(numbers)} |")


if __name__ == "__main__":
    main()
