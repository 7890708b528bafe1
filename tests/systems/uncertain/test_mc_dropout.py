"""Dropout that follows each text's own seed: as often as it should, unlike for unlike texts, and by nothing else."""

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import Architecture
from similitude.training.uncertain.initial_network import InitialNetwork, build_initial_network

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.systems.uncertain.mc_dropout import (  # noqa: E402
    RowDropout,
    has_dropout,
    keep_mask,
    row_seeds,
    run_passes,
)


def seeds(rows: int) -> torch.Tensor:
    return row_seeds(torch.arange(rows).reshape(-1, 1) + 5, torch.ones(rows, 1))


class TestMasks:
    @pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
    def test_as_much_is_dropped_as_asked(self, share):
        dropped = 1 - keep_mask(seeds(50), 3, 4001, share).double().mean(dim=1)
        # standard error of a row's share at most 0.5 / sqrt(4001) = 0.008
        np.testing.assert_allclose(dropped, share, atol=0.035)
        assert float(dropped.mean()) == pytest.approx(share, abs=0.004)

    def test_rows_masks_and_places_are_independent(self):
        first, second = (keep_mask(seeds(40), number, 4000, 0.5).double() - 0.5 for number in (0, 1))
        near_one = 4 / np.sqrt(4000) * 0.25 * 1.3  # 5.2 standard errors: 40 x 40 pairs are looked at
        between_rows = first @ first.T / 4000
        assert (between_rows - torch.diag(between_rows.diagonal())).abs().max() < near_one
        assert (first @ second.T / 4000).abs().max() < near_one
        for lag in (1, 2, 3, 4, 16, 64):
            assert abs(float((first[:, lag:] * first[:, :-lag]).mean())) < 0.004

    def test_a_longer_row_begins_with_the_shorter_ones_mask(self):
        assert keep_mask(seeds(3), 2, 10, 0.3).tolist() == keep_mask(seeds(3), 2, 57, 0.3)[:, :10].tolist()

    def test_seeds_know_order_but_no_padding(self):
        ids = torch.tensor([[5, 6, 7, 0], [6, 5, 7, 0], [5, 6, 7, 9]])
        mask = torch.tensor([[1, 1, 1, 0]] * 3)
        first, turned, padded = row_seeds(ids, mask).tolist()
        assert first != turned
        assert first == padded
        assert row_seeds(ids[:1, :3], mask[:1, :3]).tolist() == [first]

    def test_what_is_kept_is_scaled_so_that_the_mean_stays(self):
        values = torch.ones(4, 5000)
        with RowDropout(seeds(4)):
            dropped = torch.nn.functional.dropout(values, 0.25)
        assert dropped.unique().tolist() == [0.0, pytest.approx(1 / 0.75)]
        assert float(dropped.mean()) == pytest.approx(1.0, abs=0.02)
        assert values.min() == 1.0  # what was handed in is left as it was

    def test_attention_without_dropout_is_torchs(self):
        rng = torch.Generator().manual_seed(0)
        query, key, value = (torch.randn(3, 2, 5, 4, generator=rng) for _ in range(3))
        mode = RowDropout(seeds(3))
        reference = torch.nn.functional.scaled_dot_product_attention
        mask = torch.tensor([True, True, True, False, True]).expand(3, 1, 5, 5)
        cases = [{}, {"attn_mask": mask}, {"attn_mask": torch.where(mask, 0.0, -1e9)}, {"is_causal": True}]
        for case in cases:
            torch.testing.assert_close(mode._attention(query, key, value, **case), reference(query, key, value, **case))
        grouped = {"enable_gqa": True, "scale": 0.7}
        torch.testing.assert_close(
            mode._attention(query, key[:, :1], value[:, :1], **grouped),
            reference(query, key[:, :1], value[:, :1], **grouped),
        )

    def test_rows_that_are_not_there(self):
        with RowDropout(seeds(3)), pytest.raises(ArgumentError, match="applies dropout to 4 rows"):
            torch.nn.functional.dropout(torch.ones(4, 2), 0.1)


def tokens(rows: int = 6, length: int = 9) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 30, (rows, length), generator=torch.Generator().manual_seed(1))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


SMALL = {
    "vocab_size": 40,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 64,
}
KINDS = {
    "bert": lambda: transformers.BertModel(transformers.BertConfig(**SMALL)),
    "roberta": lambda: transformers.RobertaModel(transformers.RobertaConfig(**SMALL)),
    "electra": lambda: transformers.ElectraModel(transformers.ElectraConfig(**SMALL, embedding_size=16)),
    "mpnet": lambda: transformers.MPNetModel(transformers.MPNetConfig(**SMALL)),
    "distilbert": lambda: transformers.DistilBertModel(
        transformers.DistilBertConfig(vocab_size=40, dim=16, n_layers=2, n_heads=2, hidden_dim=32)
    ),
    "modernbert": lambda: transformers.ModernBertModel(
        transformers.ModernBertConfig(**SMALL, pad_token_id=0, attention_dropout=0.1, mlp_dropout=0.1)
    ),
}


class TestEncoders:
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_row_depends_on_itself_alone(self, kind):
        from similitude.systems.uncertain.network import UncertainNetwork

        torch.manual_seed(0)
        network = UncertainNetwork(KINDS[kind](), Architecture(), 16).train()
        given = tokens()
        with torch.inference_mode():
            together = run_passes(network.rows, given, 4, 2)
            order = [3, 0, 5, 1, 4, 2]
            turned = run_passes(network.rows, {name: value[order] for name, value in given.items()}, 4, 2)
            one_by_one = run_passes(network.rows, given, 4, 1)
            alone = run_passes(network.rows, {name: value[2:3] for name, value in given.items()}, 4, 4)
        assert turned.tolist() == together[order].tolist()
        torch.testing.assert_close(one_by_one, together, atol=1e-6, rtol=1e-5)
        torch.testing.assert_close(alone[0], together[2], atol=1e-6, rtol=1e-5)
        passes = together.reshape(6, 4, 2)
        assert (passes.std(dim=1) > 0).all()

    def test_the_mean_over_many_passes_is_that_of_torchs_dropout(self, bert):
        from similitude.models.encoders.loader import LoadOptions
        from similitude.models.files import ModelFiles

        torch.manual_seed(0)
        opened = build_initial_network(
            LoadOptions(ModelFiles(str(bert)), "cpu", "float32"), InitialNetwork(Architecture(dropout=0.2))
        )
        network, given = opened.network.train(), tokens(2)
        assert has_dropout(network)
        with torch.inference_mode():
            ours = run_passes(network.rows, given, 2000, 500).reshape(2, 2000, 2)
            torch.manual_seed(1)
            theirs = network.rows({name: value.repeat(2000, 1) for name, value in given.items()}).reshape(2000, 2, 2)
        theirs = theirs.transpose(0, 1)
        error = (ours.var(dim=1) / 2000 + theirs.var(dim=1) / 2000).sqrt()
        assert ((ours.mean(dim=1) - theirs.mean(dim=1)).abs() < 4 * error).all()
        torch.testing.assert_close(ours.std(dim=1), theirs.std(dim=1), rtol=0.1, atol=0.0)
