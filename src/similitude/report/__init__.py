"""Reports: results as tables, figures and pages. Computes nothing."""

from similitude.report.comparison import comparison_table
from similitude.report.description import benchmark_description, findings_list
from similitude.report.listings import formats_table, measures_table, recipes_table, systems_table

__all__ = [
    "benchmark_description",
    "comparison_table",
    "findings_list",
    "formats_table",
    "measures_table",
    "recipes_table",
    "systems_table",
]
