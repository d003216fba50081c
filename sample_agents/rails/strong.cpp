// Looks ahead. It lists what each player could build next: cheap routes for the wishes that are not connected yet, and
// short cuts that divert an active connection from the opponent's tracks. It ranks these plans by points per paint and
// then simulates short games: one for each of its best plans, laid from either end, and then one for each region that
// it might disrupt. In these games both sides carry out their plans and disrupt what pays the other most.
// It takes the plan and the region that leave it furthest ahead.
// The work is bounded by counts, never by the clock, so the same input always gets the same answer.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Cells = std::vector<int>;
using Queue = std::vector<const Cells*>;  // plans in the order in which they are built

constexpr int LAST_TURN = 100;
constexpr int PAINT = 3;                   // per turn
constexpr int PRICES[] = {1, 2, 3, 3};     // by terrain
constexpr int USUAL_THRESHOLD = 3;         // instability at which a region is inked, until the board shows it is higher
constexpr int NO_TRACK = -1, NEUTRAL = 2, TOWN = 3, WALL = 4;  // on a cell, besides the seats 0 and 1
constexpr int NEVER = 1 << 28;

constexpr int PLANS_TRIED = 10;
constexpr int PLANS_QUEUED = 8;            // that a side carries out in a simulated game
constexpr int REGIONS_TRIED = 15;
constexpr int TURNS_AHEAD = 14;
constexpr double TURNS_BEYOND = 6;         // for which the last income of such a game is assumed to continue
constexpr double PLAN_LIFE = 16;           // turns from now for which a plan's gain is counted in the ranking
constexpr double WHIM = 0.03;

struct Town {
  int id = 0, cell = 0;
  std::vector<int> wishes;  // as indices in the list of towns
};

// Constant during a game. Cells are numbered row by row with a wall around the map, so that no step leaves it.
struct World {
  int me = 0, width = 0, height = 0, stride = 0, size = 0, regions = 0;
  std::array<int, 4> compass{};  // steps to the north, east, south, west
  std::vector<int> region, price, column, row;  // by cell
  std::vector<Town> towns;
  std::vector<char> safe;  // by region: a town stands in it
  std::vector<Cells> cellsOf;  // by region

  int at(int x, int y) const { return (y + 1) * stride + x + 1; }
  int distance(int a, int b) const { return std::abs(column[a] - column[b]) + std::abs(row[a] - row[b]); }
  std::string place(int cell) const { return std::to_string(column[cell]) + " " + std::to_string(row[cell]); }
};

struct Board {
  std::vector<signed char> owner;          // by cell
  std::vector<signed char> unrest, inked;  // by region
  int threshold = USUAL_THRESHOLD;
};

// What a position pays per turn.
struct Tally {
  std::array<int, 2> income{};  // by seat
  std::vector<int> stake;       // by region: what all connections through it pay seat 0 more than seat 1

  int lead(int seat) const { return income[seat] - income[1 - seat]; }
  int stakeOf(int seat, int where) const { return seat == 0 ? stake[where] : -stake[where]; }
};

struct Plan {
  Cells cells;  // to lay tracks on, along the route
  int from = 0, to = 0, paint = 0, gain = 0;
  double value = 0;
};

// ---------------------------------------------------------------- what connections pay

class Railway {
 public:
  explicit Railway(const World& world)
      : world(world), seen(world.size, 0), before(world.size, 0), queue(world.size, 0), crossed(world.regions, 0) {}

  // Breadth-first search from a town as in the rules; reaches() and route() refer to the latest one.
  void flood(const Board& board, int start) {
    flooding++;
    int head = 0, tail = 0;
    queue[tail++] = start;
    seen[start] = flooding;
    while (head < tail) {
      const int cell = queue[head++];
      for (int step : world.compass) {
        const int near = cell + step, owner = board.owner[near];
        if (owner == NO_TRACK || owner == WALL || seen[near] == flooding) continue;
        seen[near] = flooding;
        before[near] = cell;
        queue[tail++] = near;
      }
    }
  }

  bool reaches(int goal) const { return seen[goal] == flooding; }

  // The cells between the town of the latest search and a goal that it reaches, from the goal backwards.
  const Cells& route(int start, int goal) {
    way.clear();
    for (int cell = before[goal]; cell != start; cell = before[cell]) way.push_back(cell);
    return way;
  }

  void tally(const Board& board, Tally& result) {
    result.income = {0, 0};
    result.stake.assign(world.regions, 0);
    for (const Town& town : world.towns) {
      if (town.wishes.empty() || isolated(board, town.cell)) continue;
      flood(board, town.cell);
      for (int wish : town.wishes)
        if (reaches(world.towns[wish].cell)) pay(board, route(town.cell, world.towns[wish].cell), result);
    }
  }

 private:
  bool isolated(const Board& board, int town) const {
    return std::all_of(world.compass.begin(), world.compass.end(), [&](int step) {
      return board.owner[town + step] == NO_TRACK || board.owner[town + step] == WALL;
    });
  }

  void pay(const Board& board, const Cells& cells, Tally& result) {
    std::array<int, 4> owned{};
    for (int cell : cells) owned[board.owner[cell]]++;
    result.income[0] += owned[0];
    result.income[1] += owned[1];
    payment++;
    for (int cell : cells) {
      const int region = world.region[cell];
      if (crossed[region] != payment) result.stake[region] += owned[0] - owned[1];
      crossed[region] = payment;
    }
  }

  const World& world;
  std::vector<unsigned> seen;
  Cells before, queue, way;
  std::vector<unsigned> crossed;
  unsigned flooding = 0, payment = 0;
};

// ---------------------------------------------------------------- what could be built

class Surveyor {
 public:
  Surveyor(const World& world, Railway& railway) : world(world), railway(railway), buckets(BUCKETS) {}

  // What a seat could build next, the best first.
  std::vector<Plan> plans(const Board& board, int seat) {
    found.clear();
    railway.tally(board, present);
    scratch = board;
    for (Taste taste : {CHEAP, CAREFUL, SELFISH, JEALOUS}) setTolls(board, seat, taste);
    for (int from = 0; from < (int)world.towns.size(); from++) {
      std::vector<int> open, active;
      railway.flood(board, world.towns[from].cell);
      for (int to : world.towns[from].wishes) (railway.reaches(world.towns[to].cell) ? active : open).push_back(to);
      for (int to : active) addShortCuts(board, seat, from, to);
      for (Taste taste : {CHEAP, CAREFUL, SELFISH})
        if (!open.empty()) addRoutes(board, seat, from, open, tolls[taste]);
    }
    std::stable_sort(found.begin(), found.end(), [](const Plan& a, const Plan& b) { return a.value > b.value; });
    return std::move(found);
  }

 private:
  enum Taste { CHEAP, CAREFUL, SELFISH, JEALOUS };
  static constexpr int BUCKETS = 128;  // more than any toll
  static constexpr int PER_PAINT = 10;

  // The cost of a route over a cell. The careful taste avoids regions that may be inked; the selfish one avoids the
  // opponent's tracks, which would be paid; the jealous one wants as many own tracks as possible on a short cut.
  int toll(const Board& board, int seat, int cell, Taste taste) const {
    const int owner = board.owner[cell], region = world.region[cell];
    if (owner == WALL || (owner == NO_TRACK && board.inked[region])) return NEVER;
    if (taste == JEALOUS && owner != NO_TRACK) return owner == NEUTRAL ? 5 : owner == 1 - seat ? 10 : 0;
    if (taste == JEALOUS) return PER_PAINT * world.price[cell];
    if (taste == SELFISH && owner == 1 - seat) return 8;
    if (owner != NO_TRACK) return 1;
    const int risk = taste == CAREFUL && !world.safe[region] ? 6 + 8 * board.unrest[region] : 0;
    return PER_PAINT * world.price[cell] + 1 + std::min(risk, BUCKETS / 2);
  }

  void setTolls(const Board& board, int seat, Taste taste) {
    tolls[taste].resize(world.size);
    for (int cell = 0; cell < world.size; cell++) tolls[taste][cell] = toll(board, seat, cell, taste);
  }

  void addRoutes(const Board& board, int seat, int from, const std::vector<int>& open, const std::vector<int>& toll) {
    const int start = world.towns[from].cell;
    search(start, toll);
    for (int to : open) {
      const int goal = world.towns[to].cell;
      if (cost[goal] == NEVER) continue;
      Plan plan;
      for (int cell = via[goal]; cell != start; cell = via[cell])
        if (board.owner[cell] == NO_TRACK) plan.cells.push_back(cell);
      add(std::move(plan), seat, from, to);
    }
  }

  // The least tolls from a cell to all others.
  void search(int start, const std::vector<int>& toll) {
    cost.assign(world.size, NEVER);
    via.assign(world.size, 0);
    cost[start] = 0;
    buckets[0].push_back(start);
    int waiting = 1;
    for (int spent = 0; waiting > 0; spent++) {
      Cells& bucket = buckets[spent % BUCKETS];
      waiting -= (int)bucket.size();
      for (int cell : bucket) {
        if (cost[cell] != spent) continue;
        for (int step : world.compass) {
          const int near = cell + step, total = spent + toll[near];
          if (total >= cost[near]) continue;
          cost[near] = total;
          via[near] = cell;
          buckets[total % BUCKETS].push_back(near);
          waiting++;
        }
      }
      bucket.clear();
    }
  }

  // An active connection takes the shortest path: an equally short or shorter one over our own tracks may replace it.
  void addShortCuts(const Board& board, int seat, int from, int to) {
    const int start = world.towns[from].cell, goal = world.towns[to].cell;
    railway.flood(board, start);
    const Cells& route = railway.route(start, goal);
    const bool ours = std::all_of(route.begin(), route.end(), [&](int cell) {
      return board.owner[cell] == seat || board.owner[cell] == TOWN;
    });
    const int length = (int)route.size() + 1;
    if (ours) return;
    for (int limit : {length, length - 2}) {
      Plan plan;
      plan.cells = shortCut(board, start, goal, limit);
      add(std::move(plan), seat, from, to);
    }
  }

  // The cells to lay for the cheapest path of limited length, from the goal backwards; none if there is no path.
  // The search goes step by step and follows a longer way to a cell only if it is cheaper than all shorter ones.
  Cells shortCut(const Board& board, int start, int goal, int limit) {
    cost.assign(world.size, NEVER);
    cost[start] = 0;
    steps.assign(1, {start, -1, 0});
    int arrival = -1;
    for (int length = 1, first = 0, last = 1; length <= limit && first < last; length++) {
      for (int from = first; from < last; from++) {
        const Step step = steps[from];
        if (step.cell == goal || step.cost > cost[step.cell]) continue;
        for (int way : world.compass) {
          const int near = step.cell + way, total = step.cost + tolls[JEALOUS][near];
          if (total >= cost[near] || world.distance(near, goal) > limit - length) continue;
          cost[near] = total;
          if (near == goal) arrival = (int)steps.size();
          steps.push_back({near, from, total});
        }
      }
      first = last;
      last = (int)steps.size();
    }
    Cells cells;
    for (int at = arrival; at >= 0; at = steps[at].before)
      if (board.owner[steps[at].cell] == NO_TRACK) cells.push_back(steps[at].cell);
    return cells;
  }

  // Computes the gain of a plan; a plan without gain is dropped. Its cells are ordered from the goal backwards.
  void add(Plan plan, int seat, int from, int to) {
    std::reverse(plan.cells.begin(), plan.cells.end());
    const auto same = [&](const Plan& other) { return other.cells == plan.cells; };
    if (plan.cells.empty() || std::any_of(found.begin(), found.end(), same)) return;
    for (int cell : plan.cells) scratch.owner[cell] = (signed char)seat;
    railway.tally(scratch, after);
    for (int cell : plan.cells) scratch.owner[cell] = NO_TRACK;
    plan.gain = after.lead(seat) - present.lead(seat);
    if (plan.gain <= 0) return;
    for (int cell : plan.cells) plan.paint += world.price[cell];
    const int turns = (plan.paint + PAINT - 1) / PAINT;
    plan.value = plan.gain * std::max(1.0, PLAN_LIFE - turns) / (plan.paint + 1);
    plan.from = from;
    plan.to = to;
    found.push_back(std::move(plan));
  }

  struct Step {
    int cell, before, cost;  // before: its index among the steps
  };

  const World& world;
  Railway& railway;
  std::vector<Plan> found;
  Tally present, after;
  Board scratch;
  std::array<std::vector<int>, 4> tolls;  // by taste, then by cell
  std::vector<int> cost;
  Cells via;
  std::vector<Cells> buckets;
  std::vector<Step> steps;
};

// ---------------------------------------------------------------- simulated games

class Oracle {
 public:
  Oracle(const World& world, Railway& railway) : world(world), railway(railway) {}

  // How far we lead some turns later, if we begin with this queue and this region (-1: none).
  double lead(const Board& start, const Queue& mine, const Queue& theirs, int target, int turnsLeft) {
    board = start;
    railway.tally(board, pays);
    const int me = world.me, turns = std::min(TURNS_AHEAD, turnsLeft);
    int points = 0;
    for (int turn = 0; turn < turns; turn++) {
      affordable(board, mine, laid[me]);
      affordable(board, theirs, laid[1 - me]);
      const bool resolved = turn == 0 || (target >= 0 && !board.inked[target]);
      const int targets[] = {resolved ? target : dearest(board, pays, me), dearest(board, pays, 1 - me)};
      lay();
      const bool inked = disrupt(targets);
      if (inked || !laid[0].empty() || !laid[1].empty()) railway.tally(board, pays);
      points += pays.lead(me);
    }
    return points + pays.lead(me) * std::min(TURNS_BEYOND, (double)(turnsLeft - turns));
  }

  // The tracks that one turn's paint buys, from the plans in order. A plan with inked cells is abandoned.
  void affordable(const Board& on, const Queue& plans, Cells& tracks) const {
    tracks.clear();
    int paint = PAINT;
    for (const Cells* plan : plans) {
      if (std::any_of(plan->begin(), plan->end(), [&](int cell) { return on.inked[world.region[cell]]; })) continue;
      for (int cell : *plan) {
        if (on.owner[cell] != NO_TRACK || world.price[cell] > paint) continue;
        if (std::find(tracks.begin(), tracks.end(), cell) != tracks.end()) continue;
        tracks.push_back(cell);
        paint -= world.price[cell];
        if (paint == 0) return;
      }
    }
  }

  // The region whose loss costs the other seat most, sooner rather than later; -1 if there is none.
  int dearest(const Board& on, const Tally& tally, int seat) const {
    int best = -1;
    double most = 0;
    for (int region = 0; region < world.regions; region++) {
      if (world.safe[region] || on.inked[region]) continue;
      const double worth = (double)tally.stakeOf(1 - seat, region) / (on.threshold - on.unrest[region]);
      if (worth > most) most = worth, best = region;
    }
    return best;
  }

 private:
  void lay() {
    for (int seat : {0, 1})
      for (int cell : laid[seat]) board.owner[cell] = (signed char)(board.owner[cell] == NO_TRACK ? seat : NEUTRAL);
  }

  bool disrupt(const int (&targets)[2]) {
    bool inked = false;
    for (int region : targets)
      if (region >= 0) board.unrest[region]++;
    for (int region : targets) {
      if (region < 0 || board.inked[region] || board.unrest[region] < board.threshold) continue;
      board.inked[region] = 1;
      inked = true;
      for (int cell : world.cellsOf[region]) board.owner[cell] = NO_TRACK;
    }
    return inked;
  }

  const World& world;
  Railway& railway;
  Board board;
  Tally pays;
  Cells laid[2];
};

// ---------------------------------------------------------------- the choice

class Agent {
 public:
  explicit Agent(const World& world) : world(world), railway(world), surveyor(world, railway), oracle(world, railway) {}

  // The answer to a turn, and the reason in words.
  std::pair<std::string, std::string> answer(const Board& board, int turnsLeft) {
    mine = surveyor.plans(board, world.me);
    theirs = surveyor.plans(board, 1 - world.me);
    theirQueue.clear();
    for (const Plan& plan : theirs)
      if (theirQueue.size() < PLANS_QUEUED) theirQueue.push_back(&plan.cells);
    railway.tally(board, present);
    const int plan = choosePlan(board, turnsLeft);
    const int target = chooseTarget(board, turnsLeft);
    return {orders(board, target), reasons(plan, target)};
  }

 private:
  // Fills bestQueue; the number of the plan at its head, or -1.
  int choosePlan(const Board& board, int turnsLeft) {
    const int habit = oracle.dearest(board, present, world.me);
    int chosen = -1;
    double most = 0;
    bestQueue.clear();
    for (int i = 0; i < std::min(PLANS_TRIED, (int)mine.size()); i++) {
      for (bool backwards : {world.me == 1, world.me == 0}) {
        Cells cells = mine[i].cells;
        if (backwards) std::reverse(cells.begin(), cells.end());
        double value = oracle.lead(board, queueOf(cells, i), theirQueue, habit, turnsLeft);
        value += WHIM * (std::abs(value) + 50) * whim(board, cells);
        if (chosen >= 0 && value <= most) continue;
        most = value;
        chosen = i;
        head = cells;
      }
    }
    if (chosen >= 0) bestQueue = queueOf(head, chosen);
    return chosen;
  }

  Queue queueOf(const Cells& first, int number) const {
    Queue queue{&first};
    for (int i = 0; i < std::min(PLANS_QUEUED, (int)mine.size()); i++)
      if (i != number) queue.push_back(&mine[i].cells);
    return queue;
  }

  // From 0 to 1, by seat, cells and board: two copies of this agent see the same chances, but should not always take
  // the same cells, since tracks that both lay in the same turn pay neither.
  double whim(const Board& board, const Cells& cells) const {
    unsigned hash = 2166136261u + (unsigned)world.me;
    for (int cell : cells) hash = (hash ^ (unsigned)cell) * 16777619u;
    for (int owner : board.owner) hash = (hash ^ (unsigned)(owner + 1)) * 16777619u;
    hash = (hash ^ hash >> 15) * 2654435769u;
    return (hash >> 8) / 16777216.0;
  }

  int chooseTarget(const Board& board, int turnsLeft) {
    std::vector<std::pair<double, int>> regions;
    for (int region = 0; region < world.regions; region++) {
      if (world.safe[region] || board.inked[region]) continue;
      const double worth = (double)present.stakeOf(1 - world.me, region) / (board.threshold - board.unrest[region]);
      regions.push_back({-worth - hopes(theirs, region) + hopes(mine, region), region});
    }
    std::sort(regions.begin(), regions.end());
    int target = -1;
    expected = oracle.lead(board, bestQueue, theirQueue, -1, turnsLeft);
    for (int i = 0; i < std::min(REGIONS_TRIED, (int)regions.size()); i++) {
      const auto& [badness, region] = regions[i];
      const double value = oracle.lead(board, bestQueue, theirQueue, region, turnsLeft);
      const bool idle = target < 0 && badness < 0;
      if (value > expected || (value == expected && idle)) expected = value, target = region;
    }
    return target;
  }

  // How much of a side's next plans is in a region.
  double hopes(const std::vector<Plan>& plans, int region) const {
    double sum = 0;
    for (size_t i = 0; i < std::min<size_t>(2, plans.size()); i++)
      for (int cell : plans[i].cells) sum += world.region[cell] == region ? 0.5 / (double)(i + 1) : 0;
    return sum;
  }

  std::string orders(const Board& board, int target) const {
    Cells tracks;
    oracle.affordable(board, bestQueue, tracks);
    std::string line;
    for (int cell : tracks) line += "PLACE_TRACKS " + world.place(cell) + ";";
    if (target >= 0) line += "DISRUPT " + std::to_string(target) + ";";
    if (line.empty()) return "WAIT";
    line.pop_back();
    return line;
  }

  std::string reasons(int plan, int target) const {
    std::ostringstream text;
    text << present.income[world.me] << " against " << present.income[1 - world.me] << " a turn";
    if (plan >= 0) {
      const Plan& chosen = mine[plan];
      text << "; " << world.towns[chosen.from].id << " to " << world.towns[chosen.to].id << " for " << chosen.paint
           << " paint makes +" << chosen.gain;
    }
    if (target >= 0) text << "; region " << target << " had better go";
    text << "; expects a lead of " << (int)expected;
    return text.str();
  }

  const World& world;
  Railway railway;
  Surveyor surveyor;
  Oracle oracle;
  std::vector<Plan> mine, theirs;
  Queue theirQueue, bestQueue;
  Cells head;
  Tally present;
  double expected = 0;
};

// ---------------------------------------------------------------- reading

void readTowns(std::istream& in, World& world) {
  int count = 0;
  in >> count;
  world.towns.resize(count);
  std::vector<std::string> wishes(count);
  for (int i = 0; i < count; i++) {
    int x = 0, y = 0;
    in >> world.towns[i].id >> x >> y >> wishes[i];
    world.towns[i].cell = world.at(x, y);
  }
  for (int i = 0; i < count; i++) {
    std::istringstream words(wishes[i] == "x" ? "" : wishes[i]);
    for (std::string word; std::getline(words, word, ',');)
      for (int other = 0; other < count; other++)
        if (std::to_string(world.towns[other].id) == word) world.towns[i].wishes.push_back(other);
  }
}

bool readWorld(std::istream& in, World& world) {
  if (!(in >> world.me >> world.width >> world.height)) return false;
  world.stride = world.width + 2;
  world.size = world.stride * (world.height + 2);
  world.compass = {-world.stride, 1, world.stride, -1};
  world.region.assign(world.size, 0);
  world.price.assign(world.size, 0);
  for (int cell = 0; cell < world.size; cell++) {
    world.column.push_back(cell % world.stride - 1);
    world.row.push_back(cell / world.stride - 1);
  }
  for (int y = 0; y < world.height; y++)
    for (int x = 0; x < world.width; x++) {
      int region = 0, terrain = 0;
      in >> region >> terrain;
      world.region[world.at(x, y)] = region;
      world.price[world.at(x, y)] = PRICES[terrain];
      world.regions = std::max(world.regions, region + 1);
      world.cellsOf.resize(world.regions);
      world.cellsOf[region].push_back(world.at(x, y));
    }
  readTowns(in, world);
  world.safe.assign(world.regions, 0);
  for (const Town& town : world.towns) world.safe[world.region[town.cell]] = 1;
  return bool(in);
}

bool readBoard(std::istream& in, const World& world, Board& board) {
  int mine = 0, theirs = 0;
  if (!(in >> mine >> theirs)) return false;
  board.owner.assign(world.size, WALL);
  board.unrest.assign(world.regions, 0);
  board.inked.assign(world.regions, 0);
  std::string connections;
  for (int y = 0; y < world.height; y++)
    for (int x = 0; x < world.width; x++) {
      const int cell = world.at(x, y), region = world.region[cell];
      int owner = 0, unrest = 0, inked = 0;
      in >> owner >> unrest >> inked >> connections;
      board.owner[cell] = (signed char)owner;
      board.unrest[region] = (signed char)std::min(unrest, 100);
      board.inked[region] = (signed char)inked;
      if (!inked) board.threshold = std::max(board.threshold, board.unrest[region] + 1);
    }
  for (const Town& town : world.towns) board.owner[town.cell] = TOWN;
  return bool(in);
}

// The input does not contain the turn. A long-lived process counts; one started for this move infers it from the
// disruptions, of which there are at most two per turn.
int turnsLeft(int turnsSeen, const Board& board) {
  int disruptions = 0;
  for (int unrest : board.unrest) disruptions += unrest;
  return std::max(1, LAST_TURN - std::max(turnsSeen, disruptions / 2));
}

int main() {
  std::ios::sync_with_stdio(false);
  World world;
  if (!readWorld(std::cin, world)) return 0;
  Agent agent(world);
  Board board;
  for (int turn = 0; readBoard(std::cin, world, board); turn++) {
    const auto [line, why] = agent.answer(board, turnsLeft(turn, board));
    std::cerr << "kibitz " << why << std::endl;
    std::cout << line << std::endl;
  }
}
