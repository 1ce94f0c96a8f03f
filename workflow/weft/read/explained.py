"""Where every value of an experiment comes from, and what became of one point."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.config import Experiment, load_experiments
from weft.config.compose.composition import Composition, experiment_files
from weft.config.compose.key_origin import Origin
from weft.config.compose.overrides import split_overrides
from weft.config.compose.search_path import searched
from weft.config.language.errors import unknown
from weft.config.points.column_names import column_names
from weft.database.sql import Row
from weft.plan.variant import Changes, base_name, read_changes
from weft.read.errors import ReadError
from weft.read.project import Project


@dataclass(frozen=True, slots=True)
class Setting:
    """A resolved key: its value as text, and the file and line, or what else, that set it."""

    key: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class PointRecord:
    """One point: its settings, how its last run ended, and its shard's folder if it has one."""

    point_id: str
    experiment: str
    engine: str
    replicate: int
    seed: int
    status: str
    error: str | None
    notes: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    """Kind and path below `results/` of each file that lies beside the tables."""
    settings: tuple[Setting, ...]
    rows: int
    shard: Path | None


def explain_experiment(name: str, project: Project) -> list[Setting]:
    """Every key of an experiment, or of a variant that was run, with its origin; swept keys last.

    Raises ReadError for an unknown name and ConfigErrors for mistakes in the file.
    """
    experiment, origin = _loaded(name, project)
    flat = dict(_flat(_sections(experiment)))
    swept = {key: axis for axis in experiment.sweep.axes for key in axis.keys}
    found = [
        Setting(key, _text(value), origin.written(key))
        for key, value in flat.items()
        if key not in swept
    ]
    for key, axis in swept.items():
        place = axis.keys.index(key)
        values = dict.fromkeys(_text(row[place]) for row in axis.rows)
        found.append(Setting(key, f"swept: {', '.join(values)}", origin.written(key)))
    return found


def explain_point(point_id: str, project: Project) -> list[PointRecord]:
    """What is known of a point, in each experiment that asks for it.

    Raises ReadError when no experiment that was run has such a point.
    """
    with project.connect() as connection:
        files = connection.execute(
            "SELECT experiment, kind, path FROM files WHERE point_id = ? ORDER BY ALL", [point_id]
        ).fetchall()
        rows = connection.execute(
            "SELECT p.experiment, p.engine, p.replicate, p.seed, p.spec,"
            " coalesce(r.status, 'missing'), r.error, r.environment,"
            " (SELECT count(*) FROM all_metrics AS m WHERE m.experiment = p.experiment"
            "  AND m.point_id = p.point_id)"
            " FROM points AS p LEFT JOIN last_runs AS r USING (experiment, point_id)"
            " WHERE p.point_id = ? ORDER BY ALL",
            [point_id],
        ).fetchall()
    if not rows:
        raise ReadError(f"no point '{point_id}' was run here: `weft answers EXPERIMENT` has ids")
    return [
        _record(point_id, row, [(str(f[1]), str(f[2])) for f in files if f[0] == row[0]], project)
        for row in rows
    ]


def _record(
    point_id: str, row: Row, files: Sequence[tuple[str, str]], project: Project
) -> PointRecord:
    name, engine, replicate, seed, spec, status, error, environment, count = row
    experiment, origin = _loaded(str(name), project)
    keys = {column: key for key, column in column_names(experiment).items() if key != column}
    settings = []
    for column, value in _flat(json.loads(spec)):
        key = keys.get(column, column)
        if key.startswith("options."):
            key = f"engine.{engine}.{key.removeprefix('options.')}"
        settings.append(Setting(column, _text(value), origin.written(key)))
    left = project.left.results.experiment(str(name))
    shards = (path.stem for path in left.orders() if point_id in path.read_text())
    folders = (left.shard(str(engine), each).path for each in shards)
    shard = next((folder for folder in folders if folder.is_dir()), None)
    return PointRecord(
        point_id,
        str(name),
        str(engine),
        replicate,
        seed,
        status,
        error,
        _notes(environment),
        tuple(files),
        tuple(settings),
        count,
        shard,
    )


def _notes(environment: str | None) -> tuple[str, ...]:
    found = json.loads(environment or "{}")
    notes = found.get("notes") if isinstance(found, dict) else None
    return tuple(map(str, notes or ()))


def _loaded(name: str, project: Project) -> tuple[Experiment, Origin]:
    base = base_name(name)
    folders = searched(project.configs, project.search_path)
    files = experiment_files(*folders)
    if base not in files:
        raise ReadError(unknown("experiment", base, files))
    changes = read_changes(project.left.results.experiment(name).path) or Changes()
    loaded = load_experiments(project.configs, [base], {}, project.search_path)
    quick = loaded[0].settings.quick if changes.quick else ()
    texts = (*quick, *changes.overrides)
    if texts:
        loaded = load_experiments(project.configs, [base], {base: texts}, project.search_path)
    overrides, _ = split_overrides(folders, texts)
    asked = Composition(folders, base, overrides.choices, overrides.lines)
    return loaded[0], Origin(asked, files[base][0], overrides)


def _sections(experiment: Experiment) -> Mapping[str, object]:
    """Settings, chosen groups and composed sections, options of the engines that answer."""
    first = next(iter(experiment.bases.values()))
    engines = {name: first["engine"][name] for name in experiment.engines}
    chosen = dict(experiment.choices)
    own = {"engines": list(experiment.engines), "seed": experiment.settings.seed}
    own |= {"replicates": experiment.settings.replicates}
    points = {group: {"": chosen[group], **dict(first[group])} for group in chosen}
    return own | points | {"engine": engines, "machine": experiment.machine.plain()}


def _flat(tree: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in tree.items():
        name = f"{prefix}{key}" if key else prefix.rstrip(".")
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{name}.")
        else:
            yield name, value


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
