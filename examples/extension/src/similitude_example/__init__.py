"""One extension of every kind that Similitude takes."""
