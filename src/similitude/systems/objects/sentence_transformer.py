"""Objects of sentence-transformers: an encoder through our engine if nothing but its tokeniser prepares texts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import ModelKey
from similitude.models.encoders.loader import quiet_libraries, token_model
from similitude.models.encoders.text_model import Text, TokenModel
from similitude.models.encoders.vector_cache import CachedEncoder
from similitude.models.fingerprint import ModelState
from similitude.models.loaded_model import ModelSlot
from similitude.systems.encoders.embedding import clean
from similitude.systems.encoders.sentence_encoder import own_way
from similitude.systems.objects.encoding_object import EncodingObject
from similitude.systems.objects.model_object import ModelObject
from similitude.systems.objects.vector_lookup import HeldCache, cached_rows
from similitude.systems.score_numbers import NotNumbersError, score_numbers

__all__ = ["CrossEncoderObject", "SentenceTransformerObject"]


@dataclass(frozen=True, kw_only=True, eq=False)
class SentenceTransformerObject(EncodingObject):
    """A ``SentenceTransformer``: its default prompt, longest text, pooling, normalisation and similarity hold.

    The numbers are those of its ``encode`` and ``similarity_pairwise``, to single precision.
    """

    summary: ClassVar[str] = "similarity of the vectors of a SentenceTransformer"

    def vectors(self, texts: Sequence[str], key: ModelKey, cache: HeldCache | None) -> NDArray[np.float32]:
        """One vector for each distinct text; batched by our engine if the model takes plain tokens."""
        model = None if _is_changed(self.thing) else _engine(self.thing)
        with in_evaluation(self.thing):
            if model is None:
                return super().vectors(texts, key, cache)
            encoder = CachedEncoder(
                name=key.name,
                load=lambda: model,
                state=lambda: ModelState(f"{key.fingerprint} by tokens", ()),
                tokens=None,
                texts=None,
                cache=cache,
                listener=self.listener,
                slot=ModelSlot(),
            )
            rows = encoder.rows(list(texts), self.prompt)
        self._note_cut(rows.cut_to)
        return rows.values

    def _note_cut(self, cut_to: NDArray[np.int64]) -> None:
        cut = int((cut_to > 0).sum())
        if cut:
            longest = f"the {cut_to.max():,} tokens that '{self.called}' reads at most"
            self.listener.note(f"{cut:,} of {len(cut_to):,} distinct texts were cut to {longest}")

    @property
    def prompt(self) -> str:
        """The default prompt of the model; empty if it has none."""
        return (self.thing.prompts or {}).get(self.thing.default_prompt_name or "") or ""


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossEncoderObject(ModelObject):
    """A ``CrossEncoder``, or any object with ``predict(pairs)`` and ``rank``: the one score that it predicts."""

    summary: ClassVar[str] = "score of a CrossEncoder"

    def similarities(self, items: Items, key: ModelKey, cache: HeldCache | None) -> NDArray[np.float64]:
        """One score per item; each distinct pair is read once, left text first."""
        pairs = list(zip(map(clean, items.lefts), map(clean, items.rights), strict=True))
        place_of = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        by_key = {f"{len(left)}:{left}{right}": (left, right) for left, right in place_of}
        rows = cached_rows(list(by_key), key, cache, lambda keys: self._predict([by_key[each] for each in keys]))
        return rows[[place_of[pair] for pair in pairs], 0].astype(np.float64)

    def _predict(self, pairs: list[tuple[str, str]]) -> NDArray[np.float32]:
        """One score per pair.

        Raises:
            PredictionError: it gives something else, such as a probability for each of several labels.
        """
        with in_evaluation(self.thing):
            said = self.thing.predict(pairs)
        try:
            return score_numbers(said, len(pairs)).astype(np.float32)[:, None]
        except NotNumbersError as error:
            raise self.refusal(
                f"predict() gave {error}",
                "of several labels, choose one: sim.system(lambda lefts, rights: "
                'model.predict(list(zip(lefts, rights)), apply_softmax=True)[:, 1], takes="lists", name=...)',
            ) from None


@contextmanager
def in_evaluation(model: Any) -> Iterator[None]:
    """Without dropout; afterwards each module is in the mode that it was in."""
    torch = sys.modules.get("torch")
    is_module = torch is not None and isinstance(model, torch.nn.Module)
    before = [(module, module.training) for module in model.modules()] if is_module else []
    if is_module:
        model.eval()
    try:
        with quiet_libraries() if is_module and "transformers" in sys.modules else nullcontext():
            yield
    finally:
        for module, training in before:
            module.training = training


def _engine(model: Any) -> TokenModel | None:
    """The model for our engine; None if something other than its tokeniser prepares texts."""

    def whole(texts: list[Text], prompt: str) -> NDArray[np.float32]:
        raise NotImplementedError  # the caller uses the model's own encode

    made = token_model(model, own_way(model), whole)
    return made if isinstance(made, TokenModel) else None


def _is_changed(model: Any) -> bool:
    """Whether somebody changed how the object encodes: a subclass, methods of its own, hooks, another backend."""
    kind = type(model)
    own: Sequence[Callable[..., Any] | None] = [
        vars(model).get(name) for name in ("encode", "forward", "preprocess", "tokenize", "__call__")
    ]
    return (
        kind.__module__.partition(".")[0] != "sentence_transformers"
        or not kind.encode.__module__.startswith("sentence_transformers")
        or any(each is not None for each in own)
        or any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())
        or getattr(model, "_distributed_inference", None) is not None
        or getattr(model, "backend", "torch") != "torch"
    )
