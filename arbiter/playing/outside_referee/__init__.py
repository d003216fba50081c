"""Games refereed by another program, which starts the agents, keeps their time and decides who wins.

Theory of operation
-------------------
The referee is started as ``COMMAND -p1 RELAY -p2 RELAY … -l LOG -d seed=N``, without a sandbox, since it is the organiser's program.
The commands it is given for the agents are relays: small programs that pass their three standard streams to the arbiter over a
socket and then wait. The arbiter starts the agent in its own sandbox with these streams, so the referee and the agent talk to each
other directly, and the relay exits with the agent's exit status. When the referee kills the relay, the arbiter kills the agent.

The run ends when the referee exits, or at the time limit of the game. The scores are then in its log. Agents cannot write to the
log: it is in a folder that their sandboxes do not show.

    settings.py   from --referee to the options of the protocol; a sentence on what is not enforced
    run.py        one run: the referee, the relays' connections, the agents
    relay.py      the program that the referee starts for an agent
    log.py        the referee's log: scores, errors and outputs
    respondents.py  a run as the respondents of a table that is asked once, so that the turn loop need not know the difference
"""
