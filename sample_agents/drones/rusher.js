// Rusher: strike before the opponent has an army.
//
// It breeds producers for one or a few turns, then makes only soldiers and attacks. The best turn for that, the second
// or the fifth, depends on when the opponent starts to defend, so it keeps count of the results of each choice and
// takes the one that has recently won most.
//
// Written in the contest's format: an ES module whose default export makes a player; here, a class.

const EARLIEST = 2;
const LATEST = 6;
const MEMORY = 0.9; // weight of a round, relative to the next one

class Rusher {
  constructor() {
    this.meta = { name: 'Rusher', author: 'sample agent' };
    // Rounds won and played by turn of attack; initially all look good, the early ones best.
    this.records = new Map();
    for (let turn = EARLIEST; turn <= LATEST; turn++) this.records.set(turn, { won: 1 - turn / 100, tried: 1 });
  }

  onRoundStart({ turns, defenderBonus }) {
    this.turn = 0;
    this.defenderBonus = defenderBonus;
    const choices = [...this.records.keys()].filter((turn) => turn <= turns);
    const success = (turn) => this.records.get(turn).won / this.records.get(turn).tried;
    const best = choices.reduce((one, other) => (success(other) > success(one) ? other : one), EARLIEST);
    if (best !== this.attackTurn) console.error(`kibitz attacks in turn ${best} from now on`);
    this.attackTurn = best;
  }

  playTurn({ producers, soldiers }) {
    this.turn++;
    if (this.turn < this.attackTurn) return { newProducers: producers };
    // An army that is too small even for an empty base waits a turn.
    return { newSoldiers: producers, launchAttack: soldiers + producers > this.defenderBonus };
  }

  onRoundEnd({ outcome }) {
    for (const record of this.records.values()) {
      record.won = record.won * MEMORY + 0.5 * (1 - MEMORY);
      record.tried = record.tried * MEMORY + (1 - MEMORY);
    }
    const record = this.records.get(this.attackTurn);
    record.tried += 1;
    record.won += { WIN: 1, DRAW: 0.5, LOSE: 0 }[outcome];
  }
}

export default function createRusher() {
  return new Rusher();
}
