"""Pools: several systems combined into one."""

from similitude.systems.pool.rules import Rule, pooled_means, pooled_sigmas
from similitude.systems.pool.system import Pool, parts, pool, pool_of

__all__ = ["Pool", "Rule", "parts", "pool", "pool_of", "pooled_means", "pooled_sigmas"]
