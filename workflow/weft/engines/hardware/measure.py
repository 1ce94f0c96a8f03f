"""Measuring the points of one shard: build, launch, collect, and note how it was done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from weft.engines.base import EngineError, ShardJob
from weft.engines.failed_builds import run_of
from weft.engines.hardware.build import build_program
from weft.engines.hardware.command import Launch, launcher_command
from weft.engines.hardware.errors import (
    LaunchError,
    MeasurementError,
    OtherThreadsError,
    ProcessUsage,
)
from weft.engines.hardware.host_file import write_host_file
from weft.engines.hardware.image import bind_command, hybrid_command
from weft.engines.hardware.launch import launch
from weft.engines.hardware.machine_load import MachineLoad
from weft.engines.hardware.program import (
    SEVERAL_AT_ONCE,
    collect,
    insisting,
    once,
    program_arguments,
    thread_arguments,
)
from weft.engines.hardware.quality import Judged, flag_text
from weft.engines.hardware.record import after_launch, before_launch, used_by_ranks
from weft.engines.hardware.recorded import CutError
from weft.engines.hardware.samples import Key, Measurement, judged_values
from weft.engines.hardware.site import Site, read_site
from weft.engines.hardware.source import ProgramSource, is_shipped, program_of
from weft.engines.hardware.tracing import Recording, is_traced, remove_traces
from weft.engines.journal import MetricLine
from weft.engines.limits import PointLimits
from weft.engines.order import ResolvedPoint
from weft.files import remove_folder
from weft.scheduler import scheduler_here
from weft.tables.traces import TraceError

#: The environment variable that names a folder which keeps what programs print and write, in a
#: folder for each point. Simulators know it, too.
KEPT = "WEFT_PROGRAM_FILES"
PRINTED = "printed.txt"


@dataclass(slots=True)
class PointOutcome:
    """What became of one point; `flag` says why its values are not to be trusted, if so."""

    usage: ProcessUsage = field(default_factory=lambda: ProcessUsage(0.0, 0.0, 0))
    measurement: Measurement | None = None
    values: Mapping[Key, Judged] = field(default_factory=dict)
    recorded: list[MetricLine] = field(default_factory=list)
    environment: dict[str, object] = field(default_factory=dict)
    flag: str | None = None
    error: str | None = None
    log: str | None = None


class Measuring:
    """Measures the points of `job` with the runners in `sources`.

    Raises EngineError when launcher or mode cannot work here, or cannot run a program of a point.
    """

    def __init__(self, job: ShardJob, sources: Path) -> None:
        self._job, self._machine, self._sources = job, job.machine, sources
        self._project = sources.parent
        self._check_place()
        self._check_programs()

    def measure(self, point: ResolvedPoint) -> PointOutcome:
        """Measure one point; a failure is an outcome, too."""
        outcome = PointOutcome()
        try:
            self._measure(point, outcome)
        except MeasurementError as error:
            outcome.error, outcome.log = str(error), error.log
            outcome.values, outcome.flag = {}, None
        finally:
            if not os.environ.get(KEPT):
                remove_folder(self._folder_of(point))
        return outcome

    def _folder_of(self, point: ResolvedPoint) -> Path:
        """Where its program runs, which all nodes see."""
        if kept := os.environ.get(KEPT):
            return (Path(kept) / point["point_id"]).resolve()
        return (self._job.directory / f"files-{point['point_id']}").resolve()

    def _measure(self, point: ResolvedPoint, outcome: PointOutcome) -> None:
        before = MachineLoad.now()
        outcome.environment["load_average"] = before.load_average
        measurement = self._run(point, outcome, self._timeout_s)
        crowded = bool(outcome.environment["oversubscribed"])
        if not crowded:
            self._measure_again(point, outcome, measurement)
        outcome.measurement = measurement
        after = MachineLoad.now()
        outcome.environment |= after.facts_since(before)
        outcome.values = judged_values(measurement, crowded, after.steal_since(before))
        problems = [judged.problem for judged in outcome.values.values()]
        processors = len(os.sched_getaffinity(0))
        outcome.flag = flag_text(problems, before.load_average, processors)
        if is_traced(point):
            self._trace(point, outcome)

    def _measure_again(
        self, point: ResolvedPoint, outcome: PointOutcome, measurement: Measurement
    ) -> None:
        """Add repetitions where the machine was busy, as far as the point's time limit allows.

        A launch that fails changes nothing: what was measured is flagged then. A budget of nothing
        asks for no more than one launch.
        """
        bad = {size for (_, size), judged in measurement.judged().items() if judged.problem}
        left_s = self._timeout_s - outcome.usage.wall_s
        if not bad or left_s < outcome.usage.wall_s or point["options"].get("budget_s") == 0.0:
            return
        with suppress(MeasurementError):
            measurement.extend(self._run(insisting(point, bad), outcome, left_s))
            outcome.environment["sizes_measured_again"] = len(bad)

    def _trace(self, point: ResolvedPoint, outcome: PointOutcome) -> None:
        """Run the program once more, with the recorder.

        A note says why a program can have no trace. Raises MeasurementError when the run broke: it
        may succeed another time.
        """
        folder = self._job.directory
        remove_traces(folder, point)
        traced = PointOutcome()
        try:
            if outcome.environment.get("threads") == SEVERAL_AT_ONCE:
                raise TraceError("threads of a rank call MPI at once (MPI_THREAD_MULTIPLE)")
            source = program_of(point, self._project)
            crowded = bool(outcome.environment["oversubscribed"])
            with Recording(folder, self._site, source, crowded) as recording:
                words = recording.words(self._sources)
                left_s = self._timeout_s - outcome.usage.wall_s
                run = self._run(once(point), traced, left_s, words)
                problems = [] if crowded else [each.problem for each in run.judged().values()]
                problem = next(filter(None, problems), None)
                outcome.recorded, notes = recording.write(folder, point, problem)
        except (MeasurementError, CutError) as error:
            reason = f"it was measured, but the run that records its calls broke: {error}"
            raise MeasurementError(reason, getattr(error, "log", "")) from error
        except TraceError as error:
            notes = [f"no trace: {error}"]
        finally:
            outcome.usage += traced.usage
        if notes:
            outcome.environment["notes"] = notes

    def _run(
        self,
        point: ResolvedPoint,
        outcome: PointOutcome,
        timeout_s: float,
        words: Sequence[str] = (),
    ) -> Measurement:
        """Launch the program once, with `words` before it, and again if it needs other threads.

        `outcome` gets what it used, and how it was launched first.
        """
        try:
            return self._launched(point, outcome, timeout_s, words)
        except OtherThreadsError as other:
            outcome.environment["threads"] = other.level
            return self._launched(point, outcome, timeout_s, words)

    def _launched(
        self, point: ResolvedPoint, outcome: PointOutcome, timeout_s: float, words: Sequence[str]
    ) -> Measurement:
        source, site = program_of(point, self._project), self._site
        program = source.name
        output = (self._job.directory / f"{program}-{point['point_id']}.csv").resolve()
        output.unlink(missing_ok=True)
        started = self._launch(int(point["workload"]["ranks"]))
        folder = source.new_folder(self._folder_of(point))
        command = [
            *launcher_command(started),
            *words,
            *self._program_command(source, point["workload"].get("input"), folder),
            *thread_arguments(outcome.environment.get("threads")),
            *program_arguments(point, source, output, timeout_s, self._project),
        ]
        facts = before_launch(site, self._job, started, command)
        outcome.environment = {**facts, **outcome.environment}
        log = self._job.directory / f"output-{point['point_id']}.log"
        try:
            most = PointLimits.of(self._machine).output_bytes
            usage = launch(command, program, timeout_s, log, site.environment, output, most)
        except LaunchError as error:
            if not output.exists():
                outcome.usage += error.usage
                raise
            # The program publishes its output when all is measured: only its end went wrong.
            usage, outcome.environment["ending_problem"] = error.usage, str(error)
        if folder is not None and os.environ.get(KEPT):
            shutil.copy(log, folder / PRINTED)
        log.unlink()
        measurement = collect(program, output)
        outcome.usage += used_by_ranks(usage, measurement)
        asked = "none" if started.crowded else started.bind
        outcome.environment |= after_launch(measurement, asked, site.environment)
        return measurement

    @property
    def _timeout_s(self) -> float:
        return self._machine.timeout_s

    @cached_property
    def _site(self) -> Site:
        return read_site(self._machine)

    def _check_place(self) -> None:
        name, mode = self._machine.name, self._machine.mode
        if self._machine.launches_with_srun and "SLURM_JOB_ID" not in os.environ:
            raise EngineError(
                f"machine '{name}' launches with srun, which needs a Slurm job around it: add "
                "--profile slurm, or measure this computer with --config machine=local"
            )
        image = self._job.image
        if mode != "native" and (image is None or not image.is_file()):
            raise EngineError(
                f"machine '{name}' has mode {mode}, and its image {image or 'hardware'} is not "
                "there: run `snakemake containers`"
            )

    def _launch(self, ranks: int) -> Launch:
        """Raises MeasurementError when the machine file does not allow so many ranks here."""
        machine, site = self._machine, self._site
        here = machine.ranks_on_a_node(ranks)
        crowded = site.style != "srun" and here > len(os.sched_getaffinity(0))
        if crowded and not machine.oversubscribe:
            raise MeasurementError(f"{here} ranks need as many processors (machine: oversubscribe)")
        started = Launch(
            launcher=str(site.launcher),
            style=site.style,
            flavour=site.flavour,
            ranks=ranks,
            ranks_per_node=machine.ranks_per_node,
            bind=machine.bind,
            pmi=machine.pmi,
            crowded=crowded,
            as_root=os.geteuid() == 0,
            variables=sorted(site.variables),
            first_node=0 if machine.allocates else None,
            arguments=list(machine.launcher_arguments),
            template=list(machine.launcher_template),
        )
        hosts = scheduler_here().hosts()
        return replace(started, host_file=write_host_file(self._job.directory, started, hosts))

    def _check_programs(self) -> None:
        """The image holds the programs of weft only, and no compiler."""
        if self._machine.mode != "hybrid":
            return
        for point in self._job.shard["points"]:
            try:
                program = program_of(point, self._project)
            except MeasurementError:
                continue  # reported when the point is measured
            if not is_shipped(program, self._project) or program.is_plain:
                raise EngineError(
                    f"machine '{self._machine.name}' has mode hybrid, whose image holds "
                    f"the programs of weft only, not {program.path}: use mode bind or native"
                )

    def _program_command(
        self, program: ProgramSource, read: str | None, folder: Path | None
    ) -> list[str]:
        """The words for one rank: the program, or the image with the program in it."""
        site, image = self._site, self._job.image
        binds = list(self._machine.binds)
        folders = [self._job.directory.resolve()]
        if read:
            folders.append((self._project / read).resolve().parent)
        if site.mpicc is None and image is not None:
            return hybrid_command(program.name, site, image, [*folders, *binds])
        if site.mpicc is None:
            raise MeasurementError("mode hybrid has no image to run in")
        run = run_of(self._job.directory)
        built = build_program(program, self._sources, site.mpicc, site.environment, run)
        more = ["--program", str(built[1].absolute())] if program.is_plain else []
        if program.is_plain and folder is not None:
            more += ["--folder", str(folder)]
        if site.mode == "bind" and image is not None:
            return [*bind_command(built, site, image, folders, binds), *more]
        return [str(built[0]), *more]
