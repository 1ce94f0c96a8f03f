"""A k-ary 3-tree and a message list in SimGrid 3.32 (max-min), for its CPU time.

    python3 benchmarks/flow_simgrid.py K MESSAGES.csv

The list has the columns src, dst and bytes; a node sends its messages one after another. Every node
is an actor, which Python's interface runs as a thread. Prints the makespan in seconds.
"""

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path

try:
    import simgrid
except ImportError:  # then it says only how it is called
    simgrid = None

BANDWIDTH_BYTES_PER_S = 125e6
CONFIG = (
    "network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1",
    "network/weight-S:0", "network/TCP-gamma:0", "network/crosstraffic:0",
    "surf/precision:1e-12", "maxmin/precision:1e-9", "contexts/stack-size:64",
)  # fmt: skip


def fat_tree(k):
    """The hosts of a sealed k-ary 3-tree, by number."""
    hosts = {}

    def endpoint(zone, _coordinates, number):
        host = zone.create_host(f"node-{number}", 1.0)
        hosts[number] = host
        return host.netpoint, None

    callbacks = simgrid.ClusterCallbacks(endpoint, None, None)
    shape = simgrid.FatTreeParams(3, [k, k, k], [1, k, k], [1, 1, 1])
    sharing = simgrid.Link.SharingPolicy.SPLITDUPLEX
    zone = simgrid.NetZone.create_fatTree_zone(
        "tree", simgrid.Engine.instance.netzone_root, shape, callbacks,
        BANDWIDTH_BYTES_PER_S, 0.0, sharing,
    )  # fmt: skip
    zone.seal()
    return [hosts[number] for number in range(k**3)]


def main(k, path):
    """Build the tree, send the list, print the makespan."""
    engine = simgrid.Engine([sys.argv[0], *(f"--cfg={entry}" for entry in CONFIG)])
    hosts = fat_tree(k)
    lists = defaultdict(list)
    with Path(path).open(newline="") as file:
        for row in csv.DictReader(file):
            lists[int(row["src"])].append((int(row["dst"]), int(row["bytes"])))

    def sender(src):
        for dst, size in lists[src]:
            simgrid.Comm.sendto(hosts[src], hosts[dst], size)

    for src in lists:
        simgrid.Actor.create(f"sender-{src}", hosts[src], sender, src)
    engine.run()
    print(engine.clock)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("k", type=int)
    parser.add_argument("messages", help="a file with the columns src, dst and bytes")
    given = parser.parse_args()
    if simgrid is None:
        name = Path(__file__).name
        sys.exit(f"{name}: needs the Python interface of SimGrid: apt-get install python3-simgrid")
    main(given.k, given.messages)
