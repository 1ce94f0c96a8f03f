"""The values of each choice at each place of a map of choices, for pages and for tuning tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from weft.analysis.findings import Value, on_common_draws
from weft.config.model.figures import BestChoice
from weft.report.data.draws import value_of
from weft.report.data.source import Study, Where
from weft.report.data.units import value_label

#: A place of the map: its panel, and its values down and across.
Place = tuple[object, object, object]
#: At each place the replicates of each choice, of the draws that all of them have.
Replicates = dict[Place, dict[str, Sequence[float]]]
#: `min` where the lower value is the better one, `max` where the higher one is.
Best = Callable[[Iterable[float]], float]


def best_of(values: Mapping[str, float], best: Best) -> str:
    """The name with the best value; the first of several."""
    wanted = best(values.values())
    return next(name for name, value in values.items() if value == wanted)


def choice_order(study: Study, figure: BestChoice) -> list[str]:
    """All choices, in planned order."""
    values = study.values.get(figure.among, [])
    return [choice_label(study, figure, value) for value in values if value is not None]


def choice_label(study: Study, figure: BestChoice, value: object) -> str:
    """A choice as people read it."""
    return value_label(figure.among, value, study.scales.get(figure.among))


def choice_values(
    study: Study, figure: BestChoice, row: str | None, where: Where, *, judges: bool = False
) -> tuple[Replicates, set[Place]]:
    """The replicates of each choice at each place, and the places that are left out: those of a
    busy machine and, where values judge others, those of ranks that shared processors."""
    keys = [key for key in (row, figure.y, figure.x, figure.among) if key]
    places = [key for key in keys if key != figure.among]
    busy = {
        tuple(each.place[key] for key in places)
        for each in study.means(figure.value, places, where)
        if each.flag or (judges and each.crowded)
    }
    found: dict[Place, dict[str, Value]] = {}
    left_out: set[Place] = set()
    for each in study.replicates(figure.value, keys, where):
        here = each.place
        place = (here[row] if row else None, here[figure.y], here[figure.x])
        if here[figure.among] is None or None in place[1:]:
            continue
        if tuple(here[key] for key in places) in busy:
            left_out.add(place)
        else:
            label = choice_label(study, figure, here[figure.among])
            found.setdefault(place, {})[label] = value_of(study, each)
    common = {place: on_common_draws(list(mine.values())) for place, mine in found.items()}
    shared: Replicates = {
        place: {name: v.replicates for name, v in zip(mine, common[place], strict=True)}
        for place, mine in found.items()
        if common[place]
    }
    return shared, left_out
