// Builds an engine first. The game has three phases: BUILD buys cheap cards whose bonuses are in demand, NOBLES goes
// for the bonuses that the nearest nobles need, POINTS buys points. Each phase weights the same three features of a
// card differently, and the card with the highest weight per turn is the target. In the middle of the game a big level
// 3 card that suits the bonuses is reserved early, as a goal and for the gold chip.
// Plain loops, no streams, lambdas or formatting: the virtual machine may be started for every move.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;
import java.util.Arrays;

public class Builder {
    // Cards 1 to 90: the points, then the price in red, green, blue, white and black. Bonus colours follow that order.
    static final String CARDS =
        "000030 030000 000003 000300 003000 001200 000120 000012 020001 012000 "
            + "100040 100004 140000 104000 100400 020020 020200 002002 000202 002020 "
            + "001111 010111 011011 011101 011110 001121 010112 021011 012101 011210 "
            + "001022 020102 022010 002201 010220 010013 001310 013100 000131 031001 "
            + "200005 205000 200500 250000 200050 360000 306000 300600 300060 300006 "
            + "200035 203500 200350 250003 235000 202410 200241 210024 241002 224100 "
            + "120023 100322 132200 123002 102230 120303 132030 103203 130320 103032 "
            + "407000 400700 400070 400007 470000 537000 503700 500370 500037 570003 "
            + "436300 403630 400363 430036 463003 303533 330353 333035 353303 335330 ";
    static final String NOBLES = "44000 04400 00440 00044 40004 33300 03330 00333 30033 33003 ";
    static final String[] NAMES = {"red", "green", "blue", "white", "black"};
    static final int GOLD = 5;
    static final int NEVER = 99;

    enum Phase {
        BUILD(1.0, 0.6, 1.0), NOBLES(1.2, 1.2, 0.5), POINTS(1.5, 1.0, 0.1);

        final double points, noble, demand;

        Phase(double points, double noble, double demand) {
            this.points = points;
            this.noble = noble;
            this.demand = demand;
        }
    }

    static class Hand {
        int[] chips, cards, reserve, nobles;
        int[] bonus = new int[5];
        int points;

        int need(int card, int colour) {
            return Math.max(0, price(card, colour) - bonus[colour]);
        }

        int lack(int card, int colour) {
            return Math.max(0, need(card, colour) - chips[colour]);
        }

        int needs(int card) {
            int total = 0;
            for (int c = 0; c < 5; c++) total += need(card, c);
            return total;
        }

        int missing(int card) {
            int total = -chips[GOLD];
            for (int c = 0; c < 5; c++) total += lack(card, c);
            return Math.max(0, total);
        }
    }

    static int points(int card) {
        return CARDS.charAt(7 * (card - 1)) - '0';
    }

    static int price(int card, int colour) {
        return CARDS.charAt(7 * (card - 1) + 1 + colour) - '0';
    }

    static int wants(int noble, int colour) {
        return NOBLES.charAt(6 * (noble - 1) + colour) - '0';
    }

    static int colourOf(int card) {
        return (card - 1) % 5;
    }

    static int sum(int[] numbers) {
        int total = 0;
        for (int number : numbers) total += number;
        return total;
    }

    static boolean holds(int[] numbers, int wanted) {
        for (int number : numbers) if (number == wanted) return true;
        return false;
    }

    // ------------------------------------------------------------------------------------------ the state

    final int[] bank;
    final int[] decks = new int[3];
    final int[] board = new int[12]; // 0 where a deck has run out
    final int[] nobles;
    final Hand[] hands;
    final Hand mine;
    final Phase phase;

    /** Reads one state number by number, without waiting for the end of the input. */
    Builder(StreamTokenizer in, int players) throws IOException {
        int me = number(in);
        number(in); // the round
        bank = several(in, 6);
        for (int level = 0; level < 3; level++) {
            decks[level] = number(in);
            for (int slot = 0; slot < 4; slot++) board[4 * level + slot] = number(in);
        }
        nobles = listed(in);
        hands = new Hand[players];
        for (int seat = 0; seat < players; seat++) hands[seat] = hand(in);
        mine = hands[me - 1];
        phase = phase();
    }

    static int number(StreamTokenizer in) throws IOException {
        if (in.nextToken() != StreamTokenizer.TT_NUMBER) throw new IOException("the state ends too early");
        return (int) in.nval;
    }

    static int[] several(StreamTokenizer in, int count) throws IOException {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) numbers[i] = number(in);
        return numbers;
    }

    static int[] listed(StreamTokenizer in) throws IOException {
        return several(in, number(in));
    }

    static Hand hand(StreamTokenizer in) throws IOException {
        Hand hand = new Hand();
        hand.chips = several(in, 6);
        hand.cards = listed(in);
        hand.reserve = listed(in);
        hand.nobles = listed(in);
        hand.points = 3 * hand.nobles.length;
        for (int card : hand.cards) {
            hand.bonus[colourOf(card)]++;
            hand.points += points(card);
        }
        return hand;
    }

    int[] cardsInSight() {
        int[] cards = new int[board.length + mine.reserve.length];
        int count = 0;
        for (int card : board) if (card != 0) cards[count++] = card;
        for (int card : mine.reserve) cards[count++] = card;
        return Arrays.copyOf(cards, count);
    }

    // ------------------------------------------------------------------------------------------ the value of a card

    Phase phase() {
        int lead = 0;
        for (Hand hand : hands) lead = Math.max(lead, hand.points);
        if (lead >= 9) return Phase.POINTS;
        return mine.cards.length < 5 ? Phase.BUILD : nobles.length > 0 ? Phase.NOBLES : Phase.POINTS;
    }

    int distance(int noble) {
        int total = 0;
        for (int c = 0; c < 5; c++) total += Math.max(0, wants(noble, c) - mine.bonus[c]);
        return total;
    }

    /** Progress towards nobles, in points: the whole noble if this is the last step, less if more are needed. */
    double nobleSteps(int colour) {
        double steps = 0;
        for (int noble : nobles) {
            int distance = distance(noble);
            if (wants(noble, colour) > mine.bonus[colour]) steps += distance == 1 ? 3 : 1.5 / distance;
        }
        return steps;
    }

    /** What one more bonus of the colour saves on the visible cards, above all the expensive ones. */
    double demand(int colour) {
        double saved = 0.5;
        for (int card : cardsInSight()) {
            if (price(card, colour) > mine.bonus[colour]) saved += 0.05 + 0.06 * points(card);
        }
        return saved;
    }

    double worth(int card) {
        int colour = colourOf(card);
        return phase.points * points(card) + phase.noble * nobleSteps(colour) + phase.demand * demand(colour);
    }

    /** Turns until the card is bought, if the bank does not change; NEVER if ten chips or this bank cannot pay for it. */
    int turns(int card) {
        int missing = mine.missing(card), longest = 0, unobtainable = -mine.chips[GOLD];
        if (missing == 0) return 1;
        for (int c = 0; c < 5; c++) {
            longest = Math.max(longest, mine.lack(card, c));
            unobtainable += Math.max(0, mine.lack(card, c) - bank[c]);
        }
        int gold = mine.reserve.length < 3 ? bank[GOLD] : 0;
        if (mine.needs(card) > 10 || unobtainable > Math.min(gold, 3 - mine.reserve.length)) return NEVER;
        int alone = (longest - mine.chips[GOLD] + 1) / 2 + (longest > 3 ? 1 : 0);
        return 1 + Math.max((missing + 2) / 3, alone) + Math.max(0, unobtainable);
    }

    double rate(int card) {
        int turns = turns(card);
        return turns == NEVER ? worth(card) / 1000 : worth(card) / (turns + 0.3);
    }

    /** The card with the highest value per turn, except one; 0 if there is none. */
    int bestTarget(int except) {
        int best = 0;
        double most = -1;
        for (int card : cardsInSight()) {
            if (card != except && rate(card) > most) {
                best = card;
                most = rate(card);
            }
        }
        return best;
    }

    /** A level 3 card to work towards: the one that needs the fewest more chips for its points. 0 if none is near. */
    int bigGoal() {
        int best = 0;
        for (int slot = 8; slot < 12; slot++) {
            int card = board[slot];
            boolean near = card != 0 && mine.needs(card) <= 7;
            if (near && (best == 0 || points(card) - mine.needs(card) > points(best) - mine.needs(best))) best = card;
        }
        return best;
    }

    // ------------------------------------------------------------------------------------------ the action

    final StringBuilder why = new StringBuilder();

    String choose() {
        int target = bestTarget(0), next = bestTarget(target);
        if (target != 0 && turns(target) == 1) {
            why.append("buys card ").append(target);
            return "4 ".concat(Integer.toString(target));
        }
        int[] taken = chipsToward(target, next);
        boolean helpless = taken[GOLD] == 0;
        taken[GOLD] = 0;
        if (mine.reserve.length < 3 && bank[GOLD] > 0) {
            int goal = bigGoal();
            boolean midgame = phase == Phase.NOBLES && mine.reserve.length == 0;
            if (midgame && goal != 0) return reserve(goal, target, "a big goal");
            if (snatchable(target)) return reserve(target, target, "a rival could buy it");
            boolean open = target != 0 && holds(board, target);
            if (helpless && open) return reserve(target, target, "the bank has no chip for it");
            int deck = decks[2] > 0 ? 3 : decks[1] > 0 ? 2 : decks[0] > 0 ? 1 : 0;
            if (helpless && deck != 0) return reserve(-deck, target, "blind, for the gold");
        }
        return take(taken, target);
    }

    boolean snatchable(int card) {
        if (card == 0 || points(card) < 2 || !holds(board, card)) return false;
        for (Hand hand : hands) if (hand != mine && hand.missing(card) == 0) return true;
        return false;
    }

    /** Chips per colour for the target, then for the next card, then any if there is room; [GOLD] counts the useful. */
    int[] chipsToward(int target, int next) {
        int[] taken = new int[6];
        int count = 0;
        while (target != 0 && count < 3) {
            int most = -1;
            for (int c = 0; c < 5; c++) {
                boolean open = taken[c] == 0 && bank[c] > 0 && mine.lack(target, c) > 0;
                if (open && (most < 0 || mine.lack(target, c) > mine.lack(target, most))) most = c;
            }
            if (most < 0) break;
            taken[most] = 1;
            count++;
        }
        taken[GOLD] = count;
        for (int c = 0; c < 5 && count == 1; c++) {
            if (taken[c] == 1 && mine.lack(target, c) > 1 && bank[c] >= 4) {
                taken[c] = 2;
                return taken;
            }
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int c = 0; c < 5; c++) {
                boolean liked = pass == 1 || (next != 0 && mine.lack(next, c) > 0);
                if (liked && count < 3 && sum(mine.chips) + count < 10 && taken[c] == 0 && bank[c] > 0) {
                    taken[c] = 1;
                    count++;
                }
            }
        }
        return taken;
    }

    String take(int[] taken, int target) {
        StringBuilder colours = new StringBuilder();
        int count = 0, twice = -1;
        why.append("takes");
        for (int c = 0; c < 5; c++) {
            if (taken[c] == 0) continue;
            if (taken[c] == 2) twice = c;
            colours.append(' ').append(c);
            count++;
            why.append(taken[c] == 2 ? " two " : " ").append(NAMES[c]);
        }
        if (count == 0) why.append(" nothing");
        StringBuilder action = new StringBuilder();
        if (twice >= 0) action.append("2 ").append(twice);
        else action.append("1 ").append(count).append(colours);
        return withReturns(action, taken, target);
    }

    String reserve(int card, int target, String reason) {
        why.append("reserves card ").append(card).append(": ").append(reason);
        return withReturns(new StringBuilder("3 ").append(card), new int[] {0, 0, 0, 0, 0, 1}, target);
    }

    /** The action, followed by the chips above ten that the target needs least. Gold is kept. */
    String withReturns(StringBuilder action, int[] gained, int target) {
        int[] chips = mine.chips.clone();
        for (int c = 0; c < 6; c++) chips[c] += gained[c];
        for (int total = sum(chips); total > 10; total--) {
            int least = -1, most = 0;
            for (int c = 0; c < 5; c++) {
                int surplus = chips[c] - (target == 0 ? 0 : mine.need(target, c));
                if (chips[c] > 0 && (least < 0 || surplus > most)) {
                    least = c;
                    most = surplus;
                }
            }
            chips[least]--;
            action.append(' ').append(least);
        }
        return action.toString();
    }

    void kibitz(int target) {
        StringBuilder line = new StringBuilder("kibitz ").append(phase).append(", score ").append(mine.points);
        line.append(", cards ").append(mine.cards.length).append("; ").append(why);
        if (target != 0) line.append("; target ").append(target);
        System.err.println(line);
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        while (in.nextToken() != StreamTokenizer.TT_EOF) {
            Builder builder = new Builder(in, (int) in.nval);
            String action = builder.choose();
            builder.kibitz(builder.bestTarget(0));
            System.out.println(action);
            System.out.flush();
        }
    }
}
