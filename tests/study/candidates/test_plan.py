"""Plans of searches: read from files, changed by arguments, written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from similitude.errors import ArgumentError, InputError
from similitude.study.candidates.plan import CandidatesPlan, plan_of
from similitude.study.candidates.plan_text import plan_text

WRITTEN = """
seed = 3
[texts]
data = "captions.jsonl"
vectors = "clip.npy"
[clean]
characters = "20..100"
[dialogues]
turns = 3
[duplicates]
similarity = false
[pairs]
by = "words"
[filters]
keep = 'name == "a"'
[select]
items = 7
"""


def read(folder: Path, text: str) -> CandidatesPlan:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return CandidatesPlan.read(file)


def test_paths_are_beside_the_file_and_its_name_is_the_default(tmp_path: Path) -> None:
    plan = read(tmp_path, WRITTEN)
    assert plan.name == "mine"
    assert plan.texts.data == str(tmp_path / "captions.jsonl")
    assert plan.texts.vectors == str(tmp_path / "clip.npy")
    assert plan.pairs.by == ("words",)
    assert plan.dialogues is not None
    assert plan.dialogues.turns == (3,)
    assert plan.duplicates.similarity is False


def test_folders_of_models_are_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "my-model").mkdir()
    plan = read(
        tmp_path,
        """
[pairs]
system = "encoder(my-model, pooling=cls)"
[filters]
keep = ["sigma(uncertain('my-model')) >= 0.16", "encoder(other-model) >= 0.4", "same(my-model)"]
[select]
contentious = "disagreement(uncertain('my-model'), l2)"
""",
    )
    there = str(tmp_path / "my-model")
    assert plan.pairs.system == f"encoder({there}, pooling=cls)"
    assert plan.filters.keep[:2] == (f"sigma(uncertain('{there}')) >= 0.16", "encoder(other-model) >= 0.4")
    assert plan.select.contentious == f"disagreement(uncertain('{there}'), l2)"


def test_a_written_plan_reads_as_the_same(tmp_path: Path) -> None:
    plan = read(tmp_path, WRITTEN)
    again = read(tmp_path, plan_text(plan))
    assert again == plan
    given = plan_of({"pairs": {"data": str(tmp_path / "x.tsv")}})
    assert read(tmp_path, plan_text(given)) == given


def test_a_plan_is_written_as_its_folder_sees_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-model").mkdir()
    plan = plan_of(
        {
            "texts": {"data": ["a.txt", "hf:b", "/c.txt"], "vectors": "v.npy"},
            "filters": {"keep": ["sigma(uncertain('my-model')) >= 0.16", "encoder(other) >= 0.4"]},
        }
    )
    there = plan.seen_from(Path("out"))
    assert (there.texts.data, there.texts.vectors) == (["../a.txt", "hf:b", "/c.txt"], "../v.npy")
    assert there.filters.keep == ("sigma(uncertain('../my-model')) >= 0.16", "encoder(other) >= 0.4")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "plan.toml").write_text(plan_text(there))
    again = CandidatesPlan.read("out/plan.toml")
    assert again.texts.data == ["out/../a.txt", "hf:b", "/c.txt"]
    assert again.filters.keep[0] == "sigma(uncertain('out/../my-model')) >= 0.16"


def test_arguments_change_single_values_and_keep_the_rest(tmp_path: Path) -> None:
    plan = read(tmp_path, WRITTEN).changed({"seed": 9, "pairs": {"k": 4}})
    assert (plan.seed, plan.pairs.k, plan.pairs.by, plan.select.items) == (9, 4, ("words",), 7)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[pair]\nk = 3", "line 1: 'pair' is not a known key; did you mean 'pairs'"),
        ("[pairs]\nk = 0", "line 2: pairs.k = 0: input should be greater than or equal to 1"),
        ('[pairs]\nby = ["words", "words"]', "names a way twice"),
        ('[pairs]\nby = "words"\ndata = "x"', "'data' gives the pairs"),
        ("[duplicates]\nsimilarity = 1.5", "above 0 and at most 1"),
        ('[texts]\nimages = "path"', "'images' .* and 'image_model' go together"),
        ('[texts]\nvectors = "a"\nimages = "b"\nimage_model = "c"', "leave one out"),
        ("[dialogues]\nlast = 'user'", "'dialogues.turns' is missing"),
    ],
)
def test_a_wrong_plan_names_line_and_remedy(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read(tmp_path, text)


def test_wrong_values_in_memory_name_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match=r"the plan has no 'pairs\.kk'; known: by, system, k"):
        plan_of({"pairs": {"kk": 3}})
    with pytest.raises(ArgumentError, match="the plan has no 'pears'; known: name, seed, texts"):
        plan_of({"pears": {}})
