"""A search for candidate pairs, from raw texts to items: the plan, its stages, and the folder that it resumes from."""
