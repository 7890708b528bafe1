"""The checkpoint of one training on disk: where it stands, and the weights of its best epoch."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from similitude.data.writing.atomic import write_atomically
from similitude.errors import RunError
from similitude.training.progress import Epoch, TrainingProgress

__all__ = ["CheckpointFolder", "with_os_errors"]

_FIELDS = ("epoch", "step", "losses", "curve", "tokens", "seconds")


class CheckpointFolder:
    """Keeps one training in a folder; every file is written completely or not at all.

    Args:
        path: the folder.
        publish: writes the figures so far where people can read them.

    Attributes:
        published: the progress whose figures were written last; its epochs may be ahead of the checkpoint.
    """

    def __init__(self, path: Path, publish: Callable[[TrainingProgress], None]) -> None:
        self.path, self._publish = path, publish
        self.published: TrainingProgress | None = None

    @property
    def checkpoint(self) -> Path:
        """The file that says where the training stands."""
        return self.path / "checkpoint.pt"

    @property
    def best(self) -> Path:
        """The file with the weights of the best epoch."""
        return self.path / "best.safetensors"

    def load(self) -> TrainingProgress | None:
        """The progress that was saved last; None if there is none.

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
            what = f"the checkpoint cannot be read ({type(error).__name__})"
            raise RunError(what, where=str(self.checkpoint), remedy="delete it to restart this training") from None

    def save(self, progress: TrainingProgress) -> None:
        """Save where the training stands."""
        import torch

        content = {name: getattr(progress, name) for name in _FIELDS}
        content["weights"], content["history"] = progress.weights, [epoch._asdict() for epoch in progress.history]
        self._write(self.checkpoint, lambda path: torch.save(content, path))

    def keep_best(self, weights: dict[str, Any]) -> None:
        """Save the weights of the best epoch so far."""
        from safetensors.torch import save_file

        self._write(self.best, lambda path: save_file(weights, path))

    def load_best(self) -> dict[str, Any] | None:
        """The weights of the best epoch; None if no epoch was finished."""
        from safetensors.torch import load_file

        return dict(load_file(self.best)) if self.best.is_file() else None

    def publish(self, progress: TrainingProgress) -> None:
        """Write the figures so far where people can read them."""
        self.published = progress
        self._publish(progress)

    def clear(self) -> None:
        """Delete the folder with checkpoint and weights."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _write(self, path: Path, save: Callable[[Path], Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_atomically(path, with_os_errors(save))


def with_os_errors(save: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """The same function, raising OSError where torch or safetensors report a full disk by errors of their own."""

    def careful(path: Path) -> None:
        try:
            save(path)
        except OSError:
            raise
        except Exception as error:
            message = str(error).lower()
            if not any(word in message for word in ("write", "i/o", "io error", "no space", "too large", "stream")):
                raise
            raise OSError(getattr(error, "errno", None) or 28, _reason(message), str(path)) from None

    return careful


def _reason(message: str) -> str:
    if "too large" in message:
        return "the file is too large"
    return f"the disk may be full ({' '.join(message.split())[:120]})"
