"""Reports: results as tables, figures and pages. Computes nothing."""

from similitude.lazy_names import refuse_call

refuse_call(__name__, 'similitude.run(data, systems).report("page.html")')
