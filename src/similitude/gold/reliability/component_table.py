"""How many kinds of rating vectors an item belongs to: the effective components of USTS, table 6."""

from __future__ import annotations

from numbers import Integral
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, rating_matrix
from similitude.data.plural import counted
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation.effective_components import EffectiveComponents, effective_components
from similitude.gold.reliability.rating_spread import ratings_of
from similitude.stats.arrays import Array, Booleans
from similitude.stats.vector_mixture import fit_vector_mixture

__all__ = ["ComponentTable", "Components", "component_table"]

Components = int | Literal["bic"]
"""How many Gaussians the mixture has; with "bic", as many of 1 to 6 as the Bayesian information criterion chooses."""

TEST_SHARE = 2000 / 6051
"""The share of items that the mixture is not fitted to, as in USTS."""
MOST = 6
ROWS_EACH = 2
"""Fewest items for each dimension of each Gaussian."""


class ComponentTable(NamedTuple):
    """Effective components of items.

    Attributes:
        components: number of Gaussians in the mixture.
        table: split (test, training), effective, items, share, sigma (mean standard deviation of these items' ratings).
        likelier: the share of test items that are likelier under the mixture than under one Gaussian.
        items: one row per item: item, split, effective, sigma.
        notes: what was left out, and how the number of Gaussians was chosen.
    """

    components: int
    table: pl.DataFrame
    likelier: float
    items: pl.DataFrame
    notes: tuple[str, ...]


def component_table(judgements: Judgements, components: Components, rng: np.random.Generator) -> ComponentTable:
    """Table 6 of USTS: items by their number of effective components.

    One mixture of Gaussians over the rating vectors of all items, with a dimension for each rater, is fitted to two
    thirds of the items at random. The effective components of an item are those whose responsibility for it is 0.2 or
    more. EM starts at random: the counts depend on the split and on the start, and so on the seed.

    Args:
        judgements: ratings by named raters. Items that a rater did not rate are left out.
        components: the number of Gaussians, or "bic".
        rng: draws the split and the starts.

    Raises:
        ArgumentError: there are no ratings, or fewer than one Gaussian was asked for.
        InputError: raters are not named, or too few items have a rating of every rater.
    """
    if components != "bic" and not (isinstance(components, Integral) and components >= 1):
        raise ArgumentError(f"a mixture of {components} Gaussians cannot be fitted", remedy="1 or more, or bic")
    matrix = rating_matrix(ratings_of(judgements))
    is_whole: Booleans = np.asarray(np.isfinite(matrix.values).all(axis=0))
    vectors = matrix.values[:, is_whole].T
    test = rng.permutation(len(vectors)) < round(TEST_SHARE * len(vectors))
    _refuse_few(int((~test).sum()), vectors.shape[1], 1 if components == "bic" else components, judgements.name)
    number, notes = _chosen(vectors[~test], components, rng)
    found = effective_components(vectors, number, rng, fitted_to=vectors[~test])
    one = effective_components(vectors, 1, rng, fitted_to=vectors[~test])
    ids = [name for name, whole in zip(matrix.items, is_whole, strict=True) if whole]
    items = _items(ids, test, found, vectors)
    return ComponentTable(
        components=number,
        table=_counted(items),
        likelier=float((found.log_likelihood > one.log_likelihood)[test].mean()),
        items=items,
        notes=(*_left_out(len(is_whole) - len(vectors)), *notes),
    )


def _refuse_few(training: int, raters: int, components: int, where: str) -> None:
    need = ROWS_EACH * raters * components
    if training < need:
        has = counted(training, "item")
        what = (
            f"{has} with a rating of all {raters} raters to fit {counted(components, 'Gaussian')} to, and {need} needed"
        )
        raise InputError(what, where=where, remedy="fewer Gaussians, or gold --method mixture, which is per item")


def _chosen(training: Array, components: Components, rng: np.random.Generator) -> tuple[int, tuple[str, ...]]:
    if components != "bic":
        return components, ()
    rows, raters = training.shape
    numbers = [number for number in range(1, MOST + 1) if rows >= ROWS_EACH * raters * number]
    each = 1 + raters + raters * (raters + 1) / 2
    fits = [fit_vector_mixture(training, number, rng).log_likelihood for number in numbers]
    # The parameter that shares have less, as they sum to 1, is the same for every number of Gaussians.
    criteria = [number * each * np.log(rows) - 2 * fit for number, fit in zip(numbers, fits, strict=True)]
    best = numbers[int(np.argmin(criteria))]
    return best, (f"of 1 to {numbers[-1]} Gaussians, the Bayesian information criterion chooses {best}",)


def _items(ids: list[str], test: Booleans, found: EffectiveComponents, vectors: Array) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "item": ids,
            "split": np.where(test, "test", "training"),
            "effective": found.counts.astype(np.int64),
            "sigma": vectors.std(axis=1),
        },
        schema_overrides={"item": pl.String},
    )


def _counted(items: pl.DataFrame) -> pl.DataFrame:
    return (
        items.group_by("split", "effective")
        .agg(items=pl.len().cast(pl.Int64), sigma=pl.col("sigma").mean())
        .with_columns(share=pl.col("items") / pl.col("items").sum().over("split"))
        .select("split", "effective", "items", "share", "sigma")
        .sort("split", "effective")
    )


def _left_out(number: int) -> tuple[str, ...]:
    return (f"{counted(number, 'item')} without a rating of every rater left out",) if number else ()
