"""``similitude study``: the tables of a paper, or of your own, from one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import deliver, print_json, print_notes, print_path, results, show, write_page
from similitude.cli.engine_options import EngineOptions, Engines

if TYPE_CHECKING:
    from similitude.models.cache import AnswerStore
    from similitude.study.study_plan import StudyPlan
    from similitude.study.tables.table_keys import PlannedCell

__all__ = ["add_system", "compare", "list_", "run", "show_", "status"]

PlanFile = Annotated[Path, Parameter(metavar="STUDY.toml", help="A study: data, systems, tables (docs/studies.md).")]
Folder = Annotated[
    Path | None,
    Parameter(metavar="DIR", help="Where everything is kept. The same command resumes. By default runs/STUDY."),
]
Tables = Annotated[
    list[str] | None, Parameter(name=["--table", "-t"], metavar="NAME", help="Only this table; repeatable.")
]


def run(
    plan: PlanFile,
    /,
    *,
    folder: Folder = None,
    table: Tables = None,
    dry_run: options.DryRun = False,
    on_error: Annotated[
        Literal["stop", "skip"], Parameter(help="If a table cannot be run: stop, or skip it and go on.")
    ] = "stop",
    fresh: options.Fresh = False,
    device: options.Device = None,
    page: Annotated[Path | None, parameters.page("The page. By default DIR/study.html.")] = None,
    markdown: options.Markdown = None,
    latex: options.Latex = None,
    csv: options.Csv = None,
    engines: Engines = EngineOptions(),
    cached: options.Cache = options.CacheOptions(),
    output: options.Output = options.OutputOptions(),
) -> int:
    """Run the tables of a study, and show our figures beside the printed ones.

    Every cell, a system on a benchmark or a training, is run once and kept: a study that was stopped resumes. A table
    whose items have no gold says so, and the others go on. The exit code is 1 if a table was skipped, or if no table
    has a figure.

    Example: similitude study run studies/small/usts.toml --folder runs/usts
    """
    from similitude.study.study_plan import read_study
    from similitude.study.study_run import run_study

    wanted, out = read_study(plan), folder or _usual(plan)
    if dry_run:
        _show_planned(plan, out, table, device, json=output.json)
        if not output.json:
            _show_costs(wanted.chosen(table), cached.answers(quiet=output.quiet))
        return 0
    with engines.open(threads=None) as engine, output.progress(wanted.name) as bar:
        done = run_study(
            wanted,
            out,
            tables=table,
            on_error=on_error,
            device=device,
            cache=cached.vectors(quiet=output.quiet),
            answers=cached.answers(quiet=output.quiet),
            fresh=fresh,
            engine=engine,
            listener=bar,
        )
    from similitude.report.study.view import study_latex, study_markdown, study_sheet, study_view

    target = page or out / "study.html"
    write_page(target, study_sheet(done))
    if markdown is not None:
        deliver(markdown, study_markdown(done))
    if latex is not None:
        deliver(latex, study_latex(done))
    if csv is not None:
        deliver(csv, (out / "figures.csv").read_text(encoding="utf-8"))
    if "-" not in (markdown, latex, csv):
        show(done, study_view, json=output.json)
        if not output.json:
            print_notes([f"saved in {out}; page written to {target}"], quiet=output.quiet)
    return int(any(each.error for each in done.tables) or not any(each.figures for each in done.tables))


def list_(
    folder: Annotated[Path, Parameter(metavar="DIR", help="The folder to look in.")] = Path("studies"),
    /,
    *,
    output: options.Output = options.OutputOptions(),
) -> None:
    """List the studies in a folder, with their tables.

    Example: similitude study list studies/
    """
    from similitude.report.study.overview_tables import listing_table
    from similitude.report.terminal import terminal_table
    from similitude.study.study_files import study_files

    found = list(study_files(folder))
    if output.json:
        print_json(
            [
                {
                    "file": str(each.path),
                    "name": None if each.plan is None else each.plan.name,
                    "paper": None if each.plan is None else each.plan.paper,
                    "tables": [] if each.plan is None else [table.name for table in each.plan.tables],
                    "error": each.error,
                }
                for each in found
            ]
        )
        return
    results.print(terminal_table(listing_table(found, folder)))


def show_(
    plan: PlanFile,
    /,
    *,
    output: options.Output = options.OutputOptions(),
) -> None:
    """Show what a study consists of: tables, data, systems, and what the paper prints.

    Example: similitude study show studies/usts.toml
    """
    from similitude.report.study.overview_tables import plan_table
    from similitude.report.terminal import terminal_view
    from similitude.study.study_plan import read_study

    found = read_study(plan)
    if output.json:
        print_json(found.model_dump(mode="json"))
        return
    joined = f"; in every table: {', '.join(found.systems)}" if found.systems else ""
    title = f"{found.name}: {found.title}".strip(": ") + joined
    results.print(terminal_view(title, [plan_table(found)]))


def status(
    plan: PlanFile,
    /,
    *,
    folder: Folder = None,
    table: Tables = None,
    device: options.Device = None,
    output: options.Output = options.OutputOptions(),
) -> None:
    """Show which cells of a study are done, and which are left.

    Example: similitude study status studies/small/usts.toml --folder runs/usts
    """
    _show_planned(plan, folder or _usual(plan), table, device, json=output.json)


def compare(
    first: Annotated[Path, Parameter(metavar="DIR", help="The folder of a study that was run.")],
    second: Annotated[Path, Parameter(metavar="DIR", help="Another one.")],
    /,
    *,
    output: options.Output = options.OutputOptions(),
) -> None:
    """Compare the figures of two runs, table by table.

    Example: similitude study compare runs/usts runs/usts-mine
    """
    from similitude.report.study.comparison import compare_studies, comparison_view
    from similitude.study.study_run import load_study

    show(compare_studies(load_study(first), load_study(second)), comparison_view, json=output.json)


def add_system(
    plan: PlanFile,
    system: Annotated[str, Parameter(metavar="SYSTEM", help="As for 'evaluate': my_file.py:MySystem, encoder(DIR).")],
    /,
    *,
    name: Annotated[str | None, Parameter(help="Its name in tables. By default as written.")] = None,
    output: options.Output = options.OutputOptions(),
) -> None:
    """Put a system into every table of a study: one line in its file.

    Example: similitude study add-system studies/small/usts.toml "my_model.py:Mine" --name mine
    """
    from similitude.study.study_files import add_system as write_system

    written = write_system(plan, system, name or system)
    if output.json:
        print_json({"file": str(plan), "systems": written.systems})
        return
    print_path(plan)
    joined = ", ".join(table.name for table in written.tables if table.layout != "data") or "no table"
    print_notes([f"'{name or system}' joins {joined}; run 'similitude study run {plan}'"], quiet=output.quiet)


def _show_costs(plan: StudyPlan, answers: AnswerStore | None) -> None:
    """Print what language models would be asked, and what that would cost."""
    from similitude.cli.prompt import show_estimates
    from similitude.errors import SimilitudeError
    from similitude.study.prompt_grid.estimates import estimate_prompt_grid
    from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan

    for table in plan.tables:
        if isinstance(table, ScorePlan | ChoicePlan):
            results.print(f"{table.name}:", markup=False, highlight=False)
            try:
                show_estimates(estimate_prompt_grid(table, answers), json=False)
            except SimilitudeError as problem:
                results.print(f"no estimate: {problem}", markup=False, highlight=False, soft_wrap=True)


def _usual(plan: Path) -> Path:
    from similitude.study.folder import RUNS

    return RUNS / plan.stem


def _show_planned(plan: Path, folder: Path, tables: list[str] | None, device: str | None, *, json: bool) -> None:
    from similitude.report.study.overview_tables import planned_table
    from similitude.report.terminal import terminal_table
    from similitude.study.study_plan import read_study
    from similitude.study.study_run import planned_cells

    found: dict[str, list[PlannedCell]] = planned_cells(read_study(plan).chosen(tables), folder, device=device)
    if json:
        print_json({name: [cell._asdict() for cell in cells] for name, cells in found.items()})
        return
    results.print(terminal_table(planned_table(found, folder)))
