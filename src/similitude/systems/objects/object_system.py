"""The base of systems that are made of a Python object: name, identity, and the state of the object."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.data.scale import Scale
from similitude.registry import Spec
from similitude.systems.catalogue import OBJECT
from similitude.systems.object_state import Digest, digest_of, unknown_state

__all__ = ["ObjectSystem"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ObjectSystem:
    """A system made of an object that a user holds in Python.

    A subclass defines ``score``. Predictions in a run's folder and vectors in the cache are reused only if the object
    is in the same state: same weights, settings, code, closure and globals. If its state cannot be known, nothing is.

    Attributes:
        called: the name that the user gave it.
        thing: the object.
        range: where its scores begin and end, if the user said so or the object tells.
        listener: is told notes and progress.
    """

    called: str
    thing: Any = field(repr=False)
    range: Scale | None = field(default=None, repr=False)
    listener: Listener = field(default_factory=OptionalListener, repr=False)

    summary: ClassVar[str] = "an object in Python"
    may_change_by_use: ClassVar[bool] = True
    """Scoring may change it, as a counter or a memory of its own does; then nothing of it is reused."""

    @property
    def reads(self) -> frozenset[str]:
        """Neither context nor condition."""
        return frozenset()

    @property
    def identity(self) -> Spec:
        """The name under which the user gave the object; it cannot be made again without the object."""
        return Spec(OBJECT, None, (self.called,))

    def state(self) -> Digest:
        """A digest of the object as it is now, or why there is none."""
        return digest_of(self.thing)

    def model_fingerprint(self) -> str:
        """The digest of the object; a text that equals no other if its state cannot be known."""
        return self.state().value or unknown_state()

    def with_listener(self, listener: Listener) -> Self:
        """The same system with this listener."""
        return replace(self, listener=listener)

    def note_unknown_state(self, why: str | None) -> None:
        """Note that nothing is reused, if the state cannot be known."""
        if why is not None:
            self.listener.note(f"'{self.called}' is computed anew each time and nothing of it is cached: {why}")
