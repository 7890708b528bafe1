"""The model in memory: kept for the state that its files were in, and loaded again when they change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from similitude.errors import ArgumentError

__all__ = ["ModelChangedError", "ModelSlot", "until_unchanged"]

M = TypeVar("M")
S = TypeVar("S", bound=Hashable)
T = TypeVar("T")

_TRIES = 4


class ModelChangedError(Exception):
    """The files of a model changed while it was loaded or used; `until_unchanged` tries again."""


class ModelSlot(Generic[S, M]):
    """Room for one model, since two may not fit into memory."""

    def __init__(self) -> None:
        self._held: tuple[S, M] | None = None

    def get(self, state: S, load: Callable[[], M], current: Callable[[], S]) -> M:
        """The model for this state: the one in memory, or a new one that replaces it.

        Args:
            state: the state of the model's files, and all else that changes its output.
            load: loads the model.
            current: the state as it is now, asked after loading.

        Raises:
            ModelChangedError: the files changed meanwhile, so it is unknown what was loaded.
        """
        if self._held is None or self._held[0] != state:
            self._held = None  # first, so that the memory is free
            model = _loaded(state, load, current)
            self._held = (state, model)
        return self._held[1]

    def clear(self) -> None:
        """Drop the model."""
        self._held = None


def _loaded(state: S, load: Callable[[], M], current: Callable[[], S]) -> M:
    try:
        model = load()
    except Exception as error:
        if current() != state:
            raise ModelChangedError from error  # half of a file, perhaps
        raise
    if current() != state:
        raise ModelChangedError
    return model


def until_unchanged(work: Callable[[], T], where: str) -> T:
    """Do the work; again if the files of the model changed meanwhile.

    Args:
        work: raises `ModelChangedError` if they did.
        where: what they belong to, for the error.

    Raises:
        ArgumentError: they changed each time.
    """
    for _ in range(_TRIES):
        try:
            return work()
        except ModelChangedError:
            continue
    raise ArgumentError(
        f"its files changed while it was loaded or used, {_TRIES} times in a row",
        where=where,
        remedy="wait until whatever writes them is done, or copy the model and use the copy",
    )
