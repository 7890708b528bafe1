import subprocess
import sys

import pytest

from similitude.models import device_class as devices
from similitude.models.device_class import device_class


class Notebook(dict):
    def recall(self, question):
        return self.get(question)

    def remember(self, question, answer):
        self[question] = answer


@pytest.fixture
def machine(monkeypatch):
    """A Linux machine with a GPU, on which torch is not imported and finds a device of class cuda."""
    asked = []
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(devices.sys, "platform", "linux")
    monkeypatch.setattr(devices, "_torch_version", lambda: "2.13.0")
    monkeypatch.setattr(devices, "_gpu_files", lambda: ["nvidia0", "nvidiactl"])
    monkeypatch.setattr(devices, "_by_torch", lambda: (asked.append(1), "cuda")[1])
    return asked


@pytest.mark.parametrize(("asked", "found"), [("cpu", "cpu"), ("cuda", "cuda"), ("cuda:1", "cuda"), ("mps", "mps")])
def test_what_is_asked_for_counts(asked, found, machine):
    assert device_class(asked) == found
    assert machine == []


def test_a_gpu_is_looked_for_with_torch_once_a_boot(machine, monkeypatch):
    notebook = Notebook()
    assert [device_class(None, notebook) for _ in range(3)] == ["cuda"] * 3
    assert len(machine) == 1
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert device_class(None, notebook) == "cuda"
    assert len(machine) == 2
    notebook.update(dict.fromkeys(notebook, "nonsense"))
    assert device_class(None, notebook) == "cuda"
    assert len(machine) == 3


@pytest.mark.parametrize("change", ["no GPU", "hidden", "none", "torch for CPUs", "macOS"])
def test_where_there_can_be_none_torch_is_not_asked(machine, monkeypatch, change):
    if change in ("hidden", "none"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "" if change == "hidden" else "-1")
    elif change == "no GPU":
        monkeypatch.setattr(devices, "_gpu_files", list)
    elif change == "macOS":
        monkeypatch.setattr(devices.sys, "platform", "darwin")
    else:
        monkeypatch.setattr(devices, "_torch_version", lambda: "2.13.0+cpu")
    assert device_class(None, Notebook()) == "cpu"
    assert machine == []


def test_where_torch_is_imported_it_is_asked_whatever_is_remembered(machine, monkeypatch):
    notebook = Notebook()
    device_class(None, notebook)
    monkeypatch.setitem(sys.modules, "torch", object())
    monkeypatch.setattr(devices, "_by_torch", lambda: "cpu")
    assert device_class(None, notebook) == "cpu"


def test_a_warm_fingerprint_needs_no_torch(tiny_bert, letters):
    pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    if devices._may_have_gpu():
        pytest.skip("there may be a GPU here")
    code = (
        "import sys; from similitude.systems import make_system;"
        "make_system(sys.argv[1]).model_fingerprint(); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, f"encoder({tiny_bert(letters)})"], check=True)
