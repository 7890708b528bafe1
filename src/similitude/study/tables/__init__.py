"""The tables of a study: each is a plan of cells, and the figures that follow from them."""
