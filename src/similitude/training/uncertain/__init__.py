"""The training of models of people's opinions."""
