"""What every run of a task imports: see `weft.service.preloaded`."""

import weft.prepare.main
import weft.report.pages

__all__ = ["weft"]
