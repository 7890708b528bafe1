"""Tables of a run, which are rendered as HTML, Markdown, LaTeX or for the terminal."""

from similitude.report.tables.breakdown import BrokenDown, breakdown_tables, part_tables
from similitude.report.tables.ceiling import corrected_table
from similitude.report.tables.contrasts import contrast_table
from similitude.report.tables.rank_changes import rank_change_table
from similitude.report.tables.ranking import p_value_table, ranking_table
from similitude.report.tables.table import HeadSpan, Table, TableCell, TableColumn
from similitude.report.tables.thresholds import curve_table, threshold_table

__all__ = [
    "BrokenDown",
    "HeadSpan",
    "Table",
    "TableCell",
    "TableColumn",
    "breakdown_tables",
    "contrast_table",
    "corrected_table",
    "curve_table",
    "p_value_table",
    "part_tables",
    "rank_change_table",
    "ranking_table",
    "threshold_table",
]
