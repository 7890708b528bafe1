"""Gaussian mixtures of 1 to 3 components for the 19 ratings of each of 6,051 items: ours against scikit-learn.

Ours fits all items at once and selects by BIC. The peer is a plain loop over items and `GaussianMixture` with one
start each. It is timed on 300 random items and scaled up, because all items would take minutes. Both sides search the
same mixtures: no sigma is below 0.1 (``reg_covar`` adds its square to every variance). The ratings are those of
USTS-C if evidence/ exists, and otherwise simulated ones of the same size.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.mixture import GaussianMixture

import similitude as sim
from similitude.data.judgements import Judgements
from similitude.stats.mixture import fit_mixtures
from similitude.stats.mixture_choice import components_by_bic

USTS = Path(__file__).parents[1] / "evidence" / "usts" / "ustsc"
ITEMS, RATERS, SAMPLE, TURNS = 6051, 19, 300, 3
MOST, FLOOR = 3, 0.1
LIMIT = 30

console = Console(width=120)


class Fits(NamedTuple):
    """Log-likelihood (components x items), the number of components chosen for each item, and the seconds it took."""

    likelihood: np.ndarray
    chosen: np.ndarray
    seconds: float


def ratings() -> tuple[str, np.ndarray]:
    """What the ratings are, and items x raters."""
    if USTS.is_dir():
        return "USTS-C", Judgements.of_benchmark(sim.read(USTS)).matrix().values.T.copy()
    console.print(f"{USTS} is not there: simulated ratings")
    rng = np.random.default_rng(0)
    camps = np.take_along_axis(rng.uniform(0.5, 4.5, (ITEMS, 2)), rng.integers(0, 2, (ITEMS, RATERS)), axis=1)
    return "simulated", np.clip(camps + rng.normal(0, 0.4, (ITEMS, RATERS)), 0, 5).round(1)


def ours(values: np.ndarray) -> Fits:
    start = time.perf_counter()
    fits = [fit_mixtures(values, number, floor=FLOOR) for number in range(1, MOST + 1)]
    chosen = components_by_bic(values, fits)
    return Fits(np.stack([fit.log_likelihood for fit in fits]), chosen, time.perf_counter() - start)


def theirs(values: np.ndarray) -> Fits:
    start = time.perf_counter()
    likelihood, figures = np.empty((2, MOST, len(values)))
    for place, row in enumerate(values[:, :, None]):
        for number in range(1, MOST + 1):
            fit = GaussianMixture(number, reg_covar=FLOOR**2, random_state=0).fit(row)
            figures[number - 1, place] = fit.bic(row)
            likelihood[number - 1, place] = fit.score(row) * len(row)
    return Fits(likelihood, figures.argmin(axis=0) + 1, time.perf_counter() - start)


def show(name: str, all_of_ours: Fits, drawn: np.ndarray, peer: Fits) -> None:
    scaled = peer.seconds * len(all_of_ours.chosen) / len(drawn)
    table = Table(
        "", "ours", "scikit-learn", title=f"{name}: {len(all_of_ours.chosen):,} items x {RATERS} ratings, k = 1..3"
    )
    table.add_row("seconds", f"{all_of_ours.seconds:.2f}", f"{scaled:.0f} (scaled up from {len(drawn)} items)")
    for number in range(1, MOST + 1):
        means = (fits.mean() for fits in (all_of_ours.likelihood[number - 1, drawn], peer.likelihood[number - 1]))
        table.add_row(f"mean ln L of an item, k = {number}", *(f"{mean:.3f}" for mean in means))
    for number in range(1, MOST + 1):
        shares = ((chosen == number).mean() for chosen in (all_of_ours.chosen[drawn], peer.chosen))
        table.add_row(f"items with k = {number} by BIC", *(f"{share:.1%}" for share in shares))
    console.print(table)
    gap = all_of_ours.likelihood[:, drawn] - peer.likelihood
    console.print(f"ours at least as likely on {(gap > -1e-3).mean():.1%} of fits, by {gap.mean():.3f} on average")
    console.print(f"the same k on {(all_of_ours.chosen[drawn] == peer.chosen).mean():.1%} of items")
    console.print(f"{scaled / all_of_ours.seconds:.0f} times as fast (limit: at least {LIMIT})")


def main() -> None:
    warnings.simplefilter("ignore")
    name, values = ratings()
    drawn = np.random.default_rng(1).choice(len(values), min(SAMPLE, len(values)), replace=False)
    fit_mixtures(values[:10], 2, floor=FLOOR)  # whatever is imported late
    # In turns, the fastest of each: what else the machine does weighs on neither.
    turns = [(ours(values), theirs(values[drawn])) for _ in range(TURNS)]
    best, peer = (min(side, key=lambda fits: fits.seconds) for side in zip(*turns, strict=True))
    show(name, best, drawn, peer)


if __name__ == "__main__":
    main()
