"""One question to one or more seats.

Theory of operation
-------------------
Which objects exist, and for how long:

    Table              one game       asks, and waits until every open question is settled
      Poller           one game       all pipes and pidfds in one poll(2); passes events to the conversations
      Crowding         one game       keeps the core of the agent being asked free of the others
      SeatState        one game       a seat: its process, the time it has left, its restarts
        FreshProcesses one game       starts the processes of the seat, and counts them
        BetweenTurns   one game       lets the agent ponder, give way or stay frozen until it is asked again
        Meter          one game       takes kernel readings; see arbiter.agents.clock
        Conversation   one process    what is sent to the process, what it prints, whether it has exited
          SideOutput   one process    standard error, and output that was not asked for
          Question     one question   the bytes of the answer, and the ruling
            TimeLimit  one question   the deadline, the readings, and every LATE ruling
    Respondent         one game       answers for a seat without a process, instead of a SeatState

Each object is called by the one it is indented under, with two exceptions: the poller calls conversations with events, and
crowding calls seats. Conversations also write to their pipes through the poller.

One question, in this order:

1. The table polls once without waiting, so that what agents printed unasked is known to be stale.
2. ``SeatState.prepare`` returns the fault of an agent that cannot be asked: no time left, no restarts left, exited or too much
   output since its last answer. Otherwise it has a process, which is started here if necessary.
3. ``SeatState.begin`` starts the clock, opens the Question with its TimeLimit, and sends the prompt.
4. The table waits. Events go from the poller through the conversation to the question. After every batch the table calls
   ``SeatState.settle``, which asks the question for its ruling; it may need to wait for readings that the kernel reports with a
   delay.
5. ``SeatState.complete`` closes the question and completes the Answer: text, times, kibitz, and after a fault the evidence. The
   process is killed if its lifetime is over or the answer is a fault; otherwise BetweenTurns takes over.

A respondent has none of these steps: it is asked before the agents, and waited for after them. The fast path
(:mod:`arbiter.agents.ask.fast_path`) takes steps 1 to 5 at once for an agent that answers immediately; anything unusual makes it
an ordinary question, which has started when the prompt was sent.

What may fail: nothing that an agent does raises. An agent that cannot be started, exits, prints too much or nothing, or is late
gives an Answer with a fault. A respondent may raise UserError to end the game: a person who leaves, a referee without a result,
a game that the organiser ends. Signals raise through everything, and leaving the table kills all agents.
"""
