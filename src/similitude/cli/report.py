"""``similitude report``: write a saved run as a page, as tables, or as a results folder."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import deliver, results

__all__ = ["report"]


def report(
    run: Annotated[Path, Parameter(metavar="RUN", help="The folder of a run or of a suite, as 'evaluate' saves it.")],
    /,
    *,
    by: options.By = None,
    open: Annotated[bool, Parameter(help="Open the page in the browser.")] = False,
    page: Annotated[Path | None, parameters.page("The page. By default RUN/report.html.")] = None,
    markdown: options.Markdown = None,
    latex: options.Latex = None,
    mteb: Annotated[
        Path | None, Parameter(group=parameters.OUTPUT, metavar="DIR", help="Write results in MTEB's layout.")
    ] = None,
) -> None:
    """Write a saved run, or a suite of runs, as an HTML page or as tables for a paper.

    The page needs no other file and no network. With --markdown, --latex or --mteb alone, no page is written. Files of
    the same name are replaced.

    Example: similitude report runs/pairs-1a2b3c4d --open
    """
    from similitude.report.latex import latex_tables
    from similitude.report.markdown import markdown_tables
    from similitude.report.mteb import write_mteb_results
    from similitude.report.page import report_page
    from similitude.report.page.sheet import sheet_page
    from similitude.report.suite import suite_latex, suite_markdown, suite_sheet
    from similitude.study import Run, load_run

    finished, columns = load_run(run), options.columns_in(by)
    if markdown is not None:
        text = markdown_tables(finished, columns) if isinstance(finished, Run) else suite_markdown(finished, columns)
        deliver(markdown, text)
    if latex is not None:
        text = latex_tables(finished, columns) if isinstance(finished, Run) else suite_latex(finished, columns)
        deliver(latex, text)
    if mteb is not None:
        single = [finished] if isinstance(finished, Run) else [each.run for each in finished.benchmarks if each.run]
        files = [file for each in single for file in write_mteb_results(each, mteb)]
        results.print(f"{len(files)} results in {mteb}", markup=False, highlight=False, soft_wrap=True)
    if page is not None or open or (markdown, latex, mteb) == (None, None, None):
        target = page or run / "report.html"
        text = report_page(finished) if isinstance(finished, Run) else sheet_page(suite_sheet(finished))
        deliver(str(target), text)
        if open:
            webbrowser.open(target.resolve().as_uri())
