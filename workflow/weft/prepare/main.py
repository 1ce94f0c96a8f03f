"""The entries of the Snakefile: plans in the main process, the same plans read in every job."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from weft.engines import EngineError
from weft.engines.step import explain
from weft.files import Aside, need_plain_path
from weft.files.layout import PAPER, RELATIVE, Layout, Results
from weft.images.failed import begin_run
from weft.interrupt import before_the_end
from weft.prepare.messages.expectation import say_dry, say_papers
from weft.prepare.request.aliases import aliases, from_here
from weft.prepare.request.comparisons import check_comparisons
from weft.prepare.request.request import Request, read_request
from weft.prepare.rules.schedule import Schedule, empty_schedule, read_schedule, schedule
from weft.prepare.state.clock import date_back
from weft.prepare.state.damaged_pages import asked_pages, remove_damaged
from weft.prepare.state.killed_run import wiped_at_the_end
from weft.prepare.state.locks import hold
from weft.prepare.state.snakemake_notes import drop_damaged_notes
from weft.prepare.state.write_access import check_notes, check_temporary, check_writable
from weft.profile.command_line import CommandLine
from weft.profile.profile_names import check_workflow_profile

if TYPE_CHECKING:
    from weft.prepare.plans.planning import Planned
    from weft.prepare.request.archive_source import ArchiveSource

#: So many experiments a warning names.
_NAMED = 5
#: What lives as long as this process.
_held: list[IO[str] | Aside] = []


def prepared(results: Path = RELATIVE.results.path) -> Schedule:
    """In a job's process: what the main process has prepared.

    Ends the process with one short message where that cannot be read.
    """
    with _one_message(results):
        return read_schedule(results)


def prepare(
    config: Mapping[str, object],
    command: CommandLine,
    *,
    dry_run: bool = False,
    containers: bool = False,
    configs: Path = Path("configs"),
    results: Path = RELATIVE.results.path,
) -> Schedule:
    """What Snakemake has to do for a command line; with `containers` simulators run in images.

    A command that only looks, or that a profile makes a `dry_run`, replaces no file.

    Ends the process with one short message when the configuration, an engine or the results
    folder does not allow anything to run.
    """
    looking = command.looks or dry_run
    with _one_message(results):
        begin_run()
        check_workflow_profile(command.workflow_profile)
        targets = list(map(from_here, command.targets))
        request = read_request(config, targets)
        check_comparisons(targets, alone=request.unplanned, results=results)
        if request.unplanned:
            if not looking:
                remove_damaged(asked_pages(targets, (), ()))
            check_notes(results.parent)
            drop_damaged_notes(results.parent)
            return empty_schedule(aliases(command.targets))
        check_writable(results)
        drop_damaged_notes(results.parent)
        _check_targets(request, targets, configs)
        if not looking:
            need_plain_path(Path(sys.executable))
            check_temporary()
        aside = Aside() if looking else None
        if aside is not None:
            _held.append(aside)
            before_the_end(aside.remove)
        with _archive_source(request, configs, looking=looking) as (request, taken):
            found = _plan(request, command.targets, configs, results, containers, aside, taken)
        if not looking:
            found.summary.print_at_exit()
        elif command.dry_run or dry_run:
            say_dry(found.watches)
        return found


@contextmanager
def _one_message(results: Path) -> Iterator[None]:
    try:
        yield
    except (EngineError, ValueError, OSError) as error:
        raise SystemExit(f"weft: {explain(error, results)}") from error


def _archive_source(
    request: Request, configs: Path, *, looking: bool
) -> AbstractContextManager[tuple[Request, ArchiveSource | None]]:
    if request.archive is None:
        return nullcontext((request, None))
    # Only then: what reads archives also reads pages and tables.
    from weft.prepare.request.archive_source import archive_source

    return archive_source(request, request.archive, configs, looking=looking)


def _plan(
    request: Request,
    targets: Sequence[str],
    configs: Path,
    results: Path,
    containers: bool,
    aside: Aside | None,
    taken: ArchiveSource | None,
) -> Schedule:
    from weft.config import other_mistakes
    from weft.plan.expansion import Expansions
    from weft.prepare.plans.planning import Planning, mpi_library
    from weft.prepare.plans.upgrades import say_upgrades
    from weft.prepare.plans.ways import table
    from weft.prepare.request.archive_parts import archive_parts
    from weft.prepare.request.mistakes import are_separate, mistaken_targets, sound
    from weft.prepare.request.variants import VariantLoader, plain_request

    request, changes = plain_request(request, results)
    papers = _papers(request, configs)
    machine = _machine(request, configs)
    names = _names(request, papers, configs)
    written = (text for text in request.overrides if text.startswith(("machine=", "machine.")))
    broken = other_mistakes(configs, names, request.search_path, (*machine, *written))
    _say_broken(list(broken))
    expansions = Expansions(mpi_library)
    loader = VariantLoader(configs, request.search_path, results, expansions.begin)
    separate = aside is None and are_separate(request, targets)
    loaded = sound(loader, names, changes, machine, separate)
    for mistakes in loaded.mistakes.values():
        print(f"weft: {mistakes}", file=sys.stderr)
    names, experiments = loaded.names, loaded.experiments
    if request.strict_expectations and not any(each.expectations for each in experiments):
        listed = ", ".join(each.name for each in experiments[:_NAMED])
        raise ValueError(f"strict_expectations=true judges nothing: {listed} has no expect")
    named = dict(zip(names, (each.name for each in experiments), strict=True))
    if aside is None:
        locks = hold(results, list(named.values()))
        wiped_at_the_end(locks)
        _held.extend(locks)
        reports = Layout.of(Results(results)).reports
        for name in named.values():
            date_back(Results(results).experiment(name), reports.page(name))
    if taken is not None:
        taken.bring(list(named.values()), results)
    whole = _is_whole(results)
    planning = Planning(
        results, containers, request.again, request.partial, aside, whole, expansions
    )
    plans = [planning.plan(each) for each in experiments]
    say_upgrades([each for planned in plans for each in planned.upgrades])
    _say_obstacles(plans, looking=aside is not None)
    if taken is not None:
        taken.planned([each.plan for each in plans])
    variants = {paper: changes.name(paper) for paper in papers}
    of_papers = {variants[paper]: tuple(named[n] for n in of) for paper, of in papers.items()}
    watches = {each.plan.experiment: each.watches for each in plans}
    say_papers(of_papers, watches, configs, quick=changes.quick)
    meant = aliases(targets, named, variants)
    mistaken = mistaken_targets(targets, loaded.mistakes)
    asked = [meant.get(target, target) for target in targets if target not in mistaken]
    if aside is None:
        remove_damaged(asked_pages(asked, named.values(), of_papers))
    files = {each.plan.experiment: each.files for each in plans}
    plan_files = {name: each["plan"] for name, each in files.items()}
    found = schedule(
        [(each.plan, each.needs) for each in plans],
        results,
        of_papers,
        partial=request.partial,
        containers=containers,
        looking=files if aside else None,
        obstacles=None if aside else {each.plan.experiment: each.obstacles for each in plans},
        watches=[watch for each in watches.values() for watch in each],
        strict=request.strict,
        judged_by=configs if request.strict_expectations else None,
        aliases=meant,
        archives=archive_parts(asked, request, experiments, of_papers, plan_files),
        broken={name: str(mistakes[0]) for name, mistakes in broken.items()},
        archived=taken.page({*named.values(), *(PAPER + p for p in of_papers)}) if taken else None,
    )
    return replace(found, mistaken=mistaken, ways=table(w for each in plans for w in each.ways))


def _is_whole(results: Path) -> bool:
    """Whether the database is as the last collection left it; says once where it is not."""
    from weft.database import condition

    found = condition(results)
    if found.damage:
        print(f"weft: {found.damage}: the database is made again", file=sys.stderr)
    return found.whole


def _say_broken(names: Sequence[str]) -> None:
    """Count the experiments with mistakes that are not part of the run, in one line."""
    if names:
        noun, shown = "experiment has", ", ".join(names[:_NAMED])
        if len(names) > 1:
            noun = "experiments have"
        more = ", …" if len(names) > _NAMED else ""
        print(
            f"weft: warning: {len(names)} other {noun} mistakes ({shown}{more}); "
            "weft list prints them",
            file=sys.stderr,
        )


def _say_obstacles(plans: Sequence[Planned], *, looking: bool) -> None:
    """Name each simulator that cannot run here once, with the experiments that need it.

    Raises EngineError with the first of them if no experiment can run without one.
    """
    obstacles: dict[str, list[str]] = {}
    for each in plans:
        for reason in each.obstacles.values():
            obstacles.setdefault(reason, []).append(each.plan.experiment)
    if obstacles and not looking and all(each.obstacles for each in plans):
        raise EngineError(next(iter(obstacles)))
    for reason, names in obstacles.items():
        print(f"weft: warning, for {', '.join(names)}: {reason}", file=sys.stderr)


def _check_targets(request: Request, targets: Sequence[str], configs: Path) -> None:
    from weft.config.compose.composition import experiment_files
    from weft.prepare.request.targets import check_targets

    check_targets(targets, experiment_files(configs, *request.search_path))


def _machine(request: Request, configs: Path) -> tuple[str, ...]:
    """The machine of a profile as an override; it gives way to one on the command line."""
    from weft.config.compose.composition import group_choices
    from weft.config.language.errors import unknown

    machine = request.machine
    if machine is None or any(text.startswith("machine=") for text in request.overrides):
        return ()
    choices = group_choices((configs, *request.search_path), "machine")
    if machine not in choices:
        raise ValueError(f"--config machine={machine}: {unknown('machine', machine, choices)}")
    return (f"machine={machine}",)


def _papers(request: Request, configs: Path) -> dict[str, tuple[str, ...]]:
    """The experiments of each paper that is asked for."""
    from weft.config import papers

    if not request.papers and not request.all_papers:
        return {}
    found = papers(configs, request.search_path)
    unknown = sorted(set(request.papers) - set(found))
    if unknown:
        raise ValueError(f"no experiment belongs to a paper '{unknown[0]}'")
    asked = found if request.all_papers else request.papers
    return {paper: tuple(found[paper]) for paper in asked}


def _names(
    request: Request, papers: Mapping[str, tuple[str, ...]], configs: Path
) -> tuple[str, ...]:
    from weft.config import default_experiments
    from weft.config.compose.composition import experiment_files

    if request.everything:
        return tuple(sorted(experiment_files(configs, *request.search_path)))
    named = [*request.experiments, *(name for names in papers.values() for name in names)]
    defaults = default_experiments(configs) if request.defaults or not named else []
    return tuple(dict.fromkeys([*named, *defaults]))
