"""How points end that SMPI does not answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.config.model.engine import declared_engines
from weft.engines.base import ShardJob
from weft.engines.simgrid.installation import installation
from weft.machine import MachineFile

from tests.engines.simgrid.points import CUBE, ROOT, TORUS, needs_simgrid, run
from tests.engines.smpi.points import SMPI, line_of, plain, point, written

PAIR = {"kind": "crossbar", "nodes": 2}


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


def test_in_an_image_programs_start_in_the_folder_of_their_results(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whose files they name without a folder; so the image is named by its whole path."""
    (tmp_path / "apptainer").write_text("#!/bin/sh\n")
    (tmp_path / "apptainer").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    folder, image = Path("results/shard"), Path("containers/images/simgrid-0.sif")
    job = ShardJob({"points": []}, folder / "in.json", folder, 1, folder / "log", image)
    start = installation(job).start
    assert start[-3:] == ("--pwd", str(tmp_path / folder), str(tmp_path / image))


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
            ("return 2;", "reported no times"),
            ("MGEN_rdma_put(1, 8, 0);", "reported no times"),
            (
                "MGEN_Recv(NULL, 1, MGEN_BYTE, 1 - rank, 0, MGEN_COMM_WORLD, NULL);",
                "reported no times",
            ),
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

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            (
                "MPI_Comm graph; MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, 0, 0, 0, 0, 0,"
                " MPI_INFO_NULL, 0, &graph);",
                "exit code 134: Not yet implemented: PMPI_Dist_graph_create_adjacent (output: ",
            ),
            ("MPI_Abort(MPI_COMM_WORLD, 3);", "no times: MPI_Abort was called"),
            (
                "MPI_Send(0, 0, MPI_INT, 77, 0, MPI_COMM_WORLD);",
                "134: PMPI_Send: param 4 dst (=77)",
            ),
            ("MPI_Recv(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, 0);", "no times: Oops! Deadlock"),
            ("assert(rank < 0);", "134: Assertion `rank < 0' failed (output: "),
        ],
        ids=["unknown call", "abort", "argument", "deadlock", "assertion"],
    )
    def test_the_error_says_why_simgrid_or_the_program_gave_up(
        self, tmp_path: Path, body: str, reason: str
    ) -> None:
        program = Path(plain(tmp_path, body))
        program.write_text(f"#include <assert.h>\n{program.read_text()}")
        line = line_of(tmp_path, str(program), 2, PAIR)
        assert reason in line["error"]

    @pytest.mark.parametrize(
        ("end", "reason"),
        [
            ("return 0;", "exit code"),
            ("MPI_Finalize(); return 3;", "exit code 3"),
            ("exit(4);", "exit code 4"),
        ],
        ids=["no MPI_Finalize", "code", "exit"],
    )
    def test_a_plain_program_that_breaks_fails_its_point(
        self, tmp_path: Path, end: str, reason: str
    ) -> None:
        line = line_of(tmp_path, plain(tmp_path, "", end), 2, PAIR)
        assert line["status"] == "failed"
        assert reason in line["error"]

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
