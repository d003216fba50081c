// Greedy: it buys whatever it can afford now, the card with most points first, then the one that helps most
// towards the nobles and the cards on the table. With nothing to buy it picks a target, the card with the best ratio of
// value to missing chips, and collects for it. It reserves a target when a rival could take it, when a gold chip is the
// last one missing, or when no chip is worth taking; with no target worth a reservation it reserves from a deck.
// The same player exists in Python: both give the same answer to every state.

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using Five = std::array<int, 5>;
using Numbers = std::vector<int>;

constexpr int GOLD = 5;
const char* const NAMES[] = {"red", "green", "blue", "white", "black"};
const char* const NOBLES[] = {"44000", "04400", "00440", "00044", "40004", "33300", "03330", "00333", "30033", "33003"};
// Cards 1 to 90: the points, then the price in red, green, blue, white and black. Bonus colours follow that order too.
const std::string CARDS =
    "000030 030000 000003 000300 003000 001200 000120 000012 020001 012000 "
    "100040 100004 140000 104000 100400 020020 020200 002002 000202 002020 "
    "001111 010111 011011 011101 011110 001121 010112 021011 012101 011210 "
    "001022 020102 022010 002201 010220 010013 001310 013100 000131 031001 "
    "200005 205000 200500 250000 200050 360000 306000 300600 300060 300006 "
    "200035 203500 200350 250003 235000 202410 200241 210024 241002 224100 "
    "120023 100322 132200 123002 102230 120303 132030 103203 130320 103032 "
    "407000 400700 400070 400007 470000 537000 503700 500370 500037 570003 "
    "436300 403630 400363 430036 463003 303533 330353 333035 353303 335330 ";

int points(int card) { return CARDS[7 * (card - 1)] - '0'; }
int price(int card, int colour) { return CARDS[7 * (card - 1) + 1 + colour] - '0'; }
int bonusOf(int card) { return (card - 1) % 5; }

template <class Items> int sum(const Items& items) { return std::accumulate(items.begin(), items.end(), 0); }

template <class Items> bool holds(const Items& items, int wanted) {
  return std::find(items.begin(), items.end(), wanted) != items.end();
}

struct Hand {
  Numbers chips, cards, reserve, nobles;
  Five bonus{};

  int score() const {
    int total = 3 * int(nobles.size());
    for (int card : cards) total += points(card);
    return total;
  }

  // Chips to pay per colour, after bonuses.
  Five needs(int card) const {
    Five result;
    for (int c = 0; c < 5; c++) result[c] = std::max(0, price(card, c) - bonus[c]);
    return result;
  }

  // Chips still missing per colour, without gold.
  Five lacks(int card) const {
    Five result = needs(card);
    for (int c = 0; c < 5; c++) result[c] = std::max(0, result[c] - chips[c]);
    return result;
  }

  // Chips still missing, with gold.
  int missing(int card) const { return std::max(0, sum(lacks(card)) - chips[GOLD]); }
};

struct State {
  Numbers bank, decks, board;
  std::vector<Five> nobles;
  Hand mine;
  std::vector<Hand> rivals;

  Numbers cardsInSight() const {
    Numbers cards = board;
    cards.insert(cards.end(), mine.reserve.begin(), mine.reserve.end());
    return cards;
  }
};

Numbers several(int count) {
  Numbers numbers(count);
  for (int& number : numbers) std::cin >> number;
  return numbers;
}

Numbers listed() { return several(several(1)[0]); }

Hand readHand() {
  Hand hand;
  hand.chips = several(6);
  hand.cards = listed();
  hand.reserve = listed();
  hand.nobles = listed();
  for (int card : hand.cards) hand.bonus[bonusOf(card)]++;
  return hand;
}

// Reads one state number by number, without waiting for the end of the input. False if there is none.
bool readState(State& state) {
  int players, me, round;
  if (!(std::cin >> players >> me >> round)) return false;
  state.bank = several(6);
  for (int level = 0; level < 3; level++) {
    Numbers row = several(5);
    state.decks.push_back(row[0]);
    std::copy_if(row.begin() + 1, row.end(), std::back_inserter(state.board), [](int card) { return card != 0; });
  }
  for (int noble : listed()) {
    Five wants;
    for (int c = 0; c < 5; c++) wants[c] = NOBLES[noble - 1][c] - '0';
    state.nobles.push_back(wants);
  }
  for (int seat = 1; seat <= players; seat++) {
    if (seat == me) state.mine = readHand();
    else state.rivals.push_back(readHand());
  }
  return bool(std::cin);
}

// How many bonuses are still missing for this noble.
int distance(const Five& noble, const Five& bonus) {
  int total = 0;
  for (int c = 0; c < 5; c++) total += std::max(0, noble[c] - bonus[c]);
  return total;
}

// Points that the card brings, including the noble it would attract.
int gain(const State& state, int card) {
  Five bonus = state.mine.bonus;
  bonus[bonusOf(card)]++;
  bool noble = std::any_of(state.nobles.begin(), state.nobles.end(),
                           [&](const Five& wants) { return distance(wants, bonus) == 0; });
  return points(card) + (noble ? 3 : 0);
}

// How much the card's bonus helps: towards nobles, the nearer the more, and expensive cards.
int usefulness(const State& state, int card) {
  int colour = bonusOf(card), useful = 0;
  for (int other : state.cardsInSight()) useful += price(other, colour) > state.mine.bonus[colour];
  for (const Five& noble : state.nobles)
    if (noble[colour] > state.mine.bonus[colour]) useful += std::max(1, 10 - distance(noble, state.mine.bonus));
  return useful;
}

// The best card that can be bought now, or 0.
int bestPurchase(const State& state) {
  std::tuple<int, int, int, int> best;
  int chosen = 0;
  for (int card : state.cardsInSight()) {
    if (state.mine.missing(card) > 0) continue;
    auto rank = std::make_tuple(gain(state, card), usefulness(state, card), -sum(state.mine.needs(card)), -card);
    if (!chosen || rank > best) best = rank, chosen = card;
  }
  return chosen;
}

// Cards to collect for, best first; those that ten chips or this bank cannot pay for come last.
Numbers rankedTargets(const State& state) {
  std::vector<std::tuple<bool, int, int>> ranks;
  for (int card : state.cardsInSight()) {
    Five lacks = state.mine.lacks(card);
    int unobtainable = 0;
    for (int c = 0; c < 5; c++) unobtainable += std::max(0, lacks[c] - state.bank[c]);
    bool inReach = sum(state.mine.needs(card)) <= 10 && unobtainable <= state.mine.chips[GOLD];
    int worth = 12 * gain(state, card) + usefulness(state, card) + 8;
    ranks.emplace_back(inReach, 100 * worth / (state.mine.missing(card) + 2), -card);
  }
  std::sort(ranks.rbegin(), ranks.rend());
  Numbers targets;
  for (const auto& rank : ranks) targets.push_back(-std::get<2>(rank));
  return targets;
}

Numbers coloursByMost(const int* amounts) {
  Numbers colours{0, 1, 2, 3, 4};
  std::stable_sort(colours.begin(), colours.end(), [&](int a, int b) { return amounts[a] > amounts[b]; });
  return colours;
}

// Colours to take, first for the best target, then for the others if there is room; the useful ones are counted.
Numbers chipsFor(const State& state, const Numbers& targets, int& useful) {
  const Hand& mine = state.mine;
  Five lacks = targets.empty() ? Five{} : mine.lacks(targets[0]);
  Numbers wanted;
  for (int c : coloursByMost(lacks.data()))
    if (lacks[c] && state.bank[c] && wanted.size() < 3) wanted.push_back(c);
  useful = int(wanted.size());
  if (useful == 1 && lacks[wanted[0]] >= 2 && state.bank[wanted[0]] >= 4) {
    useful = 2;
    return {wanted[0], wanted[0]};
  }
  Numbers fillers;
  for (size_t i = 1; i < targets.size(); i++) {
    Five other = mine.lacks(targets[i]);
    for (int c = 0; c < 5; c++)
      if (other[c]) fillers.push_back(c);
  }
  for (int c : coloursByMost(state.bank.data())) fillers.push_back(c);
  for (int c : fillers)
    if (wanted.size() < 3 && sum(mine.chips) + wanted.size() < 10 && state.bank[c] && !holds(wanted, c))
      wanted.push_back(c);
  return wanted;
}

// Appends the chips to give back after gaining these colours: what the target needs least. Gold is kept.
Numbers withReturns(Numbers action, const Hand& mine, const Numbers& gained, int target) {
  Numbers chips = mine.chips;
  for (int colour : gained) chips[colour]++;
  Five needs = target ? mine.needs(target) : Five{};
  while (sum(chips) > 10) {
    int least = -1;
    for (int c = 0; c < 5; c++)
      if (chips[c] && (least < 0 || chips[c] - needs[c] > chips[least] - needs[least])) least = c;
    chips[least]--;
    action.push_back(least);
  }
  return action;
}

// Why the target should be reserved now, or nothing.
std::string worthReserving(const State& state, int target, int useful) {
  const Hand& mine = state.mine;
  bool golden = state.bank[GOLD] > 0;
  if (mine.reserve.size() == 3 || !target || holds(mine.reserve, target)) return "";
  if (gain(state, target) >= 3 && golden && mine.missing(target) == 1) return "the gold chip completes it";
  if (gain(state, target) >= 3 && mine.missing(target) <= 3)
    for (const Hand& rival : state.rivals)
      if (rival.missing(target) == 0) return "a rival could buy it";
  if (useful == 0 && golden && points(target) >= 2) return "no chip to take for it";
  return "";
}

// The action, and the reason for it in `reason`.
Numbers choose(const State& state, std::string& reason) {
  const Hand& mine = state.mine;
  if (int card = bestPurchase(state)) {
    reason = "buys card " + std::to_string(card) + ": points +" + std::to_string(gain(state, card)) +
             ", usefulness " + std::to_string(usefulness(state, card));
    return {4, card};
  }
  Numbers targets = rankedTargets(state);
  int target = targets.empty() ? 0 : targets[0], useful;
  Numbers colours = chipsFor(state, targets, useful);
  if (sum(mine.chips) >= 9) useful = 0;  // a gold chip serves a full hand better
  Numbers gold(state.bank[GOLD] ? 1 : 0, GOLD);
  std::string why = worthReserving(state, target, useful);
  if (!why.empty()) {
    reason = "reserves card " + std::to_string(target) + ": " + why;
    return withReturns({3, target}, mine, gold, target);
  }
  int level = mine.cards.size() < 5 ? 1 : mine.cards.size() < 10 ? 2 : 3;
  if (useful == 0 && !gold.empty() && mine.reserve.size() < 3 && state.decks[level - 1]) {
    reason = "no chip worth taking: draws a level " + std::to_string(level) + " card blind";
    return withReturns({3, -level}, mine, gold, target);
  }
  reason = "takes";
  for (int colour : colours) reason += std::string(" ") + NAMES[colour];
  reason += " toward card " + std::to_string(target);
  Numbers action{1, int(colours.size())};
  action.insert(action.end(), colours.begin(), colours.end());
  if (colours.size() == 2 && colours[0] == colours[1]) action = {2, colours[0]};
  return withReturns(action, mine, colours, target);
}

int main() {
  std::ios::sync_with_stdio(false);
  for (State state; readState(state); state = State()) {
    std::string reason, answer;
    for (int number : choose(state, reason)) answer += (answer.empty() ? "" : " ") + std::to_string(number);
    std::cerr << "kibitz score " << state.mine.score() << "; " << reason << std::endl;
    std::cout << answer << std::endl;
  }
}
