"""The same contests on many machines, by Dask.

Theory of operation. The head is the process that the user started: it holds the plan, the ledger and a Dask client. A host is
a machine with at least one Dask worker, started by whatever means. The head inspects every Dask worker (:mod:`host`), sends
it the plan and the agents by content (:mod:`payload`), and has it unpack and build them (:mod:`prepare_host`) for a plugin of
that worker (:mod:`worker_plugin`). A worker that passes gets a Dask resource named after the run, one unit for each core that it may play on; games
are Dask tasks that need one unit, so a worker that was refused gets none.

The plugin plays each game in a process of its own, the same worker process that plays games on one machine
(:mod:`arbiter.contest.worker`), pinned to a core (:mod:`slot`). The thread of the Dask worker only waits for it, so heartbeats and the
threads of Dask do not disturb a game, and agents never share a process with Dask. When the Dask worker is killed, the kernel
ends that process, which ends its agents.

Scheduling, retries after lost workers, timeouts and the wire are Dask's. What is ours: which games form a batch
(:mod:`batches`), and the check that a record arrived as it was sent (:mod:`transfer`).
"""
