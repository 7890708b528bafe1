"""Encoding on a GPU against sentence-transformers' ``encode``: ``python benchmarks/encoders_gpu.py [TEXTS]``.

The model has the shape of mpnet-base and random weights, since time does not depend on them, and its own tokeniser.
Texts have the lengths of STS benchmarks. Nothing is downloaded. Each side encodes the same texts once after a warm-up;
the peer gets its default batch of 32 and, as its best, 512. The share of the card's peak counts two operations per
weight of the linear layers and token (padding not counted) and those of attention, against 989 TFLOP/s (dense bf16,
H100 and H200).
"""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import transformers
from sentence_transformers import SentenceTransformer

from similitude.models.encoders.text_model import TokenModel
from similitude.systems.encoders.sentence_encoder import SentenceEncoder

PEAK = 989e12
WIDTH, LAYERS, VOCABULARY = 768, 12, 30_000
LINEAR_WEIGHTS = LAYERS * 12 * WIDTH * WIDTH
BUDGETS = (4_096, 16_384, 65_536)


class Timed(NamedTuple):
    """Seconds of one run, and its vectors."""

    seconds: float
    vectors: np.ndarray


def mpnet_folder(folder: Path) -> Path:
    """A sentence-transformers model: mpnet-base with random weights and mean pooling."""
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling

    words = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>", *(f"w{i}" for i in range(VOCABULARY))]
    vocabulary = {word: number for number, word in enumerate(words)}
    torch.manual_seed(0)
    config = transformers.MPNetConfig(vocab_size=len(words), hidden_size=WIDTH, num_hidden_layers=LAYERS)
    transformers.MPNetModel(config).save_pretrained(folder / "plain")
    transformers.MPNetTokenizer(vocabulary, model_max_length=384).save_pretrained(folder / "plain")
    modules = [Transformer(str(folder / "plain")), Pooling(WIDTH, "mean"), Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder / "model"))
    return folder / "model"


def sts_texts(count: int) -> list[str]:
    """Texts of 3 to 58 words, as many in the middle as in STS-B (median 10, mean 12)."""
    rng = np.random.default_rng(0)
    lengths = np.clip(np.exp(rng.normal(2.35, 0.5, count)), 3, 58).astype(int)
    words = rng.integers(0, VOCABULARY, int(lengths.sum()))
    ends = np.cumsum(lengths)
    return [
        " ".join(f"w{word}" for word in words[end - length : end]) for end, length in zip(ends, lengths, strict=True)
    ]


def operations(lengths: np.ndarray) -> float:
    """Floating-point operations for texts of these lengths in tokens."""
    return float(2.0 * LINEAR_WEIGHTS * lengths.sum() + 4.0 * LAYERS * WIDTH * (lengths.astype(float) ** 2).sum())


def timed(encode: Callable[[], np.ndarray]) -> Timed:
    torch.cuda.synchronize()
    start = time.perf_counter()
    vectors = encode()
    torch.cuda.synchronize()
    return Timed(time.perf_counter() - start, vectors)


def theirs(folder: Path, texts: list[str], dtype: str, batch: int) -> Timed:
    model = SentenceTransformer(str(folder), device="cuda", model_kwargs={"dtype": getattr(torch, dtype)})
    model.encode(texts[:2048], batch_size=batch)
    return timed(lambda: model.encode(texts, batch_size=batch, convert_to_numpy=True))


def ours(folder: Path, texts: list[str], dtype: str, tokens: int | None = None) -> Timed:
    encoder = SentenceEncoder(str(folder), device="cuda", dtype=dtype, tokens=tokens).cached_encoder
    encoder.rows(texts)  # A warm-up with all shapes: the first product of a shape loads its kernel.
    return timed(lambda: encoder.rows(texts).values)


def show(name: str, count: int, run: Timed, work: float, beside: float | None = None) -> None:
    ratio = "" if beside is None else f"  {count / run.seconds / beside:6.1f} x peer"
    share = work / run.seconds / PEAK
    print(f"{name:58} {count / run.seconds:10,.0f} texts/s  {share:6.1%} of peak{ratio}", flush=True)


def show_precision(folder: Path, texts: list[str], lengths: np.ndarray, dtype: str) -> None:
    part = len(texts) // 8
    best = 0.0
    for batch in (32, 512):
        peer = theirs(folder, texts[:part], dtype, batch)
        best = max(best, part / peer.seconds)
        show(f"{dtype}: sentence-transformers, batch {batch}", part, peer, operations(lengths[:part]))
    for tokens in (None, *BUDGETS):
        run = ours(folder, texts, dtype, tokens)
        show(f"{dtype}: ours, tokens={tokens or 'default'}", len(texts), run, operations(lengths), best)
        cosines = (run.vectors[:part] * peer.vectors).sum(1)
        assert cosines.min() > (0.999 if dtype == "float32" else 0.98), cosines.min()


def tokenised(folder: Path, texts: list[str]) -> np.ndarray:
    """Lengths in tokens, and how fast the texts are prepared."""
    system = SentenceEncoder(str(folder), device="cuda")
    model = system.load(system.load_options)
    assert isinstance(model, TokenModel)
    model.prepare(texts[:1000], "")
    start = time.perf_counter()
    prepared = model.prepare(texts, "")
    print(f"tokenising alone: {len(texts) / (time.perf_counter() - start):,.0f} texts/s")
    return np.asarray(prepared.lengths)


def main(count: int = 160_000) -> None:
    if not torch.cuda.is_available():
        print("no GPU: the GPU table is left out")
        return
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    with tempfile.TemporaryDirectory() as place:
        folder = mpnet_folder(Path(place))
        texts = sts_texts(count)
        lengths = tokenised(folder, texts)
        print(f"{count:,} texts, {lengths.mean():.1f} tokens on average")
        for dtype in ("bfloat16", "float32"):
            show_precision(folder, texts if dtype == "bfloat16" else texts[: count // 4], lengths, dtype)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
