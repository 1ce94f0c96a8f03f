"""Statements in words: what shall come out, and where."""

from __future__ import annotations

from weft.config.model.expectation import (
    AgreementExpected,
    AlongExpected,
    BestExpected,
    ChoicesExpected,
    CostExpected,
    Expectation,
    ValueExpected,
)
from weft.report.answers.wording import name
from weft.report.data.settings import several
from weft.report.data.settings_in_words import key_name, placed
from weft.report.data.source import Study
from weft.report.data.units import listing, place_label, value_label
from weft.report.expected.limits import in_words


def statement(study: Study, stated: Expectation) -> str:
    """`at k = 4, the completion time of flow is below 2 ms`."""
    said = _said(study, stated)
    where = _where(stated)
    return f"{where}, {said}" if where else said


def _where(stated: Expectation) -> str:
    """Filters in words; several values of a key are alternatives."""
    single = [(k, v) for k, v in stated.where.items() if len(several(v)) == 1]
    lists = [(k, v) for k, v in stated.where.items() if len(several(v)) > 1]
    parts = [placed(single)] if single else []
    for key, values in lists:
        given = values if isinstance(values, list) else [values]
        first, *others = given
        label = listing([place_label(key, first), *(value_label(key, v) for v in others)])
        parts.append(f"for {label}")
    return ", ".join(parts)


def _said(study: Study, stated: Expectation) -> str:
    if isinstance(stated, ValueExpected):
        return f"{_metric(study, stated.metric, stated.engine)} is {in_words(stated)}"
    if isinstance(stated, BestExpected):
        by = f" by at least {stated.by}" if stated.by is not None else ""
        what = _metric(study, stated.metric, stated.engine)
        key = f"{key_name(stated.among)} " if stated.among else ""
        return f"{key}{stated.best} has the best {what.removeprefix('the ')}{by}"
    if isinstance(stated, AgreementExpected):
        pair = stated.agreement
        what = f"the {name(study, stated.metric)} of {pair.of}" if stated.metric else pair.of
        return f"{what} is within {pair.within} of {pair.to}"
    if isinstance(stated, AlongExpected):
        return _along(study, stated)
    if isinstance(stated, CostExpected):
        beside = f" of that of {stated.cost.to}" if stated.cost.to else ""
        what = _metric(study, stated.metric, stated.cost.of)
        return f"{what} is {in_words(stated)}{beside}"
    assert isinstance(stated, ChoicesExpected)
    what = "cells whose choice is right" if stated.choices == "right" else "what choices lose"
    verb = "are" if stated.choices == "right" else "is"
    return f"{what} {verb} {in_words(stated)}"


def _along(study: Study, stated: AlongExpected) -> str:
    what, axis = _metric(study, stated.metric, stated.engine), key_name(stated.along)
    bound = in_words(stated)
    goes = f"{stated.goes} with the {axis}" if stated.goes else ""
    if stated.crosses is None:
        return f"{what} {goes}{f' by {bound}' if bound else ''}"
    crosses = f"crosses {stated.crosses} once{f' at a {axis} {bound}' if bound else ''}"
    return f"{what} {' and '.join(filter(None, (goes, crosses)))}"


def _metric(study: Study, metric: str, engine: str | None) -> str:
    return f"the {name(study, metric)}{f' of {engine}' if engine else ''}"
