"""A machine that is disturbed on purpose, to prove that agents are not charged for it (``make proof``)."""
