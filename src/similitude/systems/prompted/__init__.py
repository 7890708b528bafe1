"""Language models as judges: prompted scores, multiple choice, simulated raters."""
