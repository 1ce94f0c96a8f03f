"""What the measuring programs write, read back; and the table of samples."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from weft.files import replacing

UNIT = "s"
COLUMNS = ["metric", "bytes", "repetition", "seconds"]
SAMPLE_COLUMNS = ("metric", "message_bytes", "repetition", "value", "unit")


@dataclass(frozen=True, slots=True)
class Measurement:
    """One program's output: how it was measured, and every repetition by metric and size.

    `header` is about the whole run, `by_rank` what each rank said: `host`, `cpus`, `cores`,
    `sockets`, `numas`, `fabric`, `cpu_s`, `peak_rss_bytes`.
    """

    header: dict[str, str]
    by_rank: dict[str, list[str]]
    samples: dict[tuple[str, int | None], list[float]]

    def metrics(self) -> list[dict[str, Any]]:
        """The median of every metric at every size, in ascending order."""
        return [
            {"metric": metric, "message_bytes": size, "value": median(values), "unit": UNIT}
            for (metric, size), values in self._sorted()
        ]

    def environment(self) -> dict[str, Any]:
        """MPI, clock, hosts and processors by rank."""
        collected: dict[str, Any] = dict(self.header)
        for key in ("clock_tick_s", "clock_step_s"):
            if key in collected:
                collected[key] = float(collected[key])
        return {**collected, "hosts": self.of_ranks("host"), "cpus": self.of_ranks("cpus")}

    def of_ranks(self, key: str) -> list[str]:
        """What every rank said under `key`; empty when none did."""
        return self.by_rank.get(key, [])

    def _sorted(self) -> list[tuple[tuple[str, int | None], list[float]]]:
        return sorted(self.samples.items(), key=lambda item: (item[0][0], item[0][1] or 0))

    def write_samples(self, path: Path) -> None:
        """Write every repetition as CSV with the columns of table `samples`, atomically."""
        with replacing(path) as unfinished, unfinished.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(SAMPLE_COLUMNS)
            for (metric, size), values in self._sorted():
                writer.writerows((metric, size, i, value, UNIT) for i, value in enumerate(values))


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
                _add_row(measurement.samples, line.rstrip("\n").split(","), path)
    if not measurement.samples:
        raise ValueError(f"{path.name}: no samples")
    return measurement


def _add_entry(measurement: Measurement, line: str) -> None:
    """`# key=text`, or `# key.rank=text`, by ascending ranks."""
    key, _, text = line[2:].rstrip("\n").partition("=")
    name, _, rank = key.partition(".")
    if rank.isdigit():
        measurement.by_rank.setdefault(name, []).append(text)
    else:
        measurement.header[key] = text


def _add_row(
    samples: dict[tuple[str, int | None], list[float]], row: list[str], path: Path
) -> None:
    """A program without sizes leaves theirs empty."""
    try:
        metric, size, _, seconds = row
        samples.setdefault((metric, int(size) if size else None), []).append(float(seconds))
    except ValueError as error:
        raise ValueError(f"{path.name}: '{','.join(row)}' is no sample") from error
