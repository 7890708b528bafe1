"""docs/studies.md names every key of every layout and every figure of data."""

from pathlib import Path

import pytest

from similitude.study.study_plan import LAYOUTS, StudyPlan
from similitude.study.tables.data_figures import DATA_FIGURES
from similitude.study.tables.table_keys import TableKeys

TEXT = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")


def section(layout: str) -> str:
    """The text about a layout: from its heading to the next."""
    (found,) = (part for part in TEXT.split("\n### ") if f"`{layout}`" in part.partition("\n")[0])
    return found.partition("\n## ")[0]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_key_of_a_layout_is_documented(layout: str):
    own = set(LAYOUTS[layout].model_fields) - set(TableKeys.model_fields) - {"layout"}
    assert [key for key in sorted(own) if f"`{key}`" not in section(layout)] == []


def test_every_figure_of_data_is_documented_as_it_is():
    lacking = [one.name for one in DATA_FIGURES.values() if f"| `{one.name}` | {one.meaning} |" not in TEXT]
    assert lacking == []


@pytest.mark.parametrize("key", sorted({*StudyPlan.model_fields, *TableKeys.model_fields} - {"tables"}))
def test_every_key_of_a_study_is_documented(key: str):
    assert f"{key} =" in TEXT or f"[{key}]" in TEXT
