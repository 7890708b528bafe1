"""The runner of mutants, on a small package of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"

MODULE = '''"""A module."""
from dataclasses import dataclass
from functools import cache


def less(number: int) -> int:
    return number - 1


LIMIT = less(4)


@dataclass(frozen=True, slots=True)
class Pair:
    low: int = 1

    @property
    def above(self) -> int:
        return self.low + 1


@cache
def is_many(number: int) -> bool:
    """More than the limit.

    >>> is_many(4)
    True
    """
    return number > LIMIT


def endless(number: int) -> int:
    while number > 0:
        number -= 1
    return number


def unseen(number: int) -> int:
    return number * 2
'''
TESTS = """from house.room.module import Pair, endless

def test_above():
    assert Pair().above == 2

def test_endless():
    assert endless(5) == 0
"""
RUN = """
import json, sys
from pathlib import Path
from mutation import child_time
from mutation.mutant_run import MutantRun
from mutation.mutants import mutants_of
from mutation.reached_lines import ReachedFile
from mutation.survey import Room
from mutation.verdicts import VerdictFile

child_time.START = 2
root = Path(sys.argv[1])
package = root / "src" / "house" / "room"
sys.path.insert(0, str(root / "src"))
room = Room(root=root, source=root / "src", package=package, tests=(str(root / "tests"), str(package)))
begun = []
run = MutantRun(room, mutants_of(package / "module.py"), VerdictFile(root / "kept" / "verdicts.jsonl"),
                ReachedFile(root / "kept" / "reached.json", root), jobs=2)
start = run._start
run._start = lambda mutant, tests: begun.append(mutant) or start(mutant, tests)
found = {f"{mutant.function}: {mutant.after}": verdict.status for mutant, verdict in run().items()}
(root / "found.json").write_text(json.dumps([found, len(begun)]))
"""


def _mutate(root: Path) -> tuple[dict[str, str], int]:
    environment = {"PYTHONPATH": str(SCRIPTS), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", RUN, str(root)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return tuple(json.loads((root / "found.json").read_text()))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    files = {"src/house/room/module.py": MODULE, "tests/test_module.py": TESTS, "conftest.py": ""}
    files |= {"src/house/__init__.py": "", "src/house/room/__init__.py": ""}
    files |= {"pytest.ini": "[pytest]\naddopts = --doctest-modules --import-mode=importlib\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.slow
def test_every_mutant_gets_its_verdict_once(house: Path):
    found, begun = _mutate(house)
    assert found == {
        ": LIMIT = less(5)": "killed",  # by the doctest, though the constant was read as the module was imported
        "less: return None": "killed",
        "less: return number + 1": "killed",  # it was called as the module was imported
        "less: return number - 2": "survived",
        ": low: int = 2": "killed",
        "Pair.above: return None": "killed",
        "Pair.above: return self.low - 1": "killed",  # a property of a class with slots
        "Pair.above: return self.low + 2": "killed",
        "is_many: return None": "killed",
        "is_many: return number >= LIMIT": "survived",  # behind a cache; 3 itself is not tested
        "endless: while number >= 0:": "killed",
        "endless: while number > 1:": "killed",
        "endless: number += 1": "timeout",
        "endless: number -= 2": "killed",
        "endless: return None": "killed",
        "unseen: return None": "unreached",
        "unseen: return number / 2": "unreached",
        "unseen: return number * 3": "unreached",
    }
    assert begun == 7  # five that change what is imported, one that survives, one without an end; three have no test

    reached = (house / "kept" / "reached.json").read_bytes()
    house = house.rename(house.with_name("moved"))
    again, begun = _mutate(house)
    assert (again, begun) == (found, 0)
    assert (house / "kept" / "reached.json").read_bytes() == reached  # nor was a test watched again

    tests = (house / "tests" / "test_module.py").read_text()
    more = "from house.room.module import is_many\n\ndef test_three():\n    assert not is_many(3)\n"
    (house / "tests" / "test_module.py").write_text(tests + more)
    found, begun = _mutate(house)
    assert found["is_many: return number >= LIMIT"] == "killed"
    assert found["less: return number - 2"] == "killed"
    assert begun == 2


DRAWN = """from hypothesis import given
from hypothesis import strategies as st
from house.room.module import unseen

@given(st.integers(0, 4))
def test_something_comes_back(number):
    assert unseen(number) is not None
"""


@pytest.mark.slow
def test_tests_that_draw_examples_do_not_fail_by_themselves(house: Path):
    (house / "tests" / "test_drawn.py").write_text(DRAWN)
    with (house / "pytest.ini").open("a") as settings:
        settings.write("filterwarnings = error\n")
    found, _ = _mutate(house)
    assert {change: verdict for change, verdict in found.items() if change.startswith("unseen")} == {
        "unseen: return None": "killed",
        "unseen: return number / 2": "survived",
        "unseen: return number * 3": "survived",
    }


COMPUTED = """from house.room.module import unseen

TWICE = unseen(2)

def test_the_same_again():
    assert unseen(2) == TWICE
"""
THREADED = """import threading
from house.room.module import unseen

threading.Thread(target=threading.Event().wait, daemon=True).start()

def test_it_is_a_number():
    assert threading.active_count() == 2
    assert unseen(3) is not None
"""


@pytest.mark.slow
def test_what_collecting_computes_or_starts_is_as_in_a_process_of_its_own(house: Path):
    (house / "tests" / "test_computed.py").write_text(COMPUTED)
    (house / "tests" / "test_threaded.py").write_text(THREADED)
    found, _ = _mutate(house)
    assert {change: verdict for change, verdict in found.items() if change.startswith("unseen")} == {
        "unseen: return None": "killed",  # by the test with a thread, which a fork would not have
        "unseen: return number / 2": "survived",  # both values change
        "unseen: return number * 3": "survived",
    }


FRAGILE = """import os, signal

def fragile(number):
    if number > 4:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_child_that_is_killed_from_outside_says_nothing_of_its_mutant(house: Path):
    (house / "src" / "house" / "room" / "module.py").write_text(FRAGILE)
    test = "from house.room.module import fragile\n\ndef test_fragile():\n    fragile(4)\n"
    (house / "tests" / "test_module.py").write_text(test)
    found, begun = _mutate(house)
    assert found == {"fragile: if number > 5:": "survived", "fragile: pass": "unreached"}
    assert begun == 3  # that one, and twice "number >= 4"


def _changes(tmp_path: Path, source: str) -> list[str]:
    from mutation.mutants import mutants_of

    path = tmp_path / "module.py"
    path.write_text(source)
    mutants = mutants_of(path)
    for mutant in mutants:
        compile(mutant.tree(), str(path), "exec")
    return [mutant.after for mutant in mutants]


@pytest.mark.parametrize(
    ("statement", "changed"),
    [
        ("a = b // c - 1", ["a = b // c + 1", "a = b / c - 1", "a = b // c - 2"]),
        ("a = 0 < b <= c", ["a = 0 <= b <= c", "a = 0 < b < c", "a = 1 < b <= c"]),
        ("a = not b and c", ["a = not b or c", "a = b and c"]),
        ("a = f(b, axis=-1)", ["a = f(b)", "a = f(b, axis=1)", "a = f(b, axis=-2)"]),
        ("a = min(b)", ["a = max(b)"]),
        ("a = True, 'name', 'a text for people', 0.5", None),
        ("f(a)", ["pass"]),
        (
            "a = f(b, remedy='do it again', where=f'row {c + 1}')",
            [f"a = f(b, remedy='do it again', where=f'row {{{changed}}}')" for changed in ("c - 1", "c + 2")],
        ),
        ("a = [b for b in c if b]", ["a = [b for b in c if not b]"]),
        ("a = zip(b, c, strict=True)", []),
        ("a: Literal['b'] = f'{c} items'", []),
        ("__all__ = ['name']", []),
        ("if a: b = c", ["if not a:"]),
    ],
)
def test_changes_of_a_statement(tmp_path: Path, statement: str, changed: list[str] | None):
    if changed is None:
        changed = [
            f"a = ({values})"
            for values in (
                "False, 'name', 'a text for people', 0.5",
                "True, 'XXname', 'a text for people', 0.5",
                "True, 'name', 'a text for people', 1.5",
            )
        ]
    assert sorted(_changes(tmp_path, f"{statement}\n")) == sorted(changed)


def test_annotations_decorators_and_docstrings_are_left_alone(tmp_path: Path):
    source = '@decorated(1)\ndef f(a: "int" = 2) -> "int":\n    """doc"""\n    return a\n'
    assert _changes(tmp_path, source) == ["def f(a: 'int'=3) -> 'int':", "return None"]
