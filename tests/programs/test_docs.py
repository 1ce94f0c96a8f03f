"""The program that docs/mgen.md shows: its experiment is planned, its C file runs."""

import re
from pathlib import Path

import pytest
from weft.plan import expand

from tests.config.conftest import Tree, tree
from tests.hardware.test_programs import measured

__all__ = ["tree"]
TEXT = (Path(__file__).parents[2] / "docs" / "mgen.md").read_text()


def block(language: str) -> str:
    return next(iter(re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)))


def test_the_experiment_of_the_docs_asks_both_engines(tree: Tree) -> None:
    tree.write("experiment/my_shift.c", block("c"))
    tree.write("experiment/x.yaml", block("yaml"))
    points = expand(tree.load())
    assert [point.spec["engine"] for point in points] == ["rdma", "hardware"]
    assert {p.spec["workload"]["source"] for p in points} == {"configs/experiment/my_shift.c"}


@pytest.mark.slow
def test_the_program_of_the_docs_runs(tmp_path: Path) -> None:
    source = tmp_path / "my_shift.c"
    source.write_text(block("c"))
    assert ("program_time_s", 8) in measured(tmp_path, source, "--sizes", 8, ranks=2).samples
