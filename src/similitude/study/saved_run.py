"""A run read from its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.provenance import FileReading, Skipped
from similitude.data.reading import read
from similitude.errors import ExtensionError, RunError, UnknownNameError
from similitude.evaluate.calibration import Calibration
from similitude.evaluate.measures import Figure, Measure, make_measure
from similitude.evaluate.operating_points import SystemThresholds
from similitude.evaluate.rescaling import Rescaling
from similitude.evaluate.significance import Confidence
from similitude.evaluate.tasks import Requirements
from similitude.evaluate.trivial_baselines import TrivialBaseline
from similitude.study.ceiling import RunCeiling
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.study.runs import Run
from similitude.systems.record import SystemRecord

__all__ = ["load_run"]


def load_run(path: str | Path) -> Run:
    """Load a run that was saved in a folder, with all predictions.

    Raises:
        RunError: the folder holds no finished run, or parts of it are missing.
    """
    folder = Path(path)
    manifest = folder / "run.json"
    if not manifest.is_file():
        raise RunError("holds no finished run", where=str(folder), remedy="name a folder that 'evaluate' saved")
    record = json.loads(manifest.read_text(encoding="utf-8"))
    benchmark = read(folder / "items.parquet")
    records = [dict(system) for system in record["systems"]]
    mappings = tuple(Rescaling.from_record(system.pop("onto_scale")) for system in records)
    systems = tuple(SystemRecord.from_record(system) for system in records)
    return Run(
        benchmark=benchmark,
        data=_data(record["data"]),
        systems=systems,
        mappings=mappings,
        measures=tuple(_measure(measure["name"], folder) for measure in record["measures"]),
        figures=_figures(record["figures"], len(record["measures"])),
        predictions=tuple(_predictions(RunFolder(folder), system, benchmark) for system in systems),
        left_out=tuple(Skipped(**skipped) for skipped in record["left_out"]),
        seed=record["seed"],
        created=record["created"],
        versions=record["versions"],
        confidence=Confidence.from_record(record["confidence"]) if record.get("confidence") else None,
        caveats=tuple(record.get("caveats", ())),
        folder=folder,
        task=Requirements(**record["task"]) if record.get("task") else None,
        thresholds=tuple(map(SystemThresholds.from_record, record.get("thresholds", ()))),
        calibration=Calibration.from_record(record["calibration"]) if record.get("calibration") else None,
        ceiling=RunCeiling.from_record(record["ceiling"]) if record.get("ceiling") else None,
        against=record.get("against"),
        margin=record.get("margin"),
        command=tuple(record.get("command", ())),
        trivial=tuple(map(TrivialBaseline.from_record, record.get("trivial", ()))),
    )


def _measure(name: str, folder: Path) -> Measure:
    """A measure of the run.

    Raises:
        RunError: it came from a package or a file that is gone.
    """
    try:
        return make_measure(name)
    except (UnknownNameError, ExtensionError) as error:
        raise RunError(
            f"was measured by '{name}', which is not there any more ({error.what})",
            where=str(folder),
            remedy="install the package it came from, put its file back, or run 'evaluate' again",
        ) from error


def _predictions(folder: RunFolder, system: SystemRecord, benchmark: Benchmark) -> Predictions:
    found = folder.predictions(system)
    if found is None:
        raise RunError(
            f"has no predictions of '{system.identity}'", where=str(folder.path), remedy="run 'evaluate' again"
        )
    rows = {name: row for row, name in enumerate(found.ids)}
    return found.predictions.take(np.array([rows[name] for name in benchmark.items.ids], dtype=np.intp))


def _figures(rows: Sequence[Mapping[str, Any]], measures: int) -> tuple[tuple[Figure, ...], ...]:
    figures = [
        Figure(np.nan if row["value"] is None else float(row["value"]), row["undefined_because"]) for row in rows
    ]
    return tuple(tuple(figures[start : start + measures]) for start in range(0, len(figures), measures))


def _data(record: Mapping[str, Any]) -> BenchmarkRecord:
    texts = {name: tuple(record.get(name, ())) for name in ("files", "notes", "warnings")}
    readings = (FileReading(**{**each, "unused": tuple(each["unused"])}) for each in record.get("readings", ()))
    return BenchmarkRecord(**{**record, **texts, "readings": tuple(readings)})
