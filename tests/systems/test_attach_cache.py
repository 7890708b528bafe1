from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import AnswerCache, VectorCache
from similitude.models.cache import AnswerStore, VectorStore
from similitude.registry import Spec
from similitude.study import run
from similitude.systems import make_system
from similitude.systems.attach_cache import attach_cache


@dataclass(frozen=True)
class Asking:
    """Says what it was given, by how many answers are kept after it was asked."""

    summary: ClassVar[str] = "asks"
    range = None
    reads = frozenset()
    identity = Spec("asking")
    answers: AnswerCache | None = None
    cache: VectorCache | None = None

    def with_answers(self, answers: AnswerCache) -> "Asking":
        return replace(self, answers=answers)

    def with_cache(self, cache: VectorCache) -> "Asking":
        return replace(self, cache=cache)

    def score(self, items: Items) -> Predictions:
        if self.answers is not None:
            self.answers.put([(text, "kept") for text in items.texts()])
        return Predictions(np.array([len(text) for text in items.frame["left"]], float))


@pytest.fixture
def stores(tmp_path):
    return VectorStore(tmp_path / "vectors.sqlite"), AnswerStore(tmp_path / "answers.sqlite")


def test_each_system_is_given_what_it_can_use(stores):
    vectors, answers = stores
    both = attach_cache(Asking(), vectors, answers)
    assert (both.cache, both.answers) == (vectors, answers)
    assert attach_cache(Asking(), None, None) == Asking()
    assert attach_cache(Asking(), vectors).answers is None
    plain = make_system("levenshtein")
    assert attach_cache(plain, vectors, answers) is plain


def test_a_run_hands_answers_to_its_systems(stores):
    _, answers = stores
    benchmark = Benchmark.from_columns(
        "pairs", scale="0..5", left=["a", "bb", "ccc"], right=["x", "y", "z"], score=[1, 2, 3]
    )
    run(benchmark, [Asking()], ["pearson"], resamples=0)
    assert answers.models() == []
    run(benchmark, [Asking()], ["pearson"], resamples=0, answers=answers)
    assert answers.get(["a", "ccc", "z"]) == ["kept"] * 3
