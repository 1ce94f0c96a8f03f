"""Reports in a browser are made from the samples of other tests."""

import sys
from pathlib import Path

from tests.chromium import browser

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

__all__ = ["browser"]
