"""How long a Gaussian process takes to learn from 7,000 pairs, and how well it then knows others.

    python benchmarks/gpr_training.py                            made-up vectors of 512 numbers
    python benchmarks/gpr_training.py --encode usts.npz          USTS-U and USTS-C, encoded once, from ../shared
    python benchmarks/gpr_training.py --vectors usts.npz         the same methods on these
    python benchmarks/gpr_training.py --vectors usts.npz --methods fitc,vfe,minibatched,gpytorch --device cuda

A row of features is 4 x 512 numbers (u, v, |u - v|, u * v) with ``--features paper``; the default is u + v, |u - v| and
u * v, cut to 64 components each, and the cosine. ``gpytorch`` is the peer: its own SGPR (InducingPointKernel, Adam).

Learning needs numpy, scipy, torch and gpytorch; encoding needs the whole package. So that it runs on a machine with the
former alone, packages whose __init__ imports more are stood in for by empty ones.
"""

from __future__ import annotations

import argparse
import sys
import time
import types
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

SOURCE = Path(__file__).resolve().parents[1] / "src"
USTS = SOURCE.parents[1] / "shared" / "data" / "usts"
TRAIN, VALIDATION = 7000, 2000


class Clock(NamedTuple):
    """Seconds on the wall, and seconds that cores worked, which others' work does not lengthen."""

    wall: float
    cores: float

    @classmethod
    def now(cls) -> Clock:
        """Both."""
        return cls(time.perf_counter(), time.process_time())

    def __sub__(self, other: Clock) -> Clock:
        return Clock(self.wall - other.wall, self.cores - other.cores)


def stand_in_for_packages() -> None:
    sys.path.insert(0, str(SOURCE))
    names = ("systems", "systems.training", "systems.uncertain", "systems.uncertain.gaussian_process")
    for name in names:
        module = types.ModuleType(f"similitude.{name}")
        module.__path__ = [str(SOURCE / "similitude" / name.replace(".", "/"))]
        sys.modules[module.__name__] = module


def encode(path: Path) -> None:
    """USTS train and dev, both parts, as half-precision vectors."""
    sys.path.insert(0, str(SOURCE))
    from similitude import make_system, read

    columns: dict[str, np.ndarray] = {}
    for name, split in (("train", "train"), ("validation", "dev")):
        parts = [read(USTS / part / f"{split}.json") for part in ("ustsu", "ustsc")]
        pairs = [make_system("use").pair_vectors(part.items) for part in parts]
        columns[f"{name}_left"] = np.concatenate([pair.left for pair in pairs]).astype(np.float16)
        columns[f"{name}_right"] = np.concatenate([pair.right for pair in pairs]).astype(np.float16)
        columns[f"{name}_score"] = np.concatenate([part.gold.scores for part in parts])
    np.savez(path, **columns)
    print(f"{path}: {len(columns['train_score']):,} pairs to learn from, {len(columns['validation_score']):,} others")


def made_up(seed: int = 0) -> dict[str, np.ndarray]:
    """Unit vectors whose cosine, bent and with noise of 0.5, is the score on 0..5."""
    rng = np.random.default_rng(seed)
    columns: dict[str, np.ndarray] = {}
    for name, items in (("train", TRAIN), ("validation", VALIDATION)):
        left, other = rng.normal(size=(2, items, 512)) * np.exp(-np.arange(512) / 100)
        mixed = rng.uniform(0, 1, (items, 1))
        right = mixed * left + (1 - mixed) * other
        left, right = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right))
        cosine = (left * right).sum(axis=1)
        columns |= {f"{name}_left": left.astype(np.float32), f"{name}_right": right.astype(np.float32)}
        columns[f"{name}_score"] = np.clip(5 * cosine**2 + left[:, 0] + 0.5 * rng.normal(size=items), 0, 5)
    return columns


def surprise(gold: np.ndarray, means: np.ndarray, variances: np.ndarray) -> float:
    return float(np.mean(0.5 * (gold - means) ** 2 / variances + 0.5 * np.log(2 * np.pi * variances)))


def ours(columns: dict[str, np.ndarray], method: str, arguments: argparse.Namespace) -> None:
    from similitude.systems.uncertain.gaussian_process.features import fit_features
    from similitude.systems.uncertain.gaussian_process.fitting import Rows, fit
    from similitude.systems.uncertain.gaussian_process.recipe import GprRecipe

    options = {"epochs": arguments.epochs} if arguments.epochs else {}
    recipe = GprRecipe(method=method, inducing=arguments.inducing, kernel=arguments.kernel, **options)
    started = Clock.now()
    components = 0 if arguments.features == "paper" else recipe.components
    made = fit_features(columns["train_left"], columns["train_right"], kind=arguments.features, components=components)
    rows = made.apply(columns["train_left"], columns["train_right"])
    held_out = made.apply(columns["validation_left"], columns["validation_right"])
    gold = columns["validation_score"]

    def judge(posterior):
        means, variances = posterior.predict(held_out)
        return {"log_density": -surprise(gold, means, variances + posterior.noise)}

    fitted = fit(Rows(rows, columns["train_score"]), made.widths, recipe, judge, device=arguments.device)
    seconds = Clock.now() - started
    means, variances = fitted.posterior.predict(held_out)
    tell(
        f"{method}, {recipe.kernel}, {recipe.inducing} points",
        rows,
        seconds,
        gold,
        means,
        variances + fitted.posterior.noise,
    )


def peer(columns: dict[str, np.ndarray], arguments: argparse.Namespace) -> None:
    """The SGPR of gpytorch, the way its documentation shows it, on the same rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import gpytorch
    import torch

    from similitude.systems.uncertain.gaussian_process.features import fit_features
    from similitude.systems.uncertain.gaussian_process.inducing import choose_inducing

    started = Clock.now()
    components = 0 if arguments.features == "paper" else 64
    made = fit_features(columns["train_left"], columns["train_right"], kind=arguments.features, components=components)
    rows, held_out = (
        torch.from_numpy(made.apply(columns[f"{name}_left"], columns[f"{name}_right"])).to(arguments.device)
        for name in ("train", "validation")
    )
    score = columns["train_score"]
    targets = torch.from_numpy((score - score.mean()) / score.std()).to(arguments.device)
    points = choose_inducing(rows.cpu().numpy(), arguments.inducing, np.random.default_rng(0))

    class Process(gpytorch.models.ExactGP):
        def __init__(self, likelihood):
            super().__init__(rows, targets, likelihood)
            self.mean = gpytorch.means.ConstantMean()
            base = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
            self.kernel = gpytorch.kernels.InducingPointKernel(base, torch.from_numpy(points), likelihood)

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean(x), self.kernel(x))

    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Process(likelihood).double().to(arguments.device)
    loss_of = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    adam = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(100):
        adam.zero_grad()
        loss = -loss_of(model(rows), targets)
        loss.backward()
        adam.step()
    model.eval(), likelihood.eval()
    with torch.no_grad():
        said = likelihood(model(held_out))
    means, variances = (part.cpu().numpy() for part in (said.mean, said.variance))
    seconds = Clock.now() - started
    means, variances = score.mean() + score.std() * means, score.var() * variances
    tell(
        f"gpytorch SGPR, rbf, {arguments.inducing} points, 100 steps",
        rows,
        seconds,
        columns["validation_score"],
        means,
        variances,
    )


def tell(name, rows, seconds, gold, means, variances) -> None:
    correlation = np.corrcoef(means, gold)[0, 1]
    print(
        f"{name}: {len(rows):,} pairs x {rows.shape[1]:,} features, {seconds.wall:.1f} s ({seconds.cores:.1f} s of "
        f"cores); on {len(gold):,} others NLPD {surprise(gold, means, variances):.4f}, r {correlation:.4f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encode", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--methods", default="fitc")
    parser.add_argument("--features", default="symmetric", choices=["symmetric", "paper"])
    parser.add_argument("--kernel", default="matern")
    parser.add_argument("--inducing", type=int, default=256)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--device")
    arguments = parser.parse_args()
    if arguments.encode:
        encode(arguments.encode)
        return
    stand_in_for_packages()
    import torch

    arguments.device = arguments.device or ("cuda" if torch.cuda.is_available() else "cpu")
    columns = dict(np.load(arguments.vectors)) if arguments.vectors else made_up()
    for method in arguments.methods.split(","):
        if method == "gpytorch":
            peer(columns, arguments)
        else:
            ours(columns, method, arguments)


if __name__ == "__main__":
    main()
