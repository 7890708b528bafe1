"""How contracts are checked: each is a function that fails where what its docstring says does not hold."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from similitude.errors import SimilitudeError

__all__ = ["Contract", "check_contracts", "listing", "require"]

Contract = Callable[..., None]


def require(holds: bool, why: str) -> None:
    """Fail with these words unless it holds.

    Raises:
        AssertionError: it does not.
    """
    if not holds:
        raise AssertionError(why)


def check_contracts(thing: str, contracts: Sequence[Contract], *arguments: Any) -> None:
    """Check every contract in turn.

    Raises:
        AssertionError: the first that is broken, with its name, what must hold, and what was seen instead.
    """
    for contract in contracts:
        try:
            contract(*arguments)
        except (AssertionError, SimilitudeError) as error:
            said = f"{thing} breaks '{contract.__name__}' ({_rule(contract)}): {error}"
            raise AssertionError(said) from error


def listing(contracts: Sequence[Contract]) -> str:
    """The contracts as a list, for documentation."""
    return "\n".join(f"- `{contract.__name__}`: {_rule(contract)}." for contract in contracts)


def _rule(contract: Contract) -> str:
    return (inspect.getdoc(contract) or "").partition("\n")[0].rstrip(".")
