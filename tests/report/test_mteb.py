"""The shapes are those of MTEB 2.26 (TaskResult.to_disk and ModelMeta.to_dict), which was seen to read our folders."""

import json

import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.report.mteb import write_mteb_results

MODEL_META = {
    "loader", "loader_kwargs", "name", "revision", "release_date", "languages", "n_parameters",
    "n_active_parameters_override", "n_embedding_parameters", "memory_usage_mb", "max_tokens", "embed_dim", "license",
    "open_weights", "public_training_code", "public_training_data", "framework", "reference", "similarity_fn_name",
    "use_instructions", "training_datasets", "adapted_from", "superseded_by", "modalities", "model_type", "citation",
    "contacts", "experiment_kwargs", "output_dtypes", "extra_requirements_groups",
}  # fmt: skip
TASK_RESULT = {
    "dataset_revision", "task_name", "mteb_version", "scores", "evaluation_time", "kg_co2_emissions", "date",
    "evaluation_phases",
}  # fmt: skip


def test_the_layout_is_mtebs(opinions, tmp_path):
    files = write_mteb_results(opinions, tmp_path / "new" / "results")
    assert len(files) == 4
    home = tmp_path / "new" / "results" / "similitude__char-ngram-cosine" / sim.__version__
    assert sorted(path.name for path in home.iterdir()) == ["model_meta.json", "sample_opinions.json"]
    meta = json.loads((home / "model_meta.json").read_text())
    assert set(meta) == MODEL_META, "MTEB forbids any other field"
    assert meta["name"] == "similitude/char-ngram-cosine"
    assert meta["name"].replace("/", "__") == home.parent.name
    assert meta["loader_kwargs"] == {"n": 3}


def test_the_scores_are_mtebs_and_ours_stand_apart(opinions, tmp_path):
    result = json.loads(write_mteb_results(opinions, tmp_path)[0].read_text())
    assert set(result) == TASK_RESULT
    assert result["dataset_revision"] == opinions.data.fingerprint
    assert result["mteb_version"] is None
    (entry,) = result["scores"]["test"]
    assert entry["main_score"] == entry["spearman"] == entry["cosine_spearman"]
    assert entry["main_score"] == round(opinions.figures[0][0].value, 6)
    assert entry["languages"] == ["cmn-Hans", "deu-Latn", "eng-Latn"]
    assert entry["hf_subset"] == "default"
    ours = entry["similitude"]
    assert ours["is_simulated"]
    low, high = ours["measures"]["spearman"]["interval"]
    assert low < entry["main_score"] < high
    assert ours["measures"]["kl"] == {
        "value": None,
        "interval": None,
        "higher_is_better": False,
        "undefined_because": "the system gives no standard deviation",
    }


def test_the_split_and_the_date_are_known_where_they_are(tmp_path):
    columns = {"left": ["a b", "c d", "e f"] * 2, "right": ["a b", "x", "e"] * 2, "score": [5, 0, 3, 4, 1, 2]}
    benchmark = sim.Benchmark.from_columns("s", scale="0..5", split=["dev"] * 3 + ["test"] * 3, **columns)
    one = sim.run(benchmark, ["jaro"], ["mae"], split="dev", out=tmp_path / "run", resamples=0)
    result = json.loads(write_mteb_results(one, tmp_path / "a")[0].read_text())
    assert list(result["scores"]) == ["dev"]
    assert result["scores"]["dev"][0]["similitude"]["main_measure"] == "mae"
    assert result["scores"]["dev"][0]["languages"] == ["und-Zyyy"]
    assert result["date"] > 1.7e9
    both = sim.run(benchmark, ["jaro"], ["mae"], resamples=0)
    assert list(json.loads(write_mteb_results(both, tmp_path / "b")[0].read_text())["scores"]) == ["all"]


def test_names_are_safe_and_apart(hostile, scripted, tmp_path):
    names = {path.parents[1].name for path in write_mteb_results(hostile, tmp_path / "a")}
    assert names == {"similitude__good_system", "similitude__bad_system", "similitude__off-scale", "similitude__flat"}
    alike = [scripted(hostile.benchmark, name, 1.0) for name in ("x y", "x/y", "../x")]
    run = sim.run(hostile.benchmark, alike, ["mae"], resamples=0)
    folders = [path.parents[1] for path in write_mteb_results(run, tmp_path / "b")]
    assert [folder.name for folder in folders] == ["similitude__x_y", "similitude__x_y-2", "similitude__x"]
    assert {folder.parent for folder in folders} == {tmp_path / "b"}


def test_writing_again_replaces_and_a_file_in_the_way_is_named(opinions, tmp_path):
    first = write_mteb_results(opinions, tmp_path)
    assert write_mteb_results(opinions, tmp_path) == first
    assert not list(tmp_path.rglob("*.tmp"))
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(ArgumentError, match="cannot be created"):
        write_mteb_results(opinions, tmp_path / "file")
