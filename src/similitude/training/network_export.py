"""A trained network written into its folder, as transformers and sentence-transformers read it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.encoders.loader import quiet_libraries
from similitude.systems.conditional.architecture import HEAD_FILE, Architecture
from similitude.systems.uncertain.architecture import EVIDENCE_FILE, member_file
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.checkpoints import with_os_errors

__all__ = ["export_network"]

_UNFINISHED = ".export.tmp"


def export_network(
    folder: Path,
    backbone: Any,
    network: Any,
    *,
    members: Sequence[Mapping[str, Any]] = (),
    arrays: Mapping[str, NDArray[Any]] | None = None,
) -> None:
    """Write the files of a model; they are moved into the folder once all are complete.

    Args:
        folder: where to write.
        backbone: as sentence-transformers loaded it.
        network: the first or only member.
        members: weights of the other members of an ensemble.
        arrays: what the model needs beside its weights.

    Raises:
        ArgumentError: something cannot be written.
    """
    draft = folder / _UNFINISHED
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir()
        with quiet_libraries():
            with_os_errors(lambda path: _save_model(path, backbone, network, members))(draft)
        if arrays:
            np.savez(draft / EVIDENCE_FILE, **arrays)  # type: ignore[arg-type]
        _move_files(draft, folder)
    except OSError as error:
        what = f"the model cannot be written: {error.strerror or error}"
        remedy = "free some space and run the same command again; the training is kept"
        raise ArgumentError(what, where=str(folder), remedy=remedy) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _move_files(draft: Path, folder: Path) -> None:
    for path in sorted(draft.rglob("*")):
        if path.is_file():
            target = folder / path.relative_to(draft)
            target.parent.mkdir(exist_ok=True)
            path.replace(target)


def _save_model(folder: Path, backbone: Any, network: Any, members: Sequence[Mapping[str, Any]]) -> None:
    from safetensors.torch import save_file

    for number, weights in enumerate(members, 1):
        save_file(dict(weights), folder / member_file(number))
    architecture: Architecture | OpinionArchitecture = network.architecture
    if isinstance(architecture, Architecture) and architecture.opens_with:
        _save_modules(folder, backbone, network, architecture)
    else:
        network.transformer.save_pretrained(folder)
        backbone.tokenizer.save_pretrained(folder)
    if len(network.head):
        from similitude.systems.conditional.network import head_of

        save_file(head_of(network), folder / HEAD_FILE)


def _save_modules(folder: Path, backbone: Any, network: Any, architecture: Architecture) -> None:
    """Write the model as sentence-transformers opens it: transformer, pooling, and the layers after it."""
    from sentence_transformers import CrossEncoder, SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from torch import nn

    modules = [backbone[0], Pooling(network.transformer.config.hidden_size, architecture.pooling)]
    if "dense" in network.head:
        modules.append(_dense(network.head["dense"], nn.Tanh()))
    saved: Any
    if architecture.opens_with == "CrossEncoder":
        modules.append(_dense(network.head["out"], nn.Identity(), module_output_name="scores"))
        saved = CrossEncoder(modules=modules, device="cpu", activation_fn=nn.Sigmoid())
    else:
        saved = SentenceTransformer(modules=modules, device="cpu", similarity_fn_name="cosine")
    saved.save_pretrained(str(folder), create_model_card=False)


def _dense(layer: Any, activation: Any, **names: Any) -> Any:
    from sentence_transformers.base.modules import Dense

    weight, bias = (values.detach().cpu().clone() for values in (layer.weight, layer.bias))
    return Dense(weight.shape[1], weight.shape[0], True, activation, weight, bias, **names)
