"""The plan of a study in TOML: data, systems that join every table, and tables.

::

    name = "usts"
    paper = "usts"                          # its printed figures are shown beside ours

    [data]                                  # short names
    USTS-U = "../evidence/usts/ustsu"

    [systems]                               # join every table
    mine = "my_model.py:Mine"

    [[tables]]
    name = "Table 7"
    layout = "five-settings"
    data = ["USTS-U", "USTS-C"]
    model = "bert-base-chinese"

Paths are relative to the file. A plan of one table, such as a sweep, is a study as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from similitude.data.reading.toml_file import TomlFile
from similitude.errors import InputError, UnknownNameError
from similitude.study.tables.asked_tables import ChoicesTable, PromptsTable
from similitude.study.tables.data_table import DataTable
from similitude.study.tables.five_settings_table import FiveSettingsTable
from similitude.study.tables.predictiveness_table import PredictivenessTable
from similitude.study.tables.rank_table import RankTable
from similitude.study.tables.sweep_table import SweepTable
from similitude.study.tables.systems_table import SystemsTable
from similitude.study.tables.table_keys import known_system

__all__ = ["LAYOUTS", "StudyPlan", "Table", "read_study"]

Table = (
    SystemsTable
    | SweepTable
    | FiveSettingsTable
    | PromptsTable
    | ChoicesTable
    | PredictivenessTable
    | RankTable
    | DataTable
)
LAYOUTS: dict[str, type[Table]] = {
    "systems": SystemsTable,
    "sweep": SweepTable,
    "five-settings": FiveSettingsTable,
    "prompts": PromptsTable,
    "choices": ChoicesTable,
    "predictiveness": PredictivenessTable,
    "ranks": RankTable,
    "data": DataTable,
}
NAMED = ("data", "validation", "test", "examples")
"""The keys of tables whose values may be short names of data."""


class StudyPlan(BaseModel):
    """A study.

    Attributes:
        name: of the study; by default that of the file.
        title: what it is.
        paper: giccs, csts, usts or task_oriented, whose printed figures are shown beside ours.
        data: addresses by short name.
        systems: systems by name; they join every table.
        tables: in order.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str = ""
    paper: Literal["giccs", "csts", "usts", "task_oriented"] | None = None
    data: dict[str, str] = Field(default_factory=dict)
    systems: dict[str, Annotated[str, AfterValidator(known_system)]] = Field(default_factory=dict)
    tables: tuple[Annotated[Table, Field(discriminator="layout")], ...] = Field(min_length=1)

    @field_validator("tables")
    @classmethod
    def _different(cls, tables: tuple[Table, ...]) -> tuple[Table, ...]:
        names = [table.name for table in tables]
        if doubles := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two tables are called '{doubles[0]}'; give each a name of its own")
        return tables

    def chosen(self, names: list[str] | None) -> StudyPlan:
        """The plan with these tables only.

        Raises:
            UnknownNameError: there is no such table.
        """
        known = {table.name.lower(): table for table in self.tables}
        for name in names or ():
            if name.lower() not in known:
                raise UnknownNameError("table of this study", name, [table.name for table in self.tables])
        kept = [table for table in self.tables if not names or table.name.lower() in map(str.lower, names)]
        return self.model_copy(update={"tables": tuple(kept)})


def read_study(path: str | Path) -> StudyPlan:
    """Read a study from a file; a plan with one table only is a study as well.

    Raises:
        InputError: the file cannot be read or is not TOML, or a key is unknown, missing or wrong; the message names the
            line and the value.
    """
    written = TomlFile.read(path)
    values = dict(written.values)
    if "tables" not in values:
        written = TomlFile(path=written.path, text=written.text, values=_as_study(values, written))
    plan = written.validated(StudyPlan, name=Path(path).stem)
    file = Path(path)
    tables = tuple(_placed(table, file, plan) for table in plan.tables)
    return plan.model_copy(update={"tables": tables})


def _as_study(values: dict[str, Any], written: TomlFile) -> dict[str, Any]:
    """A plan of a single table as a study.

    Raises:
        InputError: its layout cannot be told.
    """
    layout = values.get("layout") or next((name for key, name in MARKS.items() if key in values), None)
    if layout == "prompts" and values.get("ask") == "choice":
        layout = "choices"
    if layout is None:
        raise InputError(
            "has no tables, and its layout is not known",
            where=written.path.name,
            remedy=f"add [[tables]], or layout = one of {', '.join(LAYOUTS)}",
        )
    return {"tables": [{"name": written.path.stem, **values, "layout": layout}]}


MARKS = {
    "ask": "prompts",
    "instructions": "prompts",
    "encodings": "sweep",
    "grid": "sweep",
    "figures": "data",
    "tasks": "predictiveness",
    "settings": "five-settings",
    "passes": "five-settings",
    "model": "five-settings",
    "systems": "systems",
}
"""Keys by which the layout of a plan without one is told, the surest first."""


def _placed(table: Table, file: Path, plan: StudyPlan) -> Table:
    """A table with addresses for names, paths relative to the working directory, and the study's systems."""
    if isinstance(table, SystemsTable | DataTable):
        return table.placed(file, plan.data).joined(plan.systems)
    named: dict[str, Any] = {}
    for key in NAMED:
        value = getattr(table, key, None)
        if isinstance(value, str):
            named[key] = plan.data.get(value, value)
        elif isinstance(value, tuple):
            named[key] = tuple(plan.data.get(each, each) for each in value)
    return table.model_copy(update=named).placed(file).joined(plan.systems)
