"""Agreement on categories against irrCAC and statsmodels, and methods for many answers at a million of them.

- Six coefficients with standard errors on 15,000 items x 5 raters: ours, and those of the Python package ``irrCAC``,
  which must agree to 1e-6; Fleiss' and Cohen's kappa (with its standard error) also against ``statsmodels``.
- All figures of a million answers in categories, with intervals, as ``similitude reliability`` computes them.
- Dawid-Skene on a million answers, random ones and those of good and bad annotators.
- Best-worst answers with a fifth of random clickers: how well scores order the items, and who is found.

irrCAC pins old versions of pandas and scipy, but runs with new ones on complete data: ``pip install --no-deps irrCAC``.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table
from scipy.stats import spearmanr

from similitude.data.judgements import Judgements
from similitude.gold.aggregation import make_aggregation
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.categories import (
    brennan_prediger,
    classified_matrix,
    cohen_coefficient,
    conger,
    fleiss,
    gwet,
    krippendorff,
)
from similitude.stats.annotator_choices import ChoiceList, fit_annotators
from similitude.stats.dawid_skene import LabelList, fit_dawid_skene

ITEMS, RATERS, CATEGORIES = 15_000, 5, 5
TURNS = 5
OURS = {"fleiss": fleiss, "gwet": gwet, "conger": conger, "bp": brennan_prediger, "krippendorff": krippendorff}


def labels(items: int, rng: np.random.Generator) -> np.ndarray:
    """Raters x items: the true category in 70 % of answers, a random one in the others."""
    truth = rng.integers(1, CATEGORIES + 1, items)
    guess = rng.integers(1, CATEGORIES + 1, (RATERS, items))
    return np.where(rng.random(guess.shape) < 0.7, truth, guess).astype(float)


def timed(work: Callable[[], object], turns: int = 1) -> tuple[object, float]:
    """What the work gives, and the seconds of the fastest turn."""
    took = []
    for _ in range(turns):
        start = time.perf_counter()
        found = work()
        took.append(time.perf_counter() - start)
    return found, min(took)


def compare_irrcac() -> Table:
    import pandas as pd
    from irrCAC.raw import CAC

    table = Table("weights", "coefficient", "value", "SE", "ours / ms", "irrCAC / ms", "ratio", title="irrCAC (Python)")
    values = labels(ITEMS, np.random.default_rng(0))
    for weights in ("identity", "quadratic"):
        theirs, setup = timed(lambda weights=weights: CAC(pd.DataFrame(values.T), weights=weights, digits=9))
        answers, own_setup = timed(lambda: classified_matrix(values))
        answers.tally  # noqa: B018 - counted once, as irrCAC does when it is made
        for name, ours in OURS.items():
            found, fast = timed(lambda ours=ours, weights=weights, answers=answers: ours(answers, weights), TURNS)
            peer, slow = timed(lambda name=name, theirs=theirs: getattr(theirs, name)()["est"], TURNS)
            # alpha's standard error is that of irrCAC in R from 1.3 on, which the Python package precedes
            places = (found.value, found.standard_error) if name != "krippendorff" else (found.value,)
            np.testing.assert_allclose(places, (peer["coefficient_value"], peer["se"])[: len(places)], atol=1e-6)
            times = (f"{fast * 1e3:.2f}", f"{slow * 1e3:.1f}", f"{slow / fast:.0f}x")
            table.add_row(weights, name, f"{found.value:.5f}", f"{found.standard_error:.5f}", *times)
        table.add_row(weights, "preparing the data", "", "", f"{own_setup * 1e3:.1f}", f"{setup * 1e3:.1f}", "")
    return table


def compare_statsmodels() -> None:
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    values = labels(ITEMS, np.random.default_rng(0))
    counts = np.stack([(values == label).sum(axis=0) for label in range(1, CATEGORIES + 1)], axis=1)
    np.testing.assert_allclose(fleiss(classified_matrix(values)).value, fleiss_kappa(counts), atol=1e-12)
    two = values[:2].astype(int) - 1
    cross = np.bincount(two[0] * CATEGORIES + two[1], minlength=CATEGORIES**2).reshape(CATEGORIES, CATEGORIES)
    for ours, theirs in (("identity", None), ("linear", "linear"), ("quadratic", "fc")):
        found, peer = cohen_coefficient(classified_matrix(values[:2]), ours), cohens_kappa(cross, wt=theirs)
        expected = (peer.kappa, peer.std_kappa)
        np.testing.assert_allclose((found.value, found.standard_error), expected, atol=1e-10)


def many_answers(answers: int) -> Table:
    table = Table("what", "answers", "seconds", "result", title="Many answers")
    rng = np.random.default_rng(0)
    given = labels(answers // RATERS, rng)
    rater, item = (side.ravel() for side in np.indices(given.shape))
    frame = pl.DataFrame({"annotator": rater.astype(str), "item": item.astype(str), "value": given.ravel() - 1})
    made = Judgements(name="made", frame=frame, categories=tuple("abcde"))
    figures, seconds = timed(lambda: agreement_figures(made, resampling=Resampling()))
    table.add_row(
        "all figures of categories", f"{answers:,}", f"{seconds:.1f}", f"{len(figures)} figures, with intervals"
    )
    for name, of in (("random", random_labels), ("good and bad annotators", mixed_labels)):
        fit, seconds = timed(lambda of=of: fit_dawid_skene(of(answers, rng)))
        ended = "converged" if fit.has_converged else "not converged"
        table.add_row(f"Dawid-Skene, {name}", f"{answers:,}", f"{seconds:.1f}", f"{fit.rounds} rounds, {ended}")
    for method in ("counting", "plackett-luce", "annotator-plackett-luce"):
        judgements, utilities, _ = clicked(answers, rng=np.random.default_rng(1))
        found, seconds = timed(
            lambda method=method, judgements=judgements: make_aggregation(method).aggregate(judgements, rng)
        )
        scored = found.frame.drop_nulls("score")
        order = spearmanr(scored["score"], utilities[scored["id"].cast(pl.Int64).to_numpy()]).statistic
        table.add_row(method, f"{len(judgements):,}", f"{seconds:.1f}", f"Spearman with the truth {order:.3f}")
    return table


def random_labels(answers: int, rng: np.random.Generator) -> LabelList:
    items = answers // 5
    return LabelList(
        rng.integers(0, 1000, answers), np.arange(answers) % items, rng.integers(0, 5, answers), 1000, items, 5
    )


def mixed_labels(answers: int, rng: np.random.Generator) -> LabelList:
    items = answers // 5
    who, item, accuracy = rng.integers(0, 1000, answers), np.arange(answers) % items, rng.uniform(0.3, 0.95, 1000)
    truth, guess = rng.integers(0, 5, items), rng.integers(0, 5, answers)
    return LabelList(who, item, np.where(rng.random(answers) < accuracy[who], truth[item], guess), 1000, items, 5)


def drawn(
    rng: np.random.Generator, *, items: int, tuples: int, answers: int, people: int, clickers: float = 0.2
) -> tuple[ChoiceList, np.ndarray, np.ndarray]:
    """Answers of the max-diff model by people of whom the first click at random."""
    utilities = rng.normal(0, 1, items)
    sets = np.sort(rng.integers(0, items, (tuples, 4)), axis=1)
    sets = np.unique(sets[(np.diff(sets, axis=1) > 0).all(axis=1)], axis=0)
    set_of = np.repeat(np.arange(len(sets)), answers)
    first = rng.integers(0, people, len(sets))
    who = (first[:, None] + np.cumsum(rng.integers(1, people // answers, (len(sets), answers)), axis=1)) % people
    who, is_clicker = who.ravel(), np.arange(people) < round(clickers * people)
    shown = sets[set_of]
    gaps = np.where(is_clicker[who], 0.0, 1.0)[:, None, None] * (
        utilities[shown][:, :, None] - utilities[shown][:, None, :]
    )
    gaps[:, np.arange(4), np.arange(4)] = -np.inf
    pair = (gaps + rng.gumbel(size=gaps.shape)).reshape(set_of.size, -1).argmax(axis=1)
    rows = np.arange(set_of.size)
    best, worst = shown[rows, pair // 4], shown[rows, pair % 4]
    given = ChoiceList(sets, np.ones(sets.shape, bool), set_of, best, worst, who, items, people)
    return given, utilities, is_clicker


def clicked(answers: int, rng: np.random.Generator) -> tuple[Judgements, np.ndarray, np.ndarray]:
    given, utilities, is_clicker = drawn(rng, items=answers // 16, tuples=answers // 5, answers=5, people=1000)
    return judgements_of(given), utilities, is_clicker


def judgements_of(given: ChoiceList) -> Judgements:
    frame = pl.DataFrame(
        {
            "annotator": given.annotator.astype(str),
            "items": pl.Series(given.members[given.set_of]).cast(pl.List(pl.String)),
            "best": given.best.astype(str),
            "worst": given.worst.astype(str),
        }
    )
    return Judgements(name="made", frame=frame)


def clickers_found(replications: int) -> Table:
    heads = ("clickers", "answers per item", "per annotator", "counting", "plackett-luce", "annotator-plackett-luce")
    title = f"Random clickers: Spearman with the truth, and who is listed; {replications} data sets"
    table = Table(*heads, "precision", "recall", title=title)
    designs = ((400, 5, 40, 0.2), (400, 5, 100, 0.2), (200, 3, 40, 0.2), (200, 3, 100, 0.2), (400, 5, 40, 0.0))
    for tuples, answers, people, clickers in designs:
        orders, right, listed, there = [], 0, 0, 0
        for seed in range(replications):
            given, utilities, is_clicker = drawn(
                np.random.default_rng(seed), items=200, tuples=tuples, answers=answers, people=people, clickers=clickers
            )
            fit = fit_annotators(given, prior=0.1)
            judgements = judgements_of(given)
            row = []
            for method in ("counting", "plackett-luce"):
                scored = make_aggregation(method).aggregate(judgements, np.random.default_rng(0)).frame
                row.append(spearmanr(scored["score"], utilities[scored["id"].cast(pl.Int64).to_numpy()]).statistic)
            seen = np.unique(given.members)
            orders.append([*row, spearmanr(fit.utilities[seen], utilities[seen]).statistic])
            found = fit.random_clicking > 0.9
            right, listed, there = right + (found & is_clicker).sum(), listed + found.sum(), there + is_clicker.sum()
        number = given.best.size
        means = [f"{mean:.3f}" for mean in np.mean(orders, axis=0)]
        shares = (f"{right / listed:.2f}" if listed else "", f"{right / there:.2f}" if there else "")
        table.add_row(f"{clickers:.0%}", f"{4 * number / 200:.0f}", f"{number / people:.0f}", *means, *shares)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--answers", type=int, default=1_000_000, metavar="N", help="for many answers (1,000,000)")
    parser.add_argument("--replications", type=int, default=20, metavar="N", help="data sets with clickers (20)")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    console = Console(width=130)
    console.print(compare_irrcac())
    compare_statsmodels()
    console.print("Fleiss' and Cohen's kappa (plain, linear, quadratic) and its standard errors: as statsmodels")
    console.print(many_answers(asked.answers))
    console.print(clickers_found(asked.replications))


if __name__ == "__main__":
    main()
