"""What comes of a case at each door: facts, or the one line of an error; anything else is a failure of its own kind."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .case import Case

__all__ = ["SECONDS", "Outcome", "outcomes"]

SECONDS = 20
"""The longest that any case may take."""

MEMORY = 12 << 30
"""The most address space that a process of its own gets, in bytes."""

GOLD = "gold.csv"
QUICK = {"measure": ("--resamples", "0"), "reliability": ("--resamples", "0", "--repeats", "2"), "gold": ()}
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
from similitude.cli import main
sys.argv[0] = "similitude"
main()
"""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a case at one door.

    Attributes:
        entrance: the call or command.
        error: the one line of the error; None if the data was read.
        facts: what was read, under the names of `Reads`.
        crash: what should never happen: a traceback, a wrong exit code, several errors, too long a time.
        file: the name of the file, which an error must hold; empty for an object.
    """

    entrance: str
    error: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    crash: str = ""
    file: str = ""


def outcomes(case: Case, folder: Path) -> list[Outcome]:
    """What comes of a case at every entrance of its door."""
    data = case.make(folder)
    file = Path(data).name if isinstance(data, str | Path) else ""
    return [replace(outcome, file=file) for outcome in _outcomes(case, folder, data)]


def _outcomes(case: Case, folder: Path, data: Any) -> list[Outcome]:
    if case.apart:
        return [_program(case, folder, str(data))]
    match case.door:
        case "benchmark":
            return [_read(case, folder, data), _command(case, folder, ["data", "show", *_paths(data), "--json"])]
        case "object":
            return [_read(case, folder, data)]
        case "columns":
            return [_columns(case, folder, data)]
        case "task":
            return [_task(case, folder, data)]
        case "predictions":
            return [_command(case, folder, ["measure", GOLD, str(data), "-m", "pearson", "--json"])]
        case _:
            commands = (["reliability", *_paths(data), "--json"], ["gold", *_paths(data), "--json"])
            return [_judgements(case, folder, data), *(_command(case, folder, command) for command in commands)]


def _paths(data: Any) -> list[str]:
    return list(map(str, data)) if isinstance(data, list) else [str(data)]


def flags(options: Mapping[str, Any]) -> list[str]:
    """The options of a Python call as flags of the command line."""
    made: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        named = "--column" if name == "columns" else flag
        match value:
            case dict():
                made += [part for ours, theirs in value.items() for part in (named, f"{ours}={theirs}")]
            case bool():
                made += ["--header", "yes" if value else "no"] if name == "header" else [flag]
            case tuple() if name == "missing":
                made += [part for code in value for part in (flag, code)]
            case tuple():
                made += [flag, ",".join(value)]
            case _:
                made += [flag, str(value)]
    return made


# --- Python -----------------------------------------------------------------------------------------------------------


def _read(case: Case, folder: Path, data: Any) -> Outcome:
    def call() -> dict[str, Any]:
        import similitude as sim

        benchmark = sim.read.__wrapped__(data, **case.options)  # the messages that the command line shares
        return benchmark_facts(benchmark)

    return _called("sim.read", call, folder)


def _columns(case: Case, folder: Path, data: Any) -> Outcome:
    def call() -> dict[str, Any]:
        import similitude as sim

        return benchmark_facts(sim.Benchmark.from_columns(**data, **case.options))

    return _called("Benchmark.from_columns", call, folder)


def _judgements(case: Case, folder: Path, data: Any) -> Outcome:
    def call() -> dict[str, Any]:
        import similitude as sim

        judgements = sim.read_judgements.__wrapped__(data, **case.options)
        scale = judgements.scale
        return {
            "items": len(judgements.judged),
            "kind": judgements.kind,
            "answers": len(judgements),
            "raters": tuple(sorted(judgements.annotators)),
            "scale": None if scale is None else str(scale),
            "origin": None if scale is None else scale.origin,
            "says": _said(judgements.provenance),
        }

    return _called("sim.read_judgements", call, folder)


def _task(case: Case, folder: Path, data: Any) -> Outcome:
    def call() -> dict[str, Any]:
        from similitude.evaluate.tasks.reading import open_task

        task = open_task(str(data), **case.options)
        items = getattr(task, "items", None)
        texts = {} if items is None else {"lefts": tuple(items.lefts), "rights": tuple(items.rights)}
        labels = getattr(task, "labels", ())
        return {"kind": task.kind, "items": len(labels), "scores": tuple(map(float, labels)), "says": (), **texts}

    return _called("open_task", call, folder)


def benchmark_facts(benchmark: Any) -> dict[str, Any]:
    """The facts of a benchmark, under the names of `Reads`."""
    frame, scale = benchmark.frame, benchmark.scale
    return {
        "items": frame.height,
        "scores": tuple(frame["score"].to_list()),
        "hidden": frame["score"].null_count(),
        "scale": None if scale is None else str(scale),
        "origin": None if scale is None else scale.origin,
        "lefts": tuple(frame["left"].to_list()),
        "rights": tuple(frame["right"].to_list()),
        "ids": tuple(frame["id"].to_list()),
        "sources": tuple(frame["source"].to_list()),
        "says": _said(benchmark.provenance),
    }


def _said(provenance: Any) -> tuple[str, ...]:
    skipped = (f"{each.where}: {each.why}" for each in provenance.skipped)
    return (*provenance.notes, *provenance.warnings, *skipped)


def _called(entrance: str, call: Any, folder: Path) -> Outcome:
    from similitude.errors import SimilitudeError

    begun = time.monotonic()
    try:
        with _alarm(), chdir(folder):
            facts = call()
    except SimilitudeError as error:
        crash = "" if error.remedy else f"no remedy: {error}"
        return Outcome(entrance=entrance, error=str(error), crash=crash or _bad_line(str(error)) or _slow(begun))
    except TimeoutError:
        return Outcome(entrance=entrance, crash=f"hangs for {SECONDS} seconds")
    except BaseException:
        return Outcome(entrance=entrance, crash=f"traceback: {_last_lines(traceback.format_exc())}")
    return Outcome(entrance=entrance, facts=facts, crash=_slow(begun))


# --- commands ---------------------------------------------------------------------------------------------------------


def _command(case: Case, folder: Path, written: Sequence[str]) -> Outcome:
    from similitude.cli import main

    arguments = [*written, *QUICK.get(written[0], ()), *flags(case.options)]
    entrance = f"similitude {written[0]}"
    out, err = io.StringIO(), io.StringIO()
    begun, code, argv = time.monotonic(), 0, sys.argv
    try:
        sys.argv = ["similitude", *arguments]
        with _alarm(), chdir(folder), redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as end:
        code = int(end.code or 0)
    except TimeoutError:
        return Outcome(entrance=entrance, crash=f"hangs for {SECONDS} seconds")
    except BaseException:
        return Outcome(entrance=entrance, crash=f"traceback: {_last_lines(traceback.format_exc())}")
    finally:
        sys.argv = argv
    return _told(entrance, code, out.getvalue(), err.getvalue(), begun)


def _program(case: Case, folder: Path, data: str) -> Outcome:
    """The command of a door as a program of its own, whose memory is limited."""
    commands = {
        "benchmark": ["data", "show", data, "--json"],
        "judgements": ["reliability", data, "--json"],
        "predictions": ["measure", GOLD, data, "-m", "pearson", "--json"],
    }
    written = commands[case.door]
    arguments = [sys.executable, "-c", LIMITED.format(memory=MEMORY), *written, *QUICK.get(written[0], ())]
    environment = os.environ | {"PYTHONWARNINGS": "error", "NO_COLOR": "1", "SIMILITUDE_CACHE": "off"}
    begun, entrance = time.monotonic(), f"similitude {written[0]} as a program"
    try:
        ran = subprocess.run(
            [*arguments, *flags(case.options)],
            cwd=folder,
            env=environment,
            input=case.typed,
            capture_output=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Outcome(entrance=entrance, crash=f"hangs for {SECONDS} seconds")
    return _told(entrance, ran.returncode, ran.stdout.decode(), ran.stderr.decode(), begun)


def _told(entrance: str, code: int, out: str, err: str, begun: float) -> Outcome:
    """The outcome of a command, from its exit code and what it printed."""
    if "Traceback" in err or "panicked" in err:
        return Outcome(entrance=entrance, crash=f"traceback: {_last_lines(err)}")
    errors = [line.removeprefix("error: ") for line in err.splitlines() if line.startswith("error: ")]
    if code == 2 and len(errors) == 1:
        return Outcome(entrance=entrance, error=errors[0], crash=_bad_line(errors[0]) or _slow(begun))
    if code or errors:
        return Outcome(entrance=entrance, crash=f"exit code {code} with {len(errors)} errors: {err[-300:]}")
    return Outcome(entrance=entrance, facts=_printed(entrance, json.loads(out), err), crash=_slow(begun))


def _printed(entrance: str, record: Any, err: str) -> dict[str, Any]:
    """The facts in the JSON that a command printed."""
    told = tuple(err.splitlines())
    if "reliability" in entrance:
        figures = {line["name"]: line["value"] for line in record["agreement"]}
        return {"agreement": figures, "answers": record["judgements"]["answers"]}
    if "gold" in entrance:
        return {"gold": {line["id"]: line.get("score") for line in record["items"]}}
    if "measure" in entrance:
        return {"figures": _measures(record), "says": (*told, *_texts(record))}
    return {"items": record["items"], "scale": record["scale"]} if "items" in record else {}


def _measures(record: Any) -> dict[str, float]:
    return {figure["measure"]: figure["value"] for figure in record["figures"] if figure.get("value") is not None}


def _texts(record: Any) -> Iterator[str]:
    """Every text in a JSON document."""
    if isinstance(record, str):
        yield record
    elif isinstance(record, dict):
        for value in record.values():
            yield from _texts(value)
    elif isinstance(record, list):
        for value in record:
            yield from _texts(value)


# --- limits -----------------------------------------------------------------------------------------------------------


@contextmanager
def _alarm() -> Iterator[None]:
    """Ends what takes too long, as far as Python gets a say."""

    def ring(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _slow(begun: float) -> str:
    took = time.monotonic() - begun
    return f"takes {took:.1f} seconds" if took > SECONDS else ""


def _bad_line(error: str) -> str:
    """What is wrong with the form of an error: it is one line that a person can read."""
    if re.search(r"[\x00-\x1f\x7f]", error):
        return f"control characters in the error: {error[:200]!r}"
    return f"an error of {len(error)} characters: {error[:200]}" if len(error) > 1500 else ""


def _last_lines(text: str) -> str:
    return " | ".join(line.strip() for line in text.strip().splitlines()[-3:])[:400]
