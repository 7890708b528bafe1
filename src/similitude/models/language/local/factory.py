"""Opening a language model by folder, hub id or GGUF file."""

from __future__ import annotations

from pathlib import Path

from similitude.errors import ArgumentError
from similitude.models.encoders.loader import Dtype
from similitude.models.language.local.loader import where_to_compute
from similitude.models.language.local.model import LocalModel
from similitude.models.language.local.model_store import ModelStore, usual_kept
from similitude.models.language.local.origin import ModelOrigin
from similitude.models.language.local.package_weights import in_package

__all__ = ["open_local"]


def open_local(
    model: str,
    *,
    revision: str | None = None,
    device: str | None = None,
    dtype: Dtype = "auto",
    chat: bool | None = None,
    tokens: int | None = None,
    kept: Path | None = None,
) -> LocalModel:
    """A language model on this machine, causal or with an encoder. Nothing is loaded before it is asked.

    Args:
        model: a folder, a name on the hub, or a GGUF file, which is converted once and kept; ``package:NAME`` for the
            GGUF file that an installed package brings.
        revision: a branch, tag or commit on the hub.
        device: as torch writes it; None for a GPU where there is one.
        dtype: the precision to compute in. "auto" is float32 on a CPU, and on a GPU bfloat16 where it can.
        chat: whether messages go through the tokeniser's chat template; None where it has one.
        tokens: read at a time; None for 2,048 on a CPU, 4,096 on a GPU, and 8,192 there for answers. It changes nothing
            but the time, and sums in their last digits.
        kept: the folder where converted weights and hashes are kept; None for the usual cache.

    Raises:
        ArgumentError: the device is none, or cannot compute in that precision.
        MissingExtraError: torch is not installed.
    """
    if tokens is not None and tokens < 1:
        raise ArgumentError(f"tokens={tokens} is not valid", remedy="give tokens as 1 or more, or leave it out")
    where = where_to_compute(device, dtype)
    origin = ModelOrigin(in_package(model), revision, usual_kept() if kept is None else ModelStore(kept))
    return LocalModel(origin=origin, where=where, chat=chat, tokens=tokens)
