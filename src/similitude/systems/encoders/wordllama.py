"""WordLlama: mean token embeddings of a language model, much faster than a network."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from similitude.errors import MissingExtraError
from similitude.models.encoders.static_table import StaticTable
from similitude.models.fingerprint import ModelState, package_state
from similitude.models.loaded_model import ModelSlot, until_unchanged
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.static_system import StaticSystem

__all__ = ["WordLlamaEncoder"]


@SYSTEMS.register("wordllama")
@dataclass(frozen=True)
class WordLlamaEncoder(StaticSystem):
    """Cosine of WordLlama embeddings: 256 dimensions, mean token embeddings of Llama 2 trained for similarity.

    Ignores word order. Best for English; other languages as far as Llama 2's 32,000 word pieces cover them. The weights
    are in the package, and nothing is downloaded. Range 0..1 (a cosine may be below 0), symmetric. Equal texts give
    exactly 1, two blank texts 1, one blank text 0.

    References:
        Miller (2024), WordLlama: recycled token embeddings from large language models.

    >>> encoder = WordLlamaEncoder()
    >>> near, far = encoder.similarities(["A man plays a guitar."] * 2, ["Somebody plays guitar.", "It rains."])
    >>> bool(near > far)
    True
    """

    name: ClassVar[str] = "wordllama"
    summary: ClassVar[str] = "cosine of averaged token vectors from Llama 2, fast; needs the extra 'wordllama'"

    def model_fingerprint(self) -> str:
        """Hash of the weights and the code of the package.

        Raises:
            MissingExtraError: wordllama is not installed.
        """
        return _state().fingerprint

    @property
    def table(self) -> StaticTable:
        """The model of this process.

        Raises:
            MissingExtraError: wordllama is not installed.
        """
        return until_unchanged(lambda: _slot.get(_state(), _load, _state), "system 'wordllama'")


def _state() -> ModelState:
    return package_state("wordllama", "wordllama", "wordllama")


_slot: ModelSlot[ModelState, StaticTable] = ModelSlot()


def _load() -> StaticTable:
    package = _import_quietly()
    # By default it looks for its tokeniser in the user's cache and then on the network; the package has a copy.
    model = package.WordLlama.load(cache_dir=Path(package.__file__).parent, disable_download=True)
    return StaticTable(model.tokenizer, model.embedding)


def _import_quietly() -> Any:
    """Import the package without the logging that it configures for the whole program."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        import wordllama
    except ImportError:
        raise MissingExtraError("wordllama", "wordllama") from None
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    return wordllama
