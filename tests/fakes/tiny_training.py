"""Trainings that end within a second, and what a teacher labelled in them."""

from pathlib import Path

import polars as pl

__all__ = ["kinds", "labels", "train_command"]


def train_command(kind: str, data: str, model: Path, folder: str, epochs: int, *options: str) -> list[str]:
    recipe = ["--device", "cpu", "--batch", "16", "--lr", "1e-3", "--epochs", str(epochs)]
    return ["train", kind, data, "--model", str(model), "--folder", folder, *recipe, *options]


def labels(folder: Path) -> pl.DataFrame:
    return pl.read_csv(folder / "runs/taught.csv")


def kinds(table: pl.DataFrame) -> dict[str, int]:
    """How many items have ids that begin so."""
    return dict(table["id"].str.extract(r"^([a-z]+)-").value_counts().iter_rows())
