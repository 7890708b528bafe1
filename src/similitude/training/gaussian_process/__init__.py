"""The training of Gaussian processes over frozen encoders."""
