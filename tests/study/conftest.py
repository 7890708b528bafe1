"""What tests of this room share."""

import sys
from pathlib import Path

import pytest

from similitude.systems import SYSTEMS

sys.path.insert(0, str(Path(__file__).parent))  # modules named *_fakes are imported by several tests


@pytest.fixture
def teacher(monkeypatch) -> None:
    """The teacher of `teacher_fakes` is a system, and nobody has asked it yet."""
    from teacher_fakes import Teacher

    monkeypatch.setitem(SYSTEMS._makers, Teacher.name, Teacher)
    Teacher.asked.clear()
