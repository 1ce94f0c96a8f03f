"""The subcommands of `weft`, for the project around this folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from pathlib import Path

import click

from weft import __version__
from weft.command.compare import compare as compare_
from weft.command.completion import complete_experiment
from weft.command.explain import point_lines, setting_lines
from weft.command.run import run_experiment
from weft.command.show import answer_lines, state_lines, states_json
from weft.command.start import Beginning, new_experiment
from weft.command.trace import trace
from weft.command.verify import verify
from weft.command.work import work_lines
from weft.config.language.errors import ConfigErrors, nearest
from weft.read import Project, ReadError, answers
from weft.read import experiments as states
from weft.read.calibrations import comparison_lines, exported, fit_lines, stored_fits
from weft.read.explained import explain_experiment, explain_point

#: Ids of points; an experiment may have such a name, but none of a person's does.
POINT = re.compile(r"[0-9a-f]{12}")


class Group(click.Group):
    """Shows weft's own errors in one line each, and nothing of Python."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a subcommand."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader has seen enough: `weft answers x | head`.
            sys.stderr.close()
            ctx.exit(0)
        except (ReadError, ConfigErrors, OSError) as error:
            for line in str(error).splitlines():
                click.echo(f"weft: {line}", err=True)
            ctx.exit(1)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="weft")
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The project's folder; without it, the project that contains the working folder.",
)
@click.option(
    "--experiments",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder of your own, outside the project, for experiments and their results.",
)
@click.pass_context
def main(context: click.Context, project: Path | None, experiments: Path | None) -> None:
    """Look at experiments, begin new ones, and run them by Snakemake.

    Completion: eval "$(_WEFT_COMPLETE=bash_source weft)"; zsh and fish likewise.
    """
    begins = context.invoked_subcommand == "new"
    context.obj = Project.find(project, experiments, begins=begins)


@main.command("list")
@click.option("--engine", help="Only experiments that this engine answers.")
@click.option("--topology", help="Only experiments on this topology.")
@click.option("--paper", help="Only experiments of this paper.")
@click.option("--machine", help="Judge experiments by this machine, such as slurm.")
@click.option("--json", "as_json", is_flag=True, help="For programs: one JSON array.")
@click.pass_obj
def list_(
    project: Project,
    engine: str | None,
    topology: str | None,
    paper: str | None,
    machine: str | None,
    as_json: bool,
) -> None:
    """Every experiment: its state, engines, cost and question."""
    every = states(project, machine)
    _check(project, "engine", engine, {name for each in every for name in each.engines})
    _check(project, "topology", topology, {name for each in every for name in each.topologies})
    _check(project, "paper", paper, {each.paper for each in every if each.paper})
    found = [
        each
        for each in every
        if (engine is None or engine in each.engines)
        and (topology is None or topology in each.topologies)
        and (paper is None or paper == each.paper)
    ]
    for line in [states_json(found)] if as_json else state_lines(found):
        click.echo(line)


def _check(project: Project, what: str, name: str | None, used: Collection[str]) -> None:
    """Refuse a name that there is not: an empty list would seem to be an answer."""
    folders = [project.configs, *project.search_path]
    known = {*used, *(file.stem for each in folders for file in (each / what).glob("*.yaml"))}
    if name is not None and name not in known:
        raise ReadError(f"unknown {what} {name}{nearest(name, sorted(known))}")


@main.command()
@click.argument("name")
@click.option(
    "--like",
    shell_complete=complete_experiment,
    help="Begin with a copy of this experiment instead of a commented example.",
)
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    help="Begin with an MPI program of yours: a source, or a folder of sources or with a Makefile.",
)
@click.option(
    "--executable", help="What the program's Makefile makes, by its path from the folder."
)
@click.pass_obj
def new(
    project: Project, name: str, like: str | None, program: Path | None, executable: str | None
) -> None:
    """Write configs/experiment/NAME.yaml, commented, valid and ready to run."""
    path = new_experiment(project, name, Beginning(like, program, executable))
    click.echo(f"{path}: change it, then run  {project.run_command(name)}")


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("experiment", shell_complete=complete_experiment)
@click.argument("more", nargs=-1, type=click.UNPROCESSED, shell_complete=complete_experiment)
@click.pass_obj
def run(project: Project, experiment: str, more: tuple[str, ...]) -> None:
    """Run experiments and make their pages: snakemake reports/EXPERIMENT.html MORE.

    MORE are names of further experiments, then options of Snakemake.
    """
    if experiment.startswith("-"):
        raise click.UsageError(
            f"the experiment comes first, then its options: weft run EXPERIMENT {experiment}"
        )
    run_experiment(project, experiment, more)


@main.command()
@click.argument("what", metavar="EXPERIMENT|POINT", shell_complete=complete_experiment)
@click.pass_obj
def explain(project: Project, what: str) -> None:
    """Every resolved key with the file and line that set it; of a point also its log."""
    if POINT.fullmatch(what):
        records = explain_point(what, project)
        lines = [line for record in records for line in point_lines(record, project)]
    else:
        lines = list(setting_lines(explain_experiment(what, project)))
    for line in lines:
        click.echo(line)


@main.command("answers")
@click.argument("experiment", shell_complete=complete_experiment)
@click.option("--csv", type=click.Path(path_type=Path), help="Write all rows to a CSV file.")
@click.option("--parquet", type=click.Path(path_type=Path), help="Write all rows to Parquet.")
@click.option("--rows", type=click.IntRange(1), default=20, help="Rows to print (20).")
@click.pass_obj
def answers_(
    project: Project, experiment: str, csv: Path | None, parquet: Path | None, rows: int
) -> None:
    """The whole experiment as one table: printed, or written to a file."""
    for line in answer_lines(answers(experiment, project), csv, parquet, rows):
        click.echo(line)


@main.command()
@click.argument("experiment", required=False, shell_complete=complete_experiment)
@click.pass_obj
def status(project: Project, experiment: str | None) -> None:
    """What runs now and what failed, with the last lines of the logs."""
    for line in work_lines(project, experiment):
        click.echo(line)


@main.command("applications")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", metavar="[NAME|KEY=VALUE]...", nargs=-1)
@click.option("--engine", "engines", multiple=True, help="Only this engine; may be repeated.")
@click.option(
    "--table",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the table as CSV. What is good in it does not run again.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    help="Simulate N at once. What measures this machine runs last and alone.",
)
@click.option(
    "--logs",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the log of each line that is not as it should be.",
)
@click.pass_context
def applications_(
    context: click.Context,
    folder: Path,
    names: tuple[str, ...],
    engines: tuple[str, ...],
    table: Path | None,
    jobs: int,
    logs: Path | None,
) -> None:
    """Run the programs in DIR/experiment, and say whether their own verification has passed.

    DIR holds experiments of yours, as for --experiments. NAME, which may have * and ?, chooses
    among them. KEY=VALUE overrides keys of all that run.
    """
    # Imported on first use: it brings all engines.
    from weft.command.application_table import HEADINGS, KeptTable, spaced
    from weft.command.applications import WantedRuns, applications, named

    project = Project.find(context.obj.root, folder)
    request = WantedRuns(
        [each for each in names if "=" not in each],
        [each for each in names if "=" in each],
        engines,
        jobs,
        logs and logs.absolute(),
    )
    kept = KeptTable(table and table.absolute())
    chosen = named(project, request.names)
    width = max(map(len, [HEADINGS[0], *chosen]))
    click.echo(spaced(HEADINGS, width))
    good = count = 0
    for ran in applications(project, chosen, request, kept, _say_begun):
        click.echo(spaced(ran.cells(), width))
        good, count = good + ran.is_good, count + 1
    click.echo(f"{good} of {count} ran as they should")
    if good < count:
        context.exit(1)


def _say_begun(what: str) -> None:
    """Show what runs, on a terminal; the line of the table overwrites it."""
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{what} …\r", err=True, nl=False)


@main.command()
@click.argument("experiment", required=False, shell_complete=complete_experiment)
@click.option(
    "--compare", is_flag=True, help="Print the one-way times of all calibrations side by side."
)
@click.option(
    "--export", is_flag=True, help="Print the newest as a network file, for configs/network/."
)
@click.option("--machine", help="Only calibrations of this machine.")
@click.option("--date", default="", help="Only calibrations whose date begins with this.")
@click.pass_obj
def calibrations(
    project: Project,
    experiment: str | None,
    compare: bool,
    export: bool,
    machine: str | None,
    date: str,
) -> None:
    """Calibrations that experiments have stored, by machine and date."""
    found = [
        fit
        for fit in stored_fits(project, experiment)
        if machine in (None, fit.machine) and fit.date.startswith(date)
    ]
    if export and not found:
        raise ReadError("no calibration to export; leave out --machine and --date to see all")
    if export:
        click.echo(exported(found[-1]), nl=False)
        return
    for line in comparison_lines(found) if compare and found else fit_lines(found):
        click.echo(line)


main.add_command(compare_)
main.add_command(trace)
main.add_command(verify)
