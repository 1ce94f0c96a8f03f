"""Handing an experiment to Snakemake."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from weft.files.layout import page_name
from weft.read import Project


def run_experiment(project: Project, experiment: str, more: Sequence[str]) -> NoReturn:
    """Become Snakemake, in the project: Ctrl-C reaches it alone, and it ends its jobs first."""
    command = [sys.executable, "-m", "weft.launch", page_name(experiment), *more]
    if project.own:
        path = [f"search_path={project.own}"]
        # What follows --config on the command line belongs to it, so ours joins it there.
        place = command.index("--config") + 1 if "--config" in command else len(command)
        command[place:place] = path if "--config" in command else ["--config", *path]
    os.chdir(project.root)
    os.execv(sys.executable, command)
