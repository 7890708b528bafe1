"""The application: its commands, and how errors reach the user."""

from __future__ import annotations

import os
import sys

import typer

from similitude import _version
from similitude.cli import (
    annotate,
    cache,
    choose,
    contentious,
    data,
    demo,
    design,
    evaluate,
    gold,
    judge,
    measure,
    measures,
    predict,
    reliability,
    report,
    systems,
    train,
)
from similitude.cli.console import errors
from similitude.errors import SimilitudeError

__all__ = ["app", "main"]

INTERRUPTED = 130

app = typer.Typer(
    name="similitude",
    help="Semantic textual similarity: any data in, measured systems out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("evaluate")(evaluate.evaluate)
app.command("choose")(choose.choose)
app.command("predict")(predict.predict)
app.command("judge")(judge.judge)
app.command("contentious")(contentious.contentious)
app.command("gold")(gold.gold)
app.command("reliability")(reliability.reliability)
app.command("measure")(measure.measure)
app.command("measures")(measures.measures)
app.command("systems")(systems.systems)
app.command("report")(report.report)
app.add_typer(data.app, name="data")
app.add_typer(annotate.app, name="annotate")
app.add_typer(design.app, name="design")
app.add_typer(train.app, name="train")
app.add_typer(cache.app, name="cache")


def _version_asked(asked: bool) -> None:
    if asked:
        typer.echo(f"similitude {_version.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: bool = typer.Option(False, "--version", callback=_version_asked, is_eager=True, help="Show the version."),
) -> None:
    """Semantic textual similarity: any data in, measured systems out."""


def main() -> None:
    """Run the command line. What the user can mend is one line on standard error and exit code 2, no traceback."""
    try:
        app()
    except SimilitudeError as error:
        errors.print(f"error: {error}", style="bold red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except SystemExit as end:
        if end.code == INTERRUPTED:  # typer has turned Ctrl-C into an exit
            errors.print("interrupted; what was finished is kept, run the same command to go on", markup=False)
        raise
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
