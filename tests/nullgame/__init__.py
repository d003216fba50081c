"""Two games with hardly any rules, agents for them, and what tests of the arbiter itself need around those."""
