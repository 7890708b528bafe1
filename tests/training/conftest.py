"""What tests of this room share."""

import pytest

from similitude.systems import SYSTEMS


@pytest.fixture
def teacher(monkeypatch) -> None:
    """The teacher of `teacher_fakes` is a system, and nobody has asked it yet."""
    from teacher_fakes import Teacher

    monkeypatch.setitem(SYSTEMS._makers, Teacher.name, Teacher)
    Teacher.asked.clear()


@pytest.fixture
def condition_reader(monkeypatch) -> None:
    """The teacher of `teacher_fakes` that reads conditions is a system, and nobody has asked it yet."""
    from teacher_fakes import ConditionReader

    monkeypatch.setitem(SYSTEMS._makers, ConditionReader.name, ConditionReader)
    ConditionReader.asked.clear()
