"""What a shell offers when a name is half typed."""

from __future__ import annotations

import click

from weft.config.compose.composition import experiment_files
from weft.read import Project, ReadError


def complete_experiment(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Names of experiments that begin with `incomplete`."""
    try:
        given = context.find_root().params
        project = Project.find(given.get("project"), given.get("experiments"))
        names = experiment_files(project.configs, *project.search_path)
    except (ReadError, OSError):
        return []
    return [name for name in sorted(names) if name.startswith(incomplete)]
