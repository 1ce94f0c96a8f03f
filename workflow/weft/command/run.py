"""Handing an experiment to Snakemake."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import NoReturn

from weft.config.compose.composition import experiment_files
from weft.files.layout import page_name
from weft.read import Project


def run_experiment(project: Project, experiment: str, more: Sequence[str]) -> NoReturn:
    """Become Snakemake, in the project: Ctrl-C reaches it alone, and it ends its jobs first.

    Names of experiments before the first option of `more` are run as well.
    """
    known = experiment_files(project.configs, *project.search_path)
    others = [page_name(word) if word in known else word for word in takewhile(_is_target, more)]
    options = dropwhile(_is_target, more)
    command = run_words(project, [page_name(experiment), *others], list(options))
    os.chdir(project.root)
    os.execv(sys.executable, command)


def run_words(project: Project, targets: Sequence[str], options: Sequence[str]) -> list[str]:
    """The command that makes `targets` in the folder of the project."""
    command = [sys.executable, "-m", "weft.launch", *targets, *options]
    if project.own:
        path = [f"search_path={project.own}"]
        # What follows --config on the command line belongs to it, so ours joins it there.
        place = command.index("--config") + 1 if "--config" in command else len(command)
        command[place:place] = path if "--config" in command else ["--config", *path]
    return command


def _is_target(word: str) -> bool:
    return not word.startswith("-")
