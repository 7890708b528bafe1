"""The record of a system: enough to rebuild it and to tell whether its predictions would be the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from typing import Any

from similitude._version import __version__
from similitude.data.protocols import System
from similitude.systems.source_code import code_of

__all__ = ["SystemRecord"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRecord:
    """The system that scored some items.

    Attributes:
        identity: the system as a user would write it.
        name: the registered name.
        arguments: every argument, defaults included.
        range: the declared range of its output.
        reads: the columns that it reads beyond the two texts.
        fitted_on: the items whose texts (never gold) it was fitted on, if it needs that.
        model: the fingerprint of its model, if it has one.
        code: a hash of its source, or the version that it declares, for systems from other packages.
        similitude: the version of Similitude that ran it.
        seconds: the duration of scoring.
        notes: its notes, for example about texts that were cut.
        label: the name that tables show; the identity if the user gave none.
    """

    identity: str
    name: str
    arguments: dict[str, Any]
    range: str | None
    reads: tuple[str, ...]
    fitted_on: str | None
    model: str | None
    similitude: str
    seconds: float
    notes: tuple[str, ...] = ()
    code: str | None = None
    label: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.identity)

    @classmethod
    def of(
        cls, system: System, *, fitted_on: str | None, model: str | None, seconds: float, notes: tuple[str, ...]
    ) -> SystemRecord:
        """Describe a system."""
        return cls(
            identity=str(system.identity),
            name=system.identity.name,
            arguments=_arguments(system),
            range=None if system.range is None else str(system.range),
            reads=tuple(sorted(system.reads)),
            fitted_on=fitted_on,
            model=model,
            similitude=__version__,
            seconds=round(seconds, 4),
            notes=notes,
            code=code_of(system),
        )

    def same_work(self, other: SystemRecord) -> bool:
        """Whether both give the same predictions: everything but duration, notes and label is equal."""
        mine, theirs = (replace(record, seconds=0, notes=(), label="") for record in (self, other))
        return json.dumps(asdict(mine), default=str) == json.dumps(asdict(theirs), default=str)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SystemRecord:
        """Rebuild from the JSON of ``asdict``, which has lists instead of tuples."""
        return cls(**{**record, "reads": tuple(record["reads"]), "notes": tuple(record["notes"])})


def _arguments(system: System) -> dict[str, Any]:
    if not is_dataclass(system):
        return dict(system.identity.keywords)
    return {field.name: getattr(system, field.name) for field in fields(system) if field.init and field.repr}
