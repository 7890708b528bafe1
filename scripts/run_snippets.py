"""Run the commands in documents and write what they print below them.

``python scripts/run_snippets.py docs/how-to.md``

A test runs them again and compares. An output with ``...`` in it was shortened by hand and stays as it is.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from website.console_snippets import Command, File, steps, with_outputs


def outputs(text: str) -> Iterator[str]:
    """What each command prints, tables and messages."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NO_COLOR": "1", "SIMILITUDE_CACHE": f"{folder}/.cache"}
        for step in steps(text):
            if isinstance(step, File):
                (Path(folder) / step.name).write_text(step.text, encoding="utf-8")
            else:
                yield _printed(step, folder, environment)


def _printed(step: Command, folder: str, environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "similitude", *step.words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if "..." in step.output:
        return step.output
    lines = (done.stdout + done.stderr).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines if line.strip())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        written = path.read_text(encoding="utf-8")
        path.write_text(with_outputs(written, outputs(written)), encoding="utf-8")
