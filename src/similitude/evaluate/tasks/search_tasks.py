"""Search tasks, which compare one text with many: find a related text, match an intent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from similitude.data.item import Items
from similitude.errors import InputError
from similitude.evaluate.tasks.outcome import Outcome, accuracy_outcome
from similitude.stats.arrays import Array, Booleans

__all__ = ["FindRelated", "IntentMatching"]


RECALL_AT = (1, 5, 10)


@dataclass(frozen=True, kw_only=True, eq=False)
class FindRelated:
    """Find a related text in a pool. Figure: accuracy of the top hit.

    Further figures: MRR (1 / rank of the first related text) and recall@k (share of the related texts among the first
    k). Ties count by expectation, so a constant system gets the chance level; for MRR, unrelated texts that tie with
    the first related one count half.

    Attributes:
        name: the task's name in results.
        queries: query texts.
        pool: the texts to search.
        is_related: queries x pool.
        is_same: queries x pool: the pool text is the query itself and does not count.
        notes: decisions made while reading.

    Reference: Reimers et al. (2016), task 3.
    """

    kind: ClassVar[str] = "find-related"

    name: str
    queries: tuple[str, ...]
    pool: tuple[str, ...]
    is_related: Booleans
    is_same: Booleans
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _demand_answers(
            self._related_others,
            lambda row: f"query {row + 1} ({self.queries[row][:40]!r}) has no related text in the pool",
            where=self.name,
            remedy="add a related text to the pool, or drop the query",
        )

    @cached_property
    def _related_others(self) -> Booleans:
        return self.is_related & ~self.is_same

    @cached_property
    def items(self) -> Items:
        """Every query with every text of the pool."""
        return _crossed(self.queries, self.pool)

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """Expected accuracy of the top hit, MRR and recall@k."""
        scores = _scores_of_others(similarities, self.is_same)
        places = _first_places(scores, self.is_related)
        others = {"MRR": (1 / places).mean(axis=1)}
        related = self._related_others
        for k in RECALL_AT:
            others[f"recall@{k}"] = (_among_first(scores, related, k) / related.sum(axis=1)).mean(axis=1)
        return accuracy_outcome(_credit_of_top(scores, self.is_related), others, self.notes)


@dataclass(frozen=True, kw_only=True, eq=False)
class IntentMatching:
    """Give each text the label of the most similar example. Figure: accuracy.

    Attributes:
        name: the task's name in results.
        texts: texts to label.
        labels: their correct labels.
        examples: labelled texts to compare with.
        is_same: texts x examples: the example is the text itself and does not count (leave-one-out).
        notes: decisions made while reading.
    """

    kind: ClassVar[str] = "intent"

    name: str
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    examples: tuple[str, ...]
    example_labels: tuple[str, ...]
    is_same: Booleans
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _demand_answers(
            self._is_right & ~self.is_same,
            lambda row: f"label '{self.labels[row]}' has no other example",
            where=self.name,
            remedy="give every label at least two texts, or an example",
            units=" texts",
        )

    @cached_property
    def _is_right(self) -> Booleans:
        """Texts x examples: the labels are the same."""
        return np.asarray(np.array(self.labels)[:, None] == np.array(self.example_labels)[None])

    @cached_property
    def items(self) -> Items:
        """Every text with every example."""
        return _crossed(self.texts, self.examples)

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """Expected accuracy of the nearest example's label."""
        scores = _scores_of_others(similarities, self.is_same)
        return accuracy_outcome(_credit_of_top(scores, self._is_right), notes=self.notes)


def _crossed(lefts: tuple[str, ...], rights: tuple[str, ...]) -> Items:
    return Items.from_pairs([left for left in lefts for _ in rights], list(rights) * len(lefts))


def _demand_answers(is_right: Booleans, what: Callable[[int], str], where: str, remedy: str, units: str = "") -> None:
    """Check that every row has a right answer.

    Raises:
        InputError: a row has none; ``what`` describes the first of them.
    """
    without = np.flatnonzero(~is_right.any(axis=1))
    if without.size:
        more = f" (and {without.size - 1} more{units})" if without.size > 1 else ""
        raise InputError(what(int(without[0])) + more, where=where, remedy=remedy)


def _scores_of_others(similarities: Array, is_same: Booleans) -> Array:
    """Systems x texts x candidates: the similarities, with minus infinity where the candidate is the text itself."""
    return np.where(is_same, -np.inf, similarities.reshape(-1, *is_same.shape))


def _credit_of_top(scores: Array, is_right: Booleans) -> Array:
    """Systems x texts: the share of right candidates among those with the highest score."""
    is_top = scores == scores.max(axis=2, keepdims=True)
    return np.asarray((is_top & is_right).sum(axis=2) / is_top.sum(axis=2))


def _first_places(scores: Array, related: Booleans) -> Array:
    """Systems x queries: the rank of the best related text; ties with it count half."""
    best = np.where(related, scores, -np.inf).max(axis=2, keepdims=True)
    above = (scores > best).sum(axis=2)
    level = (scores == best) & ~related
    return np.asarray(1.0 + above + level.sum(axis=2) / 2)


def _among_first(scores: Array, related: Booleans, k: int) -> Array:
    """Systems x queries: the expected number of related texts among the first k, ties in random order."""
    k = min(k, scores.shape[2])
    border = -np.partition(-scores, k - 1)[..., k - 1 : k]
    above, level = scores > border, scores == border
    room = (k - above.sum(axis=2)) / level.sum(axis=2)
    return np.asarray((above & related).sum(axis=2) + room * (level & related).sum(axis=2))
