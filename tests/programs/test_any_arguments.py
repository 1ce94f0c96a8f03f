"""Whatever arguments a shipped program gets, it answers or says why not; it never crashes."""

import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.programs.simulator import BINARIES, NETWORK, OPTIONS, ROOT

PROGRAMS = sorted((ROOT / "programs").glob("*.c"))
#: Words that some program knows, numbers in and out of range, and what is none.
WORDS = ("", "0", "1", "2", "4", "16", "-3", "1.5", "1e400", "nan", "x", "4x", "0x0", "3x-2", "2x2",
         "uniform", "random", "pairs", "whole", "reply_at_head", "barriers", "no_barriers", "ring",
         "all", "comm_split", "mpich", "{message_bytes}", "/", "bytes<=2: ring")  # fmt: skip
EACH = 20
#: How a program ends that refuses its arguments, or a call that refuses them for it.
REFUSED = re.compile(
    r"rank \d+ ended with code \d+|rank \d+: MGEN_\w+: |rank \d+ waits in MGEN_\w+|deadlock at "
)


def points(draw: random.Random) -> list[dict[str, Any]]:
    """Some of each program."""
    made = []
    for source in PROGRAMS:
        for number in range(EACH):
            ranks = draw.choice([1, 2, 3, 4, 8])
            workload = {
                "kind": "program",
                "program": source.stem,
                "source": str(source),
                "ranks": ranks,
                "message_bytes": draw.choice([None, [0], [8], [24]]),
                "arguments": draw.choices(WORDS, k=draw.randrange(8)),
            }
            made.append({
                "point_id": f"{source.stem}-{number}", "digest": "d", "engine": "rdma", "seed": 1,
                "topology": {"kind": "crossbar", "nodes": ranks}, "network": NETWORK,
                "workload": workload, "options": OPTIONS | {"loop_limit_s": 5.0},
            })  # fmt: skip
    return made


@pytest.mark.slow
def test_programs_answer_or_refuse_any_arguments(tmp_path: Path) -> None:
    made = points(random.Random(15))
    shard = {"schema": 1, "engine": "rdma", "engine_version": "0", "shard": "s", "points": made}
    (tmp_path / "in.json").write_text(json.dumps(shard))
    command = [BINARIES / "weft-rdma", "run", "--shard", tmp_path / "in.json", "--out", tmp_path]
    cache = {"WEFT_PROGRAM_CACHE": str(tmp_path / "compiled")}
    subprocess.run(
        [*command, "--threads", "1"], check=True, capture_output=True, env=os.environ | cache
    )
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    arguments = {each["point_id"]: each["workload"]["arguments"] for each in made}
    assert len(lines) == len(made)
    for line in lines:
        if line["status"] != "done":
            assert REFUSED.match(line["error"]), (line["error"], arguments[line["point_id"]])
    answered = {line["point_id"].rsplit("-", 1)[0] for line in lines if line["status"] == "done"}
    assert len(answered) > len(PROGRAMS) / 2
