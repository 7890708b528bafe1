"""The footprint of Similitude: CPU time of ``import similitude`` and of short commands, and disk space of the core.

A command is timed by the user and system time of its process, of which the least of several runs counts, because other
work on the machine only adds to it. With ``--no-install`` the disk space is left out. The core is installed into a new
virtual environment from the package registry, as ``make demo`` does.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPEATS = 10
LIMIT_SECONDS, LIMIT_MEGABYTES = 0.3, 500
LIBRARY = "import cyclopts"
BEYOND_LIBRARY = 0.15
COMMANDS = {
    "--help": None,
    "--version": None,
    "evaluate --help": None,
    "measures": 0.3,
    "systems": 0.3,
    "data formats": None,
    "completion bash": None,
    "no-such-command": None,
    "evaluate no-such-file.csv -s levenshtein": None,
}
"""Commands that only list or refuse, with their limits in seconds."""
TIMED = "import time; start = time.process_time(); {statement}; print(time.process_time() - start)"


def cpu_seconds(statement: str) -> float:
    """CPU time of a statement in a new interpreter: the best of several."""
    command = [sys.executable, "-c", TIMED.format(statement=statement)]
    return min(float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(REPEATS))


def process_seconds(command: list[str]) -> tuple[float, float]:
    """CPU time of a whole process, start of the interpreter included: the least and the median of several."""
    used = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=False, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(used), statistics.median(used)


def time_commands() -> None:
    library, _ = process_seconds([sys.executable, "-c", LIBRARY])
    print(f"python -c '{LIBRARY}': {library:.3f} s of CPU time")
    for line, limit in COMMANDS.items():
        least, median = process_seconds([sys.executable, "-m", "similitude", *line.split()])
        own = limit if limit is not None else library + BEYOND_LIBRARY if line == "--help" else None
        told = f" (limit {own:.2f} s)" if own is not None else ""
        print(f"similitude {line}: {least:.3f} s of CPU time, median {median:.3f} s{told}")


def installed_megabytes() -> tuple[float, list[str]]:
    """Size of a fresh core install without pip and setuptools, and which heavy packages are in it by mistake."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), str(ROOT)], check=True)
        site = next(Path(folder).glob("lib/python*/site-packages"))
        packages = [p for p in site.iterdir() if not p.name.lower().startswith(("pip", "setuptools", "_distutils"))]
        size = sum(
            Path(root, name).stat().st_size
            for p in packages
            if p.is_dir()
            for root, _, names in os.walk(p)
            for name in names
        )
        unwanted = [p.name for p in packages if p.name in ("torch", "transformers", "pyarrow", "matplotlib", "fastapi")]
        return size / 1e6, unwanted


def main() -> None:
    seconds = cpu_seconds("import similitude")
    print(f"import similitude: {seconds:.4f} s of CPU time (limit {LIMIT_SECONDS} s)")
    used = cpu_seconds("import similitude; similitude.run")
    print(f"import similitude, then everything that similitude.run needs: {used:.3f} s of CPU time")
    time_commands()
    if "--no-install" in sys.argv:
        return
    megabytes, unwanted = installed_megabytes()
    print(f"core install: {megabytes:.0f} MB (limit {LIMIT_MEGABYTES} MB); heavy packages in it: {unwanted or 'none'}")


if __name__ == "__main__":
    main()
