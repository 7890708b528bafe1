"""Execute the notebooks in docs/notebooks and store what they show.

Run ``make notebooks``. A test executes them again and compares the text of their outputs with what is stored.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient

from website.tutorials import NOTEBOOKS, unpack_tutorial

ENVIRONMENT = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_OFFLINE": "1",
    "NO_COLOR": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}
SECONDS = 600
CHANGING = re.compile(r"\b\d+(?:[.,]\d+)? ?(?:s|ms|seconds?|items/s)\b|/[\w./-]*(?:tmp|T)/[\w./-]+|0x[0-9a-f]+")
"""What differs from run to run: times, temporary folders, addresses of objects."""
ERASED = re.compile(r"(?:\r\x1b\[2K[^\r\n]*)*\r\x1b\[2K")
"""Lines that a slow command drew over each other and took away again."""


def executed(path: Path, python: Path = Path(sys.executable), **environment: str) -> Any:
    """The notebook, executed in a folder of its own, beside the files that it reads.

    Args:
        path: of the notebook.
        python: the interpreter that executes it, which has ipykernel.
        environment: variables that it sees.

    Raises:
        CellExecutionError: a cell fails.
    """
    kept = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="similitude-notebook-") as folder:
        notebook = nbformat.read(unpack_tutorial(path.stem, Path(folder)), as_version=4)
        programs = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
        os.environ |= ENVIRONMENT | {"SIMILITUDE_CACHE": f"{folder}/cache", "PATH": programs} | environment
        try:
            NotebookClient(
                notebook,
                timeout=SECONDS,
                kernel_manager_class=_kernel_of(python),
                resources={"metadata": {"path": folder}},
            ).execute()
        finally:
            os.environ.clear()
            os.environ.update(kept)
    return tidied(notebook)


def _kernel_of(python: Path) -> type[AsyncKernelManager]:
    """Starts kernels of this interpreter, whichever kernels are installed."""
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    found = KernelSpec(argv=command, display_name="Python", language="python")
    return type("KernelOfInterpreter", (AsyncKernelManager,), {"kernel_spec": property(lambda self: found)})


def tidied(notebook: Any) -> Any:
    """Without times of execution, progress bars and empty outputs."""
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = list(_joined(output for output in cell.outputs if _says_something(output)))
    return notebook


def _joined(outputs: Iterable[Any]) -> Iterator[Any]:
    """What is printed comes in pieces of any size: one output for all that follow each other."""
    for is_stream, group in groupby(outputs, lambda output: output.output_type == "stream"):
        first, *others = group
        if is_stream:
            first.text = ERASED.sub("", first.text + "".join(output.text for output in others))
        yield from [first] if is_stream else [first, *others]


def _says_something(output: Any) -> bool:
    if output.output_type == "stream":
        return output.name == "stdout"
    return output.output_type != "display_data" or any(output.data.values())


def texts(notebook: Any) -> list[str]:
    """What each output says as plain text, without what differs from run to run."""
    return [CHANGING.sub("…", text) for cell in notebook.cells for text in _texts(cell)]


def _texts(cell: Any) -> Iterator[str]:
    for output in cell.get("outputs", ()):
        yield output.text if output.output_type == "stream" else output.data.get("text/plain", "")


def main() -> int:
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.glob("*.ipynb"))
    for path in chosen:
        nbformat.write(executed(path), path)
        print(f"{path.name}: {path.stat().st_size / 1000:,.0f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
