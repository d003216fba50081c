"""What an answer is charged.

Theory of operation
-------------------
    Meter           one seat       takes the readings; calls everything below
      Stalls        one seat       stalls of the machine: steal time, sentinel of the core, memory and disk pressure
      MeteredProcess one process   the agent's process, as the meter sees it: CPU clocks, run-queue waits of its threads
    MachineReadings one game       files of the kernel that all meters share
    Readings        one question   the figures, filled in by the meter; they belong to the question
    charge.settle   -              from readings to a charge: pure arithmetic
    Budget          one seat       the time left for the game: pure arithmetic

Who calls the meter, in this order:

1. ``expect`` before a process is spawned for a question, and ``attach`` when it exists: FreshProcesses.
2. ``begin`` when a question is asked. It takes snapshots, or shares those of a question just before, and returns the start time:
   SeatState, or the fast path.
3. A quick answer ends with ``finish_quick``: the fast path. It costs one reading of the CPU clock.
4. Any other question belongs to its TimeLimit, which alone calls the meter until it ends: ``open``; ``resume_waiting``,
   ``overslept`` and ``held_up`` as the arbiter itself waits and is delayed; ``read`` whenever readings are needed, and before the process is
   reaped, since the kernel then forgets them; ``read_again`` for figures that are reported with a delay; ``finish`` once.

What may fail: reading a file of a process that has exited yields what was last known. A source that this kernel does not have
yields no wait, so the agent is charged that time; without run-queue waits the clock is wall time, as the record says.
"""
