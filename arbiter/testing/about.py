"""Checks of what a protocol says about itself: attributes, options, setups, the guide, the starter."""

from __future__ import annotations

import inspect
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, get_args

from arbiter.config.limits import check_fields
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Json, Lifetime, Protocol, Variant
from arbiter.starters.project import description_of, find_language, program
from arbiter.starters.wire_file import WIRE_FILE
from arbiter.testing.playthrough import Playthrough, defaults, ruling
from arbiter.testing.subject import CheckedProtocol

_STARTER_SECONDS = 60


def protocol_folder(protocol: Protocol) -> Path:
    """Return the folder of a protocol's module, which contains its drawing and its guide."""
    return Path(inspect.getfile(type(protocol))).resolve().parent


def describes_itself(subject: CheckedProtocol) -> None:
    """Check the attributes of the protocol."""
    protocol = subject.protocol
    assert protocol.name.isidentifier(), f"name must be an identifier, not {protocol.name!r}"
    assert protocol.name == protocol.name.lower(), f"name must be in lower case, not {protocol.name!r}"
    for attribute in ("title", "summary", "on_fault", "seat_word"):
        text = getattr(protocol, attribute)
        assert isinstance(text, str), f"{attribute} must be a string"
        assert text.strip(), f"{attribute} must not be empty"
        assert text.isprintable(), f"{attribute} must be one line of printable text, not {text!r}"
    assert protocol.help.strip(), "help must say how a person types a move"
    assert protocol.version >= 1, f"version must be at least 1, not {protocol.version}"
    fewest, most = protocol.seats
    assert 1 <= fewest <= most, f"seats must be a minimum and a maximum, not {protocol.seats}"
    assert protocol.lifetime in get_args(Lifetime), f"lifetime must be one of {get_args(Lifetime)}"
    try:
        check_fields(protocol.limits, "limits")
    except UserError as error:
        raise AssertionError(f"limits: {error}") from None


def options_have_valid_defaults(subject: CheckedProtocol) -> None:
    """Check that options have distinct names, help, and defaults that they accept, both as values and as typed text."""
    options = subject.protocol.options
    names = [option.name for option in options]
    assert len(set(names)) == len(names), f"two options have the same name: {names}"
    for option in options:
        assert option.name.isidentifier(), f"option {option.name!r}: the name must be an identifier"
        assert option.help.strip(), f"option {option.name}: help is empty"
        for value in (option.default, *option.choices):
            for given in (value, str(value)):
                assert option.check(given) == value, f"option {option.name}: {given!r} is read as something else"
    for variant in subject.variants():
        defaults(subject.protocol, variant.options)
        fewest, most = subject.protocol.seats
        assert fewest <= variant.seats <= most, f"the corpus plays with {variant.seats} seats"


def refuses_setups_it_cannot_start_from(subject: CheckedProtocol) -> None:
    """Check that a wrong setup, such as a user might write, is refused with BadSetup and one line."""
    rng = random.Random(1)
    for variant in subject.variants():
        options = defaults(subject.protocol, variant.options)
        sound = subject.protocol.setup(variant.seats, options, Chance(1, "setup"))
        again = json.loads(json.dumps(sound))
        assert again == sound, "the setup is not plain JSON data"
        subject.protocol.start(variant.seats, options, again, Chance(1))
        for wrong in (None, 0, "x", [], {}, [[]], *(_damaged(sound, rng) for _ in range(40))):
            _refused_or_started(subject.protocol, variant, wrong)


def _refused_or_started(protocol: Protocol, variant: Variant, setup: Json) -> None:
    options = defaults(protocol, variant.options)
    try:
        protocol.start(variant.seats, options, json.loads(json.dumps(setup)), Chance(1))
    except BadSetup as refused:
        reason = str(refused)
        assert reason.strip(), f"the setup {setup!r} is refused without a reason"
        assert "\n" not in reason, f"the reason has more than one line: {reason!r}"
    except Exception as error:
        shown = json.dumps(setup)[:300]
        raise AssertionError(f"start() raises {error!r} instead of BadSetup for the setup {shown}") from error


def _damaged(setup: Json, rng: random.Random) -> Json:
    """Return a setup with one value deleted, or replaced with one of another type."""
    copy = json.loads(json.dumps(setup))
    spot: Any = None
    key: Any = None
    inner = copy
    while isinstance(inner, dict | list) and inner:
        spot, key = inner, rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        inner = spot[key]
        if rng.random() < 0.3:
            break
    if spot is None:
        return {"no": "setup"}
    if rng.random() < 0.4:
        del spot[key]
    else:
        spot[key] = rng.choice((None, -1, 10**9, "x", [], {}, True, 0.5))
    return copy


def has_a_guide_for_authors_of_agents(subject: CheckedProtocol) -> None:
    """Check that there is a README.md next to the rules, which says what agents read and answer."""
    guide = protocol_folder(subject.protocol) / "README.md"
    assert guide.is_file(), f"{guide} is missing: it tells authors of agents what they read and what to answer"
    assert guide.read_text(encoding="utf-8").startswith("# "), f"{guide} must start with a heading"


def starter_gives_legal_answers(subject: CheckedProtocol) -> None:
    """Check that the starter generated from wire.yaml, if there is one, gives a legal answer to every prompt of random games."""
    if not (protocol_folder(subject.protocol) / WIRE_FILE).is_file():
        return
    language = find_language("python")
    files = program(description_of(subject.protocol), language, subject.protocol.title)
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder) / language.file
        agent.write_text(files[language.file], encoding="utf-8")
        for variant in subject.variants():
            _check_starter(subject, variant, agent)


def _check_starter(subject: CheckedProtocol, variant: Variant, agent: Path) -> None:
    played = subject.known(variant)
    if subject.protocol.lifetime == "move":
        _check_single_moves(subject, variant, played, agent)
        return
    spoken = {seat: _answers(agent, _whole_input(subject, variant, played, seat)) for seat in range(variant.seats)}
    supply = {seat: iter(lines) for seat, lines in spoken.items()}
    game = subject.opened(variant, 1)
    for number, turn in enumerate(played.turns, 1):
        for seat in turn.prompts:
            answer = next(supply[seat], None)
            assert answer is not None, f"the starter exits before turn {number}"
            fault = ruling(game, seat, answer)[1]
            assert fault is None, f"the starter answers {answer!r} in turn {number}: {fault and fault.detail}"
        game.play(turn.moves)


def _check_single_moves(subject: CheckedProtocol, variant: Variant, played: Playthrough, agent: Path) -> None:
    """Ask in a few positions only, since spawning a process per move is slow."""
    game = subject.opened(variant, 1)
    step = max(1, len(played.turns) // 5)
    for number, turn in enumerate(played.turns, 1):
        for seat in turn.prompts if number % step == 0 else ():
            lines = _answers(agent, game.briefing(seat) + game.prompt(seat))
            assert lines, f"the starter does not answer in turn {number}"
            fault = ruling(game, seat, "\n".join(lines))[1]
            assert fault is None, f"the starter answers {lines!r} in turn {number}: {fault and fault.detail}"
        game.play(turn.moves)


def _whole_input(subject: CheckedProtocol, variant: Variant, played: Playthrough, seat: int) -> str:
    game = subject.opened(variant, 1)
    briefing = game.briefing(seat)
    return briefing + "".join(turn.prompts[seat] for turn in played.turns if seat in turn.prompts)


def _answers(agent: Path, text: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(agent)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=_STARTER_SECONDS,
    )
    assert done.returncode == 0, f"the starter fails: {done.stderr[-500:]}"
    return done.stdout.splitlines()
