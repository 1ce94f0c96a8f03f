"""What fits compute with."""

from __future__ import annotations

import numpy as np

Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]
