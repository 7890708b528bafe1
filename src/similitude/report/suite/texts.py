"""A suite as Markdown, LaTeX and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from similitude.report.latex import LatexTables, latex_document
from similitude.report.markdown import markdown_table
from similitude.report.suite.tables import averages_table, heat_table, other_means_table, source_parts
from similitude.report.tables import Table
from similitude.study.suite import SuiteRun

__all__ = ["suite_csv", "suite_latex", "suite_markdown"]


def suite_markdown(suite: SuiteRun, by: Sequence[str] = ()) -> str:
    """The conclusion, the averages, systems against benchmarks, and parts of the benchmarks by these columns."""
    notes = "\n".join(f"- {note}" for note in suite.notes)
    parts = [f"# {suite.name}", suite.conclusion.sentence, *map(markdown_table, _tables(suite, by)), notes]
    return "\n\n".join(filter(None, parts)) + "\n"


def suite_latex(suite: SuiteRun, by: Sequence[str] = (), *, is_landscape: bool = False) -> LatexTables:
    """The averages, systems against benchmarks, and parts of the benchmarks by these columns."""
    return latex_document(list(_tables(suite, by)), suite.name, is_landscape=is_landscape)


def suite_csv(suite: SuiteRun) -> str:
    """All figures and averages in long form."""
    import polars as pl

    return pl.DataFrame(list(suite.rows()), infer_schema_length=None).write_csv()


def _tables(suite: SuiteRun, by: Sequence[str]) -> Iterator[Table]:
    usual = averages_table(suite), heat_table(suite), other_means_table(suite)
    yield from (table for table in usual if table is not None)
    for column in by:
        yield from (table for _, found in source_parts(suite, column) for table in found.tables[:1])
