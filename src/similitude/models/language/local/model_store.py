"""Stores converted weights and the hashes of large files between runs.

Everything here can be recomputed, so an unwritable folder is not an error. If the cache is disabled, the store lasts as
long as the process.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import shutil
import tempfile
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from similitude.models.cache.location import cache_folder

__all__ = ["ModelStore", "default_model_store"]


@dataclass(frozen=True, slots=True)
class ModelStore:
    """A folder of converted weights and hashes, created when something is first stored.

    It is a `similitude.models.fingerprint.Memory`.
    """

    folder: Path

    def recall(self, question: str) -> str | None:
        """The stored answer to a question; None if unknown."""
        try:
            return self._file(question).read_text(encoding="utf-8")
        except OSError:
            return None

    def remember(self, question: str, answer: str) -> None:
        """Store the answer to a question; if that fails, it is recomputed next time."""
        path = self._file(question)
        draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(answer, encoding="utf-8")
            draft.replace(path)
        except OSError:
            with suppress(OSError):
                draft.unlink()

    def _file(self, question: str) -> Path:
        return self.folder / "hashes" / hashlib.sha256(question.encode("utf-8", "surrogateescape")).hexdigest()


def default_model_store() -> ModelStore:
    """The store within the cache folder, wherever the environment places it."""
    folder = cache_folder()
    return ModelStore(_for_this_process() if folder is None else folder / "models")


@functools.cache
def _for_this_process() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="similitude-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
