"""The root directory of a box with namespaces: a small tmpfs with everything the agent may see bound into it."""

from __future__ import annotations

import ctypes
import os
import stat
import struct

from .config import BoxConfig, Namespaces
from .kernel import AT_FDCWD, SetupFailed, attempt, call, libc, open_real, syscall, try_syscall

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE = 16384, 1 << 18
MNT_DETACH = 2
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
OPEN_TREE_CLONE, AT_RECURSIVE, AT_EMPTY_PATH, MOVE_MOUNT_F_EMPTY_PATH = 1, 0x8000, 0x1000, 4
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV, MOUNT_ATTR_IDMAP = 1, 2, 4, 0x100000
CLONE_NEWUSER = 0x10000000
WRITABLE = ("/tmp", "/dev/shm")
"""The writable folders of every box, besides the agent's home."""

Owner = tuple[int, int]
"""Uid and gid of a file."""


# -- mounts


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    words = [word.encode(errors="surrogateescape") if word else None for word in (source, target, kind, options)]
    call(f"mount {target}", libc.mount, words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])


def clone_mount(source: str) -> int:
    """Return a descriptor of a detached copy of the mounts at a path."""
    path = source.encode(errors="surrogateescape")
    return syscall(f"open_tree {source}", OPEN_TREE, AT_FDCWD, path, OPEN_TREE_CLONE | AT_RECURSIVE | os.O_CLOEXEC)


def clone_real_mount(source: str) -> int:
    """Return the same for a path that must not pass through symbolic links. It did not when it was resolved, but the
    owner of one of its folders may have created a link since."""
    place = attempt("opening", open_real, source)
    try:
        flags = OPEN_TREE_CLONE | AT_RECURSIVE | AT_EMPTY_PATH | os.O_CLOEXEC
        return syscall(f"open_tree {source}", OPEN_TREE, place, b"", flags)
    finally:
        os.close(place)


def attach(tree: int, target: str, attributes: int) -> None:
    """Mount a detached tree at a path, with these attributes on everything beneath it."""
    path = target.encode(errors="surrogateescape")
    syscall(f"move_mount {target}", MOVE_MOUNT, tree, b"", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH)
    os.close(tree)
    if attributes:
        wanted = struct.pack("<QQQQ", attributes, 0, 0, 0)
        syscall(f"mount_setattr {target}", MOUNT_SETATTR, AT_FDCWD, path, AT_RECURSIVE, wanted, len(wanted))


def detach(place: str) -> None:
    """Unmount what is at a path, and everything inside; what is in use lives on."""
    call(f"umount {place}", libc.umount2, place.encode(), MNT_DETACH)


def is_folder(tree: int) -> bool:
    """Whether a detached tree is a folder."""
    return stat.S_ISDIR(os.fstat(tree).st_mode)


def make_mount_point(tree: int, target: str) -> None:
    """Create a folder for a folder, and an empty file for anything else."""
    if is_folder(tree):
        os.makedirs(target, 0o755, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))


# -- ownership


def owner(path: str) -> Owner:
    found = os.stat(path)
    return found.st_uid, found.st_gid


def id_mappings(config: BoxConfig, namespaces: Namespaces) -> dict[Owner, int]:
    """Return user namespaces, by owner, that map the owners of visible files to the agent.

    Where root runs the arbiter, agents run under another uid, which cannot read files that only root can read, and an
    agent's own program could be one of them.
    """
    if not config.switch_user:
        return {}
    owners = {owner(path) for path in namespaces.visible if path not in namespaces.system and os.path.exists(path)}
    return {one: id_mapping(one, config) for one in owners}


def id_mapping(files: Owner, config: BoxConfig) -> int:
    """Return a descriptor of a user namespace in which these files belong to the agent. Raises SetupFailed, and OSError."""
    ready, signal_ready = os.pipe()
    wait, release = os.pipe()
    child = os.fork()
    if child == 0:
        failed = libc.unshare(CLONE_NEWUSER) == -1
        os.write(signal_ready, bytes([ctypes.get_errno() if failed else 0]))
        os.close(release)
        os.read(wait, 1)
        os._exit(0)
    os.close(signal_ready)
    try:
        if error := (os.read(ready, 1) or b"\0")[0]:
            raise SetupFailed("unshare(CLONE_NEWUSER) for mapping owners", error)
        for name, here, there in (("uid_map", files[0], config.uid), ("gid_map", files[1], config.gid)):
            with open(f"/proc/{child}/{name}", "w", encoding="ascii") as file:
                file.write(f"{here} {there} 1")
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        for fd in (ready, wait, release):
            os.close(fd)
        os.waitpid(child, 0)


def map_owner(tree: int, path: str, mappings: dict[Owner, int]) -> None:
    """Make the agent the owner of a detached tree, where the file system supports ID-mapped mounts."""
    namespace = mappings.get(owner(path))
    if namespace is not None:
        wanted = struct.pack("<QQQQ", MOUNT_ATTR_IDMAP, 0, 0, namespace)
        try_syscall(MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, wanted, len(wanted))


# -- the layout


def lay_out(config: BoxConfig, root: Namespaces, mappings: dict[Owner, int]) -> list[str]:
    """Assemble the new root on the stage folder. Return what was mounted in the writable folders, without what is inside it."""
    stage = root.stage
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    trees = clone_all(root.visible, root.system)  # before the stage covers any of them
    for path, tree in trees.items():
        if path not in root.system:
            map_owner(tree, path, mappings)
    covers = {path: os.path.isdir(path) for path in root.hidden}
    devices = [(path, tree) for path, device in root.devices for tree in clone_all((device,), (device,)).values()]
    mount("tmpfs", stage, "tmpfs", MS_NOSUID | MS_NODEV, "size=16m,mode=755")
    make_skeleton(root)
    for path, tree in devices:
        make_mount_point(tree, stage + path)
        attach(tree, stage + path, MOUNT_ATTR_NOSUID)
    make_writable_folders(config, root, stage)
    for path, tree in trees.items():
        make_mount_point(tree, stage + path)
    for path, target in root.links:
        make_link(target, stage + path)
    protect_parents(root, stage)
    folders = {path: is_folder(tree) for path, tree in trees.items()}
    mounted: list[str] = []
    for path in sorted({*trees, *covers}):  # a folder before what is inside, so that the innermost takes effect
        if path in trees:
            attach(trees[path], stage + path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
        elif os.path.lexists(stage + path):
            inside = {one: inner for one, inner in folders.items() if one.startswith(path + "/")}
            attach(make_cover(stage, path, covers[path], inside), stage + path, MOUNT_ATTR_RDONLY)
        else:
            continue
        if is_writable(root, path) and not any(path.startswith(f"{outer}/") for outer in mounted):
            mounted.append(path)
    return mounted


def clone_all(paths: tuple[str, ...], system: tuple[str, ...]) -> dict[str, int]:
    """Return detached copies of the mounts at these paths; only those of the system may be links. A path that cannot be
    bound is left out: a tool that the agent may not need must not prevent its start, and without its own program it
    does not start anyway."""
    found = {}
    for path in paths:
        try:
            found[path] = clone_mount(path) if path in system else clone_real_mount(path)
        except SetupFailed:
            continue
    return found


def make_link(target: str, place: str) -> None:
    """Create a symbolic link that exists on this machine, unless its place, or that of a folder above it, is taken."""
    try:
        os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
        os.symlink(target, place)
    except OSError:
        pass


def is_writable(root: Namespaces, path: str) -> bool:
    """Whether a path is in one of the writable folders."""
    return path.startswith(tuple(f"{folder}/" for folder in (root.home, *WRITABLE)))


def make_cover(stage: str, path: str, covers_folder: bool, inside: dict[str, bool]) -> int:
    """Return a detached mount to put over a hidden path: empty except for mount points of what is visible inside."""
    if not covers_folder or not inside:
        return clone_mount(f"{stage}/.none" if covers_folder else f"{stage}/.nothing")
    cover = f"{stage}/.covers/{len(os.listdir(f'{stage}/.covers'))}"
    os.mkdir(cover, 0o755)
    for one, is_inner_folder in inside.items():
        place = cover + one[len(path) :]
        os.makedirs(place if is_inner_folder else os.path.dirname(place), 0o755, exist_ok=True)
        if not is_inner_folder:
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o444))
    return clone_mount(cover)


def make_skeleton(root: Namespaces) -> None:
    """Create the folders and files that every box has."""
    stage = root.stage
    for folder in (
        "proc",
        "dev",
        "tmp",
        "oldroot",
        ".own",
        ".none",
        ".covers",
        "etc",
        root.home.lstrip("/"),
        "dev/shm",
    ):
        os.makedirs(f"{stage}/{folder}", 0o755, exist_ok=True)
    os.chmod(f"{stage}/.none", 0)
    os.close(os.open(f"{stage}/.nothing", os.O_CREAT | os.O_WRONLY, 0))
    os.chmod(f"{stage}/.nothing", 0)
    for path, text in root.files:
        with open(stage + path, "w", encoding="utf-8") as file:
            file.write(text)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(target, f"{stage}/dev/{name}")


def make_writable_folders(config: BoxConfig, root: Namespaces, prefix: str) -> None:
    """Mount the agent's home, /tmp and /dev/shm, which share one quota: folders of one file system. That is not left mounted
    itself, or the agent could rename folders in it that are read-only, or not its own, where they are mounted."""
    quota = f"size={root.disk_bytes},nr_inodes={root.inodes},mode=755"
    mount("tmpfs", f"{prefix}/.own", "tmpfs", MS_NOSUID | MS_NODEV, quota)
    for name, place in (("home", root.home), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        own = f"{prefix}/.own/{name}"
        os.mkdir(own)
        os.chmod(own, 0o700)
        os.chown(own, config.uid, config.gid)
        attach(clone_mount(own), prefix + place, 0)
    detach(f"{prefix}/.own")
    for name, target in root.own_links:
        os.symlink(target, f"{prefix}{root.home}/{name}")


def protect_parents(root: Namespaces, prefix: str) -> None:
    """Make the folders above a visible path inside a writable folder mounts of their own.

    The agent owns the writable folder and could rename what was created in it as a mount point's parent, then put
    something else in its place. A mount cannot be renamed.
    """
    writable = (root.home, *WRITABLE)
    for top in {top for path in root.visible for place in writable for top in topmost_parent(path, place)}:
        if os.path.isdir(prefix + top):  # otherwise the path could not be bound
            attach(clone_mount(prefix + top), prefix + top, MOUNT_ATTR_RDONLY)


def topmost_parent(path: str, place: str) -> list[str]:
    """Return the folder directly in a place that a deeper path passes through, if there is one."""
    top, _, further = path.removeprefix(f"{place}/").partition("/")
    return [f"{place}/{top}"] if path.startswith(f"{place}/") and further else []


def renew_writable_folders(config: BoxConfig, root: Namespaces, mounted: list[str]) -> None:
    """Replace the writable folders by empty ones; what was ``mounted`` in them, as :func:`lay_out` returned it, stays."""
    trees = {path: clone_mount(path) for path in mounted}  # with everything inside, and with its attributes
    for place in (root.home, *WRITABLE):
        detach(place)
    make_writable_folders(config, root, "")
    for path, tree in trees.items():
        make_mount_point(tree, path)
    for path, target in root.links:
        if is_writable(root, path):
            make_link(target, path)
    protect_parents(root, "")
    for path, tree in trees.items():
        attach(tree, path, 0)


def enter(root: Namespaces) -> None:
    """Make the new root the root directory, and detach the old one."""
    mount("proc", f"{root.stage}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    os.chdir(root.stage)
    syscall("pivot_root", PIVOT_ROOT[os.uname().machine], b".", b"oldroot")
    os.chdir("/")
    detach("oldroot")
    mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
