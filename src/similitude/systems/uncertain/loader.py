"""Opens an uncertain model that was trained by Similitude, as networks with their tokeniser."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import Backbone, OpenedNetwork, open_backbone, token_reader
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.text_model import EvidenceModel, Text, TextModel, TokenModel
from similitude.models.files import ModelFiles
from similitude.systems.conditional.input_text import texts_of_pair
from similitude.systems.conditional.loader import fill_head, head_weights
from similitude.systems.evidence import Evidence
from similitude.systems.uncertain.architecture import (
    ARCHITECTURE_FILE,
    EVIDENCE_FILE,
    SYSTEM,
    Architecture,
    member_file,
)

if TYPE_CHECKING:
    from similitude.systems.uncertain.network import UncertainNetwork

__all__ = [
    "PASSES_AT_ONCE",
    "ModelFolder",
    "build_network",
    "evidence_of",
    "folder_of",
    "head_of_member",
    "open_members",
    "open_network",
]

PASSES_AT_ONCE = {"cpu": 4, "cuda": 8}
"""Passes per batch: masks for several passes at once are cheaper, and a GPU has room for more rows."""


class ModelFolder(NamedTuple):
    """The description of a trained model in its folder.

    Attributes:
        architecture: the architecture of every member.
        members: the number of networks, each trained with its own seed.
        recalibration: the record of the recalibration of sigmas; None for none.
        evidence: the record of the evidence; None for none.
    """

    architecture: Architecture
    members: int
    recalibration: dict[str, Any] | None
    evidence: dict[str, Any] | None


def folder_of(files: ModelFiles) -> ModelFolder:
    """The description in a model's folder.

    Raises:
        ArgumentError: the folder contains no uncertain model.
    """
    record = files.settings(ARCHITECTURE_FILE)
    where = f"model '{files.reference}'"
    if record.get("system") != SYSTEM:
        other = "conditional" if "architecture" in record else "encoder"
        raise ArgumentError(
            "was not trained by 'similitude train uncertain'",
            where=where,
            remedy=f"train it, or use the model as it is: {other}({files.reference})",
        )
    return ModelFolder(
        Architecture.from_record(record["architecture"], files.reference),
        int(record.get("members", 1)),
        record.get("recalibration"),
        record.get("evidence"),
    )


def evidence_of(files: ModelFiles, folder: ModelFolder) -> Evidence | None:
    """The evidence of a trained model; None for none.

    Raises:
        ArgumentError: a file is missing or damaged, or a source of evidence cannot be created.
    """
    if folder.evidence is None:
        return None
    path = files.file(EVIDENCE_FILE)
    if path is None:
        raise _missing(EVIDENCE_FILE, files)
    where = f"model '{files.reference}'"
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile):
        raise ArgumentError(f"{EVIDENCE_FILE} is damaged", where=where, remedy="train it again") from None
    try:
        return Evidence.from_record(folder.evidence, arrays)
    except ArgumentError as error:
        raise ArgumentError(error.what, where=error.where or where, remedy=error.remedy) from None


def open_network(how: LoadOptions, architecture: Architecture, *, evidence: Evidence | None = None) -> OpenedNetwork:
    """A trained network with the weights in its folder.

    Args:
        how: how to load it.
        architecture: the architecture of the network.
        evidence: the evidence, if any.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, or does not read plain text through a transformer.
    """
    backbone = open_backbone(how, how.files.settings(ARCHITECTURE_FILE).get("longest"))
    opened = build_network(backbone, architecture, how.files, evidence)
    fill_head(opened.network, how.files)
    return opened


def build_network(
    backbone: Backbone, architecture: Architecture, files: ModelFiles, evidence: Evidence | None
) -> OpenedNetwork:
    """A network on a backbone, with a randomly initialised head, and the model that reads for it.

    Args:
        backbone: already loaded.
        architecture: the architecture of the network.
        files: the files of the backbone, for the error.
        evidence: the evidence, if any.

    Raises:
        ArgumentError: the model does not read plain text.
    """
    network = _built(backbone, architecture)
    reader = replace(
        token_reader(backbone, network.rows, files),
        template=architecture.template,
        side_template=architecture.side_template,
        tail_mark=architecture.mark if backbone.model.tokenizer.sep_token else "",
    )
    if evidence is not None:
        reader = _evident(reader, evidence, architecture)
    return OpenedNetwork(network.eval(), reader, backbone.model)


def open_members(how: LoadOptions, folder: ModelFolder, passes: int, evidence: Evidence | None = None) -> TextModel:
    """All members of a model; for each text, they compute the output of every member in every pass.

    Args:
        how: how to load them.
        folder: the description in the folder.
        passes: passes of MC-Dropout; 0 for none.
        evidence: the evidence, if any.

    Raises:
        ArgumentError: weights are missing or do not fit, or there is no dropout for passes.
    """
    from similitude.models.encoders.recorded_forward import recorded_on_gpu
    from similitude.systems.uncertain.mc_dropout import has_dropout, run_passes

    first = open_network(how, folder.architecture, evidence=evidence)
    networks = [first.network, *(_member(how, folder, number) for number in range(1, folder.members))]
    at_once = PASSES_AT_ONCE.get(first.reader.device.partition(":")[0], 1)
    if passes and not has_dropout(first.network):
        raise ArgumentError(
            f"has no dropout, so {passes} passes would all be equal",
            where=f"model '{how.files.reference}'",
            remedy="train it with --dropout 0.1, or leave passes out",
        )
    for network in networks:
        network.train(passes > 0)

    def forward(tokens: dict[str, Any]) -> Any:
        import torch

        if passes:
            outputs = [run_passes(network.rows, tokens, passes, at_once) for network in networks]
        else:
            outputs = [network.rows(tokens) for network in networks]
        return torch.cat([rows.float() for rows in outputs], dim=-1)

    return replace(first.reader, forward=forward if passes else recorded_on_gpu(forward, first.reader.device))


def head_of_member(files: ModelFiles, number: int) -> dict[str, NDArray[np.float32]]:
    """The two layers of a member's head as arrays, without torch."""
    if number == 0:
        return head_weights(files)
    from safetensors.numpy import load_file

    weights = load_file(_member_path(files, number))
    return {
        name.removeprefix("head."): np.asarray(value, np.float32)
        for name, value in weights.items()
        if name.startswith("head.")
    }


def _evident(reader: TokenModel, evidence: Evidence, architecture: Architecture) -> EvidenceModel:
    shape = architecture.of_texts

    def gather(texts: Sequence[Text]) -> NDArray[np.float32]:
        pairs = [texts_of_pair(shape, text) for text in texts if isinstance(text, tuple)]
        conditions = [pair.condition for pair in pairs] if architecture.needs_condition else None
        return evidence.of(Items.from_pairs([pair.left for pair in pairs], [pair.right for pair in pairs], conditions))

    own = {field.name: getattr(reader, field.name) for field in fields(reader)}
    return EvidenceModel(**own, gather=gather)


def _built(backbone: Backbone, architecture: Architecture) -> UncertainNetwork:
    from similitude.systems.uncertain.network import UncertainNetwork

    network = UncertainNetwork(backbone.transformer, architecture, backbone.width, reads_forward=backbone.reads_forward)
    # The head stays in float32 even if the backbone is in half precision; the cost is negligible.
    return network.to(backbone.model.device)


def _member(how: LoadOptions, folder: ModelFolder, number: int) -> UncertainNetwork:
    from safetensors.torch import load_file

    network: UncertainNetwork = open_network(how, folder.architecture).network
    try:
        network.load_state_dict(load_file(_member_path(how.files, number)))
    except RuntimeError as error:
        why = " ".join(str(error).split())[:200]
        raise ArgumentError(
            f"{member_file(number)} does not fit {ARCHITECTURE_FILE}: {why}", where=f"model '{how.files.reference}'"
        ) from None
    return network


def _member_path(files: ModelFiles, number: int) -> Any:
    path = files.file(member_file(number))
    if path is None:
        raise _missing(member_file(number), files)
    return path


def _missing(file: str, files: ModelFiles) -> ArgumentError:
    return ArgumentError(
        f"{file} is missing",
        where=f"model '{files.reference}'",
        remedy="copy all files of the model, or train it again",
    )
