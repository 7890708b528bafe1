"""Print the size and shape of the code: modules, lines, cycles, twins, names, and the walk of ``evaluate``.

Run ``make figures``. You need the dependencies of the tests (grimp comes with import-linter).

- *twins*: pairs of files, or of places in one file, that share a run of six or more lines, in text or in shape. The
  shape of a line is what is left when names, strings and numbers are replaced by one letter each; a run of thin
  lines is no twin by shape. Blank lines, comments, docstrings, imports and lines of punctuation do not count.
- *-ing*: modules whose name ends in -ing.
- *walk*: the distinct functions of the package that ``similitude evaluate`` calls on the sample, their files, and how
  often two functions that follow each other (by first call) lie in different rooms. Imports do not count.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import keyword
import os
import shutil
import sys
import tempfile
import threading
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

SOURCE = Path(__file__).parents[1] / "src" / "similitude"
RUN = 6
THIN = 25
TOO_COMMON = 8
TEXT, SHAPE = 1, 2
EVALUATE = ("evaluate", "sample:opinions", "-s", "levenshtein", "-m", "pearson", "-m", "spearman")


def main() -> None:
    modules = sorted(path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.py"))
    activities = [path for path in modules if path.stem.endswith("ing")]
    print(f"modules            {len(modules)} (and {len(list(SOURCE.rglob('__init__.py')))} packages)")
    print(f"lines              {lines:,}")
    print(f"cycles             {cycles()}")
    print(f"twins              {twins(modules)}")
    print(f"names in -ing      {len(activities)} of {len(modules)}: {', '.join(sorted(p.stem for p in activities))}")
    print(f"walk of evaluate   {walk()}")


def cycles() -> int:
    """Imports that would have to go so that no two modules of any package depend on each other."""
    import grimp

    graph = grimp.build_graph("similitude")
    packages = ["similitude", *(name for name in graph.modules if graph.find_children(name))]
    return sum(len(graph.nominate_cycle_breakers(name)) for name in set(packages))


def twins(modules: list[Path]) -> str:
    """Pairs of places that share a run of lines, by text and by shape alone."""
    read = {path: list(code_lines(path)) for path in modules}
    by_text = pairs(read, TEXT)
    by_shape = pairs(read, SHAPE) - by_text
    return f"{len(by_text | by_shape)} pairs of places ({len(by_shape)} by shape alone)"


def code_lines(path: Path) -> Iterator[tuple[int, str, str]]:
    """Number, text and shape of each line that counts."""
    text = path.read_text(encoding="utf-8")
    skipped = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    shapes: dict[int, list[str]] = defaultdict(list)
    words: dict[int, list[str]] = defaultdict(list)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING):
            words[token.start[0]].append(token.string)
            shapes[token.start[0]].append(_shape(token))
    for number in sorted(words):
        if number not in skipped and any(any(map(str.isalnum, word)) for word in words[number]):
            yield number, " ".join(words[number]), " ".join(shapes[number])


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _shape(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.OP or keyword.iskeyword(token.string):
        return token.string
    return {tokenize.NAME: "n", tokenize.NUMBER: "0", tokenize.STRING: "s"}[token.type]


def pairs(read: dict[Path, list[tuple[int, str, str]]], which: int) -> set[tuple[str, str]]:
    """Pairs of files (or a file with itself) that share a run; runs that stand in many places are no twins."""
    places: dict[tuple[Any, ...], list[tuple[Path, int]]] = defaultdict(list)
    for path, lines in read.items():
        for start in range(len(lines) - RUN + 1):
            run = tuple(line[which] for line in lines[start : start + RUN])
            if which == TEXT or sum(line.count(" ") for line in run) >= THIN:
                places[run].append((path, start))
    found = set()
    for where in places.values():
        if not 2 <= len(where) <= TOO_COMMON:
            continue
        for (one, first), (other, second) in itertools.combinations(where, 2):
            if one != other or abs(first - second) >= RUN:
                found.add((str(one), str(other)))
    return found


def walk() -> str:
    """Functions, files and changes of room of one ``evaluate``, after all its imports."""
    from similitude.cli import main as command

    folder = Path(tempfile.mkdtemp())
    os.environ["SIMILITUDE_CACHE"] = "off"
    called: dict[CodeType, None] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and Path(code.co_filename).is_relative_to(SOURCE) and not code.co_name.startswith("<"):
            called.setdefault(code)

    with contextlib.chdir(folder):
        _quietly(command)
        shutil.rmtree("runs")
        threading.setprofile(watch)
        sys.setprofile(watch)
        _quietly(command)
        sys.setprofile(None)
        threading.setprofile(None)
    shutil.rmtree(folder)
    rooms = [Path(code.co_filename).relative_to(SOURCE).parts[0] for code in called]
    files = Counter(code.co_filename for code in called)
    changes = sum(one != other for one, other in itertools.pairwise(rooms))
    return f"{len(called)} functions in {len(files)} files, {changes} changes of room"


def _quietly(command: Any) -> None:
    sys.argv = ["similitude", *EVALUATE]
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent), contextlib.suppress(SystemExit):
        command()


if __name__ == "__main__":
    main()
