"""The contracts of heads and of objectives. Need torch (extra ``encoders``).

Each check raises an AssertionError that says which contract is broken, and what was seen.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.heads import Head, camps_of, make_head, moments_of
from similitude.testing.contract import check_contracts, require
from similitude.training.objectives import Objective, make_objective
from similitude.training.uncertain.objectives import OpinionObjective, make_loss
from similitude.training.uncertain.objectives import check_objective as fit_of_objective

__all__ = [
    "HEAD_CONTRACTS",
    "OBJECTIVE_CONTRACTS",
    "OPINION_OBJECTIVE_CONTRACTS",
    "check_head",
    "check_objective",
    "check_opinion_objective",
]


def check_head(written: str) -> None:
    """Check that a head keeps every contract; `HEAD_CONTRACTS` lists them.

    Args:
        written: a name in `HEADS`, with arguments if it has any, or ``path/to/file.py:MyHead``.

    >>> check_head("mixture")
    >>> check_head("histogram")
    """
    check_contracts(f"head '{written}'", HEAD_CONTRACTS, make_head(written), Architecture(head=written))


def check_objective(written: str) -> None:
    """Check that an objective of scores keeps every contract; `OBJECTIVE_CONTRACTS` lists them.

    Args:
        written: a name in `OBJECTIVES`, with arguments if it has any, or ``path/to/file.py:MyObjective``.

    >>> check_objective("quad+mse")
    """
    check_contracts(f"objective '{written}'", OBJECTIVE_CONTRACTS, make_objective(written))


def check_opinion_objective(written: str) -> None:
    """Check that an objective of opinions keeps every contract; `OPINION_OBJECTIVE_CONTRACTS` lists them.

    It is checked with a Gaussian head if it learns how far people differ, else with a point.

    Args:
        written: a name in `OPINION_OBJECTIVES`, with arguments if it has any, or ``path/to/file.py:MyLoss``.

    >>> check_opinion_objective("crps")
    """
    architecture = Architecture(head="gaussian" if make_loss(written).learns_spread else "point")
    check_contracts(f"objective '{written}'", OPINION_OBJECTIVE_CONTRACTS, written, architecture)


def says_what_it_predicts(head: Head, architecture: Architecture) -> None:
    """It says what it predicts, with the numbers of the architecture filled in."""
    require(bool(head.meaning.format(**architecture.record())), "meaning is empty")
    require(architecture.outputs >= 1, f"it puts out {architecture.outputs} numbers")


def camps_lie_on_the_scale(head: Head, architecture: Architecture) -> None:
    """Whatever the numbers, weights add up to 1, means lie in 0..1, and sigmas are floor or more, or 0 for a point."""
    for size in (0.0, 1.0, 30.0, 1000.0):
        outputs = size * np.random.default_rng(1).choice([-1.0, 1.0], (50, architecture.outputs))
        camps = camps_of(architecture, outputs)
        mean, variance = moments_of(camps)
        require(
            bool(np.allclose(camps.weights.sum(axis=-1), 1.0)), f"weights add up to {camps.weights.sum(axis=-1)[0]}"
        )
        require(bool(((mean >= 0) & (mean <= 1)).all()), f"means from {mean.min()} to {mean.max()}")
        least = architecture.floor * (1 - 1e-9) if head.has_spread else 0.0
        require(bool((np.sqrt(variance) >= least).all()), f"a sigma of {np.sqrt(variance).min()}")
        require(head.has_spread or bool((variance == 0).all()), "it says that it has no spread, and has one")


def numpy_and_torch_agree(head: Head, architecture: Architecture) -> None:
    """Scoring (numpy) and training (torch) read the same out of the same numbers."""
    import torch

    outputs = np.random.default_rng(0).normal(scale=3, size=(5, 2, architecture.outputs))
    ours, theirs = camps_of(architecture, outputs), camps_of(architecture, torch.from_numpy(outputs))
    for name, one, other in zip(ours._fields, ours, theirs, strict=True):
        require(bool(np.allclose(one, other.numpy(), rtol=1e-9)), f"{name} differ")


def learns_by_its_objective(head: Head, architecture: Architecture) -> None:
    """The objective that it names fits it, and its loss has a finite gradient."""
    fit_of_objective(head.objective, architecture)
    _require_gradient(OpinionObjective(name=head.objective, architecture=architecture), architecture)


HEAD_CONTRACTS = (says_what_it_predicts, camps_lie_on_the_scale, numpy_and_torch_agree, learns_by_its_objective)
"""What every head must keep."""


def can_be_written_down(objective: Objective) -> None:
    """Its record is plain JSON, from which a training knows it again."""
    json.dumps(objective.record())


def is_a_mean_with_a_gradient(objective: Objective) -> None:
    """The loss of a batch is one finite number with a finite gradient."""
    import torch

    rng = np.random.default_rng(2)
    scores = torch.from_numpy(rng.uniform(0, 1, 8)).requires_grad_()
    loss = objective(scores, torch.from_numpy(rng.uniform(0, 1, 8)))
    _require_sound(loss, scores)


def gold_is_never_beaten(objective: Objective) -> None:
    """Scores that are gold, or as far apart as the margin asks, do not lose more than scores at random."""
    import torch

    gold = torch.tensor([1.0, 0.0, 0.9, 0.1, 0.0, 1.0], dtype=torch.float64)
    other = torch.tensor([0.3, 0.5, 0.1, 0.9, 0.8, 0.2], dtype=torch.float64)
    ours, theirs = float(objective(gold, gold)), float(objective(other, gold))
    require(ours <= theirs, f"gold loses {ours:g}, other scores {theirs:g}")


OBJECTIVE_CONTRACTS = (can_be_written_down, is_a_mean_with_a_gradient, gold_is_never_beaten)
"""What every objective of scores must keep."""


def one_loss_an_item(written: str, architecture: Architecture) -> None:
    """There is one finite loss an item, with a finite gradient, however many ratings the item has."""
    objective = OpinionObjective(name=written, architecture=architecture)
    _require_gradient(objective, architecture)
    outputs, gold = _batch(architecture)
    losses = objective.losses(outputs, gold)
    require(tuple(losses.shape) == (len(gold),), f"losses have the shape {tuple(losses.shape)}")


def weights_count(written: str, architecture: Architecture) -> None:
    """An item with weight 0 changes nothing."""
    import torch

    outputs, gold = _batch(architecture)
    weights = torch.ones(len(gold), 2, dtype=gold.dtype)
    weights[1] = 0.0
    outputs = outputs.detach()
    other = outputs.clone()
    other[1] += 3.0
    objective = OpinionObjective(name=written, architecture=architecture)
    losses = [float(objective(each, gold, weights=weights)) for each in (outputs, other)]
    require(losses[0] == losses[1], "an item without weight counts")


OPINION_OBJECTIVE_CONTRACTS = (one_loss_an_item, weights_count)
"""What every objective of opinions must keep."""


def _batch(architecture: Architecture) -> tuple[Any, Any]:
    """Outputs at random, and gold of three items: mean, sigma, and up to three ratings."""
    import torch

    outputs = np.random.default_rng(3).normal(size=(3, architecture.outputs))
    gold = [[0.5, 0.1, 0.4, 0.6, np.nan], [0.2, 0.0, 0.2, 0.2, 0.2], [0.9, 0.08, 0.8, 0.9, 1.0]]
    return torch.from_numpy(outputs).requires_grad_(), torch.tensor(gold, dtype=torch.float64)


def _require_gradient(objective: OpinionObjective, architecture: Architecture) -> None:
    outputs, gold = _batch(architecture)
    _require_sound(objective(outputs, gold), outputs)


def _require_sound(loss: Any, learned: Any) -> None:
    require(loss.ndim == 0 and bool(loss.isfinite()), f"the loss is {loss}")
    loss.backward()
    require(learned.grad is not None and bool(learned.grad.isfinite().all()), "a gradient is not finite")
