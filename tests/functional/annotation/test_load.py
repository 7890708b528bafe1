"""The load benchmark runs at its smallest size, and would notice answers that are lost or doubled."""

import importlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.mark.slow
def test_eight_annotators_at_once():
    command = [sys.executable, str(BENCHMARKS / "annotation_load.py"), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    said = " ".join(done.stdout.split())
    assert "8 annotators at once" in said
    for fault in ("lost", "doubled", "over-collected", "under-collected", "asked twice", "without code"):
        assert f"{fault} 0" in said


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        ([("x", "q0", 3), ("x", "q1", 4)], {}),
        ([("x", "q0", 3)], {"lost": 1, "under-collected": 1}),
        ([("x", "q0", 3), ("x", "q1", 5)], {"lost": 1}),  # another value than the acknowledged one
        ([("x", "q0", 3), ("x", "q1", 4), ("x", "q1", 4)], {"doubled": 2, "over-collected": 1}),
        ([("x", "q0", 3), ("x", "q1", 4), ("y", "q1", 0)], {"doubled": 1, "over-collected": 1}),
    ],
)
def test_what_the_benchmark_would_notice(monkeypatch, rows, faults):
    monkeypatch.syspath_prepend(BENCHMARKS)
    load, people = importlib.import_module("annotation_load"), importlib.import_module("annotation_people")
    person = people.Person(random.Random(0), answers={"q0": 3, "q1": 4}, code="c")
    exported = [dict(zip(("annotator", "question", "value"), row, strict=True)) for row in rows]
    found = load.compare([person], exported, people.Size(annotators=10, answers=2))
    assert {name: count for name, count in found.items() if count} == faults
