"""What the commands of ``similitude train`` share: options made into a recipe, and what is shown in the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from similitude.cli import options
from similitude.cli.console import print_json, results
from similitude.cli.progress import ProgressBar

if TYPE_CHECKING:
    from similitude.training.train import Trained

__all__ = ["Heard", "deliver", "recipe_of", "splits_of", "write_page"]


class Heard:
    """Passes progress on, and keeps notes for after the bar."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        """Show it."""
        self._bar.progress(stage, done, total)

    def note(self, text: str) -> None:
        """Keep it."""
        self.notes.append(text)


def deliver(trained: Trained, *, json: bool) -> None:
    """Write the curves beside the model, and print what came of the training."""
    from similitude.report.page.sheet import sheet_page
    from similitude.report.training_curves import training_sheet, training_view

    page = trained.folder / "runs" / "curve.html"
    write_page(page, sheet_page(training_sheet(trained)))
    if json:
        print_json({**trained.record, "folder": str(trained.folder)})
        return
    results.print(training_view(trained))
    results.print(
        f"saved in {trained.folder}: {trained.system} is a system now; curves in {page}",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def recipe_of(given: dict[str, Any]) -> dict[str, Any]:
    """The options that are part of the recipe, under its names; those that are None are left out."""
    from similitude.training.recipe import Precision, Schedule

    same = ("epochs", "batch", "tokens", "lr", "layer_decay", "warmup", "weight_decay", "average", "seed", "patience")
    told = {
        **{name: given[name] for name in same},
        "compiled": given["compile"],
        "checkpoint_seconds": given["checkpoint_seconds"],
        "precision": options.choose("dtype", given["dtype"], get_args(Precision)),
    }
    if given["schedule"] is not None:
        told["schedule"] = options.choose("schedule", given["schedule"], get_args(Schedule))
    return {name: value for name, value in told.items() if value is not None}


def splits_of(
    validation: str | None, split: str | None, validation_split: str | None, share: float, seed: int
) -> dict[str, Any]:
    """Which items are learned from and which are held out, as the options say."""
    return {
        "validation": validation,
        "split": split,
        "validation_split": validation_split,
        "share": share,
        "seed": seed,
    }


def write_page(path: Path, page: str) -> None:
    """Write a page, whole or not at all."""
    from similitude.data.writing.benchmark import write_atomically

    write_atomically(path, lambda draft: draft.write_text(page, encoding="utf-8"))
