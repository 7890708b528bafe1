"""The folder of a run: predictions are saved before the next system starts, and are never computed twice.

::

    RUN/
      run.json                 the record: data, systems, measures, figures, versions, seed
      results.csv              the figures as a table
      items.parquet            the items and gold that were measured
      predictions/NAME.parquet one file per system: id, score and, if it has them, sigma, samples, invalid
      predictions/NAME.json    system, arguments, version
      answers/NAME.parquet     of language models: every answer, the rule that read it, its kind and its score
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from similitude.data.answer_table import answers_from, table_of_answers
from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.read_answer import ReadAnswer
from similitude.data.writing.atomic import write_atomically
from similitude.errors import RunError
from similitude.evaluate.tasks import Requirements
from similitude.study.record import BenchmarkRecord
from similitude.systems.record import SystemRecord

__all__ = ["RunFolder", "default_folder", "read_predictions", "write_predictions"]

RUNS = Path("runs")


def default_folder(benchmark: Benchmark, split: str | None = None, task: Requirements | None = None) -> Path:
    """The folder of a run without --folder; it depends on the split, the items, and the task of a choice."""
    words = [benchmark.name, *([split] if split else []), benchmark.items.fingerprint[:8]]
    if task is not None:
        further = (task.k, task.threshold, task.criterion, "dissimilar" if task.dissimilar else None)
        words += ["choice", task.cardinality, task.interest, task.information, *(f"{each}" for each in further if each)]
    return RUNS / "-".join(re.sub(r"[^\w.]+", "-", word) for word in words)


class SavedPredictions(NamedTuple):
    """Predictions on disk, with the ids of the items and the system."""

    ids: list[str]
    predictions: Predictions
    system: SystemRecord


class RunFolder:
    """A run on disk; every file is written completely or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claim(self, benchmark: BenchmarkRecord) -> None:
        """Create the folder, or check that it holds a run on the same items.

        Raises:
            RunError: it is a file, another kind of folder, or a run on other items; or it cannot be written.
        """
        if self.path.is_file():
            raise RunError("is a file", where=str(self.path), remedy="name a folder for the run")
        manifest = self.path / "data.json"
        if manifest.exists():
            before = json.loads(manifest.read_text(encoding="utf-8"))
            if before["items_fingerprint"] != benchmark.items_fingerprint:
                raise RunError(
                    f"holds a run on other items ('{before['name']}')",
                    where=str(self.path),
                    remedy="choose another --folder",
                )
        elif self.path.exists() and any(not _is_leftover(entry) for entry in self.path.iterdir()):
            raise RunError("is a folder with other files in it", where=str(self.path), remedy="choose another --folder")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.write_json("data.json", asdict(benchmark))  # first, since it marks the folder as a run
            self.path.joinpath("predictions").mkdir(exist_ok=True)
        except OSError as error:
            what = f"cannot be written ({error.strerror})"
            raise RunError(what, where=str(self.path), remedy="choose another --folder") from None

    def check_task(self, task: Requirements | None) -> None:
        """Check that the folder holds no choice for another task, which this run would replace.

        Raises:
            RunError: it does, or it holds a run without a task, and this is a choice.
        """
        try:
            before = json.loads((self.path / "run.json").read_text(encoding="utf-8"))["task"]
        except (OSError, ValueError, KeyError, TypeError):
            return
        if before == (None if task is None else asdict(task)):
            return
        held = "a run of 'evaluate'" if before is None else "a choice of 'choose'"
        what = f"holds {held}, which this would replace"
        raise RunError(what, where=str(self.path), remedy="choose another --folder")

    def recall(self, system: SystemRecord, items: Items) -> tuple[Predictions, SystemRecord] | None:
        """The saved predictions of this system for these items; None if there are none."""
        found = self.predictions(system)
        if found is None or not found.system.same_work(system) or found.ids != items.ids:
            return None
        return found.predictions, found.system

    def predictions(self, system: SystemRecord) -> SavedPredictions | None:
        """The saved predictions of a system with this name and these arguments; None if there are none."""
        table, record = self._paths(system)
        if not (table.exists() and record.exists()):
            return None
        try:
            ids, predictions = read_predictions(table)
            before = SystemRecord.from_record(json.loads(record.read_text(encoding="utf-8")))
        except (ValueError, TypeError, KeyError):
            return None  # damaged, or of an older version
        return SavedPredictions(ids, replace(predictions, answers=self._answers(table.name, ids)), before)

    def saved_systems(self) -> dict[str, SystemRecord]:
        """The records of the systems whose predictions are saved, by identity; damaged ones are left out."""
        found = {}
        for path in sorted(self.path.joinpath("predictions").glob("*.json")):
            try:
                record = SystemRecord.from_record(json.loads(path.read_text(encoding="utf-8")))
            except (ValueError, TypeError, KeyError):
                continue
            found[record.identity] = record
        return found

    def remember(self, system: SystemRecord, items: Items, predictions: Predictions) -> None:
        """Save the predictions of a system; the record is written last, and a table without one is ignored."""
        table, record = self._paths(system)
        record.unlink(missing_ok=True)
        if predictions.answers is not None:
            answers = table_of_answers(items.ids, predictions.answers)
            self.path.joinpath("answers").mkdir(exist_ok=True)
            write_atomically(self.path / "answers" / table.name, lambda path: answers.write_parquet(path))
        write_predictions(table, items.ids, predictions)
        self.write_json(f"predictions/{record.name}", asdict(system))

    def _answers(self, name: str, ids: list[str]) -> tuple[tuple[ReadAnswer, ...], ...] | None:
        """The saved answers; None if there are none, or if the file is damaged."""
        path = self.path / "answers" / name
        try:
            return answers_from(pl.read_parquet(path), ids) if path.exists() else None
        except pl.exceptions.PolarsError:
            return None

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file, completely or not at all."""
        text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
        write_atomically(self.path / name, lambda path: path.write_text(text + "\n", encoding="utf-8"))

    def write_csv(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        """Write a CSV file, completely or not at all."""
        frame = pl.DataFrame(list(rows), infer_schema_length=None)
        write_atomically(self.path / name, lambda path: frame.write_csv(path))

    def _paths(self, system: SystemRecord) -> tuple[Path, Path]:
        """Paths with a readable name that is unique to the system."""
        readable = re.sub(r"[^\w.=-]+", "_", system.identity).strip("_")[:60]
        full = json.dumps([system.name, system.arguments], sort_keys=True, default=str)
        stem = f"{readable}-{hashlib.sha256(full.encode()).hexdigest()[:8]}"
        folder = self.path / "predictions"
        return folder / f"{stem}.parquet", folder / f"{stem}.json"


def write_predictions(path: Path, ids: list[str], predictions: Predictions) -> None:
    """Write a table with one row per item and one column for each kind of prediction, completely or not at all."""
    columns = {"sigma": predictions.sigmas, "samples": predictions.samples, "invalid": predictions.invalid}
    there = {name: pl.Series(name, column) for name, column in columns.items() if column is not None}
    frame = pl.DataFrame({"id": ids, "score": predictions.scores, **there})
    if predictions.drawn_from is not None:
        low, high = predictions.drawn_from
        frame = frame.with_columns(pl.lit(low).alias("drawn_low"), pl.lit(high).alias("drawn_high"))
    write_atomically(path, lambda file: frame.write_parquet(file))


def read_predictions(path: Path) -> tuple[list[str], Predictions]:
    """The ids and predictions that `write_predictions` wrote.

    Raises:
        ValueError: the file is damaged.
        OSError: it cannot be read.
    """
    try:
        frame = pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    columns = [frame[name].to_numpy() if name in frame.columns else None for name in ("sigma", "samples", "invalid")]
    is_drawn = "drawn_low" in frame.columns and len(frame) > 0
    ends = (float(frame["drawn_low"][0]), float(frame["drawn_high"][0])) if is_drawn else None
    return frame["id"].to_list(), Predictions(frame["score"].to_numpy(), *columns, drawn_from=ends)


def _is_leftover(entry: Path) -> bool:
    """Whether this is an incomplete file of a killed process."""
    return entry.name.startswith(".") and entry.suffix == ".tmp"
