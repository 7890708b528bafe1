"""Image vectors, with a CLIP made from its configuration: its weights are random, its way is the real one."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from similitude.errors import ArgumentError, InputError
from similitude.models.images import ImageEncoder, check_image_files, image_encoder

pytest.importorskip("PIL")
pytestmark = pytest.mark.slow


def saved(model, folder):
    from transformers import CLIPImageProcessorPil

    model.save_pretrained(folder)
    CLIPImageProcessorPil(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}).save_pretrained(folder)
    return str(folder)


VISION = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 16,
    "patch_size": 4,
    "projection_dim": 8,
}


@pytest.fixture
def clip(tiny_clip):
    return str(tiny_clip)


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    """Twenty images: noise, in several sizes, modes and formats; some are grey, some have an alpha channel."""
    from PIL import Image

    folder, rng, paths = tmp_path_factory.mktemp("images"), np.random.default_rng(0), []
    for number in range(20):
        pixels = rng.integers(0, 256, (20 + number, 40, 3), np.uint8)
        mode, ending = (("RGB", "jpg"), ("L", "png"), ("RGBA", "png"), ("P", "gif"))[number % 4]
        path = folder / f"{number}.{ending}"
        Image.fromarray(pixels).convert(mode).save(path)
        paths.append(str(path))
    return paths


def test_vectors_are_those_of_transformers(clip, images):
    import torch
    from PIL import Image
    from transformers import AutoImageProcessor, CLIPModel

    model, processor = CLIPModel.from_pretrained(clip).eval(), AutoImageProcessor.from_pretrained(clip)
    with contextlib.ExitStack() as stack:
        shown = [stack.enter_context(Image.open(path)).convert("RGB") for path in images]
    pixels = processor(shown, return_tensors="pt")["pixel_values"]
    with torch.inference_mode():
        projected = model.visual_projection(model.vision_model(pixel_values=pixels).pooler_output)
    expected = torch.nn.functional.normalize(projected).numpy()
    vectors = ImageEncoder(clip, device="cpu", batch=6).vectors(images)
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(expected, abs=1e-5)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(20))


def test_each_file_is_read_once_and_rows_keep_their_order(clip, images, monkeypatch):
    read = []
    opened = image_encoder.open_image
    monkeypatch.setattr(image_encoder, "open_image", lambda path, root: read.append(path) or opened(path, root))
    asked = [images[3], images[1], images[3], images[0]]
    vectors = ImageEncoder(clip, device="cpu").vectors(asked)
    assert sorted(read) == sorted({*asked})
    alone = ImageEncoder(clip, device="cpu", batch=1).vectors(images[:4])
    assert vectors == pytest.approx(alone[[3, 1, 3, 0]], abs=1e-5)


def test_paths_below_a_folder(clip, images, tmp_path):
    root = Path(images[0]).parent
    below = ImageEncoder(clip, device="cpu", root=root).vectors(["0.jpg", "1.png"])
    assert below == pytest.approx(ImageEncoder(clip, device="cpu").vectors(images[:2]), abs=1e-6)


def test_models_that_only_see(images, tmp_path):
    import torch
    from transformers import ViTConfig, ViTModel

    torch.manual_seed(1)
    pooled = saved(ViTModel(ViTConfig(**VISION)), tmp_path / "pooled")
    bare = ViTModel(ViTConfig(**VISION), add_pooling_layer=False)
    assert ImageEncoder(pooled, device="cpu").vectors(images[:3]).shape == (3, 16)
    first = ImageEncoder(saved(bare, tmp_path / "bare"), device="cpu").vectors(images[:3])
    assert first.shape == (3, 16)
    assert np.linalg.norm(first, axis=1) == pytest.approx(np.ones(3))


def test_the_vision_tower_of_clip_alone(clip, images, tmp_path):
    import json

    from transformers import CLIPVisionModelWithProjection

    alone = saved(CLIPVisionModelWithProjection.from_pretrained(clip), tmp_path / "tower")
    assert json.loads((tmp_path / "tower" / "config.json").read_text())["model_type"] == "clip_vision_model"
    vectors = ImageEncoder(alone, device="cpu").vectors(images[:3])
    assert vectors == pytest.approx(ImageEncoder(clip, device="cpu").vectors(images[:3]), abs=1e-5)


def test_a_model_of_texts_does_not_see(tiny_bert, images):
    with pytest.raises(ArgumentError, match="vision model"):
        ImageEncoder(str(tiny_bert(["a"])), device="cpu").vectors(images[:1])


def test_missing_and_broken_files_are_all_named_before_the_model_is_loaded(images, tmp_path):
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "notes.png").write_text("no image")
    asked = [images[0], str(tmp_path / "gone.jpg"), str(tmp_path / "empty.jpg"), str(tmp_path / "notes.png"), ""]
    with pytest.raises(InputError) as error:
        ImageEncoder("no/such-model").vectors([*asked, str(tmp_path), "https://example.org/a.jpg", *asked])
    said = str(error.value)
    assert said.startswith("6 images cannot be read: ")
    for part in ("gone.jpg (no such file)", "empty.jpg (empty)", "notes.png (not an image)", "an empty path (no file)"):
        assert part in said
    assert "(a folder)" in said
    assert "and 1 more" in said


def test_an_address_is_not_downloaded():
    with pytest.raises(InputError, match=r"https://example.org/a.jpg \(an address, not a file: download it first\)"):
        check_image_files(["https://example.org/a.jpg"])


def test_damaged_images_are_named_at_the_end(clip, images, tmp_path):
    whole = Path(images[0]).read_bytes()
    for number in (1, 2):
        (tmp_path / f"cut{number}.jpg").write_bytes(whole[:-100])
    asked = [images[0], str(tmp_path / "cut1.jpg"), images[1], str(tmp_path / "cut2.jpg")]
    with pytest.raises(InputError, match=r"2 images cannot be read: .*cut1.jpg \(damaged: .*cut2.jpg \(damaged"):
        ImageEncoder(clip, device="cpu", batch=1).vectors(asked)


def test_an_image_on_its_side_is_turned(clip, tmp_path):
    from PIL import Image

    pixels = Image.fromarray(np.random.default_rng(2).integers(0, 256, (20, 20, 3), np.uint8))
    pixels.save(tmp_path / "upright.png")
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    pixels.rotate(180).save(tmp_path / "turned.png", exif=exif)
    upright, turned = ImageEncoder(clip, device="cpu").vectors(
        [str(tmp_path / "upright.png"), str(tmp_path / "turned.png")]
    )
    assert turned == pytest.approx(upright, abs=1e-5)


def test_batches_are_halved_when_memory_runs_out(clip, images, hears, monkeypatch):
    encode = image_encoder._encode

    def small(batch, loaded, opened):
        if len(batch) > 3:
            raise MemoryError
        return encode(batch, loaded, opened)

    monkeypatch.setattr(image_encoder, "_encode", small)
    vectors = ImageEncoder(clip, device="cpu", batch=8, listener=hears).vectors(images)
    assert vectors == pytest.approx(ImageEncoder(clip, device="cpu", batch=2).vectors(images), abs=1e-5)
    assert any("a batch of 8 images was halved" in note for note in hears.notes)


def test_one_image_that_does_not_fit(clip, images, monkeypatch):
    def never(batch, loaded, opened):
        raise MemoryError

    monkeypatch.setattr(image_encoder, "_encode", never)
    with pytest.raises(ArgumentError, match="one image does not fit into memory"):
        ImageEncoder(clip, device="cpu").vectors(images[:2])


def test_another_model_another_fingerprint(clip, tmp_path):
    import shutil

    copied = shutil.copytree(clip, tmp_path / "copy")
    assert ImageEncoder(str(copied)).fingerprint() == ImageEncoder(clip).fingerprint()
    settings = copied / "preprocessor_config.json"
    settings.write_text(settings.read_text().replace("16", "12"))
    assert ImageEncoder(str(copied)).fingerprint() != ImageEncoder(clip).fingerprint()


def test_a_batch_has_an_image():
    with pytest.raises(ArgumentError, match="batch=0"):
        ImageEncoder("any", batch=0)


def test_a_model_is_loaded_once_by_threads_that_need_it_at_the_same_time(clip, images, monkeypatch):
    image_encoder._SLOT.clear()
    loaded = []
    opened = ImageEncoder._open
    monkeypatch.setattr(ImageEncoder, "_open", lambda encoder: loaded.append(encoder) or opened(encoder))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(ImageEncoder(clip, device="cpu", batch=2).vectors, [images[:3]] * 4))
    assert len(loaded) == 1
    assert all(np.array_equal(each, found[0]) for each in found)
