"""Evaluation: gold x predictions -> figures, with intervals and tests, diagnostics, and tasks."""

from similitude.lazy_names import refuse_call

refuse_call(__name__, "similitude.run(data, systems, measures)")
