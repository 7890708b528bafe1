"""How well the similarities of an 8-bit model agree with those of float32, measured on the user's own pairs.

A tenth of the pairs, but at least 64 and at most 512, are also scored in float32. The Spearman correlation between both
scores and the largest difference are noted. They are remembered, so that the same pairs are scored twice only once.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import VectorCache
from similitude.models.encoders.loader import Backend
from similitude.stats.correlation import spearman
from similitude.systems.encoders.input_text import input_texts

__all__ = [
    "Agreement",
    "backend_settings",
    "exact_sample",
    "sample_positions",
    "sample_size",
    "with_agreement_noted",
]

Score = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]

_SHARE, _LEAST, _MOST = 0.1, 64, 512
_FEWEST = 10
"""Fewer pairs than this say nothing about a correlation."""
_LOW = 0.995

_known: dict[str, str] = {}
"""Agreements that this process has measured, for systems without a cache."""


class Agreement(NamedTuple):
    """Agreement of two sets of scores.

    Attributes:
        rho: their Spearman correlation.
        apart: their largest difference.
        pairs: the number of pairs.
    """

    rho: float
    apart: float
    pairs: int

    def described(self, total: int) -> str:
        """One sentence for the user."""
        text = f"int8: Spearman correlation {self.rho:.4f} with float32 on {self.pairs:,} of your {total:,} pairs"
        text += f"; similarities differ by {self.apart:.3f} at most"
        return text if self.rho >= _LOW else f"{text}. This is low: leave out backend=int8 for final figures"


def backend_settings(backend: Backend) -> dict[str, object]:
    """What a backend adds to the key of cached rows; nothing for float, so that older rows are still found."""
    return {} if backend == "float" else {"backend": backend}


def sample_size(count: int) -> int:
    """How many of so many pairs are scored twice.

    >>> sample_size(4), sample_size(1379), sample_size(100_000)
    (4, 138, 512)
    """
    return min(count, int(np.clip(np.ceil(_SHARE * count), _LEAST, _MOST)))


def sample_positions(lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.intp]:
    """The pairs that are scored twice: those whose texts have the smallest checksums, in whichever order they come."""
    pairs = zip(lefts, rights, strict=True)
    marks = [zlib.crc32("\0".join(pair).encode("utf-8", "surrogatepass")) for pair in pairs]
    return np.sort(np.argsort(marks, kind="stable")[: sample_size(len(marks))])


def exact_sample(system: Any, items: Items) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
    """The positions of the items that are scored twice, and their float32 scores; None if there are none."""
    lefts, rights = input_texts(items, context=system.context, condition=system.condition)
    if system.backend != "int8" or len(lefts) < _FEWEST:
        return None
    sample = sample_positions(lefts, rights)
    return sample, _exact(system, [lefts[i] for i in sample], [rights[i] for i in sample])


def _exact(system: Any, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = replace(system, backend="float", listener=None).similarities(lefts, rights)
    return scores


def with_agreement_noted(system: Any, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
    """The scores of all pairs, with a note on their agreement with float32.

    Float32 comes first, so that the 8-bit model is in memory afterwards.

    Args:
        system: the system, with ``backend="int8"``.
        lefts: the left texts.
        rights: the right texts.
    """
    whole: Score = system.scores_of
    if len(lefts) < _FEWEST:
        system.note(f"int8: {len(lefts)} pairs are too few to measure the agreement with float32")
        return whole(lefts, rights)
    sample = sample_positions(lefts, rights)
    few_lefts, few_rights = [lefts[i] for i in sample], [rights[i] for i in sample]
    question = _question(system, few_lefts, few_rights)
    told = _recalled(system.cache, question)
    exact = None if told else _exact(system, few_lefts, few_rights)
    scores = whole(lefts, rights)
    if exact is not None:
        told = _agreement(scores[sample], exact).described(len(lefts))
        _remember(system.cache, question, told)
    system.note(told)
    return scores


def _agreement(scores: NDArray[np.float64], exact: NDArray[np.float64]) -> Agreement:
    return Agreement(float(spearman(scores, exact)), float(np.abs(scores - exact).max()), len(scores))


def _question(system: Any, lefts: Sequence[str], rights: Sequence[str]) -> str:
    texts = hashlib.sha256(repr((lefts, rights)).encode("utf-8", "surrogatepass")).hexdigest()
    return f"agreement of int8 with float32: {system}, {system.model_fingerprint()}, pairs {texts}"


def _recalled(cache: VectorCache | None, question: str) -> str | None:
    return _known.get(question) or (None if cache is None else cache.recall(question))


def _remember(cache: VectorCache | None, question: str, told: str) -> None:
    _known[question] = told
    if cache is not None:
        cache.remember(question, told)
