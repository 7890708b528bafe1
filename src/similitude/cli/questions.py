"""Questions to the user: asked only where somebody can answer, so that no command waits for an answer in vain."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Mapping

from similitude.cli.console import errors
from similitude.errors import ArgumentError

__all__ = ["answer_to", "can_ask", "password_for", "piped_line", "refuse_silence"]

KERNEL = {"TERM": "xterm-color", "CLICOLOR_FORCE": "1", "PAGER": "cat", "GIT_PAGER": "cat"}
"""What a notebook's kernel tells the programs that it starts: that they have a terminal which takes no keys."""


def can_ask(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether standard input is a terminal at which somebody can type.

    ``!command`` in a notebook has a terminal as well, to which nothing can be typed; its environment tells.
    """
    in_notebook = "JPY_PARENT_PID" in environment or KERNEL.items() <= environment.items()
    return _is_open() and sys.stdin.isatty() and not in_notebook


def refuse_silence(missing: str, remedy: str) -> None:
    """Raise an error unless a question can be asked.

    Args:
        missing: what is not known.
        remedy: the options that say it.

    Raises:
        ArgumentError: nobody is there to ask.
    """
    if not can_ask():
        raise ArgumentError(missing, remedy=remedy)


def answer_to(question: str) -> str:
    """What the user types after the question, without blanks around it.

    Raises:
        ArgumentError: the input ends instead (Ctrl-D).
    """
    return _typed(lambda: errors.input(question, markup=False)).strip()


def password_for(question: str) -> str:
    """What the user types after the question, unseen.

    Raises:
        ArgumentError: the input ends instead (Ctrl-D).
    """
    return _typed(lambda: getpass.getpass(question))


def piped_line(what: str) -> str:
    """The next line of standard input, which is a pipe, a file, or a terminal at which somebody can type.

    Args:
        what: what the line says, for the error.

    Raises:
        ArgumentError: there is none, and none can come.
    """
    if not _is_open() or (sys.stdin.isatty() and not can_ask()):
        raise ArgumentError(f"{what} cannot be read: nothing is piped in", remedy="pipe it into the command")
    return sys.stdin.readline().rstrip("\n")


def _is_open() -> bool:
    return sys.stdin is not None and not sys.stdin.closed


def _typed(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except EOFError:
        errors.print()
        raise ArgumentError("the question was not answered", remedy="run the command again") from None
