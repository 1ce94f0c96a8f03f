"""Programs that a project's own Makefile builds, in a sandbox, with `weft-cc` and `weft-c++`."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from weft.config.model.program_files import ProgramFiles
from weft.config.points.places import Places
from weft.config.points.program_build import program_build
from weft.engines import own_build
from weft.engines.base import ShardJob
from weft.engines.built_programs import with_built_programs
from weft.engines.failed_builds import NotBuiltError
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.samples import read_measurement
from weft.engines.hardware.source import program_of
from weft.engines.own_build import Compilers, built

from tests.missing import missing
from tests.patience import PATIENCE_S
from tests.programs.simulator import BINARIES, ROOT, run_line, run_point
from tests.programs.test_several_files import MPIS

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
RING = Path(__file__).parent / "ring"
BUILD = {"folder": "ring", "command": ["make", "-j2"], "executable": "bin/ring"}
#: Of two ranks: the roots of 4 and 8, and a counter of each rank.
PRINTED = "ring: 8 104.828"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the sources of the ring."""
    shutil.copytree(RING, tmp_path / "configs" / "experiment" / "ring")
    return tmp_path


def build_of(project: Path, build: dict[str, Any] | None = None, **program: Any) -> dict[str, Any]:
    given = program or {"build": {**BUILD, **(build or {})}}
    return dict(program_build(ProgramFiles.model_validate(given), Places(project / "configs")))


def made(project: Path, build: dict[str, Any], cache: str = "cache") -> Path:
    """The program for simulators."""
    if not (BINARIES / "weft-flow").exists():
        pytest.fail("the simulators are not built: make build")
    files = {path: (project / path).read_bytes() for path, _ in build["files"]}
    compilers = Compilers(BINARIES / "weft-flow")
    return built(build, files, compilers, project / cache, "run")  # type: ignore[arg-type]


def ready(executable: Path) -> dict[str, Any]:
    return {"root": "", "files": [], "executable": [str(executable), None]}


def printed(log: str) -> str:
    return "\n".join(line[line.index("ring: ") :] for line in log.splitlines() if "ring: " in line)


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_a_makefile_builds_the_program_for_simulators(project: Path, engine: str) -> None:
    executable = made(project, build_of(project))
    given = ready(executable)
    metrics, log = run_point(
        project, Path("ring"), 2, engine=engine, build=given, stack_bytes=2 << 20
    )
    assert printed(log) == PRINTED
    assert metrics["program_time_s"] > 2e-6


def test_cmake_builds_it_too(project: Path) -> None:
    if shutil.which("cmake", path="/usr/bin:/bin") is None:
        missing("cmake is not installed")
    compilers = ["-DCMAKE_C_COMPILER=weft-cc", "-DCMAKE_CXX_COMPILER=weft-c++"]
    command = [["cmake", "-S", ".", "-B", "out", *compilers], ["cmake", "--build", "out", "-j2"]]
    executable = made(project, build_of(project, {"command": command, "executable": "out/ring"}))
    _, log = run_point(
        project, Path("ring"), 2, engine="flow", build=ready(executable), stack_bytes=2 << 20
    )
    assert printed(log) == PRINTED


@pytest.mark.parametrize("mpi", MPIS)
def test_the_same_sources_are_built_again_for_a_measurement(project: Path, mpi: str) -> None:
    tools = MPIS[mpi] or tuple(str(ROOT / ".venv" / "bin" / name) for name in ("mpicc", "mpiexec"))
    found = [shutil.which(tool) for tool in tools]
    if None in found:
        missing(f"{' or '.join(tools)} is not installed")
    mpicc, launcher = found
    point = {"workload": {"program": "ring", "build": build_of(project)}}
    runner, plain = build_program(program_of(point, project), SOURCES, Path(str(mpicc)))  # type: ignore[arg-type]
    output = project / "samples.csv"
    options = ["--repetitions", "3", "--warmup", "1", "--budget", "100", "--output", str(output)]
    more = ["--oversubscribe"] if "openmpi" in str(launcher) else []
    allow = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [str(launcher), *more, "-n", "2", str(runner), *options, "--program", str(plain)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **allow},
    )
    assert done.returncode == 0, done.stderr
    assert printed(done.stdout) == PRINTED
    assert len(read_measurement(output).samples["program_time_s", None]) == 3


def test_a_program_is_built_once_for_all_simulators(project: Path) -> None:
    build = build_of(project)
    first = made(project, build)
    before = first.stat().st_mtime_ns
    assert made(project, build) == first
    assert first.stat().st_mtime_ns == before
    (project / "configs/experiment/ring/ring.h").write_text("double around(double value);\n")
    with pytest.raises(NotBuiltError, match="undefined reference to `around"):
        made(project, build_of(project))


def test_a_program_of_weft_cc_is_simulated(project: Path) -> None:
    """By hand, in the folder of the project; the words are those of its Makefile."""
    folder = project / "configs" / "experiment" / "ring"
    tools = project / "tools"
    tools.mkdir()
    for name, entry in (("mpicc", "cc"), ("mpicxx", "cxx")):
        code = f"from weft.command.compilers import {entry}; {entry}()"
        (tools / name).write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n")
        (tools / name).chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    subprocess.run(
        ["make", "-C", str(folder)],
        check=True,
        capture_output=True,
        timeout=PATIENCE_S,
        env={**os.environ, "PATH": path, "WEFT_PROGRAM_CACHE": str(project / "kept")},
    )
    build = build_of(project, executable="ring/bin/ring")
    assert build["executable"][0] == "configs/experiment/ring/bin/ring"
    _, log = run_point(project, Path("ring"), 2, engine="flow", build=build, stack_bytes=2 << 20)
    assert printed(log) == PRINTED


def _refused(project: Path, executable: Path) -> str:
    line, _ = run_line(
        project, Path("ring"), 2, None, (), None, "flow", None, {}, None, ready(executable)
    )
    assert line["status"] == "failed"
    return str(line["error"])


def test_what_the_simulator_cannot_load_is_refused(project: Path) -> None:
    executable = made(project, build_of(project))
    other = project / "other"
    text = executable.read_bytes()
    other.write_bytes(re.sub(rb"weft_library_....", b"weft_library_0000", text))
    assert _refused(project, other).endswith("weft-cc of another version: build it again")
    shutil.copy("/bin/true", other)
    linked = "no program that weft-cc, weft-c++ or weft-fc has linked"
    assert _refused(project, other).endswith(linked)
    other.write_bytes(b"#!/bin/sh\n")
    linked = "no program that weft-cc, weft-c++ or weft-fc has linked"
    assert _refused(project, other).endswith(linked)
    subprocess.run(["strip", "-o", str(other), str(executable)], check=True)
    assert "leave out strip" in _refused(project, other)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ({"command": ["make", "CFLAGS=-fplugin=./a.so"]}, "weft-c++: '-fplugin=./a.so' is not"),
        ({"command": ["make", "LDFLAGS=-B."]}, "weft-c++: '-B.' is not allowed"),
        ({"command": ["make", "LDFLAGS=-shared"]}, "build libraries as archives"),
        ({"command": ["make", "nothing"]}, "No rule to make target 'nothing'"),
        ({"command": ["no-such-program"]}, "no-such-program: it ends with code 1: "),
        (
            {"executable": "bin/other"},
            "bin/other: the commands make no such file; they make bin/ring",
        ),
        ({"command": ["ln", "-s", "/bin/true", "x"], "executable": "x"}, "it is a symbolic link"),
        ({"command": ["cat", str(Path(__file__))]}, "No such file or directory"),
        ({"command": ["touch", "/usr/weft"]}, "Read-only file system"),
        ({"command": ["cat", "{folder}/Makefile"]}, "the commands make no such file"),
    ],
)
def test_commands_that_fail_are_named_with_the_reason(
    project: Path, build: dict[str, Any], words: str
) -> None:
    with pytest.raises(NotBuiltError, match=re.escape(words)):
        made(project, build_of(project, build))


def test_a_build_may_execute_any_of_its_files(project: Path) -> None:
    """Make takes one without `#!` for a script of the shell."""
    ring = project / "configs/experiment/ring"
    (ring / "generate").write_text("# a script\necho generated > made\n")
    (ring / "other.mk").write_text("made:\n\t./generate\n")
    build = {"command": ["make", "-f", "other.mk"], "executable": "made"}
    assert made(project, build_of(project, build)).read_text() == "generated\n"


def test_nothing_is_built_without_the_sandbox(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(project))
    own_build._missing.cache_clear()
    try:
        with pytest.raises(NotBuiltError, match="which this machine lacks"):
            made(project, build_of(project, {"command": ["touch", "unheard-of"]}))
    finally:
        own_build._missing.cache_clear()
    assert not list((project / "cache").glob("*"))


def test_points_whose_program_is_not_built_fail_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    workload = {"kind": "program", "program": "ring", "ranks": 2}
    builds = {
        "good": build_of(project),
        "bad": build_of(project, {"command": ["make", "nothing"]}),
        "none": None,
    }
    points = [
        {"point_id": name, "digest": name, "workload": {**workload, "build": build}}
        for name, build in builds.items()
    ]
    shard: Any = {"engine": "flow", "engine_version": "0", "points": points}
    out = project / "out"
    out.mkdir()
    (out / "log").touch()
    job = ShardJob(shard, out / "in.json", out, 1, out / "log")
    left = with_built_programs(job).job
    assert [point["point_id"] for point in left.shard["points"]] == ["good", "none"]
    path, _ = left.shard["points"][0]["workload"]["build"]["executable"]
    assert Path(path).is_relative_to(project / "programs" / "build")
    line = json.loads(job.journal.read_text())
    assert (line["point_id"], line["status"]) == ("bad", "failed")
    assert "No rule to make target 'nothing'" in line["error"]
    assert "No rule to make target 'nothing'" in job.log.read_text()


def test_a_run_tries_a_build_that_fails_once_and_the_next_run_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    bad = build_of(project, {"command": ["make", "nothing"]})
    workload = {"kind": "program", "program": "ring", "ranks": 2, "build": bad}
    lock = project / "results" / "x" / ".lock"

    def journal(shard: str) -> list[dict[str, Any]]:
        out = lock.parent / "flow" / shard
        out.mkdir(parents=True, exist_ok=True)
        points = [{"point_id": each, "digest": each, "workload": workload} for each in "ab"]
        order: Any = {"engine": "flow", "engine_version": "0", "points": points}
        job = ShardJob(order, out / "in.json", out, 1, out / "log")
        assert with_built_programs(job).job.shard["points"] == []
        return [json.loads(line) for line in job.journal.read_text().splitlines()]

    def is_tried() -> bool:
        """Whether the build has left its log since the last call."""
        logs = list((project / "programs" / "build").glob("*/build.log"))
        for log in logs:
            log.unlink()
        return bool(logs)

    lock.parent.mkdir(parents=True)
    lock.touch()
    lines = journal("first")
    assert is_tried()
    lines += journal("second")
    assert not is_tried()
    for key in ("error", "log"):
        (words,) = {line[key] for line in lines}
        assert "No rule to make target 'nothing'" in words
    os.utime(lock, (1, 1))
    journal("third")
    assert is_tried()


def test_images_build_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    workload = {"program": "ring", "ranks": 2, "build": build_of(project)}
    shard: Any = {"points": [{"point_id": "p", "digest": "d", "workload": workload}]}
    (project / "log").touch()
    job = ShardJob(shard, project / "in.json", project, 1, project / "log", Path("flow.sif"))
    assert with_built_programs(job).job.shard["points"] == []
    assert "run without --sdm apptainer" in json.loads(job.journal.read_text())["error"]
