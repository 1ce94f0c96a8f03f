"""Writes the switch points of a machine: for weft, for the multicast, and for MPI libraries."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import yaml

from weft.files import replace_text
from weft.files.calibrations import read_calibration
from weft.machine import MachineFile
from weft.report.data.source import open_study
from weft.tuning import mpich, openmpi
from weft.tuning.library import built_in_table_of
from weft.tuning.switch_points import Bucket, buckets, rows, rules
from weft.tuning.tables import MULTICAST, Asked, asked_tables


def write_tuning(plan: Path, database: Path, configs: Path, out: Path) -> list[Path]:
    """Write `out` (YAML) and files beside it; the files that were written.

    Raises ValueError if the experiment gives no switch points, EngineError where the machine has no
    MPI.
    """
    with open_study(plan, database, configs) as study:
        asked = asked_tables(study)
        engines, machine = ", ".join(study.engines), study.plan.machine
        calibration = study.folder.calibration
        fitted = read_calibration(calibration) if calibration.is_file() else {}
    texts = {out: _yaml(out.stem, engines, fitted, asked)}
    for each in asked:
        if each.collective == MULTICAST:
            text = rules(buckets(each.values, each.best))
            texts[out.with_suffix(".multicast")] = f"{_HEAD}# {_FOR_MULTICAST}\n{text}\n"
    texts[out.with_suffix(".openmpi.rules")] = openmpi.dynamic_rules(
        _tables(asked, openmpi.ALGORITHMS)
    )
    if (tree := _mpich(machine, asked)) is not None:
        texts[out.with_suffix(".mpich.json")] = json.dumps(tree, indent=1) + "\n"
    for path, text in texts.items():
        replace_text(path, text)
    return list(texts)


_HEAD = "# Written by weft: the best algorithms as predicted from this machine's ping-pong.\n"
_FOR_MULTICAST = "For the program group_multicast, or MGEN_Multicast_read_rules of multicast.h."


def _yaml(machine: str, engines: str, fitted: Mapping[str, object], asked: Sequence[Asked]) -> str:
    lines = [_HEAD + "# Copy a table below engine.<name> of an experiment file.", f"# {engines}"]
    lines += [f"machine: {machine}"]
    numbers = {key: value for key, value in fitted.items() if not isinstance(value, dict | list)}
    if numbers:
        lines.append(yaml.safe_dump({"fitted": numbers}).rstrip())
    for each in asked:
        lines.append(f"{each.collective}_algorithm:")
        for row in rows(buckets(each.values, each.best)):
            words = {
                key: f"{value} B" if key == "up_to" else str(value) for key, value in row.items()
            }
            words["use"] = json.dumps(words["use"])
            lines.append(f"  - {{{', '.join(f'{key}: {word}' for key, word in words.items())}}}")
    return "\n".join(lines) + "\n"


def _tables(
    asked: Sequence[Asked], known: Mapping[str, Collection[str]]
) -> dict[str, list[Bucket]]:
    """The tables of the collectives that a library has, with the best of its own algorithms."""
    return {
        each.collective: buckets(each.values, each.best, known[each.collective])
        for each in asked
        if each.collective in known
    }


def _mpich(machine: MachineFile, asked: Sequence[Asked]) -> mpich.Tree | None:
    base = built_in_table_of(machine)
    return mpich.tuning_file(base, _tables(asked, mpich.ALGORITHMS)) if base else None
