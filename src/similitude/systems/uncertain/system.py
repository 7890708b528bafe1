"""A model trained by `similitude train uncertain`, as a system."""

# No postponed annotations here: the registry reads them, and those of the classes above.
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.text_model import TextModel
from similitude.stats.recalibration import recalibration_from_record
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE
from similitude.systems.conditional.input_text import lacks_conditions, reads_no_text_alone
from similitude.systems.encoders.model_system import ModelSystem
from similitude.systems.encoders.pair_features import PairVectors
from similitude.systems.evidence import Evidence
from similitude.systems.learned_pairs import note_learned_pairs, pair_sketch_of
from similitude.systems.uncertain.input_text import read_orders
from similitude.systems.uncertain.loader import ModelFolder, evidence_of, folder_of, head_of_member, open_members
from similitude.systems.uncertain.moments import outputs_of, predict_moments

__all__ = ["UncertainEncoder", "UncertainSystem"]

MOST_PASSES = 1000


class EncodedOrders(NamedTuple):
    """What the predictions of some items are computed from.

    Attributes:
        values: texts x numbers.
        rows: items x orders x parts: indices into ``values``.
    """

    values: NDArray[np.float32]
    rows: NDArray[np.intp]


@SYSTEMS.register("uncertain")
@dataclass(frozen=True)
class UncertainSystem(ModelSystem):
    """Similarity and how far people differ over it, by a model from `similitude train uncertain`.

    Written ``uncertain(DIR)``. Mean and sigma are those of the whole predicted distribution, on the training scale.
    With ``passes``, dropout stays on and each item is predicted that many times (MC-Dropout); a folder with several
    members is a deep ensemble. All outputs are mixed equally, so that disagreement between them adds to sigma. A model
    with a point head and a single draw has no sigma.

    An item's prediction does not depend on the other items or on their order, even with passes. Symmetric with
    ``both_orders``. A model that was trained on items with conditions reads the condition; an item without one is then
    an error. Context is not read.

    Args:
        model: the folder.
        passes: passes of MC-Dropout; 0 for one pass without dropout.
        both_orders: whether to average over both orders of each pair; a model that reads both texts together then takes
            twice as long.
        recalibrated: whether to correct sigmas, if the model was trained with ``--recalibrate``.

    The other arguments are those of `similitude.systems.encoders.model_system.ModelSystem`.

    References:
        Wang et al. (2023), Collective Human Opinions in Semantic Textual Similarity, section 5.
    """

    name: ClassVar[str] = "uncertain"
    summary: ClassVar[str] = "similarity and how far people differ, by a model from 'similitude train uncertain'"
    organisation: ClassVar[str] = "sentence-transformers"

    passes: int = field(default=0, kw_only=True)
    both_orders: bool = field(default=True, kw_only=True)
    recalibrated: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.passes <= MOST_PASSES:
            raise ArgumentError(
                f"passes={self.passes} is not valid for '{self.name}'", remedy=f"give passes from 0 to {MOST_PASSES:,}"
            )

    @property
    def range(self) -> Scale | None:
        """The training scale."""
        return self.folder.architecture.scale

    @property
    def reads(self) -> frozenset[str]:
        """The condition, if the model was trained on items that have one."""
        return frozenset({"condition"} if self.folder.architecture.needs_condition else ())

    @property
    def settings(self) -> dict[str, object]:
        """Passes and evidence, which change the rows; the order of the texts is part of the input."""
        evidence = self.evidence
        return {"passes": self.passes, **({} if evidence is None else {"evidence": evidence.fingerprint()})}

    @property
    def evidence(self) -> Evidence | None:
        """The evidence of the model, with the same cache; None for none.

        Raises:
            ArgumentError: a source of evidence cannot be created.
        """
        evidence = evidence_of(self.files, self.folder)
        return None if evidence is None else evidence.attached(self.cache, self.listener)

    @property
    def folder(self) -> ModelFolder:
        """The description in the folder.

        Raises:
            ArgumentError: the folder contains no uncertain model.
        """
        return folder_of(self.files)

    def score(self, items: Items) -> Predictions:
        """Mean and, if known, sigma of each item, in order."""
        return self.in_one_state(lambda: self._score(items))

    def _score(self, items: Items) -> Predictions:
        folder = self.folder
        if not len(items):
            return Predictions(np.empty(0), np.empty(0) if self._has_sigma(folder) else None)
        note_learned_pairs(pair_sketch_of(self.files.settings(ARCHITECTURE_FILE)), items, self.model, self.listener)
        architecture = folder.architecture
        values, rows = self._encoded(items, both=self.both_orders)
        heads = [head_of_member(self.files, n) for n in range(folder.members)] if architecture.parts > 1 else []
        means, sigmas = predict_moments(architecture, outputs_of(architecture, values, rows, heads))
        scale = architecture.scale
        if sigmas is not None:
            sigmas = self._recalibrated(folder, sigmas * scale.width)
        return Predictions(scale.low + scale.width * means, sigmas)

    def _encoded(self, items: Items, *, both: bool) -> EncodedOrders:
        architecture = self.folder.architecture
        read = read_orders(architecture, items, both=both, where=str(self.identity))
        encoded = self.cached_encoder.rows(read.texts)
        sides = read.rows.reshape(len(items), -1)
        self.note_cut(encoded.cut_to, list(sides.T), "pairs" if architecture.parts == 1 else "texts")
        return EncodedOrders(encoded.values, read.rows)

    def as_encoder(self) -> "UncertainEncoder":
        """The same system with the vectors of each text, under its condition if the model reads one.

        Raises:
            ArgumentError: it reads both texts together.
        """
        if self.folder.architecture.parts == 1:
            raise reads_no_text_alone(self.model)
        return UncertainEncoder(**{each.name: getattr(self, each.name) for each in fields(self)})

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One mean per pair of texts, for a model that reads no conditions.

        Raises:
            ArgumentError: the model needs conditions.
        """
        if self.folder.architecture.needs_condition:
            raise lacks_conditions(self.model)
        return self.score(Items.from_pairs(lefts, rights)).scores

    def load(self, how: LoadOptions) -> TextModel:
        """Load all members, which compute their outputs in each pass."""
        return open_members(how, self.folder, self.passes, self.evidence)

    def _has_sigma(self, folder: ModelFolder) -> bool:
        return folder.architecture.has_spread or self.passes > 1 or folder.members > 1

    def _recalibrated(self, folder: ModelFolder, sigmas: NDArray[np.float64]) -> NDArray[np.float64]:
        if folder.recalibration is None or not self.recalibrated:
            return sigmas
        return recalibration_from_record(folder.recalibration).apply(sigmas)


@dataclass(frozen=True)
class UncertainEncoder(UncertainSystem):
    """A model that reads each text alone, whose vectors are asked for, by a model that learns from them.

    `UncertainSystem.as_encoder` makes it; it has the same name, arguments and predictions. The vectors of several
    members stand side by side.
    """

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, under its condition if the model reads one, in order."""

        def encoded() -> PairVectors:
            values, rows = self._encoded(items, both=False)
            return PairVectors(values[rows[:, 0, 0]], values[rows[:, 0, 1]])

        return self.in_one_state(encoded)
