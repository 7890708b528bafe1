import subprocess
import sys

import numpy as np
import pytest

from similitude.systems import DEFAULT_SYSTEM, make_system
from similitude.systems.encoders import universal_sentence_encoder as use
from similitude.systems.encoders.universal_sentence_encoder import UniversalSentenceEncoder

SENTENCES = [
    "A man is playing a guitar.",
    "Someone plays the guitar.",
    "The stock market fell sharply on Monday.",
    "Ein Mann spielt Gitarre.",
    "Der Zug hat heute zwei Stunden Verspätung.",
    "Die Bahn kommt heute viel zu spät.",
    "Ich koche gern Suppe.",
    "一个男人在弹吉他。",
    "有人在弹吉他。",
    "股市周一大幅下跌。",
    "word",
    "a much longer sentence " * 20,
]


@pytest.fixture(scope="module")
def encoder() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


def test_it_is_the_default() -> None:
    assert DEFAULT_SYSTEM == "use-multilingual"
    assert isinstance(make_system(), UniversalSentenceEncoder)
    assert str(make_system("use(denoise=true)").identity) == "use-multilingual(denoise=true)"


@pytest.mark.parametrize(
    ("text", "paraphrase", "unrelated"),
    [
        ("A man is playing a guitar.", "Someone plays the guitar.", "The stock market fell sharply on Monday."),
        ("Der Zug hat heute Verspätung.", "Die Bahn kommt heute zu spät.", "Ich koche gern Suppe."),
        ("一个男人在弹吉他。", "有人在弹吉他。", "股市周一大幅下跌。"),
        ("A man is playing a guitar.", "Ein Mann spielt Gitarre.", "Der Zug hat heute zwei Stunden Verspätung."),
    ],
    ids=["en", "de", "zh", "en-de"],
)
def test_a_paraphrase_is_nearer_than_an_unrelated_text(encoder, text: str, paraphrase: str, unrelated: str) -> None:
    near, far = encoder.similarities([text, text], [paraphrase, unrelated])
    assert near > far + 0.2


def test_deterministic_and_independent_of_order(encoder) -> None:
    lefts, rights = SENTENCES, SENTENCES[::-1]
    once = encoder.similarities(lefts, rights)
    np.testing.assert_array_equal(encoder.similarities(lefts, rights), once)
    np.testing.assert_array_equal(encoder.similarities(lefts[::-1], rights[::-1]), once[::-1])


def test_neighbours_in_a_batch_do_not_matter(encoder) -> None:
    together = encoder.embed(SENTENCES * 30)  # enough texts for several threads
    alone = np.concatenate([encoder.embed([text]) for text in SENTENCES])
    assert together.dtype == np.float32
    np.testing.assert_allclose(together, np.tile(alone, (30, 1)), atol=1e-6)


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_shards_come_back_in_order(shards: int) -> None:
    def encode(texts, tell):
        return np.repeat(np.array([[len(text)] for text in texts], np.float32), 512, axis=1)

    texts = ["x" * size for size in range(11)]
    np.testing.assert_array_equal(use._encode_in_shards(encode, texts, shards)[:, 0], np.arange(11))


INTERRUPTED = """
import os, signal, subprocess, time
from threading import Event, Thread
from similitude.systems.encoders import universal_sentence_encoder as use

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.siginterrupt(signal.SIGINT, False)  # as Polars leaves it
begun, batches = Event(), []

def encode(texts, tell):
    for _ in range(2000):
        begun.set()
        batches.append(tell(1))
        time.sleep(0.01)

def interrupt():
    begun.wait()
    subprocess.run(["kill", "-INT", str(os.getpid())])

Thread(target=interrupt).start()
try:
    use._encode_in_shards(encode, ["one", "other"] * 4, 8)
except KeyboardInterrupt:
    print("ended early" if len(batches) < 2000 else "ended late")
"""


@pytest.mark.slow
def test_an_interrupt_ends_the_shards_that_are_at_work() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("ended early\n", "")


@pytest.mark.slow
def test_same_texts_blank_texts_and_odd_texts(encoder) -> None:
    odd = ["?!", "😀", "\u200b", "x" * 3000, "a\x00b", "e\u0301"]
    assert encoder.similarities(SENTENCES + odd, SENTENCES + odd).tolist() == [1.0] * (len(SENTENCES) + len(odd))
    assert encoder.similarities(["", "  ", "word"], ["\n", "word", ""]).tolist() == [1.0, 0.0, 0.0]
    assert np.isfinite(encoder.similarities(odd, odd[::-1])).all()


def test_denoising_overlooks_numbers() -> None:
    lefts, rights = ["The project cost 100 dollars."], ["The project cost 2,500 dollars."]
    (plain,) = UniversalSentenceEncoder().similarities(lefts, rights)
    (denoised,) = UniversalSentenceEncoder(denoise=True).similarities(lefts, rights)
    assert plain < denoised
    assert denoised == pytest.approx(1.0)
