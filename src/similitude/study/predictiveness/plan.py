"""The plan of a predictiveness study in TOML: data, systems, measures and tasks.

::

    data = "sample:opinions"
    tasks = ["sample:text-reuse", "related:my/pairs.csv"]
    systems = ["paper", "encoder(my/model)"]       # "paper": fourteen of DKPro Similarity
    measures = ["paper"]                           # "paper": the sixteen of table 2
    calibrate = "none"                             # the paper's way; "auto" ranks systems as 'choose' does
    resamples = 1000
    seed = 1

Paths are relative to the file. Where systems or measures say "paper", OneR with ten folds decides what is related, as
there; otherwise a threshold does.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from similitude.data.addresses import SAMPLE_PREFIX
from similitude.data.reading.toml_file import read_toml
from similitude.evaluate.calibration import Asked
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.pair_tasks import Related
from similitude.evaluate.tasks.reading import TASK_KINDS, open_task
from similitude.study.predictiveness.study import PAPER_MEASURES, PAPER_SYSTEMS

__all__ = [
    "PAPER",
    "PredictivenessPlan",
    "measures_of",
    "read_predictiveness",
    "systems_of",
    "tasks_of",
    "with_paper_names",
]

PAPER = "paper"


class PredictivenessPlan(BaseModel):
    """A plan; paths are relative to its file.

    Attributes:
        data: the benchmark that measures rank systems on.
        split: of the data; all by default.
        tasks: in which systems are ranked by what they achieve: samples, folders, or ``kind:file``.
        systems: that are ranked; "paper" stands for fourteen of DKPro Similarity.
        measures: whose rankings are compared with those of the tasks; "paper" stands for sixteen.
        calibrate: how scores come onto the gold scale; "none" is the paper's way.
        resamples: of the intervals.
        level: of the intervals.
        seed: of resamples and folds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: str
    split: str | None = None
    tasks: tuple[str, ...] = Field(min_length=1)
    systems: tuple[str, ...] = (PAPER,)
    measures: tuple[str, ...] = (PAPER,)
    calibrate: Asked = "none"
    resamples: int = Field(default=1000, ge=0)
    level: float = Field(default=0.95, gt=0, lt=1)
    seed: int = 0

    def placed(self, file: Path) -> Self:
        """The plan with paths relative to the working directory, as written in this file."""
        tasks = tuple(_beside(file, task) for task in self.tasks)
        return self.model_copy(update={"data": _beside(file, self.data), "tasks": tasks})


def read_predictiveness(path: str | Path) -> PredictivenessPlan:
    """Read a plan from a file; its paths become relative to the working directory.

    Raises:
        InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
    """
    return read_toml(PredictivenessPlan, path).placed(Path(path))


def tasks_of(plan: PredictivenessPlan) -> list[Task]:
    """The tasks, opened; OneR decides what is related, as in the paper, where the plan says "paper" itself."""
    opened = [open_task(written) for written in plan.tasks]
    if not any(PAPER in getattr(plan, name) for name in {"systems", "measures"} & plan.model_fields_set):
        return opened
    return [replace(task, by_one_rule=True) if isinstance(task, Related) else task for task in opened]


def with_paper_names(names: tuple[str, ...], paper: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with "paper" replaced by the paper's names; each once.

    >>> with_paper_names(("paper", "mae"), ("pearson", "mae"))
    ('pearson', 'mae')
    """
    return tuple(dict.fromkeys(one for name in names for one in (paper if name == PAPER else (name,))))


def systems_of(plan: PredictivenessPlan) -> tuple[str, ...]:
    """The names of all systems."""
    return with_paper_names(plan.systems, PAPER_SYSTEMS)


def measures_of(plan: PredictivenessPlan) -> tuple[str, ...]:
    """The names of all measures."""
    return with_paper_names(plan.measures, PAPER_MEASURES)


def _beside(file: Path, written: str) -> str:
    """A path relative to the plan's file; addresses of samples and of the hub, and kinds of tasks, are unchanged."""
    kind, colon, rest = written.partition(":")
    if written.startswith((SAMPLE_PREFIX, "hf:")) or Path(written).is_absolute():
        return written
    if colon and (kind in TASK_KINDS or (file.parent / rest).exists()):
        return f"{kind}:{file.parent / rest}"
    return str(file.parent / written)
