"""All measures over 3,108 pairs x 20 systems: ours against the same figures from scipy and scikit-learn.

3,108 is the size of the SemEval-2012 test set. Both sides see the same arrays in one process, take turns, and must
agree to 1e-9. The exception is nDCG, for which scikit-learn divides by log2(i + 1); there only the time is compared.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import stats as scipy_stats
from sklearn import metrics as sklearn_metrics

from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure

ITEMS, SYSTEMS, REPEATS = 3108, 20, 7
FIVE = Scale(low=0, high=5)

Peer = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], float]


def low(scores: np.ndarray) -> np.ndarray:
    return scores < 1.5


def high(scores: np.ndarray) -> np.ndarray:
    return scores > 3.5


def hmean(a: float, b: float) -> float:
    return 2 * a * b / (a + b)


def kl(gold: np.ndarray, mean: np.ndarray, human: np.ndarray, sigma: np.ndarray) -> float:
    return float(np.mean(np.log(sigma / human) + (human**2 + (gold - mean) ** 2) / (2 * sigma**2) - 0.5))


def crps(gold: np.ndarray, mean: np.ndarray, human: np.ndarray, sigma: np.ndarray) -> float:
    z = (gold - mean) / sigma
    norm = scipy_stats.norm
    return float(np.mean(sigma * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / np.sqrt(np.pi))))


def ece(gold: np.ndarray, mean: np.ndarray, human: np.ndarray, sigma: np.ndarray) -> float:
    levels = np.arange(1, 20) / 20
    gaps = []
    for level in levels:
        lower, upper = scipy_stats.norm.interval(level, mean, sigma)
        gaps.append(abs(np.mean((gold >= lower) & (gold <= upper)) - level))
    return float(np.mean(gaps))


PEERS: dict[str, Peer] = {
    "pearson": lambda g, p, h, s: scipy_stats.pearsonr(g, p).statistic,
    "spearman": lambda g, p, h, s: scipy_stats.spearmanr(g, p).statistic,
    "kendall": lambda g, p, h, s: scipy_stats.kendalltau(g, p).statistic,
    "mse": lambda g, p, h, s: sklearn_metrics.mean_squared_error(g, p),
    "mae": lambda g, p, h, s: sklearn_metrics.mean_absolute_error(g, p),
    "ndcg": lambda g, p, h, s: sklearn_metrics.ndcg_score([g], [p]),
    "ndcg@3": lambda g, p, h, s: sklearn_metrics.ndcg_score([g], [p], k=3),
    "ndcg@5": lambda g, p, h, s: sklearn_metrics.ndcg_score([g], [p], k=5),
    "ndcg@10": lambda g, p, h, s: sklearn_metrics.ndcg_score([g], [p], k=10),
    "accuracy_low": lambda g, p, h, s: sklearn_metrics.accuracy_score(low(g), low(p)),
    "accuracy_high": lambda g, p, h, s: sklearn_metrics.accuracy_score(high(g), high(p)),
    "precision_low": lambda g, p, h, s: sklearn_metrics.precision_score(low(g), low(p)),
    "precision_high": lambda g, p, h, s: sklearn_metrics.precision_score(high(g), high(p)),
    "recall_low": lambda g, p, h, s: sklearn_metrics.recall_score(low(g), low(p)),
    "recall_high": lambda g, p, h, s: sklearn_metrics.recall_score(high(g), high(p)),
    "f1_low": lambda g, p, h, s: sklearn_metrics.f1_score(low(g), low(p)),
    "f1_high": lambda g, p, h, s: sklearn_metrics.f1_score(high(g), high(p)),
    "hmean(pearson, f1)": lambda g, p, h, s: hmean(
        scipy_stats.pearsonr(g, p).statistic,
        hmean(sklearn_metrics.f1_score(low(g), low(p)), sklearn_metrics.f1_score(high(g), high(p))),
    ),
    "macro_avg(f1_low, f1_high)": lambda g, p, h, s: (
        (sklearn_metrics.f1_score(low(g), low(p)) + sklearn_metrics.f1_score(high(g), high(p))) / 2
    ),
    "nlpd": lambda g, p, h, s: -scipy_stats.norm.logpdf(g, p, s).mean(),
    "kl": kl,
    "crps": crps,
    "ece": ece,
    "sigma_pearson": lambda g, p, h, s: scipy_stats.pearsonr(h, s).statistic,
    "sigma_spearman": lambda g, p, h, s: scipy_stats.spearmanr(h, s).statistic,
}
TIME_ONLY = {name for name in PEERS if name.startswith("ndcg")}


def best_of_turns(turns: list[Callable[[], object]]) -> list[float]:
    """The fastest of several runs of each, taking turns so that a slow moment of the machine hits all."""
    best = [np.inf] * len(turns)
    for _ in range(REPEATS):
        for place, work in enumerate(turns):
            start = time.perf_counter()
            work()
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def main() -> None:
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    gold = np.round(rng.uniform(0, 5, ITEMS) * 5) / 5
    predicted = np.clip(gold + rng.normal(0, np.linspace(0.3, 3, SYSTEMS)[:, None], (SYSTEMS, ITEMS)), 0, 5).round(4)
    human, sigma = rng.uniform(0.1, 1, ITEMS), rng.uniform(0.1, 1, (SYSTEMS, ITEMS))
    measures = {name: make_measure(name) for name in PEERS}

    def comparison() -> Comparison:
        return Comparison(
            gold=gold,
            predicted=predicted,
            scale=FIVE,
            is_on_scale=np.ones(SYSTEMS, dtype=bool),
            gold_sigma=human,
            predicted_sigma=sigma,
        )

    def ours(name: str) -> list[float]:
        return [figure.value for figure in measures[name](comparison())]

    def peers(name: str) -> list[float]:
        return [PEERS[name](gold, p, human, s) for p, s in zip(predicted, sigma, strict=True)]

    def all_ours() -> None:
        shared = comparison()
        for measure in measures.values():
            measure(shared)

    def all_peers() -> None:
        for name in PEERS:
            peers(name)

    table = Table(
        "measure", "ours / ms", "scipy, scikit-learn / ms", "ratio", title=f"{ITEMS:,} pairs x {SYSTEMS} systems"
    )
    for name in PEERS:
        if name not in TIME_ONLY:
            np.testing.assert_allclose(ours(name), peers(name), atol=1e-9, rtol=0)
        fast, slow = best_of_turns([lambda: ours(name), lambda: peers(name)])  # noqa: B023
        table.add_row(name, f"{fast * 1e3:.2f}", f"{slow * 1e3:.2f}", f"{slow / fast:.1f}x")
    fast, slow = best_of_turns([all_ours, all_peers])
    table.add_section()
    table.add_row("all, one comparison", f"{fast * 1e3:.2f}", f"{slow * 1e3:.2f}", f"{slow / fast:.1f}x", style="bold")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
