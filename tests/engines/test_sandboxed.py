"""Simulators in a sandbox: where it is demanded nothing runs without one, and limits end it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from weft.engines.base import EngineError, ShardJob
from weft.engines.journal import read_journal
from weft.engines.native import NativeEngine
from weft.engines.sandboxed import MEMORY, OUTPUT, VARIABLE, WALL, run_in_sandbox
from weft.machine import MachineFile

from tests.missing import need_sandbox

ENGINE = NativeEngine("flow", "crate", ())
MAIN = '#include "mgen.h"\nint MGEN_Main(int argc, char **argv) { (void)argc; (void)argv; '
DEVICE = "#include </dev/random>\n"
#: Each line is four times the one before.
BOMB = "#define A0 1\n" + "".join(
    f"#define A{i} A{i - 1} + A{i - 1} + A{i - 1} + A{i - 1}\n" for i in range(1, 20)
)
LOOPS = MAIN + "for (;;) { } }\n"
PRINTS = "#include <stdio.h>\n" + MAIN + 'for (;;) printf("%s", __FILE__); }\n'
FILLS = (
    "#include <stdlib.h>\n#include <string.h>\n"
    + MAIN
    + "for (int i = 0; i < 100; i++) { char *p = malloc(1L << 30); if (!p) return 1;"
    " memset(p, 1, 1L << 30); } return 0; }\n"
)
SENDS = MAIN + (
    "int rank; MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);"
    " if (rank) MGEN_Recv(NULL, 1000, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);"
    " else MGEN_Send(NULL, 1000, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD); return 0; }\n"
)
SMALL_LIMITS = {WALL: "600", MEMORY: str(600 << 20), OUTPUT: str(10 << 20)}


@pytest.fixture
def program(
    job: Callable[..., ShardJob], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], ShardJob]:
    """A job of one point that runs this program in a sandbox with small limits."""
    need_sandbox()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "required")
    for name, value in SMALL_LIMITS.items():
        monkeypatch.setenv(name, value)

    def make(code: str) -> ShardJob:
        (tmp_path / "own.c").write_text(code)
        point = {
            "point_id": "p",
            "digest": "d",
            "engine": "flow",
            "seed": 1,
            "topology": {"kind": "crossbar", "nodes": 2},
            "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 0.0, "hop_latency_s": 0.0},
            "workload": {"kind": "program", "program": "own", "ranks": 2, "source": "own.c",
                         "arguments": [], "message_bytes": None},
            "options": {"model": "equal_share", "payload": "sizes", "eager_limit_bytes": 16384,
                        "zero_copy_limit_bytes": None, "rank_to_node": "linear",
                        "ranks_per_node": 1, "rank_file": None, "stack_bytes": 65536,
                        "loop_limit_s": 60.0, "tables": [], "series_interval_s": 1e-6},
        }  # fmt: skip
        made = job(engine_version=ENGINE.version(MachineFile(), None), points=[point])
        order = {**made.shard, "engine": "flow", "shard": "x"}
        made.shard_file.write_text(json.dumps(order))
        return made

    return make


def test_a_program_runs_in_a_sandbox(program: Callable[[str], ShardJob]) -> None:
    found = program(MAIN + "return 0; }\n")
    ENGINE.run(found)
    (line,) = read_journal(found.journal)
    assert line["status"] == "done", line
    log = found.log.read_text()
    assert "runs in a sandbox of bubblewrap" in log
    assert "programs are confined by Landlock" in log


@pytest.mark.parametrize(
    ("code", "limits"),
    [
        (BOMB + MAIN + "return A19; }\n", ["takes more than 8 s", "of memory"]),
        (LOOPS, ["takes more than 8 s"]),
    ],
    ids=["bomb", "loops"],
)
def test_what_never_ends_is_ended_at_a_limit(
    code: str,
    limits: list[str],
    program: Callable[[str], ShardJob],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(WALL, "8")
    found = program(code)
    ENGINE.run(found)
    (line,) = read_journal(found.journal)
    said = str(line["error"])
    assert (line["status"], said.startswith("the sandbox was ended: ")) == ("failed", True), line
    assert any(limit in said for limit in limits), said
    assert found.log.stat().st_size < 1 << 20


def test_the_compiler_reads_no_device(program: Callable[[str], ShardJob]) -> None:
    found = program(DEVICE)
    ENGINE.run(found)
    (line,) = read_journal(found.journal)
    assert "/dev/random: Permission denied" in str(line["error"])


def test_a_program_that_prints_without_end_is_ended(program: Callable[[str], ShardJob]) -> None:
    """By the simulator, whose limit of output a quick machine meets before that of the sandbox."""
    found = program(PRINTS)
    ENGINE.run(found)
    (line,) = read_journal(found.journal)
    assert line["status"] == "failed", line
    assert "prints or writes more than 67108864 B" in str(line["error"])
    assert found.log.stat().st_size < 1 << 20


def test_a_program_that_fills_the_memory_is_ended(program: Callable[[str], ShardJob]) -> None:
    found = program(FILLS)
    ENGINE.run(found)
    (line,) = read_journal(found.journal)
    assert "it uses more than 629145600 B of memory" in str(line["error"])


def test_only_the_point_that_misbehaves_fails(
    program: Callable[[str], ShardJob], tmp_path: Path
) -> None:
    (tmp_path / "good.c").write_text(SENDS)
    made = program(FILLS)
    alone = with_points(made, ["good", "good"])
    ENGINE.run(alone)
    expected = {line["digest"]: line["metrics"] for line in read_journal(alone.journal)}
    assert [bool(metrics) for metrics in expected.values()] == [True, True]
    alone.journal.unlink()
    together = with_points(made, ["good", "own", "good", "own"])
    ENGINE.run(together)
    lines = {line["digest"]: line for line in read_journal(together.journal)}
    assert [lines[f"d{i}"]["status"] for i in range(4)] == ["done", "failed", "done", "failed"]
    # An answer does not depend on what ran beside it.
    assert lines["d0"]["metrics"] == expected["d0"]
    assert {str(lines[f"d{i}"]["error"]) for i in (1, 3)} == {
        "the sandbox was ended: it uses more than 629145600 B of memory"
    }
    assert not (together.directory / "alone.json").exists()


def with_points(job: ShardJob, programs: list[str]) -> ShardJob:
    """The job with a point for each of these programs."""
    (like,) = job.shard["points"]
    points = [
        {
            **like,
            "point_id": f"p{i}",
            "digest": f"d{i}",
            "workload": {**like["workload"], "program": name, "source": f"{name}.c"},
        }
        for i, name in enumerate(programs)
    ]
    made = replace(job, shard={**job.shard, "points": points})
    job.shard_file.write_text(json.dumps({**made.shard, "engine": "flow", "shard": "x"}))
    return made


def test_where_a_sandbox_is_demanded_nothing_runs_without_one(
    program: Callable[[str], ShardJob], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = program(MAIN + "return 0; }\n")
    with pytest.raises(EngineError, match="an image cannot run in a sandbox"):
        run_in_sandbox(replace(found, image=Path("flow.sif")), ["weft-flow"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="bwrap is not installed"):
        ENGINE.run(found)
    monkeypatch.setenv(VARIABLE, "maybe")
    with pytest.raises(EngineError, match="use required, or unset it"):
        ENGINE.run(found)
