"""``similitude completion``: complete commands, options and names in bash, zsh and fish."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from similitude.cli.console import print_notes, print_path
from similitude.cli.shells.fish import fish_script
from similitude.cli.shells.posix import bash_script, zsh_script
from similitude.cli.shells.words import CompletionWords, completion_words
from similitude.errors import ArgumentError

__all__ = ["completion"]

Shell = Literal["bash", "zsh", "fish"]

SCRIPTS: Final[dict[str, Callable[[CompletionWords], str]]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}
NEXT: Final = {
    "bash": "new shells complete 'similitude' if the package bash-completion is installed; "
    "without it, add to ~/.bashrc: source '{file}'",
    "zsh": "add to ~/.zshrc, before compinit: fpath+=('{folder}')",
    "fish": "new shells complete 'similitude'",
}
"""What is left to do after the script is written."""


def completion(
    shell: Annotated[Shell | None, Parameter(metavar="SHELL", help="The shell; by default that of $SHELL.")] = None,
    /,
    *,
    install: Annotated[bool, Parameter(help="Write the script to where the shell looks for it.")] = False,
) -> None:
    """Print the script that completes commands, options, and names of systems, measures, tasks, formats and recipes.

    Install it again after an upgrade. 'eval "$(similitude completion bash)"' in ~/.bashrc is always up to date, and
    takes about 0.2 seconds for each new shell.

    Example: similitude completion bash --install
    """
    chosen = shell or _current_shell()
    script = SCRIPTS[chosen](completion_words())
    if not install:
        sys.stdout.write(script)
        return
    file = _place(chosen)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(script, encoding="utf-8")
    print_path(file)
    print_notes([NEXT[chosen].format(file=file, folder=file.parent)])


def _current_shell() -> str:
    """The shell that SHELL names.

    Raises:
        ArgumentError: it is none of ours.
    """
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SCRIPTS:
        raise ArgumentError(f"cannot complete in the shell '{name}'", remedy=f"name one: {', '.join(SCRIPTS)}")
    return name


def _place(shell: str) -> Path:
    """Where a shell looks for the script."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return {
        "bash": data / "bash-completion" / "completions" / "similitude",
        "zsh": data / "zsh" / "site-functions" / "_similitude",
        "fish": config / "fish" / "completions" / "similitude.fish",
    }[shell]
