"""Train a conditional bi-encoder on a GPU: our loop against a plain transformers Trainer, in one process.

Both sides use the same model, data, objective, batch, epochs, rates and precision, and both tokenise beforehand. The
Trainer pads each batch to its longest text in the order of its sampler, as usual. The script prints examples per
second, the quality on held-out items, and where our time goes. Tokenisation and data are timed by the clock; forward,
backward and optimiser are timed by steps that leave one of them out.

Run: python benchmarks/conditional_training.py --model FOLDER [--rows rows.json] [--epochs 5] [--batch 32]

``--rows`` names a file of {"train": [[left, right, condition, gold], ...], "validation": ...}, with gold in 0..1 and
the items of a pair adjacent. ``--write-rows`` makes one from ``sample:world`` in the shape of C-STS (11,200 and 2,800
items).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.token_table import TokenTable
from similitude.models.files import ModelFiles
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_item
from similitude.systems.conditional.loader import open_network
from similitude.systems.conditional.network import ConditionalNetwork
from similitude.training.batches import Batcher
from similitude.training.conditional.validation import validator
from similitude.training.loop import train
from similitude.training.objectives import MseQuad, Objective
from similitude.training.optimiser import Optimiser
from similitude.training.progress import TrainingProgress
from similitude.training.recipe import Recipe
from similitude.training.stepper import Piece, Stepper, product_dtype
from similitude.training.training_setup import TrainingSetup

TRAINING_PAIRS, HELD_OUT_PAIRS = 5600, 350
SAME = {"layer_decay": 1.0, "average": 0.0}
"""What the Trainer does not have, switched off."""


class Rows(NamedTuple):
    """Texts by part, and gold."""

    texts: list[Any]
    where: np.ndarray
    gold: np.ndarray


class NoShelf:
    """Keeps nothing but the figures."""

    def load(self) -> TrainingProgress | None:
        """Never anything."""
        return None

    def save(self, progress: TrainingProgress) -> None:
        """Nothing."""

    def keep_best(self, weights: dict[str, Any]) -> None:
        """Nothing."""

    def tell(self, progress: TrainingProgress) -> None:
        """Nothing."""


def write_rows(path: Path) -> None:
    from similitude.samples.world import make_world
    from similitude.training import examples_of

    world = make_world(pairs=TRAINING_PAIRS, held_out=HELD_OUT_PAIRS)
    parts = {name: examples_of(world.select(split=name), in_pairs=True) for name in ("train", "validation")}
    told = {
        name: [
            [item.left, item.right, item.condition, float(gold)]
            for item, gold in zip(part.benchmark.items, part.gold, strict=True)
        ]
        for name, part in parts.items()
    }
    path.write_text(json.dumps(told), encoding="utf-8")


def read_rows(path: Path, architecture: Architecture) -> dict[str, Rows]:
    found = {}
    for name, rows in json.loads(path.read_text(encoding="utf-8")).items():
        seen: dict[Any, int] = {}
        where = [
            [seen.setdefault(text, len(seen)) for text in read_item(architecture, left, right, condition)]
            for left, right, condition, _ in rows
        ]
        found[name] = Rows(list(seen), np.array(where), np.array([row[3] for row in rows], np.float32))
    return found


def our_course(opened: Any, rows: dict[str, Rows], recipe: Recipe, objective: Objective) -> TrainingSetup:
    device = next(opened.network.parameters()).device
    table = TokenTable(opened.reader, rows["train"].texts, device)
    judged = TokenTable(opened.reader, rows["validation"].texts, device)
    where = rows["train"].where
    return TrainingSetup(
        network=opened.network,
        table=table,
        rows=torch.from_numpy(where).to(device),
        gold=torch.from_numpy(rows["train"].gold).to(device),
        objective=objective,
        batcher=Batcher(
            lengths=table.lengths[where].max(axis=1),
            unit=2,
            batch=recipe.batch,
            rows=where.shape[1],
            grid=8 if device.type == "cuda" else 1,
            longest=opened.reader.longest,
            seed=recipe.seed,
        ),
        validate=validator(
            judged, rows["validation"].where, rows["validation"].gold, product_dtype(recipe.precision, device)
        ),
    )


def ours(model: Path, rows: dict[str, Rows], recipe: Recipe, objective: Objective, device: str) -> dict[str, float]:
    torch.manual_seed(recipe.seed)
    opened = open_network(LoadOptions(ModelFiles(str(model)), device, "float32"), Architecture())
    started = time.perf_counter()
    course = our_course(opened, rows, recipe, objective)
    tokenising = time.perf_counter() - started
    progress = train(course, recipe, NoShelf())
    training = sum(epoch.training_seconds for epoch in progress.history)
    best = max(epoch.figure for epoch in progress.history)
    return {
        "tokenising": tokenising,
        "training": training,
        "rate": recipe.epochs * len(course.gold) / training,
        "spearman": progress.history[-1].figure,
        "best": best,
        "validating": sum(epoch.validation_seconds for epoch in progress.history),
        "last_epoch_rate": len(course.gold) / progress.history[-1].training_seconds,
    }


class Siamese(nn.Module):
    """What a user of the Trainer writes: two passes, a cosine, MSE and the hinge of a pair's two conditions."""

    def __init__(self, network: ConditionalNetwork, objective: Objective) -> None:
        super().__init__()
        self.network, self.objective = network, objective

    def forward(self, labels: torch.Tensor, **columns: torch.Tensor) -> dict[str, torch.Tensor]:
        """Loss and scores."""
        sides = [
            self.network.embed({name[2:]: value for name, value in columns.items() if name.startswith(side)})
            for side in ("a_", "b_")
        ]
        scores = torch.cosine_similarity(*sides)
        return {"loss": self.objective(scores, labels), "logits": scores}


class PairsOfItems(torch.utils.data.Dataset):
    """Two items of one sentence pair at a time, tokenised beforehand."""

    def __init__(self, tokenizer: Any, rows: Rows) -> None:
        first, second = zip(*rows.texts, strict=True)
        self.tokens = tokenizer(list(first), list(second))
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows.gold) // 2

    def __getitem__(self, place: int) -> list[dict[str, Any]]:
        return [self.item(2 * place), self.item(2 * place + 1)]

    def item(self, place: int) -> dict[str, Any]:
        """Both sides' tokens and the label."""
        left, right = self.rows.where[place]
        sides = {"a": left, "b": right}
        return {
            "label": self.rows.gold[place],
            **{side: {name: values[text] for name, values in self.tokens.items()} for side, text in sides.items()},
        }


def theirs(
    model: Path, rows: dict[str, Rows], recipe: Recipe, objective: Objective, device: str, folder: Path
) -> dict[str, float]:
    from transformers import Trainer, TrainingArguments

    torch.manual_seed(recipe.seed)
    opened = open_network(LoadOptions(ModelFiles(str(model)), device, "float32"), Architecture())
    tokenizer = opened.backbone.tokenizer
    started = time.perf_counter()
    data = PairsOfItems(tokenizer, rows["train"])
    tokenising = time.perf_counter() - started

    def collate(features: list[list[dict[str, Any]]]) -> dict[str, torch.Tensor]:
        items = [item for pair in features for item in pair]
        batch = {"labels": torch.tensor(np.array([item["label"] for item in items]))}
        for side in ("a", "b"):
            padded = tokenizer.pad([item[side] for item in items], return_tensors="pt")
            batch |= {f"{side}_{name}": value for name, value in padded.items()}
        return batch

    arguments = TrainingArguments(
        output_dir=str(folder),
        per_device_train_batch_size=recipe.batch // 2,
        num_train_epochs=recipe.epochs,
        learning_rate=recipe.lr,
        weight_decay=recipe.weight_decay,
        warmup_steps=int(recipe.warmup * recipe.epochs * -(-len(data) // (recipe.batch // 2))),
        lr_scheduler_type="linear",
        max_grad_norm=recipe.clip,
        bf16=device != "cpu",
        use_cpu=device == "cpu",
        save_strategy="no",
        report_to=[],
        seed=recipe.seed,
        remove_unused_columns=False,
        disable_tqdm=True,
    )
    trainer = Trainer(
        model=Siamese(opened.network, objective), args=arguments, train_dataset=data, data_collator=collate
    )
    started = time.perf_counter()
    trainer.train()
    training = time.perf_counter() - started
    table = TokenTable(opened.reader, rows["validation"].texts, next(opened.network.parameters()).device)
    precision = product_dtype("auto", device)
    validate = validator(table, rows["validation"].where, rows["validation"].gold, precision)
    return {
        "tokenising": tokenising,
        "training": training,
        "rate": recipe.epochs * 2 * len(data) / training,
        "spearman": validate(opened.network.eval())["spearman"],
    }


def shares(model: Path, rows: dict[str, Rows], recipe: Recipe, objective: Objective, device: str) -> dict[str, float]:
    """Milliseconds of a step by stage, on the commonest shape: from recorded steps that leave stages out."""
    opened = open_network(LoadOptions(ModelFiles(str(model)), device, "float32"), Architecture())
    course = our_course(opened, rows, recipe, objective)
    opened.network.train()
    optimiser = Optimiser(opened.network, recipe, course.batcher.count())
    stepper = Stepper(course, opened.network, optimiser, product_dtype(recipe.precision, device), records=False)
    started = time.perf_counter()
    steps = course.batcher.steps(0, None)
    planning = (time.perf_counter() - started) / len(steps)
    part = sorted((step.parts[0] for step in steps if step.size == recipe.batch), key=lambda p: p.length)[
        len(steps) // 2
    ]
    piece = Piece(torch.from_numpy(part.items).to(device), part.length, 1.0)
    optimiser.warm_up()
    optimiser.prepare(1e-6, 1)

    def forward() -> None:
        with torch.autocast("cuda", dtype=stepper.precision, cache_enabled=False):
            course.loss(opened.network, piece.items, piece.length)

    def backward() -> None:
        optimiser.clear()
        stepper._backward(piece)

    def whole() -> None:
        backward()
        optimiser.advance()

    def data() -> None:
        course.table.take(course.rows[piece.items].T.reshape(-1), piece.length)

    times = {run.__name__: replayed(run) for run in (data, forward, backward, whole)}
    eager = timed(whole)
    return {
        "data": 1000 * planning + times["data"],
        "forward": times["forward"] - times["data"],
        "backward": times["backward"] - times["forward"],
        "optimiser": times["whole"] - times["backward"],
        "step": times["whole"],
        "step launched one by one": eager,
    }


def replayed(run: Any) -> float:
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return timed(graph.replay)


def timed(run: Any, times: int = 50) -> float:
    for _ in range(5):
        run()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(times):
        run()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / times


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", type=Path)
    options.add_argument("--rows", type=Path, default=Path("build/device/rows.json"))
    options.add_argument("--write-rows", action="store_true")
    options.add_argument("--epochs", type=int, default=5)
    options.add_argument("--batch", type=int, default=32)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    asked = options.parse_args()
    if asked.write_rows:
        write_rows(asked.rows)
        return
    rows = read_rows(asked.rows, Architecture())
    recipe, objective = Recipe(epochs=asked.epochs, batch=asked.batch, **SAME), MseQuad()
    where = torch.cuda.get_device_name() if asked.device != "cpu" else "CPU"
    print(f"{len(rows['train'].gold):,} items, {asked.epochs} epochs, batch {asked.batch}, {where}")
    found: dict[str, list[dict[str, float]]] = {"Trainer": [], "ours": []}
    for repeat in range(asked.repeats):
        seeded = Recipe(**{**recipe.record(), "seed": repeat})
        found["Trainer"].append(
            theirs(asked.model, rows, seeded, objective, asked.device, asked.rows.parent / "trainer")
        )
        found["ours"].append(ours(asked.model, rows, seeded, objective, asked.device))
        for name, runs in found.items():
            print(name, {key: round(value, 3) for key, value in runs[-1].items()}, flush=True)
    medians = {
        name: {key: float(np.median([run[key] for run in runs])) for key in runs[0]} for name, runs in found.items()
    }
    fast, slow = medians["ours"], medians["Trainer"]
    print(
        f"training: {fast['rate']:,.0f} against {slow['rate']:,.0f} items a second: {fast['rate'] / slow['rate']:.1f}x"
    )
    whole = [one["tokenising"] + one["training"] for one in (slow, fast)]
    print(f"with tokenising: {whole[1]:.2f} s against {whole[0]:.2f} s: {whole[0] / whole[1]:.1f}x")
    print(f"Spearman x 100: {100 * fast['spearman']:.1f} against {100 * slow['spearman']:.1f}")
    if asked.device != "cpu":
        print_shares(shares(asked.model, rows, recipe, objective, asked.device), fast, recipe, len(rows["train"].gold))


def print_shares(stages: dict[str, float], fast: dict[str, float], recipe: Recipe, items: int) -> None:
    steps = recipe.epochs * -(-items // recipe.batch)
    spent = {name: stages[name] * steps / 1000 for name in ("data", "forward", "backward", "optimiser")}
    spent = {"tokenising": fast["tokenising"], **spent}
    spent["recording, launching, the rest"] = max(0.0, fast["tokenising"] + fast["training"] - sum(spent.values()))
    total = sum(spent.values())
    print("share of our time: " + ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in spent.items()))
    print("milliseconds: " + ", ".join(f"{name} {value:.3f}" for name, value in stages.items()))


if __name__ == "__main__":
    main()
