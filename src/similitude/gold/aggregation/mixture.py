"""Gaussian mixtures: gold for items on which people fall into camps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import counted
from similitude.errors import ArgumentError, EstimationError
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.moments import sigma, standard_error
from similitude.gold.aggregation.rated_items import RatedItems, rated_items
from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.mixture import Mixtures, fit_mixtures
from similitude.stats.mixture_choice import components_by_bic, components_by_held_out, most_components

__all__ = ["Mixture", "least_sigma"]

Choose = Literal["bic", "heldout"]

UNITS = 10_000
"""The resolution, in parts of the scale, at which the step between ratings is found."""
PARTS = ("mixture_weights", "mixture_means", "mixture_sigmas")


@AGGREGATIONS.register("mixture", "gmm")
@dataclass(frozen=True, repr=False)
class Mixture(Aggregation):
    """One mixture of one to ``most`` Gaussians per item, fitted by maximum likelihood, all items at once.

    The number of components is chosen for each item: by BIC, or by the likelihood of held-out ratings (five folds). An
    item with n ratings gets at most (n + 1) / 3 components, so that it never has more parameters than ratings: two
    components need five ratings, three need eight.

    ``score`` is the mean of the ratings, which is the mean of the mixture; ``sigma`` and ``standard_error`` are as in
    ``gaussian``. The components are in ``mixture_weights``, ``mixture_means`` (lowest first) and ``mixture_sigmas``.

    No component is narrower than ``floor`` of the scale (0.1 on 0..5), or than half the step between possible ratings:
    neighbouring whole numbers are not separate camps. EM starts are deterministic, so the same ratings give the same
    mixture; ``heldout`` draws the folds at random.

    Attributes:
        most: the largest number of components to try.
        choose: "bic" or "heldout".
        floor: the smallest standard deviation of a component, as a fraction of the scale.
    """

    most: int = 3
    choose: Choose = "bic"
    floor: float = 0.02

    name: ClassVar[str] = "mixture"
    summary: ClassVar[str] = "a Gaussian mixture with as many components as the ratings support"
    kind: ClassVar[Kind] = "rating"

    def __post_init__(self) -> None:
        if not 1 <= self.most <= 10:
            raise ArgumentError(f"most={self.most} components cannot be tried", remedy="1 to 10")
        if not 0 < self.floor < 1:
            raise ArgumentError(f"floor={self.floor:g} is not a fraction of the scale", remedy="between 0 and 1")

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One mixture per item.

        Raises:
            EstimationError: EM did not converge for more than one item in a hundred.
        """
        self.require_kind(judgements)
        rated = rated_items(judgements)
        least = least_sigma(rated, self.floor)
        chosen = [_Chosen(group.places, *self._fitted(group.values, least, rng)) for group in rated.by_number()]
        frame = rated.frame.with_columns(
            score=pl.col("ratings").list.mean(), sigma=sigma(), standard_error=standard_error()
        ).join(_table(rated, chosen), on="id", how="left", maintain_order="left")
        kept = ("id", "score", "sigma", "standard_error", *PARTS, "components", "answers")
        by = "BIC" if self.choose == "bic" else "held-out likelihood"
        return Aggregated(
            frame=frame.select(kept),
            scale=rated.scale,
            how=f"{self}: mixture of 1 to {self.most} Gaussians an item, chosen by {by}, sigmas of {least:.3g} or more",
            notes=(*rated.notes, *self._notes(chosen, judgements.name)),
        )

    def _fitted(self, values: Array, least: float, rng: np.random.Generator) -> tuple[list[Mixtures], Integers]:
        """The fit with each number of components, and the number chosen for each item."""
        possible = most_components(values.shape[1], self.most)
        fits = [fit_mixtures(values, number, floor=least) for number in range(1, possible + 1)]
        if self.choose == "bic" or possible == 1:
            return fits, components_by_bic(values, fits)
        return fits, components_by_held_out(values, possible, rng, floor=least)

    def _notes(self, chosen: list[_Chosen], where: str) -> tuple[str, ...]:
        items = sum(len(group.places) for group in chosen)
        numbers = np.concatenate([group.components for group in chosen])
        shares = ", ".join(f"{k}: {int((numbers == k).sum()):,}" for k in range(1, self.most + 1))
        notes = [f"items by number of components: {shares}"]
        held_back = sum(len(group.places) for group in chosen if len(group.fits) < self.most)
        if held_back:
            need = 3 * self.most - 1
            notes.append(
                f"{counted(held_back, 'item')} with too few ratings for {self.most} components ({need} needed)"
            )
        open_ends = sum(int((~group.has_converged()).sum()) for group in chosen)
        if open_ends > items / 100:
            what = f"EM did not converge for {open_ends:,} of {counted(items, 'item')}"
            raise EstimationError(what, where=where, remedy="try fewer components, or a larger floor")
        if open_ends:
            notes.append(f"EM did not quite converge for {counted(open_ends, 'item')}")
        return tuple(notes)


def least_sigma(rated: RatedItems, share: float) -> float:
    """The smallest standard deviation of a component: a fraction of the scale, or half the step between ratings.

    A rating stands for all opinions nearer to it than to the next, so ratings cannot show spreads below about half a
    step. The step is the largest number of which all ratings, counted from the low end of the scale, are multiples.
    Half of it counts up to an eighth of the scale, because a few ratings can share a large divisor by chance.
    """
    width = rated.scale.width
    units = np.round((rated.long["value"].to_numpy() - rated.scale.low) / width * UNITS).astype(np.int64)
    half_a_step = float(np.gcd.reduce(units)) / UNITS * width / 2
    return max(share * width, min(half_a_step, width / 8))


class _Chosen(NamedTuple):
    """The fits of items with the same number of ratings, and the number of components chosen for each."""

    places: Integers
    fits: list[Mixtures]
    components: Integers

    def has_converged(self) -> Booleans:
        return np.stack([fit.has_converged for fit in self.fits])[self.components - 1, np.arange(len(self.places))]


def _table(rated: RatedItems, chosen: list[_Chosen]) -> pl.DataFrame:
    """Id, number of components and the three columns of a mixture, for every rated item."""
    ids = rated.frame["id"]
    pieces = [
        pl.DataFrame(
            {"id": ids[group.places[taken]], "components": np.full(len(taken), number)}
            | {name: list(column[taken]) for name, column in zip(PARTS, fit, strict=False)},
            schema_overrides=dict.fromkeys(PARTS, pl.List(pl.Float64)),
        )
        for group in chosen
        for number, fit in enumerate(group.fits, start=1)
        if len(taken := np.flatnonzero(group.components == number))
    ]
    return pl.concat(pieces)
