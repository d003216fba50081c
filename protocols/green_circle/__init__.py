"""Green Circle: two teams walk round an office, collect skill cards and release applications.

README.md beside this file is the page for agent authors.
"""

from arbiter.protocols.green_circle.protocol import GreenCircle

protocol = GreenCircle()
