"""Train and use conditional models on a GPU: our loop against a plain transformers Trainer, in one process.

For each model and batch, the script prints items per second, model FLOP/s as a share of the card's peak, those of a
Trainer with the same network, data, objective, batch and precision, the quality of both on held-out items, and where
the time goes. Both sides tokenise beforehand. The Trainer pads each batch to its longest text in the order of its
sampler, as usual.

FLOPs are those of the model: 2 for each weight of a linear layer and each token of a text (no padding), twice that
backward, or once where the weight is frozen, and no attention; every item counts as if it were read alone. The peak is
that of a bfloat16 product of 8192 x 8192 matrices, measured first; the share of the nominal peak (``--nominal``, 990
TFLOP/s for an H200) is printed beside it.

Run: python benchmarks/conditional_training.py --model mpnet-base --batch 32 128 --packing off on --score 100000
     python benchmarks/conditional_training.py --model qwen2-1.5b --adapters 16 --architecture cross --items 3200

``--model`` names folders, or shapes of ``random_models.py``, which are made with random weights. ``--rows`` names a
file of {"train": [[left, right, condition, gold], ...], "validation": ...}, with gold in 0..1 and the items of a pair
adjacent; ``--write-rows`` makes one from ``sample:world`` in the shape of C-STS (11,200 and 2,800 items). The texts of
that world are of similar length; with ``--spread 0.4`` their words are repeated until lengths are log-normal with that
deviation and a median of 20 words, for measurements of speed alone. ``--packing off on`` compares one row per text with
one row per item.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from random_models import SHAPES, make_model, minilm
from similitude.errors import SimilitudeError
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_item
from similitude.systems.conditional.loader import build_network, open_network
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.suited_architecture import suited
from similitude.training.conditional.validation import CorrelationValidator
from similitude.training.dataset_tensors import TrainingSet, prepare_training
from similitude.training.loop import train
from similitude.training.merged_table import MergedTable, item_lengths
from similitude.training.objectives import MseQuad
from similitude.training.progress import TrainingProgress
from similitude.training.recipe import ADAPTER_RATE, Recipe, default_rate
from similitude.training.training_setup import TrainingSetup

TRAINING_PAIRS, HELD_OUT_PAIRS = 5600, 350
SAME = {"layer_decay": 1.0, "average": 0.0}
"""What the Trainer does not have, switched off."""

STAGES = {
    "attention": r"fmha|flash|[Aa]ttention|sdpa",
    "products": r"gemm|nvjet|cutlass|splitK|gemv",
    "optimiser": r"adamw|multi_tensor|FusedAdam|lerp",
    "norms and sums": r"norm",
    "rest": r".",
}
"""Kernels by what they are part of; the first that fits counts."""


_PROFILED = 40
"""Steps under the profiler."""


class Rows(NamedTuple):
    """Texts by part, and gold."""

    texts: list[Any]
    where: np.ndarray
    gold: np.ndarray


class NoCheckpoints:
    """Keeps nothing but the figures."""

    def load(self) -> TrainingProgress | None:
        """Never anything."""
        return None

    def save(self, progress: TrainingProgress) -> None:
        """Nothing."""

    def keep_best(self, weights: dict[str, Any]) -> None:
        """Nothing."""

    def publish(self, progress: TrainingProgress) -> None:
        """Nothing."""


class Notes:
    """Prints what the loop has to say."""

    def progress(self, stage: str, done: int, total: int) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Print it."""
        print("note:", text)


def write_rows(path: Path, spread: float) -> None:
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
    if spread:
        rng = np.random.default_rng(0)
        lengths: dict[str, int] = defaultdict(lambda: max(3, round(20 * rng.lognormal(0, spread))))
        for rows in told.values():
            for row in rows:
                row[:2] = [" ".join(islice(cycle(text.split()), lengths[text])) for text in row[:2]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told), encoding="utf-8")


def read_rows(path: Path, architecture: Architecture, items: int | None = None) -> dict[str, Rows]:
    found = {}
    for name, rows in json.loads(path.read_text(encoding="utf-8")).items():
        seen: dict[Any, int] = {}
        kept = rows[:items]
        where = [
            [seen.setdefault(text, len(seen)) for text in read_item(architecture, left, right, condition)]
            for left, right, condition, _ in kept
        ]
        found[name] = Rows(list(seen), np.array(where), np.array([row[3] for row in kept], np.float32))
    return found


def opened_network(asked: argparse.Namespace, folder: Path) -> OpenedNetwork:
    """The network as ``train conditional`` builds it, in the same state on both sides."""
    torch.manual_seed(0)
    request = SimilarityRequest(
        model=str(folder),
        architecture=Architecture(encoding=asked.architecture),
        layers=asked.layers,
        adapters=asked.adapters,
    )
    how = LoadOptions(ModelFiles(str(folder)), asked.device, "float32")
    backbone = request.backbone.open(how)
    opened = build_network(backbone, suited(backbone, request), how.files)
    request.backbone.freeze(opened.network)
    return opened


def our_setup(opened: OpenedNetwork, rows: dict[str, Rows], recipe: Recipe) -> TrainingSetup:
    learned, held_out = rows["train"], rows["validation"]
    data = TrainingSet(
        texts=learned.texts,
        rows=learned.where,
        gold=learned.gold,
        unit=2,
        objective=MseQuad(),
        held_out=held_out.texts,
        validator=lambda table, precision: CorrelationValidator(
            table=table, rows=held_out.where, gold=held_out.gold, precision=precision
        ),
    )
    return prepare_training(opened, data, recipe).setup


def ours(asked: argparse.Namespace, folder: Path, recipe: Recipe) -> dict[str, float]:
    opened = opened_network(asked, folder)
    rows = read_rows(asked.rows, opened.network.architecture, asked.items)
    started = time.perf_counter()
    setup = our_setup(opened, rows, recipe)
    tokenising = time.perf_counter() - started
    progress = train(setup, recipe, NoCheckpoints(), Notes())
    seconds = [epoch.training_seconds for epoch in progress.history]
    found = {
        "tokenising": tokenising,
        "rate": len(seconds) * len(setup.gold) / sum(seconds),
        "last epoch": len(setup.gold) / seconds[-1],
        "flops": training_flops(opened.network, setup),
        "read": read_share(setup),
        "padding": padding(setup),
        "spearman": progress.history[-1].figure,
    }
    if asked.device != "cpu":
        some = np.arange(min(len(setup.gold), _PROFILED * recipe.batch))
        short = replace(setup.only(some), validate=lambda network: {"none": 0.0})
        print_stages(lambda: train(short, replace(recipe, epochs=1), NoCheckpoints()))
    return found


def training_flops(network: nn.Module, setup: TrainingSetup) -> float:
    """Of one item, on average: forward, and backward through frozen and trained weights."""
    tokens = float(setup.table.lengths[setup.rows.cpu().numpy()].sum(axis=1).mean())
    weights = linear_weights(network)
    return tokens * sum(size * (6 if is_trained else 4) for size, is_trained in weights)


def read_share(setup: TrainingSetup) -> float:
    """Of the tokens of all items, those that are read: of texts that begin alike, the beginning once."""
    rows = setup.rows.cpu().numpy()
    if not isinstance(setup.table, MergedTable):
        return 1.0
    merged = item_lengths(setup.table.table, rows, setup.table.unit, setup.rows.device)
    return float(merged.sum() / setup.table.unit / setup.table.lengths[rows].max(axis=1).sum())


def padding(setup: TrainingSetup) -> float:
    """The share of padding among the tokens of the first epoch, if no text begins like another."""
    parts = [part for step in setup.batcher.steps(0, None) for part in step.parts]
    computed = setup.batcher.rows * sum(part.length * len(part.items) for part in parts)
    return 1 - float(setup.table.lengths[setup.rows.cpu().numpy()].sum() / computed)


def linear_weights(network: Any) -> list[tuple[int, bool]]:
    unused = getattr(network.transformer, "pooler", None)
    return [
        (weight.numel(), weight.requires_grad)
        for name, weight in network.transformer.named_parameters()
        if weight.ndim == 2 and "embed" not in name and "wte" not in name and "wpe" not in name
        if unused is None or not name.startswith("pooler")
    ]


class Composite(nn.Module):
    """What a user of the Trainer writes: one pass for each part of an item, the comparison, and the loss."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network, self.objective = network, MseQuad()

    def forward(self, labels: torch.Tensor, **columns: torch.Tensor) -> dict[str, torch.Tensor]:
        """Loss and scores."""
        parts = sorted({name[0] for name in columns if name[0].isdigit()})
        vectors = [
            self.network.embed({name[2:]: value for name, value in columns.items() if name[0] == part})
            for part in parts
        ]
        scores = self.network.compare(torch.cat(vectors))
        return {"loss": self.objective(scores, labels), "logits": scores}


class PairsOfItems(torch.utils.data.Dataset):
    """Two items at a time, tokenised: both conditions of a pair stay in one batch."""

    def __init__(self, reader: Any, rows: Rows) -> None:
        self.inputs, self.rows = reader.prepare(rows.texts, "").inputs, rows

    def __len__(self) -> int:
        return len(self.rows.gold) // 2

    def __getitem__(self, place: int) -> list[tuple[list[dict[str, list[int]]], float]]:
        both = (2 * place, 2 * place + 1)
        return [([self.inputs[text] for text in self.rows.where[item]], self.rows.gold[item]) for item in both]


def theirs(asked: argparse.Namespace, folder: Path, recipe: Recipe) -> dict[str, float]:
    from transformers import Trainer, TrainingArguments

    opened = opened_network(asked, folder)
    rows = read_rows(asked.rows, opened.network.architecture, asked.items)
    tokenizer = opened.backbone.tokenizer
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    data = PairsOfItems(opened.reader, rows["train"])

    def collate(features: list[Any]) -> dict[str, torch.Tensor]:
        items = [item for pair in features for item in pair]
        batch = {"labels": torch.tensor(np.array([gold for _, gold in items]))}
        for part in range(len(items[0][0])):
            padded = tokenizer.pad([texts[part] for texts, _ in items], return_tensors="pt")
            batch |= {f"{part}_{name}": value for name, value in padded.items()}
        return batch

    with tempfile.TemporaryDirectory() as place:
        arguments = TrainingArguments(
            output_dir=place,
            per_device_train_batch_size=recipe.batch // 2,
            max_steps=asked.trainer_steps,
            learning_rate=recipe.lr,
            weight_decay=recipe.weight_decay,
            lr_scheduler_type="linear",
            max_grad_norm=recipe.clip,
            bf16=asked.device != "cpu",
            use_cpu=asked.device == "cpu",
            save_strategy="no",
            report_to=[],
            remove_unused_columns=False,
            disable_tqdm=True,
        )
        trainer = Trainer(model=Composite(opened.network), args=arguments, train_dataset=data, data_collator=collate)
        started = time.perf_counter()
        trainer.train()
        seconds = time.perf_counter() - started
    return {"rate": asked.trainer_steps * recipe.batch / seconds}


def print_stages(run: Any) -> None:
    """Where the time of the GPU goes, by kernels, and how long it waits."""
    from torch.profiler import ProfilerActivity, profile

    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        started = time.perf_counter()
        run()
        torch.cuda.synchronize()
        wall = time.perf_counter() - started
    spent = dict.fromkeys(STAGES, 0.0)
    for kernel in seen.key_averages():
        stage = next(name for name, pattern in STAGES.items() if re.search(pattern, kernel.key))
        spent[stage] += kernel.self_device_time_total / 1e6
    spent["waiting and recording"] = max(0.0, wall - sum(spent.values()))
    shares = ", ".join(f"{name} {seconds / wall:.0%}" for name, seconds in spent.items())
    print(f"  a short training under the profiler: {shares}")


def scoring(asked: argparse.Namespace, folder: Path, peak: float) -> None:
    """Encode the texts of conditioned items as ``conditional(FOLDER, dtype=bfloat16)`` does, tokenising included."""
    from similitude.models.encoders.vector_cache import CachedEncoder
    from similitude.models.loaded_model import ModelSlot

    how = LoadOptions(ModelFiles(str(folder)), asked.device, "auto" if asked.device == "cpu" else "bfloat16")
    opened = open_network(how, Architecture())
    rows = json.loads(asked.rows.read_text(encoding="utf-8"))["train"]
    items = [(f"{row[2]} {number}", row) for number in range(1 + asked.score // len(rows)) for row in rows]
    texts = list(dict.fromkeys((c, side) for c, row in items[: asked.score] for side in row[:2]))
    shared: Any = {"tokens": None, "texts": None, "cache": None, "listener": None, "slot": ModelSlot()}
    encoder = CachedEncoder(name="model", load=lambda: opened.reader, state=lambda: None, **shared)
    seconds = []
    for _ in range(2):  # the first run records, and builds kernels
        started = time.perf_counter()
        encoder.rows(texts)
        seconds.append(time.perf_counter() - started)
    started = time.perf_counter()
    lengths = opened.reader.prepare(texts, "").lengths
    tokenising = time.perf_counter() - started
    flops = 2.0 * sum(size for size, _ in linear_weights(opened.network)) * sum(lengths)
    shares = shares_of(flops / seconds[1], peak, asked)
    print(f"  scoring {asked.score:,} items: {asked.score / seconds[1]:,.0f} a second, {shares}")
    print(f"  it took {seconds[1]:.2f} s, the first time {seconds[0]:.2f} s; tokenising alone {tokenising:.2f} s")


def measured_peak() -> float:
    """FLOP/s of a large product in bfloat16, on random numbers."""
    left, right = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for times in (3, 20):
        start.record()
        for _ in range(times):
            left @ right
        end.record()
        torch.cuda.synchronize()
    return 20 * 2 * 8192**3 / (start.elapsed_time(end) / 1000)


def shares_of(rate: float, peak: float, asked: argparse.Namespace) -> str:
    if asked.device == "cpu":
        return f"{rate / 1e9:.1f} GFLOP/s"
    nominal = asked.nominal * 1e12
    return f"{rate / 1e12:.0f} TFLOP/s, {rate / peak:.1%} of the measured peak, {rate / nominal:.1%} of the nominal one"


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", nargs="+", default=["mpnet-base"])
    parser.add_argument("--architecture", default="bi", choices=["cross", "bi", "tri", "joint", "shift"])
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--adapters", type=int, default=0)
    parser.add_argument("--rows", type=Path, default=Path("build/device/rows.json"))
    parser.add_argument("--write-rows", action="store_true")
    parser.add_argument("--spread", type=float, default=0.0, help="of the lengths of texts that are written")
    parser.add_argument("--packing", nargs="+", default=["auto"], choices=["auto", "on", "off"])
    parser.add_argument("--tokenizer", type=Path, help="a folder; by default that of all-MiniLM-L6-v2")
    parser.add_argument("--items", type=int)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, nargs="+", default=[32])
    parser.add_argument("--trainer-steps", type=int, default=60, help="of the Trainer; 0 leaves it out")
    parser.add_argument("--score", type=int, default=0, help="items to score in bfloat16 with the untrained model")
    parser.add_argument("--nominal", type=float, default=990.0, help="the card's nominal peak in TFLOP/s")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser


def measure(asked: argparse.Namespace, name: str, peak: float) -> None:
    folder = Path(name)
    if name in SHAPES:
        folder = make_model(name, Path(tempfile.gettempdir(), f"random-{name}"), asked.tokenizer or minilm())
    size = sum(weight.numel() for weight in opened_network(asked, folder).network.parameters())
    rate = ADAPTER_RATE if asked.adapters else default_rate(size)
    for batch, packing in product(asked.batch, asked.packing):
        recipe = Recipe(epochs=asked.epochs, batch=batch, lr=rate, packing=packing, **SAME)
        told = f"{name}, {size / 1e6:,.0f}M weights, {asked.architecture}, batch {batch}, packing {packing}"
        print(f"{told}:", flush=True)
        found = ours(asked, folder, recipe)
        print(f"  ours {found['rate']:,.0f} items a second, {shares_of(found['rate'] * found['flops'], peak, asked)}")
        last = found["last epoch"]
        print(f"  its last epoch {last:,.0f}, {shares_of(last * found['flops'], peak, asked)}")
        if found["read"] < 1:
            own = shares_of(last * found["flops"] * found["read"], peak, asked)
            print(f"  {found['read']:.0%} of the tokens are read, since items of a pair begin alike; over those {own}")
        else:
            print(f"  {found['padding']:.1%} of all tokens are padding")
        print(f"  tokenising {found['tokenising']:.2f} s; Spearman x 100 {100 * found['spearman']:.1f}", flush=True)
        gc.collect()
        if asked.trainer_steps:
            slow = theirs(asked, folder, recipe)["rate"]
            print(f"  Trainer {slow:,.0f} items a second; ours {last / slow:.1f} times as many", flush=True)
        gc.collect()
    if asked.score:
        scoring(asked, folder, peak)


def main() -> None:
    asked = options().parse_args()
    if asked.write_rows:
        write_rows(asked.rows, asked.spread)
        return
    if not asked.rows.is_file():
        raise SystemExit(f"{asked.rows}: no such file; name one, or make one first: --write-rows")
    peak = 0.0
    if asked.device != "cpu":
        peak = measured_peak()
        print(f"{torch.cuda.get_device_name()}: {peak / 1e12:.0f} TFLOP/s measured, {asked.nominal:.0f} nominal")
    for name in asked.model:
        measure(asked, name, peak)


if __name__ == "__main__":
    try:
        main()
    except SimilitudeError as error:
        sys.exit(f"error: {error}")
