"""The tables of the task-oriented paper: where the figures of a study stand in them."""

from __future__ import annotations

from similitude.report.papers.template import Template

__all__ = ["TEMPLATES"]

TEMPLATES: tuple[Template, ...] = ()
