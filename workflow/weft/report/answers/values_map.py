"""What a map of values says: where the best one is, and which settings come near it."""

from __future__ import annotations

from weft.config.model.figures import Map
from weft.report.answers.wording import headed
from weft.report.data.settings_in_words import key_name, lowered, placed
from weft.report.data.source import Study
from weft.report.data.units import counted, listing, quantity, settings_label, value_label
from weft.report.kinds.map.rows import MapCell, MapData, map_data

#: How near to the best value a cell still counts as good.
NEAR = 0.1
#: More rows are not named one by one.
_MOST = 6


def value_map_sentences(study: Study, figure: Map) -> list[str]:
    """`The highest accepted rate, 0.8, is at …; from 8 flits on, 4 virtual channels are within
    10 % of it`. Nothing for a map of ratios, and for a metric of which no value is better."""
    direction = study.metrics[figure.value].direction
    data = map_data(study, figure)
    if figure.of or direction == "neutral" or not data.judged:
        return []
    end = min if direction == "lower" else max
    best = end(data.judged, key=lambda cell: cell.value)
    near = [cell for cell in data.judged if abs(cell.value - best.value) <= NEAR * abs(best.value)]
    worst = "lowest" if direction == "lower" else "highest"
    top = quantity(best.value, study.metrics[figure.value].unit)
    share = f"{len(near):,} of {counted(len(data.judged), 'cell')}"
    text = (
        f"the {worst} {lowered(data.label)}, {top}, is {placed(best.at)}; {share}"
        f" {'is' if len(near) == 1 else 'are'} within {NEAR:.0%} of it"
    )
    return [headed([], f"{text}{_where(data, near)}")]


def _where(data: MapData, near: list[MapCell]) -> str:
    """`: along VC buffer flits from 16 on (virtual channels 4)`, where x has numbers."""
    x = data.figure.x
    numbers = all(isinstance(cell.setting(x), int | float) for cell in data.judged)
    rows: dict[str, list[tuple[float, bool]]] = {}
    for cell in data.judged if numbers else ():
        panel = settings_label([(data.figure.row, data.panel(cell))]) if data.figure.row else ""
        name = ", ".join(each for each in (panel, lowered(data.name(cell))) if each)
        rows.setdefault(name, []).append((float(str(cell.setting(x))), cell in near))
    if not rows or len(rows) > _MOST or len(near) == len(data.judged):
        return ""
    said: dict[str, list[str]] = {}
    for name, cells in rows.items():
        said.setdefault(_stretch(x, sorted(cells)), []).append(name)
    parts = [f"{text} ({listing(names)})" for text, names in said.items()]
    return f": along {key_name(x)} {listing(parts)}"


def _stretch(x: str, cells: list[tuple[float, bool]]) -> str:
    """From where to where the cells of one row are near the best one."""
    flags = [near for _, near in cells]
    if True not in flags:
        return "nowhere"
    if flags == sorted(flags):
        return f"from {value_label(x, cells[flags.index(True)][0])} on"
    if flags == sorted(flags, reverse=True):
        return f"up to {value_label(x, cells[flags.index(False) - 1][0])}"
    return f"at {sum(flags)} of {len(flags)}"
