"""``sim.conditions`` and ``similitude conditions``: conditions that a language model writes, as a benchmark."""

import json

import pytest
from scripted_model import ScriptedModel

import similitude as sim
from similitude.errors import ArgumentError
from similitude.study import pair_conditions
from similitude.systems.prompted.named_model import named_language_model
from similitude.systems.prompted.system import Prompted

DATA = [("A red car.", "A red bus."), ("Two dogs.", "A cat."), ("A bus.", "A van.")]


@pytest.fixture
def model(monkeypatch) -> ScriptedModel:
    model = ScriptedModel(lambda question: "High: the colour\nLow: the kind")
    monkeypatch.setattr(pair_conditions, "named_language_model", lambda named: Prompted(named).with_model(model))
    return model


def test_a_benchmark_without_gold(model, tmp_path):
    made = sim.conditions(DATA, language_model="scripted", limit=2, quiet=True)
    assert len(model.asked) == 2
    assert made.items.conditions == ["the colour", "the kind"] * 2
    assert sim.read(sim.write(made, tmp_path / "made.jsonl")).items.frame.equals(made.items.frame)
    sim.conditions(DATA, language_model="scripted", quiet=True)
    assert len(model.asked) == 3, "answers are kept"


def test_the_command(model, tmp_path, capsys, monkeypatch):
    from similitude.cli.app import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.csv").write_text("left,right\n" + "\n".join(",".join(pair) for pair in DATA))
    assert run(["conditions", "pairs.csv", "--language-model", "m", "--out", "c.csv", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"model": "scripted", "pairs": 3, "items": 6, "left_out": {}, "file": "c.csv"}
    assert len(sim.read(tmp_path / "c.csv").items) == 6
    model.asked.clear()
    with pytest.raises(ArgumentError, match=r"the name 'c\.doc' does not tell the format"):
        run(["conditions", "pairs.csv", "--language-model", "m", "--out", "c.doc", "--no-cache"])
    assert not model.asked, "refused before anything is asked"


def test_no_answer_that_can_be_used(model):
    model.says = lambda question: "They are alike."
    wanted = r"scripted wrote no conditions that can be used: 3 of 3 pairs got no conditions \(100 %\): 3 no two lines"
    with pytest.raises(ArgumentError, match=wanted):
        sim.conditions(DATA, language_model="scripted", quiet=True)
    with pytest.raises(ArgumentError, match="limit 0 leaves no pair"):
        sim.conditions(DATA, language_model="scripted", limit=0, quiet=True)


def test_who_can_write():
    assert named_language_model("folder/of-weights").url is None
    with pytest.raises(ArgumentError, match=r"'levenshtein\(\)' has no language model that could write; name a model"):
        named_language_model("levenshtein()")
