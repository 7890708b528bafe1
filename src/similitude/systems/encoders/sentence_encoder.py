"""Sentence encoders: models of sentence-transformers, or plain transformers with pooled token vectors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.encoders.loader import LoadOptions, Pooling, open_model, token_model
from similitude.models.encoders.text_model import Text, TextModel
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.embedding import clean
from similitude.systems.encoders.input_text import input_texts
from similitude.systems.encoders.pair_features import PairVectors
from similitude.systems.encoders.rounded_system import RoundedSystem
from similitude.systems.encoders.similarity import Similarity, paired_similarities
from similitude.systems.pairwise import UNIT, TextPairs, settle_empty

__all__ = ["SentenceEncoder", "own_way"]


@SYSTEMS.register("encoder")
@dataclass(frozen=True)
class SentenceEncoder(RoundedSystem):
    """Similarity of two embeddings from any model of sentence-transformers or transformers.

    The model is a name on the Hugging Face hub or a folder: ``encoder(sentence-transformers/all-MiniLM-L6-v2)``,
    ``encoder(./my-model)``. It is loaded when it is first needed, and each distinct text is encoded once. A text's
    vector does not depend on the other texts, not even in its last bits (see `similitude.models.encoders.batches`).

    With cosine, the range is 0..1 (a cosine may be slightly below 0); equal texts give exactly 1, two blank texts 1,
    and one blank text 0. A dot product is unbounded; euclidean and manhattan are negated distances, 0 for equal
    vectors. These three have no range, and blank texts are encoded like any other. Symmetric, unless the two sides have
    different prompts.

    Args:
        model: a folder, or a name on the hub; a name without an organisation is looked up under sentence-transformers.
        pooling: how token vectors are pooled. auto: the model's own pooling for a sentence-transformers model; mean for
            any other, with a note. mean: their mean. cls: the first token's vector. first-last: the mean over tokens of
            the average of the first and the last layer. The last three skip the modules after the transformer (dense
            layers, normalisation).
        similarity: cosine, dot, euclidean or manhattan.
        prompt: the prompt before every text; by default the model's own, if it has one.
        prompt_left: the prompt before left texts instead.
        prompt_right: the prompt before right texts instead.
        backend: float, or int8: linear layers in 8-bit integers, more than twice as fast on a CPU. How well the
            similarities agree with those of float32 is measured on a sample of the pairs, and noted.

    The other arguments are those of `similitude.systems.encoders.model_system.ModelSystem`, and context and condition
    those of `similitude.systems.encoders.input_text`.

    References:
        Reimers and Gurevych (2019), Sentence-BERT; first-last: Su et al. (2021), Whitening sentence representations.
    """

    name: ClassVar[str] = "encoder"
    summary: ClassVar[str] = "similarity of embeddings from any sentence-transformers or transformers model"
    organisation: ClassVar[str] = "sentence-transformers"

    pooling: Pooling = field(default="auto", kw_only=True)
    similarity: Similarity = field(default="cosine", kw_only=True)
    prompt: str | None = field(default=None, kw_only=True)
    prompt_left: str | None = field(default=None, kw_only=True)
    prompt_right: str | None = field(default=None, kw_only=True)

    @property
    def range(self) -> Scale | None:
        """0 to 1 for cosine; None otherwise."""
        return UNIT if self.similarity == "cosine" else None

    @property
    def settings(self) -> dict[str, object]:
        """Pooling and backend; the similarity does not change the vectors, and the prompt is part of the text."""
        return {"pooling": self.pooling, **super().settings}

    def scores_of(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity per pair of texts; each distinct text is encoded once."""
        encoded = self._encode_and_note(lefts, rights)
        scores = paired_similarities(encoded.vectors, encoded.left, encoded.right, self.similarity)
        if self.similarity != "cosine":
            return scores
        return settle_empty(scores, encoded.filled[encoded.left], encoded.filled[encoded.right])

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, in order; with cosine, zeros for a blank text."""
        encoded = self._encode_and_note(*input_texts(items, context=self.context, condition=self.condition))
        return PairVectors(encoded.vectors[encoded.left], encoded.vectors[encoded.right])

    def text_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order, with the prompt of left texts; with cosine, zeros for a blank text."""
        distinct = TextPairs.of(texts, ())
        self._note_pooling()
        encoded = self.in_one_state(lambda: self._encode_texts(distinct.texts, self._prompts()[0]))
        self.note_cut(encoded.cut_to, [distinct.left])
        return encoded.vectors[distinct.left]

    def load(self, how: LoadOptions) -> TextModel:
        """Load the model with its pooling."""
        model = open_model(how._replace(backend=self.backend), "SentenceTransformer")
        is_plain = self.pooling != "auto" or not self._is_sentence_transformer
        pooling: Pooling = "mean" if self.pooling == "auto" else self.pooling
        forward = _pooled(model, pooling) if is_plain else own_way(model)

        def whole(texts: list[Text], prompt: str) -> NDArray[np.float32]:
            vectors: NDArray[np.float32] = model.encode(texts, prompt=prompt, batch_size=len(texts))
            return vectors

        return token_model(model, forward, whole, is_plain=is_plain)

    def _encode_and_note(self, lefts: Sequence[str], rights: Sequence[str]) -> "_Encoded":
        self._note_pooling()
        encoded = self.in_one_state(lambda: self._encode(lefts, rights))
        self.note_cut(encoded.cut_to, [encoded.left, encoded.right])
        return encoded

    def _encode(self, lefts: Sequence[str], rights: Sequence[str]) -> "_Encoded":
        """Encode both sides together if they have the same prompt, so that a text on both sides is encoded once."""
        left_prompt, right_prompt = self._prompts()
        if left_prompt == right_prompt:
            pairs = TextPairs.of(lefts, rights)
            return self._encode_texts(pairs.texts, left_prompt)._replace(left=pairs.left, right=pairs.right)
        left, right = TextPairs.of(lefts, ()), TextPairs.of(rights, ())
        of_left, of_right = self._encode_texts(left.texts, left_prompt), self._encode_texts(right.texts, right_prompt)
        return of_left.followed_by(of_right)._replace(left=left.left, right=right.left + len(left.texts))

    def _encode_texts(self, texts: Sequence[str], prompt: str) -> "_Encoded":
        """Encode distinct texts; with cosine, blank texts get zeros instead."""
        filled = np.array([len(text.strip()) for text in texts], np.int64)
        chosen = np.flatnonzero(filled) if self.similarity == "cosine" else np.arange(len(texts))
        cleaned = TextPairs.of([clean(texts[i]) for i in chosen.tolist()], ())
        rows = self.cached_encoder.rows(cleaned.texts, prompt)
        vectors = np.zeros((len(texts), rows.values.shape[1]), np.float32)
        cut_to = np.zeros(len(texts), np.int64)
        vectors[chosen], cut_to[chosen] = rows.values[cleaned.left], rows.cut_to[cleaned.left]
        return _Encoded(vectors, cut_to, filled)

    def _prompts(self) -> tuple[str, str]:
        """The prompts of the two sides."""
        usual = self.prompt if self.prompt is not None else self._own_prompt()
        left, right = (usual if own is None else own for own in (self.prompt_left, self.prompt_right))
        return left, right

    def _own_prompt(self) -> str:
        """The model's default prompt; empty if it has none."""
        config = self.files.settings("config_sentence_transformers.json") if self._is_sentence_transformer else {}
        return (config.get("prompts") or {}).get(config.get("default_prompt_name") or "") or ""

    @property
    def _is_sentence_transformer(self) -> bool:
        """Whether the model states its pooling; a saved cross-encoder, for example, does not."""
        if self.files.file("modules.json") is None:
            return False
        config = self.files.settings("config_sentence_transformers.json")
        return bool(config.get("model_type", "SentenceTransformer") == "SentenceTransformer")

    def _note_pooling(self) -> None:
        if self.pooling == "auto" and not self._is_sentence_transformer:
            self.note(
                f"'{self.model}' is not a sentence-transformers model: its token vectors are averaged (pooling=mean)"
            )


class _Encoded(NamedTuple):
    """Encoded distinct texts and, for each item, the indices of its two texts."""

    vectors: NDArray[np.float32]
    cut_to: NDArray[np.int64]
    filled: NDArray[np.int64]
    left: NDArray[np.intp] = np.empty(0, np.intp)
    right: NDArray[np.intp] = np.empty(0, np.intp)

    def followed_by(self, other: "_Encoded") -> "_Encoded":
        """Concatenate two sets of texts; zeros of an all-blank side are widened to match."""
        width = max(self.vectors.shape[1], other.vectors.shape[1])
        vectors = [np.pad(v, ((0, 0), (0, width - v.shape[1]))) for v in (self.vectors, other.vectors)]
        return _Encoded(
            np.concatenate(vectors),
            np.concatenate([self.cut_to, other.cut_to]),
            np.concatenate([self.filled, other.filled]),
        )


def own_way(model: Any) -> Callable[[dict[str, Any]], Any]:
    """All modules of a sentence-transformers model in sequence."""
    from sentence_transformers.util import truncate_embeddings

    def forward(features: dict[str, Any]) -> Any:
        vectors = model({**features, "modality": "text"})["sentence_embedding"]
        return truncate_embeddings(vectors, model.truncate_dim)

    return forward


def _pooled(model: Any, pooling: Pooling) -> Callable[[dict[str, Any]], Any]:
    """The transformer alone, with token vectors pooled in full precision.

    Raises:
        ArgumentError: the model has no transformer that returns token vectors.
    """
    from sentence_transformers.sentence_transformer.modules import Pooling as TheirPooling

    transformer = getattr(model[0], "model", None)
    if transformer is None or not hasattr(model[0], "processor"):
        raise ArgumentError(f"pooling={pooling} needs a model that returns token vectors", remedy="use pooling=auto")
    pool = TheirPooling(model[0].get_embedding_dimension(), "cls" if pooling == "cls" else "mean")

    def forward(features: dict[str, Any]) -> Any:
        inputs = {name: value for name, value in features.items() if name != "prompt_length"}
        output = transformer(**inputs, output_hidden_states=pooling == "first-last", return_dict=True)
        if pooling == "first-last":
            tokens = (output.hidden_states[1].float() + output.hidden_states[-1].float()) / 2
        else:
            tokens = output.last_hidden_state.float()
        pooled = pool({"token_embeddings": tokens, "attention_mask": features["attention_mask"]})
        return pooled["sentence_embedding"]

    return forward
