"""What a report reads: one plan and its part of the database, aggregated in SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import duckdb
import numpy as np
import numpy.typing as npt

from weft.config.model.declaration import FIDELITIES
from weft.database import reading
from weft.database.sql import Row as DatabaseRow
from weft.database.sql import quoted
from weft.files.layout import ExperimentFolder
from weft.plan.plan import Plan
from weft.plan.points import Points
from weft.plan.stored import read_plan
from weft.report.data.aggregates import (
    MeanValue,
    PublishedValue,
    Quartiles,
    ReplicateValues,
    Settings,
)
from weft.report.data.axes import SIZE, SIZE_KEY, axes_table, point_settings
from weft.report.data.job_names import with_programs_of_jobs
from weft.report.data.metrics import Metrics, load_metrics
from weft.report.data.settings import (
    VARIANT,
    admits,
    independent,
    of_networks,
    optional,
    plain,
    several,
)
from weft.report.data.study_views import create_study_views, planned_places
from weft.report.data.units import Scale, key_scale

Row = Settings
Where = Mapping[str, object]
NOWHERE: Where = MappingProxyType({})


@dataclass
class Study:
    """One experiment: its plan, the metrics' meaning, and a connection for queries."""

    plan: Plan
    plan_path: Path
    metrics: Metrics
    connection: duckdb.DuckDBPyConnection
    configs: Path
    """The folder of experiments, papers and metrics."""
    _distinguishing: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    @property
    def folder(self) -> ExperimentFolder:
        """The files of the experiment."""
        return ExperimentFolder.of_plan(self.plan_path)

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """Engines in the order of the plan."""
        return tuple(self.plan.points.engines)

    @cached_property
    def seeds_of_engines(self) -> dict[str, int]:
        """With how many seeds each engine is asked."""
        rows = self.query("SELECT engine, count(DISTINCT seed) AS seeds FROM axes GROUP BY engine")
        return {row["engine"]: row["seeds"] for row in rows}

    @cached_property
    def _distinct(self) -> tuple[Points, npt.NDArray[np.int64]]:
        return self.plan.points.settings()

    @property
    def distinct(self) -> Points:
        """One point of all that differ in nothing but their seed: there are few of these, however
        many points there are."""
        return self._distinct[0]

    @property
    def alike(self) -> npt.NDArray[np.int64]:
        """For every point the place of its like in `distinct` and `settings`."""
        return self._distinct[1]

    @cached_property
    def settings(self) -> list[Row]:
        """Every parameter of every `distinct` point under its dotted key."""
        found = [point_settings(point) for point in self.distinct]
        if self.plan.report.variants:
            for settings in found:
                settings[VARIANT] = self.variant(settings)
        return found

    def settings_of(self, point_ids: Iterable[str]) -> dict[str, Row]:
        """The settings of those of `point_ids` that are planned, in planned order."""
        places = np.sort(self.plan.points.places(list(point_ids)))
        places = places[places >= 0]
        ids, alike = self.plan.points.ids_at(places), self.alike[places].tolist()
        return {point_id: self.settings[n] for point_id, n in zip(ids, alike, strict=True)}

    def variant(self, settings: Row) -> str | None:
        """The name that the report gives to these settings: the first variant that fits."""
        return next(
            (
                name for name, wanted in self.plan.report.variants
                if all(admits(value, settings.get(key)) for key, value in wanted.items())
            ),
            None,
        )  # fmt: skip

    @cached_property
    def values(self) -> dict[str, list[object]]:
        """The distinct planned values of each parameter, in planned order."""
        found: dict[str, dict[str, object]] = {}
        for settings in self.settings:
            for key, value in settings.items():
                found.setdefault(key, {})[repr(value)] = value
        return {key: list(values.values()) for key, values in found.items()}

    @cached_property
    def scales(self) -> dict[str, Scale | None]:
        """The unit in which all values of a parameter are shown, where it has one."""
        return {key: key_scale(key, values) for key, values in self.values.items()}

    @cached_property
    def swept(self) -> tuple[str, ...]:
        """Coordinates with more than one value, `engine` left out, in planned order."""
        others = ("engine", SIZE, SIZE_KEY, "seed")
        keys = dict.fromkeys(key for point in self.distinct for key in point.coordinates)
        return tuple(key for key in keys if key not in others and self._varies(key))

    def distinguishing(self, named: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The swept keys that distinguish places, without those that follow from others.

        Keys that are `named`, and what follows from them, are left out.
        """
        if named not in self._distinguishing:
            known = ("engine", VARIANT, *named)
            self._distinguishing[named] = independent(self.settings, self.swept, known)
        return self._distinguishing[named]

    def _varies(self, key: str) -> bool:
        seen = {repr(s.get(key)) for s in self.settings}
        return len(seen) > 1

    def chosen(self, where: Where) -> list[Row]:
        """Those of the `settings` that have the values `where`."""
        known = {key: value for key, value in where.items() if key in self.values}
        if not known:
            return list(self.settings)
        return [
            settings
            for settings in self.settings
            if all(
                (settings.get(key) is None and self._need_not_have(key, settings["engine"]))
                or admits(value, settings.get(key))
                for key, value in known.items()
            )
        ]

    @cached_property
    def answered(self) -> dict[str, int]:
        """Metrics that have values, with the number of distinct message sizes of each.

        In the order of `metrics.yaml`; those that are not described come last.
        """
        rows = self.query(
            "SELECT metric, count(DISTINCT message_bytes) AS sizes FROM measured"
            " GROUP BY metric ORDER BY metric"
        )
        ranks = {name: rank for rank, name in enumerate(self.metrics)}
        rows.sort(key=lambda row: ranks.get(row["metric"], len(ranks)))
        return {row["metric"]: row["sizes"] for row in rows}

    def query(
        self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
    ) -> list[Row]:
        """Rows of `sql` as dictionaries; parameters go by place, or by name."""
        given = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
        cursor = self.connection.execute(sql, given)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def means(self, metric: str, keys: Sequence[str], where: Where = NOWHERE) -> list[MeanValue]:
        """The mean of `metric` over the points `where` that agree in `keys`, sorted by these."""
        columns, filters, wanted = self._columns(keys), *self._filter(where)
        rows = self._rows(
            f"SELECT {columns} avg(value), count(*), stddev_samp(value),"
            " string_agg(DISTINCT flag, '; ' ORDER BY flag),"
            " bool_or(point_id IN (SELECT point_id FROM crowded))"
            " FROM measured JOIN axes USING (point_id)"
            f" WHERE metric = ?{filters} GROUP BY ALL ORDER BY ALL",
            [metric, *wanted],
        )
        return [MeanValue(*_placed(keys, row)) for row in rows]

    def replicates(
        self,
        metric: str,
        keys: Sequence[str],
        where: Where = NOWHERE,
        drawn: Sequence[str] | None = None,
    ) -> list[ReplicateValues]:
        """The values of `metric` at the points `where` that agree in `keys`, and the draw of
        each: its seed, and the values of `drawn` or the place of what else varies in the plan.

        Such places join alternatives that a key holds together: the others vary in each of them.
        """
        columns, filters, wanted = self._columns(keys), *self._filter(where)
        apart = [quoted(k) for k in keys if k in self.values]
        others = [quoted(k) for k in self.swept if k in self._axes and k not in keys]
        nth = ["nth"] if drawn is None and others else []
        named = ["axes.seed", *map(quoted, drawn or ()), *nth]
        of_points, asked = self._filter({k: v for k, v in where.items() if k != SIZE})
        order = ", ".join(named)
        draw = f"[{', '.join(f'CAST({name} AS VARCHAR)' for name in named)}]"
        rows = self._rows(
            f"WITH planned AS ({planned_places(apart, others, of_points)})"
            f" SELECT {columns} list(value ORDER BY {order}),"
            f" list({draw if len(named) > 1 else order} ORDER BY {order})"
            " FROM measured JOIN axes USING (point_id) LEFT JOIN planned USING (point_id)"
            f" WHERE metric = ?{filters} GROUP BY ALL ORDER BY ALL",
            [*(asked if others else []), metric, *wanted],
        )
        return [
            ReplicateValues(place, values, [tuple(d) if isinstance(d, list) else d for d in draws])
            for place, values, draws in (_placed(keys, row) for row in rows)
        ]

    def quartiles(
        self, metric: str, keys: Sequence[str], where: Where = NOWHERE
    ) -> list[Quartiles]:
        """Quartiles of the raw repetitions, if an engine kept them."""
        columns, filters, wanted = self._columns(keys), *self._filter(where)
        rows = self._rows(
            f"SELECT {columns} quantile_cont(value, 0.25), quantile_cont(value, 0.75), count(*)"
            " FROM samples JOIN axes USING (point_id)"
            f" WHERE experiment = getvariable('experiment') AND metric = ?{filters}"
            " GROUP BY ALL ORDER BY ALL",
            [metric, *wanted],
        )
        return [Quartiles(*_placed(keys, row)) for row in rows]

    def states(self, metric: str, where: Where) -> dict[str, int]:
        """How many of the planned points `where` are `judged`: done, with a trusted value of
        `metric`. The others by what is wrong with them."""
        with_size, wanted = self._filter(where)
        of_points, asked = self._filter({k: v for k, v in where.items() if k != SIZE})
        rows = self._rows(
            f"WITH asked AS (SELECT point_id FROM axes WHERE true{of_points}),"
            " given AS (SELECT point_id, bool_or(flag IS NOT NULL) AS flagged"
            " FROM measured JOIN axes USING (point_id)"
            f" WHERE metric = ?{with_size} GROUP BY point_id)"
            " SELECT CASE WHEN status IS NULL THEN 'not run' WHEN status <> 'done' THEN status"
            " WHEN given.point_id IS NULL THEN 'without a value' WHEN flagged THEN 'flagged'"
            " WHEN crowded.point_id IS NOT NULL THEN 'crowded' ELSE 'judged' END AS state, count(*)"
            " FROM asked LEFT JOIN final_runs USING (point_id) LEFT JOIN given USING (point_id)"
            " LEFT JOIN crowded USING (point_id) GROUP BY state ORDER BY state",
            [*asked, metric, *wanted],
        )
        return {str(state): int(count) for state, count in rows}

    def published(self, references: Iterable[str]) -> list[PublishedValue]:
        """The numbers of `paper/item` references."""
        rows: list[DatabaseRow] = []
        for reference in dict.fromkeys(references):
            paper, _, item = reference.partition("/")
            rows += self._rows(
                "SELECT coordinates, item, series, metric, value, note FROM published"
                " WHERE paper = ? AND item = ? ORDER BY rowid",
                [paper, item],
            )
        return [
            PublishedValue(item, series, metric, value, self._stated(coordinates), note or "")
            for coordinates, item, series, metric, value, note in rows
        ]

    def _stated(self, coordinates: str | None) -> Row:
        found: Row = json.loads(coordinates or "{}")
        variant = self.variant(found)
        return {**found, VARIANT: variant} if variant else found

    def _rows(self, sql: str, parameters: Sequence[object]) -> list[DatabaseRow]:
        return self.connection.execute(sql, [*parameters]).fetchall()

    def _columns(self, keys: Sequence[str]) -> str:
        names = [quoted(k) if k in self._axes else f"NULL AS {quoted(k)}" for k in keys]
        return "".join(f"{name}, " for name in names)

    def _filter(self, where: Where) -> tuple[str, list[str]]:
        sql, wanted = "", []
        for key, value in where.items():
            if key in self._axes:
                allowed = [str(plain(each)) for each in several(value)]
                marks = ", ".join("?" for _ in allowed)
                test = f"CAST({quoted(key)} AS VARCHAR) IN ({marks})"
                wanted += allowed
                others = [each for each in self.engines if self._need_not_have(key, each)]
                if others:
                    names = ", ".join("?" for _ in others)
                    test = f"({test} OR ({quoted(key)} IS NULL AND axes.engine IN ({names})))"
                    wanted += others
                sql += f" AND {test}"
        return sql, wanted

    def _need_not_have(self, key: str, engine: object) -> bool:
        """Whether a filter on `key` leaves points of `engine` alone that have no such setting."""
        facts = self.plan.report.engines.get(str(engine))
        measures = facts is not None and facts.fidelity == FIDELITIES[-1]
        return optional(key) or (measures and of_networks(key))

    @cached_property
    def _axes(self) -> frozenset[str]:
        return frozenset({SIZE, *self.values})


def _placed(keys: Sequence[str], row: DatabaseRow) -> DatabaseRow:
    """The settings that begin a row of `keys`, as one, and what follows them."""
    return dict(zip(keys, row, strict=False)), *row[len(keys) :]


@contextmanager
def open_study(plan_path: Path, database: Path, configs: Path) -> Iterator[Study]:
    """Open the plan's answers read-only."""
    with reading(database) as connection:
        study = Study(read_plan(plan_path), plan_path, load_metrics(configs), connection, configs)
        study.metrics = with_programs_of_jobs(study.metrics, study.distinct)
        axes = axes_table(study.plan.points, study.alike, study.settings, study.values)
        connection.register("axes", axes)
        create_study_views(connection, study.plan.experiment)
        yield study
