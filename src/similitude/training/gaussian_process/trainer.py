"""Training a Gaussian process over the vectors of a frozen encoder: encode, fit, choose the best epoch, export."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import Listener, VectorCache
from similitude.data.versions import versions
from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError, MissingExtraError
from similitude.stats import negative_log_density
from similitude.stats.recalibration import Recalibration
from similitude.systems.encoders.pair_features import EmbedsPairs
from similitude.systems.evidence import Evidence, fit_evidence
from similitude.systems.uncertain.gaussian_process.features import fit_features
from similitude.systems.uncertain.gaussian_process.posterior import Posterior, PosteriorMoments
from similitude.systems.uncertain.gaussian_process.process import PairProcess
from similitude.systems.uncertain.gaussian_process.rows import PairNumbers, pair_rows
from similitude.systems.uncertain.gaussian_process.serialization import (
    ARRAYS_FILE,
    RECORD_FILE,
    SYSTEM,
    evidence_record,
    known_evidence,
    save_arrays,
)
from similitude.systems.uncertain.gaussian_process.system import fingerprint_of, make_encoder
from similitude.training.folder import CheckpointShelf, TrainingFolder
from similitude.training.gaussian_process.card import gpr_card
from similitude.training.gaussian_process.rater_noise import (
    human_sigmas,
    log_sigmas,
    mean_scores,
    noise_of_means,
    opinion_figures,
)
from similitude.training.gaussian_process.recalibration import check_recalibration, recalibrated
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.splits import SeveralData
from similitude.training.trained_model import Trained, recalled
from similitude.training.uncertain.opinions import opinions_of

if TYPE_CHECKING:
    from similitude.training.gaussian_process.fit import FittedProcess, Judge

__all__ = ["GprRequest", "train_gpr"]

Array = NDArray[np.float64]


def train_gpr(
    data: SeveralData,
    request: GprRequest,
    out: str | Path,
    *,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> Trained:
    """Train a process and save it in a folder; go on where the folder holds the same training, unfinished.

    Args:
        data: benchmarks to learn from and to validate on.
        request: what to train.
        out: the folder.
        cache: where the encoder and the evidence keep what they compute.
        listener: hears how far it is.

    Returns:
        The training; the process is the system ``gpr(out)``.

    Raises:
        InputError: there are too few items, or ratings are needed and were not kept.
        RunError: the folder holds something else.
        EstimationError: no process can be fitted to the data.
        UnknownNameError: there is no such encoder or source of evidence.
        MissingExtraError: torch is not installed.
    """
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtraError("torch", "uncertain") from None
    job = _Job(data, request, TrainingFolder(Path(out)), cache, listener)
    job.folder.claim(job.plan())
    before = job.folder.finished()
    return recalled(job.folder, job.name, before) if before is not None else job.run()


class _Job:
    """One training."""

    def __init__(
        self,
        data: SeveralData,
        request: GprRequest,
        folder: TrainingFolder,
        cache: VectorCache | None,
        listener: Listener | None,
    ) -> None:
        self.data, self.request, self.folder, self.listener = data, request, folder, listener
        self.encoder = make_encoder(request.encoder, cache, listener)
        needs_spread = request.noise == "raters"
        self.train = opinions_of(data.train, needs_spread=needs_spread)
        self.validation = opinions_of(data.validation, needs_spread=needs_spread)
        if needs_spread and self.train.raters[0] == 0:
            raise InputError(
                "ratings were not kept for all items, so the noise of their means is not known",
                where=self.name,
                remedy="give every rater's rating, or take --noise shared",
            )
        check_recalibration(request.recalibrate, self.validation)
        self.notes = [*data.notes, *self.train.notes]
        self.seconds: dict[str, float] = {}
        self.evidence = self._fitted_evidence(cache)

    @property
    def name(self) -> str:
        """Of the data."""
        return " + ".join(part.name for part in self.data.train)

    def plan(self) -> dict[str, Any]:
        """What must be the same for a training to go on."""
        evidence = {} if self.evidence is None else _told(self.evidence)  # as it was planned before there was any
        return {
            "system": SYSTEM,
            "encoder": str(self.encoder.identity),
            "model": fingerprint_of(self.encoder),
            **evidence,
            "recipe": self.request.recipe.record(),
            "noise": self.request.noise,
            "recalibrate": self.request.recalibrate,
            "train": [part.fingerprint for part in self.data.train],
            "validation": [part.fingerprint for part in self.data.validation],
        }

    def run(self) -> Trained:
        """Encode, fit, correct, export."""
        from similitude.models.encoders.loader import usable_device

        self.device = usable_device(self.request.device)
        recipe = self.request.recipe
        learned, held_out = self._encoded()
        started = time.monotonic()
        self.features = fit_features(learned.left, learned.right, kind=recipe.features, components=recipe.components)
        rows = self._rows(learned)
        self.seconds["features"] = time.monotonic() - started
        people = self._people(rows, held_out) if self.request.noise == "raters" else {}
        fitted = self._fitted(rows, held_out, people)
        process = PairProcess(features=self.features, opinion=fitted.posterior, **people)
        moments = process.predict(*held_out)
        corrected = recalibrated(self.request.recalibrate, moments, self.validation, self.train.scale.width)
        self.notes += [] if corrected is None else [corrected.note]
        correction = None if corrected is None else corrected.correction
        record = self._record(process, self._figures(moments), correction)
        self._export(process, record)
        return Trained(
            folder=self.folder.path,
            name=self.name,
            record=record,
            history={recipe.seed: fitted.history},
            curves={recipe.seed: fitted.curve},
            notes=tuple(self.notes),
        )

    def _fitted_evidence(self, cache: VectorCache | None) -> Evidence | None:
        """Learned from the texts of the items alone; part of the plan, hence made before it."""
        written, started = self.request.evidence, time.monotonic()
        if not written:
            return None
        evidence = known_evidence(self.folder.path, written) or fit_evidence(
            written, self.train.items, cache=cache, listener=self.listener
        )
        self.seconds["evidence"] = time.monotonic() - started
        return evidence

    @property
    def _evidence_widths(self) -> tuple[int, ...]:
        return () if self.evidence is None else self.evidence.widths

    def _rows(self, pairs: PairNumbers) -> Array:
        return pair_rows(self.features, pairs, self._evidence_widths)

    def _encoded(self) -> tuple[PairNumbers, PairNumbers]:
        """Vectors and evidence of both parts."""
        started = time.monotonic()
        assert isinstance(self.encoder, EmbedsPairs)  # make_encoder has refused others
        if self.listener is not None:
            self.listener.progress("encoding", 0, len(self.train) + len(self.validation))
        vectors, held_out = (self.encoder.pair_vectors(part.items) for part in (self.train, self.validation))
        self.seconds["encoding"] = time.monotonic() - started
        if self.evidence is None:
            return PairNumbers(*vectors), PairNumbers(*held_out)
        started = time.monotonic()
        numbers, others = (self.evidence.of(part.items) for part in (self.train, self.validation))
        self.seconds["evidence"] += time.monotonic() - started
        return PairNumbers(*vectors, numbers), PairNumbers(*held_out, others)

    def _fitted(self, rows: Array, held_out: PairNumbers, people: dict[str, Any]) -> FittedProcess:
        """The process over mean opinions, judged together with what is known of people."""

        def judge(posterior: Posterior) -> dict[str, float]:
            process = PairProcess(features=self.features, opinion=posterior, **people)
            return self._figures(process.predict(*held_out))

        noise = noise_of_means(self.train) if people else None
        fitted = self._fit(rows, mean_scores(self.train), noise, judge, self.folder.shelf(self.request.recipe.seed))
        self.notes += fitted.notes
        return fitted

    def _figures(self, moments: PosteriorMoments) -> dict[str, float]:
        return opinion_figures(moments, self.validation, of_people=self.request.noise == "raters")

    def _people(self, rows: Array, held_out: PairNumbers) -> dict[str, Any]:
        """The process over how far people differ, and the factor that makes it right on average."""
        judged, wanted = self._rows(held_out), log_sigmas(self.validation)

        def judge(posterior: Posterior) -> dict[str, float]:
            means, variances = posterior.predict(judged)
            return {"log_density": -negative_log_density(wanted, means, np.sqrt(variances + posterior.noise)).mean()}

        fitted = self._fit(rows, log_sigmas(self.train), None, judge, self._shelf_of_people)
        said = np.exp(2.0 * fitted.posterior.predict(rows).means)
        factor = float(np.mean(human_sigmas(self.train) ** 2) / np.mean(said))
        return {"people": fitted.posterior, "people_factor": factor}

    def _fit(
        self, rows: Array, targets: Array, noise: Array | None, judge: Judge, shelf: CheckpointShelf
    ) -> FittedProcess:
        from similitude.training.gaussian_process.fit import TrainingRows, fit

        return fit(
            TrainingRows(rows, targets, noise),
            (*self.features.widths, *self._evidence_widths),
            self.request.recipe,
            judge,
            evidence=len(self._evidence_widths),
            shelf=shelf,
            listener=self.listener,
            device=self.device,
        )

    @property
    def _shelf_of_people(self) -> CheckpointShelf:
        return CheckpointShelf(self.folder.runs / "people", lambda progress: None)

    def _record(
        self, process: PairProcess, figures: dict[str, float], correction: Recalibration | None
    ) -> dict[str, Any]:
        scale = self.train.scale
        return {
            "system": SYSTEM,
            "kind": f"Gaussian process ({self.request.recipe.method_for(len(self.train))})",
            "backbone": self.request.encoder,
            "encoder": {"system": str(self.encoder.identity), "fingerprint": fingerprint_of(self.encoder)},
            "evidence": evidence_record(self.evidence),
            "process": process.record(),
            "architecture": {"features": process.features.kind, "points": len(process.opinion.mean)},
            "objective": {"noise": self.request.noise},
            "recipe": self.request.recipe.record(),
            "seeds": 1,
            "scale": [scale.low, scale.high],
            "recalibration": None if correction is None else correction.record(),
            "data": {
                "name": self.name,
                "items": len(self.train),
                "validated_on": len(self.validation),
                "origins": [origin._asdict() for origin in self.train.origins],
                "raters": list(self.train.raters),
                "judged_by": [part.provenance.judged_by for part in self.data.train],
                "fingerprint": [part.fingerprint for part in self.data.train],
            },
            "validation": {name: None if value != value else round(value, 6) for name, value in figures.items()},
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "notes": list(self.notes),
            "versions": versions(),
        }

    def _export(self, process: PairProcess, record: dict[str, Any]) -> None:
        """The arrays, the card, and last the file that makes the folder a finished one."""
        path = self.folder.path
        write_atomically(path / ARRAYS_FILE, lambda draft: save_arrays(process, draft, self.evidence))
        told = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        write_atomically(path / "README.md", lambda draft: draft.write_text(gpr_card(record), encoding="utf-8"))
        write_atomically(path / RECORD_FILE, lambda draft: draft.write_text(told, encoding="utf-8"))
        self.folder.shelf(self.request.recipe.seed).clear()
        self._shelf_of_people.clear()


def _told(evidence: Evidence) -> dict[str, Any]:
    """For the plan."""
    return {"evidence": list(evidence.written), "evidence_model": evidence.fingerprint()}
