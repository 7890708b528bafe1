"""Other versions of Python: all sources compile, the core installs into a new environment, and a short run succeeds."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
COMPILED = """
import sys, warnings
from pathlib import Path
warnings.simplefilter("error")
files = [file for folder in sys.argv[1:] for file in Path(folder).rglob("*.py")]
for file in files:
    compile(file.read_bytes(), str(file), "exec")
print(len(files))
"""
UNREACHABLE = ("Temporary failure in name resolution", "Connection refused", "Network is unreachable", "timed out")


def interpreter(version):
    """The path of a Python of this version, on the path or kept by pyenv; None if there is none."""
    if sys.version.startswith(f"{version}."):
        return sys.executable
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [*sorted(kept.glob(f"{version}.*/bin/python")), shutil.which(f"python{version}")]
    for path in filter(None, map(str, filter(None, candidates))):
        shown = subprocess.run([path, "-c", "import ensurepip, venv"], capture_output=True, check=False)
        if not shown.returncode:
            return path
    return None


@pytest.fixture(params=VERSIONS)
def python(request):
    found = interpreter(request.param)
    if found is None:
        pytest.skip(f"Python {request.param} is not installed")
    return found


def test_the_metadata_names_the_versions():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if line.startswith("Programming Language")]
    assert named == ["3", *VERSIONS]
    assert project["requires-python"] == f">={VERSIONS[0]}"


def test_all_sources_compile_without_a_warning(python):
    folders = [str(ROOT / name) for name in ("src", "tests", "scripts", "benchmarks", "examples")]
    done = subprocess.run([python, "-c", COMPILED, *folders], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000


@pytest.mark.slow
def test_the_core_installs_and_runs(python, tmp_path):
    if python == sys.executable:
        pytest.skip("all other tests run with this one")
    subprocess.run([python, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    own = tmp_path / "venv" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    # The pip of this environment installs into the other; what is compiled is what the run imports.
    pip = [sys.executable, "-m", "pip", "--python", own, "install", "--quiet", "--disable-pip-version-check"]
    installed = subprocess.run(
        [*pip, "--no-compile", "--only-binary=:all:", ROOT],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if installed.returncode and any(words in installed.stderr for words in UNREACHABLE):
        pytest.skip("the package index cannot be reached")
    assert installed.returncode == 0, installed.stderr
    done = subprocess.run(
        [own, ROOT / "scripts" / "smoke.py"], capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "commands" in done.stdout
