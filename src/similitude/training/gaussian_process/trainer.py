"""The training of a Gaussian process over the vectors of a frozen encoder: encode, fit, recalibrate."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import Listener, System, VectorCache
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, InputError, MissingExtraError
from similitude.stats import negative_log_density
from similitude.systems.encoders.pair_features import EmbedsPairs
from similitude.systems.evidence import Evidence, fit_evidence
from similitude.systems.uncertain.gaussian_process.features import PairFeatures, fit_features
from similitude.systems.uncertain.gaussian_process.posterior import Posterior, PosteriorMoments
from similitude.systems.uncertain.gaussian_process.process import PairProcess
from similitude.systems.uncertain.gaussian_process.rows import PairNumbers, pair_rows
from similitude.systems.uncertain.gaussian_process.serialization import (
    ARRAYS_FILE,
    SYSTEM,
    evidence_record,
    known_evidence,
    save_arrays,
)
from similitude.systems.uncertain.gaussian_process.system import condition_encoder, fingerprint_of, make_encoder
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.conditions import check_evidence, read_conditions
from similitude.training.folder import TrainingFolder
from similitude.training.gaussian_process.card import gpr_card
from similitude.training.gaussian_process.rater_noise import log_sigmas, noise_of_means, opinion_figures
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.job import Outcome, TrainingJob
from similitude.training.progress import TrainingProgress
from similitude.training.splits import SeveralData
from similitude.training.stated_facts import stated_facts
from similitude.training.trained_model import Trained
from similitude.training.uncertain.opinions import opinions_of
from similitude.training.uncertain.recalibration import Corrected, check_recalibration, fit_recalibration
from similitude.training.validation_intervals import intervals_record, opinion_intervals

if TYPE_CHECKING:
    from similitude.training.gaussian_process.fit import FittedProcess, Validate

__all__ = ["GaussianProcessTrainer"]

Array = NDArray[np.float64]


class GaussianProcessTrainer:
    """Trains a sparse Gaussian process; a `similitude.training.job.Trainer`.

    Args:
        data: benchmarks to learn from and to validate on.
        request: what to train.
        cache: where the encoder and the evidence keep what they compute.
        listener: is told the progress.

    Raises:
        InputError: there are too few items, ratings are needed and were not kept, or only some items have a condition.
        ArgumentError: the encoder or the evidence does not suit the conditions.
        UnknownNameError: there is no such encoder.
        MissingExtraError: torch is not installed.
    """

    def __init__(
        self, data: SeveralData, request: GprRequest, *, listener: Listener | None, cache: VectorCache | None
    ) -> None:
        try:
            import torch  # noqa: F401
        except ImportError:
            raise MissingExtraError("torch", "uncertain") from None
        self.data, self.request, self.cache, self.listener = data, request, cache, listener
        self.conditions = read_conditions(request.reads, (*data.train, *data.validation))
        self.encoder = self._suited_encoder()
        evidence_notes = check_evidence(self.conditions, request.evidence)
        self.models_raters = request.noise == "raters"
        how: dict[str, Any] = {
            "needs_spread": self.models_raters,
            "otherwise": "to learn scores alone, use --noise shared",
        }
        self.train_items, self.validation = (opinions_of(part, **how) for part in (data.train, data.validation))
        self._check_ratings()
        check_recalibration(request.recalibrate, self.validation, to_errors=True)
        self.notes = [*data.notes, *self._condition_notes(), *evidence_notes, *self.train_items.notes]
        self.seconds: dict[str, float] = {}
        self.evidence: Evidence | None = None

    @property
    def name(self) -> str:
        """The name of the training data."""
        return " + ".join(part.name for part in self.data.train)

    def plan(self, folder: TrainingFolder) -> dict[str, Any]:
        """Encoder, evidence, recipe and data; the evidence is fitted here, on the texts alone."""
        self.evidence = self._fitted_evidence(folder)
        return {
            "system": SYSTEM,
            "encoder": str(self.encoder.identity),
            "model": fingerprint_of(self.encoder),
            **self._evidence_plan(),
            "recipe": self.request.recipe.record(),
            "noise": self.request.noise,
            "recalibrate": self.request.recalibrate,
            "train": [part.fingerprint for part in self.data.train],
            "validation": [part.fingerprint for part in self.data.validation],
        }

    def open(self, folder: TrainingFolder) -> None:
        """Choose the device, encode all pairs and fit the features."""
        from similitude.models.encoders.loader import usable_device

        self.device = usable_device(self.request.device)
        recipe = self.request.recipe
        self.learned, self.held_out = self._encoded()
        with self._timed("features"):
            self.features: PairFeatures = fit_features(
                self.learned.left, self.learned.right, kind=recipe.features, components=recipe.components
            )
            self.rows = self._rows(self.learned)

    def train(self, job: TrainingJob) -> Trained:
        """Fit the process over mean opinions and, if raters are modelled, the one over their disagreement."""
        seed = self.request.recipe.seed
        of_opinions = job.folder.checkpoints(seed)
        of_raters = CheckpointFolder(job.folder.runs / "people", lambda progress: None)
        raters = self._rater_process(of_raters) if self.models_raters else {}
        fitted = self._opinion_process(of_opinions, raters)
        process = PairProcess(features=self.features, opinion=fitted.posterior, **raters)
        moments = process.predict(*self.held_out)
        corrected = self._recalibration(moments)
        self.notes += [*fitted.notes, *([] if corrected is None else [corrected.note])]
        figures = self._figures(moments)
        outcome = Outcome(
            figures=figures,
            record=self._record(process, corrected) | intervals_record(figures, self._intervals(moments)),
            progress={seed: TrainingProgress(history=fitted.history, curve=fitted.curve)},
            save=lambda: write_atomically(
                job.folder.path / ARRAYS_FILE, lambda draft: save_arrays(process, draft, self.evidence)
            ),
            checkpoints=(of_opinions, of_raters),
        )
        return job.finish(outcome)

    def card(self, record: dict[str, Any]) -> str:
        """The model card, in Markdown."""
        return gpr_card(record)

    def _suited_encoder(self) -> System:
        """The encoder, which reads conditions if the process does.

        Raises:
            ArgumentError: it cannot read conditions, or reads those that are to be ignored.
        """
        encoder = make_encoder(self.request.encoder, self.cache, self.listener)
        if self.conditions.are_read:
            return condition_encoder(encoder)
        if self.conditions.are_ignored and "condition" in encoder.reads:
            raise ArgumentError(
                f"encoder '{encoder.identity}' reads conditions, which --reads sentences ignores",
                remedy="omit --reads sentences, or use an encoder that reads the sentences alone",
            )
        return encoder

    def _condition_notes(self) -> Iterator[str]:
        yield from self.conditions.notes
        if self.conditions.are_read and "condition" not in make_encoder(self.request.encoder).reads:
            yield f"each sentence is encoded with its condition after it: {self.encoder.identity}"

    def _check_ratings(self) -> None:
        if self.models_raters and self.train_items.raters[0] == 0:
            raise InputError(
                "ratings were not kept for all items, so the noise of their means is unknown",
                where=self.name,
                remedy="give every rater's rating, or use --noise shared",
            )

    def _fitted_evidence(self, folder: TrainingFolder) -> Evidence | None:
        written = self.request.evidence
        if not written:
            return None
        with self._timed("evidence"):
            return known_evidence(folder.path, written) or fit_evidence(
                written, self.train_items.items, cache=self.cache, listener=self.listener
            )

    def _evidence_plan(self) -> dict[str, Any]:
        """Without evidence there is no key, so that trainings from before there was evidence can be resumed."""
        if self.evidence is None:
            return {}
        return {"evidence": list(self.evidence.written), "evidence_model": self.evidence.fingerprint()}

    @property
    def _evidence_widths(self) -> tuple[int, ...]:
        return () if self.evidence is None else self.evidence.widths

    def _rows(self, pairs: PairNumbers) -> Array:
        return pair_rows(self.features, pairs, self._evidence_widths)

    def _encoded(self) -> tuple[PairNumbers, PairNumbers]:
        """Vectors and evidence of the items to learn from and of the held-out items."""
        assert isinstance(self.encoder, EmbedsPairs)  # make_encoder accepts no others
        if self.listener is not None:
            self.listener.progress("encoding", 0, len(self.train_items) + len(self.validation))
        parts = (self.train_items, self.validation)
        with self._timed("encoding"):
            vectors, held_out = (self.encoder.pair_vectors(part.items) for part in parts)
        if self.evidence is None:
            return PairNumbers(*vectors), PairNumbers(*held_out)
        with self._timed("evidence"):
            numbers, others = (self.evidence.of(part.items) for part in parts)
        return PairNumbers(*vectors, numbers), PairNumbers(*held_out, others)

    def _opinion_process(self, checkpoints: CheckpointFolder, raters: dict[str, Any]) -> FittedProcess:
        """The process over mean opinions, validated together with the one over disagreement."""

        def validate(posterior: Posterior) -> dict[str, float]:
            process = PairProcess(features=self.features, opinion=posterior, **raters)
            return self._figures(process.predict(*self.held_out))

        noise = noise_of_means(self.train_items) if raters else None
        return self._fit(self.train_items.means, noise, validate, checkpoints)

    def _rater_process(self, checkpoints: CheckpointFolder) -> dict[str, Any]:
        """The process over the log of people's standard deviation, and the factor that makes it right on average."""
        held_out, wanted = self._rows(self.held_out), log_sigmas(self.validation)

        def validate(posterior: Posterior) -> dict[str, float]:
            means, variances = posterior.predict(held_out)
            return {"log_density": -negative_log_density(wanted, means, np.sqrt(variances + posterior.noise)).mean()}

        fitted = self._fit(log_sigmas(self.train_items), None, validate, checkpoints)
        variances = np.exp(2.0 * fitted.posterior.predict(self.rows).means)
        factor = float(np.mean(self.train_items.sigmas**2) / np.mean(variances))
        return {"people": fitted.posterior, "people_factor": factor}

    def _fit(
        self, targets: Array, noise: Array | None, validate: Validate, checkpoints: CheckpointFolder
    ) -> FittedProcess:
        from similitude.training.gaussian_process.fit import TrainingRows, fit

        return fit(
            TrainingRows(self.rows, targets, noise),
            (*self.features.widths, *self._evidence_widths),
            self.request.recipe,
            validate,
            evidence=len(self._evidence_widths),
            checkpoints=checkpoints,
            listener=self.listener,
            device=self.device,
        )

    def _figures(self, moments: PosteriorMoments) -> dict[str, float]:
        return opinion_figures(moments, self.validation, of_people=self.models_raters)

    def _intervals(self, moments: PosteriorMoments) -> dict[str, tuple[float, float]]:
        held_out, sigmas = self.validation, np.sqrt(moments.variances)
        return opinion_intervals(held_out.means, held_out.sigmas, moments.means, sigmas, held_out.scale.width)

    def _recalibration(self, moments: PosteriorMoments) -> Corrected | None:
        how, width = self.request.recalibrate, self.train_items.scale.width
        if how == "none":
            return None
        return fit_recalibration(how, moments.means, np.sqrt(moments.variances), self.validation, width)

    def _record(self, process: PairProcess, corrected: Corrected | None) -> dict[str, Any]:
        train = self.train_items
        return {
            "system": SYSTEM,
            "kind": f"Gaussian process ({self.request.recipe.method_for(len(train))})",
            **({"reads": "all"} if self.conditions.are_read else {}),
            "backbone": str(self.encoder.identity) if self.conditions.are_read else self.request.encoder,
            "encoder": {"system": str(self.encoder.identity), "fingerprint": fingerprint_of(self.encoder)},
            "evidence": evidence_record(self.evidence),
            "process": process.record(),
            "architecture": {"features": process.features.kind, "points": len(process.opinion.mean)},
            "objective": {"noise": self.request.noise},
            "recipe": self.request.recipe.record(),
            "seeds": 1,
            "scale": [train.scale.low, train.scale.high],
            "recalibration": None if corrected is None else corrected.record(),
            "data": {
                "name": self.name,
                "items": len(train),
                "validated_on": len(self.validation),
                "origins": [origin._asdict() for origin in train.origins],
                "raters": list(train.raters),
                "judged_by": [part.provenance.judged_by for part in self.data.train],
                "fingerprint": [part.fingerprint for part in self.data.train],
                **stated_facts(self.data.train, self.data.validation),
                "readings": [each for part in self.data.train for each in part.provenance.reading_records()],
            },
        }

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = time.monotonic()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.monotonic() - started
