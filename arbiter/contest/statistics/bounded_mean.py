"""What observations between 0 and 1 say of their mean, whatever their distribution.

Suppose the mean is ``m``. The likeliest distribution with that mean, of all that there are between 0 and 1, divides the
weight of every observation ``x`` by ``1 + tilt * (x - m)``, and may put what is then left on 0 or on 1, also if neither
was ever seen. Everything here follows from that distribution:

- how much likelihood the supposition costs: the generalised sequential test compares two suppositions by it;
- its variance, and with that an interval: all means that are not too many standard errors of *their own* away. For
  wins and losses alone that is Wilson's interval. It stays honest where the usual one, which takes the variance of the
  sample, has no width at all: when everything was won, or drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
"""Standard errors to either side that hold 95 %."""
_STEPS = 50
_FINE = 1e-12


class Sample:
    """Observations between 0 and 1, counted by value."""

    def __init__(self, observations: Iterable[float] = ()) -> None:
        self.counts: dict[float, int] = {}
        self.size = 0
        for observation in observations:
            self.add(observation)

    def add(self, observation: float, times: int = 1) -> None:
        """More of them."""
        if not 0 <= observation <= 1:
            raise ValueError(f"{observation} is not between 0 and 1")
        if times:
            self.counts[observation] = self.counts.get(observation, 0) + times
            self.size += times

    @property
    def mean(self) -> float:
        """Of at least one observation."""
        return math.fsum(value * count for value, count in self.counts.items()) / self.size

    def cost(self, mean: float) -> float:
        """How much log-likelihood is lost by supposing that this is the mean; 0 at the mean of the sample."""
        tilt = self._tilt(mean)
        return math.fsum(count * math.log1p(tilt * (value - mean)) for value, count in self.counts.items())

    def variance(self, mean: float) -> float:
        """Of the likeliest distribution with that mean."""
        tilt = self._tilt(mean)
        weights = [(value, count / self.size / (1 + tilt * (value - mean))) for value, count in self.counts.items()]
        unseen = max(0.0, 1 - math.fsum(weight for _, weight in weights))
        weights.append((0.0 if tilt > 0 else 1.0, unseen))
        return math.fsum(weight * (value - mean) ** 2 for value, weight in weights)

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The means within ``z`` standard errors. Without observations: all there are."""
        return (self._limit(0.0, z), self._limit(1.0, z)) if self.size else (0.0, 1.0)

    def _tilt(self, mean: float) -> float:
        """Where the slope of the likelihood vanishes, or as far as 0 and 1 allow."""
        if not 0 < mean < 1:
            raise ValueError(f"{mean} is not between 0 and 1")
        gaps = [(value - mean, count) for value, count in sorted(self.counts.items())]
        low, high = -1 / (1 - mean), 1 / mean
        # At an end that was seen the slope is infinite: the weight of 0 or 1 then settles it, inside.
        if 0.0 not in self.counts and _slope(gaps, high)[0] >= 0:
            return high
        if 1.0 not in self.counts and _slope(gaps, low)[0] <= 0:
            return low
        tilt = 0.0
        for _ in range(_STEPS):
            slope, bend = _slope(gaps, tilt)
            low, high = (tilt, high) if slope > 0 else (low, tilt)
            following = tilt + slope / bend
            if not low < following < high:
                following = (low + high) / 2
            if abs(following - tilt) <= _FINE * (1 + abs(tilt)):
                return following
            tilt = following
        return tilt

    def _limit(self, end: float, z: float) -> float:
        """The mean farthest towards ``end`` that is not too far from that of the sample: where a secant between one
        that is near enough and one that is not meets zero, again and again."""
        centre = self.mean
        near, far, moved = centre, end, ""
        below = -z * math.sqrt(self.variance(centre)) if 0 < centre < 1 else 0.0
        above = math.sqrt(self.size) * abs(end - centre)
        for _ in range(_STEPS):
            if abs(far - near) <= _FINE:
                break
            # A sample that is all alike has no variance, and a secant from there would stay there.
            middle = (near * above - far * below) / (above - below) if below else (near + far) / 2
            excess = math.sqrt(self.size) * abs(middle - centre) - z * math.sqrt(self.variance(middle))
            if abs(excess) <= _FINE:
                return middle
            # An end that stays twice is taken for half as bad as it is, so that it moves too (the Illinois rule).
            if excess > 0:
                far, above, below = middle, excess, below / (2 if moved == "far" else 1)
                moved = "far"
            else:
                near, below, above = middle, excess, above / (2 if moved == "near" else 1)
                moved = "near"
        return near


def _slope(gaps: list[tuple[float, int]], tilt: float) -> tuple[float, float]:
    """First and second derivative, the second one's sign reversed."""
    slope = bend = 0.0
    for gap, count in gaps:
        part = gap / (1 + tilt * gap)
        slope += count * part
        bend += count * part * part
    return slope, bend
