"""A machine that is disturbed on purpose, to prove that nobody is charged for it (``make proof``)."""
