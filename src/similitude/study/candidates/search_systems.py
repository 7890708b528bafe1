"""The systems of a search: they give vectors of texts, and score pairs for filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, GivesVectors, System
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError, UnknownNameError
from similitude.study.candidates.text_table import open_texts
from similitude.systems.attach_cache import attach_chosen, fingerprint_of
from similitude.systems.catalogue import SYSTEMS, make_system

__all__ = ["SearchSystems"]

_fitted: dict[tuple[str, str, str], System] = {}
"""Systems that this process has fitted to the texts of a search."""
_fitting = Lock()


@dataclass(frozen=True)
class SearchSystems:
    """Makes systems by name, with the usual cache of vectors and answers. Models load where they are used.

    Attributes:
        objects: systems that are objects in Python, by the name under which filters call them.
        is_cached: whether systems use the cache.
        texts: the table that systems are fitted to which learn from texts, such as tf-idf.
        digest: of that table.
    """

    objects: Mapping[str, Any] = field(default_factory=dict)
    is_cached: bool = True
    texts: Path | None = None
    digest: str = ""

    def fitted_to(self, texts: Path, digest: str) -> SearchSystems:
        """The same systems, for the texts of this table."""
        return replace(self, texts=texts, digest=digest)

    def names(self) -> Sequence[str]:
        """The names of all systems."""
        return [*self.objects, *SYSTEMS.names()]

    def make(self, written: str) -> System:
        """The system of that name.

        Raises:
            UnknownNameError: there is none.
            ArgumentError: the arguments do not fit.
        """
        made = _named(self.objects[written], written) if written in self.objects else self._by_name(written)
        choice: Literal["usual"] | None = "usual" if self.is_cached else None
        return attach_chosen([made], choice, choice, None)[0]

    def encoder(self, written: str) -> GivesVectors:
        """The system of that name, which gives vectors.

        Raises:
            ArgumentError: it gives none.
        """
        system = self.make(written)
        if not isinstance(system, GivesVectors):
            raise ArgumentError(
                f"system '{system.identity}' has no vectors of texts",
                remedy="pair by use, wordllama, model2vec(FOLDER) or encoder(FOLDER), or by = words",
            )
        return system

    def state(self, written: str) -> dict[str, str | None]:
        """What changes if the system, its model or its code does."""
        system = self.make(written)
        return {"system": str(system.identity), "model": fingerprint_of(system)}

    def range_of(self, written: str) -> Scale | None:
        """The range of a system."""
        return self.make(written).range

    def predictions(self, written: str, items: Items) -> Predictions:
        """One prediction per item, in order.

        Raises:
            PredictionError: the system gave another number of predictions.
        """
        system = self._ready(written)
        found = system.score(items)
        if len(found) != len(items):
            what = f"{len(found)} predictions for {len(items)} pairs"
            remedy = "a system must return one prediction per item"
            raise PredictionError(what, where=f"system '{system.identity}'", remedy=remedy)
        return found

    def _by_name(self, written: str) -> System:
        try:
            return make_system(written)
        except UnknownNameError as error:
            if error.name == written and self.objects:
                raise UnknownNameError("system", written, self.names()) from None
            raise

    def _ready(self, written: str) -> System:
        system = self.make(written)
        if not isinstance(system, FitsTexts):
            return system
        key = (str(system.identity), str(fingerprint_of(system)), self.digest)
        with _fitting:
            if key not in _fitted:
                assert self.texts is not None  # filters run after the table is written
                _fitted[key] = system.fit(open_texts(self.texts).texts)
            return _fitted[key]


def _named(thing: Any, name: str) -> System:
    """An object as a system of that name."""
    from similitude.systems.objects import system  # late: the command line has names alone

    return system(thing, name=name).inner_system
