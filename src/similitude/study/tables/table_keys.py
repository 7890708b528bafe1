"""What every table of a study has in common: its name, its figures, and what it is run with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.errors import SimilitudeError
from similitude.registry import parse
from similitude.stats.finite import finite_or_none
from similitude.study.cells.training_cell import TrainingCell
from similitude.study.engines import Engine
from similitude.study.folder import default_folder
from similitude.systems import SYSTEMS
from similitude.systems.attach_cache import AnswersChoice, CacheChoice
from similitude.systems.record import SystemRecord

__all__ = ["PlannedCell", "StudyFigure", "StudyWork", "TableKeys", "TableResult", "known_system"]


@dataclass(frozen=True, kw_only=True)
class StudyFigure:
    """One figure of a table.

    Attributes:
        at: where it stands, by what is varied: ``{"system": "mine", "data": "USTS-U", "measure": "pearson"}``.
        value: nan if it is undefined.
        low: the lower end of its interval; None without one.
        high: the upper end.
        runs: over how many trainings it is a mean.
        note: what a reader must know.
        word: what stands in the place of a number, such as an option that was chosen; the value is nan then.
    """

    at: Mapping[str, str]
    value: float
    low: float | None = None
    high: float | None = None
    runs: int = 1
    note: str = ""
    word: str = ""

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        ends = [None if end is None else finite_or_none(end) for end in (self.low, self.high)]
        return {
            "at": dict(self.at),
            "value": finite_or_none(self.value),
            "low": ends[0],
            "high": ends[1],
            "runs": self.runs,
            "note": self.note,
            "word": self.word,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> StudyFigure:
        """The inverse of `record`."""
        value = float("nan") if record["value"] is None else record["value"]
        return cls(**{**record, "value": value})


class PlannedCell(NamedTuple):
    """A cell that a table needs.

    Attributes:
        name: for people.
        is_done: whether its product is kept.
        seconds: that it took; 0 if it is not done or nobody knows.
        is_training: whether a model is trained.
        key: the same for a training that several tables need; empty for cells of one table.
        why: nothing can be run; empty for a cell that can.
    """

    name: str
    is_done: bool
    seconds: float = 0.0
    is_training: bool = False
    key: str = ""
    why: str = ""

    @classmethod
    def of_training(cls, cell: TrainingCell) -> PlannedCell:
        """A training."""
        done = cell.recall()
        seconds = 0.0 if done is None else done.seconds
        return cls(f"train {cell.label}", done is not None, seconds, is_training=True, key=cell.key)

    @classmethod
    def of_system(cls, name: str, identity: str, saved: Mapping[str, SystemRecord]) -> PlannedCell:
        """A system, given the records of those whose predictions are kept."""
        record = saved.get(identity)
        return cls(name, record is not None, 0.0 if record is None else record.seconds)


@dataclass(frozen=True)
class TableResult:
    """What a table led to.

    Attributes:
        figures: in the order of the table.
        details: the result in the form of its layout, for pages.
        notes: what the user should know.
        is_simulated: whether any of the judgements are.
        is_trial: whether it rests on other systems than the paper's, so that there is no verdict.
        drawn: of which data items were drawn, and how many of how many; there is no verdict then either.
    """

    figures: tuple[StudyFigure, ...]
    details: Any = None
    notes: tuple[str, ...] = ()
    is_simulated: bool = False
    is_trial: bool = False
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StudyWork:
    """What the tables of a study are run with.

    Attributes:
        folder: of all cells, which tables share.
        device: as torch writes it; None for a GPU if there is one.
        cache: where encoders keep vectors.
        answers: where answers of language models are kept.
        listener: is told the progress.
        engine: runs cells side by side in other processes.
        fresh: compute predictions again.
    """

    folder: Path
    device: str | None = None
    cache: CacheChoice = "usual"
    answers: AnswersChoice = "usual"
    listener: Listener | None = None
    engine: Engine | None = None
    fresh: bool = False

    def run_folder(self, benchmark: Benchmark) -> Path:
        """Where the predictions for these items are kept."""
        return self.folder / default_folder(benchmark).name


class TableKeys(BaseModel):
    """The keys of every table.

    Attributes:
        name: as the paper names it, such as "Table 2".
        title: what it shows.
        row: how rows are named, with what is varied in braces: ``"{system}"``. By default as the paper does it.
        column: how columns are named: ``"{data}, {measure}"``.
        names: other names for what is varied: ``{spearman = "ρ"}``.
        times: figures are shown times this, such as 100.
        trial: other data or models than the paper's: figures stand beside the printed ones without a verdict.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    title: str = ""
    row: str | None = None
    column: str | None = None
    names: dict[str, str] = Field(default_factory=dict)
    times: float | None = None
    trial: bool = False

    @field_validator("row", "column")
    @classmethod
    def _has_names_in_braces(cls, written: str | None) -> str | None:
        try:
            names = [name for _, name, _, _ in Formatter().parse(written or "") if name is not None]
        except ValueError:
            names = [""]
        if not all(name.isidentifier() for name in names):
            raise ValueError("write names of what is varied in braces, such as '{system}', and no other braces")
        return written


def known_system(written: str) -> str:
    """The system as written, if it is in a file or its name is known: a study must not fail hours later for a slip.

    Raises:
        ValueError: nothing has that name, or it cannot be parsed.
    """
    try:
        name = parse(written).name
        if not isinstance(name, str) or ":" not in name:
            SYSTEMS.maker(name)
    except SimilitudeError as error:
        raise ValueError(str(error)) from None
    return written
