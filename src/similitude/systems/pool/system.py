"""A pool: several systems combined into one."""

# No postponed annotations here: the registry reads them.
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import AnswerCache, FitsTexts, Listener, System, VectorCache
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError
from similitude.registry import Spec
from similitude.systems.attach_cache import attach_cache, fingerprint_of
from similitude.systems.catalogue import SYSTEMS, make_system
from similitude.systems.pool.rules import Rule, pooled_means, pooled_sigmas
from similitude.systems.pool.weights import read_weights, write_weights

__all__ = ["Pool", "parts", "pool", "pool_of"]


@dataclass(frozen=True)
class Pool:
    """Several systems combined; created by `pool` and `pool_of`.

    If all members have the same range, or none has one, their predictions are pooled as they are. If ranges differ,
    predictions are first mapped linearly to the range of the first member.

    There is a sigma if every member has one; otherwise a note names those without. A nan from one member makes the
    pooled score of that item nan. ``invalid`` is the weighted mean of the members' shares (0 for a member without), and
    there are no samples. A member of weight 0 is not run.

    Attributes:
        how: "log" or "linear"; see `similitude.systems.pool.rules`.
        weights: the weights of the members, in order; None for equal ones.
        listener: gets the members' notes, and why there is no sigma.
    """

    name: ClassVar[str] = "pool"
    summary: ClassVar[str] = "several systems combined: the mean of their scores, and their sigmas pooled"

    systems: tuple[str, ...]
    how: Rule = "log"
    weights: tuple[float, ...] | None = None
    members: tuple[System, ...] = field(kw_only=True, repr=False, compare=False)
    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def range(self) -> Scale | None:
        """The range of the first member.

        Raises:
            ArgumentError: some members have a range and others have none.
        """
        ranges = [member.range for member in self.members]
        if None in ranges and any(ranges):
            unbounded = self.systems[ranges.index(None)]
            raise ArgumentError(
                f"cannot pool '{unbounded}', which has no range, with systems that have one",
                where=str(self.identity),
                remedy=f"leave out '{unbounded}', or pool only systems without a range",
            )
        return ranges[0]

    @property
    def reads(self) -> frozenset[str]:
        """The columns that any member reads."""
        return frozenset().union(*(member.reads for member in self.members))

    @property
    def identity(self) -> Spec:
        """Written ``pool(use-multilingual, levenshtein, how=linear, weights='2,1')``."""
        how = {} if self.how == "log" else {"how": self.how}
        weights = {} if self.weights is None else {"weights": write_weights(self.weights)}
        return Spec(self.name, None, self.systems, how | weights)

    def model_fingerprint(self) -> str:
        """Hash of the models of all members."""
        each = [fingerprint_of(member) for member in self.members]
        return hashlib.sha256(json.dumps(each).encode()).hexdigest()

    def with_cache(self, cache: VectorCache) -> Self:
        """The same pool, whose members use this cache."""
        return self._with_each(lambda member: attach_cache(member, cache))

    def with_answers(self, answers: AnswerCache) -> Self:
        """The same pool, whose members use this cache of answers."""
        return self._with_each(lambda member: attach_cache(member, answers=answers))

    def with_listener(self, listener: Listener) -> Self:
        """The same pool with this listener, for itself and its members."""
        pool = self._with_each(lambda member: attach_cache(member, listener=listener))
        return replace(pool, listener=listener)

    def score(self, items: Items) -> Predictions:
        """The pooled prediction of each item, in order, on the range of the first member.

        Raises:
            ArgumentError: some members have a range and others have none.
            PredictionError: a member did not return one prediction per item.
        """
        scale, asked = self.range, self.asked
        weights = np.array([weight for _, weight in asked])
        predicted = [_predictions(member, items, scale) for member, _ in asked]
        means = np.stack([one.scores for one in predicted])
        sigmas = self._sigmas(predicted)
        return Predictions(
            pooled_means(means, weights),
            None if sigmas is None else pooled_sigmas(self.how, means, sigmas, weights),
            invalid=_invalid(predicted, weights),
        )

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One pooled score per pair of texts."""
        return self.score(Items.from_pairs(lefts, rights)).scores

    @property
    def asked(self) -> list[tuple[System, float]]:
        """The members with a positive weight, each with its weight."""
        weights = self.weights or (1.0,) * len(self.members)
        return [(member, weight) for member, weight in zip(self.members, weights, strict=True) if weight > 0]

    def _sigmas(self, predicted: Sequence[Predictions]) -> NDArray[np.float64] | None:
        """Sigmas as systems x items; None if a member gives none."""
        given = [one.sigmas for one in predicted if one.sigmas is not None]
        if len(given) == len(predicted):
            return np.stack(given)
        if given and self.listener is not None:
            silent = [
                f"'{member.identity}'"
                for (member, _), one in zip(self.asked, predicted, strict=True)
                if one.sigmas is None
            ]
            self.listener.note(f"the pool has no sigma, because there is none from {', '.join(silent)}")
        return None

    def _with_each(self, change: Callable[[System], System]) -> Self:
        return replace(self, members=tuple(change(member) for member in self.members))


class FittablePool(Pool):
    """A pool with a member that must be fitted on texts."""

    def fit(self, texts: Sequence[str]) -> Self:
        """The same pool, with these members fitted on the texts."""
        return self._with_each(lambda member: member.fit(texts) if isinstance(member, FitsTexts) else member)


@SYSTEMS.register("pool")
def pool(*systems: str, how: Rule = "log", weights: str | tuple[float, ...] | None = None) -> Pool:
    """Combine several systems: the mean of their scores and, if all have one, their pooled sigma.

    Written ``pool(uncertain(OURS), gpr(PROCESS))``; a system may be quoted.

    Args:
        systems: two or more systems as users write them.
        how: how sigmas are pooled: "log" takes their geometric mean, "linear" the sigma of the mixture, which also
            grows with disagreement between the systems.
        weights: one number per system, ``weights="2,1"``; None for equal weights.

    Raises:
        ArgumentError: there are fewer than two systems, one is named twice, or the weights are invalid.

    >>> pool("jaccard", "jaro").similarities(["abc"], ["abc"])
    array([1.])
    >>> str(pool("jaccard", "char-ngram-cosine(n=2)", weights="2,1").identity)
    "pool(word-ngram-jaccard, char-ngram-cosine(n=2), weights='2,1')"
    """
    return pool_of([make_system(written) for written in systems], how=how, weights=weights)


pool.summary = Pool.summary  # type: ignore[attr-defined]


def pool_of(members: Sequence[System], *, how: Rule = "log", weights: str | Sequence[float] | None = None) -> Pool:
    """Like `pool`, for existing systems, including your own."""
    names = tuple(str(member.identity) for member in members)
    if len(names) < 2:
        raise ArgumentError(
            f"a pool needs two systems or more, not {len(names)}", remedy="write pool(use, levenshtein)"
        )
    for name in names:
        if names.count(name) > 1:
            remedy = 'name each system once; use weights="2,1" to give one more weight'
            raise ArgumentError(f"system '{name}' is in the pool {names.count(name)} times", remedy=remedy)
    chosen = None if weights is None else read_weights(weights, len(names))
    kind = FittablePool if any(isinstance(member, FitsTexts) for member in members) else Pool
    return kind(names, how, chosen, members=tuple(members))


def parts(system: System) -> Iterator[System]:
    """The systems that run when this one does: the members of a pool and of nested pools, or itself."""
    if not isinstance(system, Pool):
        yield system
        return
    for member, _ in system.asked:
        yield from parts(member)


def _predictions(member: System, items: Items, scale: Scale | None) -> Predictions:
    predicted = member.score(items)
    if len(predicted) != len(items):
        raise PredictionError(
            f"{len(predicted)} predictions for {len(items)} items",
            where=str(member.identity),
            remedy="a system must return one prediction per item",
        )
    own = member.range
    return predicted if own is None or scale is None or own.same_ends(scale) else _mapped(predicted, own, scale)


def _mapped(predicted: Predictions, own: Scale, scale: Scale) -> Predictions:
    slope = scale.width / own.width
    sigmas = None if predicted.sigmas is None else slope * predicted.sigmas
    return Predictions(scale.low + slope * (predicted.scores - own.low), sigmas, invalid=predicted.invalid)


def _invalid(predicted: Sequence[Predictions], weights: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Share of the prediction that rests on unreadable answers."""
    if all(one.invalid is None for one in predicted):
        return None
    none = np.zeros(len(predicted[0]))
    return pooled_means(np.stack([none if one.invalid is None else one.invalid for one in predicted]), weights)
