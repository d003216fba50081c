// Simulates the next rounds. It lists plans: head for one of the nearest mines, drink, settle next to a tavern
// (where a drink makes up for a hit), hunt a hero, or just take one step. Each plan is simulated by the full rules,
// including fights, deaths and respawns: three times, against heroes that rest, that collect mines, and that fight.
// After its plan it continues with the same simple policy as they do. The plan that makes it richest relative to the
// others wins, with early gold preferred. The work is bounded by counts, so the same input always gets the same
// answer; only distances are cached between turns, as long as the ground is the same.
// It assumes the constants of the preset `contest`.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int MINE_COST = 25, HIT = 25, SPIKES_COST = 10, DRINK_LIFE = 25, FULL_LIFE = 100;
constexpr int DRINK_MONEY = 2;        // a drink costs 1 gold here and 2 in the other preset: 2 always suffices
constexpr int SPIKES_DETOUR = 2;      // extra steps it walks to avoid spikes
constexpr int ROUNDS_AHEAD = 30;
constexpr double FADING = 0.91;       // discount of gold that comes a round later
constexpr double LIFE_WORTH = 0.05;   // in gold
constexpr double RIVAL_WEIGHT = 0.4, OTHERS_WEIGHT = 0.15;
constexpr int MINES_TRIED = 12;
constexpr int HUNT_RANGE = 4;         // how far a fighter looks for prey
constexpr int LOW_LIFE = 35;
constexpr int TOP_UP = 75;            // next to a tavern, a drink is not wasted up to here
constexpr int FAR = 20000;
constexpr int NOBODY = -1;
constexpr int STAY = 4;
constexpr const char* DIRECTIONS[] = {"North", "East", "South", "West", "Stay"};

// ---- reading ----

// Every scalar of a JSON text by its path, such as game.heroes.0.pos.x; strings without their quotes.
class Scanner {
public:
    explicit Scanner(const std::string& line) : text(line) { value(""); }

    std::string word(const std::string& path) const {
        const auto found = scalars.find(path);
        return found == scalars.end() ? "" : found->second;
    }
    int number(const std::string& path) const { return std::atoi(word(path).c_str()); }
    bool truth(const std::string& path) const { return word(path) == "true"; }

private:
    const std::string& text;
    size_t at = 0;
    std::map<std::string, std::string> scalars;

    char peek() {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) at++;
        return at < text.size() ? text[at] : '\0';
    }

    static std::string joined(const std::string& path, const std::string& key) {
        return path.empty() ? key : path + "." + key;
    }

    void value(const std::string& path) {
        const char first = peek();
        if (first == '{' || first == '[') {
            members(path, first == '{');
        } else if (first == '"') {
            scalars[path] = quoted();
        } else {
            const size_t from = at;
            while (at < text.size() && !std::strchr(",]} \t\r\n", text[at])) at++;
            scalars[path] = text.substr(from, at - from);
        }
    }

    void members(const std::string& path, bool named) {
        const char closing = named ? '}' : ']';
        at++;
        for (int index = 0; peek() != closing && peek() != '\0'; index++) {
            std::string key = std::to_string(index);
            if (named) {
                key = quoted();
                if (peek() == ':') at++;
            }
            const size_t before = at;
            value(joined(path, key));
            if (peek() == ',') at++;
            if (at == before) return;  // not JSON: give up rather than loop forever
        }
        at++;
    }

    std::string quoted() {
        std::string out;
        for (at++; at < text.size() && text[at] != '"'; at++) {
            if (text[at] == '\\') at++;  // nothing that matters here is ever escaped
            if (at < text.size()) out += text[at];
        }
        at++;
        return out;
    }
};

// ---- the ground ----

enum Ground : uint8_t { FREE, WOOD, SPIKES, TAVERN, MINE };

// What never changes in a game, with distances. Places are taverns, then mines. The last cell is the wood outside.
struct Terrain {
    int size = 0;
    int taverns = 0;
    std::vector<Ground> ground;
    std::vector<std::array<int, 4>> around;
    std::vector<int> places;        // their cells
    std::vector<int> place_at;      // by cell
    std::vector<uint16_t> to_place; // [cell * places + place]
    std::vector<std::vector<uint16_t>> rows;  // to a cell from every other one; empty until it is needed

    int cells() const { return static_cast<int>(ground.size()); }
    int place_count() const { return static_cast<int>(places.size()); }
    int distance(int from, int place) const { return to_place[static_cast<size_t>(from * place_count() + place)]; }
    bool walkable(int cell) const { return ground[cell] == FREE || ground[cell] == SPIKES; }
    int effort(int cell) const { return ground[cell] == SPIKES ? 1 + SPIKES_DETOUR : 1; }

    Terrain() = default;
    Terrain(int side, std::vector<Ground> drawn) : size(side), ground(std::move(drawn)) {
        link();
        for (const Ground kind : {TAVERN, MINE}) {
            for (int cell = 0; cell < cells(); cell++)
                if (ground[cell] == kind) places.push_back(cell);
            if (kind == TAVERN) taverns = place_count();
        }
        rows.resize(ground.size());
        place_at.assign(ground.size(), NOBODY);
        to_place.assign(ground.size() * places.size(), FAR);
        for (int place = 0; place < place_count(); place++) {
            place_at[places[place]] = place;
            const auto& row = row_to(places[place]);
            for (int cell = 0; cell < cells(); cell++) to_place[cell * place_count() + place] = row[cell];
        }
    }

    const std::vector<uint16_t>& row_to(int goal) {
        if (rows[goal].empty()) rows[goal] = efforts_to(goal);
        return rows[goal];
    }

private:
    void link() {
        const int outside = size * size;
        around.assign(ground.size(), {outside, outside, outside, outside});
        for (int cell = 0; cell < outside; cell++) {
            if (cell >= size) around[cell][0] = cell - size;
            if ((cell + 1) % size) around[cell][1] = cell + 1;
            if (cell + size < outside) around[cell][2] = cell + size;
            if (cell % size) around[cell][3] = cell - 1;
        }
    }

    // The cost of the best path to a goal from every cell: steps, with spikes costing more.
    std::vector<uint16_t> efforts_to(int goal) const {
        std::vector<uint16_t> effort_from(ground.size(), FAR);
        std::vector<std::vector<int>> waves(1, {goal});
        effort_from[goal] = 0;
        for (size_t spent = 0; spent < waves.size(); spent++) {
            for (size_t i = 0; i < waves[spent].size(); i++) {
                const int cell = waves[spent][i];
                if (effort_from[cell] < spent) continue;
                const size_t total = spent + static_cast<size_t>(effort(cell));
                for (const int near : around[cell]) {
                    if (!walkable(near) || effort_from[near] <= total) continue;
                    effort_from[near] = static_cast<uint16_t>(total);
                    if (waves.size() <= total) waves.resize(total + 1);
                    waves[total].push_back(near);
                }
            }
        }
        return effort_from;
    }
};

// ---- the rules ----

struct Hero {
    int cell, start, life, gold, mines, came_back;
    bool gone;  // disconnected: it stays
};

struct World {
    Terrain* land;
    int ply, last_ply;
    std::array<Hero, 4> heroes;
    std::vector<int8_t> standing;  // who, by cell
    std::vector<int8_t> owner;     // of a place; taverns have no owner

    void play(int me, int direction) {
        Hero& hero = heroes[me];
        if (direction != STAY) go(me, land->around[hero.cell][direction]);
        fight(me);
        hero.life = std::max(1, hero.life - 1);
        hero.gold += hero.mines;
        ply++;
    }

private:
    void go(int me, int cell) {
        Hero& hero = heroes[me];
        if (standing[cell] != NOBODY) return;
        switch (land->ground[cell]) {
            case WOOD:
                return;
            case TAVERN:
                if (hero.gold < 1) return;
                hero.gold--;
                hero.life = std::min(FULL_LIFE, hero.life + DRINK_LIFE);
                return;
            case MINE: {
                int8_t& holder = owner[land->place_at[cell]];
                if (holder == me) return;
                if (hero.life <= MINE_COST) return die(me);
                hero.life -= MINE_COST;
                if (holder != NOBODY) heroes[holder].mines--;
                holder = static_cast<int8_t>(me);
                hero.mines++;
                return;
            }
            case SPIKES:
                if (hero.life <= SPIKES_COST) return die(me);
                hero.life -= SPIKES_COST;
                break;
            case FREE:
                break;
        }
        standing[hero.cell] = NOBODY;
        standing[cell] = static_cast<int8_t>(me);
        hero.cell = cell;
    }

    void fight(int me) {
        for (const int cell : land->around[heroes[me].cell]) {
            const int other = standing[cell];
            if (other == NOBODY || heroes[me].came_back == ply || heroes[other].came_back == ply) continue;
            if (heroes[other].life > HIT) {
                heroes[other].life -= HIT;
            } else {
                hand_over(other, me);
                come_back(other);
            }
        }
    }

    void die(int me) {
        hand_over(me, NOBODY);
        come_back(me);
    }

    void hand_over(int from, int to) {
        if (heroes[from].mines == 0) return;
        for (int8_t& holder : owner)
            if (holder == from) holder = static_cast<int8_t>(to);
        if (to != NOBODY) heroes[to].mines += heroes[from].mines;
        heroes[from].mines = 0;
    }

    void come_back(int who) {
        standing[heroes[who].cell] = NOBODY;
        while (who != NOBODY) {
            Hero& hero = heroes[who];
            const int occupant = standing[hero.start];
            if (occupant != NOBODY) hand_over(occupant, who);
            standing[hero.start] = static_cast<int8_t>(who);
            hero.cell = hero.start;
            hero.life = FULL_LIFE;
            hero.came_back = ply;
            who = occupant;
        }
    }
};

// ---- policies: what heroes do in the simulations ----

int hits_to_kill(const Hero& hero) { return (hero.life + HIT - 1) / HIT; }

// Whether the first would win if it hit the second now and both kept hitting.
bool would_win(const Hero& attacker, const Hero& other) {
    return hits_to_kill(other) <= hits_to_kill(attacker) && attacker.cell != other.start;
}

// One step towards a cell, around other heroes; Stay if they block every sensible path.
int step_to(const World& world, int me, int goal) {
    const Hero& hero = world.heroes[me];
    const auto& row = world.land->row_to(goal);
    int best = STAY, least = row[hero.cell] + 3;
    for (int direction = 0; direction < 4; direction++) {
        const int cell = world.land->around[hero.cell][direction];
        if (cell == goal && world.standing[cell] == NOBODY) return direction;
        if (!world.land->walkable(cell) || world.standing[cell] != NOBODY) continue;
        if (world.land->ground[cell] == SPIKES && hero.life <= SPIKES_COST) continue;
        const int effort = row[cell] + world.land->effort(cell);
        if (effort < least) {
            least = effort;
            best = direction;
        }
    }
    return best;
}

int nearest_tavern(const World& world, int cell) {
    int best = NOBODY, least = FAR;
    for (int place = 0; place < world.land->taverns; place++) {
        const int distance = world.land->distance(cell, place);
        if (distance < least) {
            least = distance;
            best = place;
        }
    }
    return best;
}

int nearest_mine(const World& world, int me) {
    const int cell = world.heroes[me].cell;
    int best = NOBODY, least = FAR;
    for (int place = world.land->taverns; place < world.land->place_count(); place++) {
        const int distance = world.land->distance(cell, place);
        if (distance < least && world.owner[place] != me) {
            least = distance;
            best = place;
        }
    }
    return best;
}

// Hold the position: hit, and drink meanwhile if possible.
int stand(const World& world, int me) {
    const Hero& hero = world.heroes[me];
    if (hero.gold >= DRINK_MONEY && hero.life <= TOP_UP)
        for (int direction = 0; direction < 4; direction++)
            if (world.land->ground[world.land->around[hero.cell][direction]] == TAVERN) return direction;
    return STAY;
}

// The hero that a fighter would rather attack than take a mine.
int prey(const World& world, int me) {
    const Hero& hero = world.heroes[me];
    int best = NOBODY, nearest = HUNT_RANGE + 1;
    for (int other = 0; other < 4; other++) {
        const Hero& they = world.heroes[other];
        if (other == me || they.mines == 0 || !would_win(hero, they)) continue;
        const int size = world.land->size;
        const int apart = std::abs(hero.cell / size - they.cell / size) + std::abs(hero.cell % size - they.cell % size);
        if (apart < nearest && (apart == 1 || they.mines > 1)) {
            nearest = apart;
            best = other;
        }
    }
    return best;
}

bool threatened(const World& world, int me) {
    for (const int cell : world.land->around[world.heroes[me].cell]) {
        const int other = world.standing[cell];
        if (other != NOBODY && !would_win(world.heroes[me], world.heroes[other])) return true;
    }
    return false;
}

int habit(const World& world, int me, bool fighter) {
    const Hero& hero = world.heroes[me];
    if (hero.gone) return STAY;
    if (fighter) {
        const int victim = prey(world, me);
        if (victim != NOBODY) {
            const int direction = step_to(world, me, world.heroes[victim].cell);
            return direction == STAY ? stand(world, me) : direction;
        }
    }
    const int tavern = hero.gold >= DRINK_MONEY ? nearest_tavern(world, hero.cell) : NOBODY;
    if (tavern != NOBODY) {
        const bool beside = world.land->distance(hero.cell, tavern) == 1;
        const bool afraid = fighter && hero.mines > 0 && threatened(world, me);
        if (hero.life <= LOW_LIFE || afraid || (beside && hero.life <= TOP_UP))
            return step_to(world, me, world.land->places[tavern]);
    }
    const int mine = nearest_mine(world, me);
    if (mine == NOBODY) return tavern == NOBODY ? STAY : stand(world, me);
    const bool deadly = hero.life - world.land->distance(hero.cell, mine) < MINE_COST;
    if (deadly && hero.mines > 0) return tavern == NOBODY ? STAY : step_to(world, me, world.land->places[tavern]);
    return step_to(world, me, world.land->places[mine]);
}

// ---- plans ----

enum class Aim { HABIT, STEP, SEIZE, DRINK, SETTLE, HUNT };

struct Plan {
    Aim aim;
    int target;  // a direction, a place or a hero
};

// The next direction of a plan, or NOBODY when it is done.
int follow(const World& world, int me, const Plan& plan, bool first) {
    const Hero& hero = world.heroes[me];
    switch (plan.aim) {
        case Aim::STEP:
            return first ? plan.target : NOBODY;
        case Aim::SEIZE:
            return world.owner[plan.target] == me ? NOBODY : step_to(world, me, world.land->places[plan.target]);
        case Aim::DRINK:
            if (hero.life > TOP_UP || hero.gold < 1) return NOBODY;
            return step_to(world, me, world.land->places[plan.target]);
        case Aim::SETTLE:
            if (world.land->distance(hero.cell, plan.target) == 1) return stand(world, me);
            return step_to(world, me, world.land->places[plan.target]);
        case Aim::HUNT: {
            const Hero& victim = world.heroes[plan.target];
            if (victim.mines == 0 || !would_win(hero, victim)) return NOBODY;
            const int direction = step_to(world, me, victim.cell);
            return direction == STAY ? stand(world, me) : direction;
        }
        case Aim::HABIT:
            break;
    }
    return NOBODY;
}

// How the others are assumed to play.
enum class Others { RESTING, COLLECTING, FIGHTING };

struct Outlook {
    int direction;  // the first of the plan
    double value;
};

// The value of one gold to me, by the hero that gets it: negative for others, above all the richest.
std::array<double, 4> weights(const World& world, int me) {
    std::array<double, 4> weight{};
    int rival = NOBODY;
    for (int who = 0; who < 4; who++)
        if (who != me && (rival == NOBODY || world.heroes[who].gold > world.heroes[rival].gold)) rival = who;
    weight.fill(-OTHERS_WEIGHT);
    weight[rival] = -RIVAL_WEIGHT;
    weight[me] = 1;
    return weight;
}

int other_move(const World& world, int who, Others others) {
    return others == Others::RESTING ? STAY : habit(world, who, others == Others::FIGHTING);
}

// Simulate a plan. Later gold counts for less, because it is less certain.
Outlook imagine(World world, int me, const Plan& plan, Others others) {
    const int from = world.ply;
    const int until = std::min(world.last_ply, from + 4 * ROUNDS_AHEAD);
    const std::array<double, 4> weight = weights(world, me);
    Outlook outlook{STAY, 0};
    double faith = 1;
    bool planned = true;
    while (world.ply < until) {
        const int who = world.ply % 4;
        int direction = NOBODY;
        if (who == me) {
            planned = planned && world.heroes[me].came_back == -1;
            if (planned) direction = follow(world, me, plan, world.ply == from);
            planned = direction != NOBODY;
            if (!planned) direction = habit(world, me, true);
            if (world.ply == from) outlook.direction = direction;
            if (world.ply > from) faith *= FADING;
        } else {
            direction = other_move(world, who, others);
        }
        const int before = world.heroes[who].gold;
        world.play(who, direction);
        outlook.value += faith * weight[who] * (world.heroes[who].gold - before);
    }
    const int rounds_left = (world.last_ply - world.ply) / 4;
    const double beyond = faith * (1 - std::pow(FADING, rounds_left)) / (1 - FADING);
    for (int who = 0; who < 4; who++) outlook.value += beyond * weight[who] * world.heroes[who].mines;
    if (rounds_left) outlook.value += faith * LIFE_WORTH * world.heroes[me].life;
    return outlook;
}

std::vector<Plan> plans(const World& world, int me) {
    const Terrain& land = *world.land;
    const int cell = world.heroes[me].cell;
    std::vector<Plan> all = {{Aim::HABIT, 0}};
    std::vector<int> mines;
    for (int place = land.taverns; place < land.place_count(); place++)
        if (world.owner[place] != me && land.distance(cell, place) < FAR) mines.push_back(place);
    std::stable_sort(mines.begin(), mines.end(),
                     [&](int a, int b) { return land.distance(cell, a) < land.distance(cell, b); });
    if (mines.size() > MINES_TRIED) mines.resize(MINES_TRIED);
    for (const int place : mines) all.push_back({Aim::SEIZE, place});
    for (int place = 0; place < std::min(land.taverns, 4); place++) {
        if (land.distance(cell, place) >= FAR) continue;
        all.push_back({Aim::DRINK, place});
        all.push_back({Aim::SETTLE, place});
    }
    for (int who = 0; who < 4; who++)
        if (who != me) all.push_back({Aim::HUNT, who});
    for (int direction = 0; direction < 5; direction++) all.push_back({Aim::STEP, direction});
    return all;
}

std::string describe(const World& world, const Plan& plan) {
    const auto where = [&] {
        const int cell = world.land->places[plan.target], size = world.land->size;
        return std::to_string(cell / size) + "," + std::to_string(cell % size);
    };
    switch (plan.aim) {
        case Aim::STEP: return std::string("a step: ") + DIRECTIONS[plan.target];
        case Aim::SEIZE: return "mine at " + where();
        case Aim::DRINK: return "drink at " + where();
        case Aim::SETTLE: return "settle by the tavern at " + where();
        case Aim::HUNT: return "hunt hero " + std::to_string(plan.target + 1);
        case Aim::HABIT: break;
    }
    return "as usual";
}

// ---- a turn ----

Ground ground_of(char first) {
    switch (first) {
        case '#': return WOOD;
        case '^': return SPIKES;
        case '[': return TAVERN;
        case '$': return MINE;
        default: return FREE;
    }
}

// A hero hides what it stands on. Most maps are mirrored both ways, so spikes in the mirror mean spikes here.
void guess_hidden_spikes(std::vector<Ground>& ground, int size, int cell, const std::string& tiles) {
    const int x = cell / size, y = cell % size, mx = size - 1 - x, my = size - 1 - y;
    int spikes = 0, others = 0;
    for (const int mirrored : {x * size + my, mx * size + y, mx * size + my}) {
        const char drawn = tiles[2 * static_cast<size_t>(mirrored)];
        if (drawn == '^') spikes++;
        else if (drawn != '@') others++;
    }
    if (spikes && !others) ground[cell] = SPIKES;
}

World read_world(const Scanner& input, Terrain& land) {
    const int size = input.number("game.board.size");
    const std::string tiles = input.word("game.board.tiles");
    std::vector<Ground> ground(static_cast<size_t>(size * size) + 1, WOOD);
    for (int cell = 0; cell < size * size; cell++) ground[cell] = ground_of(tiles[2 * static_cast<size_t>(cell)]);
    World world{&land, input.number("game.turn"), input.number("game.maxTurns"), {}, {}, {}};
    for (int who = 0; who < 4; who++) {
        const std::string hero = "game.heroes." + std::to_string(who) + ".";
        const auto cell_of = [&](const char* key) {
            return input.number(hero + key + ".x") * size + input.number(hero + key + ".y");
        };
        world.heroes[who] = {cell_of("pos"),
                             cell_of("spawnPos"),
                             input.number(hero + "life"),
                             input.number(hero + "gold"),
                             input.number(hero + "mineCount"),
                             -1,
                             input.truth(hero + "crashed")};
        guess_hidden_spikes(ground, size, world.heroes[who].cell, tiles);
    }
    if (ground != land.ground) land = Terrain(size, std::move(ground));
    world.standing.assign(land.ground.size(), NOBODY);
    for (int who = 0; who < 4; who++) world.standing[world.heroes[who].cell] = static_cast<int8_t>(who);
    for (const int cell : land.places) {
        const char holder = tiles[2 * static_cast<size_t>(cell) + 1];
        world.owner.push_back(static_cast<int8_t>(holder >= '1' && holder <= '4' ? holder - '1' : NOBODY));
    }
    return world;
}

const char* choose(const Scanner& input, Terrain& land) {
    const World world = read_world(input, land);
    const int me = input.number("hero.id") - 1;
    double best = -1e9;
    int direction = STAY;
    Plan chosen{Aim::HABIT, 0};
    for (const Plan& plan : plans(world, me)) {
        double value = 0;
        int first = STAY;
        for (const Others others : {Others::RESTING, Others::COLLECTING, Others::FIGHTING}) {
            const Outlook outlook = imagine(world, me, plan, others);
            value += outlook.value / 3;
            first = outlook.direction;
        }
        if (value <= best + 1e-9) continue;
        best = value;
        direction = first;
        chosen = plan;
    }
    std::fprintf(stderr, "kibitz %s, worth %+.1f\n", describe(world, chosen).c_str(), best);
    return DIRECTIONS[direction];
}

}  // namespace

int main() {
    Terrain land;
    for (std::string line; std::getline(std::cin, line);) {
        const Scanner input(line);
        if (input.truth("game.finished")) break;
        std::cout << choose(input, land) << std::endl;
    }
}
