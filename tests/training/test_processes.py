"""Who trains together: what accelerate says, and what is refused."""

import sys
from types import SimpleNamespace

import pytest

from similitude.errors import ArgumentError

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from similitude.training.processes import Processes  # noqa: E402


@pytest.fixture
def accelerate(monkeypatch):
    """Stands for accelerate, which sees as many processes as it is told."""

    def launched(started: int, seen: int, rank: int = 0, told: list | None = None) -> None:
        accelerator = SimpleNamespace(num_processes=seen, process_index=rank)
        broadcast = SimpleNamespace(broadcast_object_list=lambda own: own if told is None else told)
        monkeypatch.setitem(sys.modules, "accelerate", SimpleNamespace(Accelerator=lambda: accelerator))
        monkeypatch.setitem(sys.modules, "accelerate.utils", broadcast)
        monkeypatch.setenv("WORLD_SIZE", str(started))

    return launched


def test_one_alone_needs_no_accelerate(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    monkeypatch.setitem(sys.modules, "accelerate", None)
    alone = Processes.here()
    assert (alone.count, alone.is_first, alone.from_first(lambda: [0.5])) == (1, True, [0.5])


def test_the_second_hears_what_the_first_computed(accelerate):
    accelerate(2, 2, rank=1, told=[[0.25, 0.5]])
    assert Processes.here().from_first(lambda: pytest.fail("only the first computes")) == [0.25, 0.5]


def test_processes_that_do_not_see_each_other_are_refused(accelerate):
    accelerate(2, 1)
    with pytest.raises(ArgumentError, match="2 processes were started, but accelerate sees 1; without GPUs"):
        Processes.here()
