"""The zygote: a process that forks the arbiter's helper programs, the boxes of agents and the sentinels of cores.

Such a program must not have the arbiter's memory, with seeds and tokens in it, so it cannot be forked from the arbiter; and an
interpreter of its own, with the imports, would take twenty milliseconds of CPU time for every start. So one interpreter is
started, imports a program once, and forks it as often as it is needed. It ends with the last of its programs.
"""
