"""Building agents, in a box.

Theory of operation
-------------------
A build runs whatever its author wrote: a Makefile, an annotation processor, a macro that reads a file while it is expanded.
So it gets a sandbox of its own, of the level that the games are played at, in which nothing is visible but the system and
the toolchain (:mod:`arbiter.agents.building.toolchain`). The arbiter packs the inputs into an archive, and so knows exactly
what they are (:mod:`arbiter.agents.building.archive`); tar unpacks them inside. The build command runs, with limits of its own
(:mod:`arbiter.agents.building.run`), on files in memory that vanish with the box. Then everything in the box is killed, and
only then does tar, alone in the box, pack the result. From that archive the arbiter takes regular files, folders and links
that stay inside, and ignores everything else.

Results are kept in a cache, by the hash of all inputs (:mod:`arbiter.agents.prepare.cache`). Archives are files without a name
until they are unpacked, so an arbiter that is killed leaves nothing behind: the kernel ends the box with all its processes.

The levels ``none`` and ``rlimits`` contain nothing. There, builds are contained at the strongest level that works, and
refused where none does, unless the user allows uncontained builds.
"""
