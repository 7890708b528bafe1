"""A trained model in a notebook: what it reached on the validation items, and its curves."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.report.page.sheet import Block, Lead
from similitude.report.training_curves import training_sheet
from similitude.study.model import Model

__all__ = ["model_blocks"]


def model_blocks(model: Model) -> Iterator[Block]:
    """The summary of the training, its curves and its epochs."""
    sheet = training_sheet(model.trained)
    yield Lead(sheet.summary)
    yield from sheet.sections[0].figures
    yield from sheet.sections[0].tables
