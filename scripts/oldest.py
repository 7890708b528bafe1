"""The lowest versions that pyproject.toml allows: resolve them, install them, and run tests with them.

Run ``make oldest``. uv chooses the lowest version of every direct dependency and the newest of all others. The versions
are written to ``FOLDER/lowest.txt``; what runs the tests is installed beside them, as new as they allow. First comes
``scripts/smoke.py``, then the tests of the rooms that the libraries serve, without the slow ones.

The extras are tested in two groups: ``make oldest`` for the core and all extras without torch, ``make oldest TORCH=1``
for those with it. torch is the build without CUDA, from the index that pyproject.toml names, or from TORCH_INDEX;
``TORCH=usual`` takes the build with CUDA from the usual index, where the other index cannot be reached.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TOOLS = (
    "httpx",
    "httpx2",
    "hypothesis",
    "krippendorff",
    "pytest",
    "pytest-xdist",
    "pyyaml",
    "scikit-learn",
    "xlsxwriter",
)
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
OPTIONS = ("-q", "-m", "not slow", "-p", "no:cacheprovider", "--continue-on-collection-errors")
QUIET = ("-W", "ignore::ResourceWarning", "-W", "ignore::pytest.PytestUnraisableExceptionWarning")
"""Older libraries leave files open; all other warnings are errors, as in make test."""


@dataclass(frozen=True)
class Group:
    """Extras that are installed together.

    Attributes:
        extras: their names.
        tests: what is run with them, below tests/.
        left_out: modules of tests that need other extras, and single tests that hang on more than versions.
    """

    extras: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()


WITHOUT_TORCH = Group(
    extras=("annotate", "huggingface", "large", "model2vec", "pandas", "ray", "words", "workbook"),
    tests=(
        *("stats", "data", "inspect", "gold", "evaluate", "samples", "cli", "collect", "report", "test_registry.py"),
        *("functional/annotation/test_api.py", "functional/annotation/test_security.py"),
    ),
    left_out=(  # they need torch
        "collect/candidates/test_neighbours.py::TestBadVectors::test_a_device_that_is_not_there",
        "data/test_reading_containers.py",
    ),
)
WITH_TORCH = Group(
    extras=("cpu", "encoders", "images", "large", "pandas", "prompted", "uncertain", "wordllama"),
    tests=("models", "systems", "training"),
)


def install(uv: str, folder: Path, group: Group, further: Sequence[str]) -> str:
    """A new environment with the lowest versions, which are written to lowest.txt; gives the path of its Python."""
    subprocess.run([uv, "venv", "--quiet", "--clear", "--python", "3.11", str(folder / "environment")], check=True)
    python = str(folder / "environment" / "bin" / "python")
    pip = [uv, "pip", "install", "--quiet", "--python", python]
    wanted = f"{ROOT}[{','.join(group.extras)}]"
    subprocess.run([*pip, "--resolution", "lowest-direct", *further, "--editable", wanted], check=True)
    frozen = subprocess.run([uv, "pip", "freeze", "--quiet", "--python", python], check=True, stdout=subprocess.PIPE)
    lowest = folder / "lowest.txt"
    lowest.write_bytes(b"\n".join(line for line in frozen.stdout.splitlines() if not line.startswith(b"-e")) + b"\n")
    subprocess.run([*pip, "--constraint", str(lowest), *TOOLS], check=True)
    return python


def direct_versions(group: Group, lowest: str) -> list[str]:
    r"""The lines of lowest.txt that name what pyproject.toml asks for.

    >>> direct_versions(WITHOUT_TORCH, "numpy==1.26.0\nmarkupsafe==3.0.4\npyarrow==16.0.0")
    ['numpy==1.26.0', 'pyarrow==16.0.0']
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(line for name in group.extras for line in _extra(project, name))]
    names = {_normal(re.split(r"[\[<>=; ]", line)[0]) for line in asked}
    return [line for line in lowest.splitlines() if _normal(line.partition("==")[0]) in names]


def _extra(project: dict[str, Any], name: str) -> list[str]:
    lines: list[str] = project["optional-dependencies"][name]
    return lines


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def run_tests(python: str, group: Group) -> int:
    """The exit code of the smoke test, or else of the tests."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | ENVIRONMENT
    smoke = subprocess.run([python, str(ROOT / "scripts" / "smoke.py")], check=False, env=environment)
    if smoke.returncode:
        return smoke.returncode
    files = [f"tests/{name}" for name in group.tests]
    left_out = [f"--{'deselect' if '::' in name else 'ignore'}=tests/{name}" for name in group.left_out]
    # Options of pyproject.toml name plugins that are not installed here; without -n there is one process.
    plain = "addopts=-ra --strict-markers --doctest-modules --import-mode=importlib"
    command = [python, "-m", "pytest", *OPTIONS, *QUIET, "-o", plain, *left_out, *files]
    return subprocess.run(command, check=False, env=environment, cwd=ROOT).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uv", default="uv", help="the program uv")
    parser.add_argument("--folder", type=Path, default=ROOT / ".venv-oldest", help="where the environment is made")
    parser.add_argument("--torch", action="store_true", help="the extras with torch instead of all others")
    parser.add_argument("--usual-torch", action="store_true", help="the same, with the usual build of torch")
    parser.add_argument("--torch-index", help="a package index that has torch without CUDA")
    asked = parser.parse_args()
    group = WITH_TORCH if asked.torch else WITHOUT_TORCH
    if asked.usual_torch:
        group = replace(WITH_TORCH, extras=tuple(name for name in WITH_TORCH.extras if name != "cpu"))
    further = ["--index", f"pytorch-cpu={asked.torch_index}"] if asked.torch_index else []
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = install(asked.uv, folder, group, further)
    direct = direct_versions(group, (folder / "lowest.txt").read_text(encoding="utf-8"))
    print(f"lowest versions of the core and of {', '.join(group.extras)}: {' '.join(direct)}", flush=True)
    return run_tests(python, group)


if __name__ == "__main__":
    sys.exit(main())
