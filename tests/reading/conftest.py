"""One project in which one experiment was run by real Snakemake, for all who only read."""

import shutil

import pytest
from weft.read import Project

from tests.busy_machine import measures_patiently
from tests.workflow.conftest import BINARY, ROOT
from tests.workflow.conftest import Project as Copy

#: How often a busy machine measures.
ATTEMPTS = 4
FIGURES = """
figures:
  - line: {x: topology.k, y: makespan_s}
  - table: {x: topology.k, y: makespan_s}
"""


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("reading"))


@pytest.fixture(scope="session")
def project(copy: Copy) -> Project:
    path = copy.small("tori", [3, 4, 5], title="Tori")
    path.write_text(path.read_text() + FIGURES)
    done = copy.collect("tori")
    assert done.code == 0, done.output
    copy.small("untouched", [3], title="Not run yet")
    copy.write("broken", "title: Broken\nquestion: Why?\nengines: [flw]\n")
    return Project(copy.folder)


@pytest.fixture(scope="session")
def with_quickstart(copy: Copy, project: Project) -> Project:
    """The same project after its quickstart, which compiles and measures: few tests need that."""
    shutil.copy(ROOT / "configs" / "experiment" / "quickstart.yaml", project.configs / "experiment")
    copy.environment |= {
        f"WEFT_{name.upper()}": str(BINARY.with_name(f"weft-{name}")) for name in ("rdma", "packet")
    }
    measures_patiently(project.root)
    # What was measured on a busy machine calibrates nothing, and other tests run beside this.
    for _ in range(ATTEMPTS):
        done = copy.collect("quickstart", "--config", "retry_flagged=true")
        assert done.code == 0, done.output
        if project.layout.results.experiment("quickstart").calibration.exists():
            break
    return project
