"""Reliability of judgements: agreement, split-half reliability, annotators, and how many raters are enough."""

from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.agreement_by_label import agreement_by, labels_of
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.alpha import Measurement, krippendorff_alpha
from similitude.gold.reliability.best_worst import BestWorstAgreement, best_worst_agreement
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.intraclass import ICC_FORMS, intraclass_correlations
from similitude.gold.reliability.kappa import fleiss_kappa, fleiss_kappa_of_table
from similitude.gold.reliability.pairwise import PairwiseCorrelation, pairwise_correlation
from similitude.gold.reliability.split_half import Halving, SplitHalf, split_half, split_half_of_ratings
from similitude.stats.correlation import Correlation

__all__ = [
    "ICC_FORMS",
    "NO_INTERVALS",
    "Agreement",
    "BestWorstAgreement",
    "Correlation",
    "Estimate",
    "Halving",
    "Measurement",
    "PairwiseCorrelation",
    "Resampling",
    "SplitHalf",
    "agreement_by",
    "agreement_figures",
    "best_worst_agreement",
    "fleiss_kappa",
    "fleiss_kappa_of_table",
    "intraclass_correlations",
    "krippendorff_alpha",
    "labels_of",
    "pairwise_correlation",
    "split_half",
    "split_half_of_ratings",
    "undefined",
]
