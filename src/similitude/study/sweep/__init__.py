"""A grid of trainings, the best of it over several seeds, ablations and learning curves."""
