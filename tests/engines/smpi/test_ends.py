"""How points end that SMPI does not answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.config.model.engine import declared_engines
from weft.machine import MachineFile

from tests.engines.simgrid.points import CUBE, ROOT, TORUS, needs_simgrid, run
from tests.engines.smpi.points import SMPI, line_of, point, written

PAIR = {"kind": "crossbar", "nodes": 2}
MPI = (
    "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n"
)


def test_without_simgrid_points_are_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "g++").write_text("#!/bin/sh\n")
    (tmp_path / "g++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    line = line_of(tmp_path / "out", "pingpong", 2, PAIR)
    assert line["status"] == "skipped"
    assert line["error"].startswith("no SimGrid: install it")


def test_routings_that_are_chosen_on_the_way_are_refused() -> None:
    capabilities = declared_engines(ROOT / "configs")["smpi"].capabilities
    assert capabilities.problems(point("alltoall", 12, TORUS)) == []
    (problem,) = capabilities.problems(
        point("alltoall", 16, {**CUBE, "routing": "minimal_adaptive"})
    )
    assert "smpi does not answer 'minimal_adaptive'" in problem.message


@pytest.mark.slow
class TestHere:
    """With a real SimGrid."""

    @pytest.fixture(autouse=True)
    def _simgrid(self) -> None:
        needs_simgrid()

    def test_the_version_names_library_and_module(self) -> None:
        version = SMPI.version(MachineFile(), None)
        assert [len(part) for part in version.split("+")] == [12, 12]

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            ("return 2;", "left no times"),
            ("MGEN_rdma_put(1, 8, 0);", "left no times"),
            ("MGEN_Recv(NULL, 1, MGEN_BYTE, 1 - rank, 0, MGEN_COMM_WORLD, NULL);", "left no times"),
            ("this is no C;", "it does not compile"),
            ("*(volatile int *)0 = 1;", "exit code"),
        ],
        ids=["code", "put", "deadlock", "compiler", "crash"],
    )
    def test_a_program_that_breaks_fails_its_point(
        self, tmp_path: Path, body: str, reason: str
    ) -> None:
        line = line_of(tmp_path, written(tmp_path, body), 2, PAIR)
        assert line["status"] == "failed"
        assert reason in line["error"]

    def test_one_sided_calls_are_named(self, tmp_path: Path) -> None:
        line = line_of(tmp_path, written(tmp_path, "MGEN_rdma_put(1, 8, 0);"), 2, PAIR)
        assert "smpi has no one-sided calls" in next(tmp_path.glob("smpi-*.log")).read_text()
        assert line["status"] == "failed"

    def test_a_plain_program_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "plain.c").write_text(MPI)
        line = line_of(tmp_path, str(tmp_path / "plain.c"), 2, PAIR)
        assert "smpi runs programs of MGEN" in line["error"]

    def test_more_ranks_than_nodes_are_refused(self, tmp_path: Path) -> None:
        line = line_of(tmp_path, "alltoall", 3, PAIR)
        assert "3 ranks are more than the 2 nodes" in line["error"]

    def test_a_run_beyond_its_time_is_ended(self, tmp_path: Path) -> None:
        program = written(tmp_path, "for (volatile int i = 0;; i++) {}")
        line = line_of(tmp_path, program, 2, PAIR, machine={"simulation_timeout_s": 1.0})
        assert line["error"].startswith("smpi was stopped after 1 s")

    def test_arguments_and_input_reach_the_program(self, tmp_path: Path) -> None:
        (tmp_path / "input.txt").write_text("42")
        body = """
            FILE *file = fopen(argv[1], "r");
            int number = 0;
            if (argc != 4 || fscanf(file, "%d", &number) != 1 || number != 42) return 1;
            if (strcmp(argv[2], "two words; $HOME *") || strcmp(argv[3], "x7")) return 1;"""
        program = Path(written(tmp_path, body))
        text = program.read_text()
        program.write_text("#include <stdio.h>\n#include <string.h>\n" + text)
        asked = point(str(program), 2, PAIR, sizes=[7])
        asked["workload"]["arguments"] = ["{input}", "two words; $HOME *", "x{message_bytes}"]
        asked["workload"]["input"] = str(tmp_path / "input.txt")
        (line,) = run(SMPI, tmp_path / "out", [asked])
        assert line["error"] is None, line
