"""A text in the format that BookSim2 prints; the numbers are invented, for reading only."""

HISTOGRAM = " ".join(str(count) for count in [*([0] * 10), 10, 20, 10, *([0] * 987)])

PERIOD = """Class 0:
Packet latency average = 11
\tminimum = 10
\tmaximum = 12
Accepted flit rate average= 0.19
\tminimum = 0.1 (at node 3)
\tmaximum = 0.3 (at node 1)
latency change    = 0.01
throughput change = 0.002
"""

OVERALL = """====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = 11 (1 samples)
\tminimum = 10 (1 samples)
\tmaximum = 12 (1 samples)
Network latency average = 10.5 (1 samples)
\tminimum = 9 (1 samples)
\tmaximum = 12 (1 samples)
Flit latency average = 10.25 (1 samples)
\tminimum = 9 (1 samples)
\tmaximum = 11 (1 samples)
Fragmentation average = 0.5 (1 samples)
\tminimum = 0 (1 samples)
\tmaximum = 2 (1 samples)
Injected packet rate average = 0.0125 (1 samples)
\tminimum = 0.01 (1 samples)
\tmaximum = 0.02 (1 samples)
Accepted packet rate average = 0.0125 (1 samples)
\tminimum = 0.01 (1 samples)
\tmaximum = 0.02 (1 samples)
Injected flit rate average = 0.2 (1 samples)
\tminimum = 0.16 (1 samples)
\tmaximum = 0.32 (1 samples)
Accepted flit rate average = 0.198 (1 samples)
\tminimum = 0.15 (1 samples)
\tmaximum = 0.31 (1 samples)
Injected packet size average = 16 (1 samples)
Accepted packet size average = 16 (1 samples)
Hops average = 3.5 (1 samples)
"""


def steady(periods: int = 4, cycles: int = 4100) -> str:
    """A run that warms up for one period of 1000 cycles and measures the others."""
    return (
        f"{PERIOD}Warmed up ...Time used is 1000 cycles\n{PERIOD * (periods - 1)}"
        f"Draining all recorded packets ...\nClass 0:\nRemaining flits: 1 2 (2 flits)\n"
        f"Draining remaining packets ...\nTime taken is {cycles} cycles\n%=====\n"
        f"plat(1) = 11;\nplat_hist(1,:) = [ {HISTOGRAM} ];\nnlat_hist(1,:) = [ {HISTOGRAM} ];\n"
        "sent_flits(1,:) = [ 0.25 0.15 ];\naccepted_flits(1,:) = [ 0.31 0.15 ];\n"
        f"{OVERALL}Total run time 0.5\n"
    )


def batch() -> str:
    """A closed list that takes 1108 cycles."""
    durations = "Overall min batch duration = 1108 (1 samples)\n" * 3
    return f"Time taken is 1110 cycles\n{OVERALL}{durations}Total run time 0.5\n"


UNSTEADY = (
    f"{PERIOD}Too many sample periods needed to converge\n"
    "Simulation unstable, ending ...\nTotal run time 0.1\n"
)

ABORTED = (
    f"{PERIOD}Average latency for class 0 exceeded 500 cycles. Aborting simulation.\n"
    "Simulation unstable, ending ...\nTotal run time 0.1\n"
)
