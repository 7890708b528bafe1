"""Which items a training learns from, and which are held out for validation, as users say it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError
from similitude.training.splits import SeveralData, several_training_data

__all__ = ["Holdout"]


@dataclass(frozen=True, kw_only=True)
class Holdout:
    """Which items are learned from, and which are held out for validation.

    Attributes:
        split: learn from this split, or from several: train+dev. By default 'train' if there is one.
        validation: validate on this data instead of a part of DATA.
        validation_split: validate on this split. By default 'validation' or 'dev' if there is one.
        validation_share: the share of pairs to hold out if there is no split to validate on.
    """

    split: str | None = None
    validation: Any = None
    validation_split: str | None = None
    validation_share: float = 0.1

    def parts(self, benchmarks: Sequence[Benchmark], opened: Callable[[Any], Benchmark], seed: int) -> SeveralData:
        """The items to learn from and those to validate on.

        Args:
            benchmarks: the data.
            opened: opens the data to validate on.
            seed: of the random split.

        Raises:
            ArgumentError: a share is to be held out, and other items are named to validate on.
        """
        named = "--validation" if self.validation is not None else "--validation-split" if self.validation_split else ""
        if named and self.validation_share != Holdout.validation_share:
            what = f"--validation-share {self.validation_share:g} has no effect with {named}"
            raise ArgumentError(what, remedy="use one of the two")
        return several_training_data(
            benchmarks,
            None if self.validation is None else opened(self.validation),
            split=self.split,
            validation_split=self.validation_split,
            share=self.validation_share,
            seed=seed,
        )
