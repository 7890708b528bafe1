"""The plans of C-STS, USTS and GiCCS in ``studies``, run on small data that is laid out as theirs.

Models that cannot be had here are replaced by ones that can: SimCSE by the built-in encoder, CLIP by one with random
weights, the model with doubt by a Gaussian process. Borders are lowered where so few texts would leave nothing, and k
and the number of items fit the data. Everything else is the plan as it is shipped.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import InputError

pytestmark = pytest.mark.slow

STUDIES = Path(__file__).parents[2] / "studies"
SIMCSE = "encoder(princeton-nlp/sup-simcse-bert-base-uncased)"


def plan_in(folder, name, **replaced):
    """A copy of a shipped plan in a folder, with models replaced; every text to be replaced must be there."""
    text = (STUDIES / f"candidates-{name}.toml").read_text(encoding="utf-8")
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def kept(found):
    return {step.name: (step.before, step.after) for step in found.steps}


def write_rows(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def write_table(path, rows):
    pl.DataFrame(rows).write_csv(path, separator="\t")


def test_all_shipped_plans_are_tested():
    names = {path.stem.removeprefix("candidates-") for path in STUDIES.glob("candidates-*.toml")}
    assert names == {"csts-coco", "csts-flickr30k", "usts-tedx", "usts-xnli", "usts-pawsx", "giccs"}


# C-STS

WHO = ("A man in a red jacket", "Two young women", "A small brown dog", "An elderly couple", "Five noisy children")
WHAT = ("rides a bicycle along", "sits down next to", "runs quickly across", "stands and looks at", "walks slowly past")
WHERE = ("the wet street near a market", "a wooden bench in the park", "the sandy beach at sunset", "a crowded station")


@pytest.fixture
def captions(tmp_path):
    """Forty images with two captions each; in clip.npy, five images each have vectors that lie close together."""
    rng = np.random.default_rng(1)
    sentences = [f"{who} {what} {where}." for who in WHO for what in WHAT for where in WHERE]
    drawn = rng.permutation(sentences)[:80]
    write_rows(
        tmp_path / "captions.jsonl", [{"image": f"{n // 2}.png", "caption": each} for n, each in enumerate(drawn)]
    )
    scenes = rng.standard_normal((8, 16))[np.arange(40) // 5] + 0.2 * rng.standard_normal((40, 16))
    np.save(tmp_path / "clip.npy", np.repeat(scenes, 2, axis=0).astype(np.float32))
    return tmp_path


IMAGES = 'images = "image"  '
MODEL = 'image_model = "openai/clip-vit-base-patch32"'


@pytest.mark.parametrize(("name", "k", "iou", "chars"), [("csts-coco", 64, 0.12, 50), ("csts-flickr30k", 128, 0.2, 48)])
def test_csts_by_image_vectors(captions, name, k, iou, chars):
    changed = {
        IMAGES: 'vectors = "clip.npy"  ',
        MODEL: "",
        SIMCSE: "use",
        f"k = {k}": "k = 4",
        "use >= 0.4": "use >= 0.1",
    }
    found = sim.candidates(plan_in(captions, name, **changed), quiet=True)
    steps = kept(found)
    assert list(steps)[-5:] == [f"iou <= {iou}", "use >= 0.1", "length_ratio >= 0.7", f"chars >= {chars}", "select"]
    # The four nearest images of each are the others of its scene: 8 scenes x 10 pairs of images x 4 pairs of captions.
    assert steps["pairs"] == (80, 320)
    rows = found.descriptions
    image = [(rows[side].cast(pl.Int64).to_numpy() - 1) // 2 for side in ("left_id", "right_id")]
    assert len(rows) > 5
    assert (image[0] != image[1]).all()
    assert (image[0] // 5 == image[1] // 5).all()
    for item in found.items:
        lengths = sorted((len(item.left.split()), len(item.right.split())))
        assert min(len(item.left), len(item.right)) >= chars
        assert lengths[0] >= 0.7 * lengths[1]
    used = Counter(text for item in found.items for text in (item.left, item.right))
    assert max(used.values()) == 1


def test_csts_by_image_files(captions, tiny_clip):
    from PIL import Image

    rng = np.random.default_rng(2)
    colours = rng.integers(0, 256, (8, 1, 1, 3))
    for number in range(40):
        noisy = colours[number // 5] + rng.integers(-5, 6, (16, 16, 3))
        Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(captions / f"{number}.png")
    changed = {
        MODEL: f"image_model = {json.dumps(str(tiny_clip))}",
        SIMCSE: "use",
        "k = 64": "k = 4",
        "use >= 0.4": "use >= 0.1",
    }
    plan = plan_in(captions, "csts-coco", **changed)
    found = sim.candidates(plan, quiet=True, out=captions / "out")
    image = [(found.descriptions[side].cast(pl.Int64).to_numpy() - 1) // 2 for side in ("left_id", "right_id")]
    assert np.mean(image[0] // 5 == image[1] // 5) > 0.5  # one in ten by chance
    (captions / "7.png").unlink()
    with pytest.raises(InputError, match=r"1 image cannot be read: 7.png \(no such file\)"):
        sim.candidates(plan, quiet=True)


# USTS


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory):
    """A system that knows its doubt: a Gaussian process over the built-in encoder, trained on the sample."""
    folder = tmp_path_factory.mktemp("process") / "model"
    sim.train.gaussian_process("sample:opinions", encoder="use", out=folder, quiet=True)
    return f"gpr('{folder}')"


def test_usts_ted_x(tmp_path, doubtful):
    rng = np.random.default_rng(3)
    said = [text for text in sim.read("sample:opinions").items.texts() if text.isascii()]
    long = [f"{one.rstrip('.')}, and {other[0].lower()}{other[1:]}" for one, other in zip(said, said[7:], strict=False)]
    texts = [*long, "Too short.", *(" ".join(rng.choice(["yes", "no"], 200)) for _ in range(3))]
    write_table(tmp_path / "ted.tsv", {"text": texts, "talk": [f"talk {n % 9}" for n in range(len(texts))]})
    changed = {
        SIMCSE: "use",
        "uncertain('stsb-model', passes=30)": doubtful,
        'characters = "20..100"': 'characters = "20..300"',
    }
    found = sim.candidates(plan_in(tmp_path, "usts-tedx", **changed, **{">= 0.25": ">= 0.02"}), quiet=True)
    steps = kept(found)
    assert steps["clean"][0] - steps["clean"][1] == 4
    assert steps["pairs"][1] <= 2 * steps["pairs"][0]
    assert steps["words >= 12"][1] == len(found.items) > 0
    rows = found.descriptions
    doubts = rows.select(pl.selectors.starts_with("sigma(")).to_series()
    assert doubts.min() >= 0.16
    assert all(len(text.split()) >= 12 for item in found.items for text in (item.left, item.right))


def test_the_commands_in_the_comments_of_usts_ted_x(tmp_path, tiny_bert, letters, here):
    """As they are written, with another model than BERT, and other borders than its doubts."""
    text = (STUDIES / "candidates-usts-tedx.toml").read_text(encoding="utf-8")
    train, find = (line.removeprefix("#   similitude ") for line in text.splitlines() if "#   similitude" in line)
    pairs = sim.read("sample:opinions")
    stsb = pl.DataFrame({"left": pairs.items.lefts, "right": pairs.items.rights, "score": pairs.gold.scores})
    stsb.write_csv(tmp_path / "stsb.csv")
    said = [text for text in pairs.items.texts() if text.isascii()]
    (tmp_path / "studies").mkdir()
    write_table(tmp_path / "studies/ted.tsv", {"text": said, "talk": [f"talk {n % 9}" for n in range(len(said))]})
    here(*train.replace("bert-base-uncased", str(tiny_bert(letters))).split(), "--device", "cpu", "--epochs", 1)
    changed = {SIMCSE: "use", ">= 0.25": ">= 0.0001", ">= 0.16": ">= 0.0001", "words >= 12": "words >= 2"}
    plan_in(tmp_path / "studies", "usts-tedx", **changed)
    (tmp_path / "studies/usts-tedx.toml").rename(tmp_path / "studies/candidates-usts-tedx.toml")
    here(*find.split())
    assert (tmp_path / "candidates/usts-tedx/items.jsonl").exists()


@pytest.mark.parametrize("written", ["sigma( {} )", "disagreement({},levenshtein)", " {}"])
def test_the_most_contentious_however_it_is_written(doubtful, written):
    texts = sim.read("sample:opinions").items.texts()
    select = {"items": 20, "contentious": written.format(doubtful)}
    found = sim.candidates(texts, k=4, select=select, duplicates=False, quiet=True)
    by = found.steps[-1].distributions[-1]
    assert by.name == "contentious"
    assert sum(by.after) == 20
    assert by.after[-1] > 0
    kept = [each.value for each in found.steps[-1].examples if each.is_kept]
    refused = [each.value for each in found.steps[-1].examples if not each.is_kept]
    assert min(kept) >= max(refused)


def test_usts_xnli(tmp_path):
    marks = ["entailment", "neutral", "contradiction"]
    labels = [[marks[0]] * 5, [marks[0]] * 4 + [marks[1]], [marks[1]] * 5, [marks[2], *marks, marks[2]]] * 6
    texts = sim.read("sample:opinions").items.texts()
    table = {
        "language": ["zh", "zh", "en", "en"] * 3 + ["zh"] * 12,
        "gold_label": [each[0] for each in labels],
        "sentence1": texts[:24],
        "sentence2": texts[24:48],
        "pairID": [str(number) for number in range(24)],
        "genre": ["fiction"] * 24,
        **{f"label{place + 1}": [each[place] for each in labels] for place in range(5)},
    }
    write_table(tmp_path / "xnli.tsv", table)
    found = sim.candidates(plan_in(tmp_path, "usts-xnli"), quiet=True)
    # Full agreement in rows 0 and 2 of each four; English in the last two of the first three fours.
    wanted = [n for n in range(24) if n % 4 in (1, 3) and table["language"][n] == "zh"]
    pairs = {frozenset((item.left, item.right)) for item in found.items}
    assert pairs == {frozenset((texts[n], texts[n + 24])) for n in wanted}
    assert kept(found)["language == zh"] == (24, 18)
    assert not any("entailment" in line for line in found.items.frame.write_ndjson().splitlines())


def test_usts_paws_x(tmp_path):
    words = ["the", "old", "bridge", "over", "river", "was", "closed", "and", "later", "rebuilt", "by", "workers"]
    rng = np.random.default_rng(4)
    lefts = [" ".join([f"town {n}", *words]) for n in range(60)]
    near = [" ".join([f"town {n}", *rng.permutation(words)]) for n in range(60)]
    far = [f"nothing {n} like the other sentence at all" for n in range(60)]
    rights = [far[n] if n % 5 == 0 else near[n] for n in range(60)]
    labels = [n % 2 for n in range(60)]
    write_table(tmp_path / "pawsx.tsv", {"id": range(1, 61), "sentence1": lefts, "sentence2": rights, "label": labels})
    found = sim.candidates(plan_in(tmp_path, "usts-pawsx", **{"items = 2230": "items = 20"}), quiet=True)
    wanted = {frozenset((lefts[n], rights[n])) for n in range(60) if n % 2 == 0 and n % 5}
    assert len(wanted) == 24
    assert len(found.items) == 20
    assert {frozenset((item.left, item.right)) for item in found.items} <= wanted


# GiCCS


def test_giccs(tmp_path):
    rng = np.random.default_rng(5)
    topics = {
        "hotel": ("a room", "a quiet hotel", "two nights", "breakfast"),
        "cinema": ("a film", "the late show", "three tickets", "popcorn"),
        "restaurant": ("a table", "Italian food", "a vegetarian menu", "a place with a garden"),
    }
    verbs = ("I would like", "Could you find", "I am looking for", "Please book", "Do you have", "Is there", "I need")
    ends = (
        "for tonight",
        "for two people",
        "near the station",
        "that is not expensive",
        "on Sunday",
        "please",
        "in town",
    )

    def turn(domain, number):
        name = chr(65 + number % 26) + "".join(rng.choice(list("aeioubdklmnrst"), 5))
        return f"{rng.choice(verbs)} {rng.choice(topics[domain])} {rng.choice(ends)} {rng.choice(ends)}, {name}."

    rows = []
    for number in range(90):
        domain = ("hotel", "cinema", "restaurant")[number % 3]
        turns = [
            {"speaker": "user" if place % 2 == 0 else "machine", "text": turn(domain, number)} for place in range(7)
        ]
        rows.append(
            {"dialogue": f"d{number}", "domain": domain, "source": ("CROWDSS", "SmartKom")[number % 2], "turns": turns}
        )
    write_rows(tmp_path / "dialogues.jsonl", rows)
    found = sim.candidates(plan_in(tmp_path, "giccs", **{"items = 300": "items = 75"}), quiet=True)
    items = found.items.frame
    assert len(items) == 75
    sizes = Counter(items["group"].to_list())
    assert len(sizes) == 15
    assert set(sizes.values()) == {5}
    turns = items["context"].list.len()
    assert set(turns.to_list()) == {3, 5}
    assert abs((turns == 3).sum() - (turns == 5).sum()) <= 15
    # 24 to 36 dialogues of the sources: 6 to 9 of 15.
    assert Counter(items["source"].to_list()) == {"CROWDSS": 30, "SmartKom": 45}
    assert items["context"].list.last().to_list() == items["left"].to_list()
    for name, group in items.group_by("group"):
        said = {each["text"] for each in rows[int(name[0][1:])]["turns"]}
        assert not said & set(group["right"])
    bands = Counter(cell.partition(", source")[0] for cell in found.descriptions["cell"])
    assert len(bands) == 5
    assert max(bands.values()) - min(bands.values()) <= 12
    told = Counter(right for right in items["right"].to_list())
    assert max(told.values()) <= 2
    domain_of = {each["text"]: row["domain"] for row in rows for each in row["turns"]}
    assert [domain_of[text] for text in items["right"]] == items["domain"].to_list()
