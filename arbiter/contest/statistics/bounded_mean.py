"""Distribution-free confidence bounds for the mean of observations between 0 and 1.

Suppose the mean is ``m``. Of all distributions between 0 and 1 with that mean, the most likely one divides the weight of
every observation ``x`` by ``1 + tilt * (x - m)`` and may put the remaining weight on 0 or on 1, even if neither was
observed (empirical likelihood). Everything here follows from that distribution:

- the log-likelihood lost by the supposition, by which the generalised sequential test compares two suppositions;
- its variance, and hence an interval: all means within some number of *their own* standard errors of the sample mean. For
  wins and losses alone that is Wilson's interval. It keeps its width where the usual interval, from the variance of the
  sample, has none: when every game was won, or drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
"""Number of standard errors to either side that cover 95 %."""
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
        """Add an observation, ``times`` times."""
        if not 0 <= observation <= 1:
            raise ValueError(f"observation {observation} is not between 0 and 1")
        if times:
            self.counts[observation] = self.counts.get(observation, 0) + times
            self.size += times

    @property
    def mean(self) -> float:
        """The sample mean; there must be at least one observation."""
        return math.fsum(value * count for value, count in self.counts.items()) / self.size

    def cost(self, mean: float) -> float:
        """Return the log-likelihood lost by supposing this mean; 0 at the sample mean."""
        tilt = self._tilt(mean)
        return math.fsum(count * math.log1p(tilt * (value - mean)) for value, count in self.counts.items())

    def variance(self, mean: float) -> float:
        """Return the variance of the most likely distribution with that mean."""
        tilt = self._tilt(mean)
        weights = [(value, count / self.size / (1 + tilt * (value - mean))) for value, count in self.counts.items()]
        unseen = max(0.0, 1 - math.fsum(weight for _, weight in weights))
        weights.append((0.0 if tilt > 0 else 1.0, unseen))
        return math.fsum(weight * (value - mean) ** 2 for value, weight in weights)

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """Return the interval of means within ``z`` standard errors; 0 to 1 without observations."""
        return (self._limit(0.0, z), self._limit(1.0, z)) if self.size else (0.0, 1.0)

    def _tilt(self, mean: float) -> float:
        """Return the tilt at which the slope of the likelihood is zero, or the nearest that weights on 0 and 1 allow."""
        if not 0 < mean < 1:
            raise ValueError(f"mean {mean} is not strictly between 0 and 1")
        gaps = [(value - mean, count) for value, count in sorted(self.counts.items())]
        low, high = -1 / (1 - mean), 1 / mean
        # If 0 or 1 was observed, the slope is infinite at that end and the root lies inside.
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
        """Return the end of the interval towards ``end``, by bisection between a mean inside the interval and one outside."""
        centre = self.mean
        near, far = centre, end
        while abs(far - near) > _FINE:
            middle = (near + far) / 2
            if math.sqrt(self.size) * abs(middle - centre) > z * math.sqrt(self.variance(middle)):
                far = middle
            else:
                near = middle
        return near


def _slope(gaps: list[tuple[float, int]], tilt: float) -> tuple[float, float]:
    """Return the first derivative, and the second with its sign reversed."""
    slope = bend = 0.0
    for gap, count in gaps:
        part = gap / (1 + tilt * gap)
        slope += count * part
        bend += count * part * part
    return slope, bend
