"""Old names of commands and options, which work in release 0.2, print the new name, and go in release 0.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

__all__ = ["COMMANDS", "GONE_IN", "OPTIONS", "Renamed", "current"]

GONE_IN: Final = "0.3"
"""The release that no longer has the old names."""

LAST_WORDS: Final = f"the old name goes in release {GONE_IN}"

COMMANDS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("judge",): ("prompt",),
    ("predict",): ("predictiveness",),
    ("train", "settings"): ("train", "five-settings"),
    ("train", "gpr"): ("train", "gaussian-process"),
    ("--install-completion",): ("completion", "--install"),
}
"""Old commands and their new names."""

ARCHITECTURES: Final = ("bi", "cross", "tri", "joint")
TRAINED: Final = ("train conditional", "train pairs", "train uncertain")


class Renamed(NamedTuple):
    """An option that has a new name.

    Attributes:
        old: the old name.
        new: the new name.
        commands: the commands that have it, by their new names.
        values: the values for which the name has changed; empty for all.
    """

    old: str
    new: str
    commands: tuple[str, ...]
    values: tuple[str, ...] = ()


OPTIONS: Final[tuple[Renamed, ...]] = (
    Renamed("--encoding", "--architecture", TRAINED, ARCHITECTURES),
    Renamed("--text-encoding", "--encoding", (*TRAINED, "train gaussian-process", "train five-settings")),
    Renamed("--items", "--limit", ("prompt",)),
    Renamed("--teachers", "--cross-fit", ("train conditional", "train pairs")),
    Renamed("--condition-place", "--place", ("train conditional",)),
    Renamed("--dtype", "--precision", TRAINED),
    Renamed("--compile", "--compiled", TRAINED),
    Renamed("--balance", "--balanced", ("train uncertain",)),
    Renamed("--components", "--principal-components", ("train gaussian-process",)),
    Renamed("--method", "--inference", ("train gaussian-process",)),
    Renamed(
        "--out",
        "--folder",
        (
            "evaluate",
            "choose",
            "demo",
            "prompt",
            "predictiveness",
            *TRAINED,
            "train gaussian-process",
            "train five-settings",
            "train sweep",
        ),
    ),
    Renamed("--to", "--out", ("data convert", "annotate export")),
    Renamed("--to-format", "--out-format", ("data convert",)),
    Renamed("--format", "--out-format", ("annotate export",)),
    Renamed("--out", "--page", ("report",)),
    Renamed("-m", "--method", ("gold",)),
    Renamed("--threshold", "--mtld-threshold", ("data stats",)),
    Renamed("--limit", "--uses", ("annotate invite",)),
    Renamed("--url", "--public-url", ("annotate invite",)),
)
"""Old options and their new names."""


def current(tokens: Sequence[str], tell: Callable[[str], None]) -> list[str]:
    """Replace old names in a command line by new ones.

    Args:
        tokens: the words of the command line.
        tell: called with a message for each name that has changed.

    >>> current(["judge", "plan.toml", "--items=5"], print)
    'similitude judge' is now 'similitude prompt'; the old name goes in release 0.3
    '--items' is now '--limit'; the old name goes in release 0.3
    ['prompt', 'plan.toml', '--limit=5']
    """
    words = _command(list(tokens), tell)
    renames = [each for each in OPTIONS if set(each.commands) & {" ".join(words[:1]), " ".join(words[:2])}]
    end = words.index("--") if "--" in words else len(words)
    for place in range(end):
        following = words[place + 1] if place + 1 < end else ""
        words[place] = _option(words[place], following, renames, tell)
    return words


def _command(words: list[str], tell: Callable[[str], None]) -> list[str]:
    for old, new in COMMANDS.items():
        if tuple(words[: len(old)]) == old:
            tell(f"'similitude {' '.join(old)}' is now 'similitude {' '.join(new)}'; {LAST_WORDS}")
            return [*new, *words[len(old) :]]
    return words


def _option(word: str, following: str, renames: Sequence[Renamed], tell: Callable[[str], None]) -> str:
    name, equals, value = word.partition("=")
    for each in renames:
        if name == each.old and (not each.values or (value if equals else following) in each.values):
            tell(f"'{each.old}' is now '{each.new}'; {LAST_WORDS}")
            return f"{each.new}{equals}{value}"
    return word
