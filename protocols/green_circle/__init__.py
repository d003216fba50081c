"""Green Circle: two teams walk round an office, collect skill cards and release applications."""

from protocols.green_circle.protocol import GreenCircle

protocol = GreenCircle()
