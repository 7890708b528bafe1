"""A table of facts of data: what its texts and the judgements of people say, without any system."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, field_validator

from similitude.data.protocols import Listener
from similitude.data.versions import versions
from similitude.data.writing.atomic import write_atomically
from similitude.errors import SimilitudeError
from similitude.study.cells.cell import Cell, Shared
from similitude.study.cells.cell_run import run_cells
from similitude.study.plan_paths import beside
from similitude.study.tables.data_figures import data_values, known_figure
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataSource
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult

__all__ = ["DataTable"]


class DataTable(TableKeys, DataOptions):
    """Figures of benchmarks and their judgements.

    Figures stand at data, the columns of ``by``, figure, and what the figure varies (of, raters, group, ...).

    Attributes:
        data: names of the study's data, or addresses; a table gives each a name, and several as one:
            ``{USTS = ["USTS-U", "USTS-C"]}``.
        figures: names of figures of data.
        where: values of columns that items must have: ``{language = "zh"}``.
        by: columns by which items are divided: domain, source, language, split, turns. Figures are also given without
            the last of them, and so on to the whole.
        round: the round whose judgements count; all by default.
        positions_are_people: whether the ratings at one place of every list are by one person.
    """

    layout: Literal["data"]
    data: dict[str, tuple[str, ...]] = Field(min_length=1)
    figures: tuple[str, ...] = Field(min_length=1)
    where: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    by: tuple[str, ...] = ()
    round: str | None = None
    positions_are_people: bool = False

    @field_validator("data", mode="before")
    @classmethod
    def _named(cls, written: Any) -> Any:
        listed = [written] if isinstance(written, str) else written
        if isinstance(listed, list | tuple):
            return {str(name): (name,) for name in listed}
        return _as_lists(listed)

    @field_validator("where", mode="before")
    @classmethod
    def _one_or_several(cls, written: Any) -> Any:
        return _as_lists(written)

    @field_validator("figures")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tuple(known_figure(name).name for name in names)
        except SimilitudeError as error:
            raise ValueError(str(error)) from None

    def placed(self, file: Path, data: Mapping[str, str]) -> Self:
        """With paths relative to the working directory."""
        places = {
            name: tuple(beside(file, data.get(one, one)) for one in several) for name, several in self.data.items()
        }
        return self.model_copy(update={"data": places})

    def joined(self, systems: Mapping[str, str]) -> Self:
        """The same: no system joins facts of data."""
        return self

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """One cell for each figure of each data."""
        for cell in self._cells(work):
            yield PlannedCell(cell.name, cell.recall() is not None)

    def run(self, work: StudyWork) -> TableResult:
        """Compute what is missing."""
        cells = self._cells(work)
        found = run_cells(cells, {}, listener=work.listener)
        figures = tuple(figure for cell in cells for figure in found[cell.key])
        is_simulated = any(cell.source.is_simulated for cell in cells)
        return TableResult(figures, notes=tuple(dict.fromkeys(_notes(figures))), is_simulated=is_simulated)

    def _cells(self, work: StudyWork) -> list[DataCell]:
        how: dict[str, Any] = {name: getattr(self, name) for name in ("where", "by", "round", "positions_are_people")}
        options = DataOptions(**{name: getattr(self, name) for name in DataOptions.model_fields})
        sources = [DataSource(name=name, addresses=several, **how) for name, several in self.data.items()]
        root = work.folder / "data"
        return [
            DataCell(source=source, figure=name, options=options, root=root)
            for source in sources
            for name in self.figures
        ]


@dataclass(frozen=True, kw_only=True)
class DataCell:
    """A figure of all parts of some data, kept by the content of the data.

    Attributes:
        source: the data.
        figure: the name of the figure.
        options: what the figure is told.
        root: the folder of figures of all data.
    """

    source: DataSource
    figure: str
    options: DataOptions
    root: Path

    @property
    def key(self) -> str:
        """What the data holds, the figure, its options, and the version that computes it."""
        told = self.options.model_dump_json()
        parts = (self.source.fingerprint, self.source.name, self.figure, told, versions().get("similitude", ""))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.figure} of {self.source.name}"

    @property
    def needs(self) -> tuple[Cell, ...]:
        """Nothing."""
        return ()

    def recall(self) -> list[StudyFigure] | None:
        """The figures that are kept."""
        try:
            return [StudyFigure.from_record(one) for one in json.loads(self._path.read_text(encoding="utf-8"))]
        except (OSError, ValueError, KeyError, TypeError):
            return None  # missing or damaged

    def away(self) -> DataCell:
        """The same: figures of data are computed in this process."""
        return self

    def work(self, shared: Shared, listener: Listener | None) -> list[StudyFigure]:
        """Compute the figure of every part."""
        return list(self._figures())

    def remember(self, result: Any) -> list[StudyFigure]:
        """Keep the figures."""
        self.root.mkdir(parents=True, exist_ok=True)
        text = json.dumps([figure.record() for figure in result], ensure_ascii=False, indent=1)
        write_atomically(self._path, lambda path: path.write_text(text + "\n", encoding="utf-8"))
        kept: list[StudyFigure] = result
        return kept

    @property
    def _path(self) -> Path:
        return self.root / f"{self.key}.json"

    def _figures(self) -> Iterator[StudyFigure]:
        for part in self.source.parts:
            for value in data_values(self.figure, part, self.options):
                at = {"data": self.source.name, **part.at, "figure": self.figure, **value.at}
                low, high = value.ends
                found = value.estimate
                yield StudyFigure(at=at, value=float(found.value), low=low, high=high, note=found.reason or "")


def _as_lists(written: Any) -> Any:
    if not isinstance(written, Mapping):
        return written
    return {name: (value,) if isinstance(value, str) else value for name, value in written.items()}


def _notes(figures: tuple[StudyFigure, ...]) -> Iterator[str]:
    """Why figures are undefined."""
    for figure in figures:
        if figure.note and figure.value != figure.value:
            where = ", ".join(figure.at.values())
            yield f"{where}: {figure.note}"
