"""Record the output of ``similitude demo`` as docs/demo.svg for the README. Run ``make screenshot``."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

from rich.console import Console

from similitude.cli import demo

TARGET = Path(__file__).parents[1] / "docs" / "demo.svg"


def main() -> None:
    console = Console(record=True, width=104, file=io.StringIO(), force_terminal=True, highlight=False)
    demo.results = console
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        demo.demo()
    console.save_svg(str(TARGET), title="similitude demo", unique_id="similitude-demo")
    print(f"written: {TARGET.name}")


if __name__ == "__main__":
    main()
