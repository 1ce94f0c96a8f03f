"""Which engines of an experiment may give a metric."""

from __future__ import annotations

from weft.config.model.engine import DeclaredEngine
from weft.config.model.expectation import AgreementExpected
from weft.config.model.experiment import Experiment
from weft.tables.metrics import COSTS, DERIVED


def engines_giving(experiment: Experiment, metric: str) -> list[str]:
    """The engines that may give `metric` for some kind of workload.

    What no engine declares a program measures itself: all engines of programs may give it.
    """
    declared = {name: experiment.declared[name] for name in experiment.engines}
    found = [name for name, engine in declared.items() if _gives(engine, metric)]
    return found or [name for name, engine in declared.items() if "program" in engine.answers]


def shared_metrics(experiment: Experiment, asked: AgreementExpected) -> list[str]:
    """The metrics of the figures that both engines give, costs left out."""
    shown = [each.asked.metric for each in experiment.figures if each.asked.metric]
    engines = [each for each in asked.engines().values() if each in experiment.engines]
    return [
        metric
        for metric in dict.fromkeys(shown)
        if metric not in COSTS and set(engines) <= set(engines_giving(experiment, metric))
    ]


def _gives(engine: DeclaredEngine, metric: str) -> bool:
    if engine.metrics is None or metric in COSTS:
        return True
    derived = next((each.of for each in DERIVED if each.name == metric), {metric})
    return any(set(derived) <= set(names) for names in engine.metrics.values())
