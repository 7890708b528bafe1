"""Forecasts of labels by systems and models that never saw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from similitude.data.counted_work import WorkCounter
from similitude.data.protocols import Listener, System, VectorCache
from similitude.errors import InputError, PredictionError
from similitude.stats import spearman
from similitude.stats.ridge import held_out_ridge
from similitude.systems import make_system
from similitude.systems.attach_cache import AnswersChoice, attach_chosen
from similitude.systems.evidence import fit_evidence
from similitude.systems.scores import score_items
from similitude.training.examples import Examples

if TYPE_CHECKING:
    from similitude.training.conditional.request import SimilarityRequest

__all__ = ["BUILT_IN", "Forecasts", "label_forecasts"]

Array = NDArray[np.float64]

BUILT_IN = ("overlap", "use")
"""What the forecasts are made of where neither systems nor a model are given: characters, and vectors of sentences."""
NORMAL_95 = 1.644854
"""A correlation of this many standard errors is exceeded by chance in one of twenty cases."""
WITH_CONDITION = "use-multilingual(condition=append)"


@dataclass(frozen=True, kw_only=True, eq=False)
class Forecasts:
    """A forecast of each label.

    Attributes:
        values: on the unit scale, one per item.
        sources: what they are made of, in words.
        spearman: their correlation with the labels; nan if they are all equal.
        notes: of the systems.
    """

    values: Array
    sources: tuple[str, ...]
    spearman: float
    notes: tuple[str, ...] = ()

    @property
    def tell_something(self) -> bool:
        """Whether they correlate with the labels by more than chance.

        Others would be fitted all the same, and the few that lie far from the rest would make sure suspects.
        """
        return bool(self.spearman * np.sqrt(len(self.values) - 1) > NORMAL_95)


def label_forecasts(
    examples: Examples,
    *,
    systems: Sequence[str | System],
    model: SimilarityRequest | None,
    folds: int,
    seed: int,
    cache: VectorCache | None,
    answers: AnswersChoice,
    listener: Listener | None,
) -> Forecasts:
    """Forecast each label from features of the item, by ridge regression on the other folds.

    The features are the scores of systems and their squares, the score of a model that was trained without the item's
    fold, or, without both, those of `BUILT_IN`. All conditions of a sentence pair are in one fold.

    Args:
        examples: items with labels.
        systems: names or objects.
        model: what to train; None for no training.
        folds: how many.
        seed: of the folds, and of the order in which systems see the items.
        cache: of vectors.
        answers: of language models.
        listener: is told the progress.

    Raises:
        InputError: there are fewer sentence pairs than folds.
        PredictionError: a system gives no number for an item.
    """
    pairs = int(examples.pairs.max(initial=-1)) + 1
    if pairs < folds:
        what, where = f"{pairs:,} pairs cannot be dealt into {folds} folds", examples.benchmark.name
        raise InputError(what, where=where, remedy=f"give more pairs, or --folds {max(pairs, 2)}")
    blocks: list[Array] = []
    sources: list[str] = []
    notes: tuple[str, ...] = ()
    if systems:
        made = attach_chosen([make_system(each) for each in systems], cache, answers, listener)
        scores = [_scores(each, examples, seed, listener) for each in made]
        blocks += [_with_squares(each) for each, _ in scores]
        notes = tuple(note for _, heard in scores for note in heard)
        sources += [str(each.identity) for each in made]
    if model is not None:
        blocks.append(_with_squares(_cross_fitted(examples, model, folds, listener)))
        sources.append(f"{folds} models trained from {model.model}, each without the items that it scores")
    if not blocks:
        evidence = _evidence(examples, cache, listener)
        blocks.append(evidence)
        sources.append("built-in features (overlap of characters, USE vectors)")
    gold = examples.gold.astype(np.float64)
    counter = WorkCounter(listener, "forecasting labels by fold", folds)
    values = held_out_ridge(np.concatenate(blocks, axis=1), gold, _folds(examples, folds, seed), counter.add)
    return Forecasts(values=values, sources=tuple(sources), spearman=float(spearman(values, gold)), notes=notes)


def _folds(examples: Examples, folds: int, seed: int) -> NDArray[np.intp]:
    """The fold of each item, by the number of its pair, which does not depend on the order of rows."""
    shuffled = np.random.default_rng(seed).permutation(int(examples.pairs.max()) + 1)
    return np.asarray(shuffled[examples.pairs] % folds, np.intp)


def _scores(system: System, examples: Examples, seed: int, listener: Listener | None) -> tuple[Array, tuple[str, ...]]:
    items = examples.benchmark.items
    predictions, record = score_items(system, items, np.random.default_rng(seed), listener)
    bad = np.flatnonzero(~np.isfinite(predictions.scores))
    if bad.size:
        what = f"system '{system.identity}' gave no number for item '{items.ids[bad[0]]}'"
        raise PredictionError(what, where=examples.benchmark.name, remedy="fix the system, or leave the item out")
    return np.asarray(predictions.scores, np.float64), record.notes


def _cross_fitted(examples: Examples, model: SimilarityRequest, folds: int, listener: Listener | None) -> Array:
    """The scores of fold models, in the order of the examples."""
    from similitude.training.cross_fitted_scores import cross_fitted_scores

    learned, scores = cross_fitted_scores(examples.benchmark, model, folds, listener)
    places = {id_: place for place, id_ in enumerate(learned.benchmark.items.ids)}
    return scores[[places[id_] for id_ in examples.benchmark.items.ids]]


def _evidence(examples: Examples, cache: VectorCache | None, listener: Listener | None) -> Array:
    items = examples.benchmark.items
    has_conditions = any(items.conditions)
    sources = (*BUILT_IN, WITH_CONDITION) if has_conditions else BUILT_IN
    return np.asarray(fit_evidence(sources, items, cache=cache, listener=listener).of(items), np.float64)


def _with_squares(scores: Array) -> Array:
    spread = float(scores.std()) or 1.0
    standard = (scores - scores.mean()) / spread
    return np.stack([standard, standard**2], axis=1)
