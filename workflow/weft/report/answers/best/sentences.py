"""The sentence about the best alternative, made of what is known about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from weft.analysis.findings import BestFinding, Stretch
from weft.report.answers.best.facts import FAR, BestFacts, Dissent, leads, place_of
from weft.report.data.settings_in_words import key_name, lowered, place_in_words
from weft.report.data.units import factor, listing, quantity, value_label

#: More stretches are named only if no series leads twice, as where the best size doubles.
_MOST_STRETCHES = 4
_MOST_STEPS = 8
_MOST_NAMED = 4
#: A lead that is worth a place, among more places than these.
_MATTERS = 0.1
_FEW = 2
#: A lead that two digits do not show.
_NO_LEAD = factor(1.0)
_WORST = {"lower": "lowest", "higher": "highest"}


def best_text(facts: BestFacts) -> str:
    """Which series is best, where, by how much, and which model disagrees; without a full stop."""
    parts = _found(facts), _beyond(facts), _error(facts), _far_behind(facts), _whose(facts)
    return "".join(parts)


def _found(facts: BestFacts) -> str:
    if len(facts.ranked) == 1:
        return _once(facts)
    if facts.all_alike:
        return f"{_alike(facts, facts.names)}{_everywhere(facts)}"
    if len(facts.always) > 1:
        shared = f"{listing(facts.always)} share {_what(facts)}{_everywhere(facts)}"
        return f"{shared}, ahead of the next by {_lead(facts, facts.ranked)}"
    if facts.always:
        return _throughout(facts, facts.always[0])
    return _by_stretch(facts) or _by_count(facts)


def _what(facts: BestFacts) -> str:
    return f"the {_WORST[facts.metric.direction]} {lowered(facts.metric.label)}"


def _everywhere(facts: BestFacts, count: int | None = None) -> str:
    """` at all 4 values of k`, or at `count` of them."""
    among = f"{len(facts.ranked):,}"
    every = "both" if len(facts.ranked) == 2 else f"all {among}"
    start = f" at {every}" if count is None else f" at {count:,} of {among}"
    if len(facts.varying) == 1:
        return f"{start} values of {key_name(facts.varying[0])}"
    return f"{start} settings"


def _alike(facts: BestFacts, names: Sequence[str]) -> str:
    what = lowered(facts.metric.label)
    if facts.has_error:
        return f"{listing(names)} are indistinguishable in {what}"
    within = " by more than their scatter" if facts.scatters else ""
    return f"{listing(names)} do not differ in {what}{within}"


def _once(facts: BestFacts) -> str:
    (ranking,) = facts.ranked
    phrases = [f"{n} ({quantity(v.mean, facts.metric.unit)})" for n, v in ranking.order]
    leaders, rest = phrases[: len(ranking.leaders)], phrases[len(ranking.leaders) :]
    if not rest:
        return _alike(facts, phrases)
    verb = "has" if len(leaders) == 1 else "tie for"
    lead = f"ahead of {rest[0]} by {_lead(facts, [ranking])}"
    then = f"; then {_first_of(rest[1:])}" if rest[1:] else ""
    return f"{listing(leaders)} {verb} {_what(facts)}, {lead}{then}"


def _first_of(phrases: Sequence[str]) -> str:
    left = len(phrases) - _MOST_NAMED
    return listing([*phrases[:_MOST_NAMED], *([f"{left:,} more"] if left > 0 else [])])


def _throughout(facts: BestFacts, winner: str) -> str:
    """Of a series that leads everywhere, at some places beside others."""
    behind = {r.order[1][0] for r in facts.clear}
    rival = behind.pop() if len(behind) == 1 else "the next"
    ties = len(facts.ranked) - len(facts.clear)
    has = f"{winner} has {_what(facts)}"
    if not ties:
        lead = f"{_lead(facts, facts.clear)}{_wide(facts)}"
        return f"{has}{_everywhere(facts)}, ahead of {rival} by {lead}"
    others = "others"
    if len(facts.names) == 2:
        others = next(name for name in facts.names if name != winner)
    if not facts.clear:
        beyond = ", by more than their scatter" if facts.scatters else ""
        best = f"{winner} is among the best{_everywhere(facts)}"
        return f"{best}; none has {_what(facts)} alone{beyond}"
    where = "the other one" if ties == 1 else f"the other {ties:,}"
    level = f"at {where} {others} {'is' if others != 'others' else 'are'} level with it"
    lead = f"ahead of {rival} by {_lead(facts, facts.clear)}"
    clearly = f"{_everywhere(facts, len(facts.clear))}{_won_at(facts, winner)}"
    return f"{has}{clearly}, {lead}; {level}"


def _wide(facts: BestFacts) -> str:
    """`, from 32 on by more than 10%`: where along the axis a lead begins, or ends, to matter."""
    if facts.over is None or not _FEW < len(facts.along) == len(facts.ranked):
        return ""
    found = [(x, leads([ranking])) for x, ranking in facts.along]
    wide = [bool(lead) and lead[0] > 1 + _MATTERS for _, lead in found]
    turn = next((n for n in range(1, len(wide)) if wide[n] != wide[n - 1]), None)
    if turn is None or any(each != wide[turn] for each in wide[turn:]):
        return ""
    first, last = (value_label(facts.over, found[n][0]) for n in (turn, turn - 1))
    where = f"from {first} on" if wide[turn] else f"up to {last}"
    return f", {where} by more than {_MATTERS:.0%}"


def _by_stretch(facts: BestFacts) -> str | None:
    """Who leads from where to where, along one axis of numbers."""
    if facts.over is None or not facts.along:
        return None
    leaders = [name for each in facts.stretches for name in each.leaders]
    is_once = len(set(leaders)) == len(leaders)
    if len(facts.stretches) > (_MOST_STEPS if is_once else _MOST_STRETCHES):
        return None
    phrases = [_stretch(facts, each) for each in facts.stretches]
    start = f"along {key_name(facts.over)}, {_what(facts)} is that of"
    if widest := _widest(facts):
        ahead = (
            f"{phrase}, ahead by up to {lead}" for phrase, lead in zip(phrases, widest, strict=True)
        )
        return f"{start} {', and that of '.join(ahead)}{_scattered(facts)}"
    return f"{start} {listing(phrases)}; the lead is {_lead(facts, facts.ranked)}"


def _widest(facts: BestFacts) -> list[str]:
    """The widest lead within each of two stretches; nothing where one of them is no lead."""
    if len(facts.stretches) != 2:
        return []
    found = [
        factor(max(leads(r for x, r in facts.along if each.first <= x <= each.last), default=1.0))
        for each in facts.stretches
    ]
    return [] if _NO_LEAD in found else found


def _stretch(facts: BestFacts, stretch: Stretch) -> str:
    over = str(facts.over)
    start, end = (value_label(over, x) for x in (stretch.first, stretch.last))
    where = f"from {start} on" if stretch is facts.stretches[-1] else f"up to {end}"
    where = where if stretch.first != stretch.last else f"at {start}"
    return f"{listing(stretch.leaders)} {where}{_level(facts, stretch)}"


def _level(facts: BestFacts, stretch: Stretch) -> str:
    """Where others are as good as the leaders of a stretch: ` (level with b up to 4 KiB)`."""
    over = str(facts.over)
    mine = [(x, r) for x, r in facts.along if stretch.first <= x <= stretch.last]
    tied = [(x, [n for n in r.leaders if n not in stretch.leaders]) for x, r in mine]
    at = [x for x, names in tied if names]
    if not at:
        return ""
    first, last = (value_label(over, x) for x in (at[0], at[-1]))
    names = list(dict.fromkeys(n for _, each in tied for n in each))
    others = listing(names) if len(names) < _MOST_NAMED else "others"
    if len(at) < len([x for x, _ in mine if at[0] <= x <= at[-1]]):
        return f" (level with {others} at {len(at)} of {len(mine)} of these values)"
    return f" (level with {others} at {first}{f' to {last}' if last != first else ''})"


def _by_count(facts: BestFacts) -> str:
    count = len(facts.ranked)
    wins = Counter(r.best for r in facts.clear)
    ties = count - wins.total()
    if not wins:
        return f"several tie for {_what(facts)} at each of {ties:,} settings"
    if count <= _MOST_NAMED and len(facts.varying) == 1:
        return "; ".join(_at_place(facts, ranking) for ranking in facts.ranked)
    (first, most), *rest = wins.most_common(_MOST_NAMED)
    won = {name: f"{each:,}{_won_at(facts, name)}" for name, each in [(first, most), *rest]}
    phrases = [f"{first} has {_what(facts)} at {won.pop(first)}"]
    phrases += [f"{name} at {each}" for name, each in won.items()]
    equal = sum(len(r.leaders) == len(r.order) for r in facts.ranked)
    if 2 * equal > count:
        # At a confidence of 95 %, one of twenty that are alike seems to differ.
        alike = f"{_alike(facts, facts.names)} at {equal:,} of {count:,} settings"
        return f"{alike}; at the others, {', '.join(phrases)}"
    level = f"; at {ties:,} several are level" if ties else ""
    start = f"of {count:,} settings, {', '.join(phrases)}{level}"
    return f"{start}; the lead is {_lead(facts, facts.clear)}"


def _at_place(facts: BestFacts, ranking: BestFinding) -> str:
    """`uniform traffic: a (0.504) has the …, ahead of b by ×1.28`."""
    (key,) = facts.varying
    where = place_in_words(key, dict(place_of(ranking))[key])
    phrases = [f"{n} ({quantity(v.mean, facts.metric.unit)})" for n, v in ranking.order]
    leaders, rest = phrases[: len(ranking.leaders)], phrases[len(ranking.leaders) :]
    what = f" has {_what(facts)}" if ranking is facts.ranked[0] else ""
    if len(leaders) > 1:
        what = f" share {_what(facts)}" if what else " are level"
    if not rest:
        return f"{where}: {listing(leaders)} are level"
    return f"{where}: {listing(leaders)}{what}, ahead of {rest[0]} by {_lead(facts, [ranking])}"


def _won_at(facts: BestFacts, name: str) -> str:
    """` (uniform and shuffle)`: the few places at which `name` leads alone, if they differ in one
    key."""
    if len(facts.varying) != 1:
        return ""
    (key,) = facts.varying
    places = [dict(place_of(r))[key] for r in facts.clear if r.best == name]
    if len(places) > _MOST_NAMED:
        return ""
    return f" ({listing(place_in_words(key, each) for each in places)})"


def _beyond(facts: BestFacts) -> str:
    """`; beyond 8, only torus has values`, for instance where the others have saturated."""
    if facts.beyond is None:
        return ""
    last, names = value_label(str(facts.over), facts.beyond.last), facts.beyond.names
    return f"; beyond {last}, only {listing(names)} {'has' if len(names) == 1 else 'have'} values"


def _error(facts: BestFacts) -> str:
    """Why predictions are level that have different means."""
    if not facts.error:
        return ""
    off = f"±{facts.error:.0%}" if facts.error >= 0.01 else f"±{facts.error:.1%}"
    rest_on = " of the fitted network" if facts.is_fitted else ""
    rest_on += " with measured computing" if facts.is_measured else ""
    counts = facts.replicates
    beside = f", beside the scatter of {counts} replicates" if counts else ""
    return (
        f". Predictions whose intervals overlap are indistinguishable: those{rest_on} are"
        f" {off}{beside}"
    )


def _far_behind(facts: BestFacts) -> str:
    """Those that are somewhere far from the best, which a sentence about leaders would hide."""
    if not facts.far:
        return ""
    low, high = min(map(min, facts.far.values())), max(map(max, facts.far.values()))
    by = f"{factor(low)} to {factor(high)}" if low >= FAR else f"up to {factor(high)}"
    by = by if factor(low) != factor(high) else factor(high)
    verb = "is" if len(facts.far) == 1 else "are"
    return f". {_first_of(list(facts.far))} {verb} {by} behind the best"


def _whose(facts: BestFacts) -> str:
    """` (packet; flow puts mesh first at 2 of 8)`: whose values these are, and who differs."""
    apart = [_dissent(each) for each in facts.dissents if each.places]
    alike = [each.engine for each in facts.dissents if not each.places]
    verb = "agrees on what is first" if len(alike) == 1 else "agree on what is first"
    agreed = [f"{listing(alike)} {verb}"] if alike else []
    parts = [*([facts.whose] if facts.whose else []), *apart, *agreed]
    return f" ({'; '.join(parts)})" if parts else ""


def _dissent(dissent: Dissent) -> str:
    puts = f"puts {_first_of(dissent.leaders)} first"
    agreed = dissent.of - dissent.places
    if not agreed:
        return f"{dissent.engine} {puts}{' everywhere' if dissent.of > 1 else ''}"
    others = "the other one" if dissent.places == 1 else f"the other {dissent.places:,}"
    return f"{dissent.engine} agrees at {agreed:,} of {dissent.of:,} and {puts} at {others}"


def _lead(facts: BestFacts, ranked: Sequence[BestFinding]) -> str:
    """By how much the best is ahead, beyond what."""
    return f"{factors(ranked)}{_scattered(facts)}"


def _scattered(facts: BestFacts) -> str:
    """That a lead is no accident of the replicates."""
    counts = facts.replicates if not facts.error else 0
    return f", beyond the scatter of {counts} replicates" if counts else ""


def factors(ranked: Sequence[BestFinding]) -> str:
    """`×1.20`, or `×1.20 to ×1.90 (median ×1.42)`."""
    found = leads(ranked)
    if not found:
        return "a value of 0"
    low, high = factor(found[0]), factor(found[-1])
    if low == high:
        return low if low != _NO_LEAD else "less than 1 %"
    middle = f" (median {factor(median(found))})" if len(found) > 2 else ""
    return f"{f'{low} to' if low != _NO_LEAD else 'up to'} {high}{middle}"
