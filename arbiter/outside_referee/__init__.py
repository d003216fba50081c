"""Games whose referee is somebody else's program: it starts the agents, keeps their time and decides who wins.

Theory of operation
-------------------
The referee is started as ``COMMAND -p1 RELAY -p2 RELAY … -l LOG -d seed=N``, without a sandbox, since it is the organiser's program.
What it takes for the agents' commands are relays: small programs that pass their three standard streams to the arbiter over a
socket and then wait. The arbiter starts the agent in its own sandbox with these streams, so the referee and the agent talk to each
other directly, and the relay exits as the agent did. A referee that kills the relay thereby has the agent killed.

The run ends when the referee exits, or at the time limit of the game. Its log then has the scores. Agents cannot write it: it is in a
folder that their sandboxes do not show.

    settings.py   from --referee to the options of the protocol; what is not enforced, in words
    run.py        one run: the referee, the relays' connections, the agents
    relay.py      the program that the referee starts for an agent
    log.py        what the referee wrote: scores, errors and outputs
    asker.py      the same as a table that is asked once: the turn loop does not know the difference
"""
