"""How the items of judgements are read, and what is kept of that."""

import pytest

from similitude.cli.options import InputOptions, JudgementOptions
from similitude.errors import ArgumentError


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"scale": "0..5"}, "--items-scale says"),
        ({"on_error": "skip"}, "--items-on-error says"),
        ({"header": "no", "column": ("left=a",)}, "--items-column, --items-header say"),
    ],
)
def test_options_for_items_need_items(options, flag):
    with pytest.raises(ArgumentError, match=flag):
        JudgementOptions().benchmark(InputOptions(**options))
    assert JudgementOptions().benchmark(InputOptions()) is None


@pytest.mark.parametrize(
    ("reading", "which", "flags"),
    [
        ({"scale": "0..10"}, {}, "--scale"),
        ({"on_error": "skip"}, {"items": "items.csv"}, "--on-error, --items"),
        ({}, {"categories": "a,b"}, "--categories"),
    ],
)
def test_options_that_a_sample_ignores_are_refused(reading, which, flags):
    with pytest.raises(ArgumentError, match=f"a sample is no file, and {flags} would change nothing"):
        InputOptions(**reading).judgements(["sample:opinions"], JudgementOptions(**which))


def test_a_sample_is_read_as_it_is():
    assert len(InputOptions().judgements(["sample:opinions"], JudgementOptions(kind="rating"))) == 600
