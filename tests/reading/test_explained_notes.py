"""`weft explain POINT` says what an engine noted of the program."""

import json

from weft.command.explain import point_lines
from weft.read.explained import PointRecord, _notes


def test_a_note_is_a_line_of_its_own(project):
    notes = _notes(json.dumps({"cpu": "x", "notes": ["it asked for MPI_THREAD_MULTIPLE"]}))
    record = PointRecord("p", "x", "flow", 0, 1, "done", None, notes, (), (), 7, None)
    assert "  note: it asked for MPI_THREAD_MULTIPLE" in list(point_lines(record, project))


def test_a_run_without_notes_has_none():
    assert _notes(None) == _notes('"a text"') == _notes("{}") == ()


def test_a_trace_that_the_point_left_is_named_with_its_path(project):
    path = "x/hardware/s/trace-p.weft-trace"
    record = PointRecord(
        "p", "x", "hardware", 0, 1, "done", None, (), (("trace", path),), (), 7, None
    )
    assert f"  trace: {project.results / path}" in list(point_lines(record, project))
