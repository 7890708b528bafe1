"""Weights of labels in the loss: how far each label is to be believed, from a file of ``similitude data suspects``.

A label's weight is the probability that it is right (``weigh``), or 0 for a suspect and 1 for all others (``drop``).
Weights are divided by their mean, so that the size of a step does not depend on them. An item of weight 0 stays in its
batch, where its partner under the other condition is still learned from.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError
from similitude.paths import missing_path, printable

__all__ = ["LabelWeights", "SuspectsUse", "label_weights"]

SuspectsUse = Literal["weigh", "drop"]

COLUMNS = {"id": pl.String, "given_label": pl.Float64, "wrong_probability": pl.Float64, "suspect": pl.Boolean}
TOLERANCE = 1e-6
"""Labels that differ by less are equal: a file has fewer digits."""
REMEDY = "make the file anew: similitude data suspects DATA --out FILE"


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelWeights:
    """The weight of each label.

    Attributes:
        values: one per item, in the order of the items; their mean is 1.
        record: for the model's record and for the decision whether a training can be resumed.
        note: for the user.
    """

    values: NDArray[np.float32]
    record: dict[str, Any]
    note: str


def label_weights(data: Benchmark, file: str, use: SuspectsUse) -> LabelWeights:
    """The weights of these items' labels.

    Args:
        data: the items to learn from, all with gold.
        file: as ``similitude data suspects DATA --out FILE`` writes it; items beyond those of ``data`` are ignored.
        use: weigh or drop.

    Raises:
        InputError: the file cannot be read, or is about other items or other labels.
    """
    found = _matched(data, _read(Path(file)), file)
    suspect, right = found["suspect"].to_numpy(), 1.0 - found["wrong_probability"].to_numpy()
    values = right if use == "weigh" else np.where(suspect, 0.0, 1.0)
    if not values.any():
        raise InputError("every label is suspect: nothing is left to learn from", where=file, remedy=REMEDY)
    verb = "all labels were weighed" if use == "weigh" else "they were left out"
    digest = hashlib.sha256(np.ascontiguousarray(values.round(9)).tobytes()).hexdigest()
    return LabelWeights(
        values=(values / values.mean()).astype(np.float32),
        record={"use": use, "suspects": int(suspect.sum()), "labels": len(found), "fingerprint": digest},
        note=f"{suspect.sum():,} of {len(found):,} labels are suspect ({Path(file).name}); {verb}",
    )


def _read(path: Path) -> pl.DataFrame:
    readers = {".csv": pl.read_csv, ".jsonl": pl.read_ndjson, ".parquet": pl.read_parquet}
    reader: Any = readers.get(path.suffix.lower())
    if reader is None:
        what = f"'{path.name}' is no file of suspects"
        raise ArgumentError(what, remedy=f"name one that ends in {', '.join(readers)}; {REMEDY}")
    if not path.is_file():
        raise missing_path(path)
    how = {"schema_overrides": {"id": pl.String}} if path.suffix.lower() != ".parquet" else {}
    try:
        return reader(path, **how).select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())  # type: ignore[no-any-return]
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        why = str(error).partition("\n")[0]
        raise InputError(f"is not a file of suspects ({why})", where=printable(path), remedy=REMEDY) from None


def _matched(data: Benchmark, table: pl.DataFrame, file: str) -> pl.DataFrame:
    """The rows of the file in the order of the items.

    Raises:
        InputError: an item is missing or twice in the file, or has another label there, or a probability is none.
    """
    twice = table.filter(pl.col("id").is_duplicated())
    if twice.height:
        raise InputError(f"lists item '{twice['id'][0]}' twice", where=file, remedy=REMEDY)
    bad = table.filter(~pl.col("wrong_probability").is_between(0, 1).fill_null(False) | pl.col("suspect").is_null())
    if bad.height:
        raise InputError(f"has no probability from 0 to 1 for item '{bad['id'][0]}'", where=file, remedy=REMEDY)
    found = data.frame.select("id", "score").join(table, on="id", how="left", maintain_order="left")
    missing = found.filter(pl.col("given_label").is_null())
    if missing.height:
        what = f"lacks {missing.height:,} of the {len(data):,} items of {data.name}, first '{missing['id'][0]}'"
        raise InputError(what, where=file, remedy=REMEDY)
    other = found.filter((pl.col("score") - pl.col("given_label")).abs() > TOLERANCE * (1 + pl.col("score").abs()))
    if other.height:
        first = other.row(0, named=True)
        what = f"is about other labels: item '{first['id']}' has {first['given_label']:g} there, {first['score']:g} in "
        what += f"{data.name} ({other.height:,} labels differ)"
        raise InputError(what, where=file, remedy=REMEDY)
    return found
