"""Predictions made elsewhere: from any file or object, matched with the items by id or by row."""

from similitude.data.reading.predictions.reader import PredictionTable, open_predictions, read_predictions

__all__ = ["PredictionTable", "open_predictions", "read_predictions"]
