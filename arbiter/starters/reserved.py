"""Names that a description may not use because they are reserved, or have a meaning, in one of the languages."""

from __future__ import annotations

_WORDS = """
    abstract alignas alignof and any arguments as asm assert async atomic auto await base become bool boolean box break byte
    case cast catch chan char checked class co_await co_return co_yield concept const consteval constexpr constinit continue
    crate debugger decimal declare decltype def default defer del delegate delete do double dyn elif else enum eval event
    except explicit export extends extern fallthrough false final finally fixed float fn for foreach friend from func
    function global go goto if impl implements implicit import in inline instanceof int interface internal is lambda let
    lock long loop macro map match mod module move mut mutable namespace native new nil noexcept none nonlocal not null
    object operator or out override package params pass priv private protected pub public raise range readonly ref
    register reinterpret_cast requires restrict return sbyte sealed select self short signed sizeof stackalloc static
    strictfp string struct super switch synchronized template this thread_local throw throws trait transient true try type
    typedef typeid typename typeof uint ulong unchecked undefined union unsafe unsigned unsized ushort use using var
    virtual void volatile wchar_t where while with xor yield
    abs field answer append bufio choose copy cout cin cerr endl fmt input json len line max memory min os print
    std strings strconv strcmp strncmp sys text
    Agent Array Boolean Console Default Exception Input Integer Json List Math Memory Object Option Program Result
    String System Type Vec
    Block Data Item Items Line Message Number Parts Reader Source Start Text Word Words
"""

RESERVED = frozenset(_WORDS.split())
FOR_THE_GAME = frozenset(["data", "item", "items", "message", "size", "source", "start", "turn", "word", "words"])
"""Other variables of the functions that have the game as a parameter."""
