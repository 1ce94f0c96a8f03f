"""Which alternative is best, by how much, and where the lead changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from weft.analysis.findings import BestFinding, Better, rankings, stretches
from weft.report.answers.grid import GridPlace, ValueGrid, grid
from weft.report.answers.questions import AMOUNTS, Ask, filters
from weft.report.answers.ranges import range_sentences
from weft.report.answers.shared_ending import without_shared_ending
from weft.report.answers.wording import headed, key_name, name
from weft.report.data.computing_errors import has_spreads
from weft.report.data.fidelity import highest
from weft.report.data.fit_errors import keys_of_fits
from weft.report.data.intervals import confidence
from weft.report.data.source import Study
from weft.report.data.units import factor, listing, quantity, value_label

#: More stretches are named only if no series leads twice, as where the best size doubles.
_MOST_STRETCHES = 4
_MOST_STEPS = 8
_MOST_NAMED = 4
#: By this factor a series is far behind.
_FAR = 10.0
#: A lead that two digits do not show.
_NO_LEAD = factor(1.0)
_WORST = {"lower": "lowest", "higher": "highest"}


def best_sentences(study: Study, ask: Ask) -> list[str]:
    """A sentence for each value of the keys `each`, of the engine nearest to the machine.

    Where only amounts of work differ, nothing is best: the sentence gives the range of values.
    """
    direction = study.metrics[ask.of].direction
    found = grid(study, ask.of, ask.wheres, (*ask.each, *ask.among, ask.over))
    if direction == "neutral" or not found.cells:
        return []
    whose = whose_engine(found, ask)
    if "engine" not in ask.among:
        found = found.of_engine(highest(study, found.engines))
    each = found.varying(ask.each)
    first = [key for key in (*each, ask.over or "") if key]
    differing = list(ask.among) or found.places(first)
    among = list(ask.among) or [key for key in differing if key not in AMOUNTS]
    if differing and not among:
        nearest = {"engine": found.engines[0]}
        return range_sentences(study, ask.of, [{**where, **nearest} for where in ask.wheres])
    keys = [k for k in found.places(among, first) if k not in among]
    ranked = rankings(found.curves(among, keys), direction, confidence(study))
    sentences = []
    for settings, group in grouped(ranked, each):
        shorter, ending = without_shared_ending(group)
        text = Contest(study, ask.of, direction, shorter, ask.over).sentence()
        text = f"for {ending}: {text}" if ending else text
        sentences.append(headed([*filters_left(found, ask, each), *settings], f"{text}{whose}"))
    return sentences


def whose_engine(found: ValueGrid, ask: Ask) -> str:
    """` (packet)`: whose values a sentence uses, where others have some, too, or were left out."""
    study = found.study
    chosen = any("engine" in where for where in ask.wheres) and len(study.engines) > 1
    if "engine" in (*ask.among, *ask.each) or not (chosen or len(found.engines) > 1):
        return ""
    return f" ({value_label('engine', highest(study, found.engines))})"


def filters_left(found: ValueGrid, ask: Ask, each: Sequence[str]) -> list[tuple[str, object]]:
    """The filter's settings that distinguish these values from others of the experiment."""
    return [
        (key, setting) for key, setting in filters(ask)
        if key not in each and len(found.study.values.get(key, ())) > 1
    ]  # fmt: skip


def grouped(
    ranked: Sequence[BestFinding], each: Sequence[str]
) -> Iterator[tuple[list[tuple[str, object]], list[BestFinding]]]:
    """Rankings by the values of the keys `each`, in order."""
    found: dict[str, tuple[list[tuple[str, object]], list[BestFinding]]] = {}
    for ranking in ranked:
        settings = [item for item in _place(ranking) if item[0] in each]
        found.setdefault(repr(settings), (settings, []))[1].append(ranking)
    yield from found.values()


def _place(ranking: BestFinding) -> GridPlace:
    assert isinstance(ranking.place, tuple)
    return ranking.place


class Contest:
    """What the rankings of one group say, in one sentence without its full stop."""

    def __init__(
        self,
        study: Study,
        metric: str,
        better: Better,
        ranked: Sequence[BestFinding],
        over: str | None,
    ) -> None:
        self.study, self.metric, self.ranked, self.over = study, metric, ranked, over
        self.what = f"the {_WORST[better]} {name(study, metric)}"
        self.names = list(dict.fromkeys(n for r in ranked for n, _ in r.order))

    def sentence(self) -> str:
        """Which series is best, where, and by how much. Also reports series that are
        indistinguishable, because the network's fit or measured computing is not precise enough."""
        return f"{self._with_error()}{self._far_behind()}"

    def _far_behind(self) -> str:
        """Those that are somewhere far from the best, which a sentence about leaders would hide."""
        factors = {
            name: [r.behind(name) or 1.0 for r in self.ranked if name in dict(r.order)]
            for name in self.names
        }
        far = {name: each for name, each in factors.items() if max(each) >= _FAR}
        if not far or len(self.names) < 3:
            return ""
        low, high = min(map(min, far.values())), max(map(max, far.values()))
        by = f"{factor(low)} to {factor(high)}" if low >= _FAR else f"up to {factor(high)}"
        by = by if factor(low) != factor(high) else factor(high)
        left = len(far) - _MOST_NAMED
        names = [*list(far)[:_MOST_NAMED], *([f"{left:,} more"] if left > 0 else [])]
        return f". {listing(names)} {'is' if len(far) == 1 else 'are'} {by} behind the best"

    def _with_error(self) -> str:
        error = max((v.error for r in self.ranked for _, v in r.order), default=0.0)
        ties = any(len(r.leaders) > 1 for r in self.ranked)
        if not error or not ties:
            return self._found()
        counts = {len(v.replicates) for r in self.ranked for _, v in r.order} - {0, 1}
        beside = f", beside the scatter of {max(counts)} replicates" if counts else ""
        off = f"±{error:.0%}" if error >= 0.01 else f"±{error:.1%}"
        rest_on = [" of the fitted network"] if keys_of_fits(self.study) else []
        rest_on += [" with measured computing"] if has_spreads(self.study) else []
        return (
            f"{self._found()}. Predictions whose intervals overlap are indistinguishable: those"
            f"{''.join(rest_on)} are {off}{beside}"
        )

    def _found(self) -> str:
        count = len(self.ranked)
        leads = Counter(n for r in self.ranked for n in r.leaders)
        always = [n for n in self.names if leads[n] == count]
        if count == 1:
            return self._once()
        if all(len(r.leaders) == len(r.order) for r in self.ranked):
            return f"{self._alike(self.names)}{self._everywhere()}"
        if len(always) > 1:
            shared = f"{listing(always)} share {self.what}{self._everywhere()}"
            return f"{shared}, ahead of the next by {_factors(self.ranked)}"
        if always:
            return self._throughout(always[0])
        return self._by_stretch() or self._by_count()

    def _alike(self, names: Sequence[str]) -> str:
        if any(v.error for r in self.ranked for _, v in r.order):
            return f"{listing(names)} are indistinguishable in {name(self.study, self.metric)}"
        within = any(len(v.replicates) > 1 or v.middle for r in self.ranked for _, v in r.order)
        what = f"do not differ in {name(self.study, self.metric)}"
        return f"{listing(names)} {what}{' by more than their scatter' if within else ''}"

    def _once(self) -> str:
        (ranking,) = self.ranked
        unit = self.study.metrics[self.metric].unit
        phrases = [f"{n} ({quantity(v.mean, unit)})" for n, v in ranking.order]
        leaders, rest = phrases[: len(ranking.leaders)], phrases[len(ranking.leaders) :]
        if not rest:
            return self._alike(phrases)
        left = len(rest) - _MOST_NAMED
        others = listing([*rest[:_MOST_NAMED], *([f"{left:,} more"] if left > 0 else [])])
        verb = "has" if len(leaders) == 1 else "tie for"
        return f"{listing(leaders)} {verb} {self.what}, ahead of {others} by {_factors([ranking])}"

    def _throughout(self, winner: str) -> str:
        clear = [r for r in self.ranked if len(r.leaders) == 1]
        ties = len(self.ranked) - len(clear)
        behind = {r.order[1][0] for r in clear}
        rival = behind.pop() if len(behind) == 1 else "the next"
        if not ties:
            lead = f"ahead of {rival} by {_factors(clear)}"
            return f"{winner} has {self.what}{self._everywhere()}, {lead}"
        others = self.names[1 - self.names.index(winner)] if len(self.names) == 2 else "others"
        where = "the other one" if ties == 1 else f"the other {ties:,}"
        level = f"at {where} {others} {'is' if others != 'others' else 'are'} level with it"
        if not clear:
            return f"{winner} has {self.what}{self._everywhere()}, level with {others} at each"
        of = self._everywhere().replace(" at all ", f" at {len(clear):,} of ")
        return f"{winner} has {self.what}{of}, ahead of {rival} by {_factors(clear)}; {level}"

    def _by_stretch(self) -> str | None:
        """Who leads from where to where, along one axis of numbers."""
        if self.over is None or any(k != self.over for k in self._varying()):
            return None
        ranked = [(dict(_place(r)).get(self.over), r) for r in self.ranked]
        numbers = [(float(x), r) for x, r in ranked if isinstance(x, int | float)]
        if len(numbers) < len(self.ranked):
            return None
        found = stretches(sorted(numbers, key=lambda each: each[0]))
        leaders = [name for each in found for name in each.leaders]
        is_once = len(set(leaders)) == len(leaders)
        if len(found) > (_MOST_STEPS if is_once else _MOST_STRETCHES):
            return None
        phrases = []
        for number, each in enumerate(found):
            start, end = (value_label(self.over, x) for x in (each.first, each.last))
            where = f"from {start} on" if number == len(found) - 1 else f"up to {end}"
            where = where if each.first != each.last else f"at {start}"
            mine = [(x, r) for x, r in numbers if each.first <= x <= each.last]
            phrases.append(f"{listing(each.leaders)} {where}{self._level(each.leaders, mine)}")
        return (
            f"along {key_name(self.over)}, {self.what} is that of {listing(phrases)}; the lead is"
            f" {_factors(self.ranked)}"
        )

    def _level(self, leaders: Sequence[str], ranked: Sequence[tuple[float, BestFinding]]) -> str:
        """Where others are as good as the leaders of a stretch: ` (level with b up to 4 KiB)`."""
        assert self.over is not None
        tied = [(x, [n for n in r.leaders if n not in leaders]) for x, r in ranked]
        at = [x for x, names in tied if names]
        if not at:
            return ""
        first, last = (value_label(self.over, x) for x in (at[0], at[-1]))
        names = list(dict.fromkeys(n for _, each in tied for n in each))
        others = listing(names) if len(names) < _MOST_NAMED else "others"
        if len(at) < len([x for x, _ in ranked if at[0] <= x <= at[-1]]):
            return f" (level with {others} at {len(at)} of {len(ranked)} of these values)"
        return f" (level with {others} at {first}{f' to {last}' if last != first else ''})"

    def _by_count(self) -> str:
        wins = Counter(r.best for r in self.ranked if len(r.leaders) == 1)
        ties = len(self.ranked) - wins.total()
        phrases = [f"{n} has {self.what} at {count:,}" for n, count in wins.most_common(1)]
        phrases += [f"{n} at {count:,}" for n, count in wins.most_common()[1:_MOST_NAMED]]
        if not wins:
            return f"several tie for {self.what} at each of {ties:,} settings"
        level = f"; at {ties:,} several are level" if ties else ""
        equal = sum(len(r.leaders) == len(r.order) for r in self.ranked)
        if 2 * equal > len(self.ranked):
            # At a confidence of 95 %, one of twenty that are alike seems to differ.
            alike = f"{self._alike(self.names)} at {equal:,} of {len(self.ranked):,} settings"
            return f"{alike}; at the others, {', '.join(phrases)}"
        start = f"of {len(self.ranked):,} settings, {', '.join(phrases)}{level}"
        return f"{start}; the lead is {_factors([r for r in self.ranked if len(r.leaders) == 1])}"

    def _varying(self) -> list[str]:
        seen: dict[str, set[str]] = {}
        for ranking in self.ranked:
            for key, setting in _place(ranking):
                seen.setdefault(key, set()).add(repr(setting))
        return [key for key, settings in seen.items() if len(settings) > 1]

    def _everywhere(self) -> str:
        varying = self._varying()
        many = f"{len(self.ranked):,}"
        if len(varying) == 1:
            return f" at all {many} values of {key_name(varying[0])}"
        return f" at all {many} settings"


def _factors(ranked: Sequence[BestFinding]) -> str:
    """`×1.20`, or `×1.20 to ×1.90 (median ×1.42)`."""
    leads = sorted(lead for r in ranked if (lead := r.lead) is not None)
    if not leads:
        return "a value of 0"
    low, high = factor(leads[0]), factor(leads[-1])
    if low == high:
        return low if low != _NO_LEAD else "less than 1 %"
    middle = f" (median {factor(median(leads))})" if len(leads) > 2 else ""
    return f"{f'{low} to' if low != _NO_LEAD else 'up to'} {high}{middle}"
