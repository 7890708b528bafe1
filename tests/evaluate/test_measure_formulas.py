"""Every measure has its definition in LaTeX, which can be set as mathematics."""

import pytest

pytest.importorskip("sphinx", reason="the extra 'docs' is not installed")

from docutils.utils.math import MathError

from similitude.evaluate.measures import catalogue
from website.mathml import set_formula


@pytest.mark.parametrize("measure", catalogue(), ids=str)
def test_the_formula_of_a_measure_can_be_set(measure):
    assert measure.formula
    assert set_formula(measure.formula, as_block=True).startswith("<math")


def test_an_index_stands_behind_a_letter_with_an_accent():
    assert "<munder" not in set_formula(r"\hat{y}_i", as_block=True)


def test_a_formula_that_cannot_be_set_is_refused():
    with pytest.raises(MathError, match="nonsense"):
        set_formula(r"\nonsense{a}", as_block=True)
