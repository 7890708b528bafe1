"""Sparse Gaussian processes: the right evidence, what is there to learn, and the same whoever computes it."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

torch = pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")

from similitude.errors import ArgumentError, EstimationError  # noqa: E402
from similitude.systems.uncertain.gaussian_process.kernel import covariance  # noqa: E402
from similitude.systems.uncertain.gaussian_process.posterior import blocks_of, squared_distances  # noqa: E402
from similitude.training.gaussian_process.collapsed import Collapsed  # noqa: E402
from similitude.training.gaussian_process.fit import (  # noqa: E402
    TrainingRows,
    fit,
)
from similitude.training.gaussian_process.inducing_points import choose_inducing  # noqa: E402
from similitude.training.gaussian_process.learner import JITTERS, RegressionProblem, cholesky  # noqa: E402
from similitude.training.gaussian_process.recipe import GprRecipe  # noqa: E402

NOISE = 0.2
COLLAPSED = ("fitc", "vfe")
WIDTHS = (1, 1)
RECIPE = GprRecipe(method="fitc", inducing=40)


def truth(features):
    return 3.0 + np.sin(2.0 * features[:, 0]) + 0.5 * features[:, 1]


def made(items=400, seed=0, noise=NOISE):
    rng = np.random.default_rng(seed)
    features = rng.uniform(-2, 2, (items, 2))
    return TrainingRows(features, truth(features) + noise * rng.normal(size=items))


def problem(rows, points, *, form="rbf", widths=WIDTHS) -> RegressionProblem:
    return RegressionProblem(rows=rows, widths=widths, inducing=points, form=form)


def validate_on(rows):
    def validate(posterior):
        means, variances = posterior.predict(rows.features)
        return {"log_density": float(norm.logpdf(rows.targets, means, np.sqrt(variances + posterior.noise)).mean())}

    return validate


def fitted(rows, recipe=RECIPE, **options):
    return fit(rows, WIDTHS, recipe, validate_on(made(seed=99, items=200)), **options)


def kernel_of(learner, rows, points):
    pairs = zip(blocks_of(rows, WIDTHS), blocks_of(points, WIDTHS), strict=True)
    parameters = learner.logs().detach().numpy()[1:]
    return covariance(np, learner.form, parameters, [squared_distances(a, b) for a, b in pairs], [])


@pytest.mark.parametrize("method", COLLAPSED)
def test_with_a_point_at_every_item_it_is_the_exact_process(method):
    rows = made(items=30)
    learner = Collapsed(problem(rows, rows.features), method)
    targets = (rows.targets - rows.targets.mean()) / rows.targets.std()
    full = kernel_of(learner, rows.features, rows.features) + 0.25 * np.eye(30)  # noise begins at 0.25
    assert learner.loss().item() == pytest.approx(-multivariate_normal.logpdf(targets, cov=full) / 30, abs=1e-4)
    asked = made(items=7, seed=3).features
    to_items = kernel_of(learner, asked, rows.features)
    means = rows.targets.mean() + rows.targets.std() * (to_items @ np.linalg.solve(full, targets))
    variances = rows.targets.var() * (1.0 - np.einsum("ij,ji->i", to_items, np.linalg.solve(full, to_items.T)))
    found = learner.posterior().predict(asked)
    assert found.means == pytest.approx(means, abs=1e-4)
    assert found.variances == pytest.approx(variances, abs=1e-4)


def test_evidence_by_hand_with_few_points():
    # With Q = K_xz K_zz^-1 K_zx, fitc: ln N(y; 0, Q + diag(K - Q) + noise),
    # vfe: ln N(y; 0, Q + noise) - tr(K - Q) / 2 noise.
    rows = made(items=50)
    points = choose_inducing(rows.features, 6, np.random.default_rng(0))
    targets = (rows.targets - rows.targets.mean()) / rows.targets.std()
    learners = {method: Collapsed(problem(rows, points), method) for method in COLLAPSED}
    between = kernel_of(learners["vfe"], rows.features, points)
    among = kernel_of(learners["vfe"], points, points) + JITTERS[0] * np.eye(6)
    explained = between @ np.linalg.solve(among, between.T)
    missed = 1.0 - np.diagonal(explained)
    noise = 0.25 * np.eye(50)
    expected = {
        "fitc": multivariate_normal.logpdf(targets, cov=explained + np.diag(missed) + noise),
        "vfe": multivariate_normal.logpdf(targets, cov=explained + noise) - missed.sum() / (2 * 0.25),
    }
    full = kernel_of(learners["vfe"], rows.features, rows.features) + noise
    for method, learner in learners.items():
        assert learner.loss().item() == pytest.approx(-expected[method] / 50, abs=1e-9)
    assert expected["vfe"] < multivariate_normal.logpdf(targets, cov=full)  # a lower bound


@pytest.mark.parametrize(
    ("method", "kernel"),
    [
        ("fitc", "rbf"),
        ("fitc", "matern"),
        ("fitc", "linear+rbf"),
        ("vfe", "rbf"),
        ("vfe", "linear+rbf"),
        ("minibatched", "rbf"),
    ],
)
@pytest.mark.slow
def test_function_and_noise_are_recovered_and_intervals_hold(method, kernel):
    if method == "minibatched":
        pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")
    recipe = GprRecipe(method=method, kernel=kernel, inducing=40, lr=0.05, batch=100, epochs=30, patience=0)
    posterior = fitted(made(), recipe).posterior
    new = made(items=2000, seed=5)
    means, variances = posterior.predict(new.features)
    assert np.sqrt(posterior.noise) == pytest.approx(NOISE, rel=0.2)
    assert np.sqrt(np.mean((means - truth(new.features)) ** 2)) < 0.09
    sigmas = np.sqrt(variances + posterior.noise)
    for level in (0.5, 0.9):
        inside = np.abs(new.targets - means) < norm.ppf(0.5 + level / 2) * sigmas
        assert inside.mean() == pytest.approx(level, abs=0.05)


@pytest.mark.slow
def test_a_rough_function_is_known_best_by_the_roughest_kernel():
    # Drawn from a process whose covariance is exp(-8 |x - x'|): matern12 with all its weight on the first feature.
    rng = np.random.default_rng(0)
    features = np.column_stack([np.sort(rng.uniform(-2, 2, 400)), rng.uniform(-2, 2, 400)])
    apart = 8.0 * np.abs(features[:, :1] - features[:, 0])
    drawn = np.linalg.cholesky(np.exp(-apart) + 1e-9 * np.eye(400)) @ rng.normal(size=400)
    targets = drawn + 0.1 * rng.normal(size=400)
    held_out = np.arange(400) % 4 == 0
    validate = validate_on(TrainingRows(features[held_out], targets[held_out]))
    density = {}
    for kernel in ("matern12", "matern", "rbf"):
        recipe = GprRecipe(method="fitc", kernel=kernel, inducing=300)
        found = fit(TrainingRows(features[~held_out], targets[~held_out]), WIDTHS, recipe, validate)
        density[kernel] = validate(found.posterior)["log_density"]
    assert density["matern12"] > density["matern"] > density["rbf"]


def test_far_away_it_knows_nothing_but_the_mean():
    rows = made()
    posterior = fitted(rows).posterior
    means, variances = posterior.predict(np.array([[100.0, 100.0]]))
    assert means[0] == pytest.approx(rows.targets.mean(), abs=1e-6)
    assert variances[0] > 0.5 * truth(rows.features).var()


def test_known_noise_is_not_counted_twice():
    # Half of the items are very noisy, and it is known by how much: what is left to be learned is the small noise of
    # all, and the noisy items hardly count.
    rows = made(noise=0.1)
    rng = np.random.default_rng(7)
    loud = np.arange(400) % 2 == 0
    targets = rows.targets + np.where(loud, 2.0 * rng.normal(size=400), 0.0)
    known = fitted(TrainingRows(rows.features, targets, np.where(loud, 4.0, 0.0))).posterior
    blind = fitted(TrainingRows(rows.features, targets)).posterior
    assert np.sqrt(known.noise) == pytest.approx(0.1, abs=0.06)
    assert np.sqrt(blind.noise) > 1
    new = made(items=500, seed=5).features
    errors = [np.abs(posterior.predict(new).means - truth(new)).mean() for posterior in (known, blind)]
    assert errors[0] < errors[1] / 2


def test_scores_on_another_scale_change_nothing_else():
    rows = made()
    plain = fitted(rows).posterior.predict(rows.features)
    scaled = fit(
        TrainingRows(rows.features, 10.0 * rows.targets - 4.0),
        WIDTHS,
        RECIPE,
        validate_on(made(seed=99, items=200)._replace(targets=10.0 * made(seed=99, items=200).targets - 4.0)),
    ).posterior.predict(rows.features)
    assert scaled.means == pytest.approx(10.0 * plain.means - 4.0, abs=1e-3)
    assert np.sqrt(scaled.variances) == pytest.approx(10.0 * np.sqrt(plain.variances), rel=1e-3)


def test_the_same_twice_to_the_last_bit():
    one, other = (fitted(made(items=150)).posterior for _ in range(2))
    for name, value in one.arrays().items():
        np.testing.assert_array_equal(value, other.arrays()[name])


def test_a_prediction_does_not_depend_on_the_other_rows():
    posterior = fitted(made(items=150)).posterior
    asked = made(items=130, seed=4).features
    whole = posterior.predict(asked)
    order = np.random.default_rng(0).permutation(130)
    mixed = posterior.predict(asked[order])
    np.testing.assert_array_equal(mixed.means, whole.means[order])
    np.testing.assert_array_equal(mixed.variances, whole.variances[order])
    np.testing.assert_array_equal(posterior.predict(asked[77:78]).means, whole.means[77:78])
    assert posterior.predict(asked[:0]).means.shape == (0,)


class Shelf:
    """Keeps a training in memory as it would be kept on disk, and may be interrupted."""

    def __init__(self, saves=None):
        self.kept, self.left = None, saves

    def load(self):
        return None if self.kept is None else torch.load(self.kept, weights_only=False)

    def save(self, progress):
        import io

        self.kept = io.BytesIO()
        torch.save(progress, self.kept)
        self.kept.seek(0)
        if self.left is not None:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt

    def publish(self, progress):
        self.told = len(progress.history)


@pytest.mark.parametrize("method", ["fitc", "minibatched"])
def test_interrupted_it_goes_on_to_the_same_end(method):
    if method == "minibatched":
        pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")
    recipe = replace(RECIPE, method=method, epochs=4, inducing=15, patience=0)
    rows = made(items=150)
    whole = fitted(rows, recipe, checkpoints=Shelf())
    checkpoints = Shelf(saves=2)
    with pytest.raises(KeyboardInterrupt):
        fitted(rows, recipe, checkpoints=checkpoints)
    checkpoints.left = None
    resumed = fitted(rows, recipe, checkpoints=checkpoints)
    assert [epoch.loss for epoch in resumed.history] == [epoch.loss for epoch in whole.history]
    assert resumed.curve == whole.curve
    for name, value in whole.posterior.arrays().items():
        np.testing.assert_array_equal(resumed.posterior.arrays()[name], value)
    assert checkpoints.told == len(whole.history)


def test_the_best_epoch_is_kept():
    said = iter([1.0, 3.0, 2.0, 0.0])
    seen = []

    def validate(posterior):
        seen.append(posterior)
        return {"figure": next(said)}

    found = fit(made(items=100), WIDTHS, replace(RECIPE, epochs=4, patience=2), validate)
    assert found.posterior is seen[1]
    assert [epoch.is_best for epoch in found.history] == [True, True, False, False][: len(found.history)]


@pytest.mark.slow
def test_numpy_predicts_what_gpytorch_does():
    pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")
    from similitude.training.gaussian_process.minibatched import Minibatched

    rows = made(items=200)
    points = choose_inducing(rows.features, 25, np.random.default_rng(0))
    for form in ("rbf", "matern", "matern12", "linear+rbf"):
        learner = Minibatched(problem(rows, points, form=form), replace(RECIPE, batch=64, lr=0.05, epochs=3, seed=0))
        for _ in range(3):
            learner.epoch()
        asked = made(items=50, seed=2).features
        learner.model.eval()
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = learner.model(torch.from_numpy(asked))
        ours = learner.posterior().predict(asked)
        spread = rows.targets.std()
        assert ours.means == pytest.approx(rows.targets.mean() + spread * theirs.mean.numpy(), abs=1e-6)
        # gpytorch adds its jitter to the variance of every row too.
        assert ours.variances == pytest.approx(spread**2 * (theirs.variance.numpy() - JITTERS[0]), abs=1e-6)


def test_the_collapsed_bound_is_that_of_gpytorch():
    gpytorch = pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")
    rows = made(items=120)
    points = choose_inducing(rows.features, 12, np.random.default_rng(0))
    learner = Collapsed(problem(rows, points, widths=(2,)), "vfe")
    targets = torch.from_numpy((rows.targets - rows.targets.mean()) / rows.targets.std())

    class Theirs(gpytorch.models.ExactGP):
        def __init__(self, likelihood):
            super().__init__(torch.from_numpy(rows.features), targets, likelihood)
            self.mean_module = gpytorch.means.ZeroMean()
            base = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
            self.covar_module = gpytorch.kernels.InducingPointKernel(base, torch.from_numpy(points), likelihood)

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Theirs(likelihood).double()
    likelihood.noise = 0.25
    model.covar_module.base_kernel.outputscale = 1.0
    model.covar_module.base_kernel.base_kernel.lengthscale = np.exp(2.0)  # our weight e^-4 is 1 / lengthscale^2
    model.train()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bound = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)(
            model(torch.from_numpy(rows.features)), targets
        )
    assert learner.loss().item() == pytest.approx(-bound.item(), abs=1e-3)


@pytest.mark.slow
def test_equal_items_do_not_break_the_cholesky_factor():
    rows = made(items=30)
    doubled = TrainingRows(np.concatenate([rows.features] * 5), np.concatenate([rows.targets] * 5))
    close = TrainingRows(doubled.features + 1e-9 * np.random.default_rng(0).normal(size=(150, 2)), doubled.targets)
    for data in (doubled, close):
        found = fit(data, WIDTHS, replace(RECIPE, epochs=2, inducing=100), validate_on(rows))
        assert np.isfinite(found.posterior.predict(rows.features).variances).all()


def test_a_factor_is_found_with_as_little_as_it_needs_or_refused_in_words():
    singular = torch.ones(5, 5, dtype=torch.float64)
    factor = cholesky(singular)
    assert (factor @ factor.T - singular).abs().max().item() == pytest.approx(JITTERS[0], rel=1e-3)
    slightly = singular - 5e-5 * torch.eye(5, dtype=torch.float64)  # eigenvalues of -5e-5: the third jitter mends it
    assert (cholesky(slightly) @ cholesky(slightly).T - slightly).abs().max().item() == pytest.approx(1e-4, rel=1e-2)
    broken = torch.diag(torch.tensor([1.0, -1.0, 1.0], dtype=torch.float64))
    for matrix in (broken, torch.full((3, 3), float("nan"), dtype=torch.float64)):
        with pytest.raises(EstimationError, match=r"no Cholesky factor.*fewer inducing points"):
            cholesky(matrix)


def test_too_few_points_are_taken_with_a_word_and_too_few_items_refused():
    found = fit(made(items=30), WIDTHS, replace(RECIPE, epochs=1), validate_on(made(items=20)))
    assert found.notes == ("30 inducing points were used instead of 40: there are no more distinct items",)
    with pytest.raises(EstimationError, match="19 distinct items are too few"):
        fit(made(items=19), WIDTHS, RECIPE, validate_on(made(items=20)))


def test_scores_that_cannot_be_learned_are_refused():
    rows = made(items=40)
    for targets, why in ((np.ones(40), "all scores are the same"), (np.full(40, np.nan), "is not a number")):
        with pytest.raises(EstimationError, match=why):
            fit(TrainingRows(rows.features, targets), WIDTHS, RECIPE, validate_on(rows))


@pytest.mark.parametrize("wrong", [{"inducing": 1}, {"epochs": 0}, {"components": -1}, {"batch": 1}, {"lr": 2.0}])
def test_a_recipe_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(ArgumentError, match="is not valid"):
        GprRecipe(**wrong)


def test_auto_takes_all_items_at_once_while_they_fit():
    assert [GprRecipe().method_for(items) for items in (20_000, 20_001)] == ["fitc", "minibatched"]
    assert GprRecipe(method="vfe").method_for(10**6) == "vfe"
