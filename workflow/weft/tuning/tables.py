"""Which tables a page's maps of choices give: by collective, and for the multicast."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from weft.config.model.figures import BestChoice
from weft.report.data.axes import SIZE
from weft.report.data.choices import Best, choice_order, choice_values
from weft.report.data.source import Study
from weft.tuning.switch_points import Values

MULTICAST = "multicast"
_RANKS = "workload.ranks"
_OPTION, _ALGORITHM = "options.", "_algorithm"


@dataclass(frozen=True, slots=True)
class Asked:
    """What one map of choices compares: the values of a collective's algorithms."""

    collective: str
    best: Best
    values: Values


def asked_tables(study: Study) -> list[Asked]:
    """The tables of the maps by ranks and sizes, in the order of the page.

    A map among algorithms of an option is of that collective; any other one is of the multicast,
    whose algorithms have the names of variants. Raises ValueError if there is no such map.
    """
    found = []
    for figure in study.plan.report.figures:
        if not isinstance(figure, BestChoice) or (figure.x, figure.y) != (_RANKS, SIZE):
            continue
        cells, _ = choice_values(study, figure, None, figure.where)
        order = choice_order(study, figure)
        # Of choices that are equally good, the one that is planned first wins.
        values = {
            (int(str(across)), int(str(down))): {n: fmean(v[n]) for n in order if n in v}
            for (_, down, across), v in cells.items()
        }
        higher = study.metrics[figure.value].direction == "higher"
        if values:
            found.append(Asked(_collective(figure.among), max if higher else min, values))
    if not found:
        raise ValueError(
            f"{study.plan.experiment} has no map of choices with values, by workload.ranks and "
            "message_bytes, to take switch points from"
        )
    return found


def _collective(among: str) -> str:
    if among.startswith(_OPTION) and among.endswith(_ALGORITHM):
        return among.removeprefix(_OPTION).removesuffix(_ALGORITHM)
    return MULTICAST
