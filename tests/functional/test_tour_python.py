"""The Python section of the tour runs as written. Models that it names are small ones with random weights here."""

import re
import string
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import similitude as sim

sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
datasets = pytest.importorskip("datasets", reason="the extra 'huggingface' is not installed")

TOUR = (Path(__file__).parents[2] / "docs" / "tour.md").read_text(encoding="utf-8")
SECTION = TOUR.partition("## Use it in Python")[2].partition("\n## ")[0]


def block() -> str:
    """The block that is not a doctest."""
    (found,) = [code for code in re.findall(r"```python\n(.*?)```", SECTION, flags=re.DOTALL) if ">>>" not in code]
    return found


def labelled(queries: int) -> pd.DataFrame:
    """Candidates of queries: the first is a duplicate, the others are not."""
    rows = []
    for query in range(queries):
        text = f"how do i reset password {query}"
        others = [f"please reset my password {query}", f"the train {query} is late", f"a red car {query}"]
        rows += [
            {"left": text, "right": other, "score": float(place == 0), "group": f"q{query}"}
            for place, other in enumerate(others)
        ]
    return pd.DataFrame(rows)


def conditions(pairs: int) -> pd.DataFrame:
    sides = [{"left": f"{n} red cars", "right": f"{n + 1} red cars"} for n in range(pairs)]
    rows = [
        [{**each, "condition": "the colour", "score": 5}, {**each, "condition": "the number", "score": 1}]
        for each in sides
    ]
    return pd.DataFrame([row for pair in rows for row in pair])


@pytest.fixture
def names(tiny_bert, letters, monkeypatch, tmp_path) -> dict:
    """What the section takes as given: data, and in the working folder the models that it names."""
    monkeypatch.chdir(tmp_path)
    backbone = tiny_bert([*letters, *string.digits, *string.punctuation])
    sentence_transformers.SentenceTransformer(str(backbone), device="cpu").save("all-MiniLM-L6-v2")
    cross = sentence_transformers.CrossEncoder(str(backbone), num_labels=1, device="cpu")
    cross.save_pretrained("cross-encoder/stsb-roberta-base")
    df, rng = labelled(12), np.random.default_rng(0)
    answers = sim.read_judgements("sample:dialogues")
    pairs = datasets.Dataset.from_pandas(df)
    return {
        "df": df,
        "my_function": lambda left, right: len({*left.split()} & {*right.split()}) / len({*left.split()}),
        "scores_array": rng.uniform(size=len(df)),
        "gold_array": rng.uniform(size=len(df)),
        "items_df": sim.read("sample:dialogues").to_pandas()[["id", "left", "right"]],
        "answers_df": answers.to_pandas(),
        "train_df": conditions(24),
        "test_df": conditions(6),
        "texts": sim.read("sample:opinions").items.texts(),
        "dataset_dict": datasets.DatasetDict({"train": pairs, "test": pairs.select(range(6))}),
    }


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")
def test_the_section_runs_as_written(names):
    exec(block(), names)
    run, model = names["run"], names["model"]
    assert run.labels == ["mine", "minilm", "cross", "old scores", "built in"]
    assert run["mine", "auc"] == pytest.approx(1.0)
    assert names["gold"].scale is not None
    assert len(names["plan"]) == 120
    assert Path("report.html").stat().st_size > 10_000
    assert sim.load_run("runs/x")["mine", "spearman"] == run["mine", "spearman"]
    assert model.folder == Path("my-model")
    assert len(names["found"].items) == 20
    assert names["bench"].splits == ["train", "test"]


def test_the_section_has_the_lines_of_the_front_door():
    for call in (
        "run",
        "measure",
        "system",
        "choose",
        "check",
        "candidates",
        "design",
        "gold",
        "reliability",
        "train.conditional",
        "read",
    ):
        assert f"sim.{call}(" in block()
