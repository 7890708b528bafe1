"""In half precision a model of opinions says nearly what it says in float32.

On the CPU, and in float16 alone: products in bfloat16 need a processor that has them.
"""

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.systems import make_system
from similitude.systems.evidence import fit_evidence

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

HEADS = ("point", "gaussian", "mixture", "histogram")
ENCODINGS = {
    "cross": {},
    "cross, mean": {"pooling": "mean"},
    "cross, last": {"pooling": "last"},
    "bi": {"encoding": "bi", "pooling": "mean"},
    "bi, cls": {"encoding": "bi"},
    "bi, last": {"encoding": "bi", "pooling": "last"},
    "joint": {"encoding": "joint", "separator": 3},
}
TEMPLATE = "1: {left} 2: {right} ="
NEARLY = 2e-3 * 5
"""On the scale 0..5, ten times what was seen. Float16 has 11 binary digits: 5e-4 of a number is lost at every step."""


@pytest.fixture
def items(pairs) -> Items:
    return Items.from_pairs(*pairs)


def check(folder, items: Items, arguments: str = "") -> Predictions:
    whole, half = (
        make_system(f"uncertain({folder}, device=cpu, dtype={dtype}{arguments})").score(items)
        for dtype in ("float32", "float16")
    )
    np.testing.assert_allclose(half.scores, whole.scores, atol=NEARLY, rtol=0)
    assert half.scores.tolist() != whole.scores.tolist()  # else nothing was computed in half precision
    assert (half.sigmas is None) == (whole.sigmas is None)
    if half.sigmas is not None:
        np.testing.assert_allclose(half.sigmas, whole.sigmas, atol=NEARLY, rtol=0)
    return half


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_head_over_every_encoding(build, items, encoding, head):
    said = check(build(head=head, **ENCODINGS[encoding]), items)
    assert (said.sigmas is None) == (head == "point")


@pytest.mark.parametrize("encoding", ["cross", "cross, last", "bi", "joint"])
@pytest.mark.slow
def test_passes_of_members(build, items, encoding):
    # What is dropped follows from the tokens, so that both drop the same.
    check(build(members=2, **ENCODINGS[encoding]), items, ", passes=3")


@pytest.mark.parametrize("encoding", ["cross", "joint"])
def test_evidence(build, items, encoding):
    evidence = fit_evidence(("overlap",), items)
    check(build(evidence=evidence, **ENCODINGS[encoding]), items)


@pytest.mark.parametrize("passes", [0, 3])
@pytest.mark.parametrize("shape", [{"template": TEMPLATE}, {"encoding": "bi"}])
@pytest.mark.slow
def test_a_language_model(build, tiny_language_model, items, shape, passes):
    check(build(model=tiny_language_model(), pooling="last", **shape), items, f", passes={passes}")


def test_the_head_is_left_in_float32(build):
    from similitude.models.encoders.loader import LoadOptions
    from similitude.models.files import ModelFiles
    from similitude.systems.uncertain.loader import folder_of, open_network

    source = ModelFiles(str(build(encoding="joint", separator=3)))
    for dtype in (torch.float16, torch.bfloat16):
        name = str(dtype).removeprefix("torch.")
        network = open_network(LoadOptions(source, "cpu", name), folder_of(source).architecture).network
        assert {value.dtype for value in network.transformer.parameters()} == {dtype}
        assert {value.dtype for value in network.head.state_dict().values()} == {torch.float32}
