"""GGUF files, converted once to a folder that opens in a second.

Dequantising weights takes most of a minute even for a small model. The folder is named by a hash of the file and is
created atomically by renaming, so concurrent or killed conversions do no harm. Files that changed since are converted
again.
"""

from __future__ import annotations

import json
import shutil
import uuid
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.encoders.loader import quiet_libraries
from similitude.models.file_hashes import hash_of_file
from similitude.models.files import ModelFiles
from similitude.models.language.local.model_store import ModelStore
from similitude.models.loaded_model import ModelChangedError

__all__ = ["GgufFile", "is_gguf"]

SCHEME = 2
"""Incremented when files are converted in another way. 2: with the hashes of the converted files."""
_HASHES = "converted.json"
"""The hashes of the files of a converted folder, beside them."""


def is_gguf(model: str) -> bool:
    """Whether this is a GGUF file, by its extension or, if the file exists, by its first bytes."""
    if model.lower().endswith(".gguf"):
        return True
    path = Path(model).expanduser()
    return path.is_file() and _begins_as_gguf(path)


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A model in a GGUF file.

    Attributes:
        store: where the converted folder is stored.
    """

    path: Path
    store: ModelStore

    def hash(self) -> str:
        """Hash of the file; remembered until the file changes.

        Raises:
            ArgumentError: there is no such file, or it is not a GGUF file.
        """
        if not self.path.is_file():
            raise self._error("no such file", "name a GGUF file, a model's folder, or a model on the hub")
        if not _begins_as_gguf(self.path):
            raise self._error(
                "is not a GGUF file: it does not start with 'GGUF'", "download it again; it may be truncated"
            )
        return hash_of_file(self.path, self.store)

    def files(self, dtype: str) -> ModelFiles:
        """The folder with the dequantised weights; the file is converted if necessary.

        Args:
            dtype: the precision of the weights.

        Raises:
            ModelChangedError: the file changed while it was converted.
        """
        now = self.hash()
        folder = self.store.folder / f"{self.path.stem}-{now[:16]}-{dtype}-{SCHEME}"
        if not self._is_whole(folder):
            shutil.rmtree(folder, ignore_errors=True)
            draft = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}")
            try:
                self._convert(draft, dtype)
                if self.hash() != now:
                    raise ModelChangedError
                hashes = {path.name: hash_of_file(path, self.store) for path in draft.iterdir()}
                (draft / _HASHES).write_text(json.dumps(hashes), encoding="utf-8")
                self._rename(draft, folder)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        return ModelFiles(str(folder))

    def _is_whole(self, folder: Path) -> bool:
        """Whether the converted files are those that were written; otherwise they are converted again."""
        try:
            hashes = json.loads((folder / _HASHES).read_text(encoding="utf-8"))
            return all(hash_of_file(folder / name, self.store) == known for name, known in hashes.items())
        except (OSError, ValueError):
            return False

    def _convert(self, folder: Path, dtype: str) -> None:
        try:
            import accelerate  # noqa: F401
            import gguf  # noqa: F401
            import torch
            import transformers  # noqa: F401
        except ImportError as error:
            raise MissingExtraError(error.name or "gguf", "prompted") from None
        with quiet_libraries(), redirect_stderr(StringIO()):  # No setting of transformers turns this bar off.
            try:
                folder.mkdir(parents=True)
                _convert(self.path, folder, getattr(torch, dtype))
            except Exception as error:
                why = " ".join(str(error).split()) or type(error).__name__
                remedy = "use the model's original folder, or a GGUF file of an architecture that transformers supports"
                raise self._error(f"transformers cannot read it: {why[:300]}", remedy) from error

    def _rename(self, draft: Path, folder: Path) -> None:
        try:
            draft.replace(folder)
        except OSError:
            if not folder.is_dir():  # Otherwise another process was faster.
                raise

    def _error(self, what: str, remedy: str) -> ArgumentError:
        return ArgumentError(what, where=f"model '{self.path}'", remedy=remedy)


def _begins_as_gguf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"GGUF"


def _convert(path: Path, folder: Path, dtype: Any) -> None:
    """Save the network and tokeniser in the format of transformers."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    files = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    read = AutoModelForCausalLM.from_pretrained(
        **files, dtype=dtype, quantization_config=GgufConfig(dequantize=True), local_files_only=True
    )
    settings = {name: value for name, value in read.config.to_dict().items() if name != "quantization_config"}
    with torch.device("meta"):  # Takes no memory: the weights below are the ones that were read, not copies.
        plain = type(read)(type(read.config).from_dict(settings))
    plain.load_state_dict(read.state_dict(), assign=True)
    plain.tie_weights()
    plain.generation_config = read.generation_config
    plain.save_pretrained(folder)
    AutoTokenizer.from_pretrained(**files, local_files_only=True).save_pretrained(folder)
