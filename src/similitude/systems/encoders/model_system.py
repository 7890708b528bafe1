"""The base of systems that load a model: its files, how it computes, its cache and its listener."""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.models.device_class import device_class, resolved_precision
from similitude.models.encoders.loader import Dtype, LoadOptions
from similitude.models.encoders.text_model import TextModel
from similitude.models.encoders.vector_cache import CachedEncoder
from similitude.models.files import ModelFiles, resolve
from similitude.models.fingerprint import ModelState, model_state
from similitude.models.loaded_model import ModelChangedError, until_unchanged
from similitude.registry import Spec, spec_of
from similitude.systems.encoders.input_text import PairTextSystem

__all__ = ["ModelSystem"]

T = TypeVar("T")

SCHEME = 1
"""Incremented when rows are computed in another way, so that cached ones are not reused."""


@dataclass(frozen=True)
class ModelSystem(PairTextSystem):
    """A system with a model from a folder or the Hugging Face hub, loaded when it is first needed.

    A subclass sets ``organisation``, defines ``load``, and names in ``settings`` what else changes its rows.

    Attributes:
        model: a folder, or a name on the hub.
        revision: a branch, tag or commit on the hub.
        device: a torch device; None for a GPU if there is one, else the CPU.
        dtype: the precision; auto is the model's own on a GPU and float32 on a CPU.
        batch: maximum texts per batch.
        tokens: maximum tokens per batch, padding included; None for 256 per core of a CPU, 4,096 on a GPU,
            16,384 there in half precision.
        cache: the cache of computed rows.
        listener: is told about progress, and gets notes for the user.
    """

    organisation: ClassVar[str]
    """The organisation to try first for a name without one."""

    model: str
    revision: str | None = field(default=None, kw_only=True)
    device: str | None = field(default=None, kw_only=True)
    dtype: Dtype = field(default="auto", kw_only=True)
    batch: int | None = field(default=None, kw_only=True)
    tokens: int | None = field(default=None, kw_only=True)
    cache: VectorCache | None = field(default=None, kw_only=True, repr=False, compare=False)
    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in (("batch", self.batch), ("tokens", self.tokens)):
            if value is not None and value < 1:
                what = f"{name}={value} is not valid for '{self.name}'"
                raise ArgumentError(what, remedy=f"give {name} as 1 or more, or leave it out")

    @property
    def identity(self) -> Spec:
        """The registered name, the model, and the arguments that differ from their defaults."""
        keywords = dict(spec_of(self, self.name).keywords)
        return Spec(self.name, None, (keywords.pop("model"),), keywords)

    def model_fingerprint(self) -> str:
        """Hash of the model's files, the library versions, the device, and the arguments that change its output."""
        return self.state().fingerprint

    def state(self) -> ModelState:
        """The fingerprint, and the states of the model's files."""
        device = device_class(self.device, self.cache)
        return model_state(
            self.files,
            self.cache,
            scheme=f"{self.name} {SCHEME}",
            device=device,
            precision=resolved_precision(self.dtype, device),
            batch=self.batch,
            tokens=self.tokens,
            **self.settings,
        )

    def in_one_state(self, work: Callable[[], T]) -> T:
        """Do the work, again if the model changed meanwhile, for work that also reads its files by itself.

        Raises:
            ArgumentError: the files of the model change all the time.
        """

        def once() -> T:
            state, found = self.state(), work()
            if self.state() != state:
                raise ModelChangedError
            return found

        return until_unchanged(once, f"model '{self.model}'")

    @property
    def settings(self) -> dict[str, object]:
        """Further arguments that change the rows."""
        return {}

    @property
    def files(self) -> ModelFiles:
        """The files of the model.

        Raises:
            ArgumentError: there is no such model.
        """
        return resolve(self.model, self.revision, self.organisation)

    def with_cache(self, cache: VectorCache) -> Self:
        """The same system with this cache."""
        return replace(self, cache=cache)

    def with_listener(self, listener: Listener) -> Self:
        """The same system with this listener."""
        return replace(self, listener=listener)

    def load(self, how: LoadOptions) -> TextModel:
        """Load the model."""
        raise NotImplementedError

    @property
    def load_options(self) -> LoadOptions:
        """How the model is loaded."""
        return LoadOptions(self.files, self.device, self.dtype)

    @property
    def cached_encoder(self) -> CachedEncoder:
        """The encoder of this system, with its cache."""
        return CachedEncoder(
            name=f"{self.name}({self.files.reference})",
            load=lambda: self.load(self.load_options),
            state=self.state,
            tokens=self.tokens,
            texts=self.batch,
            cache=self.cache,
            listener=self.listener,
        )

    def note(self, text: str) -> None:
        """Pass a note to the listener, if there is one."""
        if self.listener is not None:
            self.listener.note(text)

    def note_cut(
        self, cut_to: NDArray[np.int64], items: Sequence[NDArray[np.intp]], what: str = "texts", how: str = ""
    ) -> None:
        """Note how many texts were cut, and how many items that affects.

        Args:
            cut_to: for each distinct text, the tokens that it was cut to, or 0.
            items: for each side, the index of each item's text among the distinct ones.
            what: what is encoded at a time.
            how: in which way it was cut, in words.
        """
        cut = cut_to > 0
        if not cut.any():
            return
        touched = np.logical_or.reduce([cut[side] for side in items])
        self.note(
            f"{touched.sum():,} of {len(touched):,} items ({cut.sum():,} of {len(cut):,} distinct {what}) were cut to "
            f"the {cut_to.max():,} tokens that '{self.model}' reads at most{how and f' ({how})'}"
        )
