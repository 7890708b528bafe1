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
from typing import TYPE_CHECKING

from similitude.lazy_names import lazy_names

if TYPE_CHECKING:
    from similitude.testing.checks import check_check
    from similitude.testing.features import check_feature
    from similitude.testing.formats import check_format
    from similitude.testing.heads_and_objectives import check_head, check_objective, check_opinion_objective
    from similitude.testing.measures import check_measure
    from similitude.testing.systems import check_system
    from similitude.testing.tasks import check_task

__all__ = [
    "check_check",
    "check_feature",
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
    "check_check": ".checks:",
    "check_feature": ".features:",
    "check_format": ".formats:",
    "check_head": ".heads_and_objectives:",
    "check_measure": ".measures:",
    "check_objective": ".heads_and_objectives:",
    "check_opinion_objective": ".heads_and_objectives:",
    "check_system": ".systems:",
    "check_task": ".tasks:",
}


def contracts() -> str:
    r"""Every contract by the function that checks it, as text.

    >>> print(contracts().partition("\n\n")[0])  # doctest: +ELLIPSIS
    check_check
    - `...
    """
    from similitude.testing.contract import listing

    parts = []
    for name, home in _HOMES.items():
        module = import_module(home.rstrip(":"), __name__)
        parts.append(f"{name}\n{listing(getattr(module, name.removeprefix('check_').upper() + '_CONTRACTS'))}")
    return "\n\n".join(parts)


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
