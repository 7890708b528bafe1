"""A model that `similitude train` made, as a system."""

# No postponed annotations here: the registry reads them, and those of the classes above.
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.text_model import TextModel
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_items
from similitude.systems.conditional.loader import architecture_of, head_weights, open_network
from similitude.systems.conditional.vector_scores import scores_of
from similitude.systems.encoders.model_system import ModelSystem
from similitude.systems.pairwise import UNIT

__all__ = ["ConditionalSystem"]


@SYSTEMS.register("conditional")
@dataclass(frozen=True)
class ConditionalSystem(ModelSystem):
    """Similarity of two texts in the respect that a condition names, by a model from `similitude train`.

    Written ``conditional(DIR)``. A cross-encoder reads both sentences and the condition together; a bi-encoder and a
    tri-encoder encode each sentence without the other, so its vector is computed once and kept, whatever it is compared
    with. An item's score does not depend on the other items of the call, nor on their order.

    A model from `similitude train pairs` reads the two sentences alone. Range 0..1, the ends of the scale it was
    trained on; a cosine may stray below 0. Symmetric but for the cross-encoder. An item without a condition, where the
    model needs one, is an error.

    Args:
        model: the folder.

    The other arguments are those of `similitude.systems.encoders.model_system.ModelSystem`; context is not read.

    References:
        Deshpande et al. (2023), C-STS: Conditional Semantic Textual Similarity, section 4.1.
    """

    name: ClassVar[str] = "conditional"
    summary: ClassVar[str] = "similarity in the respect that a condition names, by a model from 'similitude train'"
    organisation: ClassVar[str] = "sentence-transformers"

    @property
    def range(self) -> Scale | None:
        """0 to 1: the scale's ends when it was trained."""
        return UNIT

    @property
    def reads(self) -> frozenset[str]:
        """The condition, unless it was trained on plain pairs."""
        return frozenset({"condition"} if self.architecture.needs_condition else ())

    @property
    def architecture(self) -> Architecture:
        """What the folder says.

        Raises:
            ArgumentError: it was not trained here.
        """
        return architecture_of(self.files)

    def score(self, items: Items) -> Predictions:
        """One similarity an item, in order; each distinct text of the call is encoded once."""
        architecture = self.architecture
        read = read_items(architecture, items)
        if not len(items):
            return Predictions(np.empty(0))
        kept = self.cached_encoder.rows(read.texts)
        what = "pairs" if isinstance(read.texts[0], tuple) else "texts"
        self.note_cut(kept.cut_to, [read.rows[:, part] for part in range(architecture.parts)], what)
        head = head_weights(self.files) if architecture.encoding == "tri" else {}
        combiner = {name: value for name, value in head.items() if not name.startswith("dense")}
        return Predictions(scores_of(architecture, kept.values, read.rows, combiner))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One score for each pair of texts, of a model that was trained on plain pairs.

        Raises:
            ArgumentError: the model needs conditions.
        """
        if self.architecture.needs_condition:
            raise ArgumentError("needs a condition for each pair", where=f"model '{self.model}'", remedy="score items")
        return self.score(Items.from_pairs(lefts, rights)).scores

    def load(self, how: LoadOptions) -> TextModel:
        """The network, computing vectors, or for a cross-encoder scores."""
        return open_network(how, self.architecture).reader
