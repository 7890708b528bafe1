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
def one_thread():
    torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def bert(tiny_bert, letters) -> Path:
    for name in ("torch", "transformers", "sentence_transformers"):
        pytest.importorskip(name, reason="the extra 'encoders' is not installed")
    return tiny_bert([*letters, *string.punctuation], num_hidden_layers=2, initializer_range=0.3)


@pytest.fixture(scope="session")
def build(bert, tmp_path_factory) -> Callable[..., Path]:
    """A folder as training leaves it, with random heads."""
    import torch
    from safetensors.torch import save_file

    from similitude.systems.conditional.network import head_of
    from similitude.systems.encoders.loading import How
    from similitude.systems.encoders.sources import Source
    from similitude.systems.uncertain.architecture import Architecture, member_file
    from similitude.systems.uncertain.opening import open_network

    def save(*, members: int = 1, recalibration: dict | None = None, **options) -> Path:
        folder = tmp_path_factory.mktemp("trained")
        architecture = Architecture(**{"low": 0.0, "high": 5.0} | options)
        for member in range(members):
            torch.manual_seed(member + 1)
            opened = open_network(How(Source(str(bert)), "cpu", "float32"), architecture, is_new=True)
            if member:
                save_file(opened.network.state_dict(), folder / member_file(member))
                continue
            opened.network.transformer.save_pretrained(folder)
            opened.backbone.tokenizer.save_pretrained(folder)
            save_file(head_of(opened.network), folder / "head.safetensors")
        record = {"system": "uncertain", "architecture": architecture.record(), "members": members}
        record |= {"longest": opened.reader.longest, "recalibration": recalibration}
        (folder / "similitude.json").write_text(json.dumps(record))
        return folder

    return save
