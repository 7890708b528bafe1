"""A finished search for candidates: the items, and what each step kept."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from similitude.collect.candidates.steps import Step
from similitude.data.benchmark import Benchmark
from similitude.data.frames import Tabular
from similitude.data.item import Items
from similitude.data.keywords import as_path
from similitude.data.plural import counted
from similitude.data.shown import Shown
from similitude.errors import RunError
from similitude.study.candidates.plan import CandidatesPlan
from similitude.study.candidates.plan_text import plan_text
from similitude.study.candidates.search_folder import SearchFolder

__all__ = ["CandidatesRun"]


@dataclass(frozen=True, kw_only=True, eq=False)
class CandidatesRun(Shown, Tabular):
    """Pairs that are worth judging, and how they were found.

    Attributes:
        plan: with every value that was used.
        steps: what each step kept and dropped, with examples, in order.
        items: the pairs, in random order and with ids that tell nothing.
        descriptions: what is known of each item, by id: how it was found, and the values that filters saw. Annotators
            must not see it.
        folder: where everything is saved.
        versions: of the packages that can change the result.
        holds: keeps a temporary folder alive; None if the user named the folder.

    >>> import similitude as sim
    >>> texts = ["A dog runs.", "A dog is running.", "It rains.", "Rain falls.", "A cat sleeps.", "The cat is asleep."]
    >>> found = sim.candidates(texts, items=3, k=1)
    >>> len(found), [step.name for step in found.steps][:2]
    (3, ['read', 'clean'])
    """

    plan: CandidatesPlan
    steps: tuple[Step, ...]
    items: Items
    descriptions: pl.DataFrame
    folder: Path
    versions: Mapping[str, str]
    holds: object = field(default=None, repr=False)

    @classmethod
    def load(cls, folder: str | Path) -> CandidatesRun:
        """Open a search that was finished in a folder.

        Raises:
            RunError: the folder holds none.
        """
        path = as_path("folder", folder)
        items, descriptions, record = SearchFolder(path).open()
        return cls(
            plan=CandidatesPlan.model_validate(record["plan"]),
            steps=tuple(map(Step.from_record, record["steps"])),
            items=items,
            descriptions=descriptions,
            folder=path,
            versions=record["versions"],
        )

    @property
    def name(self) -> str:
        """The name of the plan."""
        return self.plan.name

    @property
    def seed(self) -> int:
        """The seed of every draw."""
        return self.plan.seed

    @property
    def plan_text(self) -> str:
        """The plan as TOML, with every default written out; paths are relative to the folder if it stays."""
        return plan_text(self.plan if self.saved_to is None else self.plan.seen_from(self.folder))

    @property
    def saved_to(self) -> Path | None:
        """The folder, if it stays; None for a temporary one."""
        return self.folder if self.holds is None else None

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of all steps, each once."""
        return tuple(dict.fromkeys(note for step in self.steps for note in step.notes))

    @cached_property
    def benchmark(self) -> Benchmark:
        """The items as a benchmark without gold, for `similitude.design` and systems."""
        return Benchmark(name=self.name, frame=self.items.frame, scale=None)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"<CandidatesRun '{self.name}': {counted(len(self.items), 'item')} after {len(self.steps)} steps>"

    def __str__(self) -> str:
        first = max(len(step.name) for step in self.steps)
        lines = [f"{step.name:{first}}  {step.before:>12,} -> {step.after:>12,} {step.of}" for step in self.steps]
        return "\n".join([repr(self), *lines])

    def to_polars(self) -> pl.DataFrame:
        """One row per item, without empty columns."""
        frame = self.items.frame
        return frame.select(name for name in frame.columns if frame[name].null_count() < frame.height)

    def record(self) -> dict[str, Any]:
        """The plan and the steps, ready for JSON."""
        return {
            "name": self.name,
            "plan": self.plan.model_dump(mode="json"),
            "items": len(self.items),
            "steps": [step.record() for step in self.steps],
            "versions": dict(self.versions),
        }

    def report(self, path: str | Path) -> Path:
        """Write the page of the search.

        Returns:
            The path. A file of the same name is replaced.
        """
        # Reports lie above runs, so they are imported by name, when they are asked for.
        written: Path = import_module("similitude.report.candidates").write_candidates_page(self, as_path("path", path))
        return written

    def save(self, folder: str | Path) -> CandidatesRun:
        """Save a search that was made without ``out``: items, descriptions, record and finished stages.

        Returns:
            The search in its new folder, which goes on from the finished stages if the plan is changed.

        Raises:
            RunError: there is something at that path.
        """
        target = as_path("folder", folder)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise RunError("is there already", where=str(target), remedy="choose another folder")
        shutil.copytree(self.folder, target, dirs_exist_ok=True)
        saved = replace(self, folder=target, holds=None)
        SearchFolder(target).save_plan(saved.plan_text)
        return saved
