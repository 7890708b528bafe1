"""Fused layers against torch's own; kernels run in Triton's interpreter on a CPU, and as they are on a GPU."""

import copy
import importlib
import os

import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.fused_layers import (  # noqa: E402
    dropped_sum_norm,
    fuse_layers,
    has_triton,
    linear_product,
)
from similitude.models.encoders.recorded_forward import RecordedForward, recorded_on_gpu  # noqa: E402

ON_GPU = torch.cuda.is_available()
IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
needs_triton = pytest.mark.skipif(
    not (has_triton() and (ON_GPU or IS_INTERPRETED)), reason="needs Triton, and a GPU or TRITON_INTERPRET=1"
)
DEVICE = "cuda" if ON_GPU and not IS_INTERPRETED else "cpu"


def test_a_linear_layer_has_the_gradient_of_a_linear_layer():
    torch.manual_seed(0)
    inputs, layer = torch.randn(3, 5, 8, requires_grad=True), torch.nn.Linear(8, 6)
    given = (inputs, layer.weight, layer.bias)
    found = torch.autograd.grad(linear_product(*given).square().sum(), given)
    expected = torch.autograd.grad(layer(inputs).square().sum(), given)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other)


@needs_triton
@pytest.mark.parametrize("share", [0.0, 0.25])
def test_dropout_sum_and_norm(share):
    torch.manual_seed(0)
    values, residual = (torch.randn(30, 7, 48, device=DEVICE, requires_grad=True) for _ in range(2))
    norm, dropout = torch.nn.LayerNorm(48, device=DEVICE), torch.nn.Dropout(share)
    torch.nn.init.normal_(norm.weight)
    given = (values, residual, norm.weight, norm.bias)
    normed = dropped_sum_norm(values, residual, norm, dropout)
    weights = torch.randn_like(normed)
    found = torch.autograd.grad((normed * weights).sum(), given)
    kept = (found[0] != 0).float() / (1 - share) if share else torch.ones_like(values)
    assert float((kept == 0).float().mean()) == pytest.approx(share, abs=0.02)
    plain = norm(values * kept + residual)
    torch.testing.assert_close(normed, plain, atol=1e-5, rtol=1e-5)
    for one, other in zip(found, torch.autograd.grad((plain * weights).sum(), given), strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4)


@needs_triton
@pytest.mark.parametrize("kind", ["Bert", "Qwen2"])
def test_a_fused_transformer(kind):
    from similitude.training.adapters import add_adapters, fuse_adapters

    torch.manual_seed(0)
    shape = {"vocab_size": 50, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    heads = {"num_key_value_heads": 2} if kind == "Qwen2" else {}
    config = getattr(transformers, f"{kind}Config")(**shape, **heads, intermediate_size=48, initializer_range=0.3)
    plain = getattr(transformers, f"{kind}Model")(config).to(DEVICE)
    if kind == "Qwen2":
        add_adapters(plain, 4)
        for name, weight in plain.named_parameters():
            if name.endswith(".up"):
                torch.nn.init.normal_(weight, std=0.1)
    plain.eval()
    fused = copy.deepcopy(plain)
    fuse_layers(fused)
    fuse_adapters(fused)
    ids = torch.randint(0, 50, (5, 12), device=DEVICE)
    weights = torch.randn(5, 12, 32, device=DEVICE)
    for model in (plain, fused):
        (model(input_ids=ids, return_dict=True).last_hidden_state * weights).sum().backward()
    for (name, one), other in zip(plain.named_parameters(), fused.parameters(), strict=True):
        if one.grad is not None:
            torch.testing.assert_close(other.grad, one.grad, atol=2e-3, rtol=2e-3, msg=name)


@needs_triton
@pytest.mark.parametrize("length", [5, 23, 36])
def test_attention_of_short_texts(length):
    from similitude.models.encoders.triton_kernels import short_attention_kernel

    torch.manual_seed(0)
    heads, size = 4, 16
    width = heads * size
    joined = torch.randn(3, length, 3 * width, dtype=torch.float16, device=DEVICE)
    bias = torch.randn(1, heads, length, length, dtype=torch.float16, device=DEVICE)
    mask = (torch.arange(length) < torch.tensor([[length], [2], [length - 1]])).long().to(DEVICE)
    mixed = torch.empty(3, length, width, dtype=torch.float16, device=DEVICE)
    block = max(16, 1 << (length - 1).bit_length())
    short_attention_kernel[(3, heads)](joined, bias, mask, mixed, length, width, size**-0.5, size=block, head_size=size)
    query, key, value = (part.view(3, length, heads, size).transpose(1, 2).float() for part in joined.chunk(3, -1))
    blocked = (1 - mask)[:, None, None, :] * -1e4
    plain = (query @ key.transpose(-1, -2) * size**-0.5 + bias.float() + blocked).softmax(-1) @ value
    torch.testing.assert_close(mixed.float(), plain.transpose(1, 2).flatten(2), atol=5e-3, rtol=5e-3)


def test_gelu_inside_the_product():
    torch.manual_seed(0)
    config = transformers.BertConfig(hidden_size=16, intermediate_size=24)
    plain = transformers.models.bert.modeling_bert.BertIntermediate(config).half()
    fused = copy.deepcopy(plain)
    fuse_layers(fused)
    inputs = torch.randn(3, 5, 16).half()
    with torch.no_grad():
        torch.testing.assert_close(fused(inputs), plain(inputs), atol=2e-3, rtol=2e-3)
    assert fused(inputs).requires_grad  # with a gradient it is computed as before


LAYERS = [
    ("falcon_h1", "FalconH1MLP", "FalconH1Config", {"mlp_multipliers": [0.7, 0.4]}, False),
    ("bitnet", "BitNetMLP", "BitNetConfig", {"hidden_act": "silu"}, False),
    ("seed_oss", "SeedOssMLP", "SeedOssConfig", {"residual_dropout": 0.5}, False),
    ("roberta_prelayernorm", "RobertaPreLayerNormIntermediate", "RobertaPreLayerNormConfig", {}, False),
    ("xmod", "XmodSelfOutput", "XmodConfig", {}, False),
    ("xmod", "XmodOutput", "XmodConfig", {}, False),
    ("llama", "LlamaMLP", "LlamaConfig", {}, True),
    ("qwen2", "Qwen2MLP", "Qwen2Config", {}, True),
    ("bert", "BertIntermediate", "BertConfig", {}, True),
    ("bert", "BertSelfOutput", "BertConfig", {}, True),
    ("bert", "BertOutput", "BertConfig", {}, True),
    ("mpnet", "MPNetOutput", "MPNetConfig", {}, True),
]


@pytest.mark.parametrize(("family", "layer", "config", "options", "is_known"), LAYERS)
def test_only_layers_that_compute_what_is_known_are_fused(family, layer, config, options, is_known):
    modeling = importlib.import_module(f"transformers.models.{family}.modeling_{family}")
    sizes = {"hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 24}
    module = getattr(modeling, layer)(getattr(transformers, config)(**sizes, **options))
    fuse_layers(module)
    assert ("forward" in vars(module)) == is_known


class TestRecordedForward:
    def test_on_a_cpu_nothing_is_recorded(self):
        def forward(tokens):
            return tokens["input_ids"] + 1

        assert recorded_on_gpu(forward, "cpu") is forward
        assert RecordedForward(forward)({"input_ids": torch.zeros(2)}).tolist() == [1.0, 1.0]

    @pytest.mark.skipif(not ON_GPU, reason="needs a GPU")
    def test_replays_give_what_was_computed_before(self):
        calls = []

        def forward(tokens):
            calls.append(1)
            return tokens["input_ids"].float() * 2

        recorded = RecordedForward(forward)
        for number in range(6):
            tokens = {"input_ids": torch.full((3, 4), number, device="cuda")}
            assert torch.equal(recorded(tokens), tokens["input_ids"].float() * 2)
        assert len(calls) == 4  # twice as it is, then a warm-up and the recording
