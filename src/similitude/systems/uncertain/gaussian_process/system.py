"""A process trained by `similitude train gaussian-process`, as a system."""

# No postponed annotations here: the registry reads them.
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System, VectorCache
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.registry import Spec
from similitude.systems.attach_cache import attach_cache, fingerprint_of
from similitude.systems.catalogue import SYSTEMS, make_system
from similitude.systems.conditional.input_text import conditions_of, lacks_conditions
from similitude.systems.encoders.input_text import with_condition
from similitude.systems.encoders.pair_features import EmbedsPairs, HasEncoder, as_wide
from similitude.systems.learned_pairs import note_learned_pairs
from similitude.systems.uncertain.gaussian_process.serialization import (
    SavedProcess,
    load_process,
    process_state,
)

if TYPE_CHECKING:
    from similitude.systems.evidence import Evidence

__all__ = ["GaussianProcessSystem", "condition_encoder", "fingerprint_of", "make_encoder"]


@SYSTEMS.register("gpr")
@dataclass(frozen=True)
class GaussianProcessSystem:
    """Similarity and its uncertainty, by a sparse Gaussian process over sentence vectors.

    Written ``gpr(DIR)``, with a folder from `similitude train gaussian-process`. Score and sigma are the mean and
    standard deviation of the predictive distribution, noise included, on the training scale; the score may exceed its
    ends. With ``--noise raters`` in training, sigma includes how far people are expected to differ. With
    ``--evidence``, the same sources are used for scoring. Neither torch nor gpytorch is needed, unless the encoder or a
    source of evidence needs them.

    Symmetric. A pair's prediction does not depend on the other items, except through its vectors. A blank text has a
    vector of zeros and is scored like any other. A process that was trained on items with conditions reads the
    condition; an item without one is then an error.

    Args:
        model: the folder.
        encoder: the encoder of the training under another name, if it has moved: ``encoder(OTHER-FOLDER)``.

    References:
        Wang et al. (2023), Collective Human Opinions in Semantic Textual Similarity, section 5.1 (SBERT-GPR).
    """

    name: ClassVar[str] = "gpr"
    summary: ClassVar[str] = (
        "similarity and its uncertainty, by a Gaussian process from 'similitude train gaussian-process'"
    )

    model: str
    encoder: str | None = field(default=None, kw_only=True)
    cache: VectorCache | None = field(default=None, kw_only=True, repr=False, compare=False)
    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def range(self) -> Scale | None:
        """The training scale."""
        return self.saved.scale

    @property
    def reads(self) -> frozenset[str]:
        """The columns that the encoder and the evidence read."""
        evidence = self.saved.evidence
        return self._encoder().reads | (frozenset() if evidence is None else evidence.reads)

    @property
    def identity(self) -> Spec:
        """The folder, and the encoder if one is named."""
        return Spec("gpr", None, (self.model,), {} if self.encoder is None else {"encoder": self.encoder})

    @property
    def saved(self) -> SavedProcess:
        """The contents of the folder.

        Raises:
            ArgumentError: it contains no trained process.
        """
        return load_process(Path(self.model).expanduser())

    def model_fingerprint(self) -> str:
        """Hash of the folder's files, the encoder and the models of the evidence."""
        folder, evidence = Path(self.model).expanduser(), self._evidence()
        digest = hashlib.sha256(str(fingerprint_of(self._encoder())).encode())
        digest.update(b"" if evidence is None else evidence.fingerprint().encode())
        for content, _ in process_state(folder):
            digest.update(content.encode())
        return digest.hexdigest()

    def with_cache(self, cache: VectorCache) -> Self:
        """The same system, whose encoder and evidence use this cache."""
        return replace(self, cache=cache)

    def with_listener(self, listener: Listener) -> Self:
        """The same system with this listener."""
        return replace(self, listener=listener)

    def score(self, items: Items) -> Predictions:
        """Mean and sigma of each item, in order."""
        saved, encoder, evidence = self.saved, self._encoder(), self._evidence()
        conditions_of(items, needed=saved.reads_condition, where=str(self.identity))
        if not len(items):
            return Predictions(np.empty(0), np.empty(0))
        self._note_changes(saved, encoder, evidence)
        note_learned_pairs(saved.pair_sketch, items, self.model, self.listener)
        vectors = _embeds(encoder).pair_vectors(items)
        width = saved.process.features.vector_width
        left, right = (as_wide(side, width) for side in vectors)
        means, variances = saved.process.predict(left, right, None if evidence is None else evidence.of(items))
        sigmas = saved.scale.width * np.sqrt(variances)
        if saved.recalibration is not None:
            sigmas = saved.recalibration.apply(sigmas)
        return Predictions(saved.scale.low + saved.scale.width * means, sigmas)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One mean per pair of texts, for a process that reads no conditions.

        Raises:
            ArgumentError: the process needs conditions.
        """
        if self.saved.reads_condition:
            raise lacks_conditions(self.model)
        return self.score(Items.from_pairs(lefts, rights)).scores

    def _encoder(self) -> System:
        saved = self.saved
        encoder = make_encoder(self.encoder or saved.encoder, self.cache, self.listener)
        return condition_encoder(encoder) if saved.reads_condition else encoder

    def _evidence(self) -> "Evidence | None":
        evidence = self.saved.evidence
        return None if evidence is None else evidence.attached(self.cache, self.listener)

    def _note_changes(self, saved: SavedProcess, encoder: System, evidence: "Evidence | None") -> None:
        if self.listener is None:
            return
        changed = {
            "encoder": saved.encoder_fingerprint not in (None, fingerprint_of(encoder)),
            "evidence": evidence is not None and evidence.fingerprint() != saved.evidence_fingerprint,
        }
        for what in (name for name, is_so in changed.items() if is_so):
            self.listener.note(
                f"the {what} of '{self.model}' has changed since training: its files, the versions of its "
                "libraries, the device or the precision differ"
            )


def make_encoder(written: str, cache: VectorCache | None = None, listener: Listener | None = None) -> System:
    """Create the named encoder, with a cache and a listener if it uses them.

    Raises:
        UnknownNameError: there is no such system.
        ArgumentError: the system returns no vectors.
    """
    encoder = make_system(written)
    if isinstance(encoder, HasEncoder):
        encoder = encoder.as_encoder()
    _embeds(encoder)
    return attach_cache(encoder, cache, listener=listener)


def condition_encoder(encoder: System) -> System:
    """The encoder if it reads conditions, or with ``condition=append``.

    Raises:
        ArgumentError: it cannot read conditions.
    """
    under = with_condition(encoder)
    if under is None:
        raise ArgumentError(
            f"encoder '{encoder.identity}' does not read conditions, but the items have them",
            remedy="use one that does: use, encoder(FOLDER), conditional(FOLDER); or ignore them: --reads sentences",
        )
    return under


def _embeds(encoder: System) -> EmbedsPairs:
    if not isinstance(encoder, EmbedsPairs):
        raise ArgumentError(
            f"system '{encoder.identity}' returns no vectors",
            remedy="use a sentence encoder: use, wordllama, encoder(FOLDER), conditional(FOLDER)",
        )
    return encoder
