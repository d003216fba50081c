"""Take Away keeps its promises to the arbiter. This holds for any game: keep it when you replace the rules."""

from takeaway import protocol

from arbiter.testing import conformance

test_conformance = conformance(protocol)
