"""Training time of a Gaussian process on 7,000 pairs, and its quality on other pairs.

    python benchmarks/gpr_training.py                            simulated vectors of 512 numbers
    python benchmarks/gpr_training.py --encode usts.npz          encode USTS-U and USTS-C from evidence/ once
    python benchmarks/gpr_training.py --vectors usts.npz         the same methods on these vectors
    python benchmarks/gpr_training.py --vectors usts.npz --methods fitc,vfe,minibatched,gpytorch --device cuda
    python benchmarks/gpr_training.py --encode usts.npz --evidence overlap    with evidence

With ``--features paper``, a row of features has 4 x 512 numbers (u, v, |u - v|, u * v). The default is u + v, |u - v|
and u * v, reduced to 64 components each, and the cosine. ``gpytorch`` is the peer: its own SGPR (InducingPointKernel,
Adam).

Training needs numpy, scipy and torch, and gpytorch for ``minibatched`` and the peer. Encoding needs the whole package
and the data. To train on a machine without the whole package, encode here and copy the file there: packages whose
__init__ imports more are replaced by empty ones.
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
USTS = SOURCE.parent / "evidence" / "usts"
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
    rooms = ("systems", "systems.encoders", "systems.training", "systems.uncertain")
    names = (*rooms, "systems.uncertain.gaussian_process")
    for name in names:
        module = types.ModuleType(f"similitude.{name}")
        module.__path__ = [str(SOURCE / "similitude" / name.replace(".", "/"))]
        sys.modules[module.__name__] = module


def encode(path: Path, sources: list[str]) -> None:
    """USTS train and dev, both parts, as half-precision vectors, and the numbers of evidence where there is some."""
    sys.path.insert(0, str(SOURCE))
    import polars as pl

    from similitude import make_system, read
    from similitude.data.item import Items
    from similitude.systems.evidence import fit_evidence

    columns: dict[str, np.ndarray] = {}
    evidence = None
    for name, split in (("train", "train"), ("validation", "dev")):
        parts = [read(USTS / part / f"{split}.json.bz2") for part in ("ustsu", "ustsc")]
        if sources:
            items = Items(pl.concat([part.items.frame for part in parts], how="diagonal"))
            evidence = evidence or fit_evidence(sources, items)
            columns |= {f"{name}_evidence": evidence.of(items), "evidence_widths": np.array(evidence.widths)}
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


class Rowed(NamedTuple):
    """Rows of features to learn from, those of other items, and the widths of their blocks."""

    learned: np.ndarray
    held_out: np.ndarray
    widths: tuple[int, ...]
    evidence: int


def rowed(columns: dict[str, np.ndarray], kind: str) -> Rowed:
    from similitude.systems.uncertain.gaussian_process.features import fit_features
    from similitude.systems.uncertain.gaussian_process.rows import PairNumbers, pair_rows

    components = 0 if kind == "paper" else 64
    made = fit_features(columns["train_left"], columns["train_right"], kind=kind, components=components)
    widths = tuple(columns["evidence_widths"].tolist()) if "evidence_widths" in columns else ()
    rows = [
        pair_rows(
            made,
            PairNumbers(columns[f"{name}_left"], columns[f"{name}_right"], columns.get(f"{name}_evidence")),
            widths,
        )
        for name in ("train", "validation")
    ]
    return Rowed(*rows, (*made.widths, *widths), len(widths))


def ours(columns: dict[str, np.ndarray], method: str, arguments: argparse.Namespace) -> None:
    from similitude.training.gaussian_process.fit import TrainingRows, fit
    from similitude.training.gaussian_process.recipe import GprRecipe

    options = {"epochs": arguments.epochs} if arguments.epochs else {}
    recipe = GprRecipe(method=method, inducing=arguments.inducing, kernel=arguments.kernel, **options)
    started = Clock.now()
    rows, held_out, widths, evidence = rowed(columns, arguments.features)
    gold = columns["validation_score"]

    def judge(posterior):
        means, variances = posterior.predict(held_out)
        return {"log_density": -surprise(gold, means, variances + posterior.noise)}

    fitted = fit(
        TrainingRows(rows, columns["train_score"]), widths, recipe, judge, evidence=evidence, device=arguments.device
    )
    seconds = Clock.now() - started
    means, variances = fitted.posterior.predict(held_out)
    tell(
        f"{method}, {recipe.kernel}, {recipe.inducing} points, {len(fitted.history)} epochs",
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

    from similitude.training.gaussian_process.inducing_points import choose_inducing

    started = Clock.now()
    rows, held_out = (torch.from_numpy(part).to(arguments.device) for part in rowed(columns, arguments.features)[:2])
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
    parser.add_argument("--evidence", action="append", default=[], metavar="SOURCE", help="with --encode")
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--methods", default="fitc")
    parser.add_argument("--features", default="symmetric", choices=["symmetric", "paper"])
    parser.add_argument("--kernel", default="matern")
    parser.add_argument("--inducing", type=int, default=256)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--device")
    arguments = parser.parse_args()
    if arguments.encode:
        encode(arguments.encode, arguments.evidence)
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
