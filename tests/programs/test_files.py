"""Files of programs: what their accesses cost, and what is refused."""

from pathlib import Path

import pytest

from tests.programs.simulator import run_line, simulated

pytestmark = pytest.mark.slow
LATENCY_S, RATE = 1e-3, 1e9
STORAGE = {"storage_latency_s": LATENCY_S, "storage_bandwidth_bytes_per_s": RATE}
BYTES = 1 << 20
ENGINES = ("flow", "packet", "rdma")


def _program(folder: Path, body: str) -> Path:
    """Ranks that have opened a file together, and measure what `body` does in `time_s`."""
    source = folder / "files.c"
    source.write_text(
        "#include <mpi.h>\n#include <mgen.h>\n"
        f"static char data[{BYTES}];\n"
        "int main(int argc, char **argv) {\n    int rank;\n    MPI_File f;\n"
        "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        '    MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_CREATE | MPI_MODE_RDWR, 0, &f);\n'
        "    MPI_Barrier(MPI_COMM_WORLD);\n    double begin = MPI_Wtime();\n"
        f"    {body}\n"
        '    MGEN_Sample("time_s", MPI_Wtime() - begin);\n'
        "    MPI_File_close(&f);\n    MPI_Finalize();\n    return 0;\n}\n"
    )
    return source


WRITE = "MPI_File_write_at(f, (MPI_Offset)rank * sizeof data, data, sizeof data, MPI_BYTE, 0);"


@pytest.mark.parametrize("engine", ENGINES)
def test_ranks_share_the_bandwidth_and_each_access_has_the_latency(engine, tmp_path):
    source = _program(tmp_path, WRITE)
    done = simulated(tmp_path, source, 3, engine=engine, stack_bytes=1 << 18, **STORAGE)
    assert done["time_s"] == pytest.approx(LATENCY_S + 3 * BYTES / RATE, rel=1e-3)
    # Opening and closing are accesses, too.
    assert (done["file_accesses"], done["file_bytes"]) == (9, 3 * BYTES)


def test_a_read_costs_what_the_file_holds(tmp_path):
    body = f"if (rank == 0) {{ {WRITE} begin = MPI_Wtime();"
    body += "MPI_File_read_at(f, sizeof data / 2, data, sizeof data, MPI_BYTE, 0); }"
    done = simulated(tmp_path, _program(tmp_path, body), 2, stack_bytes=1 << 18, **STORAGE)
    assert done["time_s"] == pytest.approx(LATENCY_S + BYTES / 2 / RATE, rel=1e-3)


def test_a_rank_computes_while_the_storage_serves_its_request(tmp_path):
    body = "MPI_Request r; MPI_File_iwrite_at(f, 0, data, 1, MPI_BYTE, &r);"
    body += "MGEN_Comp(0.9e-3); MPI_Wait(&r, MPI_STATUS_IGNORE);"
    done = simulated(tmp_path, _program(tmp_path, body), 1, stack_bytes=1 << 18, **STORAGE)
    assert done["time_s"] == pytest.approx(LATENCY_S, rel=1e-3)


def test_files_are_refused_by_option_with_the_key_to_change(tmp_path):
    source = _program(tmp_path, WRITE)
    options = {"stack_bytes": 1 << 18, "files": "refused"}
    line, _ = run_line(tmp_path, source, 2, None, (), None, "flow", None, options)
    assert "MPI_File_open: engine.flow.files refuses files; set it to modelled" in line["error"]


def test_without_data_of_messages_files_have_their_size_and_holes(tmp_path):
    """Three terabytes, whose holes no limit counts."""
    body = "data[0] = 7; MPI_File_write_at(f, 3000000000000, data, 1, MPI_BYTE, 0);"
    body += "MPI_File_read_at(f, 3000000000000, data, 1, MPI_BYTE, 0);"
    body += "MPI_Offset size; MPI_File_get_size(f, &size);"
    body += "if (size != 3000000000001 || data[0] != 0) MPI_Abort(MPI_COMM_WORLD, 4);"
    source = _program(tmp_path, body)
    done = simulated(tmp_path, source, 2, stack_bytes=1 << 18, payload="sizes")
    assert done["file_bytes"] == 4
