"""The command `weft verify`."""

from __future__ import annotations

import click

from weft.command.completion import complete_experiment
from weft.read import Project


@click.command()
@click.argument("experiment", required=False, shell_complete=complete_experiment)
@click.option("--repair", is_flag=True, help="Compute again what is damaged, and nothing else.")
@click.pass_context
def verify(context: click.Context, experiment: str | None, repair: bool) -> None:
    """Compare all that weft wrote with its checksums, and name each damaged file."""
    # Imported on first use: it brings all engines.
    from weft.command.checksums import all_damage, make_again

    project: Project = context.obj
    found = list(all_damage(project, experiment))
    for each in found:
        click.echo(each.text)
    if found and repair:
        make_again(project, found)
        found = list(all_damage(project, experiment))
        for each in found:
            click.echo(f"still damaged: {each.text}")
    if found:
        context.exit(1)
    click.echo("All files are whole.")
