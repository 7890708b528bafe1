"""A run as one self-contained HTML page."""

from similitude.report.page.page import report_page

__all__ = ["report_page"]
