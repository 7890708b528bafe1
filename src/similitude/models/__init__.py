"""Models: encoders and language models, their files, and the caches of what they computed."""
