"""Language models as similarity systems, over a grid of prompts."""
