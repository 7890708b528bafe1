"""What tests of models of opinions share: a model so small that a step takes a millisecond, and folders made of it."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from pathlib import Path

import pytest

LEFTS = ["a red car", "two dogs run", "a man sings", "rain on a tin roof", "a red car", "no"]
RIGHTS = ["a red bus", "three dogs sleep", "a woman sings aloud", "snow", "a blue car", "yes"]


@pytest.fixture
def pairs() -> tuple[list[str], list[str]]:
    return LEFTS, RIGHTS


@pytest.fixture(autouse=True)
def on_one_thread(one_thread):
    """Every test of this room."""


@pytest.fixture(scope="session")
def bert(tiny_bert, letters) -> Path:
    for name in ("torch", "transformers", "sentence_transformers"):
        pytest.importorskip(name, reason="the extra 'encoders' is not installed")
    return tiny_bert([*letters, *string.punctuation], num_hidden_layers=2, initializer_range=0.3)


@pytest.fixture(scope="session")
def build(bert, tmp_path_factory) -> Callable[..., Path]:
    """A folder as training leaves it, with random heads, on the tiny BERT or another model."""
    import numpy as np
    import torch
    from safetensors.torch import save_file

    from similitude.models.encoders.loader import LoadOptions
    from similitude.models.files import ModelFiles
    from similitude.systems.conditional.network import head_of
    from similitude.systems.uncertain.architecture import Architecture, member_file
    from similitude.training.uncertain.initial_network import InitialNetwork, build_initial_network

    def save(*, model: Path = bert, members: int = 1, recalibration=None, evidence=None, **options) -> Path:
        folder = tmp_path_factory.mktemp("trained")
        width = 0 if evidence is None else len(evidence.names)
        architecture = Architecture(**{"low": 0.0, "high": 5.0, "evidence": width} | options)
        for member in range(members):
            torch.manual_seed(member + 1)
            start = InitialNetwork(architecture, pooling=architecture.pooling)
            opened = build_initial_network(LoadOptions(ModelFiles(str(model)), "cpu", "float32"), start)
            if member:
                save_file(opened.network.state_dict(), folder / member_file(member))
                continue
            opened.network.transformer.save_pretrained(folder)
            opened.backbone.tokenizer.save_pretrained(folder)
            save_file(head_of(opened.network), folder / "head.safetensors")
        record = {"system": "uncertain", "architecture": architecture.record(), "members": members}
        record |= {"longest": opened.reader.longest, "recalibration": recalibration}
        if evidence is not None:
            record["evidence"] = evidence.record()
            np.savez(folder / "evidence.npz", **evidence.arrays())
        (folder / "similitude.json").write_text(json.dumps(record))
        return folder

    return save
