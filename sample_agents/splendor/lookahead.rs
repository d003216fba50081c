// Monte Carlo tree search with PUCT selection over the moves of all players. Each playout first deals the unseen cards
// at random, descends the tree, adds a node, and plays the game to its end with every player following a quick
// plan-and-collect policy. The first move of the most visited line is played.
// Work is counted in playouts, not in time, and the random generator is seeded by the state, so the same state gets the
// same answer on any machine. The first argument is the budget in milliseconds (default 300), at two playouts per
// millisecond, far fewer than fit; the clock only stops a search that takes ten times its budget.

use std::env;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

const PLAYOUTS_PER_MS: u64 = 2;
const EXPLORATION: f32 = 0.7;
const MAX_ROUNDS: u8 = 100;
const GOLD: usize = 5;
const NAMES: [&str; 5] = ["red", "green", "blue", "white", "black"];

// Cards 1 to 90: the points, then the price in red, green, blue, white and black. Bonus colours follow that order too.
const CARD_TEXT: &[u8; 630] = b"\
000030 030000 000003 000300 003000 001200 000120 000012 020001 012000 \
100040 100004 140000 104000 100400 020020 020200 002002 000202 002020 \
001111 010111 011011 011101 011110 001121 010112 021011 012101 011210 \
001022 020102 022010 002201 010220 010013 001310 013100 000131 031001 \
200005 205000 200500 250000 200050 360000 306000 300600 300060 300006 \
200035 203500 200350 250003 235000 202410 200241 210024 241002 224100 \
120023 100322 132200 123002 102230 120303 132030 103203 130320 103032 \
407000 400700 400070 400007 470000 537000 503700 500370 500037 570003 \
436300 403630 400363 430036 463003 303533 330353 333035 353303 335330 ";
const NOBLE_TEXT: &[u8; 60] = b"44000 04400 00440 00044 40004 33300 03330 00333 30033 33003 ";

static CARDS: [Card; 91] = parse_cards();
static NOBLES: [Five; 11] = parse_nobles();

type Five = [i8; 5];
type Six = [i8; 6];

#[derive(Clone, Copy)]
struct Card {
    points: i8,
    colour: usize,
    price: Five,
}

const fn digits(text: &[u8], start: usize) -> Five {
    let mut five = [0; 5];
    let mut c = 0;
    while c < 5 {
        five[c] = (text[start + c] - b'0') as i8;
        c += 1;
    }
    five
}

const fn parse_cards() -> [Card; 91] {
    let mut cards = [Card { points: 0, colour: 0, price: [0; 5] }; 91];
    let mut id = 1;
    while id <= 90 {
        let start = 7 * (id - 1);
        let points = (CARD_TEXT[start] - b'0') as i8;
        cards[id] = Card { points, colour: (id - 1) % 5, price: digits(CARD_TEXT, start + 1) };
        id += 1;
    }
    cards
}

const fn parse_nobles() -> [Five; 11] {
    let mut nobles = [[0; 5]; 11];
    let mut id = 1;
    while id <= 10 {
        nobles[id] = digits(NOBLE_TEXT, 6 * (id - 1));
        id += 1;
    }
    nobles
}

fn level_of(card: u8) -> usize {
    match card {
        0..=40 => 0,
        41..=70 => 1,
        _ => 2,
    }
}

// xorshift64*: small, fast and the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) * n as u64 >> 32) as usize
    }

    fn fraction(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

// ---------------------------------------------------------------------------------------------- the game

#[derive(Clone, Copy, Default)]
struct Hand {
    chips: Six,
    bonus: Five,
    points: i8,
    bought: i8,
    reserve: [i8; 3], // a card, a hidden card as -level, or 0
}

impl Hand {
    fn needs(&self, card: &Card) -> Five {
        let mut needs = card.price;
        for c in 0..5 {
            needs[c] = (needs[c] - self.bonus[c]).max(0);
        }
        needs
    }

    fn lacks(&self, card: &Card) -> Five {
        let mut lacks = self.needs(card);
        for c in 0..5 {
            lacks[c] = (lacks[c] - self.chips[c]).max(0);
        }
        lacks
    }

    fn chip_count(&self) -> i8 {
        self.chips.iter().sum()
    }

    fn free_slots(&self) -> usize {
        self.reserve.iter().filter(|&&card| card == 0).count()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Verb {
    Take,
    Reserve,
    Buy,
}

// `chips` is what the hand gains and, negative, what it pays or returns.
#[derive(Clone, Copy, PartialEq)]
struct Action {
    verb: Verb,
    card: i8, // to reserve or buy; -level for the top of a deck
    chips: Six,
}

impl Action {
    fn text(&self) -> String {
        let gained: Vec<usize> = (0..5).filter(|&c| self.chips[c] > 0).collect();
        let mut numbers: Vec<i32> = match self.verb {
            Verb::Buy => return format!("4 {}", self.card),
            Verb::Reserve => vec![3, self.card as i32],
            Verb::Take if gained.len() == 1 && self.chips[gained[0]] == 2 => vec![2, gained[0] as i32],
            Verb::Take => vec![1, gained.len() as i32],
        };
        if numbers[0] == 1 {
            numbers.extend(gained.iter().map(|&c| c as i32));
        }
        for c in 0..6 {
            for _ in 0..-self.chips[c] {
                numbers.push(c as i32);
            }
        }
        let words: Vec<String> = numbers.iter().map(|number| number.to_string()).collect();
        words.join(" ")
    }

    fn describe(&self) -> String {
        let taken: Vec<&str> = (0..5).filter(|&c| self.chips[c] > 0).map(|c| NAMES[c]).collect();
        match self.verb {
            Verb::Buy => format!("buy {}", self.card),
            Verb::Reserve if self.card < 0 => format!("reserve blind from deck {}", -self.card),
            Verb::Reserve => format!("reserve {}", self.card),
            Verb::Take if self.chips.iter().any(|&count| count == 2) => format!("take two {}", taken[0]),
            Verb::Take if taken.is_empty() => "take nothing".to_string(),
            Verb::Take => format!("take {}", taken.join(" ")),
        }
    }
}

// A face-down deck: how many cards it holds, and, unordered, those it may hold, including the rivals' hidden ones.
#[derive(Clone, Copy)]
struct Deck {
    count: u8,
    unseen: [u8; 40],
    unseen_count: usize,
}

impl Deck {
    fn draw(&mut self, dice: &mut Dice) -> u8 {
        if self.count == 0 {
            return 0;
        }
        self.count -= 1;
        self.guess(dice)
    }

    fn guess(&mut self, dice: &mut Dice) -> u8 {
        let at = dice.below(self.unseen_count);
        self.unseen_count -= 1;
        self.unseen.swap(at, self.unseen_count);
        self.unseen[self.unseen_count]
    }
}

#[derive(Clone, Copy)]
struct State {
    players: usize,
    turn: usize,
    round: u8,
    bank: Six,
    decks: [Deck; 3],
    board: [[u8; 4]; 3],
    nobles: [u8; 5], // 0 once gone
    hands: [Hand; 4],
}

impl State {
    fn cards_in_sight(&self, seat: usize) -> impl Iterator<Item = u8> + '_ {
        let reserve = self.hands[seat].reserve.iter().filter(|&&card| card > 0).map(|&card| card as u8);
        self.board.iter().flatten().cloned().filter(|&card| card != 0).chain(reserve)
    }

    // Gives rivals' hidden reservations a random identity.
    fn deal_hidden(&mut self, dice: &mut Dice) {
        for seat in 0..self.players {
            for slot in 0..3 {
                let card = self.hands[seat].reserve[slot];
                if card < 0 {
                    self.hands[seat].reserve[slot] = self.decks[(-card - 1) as usize].guess(dice) as i8;
                }
            }
        }
    }

    fn take_from_board(&mut self, card: u8, dice: &mut Dice) {
        let level = level_of(card);
        for slot in 0..4 {
            if self.board[level][slot] == card {
                self.board[level][slot] = self.decks[level].draw(dice);
            }
        }
    }

    fn play(&mut self, action: &Action, dice: &mut Dice) {
        let seat = self.turn;
        for c in 0..6 {
            self.hands[seat].chips[c] += action.chips[c];
            self.bank[c] -= action.chips[c];
        }
        match action.verb {
            Verb::Take => {}
            Verb::Reserve => self.reserve(action.card, dice),
            Verb::Buy => self.buy(action.card as u8, dice),
        }
        self.welcome_noble();
        self.turn += 1;
        if self.turn == self.players {
            self.turn = 0;
            self.round += 1;
        }
    }

    fn reserve(&mut self, card: i8, dice: &mut Dice) {
        let kept = if card < 0 { self.decks[(-card - 1) as usize].draw(dice) as i8 } else { card };
        let reserve = &mut self.hands[self.turn].reserve;
        if let Some(slot) = reserve.iter().position(|&held| held == 0) {
            reserve[slot] = kept;
        }
        if card > 0 {
            self.take_from_board(card as u8, dice);
        }
    }

    fn buy(&mut self, id: u8, dice: &mut Dice) {
        let hand = &mut self.hands[self.turn];
        let card = &CARDS[id as usize];
        hand.points += card.points;
        hand.bonus[card.colour] += 1;
        hand.bought += 1;
        match hand.reserve.iter().position(|&held| held == id as i8) {
            Some(slot) => hand.reserve[slot] = 0,
            None => self.take_from_board(id, dice),
        }
    }

    fn welcome_noble(&mut self) {
        let hand = &mut self.hands[self.turn];
        for noble in self.nobles.iter_mut().filter(|noble| **noble != 0) {
            if (0..5).all(|c| hand.bonus[c] >= NOBLES[*noble as usize][c]) {
                *noble = 0;
                hand.points += 3;
                return;
            }
        }
    }

    fn over(&self) -> bool {
        self.turn == 0 && (self.round > MAX_ROUNDS || self.hands[..self.players].iter().any(|hand| hand.points >= 15))
    }

    // The value of a finished game to each seat, 0 to 1: mostly winning, a little the margin; for a single player, speed.
    fn rewards(&self) -> [f32; 4] {
        let mut rewards = [0.0; 4];
        if self.players == 1 {
            rewards[0] = (1.0 - self.round as f32 / 50.0).max(0.0);
            return rewards;
        }
        let rank = |seat: usize| (self.hands[seat].points as i32) * 100 - self.hands[seat].bought as i32;
        for seat in 0..self.players {
            let best_rival = (0..self.players).filter(|&other| other != seat).map(rank).max().unwrap_or(0);
            let margin = rank(seat) - best_rival;
            let win = if margin > 0 {
                1.0
            } else if margin == 0 {
                0.5
            } else {
                0.0
            };
            rewards[seat] = 0.85 * win + 0.15 * (0.5 + margin as f32 / 3000.0).max(0.0).min(1.0);
        }
        rewards
    }
}

// ---------------------------------------------------------------------------------------------- the policy

// How a seat evaluates the visible cards: the two that bring most per turn.
struct Plan {
    first: Option<u8>,
    second: Option<u8>,
    turns: i32,
    first_rate: f32,
    second_rate: f32,
}

impl State {
    // The value of one more bonus of each colour: progress towards nobles, and savings on the visible cards.
    fn bonus_worth(&self, seat: usize) -> [f32; 5] {
        let hand = &self.hands[seat];
        let lead = self.hands[..self.players].iter().map(|hand| hand.points).max().unwrap_or(0);
        let later = (1.0 - lead as f32 / 15.0).max(0.0);
        let mut worth = [0.5 * later; 5];
        for card in self.cards_in_sight(seat) {
            let card = &CARDS[card as usize];
            for c in 0..5 {
                if card.price[c] > hand.bonus[c] {
                    worth[c] += later * (0.05 + 0.05 * card.points as f32);
                }
            }
        }
        for &noble in self.nobles.iter().filter(|&&noble| noble != 0) {
            let wants = &NOBLES[noble as usize];
            let distance: i8 = (0..5).map(|c| (wants[c] - hand.bonus[c]).max(0)).sum();
            for c in 0..5 {
                if wants[c] > hand.bonus[c] {
                    worth[c] += if distance == 1 { 3.0 } else { 1.5 / distance as f32 };
                }
            }
        }
        worth
    }

    // Turns of collecting before the seat can buy the card, if the bank does not change.
    fn turns_to_collect(&self, hand: &Hand, card: &Card) -> Option<i32> {
        let mut open = hand.lacks(card);
        let mut missing = open.iter().sum::<i8>() - hand.chips[GOLD];
        if missing <= 0 {
            return Some(0);
        }
        if hand.needs(card).iter().sum::<i8>() > 10 {
            return None;
        }
        let mut bank = self.bank;
        let mut slots = hand.free_slots();
        let mut turns = 0;
        while missing > 0 {
            turns += 1;
            let mut taken = 0;
            let mut last = 0;
            for c in 0..5 {
                if open[c] > 0 && bank[c] > 0 && taken < 3 {
                    open[c] -= 1;
                    bank[c] -= 1;
                    taken += 1;
                    last = c;
                }
            }
            if taken == 1 && open[last] > 0 && bank[last] >= 3 {
                open[last] -= 1;
                bank[last] -= 1;
                taken = 2;
            }
            if taken == 0 {
                if bank[GOLD] == 0 || slots == 0 {
                    return None;
                }
                bank[GOLD] -= 1;
                slots -= 1;
                taken = 1;
            }
            missing -= taken;
        }
        Some(turns)
    }

    fn plan(&self, seat: usize, noise: f32, dice: &mut Dice) -> Plan {
        let hand = &self.hands[seat];
        let bonus_worth = self.bonus_worth(seat);
        let mut plan = Plan { first: None, second: None, turns: 0, first_rate: 0.0, second_rate: 0.0 };
        for id in self.cards_in_sight(seat) {
            let card = &CARDS[id as usize];
            let worth = (card.points as f32 + bonus_worth[card.colour]) * (1.0 + noise * (dice.fraction() - 0.5));
            let rate_in = |turns: i32| worth / (turns as f32 + 1.3);
            let missing = hand.lacks(card).iter().sum::<i8>() - hand.chips[GOLD];
            if rate_in((missing.max(0) as i32 + 2) / 3) <= plan.second_rate {
                continue; // not even at three chips per turn
            }
            let turns = match self.turns_to_collect(hand, card) {
                Some(turns) => turns,
                None => continue,
            };
            let rate = rate_in(turns);
            if rate > plan.first_rate {
                plan.second = plan.first;
                plan.second_rate = plan.first_rate;
                plan.first = Some(id);
                plan.first_rate = rate;
                plan.turns = turns;
            } else if rate > plan.second_rate {
                plan.second = Some(id);
                plan.second_rate = rate;
            }
        }
        plan
    }

    fn purchase(&self, seat: usize, id: u8) -> Option<Action> {
        let hand = &self.hands[seat];
        let card = &CARDS[id as usize];
        let (needs, lacks) = (hand.needs(card), hand.lacks(card));
        let gold: i8 = lacks.iter().sum();
        if gold > hand.chips[GOLD] {
            return None;
        }
        let mut chips = [0; 6];
        for c in 0..5 {
            chips[c] = lacks[c] - needs[c];
        }
        chips[GOLD] = -gold;
        Some(Action { verb: Verb::Buy, card: id as i8, chips })
    }

    // Completes an action with the returns that the plan needs least; None if it would return what it takes.
    fn with_returns(&self, seat: usize, mut action: Action, plan: &Plan) -> Option<Action> {
        let hand = &self.hands[seat];
        let mut over = hand.chip_count() + action.chips.iter().sum::<i8>() - 10;
        if over <= 0 {
            return Some(action);
        }
        let first = plan.first.map_or([0; 5], |id| hand.needs(&CARDS[id as usize]));
        let second = plan.second.map_or([0; 5], |id| hand.needs(&CARDS[id as usize]));
        while over > 0 {
            let held = |c: usize| hand.chips[c] + action.chips[c];
            let surplus = |c: usize| 4 * (held(c) - first[c]) - second[c];
            let colour = (0..5).filter(|&c| action.chips[c] <= 0 && held(c) > 0).max_by_key(|&c| surplus(c))?;
            action.chips[colour] -= 1;
            over -= 1;
        }
        Some(action)
    }

    fn reservation(&self, seat: usize, card: i8, plan: &Plan) -> Option<Action> {
        let gold = self.bank[GOLD].min(1);
        self.with_returns(seat, Action { verb: Verb::Reserve, card, chips: [0, 0, 0, 0, 0, gold] }, plan)
    }

    // What a seat does in a playout: buy the planned card or collect for it.
    fn quick_action(&self, dice: &mut Dice) -> Action {
        let seat = self.turn;
        let hand = &self.hands[seat];
        let plan = self.plan(seat, 0.3, dice);
        if let Some(id) = plan.first {
            if plan.turns == 0 {
                if let Some(action) = self.purchase(seat, id) {
                    return action;
                }
            }
        }
        let (chips, useful) = self.chips_toward(hand, &plan);
        if useful == 0 && self.bank[GOLD] > 0 && hand.free_slots() > 0 {
            let wanted = plan.first.filter(|&id| self.board[level_of(id)].contains(&id));
            let blind = (0..3).filter(|&level| self.decks[level].count > 0).last().map(|level| -1 - level as i8);
            if let Some(card) = wanted.map(|id| id as i8).or(blind) {
                if let Some(action) = self.reservation(seat, card, &plan) {
                    return action;
                }
            }
        }
        let nothing = Action { verb: Verb::Take, card: 0, chips: [0; 6] };
        self.with_returns(seat, Action { verb: Verb::Take, card: 0, chips }, &plan).unwrap_or(nothing)
    }

    // Chips for the first card of the plan, then for the second, then any while there is room; and how many are useful.
    fn chips_toward(&self, hand: &Hand, plan: &Plan) -> (Six, i8) {
        let lacks = |card: Option<u8>| card.map_or([0; 5], |id| hand.lacks(&CARDS[id as usize]));
        let (first, second) = (lacks(plan.first), lacks(plan.second));
        let mut colours = [0, 1, 2, 3, 4];
        colours.sort_by_key(|&c| -8 * first[c] - second[c].min(1));
        let room = 10 - hand.chip_count();
        let (mut chips, mut taken, mut useful) = ([0; 6], 0, 0);
        for &c in colours.iter().filter(|&&c| self.bank[c] > 0) {
            if taken < 3 && (first[c] > 0 || taken < room) {
                chips[c] = 1;
                taken += 1;
                useful += first[c].min(1);
            }
        }
        if useful == 1 {
            if let Some(only) = (0..5).find(|&c| chips[c] > 0 && first[c] >= 2 && self.bank[c] >= 4) {
                chips = [0; 6];
                chips[only] = 2;
            }
        }
        (chips, useful)
    }
}

// ---------------------------------------------------------------------------------------------- the search

// An action and a weight that says how promising it looks.
type Candidate = (Action, f32);

impl State {
    // Every action worth considering.
    fn candidates(&self, dice: &mut Dice, found: &mut Vec<Candidate>) {
        found.clear();
        let plan = self.plan(self.turn, 0.0, dice);
        self.candidate_purchases(&plan, found);
        self.candidate_takes(&plan, found);
        self.candidate_reservations(&plan, found);
    }

    fn candidate_purchases(&self, plan: &Plan, found: &mut Vec<Candidate>) {
        let bonus_worth = self.bonus_worth(self.turn);
        for id in self.cards_in_sight(self.turn) {
            if let Some(action) = self.purchase(self.turn, id) {
                let card = &CARDS[id as usize];
                let planned = if plan.first == Some(id) { 4.0 } else { 0.0 };
                found.push((action, planned + 2.0 * (card.points as f32 + bonus_worth[card.colour])));
            }
        }
    }

    // As many different chips as possible, as many as fit into the hand, and pairs.
    fn candidate_takes(&self, plan: &Plan, found: &mut Vec<Candidate>) {
        let piles = self.bank[..5].iter().filter(|&&count| count > 0).count();
        let room = (10 - self.hands[self.turn].chip_count()).max(0) as usize;
        for mask in 0u32..32 {
            let count = mask.count_ones() as usize;
            let mut chips = [0; 6];
            for c in 0..5 {
                chips[c] = (mask >> c & 1) as i8;
            }
            if (count == piles.min(3) || count == room.min(3)) && (0..5).all(|c| chips[c] <= self.bank[c]) {
                self.weigh_take(chips, plan, found);
            }
        }
        for c in (0..5).filter(|&c| self.bank[c] >= 4) {
            let mut chips = [0; 6];
            chips[c] = 2;
            self.weigh_take(chips, plan, found);
        }
    }

    fn weigh_take(&self, chips: Six, plan: &Plan, found: &mut Vec<Candidate>) {
        let take = Action { verb: Verb::Take, card: 0, chips };
        if let Some(action) = self.with_returns(self.turn, take, plan) {
            let useful = |card: Option<u8>| -> i8 {
                let lacks = card.map_or([0; 5], |id| self.hands[self.turn].lacks(&CARDS[id as usize]));
                (0..5).map(|c| chips[c].min(lacks[c])).sum()
            };
            let weight = 0.3 + useful(plan.first) as f32 + 0.5 * useful(plan.second) as f32;
            let returned = -action.chips.iter().filter(|&&count| count < 0).sum::<i8>();
            found.push((action, weight / (1 + returned) as f32));
        }
    }

    fn candidate_reservations(&self, plan: &Plan, found: &mut Vec<Candidate>) {
        if self.hands[self.turn].free_slots() == 0 {
            return;
        }
        let golden = if self.bank[GOLD] > 0 { 1.0 } else { 0.3 };
        let face_up = self.board.iter().flatten().filter(|&&id| id != 0).map(|&id| match Some(id) {
            card if card == plan.first => (id as i8, 1.5),
            card if card == plan.second => (id as i8, 0.8),
            _ => (id as i8, 0.2),
        });
        let blind = (0..3).filter(|&level| self.decks[level].count > 0).map(|level| (-1 - level as i8, 0.1));
        for (card, weight) in face_up.chain(blind) {
            if let Some(action) = self.reservation(self.turn, card, plan) {
                found.push((action, weight * golden));
            }
        }
    }
}

struct Node {
    action: Action,
    visits: u32,
    total: f32, // rewards of the seat that chose the action
    children: Vec<usize>,
}

impl Node {
    fn describe(&self) -> String {
        let mean = self.total / self.visits.max(1) as f32;
        format!("{} (value {:.2}, {} visits)", self.action.describe(), mean, self.visits)
    }
}

struct Search {
    nodes: Vec<Node>,
    dice: Dice,
}

impl Search {
    fn new(seed: u64) -> Search {
        let nothing = Action { verb: Verb::Take, card: 0, chips: [0; 6] };
        Search {
            nodes: vec![Node { action: nothing, visits: 0, total: 0.0, children: Vec::new() }],
            dice: Dice(seed | 1),
        }
    }

    // The child to follow from a node in this deal, where only some of its children may be possible.
    fn select(&mut self, parent: usize, found: &[Candidate]) -> usize {
        let weights: f32 = found.iter().map(|(_, weight)| weight).sum();
        let scale = EXPLORATION * (self.nodes[parent].visits as f32 + 1.0).sqrt() / weights;
        let mut best = (f32::MIN, 0);
        let (mut sum, mut count) = (0.0, 0);
        for &child in &self.nodes[parent].children {
            sum += self.nodes[child].total;
            count += self.nodes[child].visits;
        }
        let hope = if count > 0 { sum / count as f32 - 0.05 } else { 0.5 };
        for &(action, weight) in found {
            let known = self.nodes[parent].children.iter().cloned().find(|&child| self.nodes[child].action == action);
            let at = known.unwrap_or_else(|| self.add_child(parent, action));
            let child = &self.nodes[at];
            let mean = if child.visits > 0 { child.total / child.visits as f32 } else { hope };
            let score = mean + scale * weight / (1.0 + child.visits as f32);
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    fn add_child(&mut self, parent: usize, action: Action) -> usize {
        self.nodes.push(Node { action, visits: 0, total: 0.0, children: Vec::new() });
        let at = self.nodes.len() - 1;
        self.nodes[parent].children.push(at);
        at
    }

    fn playout(&mut self, root: &State, found: &mut Vec<Candidate>) {
        let mut state = *root;
        state.deal_hidden(&mut self.dice);
        let mut path = vec![(0, 0)];
        let mut at = 0;
        while !state.over() {
            state.candidates(&mut self.dice, found);
            if found.is_empty() {
                break;
            }
            at = self.select(at, found);
            path.push((at, state.turn));
            let action = self.nodes[at].action;
            state.play(&action, &mut self.dice);
            if self.nodes[at].visits == 0 {
                break;
            }
        }
        while !state.over() {
            let action = state.quick_action(&mut self.dice);
            state.play(&action, &mut self.dice);
        }
        let rewards = state.rewards();
        for (node, seat) in path {
            self.nodes[node].visits += 1;
            self.nodes[node].total += rewards[seat];
        }
    }
}

// ---------------------------------------------------------------------------------------------- input and output

// Reads one state number by number, without waiting for the end of the input.
struct Input<R> {
    reader: R,
    waiting: Vec<i64>,
    checksum: u64,
}

impl<R: BufRead> Input<R> {
    fn number(&mut self) -> Option<i64> {
        while self.waiting.is_empty() {
            let mut line = String::new();
            if self.reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            self.waiting = line.split_whitespace().rev().filter_map(|word| word.parse().ok()).collect();
        }
        let number = self.waiting.pop()?;
        self.checksum = (self.checksum ^ number as u64).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
        Some(number)
    }

    fn several(&mut self, count: i64) -> Option<Vec<i8>> {
        (0..count).map(|_| self.number().map(|number| number as i8)).collect()
    }

    fn listed(&mut self) -> Option<Vec<i8>> {
        let count = self.number()?;
        self.several(count)
    }

    fn six(&mut self) -> Option<Six> {
        let mut six = [0; 6];
        six.copy_from_slice(&self.several(6)?);
        Some(six)
    }

    fn state(&mut self) -> Option<State> {
        self.checksum = 0xCBF2_9CE4_8422_2325;
        let players = self.number()? as usize;
        let turn = self.number()? as usize - 1;
        let round = self.number()? as u8;
        let mut state = State {
            players,
            turn,
            round,
            bank: self.six()?,
            decks: [Deck { count: 0, unseen: [0; 40], unseen_count: 0 }; 3],
            board: [[0; 4]; 3],
            nobles: [0; 5],
            hands: [Hand::default(); 4],
        };
        let mut seen = [false; 91];
        for level in 0..3 {
            state.decks[level].count = self.number()? as u8;
            for (slot, card) in self.several(4)?.into_iter().enumerate() {
                state.board[level][slot] = card as u8;
                seen[card as usize] = true;
            }
        }
        for (place, noble) in self.listed()?.into_iter().enumerate() {
            state.nobles[place] = noble as u8;
        }
        for seat in 0..players {
            state.hands[seat] = self.hand(&mut seen)?;
        }
        for id in (1..91).filter(|&id| !seen[id]) {
            let deck = &mut state.decks[level_of(id as u8)];
            deck.unseen[deck.unseen_count] = id as u8;
            deck.unseen_count += 1;
        }
        Some(state)
    }

    fn hand(&mut self, seen: &mut [bool; 91]) -> Option<Hand> {
        let mut hand = Hand { chips: self.six()?, ..Hand::default() };
        for id in self.listed()? {
            let card = &CARDS[id as usize];
            seen[id as usize] = true;
            hand.bonus[card.colour] += 1;
            hand.points += card.points;
            hand.bought += 1;
        }
        for (slot, id) in self.listed()?.into_iter().enumerate() {
            hand.reserve[slot] = id;
            if id > 0 {
                seen[id as usize] = true;
            }
        }
        hand.points += 3 * self.listed()?.len() as i8;
        Some(hand)
    }
}

fn main() {
    let budget_ms = env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(300);
    let stdin = io::stdin();
    let mut input = Input { reader: stdin.lock(), waiting: Vec::new(), checksum: 0 };
    while let Some(state) = input.state() {
        let deadline = Instant::now() + Duration::from_millis(10 * budget_ms);
        let mut search = Search::new(input.checksum);
        let mut found = Vec::new();
        let mut playouts = 0;
        while playouts < PLAYOUTS_PER_MS * budget_ms && (playouts == 0 || Instant::now() < deadline) {
            search.playout(&state, &mut found);
            playouts += 1;
        }
        report(&state, &search, playouts);
    }
}

fn report(state: &State, search: &Search, playouts: u64) {
    let mut moves: Vec<&Node> = search.nodes[0].children.iter().map(|&child| &search.nodes[child]).collect();
    moves.sort_by_key(|node| u32::MAX - node.visits);
    let best: Vec<String> = moves.iter().take(3).map(|node| node.describe()).collect();
    eprintln!("kibitz score {}; {}", state.hands[state.turn].points, best.join("; "));
    eprintln!("kibitz {} playouts, {} nodes, {} moves considered", playouts, search.nodes.len(), moves.len());
    println!("{}", moves.first().map_or("1 0".to_string(), |best| best.action.text()));
    let _ = io::stdout().flush();
}
