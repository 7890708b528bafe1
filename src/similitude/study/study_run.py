"""The execution of a study: its tables one after the other, over cells that they share and that are kept.

::

    DIR/
      study.json             the plan, the figures of every table, versions
      figures.csv            the figures as one table
      cells/                 predictions and models, shared by all tables
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from similitude.data.keywords import as_path
from similitude.data.listeners import NamedListener, with_progress_bar
from similitude.data.protocols import Listener
from similitude.data.versions import versions
from similitude.errors import GoldError, RunError, SimilitudeError
from similitude.study.engines import Engine
from similitude.study.folder import RunFolder
from similitude.study.study_plan import StudyPlan, Table, read_study
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableResult
from similitude.systems.attach_cache import AnswersChoice, CacheChoice

__all__ = ["StudyRun", "StudyTable", "load_study", "planned_cells", "run_study"]

MANIFEST = "study.json"


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyTable:
    """One table of a run.

    Attributes:
        name: of the table.
        title: what it shows.
        layout: of the table.
        keys: how rows and columns are named; None for the paper's way.
        figures: in order.
        notes: what a reader must know.
        drawn: of which data items were drawn, and how many of how many.
        seconds: that it took.
        error: why it has no figures; empty if it has.
        is_simulated: whether any of the judgements are.
        details: the result in the form of its layout; None for a run that was loaded.
    """

    name: str
    title: str
    layout: str
    keys: Mapping[str, Any]
    figures: tuple[StudyFigure, ...]
    notes: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""
    is_simulated: bool = False
    details: Any = None

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        names = ("name", "title", "layout", "keys", "seconds", "error", "is_simulated")
        own = {name: getattr(self, name) for name in names}
        told = {"notes": list(self.notes), "drawn": list(self.drawn)}
        return {**own, **told, "figures": [figure.record() for figure in self.figures]}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> StudyTable:
        """The inverse of `record`."""
        figures = tuple(map(StudyFigure.from_record, record["figures"]))
        told = {name: tuple(record.get(name, ())) for name in ("notes", "drawn")}
        return cls(**{**record, **told, "figures": figures})


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyRun:
    """A study that was run.

    Attributes:
        name: of the study.
        paper: whose printed figures are shown beside ours; None for none.
        tables: in order.
        systems: names of the systems that joined every table.
        folder: where everything is kept.
        created: in ISO 8601.
        versions: of Python and the packages that were used.
    """

    name: str
    title: str
    paper: str | None
    tables: tuple[StudyTable, ...]
    systems: tuple[str, ...]
    folder: Path
    created: str
    versions: Mapping[str, str]

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        names = ("name", "title", "paper", "created", "versions")
        own = {name: getattr(self, name) for name in names}
        return {**own, "systems": list(self.systems), "tables": [table.record() for table in self.tables]}

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per figure."""
        known = dict.fromkeys(name for table in self.tables for figure in table.figures for name in figure.at)
        for table in self.tables:
            for figure in table.figures:
                record = figure.record()
                at = record.pop("at")
                yield {"table": table.name, **{name: at.get(name) for name in known}, **record}


@with_progress_bar
def run_study(
    plan: StudyPlan | str | Path,
    out: str | Path,
    *,
    tables: list[str] | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    device: str | None = None,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    fresh: bool = False,
    engine: Engine | None = None,
    listener: Listener | None = None,
    quiet: bool = False,
) -> StudyRun:
    r"""Run the tables of a study: train, ask and score what is missing, then measure.

    Args:
        plan: a study, or its TOML file.
        out: the folder. Every cell is kept there as soon as it is done, so that the same call resumes.
        tables: names of some tables; all by default. Tables that ran before stay in the result.
        on_error: if a table cannot be run: "stop", or "skip" it and go on with the others.
        device: as torch writes it; None for a GPU if there is one.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        fresh: compute predictions again.
        engine: runs cells side by side in other processes, which must see the folder.
        listener: is told the progress.
        quiet: show no progress.

    A table whose items have no gold, such as hidden test labels, has no figures and a note that says so.

    Raises:
        InputError: the plan or data cannot be read.
        RunError: the folder holds something else.
        SimilitudeError: a cell cannot be run; those before it are kept.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import similitude as sim
    >>> file = Path(tempfile.mkdtemp()) / "mine.toml"
    >>> table = 'name = "Table 1"\nlayout = "systems"\ndata = "sample:opinions"\nmeasures = ["pearson"]\n'
    >>> _ = file.write_text(f'[[tables]]\n{table}systems = {{edits = "levenshtein"}}\n')
    >>> done = sim.run_study(file, file.parent / "out")
    >>> done.tables[0].figures[0].at["system"], round(done.tables[0].figures[0].value, 2)
    ('edits', 0.27)
    """
    wanted = plan if isinstance(plan, StudyPlan) else read_study(plan)
    folder = as_path("out", out)
    before = _claimed(folder, wanted)
    done = {table["name"]: StudyTable.from_record(table) for table in before.get("tables", [])}
    chosen = wanted.chosen(tables).tables
    for number, table in enumerate(chosen, 1):
        name = table.name if len(chosen) == 1 else f"{table.name} ({number} of {len(chosen)})"
        heard = None if listener is None else NamedListener(listener, name=name, names_notes=False)
        work = StudyWork(
            folder=folder / "cells",
            device=device,
            cache=cache,
            answers=answers,
            listener=heard,
            engine=engine,
            fresh=fresh,
        )
        done[table.name] = _ran(table, work, on_error)
        finished = _study(wanted, done, folder)
        _save(finished)
    return finished


def planned_cells(plan: StudyPlan, out: str | Path, *, device: str | None = None) -> dict[str, list[PlannedCell]]:
    """The cells of each table, and which are done; for a table whose items have no gold, why it has none.

    Raises:
        InputError: data cannot be read.
    """
    work = StudyWork(folder=Path(out) / "cells", device=device)
    found: dict[str, list[PlannedCell]] = {}
    for table in plan.tables:
        try:
            found[table.name] = list(table.planned(work))
        except GoldError as problem:
            found[table.name] = [PlannedCell("no figures", is_done=False, why=str(problem))]
    return found


def load_study(path: str | Path) -> StudyRun:
    """Load a study that was run in a folder.

    Raises:
        RunError: the folder holds none, or that of another version.

    >>> import similitude as sim
    >>> sim.load_study("runs/usts").tables  # doctest: +SKIP
    """
    folder = Path(path)
    record = _manifest(folder)
    if not record.get("tables"):
        raise RunError(
            "holds no study that was run", where=str(folder), remedy="name a folder of 'similitude study run'"
        )
    tables = tuple(map(StudyTable.from_record, record["tables"]))
    own = {name: record[name] for name in ("name", "title", "paper", "created", "versions")}
    return StudyRun(**own, tables=tables, systems=tuple(record["systems"]), folder=folder)


def _ran(table: Table, work: StudyWork, on_error: Literal["stop", "skip"]) -> StudyTable:
    start, error, result = time.perf_counter(), "", TableResult(())
    try:
        result = table.run(work)
    except GoldError as problem:
        result = TableResult((), notes=(f"no figures: {problem}",))
    except SimilitudeError as problem:
        if on_error == "stop":
            raise
        error = str(problem)
    keys = {name: getattr(table, name) for name in ("row", "column", "names", "times", "trial")}
    return StudyTable(
        name=table.name,
        title=table.title,
        layout=table.layout,
        keys={**keys, "trial": table.trial or result.is_trial or bool(result.drawn)},
        figures=result.figures,
        notes=result.notes,
        drawn=result.drawn,
        seconds=round(time.perf_counter() - start, 3),
        error=error,
        is_simulated=result.is_simulated,
        details=result.details,
    )


def _study(plan: StudyPlan, done: Mapping[str, StudyTable], folder: Path) -> StudyRun:
    names = [table.name for table in plan.tables]
    order = [name for name in names if name in done]
    return StudyRun(
        name=plan.name,
        title=plan.title,
        paper=plan.paper,
        tables=tuple(done[name] for name in order),
        systems=tuple(plan.systems),
        folder=folder,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
    )


def _save(finished: StudyRun) -> None:
    files = RunFolder(finished.folder)
    files.write_json(MANIFEST, finished.record())
    rows = list(finished.rows())
    if rows:
        files.write_csv("figures.csv", rows)


def _claimed(folder: Path, plan: StudyPlan) -> dict[str, Any]:
    """The record of earlier runs of the same study.

    Raises:
        RunError: the folder holds something else.
    """
    if folder.is_file():
        raise RunError("is a file", where=str(folder), remedy="name a folder for the study")
    before = _manifest(folder)
    if before and before["name"] != plan.name:
        what = f"holds another study ('{before['name']}')"
        raise RunError(what, where=str(folder), remedy="choose another --folder")
    is_ours = bool(before) or (folder / "cells").is_dir()
    if not is_ours and folder.exists() and any(not each.name.startswith(".") for each in folder.iterdir()):
        raise RunError("is a folder with other files in it", where=str(folder), remedy="choose another --folder")
    (folder / "cells").mkdir(parents=True, exist_ok=True)
    return before


def _manifest(folder: Path) -> dict[str, Any]:
    """What the folder says of itself; empty if it says nothing.

    Raises:
        RunError: it was written by another version.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise RunError(
            "is damaged", where=str(path), remedy="remove it; cells are kept, and the study resumes"
        ) from None
    if "tables" not in found or "created" not in found:
        raise RunError(
            "was written by another command or by Similitude 0.1",
            where=str(path),
            remedy="choose another --folder; 'similitude predictiveness' of that version reads it",
        )
    return found
