"""Random bits change in what weft has written: each is named, and every row comes back.

`WEFT_FLIPS` is the number of bits, `WEFT_SEED` the seed, which is printed. Both are fixed
unless given, so that no landing depends on luck; other seeds are drawn by hand.
"""

import os
import random
import shutil
from collections import Counter

import duckdb
import pytest
from click.testing import CliRunner
from weft.command.commands import main

NAMES = ("tables", "plain", "third")
PAGES = [f"reports/{name}.html" for name in NAMES]
A_BATCH = 4
SEED = int(os.environ.get("WEFT_SEED", "40"))
#: Kinds of files, by patterns from the project.
KINDS = {
    "plan": "results/*/plan.json",
    "points": "results/*/points-*.parquet",
    "order": "results/*/shards/*.json",
    "journal": "results/*/*/*/journal.jsonl",
    "status": "results/*/*/*/status.json",
    "Parquet": "results/*/*/*/*.parquet",
    "CSV": "results/*/*/*/*.csv",
    "database": "results/weft.duckdb",
    "note of the database": "results/weft.duckdb.json",
    "page": "reports/*.html",
    "stamp": "results/*/collected.json",
    "note of a collection": "results/*/held.json",
    "name of a collection": "results/*/collection",
    "schedule": "results/*/schedule.json",
}
ROWS = (
    "SELECT experiment, point_id, metric, message_bytes, value, unit FROM metrics ORDER BY ALL",
    "SELECT experiment, point_id, status FROM runs ORDER BY ALL",
    "SELECT * FROM messages ORDER BY ALL",
    "SELECT experiment, point_id, spec FROM points ORDER BY ALL",
)


def rows(project):
    """All rows that matter, or None where a reader is told that the file is damaged."""
    try:
        with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
            return [con.execute(query).fetchall() for query in ROWS]
    except duckdb.Error:
        return None


def weft(project, *words):
    return CliRunner().invoke(main, ["--project", str(project.folder), *words])


def flip(path, dice, keep_time):
    times = path.stat()
    content = bytearray(path.read_bytes())
    # The end of a line alone is no content.
    bit = dice.randrange(len(content.rstrip(b"\n")) * 8)
    content[bit // 8] ^= 1 << (bit % 8)
    path.write_bytes(content)
    if keep_time:
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.fixture
def computed(project):
    """Three small experiments, one of them with side tables."""
    for name in NAMES:
        path = project.small(name, [3, 4])
        more = "    flow: {tables: [messages], shard_points: 1}\n" if name == "tables" else ""
        path.write_text(path.read_text() + (f"engine:\n{more}" if more else ""))
    ran = project.run(*PAGES)
    assert ran.code == 0, ran.output
    return project


def damage(project, dice, kinds, keep_time):
    """Change a bit in a file of each of the `kinds`; returns the files."""
    found = []
    for kind in kinds:
        files = sorted(project.folder.glob(KINDS[kind]))
        file = dice.choice([each for each in files if each.stat().st_size])
        flip(file, dice, keep_time)
        found.append(file)
    return found


def mended_after(project, before):
    """How many runs it takes until all rows are there and all files are whole."""
    ran = project.run(*PAGES)
    after = rows(project)
    # Rows are right, or a reader is told, or the run has said what is wrong.
    assert after == before or after is None or "weft: " in ran.output, ran.output
    assert ran.code == 0 or "weft" in ran.output, ran.output
    if after == before and weft(project, "verify").exit_code == 0:
        return 1
    environment = dict(project.environment)
    os.environ |= {"PYTHONPATH": environment["PYTHONPATH"], "WEFT_FLOW": environment["WEFT_FLOW"]}
    done = weft(project, "verify", "--repair")
    assert done.exit_code == 0, (ran.output, done.output)
    assert rows(project) == before
    return 2


def flips(project, count, seed):
    """Change `count` bits in batches; returns how many runs each kind took."""
    print(f"seed {seed}")
    dice, before, taken = random.Random(seed), rows(project), Counter()
    assert weft(project, "verify").exit_code == 0, weft(project, "verify").output
    kinds = [kind for _ in range(count) for kind in dice.sample(sorted(KINDS), len(KINDS))][:count]
    for number, start in enumerate(range(0, count, A_BATCH)):
        batch = sorted(set(kinds[start : start + A_BATCH]))
        keep_time, without = number % 2 == 0, number % 4 >= 2
        files = damage(project, dice, batch, keep_time)
        said = weft(project, "verify")
        assert said.exit_code == 1
        for file in files:
            assert str(file) in said.output, (seed, batch, keep_time, said.output)
        if without:
            (project.folder / "results/weft.duckdb").unlink(missing_ok=True)
        runs = mended_after(project, before)
        taken.update((kind, runs) for kind in batch)
        for (kind, runs), bits in sorted(taken.items()):
            print(f"{kind}: {bits} bits mended by run {runs}")
    return taken


@pytest.mark.slow
def test_a_few_random_bits_are_named_and_mended(computed):
    """`WEFT_FLIPS=200` by hand, for a note."""
    flips(computed, int(os.environ.get("WEFT_FLIPS", "4")), SEED)


@pytest.mark.slow
@pytest.mark.long("runs")
def test_many_random_bits_are_named_and_mended(computed):
    flips(computed, 28, SEED)


@pytest.mark.slow
def test_verify_names_a_file_and_repair_computes_its_shard_alone(computed):
    before = rows(computed)
    metrics = sorted(computed.folder.glob("results/tables/flow/*/metrics.parquet"))[0]
    flip(metrics, random.Random(1), keep_time=True)
    shutil.copytree(computed.folder / "results", computed.folder / "kept")
    said = weft(computed, "verify", "tables")
    assert said.exit_code == 1
    assert said.output == f"{metrics} was altered after it was written\n"
    assert weft(computed, "verify", "plain").exit_code == 0
    os.environ |= {name: computed.environment[name] for name in ("PYTHONPATH", "WEFT_FLOW")}
    assert weft(computed, "verify", "tables", "--repair").exit_code == 0
    assert rows(computed) == before
    again = {path.parent for path in computed.folder.glob("results/*/flow/*/runs.parquet")
             if path.read_bytes() != (computed.folder / "kept" / path.relative_to(
                 computed.folder / "results")).read_bytes()}  # fmt: skip
    assert again <= {metrics.parent}
