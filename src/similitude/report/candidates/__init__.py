"""A search for candidate pairs as a page, for the terminal and for notebooks."""

from similitude.report.candidates.page import candidates_sheet, write_candidates_page
from similitude.report.candidates.view import candidates_view

__all__ = ["candidates_sheet", "candidates_view", "write_candidates_page"]
