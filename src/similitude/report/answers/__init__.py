"""The answers of language models in a run, to be reviewed: as a page and as a table in the terminal."""

from similitude.report.answers.page import answers_sheet
from similitude.report.answers.tables import answer_overview, systems_with_answers

__all__ = ["answer_overview", "answers_sheet", "systems_with_answers"]
