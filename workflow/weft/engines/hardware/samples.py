"""What the measuring programs write, read back; and the table of samples."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from weft.engines.hardware.quality import MOST_STEAL, Judged, judge
from weft.engines.journal import MetricLine
from weft.files import replacing

UNIT = "s"
COLUMNS = ["metric", "bytes", "repetition", "seconds", "lost"]
SAMPLE_COLUMNS = ("metric", "message_bytes", "repetition", "value", "unit", "lost")
WAITING = "waiting"
#: Key of the header of a run that measured nothing: the program asks for another level of threads
#: than MPI began with.
THREADS_ASKED = "threads_asked"
Key = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One program's output: how it was measured, and every repetition by metric and size.

    `header` is about the whole run, `by_rank` what each rank said: `host`, `cpus`, `cores`,
    `sockets`, `numas`, `fabric`, `cpu_s`, `peak_rss_bytes`. `lost` counts for every repetition the
    ranks that lost their processor; `waiting` holds by size how long it was measured, and how long
    the rank that waited most had no processor then.
    """

    header: dict[str, str]
    by_rank: dict[str, list[str]]
    samples: dict[Key, list[float]]
    lost: dict[Key, list[int]] = field(default_factory=dict)
    waiting: dict[int | None, tuple[float, float]] = field(default_factory=dict)

    def judged(self) -> dict[Key, Judged]:
        """Every metric at every size, in ascending order: its value, and what is wrong with it."""
        return {
            key: judge(values, self.lost[key], self._waiting_share(key[1]))
            for key, values in self.sorted_samples()
        }

    def _waiting_share(self, size: int | None) -> float:
        elapsed_s, waited_s = self.waiting.get(size, (0.0, 0.0))
        # Of several threads each waits by itself.
        return min(waited_s / elapsed_s, 1.0) if elapsed_s > 0 else 0.0

    def extend(self, other: Measurement) -> None:
        """Add the repetitions of another measurement of the same."""
        for key, values in other.samples.items():
            self.samples.setdefault(key, []).extend(values)
            self.lost.setdefault(key, []).extend(other.lost[key])
        for size, more in other.waiting.items():
            known = self.waiting.get(size, (0.0, 0.0))
            self.waiting[size] = known[0] + more[0], known[1] + more[1]

    def environment(self) -> dict[str, object]:
        """MPI, clock, hosts and processors by rank."""
        collected: dict[str, Any] = dict(self.header)
        for key in ("clock_tick_s", "clock_step_s"):
            if key in collected:
                collected[key] = float(collected[key])
        return {**collected, "hosts": self.of_ranks("host"), "cpus": self.of_ranks("cpus")}

    def of_ranks(self, key: str) -> list[str]:
        """What every rank said under `key`; empty when none did."""
        return self.by_rank.get(key, [])

    def sorted_samples(self) -> list[tuple[Key, list[float]]]:
        """The repetitions of every metric at every size, in ascending order."""
        return sorted(self.samples.items(), key=lambda item: (item[0][0], item[0][1] or 0))

    def write_samples(self, path: Path) -> None:
        """Write every repetition as CSV with the columns of table `samples`, atomically."""
        with replacing(path) as unfinished, unfinished.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(SAMPLE_COLUMNS)
            for (metric, size), values in self.sorted_samples():
                lost = self.lost[metric, size]
                writer.writerows(
                    (metric, size, i, value, UNIT, ranks)
                    for i, (value, ranks) in enumerate(zip(values, lost, strict=True))
                )


def judged_values(measurement: Measurement, crowded: bool, steal: float) -> dict[Key, Judged]:
    """Every value, and what is wrong with it.

    Ranks that outnumber the processors lose them all the time: that was asked for, and is no flaw.
    `steal` is the share of the processors' time that a hypervisor took.
    """
    if crowded:
        return {key: Judged(median(v), None) for key, v in measurement.sorted_samples()}
    found = measurement.judged()
    if steal <= MOST_STEAL:
        return found
    problem = f"a hypervisor took {steal:.0%} of the processors' time"
    return {key: Judged(each.value, each.problem or problem) for key, each in found.items()}


def metric_rows(values: Mapping[Key, Judged]) -> list[MetricLine]:
    """The values as the journal holds them."""
    return [_row(metric, size, judged) for (metric, size), judged in values.items()]


def _row(metric: str, size: int | None, judged: Judged) -> MetricLine:
    row: MetricLine = {
        "metric": metric,
        "message_bytes": size,
        "value": judged.value,
        "unit": UNIT,
    }
    if judged.problem:
        row["flag"] = judged.problem
    return row


def read_measurement(path: Path) -> Measurement:
    """Read the output of a measuring program.

    Raises ValueError naming the file when it is incomplete or something else.
    """
    measurement = Measurement({}, {}, {})
    with path.open(newline="") as file:
        line = file.readline()
        while line.startswith("# "):
            _add_entry(measurement, line)
            line = file.readline()
        if line.rstrip("\n").split(",") != COLUMNS:
            raise ValueError(f"{path.name}: the columns are not {', '.join(COLUMNS)}")
        for line in file:
            if line.startswith("# "):
                _add_entry(measurement, line)
            else:
                _add_row(measurement, line.rstrip("\n").split(","), path)
    if not measurement.samples and THREADS_ASKED not in measurement.header:
        raise ValueError(f"{path.name}: no samples")
    return measurement


def _add_entry(measurement: Measurement, line: str) -> None:
    """`# key=text`, or `# key.rank=text`, by ascending ranks; of every size how long it took."""
    key, _, text = line[2:].rstrip("\n").partition("=")
    name, _, rank = key.partition(".")
    if key == WAITING:
        size, elapsed_s, waited_s = text.split(",")
        measurement.waiting[_size(size)] = float(elapsed_s), float(waited_s)
    elif rank.isdigit():
        measurement.by_rank.setdefault(name, []).append(text)
    else:
        measurement.header[key] = text


def _size(text: str) -> int | None:
    """A program without sizes leaves theirs empty, or below 0."""
    return int(text) if text and not text.startswith("-") else None


def _add_row(measurement: Measurement, row: list[str], path: Path) -> None:
    try:
        metric, size, _, seconds, lost = row
        key, value, ranks = (metric, _size(size)), float(seconds), int(lost)
    except ValueError as error:
        raise ValueError(f"{path.name}: '{','.join(row)}' is not a sample") from error
    measurement.samples.setdefault(key, []).append(value)
    measurement.lost.setdefault(key, []).append(ranks)
