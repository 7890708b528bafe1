"""What tests of Gaussian processes share."""

from __future__ import annotations

from pathlib import Path

import pytest
from rated_words import ENCODER, opinions


@pytest.fixture(scope="session")
def rated():
    """Makes benchmarks."""
    return opinions


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a process that has learned."""
    pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")
    from similitude.training.gaussian_process.recipe import GprRecipe
    from similitude.training.splits import several_training_data
    from similitude.training.train import GprRequest, train_gpr

    folder = tmp_path_factory.mktemp("process") / "trained"
    data = several_training_data([opinions()], opinions(60, seed=1))
    request = GprRequest(encoder=ENCODER, recipe=GprRecipe(inducing=50, components=6), recalibrate="scale")
    train_gpr(data, request, folder)
    return folder
