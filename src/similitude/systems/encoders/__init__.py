"""Systems that turn each text into a vector."""

from similitude.systems.encoders import universal_sentence_encoder, wordllama

__all__ = ["universal_sentence_encoder", "wordllama"]
