"""How the times of an answer are stored in columns."""

from __future__ import annotations

import numpy as np

from arbiter.records.packed.arrays import Numbers


def usual_charge(cpu: Numbers, waited: Numbers, idle: Numbers) -> Numbers:
    """Return what the fair clock charges for an answer if only run-queue wait is subtracted from its wall time."""
    charged: Numbers = cpu + waited + idle - np.clip(np.minimum(waited + idle, waited), 0, None)
    return charged
