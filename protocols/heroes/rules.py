"""A turn of the arbiter: the ply of a connected hero, then those of disconnected heroes that follow it.

A ply is played in the order of the rulebook: the stages of :func:`play_ply` from top to bottom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .maps import FREE, HEROES, MINE, SPIKES, TAVERN
from .state import Event, What, give_all_mines, give_mine, lift, put

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .state import Hero, Position

STAY: Final = "Stay"
DISCONNECT: Final = "Stay disconnect"
"""The move of a hero whose agent gave no answer: it stays for the rest of the game. No agent can answer it."""
COMPASS: Final[Mapping[str, int]] = {"North": 0, "East": 1, "South": 2, "West": 3}
"""Directions in the order in which neighbours are fought."""


def play_turn(position: Position, move: str, after_ply: Callable[[], None]) -> None:
    """Play the mover's ply, and those of disconnected heroes up to the next connected one."""
    position.log.clear()
    if move == DISCONNECT:
        disconnect(position, position.mover)
        move = STAY
    play_ply(position, move)
    after_ply()
    play_disconnected(position, after_ply)


def disconnect(position: Position, hero: Hero) -> None:
    """Stop asking a hero for its moves."""
    hero.connected = False
    position.log.append(Event(What.DISCONNECTION, hero.number))


def play_disconnected(position: Position, after_ply: Callable[[], None]) -> None:
    """Let every disconnected hero stay whose ply it is, until a connected hero is to move or the game is over."""
    while not position.over and not position.mover.connected:
        play_ply(position, STAY)
        after_ply()


def play_ply(position: Position, direction: str) -> None:
    """Play one ply: the mover goes in a direction, or stays."""
    hero = position.mover
    hero.last_direction = direction
    if direction != STAY:
        go(position, hero, target(position, hero, direction))
    fight(position, hero)
    grow_thirsty(position, hero)
    earn(hero)
    pass_on(position)


def target(position: Position, hero: Hero, direction: str) -> int:
    """Return the cell that a hero would go to."""
    return position.board.around[hero.cell][COMPASS[direction]]


def go(position: Position, hero: Hero, cell: int) -> None:
    """Try to enter a cell. A hero in it blocks the way, whatever the ground is."""
    if position.standing[cell]:
        return
    ground = position.board.ground[cell]
    if ground == FREE:
        enter(position, hero, cell)
    elif ground == SPIKES:
        step_on_spikes(position, hero, cell)
    elif ground == TAVERN:
        drink(position, hero)
    elif ground == MINE:
        attack_mine(position, hero, cell)


def enter(position: Position, hero: Hero, cell: int) -> None:
    """Move to an empty cell."""
    lift(position, hero)
    put(position, hero, cell)


def step_on_spikes(position: Position, hero: Hero, cell: int) -> None:
    """Pay with life to enter, or die before entering."""
    if hero.life <= position.constants.spikes:
        die(position, hero, What.DEATH_ON_SPIKES)
        return
    hero.life -= position.constants.spikes
    enter(position, hero, cell)


def drink(position: Position, hero: Hero) -> None:
    """Buy life, even if it is full; without enough gold nothing happens."""
    constants = position.constants
    if hero.gold < constants.drink_gold:
        return
    hero.gold -= constants.drink_gold
    hero.life = min(hero.life + constants.drink_life, constants.life)
    position.log.append(Event(What.DRINK, hero.number, amount=hero.life))


def attack_mine(position: Position, hero: Hero, mine: int) -> None:
    """Pay with life for a mine owned by no hero or another, or die and leave the mine to its owner."""
    owner = position.owners[mine]
    if owner == hero.number:
        return
    if hero.life <= position.constants.mine:
        die(position, hero, What.DEATH_AT_MINE)
        return
    hero.life -= position.constants.mine
    hero.captures += 1
    give_mine(position, mine, hero)
    position.log.append(Event(What.CAPTURE, hero.number, owner))


def die(position: Position, hero: Hero, how: What) -> None:
    """Die without a killer: the mines turn neutral."""
    lost = give_all_mines(position, hero, None)
    position.log.append(Event(how, hero.number, amount=lost))
    respawn(position, hero)


def fight(position: Position, attacker: Hero) -> None:
    """Hit every neighbour: north, east, south, west. A hero that respawned in this ply neither hits nor is hit."""
    for cell in position.board.around[attacker.cell]:
        victim = position.standing[cell]
        if victim and position.ply not in (victim.respawned_in, attacker.respawned_in):
            hit(position, attacker, victim)


def hit(position: Position, attacker: Hero, victim: Hero) -> None:
    """Take life from a neighbour; if that kills it, its mines go to the attacker."""
    if victim.life > position.constants.hit:
        victim.life -= position.constants.hit
        position.log.append(Event(What.HIT, attacker.number, victim.number, victim.life))
        return
    kill(position, attacker, victim, What.KILL)
    respawn(position, victim)


def kill(position: Position, killer: Hero, victim: Hero, how: What) -> None:
    """Transfer the mines of the victim to the killer."""
    taken = give_all_mines(position, victim, killer)
    killer.kills += 1
    position.log.append(Event(how, killer.number, victim.number, taken))


def respawn(position: Position, dead: Hero) -> None:
    """Return a hero to its start with full life. A hero standing there dies and respawns in turn."""
    lift(position, dead)
    back: Hero | None = dead
    while back:
        occupant = position.standing[back.start]
        if occupant:
            lift(position, occupant)
            kill(position, back, occupant, What.KILL_BY_RESPAWN)
        put(position, back, back.start)
        back.life = position.constants.life
        back.deaths += 1
        back.respawned_in = position.ply
        back = occupant


def grow_thirsty(position: Position, hero: Hero) -> None:
    """Lose a little life, but never the last point."""
    hero.life = max(1, hero.life - position.constants.thirst)


def earn(hero: Hero) -> None:
    """Earn one gold per mine."""
    hero.gold += hero.mines


def pass_on(position: Position) -> None:
    """Pass the turn to the next hero; after a full round, record gold and mines."""
    position.ply += 1
    if position.ply % len(HEROES) == 0:
        for hero, gold, mines in zip(position.heroes, position.gold_by_round, position.mines_by_round, strict=True):
            gold.append(hero.gold)
            mines.append(hero.mines)
