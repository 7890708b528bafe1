"""The training of similarity models, with or without conditions."""
