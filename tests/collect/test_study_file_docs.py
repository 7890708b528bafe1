"""The files with known answers in docs/study-file.md are read as it says."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="needs the annotation server")

from similitude.collect.annotation.plan.reader import read_study

DOCS = (Path(__file__).parents[2] / "docs" / "study-file.md").read_text(encoding="utf-8")
KNOWN = dict(re.findall(r"<!-- known: ([\w-]+) -->\n```json\n(.*?)```", DOCS, re.DOTALL))
ITEMS = [{"id": f"pair-{n}", "left": f"One text {n}", "right": f"Another text {n}", "condition": "Size"} for n in "123"]
REPLIES = [{"id": f"reply-{n}", "left": "Well?", "right": f"Reply {n}", "group": "one"} for n in "123456"]


def test_every_task_with_a_right_answer_has_an_example():
    assert set(KNOWN) == {"rating", "best-worst", "verification"}


@pytest.mark.parametrize("kind", ["gold", "training", "qualification"])
@pytest.mark.parametrize("task", KNOWN)
def test_the_examples_are_read(task, kind, tmp_path):
    items = REPLIES if task == "best-worst" else ITEMS
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    (tmp_path / "known.jsonl").write_text(KNOWN[task], encoding="utf-8")
    share = "[batch]\ngold_share = 0.1\n" if kind == "gold" else ""
    (tmp_path / "study.toml").write_text(
        f'name = "docs"\ntask = "{task}"\nitems = "items.jsonl"\ntuple_size = 3\n'
        f'{share}[{kind}]\nquestions = "known.jsonl"\n',
        encoding="utf-8",
    )
    known = [each for each in read_study(tmp_path / "study.toml").questions if each.kind == kind]
    assert len(known) == len(KNOWN[task].splitlines())
    assert all(each.expected for each in known)
