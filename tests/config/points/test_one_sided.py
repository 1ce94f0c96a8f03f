"""Programs with one-sided calls, for an engine that has none."""

import pytest
from weft.plan import expand

SMPI = "engines: [smpi]\ntopology: {nodes: 8}\nworkload: {kind: program, program: own}\n"
PLAIN = "#include <mpi.h>\nint main(void) { return 0; }\n"
PUTS = '#include "mgen.h"\nint MGEN_Main(int c, char **v) { MGEN_rdma_put(1, 8, 0); return 0; }\n'
ASKS = PUTS.replace("MGEN_rdma_put", "if (MGEN_rdma_available()) MGEN_rdma_put")


@pytest.fixture(autouse=True)
def _no_group(tree):
    (tree.root / "programs").mkdir(exist_ok=True)


def test_smpi_refuses_a_program_that_cannot_do_without_one_sided_calls(tree):
    (tree.root / "programs/own.c").write_text(PUTS)
    message = "smpi has no one-sided calls, and programs/own.c makes some without asking"
    tree.refuses(SMPI, "workload.program", message)


@pytest.mark.parametrize("text", [ASKS, PLAIN], ids=["asks", "plain"])
def test_smpi_takes_programs_that_ask_and_plain_ones(tree, text):
    (tree.root / "programs/own.c").write_text(text)
    tree.experiment(SMPI)
    assert len(expand(tree.load())) == 1
