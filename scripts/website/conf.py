"""Settings of Sphinx. ``scripts/build_site.py`` puts this file beside the pages that it assembles."""

from pathlib import Path

from similitude import __version__

project = "Similitude"
author = "The Similitude founders"
project_copyright = "The Similitude founders. Apache-2.0"
release = __version__
html_title = f"Similitude {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "website.mathml", "website.public_examples"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # a page may begin its parts at the third level, as the generated ones do

html_theme = "furo"
html_static_path = ["_static"]
html_extra_path = ["_root"]  # what GitHub Pages shows where there is no page
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "search_order.js")
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
html_theme_options = {"navigation_with_keys": False, "top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
highlight_language = "text"
smartquotes = False  # an option such as --column would get a dash, and what is copied would be refused

default_role = "code"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = False  # signatures that options make have no source to take them from
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries = False
