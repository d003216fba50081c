"""Green Circle: two teams walk round an office, collect skill cards and release applications.

README.md in this folder is the guide for authors of agents.
"""

from .protocol import GreenCircle

protocol = GreenCircle()
