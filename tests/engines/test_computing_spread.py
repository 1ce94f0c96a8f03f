"""How far the runs that measured a program's computing differ reaches its answers."""

import pytest
from weft.files.layout import ExperimentFolder

from tests.config.conftest import tree
from tests.engines.test_computing import HEAD, noted, programs, run, specs, times

__all__ = ["programs", "tree"]


def test_every_answer_says_how_far_the_runs_of_its_computing_differ(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    body = HEAD + "sweep: {engine.flow.compute_factor: [1, 10]}\n"
    tables = run(mine, "flow", specs(tree, body))
    (known, _) = noted(tables)
    [spread] = known["spreads"]
    assert 0 <= spread["spread_s"] < known["computed_s"][0]
    found = [row["value"] for row in tables["metrics"] if row["metric"] == "computing_spread"]
    expected = [
        factor * spread["spread_s"] / time_s
        for factor, time_s in zip((1, 10), times(tables), strict=True)
    ]
    assert found == pytest.approx(expected)
    # What is declared was not measured.
    (declared,) = specs(tree, "engines: [flow]\n")
    free = run(ExperimentFolder(tmp_path / "results" / "f"), "flow", [declared], "c" * 12)
    assert not [row for row in free["metrics"] if row["metric"] == "computing_spread"]
