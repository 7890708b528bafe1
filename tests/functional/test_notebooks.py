"""The notebooks in docs/notebooks run from top to bottom, offline, and show what is stored in them."""

import nbformat
import pytest

from run_notebooks import NOTEBOOKS, executed, texts

pytest.importorskip("ipykernel", reason="the extra 'test' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


def test_there_are_three():
    assert [path.stem for path in PATHS] == ["condition", "crowd", "duplicates"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_outputs_are_stored_and_small(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]
    assert any("text/html" in output.get("data", {}) for cell in code for output in cell.outputs)
    assert path.stat().st_size < 300_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_no_cell_fails_and_stored_outputs_are_not_stale(path):
    stored = nbformat.read(path, as_version=4)
    assert texts(executed(path)) == texts(stored), "run 'make notebooks'"
