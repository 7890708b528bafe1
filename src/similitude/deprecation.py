"""Old names of the Python interface: each works for some releases more and warns; then its error says the new name."""

from __future__ import annotations

import warnings
from typing import Final, NamedTuple

from similitude._version import __version__

__all__ = ["RENAMED", "Renamed", "refuse_gone", "warn_renamed"]


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

    def is_gone(self, release: str = __version__) -> bool:
        """Whether a release no longer has the old name.

        >>> RENAMED[0].is_gone("0.1.9"), RENAMED[0].is_gone("0.2.0"), RENAMED[0].is_gone("0.10.0")
        (False, True, True)
        """
        return _numbers(release) >= _numbers(self.gone_in)


RENAMED: Final = (
    Renamed("make_system", "system", since="0.1", gone_in="0.2"),
    Renamed("make_gold", "gold", since="0.1", gone_in="0.2"),
    Renamed("assess", "reliability", since="0.1", gone_in="0.2"),
)
"""Old names in ``similitude``."""


def refuse_gone(name: Renamed, module: str) -> None:
    """Raise an error if this release no longer has an old name.

    Raises:
        AttributeError: it names the new one.
    """
    if name.is_gone():
        raise AttributeError(
            f"module '{module}' has no attribute '{name.old}' since release {name.gone_in}: use {module}.{name.new}"
        )


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


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split(".")[:2])
