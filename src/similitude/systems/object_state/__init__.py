"""The state of Python objects: digests of functions, classes, models and anything that holds them."""

from similitude.systems.object_state.value_digest import Digest, digest_of, is_unknown_state, unknown_state

__all__ = ["Digest", "digest_of", "is_unknown_state", "unknown_state"]
