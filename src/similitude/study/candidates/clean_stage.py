"""The stage that cleans texts piece by piece, and cuts dialogues."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from similitude.collect.candidates.clean import CleanRules, CleanTally, clean, clean_step
from similitude.collect.candidates.dialogues import DialogueRules, cut_dialogues
from similitude.collect.candidates.steps import Step
from similitude.data.texts import Texts
from similitude.errors import InputError
from similitude.study.candidates.read_stage import TEXTS, TextTable, table_result
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult
from similitude.study.candidates.text_table import text_slice, write_texts

__all__ = ["CLEAN", "CleanTask", "run_clean"]

CLEAN = "2-clean"
CUT = 3
"""The number that makes the random numbers of this stage independent of those of others."""


@dataclass(frozen=True, slots=True)
class CleanTask:
    """Cleans the texts of a piece.

    Attributes:
        texts: the table.
        rules: which texts are kept.
        folder: for the texts that are left.
    """

    texts: Path
    rules: CleanRules
    folder: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Clean the texts of a piece, and write those that are left."""
        found = clean(text_slice(self.texts, piece.start, piece.stop), self.rules)
        write_texts(found.texts, self.path(piece))
        return found.tally.record()

    def path(self, piece: Piece) -> Path:
        """The file of a piece."""
        return self.folder / f"{piece.name}.arrow"


def run_clean(search: Search, table: TextTable) -> StageResult:
    """Keep texts in normal form that somebody can judge; cut dialogues if the plan says so.

    Raises:
        InputError: no text is left.
    """
    plan = search.plan
    rules = CleanRules(**plan.clean.model_dump())
    turns = None if plan.dialogues is None else DialogueRules(**plan.dialogues.model_dump())

    def work(folder: StageFolder) -> StageResult:
        task, pieces = CleanTask(table.path, rules, folder.scratch), search.pieces(table.rows)
        records = search.run_pieces(folder, task, pieces, "clean")
        steps = [clean_step([CleanTally.from_record(record) for record in records])]
        if not steps[0].after:
            raise _nothing_left(steps[0])
        texts = Texts(pl.concat([pl.read_ipc(task.path(piece)) for piece in pieces]))
        if turns is not None:
            cut = cut_dialogues(texts, turns, rng=np.random.default_rng([plan.seed, CUT]))
            texts = cut.texts
            steps.append(cut.step)
        write_texts(texts, folder.path / TEXTS)
        return table_result(texts, tuple(steps))

    key = {
        "texts": table.digest,
        "clean": plan.clean.model_dump(mode="json"),
        "dialogues": None if plan.dialogues is None else plan.dialogues.model_dump(mode="json"),
        "seed": None if plan.dialogues is None else plan.seed,
    }
    return search.stage(CLEAN, key, work)


def _nothing_left(step: Step) -> InputError:
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in step.losses.items())
    return InputError(
        f"no text is left of {step.before:,} after cleaning: {reasons}" if step.before else "there are no texts",
        remedy="loosen [clean], or give other texts",
    )
