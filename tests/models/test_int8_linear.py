"""Linear layers in 8-bit integers."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from similitude.errors import ArgumentError  # noqa: E402
from similitude.models.encoders import int8_linear  # noqa: E402
from similitude.models.encoders.int8_linear import Int8Linear, quantise_linear_layers  # noqa: E402


def layer(weight, bias=None) -> "torch.nn.Linear":
    weight = torch.tensor(weight, dtype=torch.float32)
    made = torch.nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    made.weight.data = weight
    if bias is not None:
        made.bias.data = torch.tensor(bias, dtype=torch.float32)
    return made


def padded(rows: list[list[float]], width: int = 16) -> list[list[float]]:
    return [row + [0.0] * (width - len(row)) for row in rows]


def test_by_hand():
    # Scales: of the weights 2.54 / 127 = .02 and 1.27 / 127 = .01; of the token 1.27 / 127 = .01, so it is (127, -64).
    # Weights are (127, 50) and (-127, 0): products 127 * 127 - 64 * 50 = 12,929 and -16,129.
    quick = Int8Linear(layer(padded([[2.54, 1.0], [-1.27, 0.0]]), [1.0, 0.0]))
    token = torch.tensor(padded([[1.27, -0.64]]))
    with torch.inference_mode():
        row = quick(token).numpy()
    np.testing.assert_allclose(row, [[1 + 12_929 * 0.02 * 0.01, -16_129 * 0.01 * 0.01]], rtol=1e-6)


def test_close_to_the_layer_it_replaces():
    torch.manual_seed(0)
    usual = torch.nn.Linear(96, 40)
    inputs = torch.randn(3, 7, 96) * torch.tensor([0.01, 1.0, 100.0])[:, None, None]
    with torch.inference_mode():
        expected, row = usual(inputs), Int8Linear(usual)(inputs)
    assert row.shape == (3, 7, 40)
    # Each token has its own scale: a large one does not cost a small one its precision.
    error = (row - expected).norm(dim=-1) / (expected - usual.bias).norm(dim=-1)
    assert error.max() < 0.02
    assert error.max() > 0.0005


def test_a_token_does_not_depend_on_the_others():
    torch.manual_seed(0)
    quick = Int8Linear(torch.nn.Linear(384, 64))
    tokens = torch.randn(64, 384)
    with torch.inference_mode():
        together = quick(tokens)
        tokens[1:] *= 1000
        assert torch.equal(quick(tokens.clone())[0], together[0])
        assert torch.equal(quick(tokens[:20].clone())[0], together[0])


def test_zeros_and_no_bias():
    quick = Int8Linear(layer(np.zeros((8, 16))))
    with torch.inference_mode():
        assert quick(torch.zeros(2, 16)).abs().max() == 0
        assert quick(torch.ones(2, 16)).abs().max() == 0


def test_every_linear_layer_below_is_replaced_and_siblings_share_their_input(monkeypatch):
    class Attention(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.query, self.key, self.out = (torch.nn.Linear(32, 32) for _ in range(3))

        def forward(self, x):
            return self.out(self.query(x) * self.key(x))

    torch.manual_seed(0)
    model = torch.nn.Sequential(Attention(), torch.nn.Tanh(), torch.nn.Linear(32, 8))
    inputs = torch.randn(20, 32)
    with torch.inference_mode():
        expected = model(inputs)
        quantise_linear_layers(model)
        turned = []
        honest = torch.mul
        monkeypatch.setattr(torch, "mul", lambda *args, **options: turned.append(1) or honest(*args, **options))
        found = model(inputs)
    assert [type(part).__name__ for part in model.modules() if "Linear" in type(part).__name__] == ["Int8Linear"] * 4
    np.testing.assert_allclose(found.numpy(), expected.numpy(), atol=0.05)
    assert len(turned) == 3  # query and key together, out, and the last layer


def test_the_same_tensor_in_another_place_is_turned_into_integers_again():
    first, other = Int8Linear(torch.nn.Linear(16, 16), object()), Int8Linear(torch.nn.Linear(16, 16), object())
    tokens = torch.ones(20, 16)
    with torch.inference_mode():
        first(tokens)
        tokens.mul_(2)
        np.testing.assert_allclose(other(tokens).numpy(), other(tokens.clone()).numpy())


def test_a_cpu_whose_products_overflow_is_refused(monkeypatch):
    monkeypatch.setattr(torch, "_int_mm", lambda a, b: torch.full((32, 32), 32_767, dtype=torch.int32))
    assert not int8_linear._products_are_exact()
    with pytest.raises(ArgumentError, match="leave out backend=int8"):
        quantise_linear_layers(torch.nn.Linear(2, 2))
