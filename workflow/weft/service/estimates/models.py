"""What points of earlier tasks took; nothing in it leads back to a person or a task."""

from __future__ import annotations

from django.db import models


class EarlierRuns(models.Model):
    """Points of one class with the same amount of work (`weft.plan.costs`)."""

    #: Engine, topology, workload and model, as a JSON list.
    kind = models.CharField(max_length=300)
    work = models.FloatField()
    count = models.PositiveIntegerField(default=0)
    #: Mean of ln(processor seconds).
    log_seconds = models.FloatField(default=0.0)

    class Meta:
        """One row for each class and amount."""

        constraints = (models.UniqueConstraint(fields=["kind", "work"], name="one_of_a_work"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.work:g}"
