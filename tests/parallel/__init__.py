"""Runs tests in several processes that are forked after collection: ``pytest --jobs 6``.

pytest-xdist collects all tests in each of its workers: 11 seconds of CPU time each, about a minute for six. On two cores that
alone makes a run of five minutes a tenth longer, and each worker would start a fork server of its own. Here the process that
was started collects the tests once and then forks. Each child is given the tests of one file at a time, runs them with
fixtures of its own and sends their reports back. Whatever is counted, printed or kept for the next run happens in the parent
only.

A child that dies fails the test that it was running; a new one runs the rest of that file. A child leads a session of its
own, so Ctrl-C reaches only the parent, which interrupts the children: their fixtures then end what their tests started.
"""
