from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

import similitude as sim
from similitude.registry import Spec

HOSTILE = (
    '<script>alert("x")</script>',
    'He said "no" & left\'s | a_b $5 100% {x} #1 ~^\\',
    "مرحبا بالعالم، كيف حالك اليوم؟",
    "你好，世界",
    "a family 👩‍👩‍👧‍👦 and a party 🎉",
    "long " * 300,
    "line\nbreak",
    "</style><img src=x onerror=alert(1)>",
)


SIX_POINT = sim.Scale(low=0, high=5)


@dataclass(frozen=True)
class Scripted:
    """A system that answers as told."""

    name: str
    answers: dict[str, float] = field(repr=False)
    range: sim.Scale | None = SIX_POINT
    summary: ClassVar[str] = "answers as told"
    reads: ClassVar[frozenset[str]] = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec(self.name)

    def score(self, items: sim.Items) -> sim.Predictions:
        return sim.Predictions(np.array([self.answers[name] for name in items.ids]))


@pytest.fixture(scope="session")
def scripted() -> Callable[..., Scripted]:
    """``scripted(benchmark, "name", noise=0.5)``: gold with noise."""

    def make(benchmark: sim.Benchmark, name: str, noise: float, **options) -> Scripted:
        gold = benchmark.gold.scores
        answers = gold + np.random.default_rng(len(name)).normal(0, noise, len(gold)) if noise else gold
        return Scripted(name, dict(zip(benchmark.items.ids, answers.tolist(), strict=True)), **options)

    return make


@pytest.fixture(scope="session")
def opinions() -> sim.Run:
    """A small run with everything: three languages, simulated judgements, an undefined measure, confidence."""
    systems = ["char-ngram-cosine(n=3)", "tfidf-cosine", "levenshtein", "length-ratio"]
    return sim.run("sample:opinions", systems, ["spearman", "pearson", "mae", "kl"], resamples=300)


@pytest.fixture(scope="session")
def plain() -> sim.Run:
    """The same without confidence."""
    return sim.run("sample:opinions", ["levenshtein", "length-ratio"], ["spearman", "mae"], resamples=0)


@pytest.fixture(scope="session")
def dialogues() -> sim.Run:
    """Items with context, on 0..1."""
    return sim.run("sample:dialogues", ["levenshtein", "jaro"], ["spearman", "mae"], resamples=100)


@pytest.fixture(scope="session")
def hostile(scripted) -> sim.Run:
    """Texts, ids and names that break pages; a system on no scale, one that is constant."""
    size = 40
    benchmark = sim.Benchmark.from_columns(
        'nasty <b>"data"</b> & more',
        scale="0..5",
        id=[f"id<{i}>" for i in range(size)],
        left=[HOSTILE[i % 8] for i in range(size)],
        right=[HOSTILE[(3 * i + 1) % 8] for i in range(size)],
        score=[i * 7 % 51 / 10 for i in range(size)],
        condition=["The <i>colour</i>" if i % 2 else None for i in range(size)],
        context=[
            ["one", "two <u>", "three", "four", "five", HOSTILE[i % 8]] if i % 3 == 0 else None for i in range(size)
        ],
        language=["ar" if i % 8 == 2 else 'en"><script>' for i in range(size)],
        domain=["a&b" if i % 2 else "<c>" for i in range(size)],
    )
    systems = [
        scripted(benchmark, "good_system", 0.5),
        scripted(benchmark, "bad|<system>", 2.0),
        scripted(benchmark, "off-scale", 3.0, range=None),
        Scripted("flat", dict.fromkeys(benchmark.items.ids, 2.0)),
    ]
    return sim.run(benchmark, systems, ["spearman", "mae", "ndcg@10"], resamples=100)
