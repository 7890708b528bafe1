"""Objects as HTML in notebooks."""

from similitude.report.notebook.html import html_of

__all__ = ["html_of"]
