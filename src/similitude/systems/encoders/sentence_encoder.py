"""Any sentence encoder: a model of sentence-transformers as it is, or a plain transformer with pooled token vectors."""

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
from similitude.systems.encoders.model_system import ModelSystem
from similitude.systems.encoders.pair_features import PairVectors
from similitude.systems.encoders.similarity import Similarity, paired_similarities
from similitude.systems.pairwise import UNIT, TextPairs, settle_empty

__all__ = ["SentenceEncoder"]


@SYSTEMS.register("encoder")
@dataclass(frozen=True)
class SentenceEncoder(ModelSystem):
    """Similarity of two embeddings from any model of sentence-transformers or transformers.

    The model is a name on the Hugging Face hub or a folder: ``encoder(sentence-transformers/all-MiniLM-L6-v2)``,
    ``encoder(./my-model)``. It is loaded when it is first needed, and each distinct text is encoded once. A text's
    vector does not depend on the others, not even in its last bits (see `similitude.models.encoders.batches`).

    With cosine, the range is 0..1 (a cosine may stray below 0), the same text twice gives exactly 1, two blank texts 1
    and one blank text 0. A dot product has no ends; euclidean and manhattan are distances with their sign turned, 0
    for the same vector and less for others: none of the three has a range, and blank texts are encoded like any other.
    Symmetric, unless the two sides have different prompts.

    Args:
        model: a folder, or a name on the hub; a name without an organisation is one of sentence-transformers'.
        pooling: how token vectors become one. auto: the model's own way, for a model of sentence-transformers; mean for
            any other, with a note. mean: their average. cls: the first token's. first-last: the average over tokens of
            the mean of the first and the last layer's. With the last three, nothing that a model of
            sentence-transformers does after its transformer is done (no dense layer, no normalisation).
        similarity: cosine, dot, euclidean or manhattan.
        prompt: stands before every text; where none is given, the model's own default prompt does, if it has one.
        prompt_left: stands before every left text instead.
        prompt_right: stands before every right text instead.

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
        """0 to 1 for a cosine; none for a similarity without ends."""
        return UNIT if self.similarity == "cosine" else None

    @property
    def settings(self) -> dict[str, object]:
        """Pooling changes the vectors; the similarity does not, and the prompt is part of the text."""
        return {"pooling": self.pooling}

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity for each pair of texts; each distinct text of the call is encoded once."""
        if not len(lefts):
            return np.empty(0)
        encoded = self._encode_and_note(lefts, rights)
        scores = paired_similarities(encoded.vectors, encoded.left, encoded.right, self.similarity)
        if self.similarity != "cosine":
            return scores
        return settle_empty(scores, encoded.filled[encoded.left], encoded.filled[encoded.right])

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, in order; with cosine, zeros for a blank text."""
        encoded = self._encode_and_note(*input_texts(items, context=self.context, condition=self.condition))
        return PairVectors(encoded.vectors[encoded.left], encoded.vectors[encoded.right])

    def load(self, how: LoadOptions) -> TextModel:
        """The model with its pooling."""
        model = open_model(how, "SentenceTransformer")
        is_plain = self.pooling != "auto" or not self._is_sentence_transformer
        pooling: Pooling = "mean" if self.pooling == "auto" else self.pooling
        forward = _pooled(model, pooling) if is_plain else _own_way(model)

        def whole(texts: list[Text], prompt: str) -> NDArray[np.float32]:
            vectors: NDArray[np.float32] = model.encode(texts, prompt=prompt, batch_size=len(texts))
            return vectors

        return token_model(model, forward, whole, is_plain=is_plain)

    def _encode_and_note(self, lefts: Sequence[str], rights: Sequence[str]) -> "_Encoded":
        self._note_pooling()
        encoded = self._encode(lefts, rights)
        self.note_cut(encoded.cut_to, [encoded.left, encoded.right])
        return encoded

    def _encode(self, lefts: Sequence[str], rights: Sequence[str]) -> "_Encoded":
        """Both sides at once where they have the same prompt, so that a text on both is encoded once."""
        left_prompt, right_prompt = self._prompts()
        if left_prompt == right_prompt:
            pairs = TextPairs.of(lefts, rights)
            return self._encode_texts(pairs.texts, left_prompt)._replace(left=pairs.left, right=pairs.right)
        left, right = TextPairs.of(lefts, ()), TextPairs.of(rights, ())
        of_left, of_right = self._encode_texts(left.texts, left_prompt), self._encode_texts(right.texts, right_prompt)
        return of_left.followed_by(of_right)._replace(left=left.left, right=right.left + len(left.texts))

    def _encode_texts(self, texts: Sequence[str], prompt: str) -> "_Encoded":
        """Distinct texts. Where blank ones are settled by rule they are not encoded: their vectors are zeros."""
        filled = np.array([len(text.strip()) for text in texts], np.int64)
        chosen = np.flatnonzero(filled) if self.similarity == "cosine" else np.arange(len(texts))
        cleaned = TextPairs.of([clean(texts[i]) for i in chosen.tolist()], ())
        rows = self.cached_encoder.rows(cleaned.texts, prompt)
        vectors = np.zeros((len(texts), rows.values.shape[1]), np.float32)
        cut_to = np.zeros(len(texts), np.int64)
        vectors[chosen], cut_to[chosen] = rows.values[cleaned.left], rows.cut_to[cleaned.left]
        return _Encoded(vectors, cut_to, filled)

    def _prompts(self) -> tuple[str, str]:
        """What stands before each side."""
        usual = self.prompt if self.prompt is not None else self._own_prompt()
        left, right = (usual if own is None else own for own in (self.prompt_left, self.prompt_right))
        return left, right

    def _own_prompt(self) -> str:
        """The prompt that the model of sentence-transformers puts before a text when nobody names one."""
        told = self.files.settings("config_sentence_transformers.json") if self._is_sentence_transformer else {}
        return (told.get("prompts") or {}).get(told.get("default_prompt_name") or "") or ""

    @property
    def _is_sentence_transformer(self) -> bool:
        """Whether the model says how its token vectors become one; a saved cross-encoder, for one, does not."""
        if self.files.file("modules.json") is None:
            return False
        told = self.files.settings("config_sentence_transformers.json")
        return bool(told.get("model_type", "SentenceTransformer") == "SentenceTransformer")

    def _note_pooling(self) -> None:
        if self.pooling == "auto" and not self._is_sentence_transformer:
            self.note(
                f"'{self.model}' is no sentence-transformers model: its token vectors are averaged (pooling=mean)"
            )


class _Encoded(NamedTuple):
    """Distinct texts and, for each item, where its two stand among them."""

    vectors: NDArray[np.float32]
    cut_to: NDArray[np.int64]
    filled: NDArray[np.int64]
    left: NDArray[np.intp] = np.empty(0, np.intp)
    right: NDArray[np.intp] = np.empty(0, np.intp)

    def followed_by(self, other: "_Encoded") -> "_Encoded":
        """The texts of both. Where one side is all blank, its zeros are made as long as the other's vectors."""
        width = max(self.vectors.shape[1], other.vectors.shape[1])
        vectors = [np.pad(v, ((0, 0), (0, width - v.shape[1]))) for v in (self.vectors, other.vectors)]
        return _Encoded(
            np.concatenate(vectors),
            np.concatenate([self.cut_to, other.cut_to]),
            np.concatenate([self.filled, other.filled]),
        )


def _own_way(model: Any) -> Callable[[dict[str, Any]], Any]:
    """All modules of a model of sentence-transformers, one after the other."""
    from sentence_transformers.util import truncate_embeddings

    def forward(features: dict[str, Any]) -> Any:
        vectors = model({**features, "modality": "text"})["sentence_embedding"]
        return truncate_embeddings(vectors, model.truncate_dim)

    return forward


def _pooled(model: Any, pooling: Pooling) -> Callable[[dict[str, Any]], Any]:
    """The transformer alone, its token vectors pooled in full precision.

    Raises:
        ArgumentError: the model has no transformer that gives token vectors.
    """
    from sentence_transformers.sentence_transformer.modules import Pooling as TheirPooling

    transformer = getattr(model[0], "model", None)
    if transformer is None or not hasattr(model[0], "processor"):
        raise ArgumentError(f"pooling={pooling} needs a model that gives token vectors", remedy="pooling=auto")
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
