"""Statistics over arrays, without the nouns of the field.

Functions work along the last axis and broadcast over the others, so that one call serves twenty systems or a thousand
resamples.
"""

from similitude.stats.all_pairs import StepDown, step_down
from similitude.stats.classification import Confusion, accuracy, confusion, f1, harmonic_mean, precision, recall, share
from similitude.stats.combined_estimates import Ends, RankVotes, combined_ends, combined_freedom, rank_votes
from similitude.stats.correlation import is_constant, kendall, pearson, spearman
from similitude.stats.coverage import (
    LEVELS,
    Coverage,
    ece,
    ece_wang2022,
    is_below_wang2022,
    is_covered,
    mean_gap,
    observed_coverage,
    squared_gaps_wang2022,
)
from similitude.stats.curve_areas import (
    auc_without_each,
    auc_without_units,
    average_precision_without_each,
    weighted_auc,
    weighted_average_precision,
)
from similitude.stats.cuts import Counts, Criterion, Cuts, FoldedCuts, HeldOut, best_cuts, held_out_counts
from similitude.stats.dependent_correlations import steiger_p_value, williams_p_value
from similitude.stats.finite import finite_or_none
from similitude.stats.folds import grouped_folds, named_folds, scattered, stratified_folds
from similitude.stats.gain import (
    Ties,
    discounts,
    gains_by_rank_expected,
    gains_by_rank_stable,
    normalised_gain,
    normalised_gain_without_each,
)
from similitude.stats.gaussian import crps, kl_divergence, negative_log_density
from similitude.stats.intervals import (
    Bounds,
    Interval,
    acceleration,
    bca_interval,
    bias_corrected_interval,
    bias_correction,
    holding,
    jackknife_interval,
    percentile_interval,
    rounding_of,
    t_quantile,
    wilson_interval,
)
from similitude.stats.levels import Levels, levels_by_row
from similitude.stats.logistic import Logistic, fit_logistic
from similitude.stats.many_to_one import many_to_one_p_values
from similitude.stats.max_t import MaxT, difference_errors, t_statistics
from similitude.stats.one_rule import Rules, learn_rules
from similitude.stats.p_values import (
    bootstrap_p_value,
    correlation_p_value,
    holm,
    kruskal_wallis_p_value,
    resampled_p_value,
)
from similitude.stats.pivots import (
    LinkPivot,
    Pivot,
    SharePivot,
    SkewPivot,
    difference_interval,
    difference_p_value,
    effective_freedom,
    expanded_level,
    pivot_interval,
    share_pivot,
)
from similitude.stats.power import units_for_power
from similitude.stats.rank_influence import kendall_influence, kendall_shrinkage, spearman_influence
from similitude.stats.ranks import Ordering, average_ranks, competition_ranks
from similitude.stats.resamples import (
    Units,
    bootstrap_weights,
    in_chunks,
    jackknife_blocks,
    jackknife_size,
    jackknife_weights,
    random_swaps,
)
from similitude.stats.student_t import t_converted, t_point, t_tail
from similitude.stats.weighted_correlation import pearson_features, pearson_from_sums, weighted_spearman, weighted_sums
from similitude.stats.weighted_gain import weighted_normalised_gain
from similitude.stats.weighted_kendall import weighted_kendall

__all__ = [
    "LEVELS",
    "Bounds",
    "Confusion",
    "Counts",
    "Coverage",
    "Criterion",
    "Cuts",
    "Ends",
    "FoldedCuts",
    "HeldOut",
    "Interval",
    "Levels",
    "LinkPivot",
    "Logistic",
    "MaxT",
    "Ordering",
    "Pivot",
    "RankVotes",
    "Rules",
    "SharePivot",
    "SkewPivot",
    "StepDown",
    "Ties",
    "Units",
    "acceleration",
    "accuracy",
    "auc_without_each",
    "auc_without_units",
    "average_precision_without_each",
    "average_ranks",
    "bca_interval",
    "best_cuts",
    "bias_corrected_interval",
    "bias_correction",
    "bootstrap_p_value",
    "bootstrap_weights",
    "combined_ends",
    "combined_freedom",
    "competition_ranks",
    "confusion",
    "correlation_p_value",
    "crps",
    "difference_errors",
    "difference_interval",
    "difference_p_value",
    "discounts",
    "ece",
    "ece_wang2022",
    "effective_freedom",
    "expanded_level",
    "f1",
    "finite_or_none",
    "fit_logistic",
    "gains_by_rank_expected",
    "gains_by_rank_stable",
    "grouped_folds",
    "harmonic_mean",
    "held_out_counts",
    "holding",
    "holm",
    "in_chunks",
    "is_below_wang2022",
    "is_constant",
    "is_covered",
    "jackknife_blocks",
    "jackknife_interval",
    "jackknife_size",
    "jackknife_weights",
    "kendall",
    "kendall_influence",
    "kendall_shrinkage",
    "kl_divergence",
    "kruskal_wallis_p_value",
    "learn_rules",
    "levels_by_row",
    "many_to_one_p_values",
    "mean_gap",
    "named_folds",
    "negative_log_density",
    "normalised_gain",
    "normalised_gain_without_each",
    "observed_coverage",
    "pearson",
    "pearson_features",
    "pearson_from_sums",
    "percentile_interval",
    "pivot_interval",
    "precision",
    "random_swaps",
    "rank_votes",
    "recall",
    "resampled_p_value",
    "rounding_of",
    "scattered",
    "share",
    "share_pivot",
    "spearman",
    "spearman_influence",
    "squared_gaps_wang2022",
    "steiger_p_value",
    "step_down",
    "stratified_folds",
    "t_converted",
    "t_point",
    "t_quantile",
    "t_statistics",
    "t_tail",
    "units_for_power",
    "weighted_auc",
    "weighted_average_precision",
    "weighted_kendall",
    "weighted_normalised_gain",
    "weighted_spearman",
    "weighted_sums",
    "williams_p_value",
    "wilson_interval",
]
