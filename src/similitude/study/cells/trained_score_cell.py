"""The cell in which a model that a study has trained scores the items of a benchmark."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.item import Items
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.study.cells.cell import Cell, Shared
from similitude.study.cells.training_cell import TrainingCell
from similitude.study.folder import read_predictions, write_predictions
from similitude.systems import make_system
from similitude.systems.record import SystemRecord
from similitude.systems.scores import Scored, score_items

__all__ = ["TrainedScoreCell"]


@dataclass(frozen=True, kw_only=True)
class TrainedScoreCell:
    """A trained model scores items. Its predictions are kept by what was trained, so they outlive the model.

    Attributes:
        training: of the model.
        data: the name under which workers find the items.
        items: None on a worker.
        root: the folder of the predictions of all trained models.
        arguments: of the system that opens the model.
        address: the key, on a worker.
    """

    training: TrainingCell
    data: str
    items: Items | None
    root: Path
    arguments: Mapping[str, Any] = field(default_factory=dict)
    address: str = ""

    @property
    def key(self) -> str:
        """What was trained, the items, and arguments if there are any."""
        if self.address:
            return self.address
        written = json.dumps(dict(self.arguments), sort_keys=True) if self.arguments else ""
        opened = f"-{hashlib.sha256(written.encode()).hexdigest()[:8]}" if written else ""
        return f"{self.training.key}-{self._here().fingerprint[:12]}{opened}"

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.training.label} on {self.data}"

    @property
    def needs(self) -> tuple[Cell, ...]:
        """The training, with its model."""
        return (replace(self.training, keeps_model=True),)

    def recall(self) -> Scored | None:
        """The predictions that are kept."""
        table, record = self._paths
        try:
            before = SystemRecord.from_record(json.loads(record.read_text(encoding="utf-8")))
            ids, predictions = read_predictions(table)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # missing or damaged
        return (predictions, before) if ids == self._here().ids else None

    def away(self) -> TrainedScoreCell:
        """Without items."""
        return replace(self, items=None, training=self.training.away(), address=self.key)

    def work(self, shared: Shared, listener: Listener | None) -> Scored:
        """Score the items with the model."""
        items = shared[self.data] if self.items is None else self.items
        return score_items(
            make_system(self.training.system(**self.arguments)), items, np.random.default_rng(0), listener
        )

    def remember(self, result: Any) -> Scored:
        """Keep the predictions; the record is written last."""
        predictions, written = result
        table, record = self._paths
        self.root.mkdir(parents=True, exist_ok=True)
        record.unlink(missing_ok=True)
        write_predictions(table, self._here().ids, predictions)
        text = json.dumps(asdict(written), ensure_ascii=False, indent=1)
        write_atomically(record, lambda path: path.write_text(text + "\n", encoding="utf-8"))
        return predictions, written

    @property
    def _paths(self) -> tuple[Path, Path]:
        return self.root / f"{self.key}.parquet", self.root / f"{self.key}.json"

    def _here(self) -> Items:
        assert self.items is not None
        return self.items
