"""The answer about calls counts computing apart from them."""

from weft.report.kinds.calls.finding import said
from weft.report.kinds.calls.rows import CallTime, CallTimes


def time(call: str, time_s: float, waiting_s: float = 0.0) -> CallTime:
    return CallTime(call, 4, time_s, waiting_s, time_s, time_s)


def test_computing_is_no_time_insaid() -> None:
    calls = [time("MGEN_Comp", 8e-3), time("MPI_Sendrecv", 1.5e-3, 1.2e-3), time("MPI_Wait", 5e-4)]
    assert said(CallTimes("topology = torus", calls, 10e-3)) == (
        "topology = torus: a rank computes for 8 ms of 10 ms; it is in calls for 2 ms (20%), "
        "and waits for 60% of that; it spends most time in MPI_Sendrecv (1.5 ms, 4 calls)."
    )


def test_a_program_that_does_not_compute_is_in_calls_alone() -> None:
    text = said(CallTimes(None, [time("MPI_Bcast", 4e-6, 2e-6)], 10e-6))
    assert text.startswith(
        "A rank is in calls for 4 \u00b5s of 10 \u00b5s (40%), and waits for 50% of that;"
    )


def test_a_program_that_only_computes_is_in_no_call() -> None:
    text = said(CallTimes(None, [time("MGEN_Comp", 4e-6)], 4e-6))
    assert (
        text
        == "A rank computes for 4 \u00b5s of 4 \u00b5s; it is in no other call that takes time."
    )


def test_a_small_share_has_a_digit_that_says_something() -> None:
    text = said(CallTimes(None, [time("MPI_Bcast", 4e-6, 2e-6)], 1e-3))
    assert text.startswith("A rank is in calls for 4 \u00b5s of 1 ms (0.4%), and")
