// Collects mines with some care; reads with the global readline() of contest sites. It goes to the nearest mine that is not its
// own, drinks when it is weak and tops up when it passes a tavern, walks round spikes unless there is no other way, and
// rests beside a tavern when no mine is left. It fights only when a neighbour is about to die.

const STEPS = { North: [-1, 0], South: [1, 0], East: [0, 1], West: [0, -1] };
const MINE_COST = 25;
const HIT = 25;
const SPIKES_COST = 10;
const WEAK = 40;
const TOP_UP = 70; // next to a tavern, it drinks below this
const DRINK_MONEY = 2; // enough in every preset

function tileAt(board, x, y) {
  if (x < 0 || y < 0 || x >= board.size || y >= board.size) return '##';
  const at = 2 * (x * board.size + y);
  return board.tiles.slice(at, at + 2);
}

// Breadth-first search from a hero: the first step to the nearest wanted tile, and its distance; null if unreachable.
function wayTo(board, from, wanted, walkable) {
  const seen = new Set([from.x * board.size + from.y]);
  let ring = [{ x: from.x, y: from.y, first: null }];
  for (let distance = 1; ring.length > 0; distance++) {
    const next = [];
    for (const spot of ring) {
      for (const [direction, [dx, dy]] of Object.entries(STEPS)) {
        const x = spot.x + dx;
        const y = spot.y + dy;
        const tile = tileAt(board, x, y);
        const first = spot.first || direction;
        if (wanted(tile)) return { direction: first, distance };
        const key = x * board.size + y;
        if (!walkable(tile) || seen.has(key)) continue;
        seen.add(key);
        next.push({ x, y, first });
      }
    }
    ring = next;
  }
  return null;
}

// Avoid spikes if possible; else cross them if life suffices, or if dying costs nothing.
function carefulWay(board, me, wanted) {
  const dry = wayTo(board, me.pos, wanted, (tile) => tile === '  ');
  if (dry || (me.life <= 2 * SPIKES_COST && me.mineCount > 0)) return dry;
  return wayTo(board, me.pos, wanted, (tile) => tile === '  ' || tile === '^^');
}

function dyingNeighbour(heroes, me) {
  return heroes.find((other) => {
    const apart = Math.abs(other.pos.x - me.pos.x) + Math.abs(other.pos.y - me.pos.y);
    return apart === 1 && other.life <= HIT && other.mineCount > 0;
  });
}

function choose(state) {
  const { board, heroes } = state.game;
  const me = state.hero;
  const isTavern = (tile) => tile === '[]';
  const isForeignMine = (tile) => tile[0] === '$' && tile[1] !== String(me.id);

  const dying = dyingNeighbour(heroes, me);
  if (dying) return { direction: 'Stay', why: `hero ${dying.id} dies of my next hit` };

  const tavern = me.gold >= DRINK_MONEY ? carefulWay(board, me, isTavern) : null;
  if (tavern && tavern.distance === 1 && me.life <= TOP_UP) {
    return { direction: tavern.direction, why: `a drink while I am here, ${me.life} life` };
  }
  const mine = carefulWay(board, me, isForeignMine);
  const lifeThere = mine ? me.life - mine.distance : 0;
  if (mine && me.life > WEAK && lifeThere > MINE_COST) {
    return { direction: mine.direction, why: `mine ${mine.distance} away` };
  }
  if (tavern && (tavern.distance > 1 || me.life <= TOP_UP)) {
    return { direction: tavern.direction, why: `${me.life} life, tavern ${tavern.distance} away` };
  }
  // Without mines death costs nothing and heals, so even a hopeless attack on a mine is better than waiting.
  if (mine && (lifeThere > MINE_COST || me.mineCount === 0)) {
    return { direction: mine.direction, why: `no money for a drink, mine ${mine.distance} away` };
  }
  return { direction: 'Stay', why: 'nothing to gain, waiting' };
}

for (let line = readline(); line !== undefined; line = readline()) {
  const state = JSON.parse(line);
  if (state.game.finished) break;
  const { direction, why } = choose(state);
  console.error(`kibitz ${why}`);
  console.log(direction);
}
