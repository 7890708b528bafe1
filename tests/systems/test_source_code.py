"""Systems whose source is nowhere: typed at a prompt, or piped into Python."""

import subprocess
import sys

import numpy as np

import similitude as sim
from similitude.systems.source_code import code_of

TYPED = """
import numpy as np
import similitude as sim
from similitude.registry import Spec

class Mine:
    summary, range, reads = "x", sim.Scale(low=0, high=1), frozenset()
    identity = Spec("mine")

    def score(self, items):
        return sim.Predictions(np.linspace(0, 1, len(items)))
"""
RUN = 'print(np.isfinite(sim.run("sample:opinions", [Mine()], ["spearman"], resamples=0)["mine", "spearman"]))'


def typed() -> type:
    known: dict[str, object] = {"__name__": "typed"}
    exec(TYPED, known)
    return known["Mine"]


def test_a_class_without_source_is_itself_and_no_other():
    one, other = typed(), typed()
    assert code_of(one()) == code_of(one())
    assert code_of(one()) != code_of(other())


def test_a_class_without_source_runs():
    assert np.isfinite(sim.run("sample:opinions", [typed()()], ["spearman"], resamples=0)["mine", "spearman"])


def test_a_script_on_standard_input_runs():
    done = subprocess.run(
        [sys.executable, "-"], input=f"{TYPED}\n{RUN}\n", capture_output=True, text=True, check=False, timeout=100
    )
    assert done.stdout == "True\n", done.stderr


def test_a_command_runs():
    done = subprocess.run(
        [sys.executable, "-c", f"{TYPED}\n{RUN}\n"], capture_output=True, text=True, check=False, timeout=100
    )
    assert done.stdout == "True\n", done.stderr
