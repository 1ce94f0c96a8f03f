"""The answers of one experiment as one table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from weft.config.language.errors import nearest
from weft.plan import read_plan
from weft.read.errors import ReadError
from weft.read.project import Project

if TYPE_CHECKING:
    import polars

    from weft.report.expected import ExpectationOutcome

#: Columns that hold an answer.
_VALUES = ("metric", "message_bytes", "value", "unit", "flag")


@dataclass(frozen=True, slots=True)
class Answers:
    """The rows of the view `answers` that belong to one experiment.

    `table` is an Arrow table with the columns that docs/tables.md describes, less the parameters
    that no point of the experiment has, and with `wall_s` and `cpu_s`, what each point took in
    seconds, in all rows of the point. `swept` names the columns that the experiment varies, and
    `expectations` holds what was stated before the run, each with its verdict.
    Whatever takes Arrow data takes this object, too.
    """

    table: pa.Table
    swept: tuple[str, ...] = ()
    expectations: tuple[ExpectationOutcome, ...] = ()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hands the table to other libraries without a copy."""
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __repr__(self) -> str:
        return f"Answers: {len(self):,} rows\n{self.table.schema.to_string()}"

    def _repr_html_(self) -> str:
        return str(self.to_pandas()._repr_html_())

    def to_pandas(self) -> Any:
        """As a `pandas.DataFrame`."""
        return self.table.to_pandas()

    def shown(self) -> pa.Table:
        """The columns for a reader that hold something: engine, what is swept, and the values."""
        wanted = ("engine", *self.swept, "replicate", *_VALUES)
        replicated = len(self.table["replicate"].unique()) > 1
        present = [n for n in dict.fromkeys(wanted) if n in self.table.column_names]
        names = [n for n in present if _has_values(self.table[n])]
        return self.table.select([n for n in names if n != "replicate" or replicated])

    def to_polars(self) -> polars.DataFrame:
        """As a Polars frame.

        Raises ReadError where Polars is not installed; weft does not need it.
        """
        try:
            import polars
        except ImportError as error:
            raise ReadError("Polars is not installed here: pip install polars") from error
        return polars.DataFrame(self.table)


def answers(experiment: str, project: Project | Path | str | None = None) -> Answers:
    """Every answer of `experiment`: one row per point, replicate, metric and message size.

    Raises ReadError when the experiment has not been run.
    """
    place = project if isinstance(project, Project) else Project.find(project)
    with place.connect() as connection:
        table: pa.Table = connection.sql(
            "SELECT a.* EXCLUDE experiment, r.wall_s, r.cpu_s FROM answers AS a"
            " LEFT JOIN last_runs AS r USING (experiment, point_id) WHERE experiment = ?"
            " ORDER BY point_id, replicate, metric, message_bytes",
            params=[experiment],
        ).to_arrow_table()
        if not table.num_rows:
            known = connection.execute("SELECT DISTINCT experiment FROM points").fetchall()
            names = [str(name) for (name,) in known]
            there = ", ".join(sorted(names)) or "none"
            guess = nearest(experiment, names) or ";"
            raise ReadError(
                f"'{experiment}' has no answers yet{guess} there are answers of: {there}"
            )
        swept = connection.execute(
            "SELECT DISTINCT unnest(json_keys(coordinates)) AS key FROM points"
            " WHERE experiment = ? ORDER BY key",
            [experiment],
        ).fetchall()
        parameters = {row[0] for row in connection.execute("DESCRIBE parameters").fetchall()}
    used = [
        name for name in table.column_names if name not in parameters or _has_values(table[name])
    ]
    names_of_swept = tuple(str(key) for (key,) in swept)
    return Answers(table.select(used), names_of_swept, _expectations(experiment, place))


def _expectations(experiment: str, project: Project) -> tuple[ExpectationOutcome, ...]:
    """What was expected, with its verdicts; nothing where no plan says."""
    plan = project.left.results.experiment(experiment).plan
    if not plan.is_file() or not read_plan(plan).stored_report.get("expect"):
        return ()
    # Most experiments expect nothing, and what judges also makes pages.
    from weft.report.pages.build import expectations_of

    return tuple(expectations_of(plan, project.database, project.configs))


def _has_values(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.is_valid(column)).as_py())
