"""Papers are computed in their short forms, and wrong answers are tried on every claim.

A claim that is called independent counts as reproduced, so its bounds have to reject them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from weft.analysis.claims import Claim, Evidence, judge, read_claims
from weft.analysis.detected import create_detected
from weft.analysis.wrong_answers import Scrutiny, scrutinise
from weft.database.narrow import narrow
from weft.database.reading import reading

from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.long("claims")]

ROOT = Path(__file__).parents[2]
ENGINES = ("anet", "flow", "model", "packet", "rdma")
#: What this machine measures depends on what else it does.
MEASURED = ("multicast_measured",)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which nothing has run, with the simulators of this one."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "Snakefile", folder)
    for name in ("workflow", "profiles", "envs", "configs", "hardware", "programs"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def scrutinised(paper: str, project: Path) -> tuple[list[Claim], dict[str, Scrutiny]]:
    """The claims, and what becomes of wrong answers once the experiments that they ask have run."""
    file = project / f"configs/paper/{paper}.yaml"
    text = file.read_text()
    known = sorted(path.stem for path in project.glob(f"configs/experiment/{paper}_*.yaml"))
    names = [name for name in known if f"'{name}'" in text and name not in MEASURED]
    simulators = ROOT / "simulators/target/release"
    subprocess.run(
        [sys.executable, "-m", "snakemake", "-c2", "--config", "effort=quick", "--"]
        + [f"results/{name}/collected.json" for name in names],
        cwd=project,
        env={
            **os.environ,
            **{f"WEFT_{name.upper()}": str(simulators / f"weft-{name}") for name in ENGINES},
            "PYTHONPATH": str(project / "workflow"),
        },
        timeout=PATIENCE_S,
        check=True,
    )
    about = yaml.safe_load(text)
    with reading(project / "results/weft.duckdb") as connection:
        narrow(connection, [f"{name}@quick" for name in names])
        create_detected(connection, about.get("detected") or (), names, paper)
        claims = read_claims(about["claims"], paper)
        judged = judge(claims, about["views"], connection)
        return claims, scrutinise(judged, about["views"], connection)


@pytest.mark.parametrize("paper", ["anet", "mfs", "multicast", "nsim_ace", "opennsim"])
def test_wrong_answers_miss_a_bound_of_every_claim_that_is_called_independent(
    paper: str, project: Path
) -> None:
    claims, found = scrutinised(paper, project)
    independent = {each.name for each in claims if each.evidence == Evidence.INDEPENDENT}
    assert found
    assert independent <= {*found}, "a claim has no data"
    assert {name: found[name].text() for name in independent if found[name].vacuous} == {}
