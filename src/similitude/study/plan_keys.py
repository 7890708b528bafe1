"""Plans of studies from keys and values in Python, checked as files are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from similitude.errors import ArgumentError

__all__ = ["plan_of_keys"]

Plan = TypeVar("Plan", bound=BaseModel)


def plan_of_keys(kind: type[Plan], keys: Mapping[str, Any], documented: str) -> Plan:
    """A plan from its keys and values.

    Args:
        kind: of the plan.
        keys: as a file has them.
        documented: where the keys are described.

    Raises:
        ArgumentError: a key is unknown or missing, or a value is wrong.
    """
    try:
        return kind.model_validate(dict(keys))
    except ValidationError as error:
        first: Any = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        what = f"'{key}' = {first['input']!r}: {first['msg'].lower()}"
        raise ArgumentError(what, remedy=f"see {documented} for the keys of a plan") from None
