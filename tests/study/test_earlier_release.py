"""Records as the release before wrote them: model folders and runs of then still open."""

import json
from dataclasses import asdict

import numpy as np

import similitude as sim
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.systems.conditional.architecture import Architecture as ConditionalArchitecture
from similitude.systems.record import SystemRecord
from similitude.systems.uncertain.architecture import Architecture as UncertainArchitecture

CONDITIONAL = (
    '{"encoding": "bi", "pooling": "mean", "mlp": false, "combination": "hadamard", "place": "before", '
    '"reads": "sentences", "separator": "[SEP]"}'
)
UNCERTAIN = (
    '{"encoding": "joint", "pooling": "mean", "head": "gaussian", "components": 3, "bins": 21, "hidden": 0, '
    '"dropout": 0.1, "floor": 0.005, "low": 0.0, "high": 5.0, "separator": 3, "evidence": 0, "template": ""}'
)
LEVENSHTEIN = (
    '{"identity": "levenshtein", "name": "levenshtein", "arguments": {"lowercase": true}, "range": "0..1", '
    '"reads": [], "fitted_on": null, "model": null, "similitude": "0.1.0", "seconds": 0.0029, "notes": []}'
)


def test_models():
    bi = ConditionalArchitecture.from_record(json.loads(CONDITIONAL), "folder")
    assert (bi.encoding, bi.reads) == ("bi", "sentences")
    assert bi.record() == json.loads(CONDITIONAL)
    joint = UncertainArchitecture.from_record(json.loads(UNCERTAIN), "folder")
    assert (joint.head, joint.outputs, joint.scale.high) == ("gaussian", 2, 5)
    assert joint.record() == json.loads(UNCERTAIN)


def test_the_record_of_a_system_says_nothing_of_its_code():
    before = SystemRecord.from_record(json.loads(LEVENSHTEIN))
    assert (before.identity, before.code) == ("levenshtein", None)


def test_predictions_of_a_run(tmp_path):
    benchmark = sim.read("sample:opinions")
    folder = RunFolder(tmp_path / "run")
    folder.claim(BenchmarkRecord.of(benchmark, None))
    record = SystemRecord.from_record(json.loads(LEVENSHTEIN))
    scores = np.linspace(0, 1, len(benchmark))
    folder.remember(record, benchmark.items, sim.Predictions(scores))
    [file] = (tmp_path / "run" / "predictions").glob("levenshtein-*.json")
    then = {name: value for name, value in asdict(record).items() if name != "code"}
    file.write_text(json.dumps(then), encoding="utf-8")
    found = folder.recall(record, benchmark.items)
    assert found is not None
    assert found[0].scores.tolist() == scores.tolist()
