"""Where everything lies: below the folder of a project, and in it below `results` and `reports`."""

from weft.files.layout.pages import BETWEEN, INDEX, PAPER, Archives, Reports
from weft.files.layout.project import CLONE, PACKAGE, RELATIVE, Layout, log_name, page_name
from weft.files.layout.results import (
    DATABASE,
    JOBS,
    JOURNAL,
    LEFT,
    LEFT_OUT,
    LOG,
    PLAN,
    SCHEDULE,
    STAMP,
    STATUS,
    TUNING,
    ExperimentFolder,
    Results,
    ShardFolder,
)

__all__ = [
    "BETWEEN", "CLONE", "DATABASE", "INDEX", "JOBS", "JOURNAL", "LEFT", "LEFT_OUT", "LOG",
    "PACKAGE", "PAPER", "PLAN", "RELATIVE", "SCHEDULE", "STAMP", "STATUS", "TUNING", "Archives",
    "ExperimentFolder", "Layout", "Reports", "Results", "ShardFolder", "log_name", "page_name",
]  # fmt: skip
