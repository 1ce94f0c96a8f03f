"""Kills at random moments: the same command again ends well, and little is computed twice.

`WEFT_KILLS` is the number of kills, `WEFT_SEED` the seed, which is printed. Both are fixed unless
given; by hand there are three experiments rather than two. The seed draws what is killed and after
how many points; where in a point that is, the machine decides.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.patience import wait_until
from tests.workflow.conftest import SNAKEMAKE
from tests.workflow.test_flips import rows

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

SEED = int(os.environ.get("WEFT_SEED", "40"))
NAMES = ("one", "two", "three") if "WEFT_KILLS" in os.environ else ("one", "two")
CORES = 2
#: Of an experiment; half of them in each of its shards.
POINTS = 8
ALL = POINTS * len(NAMES)
COMMAND = (*(f"results/{name}/collected.json" for name in NAMES), "--cores", str(CORES))
#: The table of a point is made anew when its computation begins.
EXPERIMENT = f"""
title: Killed
question: Can it be killed?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {{flow: {{tables: [messages], shard_points: {POINTS // 2}}}}}
topology: {{k: 16, levels: 3}}
# A point takes some tenths of a second, so that kills come while some are under way.
workload: {{per_node: 60}}
replicates: {POINTS}
"""
KINDS = ("group", "simulator", "Snakemake", "job")


@pytest.fixture
def undisturbed(project):
    """The project, and the rows of a run that nothing disturbs."""
    for name in NAMES:
        project.write(name, EXPERIMENT)
    ran = project.run(*COMMAND)
    assert ran.code == 0, ran.output
    assert len(begun(project)) == len(finished(project)) == ALL
    return project, rows(project)


def begun(project):
    """When the last computation of each point has begun to write, by the table's path."""
    tables = project.folder.glob("results/*/flow/*/messages-*.csv")
    return {path: path.stat().st_mtime_ns for path in tables}


def finished(project):
    """The table of each point that has a line in a journal, once for each line."""
    found = []
    for name in NAMES:
        for journal, lines in project.journals(name).items():
            # What follows the last end of a line is torn.
            points = (line.split('"point_id":"')[1].split('"')[0] for line in lines[:-1])
            found += [journal.with_name(f"messages-{point}.csv") for point in points]
    return found


def job_pids(project):
    """The processes that compute shards, and have simulators do it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text(errors="replace")
        except OSError:
            continue
        if f"{project.folder}/.snakemake/scripts/" in words and "run_shard" in words:
            found.append(int(folder.name))
    return found


def kill(project, snakemake, kind, dice):
    """Kill what `kind` says at once, or as soon as there is one; returns whether it was in time."""
    if kind in ("group", "Snakemake"):
        in_time = snakemake.poll() is None
        if in_time:
            (os.killpg if kind == "group" else os.kill)(snakemake.pid, signal.SIGKILL)
        return in_time
    find = project.simulator_pids if kind == "simulator" else lambda: job_pids(project)
    while snakemake.poll() is None:
        if pids := find():
            try:
                os.kill(dice.choice(sorted(pids)), signal.SIGKILL)
            except ProcessLookupError:
                continue
            return True
        time.sleep(0.01)
    return False


def killed_run(project, kind, dice):
    """Kill a new run of all at a random moment; returns whether it ended by that."""
    shutil.rmtree(project.folder / "results")
    after, pause_s = dice.randrange(ALL + 1), dice.uniform(0, 0.2 if dice.random() < 0.8 else 2)
    with (project.folder / "output").open("w") as output:
        snakemake = subprocess.Popen(
            [*SNAKEMAKE, *COMMAND],
            cwd=project.folder,
            env=project.environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    wait_until(lambda: len(finished(project)) >= after or snakemake.poll() is not None)
    time.sleep(pause_s)
    was_killed = kill(project, snakemake, kind, dice)
    failed = snakemake.wait() != 0
    assert was_killed or not failed, (project.folder / "output").read_text()
    if kind == "group":
        wait_until(lambda: not project.simulator_pids())
    # What was killed may just have ended by itself.
    return failed


def check_again(project, before):
    """The same command again; returns how many points at most have been computed twice.

    A simulator that outlives its job or Snakemake may also have finished one that was under way.
    """
    tables = begun(project)
    done = finished(project)
    under_way = tables.keys() - set(done)
    assert len(under_way) <= CORES
    ran = project.run(*COMMAND)
    assert ran.code == 0, ran.output
    assert rows(project) == before
    assert sorted(finished(project)) == sorted(begun(project)), "one line for each point"
    assert len(begun(project)) == ALL
    again = {path for path, since in begun(project).items() if tables.get(path, since) != since}
    assert again <= under_way
    wait_until(lambda: not project.simulator_pids() and not job_pids(project))
    return len(again)


def kills(project, before, count):
    """Kill `count` runs, as many of each kind as possible."""
    print(f"seed {SEED}")
    dice, done, twice = random.Random(SEED), Counter(), Counter()
    kinds = [kind for _ in range(count) for kind in dice.sample(KINDS, len(KINDS))][:count]
    for kind in kinds:
        while not killed_run(project, kind, dice):
            print(f"{kind}: the run ended before")
        at = len(finished(project))
        more = check_again(project, before)
        done[kind] += 1
        twice[kind] += more
        print(
            f"{kind}: killed with {at} of {ALL} points, at most {more} computed twice", flush=True
        )
    for kind, number in sorted(done.items()):
        print(f"{kind}: {number} kills, at most {twice[kind]} points computed twice")


def test_kills_at_random_lose_nothing(undisturbed):
    """`WEFT_KILLS=40` by hand, for a note."""
    kills(*undisturbed, int(os.environ.get("WEFT_KILLS", "2")))
