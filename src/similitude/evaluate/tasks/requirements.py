"""The requirements of a task, and the measure that fits them (table 3 of the task-oriented paper).

Three dimensions describe a task. *Cardinality*: is one text compared with one other, or with many? *Interest*:
which of the results are used: all, the k best, or those above a threshold? *Information*: what of them: the value
itself, its rank, or a class? Nine of the eighteen combinations are plausible; the others are refused with the reason.

Reference: Reimers, Beyer and Gurevych (2016), section 4 and table 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple, get_args

from similitude.errors import ArgumentError, UnknownNameError
from similitude.evaluate.deployed_thresholds import threshold_measures
from similitude.evaluate.measures import Measure, make_measure
from similitude.evaluate.measures.threshold import AtThreshold

__all__ = [
    "PLAUSIBLE",
    "Cardinality",
    "Information",
    "Interest",
    "Requirements",
    "plausible_requirements",
    "requirements_of_kind",
    "why_implausible",
]

Cardinality = Literal["1:1", "1:n"]
Interest = Literal["all", "k-best", "threshold"]
Information = Literal["value", "rank", "classification"]
Combination = tuple[Cardinality, Interest, Information]

USUAL_K = 10


class Fit(NamedTuple):
    """A measure that fits, the reason, and examples of such tasks. ``{f1}``, ``{k}`` and so on are filled in."""

    measure: str
    reason: str
    examples: tuple[str, ...]


BOTH_ENDS = "pairs of similar similarity need similar scores, or no border between classes holds: F1 at both ends"
LEARNED = "a class needs a threshold, which is learned on other folds, wherever the scores of a system lie"
PLAUSIBLE: Mapping[Combination, Fit] = {
    ("1:1", "all", "value"): Fit(
        "pearson",
        "the value itself is used, so it must grow linearly with similarity over the whole scale",
        ("essay or short-answer grading", "paraphrase strength shown to a user"),
    ),
    ("1:1", "all", "classification"): Fit(
        "{f1}",
        BOTH_ENDS,
        ("text reuse in classes from copy to none", "is this pair a duplicate"),
    ),
    ("1:n", "all", "value"): Fit(
        "pearson",
        "every value enters a sum or a graph, so values must be proportional",
        ("weights of edges in a graph of sentences for summarisation", "clustering by distance"),
    ),
    ("1:n", "all", "rank"): Fit(
        "{ndcg}{reverse}",
        "only the order matters, and the top most",
        ("a full list of results, best first", "ordering answers for a reader"),
    ),
    ("1:n", "all", "classification"): Fit(
        "{f1}",
        BOTH_ENDS,
        ("deduplication of a collection", "choosing sentences that say something new"),
    ),
    ("1:n", "k-best", "value"): Fit(
        "hmean({ncg}@{k}{reverse}, pearson)",
        "the k best must be found, in any order, and their values must be right",
        ("weighted votes of the k nearest labelled examples",),
    ),
    ("1:n", "k-best", "rank"): Fit(
        "{ndcg}@{k}{reverse}",
        "only the first k places are seen, and the first matter most",
        ("related articles below an article", "the top ten of a search", "the nearest question in an FAQ"),
    ),
    ("1:n", "threshold", "value"): Fit(
        "hmean({f1}, pearson)",
        "what passes the threshold must be right, and the values of what passes are used",
        ("plagiarism prefilter whose scores go to an examiner",),
    ),
    ("1:n", "threshold", "rank"): Fit(
        "hmean({f1}, spearman)",
        "what passes the threshold must be right, and must be in order",
        ("alerts above a threshold, most similar first",),
    ),
}
"""The nine plausible combinations, with the paper's measures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """The requirements of a task.

    Attributes:
        cardinality: "1:1" or "1:n".
        interest: "all", "k-best" or "threshold".
        information: "value", "rank" or "classification".
        k: number of results used, if only the k best are.
        threshold: the border on the gold scale; by default 0.3 for low and 0.7 for high, as in the paper.
        dissimilar: whether the task looks for the *least* similar texts, as summarisation does.
        criterion: the measure at a learned threshold to use where gold has two labels; by default ``f1_binary``.

    >>> Requirements(cardinality="1:n", interest="k-best", information="rank", k=5).measure
    ndcg@5
    """

    cardinality: Cardinality
    interest: Interest = "all"
    information: Information = "value"
    k: int | None = None
    threshold: float | None = None
    dissimilar: bool = False
    criterion: str | None = None

    def __post_init__(self) -> None:
        for name, given, known in (
            ("cardinality", self.cardinality, get_args(Cardinality)),
            ("set of interest", self.interest, get_args(Interest)),
            ("kind of information", self.information, get_args(Information)),
        ):
            if given not in known:
                raise UnknownNameError(name, str(given), known)
        reason = why_implausible(self.cardinality, self.interest, self.information)
        if reason:
            raise ArgumentError(f"{self.name} does not make sense", remedy=reason)
        if self.k is not None and (self.interest != "k-best" or self.k < 1):
            raise ArgumentError(f"k = {self.k} does not fit", remedy="give k of 1 or more, with interest k-best only")
        if self.threshold is not None and "{f1}" not in self.fit.measure:
            raise ArgumentError(
                f"a threshold does not fit {self.name}", remedy="give it with interest threshold or classification"
            )
        if self.criterion is not None:
            self._check_criterion(self.criterion)

    @classmethod
    def plausible(cls) -> list[Requirements]:
        """All combinations of the three dimensions that make sense.

        >>> [str(needs.measure) for needs in Requirements.plausible()][:2]
        ['pearson', 'f1']
        """
        return list(plausible_requirements())

    @property
    def name(self) -> str:
        """In the paper's notation: ``(1:n, k-best, rank)``."""
        return f"({self.cardinality}, {self.interest}, {self.information})"

    @property
    def fit(self) -> Fit:
        """The row of the table."""
        return PLAUSIBLE[self.cardinality, self.interest, self.information]

    @property
    def measure(self) -> Measure:
        """The paper's measure, which fits if gold is graded; rankings are of all pairs as one list."""
        return self._filled(self._f1)

    @property
    def ranks_queries(self) -> bool:
        """Whether the task ranks the candidates of each query, so that data must say which pairs belong to a query."""
        return "cg}" in self.fit.measure

    def measure_for(self, *, two_labels: bool, within_groups: bool = False) -> Measure:
        """The measure that fits gold with two labels, or graded gold.

        With two labels, a class is found by a threshold, which is learned.

        Args:
            two_labels: whether gold is yes or no.
            within_groups: whether rankings are those of each group, averaged; else of all pairs as one list.

        >>> Requirements(cardinality="1:n", information="classification").measure_for(two_labels=True)
        f1_binary

        Raises:
            ArgumentError: a threshold on the gold scale is given for two labels, or a criterion for graded gold.
        """
        if two_labels and self.threshold is not None:
            remedy = "leave it out: with two labels it is learned on the scores"
            raise ArgumentError(f"a threshold of {self.threshold:g} does not fit gold with two labels", remedy=remedy)
        if two_labels:
            return self._filled(self.criterion or "f1_binary", within_groups=within_groups)
        if self.criterion is not None and make_measure(self.criterion).requires:
            remedy = "state above which score gold means yes: f1_binary(border=NUMBER)"
            raise ArgumentError(f"criterion {self.criterion} needs gold with two labels", remedy=remedy)
        return self._filled(self.criterion or self._f1, within_groups=within_groups)

    def _filled(self, f1: str, *, within_groups: bool = False) -> Measure:
        before = "group_" if within_groups else ""
        names = {"f1": f1, "ndcg": f"{before}ndcg", "ncg": f"{before}ncg", "k": self.k or USUAL_K}
        return make_measure(self.fit.measure.format(**names, reverse="(reverse=true)" if self.dissimilar else ""))

    @property
    def reason(self) -> str:
        """Why it fits if gold is graded."""
        return self.fit.reason

    def reason_for(self, measure: Measure) -> str:
        """Why the measure that was used fits."""
        return LEARNED if threshold_measures([measure]) else self.reason

    def _check_criterion(self, criterion: str) -> None:
        if "{f1}" not in self.fit.measure:
            remedy = "give it with interest threshold or classification"
            raise ArgumentError(f"a criterion does not fit {self.name}", remedy=remedy)
        if not isinstance(make_measure(criterion), AtThreshold):
            remedy = "give f1_binary, accuracy, mcc, recall_at(precision=0.9), precision_at(recall=0.9) or cost(1, 5)"
            raise ArgumentError(f"{criterion} learns no threshold", remedy=remedy)

    @property
    def _f1(self) -> str:
        if self.threshold is None:
            return "f1"
        return f"hmean(f1_low(border={self.threshold:g}), f1_high(border={self.threshold:g}))"


def why_implausible(cardinality: Cardinality, interest: Interest, information: Information) -> str:
    """Why a combination is implausible; empty if it is plausible.

    >>> why_implausible("1:1", "k-best", "value")
    'one comparison has one result, nothing to choose the best of: use interest all, or cardinality 1:n'
    """
    if (cardinality, interest, information) in PLAUSIBLE:
        return ""
    if cardinality == "1:1":
        return _WHY_NOT_ONE.get(
            interest, "a single result has no rank: use value or classification, or cardinality 1:n"
        )
    chosen = "among the k best" if interest == "k-best" else "above the threshold"
    return f"being {chosen} is the class already: use rank or value, or interest all with classification"


_WHY_NOT_ONE: Mapping[str, str] = {
    "k-best": "one comparison has one result, nothing to choose the best of: use interest all, or cardinality 1:n",
    "threshold": "one result above or below a threshold is a class: use interest all with classification",
}


def requirements_of_kind(kind: str) -> Requirements | None:
    """The requirements of a kind of task: text reuse is (1:1, all, classification), and so on; None for unknown kinds.

    >>> str(requirements_of_kind("find-related").measure)
    'ndcg@1'
    """
    return _OF_KIND.get(kind)


def plausible_requirements() -> Iterator[Requirements]:
    """The nine plausible combinations, in the order of the paper's dimensions."""
    for cardinality, interest, information in product(*map(get_args, (Cardinality, Interest, Information))):
        if (cardinality, interest, information) in PLAUSIBLE:
            yield Requirements(cardinality=cardinality, interest=interest, information=information)


_CLASS = Requirements(cardinality="1:1", information="classification")
_TOP = Requirements(cardinality="1:n", interest="k-best", information="rank", k=1)
_OF_KIND: Mapping[str, Requirements] = {
    "text-reuse": _CLASS,
    "related": _CLASS,
    "deduplication": Requirements(cardinality="1:n", information="classification"),
    "find-related": _TOP,
    "intent": _TOP,
}
