"""Model2Vec: static embeddings distilled from sentence encoders, hundreds of times as fast on a CPU."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import VectorCache
from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.encoders.static_table import StaticTable
from similitude.models.files import ModelFiles, resolve
from similitude.models.fingerprint import ModelState, model_state
from similitude.models.loaded_model import ModelSlot, until_unchanged
from similitude.registry import Spec, spec_of
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.static_system import StaticSystem

__all__ = ["Model2Vec"]

_LONGEST = 512


class _Layout(NamedTuple):
    """Where a kind of folder has its files, and the name of the table in them."""

    vectors: str
    tokenizer: str
    config: str
    name: str


_LAYOUTS = (
    _Layout("model.safetensors", "tokenizer.json", "config.json", "embeddings"),
    _Layout("model.safetensors", "tokenizer.json", "config_sentence_transformers.json", "embedding.weight"),
    _Layout(
        "0_StaticEmbedding/model.safetensors",
        "0_StaticEmbedding/tokenizer.json",
        "config_sentence_transformers.json",
        "embedding.weight",
    ),
)
"""As model2vec saves it, and as sentence-transformers saves a static embedding."""

_slot: ModelSlot[ModelState, StaticTable] = ModelSlot()


@SYSTEMS.register("model2vec")
@dataclass(frozen=True)
class Model2Vec(StaticSystem):
    """Cosine of the mean token vectors of a Model2Vec model: no network, for millions of texts on a CPU.

    The model is a folder or a name on the Hugging Face hub: ``model2vec(minishlab/potion-base-8M)``. Static models of
    sentence-transformers are read too. Word order is ignored. Each pair takes a few microseconds, so vectors are not
    cached. Range 0..1 (a cosine may be below 0), symmetric. Equal texts give exactly 1 unless they have no token that
    the model knows, then 0; two blank texts give 1, one blank text 0. A text's vector does not depend on the others.

    Args:
        model: a folder, or a name on the hub; a name without an organisation is looked up under minishlab.
        revision: a branch, tag or commit on the hub.

    References:
        Tulkens and van Dongen (2024), Model2Vec: fast state-of-the-art static embeddings.
    """

    name: ClassVar[str] = "model2vec"
    summary: ClassVar[str] = "cosine of averaged token vectors from a Model2Vec model, for millions of texts"

    model: str
    revision: str | None = field(default=None, kw_only=True)
    cache: VectorCache | None = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def identity(self) -> Spec:
        """The registered name, the model, and the arguments that differ from their defaults."""
        keywords = dict(spec_of(self, self.name).keywords)
        return Spec(self.name, None, (keywords.pop("model"),), keywords)

    @property
    def files(self) -> ModelFiles:
        """The files of the model.

        Raises:
            ArgumentError: there is no such model.
            MissingExtraError: huggingface_hub is not installed.
        """
        try:
            return resolve(self.model, self.revision, "minishlab")
        except MissingExtraError as error:
            raise MissingExtraError(error.what.removesuffix(" is not installed"), "model2vec") from None

    def model_fingerprint(self) -> str:
        """Hash of the model's files and of the version of the tokeniser."""
        return self._state().fingerprint

    def with_cache(self, cache: VectorCache) -> Self:
        """The same system with this cache, which remembers the hashes of large files."""
        return replace(self, cache=cache)

    @property
    def table(self) -> StaticTable:
        """The loaded model.

        Raises:
            ArgumentError: the folder has no static model.
            MissingExtraError: tokenizers or safetensors is not installed.
        """
        return until_unchanged(lambda: _slot.get(self._state(), self._load, self._state), f"model '{self.model}'")

    def _state(self) -> ModelState:
        return model_state(self.files, self.cache, ("tokenizers",), scheme="model2vec 1")

    def _load(self) -> StaticTable:
        try:
            from safetensors.numpy import load_file
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtraError("tokenizers and safetensors", "model2vec") from None
        files = self.files
        layout, vectors_file, tokenizer_file = _found(files)
        try:
            tensors = load_file(vectors_file)
            tokenizer = Tokenizer.from_file(str(tokenizer_file))
        except Exception as error:
            raise _unreadable(files, str(error)) from None
        if layout.name not in tensors:
            raise _unreadable(files, f"it has no table '{layout.name}' but {', '.join(sorted(tensors))}")
        return _table(tensors, layout, tokenizer, files)


def _table(tensors: dict[str, Any], layout: _Layout, tokenizer: Any, files: ModelFiles) -> StaticTable:
    vectors = np.ascontiguousarray(tensors[layout.name], np.float32)
    words = tokenizer.get_vocab()
    rows, weights = tensors.get("mapping"), tensors.get("weights")
    tokens = max(words.values()) + 1
    if rows is None and tokens > len(vectors):
        raise _unreadable(files, f"its tokeniser has {tokens:,} tokens, its table {len(vectors):,} vectors")
    config = files.settings(layout.config)
    longest = config.get("max_length", _LONGEST)
    return StaticTable(
        tokenizer,
        vectors,
        rows=None if rows is None else np.asarray(rows, np.int64),
        weights=None if weights is None else np.asarray(weights, np.float32),
        unknown=_unknown_token(tokenizer),
        longest=longest,
        characters=None if longest is None else longest * _median_length(list(words)),
        is_normalized=_is_normalized(files, config),
    )


def _found(files: ModelFiles) -> tuple[_Layout, Path, Path]:
    """The layout of the folder and the paths of the table and the tokeniser."""
    for layout in _LAYOUTS:
        found = files.file(layout.vectors), files.file(layout.tokenizer), files.file(layout.config)
        if found[0] and found[1] and found[2]:
            return layout, found[0], found[1]
    raise _unreadable(files, "it has no model.safetensors, tokenizer.json and config.json")


def _is_normalized(files: ModelFiles, config: dict[str, Any]) -> bool:
    if "normalize" in config:
        return bool(config["normalize"])
    path = files.file("modules.json")
    return path is not None and ".Normalize" in path.read_text(encoding="utf-8")


def _unknown_token(tokenizer: Any) -> int | None:
    """The token for what the tokeniser does not know; the package model2vec leaves it out of the mean, too."""
    model = json.loads(tokenizer.to_str())["model"]
    if model.get("unk_token") is not None:
        number: int | None = tokenizer.token_to_id(model["unk_token"])
        return number
    unknown: int | None = model.get("unk_id")
    return unknown


def _median_length(words: Sequence[str]) -> int:
    """Half the tokens have at most this many characters; texts are cut by it before they are tokenised."""
    lengths: NDArray[np.int64] = np.fromiter(map(len, words), np.int64, len(words))
    return int(np.median(lengths))


def _unreadable(files: ModelFiles, why: str) -> ArgumentError:
    return ArgumentError(
        f"is no static model: {why}",
        where=f"model '{files.reference}'",
        remedy="name a model that model2vec saved, or use encoder(...) for any other",
    )
