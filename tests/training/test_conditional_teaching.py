"""Whether teaching helps: a student of a teacher that knows better against one that learns as long from gold alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec, spec_of
from similitude.stats import spearman
from similitude.systems import SYSTEMS, make_system
from similitude.training.kinds import prepared_training
from similitude.training.splits import SeveralData

pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

VALUES = {
    "colour": ("red", "blue", "green", "grey", "pink", "white"),
    "kind": ("car", "bus", "van", "boat", "bike", "tram"),
    "size": ("huge", "big", "small", "tiny", "wide", "slim"),
}
CONDITIONS = tuple(VALUES)
PAIRS, NOISE, EPOCHS = 30, 0.2, 5


def is_alike(left: str, right: str, condition: str) -> bool:
    place = CONDITIONS.index(condition)
    return left.split()[place] == right.split()[place]


@dataclass(frozen=True)
class Knows:
    """A teacher that is always right."""

    name: ClassVar[str] = "test-knows"
    summary: ClassVar[str] = "for tests"
    reads: ClassVar[frozenset[str]] = frozenset({"condition"})
    range: ClassVar[Scale] = Scale(low=0, high=1)

    @property
    def identity(self) -> Spec:
        return spec_of(self, self.name)

    def score(self, items: Items) -> Predictions:
        rows = zip(items.lefts, items.rights, items.conditions, strict=True)
        return Predictions(np.array([float(is_alike(*row)) for row in rows]))


def vehicles(pairs: int, seed: int, noise: float) -> Benchmark:
    """Pairs of words that agree under one condition and differ under another; some labels are the wrong way round."""
    rng, rows = np.random.default_rng(seed), []
    for number in range(pairs):
        left, right = ([str(rng.choice(values)) for values in VALUES.values()] for _ in range(2))
        same, other = rng.permutation(len(VALUES))[:2]
        right[same] = left[same]
        right[other] = str(rng.choice([value for value in VALUES[CONDITIONS[other]] if value != left[other]]))
        for place in (same, other):
            score = (place == same) != (rng.random() < noise)
            rows.append((" ".join(left), " ".join(right), CONDITIONS[place], float(score), f"{seed}-{number}"))
    columns = zip(("left", "right", "condition", "score", "group"), zip(*rows, strict=True), strict=True)
    return Benchmark.from_columns("vehicles", scale="0..1", **{name: list(column) for name, column in columns})


@pytest.mark.slow
def test_a_taught_student_is_ahead_of_one_that_learns_as_long_from_gold(tiny_bert, tmp_path: Path, monkeypatch):
    monkeypatch.setitem(SYSTEMS._makers, Knows.name, Knows)
    bert = tiny_bert(
        [*CONDITIONS, *(value for values in VALUES.values() for value in values)],
        hidden_size=32,
        intermediate_size=64,
        longest=32,
    )
    data = SeveralData((vehicles(PAIRS, 0, NOISE),), (vehicles(40, 1, NOISE),))
    test = vehicles(200, 2, 0.0)
    items = len(data.train[0])

    def figure(name: str, **keywords: object) -> float:
        common = {"model": str(bert), "architecture": "tri", "lr": 3e-3, "device": "cpu"}
        trained = prepared_training("conditional", {**common, **keywords}).train(data, tmp_path / name, None, None)
        scores = make_system(trained.system).score(test.items).scores
        return float(spearman(scores, test.gold.scores))

    # 4 new pairs an item, each under two conditions: 9 times the items, so 9 times the epochs are as many steps.
    alone = figure("alone", epochs=9 * EPOCHS)
    taught = figure("taught", epochs=EPOCHS, teacher="test-knows", new_conditions=0, new_pairs=4 * items)
    assert taught > alone + 0.15
