"""The command `weft compare`."""

from __future__ import annotations

from pathlib import Path

import click

from weft.command.completion import complete_experiment
from weft.read import Project


@click.command()
@click.argument("old", metavar="EXPERIMENT|ARCHIVE", shell_complete=complete_experiment)
@click.argument(
    "new", metavar="[EXPERIMENT|ARCHIVE]", required=False, shell_complete=complete_experiment
)
@click.option("--csv", type=click.Path(path_type=Path), help="Write every value to a CSV file.")
@click.option("--rows", type=click.IntRange(0), default=20, help="Moved values to print (20).")
@click.pass_obj
def compare(project: Project, old: str, new: str | None, csv: Path | None, rows: int) -> None:
    """Which answers moved beyond their scatter, and by how much: from an archive of an earlier
    release to the results here.

    Without a second name: from what earlier versions of the simulators have left on the disk to
    what the experiment answers now. Computes nothing.
    """
    # Imported on first use: it brings all that reads results.
    from weft.command.compared import comparison, comparison_lines
    from weft.files import replace_text
    from weft.report.compare.page import comparison_csv

    found = comparison(project, old, new)
    for line in comparison_lines(found, rows):
        click.echo(line)
    if csv:
        replace_text(csv, comparison_csv(found.found, found.called))
        click.echo(f"{csv}: every value")
