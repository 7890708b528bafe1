"""A newcomer's walk: the built wheel in a new environment, and three tutorials from an empty folder, offline."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("ipykernel", reason="the extra 'test' is not installed")

from run_notebooks import NOTEBOOKS, executed, texts
from website.tutorials import WALK

ROOT = Path(__file__).parents[2]
BUILT_FROM = ("src", "pyproject.toml", "README.md", "LICENSE")
UNREACHABLE = ("Temporary failure in name resolution", "Connection refused", "Network is unreachable", "timed out")
NOWHERE = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
"""Whoever asks the network is refused at once."""


def pip(python: Path, *words: object) -> None:
    """Let pip do something; skip the test if the registry of packages cannot be reached."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-m", "pip", *map(str, words), "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode and any(word in done.stderr for word in UNREACHABLE):
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr


def built_wheel(folder: Path) -> Path:
    """The wheel, built from a copy of the sources."""
    for name in BUILT_FROM:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, folder / name)
    pip(Path(sys.executable), "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "dist", folder)
    (wheel,) = (folder / "dist").glob("similitude-*.whl")
    return wheel


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of a new environment with the wheel's core, and what a notebook needs."""
    folder = tmp_path_factory.mktemp("newcomer")
    (folder / "sources").mkdir()
    wheel = built_wheel(folder / "sources")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    own = folder / "venv" / "bin" / "python"
    pip(
        own,
        "install",
        "--only-binary=:all:",
        "--no-compile",
        "--constraint",
        ROOT / "constraints.txt",
        wheel,
        "ipykernel",
    )
    return own


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::RuntimeWarning")
def test_the_three_tutorials_run_from_the_wheel_and_show_what_is_stored(python):
    where = [python, "-c", "import similitude, sys; print(similitude.__file__, 'torch' in sys.modules)"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    shown = subprocess.run(where, capture_output=True, text=True, env=environment, cwd=python.parent, check=True)
    assert str(python.parents[1]) in shown.stdout
    for name in WALK:
        path = NOTEBOOKS / f"{name}.ipynb"
        stored = nbformat.read(path, as_version=4)
        assert texts(executed(path, python, PYTHONPATH="", **NOWHERE)) == texts(stored), "run 'make notebooks'"
