"""A trained model says that it is asked about pairs that it has learned."""

import json
from pathlib import Path

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.listeners import NoteKeeper
from similitude.inspect.pair_sketch import pair_sketch
from similitude.systems.learned_pairs import note_learned_pairs, pair_sketch_of

LEARNED = Benchmark.from_columns(left=["A cat.", "A dog."], right=["One cat.", "Rain."])
ASKED = Benchmark.from_columns(left=["one  cat.", "A cow."], right=["A CAT.", "Snow."]).items


def told(sketch, items=ASKED):
    heard = NoteKeeper(None)
    note_learned_pairs(sketch, items, "my-model", heard)
    return heard.notes


def test_pairs_are_known_again_in_either_order():
    [note] = told(pair_sketch([LEARNED]))
    assert note.startswith("'my-model' was trained or validated on pairs of these items (1 of the 2 that it remembers)")


def test_new_pairs_and_older_models_tell_nothing():
    assert told(pair_sketch([LEARNED]), ASKED.take(np.array([1]))) == []
    assert pair_sketch_of({"data": {"name": "older"}}) == pair_sketch_of({}) == ()
    assert told(()) == []


@pytest.mark.parametrize("kind", ["conditional", "uncertain", "gpr"])
def test_every_trained_kind_tells(kind, tmp_path, request):
    from similitude.systems import make_system
    from similitude.training import MseQuad, Recipe
    from similitude.training.gaussian_process.recipe import GprRecipe
    from similitude.training.gaussian_process.request import GprRequest
    from similitude.training.splits import SeveralData, TrainingData

    pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
    from similitude.training import train

    def pairs(start: int) -> Benchmark:
        numbers = range(start, start + 20)
        return Benchmark.from_columns(
            "pairs",
            scale="0..4",
            left=[f"text {number}" for number in numbers],
            right=[f"other {number}" for number in numbers],
            score=[float(number % 5) for number in numbers],
            sigma=[0.5 + number % 2 for number in numbers],
        )

    one, other = pairs(0), pairs(100)
    folder = tmp_path / "model"
    if kind == "gpr":
        recipe = GprRecipe(epochs=1)
        train.train_gpr(SeveralData((one,), (other,)), GprRequest(encoder="use", recipe=recipe), folder, cache=None)
    else:
        bert = str(request.getfixturevalue("tiny_bert")([*"abcdefghijklmnopqrstuvwxyz0123456789"]))
        recipe = Recipe(epochs=1, batch=8)
        if kind == "conditional":
            from similitude.training.conditional.request import PairArchitecture

            kinds = {"architecture": PairArchitecture(), "objective": MseQuad(quad=0.0)}
            wanted = train.SimilarityRequest(model=bert, recipe=recipe, device="cpu", **kinds)
            train.train_model(TrainingData(one, other), wanted, folder, cache=None)
        else:
            opinions = train.OpinionRequest(model=bert, recipe=recipe, device="cpu")
            train.train_opinions(SeveralData((one,), (other,)), opinions, folder, cache=None)
    assert len(json.loads((Path(folder) / "similitude.json").read_text())["data"]["pair_sketch"]) == 40
    for items, expected in ((one.items.take(np.arange(3)), ["(3 of the 40"]), (pairs(500).items, [])):
        heard = NoteKeeper(None)
        make_system(f"{kind}({folder})").with_listener(heard).score(items)
        notes = [note for note in heard.notes if "was trained or validated on" in note]
        assert [want in note for want, note in zip(expected, notes, strict=True)] == [True] * len(expected)
