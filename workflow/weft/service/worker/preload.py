"""What every run of a task imports: see `weft.service.preloaded`."""

import weft.prepare.main
import weft.report.pages
import weft.service.worker.planning

__all__ = ["weft"]
