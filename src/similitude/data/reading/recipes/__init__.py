"""Recipes: small TOML files that say how a foreign layout is read."""

from similitude.data.reading.recipes.library import (
    named_format,
    named_recipe,
    recipe_beside,
    recipe_text,
    recognised_recipe,
    shipped_names,
    shipped_recipes,
)
from similitude.data.reading.recipes.recipe import Recipe, documented_keys
from similitude.data.reading.recipes.recipe_format import format_of

__all__ = [
    "Recipe",
    "documented_keys",
    "format_of",
    "named_format",
    "named_recipe",
    "recipe_beside",
    "recipe_text",
    "recognised_recipe",
    "shipped_names",
    "shipped_recipes",
]
