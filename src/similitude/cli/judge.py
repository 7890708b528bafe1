"""``similitude judge``: ask language models, in a whole grid, how alike texts are or which comes closest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from similitude.cli import options
from similitude.cli.console import deliver, print_json, print_notes, results
from similitude.cli.progress import progress_bar

if TYPE_CHECKING:
    from similitude.study.prompt_grid.estimates import CellEstimate
    from similitude.study.prompt_grid.study import PromptGridStudy

__all__ = ["judge", "show_estimates"]


def judge(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN.toml", help="Data, models and what is varied (docs/prompt-grid.md).")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where everything is kept; runs/PLAN otherwise. The same command goes on."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked, and what it would cost; ask nothing.")
    ] = False,
    items: Annotated[
        int | None, typer.Option("--items", min=2, help="Ask about so many items only, whatever the plan says.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.html", help="The page to write; DIR/judging.html otherwise.")
    ] = None,
    markdown: Annotated[
        str | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown tables, too; - prints them.")
    ] = None,
    latex: Annotated[
        str | None, typer.Option("--latex", metavar="FILE", help="Write LaTeX tables, too; - prints them.")
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write one row a cell, too; - prints them.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Score again what the folder holds; kept answers are used all the same.")
    ] = False,
    no_cache: options.NoCache = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Ask language models over a whole grid, as a plan says, and lay it out as in the papers.

    With ask = "scores": models x instructions x shots (C-STS, tables 4, 11 and 12). With ask = "choice": multiple
    choice with and without the dialogue (GiCCS, table 6). Every answer is kept: a study that was stopped goes on.

    Example: similitude judge studies/csts-prompting.toml --dry-run
    """
    from similitude.models.cache import usual_answers, usual_cache
    from similitude.study.folder import RUNS
    from similitude.study.prompt_grid.estimates import estimate_prompt_grid
    from similitude.study.prompt_grid.plan import read_prompt_grid
    from similitude.study.prompt_grid.study import run_prompt_grid

    wanted = read_prompt_grid(plan)
    if items is not None:
        wanted = wanted.model_copy(update={"items": items})
    answers = None if no_cache else usual_answers(lambda text: print_notes([text], quiet=quiet))
    if dry_run:
        show_estimates(estimate_prompt_grid(wanted, answers), json=json)
        return
    folder = out or RUNS / plan.stem
    with progress_bar(wanted.name, quiet=quiet) as bar:
        cache = None if no_cache else usual_cache()
        study = run_prompt_grid(wanted, folder, fresh=fresh, cache=cache, answers=answers, listener=bar)
    _deliver(study, folder, page, {"markdown": markdown, "latex": latex, "csv": csv}, json=json)


def show_estimates(expected: Sequence[CellEstimate], *, json: bool) -> None:
    """Print what would be asked."""
    from similitude.report.prompt_grid.costs import estimate_table
    from similitude.report.terminal import terminal_table

    if json:
        print_json([one.record() for one in expected])
        return
    if not expected:
        results.print("no language model would be asked", markup=False, highlight=False)
        return
    results.print(terminal_table(estimate_table(expected)))


def _deliver(
    study: PromptGridStudy, folder: Path, page: Path | None, files: dict[str, str | None], *, json: bool
) -> None:
    from similitude.cli.train_delivery import write_page
    from similitude.report.page.sheet import sheet_page
    from similitude.report.prompt_grid.view import judging_latex, judging_markdown, judging_sheet, judging_view

    target = page or folder / "judging.html"
    write_page(target, sheet_page(judging_sheet(study)))
    written: dict[str, Any] = {"markdown": judging_markdown, "latex": judging_latex, "csv": _csv}
    for kind, file in files.items():
        if file is not None:
            deliver(file, written[kind](study))
    if json:
        print_json(study.record())
    elif "-" not in files.values():
        results.print(judging_view(study))
        told = f"saved in {folder}; page written to {target}"
        results.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)


def _csv(study: PromptGridStudy) -> str:
    import polars as pl

    return pl.DataFrame(list(study.rows()), infer_schema_length=None).write_csv()
