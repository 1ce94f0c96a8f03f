"""The answer of a report: questions, what the values say to them, and that in sentences.

`questions` decides what is asked, by the experiment or by its figures; `best`, `along`,
`agreement`, `cost` and `choices` find it in the values and say it; `box` puts it together.
"""

from weft.report.answers.box import AnswerBox, answer

__all__ = ["AnswerBox", "answer"]
