"""The search for wrong labels: forecasts, links and ratings, combined into a probability for each label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.counted_work import uncounted_work
from similitude.data.listeners import with_progress_bar
from similitude.data.plural import agreeing
from similitude.data.protocols import Listener, System
from similitude.errors import ArgumentError, InputError
from similitude.stats.label_noise import fit_label_noise
from similitude.stats.noisy_labels import NoisyLabels, wrong_labels
from similitude.study.suspects.forecasts import Forecasts, label_forecasts
from similitude.study.suspects.label_links import SWAPS, LabelLinks, label_links
from similitude.study.suspects.rating_spread import rating_spread
from similitude.study.suspects.reasons import Evidence, reason_of, verdict_of
from similitude.study.suspects.suspects import Suspects
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, chosen_cache
from similitude.training.conditional.request import PairArchitecture, SimilarityRequest
from similitude.training.examples import Examples, examples_of
from similitude.training.objectives import MseQuad
from similitude.training.recipe import Recipe

__all__ = ["find_suspects"]

EPOCHS = 3
"""Of each model that is trained."""
FEWEST = 50
"""The fewest labels from which the share of wrong ones can be estimated."""
MOST_LEVELS, MOST_LINKED_LEVELS = 21, 11
"""Labels with more distinct values are counted in as many equal parts of the scale; fewer where items are linked, whose
answers are counted two by two."""
WORTH_A_REASON = 0.1
WEAK = 0.2
"""Forecasts whose correlation with the labels is lower say little about single labels."""


@dataclass(frozen=True)
class _Levels:
    """Labels as levels: their numbers, and the label that each level stands for."""

    numbers: NDArray[np.intp]
    values: NDArray[np.float64]

    def value_at(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        """The labels at these places between levels."""
        return np.interp(levels, np.arange(len(self.values)), self.values)


@with_progress_bar
def find_suspects(
    data: BenchmarkData,
    systems: Sequence[str | System] | str | System = (),
    *,
    model: str | None = None,
    epochs: int | None = None,
    folds: int = 5,
    probability: float | None = None,
    top: int | None = None,
    split: str | None = None,
    seed: int = 0,
    device: str | None = None,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
) -> Suspects:
    """Find the labels that are probably wrong, with the probability that each one is.

    Evidence against a label is a forecast that never saw it, the label of the same pair elsewhere, the label of the
    same pair under another condition, and the spread of its ratings. A mixture of right and wrong labels turns the
    first three into a probability (`similitude.stats.noisy_labels`); the spread tells contentious items from wrong
    ones. The same as ``similitude data suspects``.

    Args:
        data: items with labels: a benchmark, or what `similitude.read` takes.
        systems: whose scores forecast labels. By default built-in features, if no model is given either.
        model: train this model, a folder or a name on the hub, on the folds, and forecast by its scores.
        epochs: of each such training; by default 3.
        folds: forecasts of an item are fitted on the other folds.
        probability: suspects have at least this probability of being wrong; by default 0.5.
        top: the number of suspects: the most probable ones; with ``probability``, at most so many.
        split: use this split only.
        seed: of folds and training.
        device: of the training: cpu, cuda or cuda:1.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        ArgumentError: an argument is not valid.
        InputError: there are too few labels.
        ScaleError: labels lie off the scale, or there is no scale.
        MissingExtraError: a model is to be trained, and torch is not installed.

    >>> import similitude as sim
    >>> found = sim.suspects("sample:world-corrupted(pairs=200, held_out=2)", "levenshtein", split="train")
    >>> len(found), round(found.share, 1)
    (400, 0.2)
    """
    _check(folds=folds, probability=probability, top=top)
    for option, value in {"epochs": epochs, "device": device}.items():
        if model is None and value is not None:
            what = f"--{option} {value} is for training a model"
            raise ArgumentError(what, remedy=f"add --model FOLDER, or omit --{option}")
    benchmark = open_benchmark(data).select(split=split)
    examples = examples_of(benchmark, in_pairs=False)
    if len(examples) < FEWEST:
        what = f"{agreeing(len(examples), 'label', 'is', 'are')} too few"
        raise InputError(what, where=benchmark.name, remedy=f"give at least {FEWEST}")
    given = [systems] if isinstance(systems, str) or not isinstance(systems, Sequence) else list(systems)
    forecasts = label_forecasts(
        examples,
        systems=given,
        model=None if model is None else _request(examples, model, epochs or EPOCHS, seed, device),
        folds=folds,
        seed=seed,
        cache=chosen_cache(cache, listener),
        answers=answers,
        listener=listener,
    )
    uncounted_work(listener, f"fitting a mixture of right and wrong labels to {len(examples):,} labels")
    made = _combined(examples, forecasts, probability=_threshold(probability, top), top=top)
    return replace(made, judged_by=benchmark.provenance.judged_by)


def _check(*, folds: int, probability: float | None, top: int | None) -> None:
    if folds < 2:
        raise ArgumentError(f"{folds} folds are too few", remedy="give 2 or more: --folds 5")
    if probability is not None and not 0 < probability <= 1:
        raise ArgumentError(f"probability {probability:g} is not valid", remedy="give one above 0, up to 1")
    if top is not None and top < 1:
        raise ArgumentError(f"top {top} is not valid", remedy="give 1 or more")


def _threshold(probability: float | None, top: int | None) -> float | None:
    return 0.5 if probability is None and top is None else probability


def _request(examples: Examples, model: str, epochs: int, seed: int, device: str | None) -> SimilarityRequest:
    """A model of similarity, under conditions where there are any, with a margin where each pair has two."""
    common: dict[str, Any] = {"model": model, "recipe": Recipe(epochs=epochs, seed=seed), "device": device}
    if not any(examples.benchmark.items.conditions):
        return SimilarityRequest(architecture=PairArchitecture(), objective=MseQuad(quad=0.0), **common)
    sizes = np.bincount(examples.pairs)
    return SimilarityRequest(objective=MseQuad(quad=0.0 if (sizes % 2).any() else 0.5), **common)


def _combined(examples: Examples, forecasts: Forecasts, *, probability: float | None, top: int | None) -> Suspects:
    benchmark, links = examples.benchmark, label_links(examples.benchmark)
    assert benchmark.scale is not None  # examples_of has refused gold without a scale
    levels = _levels(benchmark, MOST_LINKED_LEVELS if links.links.size else MOST_LEVELS)
    labels = NoisyLabels(
        labels=levels.numbers,
        forecasts=forecasts.values if forecasts.tell_something else np.zeros(len(examples)),
        levels=len(levels.values),
        links=links.links,
        kinds=links.kinds,
        swaps=SWAPS,
    )
    noise, interval = fit_label_noise(labels)
    found = wrong_labels(noise, labels)
    known = Evidence(
        benchmark=benchmark,
        forecasts=levels.value_at(found.forecast),
        expected=levels.value_at(found.expected),
        is_forecast=forecasts.spearman >= WEAK,
        found=found,
        links=links,
        spreads=rating_spread(benchmark),
    )
    return Suspects(
        name=benchmark.name,
        scale=benchmark.scale,
        table=_table(known, probability, top),
        share=float(found.wrong.mean()),
        interval=interval,
        sources=forecasts.sources,
        spearman=forecasts.spearman,
        linked=links.links.size,
        probability=probability,
        notes=(*examples.notes, *forecasts.notes, *_weakness(forecasts, links, len(examples))),
    )


def _levels(benchmark: Benchmark, most: int) -> _Levels:
    """Each distinct label a level, if there are few; otherwise equal parts of the scale."""
    scores, scale = benchmark.gold.scores, benchmark.scale
    values, numbers = np.unique(scores, return_inverse=True)
    if len(values) <= most or scale is None:
        return _Levels(numbers.astype(np.intp), values)
    parts = np.linspace(scale.low, scale.high, most)
    places = np.rint((scores - scale.low) / scale.width * (most - 1))
    return _Levels(np.clip(places, 0, most - 1).astype(np.intp), parts)


def _table(known: Evidence, probability: float | None, top: int | None) -> pl.DataFrame:
    """All labels, the most suspicious first; equal ones in the order of their ids."""
    frame, wrong = known.benchmark.frame, known.found.wrong
    order = np.lexsort((frame["id"].to_numpy(), -wrong))
    chosen = np.ones(len(wrong), bool) if probability is None else wrong[order] >= probability
    if top is not None:
        chosen &= np.arange(len(wrong)) < top
    conditions = [] if frame["condition"].null_count() == frame.height else ["condition"]
    ranked = frame.select("id", "left", "right", *conditions, given_label="score")[order].with_columns(
        pl.Series("forecast_label", known.forecasts[order].round(3)),
        pl.Series("expected_label", known.expected[order].round(3)),
        pl.Series("wrong_probability", wrong[order].round(4)),
        pl.Series("suspect", chosen),
        pl.Series("verdict", [verdict_of(known, item) for item in order.tolist()], pl.String),
        pl.Series("reason", _reasons(known, order, chosen), pl.String),
    )
    told = pl.when("suspect").then("verdict").alias("verdict")
    return ranked.with_columns(told).select(pl.int_range(1, len(wrong) + 1).alias("rank"), pl.all())


def _reasons(known: Evidence, order: NDArray[np.intp], chosen: NDArray[np.bool_]) -> list[str | None]:
    """The reasons of suspects, and of labels that are almost as suspicious."""
    told = chosen | (known.found.wrong[order] >= WORTH_A_REASON)
    return [reason_of(known, item) if is_told else None for item, is_told in zip(order.tolist(), told, strict=True)]


def _weakness(forecasts: Forecasts, links: LabelLinks, items: int) -> list[str]:
    """What the user should know where the evidence is thin."""
    if forecasts.spearman >= WEAK:
        return []
    said = (
        "do not vary"
        if forecasts.spearman != forecasts.spearman
        else f"have Spearman {forecasts.spearman:.2f} with the labels"
    )
    if not forecasts.tell_something:
        said += ", no more than chance gives, and are not used"
    if links.links.size > 0.5 * items:
        rest = "the probabilities come from comparing the labels of one pair with each other"
    else:
        rest = "there is little to go by, and the share of wrong labels rests on the prior"
    return [f"the forecasts {said}: {rest}; better forecasts: --model FOLDER, or --system"]
