"""Old names of the Python interface: each works for some releases more, and warns."""

from __future__ import annotations

import warnings
from typing import Final, NamedTuple

__all__ = ["RENAMED", "Renamed", "warn_renamed"]


class Renamed(NamedTuple):
    """A public name that has a new one.

    Attributes:
        old: the old name.
        new: the new name, in the same module.
        since: the release that has the new name.
        gone_in: the release that no longer has the old one.
    """

    old: str
    new: str
    since: str
    gone_in: str


RENAMED: Final = (
    Renamed("make_system", "system", since="0.1", gone_in="0.2"),
    Renamed("make_gold", "gold", since="0.1", gone_in="0.2"),
    Renamed("assess", "reliability", since="0.1", gone_in="0.2"),
)
"""Old names in ``similitude``."""


def warn_renamed(name: Renamed, module: str, *, stacklevel: int) -> None:
    """Warn that an old name was used.

    Args:
        name: the old name and the new one.
        module: that has both.
        stacklevel: how many calls lie between here and the line to blame; 2 is the caller's caller.
    """
    warnings.warn(
        f"{module}.{name.old} is now {module}.{name.new}; the old name goes in release {name.gone_in}",
        DeprecationWarning,
        stacklevel=stacklevel + 1,
    )
