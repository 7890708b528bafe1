"""The steps of the Containerfile, as far as they go without a container engine."""

import json
import re
import shlex
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PUBLIC = "https://judge.example.org"


def steps() -> list[tuple[str, str]]:
    """Instruction and argument of each line."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line and line[0] != "#")]


def argument(instruction: str) -> str:
    return next(rest for name, rest in steps() if name == instruction)


def test_it_has_the_instructions_that_a_container_needs():
    names = [name for name, _ in steps()]
    assert names[0] == "FROM"
    assert {"COPY", "RUN", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"} <= {*names}
    assert names.index("USER") > max(place for place, name in enumerate(names) if name == "RUN")


def test_the_python_of_its_image_is_supported():
    version = re.fullmatch(r"docker\.io/library/python:(3\.\d+)-slim", argument("FROM"))[1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


def test_it_copies_what_the_build_needs_and_what_is_not_ignored():
    copied = [word for name, rest in steps() if name == "COPY" for word in rest.split()[:-1]]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"pyproject.toml", "src", project["readme"], *project["license-files"]} <= {*copied}
    assert all((ROOT / name).exists() for name in copied)
    for ignored in (".containerignore", ".dockerignore"):
        lines = (ROOT / ignored).read_text(encoding="utf-8").splitlines()
        assert "*" in lines
        assert {line[1:] for line in lines if line.startswith("!")} == {*copied}


def test_it_installs_extras_that_exist():
    install = next(rest for name, rest in steps() if name == "RUN" and "pip install" in rest)
    (extras,) = re.findall(r"/source\[([\w,]+)\]", install)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*extras.split(",")} <= {*project["optional-dependencies"]}
    assert "annotate" in extras


@pytest.mark.slow
def test_its_entry_point_serves_and_its_health_check_succeeds(tmp_path):
    pytest.importorskip("fastapi", reason="the extra 'annotate' is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    program, *words = json.loads(argument("ENTRYPOINT"))
    assert program == "similitude"
    started = [str(tmp_path) if word == argument("VOLUME") else word for word in words]
    command, _, code = shlex.split(argument("HEALTHCHECK").removeprefix("CMD "))
    assert (command, argument("EXPOSE") in code) == ("python", True)
    server = subprocess.Popen(
        [sys.executable, "-m", "similitude", *started, "--port", port, "--public-url", PUBLIC],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        check = [sys.executable, "-c", code.replace(argument("EXPOSE"), port)]
        answers = (subprocess.run(check, capture_output=True, check=False).returncode for _ in range(200))
        assert any(answer == 0 or time.sleep(0.1) for answer in answers)
    finally:
        server.terminate()
        server.wait(timeout=30)
