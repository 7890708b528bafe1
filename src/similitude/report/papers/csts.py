"""The tables of C-STS: where the figures of a study stand in them."""

from __future__ import annotations

from similitude.report.papers.template import Template

__all__ = ["TEMPLATES"]

TEMPLATES: tuple[Template, ...] = ()
