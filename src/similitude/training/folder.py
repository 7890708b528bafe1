"""The folder of a training: where it stands while it runs, and a model that others can open when it is done.

::

    DIR/
      config.json, model.safetensors, tokenizer.json, ...   the encoder
      modules.json, 1_Pooling/                              where sentence-transformers can open it
      head.safetensors                                      where layers of our own follow
      member-1.safetensors, ...                             where the model is an ensemble: its other members
      evidence.npz                                          where evidence goes along: what was learned for it
      similitude.json                                       architecture, recipe, data, figures; written last
      README.md                                             the model card
      runs/plan.json                                        what was asked for
      runs/metrics.jsonl                                    one line an epoch, those of teachers first
      runs/losses-0.csv                                     the loss of every step, for each seed
      runs/seed-0/                                          checkpoint and best weights, until all is done
      runs/teacher-1/                                       the same, until its scores are written
      runs/teacher-1.csv                                    a teacher's scores of the items that it never saw
      runs/taught.csv, runs/taught.json                     what another system says of pairs that nobody rated
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, RunError
from similitude.models.encoders.loader import quiet_libraries
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, HEAD_FILE, Architecture
from similitude.systems.uncertain.architecture import EVIDENCE_FILE, member_file
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.progress import Epoch, TrainingProgress

__all__ = ["CheckpointShelf", "TrainingFolder"]

_UNFINISHED = ".export.tmp"


class CheckpointShelf:
    """Keeps one training in a folder. Every file is written whole or not at all."""

    def __init__(self, path: Path, tell: Callable[[TrainingProgress], None]) -> None:
        self.path, self._tell = path, tell

    @property
    def checkpoint(self) -> Path:
        """Where the training stands."""
        return self.path / "checkpoint.pt"

    @property
    def best(self) -> Path:
        """The weights of the best epoch."""
        return self.path / "best.safetensors"

    def load(self) -> TrainingProgress | None:
        """Where the training stood; None if it was never saved.

        Raises:
            RunError: the checkpoint is damaged.
        """
        if not self.checkpoint.is_file():
            return None
        import torch

        try:
            found = torch.load(self.checkpoint, map_location="cpu", weights_only=True)
            history = [Epoch(**epoch) for epoch in found.pop("history")]
            return TrainingProgress(**found, history=history)
        except Exception as error:
            raise RunError(
                f"the checkpoint cannot be read ({type(error).__name__})",
                where=str(self.checkpoint),
                remedy="remove it to start this training again",
            ) from None

    def save(self, progress: TrainingProgress) -> None:
        """Keep where it stands."""
        import torch

        told = {name: getattr(progress, name) for name in ("epoch", "step", "losses", "curve", "tokens", "seconds")}
        told["weights"], told["history"] = progress.weights, [epoch._asdict() for epoch in progress.history]
        self._write(self.checkpoint, lambda path: torch.save(told, path))

    def keep_best(self, weights: dict[str, Any]) -> None:
        """Keep the weights of the best epoch so far."""
        from safetensors.torch import save_file

        self._write(self.best, lambda path: save_file(weights, path))

    def load_best(self) -> dict[str, Any] | None:
        """The weights of the best epoch; None if no epoch was finished."""
        from safetensors.torch import load_file

        return dict(load_file(self.best)) if self.best.is_file() else None

    def tell(self, progress: TrainingProgress) -> None:
        """Keep the figures so far, for people."""
        self._tell(progress)

    def clear(self) -> None:
        """Remove checkpoint and weights; the folder too."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _write(self, path: Path, save: Callable[[Path], Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _raising_os_errors(save))


class TrainingFolder:
    """A training on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def runs(self) -> Path:
        """What belongs to the training rather than to the model."""
        return self.path / "runs"

    def claim(self, plan: dict[str, Any]) -> bool:
        """Make the folder, or make sure that what is there is the same training.

        Returns:
            Whether the training is a new one.

        Raises:
            RunError: it is a file, holds other things, or another training.
        """
        if self.path.is_file():
            raise RunError("is a file", where=str(self.path), remedy="name a folder for the model")
        manifest = self.runs / "plan.json"
        if manifest.is_file():
            before = json.loads(manifest.read_text(encoding="utf-8"))
            if before != json.loads(json.dumps(plan)):
                names = ", ".join(sorted(name for name in {*before, *plan} if before.get(name) != plan.get(name)))
                raise RunError(
                    f"holds another training (it differs in: {names})",
                    where=str(self.path),
                    remedy="choose another --folder",
                )
            return False
        if self.path.exists() and any(self.path.iterdir()):
            raise RunError(
                "is a folder with other things in it", where=str(self.path), remedy="choose another --folder"
            )
        _make(self.runs)
        self._write_json("runs/plan.json", plan)
        return True

    def disclaim(self) -> None:
        """Give up a claim under which nothing was kept; where something was, such as a teacher's labels, it stands."""
        plan = self.runs / "plan.json"
        if [*self.runs.iterdir()] == [plan]:
            plan.unlink()
            self.runs.rmdir()
            if not any(self.path.iterdir()):
                self.path.rmdir()

    def finished(self) -> dict[str, Any] | None:
        """What the training that was finished here says of itself; None if none was."""
        path = self.path / ARCHITECTURE_FILE
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    def shelf(self, seed: int) -> CheckpointShelf:
        """Where the training with one seed is kept."""
        return CheckpointShelf(
            self.runs / f"seed-{seed}", lambda progress: self._tell(str(seed), {"seed": seed}, progress)
        )

    def teacher(self, number: int, seed: int) -> CheckpointShelf:
        """Where the training of one teacher is kept; teachers count from 1."""
        name, told = f"teacher-{number}", {"teacher": number, "seed": seed}
        return CheckpointShelf(self.runs / name, lambda progress: self._tell(name, told, progress))

    def _tell(self, name: str, told: dict[str, int], progress: TrainingProgress) -> None:
        """Write the figures of one training's epochs and the losses of its steps."""
        lines = "".join(json.dumps({**told, **epoch.record()}) + "\n" for epoch in progress.history)
        losses = "step,loss\n" + "".join(f"{step},{loss:.6g}\n" for step, loss in enumerate(progress.curve, 1))
        _write_text(self.runs / f"metrics-{name}.jsonl", lines)
        _write_text(self.runs / f"losses-{name}.csv", losses)
        parts = sorted(self.runs.glob("metrics-*.jsonl"), key=_teachers_first)
        _write_text(self.runs / "metrics.jsonl", "".join(path.read_text(encoding="utf-8") for path in parts))

    def export(
        self,
        backbone: Any,
        network: Any,
        record: dict[str, Any],
        card: str,
        members: Sequence[Mapping[str, Any]] = (),
        arrays: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """Write the model so that it can be opened; the file that makes it a finished one comes last.

        Args:
            backbone: as sentence-transformers loaded it.
            network: to be saved.
            record: for the file.
            card: the model card.
            members: weights of the other members of an ensemble.
            arrays: what the model needs beside its weights.

        Raises:
            ArgumentError: something cannot be written.
        """
        draft = self.path / _UNFINISHED
        shutil.rmtree(draft, ignore_errors=True)
        try:
            draft.mkdir()
            with quiet_libraries():
                _raising_os_errors(lambda path: _save_model(path, backbone, network, members))(draft)
            if arrays:
                np.savez(draft / EVIDENCE_FILE, **arrays)  # type: ignore[arg-type]
            for path in sorted(draft.rglob("*")):
                if path.is_file():
                    target = self.path / path.relative_to(draft)
                    target.parent.mkdir(exist_ok=True)
                    path.replace(target)
        except OSError as error:
            raise ArgumentError(
                f"the model cannot be written: {error.strerror or error}",
                where=str(self.path),
                remedy="free some space and run the same command again; the training is kept",
            ) from None
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        _write_text(self.path / "README.md", card)
        self._write_json(ARCHITECTURE_FILE, record)

    def _write_json(self, name: str, content: dict[str, Any]) -> None:
        _write_text(self.path / name, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _teachers_first(path: Path) -> tuple[bool, int]:
    kind, _, number = path.stem.rpartition("-")
    return not kind.endswith("teacher"), int(number)


def _save_model(folder: Path, backbone: Any, network: Any, members: Sequence[Mapping[str, Any]]) -> None:
    from safetensors.torch import save_file

    for number, weights in enumerate(members, 1):
        save_file(dict(weights), folder / member_file(number))
    architecture: Architecture | OpinionArchitecture = network.architecture
    if architecture.is_plain_encoder:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Pooling

        pooling = Pooling(network.transformer.config.hidden_size, architecture.pooling)
        saved = SentenceTransformer(modules=[backbone[0], pooling], device="cpu", similarity_fn_name="cosine")
        saved.save(str(folder), create_model_card=False)
        return
    network.transformer.save_pretrained(folder)
    backbone.tokenizer.save_pretrained(folder)
    if len(network.head):
        from similitude.systems.conditional.network import head_of

        save_file(head_of(network), folder / HEAD_FILE)


def _raising_os_errors(save: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Torch and safetensors have errors of their own for a full disk; ours is the system's, which says why."""

    def careful(path: Path) -> None:
        try:
            save(path)
        except OSError:
            raise
        except Exception as error:
            told = str(error).lower()
            if not any(word in told for word in ("write", "i/o", "io error", "no space", "too large", "stream")):
                raise
            raise OSError(getattr(error, "errno", None) or 28, _reason(told), str(path)) from None

    return careful


def _reason(told: str) -> str:
    return "the file is too large" if "too large" in told else f"the disk may be full ({' '.join(told.split())[:120]})"


def _write_text(path: Path, text: str) -> None:
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise ArgumentError(f"cannot be made: {why}", where=str(path), remedy="choose another --folder") from None
