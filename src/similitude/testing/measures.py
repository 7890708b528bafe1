"""The contracts of a measure."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import Measure, make_measure
from similitude.stats import Units
from similitude.testing.contract import check_contracts, require

__all__ = ["MEASURE_CONTRACTS", "check_measure"]

ITEMS, SYSTEMS = 60, 3


class _Measured(NamedTuple):
    """A measure with the figures that it gives."""

    measure: Measure
    comparison: Comparison

    def values(self, comparison: Comparison) -> NDArray[np.float64]:
        return np.array([figure.value for figure in self.measure(comparison)])


def check_measure(written: str | Measure) -> None:
    """Check that a measure keeps every contract; `MEASURE_CONTRACTS` lists them.

    Args:
        written: a name with arguments, ``path/to/file.py:MyMeasure``, or a measure.

    Raises:
        AssertionError: a contract is broken; the message says which, and what was seen.
        ArgumentError: it is neither a name nor a measure.

    >>> check_measure("ndcg@10")
    """
    measure = written if isinstance(written, Measure) else make_measure(written)
    check_contracts(f"measure '{measure}'", MEASURE_CONTRACTS, _Measured(measure, _comparison_for(measure)))


def says_what_it_is(measured: _Measured) -> None:
    """It says what it means, what ties do, and when it is undefined."""
    measure = measured.measure
    for part in ("meaning", "on_ties", "undefined"):
        require(bool(getattr(measure, part)), f"{part} is empty")
    require(bool(type(measure).__doc__), "it has no docstring")
    require(measure.low < measure.high, f"its range is {measure.low}..{measure.high}")


def written_name_makes_it_again(measured: _Measured) -> None:
    """What it is written as makes the same measure, so that a saved run can be read."""
    again = make_measure(str(measured.measure))
    require(again == measured.measure, f"'{measured.measure}' makes '{again}'")
    require(str(again) == str(measured.measure), f"'{measured.measure}' is written '{again}' after that")


def gives_one_figure_a_system(measured: _Measured) -> None:
    """There is one figure for each system, and none is undefined where nothing is lacking."""
    figures = measured.measure(measured.comparison)
    require(len(figures) == SYSTEMS, f"{len(figures)} figures for {SYSTEMS} systems")
    require(all(figure.reason is None for figure in figures), f"undefined: {figures[0].reason}")


def stays_in_its_range(measured: _Measured) -> None:
    """No figure lies below ``low`` or above ``high``."""
    measure, values = measured.measure, measured.values(measured.comparison)
    inside = (values >= measure.low - 1e-12) & (values <= measure.high + 1e-12)
    require(bool(inside.all()), f"{values[~inside]} is outside {measure.low}..{measure.high}")


def row_order_does_not_matter(measured: _Measured) -> None:
    """Items in another order give the same figures."""
    shuffled = _comparison_for(measured.measure, np.random.default_rng(9).permutation(ITEMS))
    _require_equal(measured.values(shuffled), measured.values(measured.comparison))


def other_systems_do_not_matter(measured: _Measured) -> None:
    """A system has the same figure alone and among others."""
    whole, together = measured.comparison, measured.values(measured.comparison)
    for row in range(SYSTEMS):
        _require_equal(measured.values(whole.of_systems([row])), together[[row]])


def what_is_lacking_is_said(measured: _Measured) -> None:
    """Where gold or predictions lack what it needs, the figure is nan and says why; never 0."""
    bare = Comparison(
        gold=np.array([1.0, 2.0]), predicted=np.array([[1.0, 2.0]]), scale=None, is_on_scale=np.zeros(1, bool)
    )
    (figure,) = measured.measure(bare)
    if measured.measure.requires:
        require(bool(np.isnan(figure.value)), f"it gives {figure.value} without {sorted(measured.measure.requires)}")
        require(bool(figure.reason), "it does not say why")
    else:
        require(figure.reason is None, f"it needs nothing, yet says: {figure.reason}")


def weights_are_repetitions(measured: _Measured) -> None:
    """An item that counts twice is an item that is there twice."""
    counts = np.random.default_rng(5).multinomial(ITEMS, np.full(ITEMS, 1 / ITEMS)).astype(np.float64)
    ours = measured.measure.weighted_values(measured.comparison, counts[None])
    _require_equal(ours[:, 0], Measure.weighted_values(measured.measure, measured.comparison, counts[None])[:, 0])


def left_out_items_are_not_there(measured: _Measured) -> None:
    """Where it knows its figures without each item, they spread as those of counting again, within a fifth."""
    found = measured.measure.left_out(measured.comparison, Units(ITEMS))
    if found is None:
        return
    require(found.shape == (SYSTEMS, ITEMS), f"left_out gives {found.shape} for {SYSTEMS} systems x {ITEMS} items")
    again = measured.measure.weighted_values(measured.comparison, 1 - np.eye(ITEMS))
    spreads, expected = np.nanstd(found, axis=1), np.nanstd(again, axis=1)
    close = np.abs(spreads - expected) <= 0.2 * expected + 1e-12
    require(bool(close.all()), f"left_out spreads by {spreads} where {expected} was expected")


def shares_are_of_trials(measured: _Measured) -> None:
    """If it says that it is a share, it gives trials, and its figure as a function of the share."""
    shares = measured.measure.shares(measured.comparison)
    if measured.measure.sampling != "share":
        return
    require(shares is not None, "its sampling is 'share', but it gives no shares")
    assert shares is not None
    values = measured.values(measured.comparison)
    _require_equal(np.array([shares.to_figure(share) for share in shares.of_figure(values).tolist()]), values)


MEASURE_CONTRACTS = (
    says_what_it_is,
    written_name_makes_it_again,
    gives_one_figure_a_system,
    stays_in_its_range,
    row_order_does_not_matter,
    other_systems_do_not_matter,
    what_is_lacking_is_said,
    weights_are_repetitions,
    left_out_items_are_not_there,
    shares_are_of_trials,
)
"""What every measure must keep."""


def _require_equal(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> None:
    require(
        bool(np.allclose(ours, theirs, rtol=1e-9, atol=1e-12, equal_nan=True)), f"{ours} where {theirs} was expected"
    )


def _comparison_for(measure: Measure, order: NDArray[np.intp] | None = None) -> Comparison:
    """All that the measure could need; graded gold, or two labels if it needs them."""
    whole = _comparison(order)
    if "two labels" not in measure.requires:
        return whole
    labelled = replace(whole, gold=np.where(whole.gold > 2.5, 5.0, 0.0))
    return replace(labelled, folds=labelled.fold_of_item)


def _comparison(order: NDArray[np.intp] | None = None) -> Comparison:
    """Three systems on sixty items that have everything a measure could need."""
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, ITEMS).round(1)
    predicted = np.clip(gold + rng.normal(0, 1, (SYSTEMS, ITEMS)), 0, 5).round(1)
    human, sigma = rng.uniform(0.1, 1, ITEMS), rng.uniform(0.1, 1, (SYSTEMS, ITEMS))
    raters = np.repeat(np.arange(ITEMS), 3)
    ratings = np.clip(gold[raters] + rng.normal(0, 0.5, ITEMS * 3), 0, 5)
    order = np.arange(ITEMS) if order is None else order
    return Comparison(
        gold=gold[order],
        predicted=predicted[:, order],
        scale=Scale(low=0, high=5),
        is_on_scale=np.ones(SYSTEMS, bool),
        gold_sigma=human[order],
        predicted_sigma=sigma[:, order],
        ratings=(ratings, np.argsort(order)[raters]),
        groups=order // 4,
        sources=Sources(order // 20, ("a", "b", "c")),
    )
