"""The registry of measures: from ``ndcg@10`` or ``hmean(pearson, f1)`` to the measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from similitude.errors import ArgumentError, ExtensionError, SimilitudeError
from similitude.evaluate.measures.measure import Measure
from similitude.registry import subclass_registry

__all__ = [
    "BINARY_MEASURES",
    "DEFAULT_MEASURES",
    "DISTRIBUTION_MEASURES",
    "MEASURES",
    "catalogue",
    "make_measure",
    "make_measures",
]

MEASURES = subclass_registry(
    "measure",
    "similitude.measures",
    Measure,
    needed={"low": "its least value", "high": "its greatest value"},
    methods={"values": "which takes a comparison and gives one number a system"},
)

DEFAULT_MEASURES = ("pearson", "spearman", "ndcg@10", "f1_low", "f1_high", "mae")
"""The default measures: value, rank, top of the list, low pairs, high pairs, error."""

BINARY_MEASURES = ("auc", "average_precision", "f1_binary", "accuracy", "mcc")
"""The default measures if gold has two labels."""

DISTRIBUTION_MEASURES = ("kl", "nlpd", "ece", "crps", "sigma_pearson")
"""Added to the default if a system gives standard deviations."""


FAMILIES = (
    "correlation",
    "error",
    "cumulative_gain",
    "grouped",
    "classification",
    "combination",
    "binary_labels",
    "threshold",
    "threshold_target",
    "over_sources",
    "distribution",
)
"""The modules of measures, in the order of listings."""


def make_measure(written: str) -> Measure:
    """The measure that ``written`` names.

    Raises:
        UnknownNameError: nothing has that name.
        ArgumentError: the arguments do not fit.
        ExtensionError: a measure of another package or of a file lacks something, or could not be made again.

    >>> make_measure("hmean(pearson, ndcg@10)")
    hmean(pearson, ndcg@10)
    """
    made = MEASURES.make(written)
    if not type(made).__module__.startswith("similitude."):
        _check_written(made, written)
    return made


def make_measures(measures: str | Measure | Iterable[str | Measure] | None) -> list[Measure]:
    """The measures that a user names: one or several, by name or as they are.

    >>> make_measures("pearson"), make_measures(["pearson", make_measure("ndcg@10")])
    ([pearson], [pearson, ndcg@10])

    Raises:
        ArgumentError: something is neither a name nor a measure.
        UnknownNameError: nothing has that name.
    """
    if measures is None:
        return []
    given = [measures] if isinstance(measures, str | Measure) else measures
    if not isinstance(given, Iterable):
        what = f"measures={measures!r:.60} names no measure"
        remedy = 'give names, as in measures=["spearman"]; one of your own is a class in a file, "FILE.py:NAME"'
        raise ArgumentError(what, remedy=remedy)
    return [each if isinstance(each, Measure) else make_measure(each) for each in given]


def _check_written(made: Measure, written: str) -> None:
    """A measure from outside must be found again under the name that a run saves.

    Raises:
        ExtensionError: what it calls itself makes nothing, or something else.
    """
    try:
        again: object = MEASURES.make(str(made))
    except SimilitudeError as error:
        again = error
    if again != made:
        raise ExtensionError(
            f"measure '{written}' is saved as '{made}', from which it cannot be made again",
            where=f"{type(made).__module__}:{type(made).__qualname__}",
            remedy="make it a frozen dataclass with repr=False, whose fields are its arguments",
        )


def catalogue() -> list[Measure]:
    """One example of every registered measure, family by family, for listings."""
    made = [MEASURES.make(_example(name, maker)) for name, maker in MEASURES.listed().makers.items()]
    return sorted(made, key=lambda measure: _place(type(measure).__module__.rpartition(".")[2]))


def _place(family: str) -> int:
    """The position of a family in listings; those of other packages come last."""
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


def _example(name: str, maker: Callable[..., Measure]) -> str:
    """How to write a measure; makers that need arguments give an example in ``maker.example``."""
    return getattr(maker, "example", name)
