"""The answer about calls counts computing apart from them."""

from weft.report.answers.waiting import _calls
from weft.report.data.program_calls import CallTimes


def row(call: str, time_s: float, waiting_s: float = 0.0) -> dict[str, object]:
    return {"call": call, "count": 4, "time_s": time_s, "waiting_s": waiting_s}


def test_computing_is_no_time_in_calls() -> None:
    rows = [row("MGEN_Comp", 8e-3), row("MPI_Sendrecv", 1.5e-3, 1.2e-3), row("MPI_Wait", 5e-4)]
    assert _calls(CallTimes("topology = torus", rows, 10e-3)) == (
        "topology = torus: a rank computes for 8 ms of 10 ms; it is in calls for 2 ms (20%), "
        "and waits for 60% of that; it spends most time in MPI_Sendrecv (1.5 ms, 4 calls)."
    )


def test_a_program_that_does_not_compute_is_in_calls_alone() -> None:
    said = _calls(CallTimes(None, [row("MPI_Bcast", 4e-6, 2e-6)], 10e-6))
    assert said.startswith(
        "A rank is in calls for 4 \u00b5s of 10 \u00b5s (40%), and waits for 50% of that;"
    )


def test_a_program_that_only_computes_is_in_no_call() -> None:
    said = _calls(CallTimes(None, [row("MGEN_Comp", 4e-6)], 4e-6))
    assert (
        said
        == "A rank computes for 4 \u00b5s of 4 \u00b5s; it is in no other call that takes time."
    )


def test_a_small_share_has_a_digit_that_says_something() -> None:
    said = _calls(CallTimes(None, [row("MPI_Bcast", 4e-6, 2e-6)], 1e-3))
    assert said.startswith("A rank is in calls for 4 \u00b5s of 1 ms (0.4%), and")
