"""The application: commands that load when they are used, and errors in one line."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Final

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.exceptions import (
    CoercionError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from similitude import _version
from similitude.cli.catalogue.declared import command_table
from similitude.cli.help import HELP_ALL, WIDTH, HelpPage
from similitude.cli.patience import waiting
from similitude.cli.streams import discard_output, explained_failure, prepare_streams
from similitude.cli.typed import TYPED
from similitude.errors import SimilitudeError, UnknownNameError

if TYPE_CHECKING:
    from cyclopts.argument import Argument
    from rich.console import Console

__all__ = ["COMMANDS", "GROUPS", "main", "make_app", "run"]

DOCUMENTATION: Final = "https://similitude-sts.github.io/similitude/"
"""Where the pages are that messages name as docs/NAME.md."""
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

COMMANDS: Final = {
    "demo": "demo:demo",
    "evaluate": "evaluate:evaluate",
    "measure": "measure:measure",
    "choose": "choose:choose",
    "report": "report:report",
    "task": "task:task",
    "predictiveness": "predictiveness:predictiveness",
    "prompt": "prompt:prompt",
    "gold": "gold:gold",
    "reliability": "reliability:reliability",
    "publish": "publish:publish",
    "contentious": "contentious:contentious",
    "candidates": "candidates:candidates",
    "conditions": "conditions:conditions",
    "measures": "measures:measures",
    "systems": "systems:systems",
    "data show": "data:show",
    "data check": "data:check",
    "data stats": "data_stats:stats",
    "data suspects": "data_suspects:suspects",
    "data convert": "data:convert",
    "data get": "data_get:get",
    "data formats": "data:formats",
    "data recipes": "data:recipes",
    "data suites": "data:suites",
    "design best-worst": "design:best_worst",
    "design rating": "design:rating",
    "annotate check": "annotate:check",
    "annotate serve": "annotate_serve:serve",
    "annotate leader": "annotate:leader",
    "annotate invite": "annotate:invite",
    "annotate open": "annotate_life:open_",
    "annotate pause": "annotate_life:pause",
    "annotate resume": "annotate_life:resume",
    "annotate close": "annotate_life:close",
    "annotate archive": "annotate_life:archive",
    "annotate export": "annotate_transfer:export",
    "annotate import": "annotate_transfer:import_",
    "annotate backup": "annotate_transfer:backup",
    "annotate token": "annotate:token",
    "annotate people": "annotate_people:people",
    "annotate approve": "annotate_people:approve",
    "annotate reject": "annotate_people:reject",
    "annotate bonus": "annotate_people:bonus",
    "annotate bonus-lists": "annotate_people:bonus_lists",
    "annotate link": "annotate_people:link",
    "train pairs": "train_pairs:pairs",
    "train conditional": "train_conditional:conditional",
    "train uncertain": "train_uncertain:uncertain",
    "train gaussian-process": "train_gaussian_process:gaussian_process",
    "train five-settings": "train_five_settings:five_settings",
    "train sweep": "train_sweep:sweep",
    "study run": "study:run",
    "study list": "study:list_",
    "study show": "study:show_",
    "study status": "study:status",
    "study compare": "study:compare",
    "study add-system": "study:add_system",
    "cache show": "cache:show",
    "cache clear": "cache:clear",
    "completion": "completion:completion",
}
"""The name of each command and the function in this package that runs it."""

GROUPS: Final = {
    "data": "Fetch benchmarks, look at them, check them and convert them.",
    "design": "Plan which questions annotators are asked.",
    "annotate": "Collect judgements in a browser.",
    "train": "Train models on your data. The result is a system for 'evaluate'.",
    "study": "Run the tables of a paper, or of your own, from one file.",
    "cache": "Show what is kept from run to run, and clear it.",
}


STANDARD_INPUT: Final = "/dev/stdin"
NO_COLOR: Final = "--no-color"
SERVERS: Final = ("annotate serve",)
"""Commands that run until they are stopped, and say so themselves."""
MEANT: Final = {
    "--metric": "--measure",
    "--metrics": "--measure",
    "--model": "--system",
    "--models": "--system",
}
"""Options of other tools, and what ours are called."""
PRINTS: Final = ("--markdown", "--latex", "--csv", "--model-card")
"""Options for which ``-`` means standard output."""


def make_app(*, described: bool = False, whole: bool = False) -> App:
    """The command line.

    Args:
        described: whether to list commands with their descriptions, which are read from a table.
        whole: whether the help shows every option.
    """
    app = App(
        name="similitude",
        help=f"Semantic textual similarity: any data in, measured systems out.\n\nDocumentation: {DOCUMENTATION}",
        version=f"similitude {_version.__version__}",
        default_parameter=Parameter(negative=()),
        group_parameters=Group("Common", sort_key=1),
        help_format="plaintext",
        help_formatter=HelpPage(whole=whole),
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    app["--help"].help = f"Show this page; {HELP_ALL} shows every option of a command."
    if described:
        app.command(lambda: None, name=NO_COLOR, help="Print without colours, with every command; so does NO_COLOR=1.")
    groups = {name: App(name=name, help=does, sort_key=100 + n) for n, (name, does) in enumerate(GROUPS.items())}
    table = command_table() if described else {}
    for position, (name, place) in enumerate(COMMANDS.items()):
        group, _, own = name.rpartition(" ")
        told = table[name]["does"] if name in table else None
        (groups[group] if group else app).command(f"similitude.cli.{place}", name=own, help=told, sort_key=position)
    for below in groups.values():
        app.command(below)
    return app


def main() -> None:
    """Run the command line. An error that the user can fix is one line on standard error and exit code 2."""
    prepare_streams()
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except SimilitudeError as error:
        code = _fail(str(error))
        for note in getattr(error, "__notes__", ()):
            _tell(note)
    except KeyboardInterrupt:
        _tell("interrupted; finished work is kept, run the same command to resume")
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has gone.
        discard_output()
        code = BROKEN_PIPE
    except (OSError, UnicodeEncodeError) as error:
        told = explained_failure(error)
        if told is None:
            raise
        discard_output()
        code = _fail(told)
    sys.exit(code)


def run(written: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    if unreadable := next((word for word in written if not _is_text(word)), None):
        return _fail(f"{os.fsencode(unreadable)!r}: not {sys.getfilesystemencoding()}; give the file another name")
    tokens = _without_colour(written)
    TYPED.set(tuple(tokens))
    is_command = any(" ".join(tokens[:length]) in COMMANDS for length in (1, 2))
    app = make_app(described=not is_command, whole=HELP_ALL in tokens)
    tokens = _with_standard_input(["--help" if token == HELP_ALL else token for token in tokens])
    try:
        with _line_of(tokens):
            code = app(tokens, console=_help_console(), print_error=False, exit_on_error=False)
    except CycloptsError as error:
        return _fail(_explained(error))
    return code if isinstance(code, int) else 0


def _line_of(tokens: Sequence[str]) -> AbstractContextManager[None]:
    """The line of a command that is silent for long; none for servers, and none if the user wants to hear nothing."""
    name = next((name for length in (2, 1) if (name := " ".join(tokens[:length])) in COMMANDS), None)
    if name is None or name in SERVERS or not {"-q", "--quiet", "--help", "-h"}.isdisjoint(tokens):
        return nullcontext()
    return waiting(f"similitude {name}")


def _is_text(word: str) -> bool:
    """Whether a word can be written: the bytes of some old file names cannot."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_colour(words: Sequence[str]) -> list[str]:
    """The words without ``--no-color``, which every command takes: it does what NO_COLOR in the environment does."""
    end = words.index("--") if "--" in words else len(words)
    if NO_COLOR in words[:end]:
        os.environ["NO_COLOR"] = "1"
    return [word for place, word in enumerate(words) if word != NO_COLOR or place > end]


def _with_standard_input(tokens: Sequence[str]) -> list[str]:
    """The words with a path for ``-``, which cyclopts takes for an option; as a value of PRINTS it means to print."""
    before = ["", *tokens]
    return [
        STANDARD_INPUT if token == "-" and last not in PRINTS else token
        for last, token in zip(before, tokens, strict=False)
    ]


def _explained(error: CycloptsError) -> str:
    """A parser error in one line, which ends with where to look."""
    error.verbose = False
    command = " ".join(("similitude", *(error.command_chain or ())))
    if isinstance(error, UnknownCommandError):
        return str(UnknownNameError("command", (error.unused_tokens or [""])[0], _commands_below(command)))
    if isinstance(error, UnknownOptionError):
        return _unknown_option(error)
    if isinstance(error, RepeatArgumentError):
        return f"{error.token.keyword} is given twice; give it once"
    if isinstance(error, UnusedCliTokensError):
        return f"not expected: {' '.join(error.unused_tokens or [])}; see '{command} --help'"
    if error.argument is not None and (said := _explained_value(error, error.argument)):
        return said
    text = " ".join(str(error).split()).removesuffix(".")
    return f"{text[:1].lower()}{text[1:]}; see '{command} --help'"


def _explained_value(error: CycloptsError, argument: Argument) -> str | None:
    """A bad value of an option in one line; None if the message of cyclopts is better."""
    label, choices = _label(argument), argument.get_choices()
    if isinstance(error, MissingArgumentError):
        command = " ".join(("similitude", *(error.command_chain or ())))
        what = f"{error.keyword} needs a value" if error.keyword else f"{label.removesuffix('...')} is missing"
        return f"{what}; see '{command} --help'"
    if isinstance(error, ValidationError):
        why = error.exception_message.removesuffix(".")
        return f"{label} {argument.tokens[0].value}: {why[:1].lower()}{why[1:]}"
    if not isinstance(error, CoercionError) or error.token is None:
        return None
    if choices:
        return str(UnknownNameError(label.strip("-").replace("-", " "), error.token.value, choices))
    wanted = {int: "a whole number", float: "a number"}.get(error.target_type or str)
    return f"{label} {error.token.value}: not {wanted}" if wanted else None


def _unknown_option(error: UnknownOptionError) -> str:
    written = (error.token.keyword or error.token.value).partition("=")[0]
    known = [name for argument in error.argument_collection if argument.parse for name in argument.names]
    near = [name for name in known if name == MEANT.get(written)] or difflib.get_close_matches(written, known, n=1)
    return f"no option {written}" + (f"; did you mean {near[0]}?" if near else "")


def _commands_below(command: str) -> list[str]:
    """The names that can follow ``similitude`` or one of its groups."""
    group = command.partition(" ")[2]
    own = [name.rpartition(" ")[2] for name in COMMANDS if name.rpartition(" ")[0] == group]
    return own if group else [*own, *GROUPS]


def _label(argument: Argument) -> str:
    metavar = argument.parameter.metavar
    if argument.index is not None:
        return metavar or argument.name.lstrip("-").upper()
    return argument.name


def _help_console() -> Console:
    from similitude.cli.console import make_console

    console = make_console()
    console.width = min(WIDTH, console.width)
    return console


def _fail(text: str) -> int:
    _tell(f"error: {text}", style="bold red")
    return 2


def _tell(text: str, style: str | None = None) -> None:
    from similitude.cli.console import errors

    with suppress(BrokenPipeError):  # nobody reads it; the exit code still says what happened
        errors.print(text, style=style, markup=False, highlight=False, soft_wrap=True)
