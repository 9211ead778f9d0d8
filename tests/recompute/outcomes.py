"""The rules of docs/explain/how-claims-are-judged.md for one row: its interval, its range and its outcome.

All values are logarithms.
"""

import math
import statistics
from dataclasses import dataclass, field

TIE = math.log(1.03)
INF = math.inf


# Statistics: medians, the sign test, ratios of times.

def order_statistic(n, looks=1):
    """The largest k with 2 P(B < k) <= 0.05 / looks, B binomial(n, 1/2); 0 if there is none."""
    k, below = 0, 0
    while 40 * looks * (below := below + math.comb(n, k)) <= 2**n:
        k += 1
    return k


def interval(values, looks=1):
    k = order_statistic(len(values), looks)
    return (sorted(values)[k - 1], sorted(values)[-k]) if k else (None, None)


def sign_test(beyond, n):
    """Two-sided p of `beyond` of n values on one side of an edge."""
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(beyond, n + 1)) / 2**n)


def block_log_ratio(a, b):
    """For two blocks: the mean over queries of the logarithm of the query's ratio."""
    x, y = a["query_ns"], b["query_ns"]
    if len(x[0]) != len(y[0]):  # a batch has one time a pass
        x, y = [[sum(times)] for times in x], [[sum(times)] for times in y]
    logs = []
    for of_a, of_b in zip(zip(*x), zip(*y)):
        if a["process"] == b["process"]:
            logs.append(statistics.median(math.log(s / t) for s, t in zip(of_a, of_b)))
        else:
            logs.append(statistics.median(map(math.log, of_a)) - statistics.median(map(math.log, of_b)))
    return statistics.fmean(logs)


def blocks_of(cell):
    return {block["index"]: block for block in cell.get("blocks", [])}


def log_ratios(a, b):
    """By block, for two lists of blocks."""
    return {index: block_log_ratio(a[index], b[index]) for index in sorted(a.keys() & b.keys())}


# Rows: one measured value with an interval.

@dataclass
class Range:
    """Logarithms. `fixed` ends don't move."""
    low: float
    high: float
    rival: float = 0.0
    fixed: bool = False
    sided: bool = True

    @property
    def side(self):
        inside_tie = self.rival - TIE <= self.low and self.high <= self.rival + TIE
        if not self.sided or inside_tie:
            return 0
        return -1 if self.high <= self.rival else 1 if self.low >= self.rival else 0

    def with_tolerance(self):
        def moved(end, outwards):
            if self.fixed or math.isinf(end):
                return end
            effect = abs(end - self.rival) if self.sided else 0
            return end + outwards * max(0.1 * effect, TIE)
        low, high = moved(self.low, -1), moved(self.high, 1)
        return (max(low, self.rival) if self.side > 0 else low), (min(high, self.rival) if self.side < 0 else high)


BEYOND_ABOVE, BEYOND_BELOW = Range(TIE, INF, fixed=True), Range(-INF, -TIE, fixed=True)


@dataclass
class Row:
    range: Range
    cells: list
    text: str = ""
    logs: list = field(default_factory=list)  # of blocks or queries; one if exact
    blocks: list = field(default_factory=list)  # or queries, of the logs
    exact: bool = False
    timed: bool = False
    looks: int = 1  # of the run, each at its part of the level
    ratio: bool = False
    doubt: str = ""  # why it is inconclusive
    absent: str = ""  # why it is not testable
    resolution: float = 0.0
    point: object = None  # of the axis, if the kind has one
    grows: bool = False  # along an axis, over all cells
    word: str = ""  # the outcome, corrected
    size: object = None
    plain: list = field(default_factory=list)  # values of one cell, whose median is not one of logarithms

    @property
    def value(self):
        if not (self.logs or self.plain):
            return None
        return log_of(statistics.median(self.plain)) if self.plain else statistics.median(self.logs)

    @property
    def interval(self):
        return (self.value, self.value) if self.exact else interval(self.logs, self.looks)

    def outcome(self):
        """The first line of the table that fits, with the size of a direction."""
        if self.absent or self.value is None:
            return "not testable here", None
        low, high = self.interval
        if low is None or self.doubt:
            return "inconclusive", None
        near, far = self.range.with_tolerance()
        rival, side = self.range.rival, self.range.side
        near_fits = low > near if near == rival else low >= near
        far_fits = high < far if far == rival else high <= far
        judged = not (side and self.timed and self.ratio and abs(self.value - rival) < self.resolution)
        if near_fits and far_fits:
            return ("reproduced" if judged else "inconclusive"), None
        above, below = low > rival + TIE, high < rival - TIE
        if side and (above if side > 0 else below):
            weaker, stronger = (high < near, low > far) if side > 0 else (low > far, high < near)
            size = "weaker" if weaker else "stronger" if stronger else "size open"
            return ("direction only", size) if judged else ("inconclusive", None)
        if side and (below if side > 0 else above):
            return ("not reproduced" if judged else "inconclusive"), None
        if not side and (high < near or low > far):
            return "not reproduced", None
        return "inconclusive", None

    def p(self):
        """The p of the sign test against the nearer edge of line 5 or 6."""
        if self.absent or self.doubt or not self.logs or self.interval[0] is None:
            return None
        near, far = self.range.with_tolerance()
        if self.range.side:
            edge, above = self.range.rival - self.range.side * TIE, self.range.side < 0
        else:
            above = math.isinf(near) or not math.isinf(far) and abs(self.value - far) < abs(self.value - near)
            edge = far if above else near
        beyond = sum(log > edge if above else log < edge for log in self.logs)
        if self.exact:
            return 0.0 if beyond else 1.0
        return sign_test(beyond, len(self.logs))


def log_of(value):
    return math.log(value) if value > 0 else -INF


def log_or(value, otherwise):
    return otherwise if value is None else log_of(value)


def paper_range(paper, rival):
    """The range of a ratio: the paper's, or beyond the tie zone if the paper only names a side."""
    low, high = paper.get("low"), paper.get("high")
    if low is None and high is None:
        low = high = paper["value"]
    return Range(log_or(low, -INF), log_or(high, INF), rival)
