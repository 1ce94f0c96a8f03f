"""Points are formed in one pass with the check of their experiment."""

from pathlib import Path

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.config.points.questions import Questions
from weft.plan import expand
from weft.plan.expansion import Expansions

CONFIGS = Path(__file__).parents[2] / "configs"
#: Replicates, equal questions of two settings, options by engine, swept groups, graphs, programs.
SHIPPED = ("quickstart", "latency_load", "degraded_fabric", "tapered_fat_tree", "program_map")


def unasked(_):
    return None


@pytest.mark.slow
def test_points_of_the_check_are_those_of_an_expansion():
    expansions = Expansions(unasked)
    loaded = load_experiments(CONFIGS, SHIPPED, making=expansions.begin)
    for experiment in loaded:
        found, formed = expansions.points(experiment), expand(experiment)
        assert [*found] == [*formed], experiment.name


def test_what_was_checked_is_not_formed_again(monkeypatch):
    expansions = Expansions(unasked)
    (experiment,) = load_experiments(CONFIGS, ["quickstart"], making=expansions.begin)
    count = len(expand(experiment))

    def formed(_):
        raise AssertionError("questions are formed again")

    monkeypatch.setattr(Questions, "__iter__", formed)
    assert len(expansions.points(experiment)) == count
    with pytest.raises(AssertionError, match="formed again"):
        expansions.points(experiment)


def test_an_experiment_with_a_mistake_at_one_point_forms_none(tree):
    tree.experiment("sweep: {workload.per_node: [1, 2, -1, 3]}\n")
    seen = []
    with pytest.raises(ConfigErrors, match="per_node"):
        load_experiments(tree.configs, making=lambda *_: seen.append)
    assert [question.assignment["workload.per_node"] for question in seen] == [1, 2]
