"""What the words of an experiment's question ask for: a metric, a level, a course or a choice.

They decide where the sweep and the figures leave open what a page answers. Words that are not
found here decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from weft.report.data.metrics import Metric
from weft.report.data.units import key_label

#: Nouns of labels that name a metric alone, with other words that mean the same.
_NOUNS = (
    ("bandwidth", "throughput"),
    ("latency", "latencies", "delay", "delays"),
    ("slowdown", "slowdowns"),
    ("utilisation", "utilization"),
    ("imbalance",),
)
#: Words of labels that do not tell metrics apart.
_FILLING = {"mean", "of", "the", "a", "an", "in", "to", "by", "at"}
_TIMES = ("s", "cycle")
#: A word of a key's name that may stand for something else.
_SHORT = 3
_TIME = re.compile(
    r"\b(?:how (?:much |many times )?(?:long|fast|quick|slow)\w*|times?\b(?! as)|durations?"
    r"|faster|fastest|slower|slowest|longer|quicker|quickest)\b"
)
_SHARE = re.compile(r"(?P<percent>\d+(?:[.,]\d+)?)\s*(?:%|per ?cent)|\b(?P<half>half)\b")
_REACHES = re.compile(
    r"\b(?:reach|attain|achieve|achieving|deliver|sustain|exploit|get|gets|use|uses)\w*\b"
)
_LINK = re.compile(r"\b(?:links?|wires?|cables?|line rate|nominal|raw)\b")
_COURSE = re.compile(
    r"\bhow\b[^,;?]*\b(?:grow|scale|change|depend|rise|fall|increase|decrease|vary|varies|shrink"
    r"|develop|drop|suffer)\w*\b|\b(?:up to|until|beyond|from) (?:which|what|how many|how much)\b"
)
_CHOICE = re.compile(
    r"\b(?:which|what|who)\b[^,;?]*\b(?:best|better|worst|worse|fast\w+|slow\w+|low\w+|high\w+|most"
    r"|least|cheap\w+|short\w+|large\w*|small\w+|win\w*|los\w+|beat\w*|overtak\w+|worth|keep\w*)\b"
    r"|\b(?:from|up to) (?:which|what)\b[^;?]*\b(?:lose\w*|beat\w*|overtak\w+|than|against)\b"
    r"|\b(?:better|worse|faster|slower)\b[^,;?]*\bthan\b"
)

_LEVELS = re.compile(
    r"\b(?:no longer|not any ?more|levels? off|levell?ing off|flattens?|diminishing"
    r"|stops? (?:growing|rising|falling|improving|helping|to))\b"
)
_PRICE = re.compile(r"\b(?:prices?|costs?|worth|money|cheap\w*|euros?|dollars?|budget)\b")


@dataclass(frozen=True, slots=True)
class AskedLevel:
    """The part `share` of the best value of a metric, or of what a link carries."""

    share: float
    is_of_link: bool


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The words of a question; `swept` are the keys that vary, which are no metrics."""

    text: str
    swept: Sequence[str]

    @property
    def level(self) -> AskedLevel | None:
        """`90 % of the link's bandwidth`, where the question asks what reaches it."""
        text = self.text.lower()
        found, reaches = _SHARE.search(text), _REACHES.search(text)
        if found is None or reaches is None or reaches.start() > found.start():
            return None
        percent = found["percent"]
        share = float(percent.replace(",", ".")) / 100 if percent else 0.5
        after = text[found.end() :].split(",")[0]
        is_share = after.lstrip().startswith(("of", "its", "the")) and 0 < share < 1
        return AskedLevel(share, bool(_LINK.search(after))) if is_share else None

    @property
    def asks_course(self) -> bool:
        """Whether the question asks how something goes along a number."""
        return _COURSE.search(self.text.lower()) is not None

    @property
    def asks_course_first(self) -> bool:
        """Whether the question asks how something goes along a number before, or without, asking
        which alternative is best."""
        course, choice = (found.search(self.text.lower()) for found in (_COURSE, _CHOICE))
        return course is not None and (choice is None or course.start() < choice.start())

    @property
    def asks_end(self) -> bool:
        """Whether the question asks from where on something no longer grows."""
        return _LEVELS.search(self.text.lower()) is not None

    def names(self, key: str) -> bool:
        """Whether the question has a telling word of the name of `key`: `buffers` for
        `engine.packet.vc_buffer_flits`."""
        text = self.text.lower()
        words = (w.removesuffix("s") for w in _telling(key_label(key)) if len(w) > _SHORT)
        return any(re.search(rf"\b{word}s?\b", text) for word in words)

    @property
    def asks_price(self) -> bool:
        """Whether the question is about what something costs."""
        return bool(_PRICE.search(self.text.lower()))

    def metrics(self, metrics: Iterable[Metric]) -> list[str]:
        """The names of those of `metrics` that the question names, in its order.

        A label names its metric as a whole; a noun such as bandwidth or a word such as longer
        names the first metric that suits it best.
        """
        text, known = self.text.lower(), [*metrics]
        found: dict[str, int] = {}
        for metric in known:
            at = text.find(metric.label.lower())
            if at >= 0 and len(_telling(metric.label)) > 1:
                found.setdefault(metric.name, at)
        for words in _NOUNS:
            at = min((m.start() for word in words if (m := self._names(word))), default=-1)
            suits = [m for m in known if {*words} & {*_telling(m.label)}]
            if at < 0 or not suits or {m.name for m in suits} & found.keys():
                continue
            best = _first_time(known) if "latency" in words else None
            best = best or max(suits, key=lambda m: _likeness(m.label, text, words))
            found.setdefault(best.name, at)
        times = {m.name: m for m in known if _is_time(m) or m.around}
        said = _TIME.search(text)
        if said and times and not times.keys() & found.keys():
            found[next(iter(times))] = said.start()
        return sorted(found, key=lambda name: found[name])

    def _names(self, word: str) -> re.Match[str] | None:
        """Where the question has `word`, unless that is what it varies."""
        if any(word in _telling(key_label(key)) for key in self.swept):
            return None
        return re.search(rf"\b{word}\b", self.text.lower())


def _telling(label: str) -> Collection[str]:
    return {word for word in re.findall(r"[\w-]+", label.lower()) if word not in _FILLING}


def _likeness(label: str, text: str, words: Collection[str]) -> float:
    """The share of the label's telling words that the question has."""
    telling = _telling(label)
    return sum(word in words or word in text for word in telling) / len(telling)


def _first_time(known: Sequence[Metric]) -> Metric | None:
    """What latency is where the first of the metrics is a time, as that of a ping-pong."""
    return (
        known[0] if known and known[0].unit == "s" and "time" in _telling(known[0].label) else None
    )


def _is_time(metric: Metric) -> bool:
    return metric.unit in _TIMES
