"""A short run of the core with the interpreter that runs this script: every module, and commands on the samples.

Used by tests/functional/test_interpreters.py for each Python that is installed. Deprecation warnings of our own modules
are errors. Modules of extras that are not installed are counted and left out.
"""

from __future__ import annotations

import contextlib
import io
import os
import pkgutil
import platform
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path

COMMANDS = (
    "measures",
    "systems",
    "completion fish",
    "data show sample:dialogues",
    "data check sample:conditions",
    "data stats sample:conditions --no-lemmas",
    "data convert sample:opinions --out opinions.parquet",
    "data convert sample:opinions --out opinions.jsonl",
    "data show opinions.parquet",
    "data show opinions.jsonl.zst",
    "design best-worst sample:dialogues --out plan.jsonl",
    "gold sample:dialogues --method plackett-luce --out gold.jsonl",
    "reliability sample:opinions",
    "evaluate opinions.jsonl -s levenshtein -s tfidf-cosine -s use-multilingual --by domain --folder run -q",
    "evaluate sample:opinions sample:conditions -s levenshtein -m spearman --folder suite -q",
    "report run --page report.html",
    "choose sample:opinions -s levenshtein -s tfidf-cosine --cardinality 1:1 --interest all --information value "
    "--folder choice -q",
    "task deduplication sample:deduplication -s levenshtein -q",
)


def modules() -> tuple[int, list[str]]:
    """Import every module; gives how many, and the names of the libraries that were missing."""
    import similitude
    from similitude.errors import MissingExtraError

    found, missing = 0, set()
    for each in pkgutil.walk_packages(similitude.__path__, "similitude.", onerror=lambda name: None):
        if each.name.endswith("__main__"):
            continue
        try:
            import_module(each.name)
            found += 1
        except ModuleNotFoundError as error:
            if error.name is None or error.name.startswith("similitude"):
                raise
            missing.add(error.name.partition(".")[0])
        except MissingExtraError as error:
            missing.add(str(error).partition("pip install ")[2])
    return found, sorted(missing)


def compressed(path: Path) -> None:
    """The file compressed by Zstandard, which Python 3.14 has itself."""
    from similitude.data.reading.compression import zstd

    path.with_suffix(f"{path.suffix}.zst").write_bytes(zstd.compress(path.read_bytes()))


def main() -> int:
    warnings.filterwarnings("error", category=DeprecationWarning, module=r"similitude(\.|$)")
    warnings.filterwarnings("error", category=SyntaxWarning)
    os.environ["SIMILITUDE_CACHE"] = "off"
    count, missing = modules()
    from similitude.cli.app import run

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for line in COMMANDS:
            if line.endswith(".zst"):
                compressed(Path(line.split()[-1]).with_suffix(""))
            with contextlib.redirect_stdout(io.StringIO()):
                code = run(line.split())
            if code:
                print(f"'similitude {line}' ended with {code}")
                return 1
        os.chdir("/")
    libraries = f"; without {', '.join(missing)}" if missing else ""
    print(f"Python {platform.python_version()}: {count} modules, {len(COMMANDS)} commands{libraries}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
