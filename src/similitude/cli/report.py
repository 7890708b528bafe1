"""``similitude report``: write a saved run as a page, as tables, or as a results folder."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import deliver, print_notes, results
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.study.runs import Run

__all__ = ["report"]


def report(
    run: Annotated[Path, Parameter(metavar="RUN", help="The folder of a run or of a suite, as 'evaluate' saves it.")],
    /,
    *,
    name: options.Names = None,
    by: options.By = None,
    open: Annotated[bool, Parameter(help="Open the page in the browser.")] = False,
    page: Annotated[Path | None, parameters.page("The page. By default RUN/report.html.")] = None,
    markdown: options.Markdown = None,
    latex: options.Latex = None,
    columns: Annotated[
        list[str] | None,
        Parameter(
            group=parameters.OUTPUT,
            metavar="MEASURE,...",
            help="The measures in tables of --markdown and --latex.",
        ),
    ] = None,
    landscape: Annotated[bool, Parameter(group=parameters.OUTPUT, help="Turn the tables of --latex.")] = False,
    model_card: Annotated[
        str | None,
        Parameter(
            group=parameters.OUTPUT,
            metavar="FILE",
            allow_leading_hyphen=True,
            help="Write the results of one system for its model card; - prints them.",
        ),
    ] = None,
    system: Annotated[
        str | None, Parameter(group=parameters.OUTPUT, metavar="NAME", help="The system of --model-card.")
    ] = None,
    answers: Annotated[
        bool,
        Parameter(
            group=parameters.OUTPUT,
            negative="",
            help="Write the answers of language models as a page to review, by default RUN/answers.html.",
        ),
    ] = False,
    mteb: Annotated[
        Path | None, Parameter(group=parameters.OUTPUT, metavar="DIR", help="Write results in MTEB's layout.")
    ] = None,
) -> None:
    """Write a saved run, or a suite of runs, as an HTML page or as tables for a paper.

    The page needs no other file and no network. With --markdown, --latex, --model-card or --mteb alone, no page is
    written. Files of the same name are replaced. With --answers, the page shows every answer of a language model, the
    rule that read it and its kind, and a summary is printed.

    Example: similitude report runs/pairs-1a2b3c4d --open
    """
    from similitude.report.latex import latex_tables
    from similitude.report.markdown import markdown_tables
    from similitude.report.model_card import model_card_of
    from similitude.report.mteb import write_mteb_results
    from similitude.report.page import report_page
    from similitude.report.page.sheet import sheet_page
    from similitude.report.suite import suite_latex, suite_markdown, suite_sheet
    from similitude.study import Run, load_run
    from similitude.study.labels import renamed
    from similitude.study.suite.suite_run import renamed_suite

    parts, shown, loaded = options.columns_in(by), options.columns_in(columns), load_run(run)
    finished = renamed(loaded, name or ()) if isinstance(loaded, Run) else renamed_suite(loaded, name or ())
    if shown and not isinstance(finished, Run):
        raise ArgumentError(
            "--columns chooses among the measures of one benchmark, and this is a suite",
            where=str(run),
            remedy="leave it out, or name the folder of one of its benchmarks",
        )
    single = [finished] if isinstance(finished, Run) else [each.run for each in finished.benchmarks if each.run]
    if markdown is not None:
        text = markdown_tables(finished, parts, shown) if isinstance(finished, Run) else suite_markdown(finished, parts)
        deliver(markdown, text)
    if latex is not None:
        if isinstance(finished, Run):
            written = latex_tables(finished, parts, shown, is_landscape=landscape)
        else:
            written = suite_latex(finished, parts, is_landscape=landscape)
        deliver(latex, written.text)
        print_notes(written.notes)
    if model_card is not None:
        deliver(model_card, model_card_of(single, system))
    if mteb is not None:
        files = [file for each in single for file in write_mteb_results(each, mteb)]
        results.print(f"{len(files)} results in {mteb}", markup=False, highlight=False, soft_wrap=True)
    if answers:
        _write_answers(single, page or run / "answers.html", is_opened=open)
    elif page is not None or open or (markdown, latex, model_card, mteb) == (None,) * 4:
        text = report_page(finished) if isinstance(finished, Run) else sheet_page(suite_sheet(finished))
        _write_page(page or run / "report.html", text, is_opened=open)


def _write_page(target: Path, text: str, *, is_opened: bool) -> None:
    deliver(str(target), text)
    if is_opened:
        webbrowser.open(target.resolve().as_uri())


def _write_answers(runs: list[Run], target: Path, *, is_opened: bool) -> None:
    """Write the page of answers, and print its overview."""
    from similitude.report.answers_page import answers_sheet, replaced_words
    from similitude.report.page.sheet import sheet_page
    from similitude.report.tables.answers import answer_overview, systems_with_answers
    from similitude.report.terminal import terminal_view

    if len(runs) != 1:
        raise ArgumentError("--answers shows one benchmark", remedy="name the folder of one benchmark of the suite")
    (found,) = runs
    results.print(terminal_view(replaced_words(found), [answer_overview(found, systems_with_answers(found))]))
    _write_page(target, sheet_page(answers_sheet(found)), is_opened=is_opened)
