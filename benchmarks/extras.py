"""Disk space of the core and of each extra: what ``pip install 'similitude[EXTRA]'`` adds to the core, in MB.

Each extra is installed by uv into an environment of its own, with the versions of ``constraints.txt``. Bytes are those
of the files in site-packages, without pip and setuptools. Where torch's CPU build is not what the package index has,
``--torch-index https://download.pytorch.org/whl/cpu`` names one that has it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = ("test", "bench")
"""Extras for people who work on Similitude."""


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [name for name in project["optional-dependencies"] if name not in OURS]


def installed_bytes(wanted: str, uv: str, further: list[str]) -> int:
    """Size of site-packages after a fresh install."""
    with tempfile.TemporaryDirectory() as folder:
        python = ["--python", str(Path(folder) / "bin" / "python")]
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder], check=True)
        install = [uv, "pip", "install", "--quiet", *python, "--constraint", str(ROOT / "constraints.txt"), *further]
        subprocess.run([*install, wanted], check=True)
        (site,) = Path(folder).glob("lib/python*/site-packages")
        return sum(Path(root, name).stat().st_size for root, _, names in os.walk(site) for name in names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uv", default="uv", help="the program uv")
    parser.add_argument("--torch-index", help="a further package index, for torch's CPU build")
    parser.add_argument("extras", nargs="*", help="some extras; all by default")
    asked = parser.parse_args()
    further = ["--index", asked.torch_index, "--index-strategy", "unsafe-best-match"] if asked.torch_index else []
    core = installed_bytes(str(ROOT), asked.uv, further)
    print(f"core: {core / 1e6:.0f} MB", flush=True)
    for extra in asked.extras or extras():
        size = installed_bytes(f"{ROOT}[{extra}]", asked.uv, further)
        print(f"{extra}: {(size - core) / 1e6:+.0f} MB", flush=True)


if __name__ == "__main__":
    main()
