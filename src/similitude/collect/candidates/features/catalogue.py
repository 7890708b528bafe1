"""The registry of features: from ``iou`` or ``words(of=mean)`` to the feature."""

from __future__ import annotations

from similitude.collect.candidates.features.feature import Feature
from similitude.registry import Spec, subclass_registry

__all__ = ["FEATURES", "catalogue", "make_feature"]

FEATURES = subclass_registry(
    "feature",
    "similitude.features",
    Feature,
    methods={"values": "which takes pairs and gives one value a pair"},
)


def make_feature(written: str | Spec) -> Feature:
    """The feature that ``written`` names; those that combine others have them by name only, see `Feature.resolved`.

    Raises:
        UnknownNameError: nothing has that name.
        ArgumentError: the arguments do not fit.

    >>> make_feature("length_ratio")
    length_ratio
    """
    return FEATURES.make(written)


def catalogue() -> list[Feature]:
    """One example of every registered feature, for listings; those that need arguments give one in ``example``."""
    makers = FEATURES.listed().makers
    return [FEATURES.make(getattr(maker, "example", name)) for name, maker in makers.items()]
