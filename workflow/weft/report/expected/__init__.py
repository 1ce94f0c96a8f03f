"""What was stated before a run, beside what came out."""

from weft.report.expected.dates import stated_notes
from weft.report.expected.judge import judged_expectations
from weft.report.expected.outcome import ExpectationOutcome

__all__ = ["ExpectationOutcome", "judged_expectations", "stated_notes"]
