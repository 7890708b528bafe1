"""What the page of a search tells its reader to do next works as written."""

import html
import re
import shlex
import subprocess
import sys

import pytest

import similitude as sim

pytest.importorskip("fastapi", reason="the extra 'annotate' is not installed")


@pytest.mark.slow
def test_the_next_steps_on_the_page_lead_to_a_study_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = [
        f"{who} {does} {what}." for who in ("A man", "A dog") for does in ("sees", "likes") for what in ("a cat", "tea")
    ]
    found = sim.candidates(texts, out="my search", items=6, k=3, duplicates=False)
    page = found.report("page.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="next">') : page.index('<section id="plan">')]
    codes = [html.unescape(code) for code in re.findall(r"<pre><code>(.*?)</code></pre>", section, re.DOTALL)]
    (study,) = [code for code in codes if code.startswith("name =")]
    (tmp_path / "my search" / "study.toml").write_text(study, encoding="utf-8")
    commands = [line for code in codes for line in code.splitlines() if line.startswith("similitude")]
    assert [command.split()[1] for command in commands] == ["data", "design", "annotate", "annotate"]
    for command in commands[:-1]:  # the last one serves until it is stopped
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
    assert "is in order: questions: 6 work; 30 judgements wanted" in done.stdout
