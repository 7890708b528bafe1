"""The contracts that a system, a measure, a format or any other extension must keep: ours and everybody's.

Each ``check_...`` tries one thing in every way that matters and raises an `AssertionError` that says which contract is
broken and what was seen. Put one line into the tests of your package::

    from similitude.testing import check_system

    def test_first_word():
        check_system("first-word")

`contracts` lists what is checked.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from similitude.testing.checks import check_check
    from similitude.testing.formats import check_format
    from similitude.testing.heads_and_objectives import check_head, check_objective, check_opinion_objective
    from similitude.testing.measures import check_measure
    from similitude.testing.systems import check_system
    from similitude.testing.tasks import check_task

__all__ = [
    "check_check",
    "check_format",
    "check_head",
    "check_measure",
    "check_objective",
    "check_opinion_objective",
    "check_system",
    "check_task",
    "contracts",
]

_HOMES = {
    "check_check": "checks",
    "check_format": "formats",
    "check_head": "heads_and_objectives",
    "check_measure": "measures",
    "check_objective": "heads_and_objectives",
    "check_opinion_objective": "heads_and_objectives",
    "check_system": "systems",
    "check_task": "tasks",
}


def contracts() -> str:
    """Every contract by the function that checks it, as text."""
    from similitude.testing.contract import listing

    parts = []
    for name, home in _HOMES.items():
        module = import_module(f"{__name__}.{home}")
        parts.append(f"{name}\n{listing(getattr(module, name.removeprefix('check_').upper() + '_CONTRACTS'))}")
    return "\n\n".join(parts)


def __getattr__(name: str) -> Any:
    """Load a check when it is first used: those of heads and objectives need torch."""
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
