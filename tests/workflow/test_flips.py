"""Random bits change in what weft has written: each is named, and every row comes back.

`WEFT_FLIPS` is the number of bits, `WEFT_SEED` the seed, which is printed. Both are fixed
unless given, so that no landing depends on luck; other seeds are drawn by hand, and in six
experiments rather than three.
"""

import os
import random
import re
import shutil
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from weft.command.commands import main
from weft.files.page_seal import page_damage

BY_HAND = "WEFT_FLIPS" in os.environ
WITH_TABLES = ("tables", "fourth", "fifth") if BY_HAND else ("tables",)
NAMES = (*WITH_TABLES, "plain", "third", *(["sixth"] if BY_HAND else []))
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
    "note of side files": "results/tables/*/*/side_files.json",
}
#: No run reads these, and each writes them anew.
WRITTEN_BY_EVERY_RUN = {"schedule"}
#: A run reads these only where it makes their tables, which has happened.
MADE_INTO_TABLES = {"CSV", "note of side files"}
IN_A_SHARD = len(Path("results/experiment/engine/shard/file").parts)
POINTS = 2
DAMAGED = re.compile(r"damaged|altered|missing|truncated|not as weft|not what weft")
AGAIN = re.compile(r"again|anew")
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
    """Small experiments, some of them with side tables."""
    for name in NAMES:
        path = project.small(name, [3, 4])
        more = "    flow: {tables: [messages], shard_points: 1}\n" if name in WITH_TABLES else ""
        path.write_text(path.read_text() + (f"engine:\n{more}" if more else ""))
    ran = project.run(*PAGES)
    assert ran.code == 0, ran.output
    return project


def damage(project, dice, kinds, keep_time):
    """Change a bit in a file of each of the `kinds`; returns the files with their kinds."""
    found = {}
    for kind in kinds:
        files = sorted(project.folder.glob(KINDS[kind]))
        file = dice.choice([each for each in files if each.stat().st_size])
        flip(file, dice, keep_time)
        found[file] = kind
    return found


def words_about(project, file, output):
    """The lines of a run that say that a file, or the shard that it belongs to, is made again.

    A shard that is computed again for one of its files may have more damaged ones. Where a plan is
    damaged, nobody reads its points, and both are written again.
    """
    shown = file.relative_to(project.folder)
    names = {str(shown)}
    if len(shown.parts) == IN_A_SHARD:
        names.add(f"shard {file.parent.name} ")
    if file.name.startswith("points-"):
        names.add(str(shown.with_name("plan.json")))
    return [
        line
        for line in output.splitlines()
        if line.startswith("weft: ")
        and any(name in line for name in names)
        and DAMAGED.search(line)
        and AGAIN.search(line)
    ]


def damaged_among(project, files):
    """Those that are still not what weft wrote, by `weft verify`, which names nothing else."""
    said = weft(project, "verify")
    lines = said.output.splitlines() if said.exit_code else []
    found = {file for file in files if any(str(file) in line for line in lines)}
    assert bool(found) == bool(said.exit_code), said.output
    return found


def mended_after(project, before, files, keep_time):
    """By file: 1 where the run has mended it, and 2 where it did not read it and `--repair` has."""
    ran = project.run(*PAGES)
    assert ran.code == 0, ran.output
    left = damaged_among(project, files)
    after = rows(project)
    for file, kind in files.items():
        said = words_about(project, file, ran.output)
        if file in left:
            # What a run finds, it mends: here it has read nothing, which it may only where no time
            # and no size has changed, or where nothing is made of the file any more.
            assert not said, ran.output
            assert keep_time or kind in MADE_INTO_TABLES, (kind, ran.output)
        else:
            assert said or kind in WRITTEN_BY_EVERY_RUN, (kind, file, ran.output)
    unreadable = "database" in {files[file] for file in left}
    if "the database lacks the rows of" in ran.output:
        # The collection of one experiment made the database again and found another one damaged.
        # It says so, and the next run computes that one again.
        assert project.run(*PAGES).code == 0
        after = rows(project)
    assert after == before or (after is None and unreadable), ran.output
    if left:
        environment = project.environment
        os.environ |= {name: environment[name] for name in ("PYTHONPATH", "WEFT_FLOW")}
        done = weft(project, "verify", "--repair")
        assert done.exit_code == 0, (ran.output, done.output)
    assert rows(project) == before
    check_pages(project)
    return {file: 2 if file in left else 1 for file in files}


def check_pages(project):
    """Each is there, whole, and its table of costs counts all points."""
    for page in (project.folder / name for name in PAGES):
        assert page_damage(page.read_bytes()) is None
        assert f'<tr><th>flow</th><td class="number">{POINTS}</td>' in page.read_text(), page


def flips(project, count, seed):
    """Change `count` bits in batches; returns how many runs each kind took."""
    print(f"seed {seed}")
    dice, before, taken = random.Random(seed), rows(project), Counter()
    assert all(before)
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
        runs = mended_after(project, before, files, keep_time)
        taken.update((files[file], run) for file, run in runs.items())
        print(f"batch {number}: {', '.join(batch)}", flush=True)
    for (kind, run), bits in sorted(taken.items()):
        print(f"{kind}: {bits} bits mended by run {run}")
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
