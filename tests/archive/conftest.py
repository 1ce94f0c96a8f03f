"""A finished experiment on the disk, with its page, and its archive; without Snakemake."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from weft.archive.pack import pack_archive
from weft.database import collect
from weft.engines.journal import append
from weft.engines.shards import read_shard, resolve, write_shards
from weft.files.layout import ExperimentFolder, Layout
from weft.machine import MachineFile
from weft.plan import Plan, Point, Points, Shard, short_digest, write_plan
from weft.plan.outcome import write_outcome
from weft.report.pages.build import build_report
from weft.tables import write_table

ROOT = Path(__file__).parents[2]
NAME, HOST, ACCOUNT = "demo", "secretnode17", "secretaccount"
COMMAND = f"mpiexec {Path.home()}/programs/pingpong"
FITTED = {"latency_s": 1e-6, "machine": {"name": ACCOUNT, "cpu": "A processor"}}
FIGURE = {"line": {"x": "topology.k", "y": "makespan_s"}}


@dataclass(frozen=True)
class Made:
    """A project with one finished experiment, and its archive."""

    project: Layout
    archive: Path

    @property
    def folder(self) -> ExperimentFolder:
        return self.project.results.experiment(NAME)

    @property
    def sources(self) -> list[Path]:
        return [
            self.project.configs / "experiment" / f"{NAME}.yaml",
            self.project.configs / "machine" / "local.yaml",
        ]

    def pack(self, out: Path, **more: bool) -> Path:
        """The archive again, elsewhere."""
        project = Layout(self.project.root)
        pack_archive(out, [self.folder.plan], self.sources, project=project, **more)
        return out


def demo_point(k: int) -> Point:
    spec = {
        "engine": "flow",
        "topology": {"kind": "torus", "k": k},
        "network": {"latency_s": 0.0},
        "workload": {"kind": "messages"},
        "options": {},
        "seed": 1,
    }
    return Point(short_digest(spec), "flow", 0, 1, spec, {"topology.k": k})


def finish(plan: Plan, folder: ExperimentFolder) -> None:
    """What planner and jobs leave of `plan`."""
    write_plan(plan, folder.plan)
    write_shards(plan, folder.results.path, {})
    folder.calibration.write_text(json.dumps(FITTED))
    for shard in plan.shards:
        left = folder.shard(shard.engine, shard.shard_id)
        left.path.mkdir(parents=True)
        order = resolve(read_shard(folder.order(shard.shard_id)), None)
        runs, metrics = [], []
        for point in order["points"]:
            named = {"point_id": point["point_id"]}
            value = {"metric": "makespan_s", "value": 1e-3 * point["topology"]["k"], "unit": "s"}
            append(
                left.journal,
                {
                    **named,
                    "digest": point["digest"],
                    "status": "done",
                    "metrics": [value],
                    "environment": {"hosts": [HOST], "command": COMMAND},
                },
            )
            run = {"engine": "flow", "engine_version": shard.engine_version, "attempt": 1}
            facts = {"cpu": "A processor", "hosts": [HOST], "command": COMMAND}
            facts["calibration"] = FITTED
            begun = {"started_at": "2026-01-02T03:04:05.000+00:00", "wall_s": 2.0, "host": HOST}
            environment = json.dumps(facts)
            runs.append(named | run | begun | {"status": "done", "environment": environment})
            metrics.append(named | value)
        write_table("runs", runs, left.table("runs"))
        write_table("metrics", metrics, left.table("metrics"))
        left.log.write_text(f"compiled {Path.home()}/x.c in {Layout.of(folder.results).root}/y\n")
        start = {"job": "1", "host": HOST, "started_at": "2026-01-02T03:04:05.000+00:00"}
        left.jobs.write_text(
            f"{json.dumps(start)}\n{json.dumps({'job': '1', 'outcome': 'done'})}\n"
        )
        write_outcome(left.path, {"done": shard.point_ids}, None)


def demo_plan() -> Plan:
    points = [demo_point(k) for k in (3, 4, 5)]
    ids = tuple(point.point_id for point in points)
    shard = Shard(short_digest(["flow", "1", ids]), "flow", "1", ids)
    report = {"figures": [FIGURE], "engines": {"flow": {"fidelity": "flow", "leaves_out": []}}}
    machine = MachineFile(name="site", account=ACCOUNT)
    return Plan(
        NAME, "Demo", "Is it so?", Points.of(points), (shard,), machine, report,
        ("machine=site", f"machine.account={ACCOUNT}"),
    )  # fmt: skip


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Made:
    project = Layout(tmp_path_factory.mktemp("archived"))
    shutil.copytree(ROOT / "configs", project.configs)
    made = Made(project, project.archives.archive(NAME))
    made.sources[0].write_text("title: Demo\nquestion: Is it so?\nengines: [flow]\n")
    finish(demo_plan(), made.folder)
    database, papers = project.results.database, project.configs / "paper"
    collect(NAME, project.results.path, papers, database)
    build_report(made.folder.plan, database, project.configs, project.reports.page(NAME))
    made.pack(made.archive)
    return made


@pytest.fixture
def made(made_once: Made, tmp_path: Path) -> Made:
    """A copy that a test may change."""
    shutil.copytree(made_once.project.root, tmp_path / "project", symlinks=True)
    project = Layout(tmp_path / "project")
    return Made(project, project.archives.archive(NAME))
