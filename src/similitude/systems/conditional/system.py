"""A model trained by `similitude train`, as a system."""

# No postponed annotations here: the registry reads them, and those of the classes above.
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.text_model import TextModel
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, Architecture
from similitude.systems.conditional.input_text import lacks_conditions, read_items, reads_no_text_alone
from similitude.systems.conditional.loader import architecture_of, head_weights, open_network
from similitude.systems.conditional.vector_scores import scores_of, side_vectors
from similitude.systems.encoders.model_system import ModelSystem
from similitude.systems.encoders.pair_features import PairVectors
from similitude.systems.learned_pairs import note_learned_pairs, pair_sketch_of
from similitude.systems.pairwise import UNIT

__all__ = ["ConditionalEncoder", "ConditionalSystem"]


class EncodedItems(NamedTuple):
    """What the scores of some items are computed from."""

    architecture: Architecture
    vectors: NDArray[np.float32]
    rows: NDArray[np.intp]
    head: dict[str, NDArray[np.float32]]


@SYSTEMS.register("conditional")
@dataclass(frozen=True)
class ConditionalSystem(ModelSystem):
    """Similarity of two texts with respect to a condition, by a model from `similitude train`.

    Written ``conditional(DIR)``. A cross-encoder reads both sentences and the condition together; bi- and tri-encoders
    encode each sentence separately, so its vector is computed once and cached. An item's score does not depend on the
    other items of the call or on their order.

    A model from `similitude train pairs` reads only the two sentences. Range 0..1, the ends of the training scale; a
    cosine may be slightly below 0. Symmetric except where both
    sentences are read together. If the model needs a condition, an item
    without one is an error.

    Args:
        model: the folder.

    The other arguments are those of `similitude.systems.encoders.model_system.ModelSystem`; context is not read.

    References:
        Deshpande et al. (2023), C-STS: Conditional Semantic Textual Similarity, section 4.1.
    """

    name: ClassVar[str] = "conditional"
    summary: ClassVar[str] = "similarity with respect to a condition, by a model from 'similitude train'"
    organisation: ClassVar[str] = "sentence-transformers"

    @property
    def range(self) -> Scale | None:
        """0 to 1: the ends of the training scale."""
        return UNIT

    @property
    def reads(self) -> frozenset[str]:
        """The condition, unless the model was trained on plain pairs."""
        return frozenset({"condition"} if self.architecture.needs_condition else ())

    @property
    def architecture(self) -> Architecture:
        """The architecture stored in the folder.

        Raises:
            ArgumentError: the model was not trained by 'similitude train'.
        """
        return architecture_of(self.files)

    def score(self, items: Items) -> Predictions:
        """One similarity per item, in order; each distinct text is encoded once."""
        return self.in_one_state(lambda: self._score(items))

    def as_encoder(self) -> "ConditionalEncoder":
        """The same system with the vectors of each sentence under its condition.

        Raises:
            ArgumentError: it reads both sentences together.
        """
        if self.architecture.reads_together:
            raise reads_no_text_alone(self.model)
        return ConditionalEncoder(**{each.name: getattr(self, each.name) for each in fields(self)})

    def _score(self, items: Items) -> Predictions:
        note_learned_pairs(pair_sketch_of(self.files.settings(ARCHITECTURE_FILE)), items, self.model, self.listener)
        return Predictions(scores_of(*self._encoded(items)) if len(items) else np.empty(0))

    def _encoded(self, items: Items) -> EncodedItems:
        architecture = self.architecture
        read = read_items(architecture, items, where=str(self.identity))
        encoded = self.cached_encoder.rows(read.texts)
        what = "pairs" if isinstance(read.texts[0], tuple) else "texts"
        self.note_cut(encoded.cut_to, [read.rows[:, part] for part in range(architecture.parts)], what)
        head = head_weights(self.files) if architecture.parts == 3 else {}
        combiner = {name: value for name, value in head.items() if not name.startswith("dense")}
        return EncodedItems(architecture, encoded.values, read.rows, combiner)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One score per pair of texts, for a model trained on plain pairs.

        Raises:
            ArgumentError: the model needs conditions.
        """
        if self.architecture.needs_condition:
            raise lacks_conditions(self.model)
        return self.score(Items.from_pairs(lefts, rights)).scores

    def load(self, how: LoadOptions) -> TextModel:
        """The network, which computes vectors or, for a cross-encoder, scores."""
        return open_network(how, self.architecture).reader


@dataclass(frozen=True)
class ConditionalEncoder(ConditionalSystem):
    """A bi-, tri- or shift-encoder whose vectors are asked for, by a model that learns from them.

    `ConditionalSystem.as_encoder` makes it; it has the same name, arguments and scores.
    """

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two sentences under its condition, in order."""
        return self.in_one_state(lambda: PairVectors(*side_vectors(*self._encoded(items))))
