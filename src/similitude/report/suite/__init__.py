"""Suites as tables, pages, Markdown and LaTeX."""

from similitude.report.suite.page import suite_sheet
from similitude.report.suite.texts import suite_csv, suite_latex, suite_markdown
from similitude.report.suite.view import suite_view

__all__ = ["suite_csv", "suite_latex", "suite_markdown", "suite_sheet", "suite_view"]
