// Simulates every possible move many times. Each trial redeals the hidden cards and plays the game to its end, both
// teams following a quick heuristic; the move that wins most often is taken. Moves that look bad are dropped after a
// few trials, so that most of the work goes into the best ones (successive halving). All moves face the same deals,
// which makes the comparison fair. The amount of work is fixed and the deals depend only on the prompt, so the same
// prompt always gets the same answer, however fast the machine is.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

enum Card { TRAINING, CODING, ROUTINE, PRIORITIES, STUDY, INTEGRATION, REVIEW, REFACTORING, BONUS, DEBT };
constexpr int SKILLS = 8; // a desk for each
constexpr int GOOD = 9;   // types other than debt
constexpr int TYPES = 10;
constexpr int HAND = 4;
constexpr int GOAL = 5; // releases that end the game; the last one must not be shoddy
constexpr int ALL_COPIES[TYPES] = {5, 5, 5, 5, 5, 5, 5, 5, 36, 100};
const std::array<std::string, SKILLS> NAMES = {
    "TRAINING",           "CODING",                 "DAILY_ROUTINE", "TASK_PRIORITIZATION",
    "ARCHITECTURE_STUDY", "CONTINUOUS_INTEGRATION", "CODE_REVIEW",   "REFACTORING",
};

// The weights of the heuristic, in points; a release without debt is worth 10.
struct Weights {
  double own[GOOD];      // one more card of each type
  double repeat;         // less for each one owned already
  double demand;         // more for what the open applications need
  double debt[GOAL - 1]; // a debt card, by the releases so far
  double keep[GOOD];     // the loss of a card of each type
  double disturb;        // coming close to the other team, in addition to the card it gets
  double step;           // each desk walked
  double pass;           // passing the end of the circle, in addition to the cards thrown
  double play[SKILLS];   // playing each skill
  double automate[GOOD]; // more for CONTINUOUS_INTEGRATION, by the card
};

constexpr Weights WEIGHTS[] = { // by level
    {},
    {{2, 2, 2, 2, 2, 2, 2, 2, 1}, 0.3, 1.8, {3.6, 3.5, 3, 3}, {}, 0, 0, 0, {}, {}},
    {{1.8, 1.1, 1.4, 1.6, 3.2, 1.6, 1.6, 1.6, 1.7}, 0, 3.2, {2.8, 2.7, 2.7, 1.9},
     {1.1, 0.9, 1.5, 1.5, 2.8, 1.5, 1.5, 2.5, 2.2}, 0.8, 0, 0,
     {1, 0, 0, 0, 1, 0, 0.3, 1}, {}},
    {{2.2, 1.3, 2.3, 1.3, 1.4, 4.6, 1.8, 1.5, 1.6}, 0.9, 1.1, {5.5, 3.9, 2.9, 1.3},
     {0.7, 2.5, 1.3, 1.2, 2.5, 1.8, 1.6, 1.1, 1.7}, 4.5, 0.4, -1.2,
     {4.8, 1.3, 0.5, -1.2, 0.7, 1.6, 1, 0.8}, {0.8, 1.6, 1.4, 1.6, 1.7, 0.4, 0.5, -0.4, 4.7}},
};

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_((seed + 1) * 0x9E3779B97F4A7C15u | 1) { below(2); }

  int below(int count) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<int>((state_ * 0x2545F4914F6CDD1Du >> 32) * static_cast<uint64_t>(count) >> 32);
  }

 private:
  uint64_t state_;
};

struct Pile {
  std::array<uint8_t, TYPES> of{};
  int size = 0;

  void add(int card, int count = 1) {
    of[card] = static_cast<uint8_t>(of[card] + count);
    size += count;
  }
  void add(const Pile& other) {
    for (int card = 0; card < TYPES; card++) add(card, other.of[card]);
  }
  void remove(int card) { add(card, -1); }
  int good() const { return size - of[DEBT]; }
  int kinds() const { return GOOD - static_cast<int>(std::count(of.begin(), of.begin() + GOOD, 0)); }
  int first() const {
    int card = 0;
    while (!of[card]) card++;
    return card;
  }
  int draw(Dice& dice) {
    int at = dice.below(size), card = 0;
    while (at >= of[card]) at -= of[card++];
    remove(card);
    return card;
  }
};

struct Team {
  int location = -1, score = 0, routines = 0, studies = 0;
  Pile hand, draw, discard, played, automated;

  int held(int card) const { return hand.of[card] + automated.of[card]; }
  int owned(int card) const { return held(card) + draw.of[card] + discard.of[card]; }
  int debt() const { return hand.of[DEBT] + draw.of[DEBT] + discard.of[DEBT]; }
};

struct Application {
  int id = 0, parts = 0;
  std::array<uint8_t, 3> skill{}, need{};
};

// Constant during the trials.
struct Table {
  int level = 2;
  std::vector<Application> applications;

  bool gives() const { return level >= 2; }
  bool throws() const { return level >= 3; }
  bool playable(int card) const {
    if (level >= 3) return true;
    return level == 2 && (card == TRAINING || card == STUDY || card == REVIEW || card == REFACTORING);
  }
  const Weights& weights() const { return WEIGHTS[level]; }
};

enum Stage { MOVE, THROW, GIVE, TAKE, PLAY, RELEASE, END };

// MOVE: desk, desk of the card. THROW, GIVE: card. PLAY: card, types named after it. RELEASE: index of the application.
// Nothing named: WAIT.
struct Action {
  int a = -1, b = -1, c = -1;
};

// The fewest skills that any release lacks, now and with one more card of each type.
struct Lack {
  int now = 99, with[GOOD];
  int shoddy = 0;
};

constexpr int shoddyOf(int card) { return card == BONUS ? 1 : 2; }
constexpr bool close(int desk, int other) { return other >= 0 && ((desk - other + 1) & 7) <= 2; }

// ------------------------------------------------------------------------------------------------------- the rules

class Game {
 public:
  explicit Game(const Table& table) : table(&table) {}

  const Table* table;
  std::array<Team, 2> team; // the team that moves first in a round comes first
  std::array<uint8_t, TYPES> stock{};
  uint32_t open = 0; // applications, a bit for each
  int seat = 0, stage = MOVE, desk = 0, throws = 0, gives = 0, plays = 1;
  int turns = 0;

  // Advances to the next choice of either team; false if the game is over.
  bool advance(Dice& dice) {
    while (stage != MOVE) {
      if (asks()) return true;
      if (stage == TAKE) take(me(), desk);
      if (stage == END) endTurn(dice);
      else stage++;
    }
    return seat != 0 || (team[0].score < GOAL && team[1].score < GOAL);
  }

  void apply(const Action& action, Dice& dice) {
    switch (stage) {
      case MOVE: move(action.a, action.b); break;
      case THROW: throwCard(action.a), throws--; break;
      case GIVE: giveCard(action.a); break;
      case PLAY: action.a < 0 ? void(plays = 0) : play(action, dice); break;
      default: release(action.a);
    }
  }

  Team& me() { return team[seat]; }
  const Team& me() const { return team[seat]; }
  const Team& rival() const { return team[1 - seat]; }

  int missing(const Team& t, const Application& application) const {
    int sum = -t.held(BONUS);
    for (int i = 0; i < application.parts; i++)
      sum += std::max(0, application.need[i] - 2 * t.held(application.skill[i]));
    return sum;
  }

  int shoddy(const Team& t) const {
    return t.score >= GOAL - 1 ? 0 : 2 * (t.hand.good() + t.automated.size) - t.held(BONUS);
  }

  void drawCards(Team& t, int count, Dice& dice) {
    for (; count > 0; count--) {
      if (t.draw.size == 0) std::swap(t.draw, t.discard);
      if (t.draw.size == 0) return;
      t.hand.add(t.draw.draw(dice));
    }
  }

 private:
  // Whether this stage has a choice; if not, its effects are applied.
  bool asks() {
    switch (stage) {
      case THROW: return throws > 0 && asksToThrow();
      case GIVE: return gives > 0 && asksToGive();
      case PLAY: return plays > 0 && canPlay();
      case RELEASE: return canRelease();
      default: return false;
    }
  }

  bool asksToThrow() {
    int good = me().hand.good();
    if (throws == 1 || (good > 2 && me().hand.kinds() > 1)) return true;
    for (int i = std::min(good, 2); i > 0; i--) throwCard(me().hand.first());
    if (good < 2) charge(DEBT, 2 - good);
    throws = 0;
    return false;
  }

  bool asksToGive() {
    int kinds = me().hand.kinds();
    if (kinds > 1) return true;
    if (kinds == 1) giveCard(me().hand.first());
    else charge(DEBT, 2);
    gives = 0;
    return false;
  }

  bool canPlay() const {
    const Pile& hand = me().hand;
    for (int card = 0; card < SKILLS; card++) {
      bool needsAnother = card == PRIORITIES || card == INTEGRATION;
      if (hand.of[card] && table->playable(card) && (!needsAnother || hand.good() > 1)) return true;
    }
    return false;
  }

  bool canRelease() const {
    int most = shoddy(me());
    for (uint32_t left = open; left; left &= left - 1)
      if (missing(me(), table->applications[std::countr_zero(left)]) <= most) return true;
    return false;
  }

  void move(int target, int deskOfCard) {
    if (table->throws() && target < me().location) throws = 2;
    me().location = target;
    gives = table->gives() && close(target, rival().location);
    desk = deskOfCard;
    stage = THROW;
  }

  void throwCard(int card) {
    me().hand.remove(card);
    stock[card]++;
  }

  void giveCard(int card) {
    me().hand.remove(card);
    team[1 - seat].hand.add(card);
    gives = 0;
  }

  void take(Team& t, int card) {
    if (!stock[card]) card = BONUS;
    if (!stock[card]) return;
    stock[card]--;
    t.hand.add(card);
  }

  void charge(int card, int count) {
    count = std::min<int>(count, stock[card]);
    stock[card] = static_cast<uint8_t>(stock[card] - count);
    me().discard.add(card, count);
  }

  void play(const Action& action, Dice& dice) {
    Team& t = me();
    t.hand.remove(action.a);
    plays--;
    if (action.a != ROUTINE && action.a != STUDY) t.played.add(action.a);
    switch (action.a) {
      case TRAINING: drawCards(t, 2, dice), plays++; break;
      case CODING: drawCards(t, 1, dice), plays += 2; break;
      case ROUTINE: t.routines++; break;
      case PRIORITIES: throwCard(action.b), take(t, action.c); break;
      case STUDY: t.studies++; break;
      case INTEGRATION: t.hand.remove(action.b), t.automated.add(action.b); break;
      case REVIEW: charge(BONUS, 2); break;
      default:
        if (t.hand.of[DEBT]) throwCard(DEBT);
    }
  }

  void release(int index) {
    stage = END;
    if (index < 0) return;
    Team& t = me();
    int cost = missing(t, table->applications[index]);
    open &= ~(1u << index);
    t.score++;
    t.discard.add(ROUTINE, t.routines);
    t.discard.add(STUDY, t.studies);
    t.routines = t.studies = 0;
    if (cost > 0) charge(DEBT, cost);
  }

  void endTurn(Dice& dice) {
    Team& t = me();
    t.discard.add(t.hand);
    t.discard.add(t.played);
    t.hand = t.played = Pile();
    drawCards(t, HAND + t.studies, dice);
    seat = 1 - seat;
    stage = MOVE;
    plays = 1;
    turns++;
  }
};

// ----------------------------------------------------------------------------------------------- the heuristic

class Thumb {
 public:
  explicit Thumb(const Game& game) : game(game), weights(game.table->weights()) {}

  Action choose() const {
    switch (game.stage) {
      case MOVE: return chooseMove();
      case THROW: return {spare(game.me(), -1)};
      case GIVE: return {spare(game.me(), cardOf(game.desk))};
      case PLAY: return choosePlay();
      default: return chooseRelease();
    }
  }

 private:
  const Game& game;
  const Weights& weights;

  int cardOf(int desk) const { return game.stock[desk] ? desk : BONUS; }

  Lack look(const Team& t) const {
    Lack lack;
    std::fill_n(lack.with, GOOD, 99);
    int bonus = t.held(BONUS);
    for (uint32_t left = game.open; left; left &= left - 1) {
      const Application& application = game.table->applications[std::countr_zero(left)];
      int part[3], sum = -bonus;
      for (int i = 0; i < application.parts; i++)
        sum += part[i] = std::max(0, application.need[i] - 2 * t.held(application.skill[i]));
      lack.now = std::min(lack.now, sum);
      for (int i = 0; i < application.parts; i++) {
        int& with = lack.with[application.skill[i]];
        with = std::min(with, sum - std::min(2, part[i]));
      }
    }
    for (int card = 0; card < SKILLS; card++) lack.with[card] = std::min(lack.with[card], lack.now);
    lack.with[BONUS] = lack.now - 1;
    lack.shoddy = game.shoddy(t);
    return lack;
  }

  double releaseWorth(const Team& t, int cost, int shoddy) const {
    if (t.score >= GOAL - 1) return cost <= 0 ? 1000 : 0;
    if (cost <= 0) return 10;
    return cost > shoddy ? 0 : std::max(0.0, 10 - weights.debt[t.score] * cost);
  }
  double worthNow(const Team& t, const Lack& lack) const { return releaseWorth(t, lack.now, lack.shoddy); }
  double worthWith(const Team& t, const Lack& lack, int card) const {
    return releaseWorth(t, lack.with[card], lack.shoddy + shoddyOf(card));
  }

  // The card that is needed least when `taken` comes next (-1: nothing does).
  int spare(Team t, int taken) const {
    int best = -1;
    double bestWorth = 0;
    for (int card = 0; card < GOOD; card++) {
      if (!t.hand.of[card]) continue;
      t.hand.remove(card);
      Lack lack = look(t);
      t.hand.add(card);
      double worth = (taken < 0 ? worthNow(t, lack) : worthWith(t, lack, taken)) - weights.keep[card];
      if (best < 0 || worth > bestWorth) best = card, bestWorth = worth;
    }
    return best;
  }

  // What the card of each desk adds to the deck.
  std::array<double, SKILLS> cardWorths() const {
    const Team& t = game.me();
    std::array<double, SKILLS> worth{};
    for (uint32_t left = game.open; left; left &= left - 1) {
      const Application& application = game.table->applications[std::countr_zero(left)];
      int sum = 2 - t.automated.of[BONUS], part[3];
      for (int i = 0; i < application.parts; i++)
        sum += part[i] = std::max(0, application.need[i] - 2 * t.automated.of[application.skill[i]]);
      for (int i = 0; i < application.parts; i++)
        if (part[i]) worth[application.skill[i]] += weights.demand / std::max(1, sum);
    }
    for (int card = 0; card < SKILLS; card++) {
      if (game.stock[card]) worth[card] += weights.own[card] - weights.repeat * t.owned(card);
      else worth[card] = game.stock[BONUS] ? weights.own[BONUS] : -1;
    }
    return worth;
  }

  // The hand after cards are thrown or given on the way, and what that costs.
  struct Arrival {
    bool known = false;
    double cost = 0;
    Lack lack;
  };

  Arrival arrive(bool passes, bool disturbs) const {
    Arrival arrival;
    arrival.known = true;
    Team t = game.me();
    for (int lost = 2 * passes + disturbs; lost > 0; lost--) {
      int card = spare(t, -1);
      arrival.cost += card < 0 ? 1 : weights.keep[card];
      if (card >= 0) t.hand.remove(card);
    }
    arrival.cost += disturbs * weights.disturb + passes * weights.pass;
    arrival.lack = look(t);
    return arrival;
  }

  Action chooseMove() const {
    const Team& t = game.me();
    const auto cards = cardWorths();
    Arrival arrivals[2][2];
    Action best;
    double bestWorth = -1e9;
    for (int step = t.location < 0 ? 0 : 1; step < SKILLS; step++) {
      int target = (std::max(0, t.location) + step) & 7;
      bool passes = game.table->throws() && target < t.location;
      bool disturbs = game.table->gives() && close(target, game.rival().location);
      Arrival& arrival = arrivals[passes][disturbs];
      if (!arrival.known) arrival = arrive(passes, disturbs);
      for (int shift = -t.routines; shift <= t.routines; shift++) {
        int desk = (target + shift) & 7;
        double worth = worthWith(t, arrival.lack, cardOf(desk)) + cards[desk] - arrival.cost - weights.step * step;
        if (worth > bestWorth) best = {target, desk}, bestWorth = worth;
      }
    }
    return best;
  }

  Action choosePlay() const {
    Team t = game.me();
    double now = worthNow(t, look(t));
    Action best;
    double bestWorth = 0;
    auto consider = [&](double worth, Action action) {
      if (worth - now > bestWorth) best = action, bestWorth = worth - now;
    };
    for (int card = 0; card < SKILLS; card++) {
      if (!t.hand.of[card] || !game.table->playable(card)) continue;
      if (card == REFACTORING && !t.hand.of[DEBT]) continue;
      t.hand.remove(card);
      if (card == PRIORITIES) {
        considerSwaps(t, consider);
      } else {
        double worth = weights.play[card] + worthNow(t, look(t));
        if (card != INTEGRATION) consider(worth, {card});
        else
          for (int other = 0; other < GOOD; other++)
            if (t.hand.of[other]) consider(worth + weights.automate[other], {card, other});
      }
      t.hand.add(card);
    }
    return best;
  }

  template <class Consider> void considerSwaps(Team t, const Consider& consider) const {
    for (int back = 0; back < GOOD; back++) {
      if (!t.hand.of[back]) continue;
      t.hand.remove(back);
      Lack lack = look(t);
      t.hand.add(back);
      for (int wanted = 0; wanted < GOOD; wanted++) {
        int got = cardOf(wanted);
        if (wanted == back || !game.stock[got]) continue;
        double worth = weights.play[PRIORITIES] + weights.own[got] - weights.own[back] + worthWith(t, lack, got);
        consider(worth, {PRIORITIES, back, wanted});
      }
    }
  }

  // How much more of the application the rival has in its deck than this team.
  int lossToRival(const Application& application) const {
    int loss = 0;
    for (int i = 0; i < application.parts; i++) {
      const int skill = application.skill[i], need = application.need[i];
      loss += std::min(need, 2 * game.rival().owned(skill)) - std::min(need, 2 * game.me().owned(skill));
    }
    return loss;
  }

  Action chooseRelease() const {
    const Team& t = game.me();
    int best = -1, bestCost = 99, bestLoss = 0;
    for (uint32_t left = game.open; left; left &= left - 1) {
      const int index = std::countr_zero(left);
      const Application& application = game.table->applications[index];
      const int cost = std::max(0, game.missing(t, application)), loss = lossToRival(application);
      if (cost < bestCost || (cost == bestCost && loss > bestLoss)) best = index, bestCost = cost, bestLoss = loss;
    }
    return {releaseWorth(t, bestCost, game.shoddy(t)) > 0 ? best : -1};
  }
};

// -------------------------------------------------------------------------------------------------------- the trials

// Choices made in all trials of one answer, by level: about the same time for each.
constexpr int WORK[] = {0, 50000, 35000, 25000};
constexpr int HORIZON = 100; // maximum number of turns of a trial

struct Candidate {
  std::string text;
  Action action;
  double won = 0;
  int trials = 0;
};

double outcome(const Game& game, int seat) {
  const Team &mine = game.team[seat], &other = game.team[1 - seat];
  if (mine.score != other.score) return mine.score > other.score;
  return mine.debt() == other.debt() ? 0.5 : mine.debt() < other.debt();
}

// Plays one game to its end after the action; returns its value and counts the choices made.
double trial(Game game, const Action& action, Dice dice, int& work) {
  const int seat = game.seat, end = game.turns + HORIZON;
  game.apply(action, dice);
  while (game.advance(dice) && game.turns < end) {
    game.apply(Thumb(game).choose(), dice);
    work++;
  }
  return outcome(game, seat);
}

// The game with the rival's cards shuffled, since its hand is hidden.
Game deal(Game game, Dice& dice) {
  Team& rival = game.team[1 - game.seat];
  game.drawCards(rival, HAND + rival.studies, dice);
  return game;
}

// Sorts the candidates, the best first. Every round halves the field.
void rank(const Game& game, std::vector<Candidate>& candidates, uint64_t seed) {
  const int limit = WORK[game.table->level], rounds = std::bit_width(candidates.size() - 1);
  size_t field = candidates.size();
  int work = 0;
  for (int round = 1; field > 1; round++) {
    do {
      Dice dice(seed++);
      const Game dealt = deal(game, dice);
      for (size_t i = 0; i < field; i++) {
        candidates[i].won += trial(dealt, candidates[i].action, dice, work);
        candidates[i].trials++;
        work++;
      }
    } while (work < limit * round / rounds);
    std::stable_sort(candidates.begin(), candidates.begin() + static_cast<long>(field),
                     [](const Candidate& x, const Candidate& y) { return x.won > y.won; });
    field = (field + 1) / 2;
  }
}

// ----------------------------------------------------------------------------------------------------- the prompt

struct Request {
  std::string text, phase;
  std::vector<Application> applications;
  std::array<Team, 2> team;
  std::map<std::string, Pile> piles;
  std::vector<std::string> actions;
};

bool readLine(Request& request, std::string& line) {
  if (!std::getline(std::cin, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  request.text += line + '\n';
  return true;
}

int readCount(Request& request) {
  std::string line;
  return readLine(request, line) ? std::stoi(line) : 0;
}

Application readApplication(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  Application application;
  words >> name >> application.id;
  for (int skill = 0, need; skill < SKILLS && words >> need; skill++) {
    if (need == 0 || application.parts == 3) continue;
    application.skill[application.parts] = static_cast<uint8_t>(skill);
    application.need[application.parts++] = static_cast<uint8_t>(need);
  }
  return application;
}

bool readRequest(Request& request) {
  std::string line;
  if (!readLine(request, request.phase)) return false;
  for (int left = readCount(request); left > 0 && readLine(request, line); left--)
    request.applications.push_back(readApplication(line));
  for (Team& team : request.team) {
    readLine(request, line);
    std::istringstream(line) >> team.location >> team.score >> team.routines >> team.studies;
  }
  for (int left = readCount(request); left > 0 && readLine(request, line); left--) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (int card = 0, count; card < TYPES && words >> count; card++) request.piles[name].add(card, count);
  }
  for (int left = readCount(request); left > 0 && readLine(request, line); left--) request.actions.push_back(line);
  return !request.actions.empty();
}

// The level is not sent. Small applications exist at levels 1 and 2, big ones from level 2 on; once one kind may be
// used up, evidence that only the higher level can produce decides.
int guessLevel(const Request& request) {
  auto isBig = [](const Application& application) { return application.need[0] > 2; };
  const auto all = std::ssize(request.applications);
  const auto big = std::count_if(request.applications.begin(), request.applications.end(), isBig);
  const auto& [mine, other] = request.team;
  auto have = [&](const char* pile) { return request.piles.count(pile) > 0; };
  if (big > 0 && big < all) return 2;
  if (big == 0) {
    bool played = mine.studies + other.studies > 0 || have("PLAYED_CARDS") || request.phase == "PLAY_CARD";
    return all <= 6 && (played || request.phase == "GIVE_CARD") ? 2 : 1;
  }
  bool automated = have("AUTOMATED") || have("OPPONENT_AUTOMATED");
  bool thrown = request.phase == "THROW_CARD";
  return all > 6 || mine.routines + other.routines > 0 || automated || thrown ? 3 : 2;
}

Stage stageOf(const std::string& phase) {
  if (phase == "THROW_CARD") return THROW;
  if (phase == "GIVE_CARD") return GIVE;
  if (phase == "PLAY_CARD") return PLAY;
  return phase == "RELEASE" ? RELEASE : MOVE;
}

// Each turn brings one good card into play and everything else that adds or removes them does so by twos: the
// parity of their number shows whether this team was the first to move.
int guessSeat(const Game& game, const std::array<Team, 2>& team) {
  if (team[1].score >= GOAL) return 1;
  int good = 0;
  for (const Team& t : team) {
    good += t.hand.good() + t.draw.good() + t.discard.good() + t.played.size + t.automated.size;
    good += t.routines + t.studies;
  }
  bool taken = game.stage > TAKE;
  return (good + taken + game.throws) & 1;
}

Game toGame(const Table& table, Request& request) {
  Game game(table);
  auto& [mine, other] = request.team;
  mine.hand = request.piles["HAND"];
  mine.draw = request.piles["DRAW"];
  mine.discard = request.piles["DISCARD"];
  mine.played = request.piles["PLAYED_CARDS"];
  mine.automated = request.piles["AUTOMATED"];
  other.draw = request.piles["OPPONENT_CARDS"];
  other.automated = request.piles["OPPONENT_AUTOMATED"];
  for (int card = 0; card < TYPES; card++) {
    int left = ALL_COPIES[card] - mine.owned(card) - mine.played.of[card] - other.owned(card);
    if (card == ROUTINE) left -= mine.routines + other.routines;
    if (card == STUDY) left -= mine.studies + other.studies;
    game.stock[card] = static_cast<uint8_t>(std::max(0, left));
  }
  game.open = (1u << table.applications.size()) - 1;
  game.stage = stageOf(request.phase);
  game.desk = std::max(0, mine.location);
  game.throws = game.stage != THROW ? 0 : mine.hand.size >= HAND + mine.studies ? 2 : 1;
  game.gives = table.gives() && game.stage <= GIVE && game.stage > MOVE && close(mine.location, other.location);
  int used = mine.played.size - mine.played.of[TRAINING] - 2 * mine.played.of[CODING];
  game.plays = std::max(1, 1 - used);
  game.seat = guessSeat(game, request.team);
  game.team[game.seat] = mine;
  game.team[1 - game.seat] = other;
  return game;
}

Action toAction(const Table& table, const std::string& text) {
  std::istringstream words(text);
  std::string verb;
  int first = -1, second = -1;
  words >> verb;
  if (words >> first) words >> second;
  if (words.fail()) second = -1;
  if (verb == "WAIT") return {};
  if (verb == "MOVE") return {first, second < 0 ? first : second};
  if (verb == "GIVE" || verb == "THROW") return {first};
  if (verb == "RELEASE") {
    int index = 0;
    while (table.applications[index].id != first) index++;
    return {index};
  }
  int card = static_cast<int>(std::find(NAMES.begin(), NAMES.end(), verb) - NAMES.begin());
  return {card, first, second};
}

std::string record(const Candidate& candidate) {
  int percent = static_cast<int>(100 * candidate.won / candidate.trials + 0.5);
  return std::to_string(percent) + " % of " + std::to_string(candidate.trials);
}

std::string answer(Request& request, std::string& why) {
  const Table table{guessLevel(request), request.applications};
  const Game game = toGame(table, request);
  std::vector<Candidate> candidates;
  for (const std::string& text : request.actions)
    if (text != "RANDOM") candidates.push_back({text, toAction(table, text)});
  if (candidates.size() == 1) {
    why = "the only move";
  } else {
    uint64_t seed = 0xCBF29CE484222325u;
    for (unsigned char byte : request.text) seed = (seed ^ byte) * 0x100000001B3u;
    rank(game, candidates, seed);
    const Candidate &best = candidates[0], &next = candidates[1];
    why = "wins " + record(best) + " trials; next " + next.text + ", " + record(next);
  }
  return candidates[0].text;
}

} // namespace

int main() {
  for (;;) {
    Request request;
    if (!readRequest(request)) return 0;
    std::string why;
    const std::string action = answer(request, why);
    std::cerr << "kibitz " << action << ": " << why << std::endl;
    std::cout << action << std::endl;
  }
}
