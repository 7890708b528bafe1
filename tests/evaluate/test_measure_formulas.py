"""Every measure has its definition in LaTeX, which can be set as mathematics."""

import pytest

from similitude.evaluate.measures import catalogue

docutils_math = pytest.importorskip("docutils.utils.math.latex2mathml", reason="the extra 'docs' is not installed")


@pytest.mark.parametrize("measure", catalogue(), ids=str)
def test_the_formula_of_a_measure_can_be_set(measure):
    assert measure.formula
    assert "<math" in docutils_math.tex2mathml(measure.formula, as_block=True)


def test_a_formula_that_cannot_be_set_would_be_noticed():
    with pytest.raises(Exception, match="Unknown LaTeX command"):
        docutils_math.tex2mathml(r"\nonsense{a}", as_block=True)
