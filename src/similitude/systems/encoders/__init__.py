"""Systems with an encoder: sentence vectors, cross-encoders, token matching."""

from similitude.systems.encoders import (
    cross_encoder,
    model2vec,
    sentence_encoder,
    token_match,
    universal_sentence_encoder,
    wordllama,
)

__all__ = ["cross_encoder", "model2vec", "sentence_encoder", "token_match", "universal_sentence_encoder", "wordllama"]
