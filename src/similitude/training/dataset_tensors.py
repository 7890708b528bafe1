"""From texts and gold to what the loop learns: everything tokenised once and laid on the device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.text_model import Text
from similitude.training.recipe import Recipe

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from similitude.models.encoders.token_table import TokenTable
    from similitude.training.course import Course

__all__ = ["PreparedTraining", "TrainingSet", "prepare_course"]

GRID_ON_GPU, GRID_ON_CPU = 8, 1

Rows = NDArray[np.intp]
Validate = Callable[[Any], Mapping[str, float]]


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSet:
    """What is shown, what is said of it, and what judges, before anything is tokenised.

    Attributes:
        texts: each distinct text to learn from.
        rows: items x parts: which of them an item is made of.
        swapped: the same with left and right changed, where that is another input.
        gold: one number or one row an item.
        unit: items that belong together.
        objective: from outputs and gold to a mean over the batch.
        held_out: each distinct text to be judged on.
        validator: from the tokens of those and the precision of products to what judges.
    """

    texts: list[Text]
    rows: Rows
    gold: NDArray[np.float32]
    objective: Callable[[Tensor, Tensor], Tensor]
    held_out: list[Text]
    validator: Callable[[TokenTable, torch.dtype], Validate]
    unit: int = 1
    swapped: Rows | None = None


class PreparedTraining(NamedTuple):
    """What is learned, ready for the loop.

    Attributes:
        course: for the loop.
        score: the network's scores, as it stands, of the items at these positions.
        cut: texts that were cut to what the model reads at most.
        texts: all of them.
    """

    course: Course
    score: Callable[[NDArray[np.int64]], NDArray[np.float64]]
    cut: int
    texts: int


def prepare_course(opened: OpenedNetwork, lesson: TrainingSet, recipe: Recipe) -> PreparedTraining:
    """The course of a training.

    Args:
        opened: network and tokeniser.
        lesson: what is learned.
        recipe: how.
    """
    import torch

    from similitude.models.encoders.token_table import TokenTable
    from similitude.training.batches import Batcher
    from similitude.training.course import Course
    from similitude.training.network_scores import network_scores
    from similitude.training.stepper import products_in

    network, reader = opened.network, opened.reader
    device = next(network.parameters()).device
    precision = products_in(recipe.precision, device)
    table = TokenTable(reader, lesson.texts, device)
    judged = TokenTable(reader, lesson.held_out, device)

    def on_device(rows: Rows) -> Tensor:
        return torch.from_numpy(rows.astype(np.int64)).to(device)

    course = Course(
        network=network,
        table=table,
        rows=on_device(lesson.rows),
        swapped=None if lesson.swapped is None else on_device(lesson.swapped),
        gold=torch.from_numpy(lesson.gold).to(device),
        objective=lesson.objective,
        batcher=Batcher(
            lengths=table.lengths[lesson.rows].max(axis=1),
            unit=lesson.unit,
            batch=recipe.batch,
            rows=lesson.rows.shape[1],
            grid=GRID_ON_CPU if device.type == "cpu" else GRID_ON_GPU,
            longest=reader.longest,
            seed=recipe.seed,
        ),
        validate=lesson.validator(judged, precision),
    )
    return PreparedTraining(
        course=course,
        score=lambda items: network_scores(network.eval(), table, lesson.rows[items], precision),
        cut=table.cut + judged.cut,
        texts=len(lesson.texts) + len(lesson.held_out),
    )
