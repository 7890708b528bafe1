"""Answers restricted to a few texts: each gets its probability after the prompt, and one of them is chosen.

The choice is among whole texts; choosing token by token would be misled by a first token that many texts share. A text
that is a prefix of another ("1" and "10") gets only the probability that it does not continue as the other, since its
tokens alone are always at least as likely as those of the longer text.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.models.language.local.token_inputs import Tokens
from similitude.models.language.protocol import ModelQuestion

__all__ = ["choose_option", "option_log_probabilities"]


def option_log_probabilities(options: list[Tokens], totals: list[float]) -> NDArray[np.float64]:
    """Log-probability that the text continues with this option and not with a longer one.

    >>> import numpy as np
    >>> np.exp(option_log_probabilities([[1], [1, 0], [2]], list(np.log([0.6, 0.4, 0.3])))).round(6).tolist()
    [0.2, 0.4, 0.3]
    """
    chances = np.exp(np.array(totals, np.float64) - max(totals))
    own = chances.copy()
    for place in np.argsort([-len(option) for option in options], kind="stable"):
        begun = _longest_beginning(options, int(place))
        if begun is not None:
            own[begun] -= chances[place]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum(own, 0.0)) + max(totals))


def _longest_beginning(options: list[Tokens], place: int) -> int | None:
    """The longest option that is a prefix of this one; shorter prefixes already account for it."""
    option = options[place]
    begins = [i for i, other in enumerate(options) if len(other) < len(option) and option[: len(other)] == other]
    return max(begins, key=lambda i: len(options[i]), default=None)


def choose_option(question: ModelQuestion, shares: NDArray[np.float64], number: float) -> int:
    """The chosen option: the likeliest at temperature 0, otherwise sampled from those that together have `top_p`.

    Args:
        question: has the sampling settings.
        shares: log-probabilities of the options.
        number: a uniform random number in [0, 1).
    """
    settings = question.settings
    if settings.temperature <= 0 or not np.isfinite(shares).any():
        return int(np.argmax(shares))
    weights = np.exp((shares - shares.max()) / settings.temperature)
    order = np.argsort(-weights, kind="stable")
    sorted_weights = weights[order] / weights.sum()
    sorted_weights[np.cumsum(sorted_weights) - sorted_weights >= settings.top_p] = 0.0
    heaps = np.cumsum(sorted_weights)
    return int(order[min(np.searchsorted(heaps, number * heaps[-1], side="right"), len(order) - 1)])
