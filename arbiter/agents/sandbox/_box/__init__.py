"""The inside of a box: a program of its own that makes a sandbox around itself and spawns an agent's processes in it.

Theory of operation
-------------------
The arbiter starts this program once per agent and sends it a :class:`~.config.BoxConfig` (the arbiter's half is
:mod:`arbiter.agents.sandbox.box`). The program sandboxes itself accordingly and then spawns the agent's processes on
request. They inherit everything: namespaces, root directory, resource limits, Landlock rules and the seccomp filter. So a
spawn takes no longer than a bare spawn, however much had to be set up once. While the program lays out what the agent sees,
the arbiter moves it into its cgroups; a second message says that this is done.

With namespaces there are two processes. The *keeper* stays outside, privileged over the box's own mounts and nothing else,
and lays out an empty writable folder on request. The *spawner* is PID 1 inside: signals from inside do not affect it, its
memory cannot be read, and the kernel kills everything in the box when it dies. Without namespaces there is only the spawner.

The arbiter creates the pipes and passes them in; a pidfd of the agent's process goes back. So nothing an agent prints
passes through here.

Every box has to wait for this program to start, so these modules are written to start fast. They call the kernel through ctypes
instead of a compiled helper, import only what they must (``typing``, ``signal``, ``contextlib`` and ``array`` take milliseconds
each), and import each other relatively: the zygote (:mod:`arbiter.agents.zygote`), which forks this program, does not import the
arbiter package, only ``_box.main`` with this package's parent folder on the path.
"""
