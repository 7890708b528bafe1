"""A full predictiveness run: ``python benchmarks/predictiveness.py``.

The run has 20 systems x 16 measures x 3 tasks with 1,000 resamples, 3,000 items and tasks of 100 documents. The
script prints where the time goes; the target is less than 2 minutes on 2 cores. Items are those of USTS-U, and tasks
are made of the German pairs of nlu_de, if those folders exist; otherwise both are made of the sample's texts. No
cache is used.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from rich.console import Console

import similitude as sim
from similitude.data.item import Items
from similitude.evaluate.tasks.pair_tasks import Related, TextReuse
from similitude.evaluate.tasks.search_tasks import FindRelated
from similitude.study.predictiveness.study import PAPER_MEASURES, PAPER_SYSTEMS, run_predictiveness

EVIDENCE = Path(__file__).parents[1] / "evidence"
GERMAN = EVIDENCE / "nlu-de" / "NLU-Data-Home-Domain-similarity-de.csv.bz2"
ITEMS, DOCUMENTS, RESAMPLES = 3000, 100, 1000
FURTHER = ("char-ngram-cosine(n=2)", "char-ngram-jaccard(n=4)", "monge-elkan", "tfidf-cosine", "soft-tfidf")
SYSTEMS = (*PAPER_SYSTEMS, *FURTHER, "use-multilingual")


def benchmark() -> sim.Benchmark:
    if (EVIDENCE / "usts" / "ustsu").is_dir():
        whole = sim.read(EVIDENCE / "usts" / "ustsu")
        return whole.take(np.random.default_rng(0).permutation(len(whole))[:ITEMS])
    texts = sim.read("sample:opinions").items.texts()
    rng = np.random.default_rng(0)
    lefts, rights = (np.array(texts)[rng.integers(0, len(texts), ITEMS)] for _ in range(2))
    return sim.Benchmark.from_columns(left=lefts, right=rights, score=rng.uniform(0, 5, ITEMS), scale="0..5")


def tasks() -> list[TextReuse | Related | FindRelated]:
    pairs = sim.read(GERMAN) if GERMAN.exists() else sim.read("sample:conditions")
    order = np.argsort(pairs.gold.scores, kind="stable")
    chosen = order[np.linspace(0, len(order) - 1, DOCUMENTS).astype(int)]
    items = Items.from_pairs(*(np.array(side)[chosen].tolist() for side in (pairs.items.lefts, pairs.items.rights)))
    level = np.arange(DOCUMENTS) * 4 // DOCUMENTS
    best = order[-DOCUMENTS:]
    queries, pool = (tuple(np.array(side)[best].tolist()) for side in (pairs.items.lefts, pairs.items.rights))
    related = np.eye(DOCUMENTS, dtype=bool)
    return [
        TextReuse(name="text reuse", items=items, labels=level, classes=("none", "heavy", "light", "copy")),
        Related(name="related", items=items, labels=(level >= 2).astype(int), classes=("no", "yes")),
        FindRelated(name="find", queries=queries, pool=pool, is_related=related, is_same=np.zeros_like(related)),
    ]


def main() -> None:
    console = Console(width=120)
    data, done = benchmark(), tasks()
    start = time.perf_counter()
    study = run_predictiveness(data, done, SYSTEMS, PAPER_MEASURES, resamples=RESAMPLES, seed=1)
    seconds = time.perf_counter() - start
    console.print(
        f"{len(SYSTEMS)} systems x {len(PAPER_MEASURES)} measures x {len(done)} tasks, {RESAMPLES:,} resamples, "
        f"{len(data):,} items, {DOCUMENTS} documents a task: {seconds:.0f} s (asked: under 120 s)"
    )
    for name, part in study.seconds.items():
        console.print(f"  {name:<11}{part:6.1f} s  {part / seconds:5.0%}")


if __name__ == "__main__":
    main()
