"""Collectives that the machine's MPI library did without messages."""

from __future__ import annotations

import re

from weft.config.model.own_programs import TIMED_COLLECTIVES
from weft.files import JsonObject
from weft.report.data.caveats import Caveat
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.source import Row, Study
from weft.report.data.units import listing
from weft.report.record.readable_facts import decoded

#: MPICH does these through shared memory if all ranks are on one node:
#: maint/tuning/coll/ch4/posix_generic.json, the same in MPICH 4.0.2 and 5.0.2.
_THROUGH_MEMORY = ("allreduce", "barrier", "bcast", "reduce")
_MPICH = re.compile(r"MPICH Version:\s*(\d+)")
_FIRST_MPICH = 4


def through_shared_memory(study: Study) -> list[Caveat]:
    """A line where predictions of messages stand beside a collective that sent none."""
    predictors = [engine for engine in study.engines if fidelity(study, engine) != MACHINE]
    machines = [engine for engine in study.engines if engine not in predictors]
    if not predictors or not machines:
        return []
    runs = study.query(
        "SELECT axes.engine AS engine, point_id, environment FROM final_runs"
        " JOIN axes USING (point_id) WHERE status = 'done' AND list_contains(?, axes.engine)"
        " ORDER BY started_at, point_id",
        [machines],
    )
    settings = study.settings_of(run["point_id"] for run in runs)
    found = [
        (run["engine"], collective) for run in runs
        if (collective := _collective(settings[run["point_id"]]))
        and _is_through_memory(collective, decoded(run["environment"] or "{}"))
    ]  # fmt: skip
    if not found:
        return []
    measured, names = (listing(list(dict.fromkeys(each))) for each in zip(*found, strict=True))
    verb = "predicts" if len(predictors) == 1 else "predict"
    return [
        Caveat(
            f"MPICH sends no messages in the {names} that {measured} measures.",
            "All ranks are on one node, and it uses their shared memory."
            f" {listing(predictors)} {verb} the time of messages.",
        )
    ]


def _collective(settings: Row) -> str | None:
    """The collective whose time a point measures, done as the library chooses."""
    collective = TIMED_COLLECTIVES.get(str(settings.get("workload.source")))
    is_chosen = settings.get(f"options.{collective}_algorithm") == "library"
    return collective if is_chosen else None


def _is_through_memory(collective: str, facts: JsonObject) -> bool:
    hosts = facts.get("hosts") or []
    version = _MPICH.match(str(facts.get("mpi_library") or ""))
    return (
        collective in _THROUGH_MEMORY
        and len(hosts) > 1
        and len(set(hosts)) == 1
        and version is not None
        and int(version[1]) >= _FIRST_MPICH
    )
