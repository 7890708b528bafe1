"""Greedy token matching: each token is matched with the most similar token of the other text."""

# No postponed annotations here: the registry reads them off the class.
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import open_backbone, token_reader
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.text_model import TextModel
from similitude.models.files import ModelFiles
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.embedding import clean
from similitude.systems.encoders.input_text import input_texts
from similitude.systems.encoders.model_system import ModelSystem
from similitude.systems.encoders.pair_features import Comparisons

__all__ = ["NUMBERS", "TokenMatch", "harmonic_means"]

NUMBERS = ("low", "high", "mean cosine", "matched")
"""The features of each layer: the lower and the higher of precision and recall, the cosine of the mean vectors, and the
share of tokens whose best match has a cosine above 0.8.
"""

_BLANK_PAIR = ("", "")


@SYSTEMS.register("token-match")
@dataclass(frozen=True)
class TokenMatch(ModelSystem):
    """Similarity by matching tokens of two texts, using the hidden states of a pretrained transformer.

    The model is a name on the Hugging Face hub or a folder: ``token-match(bert-base-multilingual-cased)``. Each text is
    read alone. Precision is the mean, over the tokens of one text, of the highest cosine with a token of the other;
    recall is the reverse; the score is their harmonic mean at one layer (BERTScore without idf weights and rescaling),
    and 0 if one of them is 0 or less. Special tokens do not count.

    Range 0..1; a transformer's cosines are seldom near 0. Symmetric; equal texts give 1 up to rounding, two blank texts
    1, and one blank text 0. The two texts of a pair are tokenised together in a fixed order and cut together if they
    exceed the model's maximum; each distinct pair is computed once, for all layers at once.

    Args:
        model: a folder, or a name on the hub; a name without an organisation is looked up under sentence-transformers.
        layer: the layer whose hidden states are compared, from 0 (the embeddings); None for the last.

    The other arguments are those of `similitude.systems.encoders.model_system.ModelSystem`, and context and condition
    those of `similitude.systems.encoders.input_text`.

    References:
        Zhang et al. (2020), BERTScore: Evaluating text generation with BERT, section 3.
    """

    name: ClassVar[str] = "token-match"
    summary: ClassVar[str] = "greedy matching of tokens by a transformer's hidden states, as in BERTScore"
    organisation: ClassVar[str] = "sentence-transformers"

    layer: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.layer is not None and self.layer < 0:
            raise ArgumentError(
                f"layer={self.layer} is not valid for '{self.name}'",
                remedy="count layers from 0, the embeddings, or leave layer out for the last one",
            )

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One harmonic mean per pair of texts; each distinct pair is computed once.

        Raises:
            ArgumentError: the model has no such layer, or separates pairs in an unsupported way.
        """
        if not len(lefts):
            return np.empty(0)
        self._refuse_missing_layer()
        matched = self._matched(lefts, rights)
        at_layer = matched[:, -1 if self.layer is None else self.layer].astype(np.float64)
        return harmonic_means(at_layer[:, NUMBERS.index("low")], at_layer[:, NUMBERS.index("high")])

    def comparisons(self, items: Items) -> Comparisons:
        """All features at all layers, whatever ``layer`` is; all 0 for one blank text, all 1 for two."""
        lefts, rights = input_texts(items, context=self.context, condition=self.condition)
        # The number of features is known even if there are no items.
        matched = self._matched(lefts, rights) if len(items) else self._matched([""], [""])[:0]
        names = tuple(f"layer {layer} {number}" for layer in range(matched.shape[1]) for number in NUMBERS)
        return Comparisons(names, matched.reshape(len(items), len(names)))

    def load(self, how: LoadOptions) -> TextModel:
        """Load the transformer, which compares the two texts of a pair at every layer."""
        backbone = open_backbone(how)
        from similitude.models.encoders.pair_tokens import pair_marks
        from similitude.systems.encoders.token_alignment import token_comparison

        tokenizer = backbone.model.tokenizer
        tokenizer.padding_side = "right"
        tokenizer.split_special_tokens = True  # a literal "[SEP]" in a text must not end it
        marks = pair_marks(tokenizer)
        if marks is None:
            raise _no_marks(how.files)
        return token_reader(backbone, token_comparison(backbone.transformer, marks), how.files)

    def _matched(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float32]:
        """Features as pairs x layers x `NUMBERS`."""
        sides = zip(map(_written, lefts), map(_written, rights), strict=True)
        pairs = [(left, right) if left <= right else (right, left) for left, right in sides]
        distinct = {pair: position for position, pair in enumerate(dict.fromkeys(pairs))}
        where = np.array([distinct[pair] for pair in pairs], np.intp)
        rows = self.cached_encoder.rows(list(distinct))
        self.note_cut(rows.cut_to, [where], "pairs")
        return rows.values[where].reshape(len(where), -1, len(NUMBERS))

    def _refuse_missing_layer(self) -> None:
        """Check the layer before anything but a blank pair is computed, which shows the number of layers.

        Raises:
            ArgumentError: there is no such layer.
        """
        if self.layer is None:
            return
        last = self.cached_encoder.rows([_BLANK_PAIR]).values.shape[1] // len(NUMBERS) - 1
        if self.layer > last:
            raise ArgumentError(
                f"has no layer {self.layer}: its layers are 0 (the embeddings) to {last}",
                where=f"model '{self.model}'",
                remedy=f"give layer from 0 to {last}, or leave it out for the last",
            )


def harmonic_means(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Harmonic mean 2 a b / (a + b); 0 if the lower value is 0 or less.

    >>> harmonic_means(np.array([0.5, 1.0, -0.5]), np.array([1.0, 1.0, 0.5])).round(3)
    array([0.667, 1.   , 0.   ])
    """
    is_defined = low > 0
    return np.asarray(np.divide(2 * low * high, low + high, out=np.zeros_like(low), where=is_defined))


def _written(text: str) -> str:
    """Replace a blank text by an empty one: some tokenisers make a token of a space."""
    return clean(text) if text.strip() else ""


def _no_marks(files: ModelFiles) -> ArgumentError:
    return ArgumentError(
        "does not encode a pair as [CLS] a [SEP] b [SEP], which token-match needs",
        where=f"model '{files.reference}'",
        remedy=f"use a BERT-like model, or compare vectors: encoder({files.reference})",
    )
