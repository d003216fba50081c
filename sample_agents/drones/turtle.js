// Turtle: never attack, never be caught, and have the larger army when time is up.
//
// Attacking a base with enough soldiers in it loses the round. So it remembers with how many soldiers the opponent
// attacked, and in which turn, keeps as many as needed, and breeds with the rest. In the last turn it makes only
// soldiers. Attacks that have not been seen for a while are forgotten, because guards cost growth.
//
// Written in the contest's other format: a CommonJS module that exports a function; the player is a closure.

const MEMORY = 20; // rounds after which an attack is forgotten

function createTurtle() {
  const attacks = []; // { round, turn, soldiers }
  let round = 0;
  let turn = 0;
  let rules = null;

  function onRoundStart(roundRules) {
    rules = roundRules;
    round++;
    turn = 0;
  }

  // The soldiers needed against every remembered attack in this turn. With no memory yet, expect a rush.
  function guardsFor(when) {
    if (round === 1) return when === 2 ? 1 : when === 3 ? 3 : 0;
    const expected = attacks.filter((attack) => attack.turn === when && round - attack.round <= MEMORY);
    return Math.max(0, ...expected.map((attack) => attack.soldiers - rules.defenderBonus));
  }

  function playTurn({ producers, soldiers }) {
    turn++;
    if (turn >= rules.turns) return { newSoldiers: producers };
    let needed = guardsFor(turn) - soldiers;
    // Guards for a later turn can wait, unless breeding until then would not suffice to make them in one turn.
    for (let later = turn + 1; later <= rules.turns; later++) {
      needed = Math.max(needed, guardsFor(later) - soldiers - producers * 2 ** (later - turn));
    }
    const newSoldiers = Math.min(producers, Math.max(0, needed));
    return { newProducers: producers - newSoldiers, newSoldiers };
  }

  function onRoundEnd({ outcome, turnsPlayed, them }) {
    if (!them.launchedAttack) return;
    if (outcome === 'LOSE') console.log(`kibitz lost to ${them.soldiers} soldiers in turn ${turnsPlayed}, will guard against that`);
    attacks.push({ round, turn: turnsPlayed, soldiers: them.soldiers });
    while (round - attacks[0].round > MEMORY) attacks.shift();
  }

  return { meta: { name: 'Turtle', author: 'sample agent' }, onRoundStart, playTurn, onRoundEnd };
}

module.exports = createTurtle;
