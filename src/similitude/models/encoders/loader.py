"""Loads models with sentence-transformers, which is imported only here and only when a model is needed."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.encoders.text_model import Text, TextModel, TokenModel, WholeTextModel
from similitude.models.encoders.token_lists import Cut
from similitude.models.files import ModelFiles

__all__ = [
    "Backend",
    "Dtype",
    "LoadOptions",
    "Pooling",
    "open_model",
    "quiet_libraries",
    "token_model",
    "usable_cores",
    "usable_device",
]

Dtype = Literal["auto", "float32", "float16", "bfloat16"]
Backend = Literal["float", "int8"]
Pooling = Literal["auto", "mean", "cls", "first-last"]

TOKENS_ON_CPU, TOKENS_ON_GPU, TOKENS_ON_GPU_IN_HALF = 256, 4096, 16_384
"""Default tokens per batch. One core is as fast with 256 as with 2,048, and more would only mean more copies in batches
that are not full; a GPU needs many, and more in half precision, where it computes faster than kernels are launched.
"""

_BATCHES_ON_GPU = 3
"""Batches in flight on a GPU: one thread waits for its rows while the others launch the next batches."""


class LoadOptions(NamedTuple):
    """How to load a model.

    Attributes:
        device: a torch device; None for a GPU if there is one, else the CPU.
        dtype: the precision to compute in. "auto" is the model's own on a GPU and float32 on a CPU, where half
            precision is slow or missing.
        backend: "int8" computes linear layers in 8-bit integers, on a CPU.
    """

    files: ModelFiles
    device: str | None
    dtype: Dtype
    backend: Backend = "float"


def open_model(how: LoadOptions, kind: Literal["SentenceTransformer", "CrossEncoder"]) -> Any:
    """Load a model with sentence-transformers.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        ArgumentError: there is no such device, it has no 8-bit integers, or the model cannot be loaded.
    """
    try:
        import sentence_transformers
        import torch
    except ImportError:
        raise MissingExtraError("sentence-transformers", "encoders") from None
    device = usable_device(how.device)
    if how.backend == "int8":
        _refuse_int8_elsewhere(how, device)
    dtype = "auto" if how.dtype == "auto" else getattr(torch, how.dtype)
    options = {
        "device": device,
        "revision": how.files.commit,
        "local_files_only": how.files.is_folder,
        "model_kwargs": {"dtype": torch.float32 if how.dtype == "auto" and device == "cpu" else dtype},
    }
    with quiet_libraries():
        try:
            model = getattr(sentence_transformers, kind)(how.files.reference, **options).eval()
        except Exception as error:
            raise _not_loaded(how.files, error) from error
    if how.backend == "int8":
        from similitude.models.encoders.int8_linear import quantise_linear_layers

        quantise_linear_layers(model)
    return model


def _refuse_int8_elsewhere(how: LoadOptions, device: str) -> None:
    if not device.startswith("cpu"):
        remedy = "add device=cpu; on a GPU, use dtype=bfloat16 instead"
        raise ArgumentError(f"backend=int8 computes on a CPU, not on device={device}", remedy=remedy)
    if how.dtype not in ("auto", "float32"):
        raise ArgumentError(f"dtype={how.dtype} is not valid with backend=int8", remedy="leave dtype out")


def usable_device(asked: str | None) -> str:
    """The requested device; by default a GPU if there is one.

    Raises:
        ArgumentError: there is no such device.
    """
    import torch

    if asked is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=asked)
    except (RuntimeError, AssertionError) as error:
        why = str(error).partition("\n")[0]
        remedy = "use device=cpu or cuda:0" if torch.cuda.is_available() else "use device=cpu"
        raise ArgumentError(f"device={asked} cannot be used ({why})", remedy=remedy) from None
    return asked


def _not_loaded(files: ModelFiles, error: Exception) -> ArgumentError:
    why = " ".join(str(error).split()) or type(error).__name__
    return ArgumentError(
        f"sentence-transformers cannot load it: {why[:300]}",
        where=f"model '{files.reference}'",
        remedy="make sure that all files of the model are present; models that need their own code are not supported",
    )


def token_model(
    model: Any,
    forward: Callable[[dict[str, Any]], Any],
    whole: Callable[[list[Text], str], NDArray[np.float32]],
    *,
    is_plain: bool = False,
    cut: Cut = "longest_first",
) -> TextModel:
    """Wrap a loaded model: as a `TokenModel` if it takes plain tokens, otherwise as a `WholeTextModel`.

    Args:
        model: the model of sentence-transformers.
        forward: maps a dict of tensors to a tensor with one row per text.
        whole: maps texts and a prompt to one row per text.
        is_plain: whether texts are read as they are, even if the model has a chat template.
        cut: how pairs that are too long are cut.
    """
    on_cpu = model.device.type == "cpu"
    tokens = TOKENS_ON_CPU if on_cpu else _tokens_on_gpu(model)
    if not (_takes_text(model) and (is_plain or _takes_nothing_else(model))):
        return WholeTextModel(compute=whole, tokens=tokens)
    return TokenModel(
        tokenizer=model.tokenizer,
        forward=forward,
        device=str(model.device),
        longest=_longest(model),
        workers=usable_cores() if on_cpu else _BATCHES_ON_GPU,
        cut=cut,
        tokens=tokens,
        pools_prompt=all(getattr(module, "include_prompt", True) for module in model),
    )


def _tokens_on_gpu(model: Any) -> int:
    return TOKENS_ON_GPU if next(model.parameters()).element_size() > 2 else TOKENS_ON_GPU_IN_HALF


def _takes_text(model: Any) -> bool:
    """Whether the first module is a transformer that reads text through a tokeniser."""
    from sentence_transformers.base.modules import Transformer
    from transformers import PreTrainedTokenizerBase

    first = model[0]
    return (
        isinstance(first, Transformer)
        and isinstance(first.processor, PreTrainedTokenizerBase)
        and "text" in first.modality_config
    )


def _takes_nothing_else(model: Any) -> bool:
    """Whether only the tokeniser stands between a text and its tokens: no chat template, no flattening."""
    first = model[0]
    return not ("message" in first.modality_config or first.processing_kwargs or first.can_flatten_inputs)


def _longest(model: Any) -> int:
    """The maximum number of tokens: the tokeniser's limit, but at most the number of position embeddings."""
    positions = [
        module.position_embeddings.num_embeddings - (module.padding_idx + 1 if _counts_from_padding(module) else 0)
        for module in model[0].model.modules()
        if hasattr(getattr(module, "position_embeddings", None), "num_embeddings")
    ]
    return int(min([model.max_seq_length or 1_000_000, 1_000_000, *positions]))


def _counts_from_padding(module: Any) -> bool:
    """Whether positions start after the padding index, as in RoBERTa, so that two of them are unused."""
    return isinstance(getattr(module, "padding_idx", None), int)


def usable_cores() -> int:
    """The number of cores that torch may use; in a container, fewer than the machine has."""
    import torch

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, int(torch.get_num_threads())))


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Suppress progress bars and warnings of the libraries; what matters is raised or passed to the listener."""
    from transformers.utils import logging as their_logging

    package = logging.getLogger("sentence_transformers")
    level, verbosity, bars = package.level, their_logging.get_verbosity(), their_logging.is_progress_bar_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package.setLevel(logging.ERROR)
        their_logging.set_verbosity_error()
        their_logging.disable_progress_bar()
        try:
            yield
        finally:
            package.setLevel(level)
            their_logging.set_verbosity(verbosity)
            if bars:
                their_logging.enable_progress_bar()
