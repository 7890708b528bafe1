"""Best-worst answers of annotators of whom some click at random: utilities and annotators' attention, by EM.

An answer is attentive with the annotator's probability a, and follows the max-diff model then (`plackett_luce`); else
it is a random pair of the items shown, each pair as likely as any other. Most annotators have an attention from a Beta
distribution; a share of them are **random clickers**, whose attention is 0. The share is estimated, too.

An annotator's answers have moved the utilities towards themselves, and would look attentive for that alone where an
item has few answers. The probability of each answer is therefore taken as if that answer were not there, to first order
(one Newton step with the diagonal of the information).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers
from similitude.stats.plackett_luce import (
    ChoiceMoments,
    Choices,
    choice_moments,
    log_totals,
    newton_step,
    scattered,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["AnnotatorFit", "ChoiceList", "fit_annotators"]

GRID = 16
"""Values of attention above 0, over which its distribution is summed."""
ATTENTIVE = (9.0, 1.0)
"""The Beta distribution of the attention of those who do not click at random: mean .9, and 1 is the most likely."""
CLICKERS = (1.0, 9.0)
"""The Beta distribution of the share of random clickers, as pseudo-counts of annotators: one in ten."""
TOLERANCE = 1e-3
"""EM has converged if a round moves no utility by more than this, and no probability of an annotator either."""
ROUNDS = 200
FIRST_STEPS = 0.25
"""Annotators are judged once a round moves no utility by more than this."""
SHORTEST = 1e-6
"""A step that was shortened to less than this of itself is taken as it is."""


class ChoiceList(NamedTuple):
    """Best-worst answers, one row per answer.

    Attributes:
        members: sets x places, the number of the option at each place; arbitrary for empty places.
        is_member: sets x places, false for empty places. No option is in a set twice.
        set_of: the set that each answer is about.
        best: the option named best.
        worst: the option named worst; another one.
        annotator: the number of the annotator.
        options: how many options there are.
        annotators: how many annotators there are.
    """

    members: Integers
    is_member: np.ndarray
    set_of: Integers
    best: Integers
    worst: Integers
    annotator: Integers
    options: int
    annotators: int


class AnnotatorFit(NamedTuple):
    """The fitted model.

    Attributes:
        utilities: one for each option.
        information: options x options, the observed information about the utilities, with the prior.
        attention: for each annotator, the expected probability that an answer is attentive.
        random_clicking: for each annotator, the probability of clicking at random throughout.
        attentive: for each answer, the probability that it is attentive.
        clickers: the share of random clickers.
        rounds: rounds of EM.
        change: the largest change in the last round.
        has_converged: whether this was next to nothing.
    """

    utilities: Array
    information: csr_array
    attention: Array
    random_clicking: Array
    attentive: Array
    clickers: float
    rounds: int
    change: float
    has_converged: bool


def fit_annotators(
    given: ChoiceList,
    *,
    prior: float,
    rounds: int = ROUNDS,
    tell: Callable[[int, int], None] | None = None,
) -> AnnotatorFit:
    """Utilities and annotators by EM, with one Newton step for the utilities in each round.

    The fit begins as if everybody were attentive, which is the plain model. It draws nothing at random.

    Args:
        given: the answers.
        prior: precision of a Gaussian prior around 0 on every utility; above 0.
        rounds: the largest number of rounds.
        tell: is told the round, and the largest number of rounds.
    """
    model = _Model(given, prior)
    utilities, people = np.zeros(given.options), model.everybody_attentive()
    attentive = np.ones(given.best.size)
    change, done, has_converged = np.inf, 0, False
    while done < rounds and not has_converged:
        moments, before = model.moments(utilities), people
        # The first rounds find the utilities of the plain model, before anybody is judged by them.
        if people.is_judged or change < FIRST_STEPS:
            people, attentive = model.judged(moments, utilities, attentive, before)
        step = model.step(moments, utilities, attentive)
        utilities, done = utilities + step, done + 1
        change = max(before.change_to(people), float(np.abs(step).max()))
        has_converged = people.is_judged and change < TOLERANCE
        if tell is not None:
            tell(done, rounds)
    observed = model.observed_information(utilities, attentive)
    return AnnotatorFit(
        utilities=utilities - utilities.mean(),
        information=observed,
        attention=people.attention,
        random_clicking=people.random_clicking,
        attentive=attentive,
        clickers=people.clickers,
        rounds=done,
        change=change,
        has_converged=has_converged,
    )


class _People(NamedTuple):
    """What is known about the annotators in one round."""

    attention: Array
    random_clicking: Array
    clickers: float
    is_judged: bool

    def change_to(self, other: _People) -> float:
        """The largest change of what is known about one of them."""
        gaps = np.abs([self.attention - other.attention, self.random_clicking - other.random_clicking])
        return float(gaps.max())


class _Model:
    """The answers, ready for EM."""

    def __init__(self, given: ChoiceList, prior: float) -> None:
        self._given, self._prior = given, prior
        size = given.is_member.sum(axis=1)[given.set_of]
        self._log_pairs = np.log(size * (size - 1))
        # A choice as a vector: 1 for the best, -1 for the worst.
        shown = given.members[given.set_of]
        there = given.is_member[given.set_of]
        self._choice = np.where(there, 1.0 * (shown == given.best[:, None]) - (shown == given.worst[:, None]), 0.0)
        self._grid, self._log_prior = _grid()
        self._curvature = np.ones(given.options)

    def everybody_attentive(self) -> _People:
        number = self._given.annotators
        return _People(np.ones(number), np.zeros(number), CLICKERS[0] / sum(CLICKERS), False)

    def _part(self, attentive: Array | None) -> Choices:
        given = self._given
        counts = np.bincount(given.set_of, attentive, len(given.members)).astype(np.float64)
        return Choices("pair", given.members, given.is_member, counts)

    def moments(self, utilities: Array) -> ChoiceMoments:
        return choice_moments(self._part(None), utilities)

    def step(self, moments: ChoiceMoments, utilities: Array, attentive: Array) -> Array:
        """A Newton step towards the maximum of the expected log-likelihood, halved until it does not fall."""
        given, part = self._given, self._part(attentive)
        chosen = np.bincount(given.best, attentive, given.options) - np.bincount(given.worst, attentive, given.options)
        seen = (moments.expected * part.counts[:, None])[given.is_member]
        expected = np.bincount(given.members[given.is_member], seen, given.options)
        information = self._with_prior(scattered(part, moments.covariance, given.options))
        self._curvature = information.diagonal()
        step = newton_step(information, chosen - expected - self._prior * utilities, accuracy=1e-3)

        def height(there: Array, log_total: Array) -> float:
            return float(chosen @ there - part.counts @ log_total - 0.5 * self._prior * there @ there)

        here, share = height(utilities, moments.log_total), 1.0
        while share > SHORTEST:
            moved = utilities + share * step
            if height(moved, log_totals(part, moved)) >= here - 1e-9 * abs(here):
                break
            share /= 2
        return share * step

    def _with_prior(self, information: csr_array) -> csr_array:
        from scipy.sparse import csr_array, eye_array

        return csr_array(information + self._prior * eye_array(self._given.options))

    def judged(
        self, moments: ChoiceMoments, utilities: Array, attentive: Array, before: _People
    ) -> tuple[_People, Array]:
        """The E step: what each annotator's answers tell about their attention, and each answer's probability."""
        given = self._given
        log_model = utilities[given.best] - utilities[given.worst] - moments.log_total[given.set_of]
        gap = self._choice - moments.expected[given.set_of]
        own = self._curvature[given.members[given.set_of]]
        log_model = log_model - attentive * (gap**2 / own).sum(axis=1)
        odds = np.exp(log_model + self._log_pairs)  # of the model against a random click
        mixed = 1 + self._grid * (odds[:, None] - 1)
        heights = np.stack(
            [np.bincount(given.annotator, column, given.annotators) for column in np.log(mixed).T], axis=1
        )
        share = before.clickers
        log_weights = heights + self._log_prior + np.log1p(-share)
        log_weights = np.concatenate([np.full((given.annotators, 1), np.log(share)), log_weights], axis=1)
        weights = np.exp(log_weights - np.logaddexp.reduce(log_weights, axis=1)[:, None])
        clicking = weights[:, 0]
        clickers = (clicking.sum() + CLICKERS[0]) / (given.annotators + sum(CLICKERS))
        people = _People(weights[:, 1:] @ self._grid, clicking, float(clickers), True)
        by_answer = self._grid * odds[:, None] / mixed
        return people, np.einsum("ak,ak->a", weights[:, 1:][given.annotator], by_answer)

    def observed_information(self, utilities: Array, attentive: Array) -> csr_array:
        """The information of the answers without knowing which were attentive (Louis, 1982), with the prior."""
        given, part, moments = self._given, self._part(attentive), self.moments(utilities)
        gap = self._choice - moments.expected[given.set_of]
        doubt = attentive * (1 - attentive)
        lost = np.zeros_like(moments.covariance)
        for one in range(gap.shape[1]):
            for other in range(one + 1):
                sums = np.bincount(given.set_of, doubt * gap[:, one] * gap[:, other], len(given.members))
                lost[:, one, other] = lost[:, other, one] = sums
        counts = np.maximum(part.counts, np.finfo(float).tiny)[:, None, None]
        return self._with_prior(scattered(part, moments.covariance - lost / counts, given.options))


def _grid() -> tuple[Array, Array]:
    """Values of attention, and the log of the probability of each under the Beta distribution."""
    from scipy.special import betainc

    ends = np.linspace(0.0, 1.0, GRID + 1)
    chances = np.diff(betainc(*ATTENTIVE, ends))
    return (ends[:-1] + ends[1:]) / 2, np.log(chances)
