"""Large teaches small, on a CPU in minutes: ``python benchmarks/conditional_teaching_toy.py``.

Texts are five words, one of each attribute (*red big old wooden car*); a condition names an attribute, and a pair is
alike under it if both texts have the same word. Each rated pair has a high and a low condition, and a fifth of the
labels is the wrong way round. Nothing is pretrained. The teacher is a pool of four tri-encoders with two layers of
width 64, trained on the noisy labels with a seed each; the student is one tri-encoder with one layer of width 32.

Ways to learn: from gold alone, for the usual epochs and for as many steps as with all labels; and with the teacher's
labels of rated items, of rated pairs under new conditions, of new pairs under known conditions, and of all of them,
with other weights, too.
The figure is Spearman's correlation (x 100) with the true labels of unseen pairs: mean and standard deviation of seeds.
``conditional_teaching.py`` does the same with pretrained models on ``sample:world``, on a GPU.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from scipy.stats import spearmanr

from similitude.data.benchmark import Benchmark
from similitude.systems import make_system
from similitude.training.kinds import prepared_training
from similitude.training.splits import SeveralData

ATTRIBUTES = {
    "colour": ("red", "blue", "green", "grey", "pink", "white"),
    "size": ("huge", "big", "small", "tiny", "wide", "slim"),
    "age": ("new", "old", "recent", "ancient", "modern", "antique"),
    "material": ("wooden", "steel", "plastic", "paper", "glass", "stone"),
    "kind": ("car", "bus", "van", "boat", "bike", "tram"),
}
CONDITIONS = tuple(ATTRIBUTES)
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
RATE = 3e-3


def vehicles(pairs: int, seed: int, noise: float) -> Benchmark:
    """Pairs that are alike under one condition and differ under another."""
    rng, rows = np.random.default_rng(seed), []
    for number in range(pairs):
        left, right = ([str(rng.choice(values)) for values in ATTRIBUTES.values()] for _ in range(2))
        same, other = rng.permutation(len(ATTRIBUTES))[:2]
        right[same] = left[same]
        right[other] = str(rng.choice([value for value in ATTRIBUTES[CONDITIONS[other]] if value != left[other]]))
        for place in (same, other):
            score = float((place == same) != (rng.random() < noise))
            rows.append((" ".join(left), " ".join(right), CONDITIONS[place], score, f"{seed}-{number}"))
    columns = zip(("left", "right", "condition", "score", "group"), zip(*rows, strict=True), strict=True)
    return Benchmark.from_columns("vehicles", scale="0..1", **{name: list(column) for name, column in columns})


def save_bert(folder: Path, width: int, layers: int) -> Path:
    """A BERT with random weights that knows the words of this world."""
    words = {word: place for place, word in enumerate((*MARKS, *CONDITIONS, *sum(ATTRIBUTES.values(), ())))}
    shape = {"hidden_size": width, "num_hidden_layers": layers, "intermediate_size": 2 * width}
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=len(words), max_position_embeddings=32, num_attention_heads=4, **shape)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizer(words, model_max_length=32).save_pretrained(folder)
    return folder


class Trial:
    """The data and the folder of all models."""

    def __init__(self, asked: argparse.Namespace, folder: Path) -> None:
        self.folder = folder
        self.data = SeveralData((vehicles(asked.pairs, 0, asked.noise),), (vehicles(100, 1, asked.noise),))
        self.test = vehicles(300, 2, 0.0)

    def train(self, name: str, model: Path, **keywords: Any) -> str:
        """The trained model as a system."""
        given = {"model": str(model), "architecture": "tri", "lr": RATE, "device": "cpu", **keywords}
        place = self.folder / name.replace(" ", "-").replace(",", "")
        return prepared_training("conditional", given).train(self.data, place, None, None).system

    def figure(self, system: str) -> float:
        """Spearman x 100 on the test pairs."""
        scores = make_system(system).score(self.test.items).scores
        return 100 * float(spearmanr(scores, self.test.gold.scores).statistic)


def ways_to_learn(items: int, epochs: int, teacher: str) -> dict[str, dict[str, Any]]:
    """What the student is trained with, by the name of the way."""

    def taught(conditions: int, pairs: int) -> dict[str, Any]:
        return {"epochs": epochs, "teacher": teacher, "new_conditions": conditions, "new_pairs": pairs}

    return {
        "untaught": {"epochs": epochs},
        "untaught, as many steps as all": {"epochs": 6 * epochs},
        "all": taught(items, 2 * items),
        "taught on rated items": taught(0, 0),
        "new conditions": taught(items, 0),
        "new pairs": taught(0, 2 * items),
        "all, gold alone on rated items": taught(items, 2 * items) | {"teacher_weight": 0.0},
        "all, teacher alone on rated items": taught(items, 2 * items) | {"teacher_weight": 1.0},
        "all, a label weighs 0.3": taught(items, 2 * items) | {"taught_weight": 0.3},
    }


def positive(text: str) -> int:
    """A whole number of 1 or more."""
    if int(text) < 1:
        raise ValueError
    return int(text)


def compare(asked: argparse.Namespace, folder: Path) -> None:
    trial = Trial(asked, folder)
    small, large = save_bert(folder / "small", 32, 1), save_bert(folder / "large", 64, 2)
    items, each = len(trial.data.train[0]), asked.epochs
    print(f"{items:,} rated items, {len(trial.test):,} test items", flush=True)
    members = [trial.train(f"teacher-{seed}", large, epochs=6 * each, seed=100 + seed) for seed in range(4)]
    teacher = f"pool({', '.join(members)})"
    print(
        f"members {[round(trial.figure(one), 1) for one in members]}, teacher {trial.figure(teacher):.1f}", flush=True
    )
    ways = ways_to_learn(items, each, teacher)
    ways = {name: keywords for name, keywords in ways.items() if not asked.only or name in asked.only}
    found: dict[str, list[float]] = {name: [] for name in ways}
    for seed in range(asked.seeds):
        for name, keywords in ways.items():
            start = time.perf_counter()
            found[name].append(trial.figure(trial.train(f"{name}-{seed}", small, seed=seed, **keywords)))
            print(f"{name} ({seed}): {found[name][-1]:.1f} ({time.perf_counter() - start:.0f} s)", flush=True)
    for name, figures in found.items():
        spread = np.std(figures, ddof=1) if len(figures) > 1 else float("nan")
        print(f"{name:34}{np.mean(figures):6.1f} ± {spread:.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=positive, default=150)
    parser.add_argument("--noise", type=float, default=0.2)
    parser.add_argument("--epochs", type=positive, default=8)
    parser.add_argument("--seeds", type=positive, default=3)
    parser.add_argument("--only", nargs="*", choices=ways_to_learn(1, 1, ""), help="by default all")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(asked, Path(folder))


if __name__ == "__main__":
    main()
