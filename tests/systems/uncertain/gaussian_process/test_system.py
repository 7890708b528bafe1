"""``gpr(DIR)``: a folder becomes a system, without torch, and says what is wrong with another folder."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.data.protocols import Tells, UsesCache, UsesModel
from similitude.errors import ArgumentError
from similitude.stats import spearman
from similitude.systems import make_system


@pytest.fixture
def system(trained):
    return make_system(f"gpr({trained})")


def test_it_says_what_people_would_and_how_sure_it_is(system, rated):
    new = rated(300, seed=9)
    said = system.score(new.items)
    assert spearman(said.scores, new.gold.scores) > 0.8
    assert (said.sigmas > 0).all()
    errors = np.abs(new.gold.scores - said.scores) / said.sigmas
    assert (errors < 2).mean() > 0.9
    assert str(system.range) == "0..5"
    assert system.reads == frozenset()


@pytest.mark.slow
def test_an_answer_depends_neither_on_order_nor_on_company_nor_on_side(system, rated):
    items = rated(130, seed=9).items
    whole = system.score(items)
    order = np.random.default_rng(0).permutation(130)
    mixed = system.score(items.take(order))
    np.testing.assert_array_equal(mixed.scores, whole.scores[order])
    np.testing.assert_array_equal(mixed.sigmas, whole.sigmas[order])
    alone = system.score(items.take(np.array([70])))
    assert (alone[0].score, alone[0].sigma) == (whole[70].score, whole[70].sigma)
    turned = system.score(Items.from_pairs(items.rights, items.lefts))
    np.testing.assert_array_equal(turned.scores, whole.scores)


def test_blank_texts_and_no_items_are_answered_too(system):
    said = system.score(Items.from_pairs(["", "ba", ""], ["", "", "ba"]))
    assert np.isfinite(said.scores).all()
    assert said.scores[1] == said.scores[2]
    assert np.isfinite(system.score(Items.from_pairs([""], [" "])).sigmas).all()
    nobody = system.score(Items.from_pairs([], []))
    assert (len(nobody), nobody.sigmas.size) == (0, 0)


def test_it_is_rebuilt_from_its_identity_and_knows_when_its_files_change(system, trained, tmp_path):
    assert make_system(system.identity) == system
    assert isinstance(system, UsesModel)
    copy = Path(shutil.copytree(trained, tmp_path / "copy"))
    same = make_system(f"gpr({copy})")
    assert same.model_fingerprint() == system.model_fingerprint()
    record = json.loads((copy / "similitude.json").read_text())
    record["scale"] = [0, 10]
    (copy / "similitude.json").write_text(json.dumps(record))
    assert same.model_fingerprint() != system.model_fingerprint()
    asked = Items.from_pairs(["ba da"], ["ba fa"])
    assert same.score(asked).scores == pytest.approx(2 * system.score(asked).scores)  # read anew


@pytest.mark.slow
def test_the_folder_alone_is_enough_without_torch(trained, rated, tmp_path):
    items = rated(20, seed=3).items
    expected = make_system(f"gpr({trained})").score(items)
    (tmp_path / "pairs.json").write_text(json.dumps([items.lefts, items.rights]))
    code = f"""
import json, sys
for name in ("torch", "gpytorch", "transformers", "sklearn"):
    sys.modules[name] = None
sys.path.insert(0, {str(Path(__file__).parents[3] / "fakes")!r})
import rated_words
from similitude.systems import make_system
from similitude.data.item import Items
said = make_system("gpr({trained})").score(Items.from_pairs(*json.load(open({str(tmp_path / "pairs.json")!r}))))
print(json.dumps([said.scores.tolist(), said.sigmas.tolist()]))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(shown.stdout) == [expected.scores.tolist(), expected.sigmas.tolist()]


class Notebook:
    def __init__(self):
        self.notes = []

    def progress(self, stage, done, total):
        """Not of interest."""

    def note(self, text):
        self.notes.append(text)


def test_cache_and_listener_reach_the_encoder(system, trained, tmp_path):
    assert isinstance(system, Tells)
    assert isinstance(system, UsesCache)
    heard = Notebook()
    system.with_listener(heard).score(Items.from_pairs(["ba"], ["da"]))
    assert heard.notes == []
    copy = Path(shutil.copytree(trained, tmp_path / "copy"))
    record = json.loads((copy / "similitude.json").read_text())
    record["encoder"]["fingerprint"] = "another"
    (copy / "similitude.json").write_text(json.dumps(record))
    make_system(f"gpr({copy})").with_listener(heard).score(Items.from_pairs(["ba"], ["da"]))
    assert "has changed since training" in heard.notes[0]


def test_another_encoder_may_be_named_if_its_vectors_fit(trained):
    with pytest.raises(ArgumentError, match="vectors have 512 dimensions, not 12"):
        make_system(f"gpr({trained}, encoder=use)").score(Items.from_pairs(["ba"], ["da"]))
    with pytest.raises(ArgumentError, match="system 'levenshtein' returns no vectors; use a sentence encoder"):
        make_system(f"gpr({trained}, encoder=levenshtein)").score(Items.from_pairs(["ba"], ["da"]))


def test_folders_without_a_process_are_refused_in_one_line(trained, tmp_path):
    asked = Items.from_pairs(["ba"], ["da"])
    with pytest.raises(ArgumentError, match="no such folder"):
        make_system(f"gpr({tmp_path / 'nowhere'})").score(asked)
    with pytest.raises(ArgumentError, match="was not trained by 'similitude train gaussian-process'"):
        make_system(f"gpr({tmp_path})").score(asked)
    other = Path(shutil.copytree(trained, tmp_path / "other"))
    (other / "similitude.json").write_text('{"system": "uncertain"}')
    with pytest.raises(ArgumentError, match="was not trained by 'similitude train gaussian-process'"):
        make_system(f"gpr({other})").score(asked)


@pytest.mark.parametrize("damage", ["no json", "half the arrays", "another file", "a lost array"])
def test_damage_is_told(trained, tmp_path, damage):
    copy = Path(shutil.copytree(trained, tmp_path / "copy"))
    arrays = copy / "process.npz"
    if damage == "no json":
        (copy / "similitude.json").write_text("{")
    elif damage == "half the arrays":
        arrays.write_bytes(arrays.read_bytes()[: arrays.stat().st_size // 2])
    elif damage == "another file":
        arrays.write_bytes(b"PK")
    else:
        with np.load(arrays) as stored:
            kept = {name: stored[name] for name in stored.files if name != "opinion.root"}
        np.savez(arrays, **kept)
    with pytest.raises(ArgumentError, match="is damaged; train it again"):
        make_system(f"gpr({copy})").score(Items.from_pairs(["ba"], ["da"]))
