"""What recordings need of their environment."""

import pytest


@pytest.fixture
def root_may_run_in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    # Over vader, MPI_Compare_and_swap of osc/rdma in Open MPI 4.1.4 ends in a segmentation fault.
    monkeypatch.setenv("OMPI_MCA_osc", "pt2pt")
