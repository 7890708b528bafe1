"""The notebooks in docs/notebooks run from top to bottom, offline, and show what is stored in them.

Those that need the core alone are executed by ``test_newcomer_walk.py``, in an environment of their own.
"""

import nbformat
import pytest

from build_tutorial_files import FOLDER, tables
from run_notebooks import ERASED, NOTEBOOKS, executed, texts
from website.tutorials import WALK, tutorial_files, write_archive

pytest.importorskip("ipykernel", reason="the extra 'test' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


def test_there_are_three_for_newcomers_and_one_more():
    assert [path.stem for path in PATHS] == sorted([*WALK, "condition"])


def test_the_files_of_the_first_are_the_published_ratings():
    assert {name: (FOLDER / name).read_text(encoding="utf-8") for name in tables()} == tables()
    assert tables()["answers.csv"].count("\n") == 1 + 200 * 18


def test_what_a_slow_command_took_away_again_is_not_stored():
    shown = "a\r\n\r\x1b[2Kat work, 2 s\r\x1b[2Kat work, 3 s\r\x1b[2Kfile.toml\r\nb 5 s\r\n"
    assert ERASED.sub("", shown) == "a\r\nfile.toml\r\nb 5 s\r\n"


def test_an_archive_has_the_same_bytes_each_time(tmp_path):
    for name in ("one.zip", "two.zip"):
        write_archive("paper", tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert "evidence/usts/ustsc/test.json.bz2" in tutorial_files("paper")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_outputs_are_stored_and_small(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]
    assert any("text/html" in output.get("data", {}) for cell in code for output in cell.outputs)
    assert not [text for text in texts(notebook) if "error: " in text], "a command of the notebook fails"
    assert path.stat().st_size < 300_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("path", [path for path in PATHS if path.stem not in WALK], ids=lambda path: path.stem)
def test_no_cell_fails_and_stored_outputs_are_not_stale(path):
    stored = nbformat.read(path, as_version=4)
    assert texts(executed(path)) == texts(stored), "run 'make notebooks'"
