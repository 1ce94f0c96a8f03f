"""Wrong answers that a claim has to reject: bounds that these meet, too, say nothing about ours.

They stand in a temporary view `answers` of the connection, which DuckDB finds before the one of the
database. So the queries of a claim, and of the views that it uses, ask them without a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isclose

import duckdb

from weft.analysis.bounds import Bound
from weft.analysis.claims import Claim, ClaimVerdict, Judgement, judge
from weft.database.sql import quoted

#: How often answers are shuffled, and the share of these draws that may meet a claim by chance.
DRAWS = 20
BY_CHANCE = 0.05

_RIGHT = """
CREATE OR REPLACE TEMP TABLE right_answers AS
SELECT row_number() OVER (ORDER BY experiment, metric, engine, point_id, replicate, message_bytes)
AS place, * FROM {database}.main.answers WHERE metric IN ({named})
"""
_ANSWERS = """
CREATE OR REPLACE TEMP VIEW answers AS
SELECT r.* EXCLUDE (place) REPLACE (coalesce(w.value, r.value) AS value)
FROM right_answers AS r LEFT JOIN wrong_values AS w ON r.place = w.place
UNION ALL SELECT * FROM {database}.main.answers WHERE metric IS NULL OR metric NOT IN ({named})
"""
_CONSTANT = """
SELECT place, median(value) OVER (PARTITION BY experiment, metric) AS value
FROM right_answers WHERE value IS NOT NULL
"""
#: By a digest, so that the draws are the same on every machine.
_SHUFFLED = """
WITH kept AS (SELECT place, experiment, metric, value,
    row_number() OVER (PARTITION BY experiment, metric ORDER BY place) AS here,
    row_number() OVER (PARTITION BY experiment, metric ORDER BY md5(place || ' ' || {seed}))
    AS there FROM right_answers WHERE value IS NOT NULL)
SELECT a.place, b.value FROM kept AS a JOIN kept AS b
ON a.experiment = b.experiment AND a.metric = b.metric AND a.here = b.there
"""
#: Each engine of an experiment gets the answers of the next one.
_EXCHANGED = """
WITH turns AS (SELECT engine, coalesce(lead(engine) OVER w, first_value(engine) OVER w) AS other
    FROM (SELECT DISTINCT engine FROM right_answers
    WHERE experiment = {experiment} AND value IS NOT NULL) WINDOW w AS (ORDER BY engine))
SELECT a.place, avg(b.value) AS value FROM right_answers AS a JOIN turns USING (engine)
JOIN right_answers AS b ON b.engine = turns.other AND b.experiment = a.experiment
    AND b.metric = a.metric AND b.message_bytes IS NOT DISTINCT FROM a.message_bytes {same}
WHERE a.experiment = {experiment} AND turns.other <> a.engine GROUP BY a.place
"""
#: What of a point its engines share; options are of one engine.
_OF_ALL_ENGINES = ("topology.", "workload.")


class WrongAnswer(StrEnum):
    """A kind of wrong answers, in the words of a page."""

    SHUFFLED = "shuffled answers"
    """The values of one metric of one experiment, permuted among its rows."""
    CONSTANT = "a constant"
    """The median of one metric of one experiment in each of its rows."""
    EXCHANGED = "those of another engine"
    """The values of another engine at the same points."""
    SHIFTED = "a shifted number"
    """The claim's only number, moved out of its bound: by twice the width, or twice the way to its
    one end."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How often wrong answers of one kind were drawn, and how often they met a claim."""

    wrong: WrongAnswer
    draws: int
    met: int

    @property
    def passed(self) -> bool:
        """Whether the claim rejects them, but for what chance explains."""
        return self.met <= BY_CHANCE * self.draws


@dataclass(frozen=True, slots=True)
class Scrutiny:
    """What became of wrong answers to a claim. Those that leave its numbers alone are not wrong,
    so there is no trial of them."""

    claim: Claim
    trials: tuple[Trial, ...]

    @property
    def vacuous(self) -> bool:
        """Whether wrong answers of some kind meet the claim, too, or none reach its numbers."""
        kinds = {trial.wrong for trial in self.trials}
        return WrongAnswer.SHUFFLED not in kinds or not all(each.passed for each in self.trials)

    def text(self) -> str:
        """`Rejects shuffled answers and a constant.`"""
        rejected = _listed([str(trial.wrong) for trial in self.trials if trial.passed])
        met = _listed([_counted(trial) for trial in self.trials if not trial.passed])
        said = [f"rejects {rejected}"] if rejected else []
        said += [f"{met} would meet it, too"] if met else []
        text = "; ".join(said) or "shuffled answers and a constant leave its numbers as they are"
        return f"{text[0].upper()}{text[1:]}."


def _counted(trial: Trial) -> str:
    share = f" ({trial.met} of {trial.draws} draws)" if trial.draws > 1 else ""
    return f"{trial.wrong}{share}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def scrutinise(
    judged: Sequence[Judgement], views: Mapping[str, str], connection: duckdb.DuckDBPyConnection
) -> dict[str, Scrutiny]:
    """By its name what became of wrong answers to each claim for which `judged` has data.

    `views` are those by which it was judged. Nothing of the database changes.
    """
    right = {each.claim.name: each for each in judged if each.met is not None}
    claims = [each.claim for each in right.values()]
    queries = [*views.values(), *(claim.query for claim in claims)]
    with _wrong_answers(connection, views, queries) as bench:
        constant = bench.judged(claims, _CONSTANT)
        first = bench.judged(claims, _SHUFFLED.format(seed=0))
        reached = [
            name
            for name in right
            if any(_differ(right[name], each[name]) for each in (constant, first))
        ]
        claims = [right[name].claim for name in reached]
        seeds = range(1, DRAWS)
        draws = [first, *(bench.judged(claims, _SHUFFLED.format(seed=seed)) for seed in seeds)]
        exchanged = bench.judged(claims, _exchanged(connection))
    trials: dict[str, list[Trial]] = {name: [] for name in right}
    for name in reached:
        trials[name].append(_trial(WrongAnswer.SHUFFLED, *(draw[name] for draw in draws)))
        trials[name].append(_trial(WrongAnswer.CONSTANT, constant[name]))
        if _differ(right[name], exchanged[name]):
            trials[name].append(_trial(WrongAnswer.EXCHANGED, exchanged[name]))
    for shifted in judge([*_shifted(right.values())], views, connection):
        trials[shifted.claim.name].append(_trial(WrongAnswer.SHIFTED, shifted))
    return {name: Scrutiny(each.claim, tuple(trials[name])) for name, each in right.items()}


def _trial(wrong: WrongAnswer, *draws: Judgement) -> Trial:
    return Trial(wrong, len(draws), sum(each.met is True for each in draws))


def _differ(right: Judgement, wrong: Judgement) -> bool:
    """Whether numbers differ by more than the order in which they were added up."""
    if right.row.keys() != wrong.row.keys():
        return True
    return not all(_alike(value, wrong.row[name]) for name, value in right.row.items())


def _alike(value: object, other: object) -> bool:
    if isinstance(value, float) and isinstance(other, float):
        return isclose(value, other, rel_tol=1e-9, abs_tol=1e-15)
    return value == other


@dataclass(frozen=True, slots=True)
class _Bench:
    """A connection whose `answers` are right but for those in its table `wrong_values`."""

    connection: duckdb.DuckDBPyConnection
    views: Mapping[str, str]

    def judged(self, claims: Sequence[Claim], values: str) -> dict[str, Judgement]:
        """By their names `claims` judged by the wrong `values`, a query."""
        if claims:
            self.connection.execute(f"CREATE OR REPLACE TEMP TABLE wrong_values AS {values}")
            # Tables: many claims ask one view, and views ask each other.
            for name, query in self.views.items():
                self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")
        return {claim.name: self._judged(claim) for claim in claims}

    def _judged(self, claim: Claim) -> Judgement:
        try:
            (found,) = judge([claim], {}, self.connection)
        except (ValueError, duckdb.Error):
            # Its query was written for right answers; what it cannot compute meets nothing.
            return Judgement(claim, ClaimVerdict.NO_DATA)
        return found


@contextmanager
def _wrong_answers(
    connection: duckdb.DuckDBPyConnection, views: Mapping[str, str], queries: Iterable[str]
) -> Iterator[_Bench]:
    """Wrong answers until the end of the block; then `views` have to be created again."""
    database = quoted(str(connection.execute("SELECT current_database()").fetchall()[0][0]))
    named = ", ".join(_named_metrics(connection, queries)) or "NULL"
    connection.execute(_RIGHT.format(database=database, named=named))
    connection.execute("CREATE OR REPLACE TEMP TABLE wrong_values (place BIGINT, value DOUBLE)")
    connection.execute(_ANSWERS.format(database=database, named=named))
    for name in views:
        connection.execute(f"DROP VIEW IF EXISTS temp.{name}")
    try:
        yield _Bench(connection, views)
    finally:
        connection.execute("DROP VIEW temp.answers")
        for name in (*views, "wrong_values", "right_answers"):
            connection.execute(f"DROP TABLE IF EXISTS temp.{name}")


def _named_metrics(connection: duckdb.DuckDBPyConnection, queries: Iterable[str]) -> list[str]:
    """The metrics that queries name, as literals, or all where they name none: answers have many,
    and those that nobody asks for need not be wrong."""
    known = connection.execute("SELECT DISTINCT metric FROM answers WHERE metric IS NOT NULL")
    literals = ["'" + str(metric).replace("'", "''") + "'" for (metric,) in known.fetchall()]
    text = " ".join(queries)
    return [each for each in literals if each in text] or literals


def _exchanged(connection: duckdb.DuckDBPyConnection) -> str:
    """The values of the next engine, in experiments with several; a row may have none."""
    columns = [str(row[0]) for row in connection.execute("DESCRIBE right_answers").fetchall()]
    settings = [quoted(name) for name in columns if name.startswith(_OF_ALL_ENGINES)]
    parts = ["SELECT NULL::BIGINT AS place, NULL::DOUBLE AS value WHERE false"]
    several = connection.execute(
        "SELECT experiment FROM right_answers WHERE value IS NOT NULL"
        " GROUP BY experiment HAVING count(DISTINCT engine) > 1 ORDER BY 1"
    )
    for (experiment,) in several.fetchall():
        text = "'" + str(experiment).replace("'", "''") + "'"
        same = " ".join(
            f"AND b.{name} IS NOT DISTINCT FROM a.{name}"
            for name in settings
            if _shared(connection, name, text)
        )
        parts.append(_EXCHANGED.format(same=same, experiment=text))
    return " UNION ALL ".join(f"({part})" for part in parts)


def _shared(connection: duckdb.DuckDBPyConnection, setting: str, experiment: str) -> bool:
    """Whether several engines were asked at two values of a setting, or more; where each has values
    of its own, these belong to the engine."""
    ((values,),) = connection.execute(
        f"SELECT count(*) FROM (SELECT {setting} FROM right_answers WHERE experiment = {experiment}"
        f" GROUP BY {setting} HAVING count(DISTINCT engine) > 1)"
    ).fetchall()
    return int(values) > 1


def _shifted(judged: Iterable[Judgement]) -> Iterator[Claim]:
    """Claims with one bound that is met, their number moved out of it."""
    for each in judged:
        bounds = [*each.claim.bounds.items()]
        if not each.met or len(bounds) != 1:
            continue
        ((name, bound),) = bounds
        shift = _shift(bound, float(str(each.row[name])))
        if shift:
            moved = f"SELECT * REPLACE ({quoted(name)} + {shift!r} AS {quoted(name)})"
            yield replace(each.claim, query=f"{moved} FROM ({each.claim.query})")


def _shift(bound: Bound, value: float) -> float:
    """Twice the width of a bound, or twice the way from a value to its one end."""
    if bound.least is not None and bound.most is not None:
        return 2 * (bound.most - bound.least)
    (end,) = (each for each in (bound.least, bound.most) if each is not None)
    return 2 * (end - value)
