"""Mutants that are listed as equivalent, and the summary that counts them apart."""

from pathlib import Path

import pytest

from mutation.equivalents import Equivalents, read_equivalents
from mutation.mutants import mutants_of
from mutation.summary import lines, summarize
from mutation.verdicts import Verdict

SCRIPTS = Path(__file__).parents[2] / "scripts"

EQUIVALENT = """
[[equivalent]]
module = "room/module.py"
function = "larger"
before = 'return a if a > b else b'
after = 'return a if a >= b else b'
why = "Equal numbers are the same number."

[[equivalent]]
module = "room/module.py"
function = "larger"
before = 'return a if a > b else b'
after = 'return None'
why = "Nobody looked."

[[equivalent]]
module = "room/module.py"
function = ""
before = 'LIMIT = 1'
after = 'LIMIT = 2'
why = "It is gone."
"""
LARGER = """def larger(a: int, b: int) -> int:
    return a if a > b else b


def smaller(a: int, b: int) -> int:
    return a if a < b else b
"""


def _listed(folder: Path, toml: str) -> Equivalents:
    (folder / "room.toml").write_text(toml)
    return Equivalents(read_equivalents(folder / "room.toml"), folder)


def _summary(folder: Path, *killed: str) -> dict[str, object]:
    """Of the mutants of LARGER, of which all survive but these; those of `smaller` were not tried."""
    path = folder / "room" / "module.py"
    path.parent.mkdir()
    path.write_text(LARGER)
    tried = [mutant for mutant in mutants_of(path) if mutant.function == "larger"]
    noticed = Verdict(status="killed", killer="test_larger")
    results = {mutant: noticed if mutant.after in killed else Verdict(status="survived") for mutant in tried}
    return summarize(results, mutants_of(path), _listed(folder, EQUIVALENT), folder)


def test_listed_survivors_are_counted_apart(tmp_path: Path):
    summary = _summary(tmp_path, "return None")
    assert [summary[name] for name in ("tried", "killed", "survived", "equivalent")] == [2, 1, 0, 1]
    assert (summary["share_killed"], summary["share_killed_or_equivalent"]) == (0.5, 1.0)
    assert [row["why"] for row in summary["equivalents"]] == ["Equal numbers are the same number."]
    printed = list(lines(summary | {"room": "room", "mutants": 4}, with_equivalents=True))
    assert printed[:4] == [
        "room/module.py:2 larger (equivalent)",
        "    - return a if a > b else b",
        "    + return a if a >= b else b",
        "      Equal numbers are the same number.",
    ]
    assert printed[-1] == (
        "room: 4 mutants; 2 tried, 1 killed, 0 timeout, 0 survived, 0 unreached, 1 equivalent; "
        "noticed: 50.0%; noticed or equivalent: 100.0%"
    )
    assert printed[4:] == list(lines(summary | {"room": "room", "mutants": 4}, with_equivalents=False))


def test_entries_that_are_no_longer_so_are_stale(tmp_path: Path):
    stale = {row["after"]: row["stale"] for row in _summary(tmp_path, "return None")["stale"]}
    assert stale == {"return None": "noticed by test_larger", "LIMIT = 2": "no mutant is like it"}


def test_an_entry_is_not_stale_while_one_of_its_mutants_survives(tmp_path: Path):
    assert [row["after"] for row in _summary(tmp_path)["stale"]] == ["LIMIT = 2"]


@pytest.mark.parametrize(
    ("toml", "error"),
    [
        (EQUIVALENT.replace('why = "Nobody looked."', ""), "entry 2 must have"),
        (EQUIVALENT.replace("Nobody looked.", " "), "entry 2 must have"),
        (EQUIVALENT.replace('why = "Nobody', 'line = 3\nwhy = "Nobody'), "entry 2 must have"),
        (EQUIVALENT.replace("return None", "return a if a >= b else b"), "listed twice: room/module.py larger"),
    ],
)
def test_entries_are_checked(tmp_path: Path, toml: str, error: str):
    with pytest.raises(SystemExit, match=error):
        _listed(tmp_path, toml)


@pytest.mark.parametrize("room", ["stats", "gold", "evaluate"])
def test_our_own_lists_can_be_read(room: str):
    source = SCRIPTS.parent / "src" / "similitude"
    for entry in read_equivalents(SCRIPTS / "mutation" / "equivalent" / f"{room}.toml"):
        assert (source / entry.module).exists()
        assert entry.before != entry.after
