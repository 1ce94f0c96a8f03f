"""Numbers as people read them: µs instead of 1e-06 s, KiB instead of 1024 B."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from weft.report.data.word_lists import holds_numbers, words_label, words_of

_PREFIXES = {
    "s": [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
    "B/s": [(1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1.0, "B/s")],
    "B": [(2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B")],
}
_KEYS = {
    "message_bytes": "Message size",
    "topology.k": "k",
    "topology.nodes": "Nodes",
    "topology.kind": "Topology",
    "topology.failed.links": "Failed links",
    "topology.failed.switches": "Failed switches",
    "workload.pattern": "Pattern",
    "workload.ranks": "Ranks",
    "options.model": "Model",
    "network.software.put_s": "Node latency",
    "network.nic.dma_unit": "DMA unit",
    "engine": "Engine",
}
#: Words of keys that are abbreviations.
_SHORT = {"vc", "mtu", "nic", "dma", "mpi"}
_SUFFIXES = {
    "_bytes_per_s": "B/s",
    "_s": "s",
    "_delay_cycles": "cycle",
    "_latency_cycles": "cycle",
}


@dataclass(frozen=True, slots=True)
class Scale:
    """Divide stored values by `factor` to get `unit`."""

    factor: float
    unit: str

    def text(self, value: float) -> str:
        """`value` in this scale, with its unit."""
        number = short(value / self.factor)
        return f"{number} {self.unit}" if self.unit else number


_CYCLES = Scale(1.0, "cycles")
#: The mean of equal values may differ from them in the last digits: 1 GiB is not 1,024 MiB.
_ROUNDING = 1 - 1e-9


def scale_for(unit: str, values: Iterable[float]) -> Scale:
    """The prefix that suits the typical (geometric middle) of `values`."""
    if unit == "1":
        return Scale(1.0, "")
    if unit == "cycle":
        return _CYCLES
    sizes = [abs(v) for v in values if v and math.isfinite(v)]
    if unit not in _PREFIXES or not sizes:
        return Scale(1.0, unit)
    middle = math.exp(sum(map(math.log, sizes)) / len(sizes))
    for factor, name in _PREFIXES[unit]:
        if middle >= factor * _ROUNDING:
            return Scale(factor, name)
    return Scale(*_PREFIXES[unit][-1])


def quantity(value: float | None, unit: str) -> str:
    """One value with the prefix that suits it; a dash for none."""
    return "–" if value is None else scale_for(unit, [value]).text(value)


def short(value: float) -> str:
    """Four significant digits, without exponents for everyday sizes."""
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e7:
        return f"{value:.3g}"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_spread(value: float, half: float, unit: str) -> str:
    """`34.4 ± 0.6 µs`: the spread with two digits, the value no finer than that."""
    scale = scale_for(unit, [value])
    return f"{spread(value / scale.factor, half / scale.factor)} {scale.unit}".rstrip()


def spread(value: float, half: float) -> str:
    """`34.4 ± 0.6` without a unit."""
    digits = max(0, 1 - math.floor(math.log10(half))) if half > 0 else 3
    return f"{value:,.{digits}f} ± {half:,.{digits}f}"


def factor(value: float) -> str:
    """A ratio as people say it: ×1.03, ×12.5, ×8,880."""
    if value < 10:
        return f"×{value:.2f}"
    return f"×{value:.3g}" if value < 1000 else f"×{float(f'{value:.3g}'):,.0f}"


#: Ratios this near to 1 are of equal values: sums in another order have other last digits.
ROUNDING = 1e-12


def deviation(value: float) -> str:
    """How far a ratio is from 1: ×1.03, or `0.3%` where a factor would show as ×1.00. Only 1 itself
    is off by `0.0%`."""
    if value >= 1.005:
        return factor(value)
    off = value - 1
    digits = max(1, -math.floor(math.log10(off)) - 2) if off > ROUNDING else 1
    return f"{off:.{digits}%}"


def counted(number: float, name: str) -> str:
    """`1 point`, `1,024 points`."""
    return f"{short(number)} {name}{'' if number == 1 else 's'}"


def listing(texts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; `a, b; and c` where a comma is inside one of them."""
    *others, last = texts
    if not others:
        return last
    if any(", " in text for text in (*others, last)):
        return f"{'; '.join(others)}; and {last}"
    return f"{', '.join(others)} and {last}"


def key_label(key: str) -> str:
    """A parameter's dotted key as an axis title."""
    if key in _KEYS:
        return _KEYS[key]
    text = key.rsplit(".", 1)[-1]
    if _unit(key) in ("s", "B/s", "cycle"):  # values bring their unit along
        text = text.removesuffix("_s").removesuffix("_bytes_per").removesuffix("_cycles")
    words = text.removesuffix("_bytes").split("_")
    text = " ".join(word.upper() if word in _SHORT else word for word in words)
    return text[:1].upper() + text[1:]


def _unit(key: str) -> str | None:
    """The unit that a key's suffix names; of cycles only where the rest of the key says of what."""
    return next((unit for suffix, unit in _SUFFIXES.items() if key.endswith(suffix)), None)


def prefixes(key: str) -> Sequence[tuple[float, str]]:
    """The units in which values of `key` may be shown, the greatest first; empty if it has none."""
    return _PREFIXES.get("B" if key.endswith("_bytes") else _unit(key) or "", [])


def is_logarithmic(key: str, asked: bool | None) -> bool:
    """Whether an axis of `key` is logarithmic: as a figure asks, else where it counts bytes."""
    return key.endswith("_bytes") if asked is None else asked


def key_scale(key: str, values: Iterable[object]) -> Scale | None:
    """One unit for all `values` of a parameter.

    None where it has no unit, or where the values lie too far apart to be read in one.
    """
    unit = _unit(key)
    numbers = [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    if unit is None or not numbers:
        return None
    scale = scale_for(unit, numbers)
    sizes = [abs(number) / scale.factor for number in numbers if number]
    return scale if not sizes or (min(sizes) >= 1e-3 and max(sizes) < 1e5) else None


def titled(label: str, scale: Scale | None) -> str:
    """The title of an axis or a column, with the unit of its values."""
    return f"{label} [{scale.unit}]" if scale and scale.unit else label


def value_label(key: str, value: object, scale: Scale | None = None) -> str:
    """A parameter's value as people read it, in `scale` if one is given; words stay as written."""
    if value is None:
        return "–"
    if scale and scale.unit != _CYCLES.unit and isinstance(value, int | float):
        return scale.text(value)
    if key.endswith("_bytes") and isinstance(value, (int, float)):
        return bytes_label(float(value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        unit = _unit(key)
        if unit == "cycle":
            return counted(value, "cycle")
        if unit:
            return quantity(float(value), unit)
    if isinstance(value, float):
        return short(value)
    words = words_of(value)
    return str(value) if words is None else words_label(words)


def in_unit(key: str, value: object, scale: Scale | None) -> str:
    """A parameter's value below a heading that has its unit."""
    if scale is None or not isinstance(value, int | float):
        return value_label(key, value)
    return short(value / scale.factor)


def bytes_label(value: float) -> str:
    """64 KiB, 1 MiB, 100 B."""
    for size, unit in _PREFIXES["B"]:
        if value >= size and value % (size / 4 if size > 1 else 1) == 0:
            return f"{short(value / size)} {unit}"
    return f"{short(value)} B"


#: Units of the parameters that have one for all their values.
Scales = Mapping[str, Scale | None]
_NO_SCALES: Scales = MappingProxyType({})


def series_label(
    names: Iterable[str], row: Mapping[str, object], scales: Scales = _NO_SCALES
) -> str:
    """`flow · max_min`: numbers with their key, words without.

    Words of several keys of one kind, like `barrier_algorithm` and `bcast_algorithm`, say whose
    they are: `barrier ring · bcast binomial`.
    """
    given = {name: row[name] for name in names if row.get(name) is not None}
    kinds = Counter(name.rpartition("_")[2] for name in given if "_" in name)
    parts = []
    for name, value in given.items():
        whose, _, kind = name.rpartition(".")[2].rpartition("_")
        if holds_numbers(value):
            parts.append(f"{key_label(name)} {value_label(name, value, scales.get(name))}")
        elif whose and kinds[kind] > 1:
            parts.append(f"{whose.replace('_', ' ')} {value_label(name, value)}")
        else:
            parts.append(value_label(name, value))
    return " · ".join(parts) or "all"


def settings_label(settings: Iterable[tuple[str, object]], scales: Scales = _NO_SCALES) -> str:
    """`k = 16, pattern = tornado` for a place in the parameter space."""
    return ", ".join(
        f"{_lower(key_label(k))} = {value_label(k, v, scales.get(k))}" for k, v in settings
    )


def place_label(key: str, value: object) -> str:
    """A value that stands alone: words as written, a number with its key, as in `k = 16`."""
    stands = isinstance(value, str) and not holds_numbers(value)
    return value_label(key, value) if stands else settings_label([(key, value)])


def _lower(label: str) -> str:
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def day_and_time(moment: datetime) -> str:
    """A moment in UTC, to the minute."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def greatest(unit: str, values: Sequence[float]) -> Scale:
    """The prefix for the greatest value: most of a timeline may be near nothing."""
    return scale_for(unit, [max(map(abs, values), default=1.0)])
