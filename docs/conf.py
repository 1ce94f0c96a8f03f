"""The documents as a site with a search: `make docs` writes it to site/.

Pages load nothing from the network and need no server: open site/index.html.
"""

import re
from pathlib import Path

_PACKAGE = Path(__file__).parents[1] / "workflow" / "weft" / "__init__.py"

project = "weft"
copyright = "The weft authors, Apache-2.0"
release = re.findall(r'__version__ = "(.+)"', _PACKAGE.read_text())[0]
extensions = ["myst_parser", "sphinx_copybutton"]
myst_heading_anchors = 4
#: Pygments does not know csv, which hosts of repositories do.
suppress_warnings = ["misc.highlighting_failure"]
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = f"weft {release}"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
