"""``similitude prompt``: ask language models for scores or choices, over a grid of prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import deliver, print_json, results, write_page
from similitude.cli.engine_options import EngineOptions, Engines

if TYPE_CHECKING:
    from similitude.study.prompt_grid.estimates import CellEstimate
    from similitude.study.prompt_grid.study import PromptGridStudy

__all__ = ["prompt", "show_estimates"]


def prompt(
    plan: Annotated[
        Path, Parameter(metavar="PLAN.toml", help="Data, models and what is varied (docs/prompt-grid.md).")
    ],
    /,
    *,
    folder: Annotated[
        Path | None,
        Parameter(metavar="DIR", help="Where everything is kept. The same command resumes. By default runs/PLAN."),
    ] = None,
    dry_run: options.DryRun = False,
    limit: Annotated[
        int | None,
        parameters.number(
            "Ask about N items only, drawn at random by the plan's seed, whatever the plan says.", least=2, metavar="N"
        ),
    ] = None,
    fresh: Annotated[bool, Parameter(help="Score again what the folder holds. Kept answers are used.")] = False,
    page: Annotated[Path | None, parameters.page("The page. By default DIR/judging.html.")] = None,
    markdown: options.Markdown = None,
    latex: options.Latex = None,
    csv: options.Csv = None,
    engines: Engines = EngineOptions(),
    cached: options.Cache = options.CacheOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Ask language models over a grid of instructions and shots.

    With ask = "scores": models x instructions x shots (C-STS, tables 4, 11 and 12). With ask = "choice": multiple
    choice with and without the dialogue (GiCCS, table 6). Every answer is kept: a study that was stopped
    resumes. The results are laid out as in the papers.

    Example: similitude prompt studies/csts-prompting.toml --dry-run
    """
    from similitude.study.folder import RUNS
    from similitude.study.prompt_grid.estimates import estimate_prompt_grid
    from similitude.study.prompt_grid.plan import read_prompt_grid
    from similitude.study.prompt_grid.study import run_prompt_grid

    wanted = read_prompt_grid(plan)
    if limit is not None:
        wanted = wanted.model_copy(update={"items": limit})
    answers = cached.answers(quiet=output.quiet)
    if dry_run:
        show_estimates(estimate_prompt_grid(wanted, answers), json=output.json)
        return
    folder = folder or RUNS / plan.stem
    vectors = cached.vectors(quiet=output.quiet)
    with engines.open(threads=None) as engine, output.progress(wanted.name) as bar:
        study = run_prompt_grid(
            wanted, folder, fresh=fresh, cache=vectors, answers=answers, listener=bar, engine=engine
        )
    _deliver(study, folder, page, {"markdown": markdown, "latex": latex, "csv": csv}, json=output.json)


def show_estimates(expected: Sequence[CellEstimate], *, json: bool) -> None:
    """Print what the study would ask, and its cost."""
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
    study: PromptGridStudy, folder: Path, page: Path | None, files: Mapping[str, str | None], *, json: bool
) -> None:
    from similitude.report.prompt_grid.view import judging_latex, judging_markdown, judging_sheet, judging_view

    target = page or folder / "judging.html"
    write_page(target, judging_sheet(study))
    texts: Mapping[str, Callable[[PromptGridStudy], str]] = {
        "markdown": judging_markdown,
        "latex": judging_latex,
        "csv": _csv,
    }
    for kind, file in files.items():
        if file is not None:
            deliver(file, texts[kind](study))
    if json:
        print_json(study.record())
    elif "-" not in files.values():
        results.print(judging_view(study))
        told = f"saved in {folder}; page written to {target}"
        results.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)


def _csv(study: PromptGridStudy) -> str:
    import polars as pl

    return pl.DataFrame(list(study.rows()), infer_schema_length=None).write_csv()
