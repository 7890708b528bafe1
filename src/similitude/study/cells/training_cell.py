"""The cell in which a model is trained; its product is a system."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from similitude.data.listeners import NamedListener
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.errors import MissingExtraError
from similitude.registry import Spec
from similitude.study.cells.cell import Cell, Shared
from similitude.systems.attach_cache import CacheChoice
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE
from similitude.training.kinds import TRAININGS, prepared_training
from similitude.training.splits import SeveralData

__all__ = ["TrainedSystem", "TrainingCell", "torch_threads"]


class TrainedSystem(NamedTuple):
    """What a training led to.

    Attributes:
        folder: of the model, which may have been dropped since.
        figures: on the validation items; undefined ones are nan.
        items: the number learned from.
        seconds: that it took.
    """

    folder: Path
    figures: Mapping[str, float]
    items: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class TrainingCell:
    """A model is trained.

    Attributes:
        kind: of training, such as "conditional".
        keywords: as for the function of that name in `similitude.train`.
        data: the name under which workers find the items to learn from and those to validate on.
        parts: the items; None on a worker.
        root: the folder of all models; each has a folder of its own there, named by content.
        stem: the readable part of that name; by default the kind.
        label: for people.
        needs: trainings whose models this one starts from.
        keeps_model: whether the model itself must be there; if not, its figures are enough.
        device: as torch writes it; None for a GPU if there is one. Not part of the content.
        cache: where encoders keep vectors.
        announced: what stages of the training are shown under; by default the label.
        address: the key, on a worker.
        threads: of torch on a worker; None leaves them alone. Training on another number may change the last bits.
    """

    kind: str
    keywords: Mapping[str, Any]
    data: str
    parts: SeveralData | None
    root: Path
    label: str
    stem: str = ""
    needs: tuple[Cell, ...] = ()
    keeps_model: bool = True
    device: str | None = None
    cache: CacheChoice = field(default=None, compare=False)
    threads: int | None = None
    announced: str = ""
    address: str = ""

    @cached_property
    def key(self) -> str:
        """The hash of the kind, the keywords and the items, wherever the folder lies."""
        if self.address:
            return self.address
        assert self.parts is not None
        items = [[part.fingerprint for part in side] for side in (self.parts.train, self.parts.validation)]
        written = json.dumps([self.kind, dict(self.keywords), items], sort_keys=True, default=str)
        for need in self.needs:
            if isinstance(need, TrainingCell):
                written = written.replace(json.dumps(str(need.folder))[1:-1], need.key)
        return f"{self.stem or self.kind}-{hashlib.sha256(written.encode()).hexdigest()[:12]}"

    @property
    def name(self) -> str:
        """For people."""
        return self.announced or self.label

    @property
    def folder(self) -> Path:
        """Where the model is, or will be."""
        return self.root / self.key

    def system(self, **arguments: Any) -> str:
        """The trained model as a system, as a user writes it."""
        on = {} if self.device is None or self.kind == "gaussian-process" else {"device": self.device}
        return str(Spec(TRAININGS[self.kind].system, None, (str(self.folder),), {**arguments, **on}))

    def recall(self) -> TrainedSystem | None:
        """The figures, if the training is finished, and the model is there or not needed."""
        if self.keeps_model and not (self.folder / ARCHITECTURE_FILE).exists():
            return None
        try:
            known = json.loads(self._record.read_text(encoding="utf-8"))
            figures = {name: float("nan") if value is None else value for name, value in known["figures"].items()}
            return TrainedSystem(self.folder, figures, known["items"], known["seconds"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # missing or damaged: a finished training is read again, an unfinished one goes on

    def away(self) -> TrainingCell:
        """Without the items."""
        return replace(self, parts=None, address=self.key)

    def work(self, shared: Shared, listener: Listener | None) -> TrainedSystem:
        """Train, or go on with a training that was stopped."""
        if self.parts is None and self.threads is not None:
            import torch

            torch.set_num_threads(self.threads)
        start = time.perf_counter()
        given = dict(self.keywords) if self.device is None else {**self.keywords, "device": self.device}
        data = shared[self.data] if self.parts is None else self.parts
        heard = NamedListener(listener, name=self.announced or self.label, names_notes=False)
        trained = prepared_training(self.kind, given).train(data, self.folder, heard, self.cache)
        seconds = time.perf_counter() - start
        return TrainedSystem(self.folder, trained.figures, trained.record["data"]["items"], seconds)

    def remember(self, result: Any) -> TrainedSystem:
        """Keep the figures, which outlive the model."""
        done: TrainedSystem = result
        figures = {name: None if value != value else value for name, value in done.figures.items()}
        content = {
            "kind": self.kind,
            "keywords": dict(self.keywords),
            "label": self.label,
            "figures": figures,
            "items": done.items,
            "seconds": round(done.seconds, 3),
        }
        text = json.dumps(content, indent=1, default=str, ensure_ascii=False)
        write_atomically(self._record, lambda path: path.write_text(text + "\n", encoding="utf-8"))
        return done

    def drop(self) -> None:
        """Delete the model; its figures are kept."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _record(self) -> Path:
        return self.root / f"{self.key}.json"


def torch_threads() -> int:
    """The number of threads on which torch computes in this process.

    Raises:
        MissingExtraError: torch is not installed.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtraError("torch", "encoders") from None
    return int(torch.get_num_threads())
