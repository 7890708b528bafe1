"""Several systems as one, which says what they say together."""

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
from similitude.data.protocols import (
    AnswerCache,
    FitsTexts,
    Listener,
    System,
    Tells,
    UsesAnswers,
    UsesCache,
    VectorCache,
)
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError
from similitude.registry import Spec
from similitude.systems.attach_cache import fingerprint_of
from similitude.systems.catalogue import SYSTEMS, make_system
from similitude.systems.pool.rules import Rule, pooled_means, pooled_sigmas
from similitude.systems.pool.weights import read_weights, write_weights

__all__ = ["Pool", "parts", "pool", "pool_of"]


@dataclass(frozen=True)
class Pool:
    """What several systems say together; `pool` and `pool_of` make one.

    All members with the same range are pooled as they are, and so are members none of which has one. Where ranges
    differ, what a member says is first mapped linearly to the range of the first member.

    There is a sigma where every member gives one; a note says which does not. A nan from one member makes the pooled
    score of that item nan. ``invalid`` is the mean of the members' shares by weight (0 for a member that has none), and
    there are no samples. A member of weight 0 is not asked.

    Attributes:
        systems: as users write them.
        how: "log" or "linear"; see `similitude.systems.pool.rules`.
        weights: of the members, in order; none for equal ones.
        members: the systems themselves.
        listener: hears what members say, and why there is no sigma.
    """

    name: ClassVar[str] = "pool"
    summary: ClassVar[str] = "what several systems say together: the mean of their scores, and their sigmas pooled"

    systems: tuple[str, ...]
    how: Rule = "log"
    weights: tuple[float, ...] | None = None
    members: tuple[System, ...] = field(kw_only=True, repr=False, compare=False)
    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def range(self) -> Scale | None:
        """That of the first member.

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
        """What any member takes into account."""
        return frozenset().union(*(member.reads for member in self.members))

    @property
    def identity(self) -> Spec:
        """Written ``pool(use-multilingual, levenshtein, how=linear, weights='2,1')``."""
        how = {} if self.how == "log" else {"how": self.how}
        weights = {} if self.weights is None else {"weights": write_weights(self.weights)}
        return Spec(self.name, None, self.systems, how | weights)

    def model_fingerprint(self) -> str:
        """Changes when the model of any member does."""
        each = [fingerprint_of(member) for member in self.members]
        return hashlib.sha256(json.dumps(each).encode()).hexdigest()

    def with_cache(self, cache: VectorCache) -> Self:
        """The same pool, its members looking into this cache before they compute."""
        return self._with_each(lambda member: member.with_cache(cache) if isinstance(member, UsesCache) else member)

    def with_answers(self, answers: AnswerCache) -> Self:
        """The same pool, its members looking there before they ask a language model."""
        return self._with_each(lambda one: one.with_answers(answers) if isinstance(one, UsesAnswers) else one)

    def with_listener(self, listener: Listener) -> Self:
        """The same pool, itself and its members telling this listener."""
        heard = self._with_each(lambda one: one.with_listener(listener) if isinstance(one, Tells) else one)
        return replace(heard, listener=listener)

    def score(self, items: Items) -> Predictions:
        """What all members say of each item together, in order, on the range of the first.

        Raises:
            ArgumentError: some members have a range and others have none.
            PredictionError: a member did not return one prediction an item.
        """
        scale, asked = self.range, self.asked
        weights = np.array([weight for _, weight in asked])
        said = [_said(member, items, scale) for member, _ in asked]
        means = np.stack([one.scores for one in said])
        sigmas = self._sigmas(said)
        return Predictions(
            pooled_means(means, weights),
            None if sigmas is None else pooled_sigmas(self.how, means, sigmas, weights),
            invalid=_invalid(said, weights),
        )

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One pooled score for each pair of texts."""
        return self.score(Items.from_pairs(lefts, rights)).scores

    @property
    def asked(self) -> list[tuple[System, float]]:
        """The members that have any weight, each with it."""
        weights = self.weights or (1.0,) * len(self.members)
        return [(member, weight) for member, weight in zip(self.members, weights, strict=True) if weight > 0]

    def _sigmas(self, said: Sequence[Predictions]) -> NDArray[np.float64] | None:
        """Systems x items, or None where not every member gives them."""
        given = [one.sigmas for one in said if one.sigmas is not None]
        if len(given) == len(said):
            return np.stack(given)
        if given and self.listener is not None:
            silent = [
                f"'{member.identity}'" for (member, _), one in zip(self.asked, said, strict=True) if one.sigmas is None
            ]
            self.listener.note(f"pooled without sigma, because there is none from {', '.join(silent)}")
        return None

    def _with_each(self, change: Callable[[System], System]) -> Self:
        return replace(self, members=tuple(change(member) for member in self.members))


class FittingPool(Pool):
    """A pool with a member that must see the collection's texts first."""

    def fit(self, texts: Sequence[str]) -> Self:
        """The same pool, with such members fitted on these texts."""
        return self._with_each(lambda member: member.fit(texts) if isinstance(member, FitsTexts) else member)


@SYSTEMS.register("pool")
def pool(*systems: str, how: Rule = "log", weights: str | tuple[float, ...] | None = None) -> Pool:
    """The pooled opinion of several systems: the mean of their scores and, where all have one, their sigmas pooled.

    Written ``pool(uncertain(OURS), gpr(PROCESS))``; a system may stand in quotes.

    Args:
        systems: two or more, as users write them.
        how: what becomes of sigmas: "log" takes their geometric mean, "linear" the sigma of the mixture, to which
            disagreement between the systems adds.
        weights: one number a system, ``weights="2,1"``; none for equal weights.

    Raises:
        ArgumentError: fewer than two systems, one named twice, or weights that cannot be.

    >>> pool("jaccard", "jaro").similarities(["abc"], ["abc"])
    array([1.])
    >>> str(pool("jaccard", "char-ngram-cosine(n=2)", weights="2,1").identity)
    "pool(word-ngram-jaccard, char-ngram-cosine(n=2), weights='2,1')"
    """
    return pool_of([make_system(written) for written in systems], how=how, weights=weights)


pool.summary = Pool.summary  # type: ignore[attr-defined]


def pool_of(members: Sequence[System], *, how: Rule = "log", weights: str | Sequence[float] | None = None) -> Pool:
    """The same as `pool`, from systems that are there already, such as your own."""
    names = tuple(str(member.identity) for member in members)
    if len(names) < 2:
        raise ArgumentError(
            f"a pool needs two systems or more, not {len(names)}", remedy="write pool(use, levenshtein)"
        )
    for name in names:
        if names.count(name) > 1:
            remedy = 'name each system once; one counts for more with weights="2,1"'
            raise ArgumentError(f"system '{name}' stands in the pool {names.count(name)} times", remedy=remedy)
    chosen = None if weights is None else read_weights(weights, len(names))
    kind = FittingPool if any(isinstance(member, FitsTexts) for member in members) else Pool
    return kind(names, how, chosen, members=tuple(members))


def parts(system: System) -> Iterator[System]:
    """The systems that are asked when this one is: those of a pool, and of pools in it, or itself."""
    if not isinstance(system, Pool):
        yield system
        return
    for member, _ in system.asked:
        yield from parts(member)


def _said(member: System, items: Items, scale: Scale | None) -> Predictions:
    said = member.score(items)
    if len(said) != len(items):
        raise PredictionError(
            f"{len(said)} predictions for {len(items)} items",
            where=str(member.identity),
            remedy="a system must return one prediction an item",
        )
    own = member.range
    return said if own is None or scale is None or own.same_ends(scale) else _mapped(said, own, scale)


def _mapped(said: Predictions, own: Scale, scale: Scale) -> Predictions:
    slope = scale.width / own.width
    sigmas = None if said.sigmas is None else slope * said.sigmas
    return Predictions(scale.low + slope * (said.scores - own.low), sigmas, invalid=said.invalid)


def _invalid(said: Sequence[Predictions], weights: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The share of the opinion that rests on answers that could not be read."""
    if all(one.invalid is None for one in said):
        return None
    none = np.zeros(len(said[0]))
    return pooled_means(np.stack([none if one.invalid is None else one.invalid for one in said]), weights)
