"""Green Circle: two teams walk round an office, collect skill cards and release applications."""

from arbiter.protocols.green_circle.protocol import GreenCircle

protocol = GreenCircle()
