"""Systems that turn each text into a vector."""

from similitude.systems.encoders import (
    cross_encoder,
    sentence_encoder,
    token_match,
    universal_sentence_encoder,
    wordllama,
)

__all__ = ["cross_encoder", "sentence_encoder", "token_match", "universal_sentence_encoder", "wordllama"]
