"""What is kept of local models from one opening to the next: converted weights, and the hashes of large files.

All of it can be had again, so that a folder that cannot be written is no reason to fail. Where the user switched the
cache off, it lasts as long as the process.
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
    """A folder of things that can be had again. It is a `similitude.models.fingerprint.Memory`.

    Attributes:
        folder: made when something is first kept.
    """

    folder: Path

    def recall(self, question: str) -> str | None:
        """An answer that was kept."""
        try:
            return self._file(question).read_text(encoding="utf-8")
        except OSError:
            return None

    def remember(self, question: str, answer: str) -> None:
        """Keep an answer; where that cannot be done, it is found out anew next time."""
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
    """The folder of models within the cache, wherever the environment says that this is."""
    folder = cache_folder()
    return ModelStore(_for_this_process() if folder is None else folder / "models")


@functools.cache
def _for_this_process() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="similitude-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
