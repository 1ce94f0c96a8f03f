"""Speed of `weft-rdma`: packet-hops per CPU second of the network.

The 16x16x8 torus of OpenNSIM (Table 3), 2,048 nodes, pairwise all-to-all of 64 KiB with XOR
partners: 2,047 steps, 138 million packets, 1.52 thousand million packet-hops (a packet-hop is a
packet sent by a router). No programs run: a node goes on when its own message has been read and its
partner's is there. `--steps` of the steps are simulated (default 32, 0 for all), spread over all of
them, and the time of the whole is their rate times the packet-hops of the whole. Each row runs
`--runs` times and the least CPU time counts. Exit code 1 if the whole takes more than the bar.

    python3 benchmarks/rdma.py
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIMULATORS = ROOT / "simulators"
PROGRAM = SIMULATORS / "target" / "release" / "examples" / "network_alltoall"
SIZES = (16, 16, 8)
#: Packets of 2,016 bytes of a message of 64 KiB.
PACKETS = 33
#: CPU seconds for all steps.
BAR_CPU_S = 240.0


@dataclass(frozen=True)
class Case:
    """Parameters of the routers that differ from those of the paper."""

    name: str
    router: tuple[str, ...] = ()


PER_VC = "crossbar_inputs=per_vc"
CASES = (
    Case("one packet per input port"),
    Case("one packet per virtual channel", (PER_VC,)),
    Case("balanced classes", ("torus_classes=balanced",)),
    Case("balanced classes, per virtual channel", (PER_VC, "torus_classes=balanced")),
)


def whole_packet_hops() -> int:
    """Packet-hops of all steps."""

    def ring(size: int) -> list[int]:
        """Per digit: channels that all positions cross to their partners."""
        away = [[abs(x - (x ^ digit)) for x in range(size)] for digit in range(size)]
        return [sum(min(d, size - d) for d in distances) for distances in away]

    nodes = SIZES[0] * SIZES[1] * SIZES[2]
    rings = [ring(size) for size in SIZES]
    hops = 0
    for digits in product(*(range(size) for size in SIZES)):
        if any(digits):
            steps = zip(rings, digits, SIZES, strict=True)
            channels = sum(own[digit] * nodes // size for own, digit, size in steps)
            hops += (channels + nodes) * PACKETS
    return hops


def measure(case: Case, steps: int, runs: int) -> dict[str, float]:
    """What the fastest run printed."""
    command = [str(PROGRAM), str(steps), *case.router]
    found = []
    for _ in range(runs):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout))
    return min(found, key=lambda run: run["cpu_s"])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed of weft-rdma's network.")
    parser.add_argument("--steps", type=int, default=32, help="steps to simulate; 0 for all")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    build = ["cargo", "build", "--release", "-q", "-p", "rdma", "--example", PROGRAM.name]
    subprocess.run(build, check=True, cwd=SIMULATORS)
    whole, missed = whole_packet_hops(), 0
    form = "{:<40} {:>6} {:>14} {:>8} {:>7} {:>9} {:>10}"
    print(form.format("inputs", "steps", "packet-hops", "CPU s", "M/s", "time ms", "whole CPU"))
    for case in CASES:
        run = measure(case, arguments.steps, arguments.runs)
        rate = run["packet_hops_per_cpu_s"]
        missed += whole / rate > BAR_CPU_S
        shown = [f"{run['steps']:.0f}", f"{run['packet_hops']:,.0f}", f"{run['cpu_s']:.2f}"]
        shown += [f"{rate / 1e6:.2f}", f"{run['time_ms']:.2f}", f"{whole / rate:.0f} s"]
        print(form.format(case.name, *shown), flush=True)
    print(f"bar: {BAR_CPU_S:.0f} CPU s for {whole:,} packet-hops")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
