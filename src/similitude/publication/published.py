"""What was published: the files that were written, and the figures that were measured for them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from similitude.data.shown import Shown
from similitude.inspect.checks.findings import Finding
from similitude.study.runs import Run

__all__ = ["Published"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Published(Shown):
    """A release as it was written.

    Attributes:
        folder: of all its files; the folder for the hub is ``folder / "huggingface"``.
        name: of the data set.
        version: of the release.
        splits: items of each split.
        files: bytes of every file, by its path in the folder.
        leaks: what occurs in more than one split.
        baselines: the run of the baselines; None if there are none.
        evaluations: the runs of a model, one for each benchmark.
        address: of the repository on the hub; empty if it was not pushed.
        notes: what you should know.
        is_dry: whether nothing was written.

    >>> import similitude as sim
    >>> made = sim.publish("sample:opinions", name="opinions", out="release", dry_run=True, quiet=True)
    >>> made.splits, made.is_dry
    ({'test': 60}, True)
    """

    folder: Path
    name: str
    version: str
    splits: dict[str, int]
    files: dict[str, int]
    leaks: tuple[Finding, ...]
    baselines: Run | None = None
    evaluations: tuple[Run, ...] = ()
    address: str = ""
    notes: tuple[str, ...] = ()
    is_dry: bool = False

    def __repr__(self) -> str:
        return f"<Published '{self.name}' {self.version}: {self.summary}; {len(self.files)} files in {self.folder}>"

    @property
    def summary(self) -> str:
        """The splits with their sizes, or what was measured of a model."""
        if self.splits:
            return ", ".join(f"{name} {items:,}" for name, items in self.splits.items())
        return "; ".join(_figures(run) for run in self.evaluations) or "a model"

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "folder": str(self.folder),
            "name": self.name,
            "version": self.version,
            "splits": self.splits,
            "files": self.files,
            "leaks": [{"code": one.code, "message": one.message, "count": one.count} for one in self.leaks],
            "address": self.address or None,
            "notes": list(self.notes),
            "dry_run": self.is_dry,
        }


def _figures(run: Run) -> str:
    told = ", ".join(f"{measure} {one.value:.3f}" for measure, one in zip(run.measures, run.figures[0], strict=True))
    return f"{told} on {run.data.name}"
