"""How Sphinx builds the site: Markdown, formulas as MathML, nothing from other hosts."""

from pathlib import Path

from pygments.lexers.special import TextLexer

import bayesic
from website import chinese, mathml, sentences, twins

language = "zh_CN" if tags.has("zh") else "en"  # noqa: F821 (Sphinx brings tags)
project = "bayesic"
copyright = "the bayesic developers"
version = release = bayesic.__version__
root_doc = "index"
exclude_patterns = [] if language == "zh_CN" else ["zh/**"]

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 6
myst_url_schemes = ("http", "https", "mailto", "site")
suppress_warnings = ["myst.header"]  # a page may begin below its first level, as GitHub allows
highlight_language = "none"
smartquotes = False  # a quote may be part of what is typed
add_module_names = False
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "bayesic"
html_math_renderer = "mathml"
# code of 100 columns fits; in Chinese pages its tables line up, where such a font is installed
CODE = '"SFMono-Regular", Menlo, Consolas, Monaco, "Liberation Mono", monospace'
TWICE_AS_WIDE = '"Sarasa Mono SC", "Noto Sans Mono CJK SC", "Source Han Mono SC", NSimSun'
variables = {"font-stack--monospace": CODE if language == "en" else f"{TWICE_AS_WIDE}, {CODE}"}
html_theme_options = {"light_css_variables": variables}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_search_summary = False  # it would load every page found, which no file:// page may
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/scroll-start.html",
        "sidebar/brand.html",
        "sidebar/search.html",
        "languages.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def setup(app):
    """Join what the site has of its own."""
    mathml.setup(app)
    chinese.setup(app)
    twins.setup(app)
    sentences.setup(app)
    app.add_lexer("csv", TextLexer)  # which has no lexer of its own
    return {"parallel_read_safe": True}
