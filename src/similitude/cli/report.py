"""``similitude report``: a saved run as a page, as tables for a text, or as a results folder."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from similitude.cli import options
from similitude.cli.console import deliver, results

__all__ = ["report"]


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, as 'evaluate' saves it.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The HTML page to write; RUN/report.html otherwise.")
    ] = None,
    markdown: Annotated[
        str | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown tables instead; - prints them.")
    ] = None,
    latex: Annotated[
        str | None, typer.Option("--latex", metavar="FILE", help="Write LaTeX tables instead; - prints them.")
    ] = None,
    mteb: Annotated[
        Path | None, typer.Option("--mteb", metavar="FOLDER", help="Write results in MTEB's layout instead.")
    ] = None,
    by: options.By = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write a saved run as one self-contained HTML page, or as tables for a paper.

    The page needs no other file and no network. Files of the same name are replaced.

    Example: similitude report runs/pairs-1a2b3c4d --open
    """
    from similitude.report.latex import latex_tables
    from similitude.report.markdown import markdown_tables
    from similitude.report.mteb import write_mteb_results
    from similitude.report.page import report_page
    from similitude.study import load_run

    finished = load_run(run)
    if markdown is not None:
        deliver(markdown, markdown_tables(finished, by or ()))
    if latex is not None:
        deliver(latex, latex_tables(finished, by or ()))
    if mteb is not None:
        files = write_mteb_results(finished, mteb)
        results.print(f"{len(files)} results in {mteb}", markup=False, highlight=False, soft_wrap=True)
    if out is not None or open or (markdown, latex, mteb) == (None, None, None):
        page = out or run / "report.html"
        deliver(str(page), report_page(finished))
        if open:
            webbrowser.open(page.resolve().as_uri())
