"""Losses: by hand, against numeric integration, against each other, and lowest at the truth."""

import numpy as np
import pytest

from similitude.errors import ArgumentError, UnknownNameError
from similitude.systems.uncertain.architecture import HUMAN_FLOOR, Architecture
from similitude.systems.uncertain.heads import Camps, camps_of, moments_of
from similitude.training.uncertain.objectives import OpinionObjective, check_objective

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

GAUSSIAN = Architecture(head="gaussian", floor=0.001)
MIXTURE = Architecture(head="mixture", components=3)
HISTOGRAM = Architecture(head="histogram", bins=11)
DISTRIBUTIONS = {"gaussian": GAUSSIAN, "mixture": MIXTURE, "histogram": HISTOGRAM}


def saying(mean: float, sigma: float, architecture: Architecture = GAUSSIAN) -> torch.Tensor:
    """The outputs of a Gaussian head that says just this."""
    raw = np.log(np.expm1(sigma - architecture.floor)) + 2.0
    return torch.tensor([[np.log(mean / (1 - mean)), raw]])


def gold(*rows: list[float]) -> torch.Tensor:
    """A row of gold from each list of ratings; nan for none."""
    wide = np.full((len(rows), 2 + max(map(len, rows))), np.nan)
    for row, ratings in zip(wide, rows, strict=True):
        row[:2] = np.mean(ratings), np.std(ratings)
        row[2 : 2 + len(ratings)] = ratings
    return torch.from_numpy(wide)


def loss(name: str, outputs: torch.Tensor, rows: torch.Tensor, architecture: Architecture = GAUSSIAN) -> float:
    return float(OpinionObjective(name=name, architecture=architecture)(outputs.double(), rows))


def random_outputs(architecture: Architecture, items: int = 4) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(3).normal(size=(items, architecture.outputs)))


def density(camps: Camps, x: np.ndarray) -> np.ndarray:
    weights, means, sigmas = (part[0].numpy()[:, None] for part in camps)
    return (weights * np.exp(-0.5 * ((x - means) / sigmas) ** 2) / (sigmas * np.sqrt(2 * np.pi))).sum(axis=0)


class TestByHand:
    def test_mse(self):
        # sigmoid(0) = 1/2 against means 0.2 and 0.9: (0.09 + 0.16) / 2
        outputs = torch.zeros(2, 1)
        assert loss("mse", outputs, gold([0.1, 0.3], [0.9]), Architecture(head="point")) == pytest.approx(0.125)

    def test_nll(self):
        # N(0.5, 0.2) at 0.5 and 0.7: ln 0.2 + 0.5 ln 2 pi, and half the mean of 0 and 1 squared
        expected = np.log(0.2) + 0.5 * np.log(2 * np.pi) + 0.25
        assert loss("nll", saying(0.5, 0.2), gold([0.5, 0.7])) == pytest.approx(expected)

    def test_kl(self):
        # KL(N(0.6, 0.1) || N(0.5, 0.2)) = ln 2 + (0.01 + 0.01) / (2 x 0.04) - 1/2
        assert loss("kl", saying(0.5, 0.2), gold([0.5, 0.7])) == pytest.approx(np.log(2) - 0.25)

    def test_crps(self):
        # Gneiting's closed form at the mean: sigma (2 phi(0) - 1 / sqrt pi)
        expected = 0.2 * (np.sqrt(2 / np.pi) - 1 / np.sqrt(np.pi))
        assert loss("crps", saying(0.5, 0.2), gold([0.5])) == pytest.approx(expected)

    def test_beta_nll_weighs_by_sigma(self):
        # beta 1/2: the loss times the predicted sigma
        rows = gold([0.5, 0.7])
        assert loss("beta-nll", saying(0.5, 0.2), rows) == pytest.approx(0.2 * loss("nll", saying(0.5, 0.2), rows))

    def test_a_rating_between_two_points_counts_for_both(self):
        # Points 0, 1/2, 1 with shares 1/2, 1/4, 1/4. 0.6 lies 4/5 at 1/2 and 1/5 at 1: ln 4. 0 and 1 are points.
        outputs = torch.from_numpy(np.log([[2.0, 1.0, 1.0]]))
        architecture = Architecture(head="histogram", bins=3)
        assert loss("nll", outputs, gold([0.6]), architecture) == pytest.approx(np.log(4))
        assert loss("nll", outputs, gold([0.1]), architecture) == pytest.approx(0.8 * np.log(2) + 0.2 * np.log(4))
        assert loss("nll", outputs, gold([0.0, 1.0]), architecture) == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(4))


class TestAgainstIntegrals:
    x = np.linspace(-2, 3, 500_001)

    @pytest.mark.parametrize("name", DISTRIBUTIONS)
    @pytest.mark.parametrize("rating", [0.0, 0.37, 1.0])
    def test_crps(self, name, rating):
        architecture = DISTRIBUTIONS[name]
        outputs = random_outputs(architecture, 1)
        below = np.cumsum(density(camps_of(architecture, outputs), self.x)) * (self.x[1] - self.x[0])
        expected = np.trapezoid((below - (self.x >= rating)) ** 2, self.x)
        assert loss("crps", outputs, gold([rating]), architecture) == pytest.approx(expected, abs=2e-5)

    @pytest.mark.parametrize("name", ["gaussian", "mixture"])
    def test_nll(self, name):
        architecture = DISTRIBUTIONS[name]
        outputs = 0.3 * random_outputs(architecture, 1)
        p = density(camps_of(architecture, outputs), np.array([0.2, 0.8]))
        assert loss("nll", outputs, gold([0.2, 0.8]), architecture) == pytest.approx(-np.log(p).mean())

    def test_kl(self):
        outputs, rows = saying(0.4, 0.15), gold([0.3, 0.5, 0.7])
        mean, sd = 0.5, np.std([0.3, 0.5, 0.7])
        p = np.exp(-0.5 * ((self.x - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi))
        q = density(camps_of(GAUSSIAN, outputs), self.x)
        inside = p > 1e-300
        expected = np.trapezoid(p[inside] * np.log(p[inside] / q[inside]), self.x[inside])
        assert loss("kl", outputs, rows) == pytest.approx(expected, abs=1e-6)


class TestTogether:
    def test_nll_is_kl_plus_what_no_weight_can_change(self):
        ratings = [0.2, 0.5, 0.6, 0.9]
        outputs, rows = saying(0.4, 0.15), gold(ratings)
        entropy = 0.5 * np.log(2 * np.pi * np.e * np.var(ratings))
        assert loss("nll", outputs, rows) == pytest.approx(loss("kl", outputs, rows) + entropy)

    @pytest.mark.parametrize("name", ["kl", "nll", "crps"])
    def test_lowest_where_the_model_says_what_people_say(self, name):
        ratings = np.random.default_rng(0).normal(0.5, 0.12, 4000).clip(0, 1)
        rows = gold(ratings.tolist())
        best = loss(name, saying(float(ratings.mean()), float(ratings.std())), rows)
        for mean, sigma in ((0.45, 0.12), (0.55, 0.12), (0.5, 0.08), (0.5, 0.18)):
            assert loss(name, saying(mean, sigma), rows) > best

    def test_people_who_agree_have_a_floor_under_kl(self):
        # KL(N(0.5, floor) || N(0.5, floor)) = 0: with less than the floor it rises again
        rows = gold([0.5, 0.5, 0.5])
        assert loss("kl", saying(0.5, HUMAN_FLOOR), rows) == pytest.approx(0.0, abs=1e-9)
        assert loss("kl", saying(0.5, HUMAN_FLOOR / 2), rows) > 0.5

    def test_places_left_over_do_not_count(self):
        outputs = torch.cat([saying(0.5, 0.2), saying(0.3, 0.1)])
        together = loss("nll", outputs, gold([0.5, 0.7], [0.1, 0.2, 0.3, 0.9]))
        apart = loss("nll", outputs[:1], gold([0.5, 0.7])), loss("nll", outputs[1:], gold([0.1, 0.2, 0.3, 0.9]))
        assert together == pytest.approx(np.mean(apart))

    @pytest.mark.parametrize("name", ["nll", "kl", "crps", "beta-nll"])
    @pytest.mark.parametrize("head", DISTRIBUTIONS)
    def test_gradients_are_numbers_with_few_ratings_and_no_spread(self, name, head):
        architecture = DISTRIBUTIONS[head]
        outputs = random_outputs(architecture, 3).requires_grad_()
        rows = gold([0.0, 0.0, 0.0], [1.0], [0.2, 0.9])
        OpinionObjective(name=name, architecture=architecture)(outputs, rows).backward()
        assert torch.isfinite(outputs.grad).all()
        assert (outputs.grad.abs().sum(dim=1) > 0).all()

    def test_weights(self):
        rows = gold([0.5, 0.7], [0.1, 0.2])
        outputs = torch.cat([saying(0.5, 0.2), saying(0.3, 0.1)])
        weights = torch.tensor([[0.0, 0.0], [2.0, 2.0]])
        weighed = float(OpinionObjective(name="crps", architecture=GAUSSIAN)(outputs.double(), rows, weights=weights))
        assert weighed == pytest.approx(loss("crps", outputs[1:], gold([0.1, 0.2])))

    @pytest.mark.parametrize("head", DISTRIBUTIONS)
    @pytest.mark.slow
    def test_going_down_the_loss_finds_mean_and_spread(self, head):
        architecture = DISTRIBUTIONS[head]
        ratings = np.random.default_rng(1).normal(0.6, 0.1, 200).clip(0, 1)
        rows = gold(ratings.tolist())
        outputs = torch.zeros(1, architecture.outputs, dtype=torch.float64, requires_grad=True)
        adam = torch.optim.Adam([outputs], lr=0.05)
        objective = OpinionObjective(name="nll", architecture=architecture)
        for _ in range(600):
            adam.zero_grad()
            objective(outputs, rows).backward()
            adam.step()
        mean, variance = moments_of(camps_of(architecture, outputs.detach()))
        assert float(mean) == pytest.approx(ratings.mean(), abs=0.01)
        assert float(variance.sqrt()) == pytest.approx(ratings.std(), abs=0.02)


@pytest.mark.parametrize(
    ("name", "head", "told"),
    [("mse", "gaussian", "learns no spread"), ("nll", "point", "has no spread"), ("kl", "point", "--objective mse")],
)
def test_objectives_that_do_not_fit_the_head(name, head, told):
    with pytest.raises(ArgumentError, match=told):
        check_objective(name, Architecture(head=head))


def test_an_objective_that_is_none():
    with pytest.raises(UnknownNameError, match="did you mean 'nll'"):
        check_objective("nlll", Architecture())
    assert check_objective("crps", Architecture()) == "crps"
